"""Tables of a step, encoded for the browser: PickyBPE's removed tokens, WordPiece's pairs, and Unigram's pieces."""

from __future__ import annotations

from typing import NamedTuple

from bpe_core import Removal
from bpe_core.language import message
from bpe_core.payloads.chips import Column, EncodedTable, Table
from ui.runs.picky import Picky
from ui.runs.unigram import Unigram
from ui.runs.wordpiece import WordPiece

MOST_ROWS = 1_000
"""Maximum number of rows; each costs time at every step."""


class StepTable(NamedTuple):
    """The first rows of a table in the current language, the number of all rows, and the current one."""

    table: EncodedTable
    rows: int
    current: int | None


def table_of_step(run: Picky | WordPiece | Unigram, step: int) -> StepTable:
    """Every removed token of PickyBPE, pair of WordPiece, or piece of Unigram, after `step` steps."""
    if isinstance(run, Picky):
        return _removals(run, step)
    return _pairs(run, step) if isinstance(run, WordPiece) else _pieces(run, step)


def _removals(run: Picky, step: int) -> StepTable:
    removals = [
        (number, event) for number, event in enumerate(run.training.events[:step], 1) if isinstance(event, Removal)
    ]
    shown = removals[::-1][:MOST_ROWS]
    table = Table(
        Column(message("Token"), [run.chip(event.token_id) for _, event in shown], "chip"),
        Column(message("Removed at"), [number for number, _ in shown], "number"),
        Column(message("Used up by"), [run.chip(event.made) for _, event in shown], "chip"),
        Column(message("Merged"), [event.used for _, event in shown], "number"),
        Column(message("Before"), [event.count for _, event in shown], "number"),
        Column(message("Share, %"), [100 * event.score for _, event in shown], "number", digits=1),
    )
    return StepTable(table.encoded(), len(removals), None)


def _pairs(run: WordPiece, step: int) -> StepTable:
    pairs = run.training.at(step).pairs()
    shown = pairs[:MOST_ROWS]
    table = Table(
        Column(message("Pair"), [(run.chip(pair.left), run.chip(pair.right)) for pair in shown], "chip"),
        Column(message("Count"), [pair.count for pair in shown], "number"),
        Column(message("Left"), [pair.left_count for pair in shown], "number"),
        Column(message("Right"), [pair.right_count for pair in shown], "number"),
        Column(message("Score"), [pair.score for pair in shown], "number", digits=6),
    )
    best = next((at for at, pair in enumerate(shown) if pair.chosen), None)
    return StepTable(table.encoded(), len(pairs), best)


def _pieces(run: Unigram, step: int) -> StepTable:
    counts, scores = run.training.seed, run.model(step).scores
    pieces = sorted(scores, key=lambda piece: len(piece) == 1)  # stable: longer ones stay in the order of their counts
    shown = pieces[:MOST_ROWS]
    table = Table(
        Column(message("Piece"), [run.chip(piece) for piece in shown], "chip"),
        Column(message("Count"), [counts[piece] for piece in shown], "number"),
        Column(message("Score"), [scores[piece] for piece in shown], "number", digits=2),
    )
    return StepTable(table.encoded(), len(pieces), None)
