"""Tables of Unigram by hand. Pure data, no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isclose, log10

from bpe_core import Segmentation
from bpe_core.language import message, term
from bpe_core.payloads.chips import Column, Table, Tone
from bpe_core.unigram.by_hand import UnigramByHand, WordLoss
from ui.runs.algorithm_run import piece_chip
from ui.views.lattice import Lattice

LEAST = 1e-9
"""Differences below this are rounding errors of sums of logarithms."""


def pieces_table(by_hand: UnigramByHand) -> Table:
    """Table of pieces: count, share, its logarithm, and the increase in loss without the piece."""
    increases = [by_hand.increase(piece) for piece in by_hand.counts]
    return Table(
        Column(message("Piece"), [piece_chip(at, each.piece) for at, each in enumerate(by_hand.shares, 1)], "chip"),
        Column(message("Count"), [each.count for each in by_hand.shares], "number"),
        Column(message("Probability"), [probability(each.share) for each in by_hand.shares], "number"),
        Column(message("Score: −log"), [each.score for each in by_hand.shares], "number", digits=2),
        Column(
            message("Loss without it"),
            [_grown(each) for each in increases],
            "number",
            tones=[_tone(each) for each in increases],
        ),
    )


def probability(share: float) -> str:
    """Format a probability with three significant digits.

    >>> probability(15 / 210), probability(0.00032393), probability(1.0)
    ('0.0714', '0.000324', '1')
    """
    if share <= 0 or share >= 1:
        return f"{share:g}"
    digits = 2 - int(log10(share) // 1)
    return f"{share:.{digits}f}" if digits <= 9 else f"{share:.2e}"


def _grown(increase: float) -> str:
    if increase == inf:
        return message("needed")
    return f"+{increase:,.2f}" if increase > LEAST else message("same")


def _tone(increase: float) -> Tone:
    return "" if increase > LEAST else "dim"


def ways_table(by_hand: UnigramByHand, found: Sequence[Segmentation]) -> Table:
    """Segmentations of a word, best first: factors, product, and sum of scores."""
    best = [isclose(each.score, found[0].score, abs_tol=LEAST) for each in found]
    says = message("best, tied") if sum(best) > 1 else message("best")
    return Table(
        Column(message("Pieces"), ["|".join(each.pieces) for each in found]),
        Column(message("Product"), [_product(by_hand, each) for each in found]),
        Column(message("Probability"), [probability(by_hand.probability(each)) for each in found], "number"),
        Column(message("Sum of −log"), [each.score for each in found], "number", digits=2),
        Column("", [says if one else "" for one in best]),
    )


def viterbi_table(lattice: Lattice) -> Table:
    """Best score at each position of a word, with the piece that ends there and the position it comes from."""
    ends = range(1, lattice.length + 1)
    best = {edge.end: edge for edge in lattice.edges if edge.best}
    return Table(
        Column(message("Position"), list(ends), "number"),
        Column(message("Best sum"), [None if e not in best else best[e].total for e in ends], "number", digits=2),
        Column(message("Last piece"), [best[e].piece if e in best else message("none") for e in ends]),
        Column(message("From position"), [None if e not in best else best[e].start for e in ends], "number"),
    )


def _product(by_hand: UnigramByHand, found: Segmentation) -> str:
    """The factors as fractions, abbreviated if long.

    >>> _product(UnigramByHand({"a": 3, "b": 1}, {}), Segmentation(("a", "b"), 0.0))
    '3/4 × 1/4'
    """
    shown = " × ".join(f"{by_hand.counts[piece]:,}/{by_hand.total:,}" for piece in found.pieces[:4])
    return shown + (" × …" if len(found.pieces) > 4 else "")


def losses_table(before: tuple[WordLoss, ...], after: tuple[WordLoss, ...] | None) -> Table:
    columns = [
        Column(term("typed", "Word"), [each.word for each in before]),
        Column(message("Count"), [each.count for each in before], "number"),
        Column(message("Best way"), [_way(each) for each in before]),
    ]
    if after is None:
        scores = [number(each.best.score if each.best else inf) for each in before]
        columns += [
            Column(message("−log P"), scores, "number"),
            Column(message("× count"), [number(each.loss) for each in before], "number"),
        ]
        return Table(*tuple(columns))
    grown = [_grown_loss(one, other) for one, other in zip(before, after, strict=True)]
    tones: list[Tone] = ["dim" if each <= LEAST else "" for each in grown]
    columns += [
        Column(message("Loss"), [number(each.loss) for each in before], "number"),
        Column(message("Without it"), [_way(each) for each in after], tones=tones),
        Column(message("New loss"), [number(each.loss) for each in after], "number", tones=tones),
        Column(message("Grows by"), [_grown(each) if each != inf else "∞" for each in grown], "number", tones=tones),
    ]
    return Table(*tuple(columns))


def _grown_loss(before: WordLoss, after: WordLoss) -> float:
    return 0.0 if after is before else after.loss - before.loss


def _way(word: WordLoss) -> str:
    return message("none") if word.best is None else "|".join(word.best.pieces)


def number(value: float, digits: int = 2) -> str:
    """Format a loss or score; ∞ for a word that cannot be spelled."""
    return "∞" if value == inf else f"{value:z,.{digits}f}"
