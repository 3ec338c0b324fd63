"""Caches of the Train page: tables, curves, and words of a split."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from bpe_core import BpeError, Tokenizer, TrainConfig, VocabularyError
from bpe_core.bpe.base_words import words_of_base
from bpe_core.bpe.growth import GrownVocabulary
from bpe_core.bpe.merge_rows import merged_pairs, merges_table
from bpe_core.bpe.text_symbols import symbols_body
from bpe_core.bpe.training_step import Forks, examples_of
from bpe_core.bundled.openai import OPENAI
from bpe_core.language import current_language
from bpe_core.payloads.chips import Chip, EncodedTable, Table
from bpe_core.payloads.frames import Body
from bpe_core.payloads.spans import TokenSpans
from bpe_core.text.character_names import unseen_characters
from bpe_core.text.normalization import replace_surrogates
from bpe_core.text.splits import compile_split
from bpe_core.text.splits import spans as split_spans
from bpe_core.text.utf8 import utf8_lengths
from ui.cache import beside_of, published, trained_tokenizer, training
from ui.memory.cache import Room, cached
from ui.session.training import Source
from ui.train import cost_lines
from ui.train.curve_lines import curves_of, sampled_steps
from ui.views.plot_steps import StepFigures
from ui.widgets.display import title_of
from ui.widgets.textbooks import PrintedResult, compared_sample_results

STEPS = Room("parts of a step")
"""Drawn parts of a step by name, computed once for a whole class at the same step."""


def merge_table(source: Source, config: TrainConfig, ranks: range | tuple[int, ...], forks: Forks = ()) -> EncodedTable:
    """The merges of these ranks as a table."""
    return _merge_table(source, config, ranks, forks, current_language())


@cached
def _merge_table(
    source: Source, config: TrainConfig, ranks: range | tuple[int, ...], forks: Forks, _language: str
) -> EncodedTable:
    chosen, tokenizer = training(source, config, forks), trained_tokenizer(source, config, None, forks)
    by_hand = {step for step, _left, _right in forks}
    return merges_table(chosen, tokenizer, ranks, examples_of(source.text), by_hand).encoded()


@cached
def text_symbols(source: Source, config: TrainConfig, start: int, size: int, forks: Forks = ()) -> Body:
    """A part of a training's text in base symbols, encoded for the browser."""
    return symbols_body(training(source, config, forks).symbols(start, size), config.end_of_word)


@cached
def unseen_in(source: Source, config: TrainConfig, start: int, size: int, forks: Forks = ()) -> Mapping[str, str]:
    """Names of the invisible characters in a part of a training's text."""
    return unseen_characters(training(source, config, forks).text[start : start + size])


@cached
def training_curves(source: Source, config: TrainConfig, forks: Forks, until: int | None) -> StepFigures:
    """Tokens and compression over the steps, with the training to compare: see `beside_of`."""
    chosen = training(source, config, forks)
    beside = beside_of(source, config, forks)
    curves = curves_of(chosen, beside and beside.training, until=until)
    sampled = _pairs_at(source, config, forks, sampled_steps(len(chosen.merges)))
    others = _pairs_at(source, config, forks, tuple(step for step in curves.steps if step not in sampled))
    pairs = {**sampled, **others}
    return replace(curves, chips=[pairs[step] for step in curves.steps])


@cached
def _pairs_at(
    source: Source, config: TrainConfig, forks: Forks, steps: tuple[int, ...]
) -> Mapping[int, tuple[Chip, ...]]:
    """The pairs merged at these steps, none at step 0; cached, since byte pieces are slow to draw."""
    chosen, tokenizer = training(source, config, forks), trained_tokenizer(source, config, None, forks)
    merged = [step for step in steps if step]
    pairs = merged_pairs(chosen, tokenizer, (step - 1 for step in merged), examples_of(source.text))
    return {0: (), **dict(zip(merged, pairs, strict=True))}


@cached
def published_costs(source: Source) -> tuple[cost_lines.PublishedCost, ...]:
    """Token counts of the text under published vocabularies, without those whose file is missing."""
    costs = []
    for name in OPENAI:
        try:
            tokenizer = published(name)
        except VocabularyError:
            continue  # reported by the pages that need it
        costs.append(cost_lines.PublishedCost.of(title_of(name), tokenizer, source.text))
    return tuple(costs)


@cached
def cost_curve(source: Source, config: TrainConfig, forks: Forks, width: int) -> StepFigures:
    """Curve of saved tokens over embedding parameters, with the published vocabularies."""
    return cost_lines.cost_curve(training(source, config, forks), published_costs(source), width)


@cached
def sizes_table(source: Source, config: TrainConfig, forks: Forks, width: int) -> Table:
    """The vocabulary sizes of a training as a table."""
    return cost_lines.sizes_table(training(source, config, forks), width)


@cached
def words_of(text: str, pattern: str) -> TokenSpans | BpeError:
    """The words of a text under a split, or the error; cached, since a bad pattern is slow to fail."""
    safe = replace_surrogates(text)[0]
    try:
        edges = np.array(list(split_spans(compile_split(pattern), safe)), np.int64).reshape(-1, 2)
    except BpeError as error:
        return error
    byte_at = np.concatenate(([0], np.cumsum(utf8_lengths(safe))))
    return TokenSpans.of(safe, np.arange(len(edges)), byte_at[edges[:, 0]], byte_at[edges[:, 1]])


@cached
def words_by(text: str, base: Tokenizer) -> TokenSpans | BpeError:
    """The words of a text by the rules of the tokenizer that a training continues from, or the error."""
    grown = GrownVocabulary(base)
    try:
        corpus, first, _ = words_of_base(grown, text)
    except BpeError as error:
        return error
    places, sizes = first.places, np.append(0, np.cumsum(grown.sizes[corpus.ids]))
    ends = places.starts + np.diff(sizes[corpus.offsets])[places.words]
    return TokenSpans.of(places.text, np.arange(len(ends)), places.starts, ends)


@cached
def printed_of_sample(name: str) -> tuple[PrintedResult, ...]:
    """Printed results for a sample, with this app's results."""
    return compared_sample_results(name)
