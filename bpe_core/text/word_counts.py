"""Distinct words of texts and their counts, as a value to merge, save, load and train on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from bpe_core import checks
from bpe_core.arrays import Int64s, ReadOnlyArrays
from bpe_core.errors import BpeError, ConfigError, FormatError, quoted
from bpe_core.language import message
from bpe_core.text.normalizer_settings import NormalizationSettings
from bpe_core.text.normalizers import NORMALIZATIONS, Normalization
from bpe_core.text.word_counts_file import read_rows, write_rows
from bpe_core.text.word_rows import MOST_TOTAL, PART_BITS, Rows, check_total, merged_rows, numbered, taken

if TYPE_CHECKING:
    from os import PathLike


MOST_PARTS = 1 << 23


class CountSettings(NormalizationSettings, Protocol):
    """Settings that word counting needs: normalization and split. A `TrainConfig` has them.

    >>> from bpe_core import TrainConfig
    >>> settings: CountSettings = TrainConfig(split="words")
    >>> settings.split
    'words'
    """

    @property
    def split(self) -> str:
        """Name of a split, or a regular expression; see `compile_split`."""


@dataclass(frozen=True)
class WordSettings:
    """Normalization and split of the counted texts, as in TrainConfig. Raises ConfigError for invalid values.

    >>> from bpe_core import TrainConfig
    >>> WordSettings.of(TrainConfig(split="words", vocab_size=300, lowercase=True))
    WordSettings(split='words', normalization='none', lowercase=True, strip_accents=False)
    """

    split: str = "gpt2"
    normalization: Normalization = "none"
    lowercase: bool = False
    strip_accents: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "split", checks.utf8_text(self.split, "split", wanted=message("a name or a regular expression"))
        )
        checks.choice(self.normalization, "normalization", NORMALIZATIONS)
        for name in ("lowercase", "strip_accents"):
            checks.true_or_false(getattr(self, name), name)

    @classmethod
    def of(cls, settings: CountSettings | None) -> WordSettings:
        """Extract the settings from a TrainConfig; the defaults for None. Raises ConfigError for anything else.

        >>> from bpe_core import TrainConfig
        >>> WordSettings.of(TrainConfig()).split
        'gpt2'
        """
        if settings is None:
            return cls()
        try:
            return cls(settings.split, settings.normalization, settings.lowercase, settings.strip_accents)
        except AttributeError:
            raise ConfigError(
                message(
                    "The settings are {value} of type {type}.",
                    value=quoted(settings),
                    type=type(settings).__name__,
                ),
                limit=message("Settings are a TrainConfig."),
                remedy=message('Write for example TrainConfig(split="cl100k").'),
            ) from None

    def require(self, wanted: CountSettings) -> None:
        """Raise ConfigError, with the setting's name, if `wanted` would give other words.

        >>> from bpe_core import TrainConfig
        >>> WordSettings("cl100k").require(TrainConfig())
        Traceback (most recent call last):
            ...
        bpe_core.errors.ConfigError: split is 'gpt2', and the words were counted with split 'cl100k'. Words are \
