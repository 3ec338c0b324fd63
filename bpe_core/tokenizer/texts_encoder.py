"""Encodings of many texts from one scan of all of them; everything but the ids is computed on first access."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from bpe_core import checks
from bpe_core.arrays import Int64s, read_only
from bpe_core.kernels import backend, layout
from bpe_core.kernels.layout import DistinctWords, Layout, Ranges, WordRanges
from bpe_core.kernels.scan import WordTable
from bpe_core.language import message
from bpe_core.text.batches import in_batches
from bpe_core.text.normalization import Normalized
from bpe_core.text.split_tables import stand_ins
from bpe_core.text.splits import COVERING, Split
from bpe_core.tokenizer.encoding import Encoding, Others
from bpe_core.tokenizer.text_encoder import PER_BYTE
from bpe_core.tokenizer.token_places import Later, TokenPlaces, TokenWords
from bpe_core.tokenizer.tokenizer import ONLY_STR, SPECIAL_MODES, Special, Tokenizer
from bpe_core.work import taking

_FEW = 16
"""Number of texts up to which encoding each alone is faster."""


def encoded_texts(tokenizer: Tokenizer, texts: Iterable[str], special: Special) -> list[Encoding]:
    """Encodings of all texts, equal to `tokenizer.encode` of each. Raises as `Tokenizer.encode_batch` does.

    Without normalization, and with a named split whose words cover all of a text, the texts are encoded together. Their
    encodings share one array of ids, and one of each kind of places, computed for all of them on first access.

    >>> from bpe_core import load_pretrained
    >>> [found.ends.tolist() for found in encoded_texts(load_pretrained("gpt2"), ["low lower", ""] * 20, "text")[:2]]
    [[3, 9], []]
    """
    if not checks.is_iterable(texts) or isinstance(texts, str | bytes | bytearray):
        raise checks.wrong(
            texts,
            "texts",
            message("It takes a sequence of {wanted}.", wanted=message("texts")),
            message("Put a single text into a list, or use encode."),
        )
    checks.choice(special, "special", SPECIAL_MODES)
    given = (text if isinstance(text, str) else checks.given_text(text, limit=ONLY_STR) for text in texts)
    made: list[Encoding] = []
    for several in in_batches(given):
        data = _plain(tokenizer, several, special) if len(several) > _FEW else None
        if data is None:
            made += [tokenizer.encode(text, special=special) for text in several]
        else:
            with taking(PER_BYTE * len(data)):
                made += _Texts(tokenizer, several, data).encodings()
    return made


def _plain(tokenizer: Tokenizer, texts: list[str], special: Special) -> bytes | None:
    """UTF-8 of the texts joined, if their words are found by the compiled scan alone; otherwise None."""
    split = tokenizer.split
    if not isinstance(split, Split) or split.by_model or split.pattern not in COVERING or tokenizer.normalizer.steps:
        return None
    if not (tokenizer.model.is_compiled and backend.is_ready()):
        return None
    joined = "".join(texts)
    if (special != "text" or tokenizer._special.always_found) and any(
        name in joined for name in tokenizer._special.ids
    ):
        return None
    try:
        return joined.encode()
    except UnicodeEncodeError:  # lone surrogates
        return None


class _Texts:
    """Texts encoded together: their joined tokens, and the index at which each text begins."""

    def __init__(self, tokenizer: Tokenizer, texts: Sequence[str], data: bytes) -> None:
        self._tokenizer, self._texts, self._data = tokenizer, texts, data
        self._characters = _edges(map(len, texts))
        self._bytes = self._characters if data.isascii() else _edges(len(text.encode()) for text in texts)
        split, model = tokenizer.split, tokenizer.model
        assert isinstance(split, Split)
        table = WordTable()
        word_starts, numbers = table.number_texts(
            data, self._bytes[:-1], self._bytes[1:], split.pattern, stand_ins() if split.library else ()
        )
        encoded, lengths = model.encode_words(table)
        ids = self._ids = read_only(layout.lay_out_ids([numbers], encoded))
        self._words = np.searchsorted(word_starts, self._bytes)
        self._tokens = _edges(np.diff(encoded.offsets)[numbers])[self._words]

        def laid_out() -> Layout:
            return Layout([numbers], DistinctWords.of(table.text.tobytes(), table.offsets, encoded, lengths))

        def words(of_words: WordRanges, _: Later[Ranges]) -> TokenWords:
            unknown = np.zeros(len(ids), np.bool_) if model.unknown_id is None else ids == model.unknown_id
            return TokenWords(*of_words, unknown)

        self._places = TokenPlaces.laid_out(len(ids), laid_out, words, lambda ranges: ranges)

    def encodings(self) -> list[Encoding]:
        """Encoding of each text."""
        edges = enumerate(pairwise(self._tokens.tolist()))
        return [Encoding.later(self._ids[first:last], self._others, at) for at, (first, last) in edges]

    def _others(self, at: int) -> Others:
        places = TokenPlaces(
            Later(lambda: self._ranges_of(at, self._places.in_bytes, self._bytes)),
            Later(lambda: self._ranges_of(at, self._places.in_characters, self._characters)),
            Later(lambda: self._words_of(at)),
        )
        return Normalized.of(self._texts[at]), self._tokenizer.token_bytes, places

    def _ranges_of(self, at: int, ranges: Later[Ranges], edges: Int64s) -> Ranges:
        """Ranges of one text, in bytes or characters; `edges`: starts of the texts in the same unit."""
        (first, last), (starts, ends), begin = self._tokens[at : at + 2].tolist(), ranges.get(), int(edges[at])
        return Ranges(starts[first:last] - begin, ends[first:last] - begin)

    def _words_of(self, at: int) -> TokenWords:
        (token, next_token), (word, next_word) = (each[at : at + 2].tolist() for each in (self._tokens, self._words))
        found, byte = self._places.words.get(), int(self._bytes[at])
        return TokenWords(
            found.word_ids[token:next_token] - word,
            found.word_starts[word:next_word] - byte,
            found.word_ends[word:next_word] - byte,
            found.special[token:next_token],
        )


def _edges(sizes: Iterable[int]) -> Int64s:
    """Start of each of consecutive parts of these sizes, then the end of the last."""
    return np.cumsum([0, *sizes], dtype=np.int64)
