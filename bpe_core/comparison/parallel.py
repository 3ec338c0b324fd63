"""Parallel texts, the same in several languages: fertility, parity and its Gini coefficient."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bpe_core import checks
from bpe_core.comparison.metrics import gini, has_word_spaces
from bpe_core.comparison.text_batches import TextBatches, opened
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import message
from bpe_core.text.table_files import SkippedRow, TableFile
from bpe_core.tokenizer.named_tokenizers import checked_tokenizers
from bpe_core.tokenizer.tables import DataFrame
from bpe_core.tokenizer.texts_ids import ids_of_texts
from bpe_core.tokenizer.tokenizer import SPECIAL_MODES, Special, Tokenizer

ParallelRows: TypeAlias = "Iterable[Mapping[str, str | None]] | PathLike[str] | TableFile"
"""A text for each language in every row; the path of a file with a column for each; or such a file, already open."""

MOST_LANGUAGES = 100
_SAMPLE = 100_000
"""Characters that decide whether a language has spaces between its words."""


class ParallelCount(NamedTuple):
    """Counts of one language's texts under one tokenizer.

    relative  tokens relative to the same tokenizer's for the reference language: its parity
    unknown   whether some of the text became unknown tokens: text is lost, so a low count is no advantage
    spaced    whether the language has spaces between its words

    >>> ParallelCount("ja", "GPT-2", 300, 290, 100, 1, 3.0, spaced=False).fertility is None
    True
    """

    language: str
    tokenizer: str
    tokens: int
    bytes: int
    characters: int
    words: int
    relative: float
    unknown: bool = False
    spaced: bool = True

    @property
    def fertility(self) -> float | None:
        """Tokens per word; None without words, and for a language without spaces between them.

        >>> ParallelCount("en", "GPT-2", 12, 40, 40, 10, 1.0).fertility
        1.2
        """
        return self.tokens / self.words if self.words and self.spaced else None

    def value(self, by: str) -> float | None:
        """Value by "relative", "tokens", "per character" or "per word"; None if it is meaningless.

        >>> ParallelCount("ja", "GPT-2", 300, 290, 100, 1, 3.0).value("per character")
        3.0
        """
        if by == "per word":
            return self.fertility
        per_character = self.tokens / (self.characters or 1)
        return {"relative": self.relative, "per character": per_character}.get(by, float(self.tokens))


@dataclass(frozen=True)
class ParallelCounts:
    """Counts of parallel texts, the result of `parallel_texts`.

    counts     of every tokenizer, and within it of every language
    reference  the language of parity 1
    texts      number of rows counted, those with a text in every language
    missing    number of rows in which a text is missing
    skipped    number of broken rows; `problems`: the first of them, with their reasons
    is_whole   False if rows beyond a limit were ignored

    >>> from bpe_core import load_pretrained
    >>> found = parallel_texts([{"en": "the low", "ja": "低い"}], {"GPT-2": load_pretrained("gpt2")}, reference="en")
    >>> [(each.language, each.tokens, each.relative, each.fertility) for each in found.counts]
    [('en', 2, 1.0, 1.0), ('ja', 3, 1.5, None)]
    >>> round(found.gini("GPT-2"), 3), found.table()["parity"].tolist(), found.tokenizer_table().columns.tolist()
    (0.1, [1.0, 1.5], ['tokens', 'gini', 'most_costly', 'parity'])
    """

    counts: tuple[ParallelCount, ...]
    reference: str
    texts: int
    missing: int
    skipped: int
    problems: tuple[SkippedRow, ...]
    is_whole: bool

    def gini(self, tokenizer: str) -> float:
        """Gini coefficient of the token counts of the languages: 0 if all are equal.

        Raises ConfigError for an unknown name.
        """
        checks.choice(tokenizer, "tokenizer", list(dict.fromkeys(each.tokenizer for each in self.counts)))
        return gini([each.tokens for each in self.counts if each.tokenizer == tokenizer])

    def table(self) -> DataFrame:
        """One row per tokenizer and language: counts, parity, and fertility, missing where meaningless."""
        import pandas as pd

        numbers = ("tokens", "bytes", "characters", "words")
        columns: dict[str, Any] = {
            each: pd.array([getattr(count, each) for count in self.counts], dtype="str")
            for each in ("tokenizer", "language")
        }
        columns |= {each: np.array([getattr(count, each) for count in self.counts], np.int64) for each in numbers}
        columns["parity"] = np.array([each.relative for each in self.counts], float)
        columns["fertility"] = np.array([each.fertility for each in self.counts], float)
        columns["unknown"] = np.array([each.unknown for each in self.counts], np.bool_)
        return pd.DataFrame(columns, index=pd.RangeIndex(len(self.counts), name="count"))

    def tokenizer_table(self) -> DataFrame:
        """One row per tokenizer: tokens of all languages, Gini, and the language of highest parity with its value."""
        import pandas as pd

        names = list(dict.fromkeys(each.tokenizer for each in self.counts))
        worst = [max((c for c in self.counts if c.tokenizer == name), key=lambda c: c.relative) for name in names]
        tokens = [sum(each.tokens for each in self.counts if each.tokenizer == name) for name in names]
        columns: dict[str, Any] = {
            "tokens": np.array(tokens, np.int64),
            "gini": np.array([self.gini(name) for name in names], float),
            "most_costly": pd.array([each.language for each in worst], dtype="str"),
            "parity": np.array([each.relative for each in worst], float),
        }
        return pd.DataFrame(columns, index=pd.Index(pd.array(names, dtype="str"), name="tokenizer"))


def parallel_texts(
    rows: ParallelRows,
    tokenizers: Mapping[str, Tokenizer],
    *,
    languages: Sequence[str] | None = None,
    reference: str | None = None,
    special: Special = "text",
    most: int | None = None,
    most_characters: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> ParallelCounts:
    """Count the tokens of parallel texts by language under every tokenizer; only sums are kept.

    `rows`: with a text for each language; a row with a missing text is left out for all languages. `languages`: names
    of the columns, by default all columns of a file, or the keys of the first row. `reference`: the language of parity
    1, by default "en" if it exists, else the first. `special`, `most`, `most_characters`, `on_progress`: as for
    `compare_texts`.

    Raises CorpusError for a file that cannot be read, and for rows of another type; ConfigError for fewer than two or
    more than 100 languages, and for a language or reference that does not exist.

    >>> from bpe_core import load_pretrained
    >>> row = {"en": "low", "de": "niedrig"}
    >>> [count.tokens for count in parallel_texts([row], {"GPT-2": load_pretrained("gpt2")}).counts]
    [1, 3]
    """
    sums = {name: _TokenSums(each, special) for name, each in checked_tokenizers(tokenizers).items()}
    checks.choice(special, "special", SPECIAL_MODES)
    checks.callback(on_progress)
    texts = 0
    with opened(rows) as source:
        names, given = _languages(source, languages)
        chosen = ("en" if "en" in names else names[0]) if reference is None else reference
        checks.choice(chosen, "reference", names)
        sizes = {name: _Sizes() for name in names}
        batches = TextBatches(given, names, most, most_characters)
        for batch in batches.reported(on_progress):
            texts += len(batch.rows)
            for name, found in zip(names, batch.columns, strict=True):
                sizes[name].add(found)
                for each in sums.values():
                    each.add(name, found)
    counts = tuple(count for name, each in sums.items() for count in each.counts(name, sizes, chosen))
    left_out = batches.missing, batches.skipped, tuple(batches.problems)
    return ParallelCounts(counts, chosen, texts, *left_out, is_whole=batches.is_whole)


def _languages(rows: object, languages: object) -> tuple[list[str], object]:
    """Names of the columns, and the rows, of which the first may have been read for its keys."""
    found: object = languages
    if languages is None and isinstance(rows, TableFile):
        found = rows.columns
    elif languages is None and checks.is_iterable(rows) and not isinstance(rows, str | bytes | bytearray):
        following = iter(rows)
        first = next(following, None)
        found = list(first) if isinstance(first, Mapping) else []
        rows = rows if isinstance(rows, Sequence) else chain([first], following)
    given = checks.sequence(found, "languages", message("names of columns"))
    names = list(dict.fromkeys(name for name in given if isinstance(name, str)))
    if not all(isinstance(name, str) for name in given) or not 2 <= len(names) <= MOST_LANGUAGES:
        raise ConfigError(
            message("The languages are {names}.", names=quoted(given)),
            limit=message("They are the names of 2 to {most:,} columns.", most=MOST_LANGUAGES),
            remedy=message("Name the columns of the texts."),
        )
    return names, rows


class _Sizes:
    """Size of one language's texts."""

    def __init__(self) -> None:
        self.bytes = self.characters = self.words = 0
        self.sample = ""

    def add(self, texts: list[str]) -> None:
        for text in texts:
            self.bytes += len(text.encode())
            self.characters += len(text)
            self.words += len(text.split())
            if len(self.sample) < _SAMPLE:
                self.sample += text[:_SAMPLE]


class _TokenSums:
    """Token counts of one tokenizer by language."""

    def __init__(self, tokenizer: Tokenizer, special: Special) -> None:
        self._tokenizer = tokenizer
        self._special = special
        self._tokens: Counter[str] = Counter()
        self._unknown: set[str] = set()

    def add(self, language: str, texts: list[str]) -> None:
        ids, _ends = ids_of_texts(self._tokenizer, texts, self._special)
        self._tokens[language] += len(ids)
        unknown = self._tokenizer.unknown_id
        if unknown is not None and (ids == unknown).any():
            self._unknown.add(language)

    def counts(self, name: str, sizes: Mapping[str, _Sizes], reference: str) -> Iterator[ParallelCount]:
        for language, size in sizes.items():
            tokens = self._tokens[language]
            yield ParallelCount(
                language,
                name,
                tokens,
                size.bytes,
                size.characters,
                size.words,
                tokens / (self._tokens[reference] or 1),
                language in self._unknown,
                has_word_spaces(size.sample),
            )
