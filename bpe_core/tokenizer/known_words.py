"""Cache of the words of long texts, with their tokens: it contains most words of the next long text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Self

import numpy as np

from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.scan import WordTable
from bpe_core.text.utf8 import count_characters
from bpe_core.tokenizer.model import EncodedWords, Model
from bpe_core.work import taking

LONG = 1 << 20
"""Minimum bytes of UTF-8 for which a text is scanned by several threads, and its words are cached."""

_MOST_WORDS, _MOST_BYTES = 1 << 18, 4 << 20
"""Maximum number of cached words, and of their bytes: at most about 60 MB of memory per tokenizer."""


class KnownTable:
    """Distinct words, and the tokens of those that have been encoded.

    >>> from bpe_core import load_pretrained
    >>> known = KnownTable(load_pretrained("gpt2").model)
    >>> known.table.add(b"low lower", "gpt2")
    >>> known.encode().words.symbols.tolist()
    [9319, 2793]
    >>> known.table.add(b"low lowest", "gpt2")
    >>> known.encode().words.symbols.tolist()
    [9319, 2793, 9016]
    """

    def __init__(self, model: Model) -> None:
        self.table = WordTable()
        self._model = model
        self._encoded = EncodedWords(Words(np.empty(0, np.int32), np.zeros(1, np.int64)), np.empty(0, np.int32))

    def encode(self) -> EncodedWords:
        """Tokens of all words; only words added since the last call are encoded."""
        (symbols, offsets), lengths = self._encoded
        new = _words_after(self.table, len(offsets) - 1)
        if len(new):
            per_byte, per_character = self._model.word_bytes
            with taking(per_byte * len(new.text) + per_character * count_characters(new.text.tobytes())):
                words, covered = self._model.encode_words(new)
            self._encoded = EncodedWords(
                Words(np.append(symbols, words.symbols), np.append(offsets, offsets[-1] + words.offsets[1:])),
                np.append(lengths, covered),
            )
        return self._encoded


def _words_after(table: WordTable, known: int) -> WordTable:
    """The words of a table that come after the `known` ones."""
    if not known:
        return table
    offsets = table.offsets[known:] - table.offsets[known]
    new = WordTable()
    new.add_spans(table.text[table.offsets[known] :].tobytes(), offsets[:-1], offsets[1:])
    return new


class KnownWords:
    """Cache of the words of long texts that a model encoded. Thread-safe.

    Copies and pickles start empty, because the words come from users' texts.

    >>> from bpe_core import load_pretrained
    >>> known = KnownWords(load_pretrained("gpt2").model)
    >>> with known.lent(LONG) as first, known.lent(LONG) as second:
    ...     first.table.add(b"low", "gpt2")
    ...     len(first.table), len(second.table)
    (1, 0)
    >>> with known.lent(LONG) as again, known.lent(10) as short:
    ...     len(again.table), len(short.table)
    (1, 0)
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._kept = KnownTable(model)
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[Self], tuple[Model]]:
        return type(self), (self.model,)

    @contextmanager
    def lent(self, size: int) -> Iterator[KnownTable]:
        """Lend a table for a text of `size` bytes: for a long text the cached one if it is free, else a new one.

        Data read from the table stays valid after it is returned, because words are only appended.
        """
        if size < LONG or not self._lock.acquire(blocking=False):
            yield KnownTable(self.model)
            return
        try:
            kept, self._kept = self._kept, KnownTable(self.model)  # the new one stays if anything fails
            yield kept
            if len(kept.table) <= _MOST_WORDS and len(kept.table.text) <= _MOST_BYTES:
                self._kept = kept
        finally:
            self._lock.release()
