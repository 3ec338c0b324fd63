"""Changes made by normalization steps, with each character aligned to its origin in the text."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import ReadOnlyArrays, read_only
from bpe_core.checks import joined_pairs
from bpe_core.errors import CorpusError, quoted
from bpe_core.language import message
from bpe_core.text.library_tables import CONTROLS, WHITE_SPACE, member, newer_lower_case
from bpe_core.text.utf8 import character_starts, code_points, text_of, utf8_lengths

UnicodeForm = Literal["NFC", "NFD", "NFKC", "NFKD"]
LONGEST_FORM: dict[UnicodeForm, int] = {"NFC": 3, "NFD": 4, "NFKC": 18, "NFKD": 18}
"""Largest number of characters that one character becomes in each form."""

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_BLOCK = 1 << 16
"""Characters aligned at once, so that temporary memory stays small."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_NEWER_CASED = re.compile(f"[{''.join(map(chr, newer_lower_case()))}]")


@dataclass(frozen=True)
class Normalized(ReadOnlyArrays):
    """Normalized text, with the origin of each of its characters.

    text        the normalized text, input of the split
    original    the text before normalization, lone surrogates already replaced
    surrogates  number of surrogates replaced
    spans       int64 (len(text), 2), read-only: range of original characters that each normalized character came
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
        """Unnormalized text, with only lone surrogates replaced. Caches its UTF-8.

        >>> Normalized.of("a\\ud800b").text
        'a\N{REPLACEMENT CHARACTER}b'
        """
        try:
            utf8 = text.encode()
        except UnicodeEncodeError:
            repaired, surrogates = replace_surrogates(text)
            return cls(repaired, repaired, surrogates)
        made = object.__new__(cls)  # same as cls(text, text) in a third of the time, for many short texts
        vars(made).update(text=text, original=text, surrogates=0, spans=None, utf8=utf8)  # fills the cached utf8
        return made

    @cached_property
    def utf8(self) -> bytes:
        """UTF-8 of `text`, which byte offsets refer to."""
        return self.text.encode()

    @cached_property
    def character_starts(self) -> npt.NDArray[np.int32]:
        """int32: byte offset of each character of `text`, then the size of `text` in bytes."""
        return read_only(character_starts(self.utf8))

    @property
    def origins(self) -> npt.NDArray[np.int64]:
        """`spans`, as an array even if normalization changed nothing.

        >>> Normalized.of("é").origins.tolist()
        [[0, 1]]
        """
        return unmoved(len(self.text)) if self.spans is None else self.spans

    @cached_property
    def original_bytes(self) -> npt.NDArray[np.int32]:
        """int32: for each byte offset 0 … len(utf8), the byte offset in the UTF-8 of the original.

        An offset inside a changed character, or between two characters of the same origin, maps to the end of that
        origin: offsets never decrease, and no boundary falls inside a change. Only if one character became another of
        as many bytes (É, é) do the offsets inside it stay. A character inserted before an unchanged one, such as
        Metaspace's ▁, has an empty origin at the start of that character.
        """
        if self.spans is None:
            return read_only(np.arange(len(self.utf8) + 1, dtype=np.int32))
        originals = code_points(self.original)
        places = character_starts(self.original.encode())
        result = np.empty(len(self.utf8) + 1, dtype=np.int32)
        at = reached = 0
        for begin in range(0, len(self.text), _BLOCK):
            offsets = self._original_offsets(begin, originals, places)
            np.maximum.accumulate(np.maximum(offsets, reached), out=result[at : at + len(offsets)])
            at += len(offsets)
            reached = result[at - 1]
        result[-1] = max(places[-1], reached)
        return read_only(result)

    def _original_offsets(
        self, begin: int, originals: npt.NDArray[np.uint32], places: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.int32]:
        """Original offset of each byte of a block of characters, from the original's code points and their places.

        The alignment of a character depends on the one before it and the three after it.
        """
        assert self.spans is not None
        low, end = max(begin - 1, 0), min(begin + _BLOCK, len(self.text))
        spans = _without_prefixes(code_points(self.text[low : end + 3]), originals, self.spans[low : end + 3])
        opens = np.diff(spans[:, 0], prepend=-1) > 0
        opens[1:] |= spans[1:, 0] >= spans[:-1, 1]
        closes = np.append(opens[1:], True)
        block = slice(begin - low, end - low)
        spans, opens, closes = spans[block], opens[block], closes[block]
        lengths = utf8_lengths(self.text[begin:end])
        first, last = places[spans[:, 0]], places[spans[:, 1]]
        alone = opens & closes & (spans[:, 1] - spans[:, 0] == 1) & (last - first == lengths)
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        kept = np.repeat(alone, lengths) | ((within == 0) & np.repeat(opens, lengths))
        return np.where(kept, np.repeat(first, lengths) + within, np.repeat(last, lengths)).astype(np.int32)


def _without_prefixes(
    points: npt.NDArray[np.uint32], originals: npt.NDArray[np.uint32], spans: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The spans, made empty for a character inserted before its own unchanged origin."""
    if len(points) < 2:
        return spans
    shared = (spans[:-1] == spans[1:]).all(axis=1) & (spans[1:, 1] - spans[1:, 0] == 1)
    at = np.flatnonzero(shared & ~np.append(shared[1:], False))
    at = at[points[at + 1] == originals[spans[at + 1, 0]]]
    if not len(at):
        return spans
    changed = spans.copy()
    changed[at, 1] = changed[at, 0]
    return changed


