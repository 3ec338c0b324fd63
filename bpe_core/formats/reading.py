"""What all readers of tokenizer files share: limits, shapes of JSON, and errors that name the place and the reason."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, TypeVar

from bpe_core.errors import BpeError, FormatError, quoted
from bpe_core.formats.progress import SLICE, UNTOLD, Share
from bpe_core.tokenizer.token_ranges import MOST_TOKEN_BYTES

MOST_BYTES = 100_000_000
"""The most bytes of one file."""

MOST_TOKENS = 1_000_000
"""The most tokens of one vocabulary, and the most merges."""

HIGHEST_ID = 1_999_999
"""The highest id of a token that is not special: unused ids take memory as well."""

LONGEST_TOKEN = 1_000_000
"""The most bytes of one token; all tokens together may have MOST_TOKEN_BYTES."""

MOST_SPECIAL = 100_000
"""The most special tokens of one file."""

MOST_CHARACTERS = 2_500_000
"""The most characters of all pieces together, where pieces are looked up character by character."""

MOST_SQUARES = 10_000_000_000
"""The largest sum of squared token lengths where merges go by spelling: finding all pairs then takes some seconds."""

GET_AGAIN = "If its own library reads the file, BPE Lab does not support this; if not, get or save the file again."
SMALLER_FILE = "Use a smaller tokenizer."
FEWER_TOKENS = "Use a tokenizer with fewer tokens."
SHORTER_TOKENS = "Use a vocabulary of shorter tokens."

Made = TypeVar("Made")


def refuse(problem: str, limit: str, remedy: str = GET_AGAIN) -> NoReturn:
    """Raise FormatError: the value, the limit, the remedy.

    >>> refuse("The file is empty.", "A file has a line per token.")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file is empty. A file has a line per token. If its own library reads the file, \
BPE Lab does not support this; if not, get or save the file again.
    """
    raise FormatError(problem, limit=limit, remedy=remedy)


def made(what: str, make: Callable[[], Made]) -> Made:
    """What `make` returns; a BpeError that it raises becomes a FormatError about `what`.

    >>> made("the file", lambda: 5)
    5
    """
    try:
        return make()
    except FormatError:
        raise
    except BpeError as error:
        raise FormatError(f"In {what}: {error.problem}", limit=error.limit, remedy=error.remedy) from None


def check_size(data: bytes, what: str = "The file", most: int = MOST_BYTES, remedy: str = SMALLER_FILE) -> None:
    """Raise FormatError for more than `most` bytes.

    >>> check_size(b"abc", most=2)
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file has 3 bytes. The most allowed is 2. Use a smaller tokenizer.
    """
    if len(data) > most:
        refuse(f"{what} has {len(data):,} bytes.", f"The most allowed is {most:,}.", remedy)


def check_lines(data: bytes, what: str = "The file") -> None:
    """Raise FormatError for more lines than a vocabulary may have tokens; costs no memory, unlike splitting them.

    >>> check_lines(b"\\n" * 1_000_001)
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file has 1,000,001 lines. The most allowed is 1,000,000. Use a tokenizer...
    """
    lines = data.count(b"\n")
    if lines > MOST_TOKENS:
        refuse(f"{what} has {lines:,} lines.", f"The most allowed is {MOST_TOKENS:,}.", FEWER_TOKENS)


def decoded(data: bytes, what: str = "The file") -> str:
    """The text of UTF-8 bytes, without a byte-order mark. Raises FormatError with the first byte that is not UTF-8.

    >>> decoded(b"low\\xff")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file is not UTF-8: byte 3 is 0xFF. Text files of tokenizers are UTF-8. If ...
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse(
            f"{what} is not UTF-8: byte {error.start:,} is 0x{data[error.start]:02X}.",
            "Text files of tokenizers are UTF-8.",
        )


# -- shapes: each returns the value as the type that it must have, or raises FormatError --------------------


