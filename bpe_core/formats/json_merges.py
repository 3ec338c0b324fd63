"""The merges of a large tokenizer.json, parsed part by part: their texts are those of the vocabulary, not copies.

A text of Python has four bytes for every character as soon as there is one emoji, and each merge would have two texts
of its own. Parsed at once, half a million merges take several times the memory that they have afterwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

_BEGIN = re.compile(rb'"merges"\s*:\s*\[')
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_ENTRY = rb"\s*+(?:\[\s*+%b\s*+,\s*+%b\s*+\]|%b)\s*+," % (_STRING, _STRING, _STRING)
_ENTRIES = re.compile(rb"(?:%b){1,20000}+" % _ENTRY, re.DOTALL)


class Parts(NamedTuple):
    """A JSON file without most of its merges, and where these are: the ranges of bytes of entries and commas.

    >>> apart(b'{"model": {"merges": ["a b", "ab c", "abc d"]}}')
    Parts(rest=b'{"model": {"merges": [ "abc d"]}}', ranges=[(22, 36)])
    """

    rest: bytes
    ranges: list[tuple[int, int]]


def apart(data: bytes) -> Parts | None:
    """The merges apart from the rest; None where the file has none, or more than one list of that name.

    >>> apart(b'{"vocab": {}}')
    """
    begins = list(_BEGIN.finditer(data))
    if len(begins) != 1:
        return None
    start = at = begins[0].end()
    ranges = []
    while found := _ENTRIES.match(data, at):
        ranges.append((at, found.end()))
        at = found.end()
    if not ranges or data[at : at + 100].lstrip()[:1] not in (b'"', b"["):
        return None  # a comma without an entry after it is not JSON
    return Parts(data[:start] + data[at:], ranges)


def joined(data: bytes, parts: Parts, parse: Callable[[bytes], Any]) -> Any:
    """The content of a JSON file whose merges were set apart; None where they are not those of its model.

    `parse`: what reads the rest. Raises as it does, and ValueError for merges that are not JSON.

    >>> data = b'{"model": {"vocab": {"a": 0}, "merges": [["a", "b"], "ab c", "abc d"]}}'
    >>> joined(data, apart(data), json.loads)["model"]["merges"]
    [['a', 'b'], 'ab c', 'abc d']
    """
    content = parse(parts.rest)
    model = content.get("model") if isinstance(content, dict) else None
    last = model.get("merges") if isinstance(model, dict) else None
    if model is None or not isinstance(last, list):
        return None
    vocab = model.get("vocab")
    names = {token: token for token in vocab} if isinstance(vocab, dict) else {}
    model["merges"] = [*_entries(data, parts.ranges, names), *last]
    return content


def _entries(data: bytes, ranges: list[tuple[int, int]], names: dict[str, str]) -> Iterator[Any]:
    known = names.get
    for start, end in ranges:
        entries = json.loads(b"[" + data[start : end - 1] + b"]")
        for entry in entries:
            if type(entry) is list:
                left, right = entry
                entry[:] = known(left, left), known(right, right)
        yield from entries
