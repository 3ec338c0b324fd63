"""Reason why two tokenizers differ, with the tokens of both."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_core.payloads.chips import Chip
from bpe_core.payloads.reasons import RegionTokens, reason_frame
from ui.views.component import View

_REASON_VIEW = View("reason")


def reason_view(
    title: str, gloss: str, sides: Sequence[RegionTokens], sentence: Sequence[str | Chip | bytes], *, key: str
) -> None:
    """Draw a cause with its one-line meaning, each side's tokens with the boundaries of its split, and the evidence.

    In the sentence, a Chip is a token and bytes are a part of the text.
    """
    _REASON_VIEW(key=key, data=reason_frame(title, gloss, sides, sentence))
