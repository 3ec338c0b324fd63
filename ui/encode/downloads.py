"""Downloads of the Encode page's tokens."""

from __future__ import annotations

from bpe_core import Encoding, Tokenizer
from bpe_core.language import _
from bpe_core.tokenizer.tokenizer import Special
from ui.encode import cache
from ui.widgets.downloads import download_popover


def show_downloads(encoding: Encoding, tokenizer: Tokenizer, special: Special) -> None:
    """Draw the popover with the downloads. They hold only what an evicted encoding is made from."""
    text = encoding.normalized.original
    download_popover(
        lambda: cache.encoding(tokenizer, text, special).table(),
        "tokens",
        key="tokens",
        about=_("One row per token: id, bytes, text, offsets, word."),
        disabled=not len(encoding),
    )
