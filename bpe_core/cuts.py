"""Where a tokenizer cuts a text, in bytes of the text itself, so that the cuts of several can be laid together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.encoding import Encoding, Offsets
from bpe_core.tokenizer import Tokenizer


class Stretch(NamedTuple):
    """What one tokenizer makes of a stretch of text; all offsets in bytes of the text, from the stretch's start.

    original          the stretch as it stands in the text
    head, tail        what is missing at its ends where it begins or ends within a character
    data              the same after normalization
    ids, starts, ends the tokens and the bytes they cover
    cuts              where the split cuts inside the stretch
    gaps              stretches (start, end) that no word covers: white space that the split drops
    special           per token: taken as a special token, or <unk>
    begins            whether a word of the split begins with the stretch
    """

    original: bytes
    head: bytes
    tail: bytes
    data: bytes
    ids: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    cuts: tuple[int, ...]
    gaps: tuple[tuple[int, int], ...]
    special: tuple[bool, ...]
    begins: bool

    def around(self, index: int) -> bytes:
        """The whole characters of the text that a token's bytes are part of."""
        text, start = self.head + self.original + self.tail, len(self.head) + self.starts[index]
        end = max(len(self.head) + self.ends[index], start)
        before, after = _rest_of_character(text, start, end)
        return before + text[start:end] + after


class Cuts:
    """One tokenizer's encoding of a text, with every offset turned into bytes of the original text."""

    def __init__(self, name: str, tokenizer: Tokenizer, encoding: Encoding) -> None:
        self.name = name
        self.tokenizer = tokenizer
        self.encoding = encoding
        self.is_changed = encoding.normalized.spans is not None
        if self.is_changed:
            self.to_original = encoding.normalized.original_bytes
            self.starts: Offsets = self.to_original[encoding.starts]
            self.ends: Offsets = self.to_original[encoding.ends]
        else:
            self.starts, self.ends = encoding.starts, encoding.ends
        self.original = encoding.normalized.original.encode()
        self.data = encoding.text.encode() if self.is_changed else self.original

    @property
    def size(self) -> int:
        """Bytes of the text."""
        return len(self.original)

    @cached_property
    def is_boundary(self) -> npt.NDArray[np.bool_]:
        """For every byte offset 0 … size: whether a token starts or ends there. The ends of the text do not count."""
        marks = np.zeros(self.size + 1, np.bool_)
        marks[self.starts] = True
        marks[self.ends] = True
        marks[0] = marks[-1] = False
        return marks

    @cached_property
    def boundaries(self) -> Offsets:
        """The inner boundaries: byte offsets, ascending."""
        return np.flatnonzero(self.is_boundary)

    def stretches(self, starts: Offsets, ends: Offsets) -> Stretches:
        """What the tokenizer makes of each stretch of bytes starts[i] … ends[i], all of them between boundaries."""
        return Stretches(self, starts, ends)

    @cached_property
    def word_edges(self) -> Offsets:
        """Where the words of the split start and end, ascending."""
        marks = np.zeros(self.size + 1, np.bool_)
        opens = np.ones(len(self.encoding), np.bool_)
        words = self.encoding.word_ids
        opens[1:] = (words[1:] != words[:-1]) | (words[1:] < 0)
        closes = np.append(opens[1:], True)[: len(words)]
        marks[self.starts[opens]] = True
        marks[self.ends[closes]] = True
        return np.flatnonzero(marks)

    @cached_property
    def token_places(self) -> Offsets:
        """A byte that each token stands on, ascending: its first, or the one before an empty token behind a word.

        An empty token is a bare mark: of the end of a word (</w>), or of the start of one (▁), which stands on what
        follows.
        """
        words = self.encoding.word_ids
        same = words[1:] == words[:-1]
        leads = np.append(same, False) & ~np.append(False, same) if len(words) else same
        places = self.starts - ((self.starts == self.ends) & ~leads)
        return np.maximum(np.maximum.accumulate(places), 0) if len(places) else places


