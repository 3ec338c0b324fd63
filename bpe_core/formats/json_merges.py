"""Merges of a large tokenizer.json, parsed in parts, and only after the rest of the file has been checked.

A Python str with an emoji takes four bytes per character, and each merge would have two separate strings. Parsed at
once, half a million merges need several times their final memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, repeat
from operator import add
from typing import Any, NamedTuple, NoReturn, Self

import numpy as np
import regex

from bpe_core.arrays import Int32s
from bpe_core.errors import quoted, refuse
from bpe_core.formats.progress import SLICE
from bpe_core.formats.reading import wrong
from bpe_core.language import message

_BEGIN = re.compile(rb'(?<!\\)"merges"\s*:\s*\[')
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_ENTRY = rb"\s*+(?:\[\s*+%b\s*+,\s*+%b\s*+\]|%b)\s*+," % (_STRING, _STRING, _STRING)
_ENTRIES = regex.compile(rb"(?:%b){1,20000}+" % _ENTRY, regex.DOTALL)  # re cannot repeat this before Python 3.11.5

_MARK = int.from_bytes(b"merges here")
"""Placeholder number for the merges that were left out."""

_LEFT_OUT = b"%d," % _MARK


class ReducedJson(NamedTuple):
    """A JSON file with a number in place of most of its merges, and the byte ranges of these entries and commas.

    >>> apart(b'{"model": {"merges": ["a b", "ab c", "abc d"]}}').ranges
    [(22, 36)]
    """

    rest: bytes
    ranges: list[tuple[int, int]]

    def are_left_out(self, merges: object) -> bool:
        """Whether this is the list whose entries were left out.

        >>> apart(b'{"merges": ["a b", "c d"]}').are_left_out(["a b"])
        False
        """
        return isinstance(merges, list) and merges[:1] == [_MARK]

    def place(self, at: int) -> int:
        """Convert an offset in the rest to the offset in the file.

        >>> parts = apart(b'{"merges": ["a b", "c d"]}')
        >>> parts.place(parts.rest.index(b"c"))
        20
        """
        begin, end = self.ranges[0][0], self.ranges[-1][1]
        return at if at <= begin else at + end - begin - len(_LEFT_OUT)


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
    return ReducedJson(b"".join((data[:start], _LEFT_OUT, data[at:])), ranges) if ranges else None


@dataclass(frozen=True, eq=False)
class MergeParts:
    """Merges in their JSON form, in parts that are built lazily: the number of parts, and a function that builds one.

    >>> parts = MergeParts.of(["a b", "ab c"])
    >>> len(parts), list(parts.each())
    (1, [['a b', 'ab c']])
    """

    count: int
    part: Callable[[int], Sequence[Any]]

    def __len__(self) -> int:
        """Number of parts."""
        return self.count

    def each(self) -> Iterator[Sequence[Any]]:
        """The parts, one by one."""
        return map(self.part, range(self.count))

    @classmethod
    def of(cls, entries: Sequence[Any], made: Callable[[Any], Any] | None = None) -> Self:
        """Parts of a list. `made`: converts an entry to a merge.

        >>> list(MergeParts.of([b"a b"], bytes.decode).each())
        [['a b']]
        """

        def part(number: int) -> Sequence[Any]:
            found = entries[number * SLICE : (number + 1) * SLICE]
            return found if made is None else [*map(made, found)]

        return cls(-(-len(entries) // SLICE), part)


def numbered(entries: Sequence[Any], vocab: Mapping[str, int], prefix: str = "", first: int = 0) -> Int32s:
    """Merges as rows of ids: left, right, new.

    `prefix`: the continuing_subword_prefix, which a merge drops from its right token. `first`: index of the first entry
    among all merges, for errors. Raises FormatError for an entry that is not a pair of tokens, or makes no token.

    >>> numbered(["a b", ["b", "a"]], {"a": 0, "b": 1, "ab": 2, "ba": 3}).tolist()
    [[0, 1, 2], [1, 0, 3]]
    """
    tokens = _tokens(entries)
    rights = tokens[1::2]
    with suppress(KeyError, TypeError):  # an unknown token, or a value of another type
        ids = np.fromiter(map(vocab.__getitem__, tokens), np.int32, len(tokens))
        if not prefix or all(len(token.encode()) >= len(prefix.encode()) for token in rights):
            rights = [without(prefix, token) for token in rights] if prefix else rights
            made = map(vocab.__getitem__, map(add, tokens[::2], rights))
            return np.column_stack((ids[::2], ids[1::2], np.fromiter(made, np.int32, len(entries))))
    found = [_numbered(at, entry, vocab, prefix) for at, entry in enumerate(entries, first)]
    return np.array(found, np.int32).reshape(-1, 3)


def _tokens(entries: Sequence[Any]) -> list[Any]:
    """Both tokens of each merge in turn; [None] if not all are pairs."""
    kinds = set(map(type, entries))
    if kinds == {str} and set(map(str.count, entries, repeat(" "))) == {1}:
        return " ".join(entries).split(" ")
    pairs = [entry.split(" ") if type(entry) is str else entry for entry in entries] if str in kinds else entries
    return [*chain.from_iterable(pairs)] if kinds <= {str, list} and set(map(len, pairs)) <= {2} else [None]


def _numbered(at: int, entry: object, vocab: Mapping[str, int], prefix: str) -> tuple[int, int, int]:
    pair = entry.split(" ") if type(entry) is str else entry
    if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not str or type(pair[1]) is not str:
        wrong(f"model.merges[{at}]", entry, message('It is two tokens: "a b", or ["a", "b"].'))
    left, right = pair
    dropped, data = len(prefix.encode()), right.encode("utf-8", "surrogatepass")
    if left in vocab and right in vocab and len(data) < dropped:
        wrong(
            f"model.merges[{at}]",
            pair,
            message(
                "The right token is at least as long as model.continuing_subword_prefix, {prefix}.",
                prefix=quoted(prefix),
            ),
        )
    made = left + without(prefix, right)
    missing = next((token for token in (left, right, made) if token not in vocab), None)
    if missing is not None:
        refuse_merge(at, entry, missing)
    return vocab[left], vocab[right], vocab[made]


def without(prefix: str, right: str) -> str:
    """A right token without its first bytes, as many as the prefix has; like the library, without comparing them.

    >>> without("##", "##er")
    'er'
    """
    dropped = len(prefix.encode())
    return right.encode("utf-8", "surrogatepass")[dropped:].decode("utf-8", "surrogateescape") if dropped else right


def refuse_merge(at: int, entry: object, missing: str) -> NoReturn:
    """Raise FormatError for a merge whose parts or result are not all in the vocabulary.

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
