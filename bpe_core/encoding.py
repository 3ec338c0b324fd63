"""Encoding: the tokens of a text as parallel arrays, with their offsets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe_core.normalize import Normalized

Ids = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an encoding. `start`, `end`: bytes; `char_start`, `char_end`: characters; `word`: -1 if special."""

    index: int
    id: int
    bytes: bytes
    start: int
    end: int
    char_start: int
    char_end: int
    word: int
    special: bool


@dataclass(frozen=True, eq=False)
class Encoding:
    """The tokens of one text: read-only arrays of equal length, one entry a token.

    ids                     int32
    starts, ends            int32: byte range in the UTF-8 of `text`
    char_starts, char_ends  int32: range of the characters that the token touches, also those it holds a part of
    word_ids                int32: which word of the split the token belongs to; -1 for a special token
    special                 bool: taken as a special token (or <unk>)

    `normalized` holds the text that the offsets refer to and its alignment to the original.

    >>> from bpe_core import TrainConfig, train
    >>> encoding = train("hug hug").tokenizer().encode("hug é")
    >>> len(encoding), encoding[-1].char_start, encoding[-1].char_end
    (4, 4, 5)
    """

    ids: Ids
    starts: Offsets
    ends: Offsets
    char_starts: Offsets
    char_ends: Offsets
    word_ids: Offsets
    special: npt.NDArray[np.bool_]
    normalized: Normalized
    token_bytes: Callable[[int], bytes] = field(repr=False)

    def __post_init__(self) -> None:
        arrays = (
            self.ids,
            self.starts,
            self.ends,
            self.char_starts,
            self.char_ends,
            self.word_ids,
            self.special,
        )
        for array in arrays:
            array.flags.writeable = False

    @property
    def text(self) -> str:
        """The normalized text, which the offsets refer to."""
        return self.normalized.text

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int) -> Token:
        position = range(len(self.ids))[index]
        token_id = int(self.ids[position])
        return Token(
            index=position,
            id=token_id,
            bytes=self.token_bytes(token_id),
            start=int(self.starts[position]),
            end=int(self.ends[position]),
            char_start=int(self.char_starts[position]),
            char_end=int(self.char_ends[position]),
            word=int(self.word_ids[position]),
            special=bool(self.special[position]),
        )

    def __iter__(self) -> Iterator[Token]:
        return (self[index] for index in range(len(self.ids)))


def character_ranges(text: str, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    """The characters that byte ranges of the text's UTF-8 touch; an empty range touches none.

    >>> first, last = character_ranges("aこ", np.array([0, 1, 2]), np.array([1, 2, 4]))
    >>> first.tolist(), last.tolist()
    ([0, 1, 1], [1, 2, 2])
    """
    data = np.frombuffer(text.encode(), np.uint8)
    # begun[i]: characters that begin before byte i. The character that holds byte i is begun[i + 1] - 1.
    begun = np.zeros(data.size + 1, np.int32)
    np.cumsum((data & 0xC0) != 0x80, out=begun[1:])
    empty = starts == ends
    first = np.where(empty, begun[starts], begun[np.minimum(starts + 1, data.size)] - 1)
    return first, np.where(empty, first, begun[ends])
