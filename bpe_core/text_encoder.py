"""Whole texts to tokens by the compiled kernels: scan the words, encode each distinct one once, lay the tokens out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bpe_core import encoder, scan
from bpe_core.encoder import TextTokens
from bpe_core.engine import Words
from bpe_core.errors import CorpusError
from bpe_core.merges import Merges
from bpe_core.normalize import Normalized, utf8_lengths
from bpe_core.scan import TextWords, WordTable
from bpe_core.split import compile_split, spans
from bpe_core.vocabulary import BaseVocabulary

MOST_BYTES = (1 << 31) - 1
"""UTF-8 bytes of one text; offsets are 32 bits wide."""

Segment = tuple[Normalized, int | None]
"""A piece of normalized text and None, or the name of a special token and its id."""


class TextEncoder:
    """A tokenizer's split, base vocabulary and merges, made ready for the kernels once."""

    def __init__(self, split: str, base: BaseVocabulary, merges: Merges, text_lengths: npt.NDArray[np.int32]) -> None:
        """`text_lengths`: the bytes of text that each id stands for."""
        self._split = split
        self._base = base
        self._merges = merges
        self._text_lengths = text_lengths

    def encode(self, segments: Sequence[Segment]) -> TextTokens:
        """The tokens of a text that was cut at its special tokens; `word_ids` -1 for a special token.

        Raises CorpusError for a text of more than MOST_BYTES.
        """
        data = [piece.utf8 for piece, _ in segments]
        starts = np.cumsum([0, *(len(part) for part in data)])
        if starts[-1] > MOST_BYTES:
            raise CorpusError(
                f"The text has {int(starts[-1]):,} bytes.",
                limit=f"One text may have {MOST_BYTES:,}.",
                remedy="Encode it in parts, for example line by line.",
            )
        table = WordTable()
        words: list[TextWords] = []
        specials: list[tuple[int, int, int]] = []
        for (piece, special_id), part, start in zip(segments, data, starts.tolist(), strict=False):
            if special_id is None:
                found = self._words(table, piece.text, part)
                words.append(found if not start else _moved(found, start))
            else:
                specials.append((start, len(part), special_id))
        all_words = words[0] if len(words) == 1 else TextWords(*map(np.concatenate, zip(*words, strict=True)))
        encoded, lengths = self._encode_words(table)
        tokens = encoder.lay_out(b"".join(data), all_words, encoded, lengths)
        return _with_specials(tokens, specials) if specials else tokens

    def _words(self, table: WordTable, text: str, data: bytes) -> TextWords:
        """Where the words of a text stand, and which word of the table each is."""
        if self._split in scan.SPLITS:
            return table.index(data, self._split)
        found = np.array(list(spans(compile_split(self._split), text)), np.int64).reshape(-1, 2)
        edges = np.concatenate(([0], np.cumsum(utf8_lengths(text))))[found]
        return TextWords(edges[:, 0], edges[:, 1], table.add_spans(data, edges[:, 0].copy(), edges[:, 1].copy()))

    def _encode_words(self, table: WordTable) -> tuple[Words, npt.NDArray[np.int32]]:
        """The tokens of the distinct words, and the bytes of text that each token covers."""
        text = table.text.tobytes()
        symbols = Words(*self._base.flat_symbols(text, table.offsets))
        encoded = encoder.encode_words(symbols, self._merges.pair_table, wholes=self._merges.wholes(table))
        lengths = self._text_lengths[encoded.symbols]
        unknown = encoded.symbols == self._base.unknown_id
        if unknown.any():  # <unk> merges with nothing: the unknown characters stand in the order of its ids
            chars = text.decode()
            known = self._base.char_ids
            lengths[unknown] = [len(char.encode()) for char in chars if char not in known]
        return encoded, lengths


def _moved(words: TextWords, start: int) -> TextWords:
    return TextWords(words.starts + start, words.ends + start, words.word_ids)


def _with_specials(tokens: TextTokens, specials: Sequence[tuple[int, int, int]]) -> TextTokens:
    """The tokens with special ones (start, size, id) put in where they stand."""
    starts, sizes, ids = np.array(specials, np.int32).T
    at = np.searchsorted(tokens.starts, starts, side="right")  # behind an end-of-word mark, which covers nothing
    return TextTokens(
        np.insert(tokens.ids, at, ids),
        np.insert(tokens.starts, at, starts),
        np.insert(tokens.ends, at, starts + sizes),
        np.insert(tokens.word_ids, at, -1),
    )
