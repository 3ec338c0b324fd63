"""Popover that downloads what a page shows as an HTML file that works without a server."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from bpe_core.language import _, current_language, gettext, translate, using_language
from ui.session.samples import sample
from ui.session.training import Source
from ui.widgets.layout import popover_key


def show_as_page(says: str, size: str, make: Callable[[], str], *, file_name: str, key: str, refused: str = "") -> None:
    """Draw the popover. `says`: what the file is; `size`: how much is in it.

    `make` is called on a click, outside of a run. `refused`: why there is no such file, in place of the button.
    """
    with st.popover(_("As a page"), icon=":material/download:", width="content", key=popover_key(f"{key} as a page")):
        st.text(says)
        st.text(refused or size)
        if not refused:
            st.download_button(
                _("Download as page"),
                partial(_made, make, current_language()),
                file_name=file_name,
                mime="text/html",
                on_click="ignore",
                type="primary",
                key=f"download {key} page",
            )


def page_title(source: Source, default: str) -> str:
    """Heading of a page about a training text; `default`: an untranslated message, for typed text."""
    if source.kind == "sample":
        return gettext(sample(source.label).title)
    return source.label if source.kind == "file" else translate(default)


def _made(make: Callable[[], str], language: str) -> bytes:
    with using_language(language):
        return make().encode()
