"""Segmentation of a text by a tokenizer, in bytes of the original text, so that tokenizers can be compared."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import sorted_place
from bpe_core.comparison.space_marks import Unmarked, puts_mark_in_front, without_marks
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import message
from bpe_core.text.utf8 import begins_character, rest_of_character
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.token_places import Offsets
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.work import taking

_ID = np.int32
_ID_BYTES = 4
_PER_BYTE, _PER_ORIGINAL, _PER_TOKEN = 5, 12, 8
"""Memory in bytes of offsets in the original, per byte of the text, character of the original, and token."""

_UNMARKED_CHARACTER, _UNMARKED_BYTE = 40, 12
"""Memory in bytes of a text without marks, per character and byte of the text with them."""

_REGION_TOKEN, _REGION_BYTE = 100, 6
"""Memory in bytes of a region while it is explained, per token and per byte."""

_LISTED, _LISTED_TOKEN, _LISTED_BYTE = 400, 48, 4
"""Memory in bytes of many regions, per region, per token of them and per byte."""


class Region(NamedTuple):
    """Segmentation of a region by one tokenizer; all offsets in bytes of the original text, from the region's start.

    original           the region in the original text
    head, tail         bytes that complete its first and last character if it starts or ends within one
    data               the region after normalization, with each ▁ for a space turned back into the space
    ids, starts, ends  the tokens and the bytes they cover
    split_boundaries   starts and ends of words inside the region
    dropped            ranges (start, end) outside of all words: white space dropped by the split
    special            per token: whether it is a special token, or <unk>
    begins_word        whether a word starts at the region's start

    >>> from bpe_core import compare, load_pretrained
    >>> comparison = compare("x = 12345", {name: load_pretrained(name) for name in ("gpt2", "cl100k_base")})
    >>> region = comparison.regions("cl100k_base", *comparison.disagreement_ranges("gpt2", "cl100k_base"))[0]
    >>> region.original, region.ids, region.ends, region.split_boundaries
    (b' 123', (220, 4513), (1, 4), (1,))
    >>> region.around(1)
    b'123'
    """

    original: bytes
    head: bytes
    tail: bytes
    data: bytes
    ids: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    split_boundaries: tuple[int, ...]
    dropped: tuple[tuple[int, int], ...]
    special: tuple[bool, ...]
    begins_word: bool

    def around(self, index: int) -> bytes:
        """Bytes of a token, completed to whole characters of the text."""
        text, start = self.head + self.original + self.tail, len(self.head) + self.starts[index]
        end = max(len(self.head) + self.ends[index], start)
        before, after = rest_of_character(text, start, end)
        return before + text[start:end] + after


class SegmentedText:
    """Segmentation of a text by one tokenizer, with every offset in bytes of the original text.

    `starts` and `ends` are token offsets, ascending.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> segmentation = SegmentedText("gpt2", gpt2, gpt2.encode("x = 12"))
    >>> segmentation.size, segmentation.is_boundary.tolist()
    (6, [False, True, False, True, False, False, False])
    >>> segmentation.token_anchors.tolist()
    [0, 1, 3]
    >>> segmentation.is_word_boundary(0, 6).tolist()
    [True, True, False, True, False, False, True]
    >>> segmentation.region(1, 3).original, segmentation.regions(segmentation.starts, segmentation.ends)[2].original
    (b' =', b' 12')
    >>> segmentation.puts_mark_in_front, segmentation.normalized(1, 3)
    (None, b' =')
    """

    def __init__(self, name: str, tokenizer: Tokenizer, encoding: Encoding) -> None:
        self.name = name
        self.tokenizer = tokenizer
        self.encoding = encoding
        self.is_changed = encoding.normalized.spans is not None
        if self.is_changed:
            original = _PER_ORIGINAL * len(encoding.normalized.original)
            with taking(_PER_BYTE * len(encoding.utf8) + original + _PER_TOKEN * len(encoding)):
                self.to_original = encoding.normalized.original_bytes
            self.starts: Offsets = self.to_original[encoding.starts]
            self.ends: Offsets = self.to_original[encoding.ends]
        else:
            self.starts, self.ends = encoding.starts, encoding.ends
        self.original = encoding.normalized.original.encode()
        self.data = encoding.utf8 if self.is_changed else self.original

    @property
    def size(self) -> int:
        """Size of the text in bytes."""
        return len(self.original)

    @cached_property
    def puts_mark_in_front(self) -> bool | None:
        """Whether ▁, written for spaces, is also prepended to the text; None if it is never written."""
        return puts_mark_in_front(self.tokenizer)

    def normalized(self, start: int, end: int) -> bytes:
        """Bytes start … end of `data` after normalization alone: with spaces for the ▁ that replaced them."""
        if not self.is_changed or self.puts_mark_in_front is None:
            return self.data[start:end]
        unmarked, offsets = self._unmarked
        return unmarked[offsets[start] : offsets[end]]

    @cached_property
    def _unmarked(self) -> Unmarked:
        with taking(_UNMARKED_CHARACTER * len(self.encoding.text) + _UNMARKED_BYTE * len(self.encoding.utf8)):
            return without_marks(self.encoding.normalized)

    @cached_property
    def is_boundary(self) -> npt.NDArray[np.bool_]:
        """For each byte offset 0 … size, whether a token starts or ends there; False at both ends of the text."""
        marks = np.zeros(self.size + 1, np.bool_)
        marks[self.starts] = True
        touching = np.array_equal(self.starts[1:], self.ends[:-1])
        marks[self.ends[-1:] if touching else self.ends] = True
        marks[0] = marks[-1] = False
        return marks

    def complete(self) -> None:
        """Compute every array that is cached.

        >>> from bpe_core import load_pretrained
        >>> gpt2 = load_pretrained("gpt2")
        >>> SegmentedText("gpt2", gpt2, gpt2.encode("low")).complete()
        """
        _ = self.is_boundary, self.token_anchors

    def region(self, start: int, end: int) -> Region:
        """Segmentation of one region between boundaries or ends of the text."""
        return self.regions(np.array([start]), np.array([end]))[0]

    def regions(self, starts: Offsets, ends: Offsets) -> Regions:
        """Segmentation of the regions starts[i] … ends[i]: offsets of boundaries or of the text's ends."""
        return Regions(self, starts, ends)

    def is_word_boundary(self, start: int, end: int) -> npt.NDArray[np.bool_]:
        """For each byte offset start … end, whether a word starts or ends there."""
        first, last = sorted_place(self.ends, start), sorted_place(self.starts, end, "right")
        words = self.encoding.word_ids[max(first - 1, 0) : last + 1]
        opens = np.flatnonzero((words[1:] != words[:-1]) | (words[1:] < 0)) + max(first, 1)
        places = self.starts[:1], self.starts[opens], self.ends[opens - 1], self.ends[-1:]
        marks = np.zeros(end - start + 1, np.bool_)
        for each in places:
            marks[each[(start <= each) & (each <= end)] - start] = True
        return marks

    @cached_property
    def token_anchors(self) -> Offsets:
        """For each token, the byte that determines its region, ascending: usually its first.

        A token without bytes is only a mark. A word-final mark (</w>) belongs to the byte before it, a
        word-initial one (▁) to the byte after it.
        """
        is_empty = self.starts == self.ends
        if not is_empty.any():
            return self.starts
        words = self.encoding.word_ids
        same = words[1:] == words[:-1]
        leads = np.append(same, False) & ~np.append(False, same)
        return np.maximum(np.maximum.accumulate(self.starts - (is_empty & ~leads)), 0)


