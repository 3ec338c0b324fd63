"""What the page shows of all trainings at a step: their cards, their notes, and one word in their pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bpe_core.language import _, counted, translate
from ui.runs.algorithm_run import AlgorithmRun, FailedRun
from ui.runs.sentencepiece import SentencePiece
from ui.session.algorithms import TITLES
from ui.views.algorithm_cards import Card
from ui.views.word_segmentations import SegmentationRow


def cards_at(found: Mapping[str, AlgorithmRun | FailedRun], step: int) -> list[Card | tuple[str, Sequence[str]]]:
    """Each training's card at a step, or the last of those with fewer; the error of a failed one, in lines."""
    return [
        (TITLES[name], [translate(part) for part in (run.error.problem, run.error.limit, run.error.remedy) if part])
        if isinstance(run, FailedRun)
        else run.card(min(step, run.steps))
        for name, run in found.items()
    ]


def notes_of(runs: Mapping[str, AlgorithmRun]) -> list[str]:
    """Notes about differences from the request."""
    return [translate(run.note) for run in runs.values() if run.note]


def segmentation_row(name: str, run: AlgorithmRun, word: str, step: int) -> SegmentationRow:
    """A word in the pieces of one algorithm at a step, with the rule that makes them."""
    chips = run.segment(word, step).chips
    return SegmentationRow(TITLES[name], chips, _why(name, run, len(chips)))


def _why(name: str, run: AlgorithmRun, pieces: int) -> str:
    if not pieces:
        return _("nothing is left of it")
    one_of = {
        "bpe": counted(
            "{count:,} piece: its merges, in the order of the training",
            "{count:,} pieces: its merges, in the order of the training",
            pieces,
        ),
        "picky": counted(
            "{count:,} piece: its merges and removals, in order",
            "{count:,} pieces: its merges and removals, in order",
            pieces,
        ),
        "superbpe": counted(
            "{count:,} piece: its merges in order, across words too",
            "{count:,} pieces: its merges in order, across words too",
            pieces,
        ),
        "boundlessbpe": counted(
            "{count:,} piece: its merges in order, and those of whole words",
            "{count:,} pieces: its merges in order, and those of whole words",
            pieces,
        ),
        "wordpiece": counted(
            "{count:,} piece: the longest that fits, from the left",
            "{count:,} pieces: the longest that fits, from the left",
            pieces,
        ),
        "unigram": counted(
            "{count:,} piece: the path with the lowest sum of scores",
            "{count:,} pieces: the path with the lowest sum of scores",
            pieces,
        ),
    }
    return translate(_by_library(run.training.model_type, pieces) if isinstance(run, SentencePiece) else one_of[name])


def _by_library(model: str, pieces: int) -> str:
    return {
        "bpe": counted(
            "{count:,} piece: the highest score is merged first",
            "{count:,} pieces: the highest score is merged first",
            pieces,
        ),
        "unigram": counted(
            "{count:,} piece: the lowest sum of scores, by its library",
            "{count:,} pieces: the lowest sum of scores, by its library",
            pieces,
        ),
        "char": counted(
            "{count:,} piece: every character, by its library",
            "{count:,} pieces: every character, by its library",
            pieces,
        ),
        "word": counted(
            "{count:,} piece: whole words, by its library", "{count:,} pieces: whole words, by its library", pieces
        ),
    }[model]
