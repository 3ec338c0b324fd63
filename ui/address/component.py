"""Writes the link to what the visitor sees into the address bar, without a rerun and without a history entry a step."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui import cache, state
from ui.links import to_link
from ui.scene import PAGES, latest, now

_HERE = Path(__file__).parent
_ADDRESS = st.components.v2.component(
    "bpe_lab_address", html="<i hidden></i>", js=(_HERE / "address.js").read_text("utf-8")
)

HOME = "train"
"""The page at the root of the site."""


def keep_address(part: str = "page") -> None:
    """Let the address bar say what is now chosen. Call it at the end of a page, and of each of its fragments.

    part: the fragment's name; a fragment's own run does not reach the end of the page.
    """
    page = state.PAGE.get()
    if page not in PAGES:
        return
    scene = latest().scene = now(page)
    link = to_link(scene, _keep)
    via = state.VIA_LESSON.get()
    data = {
        "query": "&".join(filter(None, (link.query, via and f"via={via}"))),
        "whole": link.whole,
        "path": _path(page),
        "paths": [_path(other) for other in PAGES],
        "place": state.LESSON.get() if page == "lessons" else "",
    }
    with st.container(key=f"address of {part}"):
        _ADDRESS(key=f"address: {part}", data=data)


def _path(page: str) -> str:
    return "" if page == HOME else page


def _keep(text: str) -> str:
    """Keep a text that is too long for a link; returns its digest."""
    source = state.source()
    digest = source.digest if text is source.text else state.digest_of(text)
    cache.long_text(digest, text)
    return digest
