"""Shared code of tokenizer file readers: limits, JSON validation, and errors with place and reason."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from bpe_core import checks
from bpe_core.errors import GET_AGAIN, BpeError, FormatError, quoted, reason_of, refuse
from bpe_core.formats.progress import NO_PROGRESS, SLICE, Share
from bpe_core.language import listed, message
from bpe_core.tokenizer.token_ranges import MOST_TOKEN_BYTES

MOST_BYTES = 100_000_000
"""Maximum number of bytes in one file."""

MOST_TOKENS = 1_000_000
"""Maximum number of tokens in one vocabulary, and of merges."""

HIGHEST_ID = 1_999_999
"""Highest id of a non-special token: unused ids take memory too."""

LONGEST_TOKEN = 1_000_000
"""Maximum number of bytes in one token; the limit for all tokens is MOST_TOKEN_BYTES."""

MOST_SPECIAL = 100_000
"""Maximum number of special tokens in one file."""

MOST_CHARACTERS = 2_500_000
"""Maximum number of characters in all pieces, for models that look up pieces character by character."""

MOST_SQUARES = 10_000_000_000
"""Maximum sum of squared token lengths if merges go by spelling: finding all pairs then takes seconds."""

SMALLER_FILE = message("Use a smaller tokenizer.")
FEWER_TOKENS = message("Use a tokenizer with fewer tokens.")
SHORTER_TOKENS = message("Use a vocabulary of shorter tokens.")

_TEXT = message("Text files of tokenizers are UTF-8.")

THE_FILE = message("The file")
"""Name for an unnamed file."""

Json = dict[str, Any]
Made = TypeVar("Made")


def made(what: str, make: Callable[[], Made]) -> Made:
    """Call `make`; convert a BpeError to a FormatError about `what`.

    >>> made("the file", lambda: 5)
    5
    """
    try:
        return make()
    except FormatError:
        raise
    except BpeError as error:
        raise FormatError(
            message("In {what}: {problem}", what=what, problem=error.problem), limit=error.limit, remedy=error.remedy
        ) from None


def check_size(data: bytes, what: str = THE_FILE, most: int = MOST_BYTES, remedy: str = SMALLER_FILE) -> None:
    """Raise FormatError for more than `most` bytes.

    >>> check_size(b"abc", most=2)
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file has 3 bytes. The most allowed is 2. Use a smaller tokenizer.
    """
    at_most(len(data), most, message("{what} has {bytes:,} bytes.", what=what, bytes=len(data)), remedy)


def refuse_unreadable(path: str | Path, error: Exception) -> NoReturn:
    """Raise FormatError for a path that cannot be read.

    >>> refuse_unreadable("a.json", OSError(2, "No such file or directory"))
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: 'a.json' cannot be read: No such file or directory. It is the path of a file ...
    """
    problem = message("{path} cannot be read: {reason}.", path=quoted(str(path)), reason=reason_of(error))
    refuse(problem, message("It is the path of a file or folder."), message("Choose such a file."))


def check_version(version: object, most: int) -> None:
    """Raise FormatError for a BPE Lab file whose format version is not a number from 1 to `most`.

    >>> check_version(3, most=2)
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file has version 3 of the format. This version of BPE Lab reads up to ...
    """
    if version not in range(1, most + 1) or isinstance(version, bool):
        refuse(
            message("The file has version {version} of the format.", version=quoted(version)),
            message("This version of BPE Lab reads up to version {version}.", version=most),
            message("Open it with the BPE Lab that saved it, or with a newer one."),
        )


def check_lines(data: bytes, what: str = THE_FILE) -> None:
    """Raise FormatError for more lines than a vocabulary may have tokens, before memory is spent on splitting them.

    >>> check_lines(b"\\n" * 1_000_001)
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file has 1,000,001 lines. The most allowed is 1,000,000. Use a tokenizer...
    """
    lines = data.count(b"\n")
    at_most(lines, MOST_TOKENS, message("{what} has {lines:,} lines.", what=what, lines=lines), FEWER_TOKENS)


def decoded(data: bytes, what: str = THE_FILE, limit: str = _TEXT, remedy: str = GET_AGAIN) -> str:
    """Decode UTF-8 without a byte-order mark. Raises FormatError with the first invalid byte.

    >>> decoded(b"low\\xff")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file is not UTF-8: byte 3 is 0xFF. Text files of tokenizers are UTF-8. If ...
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at, byte = error.start, data[error.start]
        problem = message("{what} is not UTF-8: byte {position:,} is 0x{byte:02X}.", what=what, position=at, byte=byte)
        refuse(problem, limit, remedy)


