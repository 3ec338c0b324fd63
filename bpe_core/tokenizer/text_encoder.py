"""Encoding whole texts: find the words, encode each distinct one once, and lay out the tokens with their offsets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.errors import CorpusError
from bpe_core.kernels import backend, scan, word_encoder
from bpe_core.kernels.scan import TextWords, WordTable
from bpe_core.kernels.word_encoder import TextTokens
from bpe_core.language import message
from bpe_core.text.normalization import Normalized
from bpe_core.text.pretokenizers import SplitChain
from bpe_core.text.split_tables import stand_ins
from bpe_core.text.splits import Split
from bpe_core.text.utf8 import character_ranges
from bpe_core.tokenizer.encoding import TokenPlaces
from bpe_core.tokenizer.model import Model, WordTokens
from bpe_core.tokenizer.remembered_words import RememberedWords

MOST_BYTES = (1 << 31) - 1
"""The most UTF-8 bytes of one text; offsets are 32 bits wide."""

Int32s = npt.NDArray[np.int32]

_SHORT = 300
"""Characters up to which looking up each word is quicker than starting the kernels."""

_SMALL = 20_000
"""Characters that are encoded in well under a second without the compiled kernels."""

Segment = tuple[Normalized, "int | None"]
"""A part of a normalized text and None, or the text of a special token and its id."""


class EncodedText(NamedTuple):
    """The tokens of a text.

    ids     int32: their ids
    parts   the segments as the split changed them, which byte ranges refer to; most splits change nothing
    places  computes where the tokens and the words of the split are

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> found = encode_text([(Normalized("low é", "low é"), None)], gpt2.split, gpt2.model)
    >>> found.ids.tolist(), found.places().char_ends.tolist()
    ([9319, 38251], [3, 5])
    """

    ids: Int32s
    parts: list[Normalized]
    places: Callable[[], TokenPlaces]


def encode_text(
    segments: Sequence[Segment], split: Split | SplitChain, model: Model, remembered: RememberedWords | None = None
) -> EncodedText:
    """The tokens of a text that was divided at its special tokens, whose `word_ids` are -1.

    `remembered`: the words that the model has encoded before, which short texts are encoded with. Until the compiled
    kernels are ready, small texts are encoded in plain Python; the result is the same. Raises CorpusError for a text of
    more than MOST_BYTES.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> found = encode_text([(Normalized("low lower", "low lower"), None)], gpt2.split, gpt2.model)
    >>> found.ids.tolist(), found.places().word_starts.tolist()
    ([9319, 2793], [0, 3])
    """
    if remembered is not None and len(segments) == 1 and isinstance(split, Split) and not split.by_model:
        [(part, special_id)] = segments
        if special_id is None and len(part.text) <= _SHORT:
            ids = np.array(remembered.ids_of(split.words(part.text)), np.int32)
            return EncodedText(ids, [part], lambda: encode_text(segments, split, model).places())
    size = sum(len(part.text) for part, _ in segments)
    # A model without kernels gains little from those of the split, so it never waits for them to be compiled.
    compiled = backend.use_compiled(size if model.is_compiled else 0, _SMALL)
    return (_encode_compiled if compiled else _encode_plainly)(segments, split, model)


class _Ranges(NamedTuple):
    """Where something starts and ends: int32 arrays of equal length."""

    starts: npt.NDArray[np.integer[Any]]
    ends: npt.NDArray[np.integer[Any]]


def _places(
    parts: Sequence[Normalized], tokens: TextTokens, words: _Ranges, by_model: bool, model: Model
) -> TokenPlaces:
    if by_model:
        tokens, words = _with_found_words(tokens, model)
    utf8 = _joined(parts)
    special = tokens.word_ids < 0
    if model.unknown_id is not None:
        special |= tokens.ids == model.unknown_id
    chars = character_ranges(utf8, tokens.starts, tokens.ends)
    return TokenPlaces(tokens.starts, tokens.ends, *chars, tokens.word_ids, *words, special)


def _joined(parts: Sequence[Normalized]) -> bytes:
    return parts[0].utf8 if len(parts) == 1 else b"".join(part.utf8 for part in parts)


class _FoundWords(NamedTuple):
    """The words of one segment: which distinct word each is, in parts, and where they are, which few ask for."""

    start: int
    numbers: list[Int32s]
    spans: Callable[[], tuple[scan.Offsets, scan.Offsets]]


def _together(words: Sequence[_FoundWords]) -> TextWords:
    """The words of all segments, and where they are in the whole text."""
    edges = [tuple(each + found.start if found.start else each for each in found.spans()) for found in words]
    starts, ends = zip(*edges, strict=True) if edges else ((), ())
    return TextWords(
        _concatenated(starts), _concatenated(ends), _concatenated([each for found in words for each in found.numbers])
    )


def _concatenated(parts: Sequence[scan.Offsets]) -> Any:
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.int32), *parts])


class _Special(NamedTuple):
    """A special token, and how many words come before it."""

    start: int
    size: int
    id: int
    words: int


def _encode_compiled(segments: Sequence[Segment], split: Split | SplitChain, model: Model) -> EncodedText:
    _check_size(sum(len(part.utf8) for part, _ in segments))
    table = WordTable()
    words: list[_FoundWords] = []
    parts: list[Normalized] = []
    specials: list[_Special] = []
    start = position = count = 0
    for segment, special_id in segments:
        part = segment
        if special_id is None:
            part, numbers, spans = _words(table, split, segment, begins=not position)
            words.append(_FoundWords(start, numbers, spans))
            count += sum(map(len, numbers))
        else:
            specials.append(_Special(start, len(part.utf8), special_id, count))
        parts.append(part)
        start += len(part.utf8)
        position += len(part.original)
    _check_size(start)
    all_numbers = list(chain.from_iterable(found.numbers for found in words))
    encoded, lengths = model.encode_words(table)
    ids = word_encoder.lay_out_ids(all_numbers, encoded)
    if specials:
        sizes = np.diff(encoded.offsets)[_concatenated(all_numbers)]
        before = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])[[each.words for each in specials]]
        ids = np.insert(ids, before, [each.id for each in specials])

    def places() -> TokenPlaces:
        all_words = _together(words)
        tokens = word_encoder.lay_out(_joined(parts), all_words, encoded, lengths)
        edges = _Ranges(*(np.asarray(edge, np.int32) for edge in (all_words.starts, all_words.ends)))
        if specials:
            tokens = _with_specials(tokens, specials, before)
        return _places(parts, tokens._replace(ids=ids), edges, split.by_model, model)

    return EncodedText(ids, parts, places)


def _check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise CorpusError(
            message("The text has {size:,} bytes.", size=size),
            limit=message("One text may have {most:,}.", most=MOST_BYTES),
            remedy=message("Encode it in parts, for example line by line."),
        )


def _encode_plainly(segments: Sequence[Segment], split: Split | SplitChain, model: Model) -> EncodedText:
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
    words = _Ranges(*np.array(edges, np.int32).reshape(-1, 2).T.copy())
    return EncodedText(tokens.ids, parts, lambda: _places(parts, tokens, words, split.by_model, model))


def _words(
    table: WordTable, split: Split | SplitChain, part: Normalized, *, begins: bool
) -> tuple[Normalized, list[Int32s], Callable[[], tuple[scan.Offsets, scan.Offsets]]]:
    """The text as the split changed it, which word of the table each of its words is, and what says where they are."""
    name = "none" if split.by_model else split.pattern
    if name in scan.SPLITS:
        seen = stand_ins() if isinstance(split, Split) and split.library else ()
        utf8 = part.utf8
        return part, table.number(utf8, name, seen), lambda: scan.spans(utf8, name, seen)
    changed, edges = split.apply(part, begins=begins)
    starts, ends = edges.T.copy()
    return changed, [table.add_spans(changed.utf8, starts, ends)], lambda: (starts, ends)


def _with_specials(tokens: TextTokens, specials: Sequence[_Special], at: npt.NDArray[np.int64]) -> TextTokens:
    """The tokens with special ones inserted, of which `at` says how many tokens come before each."""
    starts, sizes, ids, _ = np.array(specials, np.int32).T
    return TextTokens(
        np.insert(tokens.ids, at, ids),
        np.insert(tokens.starts, at, starts),
        np.insert(tokens.ends, at, starts + sizes),
        np.insert(tokens.word_ids, at, -1),
    )


def _with_found_words(tokens: TextTokens, model: Model) -> tuple[TextTokens, _Ranges]:
    """The same tokens, in the words that the model finds: a word begins at a token that says so, or with the text."""
    plain = tokens.word_ids >= 0
    ids, regions = tokens.ids[plain], tokens.word_ids[plain]
    begins = model.begin_words(ids) | (np.diff(regions, prepend=-1) > 0)
    word_ids = np.full(len(tokens.ids), -1, np.int32)
    word_ids[plain] = np.cumsum(begins) - 1
    first = np.flatnonzero(begins)
    last = np.append(first, len(ids))[1:] - 1
    return tokens._replace(word_ids=word_ids), _Ranges(tokens.starts[plain][first], tokens.ends[plain][last])
