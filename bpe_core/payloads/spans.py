"""Tokens of a window of text as parallel lists, ready for drawing: pure data, no Streamlit.

text + ids + byte offsets  →  TokenSpans  →  payload() for the browser

A token may contain whole characters, part of a character, both, or nothing at all. Parts record which bytes of which
character they are, so that a split character is never shown as � or left blank.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bpe_core.language import translate
from bpe_core.payloads.captions import NO_CAPTIONS, Captions
from bpe_core.payloads.frames import Body, TranslatedBody, encode_body, frame, unseen_names
from bpe_core.text import utf8

WINDOW = 50_000
"""Limit of drawn tokens; the number of further tokens is shown below the flow."""

Offsets = npt.NDArray[np.int64]
Indices = Iterable[int] | npt.NDArray[Any]


class CharacterPart(NamedTuple):
    """Some bytes of one character: `CharacterPart('こ', 1, 2, 3, 'E3 81')` is bytes 1–2 of the 3 of こ.

    >>> CharacterPart("é", 2, 2, 2, "A9").hex
    'A9'
    """

    char: str
    first: int
    last: int
    of: int
    hex: str


Parts: TypeAlias = dict[int, CharacterPart]
"""Parts of characters by the position of their token."""


@dataclass(frozen=True)
class TokenSpans:
    """Tokens `first` … `first + len(ids) - 1` of a text of `total` tokens. Lists run in parallel.

    The dictionaries are keyed by the position in the lists (0 is token number `first`).

    >>> spans = TokenSpans.of("low", ids=[5, 9], starts=[0, 2], ends=[2, 3], count=1)
    >>> spans.rest, spans.payload()["texts"], spans.body.rev == spans.body.rev
    (1, ['lo'], True)
    >>> spans.frame(key="text", label="Tokens").partition(b"\\n")[2] == spans.body.data
    True
    """

    first: int
    total: int
    ids: list[int]
    texts: list[str]
    """Whole characters of each token; "" if it contains only part of one."""
    char_starts: list[int]
    """Character that contains the token's first byte, counted in code points from the start of the text."""
    starts: list[int]
    ends: list[int]
    heads: Parts = field(default_factory=dict)
    """Bytes at the token's start that end (or continue) a character begun before it."""
    tails: Parts = field(default_factory=dict)
    """Bytes at the token's end that begin a character continued by the next token."""
    gaps: dict[int, str] = field(default_factory=dict)
    """Text before the token at this position that belongs to no token; `len(ids)`: after the last token."""
    labels: dict[int, str] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    special: frozenset[int] = frozenset()
    words: list[int] = field(default_factory=list)
    """Positions of tokens that begin a word of the split, if the previous token ends with the previous word."""
    means: Sequence[bytes] = ()
    """Meaning of each token, if `texts` spell the tokens in another way; it determines the colours."""

    @classmethod
    def of(
        cls,
        text: str,
        ids: Sequence[int] | npt.NDArray[Any],
        starts: Sequence[int] | npt.NDArray[Any],
        ends: Sequence[int] | npt.NDArray[Any],
        *,
        special: Collection[int] | npt.NDArray[Any] = (),
        labels: Mapping[int, str] | None = None,
        notes: Mapping[int, str] | None = None,
        words: npt.NDArray[np.bool_] | None = None,
        means: Sequence[bytes] = (),
        first: int = 0,
        count: int = WINDOW,
        character_starts: npt.NDArray[Any] | None = None,
    ) -> TokenSpans:
        """Divide `text` at the byte offsets `starts` and `ends` of its UTF-8 (`Encoding` has all of these arrays).

        `character_starts`: byte offset of each character, and the size at the end; computed if None.
        `words`: for each token whether it begins a word of the split; drawn as an edge.
        `means`: bytes of each token, if `text` spells the tokens in another way.

        `special` (a bool array, or token numbers), `labels` (shown instead of the text) and `notes` (a line in the
        tooltip) are keyed by the token's number in the whole text. Only `count` tokens from `first` on are included;
        `total` counts all.

        >>> spans = TokenSpans.of("aこ", ids=[97, 400, 147], starts=[0, 1, 3], ends=[1, 3, 4])
        >>> spans.texts
        ['a', '', '']
        >>> spans.tails[1]
        CharacterPart(char='こ', first=1, last=2, of=3, hex='E3 81')
        """
        total = len(ids)
        if not total == len(starts) == len(ends):
            raise ValueError(
                f"ids, starts and ends differ in length: {total}, {len(starts)}, {len(ends)}; "
                "pass three arrays of the same encoding"
            )
        first = min(max(first, 0), total)
        stop = min(total, first + max(count, 0))
        if character_starts is None:
            character_starts = utf8.character_starts(text.encode("utf-8", "surrogatepass"))
        characters = _Characters(text, character_starts)
        size = int(character_starts[-1])
        begin: Offsets = np.clip(np.asarray(starts[first:stop], dtype=np.int64), 0, size)
        end: Offsets = np.maximum(np.clip(np.asarray(ends[first:stop], dtype=np.int64), 0, size), begin)
        texts, char_starts, heads, tails = characters.segment(begin, end)
        previous_end = int(ends[first - 1]) if first else 0
        next_start = int(starts[stop]) if stop < total else size
        return cls(
            first=first,
            total=total,
            ids=np.asarray(ids[first:stop], dtype=np.int64).tolist(),
            texts=texts,
            char_starts=char_starts,
            starts=begin.tolist(),
            ends=end.tolist(),
            heads=heads,
            tails=tails,
            gaps=characters.gaps(begin, end, previous_end, next_start),
            labels=_window(labels, first, stop),
            notes=_window(notes, first, stop),
            special=frozenset(_numbers(special, first, stop)),
            words=[] if words is None else np.flatnonzero(words[first:stop]).tolist(),
            means=means[first:stop],
        )

    @property
    def rest(self) -> int:
        """Number of tokens after the window."""
        return self.total - self.first - len(self.ids)

    @TranslatedBody
    def body(self) -> Body:
        """Payload for the browser, with its content hash; cached, so that a rerun with the same object is free."""
        return encode_body(self.payload())

    def frame(
        self,
        *,
        key: str,
        label: str,
        captions: Captions = NO_CAPTIONS,
        height: int | None = None,
        fresh: Indices = (),
        tells: bool = False,
        tells_boundaries: bool = False,
        command: tuple[int, int | None] = (0, None),
        more: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Frame of the view `key` with these tokens; most parameters are those of `token_view`.

        fresh: numbers of tokens to outline in the accent colour (made by the newest merge).
        tells: whether selections are reported to Python; tells_boundaries: whether clicks between two tokens are.
        command: a number that increases with each token to select, and the token's position.
        more: further fields of the head.
        """
        head = {
            **asdict(captions),
            "name": key,
            "tells": tells,
            "tellsBoundaries": tells_boundaries,
            "label": label,
            "height": height,
            "fresh": self._positions(fresh),
            "command": command,
            **(more or {}),
        }
        return frame(head, self.body)

    def _positions(self, numbers: Indices) -> list[int]:
        """Convert token numbers to positions in the window; those outside are dropped."""
        array = np.asarray(numbers if isinstance(numbers, np.ndarray) else list(numbers), dtype=np.int64)
        inside = (array >= self.first) & (array < self.first + len(self.ids))
        positions: list[int] = (array[inside] - self.first).tolist()
        return positions

    def payload(self) -> dict[str, Any]:
        """Data for the browser: character starts as differences between tokens, each distinct part once."""
        steps = np.diff(np.asarray(self.char_starts, dtype=np.int64)).tolist()
        parts: dict[CharacterPart, int] = {}
        heads, tails = (
            {position: parts.setdefault(part, len(parts)) for position, part in side.items()}
            for side in (self.heads, self.tails)
        )
        return {
            "first": self.first,
            "total": self.total,
            "ids": self.ids,
            "texts": self.texts,
            "char": self.char_starts[0] if self.char_starts else 0,
            "steps": steps,
            "heads": heads,
            "tails": tails,
            "parts": list(parts),
            "gaps": self.gaps,
            "labels": {position: translate(label) for position, label in self.labels.items()},
            "notes": {position: translate(note) for position, note in self.notes.items()},
            "special": sorted(self.special),
            "words": self.words,
            **({"means": [_key(data) for data in self.means]} if self.means else {}),
            **unseen_names("".join(dict.fromkeys(self.texts))),
        }


def _key(token: bytes) -> str:
    """Key of a token's meaning, as `keyOf` of tokens/spans.ts: its text, with NUL and hex for each other byte.

    >>> _key(b" low"), _key(b"\\xe6\\x97a")
    (' low', '\\x00E6\\x0097a')
    """
    text = token.decode("utf-8", "surrogateescape")
    return re.sub("[\\udc80-\\udcff]", lambda found: f"\0{ord(found[0]) - 0xDC00:02X}", text)


class _Characters:
    """Byte offsets of a text's characters in UTF-8, for dividing it at byte offsets."""

    def __init__(self, text: str, byte_of: npt.NDArray[Any]) -> None:
        """`byte_of`: byte offset of each character, and the size of the text at the end."""
        self.text = text
        self.byte_of = byte_of

    def segment(
        self, begin: Offsets, end: Offsets
    ) -> tuple[list[str], list[int], dict[int, CharacterPart], dict[int, CharacterPart]]:
        """Whole characters, first character, and parts at either end, of the tokens begin[i] … end[i]."""
        filled = end > begin
        first, last = (edge.astype(self.byte_of.dtype) for edge in (begin, end))  # else all of byte_of is converted
        whole_start = np.searchsorted(self.byte_of, first)  # first character that starts in the token, or after it
        whole_end = np.searchsorted(self.byte_of, last, side="right") - 1
        open_start = (self.byte_of[whole_start] != begin) & filled
        open_end = (self.byte_of[whole_end] != end) & filled
        texts = [self.text[a:b] for a, b in zip(whole_start.tolist(), whole_end.tolist(), strict=True)]
        char_starts = whole_start - open_start
        # a token within a single character is stored as a tail if it starts with the character, else as a head
        inside = open_start & (end <= self.byte_of[np.minimum(char_starts + 1, len(self.byte_of) - 1)])
        heads = self._parts(open_start, char_starts, begin, end)
        tails = self._parts(open_end & ~inside, whole_end, begin, end)
        return texts, char_starts.tolist(), heads, tails

    def gaps(self, begin: Offsets, end: Offsets, previous_end: int, next_start: int) -> dict[int, str]:
        """Text between tokens, keyed by the token after it."""
        left = np.concatenate(([previous_end], end)).astype(self.byte_of.dtype)
        right = np.append(begin, max(next_start, int(left[-1]))).astype(self.byte_of.dtype)
        at = np.flatnonzero(right > left)
        first = np.searchsorted(self.byte_of, left[at], side="right") - 1
        last = np.searchsorted(self.byte_of, right[at])
        is_whole = (self.byte_of[first] == left[at]) & (self.byte_of[last] == right[at])
        found = (each.tolist() for each in (at, first, last, is_whole))
        return {
            i: self.text[one:other] if whole else self._bytes(one, other, int(left[i]), int(right[i]))
            for i, one, other, whole in zip(*found, strict=True)
        }

    def _bytes(self, first: int, last: int, start: int, end: int) -> str:
        """Text of bytes within some characters; bytes that form no whole character are written as \\xE6."""
        data = self.text[first:last].encode("utf-8", "surrogatepass")
        offset = int(self.byte_of[first])
        return data[start - offset : end - offset].decode("utf-8", "backslashreplace")

    def _parts(
        self, where: npt.NDArray[np.bool_], chars: Offsets, begin: Offsets, end: Offsets
    ) -> dict[int, CharacterPart]:
        """For the tokens in `where`: the bytes of the character `chars[i]` in each."""
        positions = np.flatnonzero(where)
        char = chars[positions]
        left, right = self.byte_of[char], self.byte_of[char + 1]
        first = np.maximum(begin[positions] - left, 0) + 1
        last = np.minimum(end[positions], right) - left
        columns = (positions.tolist(), char.tolist(), first.tolist(), last.tolist())
        text = self.text
        places = {position: (text[c], a, b) for position, c, a, b in zip(*columns, strict=True)}
        parts = {place: part_of(*place) for place in set(places.values())}  # few distinct ones occur
        return {position: parts[place] for position, place in places.items()}


def part_of(char: str, first: int, last: int) -> CharacterPart:
    """Part of a character: bytes first … last (from 1) of its UTF-8.

    >>> part_of("é", 2, 2)
    CharacterPart(char='é', first=2, last=2, of=2, hex='A9')
    """
    data = char.encode("utf-8", "surrogatepass")
    return CharacterPart(char, first, last, len(data), data[first - 1 : last].hex(" ").upper())


def _window(named: Mapping[int, str] | None, first: int, stop: int) -> dict[int, str]:
    """Entries for tokens first … stop - 1, re-keyed relative to `first`."""
    return {i - first: value for i, value in (named or {}).items() if first <= i < stop}


def _numbers(marked: Collection[int] | npt.NDArray[Any], first: int, stop: int) -> Iterable[int]:
    """Marked tokens among first … stop - 1, relative to `first`, from a bool array or from the numbers themselves."""
    if not isinstance(marked, np.ndarray):
        return (number - first for number in marked if first <= number < stop)
    numbers = (
        np.flatnonzero(marked[first:stop])
        if marked.dtype == np.bool_
        else marked[(marked >= first) & (marked < stop)] - first
    )
    return map(int, numbers)


class Lane(NamedTuple):
    """One tokenizer's segmentation of a text, for `interlinear`: the arrays of its `Encoding` under a name.

    dictionary: whether these are words by a dictionary, without ids, and not tokens.

    >>> Lane("GPT-2", [5, 9], [0, 2], [2, 3]).name
    'GPT-2'
    """

    name: str
    ids: Sequence[int] | npt.NDArray[Any]
    starts: Sequence[int] | npt.NDArray[Any]
    ends: Sequence[int] | npt.NDArray[Any]
    special: Collection[int] | npt.NDArray[Any] = ()
    labels: Mapping[int, str] | None = None
    notes: Mapping[int, str] | None = None
    dictionary: bool = False
