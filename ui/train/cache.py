"""What the Train page keeps between runs: its tables, its curves, and the words of a pattern."""

from __future__ import annotations

from bpe_core import BpeError, TrainConfig, VocabularyError
from bpe_core.bundled.openai import OPENAI
from ui.components.exchange import Body
from ui.components.plot import StepFigures
from ui.components.tokens import Table, TokenSpans
from ui.components.tokens.replay import symbols_body
from ui.memory.cache import Room, kept
from ui.session.state import Forks, Source
from ui.shared.cache import published, trained_tokenizer, training
from ui.shared.display import title_of
from ui.shared.textbooks import Held, held_against_sample
from ui.train import cost_lines, drawing
from ui.train.curve_lines import curves_of

STEPS = Room("parts of a step")
"""What is drawn of a step, by its name: of a class that is at the same step, for the first who comes."""


@kept
def merge_table(source: Source, config: TrainConfig, ranks: range | tuple[int, ...], forks: Forks = ()) -> Table:
    """The merges of these ranks as a table; kept, since its encoding for the browser is kept with it."""
    chosen = training(source, config, forks)
    text = source.text[:20_000].encode("utf-8", "replace")
    return drawing.merges_table(chosen, trained_tokenizer(source, config, None, forks), ranks, text)


@kept
def text_symbols(source: Source, config: TrainConfig, start: int, size: int, forks: Forks = ()) -> Body:
    """A part of the text of a training in base symbols, as the browser gets it."""
    return symbols_body(training(source, config, forks).symbols(start, size), config.end_of_word)


@kept
def training_curves(source: Source, config: TrainConfig, forks: Forks, until: int | None) -> StepFigures:
    """Tokens and compression over the steps of a training, beside those by the rule when it is a fork."""
    return curves_of(training(source, config, forks), training(source, config) if forks else None, until=until)


@kept
def published_costs(source: Source) -> tuple[cost_lines.PublishedCost, ...]:
    """What the text takes with published vocabularies; one whose file is missing is left out."""
    costs = []
    for name in OPENAI:
        try:
            tokenizer = published(name)
        except VocabularyError:
            continue  # the pages that need it say so
        costs.append(cost_lines.PublishedCost.of(title_of(name), tokenizer, source.text))
    return tuple(costs)


@kept
def cost_curve(source: Source, config: TrainConfig, forks: Forks, width: int) -> StepFigures:
    """What is saved over the parameters of the embeddings, with the published vocabularies beside it."""
    return cost_lines.cost_curve(training(source, config, forks), published_costs(source), width)


@kept
def sizes_table(source: Source, config: TrainConfig, forks: Forks, width: int) -> Table:
    """The sizes of one training as a table."""
    return cost_lines.sizes_table(training(source, config, forks), width)


@kept
def words_of(text: str, pattern: str) -> TokenSpans | BpeError:
    """The words that a split makes of a text, or why it cannot; cached, since a bad pattern is slow to fail."""
    try:
        return drawing.word_spans(text, pattern)
    except BpeError as error:
        return error


@kept
def printed_of_sample(name: str) -> tuple[Held, ...]:
    """What textbooks print for a sample, and what comes out here."""
    return held_against_sample(name)