def wrong(place: str, value: object, limit: str, remedy: str = GET_AGAIN) -> NoReturn:
    """Raise FormatError for a value that is not allowed at a place of the file.

    >>> wrong("version", 3, "It must be 1.", "Save it again.")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: version is 3. It must be 1. Save it again.
    """
    raise checks.wrong(value, place, limit, remedy, error=FormatError)


def at_most(count: int, most: int, problem: str, remedy: str = GET_AGAIN) -> None:
    """Raise FormatError for a count above a limit.

    >>> at_most(2, 1, "There are 2 files.", "Give one.")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: There are 2 files. The most allowed is 1. Give one.
    """
    if count > most:
        refuse(problem, message("The most allowed is {most:,}.", most=most), remedy)


# -- validators: each returns the value with its required type, or raises FormatError --------------------


def an_object(
    place: str, value: object, keys: Sequence[str] = (), *, only: bool = False, remedy: str = GET_AGAIN
) -> dict[str, Any]:
    """A JSON object with at least these keys; with `only`, no others.

    >>> an_object("model", {"type": "BPE"}, ["type", "vocab"])
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: model lacks 'vocab'. It has type, vocab. If its own library...
    """
    if not isinstance(value, dict):
        wrong(place, value, message("It must be an object, written {{ … }}."), remedy)
    missing = [key for key in keys if key not in value]
    unknown = [key for key in value if key not in keys] if only else []
    if missing or unknown:
        lacks = message("{place} lacks {key}.", place=place, key=quoted(missing[0])) if missing else ""
        refuse(
            lacks or message("{place} has {key}, which is not known.", place=place, key=quoted(unknown[0])),
            message("It has {keys}.", keys=listed(keys, last="")),
            remedy,
        )
    return value


def a_list(place: str, value: object, most: int = MOST_TOKENS, *, remedy: str = GET_AGAIN) -> list[Any]:
    """A JSON list of at most `most` entries.

    >>> a_list("merges", [[1, 2]])
    [[1, 2]]
    """
    if not isinstance(value, list):
        wrong(place, value, message("It must be a list."), remedy)
    if len(value) > most:
        refuse(
            message("{place} has {entries:,} entries.", place=place, entries=len(value)),
            message("The most allowed is {most:,}.", most=most),
            SMALLER_FILE,
        )
    return value


def a_text(place: str, value: object) -> str:
    """A JSON string that can be written as UTF-8.

    >>> a_text("name", "\\ud800")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: name is '\\ud800', which has a lone surrogate. Text must have a UTF-8 form. If ...
    """
    if not isinstance(value, str):
        wrong(place, value, message("It must be a text."))
    if not value.isascii() and any(0xD800 <= ord(char) < 0xE000 for char in value):
        refuse(
            message("{place} is {value}, which has a lone surrogate.", place=place, value=quoted(value)),
            message("Text must have a UTF-8 form."),
        )
    return value


def from_base64(place: str, value: object) -> bytes:
    """The bytes of a base64 JSON string; FormatError if invalid or empty.

    >>> from_base64("file", "bG93")
    b'low'
    """
    try:
        token = base64.b64decode(a_text(place, value), validate=True)
    except (binascii.Error, ValueError):
        refuse(
            message("{place} is {value}, which is not base64.", place=place, value=quoted(value)),
            message("Bytes are written in base64."),
        )
    if not token:
        refuse(message("{place} is empty.", place=place), message("A token is not empty."))
    return token


def a_flag(place: str, value: object) -> bool:
    """A JSON true or false.

    >>> a_flag("lstrip", 1)
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: lstrip is 1. It must be true or false. If its own library...
    """
    if not isinstance(value, bool):
        wrong(place, value, message("It must be true or false."))
    return value


