"""Treatment of the edges of words by the merges of a training."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, Protocol

import numpy as np

from bpe_core import checks
from bpe_core.arrays import Bools, Int64s, sorted_place
from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.corpus import Corpus
from bpe_core.bpe.word_places import WordPlaces
from bpe_core.text.splits import Split
from bpe_core.text.utf8 import is_utf8, whole_characters


class RuleChange(NamedTuple):
    """Change of SuperBPE's split.

    step    number of merges after which the split changes; the state of this step has the new split
    before  tokens of the training text after that many merges under the first split
    after   tokens after the same merges under the second split, across the first one's edges too

    >>> from bpe_core import TrainConfig, train
    >>> config = TrainConfig(vocab_size=262, method="superbpe", transition=258)
    >>> train("on the one hand, on the other hand", config).rule_change
    RuleChange(step=2, before=28, after=28)
    """

    step: int
    before: int
    after: int


class _Training(Protocol):
    @property
    def config(self) -> TrainConfig: ...
    @property
    def _rows(self) -> Int64s: ...
    @property
    def _first_id(self) -> int: ...
    @property
    def _tokens(self) -> Sequence[bytes]: ...
    @property
    def _inner_space_counts(self) -> Int64s: ...


class Crossing:
    """Word-edge properties of a training, with defaults for methods whose merges cross no edge.

    >>> from bpe_core import TrainConfig, train
    >>> training = train("low low", TrainConfig(vocab_size=258))
    >>> training.rule_change, training.crossing.tolist(), training.replaced(1), training.inner_spaces(2)
    (None, [False, False], 2, 0)
    """

    rule_change: RuleChange | None = None

    @property
    def crossing(self: _Training) -> Bools:
        """bool[merges]: whether each merge joins two words.

        >>> from bpe_core import TrainConfig, train
        >>> config = TrainConfig(vocab_size=260, method="boundlessbpe")
        >>> training = train("low low low low", config)
        >>> training.crossing.tolist()
        [False, False, False, True]
        """
        return np.zeros(len(self._rows), np.bool_)

    def replaced(self: _Training, step: int) -> int:
        """Occurrences that the merge of a step replaced; 0 for step 0.

        >>> from bpe_core import TrainConfig, train
        >>> train("aaa", TrainConfig(vocab_size=257, split="none")).replaced(1)
        1
        """
        number = checks.step_number(step, len(self._rows))
        return int(self._rows[number - 1, 3]) if number else 0

    def inner_spaces(self: _Training, step: int) -> int:
        """Number of tokens made by the first `step` merges that have a space after another character.

        >>> from bpe_core import TrainConfig, train
        >>> config = TrainConfig(vocab_size=260, method="boundlessbpe")
        >>> train("low low low low", config).inner_spaces(4)
        1
        """
        number = checks.step_number(step, len(self._rows))
        return int(self._inner_space_counts[number])

    @cached_property
    def _inner_space_counts(self: _Training) -> Int64s:
        """int64[merges + 1]: `inner_spaces` of every step."""
        made = range(self._first_id, self._first_id + len(self._rows))
        return np.cumsum([0, *(b" " in self._tokens[token].strip(b" ") for token in made)])


def crosses_words(token: bytes, split: Split, text: bytes) -> bool:
    """Whether an edge between two words of the split is inside a token.

    The first occurrence of the token in `text` decides where the token alone does not: it completes partial characters
    at either end, and shows what follows white space at the end.

    >>> from bpe_core.text.splits import Split
    >>> split, text = Split("gpt2"), "日本、low".encode()
    >>> [crosses_words(token, split, text) for token in (b"w low", b"low", text[:4], text[3:7])]
    [True, False, False, True]
    """
    start, whole = 0, token
    at = text.find(token) if token[-1:].isspace() or not is_utf8(token) else -1
    if at >= 0:
        first, last = whole_characters(text, at, at + len(token) + 1)
        start, whole = at - first, text[first:last]
    words = split.words(whole.decode("utf-8", "replace"))
    if at < 0:
        return len(words) > 1
    edges = accumulate(len(word.encode()) for word in words)
    return any(start < edge < start + len(token) for edge in edges)


def place_of(symbols: Int64s, left: int, corpus: Corpus, places: WordPlaces, sizes: Int64s) -> int | None:
    """Offset in a text, in characters, of the first token that a merge made; None if it made none there.

    symbols  the base symbols of the corpus at which the right parts of these tokens begin, in order
    left     bytes of the left part
    places   of the words of the text
    sizes    bytes of text that each base symbol covers

    >>> from bpe_core.text.splits import Split
    >>> places, corpus = WordPlaces.of("é low", Split("gpt2")), Corpus.of([[195, 169], [32, 108, 111, 119]], [1, 1])
    >>> place_of(np.array([4]), 1, corpus, places, np.ones(256, np.int64))
    2
    """
    for symbol in symbols.tolist():
        word = sorted_place(corpus.offsets, symbol, "right") - 1
        found = np.flatnonzero(places.words == word)
        if found.size:
            before = int(sizes[corpus.ids[corpus.offsets[word] : symbol]].sum())
            start = int(places.starts[found[0]]) + before - left
            return sorted_place(places.character_starts, start, "right") - 1
    return None
