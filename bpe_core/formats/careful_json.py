"""Strict JSON for tokenizer files: unique keys, finite numbers, bounded memory."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, NoReturn

from bpe_core.errors import GET_AGAIN, quoted, refuse
from bpe_core.formats.json_merges import MergeParts, ReducedJson, apart
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.reading import HIGHEST_ID, MOST_TOKENS, SMALLER_FILE, THE_FILE, decoded
from bpe_core.formats.reading_memory import PER_TOKEN
from bpe_core.language import message
from bpe_core.text.json_sizes import sizes_of
from bpe_core.work import taking

MOST_VALUES = 5_000_000
"""Maximum number of lists, objects and values in one JSON file: a full vocabulary with all its merges as pairs."""

MOST_LISTS = MOST_TOKENS + 100_000
"""Maximum number of lists in one JSON file: merges or pieces as pairs, and others."""

MOST_OBJECTS = 400_000
"""Maximum number of objects in one JSON file: tokens of a tekken.json, added tokens, steps, parts of templates."""

_OF_TOKENS = ("merges", "vocab")
"""Keys of lists and objects with at most MOST_TOKENS entries; others may have one entry per id."""


_SAID: dict[str, str] = {
    each: each
    for each in (
        message("Expecting value"),
        message("Expecting ',' delimiter"),
        message("Expecting ':' delimiter"),
        message("Expecting property name enclosed in double quotes"),
        message("Unterminated string starting at"),
        message("Invalid control character at"),
        message("Invalid \\escape"),
        message("Invalid \\uXXXX escape"),
        message("Extra data"),
        message("Illegal trailing comma before end of object"),
        message("Illegal trailing comma before end of array"),
    )
}
"""Reasons of Python's JSON parser, as messages."""


def parsed_json(
    data: bytes, what: str = THE_FILE, *, limit: str, remedy: str = GET_AGAIN, share: Share = NO_PROGRESS
) -> object:
    """Parse JSON with unique keys and finite numbers in bounded memory. Raises FormatError with the place.

    `limit`: the requirement on the file, for the message. The merges next to a "vocab" become MergeParts, which raise
    FormatError when they are read.

    >>> parsed_json(b'{"a": [1, 2]}', limit="")
    {'a': [1, 2]}
    """
    data = data.removeprefix(BOM_UTF8)
    _check_sizes(data, what, limit, remedy)
    parts = apart(data)
    share.reached(1, 10)
    return _Parser(data, parts, what, limit, remedy).content()


class _Parser:
    """Parser of a file, and of its merges if these are parsed separately; errors have their place in the whole file."""

    def __init__(self, data: bytes, parts: ReducedJson | None, what: str, limit: str, remedy: str) -> None:
        self._data = data
        self._parts = parts
        self._what, self._limit, self._remedy = what, limit, remedy

    def content(self) -> object:
        """Parse the file, with MergeParts for its merges."""
        parts = self._parts
        data, place = (self._data, int) if parts is None else (parts.rest, parts.place)
        return self._parsed(data, place, object_pairs_hook=self._object, parse_constant=self._refuse_constant)

    def _parsed(self, data: bytes, place: Callable[[int], int], **hooks: Any) -> Any:
        """Parse a part of the file. `place`: converts an offset in the part to the offset in the file."""
        try:
            return json.loads(data.decode(), **hooks)
        except UnicodeDecodeError:
            decoded(self._data, self._what, self._limit, self._remedy)
            raise
        except json.JSONDecodeError as error:
            at = place(len(error.doc[: error.pos].encode()))
            line = self._data.rfind(b"\n", 0, at) + 1
            refuse(
                message(
                    "{what} is not JSON: {reason} at line {line:,}, column {column:,}.",
                    what=self._what,
                    reason=_SAID.get(error.msg, error.msg),
                    line=self._data.count(b"\n", 0, at) + 1,
                    column=len(self._data[line:at].decode()) + 1,
                ),
                self._limit,
                self._remedy,
            )
        except RecursionError:
            problem = message("{what} nests its lists too deep to be read.", what=self._what)
            refuse(problem, self._limit, self._remedy)
        except ValueError:
            refuse(
                message("{what} holds a number too long to be read.", what=self._what),
                message("Numbers have at most 15 digits."),
                self._remedy,
            )

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        known = dict(pairs)
        if len(known) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            refuse(
                message("{what} has the key {key} twice.", what=self._what, key=quoted(counts.most_common(1)[0][0])),
                message("Keys are unique."),
                self._remedy,
            )
        merges: Any = known.get("merges")
        if self._parts is not None and self._parts.are_left_out(merges):
            parts = self._merges(self._parts.ranges, merges[1:])
            known["merges"] = parts if "vocab" in known else [*chain.from_iterable(parts.each())]
        return known

    def _merges(self, ranges: Sequence[tuple[int, int]], last: list[Any]) -> MergeParts:
        def part(number: int) -> list[Any]:
            if number == len(ranges):
                return last
            begin, end = ranges[number]
            found: list[Any] = self._parsed(b"[%b]" % self._data[begin : end - 1], lambda at: begin + at - 1)
            return found

        return MergeParts(len(ranges) + 1, part)

    def _refuse_constant(self, name: str) -> NoReturn:
        problem = message("{what} holds {number}.", what=self._what, number=name)
        refuse(problem, message("Numbers are finite."), self._remedy)


def _check_sizes(data: bytes, what: str, limit: str, remedy: str) -> None:
    """Raise FormatError for more than MOST_VALUES values, MOST_LISTS lists, MOST_OBJECTS objects, a list over the
    limits, or a list or object without an end. They are counted before parsing, in which a list takes up to twenty
    times its length in memory, an object forty."""
    objects = data.count(b"{")
    if data.count(b",") + data.count(b"[") + objects < MOST_TOKENS and objects < MOST_OBJECTS:
        return
    sizes = sizes_of(data, MOST_VALUES)
    most = MOST_TOKENS if sizes.key in _OF_TOKENS else HIGHEST_ID
    if sizes.longest > most and (sizes.key or sizes.values <= MOST_VALUES):
        refuse(
            message(
                "{place} has more than {most:,} entries.", place=quoted(sizes.key) if sizes.key else what, most=most
            ),
            message("That is the most allowed."),
            SMALLER_FILE,
        )
    values = message("{what} has more than {most:,} lists and values.", what=what, most=MOST_VALUES)
    lists = message("{what} has more than {most:,} lists, written [ … ].", what=what, most=MOST_LISTS)
    objects_of = message("{what} has more than {most:,} objects, written {{ … }}.", what=what, most=MOST_OBJECTS)
    for found, most, problem in (
        (sizes.values, MOST_VALUES, values),
        (sizes.lists, MOST_LISTS, lists),
        (sizes.objects, MOST_OBJECTS, objects_of),
    ):
        if found > most:
            refuse(problem, message("That is the most allowed."), remedy)
    if sizes.open > 0:
        refuse(message("{what} is not JSON: it ends before all its lists and objects do.", what=what), limit, remedy)
    if sizes.key == "vocab":  # check now whether its tables will fit into memory, not after parsing
        with taking(PER_TOKEN * sizes.longest):
            pass


def json_text(value: object) -> str:
    """JSON without escapes for non-ASCII characters, which is shorter; escaped if it contains a lone surrogate.

    >>> json_text(["é", "\\ud800"])
    '["\\\\u00e9", "\\\\ud800"]'
    """
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text
