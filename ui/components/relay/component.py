"""Mounts a relay: Python's side of relay.js.

Views that are mounted with `exchange.relayed` draw what a relay brings under their key. So a fragment with a relay
in it changes views all over the page, and they are neither mounted again nor checked nor sent one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from ui.components.exchange import together
from ui.components.scripts import joined_script

_HERE = Path(__file__).parent
_RELAY = st.components.v2.component("bpe_lab_relay", html="<i hidden></i>", js=joined_script(_HERE / "relay.js"))


def relay(
    frames: Mapping[str, bytes], *, key: str, at: tuple[str, int] | None = None, early: tuple[str, int] | None = None
) -> None:
    """Bring each view, by its key, a frame to draw. They draw in this order.

    at: the training, by its name, and the step that the frames are of. early: the same of frames that wait until the
    page's player shows that step: they are there at once, and the ones of other steps come too late.
    """
    _RELAY(key=key, data=together(frames, at=at, early=early))
