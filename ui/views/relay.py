"""Relay that publishes frames to other views.

Views mounted with `protocol.relayed` draw the frames that a relay publishes under their key. So a fragment with a relay
updates views all over the page without mounting, checking or sending them individually.

During typing, a page has two halves: a fragment with the text area and a relay, which publishes what a keystroke
visibly changes, and the rest, which `follow_up_view` reruns once typing pauses. A view in the rest then gets frames
from both, its own and the relay's: see `renewed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_hex
from typing import Literal

from bpe_core.payloads.frames import EMPTY_BODY, frame, relayed, together
from ui.views.component import View
from ui.views.protocol import acting, recall, remember

_RELAY = View("relay")
_FOLLOW_UP = View("follow_up")

_EARLY = "early: "
"""Prefix for the names of frames of the next step."""


def relay_view(
    frames: Mapping[str, bytes],
    *,
    key: str,
    at: tuple[str, int] | None = None,
    early: Mapping[str, bytes] | None = None,
) -> None:
    """Publish a frame for each view, by its key. The views draw in this order.

    at: training, by its name, and step of the frames. early: frames of the next step, held back until the page's player
    shows that step, then drawn immediately.
    """
    waiting = {_EARLY + name: data for name, data in (early or {}).items()}
    _RELAY(key=key, data=together({**frames, **waiting}, at=at))


Due = Literal["", "rested", "now"]
"""When to rerun the rest of the page: not at all, once typing pauses, or at once."""


def follow_up_view(key: str) -> None:
    """Rerun the page or fragment that contains this view when a `follow_up_frame` under this key requests it."""
    _FOLLOW_UP(key=key, data=relayed(key), on_acts_change=acting(key, follow=lambda value: None))


def follow_up_frame(key: str, due: Due) -> bytes:
    """Frame for `follow_up_view`.

    >>> b'"due":"now"' in follow_up_frame("rest", "now")
    True
    """
    return frame({"name": key, "due": due}, EMPTY_BODY)


def renewed(key: str, rev: str) -> dict[str, object]:
    """Fields for the head of a frame of the view `key`, which also draws what a relay publishes under its key.

    The newest frame is drawn, whichever way it arrived. rev: of its body; the same body keeps its place in the order.
    """
    series, number, last = recall(_order_key(key)) or (token_hex(4), 0, None)
    if rev != last:
        number += 1
        remember(_order_key(key), (series, number, rev))
    return {"renewed": key, "order": (series, number)}


def _order_key(key: str) -> str:
    return f"{key}: order of frames"