counted with one split and one normalization. Ask for split='cl100k', or count the words again with 'gpt2'.
        """
        for setting in fields(self):
            mine, other = getattr(self, setting.name), getattr(wanted, setting.name)
            if mine != other:
                raise ConfigError(
                    message(
                        "{name} is {other}, and the words were counted with {name} {mine}.",
                        name=setting.name,
                        other=quoted(other),
                        mine=quoted(mine),
                    ),
                    limit=message("Words are counted with one split and one normalization."),
                    remedy=message(
                        "Ask for {name}={mine}, or count the words again with {other}.",
                        name=setting.name,
                        mine=quoted(mine),
                        other=quoted(other),
                    ),
                )


@dataclass(frozen=True, eq=False, repr=False)
class WordCounts(ReadOnlyArrays):
    """Distinct words of a corpus, or of parts of it, in first-seen order. Immutable.

    text        UTF-8 of all words, concatenated; word w is text[offsets[w]:offsets[w + 1]]
    offsets     int64[words + 1]: byte offsets into `text`
    counts      int64[words]: count of each, at least 1
    places      int64[words], ascending: where each is first seen; its part number times 2**40, plus its order in the
                part
    settings    normalization and split of the texts
    parts       parts of the corpus that were counted: ranges of numbers (first, last), ascending
    surrogates  number of lone surrogates replaced by U+FFFD
    dropped     bytes of text in the words removed by `without_rare`

    Parts counted separately, even in other processes, merge to the whole in any order:

    >>> from bpe_core import TrainConfig, count_words, train
    >>> config = TrainConfig(split="words", vocab_size=258)
    >>> last, first = count_words("low lowest", config, part=1), count_words("lower low lower", config, part=0)
    >>> whole = last.merge(first)
    >>> whole, whole.words, whole.counts.tolist(), whole == first.merge(last)
    (<WordCounts: 3 words that occur 5 times>, ('lower', 'low', 'lowest'), [2, 2, 1], True)
    >>> train(whole, config).merges == train(["lower low lower", "low lowest"], config).merges
    True
    """

    text: bytes
    offsets: Int64s
    counts: Int64s
    places: Int64s
    settings: WordSettings
    parts: tuple[tuple[int, int], ...] = ((0, 0),)
    surrogates: int = 0
    dropped: int = field(default=0, kw_only=True)

    def __len__(self) -> int:
        """Number of distinct words."""
        return len(self.counts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WordCounts):
            return NotImplemented
        arrays = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _ARRAYS)
        return arrays and self.text == other.text and self._facts == other._facts

    def __hash__(self) -> int:
        return hash((self.text, self.settings, self.parts))

    def __repr__(self) -> str:
        return f"<WordCounts: {len(self):,} words that occur {self.total:,} times>"

    @property
    def _facts(self) -> tuple[object, ...]:
        return self.settings, self.parts, self.surrogates, self.dropped

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words as Python strings, created on first use: for corpora that fit into memory in this form."""
        return tuple(self.text[start:end].decode() for start, end in pairwise(self.offsets.tolist()))

    @property
    def total(self) -> int:
        """Number of words in the texts, every occurrence counted.

        >>> from bpe_core import TrainConfig, count_words
        >>> count_words("low low", TrainConfig()).total
        2
        """
        return int(self.counts.sum())

    @property
    def size(self) -> int:
        """Bytes of the normalized texts in UTF-8, without text dropped by the split.

        >>> from bpe_core import TrainConfig, count_words
        >>> count_words("low low", TrainConfig()).size
        7
        """
        return int(np.diff(self.offsets) @ self.counts) + self.dropped

    @property
    def dropped_share(self) -> float:
        """Share of the text, in bytes, that `without_rare` removed: 0.0 to 1.0.

        >>> from bpe_core import TrainConfig, count_words
        >>> count_words("low low lower", TrainConfig(split="words")).without_rare(2).dropped_share
        0.45454545454545453
        """
        return self.dropped / self.size if self.size else 0.0

    def merge(self, *others: WordCounts) -> WordCounts:
        """Merge word counts; the result is the same in any order and grouping.

        Raises ConfigError for counts of other settings, and if two include the same part, which would then count twice.
        See `count_words` and `from_part` for the numbering of parts.

        >>> from bpe_core import TrainConfig, count_words
        >>> counts = count_words("low", TrainConfig())
        >>> counts.merge(counts)
        Traceback (most recent call last):
            ...
        bpe_core.errors.ConfigError: Part 0 is in both word counts. Every part of a corpus is counted once. \
Count each with a part number of its own, or renumber them with from_part.
        """
        every = [
            self,
            *(checks.instance(each, message("What to merge"), WordCounts, "WordCounts") for each in others),
        ]
        for each in others:
            self.settings.require(each.settings)
        parts = _joined_parts([part for each in every for part in each.parts])
        if len(every) == 1:
            return self
        made = merged_rows([each.rows for each in every])
        surrogates, dropped = sum(each.surrogates for each in every), sum(each.dropped for each in every)
        return WordCounts(*made, self.settings, parts, surrogates, dropped=dropped)

    def from_part(self, first: int) -> WordCounts:
        """Renumber the parts from `first` on, in the same order.

        For counts made separately, each from part 0. Raises ConfigError for numbers out of range.

        >>> from bpe_core import TrainConfig, count_words
        >>> counts = [count_words(text, TrainConfig()) for text in ("low", " new")]
        >>> counts[0].merge(counts[1].from_part(1)).words
        ('low', ' new')
        """
        if not self.parts:
            return self
        room = MOST_PARTS - 1 - (self.parts[-1][1] - self.parts[0][0])
        by = checks.whole_number(first, "first", 0, room) - self.parts[0][0]
        parts = tuple((low + by, high + by) for low, high in self.parts)
        return replace(self, places=self.places + (by << PART_BITS), parts=parts)

    def without_rare(self, least: int) -> WordCounts:
        """Words with a count of at least `least`; `dropped` and `dropped_share` measure the removed text.

        Removal from parts is not undone by merging: merge first, then remove. Raises ConfigError unless `least` is a
        whole number, at least 1.

        >>> from bpe_core import TrainConfig, count_words
        >>> count_words("low low lower", TrainConfig(split="words")).without_rare(2).words
        ('low',)
        """
        least = checks.whole_number(least, message("The least count"), 1)
        kept = self.counts >= least
        if kept.all():
            return self
        dropped = int(np.diff(self.offsets)[~kept] @ self.counts[~kept])
        return replace(self, **taken(self.rows, np.flatnonzero(kept))._asdict(), dropped=self.dropped + dropped)

    @property
    def rows(self) -> Rows:
        """Words, counts and places, as the columns of a file.

        >>> from bpe_core import TrainConfig, count_words
        >>> count_words("low", TrainConfig()).rows.text
        b'low'
        """
        return Rows(self.text, self.offsets, self.counts, self.places)

    def save(self, path: str | PathLike[str]) -> None:
        """Save as Parquet: word (binary), count and place (int64); settings and parts are in the schema's metadata.

        Raises FormatError for a path that cannot be written.

        >>> from tempfile import TemporaryDirectory
        >>> from bpe_core import TrainConfig, count_words
        >>> counts = count_words("low lower low", TrainConfig())
        >>> with TemporaryDirectory() as folder:
        ...     counts.save(f"{folder}/counts.parquet")
        ...     WordCounts.load(f"{folder}/counts.parquet") == counts
        True
        """
        settings = {setting.name: getattr(self.settings, setting.name) for setting in fields(WordSettings)}
        facts = {"parts": self.parts, "surrogates": self.surrogates, "dropped": self.dropped}
        write_rows(path, self.rows, {**settings, **facts})

    @classmethod
    def load(cls, path: str | PathLike[str]) -> WordCounts:
        """Load a file written by `save`. Raises FormatError for any other file, and for a damaged one, with the reason.

        >>> WordCounts.load("README.md")
        Traceback (most recent call last):
            ...
        bpe_core.errors.FormatError: 'README.md' cannot be read: it is not a Parquet file that can be read: ...
        """
        rows, facts = read_rows(path)
        try:
            settings, parts, numbers = _checked_facts(facts)
            check_total(rows)
        except BpeError as error:
            raise FormatError(
                message("{source} cannot be read: {problem}", source=quoted(str(path)), problem=error.problem),
                limit=error.limit,
                remedy=message("Count the words again, or get the file again from its source."),
            ) from None
        known = sum(last - first + 1 for first, last in parts)
        inside = np.zeros(len(rows.places), bool)
        for first, last in parts:
            inside |= (rows.places >> PART_BITS >= first) & (rows.places >> PART_BITS <= last)
        distinct = int(numbered(rows.text, rows.offsets).max(initial=-1)) + 1
        if not inside.all() or distinct < len(rows.counts):
            twice = len(rows.counts) - distinct
            problem = (
                message("{words:,} words are in it twice", words=twice)
                if twice
                else message("words have places outside of its {parts:,} parts", parts=known)
            )
            raise FormatError(
                message("{source} cannot be read: {problem}.", source=quoted(str(path)), problem=problem),
                limit=message("Every word is there once, at the place in its part where it is first seen."),
                remedy=message("Count the words again, or get the file again from its source."),
            )
        return cls(*rows, settings, parts, numbers["surrogates"], dropped=numbers["dropped"])