def an_id(place: str, value: object, highest: int = HIGHEST_ID) -> int:
    """A whole number from 0 to `highest`.

    >>> an_id("unknown", 2.0)
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: unknown is 2.0. It must be a whole number from 0 to 1,999,999. If its own library...
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= highest:
        wrong(place, value, message("It must be a whole number from 0 to {highest:,}.", highest=highest))
    return value


def checked_vocab(place: str, value: dict[str, Any]) -> dict[str, int]:
    """A JSON object of tokens and ids, checked in bulk: strings that can be written as UTF-8, and whole numbers.

    Raises FormatError with the first invalid entry, and for more than MOST_TOKENS.

    >>> checked_vocab("vocab.json", {"a": 0, "b": "1"})
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: vocab.json['b'] is '1'. It must be a whole number from 0 to 1,999,999. If ...
    """
    at_most(
        len(value), MOST_TOKENS, message("{place} has {tokens:,} tokens.", place=place, tokens=len(value)), FEWER_TOKENS
    )
    ids = value.values()
    if not set(map(type, ids)) <= {int} or min(ids, default=0) < 0 or max(ids, default=0) > HIGHEST_ID:
        token, token_id = next(
            each for each in value.items() if type(each[1]) is not int or not 0 <= each[1] <= HIGHEST_ID
        )
        an_id(f"{place}[{quoted(token)}]", token_id)
    try:
        "".join(value).encode()
    except UnicodeEncodeError:
        of_place = message("A token of {place}", place=place)
        for token in value:
            a_text(of_place, token)
    return value


# -- tokens ------------------------------------------------------------------------------------------------


def _named(place: str | int) -> str:
    return message("Line {number:,}", number=place) if isinstance(place, int) else place


def tokens_by_id(
    ids: Iterable[tuple[str | int, bytes, int]], share: Share = NO_PROGRESS, count: int = 0
) -> list[bytes | None]:
    """List of tokens by id, with None for unused ids, from (place, token, id). A place may be a line number.

    `share` receives the progress over `count` tokens. Raises FormatError for duplicate ids and for tokens that are too
    long.

    >>> tokens_by_id([("line 1", b"a", 0), ("line 2", b"b", 2)])
    [b'a', None, b'b']
    """
    known: dict[int, bytes] = {}
    total = 0
    for place, token, token_id in ids:
        if token_id in known:
            refuse(
                message(
                    "{place} gives {token} the id {token_id:,}, which {other} has already.",
                    place=_named(place),
                    token=quoted(token),
                    token_id=token_id,
                    other=quoted(known[token_id]),
                ),
                message("Every token has its own id."),
            )
        known[token_id] = token
        total += len(token)
        if len(token) > LONGEST_TOKEN or total > MOST_TOKEN_BYTES:
            check_length(place, len(token), total)
        if not len(known) % SLICE:
            share.reached(len(known), count)
    tokens: list[bytes | None] = [None] * (max(known, default=-1) + 1)
    for token_id, token in known.items():
        tokens[token_id] = token
    return tokens


def check_length(place: str | int, length: int, total: int) -> None:
    """Raise FormatError if `length`, a token's bytes, or `total`, those of all tokens, is over the limit.

    >>> check_length("line 1", 2_000_000, 2_000_000)
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: line 1 gives a token of 2,000,000 bytes. The longest allowed has 1,000,000. Use ...
    """
    if length > LONGEST_TOKEN:
        refuse(
            message("{place} gives a token of {bytes:,} bytes.", place=_named(place), bytes=length),
            message("The longest allowed has {longest:,}.", longest=LONGEST_TOKEN),
            SHORTER_TOKENS,
        )
    if total > MOST_TOKEN_BYTES:
        refuse(
            message("With {place} the tokens have {total:,} bytes.", place=_named(place), total=total),
            message("The most allowed is {most:,} together.", most=MOST_TOKEN_BYTES),
            SHORTER_TOKENS,
        )


def check_pieces(place: str, pieces: Iterable[str]) -> None:
    """Raise FormatError for pieces with more characters than a search tree can hold.

    >>> check_pieces("the file", ["a" * 2_500_000, "b"])
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The pieces of the file have 2,500,001 characters. The most allowed is 2,500,000. ...
    """
    characters = sum(map(len, pieces))
    at_most(
        characters,
        MOST_CHARACTERS,
        message("The pieces of {place} have {characters:,} characters.", place=place, characters=characters),
        SMALLER_FILE,
    )


def check_joins(place: str, tokens: Iterable[bytes | None]) -> None:
    """Raise FormatError for tokens so long that finding all their pairs would take too much time.

    >>> check_joins("the file", [b"a" * 100_001])
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The longest token of the file has 100,001 bytes; the squares of all lengths sum to
    10,000,200,001. The most allowed is 10,000,000,000: every token is searched for its parts. Use a vocabulary of ...
    """
    lengths = [len(token) for token in tokens if token is not None]
    squares = sum(length * length for length in lengths)
    if squares > MOST_SQUARES:
        refuse(
            message(
                "The longest token of {place} has {bytes:,} bytes; the squares of all lengths sum to {squares:,}.",
                place=place,
                bytes=max(lengths),
                squares=squares,
            ),
            message("The most allowed is {most:,}: every token is searched for its parts.", most=MOST_SQUARES),
            SHORTER_TOKENS,
        )
