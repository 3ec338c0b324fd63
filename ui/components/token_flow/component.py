"""Mounts the flow: Python's side of token_flow.js."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bpe_core.language import _
from ui.components.exchange import (
    EMPTY_BODY,
    Body,
    acting,
    frame,
    is_index,
    is_on_page,
    recall,
    relayed,
    remember,
)
from ui.components.tokens.captions import NO_CAPTIONS, Captions
from ui.components.tokens.registration import view_component
from ui.components.tokens.spans import Indices, TokenSpans

_TOKEN_FLOW = view_component(
    Path(__file__).parent, '<div class="flow" role="listbox" tabindex="0"></div><p class="more"></p>'
)

_MOST_IDS = 2**31


def token_view(
    spans: TokenSpans,
    *,
    key: str,
    height: int | None = None,
    fresh: Indices = (),
    marked: Indices = (),
    selected: int | None = None,
    label: str = "",
    captions: Captions = NO_CAPTIONS,
    on_select: Callable[[int | None], None] | None = None,
    on_boundary: Callable[[int], None] | None = None,
) -> int | None:
    """Draw tokens as coloured spans; the number of the one selected, or None.

    height: pixels, scrolling inside; None grows with the text.
    fresh: token numbers to outline in the accent colour (made by the newest merge).
    marked: token numbers whose end is a boundary that another tokenizer lacks (orange edge).
    selected: select this token from outside (a link, another view). Passing the same number again changes
    nothing, so the viewer's own click stays; None has no opinion: see `clear_selection`.
    on_boundary: called with the number of a token when the boundary before it was clicked.
    on_select: called with the new number (or None) before the page runs again. Without it a click stays in the browser.

    Numbers count from the start of the text, not of the window. A selection belongs to the spans it was made
    in: other spans under the same key start with none.
    """
    rev = spans.body.rev
    if not is_on_page(key):
        remember(_choice_key(key), None)
    number, asked = _command(key, rev, None if selected is None else int(selected), spans)

    def chosen(value: Any) -> None:
        remember(_choice_key(key), value)
        if on_select is not None:
            on_select(_selection(value, rev, number, asked, spans))

    def asked_at(value: Any) -> None:
        if on_boundary is None or not (isinstance(value, list) and len(value) == 2 and value[0] == rev):
            return
        if is_index(value[1], spans.first, len(spans.ids)) and value[1] > 0:
            on_boundary(value[1])

    data = spans.frame(
        key=key,
        label=label or _("Tokens"),
        captions=captions,
        height=height,
        fresh=fresh,
        marked=marked,
        tells=on_select is not None,
        tells_boundaries=on_boundary is not None,
        command=(number, None if asked is None else asked - spans.first),
    )
    _TOKEN_FLOW(key=key, data=data, on_acts_change=acting(key, selected=chosen, boundary=asked_at))
    return _selection(recall(_choice_key(key)), rev, number, asked, spans)


def relayed_tokens(key: str, on_pick: Callable[[int | None], None]) -> None:
    """Where a relay's tokens are drawn: `TokenSpans.frame` or `step_frame` under its key.

    on_pick: called with the id of the token that was clicked before the page runs again; None when it is let go.
    """

    def picked(value: Any) -> None:
        if value is None or is_index(value, 0, _MOST_IDS):
            on_pick(value)

    _TOKEN_FLOW(key=key, data=relayed(key), on_acts_change=acting(key, picked=picked))


def step_frame(
    step: int,
    symbols: Body,
    *,
    of: str,
    part: tuple[int, int] | None,
    key: str,
    label: str,
    captions: Captions = NO_CAPTIONS,
    height: int | None = None,
) -> bytes:
    """What the view `key` is handed of a text at a step of its training: the browser finds out the tokens itself.

    of: a name of the training; while the page's player is ahead in it, the view shows that step. symbols: the text, as
    `symbols_body` makes it. part: where it begins in the whole text and how long that is, in characters: it is brought
    with the step, and its place is said before the caption. None: it is the whole text, and is brought under
    `symbols_key`.
    """
    head = {
        **asdict(captions),
        "name": key,
        "label": label,
        "height": height,
        "step": step,
        "of": of,
        "symbols": symbols.rev,
        "part": part,
    }
    return frame(head, symbols if part else EMPTY_BODY)


def symbols_key(key: str) -> str:
    """The key under which a relay brings the symbols of the text that the view `key` draws."""
    return f"{key}: symbols"


def clear_selection(key: str) -> None:
    """Take back the selection of the view `key`, from the page's next run of it on."""
    command = recall(_command_key(key))
    if isinstance(command, dict):
        command.update(number=command["number"] + 1, index=None)


def _command_key(key: str) -> str:
    return f"{key}: selection asked for"


def _choice_key(key: str) -> str:
    return f"{key}: selected by the visitor"


def _command(key: str, rev: str, selected: int | None, spans: TokenSpans) -> tuple[int, int | None]:
    """What Python asks the browser to select: a number that rises with every new wish, and the token.

    The payload stays the same until there is a new wish; a click must not send all the spans again.
    """
    command = recall(_command_key(key))
    if command is None:
        command = {"number": 0, "index": None, "rev": rev, "wish": None}
        remember(_command_key(key), command)
    if command["rev"] != rev:
        command.update(rev=rev, index=None, wish=None)
    wish = selected if is_index(selected, spans.first, len(spans.ids)) else None
    if wish is not None and wish != command["wish"]:
        now = _selection(recall(_choice_key(key)), rev, command["number"], command["index"], spans)
        command["wish"] = wish
        if wish != now:
            command.update(number=command["number"] + 1, index=wish)
    return command["number"], command["index"]


def _selection(choice: Any, rev: str, number: int, asked: int | None, spans: TokenSpans) -> int | None:
    """The browser's choice [rev, number, index] if it is about these spans and newer than the last wish."""
    if not (isinstance(choice, list) and len(choice) == 3 and choice[0] == rev and choice[1] == number):
        return asked
    index = choice[2]
    return index if is_index(index, spans.first, len(spans.ids)) else None