class Stretches:
    """Many stretches of one tokenizer's encoding, made one by one as they are asked for."""

    def __init__(self, cuts: Cuts, starts: Offsets, ends: Offsets) -> None:
        self._cuts = cuts
        self._starts = starts.tolist()
        self._ends = ends.tolist()
        self._first, self._last = (np.searchsorted(cuts.token_places, at).tolist() for at in (starts, ends))
        edges = cuts.word_edges
        self._first_edge = np.searchsorted(edges, starts, side="right").tolist()
        self._last_edge = np.searchsorted(edges, ends).tolist()
        if cuts.is_changed:
            self._from, self._to = self._normalized(starts, ends)
        else:
            self._from, self._to = self._starts, self._ends
        self._offset = self._first[0] if len(starts) else 0
        self._ids: list[int] = cuts.encoding.ids[self._offset : self._last[-1] if len(ends) else 0].tolist()

    def _normalized(self, starts: Offsets, ends: Offsets) -> tuple[list[int], list[int]]:
        """Where the stretches lie in the normalized text. Where several offsets come from one, the tokens decide."""
        encoding = self._cuts.encoding
        if not len(encoding):  # and so no boundary: one stretch, the whole text
            return [0] * len(starts), [len(self._cuts.data)] * len(starts)
        result = []
        for at, tokens, offsets in (
            (starts, np.array(self._first, np.int64), encoding.starts),
            (ends, np.array(self._last, np.int64) - 1, encoding.ends),
        ):
            low = np.searchsorted(self._cuts.to_original, at)
            high = np.searchsorted(self._cuts.to_original, at, side="right") - 1
            result.append(np.clip(offsets[np.clip(tokens, 0, len(offsets) - 1)], low, high).tolist())
        return result[0], result[1]

    def ids(self, i: int) -> tuple[int, ...]:
        """The tokens of the stretch."""
        return tuple(self._ids[self._first[i] - self._offset : self._last[i] - self._offset])

    def key(self, i: int) -> Hashable:
        """Equal for stretches that are alike in everything that `self[i]` holds; much cheaper to make."""
        cuts = self._cuts
        data = cuts.data[self._from[i] : self._to[i]]
        start, end = self._starts[i], self._ends[i]
        first, last = self._first_edge[i], self._last_edge[i]
        words = tuple((cuts.word_edges[first:last] - start).tolist()) if first < last else ()
        ends = (*_rest_of_character(cuts.original, start, end), self._begins(i))
        if not cuts.is_changed:
            return data, ends, self.ids(i), words
        tokens = slice(self._first[i], self._last[i])
        return (
            data,
            ends,
            cuts.original[start:end],
            self.ids(i),
            words,
            (cuts.starts[tokens] - start).tobytes(),
            (cuts.ends[tokens] - start).tobytes(),
        )

    def __getitem__(self, i: int) -> Stretch:
        cuts, start, end = self._cuts, self._starts[i], self._ends[i]
        tokens = slice(self._first[i], self._last[i])
        starts: list[int] = (cuts.starts[tokens] - start).tolist()
        ends: list[int] = (cuts.ends[tokens] - start).tolist()
        head, tail = _rest_of_character(cuts.original, start, end)
        return Stretch(
            original=cuts.original[start:end],
            head=head,
            tail=tail,
            data=cuts.data[self._from[i] : self._to[i]],
            ids=self.ids(i),
            starts=tuple(starts),
            ends=tuple(ends),
            cuts=tuple((cuts.word_edges[self._first_edge[i] : self._last_edge[i]] - start).tolist()),
            gaps=_gaps(starts, ends, end - start),
            special=tuple(cuts.encoding.special[tokens].tolist()),
            begins=self._begins(i),
        )

    def _begins(self, i: int) -> bool:
        start, at = self._starts[i], self._first_edge[i] - 1
        return bool(start == 0 or (at >= 0 and self._cuts.word_edges[at] == start))


def _rest_of_character(data: bytes, start: int, end: int) -> tuple[bytes, bytes]:
    """The bytes before `start` and behind `end` that belong to the same characters.

    >>> _rest_of_character("aこ".encode(), 2, 3)
    (b'\\xe3', b'\\x93')
    """
    first, last = start, end
    while first < len(data) and data[first] & 0xC0 == 0x80:
        first -= 1
    while last < len(data) and data[last] & 0xC0 == 0x80:
        last += 1
    return data[first:start], data[end:last]


def _gaps(starts: Sequence[int], ends: Sequence[int], size: int) -> tuple[tuple[int, int], ...]:
    """What lies between tokens that do not touch.

    >>> _gaps([0, 3], [2, 4], 6)
    ((2, 3), (4, 6))
    """
    return tuple((a, b) for a, b in zip((0, *ends), (*starts, size), strict=True) if a < b)