def an_object(
    place: str, value: object, keys: Sequence[str] = (), *, only: bool = False, remedy: str = GET_AGAIN
) -> dict[str, Any]:
    """A JSON object that has at least these keys, and with `only` no others.

    >>> an_object("model", {"type": "BPE"}, ["type", "vocab"])
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: model lacks 'vocab'. It has type, vocab. If its own library...
    """
    if not isinstance(value, dict):
        refuse(f"{place} is {quoted(value)}.", "It must be an object, written { … }.", remedy)
    missing = [key for key in keys if key not in value]
    unknown = [key for key in value if key not in keys] if only else []
    if missing or unknown:
        what = f"lacks {quoted(missing[0])}" if missing else f"has {quoted(unknown[0])}, which is not known"
        refuse(f"{place} {what}.", f"It has {', '.join(keys)}.", remedy)
    return value


def a_list(place: str, value: object, most: int = MOST_TOKENS) -> list[Any]:
    """A JSON list of at most `most` entries.

    >>> a_list("merges", [[1, 2]])
    [[1, 2]]
    """
    if not isinstance(value, list):
        refuse(f"{place} is {quoted(value)}.", "It must be a list.")
    if len(value) > most:
        refuse(f"{place} has {len(value):,} entries.", f"The most allowed is {most:,}.", SMALLER_FILE)
    return value


def a_sequence(place: str, value: object, kind: str) -> list[tuple[str, dict[str, Any]]]:
    """The parts of a component of tokenizer.json, each with its place: those of a Sequence, none for null, or itself.

    `kind`: the key of the parts in a Sequence.

    >>> a_sequence("normalizer", {"type": "Sequence", "normalizers": [{"type": "NFC"}]}, "normalizers")
    [('normalizer.normalizers[0]', {'type': 'NFC'})]
    """
    if value is None:
        return []
    whole = an_object(place, value, ("type",))
    if whole["type"] != "Sequence":
        return [(place, whole)]
    parts = enumerate(a_list(f"{place}.{kind}", whole.get(kind), 20))
    places = [(f"{place}.{kind}[{at}]", part) for at, part in parts]
    return [(each, an_object(each, part, ("type",))) for each, part in places]


def a_text(place: str, value: object) -> str:
    """A JSON string that can be written as UTF-8.

    >>> a_text("name", "\\ud800")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: name is '\\ud800', which has a lone surrogate. Text must have a UTF-8 form. If ...
    """
    if not isinstance(value, str):
        refuse(f"{place} is {quoted(value)}.", "It must be a text.")
    if not value.isascii() and any(0xD800 <= ord(char) < 0xE000 for char in value):
        refuse(f"{place} is {quoted(value)}, which has a lone surrogate.", "Text must have a UTF-8 form.")
    return value


def from_base64(place: str, value: object) -> bytes:
    """The bytes of a JSON string in base64; FormatError where there are none.

    >>> from_base64("file", "bG93")
    b'low'
    """
    try:
        token = base64.b64decode(a_text(place, value), validate=True)
    except (binascii.Error, ValueError) as error:
        refuse(f"{place} is {quoted(value)}, which is not base64: {error}.", "Bytes are written in base64.")
    if not token:
        refuse(f"{place} is empty.", "A token is not empty.")
    return token


def a_flag(place: str, value: object) -> bool:
    """A JSON true or false.

    >>> a_flag("lstrip", 1)
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: lstrip is 1. It must be true or false. If its own library...
    """
    if not isinstance(value, bool):
        refuse(f"{place} is {quoted(value)}.", "It must be true or false.")
    return value