def held_bytes(encoding: Encoding) -> int:
    """Estimated memory in bytes of an encoded text's segmentation, offsets included.

    >>> from bpe_core import load_pretrained
    >>> held_bytes(load_pretrained("gpt2").encode("low"))
    31
    """
    if encoding.normalized.spans is None:
        return 22 * len(encoding) + 3 * len(encoding.utf8)
    return 34 * len(encoding) + 16 * len(encoding.text) + 8 * len(encoding.utf8)


class Regions:
    """Regions of one tokenizer's segmentation; `regions[i]` is created lazily.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> segmentation = SegmentedText("gpt2", gpt2, gpt2.encode("low low"))
    >>> regions = segmentation.regions(segmentation.starts, segmentation.ends)
    >>> regions.ids(1), regions[1].original
    ((1877,), b' low')
    >>> first, second = regions.keys()
    >>> first == second
    False
    """

    def __init__(self, segmentation: SegmentedText, starts: Offsets, ends: Offsets) -> None:
        self._segmentation = segmentation
        self._starts = starts.tolist()
        self._ends = ends.tolist()
        self._first, self._last = (np.searchsorted(segmentation.token_anchors, at).tolist() for at in (starts, ends))
        if segmentation.is_changed:
            self._from, self._to = self._normalized(starts, ends)
        else:
            self._from, self._to = self._starts, self._ends
        self._offset = self._first[0] if len(starts) else 0
        self._ids = segmentation.encoding.ids[self._offset : self._last[-1] if len(ends) else 0]

    def _normalized(self, starts: Offsets, ends: Offsets) -> tuple[list[int], list[int]]:
        """Regions in bytes of the normalized text. If an offset maps to several, the tokens determine which."""
        encoding = self._segmentation.encoding
        if not len(encoding):  # no boundary, so the only region is the whole text
            return [0] * len(starts), [len(self._segmentation.data)] * len(starts)
        result = []
        for at, tokens, offsets in (
            (starts, np.array(self._first, np.int64), encoding.starts),
            (ends, np.array(self._last, np.int64) - 1, encoding.ends),
        ):
            low = np.searchsorted(self._segmentation.to_original, at)
            high = np.searchsorted(self._segmentation.to_original, at, side="right") - 1
            result.append(np.clip(offsets[np.clip(tokens, 0, len(offsets) - 1)], low, high).tolist())
        return result[0], result[1]

    def ids(self, i: int) -> tuple[int, ...]:
        """Ids of a region's tokens; cheaper than `self[i].ids`."""
        return tuple(self._ids[self._first[i] - self._offset : self._last[i] - self._offset].tolist())

    def size(self) -> int:
        """Estimated memory in bytes of the ids and keys of all regions.

        >>> from bpe_core import load_pretrained
        >>> gpt2 = load_pretrained("gpt2")
        >>> segmentation = SegmentedText("gpt2", gpt2, gpt2.encode("low low"))
        >>> segmentation.regions(segmentation.starts, segmentation.ends).size()
        952
        """
        if not self._starts:
            return 0
        tokens, size = len(self._ids), int(self._ends[-1] - self._starts[0] + self._to[-1] - self._from[0])
        return _LISTED_TOKEN * tokens + _LISTED_BYTE * size + _LISTED * len(self._starts)

    def size_of(self, i: int) -> int:
        """Estimated memory in bytes of `self[i]` and of its explanation.

        >>> from bpe_core import load_pretrained
        >>> gpt2 = load_pretrained("gpt2")
        >>> segmentation = SegmentedText("gpt2", gpt2, gpt2.encode("low low"))
        >>> segmentation.regions(segmentation.starts, segmentation.ends).size_of(0)
        118
        """
        tokens, size = int(self._last[i] - self._first[i]), int(self._ends[i] - self._starts[i])
        return _REGION_TOKEN * tokens + _REGION_BYTE * size

    def keys(self) -> Iterator[Hashable]:
        """Key of each region, equal for regions with equal `self[i]`; much cheaper to create."""
        segmentation, data, original = self._segmentation, self._segmentation.data, self._segmentation.original
        ids, first_id = self._id_bytes, _ID_BYTES * self._offset
        marks, first_byte = (self._word_marks, self._starts[0]) if self._starts else (b"", 0)
        edges = zip(
            self._starts, self._ends, self._from, self._to, self._first, self._last, self._is_whole, strict=True
        )
        keys = (
            (
                data[since:until],
                ids[_ID_BYTES * first - first_id : _ID_BYTES * last - first_id],
                marks[start - first_byte : (end if end > start else start + 1) - first_byte],
                None if whole else rest_of_character(original, start, end),
            )
            for start, end, since, until, first, last, whole in edges
        )
        return self._of_changed(keys) if segmentation.is_changed else keys

    def _of_changed(self, keys: Iterable[tuple[Hashable, ...]]) -> Iterator[Hashable]:
        """Keys extended by the changes that normalization made."""
        segmentation = self._segmentation
        edges = zip(keys, self._starts, self._ends, self._first, self._last, strict=True)
        for key, start, end, first, last in edges:
            ranges = (offsets[first:last] - start for offsets in (segmentation.starts, segmentation.ends))
            yield (*key, segmentation.original[start:end], *(each.tobytes() for each in ranges))

    @cached_property
    def _id_bytes(self) -> bytes:
        return self._ids.astype(_ID, copy=False).tobytes()

    @cached_property
    def _word_marks(self) -> bytes:
        """For each byte since the first region's, whether a word starts or ends there; the text begins one."""
        marks = self._segmentation.is_word_boundary(self._starts[0], self._ends[-1])
        marks[0] |= self._starts[0] == 0
        return marks.tobytes()

    @cached_property
    def _is_whole(self) -> list[bool]:
        """Whether each region starts and ends at a character boundary."""
        begins = begins_character(self._segmentation.original + b"\0")
        whole: list[bool] = (begins[self._starts] & begins[self._ends]).tolist()
        return whole

    def __getitem__(self, i: int) -> Region:
        segmentation, start, end = self._segmentation, self._starts[i], self._ends[i]
        tokens = slice(self._first[i], self._last[i])
        starts = [at - start for at in segmentation.starts[tokens].tolist()]
        ends = [at - start for at in segmentation.ends[tokens].tolist()]
        head, tail = rest_of_character(segmentation.original, start, end)
        marks = self._word_marks[start - self._starts[0] : max(end, start + 1) - self._starts[0]]
        return Region(
            original=segmentation.original[start:end],
            head=head,
            tail=tail,
            data=segmentation.normalized(self._from[i], self._to[i]),
            ids=self.ids(i),
            starts=tuple(starts),
            ends=tuple(ends),
            split_boundaries=tuple(at for at, mark in enumerate(marks) if mark and at),
            dropped=_uncovered(starts, ends, end - start),
            special=tuple(segmentation.encoding.special[tokens].tolist()),
            begins_word=bool(marks[0]),
        )


