"""Text in coloured, selectable tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from bpe_core.language import _
from bpe_core.payloads.captions import NO_CAPTIONS, Captions
from bpe_core.payloads.frames import relayed
from bpe_core.payloads.spans import TokenSpans
from ui.views.component import View
from ui.views.protocol import acting, is_index, is_on_page, recall, remember
from ui.views.relay import renewed

_TOKEN_FLOW = View("token_flow")

_MOST_IDS = 2**31


class _Drawn(NamedTuple):
    """Tokens of a view, for checking answers from the browser; `number`, `requested`: see `_command`."""

    rev: str
    first: int
    size: int
    number: int = 0
    requested: int | None = None

    def has(self, index: Any) -> bool:
        return is_index(index, self.first, self.size)


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
    is_renewed: bool = False,
) -> int | None:
    """Draw tokens as coloured spans; return the number of the selected one, or None.

    height: pixels, scrolling inside; None grows with the text.
    selected: select this token from outside (a link, another view). Passing the same number again changes
    nothing, so the user's own selection stays. None leaves the selection.
    on_boundary: called with the number of a token when the boundary before it was clicked.
    on_select: called with the new number (or None) before the rerun. Without it, selections stay in the
    browser.
    is_renewed: whether the view also draws each `token_frame` that a relay publishes under its key.

    Numbers count from the start of the text, not of the window. A selection belongs to its spans: other spans under
    the same key start without one.
    """
    if not is_on_page(key):
        remember(_choice_key(key), None)

    def chosen(value: Any) -> None:
        remember(_choice_key(key), value)
        if on_select is not None:
            on_select(_selection(value, _drawn(key)))

    def asked_at(value: Any) -> None:
        drawn = _drawn(key)
        if on_boundary is None or not (isinstance(value, list) and len(value) == 2 and value[0] == drawn.rev):
            return
        if drawn.has(value[1]) and value[1] > 0:
            on_boundary(value[1])

    data = token_frame(
        spans,
        key=key,
        height=height,
        selected=selected,
        label=label,
        captions=captions,
        tells=on_select is not None,
        tells_boundaries=on_boundary is not None,
        is_renewed=is_renewed,
    )
    _TOKEN_FLOW(key=key, data=data, on_acts_change=acting(key, selected=chosen, boundary=asked_at))
    return _selection(recall(_choice_key(key)), _drawn(key))


def token_frame(
    spans: TokenSpans,
    *,
    key: str,
    height: int | None = None,
    selected: int | None = None,
    label: str = "",
    captions: Captions = NO_CAPTIONS,
    tells: bool = True,
    tells_boundaries: bool = True,
    is_renewed: bool = True,
) -> bytes:
    """Frame for the `token_view` of this key, whose parameters these are; its answers then refer to these tokens."""
    drawn = _Drawn(spans.body.rev, spans.first, len(spans.ids))
    number, requested = _command(key, drawn, None if selected is None else int(selected))
    remember(_drawn_key(key), drawn._replace(number=number, requested=requested))
    return spans.frame(
        key=key,
        label=label or _("Tokens"),
        captions=captions,
        height=height,
        tells=tells,
        tells_boundaries=tells_boundaries,
        command=(number, None if requested is None else requested - spans.first),
        more=renewed(key, drawn.rev) if is_renewed else None,
    )


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


def _drawn_key(key: str) -> str:
    return f"{key}: tokens drawn"


def _drawn(key: str) -> _Drawn:
    """Tokens that the view draws now: a keystroke may have renewed them since the run that drew the view."""
    drawn = recall(_drawn_key(key))
    return drawn if isinstance(drawn, _Drawn) else _Drawn("", 0, 0)


def _command(key: str, drawn: _Drawn, selected: int | None) -> tuple[int, int | None]:
    """Selection requested from the browser: a number that increases with every new request, and the token.

    The payload stays the same until a new request; a click must not send all spans again.
    """
    command = recall(_command_key(key))
    if command is None:
        command = {"number": 0, "index": None, "rev": drawn.rev, "wish": None}
        remember(_command_key(key), command)
    if command["rev"] != drawn.rev:
        command.update(rev=drawn.rev, index=None, wish=None)
    wish = selected if drawn.has(selected) else None
    if wish is not None and wish != command["wish"]:
        before = drawn._replace(number=command["number"], requested=command["index"])
        now = _selection(recall(_choice_key(key)), before)
        command["wish"] = wish
        if wish != now:
            command.update(number=command["number"] + 1, index=wish)
    return command["number"], command["index"]


def _selection(choice: Any, drawn: _Drawn) -> int | None:
    """Index of the browser's [rev, number, index] if it refers to these tokens and is newer than the last request."""
    if not (isinstance(choice, list) and len(choice) == 3 and choice[0] == drawn.rev and choice[1] == drawn.number):
        return drawn.requested
    index = choice[2]
    return index if drawn.has(index) else None
