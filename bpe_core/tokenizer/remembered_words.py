"""Cache of encoded words for short texts, most of whose words are common."""

from __future__ import annotations

import sys
from itertools import pairwise
from threading import Lock
from typing import Self

from bpe_core.kernels import backend
from bpe_core.kernels.scan import WordTable
from bpe_core.tokenizer.known_words import KnownWords
from bpe_core.tokenizer.model import Model, WordTokens

MOST_BYTES = 8 << 20
"""Approximate memory limit for the words of one tokenizer; when full, the cache is cleared."""

_LONGEST = 64
"""Characters of the longest cached word: longer ones rarely recur."""
_PER_WORD, _PER_TOKEN = 280, 48
"""Approximate bytes of an entry besides its word, and per token."""
_FEW = 24
"""Characters that plain Python encodes in about the time that the kernels need to start."""

_Tokens = tuple[tuple[int, ...], tuple[int, ...]]  # ids and lengths, as in WordTokens


class RememberedWords:
    """Tokens of the words that a model encoded recently, by word, within MOST_BYTES. Thread-safe.

    Copies and pickles start empty, because the words come from users' texts.

    >>> from bpe_core import load_pretrained
    >>> words = RememberedWords(load_pretrained("gpt2").model)
    >>> words.ids_of(["low", " lowest"]), words.ids_of(["low"])
    ([9319, 9016], [9319])
    >>> words.tokens_of("lowest")
    WordTokens(ids=(9319, 395), lengths=(3, 3))
    """

    def __init__(self, model: Model) -> None:
        self.long_texts = KnownWords(model)
        self._model = model
        self._known: dict[str, _Tokens] = {}
        self._bytes = 0
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[Self], tuple[Model]]:
        return type(self), (self._model,)

    def ids_of(self, words: list[str]) -> list[int]:
        """Ids of the tokens of words, concatenated."""
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
        """Tokens of one word, and the bytes that each covers."""
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
        if word in self._known:  # another thread cached it first
            return
        size = sys.getsizeof(word) + _PER_WORD + _PER_TOKEN * len(tokens[0])
        if self._bytes + size > MOST_BYTES:
            self._known, self._bytes = {}, 0  # readers of the old dict continue with it
        self._known[word] = tokens
        self._bytes += size
