"""Text area that sends its text during typing.

The browser owns the text during typing; Python owns it when setting another one (a lesson, a link, a reopened page).
Each such replacement is a push with its own name (`rev`). The payload changes only with a push, so a keystroke sends
nothing back, and a message is valid only for its own push.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from bpe_core.payloads.frames import Body, encode_body, frame
from ui.views.component import View
from ui.views.protocol import acting, is_on_page, recall, remember

_LIVE_TEXT = View("live_text")

MOST_BYTES = 3_500_000
"""Limit of the browser's message, in bytes of UTF-8; server.maxWidgetStateSize closes the connection at 4 MB."""


NO_EXAMPLES: Mapping[str, str] = MappingProxyType({})


class _Push(NamedTuple):
    """Text that Python set in the area, encoded once, and the last text known to be in it since."""

    rev: str
    pushed: Body
    latest: str


def live_text_view(
    label: str,
    text: Callable[[], str],
    *,
    key: str,
    on_change: Callable[[str], None],
    height: int = 130,
    single: bool = False,
    placeholder: str = "",
    longest: int = 5_000_000,
    offers: Sequence[str] = (),
    examples: Mapping[str, str] = NO_EXAMPLES,
    is_light: bool = False,
) -> None:
    """Draw a text area whose text reaches Python shortly after each key; the caller stores the text.

    text: returns the content of the area as the caller knows it. A text other than the last one typed or pushed
    replaces the visible one; the same text changes nothing, so the caret stays in place.
    on_change: called with the new text before the rerun, unless the caller has set another one meanwhile.
    single: one line, in which Enter types nothing.
    longest: limit in characters; a longer text stays in the area, with a notice below it.
    offers: words below the area; a click inserts one at the caret.
    examples: texts by their titles, below the area; a click replaces the text.
    is_light: whether a key's rerun is short, so that each key is sent at once.
    """
    push = _pushed(key, text())

    def typed(value: Any) -> None:
        written = typed_text(value, push.rev, longest)
        if written is not None and holds(key, text()):
            remember(_record_key(key), push._replace(latest=written))
            on_change(written)

    head = {
        "name": key,
        "label": label,
        "height": height,
        "single": single,
        "placeholder": placeholder,
        "longest": longest,
        "bytes": MOST_BYTES,
        "light": is_light,
        "push": push.rev,
        "offers": list(offers),
        "examples": dict(examples),
    }
    _LIVE_TEXT(key=key, data=frame(head, push.pushed), on_acts_change=acting(key, typed=typed))


def holds(key: str, text: str) -> bool:
    """Whether the area is on the page with this text: drawing it then sends nothing."""
    record = recall(_record_key(key))
    return isinstance(record, _Push) and record.latest == text and is_on_page(key)


def _record_key(key: str) -> str:
    return f"{key}: pushed"


def _pushed(key: str, text: str) -> _Push:
    """Current push; a new one if the caller's text differs or the area is not on the page yet."""
    record = recall(_record_key(key))
    if isinstance(record, _Push) and record.latest == text and is_on_page(key):
        return record
    record = _Push(secrets.token_hex(8), encode_body({"text": text}), text)
    remember(_record_key(key), record)
    return record


def typed_text(value: Any, rev: str, longest: int) -> str | None:
    """Text of the browser's [rev, text] if it belongs to this push. The value can be forged."""
    if not (isinstance(value, list) and len(value) == 2 and value[0] == rev):
        return None
    text = value[1]
    return text if isinstance(text, str) and len(text) <= longest else None