def replace_surrogates(text: str) -> tuple[str, int]:
    """Replace each lone surrogate by U+FFFD; also return their number. Surrogate pairs become one character.

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
"""Changed text, and the original character range of each of its characters: int64 (len(text), 2)."""


def unmoved(length: int) -> npt.NDArray[np.int64]:
    """Origins of characters that all stay in place.

    >>> unmoved(2).tolist()
    [[0, 1], [1, 2]]
    """
    origins = np.empty((length, 2), np.int64)
    origins[:, 0], origins[:, 1] = np.arange(length), np.arange(1, length + 1)
    return origins


def place_from(origins: npt.NDArray[np.int64], at: int) -> int:
    """Index of the first of ascending origins that begins at a place of the original, or after it.

    >>> place_from(np.array([[0, 1], [2, 3], [2, 3]]), 1)
    1
    """
    return bisect_left(range(len(origins)), at, key=lambda index: int(origins[index, 0]))


def is_unmoved(origins: npt.NDArray[np.int64]) -> bool:
    """Whether these are the origins of characters that all stay in place.

    >>> is_unmoved(unmoved(2)), is_unmoved(np.array([[0, 2], [0, 2]]))
    (True, False)
    """
    starts = np.arange(len(origins))
    return bool((origins[:, 0] == starts).all() and (origins[:, 1] == starts + 1).all())


MOST_CHARACTERS = 50_000_000
"""Maximum characters that a normalizer step may produce from a shorter text."""


def check_growth(length: int, step: str) -> None:
    """Raise CorpusError if a step would produce more than MOST_CHARACTERS.

    >>> check_growth(60_000_000, "replace")
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: The step 'replace' of the normalizer makes a text of 60,000,000 characters. The ...
    """
    if length > MOST_CHARACTERS:
        raise CorpusError(
            message(
                "The step {step} of the normalizer makes a text of {length:,} characters.",
                step=quoted(step),
                length=length,
            ),
            limit=message("The most allowed is {most:,}.", most=MOST_CHARACTERS),
            remedy=message("Encode a shorter text, or in parts."),
        )


def clean(text: str) -> Change:
    """Remove control characters, format characters and U+FFFD; convert white space to spaces.

    Same as the tokenizers library's clean-up for BERT: unassigned characters are kept.

    >>> text, origins = clean("a\\tb\\0c")
    >>> text, origins.tolist()
    ('a bc', [[0, 1], [1, 2], [2, 3], [4, 5]])
    """
    return without(text, CONTROLS, spaces=WHITE_SPACE)


def without(text: str, removed: str, *, spaces: str = "") -> Change:
    """Remove the characters in some ranges of code points; those in `spaces` become spaces.

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
    """Lowercase each character regardless of its context, as in the tokenizers library.

    >>> lower_each("ΑΣ")[0]
    'ασ'
    """
    return _lowered(text, lower_each_text(text))


