"""Encoding of whole texts: find the words, encode each distinct one once, and lay out the tokens with their offsets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int32s, read_only
from bpe_core.errors import CorpusError
from bpe_core.kernels import backend, layout, scan, threads
from bpe_core.kernels.layout import DistinctWords, Layout, Ranges, WordRanges
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.scan import WordTable
from bpe_core.language import message
from bpe_core.text.normalization import Normalized, join
from bpe_core.text.split_tables import stand_ins
from bpe_core.text.splits import Split
from bpe_core.text.splitter import Splitter
from bpe_core.text.utf8 import character_ranges
from bpe_core.tokenizer.encoding import Others
from bpe_core.tokenizer.known_words import KnownTable, KnownWords
from bpe_core.tokenizer.model import Model, WordTokens
from bpe_core.tokenizer.remembered_words import RememberedWords
from bpe_core.tokenizer.special_tokens import Segment
from bpe_core.tokenizer.token_places import Later, TokenPlaces, TokenWords
from bpe_core.work import taking

MOST_BYTES = (1 << 31) - 1
"""Limit on the UTF-8 bytes of one text; offsets are 32 bits wide."""


_SHORT = 300
"""Characters up to which looking up each word is faster than starting the kernels."""

_SMALL = 20_000
"""Characters encoded in well under a second without the compiled kernels."""

_LONG = 1 << 16
"""Characters from which scanning a segment separately, on all cores, is faster."""

_FEW = 8
"""Number of segments up to which scanning each separately is faster."""

PER_BYTE = 12
"""Memory of encoding in bytes, per byte of the text, without the distinct words."""


class EncodedText(NamedTuple):
    """Tokens of a text.

    ids     int32: ids of the tokens
    parts   segments as changed by the split, which byte ranges refer to; most splits change nothing
    places  places of the tokens and of the words, computed lazily

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> found = encode_text([(Normalized("low é", "low é"), None)], gpt2.split, KnownWords(gpt2.model))
    >>> found.ids.tolist(), found.places.in_characters.get().ends.tolist()
    ([9319, 38251], [3, 5])
    """

    ids: Int32s
    parts: list[Normalized]
    places: TokenPlaces

    def others(self, surrogates: int, token_bytes: Callable[[int], bytes]) -> Others:
        """Fields of the Encoding other than the ids; `surrogates`: number of lone surrogates replaced in the text.

        >>> EncodedText(np.array([9319]), [Normalized.of("low")], tuple).others(0, bytes)[0].text
        'low'
        """
        whole = join(self.parts)
        normalized = whole if surrogates == whole.surrogates else replace(whole, surrogates=surrogates)
        return normalized, token_bytes, self.places


def short_ids(segments: Sequence[Segment], split: Splitter, remembered: RememberedWords) -> Int32s | None:
    """Ids of a short text without special tokens, from the model's cache of encoded words; None for any other text.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> words = RememberedWords(gpt2.model)
    >>> short_ids([(Normalized("low lower", "low lower"), None)], gpt2.split, words).tolist()
    [9319, 2793]
    """
    part, special_id = segments[0]
    if len(segments) > 1 or special_id is not None or len(part.text) > _SHORT or not is_alike(split):
        return None
    return read_only(np.array(remembered.ids_of(split.words(part.text)), np.int32))


def is_alike(split: Splitter) -> bool:
    """Whether a split finds the same words in a text wherever it occurs: not a chain of steps or a split by the model.

    >>> is_alike(Split("gpt2")), is_alike(Split("words", by_model=True))
    (True, False)
    """
    return isinstance(split, Split) and not split.by_model


def encode_text(segments: Sequence[Segment], split: Splitter, long_texts: KnownWords) -> EncodedText:
    """Encode a text divided at its special tokens, whose `word_ids` are -1, by the model of `long_texts`.

    Until the compiled kernels are ready, plain Python encodes small texts, with the same result. Raises CorpusError for
    a text of more than MOST_BYTES.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> found = encode_text([(Normalized("low lower", "low lower"), None)], gpt2.split, KnownWords(gpt2.model))
    >>> found.ids.tolist(), found.places.words.get().word_starts.tolist()
    ([9319, 2793], [0, 3])
    """
    model = long_texts.model
    size = sum(len(part.text) for part, _ in segments)
    # A model without kernels gains little from the split's kernels, so it never waits for their compilation.
    compiled = backend.use_compiled(size if model.is_compiled else 0, _SMALL)
    if compiled and not (split.by_model and any(_marks_alone(part, split, model).ids for part, _ in segments)):
        return _encode_compiled(segments, split, long_texts)
    known: dict[str, WordTokens] = {}

    def encode_once(word: str) -> WordTokens:
        if word not in known:
            known[word] = model.encode_word(word)
        return known[word]

    return encode_plainly(segments, split, model, encode_once)


def text_words(segments: Sequence[Segment], split: Splitter) -> tuple[WordTable, npt.NDArray[np.int64], int]:
    """Distinct words of a text divided at its special tokens, their counts, and the number of special tokens.

    >>> from bpe_core import load_pretrained
    >>> words, counts, special = text_words([(Normalized.of("low low"), None)], load_pretrained("gpt2").split)
    >>> words.words(), counts.tolist(), special
    ([b'low', b' low'], [1, 1], 0)
    """
    _check_size(sum(len(part.utf8) for part, _ in segments))
    table = WordTable()
    found = _find_words(table, {}, segments, split)
    numbers = np.concatenate([np.zeros(0, np.int32), *(part for each in found for part in each.numbers)])
    return table, np.bincount(numbers[numbers >= 0], minlength=len(table)), int((numbers < 0).sum())


class _Found(NamedTuple):
    """Words of some segments: the segments as changed by the split, and the index of each distinct word, in parts.

    The index of a special token is negative until all words are found: -1 for the first distinct one, -2 for the next.
    `starts`: byte offsets of the words; None if each begins where the one before it ends.
    """

    parts: list[Normalized]
    numbers: list[Int32s]
    starts: Callable[[], scan.Offsets] | None


def _encode_compiled(segments: Sequence[Segment], split: Splitter, long_texts: KnownWords) -> EncodedText:
    size = sum(len(part.utf8) for part, _ in segments)
    _check_size(size)
    with taking(PER_BYTE * size), long_texts.lent(size) as words:
        return _encode_in_stages(segments, split, long_texts.model, words, size)


def _encode_in_stages(
    segments: Sequence[Segment], split: Splitter, model: Model, words: KnownTable, size: int
) -> EncodedText:
    table = words.table
    specials: dict[tuple[int, bytes], int] = {}  # each distinct one, indexed from 0
    with ThreadPoolExecutor(1) as aside:
        if size > threads.SMALLEST_PART:
            # Encoding no words builds the model's lookup tables, concurrently with the scan, which at first leaves
            # cores idle.
            aside.submit(model.encode_words, WordTable())
        found = _find_words(table, specials, segments, split)
    parts = [part for each in found for part in each.parts]
    _check_size(sum(len(part.utf8) for part in parts))
    encoded, lengths = words.encode()
    text, edges = table.text, table.offsets
    if specials:
        offsets, symbols = encoded.offsets, encoded.symbols
        ends = offsets[-1] + np.arange(1, len(specials) + 1)
        encoded = Words(np.append(symbols, [token for token, _ in specials]), np.append(offsets, ends))
    numbers = [part for each in found for part in each.numbers]
    if specials:  # after the words
        numbers = [np.where(each < 0, len(edges) - 2 - each, each) for each in numbers]
    ids = layout.lay_out_ids(numbers, encoded)

    def laid_out() -> Layout:
        special = [utf8 for _, utf8 in specials]
        sizes = np.array([len(utf8) for utf8 in special], np.int64)
        distinct = DistinctWords.of(
            b"".join((text.tobytes(), *special)),
            np.append(edges, edges[-1] + np.cumsum(sizes)),
            encoded,
            np.append(lengths, sizes),
            specials=len(special),
        )
        return Layout(numbers, distinct, _starts(found))

    def words_and_special(of_words: WordRanges, in_bytes: Later[Ranges]) -> TokenWords:
        return _words_and_special(ids, of_words, in_bytes, bool(specials), split.by_model, model)

    def characters(in_bytes: Ranges) -> Ranges:
        return _characters(_joined(parts), in_bytes)

    return EncodedText(ids, parts, TokenPlaces.laid_out(len(ids), laid_out, words_and_special, characters))


def _find_words(
    table: WordTable,
    specials: dict[tuple[int, bytes], int],
    segments: Sequence[Segment],
    split: Splitter,
) -> list[_Found]:
    """Words of all segments, counted in `table`; special tokens are collected.

    A long segment is scanned separately, on all cores; the segments between two of these are scanned together.
    """
    found: list[_Found] = []
    position = 0
    for is_long, group in groupby(segments, lambda segment: segment[1] is None and len(segment[0].text) > _LONG):
        run = list(group)
        for each in [[segment] for segment in run] if is_long or len(run) < _FEW else [run]:
            part, special_id = each[0]
            if len(each) == 1 and special_id is None:
                found.append(_words(table, split, part, begins=not position))
            else:
                found.append(_words_of_many(table, specials, each, split, begins=not position))
            position += sum(len(part.original) for part, _ in each)
    return found


def _starts(found: Sequence[_Found]) -> Int32s | None:
    """Start of each word and special token, in bytes of the whole text; None if there are no gaps."""
    if all(each.starts is None for each in found):
        return None
    starts: list[scan.Offsets] = []
    at = 0
    for each in found:
        starts.append((np.zeros(1, np.int32) if each.starts is None else each.starts()) + at)
        at += sum(len(part.utf8) for part in each.parts)
    return np.concatenate(starts).astype(np.int32, copy=False)


def _characters(utf8: bytes, in_bytes: Ranges) -> Ranges:
    """The characters that tokens touch."""
    starts, ends = character_ranges(utf8, *in_bytes)
    return Ranges(starts.astype(np.int32, copy=False), ends.astype(np.int32, copy=False))


def _joined(parts: Sequence[Normalized]) -> bytes:
    return parts[0].utf8 if len(parts) == 1 else b"".join(part.utf8 for part in parts)


def _words_and_special(
    ids: Int32s, words: WordRanges, in_bytes: Later[Ranges], has_specials: bool, by_model: bool, model: Model
) -> TokenWords:
    if by_model:
        words = _words_of_model(ids, words, in_bytes.get(), model)
    special = words.word_ids < 0 if has_specials else np.zeros(len(ids), np.bool_)
    if model.unknown_id is not None:
        special |= ids == model.unknown_id
    return TokenWords(*words, special)


def _check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise CorpusError(
            message("The text has {size:,} bytes.", size=size),
            limit=message("One text may have {most:,}.", most=MOST_BYTES),
            remedy=message("Encode it in parts, for example line by line."),
        )


def encode_plainly(
    segments: Sequence[Segment], split: Splitter, model: Model, encode_word: Callable[[str], WordTokens]
) -> EncodedText:
    """Encode a text in plain Python, calling `encode_word` for each occurrence of a word: its tokens may vary.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> tokens = iter([WordTokens([9319], [3]), WordTokens([220, 9319], [1, 3])])
    >>> encode_plainly([(Normalized.of("low low"), None)], gpt2.split, gpt2.model, lambda _: next(tokens)).ids.tolist()
    [9319, 220, 9319]
    """
    rows: list[tuple[int, int, int, int]] = []  # id, start, end, word
    edges: list[tuple[int, int]] = []
    parts: list[Normalized] = []
    at = position = 0
    for segment, special_id in segments:
        part = segment
        if special_id is not None:
            rows.append((special_id, at, at + len(part.utf8), -1))
        else:
            part, found = split.apply(segment, begins=not position)
            utf8 = part.utf8
            for first, last in found.tolist():
                start = at + first
                tokens = encode_word(utf8[first:last].decode("utf-8", "surrogateescape"))
                for token_id, length in zip(*tokens, strict=True):
                    rows.append((token_id, start, start + length, len(edges)))
                    start += length
                edges.append((at + first, at + last))
            added = _marks_alone(part, split, model).ids
            rows += [(token_id, at, at, len(edges)) for token_id in added]
            edges += [(at, at)] * bool(added)
        parts.append(part)
        at += len(part.utf8)
        position += len(part.original)
    ids, starts, ends, word_ids = np.array(rows, np.int32).reshape(-1, 4).T.copy()
    words = np.array(edges, np.int32).reshape(-1, 2).T.copy()

    in_bytes = Later(lambda: Ranges(starts, ends))

    def words_and_special() -> TokenWords:
        return _words_and_special(ids, WordRanges(word_ids, *words), in_bytes, True, split.by_model, model)

    in_characters = Later(lambda: _characters(_joined(parts), Ranges(starts, ends)))
    return EncodedText(ids, parts, TokenPlaces(in_bytes, in_characters, Later(words_and_special)))


def _marks_alone(part: Normalized, split: Splitter, model: Model) -> WordTokens:
    """Tokens of a text that normalization leaves empty."""
    emptied = split.by_model and part.original and not part.text
    return model.encode_emptied(part.original) if emptied else WordTokens([], [])


def _words(table: WordTable, split: Splitter, part: Normalized, *, begins: bool) -> _Found:
    name = "none" if split.by_model else split.pattern
    if name in scan.SPLITS:
        seen = stand_ins() if isinstance(split, Split) and split.library else ()
        utf8 = part.utf8
        starts = (lambda: scan.spans(utf8, name, seen)[0]) if name == "words" else None
        return _Found([part], table.number(utf8, name, seen, count_known=False), starts)
    changed, edges = split.apply(part, begins=begins)
    starts, ends = edges.T.copy()
    return _Found([changed], [table.add_spans(changed.utf8, starts, ends)], lambda: starts)


def _words_of_many(
    table: WordTable,
    specials: dict[tuple[int, bytes], int],
    segments: Sequence[Segment],
    split: Splitter,
    *,
    begins: bool,
) -> _Found:
    """Words of segments and the special tokens between them, from one scan."""
    name = "none" if split.by_model else split.pattern
    is_special = np.array([special_id is not None for _, special_id in segments])
    parts = [part for part, _ in segments]
    found: list[npt.NDArray[np.int64]] = []
    if name not in scan.SPLITS:
        for at, (part, special_id) in enumerate(segments):
            if special_id is None:
                parts[at], edges = split.apply(part, begins=begins)
                found.append(edges)
            begins = begins and not part.original
    ends = np.cumsum([len(part.utf8) for part in parts])
    starts = np.append(0, ends[:-1])
    data = b"".join([part.utf8 for part in parts])
    if name in scan.SPLITS:
        seen = stand_ins() if isinstance(split, Split) and split.library else ()
        word_starts, numbers = table.number_texts(data, starts[~is_special], ends[~is_special], name, seen)
    else:
        moved = [edges + start for edges, start in zip(found, starts[~is_special], strict=True)]
        word_starts, word_ends = np.concatenate([np.zeros((0, 2), np.int64), *moved]).T.copy()
        numbers = table.add_spans(data, word_starts, word_ends)
    special = [
        -1 - specials.setdefault((special_id, part.utf8), len(specials))
        for part, special_id in segments
        if special_id is not None
    ]
    at = np.searchsorted(word_starts, starts[is_special])
    laid = np.insert(numbers, at, np.array(special, np.int32))
    covers = name in scan.SPLITS and name != "words"
    all_starts = np.insert(word_starts, at, starts[is_special])
    return _Found(parts, [laid], None if covers else lambda: all_starts)


def _words_of_model(ids: Int32s, words: WordRanges, in_bytes: Ranges, model: Model) -> WordRanges:
    """Words that the model finds: each begins at a word-initial token, or with the text."""
    plain = words.word_ids >= 0
    regions = words.word_ids[plain]
    begins = model.begin_words(ids[plain]) | (np.diff(regions, prepend=-1) > 0)
    word_ids = np.full(len(ids), -1, np.int32)
    word_ids[plain] = np.cumsum(begins) - 1
    first = np.flatnonzero(begins)
    last = np.append(first, len(regions))[1:] - 1
    return WordRanges(word_ids, in_bytes.starts[plain][first], in_bytes.ends[plain][last])
