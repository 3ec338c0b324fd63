"""Explanation of a boundary between two tokens: one sentence with its evidence, below the text."""

from __future__ import annotations

from bpe_core import Encoding
from bpe_core.comparison.reason_views import piece_chip, reason_parts
from bpe_core.comparison.token_boundary import BoundaryKind, why_boundary
from bpe_core.language import _, message, translate
from bpe_core.payloads.reasons import RegionTokens
from bpe_core.tokenizer.chips import chip
from ui.encode.chosen import ChosenTokenizer
from ui.views.reason import reason_view

_TITLES: dict[BoundaryKind, str] = {
    "split": message("An edge of the split"),
    "model": message("A boundary inside a word"),
    "special token": message("A special token"),
    "unknown": message("An unknown piece of text"),
}


def show_boundary(chosen: ChosenTokenizer, encoding: Encoding, number: int) -> None:
    """Draw the boundary before a token and its reason."""
    reason = why_boundary(chosen.tokenizer, encoding, number)
    sentence = reason_parts(reason.sentence, lambda piece: piece_chip(chosen.tokenizer, piece, encoding.utf8))
    both = [chip(chosen.tokenizer, int(encoding.ids[at]), encoding.utf8) for at in (number - 1, number)]
    split = frozenset({1}) if reason.kind == "split" else frozenset[int]()
    reason_view(
        translate(_TITLES[reason.kind]),
        _("between the tokens {left:,} and {right:,}", left=number, right=number + 1),
        [RegionTokens(chosen.title, both, split)],
        sentence,
        key="boundary",
    )
