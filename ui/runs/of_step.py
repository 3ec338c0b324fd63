"""What the page shows of all trainings at a step: their cards, their notes, and one word in their pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bpe_core.language import _, message, n_, translate
from ui.runs.algorithm_run import TITLES, AlgorithmRun, FailedRun
from ui.runs.sentencepiece import SentencePiece
from ui.views.algorithm_cards import Card
from ui.views.word_segmentations import SegmentationRow

_WHY = {
    "bpe": message("its merges, in the order of the training"),
    "picky": message("its merges and removals, in order"),
    "superbpe": message("its merges in order, across words too"),
    "boundlessbpe": message("its merges in order, and those of whole words"),
    "wordpiece": message("the longest piece that fits, from the left"),
    "unigram": message("the path with the lowest sum of scores"),
    "bpe model": message("the piece with the highest score is merged first"),
    "unigram model": message("the lowest sum of scores, by its library"),
    "char model": message("every character, by its library"),
    "word model": message("whole words, by its library"),
}


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
    return [_("{algorithm}: {note}", algorithm=TITLES[name], note=run.note) for name, run in runs.items() if run.note]


def segmentation_row(name: str, run: AlgorithmRun, word: str, step: int) -> SegmentationRow:
    """A word in the pieces of one algorithm at a step, with the rule that makes them."""
    chips = run.segment(word, step).chips
    return SegmentationRow(TITLES[name], chips, _why(name, run, len(chips)))


def _why(name: str, run: AlgorithmRun, pieces: int) -> str:
    if not pieces:
        return _("nothing is left of it")
    rule = _WHY[f"{run.training.model_type} model" if isinstance(run, SentencePiece) else name]
    return n_("{count:,} piece: {rule}", "{count:,} pieces: {rule}", pieces, rule=rule)
