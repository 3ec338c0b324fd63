"""Mounts the views: Python's side of token_view.js, interlinear.js and token_table.js."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st

from .chips import Table
from .interlinear import Interlinear
from .register import register
from .spans import Lane, TokenSpans
from .wire import encode_body, frame

_HERE = Path(__file__).parent
_LIMIT = 20_000


@dataclass(frozen=True)
class Words:
    """What stands around a view: a title, a quiet line beside it, a line below. Shown as text."""

    title: str = ""
    rest: str = ""
    caption: str = ""


NO_WORDS = Words()

Indices = Iterable[int] | npt.NDArray[Any]


def _nothing() -> None:
    """A callback is what makes Streamlit report a value; most views need no more than that."""


_TOKEN_VIEW = register(_HERE, "token_view", '<div class="flow" role="listbox" tabindex="0"></div><p class="more"></p>')
_INTERLINEAR = register(
    _HERE,
    "interlinear",
    '<p class="legend"></p><p class="more before"></p><div class="lanes" role="listbox" tabindex="0"></div>'
    '<div class="foot" hidden><button type="button"></button><button type="button"></button></div>'
    '<p class="more after"></p>',
)
_TOKEN_TABLE = register(_HERE, "token_table", '<div class="table"></div>')


# ---- A: the flow ----------------------------------------------------------------------------------------


def token_view(
    spans: TokenSpans,
    *,
    key: str,
    height: int | None = None,
    fresh: Indices = (),
    marked: Indices = (),
    selected: int | None = None,
    label: str = "Tokens",
    words: Words = NO_WORDS,
    on_select: Callable[[int | None], None] | None = None,
) -> int | None:
    """Draw tokens as coloured spans; the number of the one selected, or None.

    height: pixels, scrolling inside; None grows with the text.
    fresh: token numbers to outline in the accent colour (made by the newest merge).
    marked: token numbers whose end is a boundary that another tokenizer lacks (orange edge).
    selected: select this token from outside (a link, another view). Passing the same number again changes
    nothing, so the viewer's own click stays; None has no opinion: see `clear_selection`.
    on_select: called with the new number (or None) before the page runs again.

    Numbers count from the start of the text, not of the window. A selection belongs to the spans it was made
    in: other spans under the same key start with none.
    """
    rev = spans.body.rev
    number, asked = _command(key, rev, None if selected is None else int(selected), spans)

    def changed() -> None:
        if on_select is not None:
            on_select(_selection(st.session_state.get(key), rev, number, asked, spans))

    head = {
        **asdict(words),
        "label": label,
        "height": height,
        "fresh": _positions(fresh, spans),
        "marked": _positions(marked, spans),
        "command": [number, None if asked is None else asked - spans.first],
    }
    result = _TOKEN_VIEW(key=key, data=frame(head, spans.body), on_selected_change=changed)
    return _selection(result, rev, number, asked, spans)


def clear_selection(key: str) -> None:
    """Take back the selection of the view `key`, from the page's next run of it on."""
    command = st.session_state.get(_command_key(key))
    if isinstance(command, dict):
        command.update(number=command["number"] + 1, index=None)


def _command_key(key: str) -> str:
    return f"{key}: selection asked for"


def _command(key: str, rev: str, selected: int | None, spans: TokenSpans) -> tuple[int, int | None]:
    """What Python asks the browser to select: a number that rises with every new wish, and the token.

    The payload stays the same until there is a new wish; a click must not send all the spans again.
    """
    command = st.session_state.setdefault(_command_key(key), {"number": 0, "index": None, "rev": rev, "wish": None})
    if command["rev"] != rev:
        command.update(rev=rev, index=None, wish=None)
    wish = selected if _is_index(selected, spans.first, len(spans.ids)) else None
    if wish is not None and wish != command["wish"]:
        now = _selection(st.session_state.get(key), rev, command["number"], command["index"], spans)
        command["wish"] = wish
        if wish != now:
            command.update(number=command["number"] + 1, index=wish)
    return command["number"], command["index"]


def _selection(state: Any, rev: str, number: int, asked: int | None, spans: TokenSpans) -> int | None:
    """The browser's answer [rev, number, index] if it is about these spans and newer than the last wish."""
    answer = state.get("selected") if hasattr(state, "get") else None
    if not (isinstance(answer, list) and len(answer) == 3 and answer[0] == rev and answer[1] == number):
        return asked
    index = answer[2]
    return index if _is_index(index, spans.first, len(spans.ids)) else None


