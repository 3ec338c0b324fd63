"""The language of a visitor: the one chosen in the menu or by a link, else the one that the browser asks for."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bpe_core.language import LANGUAGES, PSEUDO, add_catalogues, language_of, speak
from ui.session.items import Item, one_of
from ui.session.query import LANGUAGE_PARAM, params

LANGUAGE = Item("language", "", one_of("", PSEUDO, *LANGUAGES))
"""What was chosen; "" for what the browser asks for."""

_CATALOGUES = Path(__file__).resolve().parents[1] / "translations"


def language() -> str:
    """The code of the language in which this visitor is spoken to; English in a thread that runs for nobody."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return "en"
    return LANGUAGE.get() or language_of(st.context.locale or "")


def follow_link() -> None:
    """Speak the language that the address asks for, if it asks for one that is known."""
    asked = params().get(LANGUAGE_PARAM, [""])[-1]
    if asked and LANGUAGE.valid(asked):
        LANGUAGE.set(asked)


def chosen_in_link() -> str:
    """The part of a link's query that says which language was chosen; "" where none was."""
    return f"{LANGUAGE_PARAM}={LANGUAGE.get()}" if LANGUAGE.get() else ""


def speak_to_visitors() -> None:
    """From now on in this process. Once, before the first page is drawn."""
    add_catalogues(_CATALOGUES)
    speak(language)
