"""Segmentations of the same lines by several tokenizers, as one payload. Pure data, no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import sorted_place
from bpe_core.language import _
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import Body, encode_body, frame
from bpe_core.payloads.reasons import sentence_wire
from bpe_core.payloads.spans import Lane, TokenSpans
from bpe_core.text.utf8 import character_starts, count_characters, whole_characters


@dataclass(frozen=True)
class Interlinear:
    """Window of the text, with the tokens of every lane that touch it.

    >>> Interlinear.of("ab", [Lane("a", [1], [0], [2])]).body.data[:12]
    b'{"text":"ab"'
    """

    text: str
    """Whole lines of the text, or part of a very long line."""
    start: int
    """Start of the window in the whole text, in bytes of UTF-8."""
    before: int
    """Number of characters before the window."""
    after: int
    names: tuple[str, ...]
    dictionary: tuple[bool, ...]
    spans: tuple[TokenSpans, ...]
    unshared: tuple[list[int], ...]
    """For each lane: positions in its spans whose end is a boundary that not all tokenizers have."""

    @classmethod
    def of(cls, text: str, lanes: Sequence[Lane], *, around: int = 0, limit: int = 20_000) -> Interlinear:
        """Take whole lines of about `limit` bytes: the page of that size that holds byte `around`.

        >>> a = Lane("a", [1, 2], [0, 2], [2, 3])
        >>> b = Lane("b", [3, 4], [0, 1], [1, 3])
        >>> Interlinear.of("abc", [a, b]).unshared
        ([0], [0])
        """
        raw = text.encode("utf-8", "surrogatepass")
        start, end = _window(raw, min(max(around, 0), len(raw)), max(limit, 1))
        characters = character_starts(raw)
        spans = tuple(_touching(text, characters, lane, start, end) for lane in lanes)
        return cls(
            text=raw[start:end].decode("utf-8", "surrogatepass"),
            start=start,
            before=count_characters(raw[:start]),
            after=count_characters(raw[end:]),
            names=tuple(lane.name for lane in lanes),
            dictionary=tuple(lane.dictionary for lane in lanes),
            spans=spans,
            unshared=_unshared(spans, [lane.dictionary for lane in lanes]),
        )

    @cached_property
    def body(self) -> Body:
        """Payload for the browser, with its content hash."""
        lanes = [
            {
                **spans.payload(),
                "name": name,
                **_places(spans),
                "unshared": unshared,
                "dictionary": dictionary,
            }
            for name, spans, unshared, dictionary in zip(
                self.names, self.spans, self.unshared, self.dictionary, strict=True
            )
        ]
        return encode_body(
            {
                "text": self.text,
                "start": self.start,
                "before": self.before,
                "after": self.after,
                "lanes": lanes,
            }
        )


def _places(spans: TokenSpans) -> dict[str, Any]:
    """Bytes of the tokens: the size of each, and its distance from the end of the one before, unless 0."""
    starts, ends = np.asarray(spans.starts, dtype=np.int64), np.asarray(spans.ends, dtype=np.int64)
    jumps = starts - np.append(0, ends)[: len(starts)]
    away = np.flatnonzero(jumps)
    return {"sizes": (ends - starts).tolist(), "jumps": dict(zip(away.tolist(), jumps[away].tolist(), strict=True))}


def lines_frame(
    view: Interlinear,
    key: str,
    *,
    highlight: tuple[int, int] | None = None,
    height: int | None = None,
    label: str = "",
    note: str | None = None,
    tells: bool = False,
    more: Mapping[str, Any] | None = None,
) -> bytes:
    """Frame of lines for the view `key`; see `interlinear_view`. more: further fields of the head.

    >>> view = Interlinear.of("ab", [Lane("a", [1], [0], [2])])
    >>> lines_frame(view, "lines").partition(b"\\n")[2] == view.body.data
    True
    """
    head = {
        "name": key,
        "tells": tells,
        "label": label or _("The same lines in the tokens of each tokenizer"),
        "height": height,
        "highlight": _bytes(highlight) if highlight else None,
        "note": note,
        **(more or {}),
    }
    return frame(head, view.body)


def note_frame(
    title: str,
    pair: str,
    sentence: Sequence[str | Chip | bytes],
    *,
    at: tuple[int, int],
    highlight: tuple[int, int],
) -> bytes:
    """Frame of a note below the line with the bytes `at`, shown while `highlight` is marked.

    title, pair: its subject, and the two tokenizers; empty for a note without a head.

    >>> b'"of":[0,2]' in note_frame("Split boundary", "a against b", ["…"], at=(0, 2), highlight=(0, 2))
    True
    """
    body = {
        "of": _bytes(highlight),
        "at": _bytes(at),
        "title": title,
        "pair": pair,
        "sentence": sentence_wire(sentence),
    }
    return frame({}, encode_body(body))


def _bytes(place: tuple[int, int]) -> list[int]:
    return [int(byte) for byte in place]


def _window(raw: bytes, byte: int, limit: int) -> tuple[int, int]:
    """First and last byte of the page of `limit` bytes that holds `byte`, both moved back to a line start."""
    page = byte // limit
    first, last = (_line_start(raw, n * limit, limit) for n in (page, page + 1))
    if byte >= last:
        first, last = last, _line_start(raw, (page + 2) * limit, limit)
    return first, last


def _line_start(raw: bytes, byte: int, limit: int) -> int:
    """Start of the line that contains `byte`, or of its character if the line is very long."""
    if byte >= len(raw) or byte <= 0:
        return min(max(byte, 0), len(raw))
    newline = raw.rfind(b"\n", max(0, byte - limit // 2), byte)
    if newline >= 0:
        return newline + 1
    return whole_characters(raw, byte, byte)[0]


def _touching(text: str, characters: npt.NDArray[np.int32], lane: Lane, start: int, end: int) -> TokenSpans:
    """Tokens of the lane with a byte in start … end - 1; also empty ones at the end: the mark of the last word."""
    starts, ends = np.asarray(lane.starts), np.asarray(lane.ends)
    first = sorted_place(ends, start, "right") if start else 0
    stop = sorted_place(starts, end)
    while stop < len(starts) and starts[stop] == ends[stop] == end:
        stop += 1
    return TokenSpans.of(
        text,
        lane.ids,
        lane.starts,
        lane.ends,
        special=lane.special,
        labels=lane.labels,
        notes=lane.notes,
        first=first,
        count=max(stop - first, 0),
        character_starts=characters,
    )


def _unshared(spans: Sequence[TokenSpans], dictionary: Sequence[bool]) -> tuple[list[int], ...]:
    """Tokens of each lane whose end is not a boundary (the start or end of a token) in every other lane of tokens."""
    size = 1 + max((max(each.ends, default=0) for each in spans), default=0)
    shared = np.ones(size, np.bool_)
    for each, words in zip(spans, dictionary, strict=True):
        if words:
            continue
        boundaries = np.zeros(size, np.bool_)
        boundaries[each.starts] = boundaries[each.ends] = True
        shared &= boundaries
    return tuple(
        [] if words else np.flatnonzero(~shared[np.array(each.ends, dtype=np.int64)]).tolist()
        for each, words in zip(spans, dictionary, strict=True)
    )
