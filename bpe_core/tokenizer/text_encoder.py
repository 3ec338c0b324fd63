"""Encoding whole texts: find the words, encode each distinct one once, and lay out the tokens with their offsets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.errors import CorpusError
from bpe_core.kernels import backend, scan, word_encoder
from bpe_core.kernels.scan import TextWords, WordTable
from bpe_core.kernels.word_encoder import TextTokens
from bpe_core.text.normalization import Normalized
from bpe_core.text.pretokenizers import SplitChain
from bpe_core.text.split_tables import stand_ins
from bpe_core.text.splits import Split
from bpe_core.text.utf8 import character_ranges
from bpe_core.tokenizer.model import Model, WordTokens

MOST_BYTES = (1 << 31) - 1
"""The most UTF-8 bytes of one text; offsets are 32 bits wide."""

_SMALL = 20_000
"""Characters that are encoded in well under a second without the compiled kernels."""

Segment = tuple[Normalized, "int | None"]
"""A part of a normalized text and None, or the text of a special token and its id."""


class Ranges(NamedTuple):
    """Where something starts and ends: int32 arrays of equal length.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> words = encode_text([(Normalized("low é", "low é"), None)], gpt2.split, gpt2.model).words
    >>> words.starts.tolist(), words.ends.tolist()
    ([0, 3], [3, 6])
    """

    starts: npt.NDArray[np.integer[Any]]
    ends: npt.NDArray[np.integer[Any]]


class EncodedText(NamedTuple):
    """The tokens of a text.

    tokens      ids, byte ranges and words of the tokens
    characters  the range of characters that each token touches
    words       the byte range of each word of the split
    parts       the segments as the split changed them, which byte ranges refer to; most splits change nothing

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> encode_text([(Normalized("low é", "low é"), None)], gpt2.split, gpt2.model).characters.ends.tolist()
    [3, 5]
    """

    tokens: TextTokens
    characters: Ranges
    words: Ranges
    parts: list[Normalized]


def encode_text(segments: Sequence[Segment], split: Split | SplitChain, model: Model) -> EncodedText:
    """The tokens of a text that was divided at its special tokens, whose `word_ids` are -1.

    Until the compiled kernels are ready, small texts are encoded in plain Python; the result is the same. Raises
    CorpusError for a text of more than MOST_BYTES.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> found = encode_text([(Normalized("low lower", "low lower"), None)], gpt2.split, gpt2.model)
    >>> found.tokens.ids.tolist(), found.words.starts.tolist()
    ([9319, 2793], [0, 3])
    """
    size = sum(len(part.text) for part, _ in segments)
    # A model without kernels gains little from those of the split, so it never waits for them to be compiled.
    compiled = backend.use_compiled(size if model.is_compiled else 0, _SMALL)
    tokens, words, parts = (_encode_compiled if compiled else _encode_plainly)(segments, split, model)
    if split.by_model:
        tokens, words = _with_found_words(tokens, model)
    utf8 = parts[0].utf8 if len(parts) == 1 else b"".join(part.utf8 for part in parts)
    return EncodedText(tokens, Ranges(*character_ranges(utf8, tokens.starts, tokens.ends)), words, parts)


_Found = tuple[TextTokens, Ranges, list[Normalized]]


def _encode_compiled(segments: Sequence[Segment], split: Split | SplitChain, model: Model) -> _Found:
    _check_size(sum(len(part.utf8) for part, _ in segments))
    table = WordTable()
    words: list[TextWords] = []
    parts: list[Normalized] = []
    specials: list[tuple[int, int, int]] = []
    start = position = 0
    for segment, special_id in segments:
        part = segment
        if special_id is None:
            part, found = _words(table, split, segment, begins=not position)
            words.append(found if not start else _moved(found, start))
        else:
            specials.append((start, len(part.utf8), special_id))
        parts.append(part)
        start += len(part.utf8)
        position += len(part.original)
    _check_size(start)
    all_words = words[0] if len(words) == 1 else TextWords(*map(np.concatenate, zip(*words, strict=True)))
    encoded, lengths = model.encode_words(table)
    tokens = word_encoder.lay_out(b"".join(part.utf8 for part in parts), all_words, encoded, lengths)
    edges = Ranges(*(np.asarray(edge, np.int32) for edge in (all_words.starts, all_words.ends)))
    return (_with_specials(tokens, specials) if specials else tokens), edges, parts


def _check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise CorpusError(
            f"The text has {size:,} bytes.",
            limit=f"One text may have {MOST_BYTES:,}.",
            remedy="Encode it in parts, for example line by line.",
        )


def _encode_plainly(segments: Sequence[Segment], split: Split | SplitChain, model: Model) -> _Found:
    """What `_encode_compiled` gives, in plain Python."""
    rows: list[tuple[int, int, int, int]] = []  # id, start, end, word
    edges: list[tuple[int, int]] = []
    parts: list[Normalized] = []
    known: dict[bytes, WordTokens] = {}
    at = position = 0
    for segment, special_id in segments:
        part = segment
        if special_id is not None:
            rows.append((special_id, at, at + len(part.utf8), -1))
        else:
            part, found = split.apply(segment, begins=not position)
            utf8 = part.utf8
            for first, last in found.tolist():
                word = utf8[first:last]
                if word not in known:
                    known[word] = model.encode_word(word.decode("utf-8", "surrogateescape"))
                start = at + first
                for token_id, length in zip(*known[word], strict=True):
                    rows.append((token_id, start, start + length, len(edges)))
                    start += length
                edges.append((at + first, at + last))
        parts.append(part)
        at += len(part.utf8)
        position += len(part.original)
    tokens = TextTokens(*np.array(rows, np.int32).reshape(-1, 4).T.copy())
    return tokens, Ranges(*np.array(edges, np.int32).reshape(-1, 2).T.copy()), parts


def _words(
    table: WordTable, split: Split | SplitChain, part: Normalized, *, begins: bool
) -> tuple[Normalized, TextWords]:
    """The text as the split changed it, where its words occur, and which word of the table each is."""
    name = "none" if split.by_model else split.pattern
    if name in scan.SPLITS:
        seen = stand_ins() if isinstance(split, Split) and split.library else ()
        return part, table.index(part.utf8, name, seen)
    changed, edges = split.apply(part, begins=begins)
    starts, ends = edges.T.copy()
    return changed, TextWords(starts, ends, table.add_spans(changed.utf8, starts, ends))


def _moved(words: TextWords, start: int) -> TextWords:
    return TextWords(words.starts + start, words.ends + start, words.word_ids)


def _with_specials(tokens: TextTokens, specials: Sequence[tuple[int, int, int]]) -> TextTokens:
    """The tokens with special ones (start, size, id) inserted where they occur."""
    starts, sizes, ids = np.array(specials, np.int32).T
    at = np.searchsorted(tokens.starts, starts, side="right")  # after an end-of-word mark, which covers nothing
    return TextTokens(
        np.insert(tokens.ids, at, ids),
        np.insert(tokens.starts, at, starts),
        np.insert(tokens.ends, at, starts + sizes),
        np.insert(tokens.word_ids, at, -1),
    )


def _with_found_words(tokens: TextTokens, model: Model) -> tuple[TextTokens, Ranges]:
    """The same tokens, in the words that the model finds: a word begins at a token that says so, or with the text."""
    plain = tokens.word_ids >= 0
    ids, regions = tokens.ids[plain], tokens.word_ids[plain]
    begins = model.begin_words(ids) | (np.diff(regions, prepend=-1) > 0)
    word_ids = np.full(len(tokens.ids), -1, np.int32)
    word_ids[plain] = np.cumsum(begins) - 1
    first = np.flatnonzero(begins)
    last = np.append(first, len(ids))[1:] - 1
    return tokens._replace(word_ids=word_ids), Ranges(tokens.starts[plain][first], tokens.ends[plain][last])
