"""Caches of the Algorithms page: trainings, and the words and pieces in which they differ."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from bpe_core.bpe.corpus import Progress
from bpe_core.payloads.chips import Table
from bpe_core.text.normalization import replace_surrogates
from bpe_core.unigram.by_hand import UnigramByHand
from bpe_core.unigram.marking import marked
from ui import cache
from ui.algorithms.by_hand_tables import pieces_table
from ui.algorithms.tables_of_step import StepTable, table_of_step
from ui.memory.cache import MEMORY, cached
from ui.runs.algorithm_run import AlgorithmRun, FailedRun
from ui.runs.compared_pieces import ComparedPiece, compare_pieces
from ui.runs.differing_words import DifferingWords, differing, frequent_words
from ui.runs.of_step import run_of
from ui.runs.picky import Picky
from ui.runs.sentencepiece import SentencePiece
from ui.runs.sentences import SentenceRow, sentence_row
from ui.runs.unigram import Unigram
from ui.runs.wordpiece import WordPiece
from ui.session.training import Source
from ui.work.algorithm_training import Recipe


def trained_run(
    name: str, source: Source, recipe: Recipe, *, on_progress: Progress | None = None
) -> AlgorithmRun | FailedRun:
    """Train one of the algorithms on a text; errors are returned as FailedRun. `on_progress` as for `training`."""
    key = ("run of", name, source.digest, recipe.of(name))
    run = MEMORY.get(
        key, lambda: run_of(cache.trained_algorithm(name, source, recipe, on_progress=on_progress), source.text)
    )
    if isinstance(run, Unigram) and recipe.unknown != run.unknown:
        return MEMORY.get((*key, recipe.unknown), lambda: replace(run, unknown=recipe.unknown))
    return run


def is_trained(name: str, source: Source, recipe: Recipe) -> bool:
    """Whether this run is cached."""
    return cache.trained_algorithm.is_cached(name, source, recipe)


@cached
def words_that_differ(source: Source, recipe: Recipe) -> DifferingWords:
    """Words of a text that the algorithms segment differently."""
    return differing(_runs(source, recipe), frequent_words(source.text))


@cached
def pieces_side_by_side(source: Source, recipe: Recipe, step: int | None) -> list[ComparedPiece]:
    """The vocabularies side by side, at a step or at their ends."""
    runs = _runs(source, recipe)
    ends = {name: run.steps if step is None else min(step, run.steps) for name, run in runs.items()}
    return compare_pieces({name: run.vocabulary(ends[name]) for name, run in runs.items()})


@cached
def sentence_rows(source: Source, recipe: Recipe, step: int | None, sentence: str) -> list[SentenceRow]:
    """A sentence in the pieces of each algorithm, at a step or at their ends."""
    runs = _runs(source, recipe)
    return [
        sentence_row(name, run, sentence, run.steps if step is None else min(step, run.steps))
        for name, run in runs.items()
    ]


@cached
def piece_occurrences(name: str, source: Source, recipe: Recipe, piece: str) -> tuple[int, int]:
    """Occurrences of a piece of Unigram or SentencePiece in the text, and the number of distinct words with it."""
    run = trained_run(name, source, recipe)
    assert isinstance(run, Unigram | SentencePiece)
    return occurrences(run, piece, source.text)


@cached
def unigram_by_hand(pieces: tuple[tuple[str, int], ...], words: tuple[tuple[str, int], ...]) -> UnigramByHand:
    """Unigram from pieces and words with counts. Raises ConfigError if invalid."""
    return UnigramByHand(dict(pieces), dict(words))


@cached
def by_hand_table(pieces: tuple[tuple[str, int], ...], words: tuple[tuple[str, int], ...]) -> Table:
    """Table of the pieces with their probabilities and losses."""
    return pieces_table(unigram_by_hand(pieces, words))


@cached
def step_table(name: str, source: Source, recipe: Recipe, step: int, language: str) -> StepTable:
    """Table of PickyBPE's removals, WordPiece's pairs or Unigram's pieces after a step, in the current language."""
    run = trained_run(name, source, recipe)
    assert isinstance(run, Picky | WordPiece | Unigram)
    return table_of_step(run, step)


def _runs(source: Source, recipe: Recipe) -> dict[str, AlgorithmRun]:
    """The algorithms that could be trained."""
    found = {name: trained_run(name, source, recipe) for name in recipe.side_by_side}
    return {name: run for name, run in found.items() if not isinstance(run, FailedRun)}


def occurrences(run: Unigram | SentencePiece, piece: str, text: str) -> tuple[int, int]:
    """Occurrences of a piece in the words of a text with ▁ before each, and the number of distinct words with it."""
    text = replace_surrogates(text)[0]
    if isinstance(run, SentencePiece):
        text = run.tokenizer.normalizer.normalize(text).text
    counts = [(marked(word).count(piece), count) for word, count in Counter(text.split()).items()]
    return sum(found * count for found, count in counts), sum(found > 0 for found, _ in counts)
