"""The language of a visitor: the one chosen in the menu or by a link, else the one that the browser asks for."""

from __future__ import annotations

from threading import local

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bpe_core.language import LANGUAGES, PSEUDO, add_catalogues, language_of, speak
from ui.session.folders import CATALOGUE_FOLDER
from ui.session.items import Item, one_of, sent
from ui.session.query import LANGUAGE_PARAM, params

LANGUAGE = Item("language", "", one_of("", PSEUDO, *LANGUAGES))
"""What was chosen; "" for what the browser asks for."""

MENU = "languages"
"""The key of the menu of languages."""


class _Told(local):
    """What the run of this thread speaks, once it was asked: it says hundreds of things."""

    run: object = None
    language = "en"


_TOLD = _Told()


def visitor_language() -> str:
    """The code of the language in which this visitor is spoken to; English in a thread that runs for nobody."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return "en"
    run = context.parallel_coordinator  # of a run's parts, the one that Streamlit makes anew for each
    if run is None or run is not _TOLD.run:
        _TOLD.language = LANGUAGE.get() or language_of(st.context.locale or "")
        _TOLD.run = run
    return _TOLD.language


def follow_link() -> None:
    """Speak the language that the address asks for, if it asks for one that is known."""
    _choose(params().get(LANGUAGE_PARAM, [""])[-1])


def follow_menu() -> None:
    """Speak the language that was chosen in the menu; its callback."""
    _choose(sent(MENU))


def _choose(code: object) -> None:
    if code and LANGUAGE.valid(code):
        LANGUAGE.set(str(code))
        _TOLD.run = None


def language_params() -> dict[str, str]:
    """What links to other pages say as well, so that a new tab speaks the language that was chosen here."""
    return {LANGUAGE_PARAM: LANGUAGE.get()} if LANGUAGE.get() else {}


def chosen_in_link() -> str:
    """The part of a link's query that says which language was chosen; "" where none was."""
    return f"{LANGUAGE_PARAM}={LANGUAGE.get()}" if LANGUAGE.get() else ""


def speak_to_visitors() -> None:
    """From now on in this process. Once, before the first page is drawn."""
    add_catalogues(CATALOGUE_FOLDER)
    speak(visitor_language)
