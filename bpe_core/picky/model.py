"""PickyBPE model: words become base symbols, then the events of a training are replayed in order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import compress
from typing import ClassVar, Literal, NamedTuple, TypeVar

import numpy as np

from bpe_core import checks
from bpe_core.bpe.model import Base, SymbolModel
from bpe_core.language import message
from bpe_core.picky.events import PickyEvent, PickyMerge
from bpe_core.tokenizer.model import Kind, Rule, WordTokens

Key = TypeVar("Key")


class ReplayedEvent(NamedTuple):
    """State of a word after an event that changed it: its ids, and the number of the event, from 0.

    `event` is None at the start.

    >>> from bpe_core import TrainConfig, train_picky
    >>> tokenizer = train_picky("low low", TrainConfig(unit="char", split="words", vocab_size=5)).tokenizer()
    >>> tokenizer.model.explain("low")[:2]
    [ReplayedEvent(ids=(1, 2, 3), event=None), ReplayedEvent(ids=(4, 3), event=0)]
    """

    ids: tuple[int, ...]
    event: int | None


class PickyModel(SymbolModel):
    """Base symbols, and merges and removals in one order. Immutable.

    base    conversion of words to symbols
    tokens  bytes of every id; None for special tokens and for tokens that are not in the vocabulary
    events  events that encoding replays: a removal splits a token wherever a merge has made it
    widths  base symbols of the tokens that are not base symbols, by id
    ends    tokens that end with the end-of-word mark
    unit    whether the symbols are bytes or characters

    >>> from bpe_core import TrainConfig, train_picky
    >>> config = TrainConfig(unit="char", split="words", vocab_size=8)
    >>> model = train_picky("low low lower", config).tokenizer().model
    >>> model.encode_word("lower"), model.token_id(b"lo"), model.token_id(b"low"), model.piece(7)
    (WordTokens(ids=[8, 4], lengths=[4, 1]), None, 7, 'low')
    >>> model.rule, sorted(model.views), model.merges, model.decoder
    ('merges and removals', [], None, JoinBytes())
    >>> [step.ids for step in model.explain("low")]
    [(2, 3, 5), (6, 5), (7,)]
    >>> model.next_merge((2, 3), after=-1), model.next_removal(6, after=0), model.next_removal(6, after=2)
    (0, 2, None)
    """

    kind: ClassVar[Kind] = "picky"
    rule: Rule = "merges and removals"

    def __init__(
        self,
        base: Base,
        tokens: Sequence[bytes | None],
        events: Sequence[PickyEvent],
        *,
        widths: Mapping[int, int],
        ends: frozenset[int] = frozenset(),
        unit: Literal["byte", "char"] = "char",
    ) -> None:
        self.base = base
        self.tokens = tokens
        self.events = tuple(events)
        self.widths = widths
        self.word_ends = ends
        self.unit = unit
        self.unknown_id = base.unknown_id
        self.aliases = {}

    def encode_word(self, word: str) -> WordTokens:
        """Tokens of one word, and the bytes that each covers; <unk> covers the character that it replaces."""
        data = word.encode("utf-8", "surrogateescape")
        symbols = self.base.flat(data, np.array([0, len(data)]))
        replay = _Replay(symbols.ids.tolist(), self)
        for _ in replay.steps():
            pass
        places = list(compress(range(len(replay.ids)), replay.is_there))
        edges = np.append(0, np.cumsum(symbols.widths))
        lengths: list[int] = np.diff(edges[[*places, len(symbols.ids)]]).tolist()
        return WordTokens([replay.ids[place] for place in places], lengths)

    def explain(self, word: str) -> list[ReplayedEvent]:
        """State of a word at first, and after each event that changed it. Raises CorpusError for anything but a str."""
        word = checks.given_text(word, limit=message("Only str is encoded."))
        replay = _Replay(self.base.symbols(word), self)
        found = [ReplayedEvent(tuple(replay.ids), None)]
        found += [ReplayedEvent(tuple(compress(replay.ids, replay.is_there)), event) for event in replay.steps()]
        return found

    def next_merge(self, pair: tuple[int, int], after: int) -> int | None:
        """Number of the first event after another one that merges a pair, or None."""
        return _following(self._merges_of.get(pair, ()), after)

    def next_removal(self, token_id: int, after: int) -> int | None:
        """Number of the first event after another one that removes a token, or None."""
        return _following(self._removals_of.get(token_id, ()), after)

    @cached_property
    def _merges_of(self) -> dict[tuple[int, int], list[int]]:
        return _numbers(self.events, lambda event: (event.left, event.right) if isinstance(event, PickyMerge) else None)

    @cached_property
    def _removals_of(self) -> dict[int, list[int]]:
        return _numbers(self.events, lambda event: None if isinstance(event, PickyMerge) else event.token_id)


def _numbers(events: Sequence[PickyEvent], key: Callable[[PickyEvent], Key | None]) -> dict[Key, list[int]]:
    """Numbers of the events by a key, ascending; those with None are left out."""
    found: dict[Key, list[int]] = {}
    for number, event in enumerate(events):
        if (each := key(event)) is not None:
            found.setdefault(each, []).append(number)
    return found


def _following(numbers: Sequence[int], after: int) -> int | None:
    """The first of ascending numbers above another one, or None."""
    at = bisect_right(numbers, after)
    return numbers[at] if at < len(numbers) else None


class _Replay:
    """State of a word: `ids`, indexed by the first symbol of each token, and the flags `is_there`."""

    def __init__(self, word: Sequence[int], model: PickyModel) -> None:
        self.ids = list(word)
        self.is_there = bytearray(b"\1") * len(self.ids)
        self._model = model
        self._after = list(range(1, len(self.ids) + 1))  # index of the next token; len(ids) after the last one
        self._before = list(range(-1, len(self.ids) - 1))
        self._due: list[tuple[int, int]] = []  # a heap of events and places; may hold some that no longer apply
        self._now = -1

    def steps(self) -> Iterator[int]:
        """Apply every event that changes the word, in order; yield its number after it was applied at all places."""
        for place in range(len(self.ids)):
            self._expect(place)
        changed = False
        while self._due:
            number, place = heappop(self._due)
            if changed and number != self._now:
                yield self._now
                changed = False
            self._now = number
            event = self._model.events[number]
            if not self.is_there[place]:
                continue
            if not isinstance(event, PickyMerge):
                if self.ids[place] == event.token_id:
                    self._split(place, event.pieces)
                    changed = True
            elif self.ids[place] == event.left and self._right_of(place) == event.right:
                self._merge(place, event.token_id)
                changed = True
        if changed:
            yield self._now

    def _right_of(self, place: int) -> int | None:
        """Token after the one at a place."""
        after = self._after[place]
        return self.ids[after] if after < len(self.ids) else None

    def _expect(self, place: int) -> None:
        """Queue the next events that can apply to the token at a place and the one after it."""
        token, right = self.ids[place], self._right_of(place)
        removal = self._model.next_removal(token, self._now)
        merge = None if right is None else self._model.next_merge((token, right), self._now)
        for number in (removal, merge):
            if number is not None:
                heappush(self._due, (number, place))

    def _merge(self, place: int, made: int) -> None:
        second = self._after[place]
        third = self._after[second]
        self.ids[place], self.is_there[second], self._after[place] = made, 0, third
        if third < len(self.ids):
            self._before[third] = place
        self._expect(place)
        if self._before[place] >= 0:
            self._expect(self._before[place])

    def _split(self, place: int, pieces: Sequence[int]) -> None:
        end, start = self._after[place], place
        starts = []
        for piece in pieces:
            starts.append(start)
            self.ids[start], self.is_there[start] = piece, 1
            start += self._model.widths.get(piece, 1)
        for one, two in zip(starts, [*starts[1:], end], strict=True):
            self._after[one] = two
            if two < len(self.ids):
                self._before[two] = one
        for each in starts:
            self._expect(each)
        if self._before[place] >= 0:
            self._expect(self._before[place])
