"""Text to normalized text, with every normalized character aligned to the original characters it came from."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
import numpy.typing as npt
import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

UnicodeForm = Literal["NFC", "NFD", "NFKC", "NFKD"]
NORMALIZATIONS = ("none", "NFC", "NFD", "NFKC", "NFKD")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SURROGATES = range(0xD800, 0xE000)
_MARKS = regex.compile(r"\p{M}{50,}+")


@dataclass(frozen=True)
class Normalized:
    """A normalized text and where each of its characters came from.

    `text`: what the split sees. `original`: what came in, lone surrogates already replaced. `surrogates`: how many
    were replaced. `spans`: None when the text was not changed, else an int64 array (len(text), 2) of the original
    character range behind each normalized character.
    """

    text: str
    original: str
    surrogates: int = 0
    spans: npt.NDArray[np.int64] | None = None

    @cached_property
    def utf8(self) -> bytes:
        """The UTF-8 of `text`, which byte offsets refer to."""
        return self.text.encode()

    @cached_property
    def original_bytes(self) -> npt.NDArray[np.int64]:
        """For every byte offset 0 … len(utf-8 of text): the byte offset in the original's UTF-8 (int64).

        An offset inside a changed character, or between two characters that share one origin, maps to the end of
        that origin: offsets never run backwards, and a cut never falls inside what changed as a whole. Only where one
        character became one of as many bytes (É, é) do the offsets inside stay what they are.
        """
        normalized_lengths = utf8_lengths(self.text)
        if self.spans is None:
            return np.arange(int(normalized_lengths.sum()) + 1, dtype=np.int64)
        original_offsets = np.concatenate(([0], np.cumsum(utf8_lengths(self.original))))
        first = original_offsets[self.spans[:, 0]]
        last = original_offsets[self.spans[:, 1]]
        starts = np.concatenate(([0], np.cumsum(normalized_lengths)))
        result = np.empty(int(starts[-1]) + 1, dtype=np.int64)
        opens = np.diff(self.spans[:, 0], prepend=-1) > 0
        one_to_one = opens & np.append(opens[1:], True) & (self.spans[:, 1] - self.spans[:, 0] == 1)
        alone = one_to_one & (last - first == normalized_lengths)
        within = np.arange(result.size - 1) - np.repeat(starts[:-1], normalized_lengths)
        kept = np.repeat(alone, normalized_lengths) | ((within == 0) & np.repeat(opens, normalized_lengths))
        offsets = np.repeat(first, normalized_lengths) + within
        result[:-1] = np.where(kept, offsets, np.repeat(last, normalized_lengths))
        result[-1] = original_offsets[-1]
        return np.maximum.accumulate(result)


class NormalizationSettings(Protocol):
    """The part of TrainConfig that normalization looks at."""

    @property
    def normalization(self) -> Literal["none", "NFC", "NFD", "NFKC", "NFKD"]:
        """The Unicode form."""

    @property
    def lowercase(self) -> bool:
        """Whether the text becomes lower case."""

    @property
    def strip_accents(self) -> bool:
        """Whether nonspacing marks are dropped."""


def normalize(text: str, config: NormalizationSettings) -> Normalized:
    """Normalize `text` as `config` says: Unicode form, then lower case, then accents.

    Lone surrogates become U+FFFD first, since they have no UTF-8. Stripping accents decomposes, drops the
    nonspacing marks (category Mn) and composes again unless a decomposed form was asked for.

    >>> from bpe_core.config import TrainConfig
    >>> normalize("Cafe\\u0301", TrainConfig(normalization="NFC", lowercase=True)).text
    'café'
    >>> normalize("Ångström", TrainConfig(strip_accents=True)).text
    'Angstrom'
    """
    original, surrogates = replace_surrogates(text)
    if not original or not changes_text(config):
        return Normalized(original, original, surrogates)
    result = original
    spans: npt.NDArray[np.int64] | None = None
    for step in _steps(config):
        changed, origin = step(result)
        if changed != result:
            spans = origin if spans is None else _chain(spans, origin)
            result = changed
    return Normalized(result, original, surrogates, spans)


def changes_text(config: NormalizationSettings) -> bool:
    """Whether these settings change any text at all.

    >>> from bpe_core.config import TrainConfig
    >>> changes_text(TrainConfig()), changes_text(TrainConfig(lowercase=True))
    (False, True)
    """
    return config.normalization != "none" or config.lowercase or config.strip_accents or _cleans(config)


def replace_surrogates(text: str) -> tuple[str, int]:
    """`text` with each lone surrogate replaced by U+FFFD, and how many there were.

    >>> replace_surrogates("a\\ud800b")
    ('a\N{REPLACEMENT CHARACTER}b', 1)
    """
    if text.isascii():
        return text, 0
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        fixed = "".join(REPLACEMENT if ord(char) in _SURROGATES else char for char in text)
        return fixed, sum(ord(char) in _SURROGATES for char in text)
    return text, 0


def utf8_lengths(text: str) -> npt.NDArray[np.int64]:
    """Bytes of UTF-8 per character: int64 array of len(text).

    >>> utf8_lengths("aéこ😀").tolist()
    [1, 2, 3, 4]
    """
    points = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    return 1 + (points > 0x7F).astype(np.int64) + (points > 0x7FF) + (points > 0xFFFF)


_Step = tuple[str, npt.NDArray[np.int64]]


def _steps(config: NormalizationSettings) -> Iterator[Callable[[str], _Step]]:
    if _cleans(config):
        yield _clean
    if config.normalization != "none":
        form: UnicodeForm = config.normalization
        yield lambda text: _by_segments(text, lambda part: _normal(form, part))
    if config.lowercase:
        yield _lower_each if getattr(config, "lowercase_each", False) else _lower
    if config.strip_accents:
        decomposed = config.normalization in ("NFD", "NFKD")
        yield lambda text: _by_segments(text, lambda part: _without_marks(part, compose=not decomposed))


def _cleans(config: NormalizationSettings) -> bool:
    """Whether control characters are dropped: a setting that only tokenizers of other programs have (ReadConfig)."""
    return bool(getattr(config, "clean", False))


def _clean(text: str) -> _Step:
    """Without control characters, format characters and U+FFFD, as BERT has it; white space becomes spaces."""
    kept = [i for i, char in enumerate(text) if char in "\t\n\r" or not _is_control(char)]
    positions = np.array(kept, np.int64)
    cleaned = "".join(" " if text[i].isspace() else text[i] for i in kept)
    return cleaned, np.stack((positions, positions + 1), axis=1)


@lru_cache(maxsize=65536)
def _is_control(char: str) -> bool:
    return char == REPLACEMENT or unicodedata.category(char)[0] == "C"


def _lower_each(text: str) -> _Step:
    """Lower case of each character by itself."""
    return "".join(char.lower() for char in text), _lower(text)[1]


def _lower(text: str) -> _Step:
    """Lower case of the whole text (a final Σ needs its context), aligned character by character."""
    lengths = np.fromiter((len(char.lower()) for char in text), np.int64, len(text))
    positions = np.arange(len(text))
    return text.lower(), np.repeat(np.stack((positions, positions + 1), axis=1), lengths, axis=0)


def _without_marks(text: str, *, compose: bool) -> str:
    bare = "".join(c for c in _normal("NFD", text) if unicodedata.category(c) != "Mn")
    return _normal("NFC", bare) if compose else bare


def _normal(form: UnicodeForm, text: str) -> str:
    """What unicodedata.normalize gives, without its n squared steps for a long run of unordered combining marks.

    Marks in canonical order are the same text canonically, so ordering them first changes no form.

    >>> _normal("NFC", "e\u0301")
    'é'
    """
    return unicodedata.normalize(form, _MARKS.sub(lambda run: _ordered(run.group()), text))


def _ordered(marks: str) -> str:
    """Combining marks in canonical order; one of class 0 stays, and none passes it."""
    runs = ((starter, "".join(run)) for starter, run in groupby(marks, lambda mark: unicodedata.combining(mark) == 0))
    return "".join(run if starter else "".join(sorted(run, key=unicodedata.combining)) for starter, run in runs)


def _by_segments(text: str, change: Callable[[str], str]) -> _Step:
    """Change the text segment by segment, so that each result knows the segment it came from."""
    whole = change(text)
    cuts = [*_segment_starts(text), len(text)]
    parts = [change(text[start:end]) for start, end in pairwise(cuts)]
    if "".join(parts) != whole:  # cannot happen unless a Unicode version adds a new kind of composition
        cuts, parts = [0, len(text)], [whole]
    origins = np.array(list(pairwise(cuts)), dtype=np.int64).reshape(-1, 2)
    return whole, np.repeat(origins, [len(part) for part in parts], axis=0)


def _segment_starts(text: str) -> list[int]:
    """Where normalizing the text before and after gives the same as normalizing the whole."""
    glued = _composes_backwards()
    return [i for i, char in enumerate(text) if i == 0 or not (char in glued or _begins_combining(char))]


@lru_cache(maxsize=65536)
def _begins_combining(char: str) -> bool:
    first = unicodedata.normalize("NFKD", char)[0]
    return unicodedata.combining(first) != 0 or first in _composes_backwards()


@lru_cache(maxsize=1)
def _composes_backwards() -> frozenset[str]:
    """Characters that may compose with the one before: second halves of compositions, and Hangul vowels and tails."""
    seconds = {chr(code) for block in (range(0x1161, 0x1176), range(0x11A8, 0x11C3)) for code in block}
    for code in range(0x110000):
        decomposition = unicodedata.decomposition(chr(code))
        if decomposition and not decomposition.startswith("<") and " " in decomposition:
            seconds.add(chr(int(decomposition.split()[1], 16)))
    return frozenset(seconds)


def _chain(outer: npt.NDArray[np.int64], inner: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Origins of a second change, seen from the text before the first one."""
    if not len(inner):
        return inner
    return np.stack((outer[inner[:, 0], 0], outer[inner[:, 1] - 1, 1]), axis=1)


def join(parts: list[Normalized]) -> Normalized:
    """Texts that were normalized one by one, as one normalized text.

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
