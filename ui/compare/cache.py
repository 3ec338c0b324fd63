"""Caches of the Compare page: comparisons, their disagreements, and token counts in many languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from bpe_core import (
    Comparison,
    Disagreement,
    Encoding,
    ParallelCounts,
    ParityTraining,
    TextCounts,
    Tokenizer,
    TrainConfig,
    compare,
    compare_texts,
    parallel_texts,
    train_parity,
)
from bpe_core.bpe.training_step import Forks
from bpe_core.comparison.metrics import Metrics, has_word_spaces, measured
from bpe_core.comparison.overlap import Shared, shared_tokens, token_texts
from bpe_core.comparison.tables import disagreement_table as table_of
from bpe_core.comparison.text_lines import line_starts
from bpe_core.comparison.totals import MOST_LISTED, EqualDisagreements, group_equal
from bpe_core.payloads.chips import LONGEST_WORD, Chip, Table, Word
from bpe_core.text.normalization import replace_surrogates
from bpe_core.tokenizer.changed_text import encode_changed
from bpe_core.tokenizer.chips import chip
from bpe_core.tokenizer.tables import DataFrame
from bpe_core.tokenizer.tokenizer import Special
from ui.cache import cached_of, made_of, maker_of, tokenizer
from ui.compare.listing import disagreement_page, group_page, groups_of_cause
from ui.compare.many_file import MOST_CHARACTERS, MOST_ROWS, ManyFile
from ui.compare.parallel_counts import REFERENCE, parallel_samples
from ui.memory.cache import cached
from ui.session.training import Source
from ui.widgets.display import title_of


@cached
def comparison(
    names: tuple[str, ...],
    source: Source,
    config: TrainConfig,
    forks: Forks,
    text: Source,
    special: Special,
    *,
    encodings: Mapping[str, tuple[Tokenizer, Encoding]] | None = None,
) -> Comparison:
    """Comparison of tokenizers on one text, by displayed name; fully computed, so that its size can be measured.

    encodings: each tokenizer with its encoding of the text, if already known.
    """
    if encodings is not None:
        return Comparison(text.text, encodings).complete()
    chosen = {title_of(name): tokenizer(name, source, config, forks) for name in names}
    return compare(text.text, chosen, special=special).complete()


def changed_comparison(before: Source, *key: Any) -> Comparison | None:
    """The same, updated from the cached comparison of the text before an edit; None if neither is cached."""
    names, source, config, forks, text, special = key
    known = comparison.cached(names, source, config, forks, before, special)
    if known is None:
        return comparison.cached(*key)
    encodings = {}
    for title in map(title_of, names):
        changed = encode_changed(known.tokenizer(title), text.text, known.encoding(title), special=special)
        if changed is None:
            return comparison.cached(*key)
        encodings[title] = known.tokenizer(title), changed
    return comparison(*key, encodings=encodings)


@cached
def disagreements(left: str, right: str, *key: Any) -> list[Disagreement]:
    """Disagreements of two tokenizers, by their names in choices and the key of their comparison."""
    return comparison(*key).disagreements(title_of(left), title_of(right), most=MOST_LISTED)


def disagreement_download(left: str, right: str, *key: Any) -> Callable[[], DataFrame]:
    """Function that makes the table of these disagreements outside the session. It holds only their inputs."""
    _names, source, config, forks, text, special = key
    makers = {title_of(name): maker_of(name, source, config, forks) for name in (left, right)}

    def table() -> DataFrame:
        one, other = (make() for make in makers.values())
        found = disagreements.cached(left, right, *key)
        if found is None:
            both = dict(zip(makers, (one, other), strict=True))
            found = compare(text.text, both, special=special).disagreements(*makers, most=MOST_LISTED)
        return table_of(replace_surrogates(text.text)[0], one, other, found)

    return table


@cached
def grouped_disagreements(left: str, right: str, *key: Any) -> list[EqualDisagreements]:
    """The same, with equal ones grouped."""
    return group_equal(comparison(*key), disagreements(left, right, *key))


@cached
def group_table(left: str, right: str, cause: str, *key: Any) -> Table:
    """Grouped disagreements of one cause as a table."""
    groups = groups_of_cause(grouped_disagreements(left, right, *key), cause)
    return group_page(comparison(*key), title_of(left), title_of(right), groups)


@cached
def disagreement_table(left: str, right: str, cause: str, page: int, *key: Any) -> Table:
    """One page of the disagreements of one cause as a table; cached along with its encoding for the browser."""
    found = disagreements(left, right, *key)
    return disagreement_page(comparison(*key), title_of(left), title_of(right), found, cause, page)


@cached
def line_tokens(left: str, right: str, lines: tuple[int, ...], *key: Any) -> list[dict[str, Word]]:
    """The first tokens of these lines under two tokenizers, by their titles."""
    return tokens_of_lines(comparison(*key), (title_of(left), title_of(right)), lines)


@cached
def has_spaces(text: Source) -> bool:
    """Whether a text has spaces between its words."""
    return has_word_spaces(text.text)


@cached
def metrics_of(*key: Any) -> list[Metrics]:
    """Metrics of every compared tokenizer."""
    return measured(comparison(*key))


@cached
def overlap(names: tuple[str, ...], source: Source, config: TrainConfig, forks: Forks) -> list[Shared]:
    """Tokens shared by these vocabularies, given by their names in choices."""
    return shared_tokens({name: tokenizer(name, source, config, forks) for name in names})


@cached_of(made_of)
def token_texts_of(name: str, source: Source, config: TrainConfig, forks: Forks) -> dict[bytes, int]:
    """Texts of a vocabulary's tokens."""
    return token_texts(tokenizer(name, source, config, forks))


