"""Text in coloured, selectable tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpe_core.language import _
from bpe_core.payloads.captions import NO_CAPTIONS, Captions
from bpe_core.payloads.frames import relayed
from bpe_core.payloads.spans import TokenSpans
from ui.views.component import View
from ui.views.protocol import acting, is_index, is_on_page, recall, remember

_TOKEN_FLOW = View("token_flow")

_MOST_IDS = 2**31


def token_view(
    spans: TokenSpans,
    *,
    key: str,
    height: int | None = None,
    selected: int | None = None,
    label: str = "",
    captions: Captions = NO_CAPTIONS,
    on_select: Callable[[int | None], None] | None = None,
    on_boundary: Callable[[int], None] | None = None,
) -> int | None:
    """Draw tokens as coloured spans; return the number of the selected one, or None.

    height: pixels, scrolling inside; None grows with the text.
    selected: select this token from outside (a link, another view). Passing the same number again changes
    nothing, so the user's own selection stays. None leaves the selection.
    on_boundary: called with the number of a token when the boundary before it was clicked.
    on_select: called with the new number (or None) before the rerun. Without it, selections stay in the
    browser.

    Numbers count from the start of the text, not of the window. A selection belongs to its spans: other spans under
    the same key start without one.
    """
    rev = spans.body.rev
    if not is_on_page(key):
        remember(_choice_key(key), None)
    number, requested = _command(key, rev, None if selected is None else int(selected), spans)

    def chosen(value: Any) -> None:
        remember(_choice_key(key), value)
        if on_select is not None:
            on_select(_selection(value, rev, number, requested, spans))

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
        tells=on_select is not None,
        tells_boundaries=on_boundary is not None,
        command=(number, None if requested is None else requested - spans.first),
    )
    _TOKEN_FLOW(key=key, data=data, on_acts_change=acting(key, selected=chosen, boundary=asked_at))
    return _selection(recall(_choice_key(key)), rev, number, requested, spans)


def relayed_tokens(key: str, on_pick: Callable[[int | None], None]) -> None:
    """Draw tokens whose frames a relay publishes: `TokenSpans.frame` or `step_frame` under its key.

    on_pick: called before the rerun with the id of the clicked token; None when it is deselected.
    """

    def picked(value: Any) -> None:
        if value is None or is_index(value, 0, _MOST_IDS):
            on_pick(value)

    _TOKEN_FLOW(key=key, data=relayed(key), on_acts_change=acting(key, picked=picked))


def _command_key(key: str) -> str:
    return f"{key}: selection asked for"


def _choice_key(key: str) -> str:
    return f"{key}: selected by the visitor"


def _command(key: str, rev: str, selected: int | None, spans: TokenSpans) -> tuple[int, int | None]:
    """Selection requested from the browser: a number that increases with every new request, and the token.

    The payload stays the same until a new request; a click must not send all spans again.
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


def _selection(choice: Any, rev: str, number: int, requested: int | None, spans: TokenSpans) -> int | None:
    """Index of the browser's [rev, number, index] if it refers to these spans and is newer than the last request."""
    if not (isinstance(choice, list) and len(choice) == 3 and choice[0] == rev and choice[1] == number):
        return requested
    index = choice[2]
    return index if is_index(index, spans.first, len(spans.ids)) else None
