"""Merges of a large tokenizer.json, parsed in parts so that they share the vocabulary's strings.

A Python str with an emoji takes four bytes per character, and each merge would have two separate strings. Parsed at
once, half a million merges need several times their final memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from operator import eq
from typing import Any, NamedTuple, NoReturn, Self

import numpy as np
import regex

from bpe_core.arrays import Int32s
from bpe_core.errors import quoted, refuse
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.reading import wrong
from bpe_core.language import message

_BEGIN = re.compile(rb'"merges"\s*:\s*\[')
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_ENTRY = rb"\s*+(?:\[\s*+%b\s*+,\s*+%b\s*+\]|%b)\s*+," % (_STRING, _STRING, _STRING)
_ENTRIES = regex.compile(rb"(?:%b){1,20000}+" % _ENTRY, regex.DOTALL)  # re cannot repeat this before Python 3.11.5


class ReducedJson(NamedTuple):
    """A JSON file without most of its merges, and the byte ranges of the removed entries and commas.

    >>> apart(b'{"model": {"merges": ["a b", "ab c", "abc d"]}}')
    ReducedJson(rest=b'{"model": {"merges": [ "abc d"]}}', ranges=[(22, 36)])
    """

    rest: bytes
    ranges: list[tuple[int, int]]


def apart(data: bytes) -> ReducedJson | None:
    """Separate the merges from the rest; None unless the file has exactly one list of that name.

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
        return None  # a trailing comma is not JSON
    return ReducedJson(data[:start] + data[at:], ranges)


@dataclass(frozen=True, eq=False)
class TokenPairs:
    """Merges as pairs of vocabulary tokens: two arrays instead of half a million lists for the garbage collector.

    >>> pairs = TokenPairs(["a", "b"], np.array([0, 1], np.int32), np.array([1, 1], np.int32))
    >>> len(pairs), pairs[0], list(pairs)
    (2, ['a', 'b'], [['a', 'b'], ['b', 'b']])
    """

    tokens: Sequence[str] = field(repr=False)
    lefts: Int32s = field(repr=False)
    rights: Int32s = field(repr=False)

    def __len__(self) -> int:
        """Number of merges."""
        return len(self.lefts)

    def __getitem__(self, at: int) -> list[str]:
        """A merge in its JSON form."""
        return [self.tokens[self.lefts[at]], self.tokens[self.rights[at]]]

    def __iter__(self) -> Iterator[list[str]]:
        """All merges, by rank."""
        return map(self.__getitem__, range(len(self)))

    @classmethod
    def of(cls, tokens: Sequence[str], pairs: Int32s) -> Self:
        """Merges from rows of two token numbers.

        >>> TokenPairs.of(["a", "b"], np.array([[0, 1]], np.int32))[0]
        ['a', 'b']
        """
        return cls(tokens, *np.ascontiguousarray(pairs.T))


def joined(data: bytes, parts: ReducedJson, parse: Callable[[bytes], Any], share: Share = NO_PROGRESS) -> Any:
    """Content of a JSON file with its separated merges as TokenPairs; None if they are not those of its model.

    `parse`: the parser of the rest. Raises as it does, ValueError for merges that are not JSON, and FormatError for a
    merge that is not a pair of tokens.

    >>> data = b'{"model": {"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"], "ab a"]}}'
    >>> list(joined(data, apart(data), json.loads)["model"]["merges"])
    [['a', 'b'], ['ab', 'a']]
    """
    content = parse(parts.rest)
    share.reached(1, 3)
    model = content.get("model") if isinstance(content, dict) else None
    last = model.get("merges") if isinstance(model, dict) else None
    vocab = model.get("vocab") if isinstance(model, dict) else None
    if model is None or not isinstance(last, list) or not isinstance(vocab, dict) or model.get("type", "BPE") != "BPE":
        return None
    tokens = list(vocab)
    in_order = all(map(eq, vocab.values(), range(len(tokens))))
    numbers = vocab if in_order else {token: number for number, token in enumerate(tokens)}
    found: list[Int32s] = []
    first = 0
    rest = share.part(0.3, 1.0)
    for at, (start, end) in enumerate(parts.ranges):
        found.append(numbered(json.loads(b"[" + data[start : end - 1] + b"]"), numbers, first))
        first += len(found[-1])
        rest.reached(at + 1, len(parts.ranges))
    found.append(numbered(last, numbers, first))
    model["merges"] = TokenPairs.of(tokens, np.concatenate(found))
    return content


def numbered(entries: Sequence[Any], numbers: Mapping[str, int], first: int = 0) -> Int32s:
    """Merges as rows of two token numbers. `first`: place of the first entry among all merges, for the error.

    Raises FormatError for an entry that is not a pair of tokens.

    >>> numbered(["a b", ["b", "a"]], {"a": 0, "b": 1}).tolist()
    [[0, 1], [1, 0]]
    """
    kinds = set(map(type, entries))
    pairs = [entry.split(" ") if type(entry) is str else entry for entry in entries] if str in kinds else entries
    if kinds <= {str, list} and set(map(len, pairs)) <= {2}:
        flat = map(numbers.__getitem__, chain.from_iterable(pairs))
        with suppress(KeyError, TypeError):  # an unknown token, or a value of another type
            return np.fromiter(flat, np.int32, 2 * len(pairs)).reshape(-1, 2)
    for at, entry in enumerate(entries, first):
        pair = entry.split(" ") if type(entry) is str else entry
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not str or type(pair[1]) is not str:
            wrong(f"model.merges[{at}]", entry, message('It is two tokens: "a b", or ["a", "b"].'))
        missing = next((token for token in pair if token not in numbers), None)
        if missing is not None:
            refuse_merge(at, entry, missing)
    raise AssertionError("a merge is a pair of tokens, or refused")


def refuse_merge(at: int, entry: object, missing: str) -> NoReturn:
    """Raise FormatError for a merge whose token, or what it makes, is not in the vocabulary.

    >>> refuse_merge(0, "a c", "c")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: model.merges[0] is 'a c', and model.vocab lacks 'c'. Both tokens of a merge are ...
    """
    refuse(
        message(
            "model.merges[{entry}] is {value}, and model.vocab lacks {missing}.",
            entry=at,
            value=quoted(entry),
            missing=quoted(missing),
        ),
        message("Both tokens of a merge are in the vocabulary, and what they become."),
    )
