"""Compiled split of SuperBPE's second stage: the words of `text.split_patterns.ACROSS_WORDS`, in one pass."""

from __future__ import annotations

import numpy as np

from bpe_core.arrays import Bools, Bytes, Int64s
from bpe_core.kernels import scan
from bpe_core.kernels.backend import Number, njit


def spans(
    data: bytes, begins: Int64s, stops: Int64s, parts: tuple[Int64s, Bools] | None = None
) -> tuple[Int64s, Int64s]:
    """Starts and ends (int64, bytes) of the words of the texts data[begin:stop], which are in order.

    Between two texts is at least one byte, of white space. `parts`: where the words of a split of the texts
    begin, and for each whether it consists of letters, as from `are_letters`; they are not read again.

    >>> [edges.tolist() for edges in spans(b"on the -- 12345\\nhand", np.array([0, 16]), np.array([15, 20]))]
    [[0, 6, 9, 10, 13, 16], [6, 9, 10, 13, 15, 20]]
    """
    at, are_plain = parts or (np.empty(0, np.int64), np.empty(0, np.bool_))
    at, are_plain = np.append(at, len(data)), np.append(are_plain, False)
    array = np.frombuffer(data, np.uint8)
    flags = np.empty(len(data) + 8, np.uint8)
    scan._classify(array, 0, len(data), scan._character_classes("gpt2"), flags)
    starts, ends = np.empty(len(data), np.int64), np.empty(len(data), np.int64)
    found = _spans(array, (begins, stops), flags, (at, are_plain), starts, ends)
    return starts[:found], ends[:found]


def have_letters(text: bytes, offsets: Int64s) -> Bools:
    """bool[words]: whether each word text[offsets[w]:offsets[w + 1]], none of them empty, contains a letter.

    >>> have_letters("a1, é".encode(), np.array([0, 2, 3, 6])).tolist()
    [True, False, True]
    """
    flags = np.empty(len(text) + 8, np.uint8)
    scan._classify(np.frombuffer(text, np.uint8), 0, len(text), scan._character_classes("gpt2"), flags)
    is_letter = flags[: len(text)] & np.uint8(_LETTER) > 0
    return np.asarray(np.logical_or.reduceat(is_letter, offsets[:-1]) if len(offsets) > 1 else is_letter, np.bool_)


def are_letters(text: bytes, offsets: Int64s) -> Bools:
    """bool[words]: whether each word, none of them empty, consists of letters, with or without one space before them.

    >>> are_letters("é a a! ".encode(), np.array([0, 2, 4, 7, 8])).tolist()
    [True, True, False, False]
    """
    flags = np.empty(len(text) + 8, np.uint8)
    array = np.frombuffer(text, np.uint8)
    scan._classify(array, 0, len(text), scan._character_classes("gpt2"), flags)
    is_letter = flags[: len(text)] & np.uint8(_LETTER) > 0
    if len(offsets) == 1:
        return is_letter
    ends_well = is_letter[offsets[1:] - 1]
    is_letter[offsets[:-1]] |= array[offsets[:-1]] == ord(" ")
    return np.asarray(np.logical_and.reduceat(is_letter, offsets[:-1]) & ends_well, np.bool_)


def warm_up() -> None:
    """Compile every kernel of this module, or load it from disk.

    >>> warm_up()
    """
    spans(b"warm up", np.zeros(1, np.int64), np.array([7]))


_LETTER, _DIGIT, _SPACE, _OTHER, _NEWLINE = scan._LETTER, scan._DIGIT, scan._SPACE, scan._OTHER, scan._NEWLINE


@njit
def _spans(
    data: Bytes,
    texts: tuple[Int64s, Int64s],
    flags: Bytes,
    parts: tuple[Int64s, Bools],
    starts: Int64s,
    ends: Int64s,
) -> Number:
    """Record the words of each text; return their number. White space follows every text in `flags`."""
    begins, stops = texts
    part_starts, are_plain = parts
    found = part = 0
    for text in range(begins.size):
        at, stop = begins[text], stops[text]
        while at < stop:
            starts[found] = at
            if flags[at] & _DIGIT:
                for _ in range(3):
                    if at < stop and flags[at] & _DIGIT:
                        at = _after(data, at)
            elif _begins_signs(data, at, stop, flags):
                at += data[at] == 32
                while at < stop and flags[at] & _OTHER:
                    at += 1
                while at < stop and (flags[at] & _NEWLINE or data[at] == 47):
                    at += 1
            elif data[at] == 32 and flags[at + 1] & _SPACE:
                while at < stop and data[at] == 32:
                    at += 1
                at -= not flags[at] & _SPACE  # the last of several spaces belongs to the word
            else:
                at = _after(data, at)
                while at < stop:
                    while part_starts[part] < at:
                        part += 1
                    if part_starts[part] == at and are_plain[part]:
                        at = min(part_starts[part + 1], stop)
                    elif flags[at] & _LETTER:
                        at += 1
                    elif data[at] == 32 and flags[at + 1] & _LETTER:
                        at += 2
                    elif (
                        flags[at] & _DIGIT
                        or (data[at] == 32 and flags[at + 1] & _SPACE)
                        or _begins_signs(data, at, stop, flags)
                    ):
                        break
                    else:
                        at = _after(data, at)
            ends[found] = at
            found += 1
    return found


@njit
def _after(data: Bytes, at: Number) -> Number:
    """Where the next character begins."""
    first = data[at]
    return at + (1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4)


@njit
def _begins_signs(data: Bytes, at: Number, stop: Number, flags: Bytes) -> Number:
    """Whether two characters that are neither letters, digits nor white space begin here or after a space."""
    at += data[at] == 32
    return flags[at] & _OTHER and flags[_after(data, at)] & _OTHER
