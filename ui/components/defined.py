"""Streamlit components by language: each is registered for a language when first drawn in it."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Any

import streamlit as st

from bpe_core.language import LANGUAGES, PSEUDO, spoken
from ui.components.scripts import joined_script, markup_in, said_in_markup, said_in_script

QUIET_BUTTON = (Path(__file__).parent / "quiet_button.css").read_text("utf-8")
"""Style of a frameless button, to precede the component's own style."""

_DEFINING = Lock()


class Component:
    """Callable that draws a component, like the result of `st.components.v2.component`."""

    def __init__(self, name: str, script: Path, *, html: str = "<i hidden></i>", css: str | None = None) -> None:
        """`html`: app markup, never user text, with its words in [[brackets]]; `script` uses words.js."""
        self._name = name
        self._script = script
        self._html = html
        self._css = css
        english = joined_script(script)
        self._by_language: dict[str, Any] = {"en": self._define("en", english)}
        self._has_words = bool(said_in_script(english) or said_in_markup(html))

    def __call__(self, **given: Any) -> Any:
        """Draw the component; one without words is shared by all languages."""
        language = spoken() if self._has_words else "en"
        drawn = self._by_language.get(language)
        if drawn is None:
            with _DEFINING:
                drawn = self._by_language.get(language) or self._define(language, joined_script(self._script, language))
                self._by_language[language] = drawn
        return drawn(**given)

    def _define(self, language: str, script: str) -> Any:
        return st.components.v2.component(
            _named(self._name, language),
            html=markup_in(self._html, language),
            css=self._css,
            js=script,
        )


def script_of(component: str) -> str | None:
    """Script of a component by its registered name, whether registered yet or not; None for any other name."""
    for script in Path(__file__).parent.glob("*/*.js"):
        if script.stem == script.parent.name and component.startswith(name := f"bpe_lab_{script.stem}"):
            for language in (*LANGUAGES, PSEUDO):
                if component == _named(name, language):
                    return joined_script(script, language)
    return None


def _named(name: str, language: str) -> str:
    return name if language == "en" else f"{name}_{language.replace('-', '_').lower()}"
