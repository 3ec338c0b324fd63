"""What the steps of normalization do to a text, with each character aligned to the original ones it came from."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt
import regex

from bpe_core.arrays import ReadOnlyArrays, read_only
from bpe_core.checks import joined_pairs
from bpe_core.errors import CorpusError, quoted
from bpe_core.text.library_tables import (
    CONTROLS,
    WHITE_SPACE,
    code_points,
    member,
    newer_lower_case,
    text_of,
)
from bpe_core.text.utf8 import character_starts, utf8_lengths

if TYPE_CHECKING:
    from collections.abc import Callable

UnicodeForm = Literal["NFC", "NFD", "NFKC", "NFKD"]
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SURROGATES = re.compile("[\ud800-\udfff]")
_MARKS = regex.compile(r"\p{M}{50,}+")


@dataclass(frozen=True)
class Normalized(ReadOnlyArrays):
    """A normalized text and where each of its characters came from.

    text        the normalized text, which the split gets
    original    the text before normalization, lone surrogates already replaced
    surrogates  how many were replaced
    spans       int64 (len(text), 2), read-only: the range of original characters that each normalized character came
                from; None if normalization changed nothing

    >>> from bpe_core.text.normalizers import Chain, Form
    >>> normalized = Chain((Form("NFKC"),)).normalize("ﬁ é")
    >>> normalized.text, normalized.spans.tolist()
    ('fi é', [[0, 1], [0, 1], [1, 2], [2, 3]])
    >>> normalized.utf8, normalized.character_starts.tolist()
    (b'fi \\xc3\\xa9', [0, 1, 2, 3, 5])
    >>> normalized.original_bytes.tolist()
    [0, 3, 3, 4, 5, 6]
    """

    text: str
    original: str
    surrogates: int = 0
    spans: npt.NDArray[np.int64] | None = None

    @classmethod
    def of(cls, text: str) -> Normalized:
        """A text that nothing changes except for lone surrogates; its UTF-8 is computed here, and not again.

        >>> Normalized.of("a\\ud800b").text
        'a\N{REPLACEMENT CHARACTER}b'
        """
        try:
            utf8 = text.encode()
        except UnicodeEncodeError:
            repaired, surrogates = replace_surrogates(text)
            return cls(repaired, repaired, surrogates)
        made = cls(text, text)
        vars(made)["utf8"] = utf8  # where the cached property keeps it
        return made

    @cached_property
    def utf8(self) -> bytes:
        """The UTF-8 of `text`, which byte offsets refer to."""
        return self.text.encode()

    @cached_property
    def character_starts(self) -> npt.NDArray[np.int32]:
        """int32: the byte offset of each character of `text`, and last the size of `text` in bytes."""
        return read_only(character_starts(self.utf8))

    @cached_property
    def original_bytes(self) -> npt.NDArray[np.int64]:
        """int64: for every byte offset 0 … len(utf8), the byte offset in the UTF-8 of the original.

        An offset inside a changed character, or between two characters of the same origin, maps to the end of that
        origin: offsets never decrease, and no boundary falls inside what changed as a whole. Only if one character
        became another of as many bytes (É, é) do the offsets inside it keep their places. What was put in front of a
        character that stays, as Metaspace puts ▁, comes from nothing: its offsets are where that character begins.
        """
        normalized_lengths = utf8_lengths(self.text)
        if self.spans is None:
            return read_only(np.arange(int(normalized_lengths.sum()) + 1, dtype=np.int64))
        original_offsets = np.concatenate(([0], np.cumsum(utf8_lengths(self.original))))
        spans = _without_prefixes(self.text, self.original, self.spans)
        first = original_offsets[spans[:, 0]]
        last = original_offsets[spans[:, 1]]
        starts = np.concatenate(([0], np.cumsum(normalized_lengths)))
        result = np.empty(int(starts[-1]) + 1, dtype=np.int64)
        opens = np.diff(spans[:, 0], prepend=-1) > 0
        opens[1:] |= spans[1:, 0] >= spans[:-1, 1]
        one_to_one = opens & np.append(opens[1:], True) & (spans[:, 1] - spans[:, 0] == 1)
        alone = one_to_one & (last - first == normalized_lengths)
        within = np.arange(result.size - 1) - np.repeat(starts[:-1], normalized_lengths)
        kept = np.repeat(alone, normalized_lengths) | ((within == 0) & np.repeat(opens, normalized_lengths))
        offsets = np.repeat(first, normalized_lengths) + within
        result[:-1] = np.where(kept, offsets, np.repeat(last, normalized_lengths))
        result[-1] = original_offsets[-1]
        return read_only(np.maximum.accumulate(result))


def _without_prefixes(text: str, original: str, spans: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The spans, empty for a character that shares the origin of the next one, which is that origin unchanged."""
    if len(text) < 2:
        return spans
    points, originals = (np.frombuffer(each.encode("utf-32-le"), np.uint32) for each in (text, original))
    shared = (spans[:-1] == spans[1:]).all(axis=1) & (spans[1:, 1] - spans[1:, 0] == 1)
    at = np.flatnonzero(shared & ~np.append(shared[1:], False))
    at = at[points[at + 1] == originals[spans[at + 1, 0]]]
    if not len(at):
        return spans
    changed = spans.copy()
    changed[at, 1] = changed[at, 0]
    return changed