def an_id(place: str, value: object, highest: int = HIGHEST_ID) -> int:
    """A whole number from 0 to `highest`.

    >>> an_id("unknown", 2.0)
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: unknown is 2.0. It must be a whole number from 0 to 1,999,999. If its own library...
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= highest:
        refuse(f"{place} is {quoted(value)}.", f"It must be a whole number from 0 to {highest:,}.")
    return value


def checked_vocab(place: str, value: dict[str, Any], highest: int = HIGHEST_ID) -> dict[str, int]:
    """A JSON object of tokens and their ids, checked all at once: texts that have a UTF-8 form, and whole numbers.

    Raises FormatError with the first that is not so, and for more than MOST_TOKENS.

    >>> checked_vocab("vocab.json", {"a": 0, "b": "1"})
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: vocab.json['b'] is '1'. It must be a whole number from 0 to 1,999,999. If ...
    """
    if len(value) > MOST_TOKENS:
        refuse(f"{place} has {len(value):,} tokens.", f"The most allowed is {MOST_TOKENS:,}.", FEWER_TOKENS)
    ids = value.values()
    if not set(map(type, ids)) <= {int} or min(ids, default=0) < 0 or max(ids, default=0) > highest:
        for token, token_id in value.items():
            an_id(f"{place}[{quoted(token)}]", token_id, highest)
    try:
        "".join(value).encode()
    except UnicodeEncodeError:
        for token in value:
            a_text(f"A token of {place}", token)
    return value


# -- tokens ------------------------------------------------------------------------------------------------


def tokens_by_id(ids: Iterable[tuple[str, bytes, int]], share: Share = UNTOLD, count: int = 0) -> list[bytes | None]:
    """The tokens by id, None where no token has the id, from (place, token, id).

    `share` is told how many of `count` were taken. Raises FormatError for an id that occurs twice and for tokens that
    are too long.

    >>> tokens_by_id([("line 1", b"a", 0), ("line 2", b"b", 2)])
    [b'a', None, b'b']
    """
    known: dict[int, bytes] = {}
    total = 0
    for place, token, token_id in ids:
        if token_id in known:
            refuse(
                f"{place} gives {quoted(token)} the id {token_id:,}, which {quoted(known[token_id])} has already.",
                "Every token has its own id.",
            )
        known[token_id] = token
        total += len(token)
        check_length(place, len(token), total)
        if not len(known) % SLICE:
            share.reached(len(known), count)
    tokens: list[bytes | None] = [None] * (max(known, default=-1) + 1)
    for token_id, token in known.items():
        tokens[token_id] = token
    return tokens


def check_length(place: str, length: int, total: int) -> None:
    """Raise FormatError where a token of `length` bytes, or all tokens of `total` bytes together, are too long.

    >>> check_length("line 1", 2_000_000, 2_000_000)
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: line 1 gives a token of 2,000,000 bytes. The longest allowed has 1,000,000. Use ...
    """
    if length > LONGEST_TOKEN:
        refuse(
            f"{place} gives a token of {length:,} bytes.", f"The longest allowed has {LONGEST_TOKEN:,}.", SHORTER_TOKENS
        )
    if total > MOST_TOKEN_BYTES:
        refuse(
            f"With {place} the tokens have {total:,} bytes.",
            f"The most allowed is {MOST_TOKEN_BYTES:,} together.",
            SHORTER_TOKENS,
        )


def check_pieces(place: str, pieces: Iterable[str]) -> None:
    """Raise FormatError for pieces of more characters than a search over them has memory for.

    >>> check_pieces("the file", ["a" * 2_500_000, "b"])
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The pieces of the file have 2,500,001 characters. The most allowed is 2,500,000. ...
    """
    characters = sum(map(len, pieces))
    if characters > MOST_CHARACTERS:
        refuse(
            f"The pieces of {place} have {characters:,} characters.",
            f"The most allowed is {MOST_CHARACTERS:,}.",
            SMALLER_FILE,
        )


def check_joins(place: str, tokens: Iterable[bytes | None]) -> None:
    """Raise FormatError for tokens so long that finding all pairs that spell them would take too much time.

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
            f"The longest token of {place} has {max(lengths):,} bytes; the squares of all lengths sum to {squares:,}.",
            f"The most allowed is {MOST_SQUARES:,}: every token is searched for its parts.",
            SHORTER_TOKENS,
        )
