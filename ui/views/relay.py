"""Relay that publishes frames to other views.

Views mounted with `protocol.relayed` draw the frames that a relay publishes under their key. So a fragment with a relay
updates views all over the page without mounting, checking or sending them individually.

While a text is typed, a page is in two halves: a fragment with the text area and a relay, which publishes what a key
changes in sight, and the rest, which `follow_up_view` runs once no key comes. A view of the rest then has frames of
both, its own and the relay's: `renewed`.
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
"""Whether the rest of the page is to be run: not at all, once the keys rest, or at once."""


def follow_up_view(key: str) -> None:
    """Rerun what this is drawn in, the page or a fragment, when a `follow_up_frame` under this key says so."""
    _FOLLOW_UP(key=key, data=relayed(key), on_acts_change=acting(key, follow=lambda value: None))


def follow_up_frame(key: str, due: Due) -> bytes:
    """Frame for `follow_up_view`.

    >>> b'"due":"now"' in follow_up_frame("rest", "now")
    True
    """
    return frame({"name": key, "due": due}, EMPTY_BODY)


def renewed(key: str, rev: str) -> dict[str, object]:
    """Fields for the head of a frame of the view `key`, which also draws what a relay publishes under its key.

    The newest frame counts, whichever way it came. rev: of its body; the same body has the same place in the order.
    """
    series, number, last = recall(_order_key(key)) or (token_hex(4), 0, None)
    if rev != last:
        number += 1
        remember(_order_key(key), (series, number, rev))
    return {"renewed": key, "order": (series, number)}


def _order_key(key: str) -> str:
    return f"{key}: order of frames"
