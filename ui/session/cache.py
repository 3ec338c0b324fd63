"""Server-side cache of texts too long for a link, by digest; shared by all sessions."""

from __future__ import annotations

from ui.memory.cache import MEMORY


def long_text(digest: str, text: str) -> str:
    """Cache a text too long for a link under its digest, so that the link works on this server."""
    return MEMORY.get(("long text", digest), lambda: text, only_here=True)


def cached_long_text(digest: str) -> str | None:
    """The cached text of this digest, or None."""
    text: str | None = MEMORY.peek(("long text", digest))
    return text
