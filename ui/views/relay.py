"""Relay that publishes frames to other views.

Views mounted with `protocol.relayed` draw the frames that a relay publishes under their key. So a fragment with a relay
updates views all over the page without mounting, checking or sending them individually.
"""

from __future__ import annotations

from collections.abc import Mapping

from bpe_core.payloads.frames import together
from ui.views.component import View

_RELAY = View("relay")


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
