"""Characters, bytes and tokens of a text in three lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpe_core.language import _
from bpe_core.payloads.frames import frame
from bpe_core.payloads.spans import TokenSpans
from ui.views.component import View
from ui.views.protocol import acting, is_index

_LANES_VIEW = View("lanes")


def lanes_view(
    spans: TokenSpans,
    *,
    key: str,
    selected: int | None = None,
    height: int | None = None,
    label: str = "",
    on_select: Callable[[int | None], None] | None = None,
) -> None:
    """Draw a window of tokens as three lanes, one column per byte; at most a few hundred tokens.

    selected: number of a token in the whole text, outlined.
    on_select: called with the number of the selected token, or None when the selection is cleared.
    """
    rev = spans.body.rev

    def picked(value: Any) -> None:
        choice = _checked_choice(value, rev, spans)
        if on_select is not None and choice is not None:
            on_select(choice[0])

    position = None if selected is None else selected - spans.first
    head = {
        "name": key,
        "label": label or _("Characters, bytes and tokens"),
        "height": height,
        "selected": position if position is not None and 0 <= position < len(spans.ids) else None,
    }
    _LANES_VIEW(key=key, data=frame(head, spans.body), on_acts_change=acting(key, picked=picked))


def _checked_choice(value: Any, rev: str, spans: TokenSpans) -> tuple[int | None] | None:
    """Parse the browser's [rev, number or None]; None if it refers to other spans. The value can be forged."""
    if not (isinstance(value, list) and len(value) == 2 and value[0] == rev):
        return None
    index = value[1]
    return (index,) if index is None or is_index(index, spans.first, len(spans.ids)) else None
