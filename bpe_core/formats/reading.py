"""What all readers of tokenizer files share: limits, JSON read with care, and errors that name place and reason."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, TypeVar

from bpe_core.errors import BpeError, FormatError, quoted

MOST_BYTES = 100_000_000
"""Bytes of one file."""

MOST_TOKENS = 1_000_000
"""Tokens of one vocabulary, and merges."""

HIGHEST_ID = 1_999_999
"""The highest id of a token that is not special: gaps take memory too."""

LONGEST_TOKEN = 1_000_000
"""Bytes of one token; all tokens together may have MOST_BYTES."""

MOST_SPECIAL = 20_000
"""Special tokens of one file."""

MOST_LETTERS = 2_500_000
"""Letters of all pieces together, where pieces are looked up letter by letter."""

MOST_PLACES = 10_000_000_000
"""The sum of the squares of the lengths of tokens that merge by what they spell: some seconds of looking for pairs."""

MOST_VALUES = 10_000_000
"""Lists, objects and values of one JSON file."""

GET_AGAIN = "Get the file again from where it comes from, or save it again."

Made = TypeVar("Made")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)', re.DOTALL)


def refuse(problem: str, limit: str, remedy: str = GET_AGAIN) -> NoReturn:
    """Raise FormatError."""
    raise FormatError(problem, limit=limit, remedy=remedy)


def made(what: str, make: Callable[[], Made]) -> Made:
    """What `make` gives; a BpeError that it raises becomes a FormatError about `what`.

    >>> made("the file", lambda: 5)
    5
    """
    try:
        return make()
    except FormatError:
        raise
    except BpeError as error:
        raise FormatError(f"In {what}: {error.problem}", limit=error.limit, remedy=error.remedy) from None


def check_size(data: bytes, what: str = "The file", most: int = MOST_BYTES, remedy: str = GET_AGAIN) -> None:
    """Raises FormatError for more than `most` bytes."""
    if len(data) > most:
        refuse(f"{what} has {len(data):,} bytes.", f"The most allowed is {most:,}.", remedy)


def check_lines(data: bytes, what: str = "The file") -> None:
    """Raises FormatError for more lines than tokens may be, before they are taken apart."""
    lines = data.count(b"\n")
    if lines > MOST_TOKENS:
        refuse(f"{what} has {lines:,} lines.", f"The most allowed is {MOST_TOKENS:,}.")


def decoded(data: bytes, what: str = "The file") -> str:
    """The text of UTF-8 bytes. Raises FormatError with the place of the first byte that is none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse(
            f"{what} is not UTF-8: byte {error.start:,} is 0x{data[error.start]:02X}.",
            "Text files of tokenizers are UTF-8.",
        )


def parsed_json(data: bytes, what: str = "The file", *, limit: str, remedy: str = GET_AGAIN) -> object:
    """JSON with each key once and finite numbers, read in bounded memory. Raises FormatError with the place.

    `limit`: what the file has to be, for the message.

    >>> parsed_json(b'{"a": [1, 2]}', limit="")
    {'a': [1, 2]}
    """
    # Empty lists take twenty times their length in memory: count what stands outside of texts before reading it.
    outside = _STRING.sub(b"", data)
    values = sum(outside.count(sign) for sign in (b"[", b"{", b","))
    if values > MOST_VALUES:
        refuse(f"{what} holds {values:,} lists and values.", f"The most allowed is {MOST_VALUES:,}.", remedy)

    def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        known = dict(pairs)
        if len(known) < len(pairs):
            seen: set[str] = set()
            twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            refuse(f"{what} says {quoted(twice)} twice.", "Every key stands once.", remedy)
        return known

    def refuse_constant(name: str) -> NoReturn:
        refuse(f"{what} holds {name}.", "Numbers are finite.", remedy)

    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=without_doubles, parse_constant=refuse_constant)
    except UnicodeDecodeError as error:
        refuse(f"{what} is not UTF-8: byte {error.start:,} is 0x{data[error.start]:02X}.", limit, remedy)
    except json.JSONDecodeError as error:
        refuse(f"{what} is no JSON: {error.msg} at line {error.lineno:,}, column {error.colno:,}.", limit, remedy)
    except RecursionError:
        refuse(f"{what} nests lists too deep to be read.", limit, remedy)
    except ValueError:
        refuse(f"{what} holds a number too long to be read.", "Numbers have at most 15 digits.", remedy)


