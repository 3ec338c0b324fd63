"""Words that a training learns from, its distinct words as flat arrays of ids, and the merges learned from them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.arrays import ReadOnlyArrays, read_only
from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.vocabulary import TrainingBase
from bpe_core.bpe.word_places import FirstText
from bpe_core.errors import ConfigError, CorpusError, quoted
from bpe_core.language import message
from bpe_core.text.counting import count_texts
from bpe_core.text.files import Text
from bpe_core.text.splits import Split
from bpe_core.text.word_counts import WordCounts
from bpe_core.work import taking

Progress = Callable[[int, int], object]
"""Called with (merges done, merges in total); an exception raised here cancels the training."""

StopReason = Literal["vocabulary full", "no pairs left", "below min_count"]

NEVER = np.iinfo(np.int32).max
"""Placeholder for a rank: no merge joined this symbol to the one before it."""


_SPELLED = 20
"""Memory in bytes of spelling the words in symbols, per byte of the words."""


class _Columns(NamedTuple):
    ids: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


class Corpus(_Columns):
    """Distinct words in first-seen order: word i is ids[offsets[i]:offsets[i + 1]] with the count counts[i].

    ids      int32: the symbols of all words, concatenated
    offsets  int64[words + 1]
    counts   int64[words]

    The arrays are read-only.

    >>> corpus = Corpus.of([[1, 2], [3]], [5, 1])
    >>> corpus.ids.tolist(), corpus.offsets.tolist(), corpus.token_count
    ([1, 2, 3], [0, 2, 3], 11)
    """

    __slots__ = ()

    def __new__(
        cls, ids: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]
    ) -> Corpus:
        return super().__new__(cls, read_only(ids), read_only(offsets), read_only(counts))

    @classmethod
    def of(cls, words: Iterable[Sequence[int]], counts: Sequence[int]) -> Corpus:
        """Make a corpus from words given as sequences of ids.

        >>> Corpus.of([[1, 2], [3]], [5, 1]).offsets.tolist()
        [0, 2, 3]
        """
        sizes: list[int] = []
        flat: list[int] = []
        for word in words:
            flat += word
            sizes.append(len(word))
        return cls(np.array(flat, np.int32), np.cumsum([0, *sizes]), np.array(counts, np.int64))

    @classmethod
    def of_words(cls, base: TrainingBase, counted: WordCounts) -> Corpus:
        """Make a corpus from counted words, spelled in symbols of their base vocabulary.

        >>> from bpe_core import TrainConfig, count_words
        >>> from bpe_core.bpe.vocabulary import base_vocabulary
        >>> config = TrainConfig(split="words")
        >>> Corpus.of_words(base_vocabulary(config, []), count_words("ab c ab", config)).words()
        [[97, 98], [99]]
        """
        with taking(_SPELLED * len(counted.text)):
            ids, offsets, _ = base.flat(counted.text, counted.offsets)
            return cls(ids, offsets, counted.counts)

    def words(self, n: int | None = None) -> list[list[int]]:
        """First `n` words (all if None) as lists of ids.

        >>> Corpus.of([[1, 2], [3]], [5, 1]).words(1)
        [[1, 2]]
        """
        ends = self.offsets if n is None else self.offsets[: n + 1]
        flat: list[int] = self.ids[: int(ends[-1])].tolist()
        return [flat[start:end] for start, end in pairwise(ends.tolist())]

    @property
    def word_ids(self) -> npt.NDArray[np.int64]:
        """int64: index of the word that each symbol belongs to.

        >>> Corpus.of([[1, 2], [3]], [5, 1]).word_ids.tolist()
        [0, 0, 1]
        """
        return np.repeat(np.arange(len(self.counts)), np.diff(self.offsets))

    @property
    def token_count(self) -> int:
        """Number of tokens in the whole corpus: the symbols of each word times its count.

        >>> Corpus.of([[1, 2], [3]], [5, 1]).token_count
        11
        """
        return int(np.diff(self.offsets) @ self.counts)


class Plan(NamedTuple):
    """Parameters of the merge loop: at most `most` merges, the first of which makes the id `first_id`.

    tie_break  which pair wins a tie: "first-seen", "lowest-ids" or "first-counted"
    min_count  pairs that occur fewer times are not merged
    forced     pairs to merge first, whatever their counts

    >>> Plan(first_id=256, most=3).tie_break
    'first-seen'
    """

    first_id: int
    most: int
    tie_break: str = "first-seen"
    min_count: int = 1
    forced: Sequence[tuple[int, int]] = ()


class Learned(NamedTuple):
    """Merges of a training and, if the kernels made them, the places where each was applied.

    rows                     int64[merges, 4]: left id, right id, count when chosen, occurrences replaced
    merged_at, merged_ends   as in `merge_loop.MergeLoop`; None if plain Python trained
    counted                  int64[pairs, 2]: every pair that ever occurred, in that order; None unless ties need it

    >>> from bpe_core.bpe import plain
    >>> plain.learn(Corpus.of([[1, 1, 1]], [2]), Plan(first_id=2, most=1), lambda done, total: None).rows.tolist()
    [[1, 1, 4, 2]]
    """

    rows: npt.NDArray[np.int64]
    merged_at: npt.NDArray[np.int32] | None = None
    merged_ends: npt.NDArray[np.int64] | None = None
    counted: npt.NDArray[np.int64] | None = None


def stop_reason(corpus: Corpus, learned: Learned, most: int) -> StopReason:
    """Reason why a training of at most `most` merges ended after those of `learned`.

    >>> from bpe_core.bpe import plain
    >>> corpus, plan = Corpus.of([[1, 1, 1]], [2]), Plan(first_id=2, most=9)
    >>> stop_reason(corpus, plain.learn(corpus, plan, lambda done, total: None), 9)
    'no pairs left'
    """
    if len(learned.rows) == most and corpus.token_count != corpus.counts.sum():
        return "vocabulary full"
    left = corpus.token_count - int(learned.rows[:, 3].sum()) > int(corpus.counts.sum())
    return "below min_count" if left else "no pairs left"


@dataclass(frozen=True, eq=False)
class PairCounts(ReadOnlyArrays):
    """Every adjacent pair of a corpus in first-seen order; read-only arrays of equal length.

    left, right  int32: the ids of the pair
    count        int64: its count in the whole corpus, overlaps included

    >>> from bpe_core.bpe import plain
    >>> pairs = plain.pair_counts(Corpus.of([[1, 1, 1], [1, 2]], [10, 5]))
    >>> pairs.left.tolist(), pairs.right.tolist(), pairs.count.tolist()
    ([1, 1], [1, 2], [20, 5])
    """

    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    count: npt.NDArray[np.int64]


class CountedChange(NamedTuple):
    """A pair whose count a merge changes: the ids of the pair, and its count before and after the merge.

    >>> from bpe_core.bpe import plain
    >>> plain.count_changes(Corpus.of([[1, 2]], [3]), 1, 2, 4)
    [CountedChange(left=1, right=2, before=3, after=0)]
    """

    left: int
    right: int
    before: int
    after: int


def checked_forced(
    forced: Sequence[tuple[int, int]], first_id: int, alone: Container[int], most: int
) -> list[tuple[int, int]]:
    """Return the forced pairs as ints. Raises ConfigError for an id that does not exist at that step.

    `alone`: ids that no merge may join.

    >>> checked_forced([(97, np.int32(98))], 256, (), 10)
    [(97, 98)]
    """
    if not isinstance(forced, Sequence):
        raise ConfigError(
            message("The merges to force are {forced}.", forced=quoted(forced)),
            limit=message("They are a sequence of pairs of ids."),
            remedy=message("Write for example [(97, 98)]."),
        )
    if len(forced) > most:
        raise ConfigError(
            message("There are {number:,} merges to force.", number=len(forced)),
            limit=message("The vocabulary has room for {most:,}.", most=most),
            remedy=message("Ask for a larger vocab_size, or force fewer."),
        )
    checked: list[tuple[int, int]] = []
    for rank, pair in enumerate(forced):
        highest = first_id + rank - 1
        if not (checks.is_pair_of_ids(pair) and all(0 <= i <= highest and i not in alone for i in pair)):
            raise ConfigError(
                message("The pair {pair} cannot be merge {rank:,}.", pair=quoted(pair), rank=rank),
                limit=message(
                    "A pair is two ids from 0 to {highest:,}, none of them a special token.", highest=highest
                ),
                remedy=message("Choose two tokens that exist at that step."),
            )
        checked.append((int(pair[0]), int(pair[1])))
    return checked


MOST_SYMBOLS = (1 << 31) - 2
"""Limit on the bytes of distinct words, plus two per word: indices have 32 bits."""


def words_and_text(
    texts: Text | Iterable[Text] | WordCounts, config: TrainConfig, *, library: bool = False
) -> tuple[WordCounts, FirstText]:
    """Words to train on, and the first text. `library`: as in Split; word counts are used unchanged.

    Raises ConfigError for counts of other settings or too many words.

    >>> from bpe_core import TrainConfig
    >>> counts, text = words_and_text("low lower low", TrainConfig(split="words"))
    >>> counts.words, text.text
    (('low', 'lower'), 'low lower low')
    """
    split = Split(config.split, library=library)
    if not isinstance(texts, WordCounts):
        found = count_texts(texts, config, library=library)
        return found.counts, FirstText(found.first_text, split)
    texts.settings.require(config)
    symbols = len(texts.text) + 2 * len(texts)
    if symbols > MOST_SYMBOLS:
        raise CorpusError(
            message(
                "The {words:,} distinct words have {bytes:,} bytes.",
                words=len(texts),
                bytes=len(texts.text),
            ),
            limit=message("The limit is {most:,} bytes, plus two per word.", most=MOST_SYMBOLS),
            remedy=message("Leave out rare words first, with without_rare or --min-word-count."),
        )
    return texts, FirstText(None, split, counted=True)