@cached
def fertility_counts(names: tuple[str, ...], source: Source, config: TrainConfig, forks: Forks) -> ParallelCounts:
    """Token counts of the sample paragraph in many languages."""
    return parallel_texts([parallel_samples()], _by_title(names, source, config, forks), reference=REFERENCE)


USUAL, FAIR = "usual", "fair"
"""Names of the two trainings in `FairTraining.counts`."""

_WINDOW = 100
"""Choices that the window variant looks back at: the published default."""


class FairTraining(NamedTuple):
    """Parity-aware training on the sample paragraph, the standard one of the same size, and token counts by each."""

    fair: ParityTraining
    usual: ParityTraining
    counts: ParallelCounts


@cached
def fair_training(vocab_size: int, variant: str, unit: str) -> FairTraining:
    """Parity-aware training on the sample paragraph in all languages; `variant`: "fair", "hybrid" or "window"."""
    texts, config = parallel_samples(), TrainConfig(vocab_size=vocab_size, min_count=2)
    options: dict[str, Any] = {
        "hybrid": {"global_merges": (vocab_size - 256) // 2},
        "window": {"window": _WINDOW},
    }.get(variant, {})
    fair = train_parity(texts, config, unit=unit, **options)
    usual = train_parity(texts, config, unit=unit, global_merges=vocab_size)
    tokenizers = {USUAL: usual.training.tokenizer(), FAIR: fair.training.tokenizer()}
    return FairTraining(fair, usual, parallel_texts([texts], tokenizers, reference=REFERENCE))


@cached
def columns_of(file: ManyFile) -> tuple[tuple[str, ...], str]:
    """Columns of a file of texts, and the one selected by default."""
    return file.columns()


@cached
def text_counts(
    file: ManyFile, column: str, special: Special, *key: Any, on_progress: Callable[[int, int], None] | None = None
) -> TextCounts:
    """Counts of each text of a file, under the displayed names of the tokenizers; `key`: these, and the training."""
    given: Any = {"column": column, "special": special, "most": MOST_ROWS, "most_characters": MOST_CHARACTERS}
    with file.opened() as table:
        return compare_texts(table, _by_title(*key), **given, on_progress=on_progress)


@cached
def counts_by_language(
    file: ManyFile,
    languages: tuple[str, ...],
    reference: str,
    special: Special,
    *key: Any,
    on_progress: Callable[[int, int], None] | None = None,
) -> ParallelCounts:
    """Counts of parallel texts, one column per language; `key` as for `text_counts`."""
    given: Any = {"languages": languages, "reference": reference, "special": special}
    limits: Any = {"most": MOST_ROWS // len(languages), "most_characters": MOST_CHARACTERS}
    with file.opened() as table:
        return parallel_texts(table, _by_title(*key), **given, **limits, on_progress=on_progress)


def _by_title(names: tuple[str, ...], source: Source, config: TrainConfig, forks: Forks) -> dict[str, Tokenizer]:
    return {title_of(name): tokenizer(name, source, config, forks) for name in names}


@cached
def beginnings(file: ManyFile, column: str, rows: frozenset[int], longest: int) -> dict[int, str]:
    """First characters of the texts of some rows."""
    return file.texts(column, rows, longest)


_MOST, _LEAST = 20_000, 6
"""Maximum number of tokens drawn for all lines together, and minimum for each line."""


def tokens_of_lines(comparison: Comparison, names: Sequence[str], lines: Sequence[int]) -> list[dict[str, Word]]:
    """The first tokens of each of these lines, numbered from 1, by tokenizer."""
    data = comparison.text.encode()
    bounds = np.append(line_starts(comparison.text), len(data))
    most = max(_LEAST, min(LONGEST_WORD, _MOST // max(1, len(names) * len(lines))))
    words: list[dict[str, Word]] = [{} for _line in lines]
    for name in names:
        ids, tokenizer = comparison.encoding(name).ids, comparison.tokenizer(name)
        edges = np.searchsorted(comparison.offsets(name)[0], bounds)
        made: dict[int, Chip] = {}
        for line, word in zip(lines, words, strict=True):
            first, end = edges[line - 1 : line + 1].tolist()
            text = data[bounds[line - 1] : bounds[line]]
            tokens = []
            for token_id in ids[first : min(end, first + most)].tolist():
                shown = made.get(token_id) or made.setdefault(token_id, chip(tokenizer, token_id))
                tokens.append(chip(tokenizer, token_id, text) if shown.has_bytes else shown)
            word[name] = Word(tuple(tokens), max(0, end - first - most))
    return words