def replace_surrogates(text: str) -> tuple[str, int]:
    """`text` with each lone surrogate replaced by U+FFFD, and how many were. Surrogate pairs become one character.

    >>> replace_surrogates("a\\ud800b \\ud83d\\ude00")
    ('a\N{REPLACEMENT CHARACTER}b 😀', 1)
    """
    if text.isascii():
        return text, 0
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.subn(REPLACEMENT, joined_pairs(text))
    return text, 0


Change = tuple[str, npt.NDArray[np.int64]]
"""A changed text, and the character range that each of its characters came from: int64 (len(text), 2)."""


MOST_CHARACTERS = 50_000_000
"""The most characters that a step of a normalizer makes of a shorter text."""


def check_growth(length: int, step: str) -> None:
    """Raise CorpusError where a step would make a text of more than MOST_CHARACTERS.

    >>> check_growth(60_000_000, "replace")
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: The step 'replace' of the normalizer makes a text of 60,000,000 characters. The ...
    """
    if length > MOST_CHARACTERS:
        raise CorpusError(
            f"The step {quoted(step)} of the normalizer makes a text of {length:,} characters.",
            limit=f"The most allowed is {MOST_CHARACTERS:,}.",
            remedy="Encode a shorter text, or in parts.",
        )


def clean(text: str) -> Change:
    """The text without control characters, format characters and U+FFFD; white space becomes spaces.

    As the tokenizers library cleans texts for BERT: characters that are not assigned are kept.

    >>> text, origins = clean("a\\tb\\0c")
    >>> text, origins.tolist()
    ('a bc', [[0, 1], [1, 2], [2, 3], [4, 5]])
    """
    return without(text, CONTROLS, spaces=WHITE_SPACE)


def without(text: str, removed: str, *, spaces: str = "") -> Change:
    """The text without the characters of some ranges of code points; those of `spaces` become spaces.

    >>> without("abc", "62", spaces="63")[0]
    'a '
    """
    points = code_points(text)
    kept = np.flatnonzero(~member(removed)[points])
    points = points[kept]
    if spaces:
        points = np.where(member(spaces)[points], np.uint32(ord(" ")), points)
    return text_of(points), np.stack((kept, kept + 1), axis=1)


def lower_each(text: str) -> Change:
    """Each character in lower case, regardless of its context, as the tokenizers library does it.

    >>> lower_each("ΑΣ")[0]
    'ασ'
    """
    positions = np.arange(len(text), dtype=np.int64)
    origins = np.stack((positions, positions + 1), axis=1)
    if text.isascii():
        return text.lower(), origins
    # Only a final sigma depends on what is around it, and only İ becomes two characters.
    lowered = text.translate(newer_lower_case()).replace("Σ", "σ").lower()
    if len(lowered) > len(text):
        origins = np.repeat(origins, 1 + (code_points(text) == ord("İ")), axis=0)
    return lowered, origins


def lower(text: str) -> Change:
    """The whole text in lower case (a final Σ depends on its context), aligned character by character.

    >>> text, origins = lower("ΑΣ")
    >>> text, origins.tolist()
    ('ας', [[0, 1], [1, 2]])
    """
    lengths = np.fromiter((len(char.lower()) for char in text), np.int64, len(text))
    positions = np.arange(len(text))
    return text.lower(), np.repeat(np.stack((positions, positions + 1), axis=1), lengths, axis=0)


def without_marks(text: str, *, compose: bool) -> str:
    """The text without nonspacing marks (category Mn): in NFC if `compose`, otherwise in NFD.

    >>> without_marks("été", compose=True)
    'ete'
    """
    bare = "".join(c for c in unicode_form("NFD", text) if unicodedata.category(c) != "Mn")
    return unicode_form("NFC", bare) if compose else bare


