"""Lines of a text in the tokens of several tokenizers, one below the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bpe_core.payloads.lines import Interlinear, lines_frame
from bpe_core.payloads.spans import Lane
from ui.views.component import View
from ui.views.protocol import acting, is_index

_INTERLINEAR = View("interlinear")


def interlinear_view(
    text: str,
    lanes: Sequence[Lane],
    *,
    key: str,
    highlight: tuple[int, int] | None = None,
    height: int | None = None,
    label: str = "",
    note: str | None = None,
    on_pick: Callable[[int, int], None] | None = None,
) -> None:
    """Draw every line of `text` once per lane, each with that lane's tokens.

    highlight: byte offsets (start, end) of the current disagreement, marked and scrolled into view.
    note: name under which a relay publishes a `note_frame`, drawn below a line.
    on_pick: called before the rerun with the lane and the number of the clicked token.
    """
    view = Interlinear.of(text, lanes, around=highlight[0] if highlight else 0)

    def checked(value: Any) -> tuple[int, int] | None:
        if not (isinstance(value, list) and len(value) == 3 and value[0] == view.body.rev):
            return None
        lane, token = value[1], value[2]
        if not is_index(lane, 0, len(view.spans)):
            return None
        spans = view.spans[lane]
        return (lane, token) if is_index(token, spans.first, len(spans.ids)) else None

    def picked(value: Any) -> None:
        pick = checked(value)
        if on_pick is not None and pick is not None:
            on_pick(*pick)

    _INTERLINEAR(
        key=key,
        data=lines_frame(
            view, key, highlight=highlight, height=height, label=label, note=note, tells=on_pick is not None
        ),
        on_acts_change=acting(key, picked=picked),
    )
