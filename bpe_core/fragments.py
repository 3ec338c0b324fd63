"""What the bytes of a token are that are no whole character: the end of one, the start of one, or no UTF-8 at all."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Fragment(NamedTuple):
    """Bytes without their character.

    place   "end": the last bytes of a character; "inside": bytes of one without its first, perhaps without its last;
            "start": its first bytes; "never": bytes that no UTF-8 text holds
    data    the bytes
    at      where they begin in the token
    of      bytes of the whole character for "start", otherwise 0
    first, last   the characters that can begin so, for "start"; otherwise empty
    """

    place: Literal["end", "inside", "start", "never"]
    data: bytes
    at: int
    of: int = 0
    first: str = ""
    last: str = ""


def fragments(token: bytes) -> list[Fragment]:
    """The parts of a token that are no whole characters, from left to right; none for whole text.

    >>> fragments(b"\\xe3\\x81")
    [Fragment(place='start', data=b'\\xe3\\x81', at=0, of=3, first='\\u3040', last='み')]
    >>> [part.place for part in fragments(b"\\x93 a\\xf0\\x9f")], fragments(b" the"), fragments(b"\\xff")[0].place
    (['end', 'start'], [], 'never')
    """
    rest = token.lstrip(_CONTINUATION)
    head = token[: len(token) - len(rest)]
    found = [Fragment("end" if rest else "inside", head, 0)] if head else []
    while rest:
        at = len(token) - len(rest)
        try:
            rest.decode()
        except UnicodeDecodeError as error:
            part = rest[error.start : error.end]
            unfinished = error.reason == "unexpected end of data"
            at += error.start
            found.append(_start(part, at) if unfinished else Fragment("never", part, at))
            rest = rest[error.end :]
        else:
            break
    return found


_CONTINUATION = bytes(range(0x80, 0xC0))


def _start(data: bytes, at: int) -> Fragment:
    size = 2 if data[0] < 0xE0 else 3 if data[0] < 0xF0 else 4
    # Not every second byte may follow E0, ED, F0 and F4: the outermost that may is one of these.
    first = next(filter(None, (_completed(data, size, second, 0x80) for second in (0x80, 0x90, 0xA0))))
    last = next(filter(None, (_completed(data, size, second, 0xBF) for second in (0xBF, 0x9F, 0x8F))))
    return Fragment("start", data, at, size, first, last)


def _completed(data: bytes, size: int, second: int, filler: int) -> str:
    whole = data if len(data) > 1 else data + bytes([second])
    try:
        return whole.ljust(size, bytes([filler])).decode()
    except UnicodeDecodeError:
        return ""
