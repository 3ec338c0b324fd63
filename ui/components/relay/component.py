"""Mounts a relay: Python's side of relay.js.

Views that are mounted with `exchange.relayed` draw what a relay brings under their key. So a fragment with a relay
in it changes views all over the page, and they are neither mounted again nor checked nor sent one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ui.components.defined import Component
from ui.components.exchange import together

_HERE = Path(__file__).parent
_RELAY = Component("bpe_lab_relay", _HERE / "relay.js")


_EARLY = "early: "
"""In front of the name of a frame that waits for the next step."""


def relay(
    frames: Mapping[str, bytes],
    *,
    key: str,
    at: tuple[str, int] | None = None,
    early: Mapping[str, bytes] | None = None,
) -> None:
    """Bring each view, by its key, a frame to draw. They draw in this order.

    at: the training, by its name, and the step that the frames are of. early: those of the step after it, which wait
    until the page's player shows that step; then they are there at once.
    """
    waiting = {_EARLY + name: data for name, data in (early or {}).items()}
    _RELAY(key=key, data=together({**frames, **waiting}, at=at))