def _is_index(value: object, first: int, count: int) -> bool:
    """An int (bool is none) in first … first + count - 1. Values from the browser can be forged."""
    return isinstance(value, int) and not isinstance(value, bool) and first <= value < first + count


def _positions(numbers: Indices, spans: TokenSpans) -> list[int]:
    """Token numbers as positions in the window, those outside dropped."""
    array = np.asarray(numbers if isinstance(numbers, np.ndarray) else list(numbers), dtype=np.int64)
    inside = (array >= spans.first) & (array < spans.first + len(spans.ids))
    positions: list[int] = (array[inside] - spans.first).tolist()
    return positions


# ---- B: interlinear -------------------------------------------------------------------------------------


def interlinear(
    text: str,
    lanes: Sequence[Lane],
    *,
    key: str,
    highlight: tuple[int, int] | None = None,
    height: int | None = None,
    limit: int = _LIMIT,
    label: str = "The same lines, cut by each tokenizer",
    on_pick: Callable[[int, int], None] | None = None,
) -> tuple[int, int] | None:
    """Draw every line of `text` once per lane, each with that lane's cut; (lane, token number) right after a click.

    highlight: byte offsets (start, end) of the current disagreement, marked and scrolled into view.
    limit: about how many bytes of text are drawn, in whole lines around the highlight; the rest is only counted.
    on_pick: called with lane and token number before the page runs again.
    The result is an event: None again in the run after.
    """
    view = Interlinear.of(text, lanes, around=highlight[0] if highlight else 0, limit=limit)

    def picked(value: Any) -> tuple[int, int] | None:
        if not (isinstance(value, list) and len(value) == 3 and value[0] == view.body.rev):
            return None
        lane, token = value[1], value[2]
        if not _is_index(lane, 0, len(view.spans)):
            return None
        spans = view.spans[lane]
        return (lane, token) if _is_index(token, spans.first, len(spans.ids)) else None

    def changed() -> None:
        pick = picked(_event(key, "picked"))
        if on_pick is not None and pick is not None:
            on_pick(*pick)

    head = {"label": label, "height": height, "highlight": [int(byte) for byte in highlight] if highlight else None}
    result = _INTERLINEAR(key=key, data=frame(head, view.body), on_picked_change=changed)
    return picked(result.get("picked"))


def _event(key: str, name: str) -> Any:
    """A value that lasts one run, as a callback sees it."""
    state: Any = st.session_state.get(key)
    return state.get(name) if hasattr(state, "get") else None


# ---- C: a table -----------------------------------------------------------------------------------------


def token_table(
    table: Table,
    *,
    key: str,
    current: int | None = None,
    height: int | None = 360,
    label: str = "Table",
    words: Words = NO_WORDS,
    header: bool = True,
    pickable: bool = True,
    moving: bool = False,
    on_pick: Callable[[int], None] | None = None,
) -> int | None:
    """Draw a table; the row that was picked, right after the click (an event: None again in the run after).

    current: the row to highlight and scroll to.
    moving: the current row travels by itself, so that changing it does not send thousands of rows again.
    height: at most this many pixels, scrolling inside; None shows every row (keep it to a few hundred).
    pickable: False for a table that is only read: its rows do not answer to a click.
    on_pick: called with the row before the page runs again.
    """
    rev = table.body.rev

    def picked(value: Any) -> int | None:
        if not (isinstance(value, list) and len(value) == 2 and value[0] == rev):
            return None
        row = value[1]
        return row if _is_index(row, 0, table.rows) else None

    def changed() -> None:
        row = picked(_event(key, "picked"))
        if on_pick is not None and row is not None:
            on_pick(row)

    row = None if current is None else int(current)
    head = {
        **asdict(words),
        "kind": "table",
        "name": key,
        "label": label,
        "height": height,
        "header": header,
        "pickable": pickable,
        "moving": moving,
        "current": None if moving else row,
    }
    if not moving:
        return picked(_TOKEN_TABLE(key=key, data=frame(head, table.body), on_picked_change=changed).get("picked"))
    with st.container(gap=None):
        result = _TOKEN_TABLE(key=key, data=frame(head, table.body), on_picked_change=changed)
        cursor = {"kind": "cursor", "name": key, "current": row}
        _TOKEN_TABLE(key=f"{key}: current row", data=frame(cursor, encode_body({})))
    return picked(result.get("picked"))
