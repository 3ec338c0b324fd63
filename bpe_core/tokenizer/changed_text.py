"""Incremental encoding of an edited text: only the text around the change is encoded again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bpe_core.arrays import Int32s, read_only
from bpe_core.errors import CorpusError
from bpe_core.kernels.layout import Ranges
from bpe_core.text.normalization import Normalized, is_unmoved
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.seams import Seam, Seams, located
from bpe_core.tokenizer.token_places import PER_TOKEN, Later, Offsets, TokenPlaces, TokenWords
from bpe_core.work import taking

if TYPE_CHECKING:
    from bpe_core.tokenizer.tokenizer import Special, Tokenizer

_MOST = 200_000
"""Number of characters to encode again above which encoding the whole text is as fast."""

_SIZES = [1 << power for power in range(16, -1, -1)]
"""Block sizes, in characters, for comparing two texts; the largest first."""

_PER_CHARACTER = 24
"""Bytes of memory per character of a normalized text with its alignment."""


class _Part(NamedTuple):
    """Part of an encoding between two seams, and what to add to its offsets in the original text."""

    encoding: Encoding
    first: Seam
    last: Seam
    start: int


def encode_changed(tokenizer: Tokenizer, text: str, before: Encoding, *, special: Special = "text") -> Encoding | None:
    """Encode an edited text, reusing the tokens of its unchanged parts.

    before: encoding of the text before the edit, by this tokenizer with this `special`. The result is that of
    `tokenizer.encode(text, special=special)`; None if that must be called instead: if the change is too large, or if no
    place near it is known at which the tokens before the place do not depend on the text after it (see `Seams`).

    Raises CorpusError for a special token that is refused.

    >>> from bpe_core import load_pretrained
    >>> t5 = load_pretrained("t5-small")
    >>> before = t5.encode("one two three four five")
    >>> encode_changed(t5, "one two thr-ee four five", before) == t5.encode("one two thr-ee four five")
    True
    """
    normalized = Normalized.of(text)
    if normalized.surrogates or before.normalized.surrogates or not tokenizer.split.is_local:
        return None
    if special == "raise":
        tokenizer._special.require_none(text)
    seams = Seams(tokenizer, special)
    old = before.normalized.original
    same = _same_at_start(old, text, min(len(old), len(text)))
    same_at_end = _same_at_end(old, text, min(len(old), len(text)) - same)
    heads, tails = seams.before(before, same), seams.behind(before, len(old) - same_at_end)
    if len(heads) < 2 or len(tails) < 2:
        return None
    grown = len(text) - len(old)
    start, end = heads[1].at, tails[1].at + grown
    if end - start > _MOST:
        return None
    try:
        again = tokenizer.encode(text[start:end], special=special)
    except CorpusError:  # encoding the whole text raises it with the right message
        return None
    first = _again(heads[0], again, start, Seam.first())
    last = _again(tails[0], again, start - grown, Seam.last(again))
    if not first or not last or not seams.begin_in_place(before, again):
        return None
    parts = (
        _Part(before, Seam.first(), heads[0], 0),
        _Part(again, first, last, start),
        _Part(before, tails[0], Seam.last(before), grown),
    )
    aligned = before.normalized.spans is not None or again.normalized.spans is not None
    needed = (PER_TOKEN + before.ids.itemsize) * (len(before) + len(again)) + aligned * _PER_CHARACTER * len(
        before.text
    )
    with taking(needed):
        return _joined(tokenizer, normalized, parts)


def _again(seam: Seam, encoding: Encoding, start: int, end: Seam) -> Seam | None:
    """Locate a seam of the old text in the part that was encoded again; None if it is no seam of the same kind there.

    start: offset of this part in the old text. end: the result if the seam is the beginning or the end of the text.
    """
    if not seam.beside:
        return end
    found = located(encoding, seam.at - start, seam.beside)
    return found if found and found.is_edge == seam.is_edge else None


def _same_at_start(one: str, other: str, most: int) -> int:
    """Length of the common prefix of two texts, at most `most` characters."""
    same = 0
    for size in _SIZES:
        while same + size <= most and one[same : same + size] == other[same : same + size]:
            same += size
    return same


def _same_at_end(one: str, other: str, most: int) -> int:
    """Length of the common suffix of two texts, at most `most` characters."""
    same, first, second = 0, len(one), len(other)
    for size in _SIZES:
        while same + size <= most and (
            one[first - same - size : first - same] == other[second - same - size : second - same]
        ):
            same += size
    return same


def _joined(tokenizer: Tokenizer, whole: Normalized, parts: tuple[_Part, ...]) -> Encoding:
    """The encoding of a text that consists of these parts."""
    byte = char = word = 0
    shifts: list[tuple[int, int, int]] = []  # of bytes, characters and words
    for _, first, last, _ in parts:
        shifts.append((byte - first.byte, char - first.char, word - first.begun))
        byte, char, word = (at + end for at, end in zip(shifts[-1], (last.byte, last.char, last.begun), strict=True))

    def tokens(name: str, unit: int) -> Int32s:
        return _concatenated(
            [
                (getattr(part.encoding, name)[part.first.token : part.last.token], shift[unit])
                for part, shift in zip(parts, shifts, strict=True)
            ]
        )

    def words(name: str, count: str) -> Int32s:
        return _concatenated(
            [
                (getattr(each, name)[getattr(first, count) : getattr(last, count)], shift[0])
                for (each, first, last, _), shift in zip(parts, shifts, strict=True)
            ]
        )

    word_ids = tokens("word_ids", 2)
    special = np.concatenate([each.special[first.token : last.token] for each, first, last, _ in parts])
    unmarked = np.concatenate([each.word_ids[first.token : last.token] < 0 for each, first, last, _ in parts])
    word_ids[unmarked] = -1
    in_bytes = Ranges(tokens("starts", 0), tokens("ends", 0))
    in_characters = Ranges(tokens("char_starts", 1), tokens("char_ends", 1))
    of_words = TokenWords(word_ids, words("word_starts", "begun"), words("word_ends", "ended"), special)
    places = TokenPlaces(Later(lambda: in_bytes), Later(lambda: in_characters), Later(lambda: of_words))
    ids = _concatenated([(each.ids[first.token : last.token], 0) for each, first, last, _ in parts])
    normalized = _normalized(whole, parts)
    if "character_starts" in vars(parts[0].encoding.normalized):  # they were needed for the old text
        *some, (each, first, last, _) = parts
        starts = [part.encoding.character_starts[part.first.char : part.last.char] for part in some]
        starts.append(each.character_starts[first.char : last.char + 1])
        known = _concatenated([(found, shift[0]) for found, shift in zip(starts, shifts, strict=True)])
        vars(normalized).update(character_starts=read_only(known))
    return Encoding(ids, normalized, tokenizer.token_bytes, places)


def _normalized(whole: Normalized, parts: tuple[_Part, ...]) -> Normalized:
    """The normalized text that consists of these parts."""
    if all(each.encoding.normalized.spans is None for each in parts):
        return whole
    text = "".join([each.text[first.char : last.char] for each, first, last, _ in parts])
    utf8 = b"".join([each.utf8[first.byte : last.byte] for each, first, last, _ in parts])
    spans = np.empty((len(text), 2), np.int64)
    at = 0
    for each, first, last, start in parts:
        found = spans[at : at + last.char - first.char]
        np.add(each.normalized.origins[first.char : last.char], start, out=found)
        at += len(found)
    if text == whole.original and is_unmoved(spans):
        return whole
    made = Normalized(text, whole.original, 0, spans)
    vars(made).update(utf8=utf8)  # fills the cached property
    return made


def _concatenated(parts: list[tuple[Offsets, int]]) -> Int32s:
    """Concatenate arrays, each with its own number added."""
    joined: Int32s = np.concatenate([numbers for numbers, _ in parts]).astype(np.int32, copy=False)
    at = 0
    for numbers, added in parts:
        joined[at : at + len(numbers)] += added
        at += len(numbers)
    return joined