def json_text(value: object) -> str:
    """JSON, as UTF-8 where it can be, which is shorter; a lone surrogate has only its escape.

    >>> json_text(["é", "\\ud800"])
    '["\\\\u00e9", "\\\\ud800"]'
    """
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


# -- shapes: each gives the value back as the type it has to be, or raises FormatError ----------------------


def an_object(
    place: str, value: object, keys: Sequence[str] = (), *, only: bool = False, remedy: str = GET_AGAIN
) -> dict[str, Any]:
    """A JSON object that has at least these keys, and no others with `only`."""
    if not isinstance(value, dict):
        refuse(f"{place} is {quoted(value)}.", "It has to be an object, written { … }.", remedy)
    missing = [key for key in keys if key not in value]
    unknown = [key for key in value if key not in keys] if only else []
    if missing or unknown:
        what = f"lacks {quoted(missing[0])}" if missing else f"holds {quoted(unknown[0])}, which is not known"
        refuse(f"{place} {what}.", f"It has {', '.join(keys)}.", remedy)
    return value


def a_list(place: str, value: object, most: int = MOST_TOKENS) -> list[Any]:
    """A JSON list of at most `most` entries."""
    if not isinstance(value, list):
        refuse(f"{place} is {quoted(value)}.", "It has to be a list.")
    if len(value) > most:
        refuse(f"{place} has {len(value):,} entries.", f"The most allowed is {most:,}.")
    return value


def a_text(place: str, value: object) -> str:
    """A text that has a UTF-8 form."""
    if not isinstance(value, str):
        refuse(f"{place} is {quoted(value)}.", "It has to be a text.")
    if not value.isascii() and any(0xD800 <= ord(char) < 0xE000 for char in value):
        refuse(f"{place} is {quoted(value)}, which holds a lone surrogate.", "Only text with a UTF-8 form is allowed.")
    return value


def a_flag(place: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        refuse(f"{place} is {quoted(value)}.", "It has to be true or false.")
    return value


def an_id(place: str, value: object, highest: int = HIGHEST_ID) -> int:
    """A whole number from 0 to `highest`."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= highest:
        refuse(f"{place} is {quoted(value)}.", f"It has to be a whole number from 0 to {highest:,}.")
    return value


# -- tokens ------------------------------------------------------------------------------------------------


def tokens_by_id(ids: Iterable[tuple[str, bytes, int]]) -> list[bytes | None]:
    """The tokens in id order, None where no token has the id, from (place, token, id).

    Raises FormatError for an id that stands twice and for tokens that are too long.

    >>> tokens_by_id([("line 1", b"a", 0), ("line 2", b"b", 2)])
    [b'a', None, b'b']
    """
    known: dict[int, bytes] = {}
    total = 0
    for place, token, token_id in ids:
        if token_id in known:
            refuse(
                f"{place} gives {quoted(token)} the id {token_id:,}, which {quoted(known[token_id])} has already.",
                "Every token has an id of its own.",
            )
        known[token_id] = token
        total += len(token)
        check_length(place, len(token), total)
    tokens: list[bytes | None] = [None] * (max(known, default=-1) + 1)
    for token_id, token in known.items():
        tokens[token_id] = token
    return tokens


def check_length(place: str, length: int, total: int) -> None:
    """Raises FormatError for a token of `length` bytes, or tokens of `total` bytes together, that are too many."""
    if length > LONGEST_TOKEN:
        refuse(f"{place} makes a token of {length:,} bytes.", f"The longest allowed has {LONGEST_TOKEN:,}.")
    if total > MOST_BYTES:
        refuse(f"With {place} the tokens have {total:,} bytes.", f"The most allowed is {MOST_BYTES:,} together.")


def check_pieces(place: str, pieces: Iterable[str]) -> None:
    """Raises FormatError for more letters than a search over pieces has room for."""
    letters = sum(map(len, pieces))
    if letters > MOST_LETTERS:
        refuse(f"The pieces of {place} have {letters:,} letters.", f"The most allowed is {MOST_LETTERS:,} together.")


def check_joins(place: str, tokens: Iterable[bytes | None]) -> None:
    """Raises FormatError for tokens that are too long to look for all pairs that spell them."""
    lengths = [len(token) for token in tokens if token is not None]
    if sum(length * length for length in lengths) > MOST_PLACES:
        refuse(
            f"The longest token of {place} has {max(lengths):,} bytes, and others are long as well.",
            f"The squares of the lengths are {MOST_PLACES:,} together at most: every token is searched for its parts.",
            "Use a vocabulary of shorter tokens.",
        )
