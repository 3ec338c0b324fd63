"""Downloads of the Encode page's tokens."""

from __future__ import annotations

from bpe_core import Encoding
from bpe_core.language import _
from ui.widgets.downloads import download_popover


def show_downloads(encoding: Encoding) -> None:
    """Draw the popover with the downloads."""
    download_popover(
        encoding.table,
        "tokens",
        key="tokens",
        about=_("One row per token: id, bytes, text, offsets, word."),
        disabled=not len(encoding),
    )
