"""Content of the page for all trainings at a step: their cards, their notes, and one word in their pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bpe_core import BpeError, PickyTraining, SentencePieceTraining, Training, UnigramTraining, WordPieceTraining
from bpe_core.language import _, counted, message, translate
from ui.runs.algorithm_run import AlgorithmRun, FailedRun
from ui.runs.bpe import Bpe
from ui.runs.picky import Picky
from ui.runs.sentencepiece import SentencePiece
from ui.runs.unigram import Unigram
from ui.runs.wordpiece import WordPiece
from ui.session.algorithms import TITLES
from ui.views.algorithm_cards import Card
from ui.views.word_segmentations import SegmentationRow
from ui.work.algorithm_training import TrainedAlgorithm


def cards_at(found: Mapping[str, AlgorithmRun | FailedRun], step: int) -> list[Card | tuple[str, Sequence[str]]]:
    """Each training's card at a step, or the last of those with fewer; the error of a failed one, in lines."""
    return [
        (TITLES[name], [translate(part) for part in (run.error.problem, run.error.limit, run.error.remedy) if part])
        if isinstance(run, FailedRun)
        else run.card(min(step, run.steps))
        for name, run in found.items()
    ]


def notes_of(runs: Mapping[str, AlgorithmRun]) -> list[str]:
    """Notes about how trainings differ from the request."""
    return [translate(run.note) for run in runs.values() if run.note]


def segmentation_row(name: str, run: AlgorithmRun, word: str, step: int) -> SegmentationRow:
    """A word in the pieces of one algorithm at a step, with the rule that makes them."""
    chips = run.segment(word, step).chips
    return SegmentationRow(TITLES[name], chips, _why(name, run, len(chips)))


def _why(name: str, run: AlgorithmRun, pieces: int) -> str:
    if not pieces:
        return _("nothing is left of it")
    how = _BY_LIBRARY[run.training.model_type] if isinstance(run, SentencePiece) else _HOW[name]
    return translate(counted("{count:,} piece: {how}", "{count:,} pieces: {how}", pieces, how=how))


_HOW = {
    "bpe": message("its merges, in the order of the training"),
    "picky": message("its merges and removals, in order"),
    "superbpe": message("its merges in order, across words too"),
    "boundlessbpe": message("its merges in order, and those of whole words"),
    "wordpiece": message("the longest that fits, from the left"),
    "unigram": message("the path with the lowest sum of scores"),
}
_BY_LIBRARY = {
    "bpe": message("the highest score is merged first"),
    "unigram": message("the lowest sum of scores, by its library"),
    "char": message("every character, by its library"),
    "word": message("whole words, by its library"),
}


def run_of(found: TrainedAlgorithm | BpeError, text: str) -> AlgorithmRun | FailedRun:
    """The run of a finished training, or FailedRun for an error."""
    if isinstance(found, BpeError):
        return FailedRun(found)
    training, requested, note = found
    match training:
        case Training():
            return Bpe(training, text, requested, note)
        case PickyTraining():
            return Picky(training, text, requested, note)
        case WordPieceTraining():
            return WordPiece(training, requested, note)
        case UnigramTraining():
            return Unigram(training, requested, note)
        case SentencePieceTraining():
            return SentencePiece(training, requested, note)
