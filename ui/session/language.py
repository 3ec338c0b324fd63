"""Language of a session: chosen in the menu or by a link, otherwise the browser's."""

from __future__ import annotations

from threading import local

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bpe_core.language import LANGUAGES, PSEUDO, add_catalogues, language_of, set_language
from ui.session.folders import CATALOGUE_FOLDER
from ui.session.items import Item, one_of, sent
from ui.session.query import LANGUAGE_PARAM, params

LANGUAGE = Item("language", "", one_of("", PSEUDO, *LANGUAGES))
"""The chosen language; "" for the browser's."""

MENU = "languages"
"""Key of the language menu."""


class _RunLanguage(local):
    """Language of this thread's script run, cached: a run translates hundreds of messages."""

    run: object = None
    language = "en"


_RUN_LANGUAGE = _RunLanguage()


def visitor_language() -> str:
    """Language code of the current session; English in a thread outside a run."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return "en"
    run = context.parallel_coordinator  # created for each run, shared by its fragments
    if run is None or run is not _RUN_LANGUAGE.run:
        _RUN_LANGUAGE.language = LANGUAGE.get() or language_of(st.context.locale or "")
        _RUN_LANGUAGE.run = run
    return _RUN_LANGUAGE.language


def follow_link() -> None:
    """Set the language from the URL, if it names a known one."""
    _choose(params().get(LANGUAGE_PARAM, [""])[-1])


def follow_menu() -> None:
    """Set the language from the menu; its callback."""
    _choose(sent(MENU))


def _choose(code: object) -> None:
    if code and LANGUAGE.valid(code):
        LANGUAGE.set(str(code))
        _RUN_LANGUAGE.run = None


def language_params() -> dict[str, str]:
    """Language parameter for links to other pages, so that a new tab opens in the chosen language."""
    return {LANGUAGE_PARAM: LANGUAGE.get()} if LANGUAGE.get() else {}


def chosen_in_link() -> str:
    """The language as part of a link's query; "" if none was chosen."""
    return f"{LANGUAGE_PARAM}={LANGUAGE.get()}" if LANGUAGE.get() else ""


def install_languages() -> None:
    """Install the catalogues and the session's language in this process; once, before the first page is drawn."""
    add_catalogues(CATALOGUE_FOLDER)
    set_language(visitor_language)
