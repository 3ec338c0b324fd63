"""Buttons for the URL of the page in its current state: copy it, show it large with its QR code, or embed a card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ui.views.component import View
from ui.views.protocol import acting

_KEY = "copy link"
_COPY = View("copy_link")


def copy_link_buttons(reach: dict[str, str], qr: dict[str, Any] | None, on_show: Callable[[Any], None]) -> None:
    """Draw the buttons, in a fragment that keeps the URL: a click reruns it, then copies or shows the URL.

    reach: who can open the URL, and the setting without which no page may frame it. qr: code of the URL that is shown,
    if any. on_show: called with the URL to show, "" when it is not shown any more; the value is not checked.
    """
    _COPY(
        key=_KEY,
        data={"name": _KEY, **reach, "qr": qr},
        width="content",
        on_acts_change=acting(_KEY, show=on_show),
    )
