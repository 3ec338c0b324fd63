"""What all visitors' sessions keep on this server: texts that are too long for a link, by their digests."""

from __future__ import annotations

from ui.memory.cache import MEMORY


def long_text(digest: str, text: str) -> str:
    """Keep a text that is too long for a link under its digest: the link then still works on this server."""
    return MEMORY.get(("long text", digest), lambda: text, only_here=True)


def kept_long_text(digest: str) -> str | None:
    """The text with this digest, if it is still kept."""
    text: str | None = MEMORY.peek(("long text", digest))
    return text
