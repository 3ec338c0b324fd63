"""What the Algorithms page keeps between runs: its trainings, and the words and pieces in which they differ."""

from __future__ import annotations

from dataclasses import replace

from bpe_core.bpe.corpus import Progress
from ui.algorithms.algorithm_run import AlgorithmRun, FailedRun
from ui.algorithms.compared_pieces import ComparedPiece, compare_pieces
from ui.algorithms.differing_words import DifferingWords, differing, frequent_words
from ui.algorithms.training import Recipe, train_algorithm, usual_size
from ui.memory.cache import MEMORY, kept
from ui.session.state import ALGORITHMS, Source


def trained_run(
    name: str, source: Source, recipe: Recipe, *, on_progress: Progress | None = None
) -> AlgorithmRun | FailedRun:
    """One of the four algorithms, trained on a text, or why it cannot be; `on_progress` as of `training`."""
    return MEMORY.get(_key(name, source, recipe), lambda: train_algorithm(name, source.text, recipe, on_progress))


def is_trained(name: str, source: Source, recipe: Recipe) -> bool:
    """Whether this run is at hand."""
    return MEMORY.peek(_key(name, source, recipe)) is not None


def _key(name: str, source: Source, recipe: Recipe) -> tuple[str, str, str, Recipe]:
    own = recipe if name == "sentencepiece" else replace(recipe, model="bpe")  # the model is only its own
    return "algorithm", name, source.digest, own


@kept
def usual_vocabulary_size(source: Source) -> int:
    """The vocabulary size that the algorithms are trained to when none was asked for."""
    return usual_size(source.text)


@kept
def words_that_differ(source: Source, recipe: Recipe) -> DifferingWords:
    """Words of a text that the algorithms segment differently."""
    return differing(_runs(source, recipe), frequent_words(source.text))


@kept
def pieces_side_by_side(source: Source, recipe: Recipe, step: int | None) -> list[ComparedPiece]:
    """The vocabularies of the page side by side, at a step or at their ends."""
    runs = _runs(source, recipe)
    ends = {name: run.steps if step is None else min(step, run.steps) for name, run in runs.items()}
    return compare_pieces({name: run.vocabulary(ends[name]) for name, run in runs.items()})


def _runs(source: Source, recipe: Recipe) -> dict[str, AlgorithmRun]:
    """Those of the page that could be trained."""
    found = {name: trained_run(name, source, recipe) for name in ALGORITHMS}
    return {name: run for name, run in found.items() if not isinstance(run, FailedRun)}
