"""Popover that downloads what a page shows as an HTML file that works without a server."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from bpe_core.language import COMPLETE, LANGUAGES, _, current_language, gettext, listed, translate
from bpe_core.page.html import Page, page_html
from ui.session.samples import sample
from ui.session.training import Source
from ui.widgets.display import bytes_words
from ui.widgets.downloads import download_button
from ui.widgets.layout import popover_key


def show_as_page(
    says: str,
    size: str,
    make: Callable[[], Page],
    *,
    file_name: str,
    key: str,
    refused: str = "",
    bytes_in_all: int = 0,
) -> None:
    """Draw the popover. `says`: description of the file; `size`: line on its extent.

    `make` is called on a click, outside of a run, in each language. `refused`: why there is no such file, in place of
    the buttons. `bytes_in_all`: size in all languages, if known.
    """
    with st.popover(_("As a page"), icon=":material/download:", width="content", key=popover_key(f"{key} as a page")):
        st.text(says)
        st.text(refused or size)
        if refused:
            return
        own = current_language()
        all_languages = (own, *(code for code in COMPLETE if code != own))
        names = listed([LANGUAGES[code].name if code in LANGUAGES else code for code in all_languages], last="")
        with st.container(horizontal=True, gap="small", key=f"{key} page downloads"):
            _download(_("Download as page"), (own,), make, file_name, f"download {key} page", is_first=True)
            in_all = _("In {languages}", languages=translate(names))
            if bytes_in_all:
                in_all = _("{what}, about {size}", what=in_all, size=bytes_words(bytes_in_all))
            _download(in_all, all_languages, make, file_name, f"download {key} page in all languages")


def _download(
    label: str, languages: tuple[str, ...], make: Callable[[], Page], name: str, key: str, *, is_first: bool = False
) -> None:
    looks = {"icon": None, "type": "primary" if is_first else "secondary"}
    download_button(label, partial(_made, make, languages), name, key=key, **looks)


def page_title(source: Source, default: str) -> str:
    """Heading of a page about a training text; `default`: an untranslated message, for typed text."""
    if source.kind == "sample":
        return gettext(sample(source.label).title)
    return source.label if source.kind == "file" else translate(default)


def _made(make: Callable[[], Page], languages: tuple[str, ...]) -> bytes:
    return page_html(make, languages).encode()
