"""What all visitors' sessions keep on this server: texts that are too long for a link, by their digests."""

from __future__ import annotations

import streamlit as st


class NotMadeYet(Exception):  # noqa: N818 - a signal, not an error
    """What a cache answers when it is asked for something that it does not hold and cannot make by itself."""


@st.cache_resource(max_entries=16, show_spinner=False)
def long_text(digest: str, _text: str | None = None) -> str:
    """Keep a text that is too long for a link under its digest: the link then still works on this server."""
    if _text is None:
        raise NotMadeYet
    return _text


def kept_long_text(digest: str) -> str | None:
    """The text with this digest, if it is still kept."""
    try:
        return long_text(digest)
    except NotMadeYet:
        return None