def lower_each_text(text: str) -> str:
    """Result of `lower_each` without the alignment.

    >>> lower_each_text("ΑΣ")
    'ασ'
    """
    if text.isascii():
        return text.lower()
    if _NEWER_CASED.search(text):
        text = text.translate(newer_lower_case())
    return text.replace("Σ", "σ").lower()  # only a final sigma depends on its context


def ends_cased_word(char: str) -> bool:
    """Whether the texts before and after a character are lowercased independently of each other.

    >>> ends_cased_word(" "), ends_cased_word("a"), ends_cased_word("'")
    (True, False, False)
    """
    return f"AΣ{char}A".lower()[1] == "ς"  # neither cased nor ignored by the final-sigma rule


def lower(text: str) -> Change:
    """Lowercase the whole text (a final Σ depends on its context), aligned character by character.

    >>> text, origins = lower("ΑΣ")
    >>> text, origins.tolist()
    ('ας', [[0, 1], [1, 2]])
    """
    return _lowered(text, text.lower())


def _lowered(text: str, lowered: str) -> Change:
    origins = unmoved(len(text))
    if len(lowered) > len(text):  # only İ becomes two characters
        origins = np.repeat(origins, 1 + (code_points(text) == ord("İ")), axis=0)
    return lowered, origins


def chained(outer: npt.NDArray[np.int64], inner: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Compose the origins of two successive changes into ranges of the text before the first.

    `outer`: origins of the first change; `inner`: origins of the second one in the result of the first; int64 (n, 2).

    >>> chained(np.array([[0, 2], [2, 3]]), np.array([[0, 1], [0, 2]])).tolist()
    [[0, 2], [0, 3]]
    """
    if not len(inner):
        return inner
    found = np.empty_like(inner)
    for at in range(0, len(inner), _BLOCK):
        starts, ends = inner[at : at + _BLOCK].T
        part = found[at : at + _BLOCK]
        part[:, 0], part[:, 1] = outer[np.minimum(starts, len(outer) - 1), 0], outer[ends - 1, 1]
        part[ends == 0] = 0  # inserted before the whole text: no origin
    return found


def apart(spans: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Shorten ascending ranges (n, 2) so that none ends within the next one.

    If a character becomes several, and a later step drops the first of these, a mark, the others have that character's
    range. An example is U+0E33 under NFKC without accents.

    >>> apart(np.array([[0, 2], [1, 2], [1, 2]])).tolist()
    [[0, 1], [1, 2], [1, 2]]
    """
    starts, ends = spans.T
    if ((starts[1:] > starts[:-1]) & (starts[1:] < ends[:-1])).any():
        following = np.append(starts, np.iinfo(np.int64).max)[np.searchsorted(starts, starts, "right")]
        spans = np.stack((starts, np.minimum(ends, following)), axis=1)
    return spans


def join(parts: list[Normalized]) -> Normalized:
    """Join normalized texts into one.

    >>> join([Normalized("a", "a"), Normalized("b", "b")]).text
    'ab'
    """
    if len(parts) == 1:
        return parts[0]
    spans = None
    if any(part.spans is not None for part in parts):
        lengths = np.cumsum([0, *(len(part.original) for part in parts)])
        spans = np.concatenate([part.origins + start for part, start in zip(parts, lengths, strict=False)])
    return Normalized(
        "".join(part.text for part in parts),
        "".join(part.original for part in parts),
        sum(part.surrogates for part in parts),
        spans,
    )
