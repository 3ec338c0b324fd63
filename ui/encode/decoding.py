"""Lossless decoding: ids that do not exist, and bytes that form no whole character. Pure data.

There can be very many of either, so each problem is a message, translated only when shown.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bpe_core import TokenIdError, Tokenizer
from bpe_core.errors import quoted
from bpe_core.language import _, counted, current_language, in_language, joined, message, n_
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.spans import TokenSpans
from bpe_core.text.marks import marked
from bpe_core.text.utf8 import CONTINUATION, sequence_length

_NUMBER = re.compile(r"-?[0-9]{1,40}")
_BLOCK = 1_024


class Piece(NamedTuple):
    """One typed item: its id or problem, its bytes, and their start offset.

    `special`: the name of a special token.
    """

    typed: str
    id: int
    data: bytes
    start: int
    problem: str = ""
    special: str = ""


class Broken(NamedTuple):
    """Bytes that form no character: offset, bytes, indices of the pieces that hold them, and explanation."""

    start: int
    data: bytes
    pieces: tuple[int, ...]
    why: str


@dataclass(frozen=True)
class Decoded:
    """A decoded list of ids."""

    pieces: tuple[Piece, ...]
    data: bytes
    broken: tuple[Broken, ...]

    @property
    def text(self) -> str:
        """The text; invalid bytes are written as \\xE6."""
        return self.data.decode("utf-8", "backslashreplace")

    @property
    def bad(self) -> list[tuple[int, Piece]]:
        """Pieces that are not valid ids, with their indices."""
        return [(number, piece) for number, piece in enumerate(self.pieces) if piece.problem]


def decode(tokenizer: Tokenizer, title: str, typed: str, *, special: bool = True) -> Decoded:
    """Decode typed or pasted ids: whole numbers separated by commas, spaces or brackets.

    `title` names the tokenizer at the beginning of sentences. Without `special`, special tokens give no text.

    >>> from bpe_core import load_pretrained
    >>> decoded = decode(load_pretrained("gpt2"), "GPT-2", "[15496, 99999, 10545]")
    >>> decoded.text, [piece.problem for _, piece in decoded.bad]
    ('Hello \\\\xe6', ['GPT-2 has no id 99,999: its ids go from 0 to 50,256.'])
    >>> decoded.broken[0].why
    'Byte E6 begins a character of 3 bytes. Bytes 2–3 are missing: the text ends here.'
    """
    words = [word for word in re.split(r"[\s,;\[\]()]+", typed) if word]
    read = [_read(tokenizer, title, word) for word in words]
    names = {token_id: name for name, token_id in tokenizer.special_tokens.items()}
    silent = [bool(problem) or (not special and token_id in names) for token_id, problem in read]
    texts = iter(_texts(tokenizer, [token_id for (token_id, _), quiet in zip(read, silent, strict=True) if not quiet]))
    pieces, start = [], 0
    for word, (token_id, problem), quiet in zip(words, read, silent, strict=True):
        data = b"" if quiet else next(texts)
        pieces.append(Piece(word, token_id, data, start, problem, "" if problem else names.get(token_id, "")))
        start += len(data)
    data = b"".join(piece.data for piece in pieces)
    return Decoded(tuple(pieces), data, tuple(_broken(data, pieces)))


def _read(tokenizer: Tokenizer, title: str, word: str) -> tuple[int, str]:
    """(id, "") or (0, problem)."""
    if not _NUMBER.fullmatch(word):
        return 0, message("{typed} is not a token id: ids are whole numbers.", typed=quoted(word, 40))
    token_id = int(word)
    try:
        tokenizer.token_bytes(token_id)
    except TokenIdError:
        last = tokenizer.vocab_size - 1
        words = {"tokenizer": title, "id": token_id, "last": last}
        if 0 <= token_id <= last:
            return 0, message("{tokenizer} has no id {id:,}: its ids go from 0 to {last:,}, without this one.", **words)
        return 0, message("{tokenizer} has no id {id:,}: its ids go from 0 to {last:,}.", **words)
    return token_id, ""


def _texts(tokenizer: Tokenizer, ids: list[int]) -> list[bytes]:
    """Bytes of each id; an end-of-word mark is a space, except at the end of the text."""
    alone: dict[int, bytes] = {}
    between: dict[int, bytes] = {}
    for token_id in set(ids):
        alone[token_id] = tokenizer.decode_bytes([token_id])
        twice = tokenizer.decode_bytes([token_id, token_id])
        between[token_id] = twice[: len(twice) - len(alone[token_id])]
    return [between[token_id] for token_id in ids[:-1]] + [alone[token_id] for token_id in ids[-1:]]


def _broken(data: bytes, pieces: list[Piece]) -> list[Broken]:
    """All regions of invalid UTF-8 with explanations."""
    starts = [piece.start for piece in pieces]
    ends = [piece.start + len(piece.data) for piece in pieces]
    found: list[Broken] = []
    for start, end in _errors(data):
        holders = tuple(range(bisect_right(ends, start), bisect_left(starts, end)))
        found.append(Broken(start, data[start:end], holders, _why(data, start, end)))
    return found


def _errors(data: bytes) -> Iterator[tuple[int, int]]:
    """Byte ranges of invalid UTF-8. Decodes in blocks, so that thousands of errors take linear time."""
    at = 0
    while at < len(data):
        block = data[at : at + _BLOCK]
        try:
            block.decode()
            at += len(block)
        except UnicodeDecodeError as error:
            start, end = at + error.start, at + error.end
            if error.start and end == at + len(block) < len(data):  # possibly a character split by the block's edge
                at = start
                continue
            yield start, end
            at = end


def _why(data: bytes, start: int, end: int) -> str:
    first = data[start]
    shown = data[start:end].hex(" ").upper()
    if first in CONTINUATION:
        return message("Byte {hex} continues a character, but none has begun before it.", hex=shown)
    size = sequence_length(first)
    if not size:
        return message("Byte {hex} never occurs in UTF-8.", hex=shown)
    have = end - start
    begun = counted(
        "Byte {hex} begins a character of {size} bytes.",
        "Bytes {hex} begin a character of {size} bytes.",
        have,
        hex=shown,
        size=size,
    )
    return joined(begun, _missing(have + 1, size, f"{data[end]:02X}" if end < len(data) else ""))


def _missing(first: int, last: int, next_byte: str) -> str:
    """Sentence about the bytes that a character lacks; `next_byte`: "" at the end of the text."""
    if first == last and next_byte:
        return message("Byte {number} is missing: next comes {next_byte}.", number=first, next_byte=next_byte)
    if first == last:
        return message("Byte {number} is missing: the text ends here.", number=first)
    if next_byte:
        return message(
            "Bytes {first}–{last} are missing: next comes {next_byte}.", first=first, last=last, next_byte=next_byte
        )
    return message("Bytes {first}–{last} are missing: the text ends here.", first=first, last=last)


def spans(decoded: Decoded) -> TokenSpans:
    """Decoded ids as spans: split characters above their pieces, broken bytes in hex, invalid ids as typed."""
    left_out = {at for broken in decoded.broken for at in range(broken.start, broken.start + len(broken.data))}
    reasons = {number: broken.why for broken in decoded.broken for number in broken.pieces}
    labels, notes = {}, dict(reasons)
    language, not_written = current_language(), _("A special token, not written out.")
    for number, piece in enumerate(decoded.pieces):
        if piece.problem:
            labels[number], notes[number] = f"✗ {piece.typed[:20]}", piece.problem
        elif piece.special:
            labels[number] = piece.special
            notes[number] = "" if piece.data else not_written
            left_out |= set(range(piece.start, piece.start + len(piece.data)))
        elif number in reasons:
            labels[number] = _with_hex(piece.data)
            left_out |= _whole_characters(piece)
    kept = [0]  # number of drawn bytes before each byte
    for at in range(len(decoded.data)):
        kept.append(kept[-1] + (at not in left_out))
    return TokenSpans.of(
        bytes(byte for at, byte in enumerate(decoded.data) if at not in left_out).decode(),
        [piece.id for piece in decoded.pieces],
        [kept[piece.start] for piece in decoded.pieces],
        [kept[piece.start + len(piece.data)] for piece in decoded.pieces],
        special=labels.keys(),
        labels=labels,
        notes={number: in_language(note, language) for number, note in notes.items()},
    )


def _whole_characters(piece: Piece) -> set[int]:
    """Byte offsets of whole characters within the piece; its label shows them."""
    places, at = set(), piece.start
    for char in piece.data.decode("utf-8", "surrogateescape"):
        size = 1 if "\udc80" <= char <= "\udcff" else len(char.encode())
        if size > 1 or char < "\x80":
            places |= set(range(at, at + size))
        at += size
    return places


def _with_hex(data: bytes) -> str:
    """Format bytes: characters literally, other bytes in hex.

    >>> _with_hex(b" \\xe6")
    '·E6'
    """
    return " ".join(text if is_hex else marked(text) for text, is_hex in Chip.of_bytes(0, data).pieces).replace(
        "· ", "·"
    )


def summary(decoded: Decoded) -> str:
    """Counts of ids, unknown ids and broken characters.

    >>> summary(Decoded((), b"", ()))
    '0 ids'
    """
    good = len(decoded.pieces) - len(decoded.bad)
    parts = [n_("{count:,} id", "{count:,} ids", good)]
    if decoded.bad:
        parts.append(_("{ids:,} that this tokenizer does not have", ids=len(decoded.bad)))
    if decoded.broken:
        parts.append(n_("{count:,} broken character", "{count:,} broken characters", len(decoded.broken)))
    return " · ".join(parts)
