"""The link of the page for a class: who can open it, and its QR code."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from bpe_core.language import _
from ui.serving.framing import FRAME_ANCESTORS, SETTING
from ui.serving.network import START_FOR_OTHERS, reach
from ui.session.navigation import SHOWN_LINK
from ui.views.buttons import copy_link_buttons
from ui.widgets.messages import note

LONGEST_CODE = 1_200
"""Maximum bytes of a link as a QR code: phones do not read denser codes from a screen."""


def show_copy_link() -> None:
    """Draw the buttons."""
    openers, site = reach(st.context.url or "")
    shown = SHOWN_LINK.get()
    copy_link_buttons(
        {
            "openers": openers,
            "site": site,
            "command": START_FOR_OTHERS,
            "framing": "" if FRAME_ANCESTORS else SETTING,
        },
        {"of": shown, "rows": code_of(shown)} if shown else None,
        _show,
    )


def base_for_others() -> str:
    """The app's base URL for others; if they cannot open it, the one that this visitor opened."""
    url = st.context.url or ""
    parts = urlsplit(url)
    site = reach(url).site or f"{parts.scheme}://{parts.netloc}"
    return f"{site}{parts.path.rpartition('/')[0]}" if parts.netloc else ""


def warn_of_reach() -> None:
    """Show a warning if others cannot open links to this server."""
    openers = reach(st.context.url or "").openers
    if openers == "here":
        note(_("Only this machine can open it. Start the app for others too: {command}", command=START_FOR_OTHERS))
    elif openers == "no network":
        note(_("Only this machine can open it: it is not on a network."))


def code_of(link: str) -> list[str]:
    """Rows of a QR code, dark modules as 1; none for a link that is too long for a phone to read.

    >>> len(code_of("http://192.168.1.5:8501")), code_of("http://" + 2_000 * "a")
    (25, [])
    """
    import segno  # only if the code is requested

    if len(link.encode()) > LONGEST_CODE:
        return []
    return ["".join(map(str, row)) for row in segno.make_qr(link, error="l").matrix]


def _show(value: Any) -> None:
    if isinstance(value, str) and (not value or (len(value) <= 10 * LONGEST_CODE and value.startswith("http"))):
        SHOWN_LINK.set(value)