def _uncovered(starts: Sequence[int], ends: Sequence[int], size: int) -> tuple[tuple[int, int], ...]:
    """Ranges of 0 … size outside of all tokens.

    >>> _uncovered([0, 3], [2, 4], 6)
    ((2, 3), (4, 6))
    """
    return tuple((a, b) for a, b in zip((0, *ends), (*starts, size), strict=True) if a < b)


def check_ranges(starts: object, ends: object, size: int) -> None:
    """Raise ConfigError unless these arrays are the starts and ends of ascending ranges within 0 … `size`.

    >>> check_ranges(np.array([0, 2]), np.array([2, 5]), 5)
    """
    for edges in (starts, ends):
        if not (isinstance(edges, np.ndarray) and edges.ndim == 1 and np.issubdtype(edges.dtype, np.integer)):
            raise ConfigError(
                message("The edges are {value}.", value=quoted(edges)),
                limit=message("Use arrays of whole numbers."),
                remedy=message("Correct them."),
            )
    assert isinstance(starts, np.ndarray)
    assert isinstance(ends, np.ndarray)
    laid = np.stack((starts, ends), axis=1).ravel() if len(starts) == len(ends) else np.array([-1])
    if len(laid) and not (laid[0] >= 0 and laid[-1] <= size and (laid[1:] >= laid[:-1]).all()):
        raise ConfigError(
            message(
                "The ranges {starts} to {ends} are not ranges of the text.", starts=quoted(starts), ends=quoted(ends)
            ),
            limit=message("Ranges are between 0 and {size:,}, in order, with as many starts as ends.", size=size),
            remedy=message("Correct them."),
        )
