"""Words that a tokenizer has encoded before, for short texts: most of their words are common ones."""

from __future__ import annotations

import sys
from itertools import pairwise
from threading import Lock
from typing import Self

from bpe_core.kernels import backend
from bpe_core.kernels.scan import WordTable
from bpe_core.tokenizer.model import Model, WordTokens

MOST_BYTES = 8 << 20
"""The most memory that the words of one tokenizer take, about; then it forgets them all and begins anew."""

_LONGEST = 64
"""Characters of the longest word that is remembered: longer ones seldom come again."""
_PER_WORD, _PER_TOKEN = 280, 48
"""About how many bytes an entry takes besides its word, and each of its tokens."""
_FEW = 24
"""Characters that plain Python encodes about as quickly as the kernels start."""

_Tokens = tuple[tuple[int, ...], tuple[int, ...]]  # ids and lengths, as in WordTokens


class RememberedWords:
    """The tokens of the words that a model encoded last, by word, within MOST_BYTES. For any number of threads.

    Copies and pickles begin with none: the words are those of texts.

    >>> from bpe_core import load_pretrained
    >>> words = RememberedWords(load_pretrained("gpt2").model)
    >>> words.ids_of(["low", " lowest"]), words.ids_of(["low"])
    ([9319, 9016], [9319])
    >>> words.tokens_of("lowest")
    WordTokens(ids=(9319, 395), lengths=(3, 3))
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._known: dict[str, _Tokens] = {}
        self._bytes = 0
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[Self], tuple[Model]]:
        return type(self), (self._model,)

    def ids_of(self, words: list[str]) -> list[int]:
        """The ids of the tokens of words, one word after the other."""
        known = self._known
        ids: list[int] = []
        try:
            for word in words:
                ids += known[word][0]
        except KeyError:
            found = self._encoded([word for word in dict.fromkeys(words) if word not in known])
            return [token_id for word in words for token_id in (found.get(word) or known[word])[0]]
        return ids

    def tokens_of(self, word: str) -> WordTokens:
        """The tokens of one word, and the bytes that each covers."""
        known = self._known.get(word)
        return WordTokens(*(known or self._encoded([word])[word]))

    def _encoded(self, words: list[str]) -> dict[str, _Tokens]:
        if self._model.is_compiled and backend.is_ready() and sum(map(len, words)) > _FEW:
            (symbols, offsets), covered = self._model.encode_words(WordTable.of(word.encode() for word in words))
            ids, lengths = symbols.tolist(), covered.tolist()
            found = {
                word: (tuple(ids[first:last]), tuple(lengths[first:last]))
                for word, (first, last) in zip(words, pairwise(offsets.tolist()), strict=True)
            }
        else:
            encoded = {word: self._model.encode_word(word) for word in words}
            found = {word: (tuple(ids), tuple(lengths)) for word, (ids, lengths) in encoded.items()}
        with self._lock:
            for word, tokens in found.items():
                if len(word) <= _LONGEST:
                    self._remember(word, tokens)
        return found

    def _remember(self, word: str, tokens: _Tokens) -> None:
        if word in self._known:  # another thread was first
            return
        size = sys.getsizeof(word) + _PER_WORD + _PER_TOKEN * len(tokens[0])
        if self._bytes + size > MOST_BYTES:
            self._known, self._bytes = {}, 0  # who is reading the old one goes on with it
        self._known[word] = tokens
        self._bytes += size
