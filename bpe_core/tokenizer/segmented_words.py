"""Helpers for models with pieces: conversion of the kernels' tokens to words, and the error for unknown text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bpe_core import checks
from bpe_core.errors import CorpusError, VocabularyError, quoted
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.pieces import Segmented
from bpe_core.kernels.scan import WordTable
from bpe_core.language import message
from bpe_core.tokenizer.model import EncodedWords


def encoded_words(found: Segmented, words: WordTable, refused: Callable[[str], CorpusError]) -> EncodedWords:
    """Tokens of words from the kernels' result; `refused` creates the error for a word without tokens.

    >>> from bpe_core.kernels.pieces import PieceTree, longest_matches
    >>> words, tree = WordTable.of([b"ab", b"a"]), PieceTree([b"a", b"b"], [0, 1])
    >>> found = longest_matches(words.text.tobytes(), words.offsets, tree, tree)
    >>> encoded_words(found, words, lambda word: no_unknown(word, "[UNK]")).words.offsets.tolist()
    [0, 2, 3]
    """
    lacking = np.flatnonzero(found.sizes < 0)
    if len(lacking):
        first, last = words.offsets[lacking[0] : lacking[0] + 2].tolist()
        raise refused(words.text[first:last].tobytes().decode("utf-8", "replace"))
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(found.sizes)])
    return EncodedWords(Words(found.ids, offsets), found.lengths)


def no_unknown(word: str, unknown: str) -> CorpusError:
    """Error for a word that a vocabulary cannot spell, without a token for unknown text.

    >>> print(no_unknown("hugs", "[UNK]"))
    'hugs' cannot be encoded: it contains text that no token spells. The vocabulary has no token '[UNK]', which \
unknown text would become. Add it to the vocabulary, or leave that text out.
    """
    return CorpusError(
        message("{word} cannot be encoded: it contains text that no token spells.", word=quoted(word)),
        limit=message(
            "The vocabulary has no token {unknown}, which unknown text would become.", unknown=quoted(unknown)
        ),
        remedy=message("Add it to the vocabulary, or leave that text out."),
    )


def as_bytes(word: str) -> bytes:
    """Bytes of a word; a lone surrogate becomes the byte that "surrogateescape" decoded it from.

    >>> as_bytes("é"), as_bytes(b"\\xff".decode("utf-8", "surrogateescape"))
    (b'\xc3\xa9', b'\xff')
    """
    return word.encode("utf-8", "surrogateescape")


def check_pieces(value: object) -> None:
    """Raise VocabularyError unless these are the pieces of a vocabulary by id: strings, or None for an unused id.

    >>> check_pieces(["low", None])
    """
    for piece in checks.sequence(value, "pieces", message("texts"), error=VocabularyError):
        if piece is not None and not (type(piece) is str and piece.isascii()):
            checks.utf8_text(piece, message("A piece"), error=VocabularyError)
