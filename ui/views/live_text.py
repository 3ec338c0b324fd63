"""Text area that sends its text during typing.

For a long text, the browser sends only the edit since an acknowledged text; it resends the whole text if that one is no
longer known here.

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
from ui.views.protocol import NotTakenError, acting, is_index, is_on_page, recall, remember

_LIVE_TEXT = View("live_text")

MOST_BYTES = 3_500_000
"""Limit of the browser's message, in bytes of UTF-8; server.maxWidgetStateSize closes the connection at 4 MB."""


NO_TEXTS: Mapping[int, str] = MappingProxyType({})

NO_EXAMPLES: Mapping[str, str] = MappingProxyType({})


MOST_KNOWN = 4
"""Number of texts that an edit may start from: the browser learns of each acknowledgement with a delay."""

_LARGEST_NUMBER = 2**53


class _Push(NamedTuple):
    """Text that Python set in the area, encoded once, and the latest text that the browser has sent since.

    known: the last long texts, by the numbers of their actions.
    """

    rev: str
    pushed: Body
    latest: str
    known: tuple[tuple[int, str], ...] = ()


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

    text: returns the caller's content of the area. A text other than the last one typed or pushed replaces the visible
    one; the same text changes nothing, so the caret stays in place.
    on_change: called with the new text before the rerun, unless the caller has set another one meanwhile.
    single: one line, in which Enter types nothing.
    longest: limit in characters; a longer text stays in the area, with a notice below it.
    offers: texts offered below the area; a click inserts one at the caret.
    examples: texts by their titles, below the area; a click replaces the text.
    is_light: whether the rerun after a keystroke is short, so that each keystroke is sent at once.
    """
    push = _pushed(key, text())

    def typed(value: Any) -> None:
        before = recall(_record_key(key))
        known = before.known if isinstance(before, _Push) and before.rev == push.rev else ()
        written = typed_text(value, push.rev, longest, dict(known))
        if written is not None and holds(key, text()):
            if len(value) == 3:
                first = value[1][0] if isinstance(value[1], list) else 0  # no later edit starts from an earlier text
                known = (*(each for each in known if first <= each[0] < value[2]), (value[2], written))[-MOST_KNOWN:]
            remember(_record_key(key), push._replace(latest=written, known=known))
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
    """Whether the area is on the page with this text, so that drawing it sends nothing."""
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


def typed_text(value: Any, rev: str, longest: int, known: Mapping[int, str] = NO_TEXTS) -> str | None:
    """Text of the browser's [rev, text] or [rev, text or edit, number], which can be forged; None for another push.

    Raises NotTakenError for an edit of a text that is not among the known ones.

    >>> typed_text(["rev", [1, 3, 4, "er"], 2], "rev", 9, {1: "low."})
    'lower'
    """
    if not (isinstance(value, list) and len(value) in (2, 3) and value[0] == rev):
        return None
    text = value[1]
    if len(value) == 3:
        if not is_index(value[2], 1, _LARGEST_NUMBER):
            return None
        if isinstance(text, list):
            text = _edited(text, known)
    return text if isinstance(text, str) and len(text) <= longest else None


def _edited(edit: list[Any], known: Mapping[int, str]) -> str | None:
    """Text of [number, start, end, inserted]: the text of that number, with its characters start … end - 1 replaced."""
    if not (len(edit) == 4 and is_index(edit[0], 1, _LARGEST_NUMBER) and isinstance(edit[3], str)):
        return None
    number, start, end, inserted = edit
    if number not in known:
        raise NotTakenError
    text = known[number]
    if not (is_index(end, 0, len(text) + 1) and is_index(start, 0, end + 1)):
        return None
    return f"{text[:start]}{inserted}{text[end:]}"
