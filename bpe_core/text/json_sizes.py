"""Sizes of lists and objects in JSON bytes, counted before parsing, which takes up to twenty times the memory."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from bpe_core.arrays import Int64s

MOST_LEVELS = 4
"""Maximum depth at which list entries are counted: that of a merge in a tokenizer.json."""

_WINDOW = 1 << 18
_QUOTE, _LIST, _OBJECT = b'"[{'
_COMMA, _OPENING, _CLOSING = 1, 2, 3
_KINDS = np.zeros(256, np.uint8)
_KINDS[list(b",[{]}")] = _COMMA, _OPENING, _OPENING, _CLOSING, _CLOSING
_STEPS = np.array([0, 0, 1, -1], np.int32)
_KEY = re.compile(rb'"((?:[^"\\]|\\.)*)"\s*:\s*\Z')
_LONGEST_KEY = 200


class Sizes(NamedTuple):
    """Sizes in a JSON file.

    values   number of lists, objects, and commas between their entries
    lists    number of lists
    objects  number of objects
    longest  number of entries in the longest list or object
    key      key of the longest one, or ""
    open     number of lists and objects without an end

    >>> sizes_of(b"[[1, 2, 3], 4]", 100).longest
    3
    """

    values: int
    lists: int
    objects: int
    longest: int
    key: str
    open: int


def sizes_of(data: bytes, most: int) -> Sizes:
    """Count lists, objects and entries in JSON, outside strings, until `most` is exceeded.

    >>> sizes_of(b'{"a": [1, 2, "3, 4, 5"], "b": {}}', 100)
    Sizes(values=6, lists=1, objects=2, longest=3, key='a', open=0)
    """
    counts = _Counts()
    at, rest = 0, b""
    while at < len(data) and counts.values <= most:
        window = rest + data[at : at + _WINDOW]
        begin, at = at - len(rest), at + _WINDOW
        backslashes = len(window) - len(window.rstrip(b"\\"))
        rest = window[-1:] if backslashes % 2 and at < len(data) else b""
        counts.take(window[: len(window) - len(rest)], begin)
    key = _KEY.search(data[max(0, counts.begin - _LONGEST_KEY) : counts.begin])
    name = key[1].decode("utf-8", "replace") if key else ""
    return Sizes(counts.values, counts.lists, counts.objects, counts.longest + 1, name, counts.depth)


class _Counts:
    """Running counts over windows; `begin`: the offset of the longest list or object, `depth`: the open ones."""

    def __init__(self) -> None:
        self.values = self.lists = self.objects = self.longest = self.begin = 0
        self._in_string = self.depth = 0
        self._commas = [0] * (MOST_LEVELS + 1)  # of the open list at each depth
        self._begins = [0] * (MOST_LEVELS + 1)

    def take(self, window: bytes, begin: int) -> None:
        """Count a window of the file, which starts at byte `begin` and must not end within an escape."""
        if b"\\" in window:
            window = window.replace(rb"\\", b"..").replace(rb"\"", b"..")
        given = np.frombuffer(window, np.uint8)
        inside = (np.cumsum(given == _QUOTE, dtype=np.uint8) + self._in_string) & 1
        kinds = _KINDS[given] * (1 - inside)
        places = np.flatnonzero(kinds)
        kinds = kinds[places]
        depths = np.cumsum(_STEPS[kinds], dtype=np.int32) + self.depth
        if given.size:
            self._in_string = int(inside[-1])
        if places.size:
            self.depth = int(depths[-1])
        self.values += int(np.count_nonzero(kinds != _CLOSING))
        self.lists += int(np.count_nonzero(given[places] == _LIST))
        self.objects += int(np.count_nonzero(given[places] == _OBJECT))
        found = np.bincount(np.clip(depths, 0, MOST_LEVELS + 1), minlength=1)
        for depth in (np.flatnonzero(found[1 : MOST_LEVELS + 1]) + 1).tolist():
            here = depths == depth
            commas = (kinds == _COMMA) & here
            self._count(depth, np.cumsum(commas), places + begin, np.flatnonzero((kinds == _OPENING) & here))

    def _count(self, depth: int, commas: Int64s, places: Int64s, openings: Int64s) -> None:
        """Count entries between the openings of a depth, continuing the list left open by the last window."""
        total = int(commas[-1]) if commas.size else 0
        sizes = np.diff(commas[openings], prepend=-self._commas[depth], append=total)
        begins = np.concatenate(([self._begins[depth]], places[openings]))
        longest = int(sizes.argmax())
        if sizes[longest] > self.longest:
            self.longest, self.begin = int(sizes[longest]), int(begins[longest])
        self._commas[depth], self._begins[depth] = int(sizes[-1]), int(begins[-1])
