"""Lines of a text in the tokens of several tokenizers, one below the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bpe_core.payloads.lines import Interlinear, lines_frame
from bpe_core.payloads.spans import Lane
from ui.views.component import View
from ui.views.protocol import acting, is_index, recall, remember
from ui.views.relay import renewed

_INTERLINEAR = View("interlinear")


class _Drawn(NamedTuple):
    """Token ranges of a view, for checking answers from the browser: the first token of each lane, and their number."""

    rev: str
    lanes: tuple[tuple[int, int], ...]


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
    is_renewed: bool = False,
) -> None:
    """Draw every line of `text` once per lane, each with that lane's tokens.

    highlight: byte offsets (start, end) of the current disagreement, marked and scrolled into view.
    note: name under which a relay publishes a `note_frame`, drawn below a line.
    on_pick: called before the rerun with the lane and the number of the clicked token.
    is_renewed: whether the view also draws each `interlinear_frame` that a relay publishes under its key.
    """

    def picked(value: Any) -> None:
        pick = _checked(value, recall(_drawn_key(key)))
        if on_pick is not None and pick is not None:
            on_pick(*pick)

    _INTERLINEAR(
        key=key,
        data=interlinear_frame(
            text,
            lanes,
            key=key,
            highlight=highlight,
            height=height,
            label=label,
            note=note,
            tells=on_pick is not None,
            is_renewed=is_renewed,
        ),
        on_acts_change=acting(key, picked=picked),
    )


def interlinear_frame(
    text: str,
    lanes: Sequence[Lane],
    *,
    key: str,
    highlight: tuple[int, int] | None = None,
    height: int | None = None,
    label: str = "",
    note: str | None = None,
    tells: bool = True,
    is_renewed: bool = True,
) -> bytes:
    """Frame for the `interlinear_view` of this key, with its parameters; its answers then refer to these lines."""
    view = Interlinear.of(text, lanes, around=highlight[0] if highlight else 0)
    rev = view.body.rev
    remember(_drawn_key(key), _Drawn(rev, tuple((spans.first, len(spans.ids)) for spans in view.spans)))
    more = renewed(key, rev) if is_renewed else None
    return lines_frame(view, key, highlight=highlight, height=height, label=label, note=note, tells=tells, more=more)


def _drawn_key(key: str) -> str:
    return f"{key}: lines drawn"


def _checked(value: Any, drawn: Any) -> tuple[int, int] | None:
    """Lane and token of the browser's [rev, lane, token], if it refers to the drawn lines."""
    if not (isinstance(drawn, _Drawn) and isinstance(value, list) and len(value) == 3 and value[0] == drawn.rev):
        return None
    lane, token = value[1], value[2]
    if not is_index(lane, 0, len(drawn.lanes)) or not is_index(token, *drawn.lanes[lane]):
        return None
    return lane, token