def unicode_form(form: UnicodeForm, text: str) -> str:
    """The text in a Unicode form, as `unicodedata.normalize` gives it, but in linear time for a long run of marks.

    That function takes quadratic time to order many combining marks. Sorting them first changes no form, since a text
    with its marks in canonical order is canonically equivalent.

    >>> unicode_form("NFC", "e\u0301")
    'é'
    """
    return unicodedata.normalize(form, _MARKS.sub(lambda run: _ordered(run.group()), text))


def _ordered(marks: str) -> str:
    """Combining marks in canonical order; one of class 0 stays in its place, and none moves past it."""
    runs = ((starter, "".join(run)) for starter, run in groupby(marks, lambda mark: unicodedata.combining(mark) == 0))
    return "".join(run if starter else "".join(sorted(run, key=unicodedata.combining)) for starter, run in runs)


def by_segments(text: str, change: Callable[[str], str]) -> Change:
    """The changed text, with each of its characters aligned to the segment of `text` that it came from.

    A segment is the smallest part that normalizes to the same by itself as in the whole.

    >>> text, origins = by_segments("e\\u0301a", lambda part: unicode_form("NFC", part))
    >>> text, origins.tolist()
    ('éa', [[0, 2], [2, 3]])
    """
    whole = change(text)
    edges = [*_segment_starts(text), len(text)]
    parts = [change(text[start:end]) for start, end in pairwise(edges)]
    if "".join(parts) != whole:  # cannot happen unless a Unicode version adds a new kind of composition
        edges, parts = [0, len(text)], [whole]
    origins = np.array(list(pairwise(edges)), dtype=np.int64).reshape(-1, 2)
    return whole, np.repeat(origins, [len(part) for part in parts], axis=0)


def _segment_starts(text: str) -> list[int]:
    """Where the text can be divided so that normalizing the parts gives the same as normalizing the whole."""
    backwards = _composes_backwards()
    return [i for i, char in enumerate(text) if i == 0 or not (char in backwards or _begins_combining(char))]


@lru_cache(maxsize=65536)
def _begins_combining(char: str) -> bool:
    first = unicodedata.normalize("NFKD", char)[0]
    return unicodedata.combining(first) != 0 or first in _composes_backwards()


@lru_cache(maxsize=1)
def _composes_backwards() -> frozenset[str]:
    """Characters that may compose with the one before: second parts of compositions, and Hangul vowels and finals."""
    seconds = {chr(code) for block in (range(0x1161, 0x1176), range(0x11A8, 0x11C3)) for code in block}
    for code in range(0x110000):
        decomposition = unicodedata.decomposition(chr(code))
        if decomposition and not decomposition.startswith("<") and " " in decomposition:
            seconds.add(chr(int(decomposition.split()[1], 16)))
    return frozenset(seconds)


def chained(outer: npt.NDArray[np.int64], inner: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The origins of two changes in a row, as ranges of the text before the first one.

    `outer`: origins of the first change; `inner`: origins of the second one in the result of the first; int64 (n, 2).

    >>> chained(np.array([[0, 2], [2, 3]]), np.array([[0, 1], [0, 2]])).tolist()
    [[0, 2], [0, 3]]
    """
    if not len(inner):
        return inner
    found = np.stack((outer[np.minimum(inner[:, 0], len(outer) - 1), 0], outer[inner[:, 1] - 1, 1]), axis=1)
    found[inner[:, 1] == 0] = 0  # what was put before everything, in place of nothing
    return found


def join(parts: list[Normalized]) -> Normalized:
    """Several normalized texts, joined into one.

    >>> join([Normalized("a", "a"), Normalized("b", "b")]).text
    'ab'
    """
    if len(parts) == 1:
        return parts[0]
    spans = None
    if any(part.spans is not None for part in parts):
        lengths = np.cumsum([0, *(len(part.original) for part in parts)])
        spans = np.concatenate([_spans(part) + start for part, start in zip(parts, lengths, strict=False)])
    return Normalized(
        "".join(part.text for part in parts),
        "".join(part.original for part in parts),
        sum(part.surrogates for part in parts),
        spans,
    )


def _spans(part: Normalized) -> npt.NDArray[np.int64]:
    if part.spans is not None:
        return part.spans
    positions = np.arange(len(part.text), dtype=np.int64)
    return np.stack((positions, positions + 1), axis=1)