_ARRAYS = ("offsets", "counts", "places")


def _joined_parts(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Sort the ranges and join consecutive ones. Raises ConfigError if two overlap."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1]:
            raise ConfigError(
                message("Part {first:,} is in both word counts.", first=first),
                limit=message("Every part of a corpus is counted once."),
                remedy=message("Count each with a part number of its own, or renumber them with from_part."),
            )
        if joined and first == joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return tuple(joined)


def _checked_facts(facts: dict[str, Any]) -> tuple[WordSettings, tuple[tuple[int, int], ...], dict[str, int]]:
    """Parse the metadata of a file. Raises BpeError for missing or invalid values."""
    given = {setting.name: facts.get(setting.name) for setting in fields(WordSettings)}
    numbers = {name: checks.whole_number(facts.get(name), name, 0, MOST_TOTAL) for name in ("surrogates", "dropped")}
    parts = checks.instance(facts.get("parts"), "parts", list, message("a list of ranges"))
    ranges = []
    for part in parts:
        first, last = part if isinstance(part, list) and len(part) == 2 else (part, None)
        first = checks.whole_number(first, message("The first of a range of parts"), 0, MOST_PARTS - 1)
        ranges.append(
            (first, checks.whole_number(last, message("The last of a range of parts"), first, MOST_PARTS - 1))
        )
    return WordSettings(**given), _joined_parts(ranges), numbers  # type: ignore[arg-type]
