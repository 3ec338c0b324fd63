"""Incomplete characters in a token's bytes: the end of one, the start of one, or invalid UTF-8."""

from __future__ import annotations

from typing import Literal, NamedTuple

from bpe_core.text.utf8 import CONTINUATION, sequence_length


class PartialCharacter(NamedTuple):
    """Bytes that are not a whole character.

    place        "end": the last bytes of a character; "inside": bytes of one without its first, perhaps without its
                 last; "start": its first bytes; "never": bytes that no UTF-8 text contains
    data         the bytes
    at           their byte offset in the token
    of           for "start", the bytes of the whole character; otherwise 0
    first, last  for "start", the first and last character that begin with these bytes; otherwise empty

    >>> partial_characters(b"\\xe3")[0].of
    3
    """

    place: Literal["end", "inside", "start", "never"]
    data: bytes
    at: int
    of: int = 0
    first: str = ""
    last: str = ""


def partial_characters(token: bytes) -> list[PartialCharacter]:
    """Parts of a token that are not whole characters, from left to right; empty for valid UTF-8.

    >>> partial_characters(b"\\xe3\\x81")
    [PartialCharacter(place='start', data=b'\\xe3\\x81', at=0, of=3, first='\\u3040', last='み')]
    >>> [[part.place for part in partial_characters(token)] for token in (b"\\x93 a\\xf0\\x9f", b" the", b"\\xff")]
    [['end', 'start'], [], ['never']]
    """
    rest = token.lstrip(CONTINUATION)
    head = token[: len(token) - len(rest)]
    found = [PartialCharacter("end" if rest else "inside", head, 0)] if head else []
    while rest:
        at = len(token) - len(rest)
        try:
            rest.decode()
        except UnicodeDecodeError as error:
            part = rest[error.start : error.end]
            unfinished = error.reason == "unexpected end of data"
            at += error.start
            found.append(_start(part, at) if unfinished else PartialCharacter("never", part, at))
            rest = rest[error.end :]
        else:
            break
    return found


def _start(data: bytes, at: int) -> PartialCharacter:
    size = sequence_length(data[0])
    # Not every second byte may follow E0, ED, F0 and F4; the lowest and the highest valid ones are among these.
    first = next(filter(None, (_completed(data, size, second, 0x80) for second in (0x80, 0x90, 0xA0))))
    last = next(filter(None, (_completed(data, size, second, 0xBF) for second in (0xBF, 0x9F, 0x8F))))
    return PartialCharacter("start", data, at, size, first, last)


def _completed(data: bytes, size: int, second: int, filler: int) -> str:
    whole = data if len(data) > 1 else data + bytes([second])
    try:
        return whole.ljust(size, bytes([filler])).decode()
    except UnicodeDecodeError:
        return ""
