"""Part of a training's text in base symbols, with the merge that joined each: enough for its tokens at every step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int32s, Int64s
from bpe_core.bpe.corpus import NEVER, Corpus
from bpe_core.bpe.word_places import TextWindow, WordPlaces
from bpe_core.payloads.frames import Body, encode_body
from bpe_core.work import taking

Ints = npt.NDArray[np.integer[Any]]

_PER_SYMBOL = 48
"""Memory in bytes of a part, per symbol."""

_CHUNK = 1 << 20


class EarlierSymbols(NamedTuple):
    """Fields of TextSymbols with their values before the split changed.

    until  number of merges after which the split changed

    >>> EarlierSymbols._fields
    ('until', 'joined', 'joined_after', 'word_ids')
    """

    until: int
    joined: Int32s
    joined_after: int
    word_ids: Int32s


@dataclass(frozen=True, eq=False)
class TextSymbols:
    """Base symbols of a part of a text, and the rank of the merge that joined each to the one before it.

    A token of step n is a maximal run of symbols joined by merges of ranks below n. Its id is that made by the last of
    these merges, or the id of its only symbol. So these arrays describe the part at every step.

    text         the text of the part
    start        offset of the part in the whole text, in characters
    begins_text  whether the part is the beginning of the text
    ends_text    whether it is the end of the text
    first_id     id that the first merge makes
    ids          int32: base symbols in the part
    starts       int32: start of each in the UTF-8 of `text`; symbols outside of words are omitted
    ends         int32: end of each
    joined       int32: rank of the merge that joined each to the symbol before it, which may be outside of the part;
                 NEVER for the first of a word, and if no merge joined it
    joined_after the same for the symbol after the last one of the part; NEVER if there is none
    word_ids     int32: index of the word that each symbol belongs to
    character_starts  int32: byte offset of each character of `text`, then the size of `text` in bytes
    earlier      the values before the split changed; None if it did not

    >>> from bpe_core import TrainConfig, train
    >>> symbols = train("low low", TrainConfig(vocab_size=258)).symbols()
    >>> symbols.ids.tolist(), [rank for rank in symbols.joined.tolist() if rank != NEVER]
    ([108, 111, 119, 32, 108, 111, 119], [0, 1, 0, 1])
    >>> symbols.at(2).ids.tolist()
    [257, 32, 257]
    """

    text: str
    start: int
    begins_text: bool
    ends_text: bool
    first_id: int
    ids: Int32s
    starts: Int32s
    ends: Int32s
    joined: Int32s
    joined_after: int
    word_ids: Int32s
    character_starts: Int32s
    earlier: EarlierSymbols | None = None

    def after(self, earlier: TextSymbols, step: int) -> TextSymbols:
        """The same part, of a training whose split changed after `step` merges; `earlier`: the part under the first.

        >>> from bpe_core import TrainConfig, train
        >>> config = TrainConfig(vocab_size=262, method="superbpe", transition=259)
        >>> symbols = train("low low low low", config).symbols()
        >>> [symbols.at(step).ids.tolist() for step in (1, 5)]
        [[256, 119, 32, 256, 119, 32, 256, 119, 32, 256, 119], [260, 258]]
        """
        return replace(self, earlier=EarlierSymbols(step, earlier.joined, earlier.joined_after, earlier.word_ids))

    @classmethod
    def of(
        cls,
        places: WordPlaces,
        corpus: Corpus,
        joined: Int32s,
        sizes: Int64s,
        part: tuple[int, int],
        first_id: int,
    ) -> TextSymbols:
        """Symbols of the characters part[0] … part[1] - 1 of the text of `places`.

        `joined`: one per symbol of the corpus, see `Engine.joined_at`; `sizes`: bytes of text that each base symbol
        covers. For a training, `Training.symbols` supplies all of these.

        >>> from bpe_core import TrainConfig, train
        >>> train("low lower", TrainConfig(vocab_size=258)).symbols(4, 2).ids.tolist()
        [108, 111]
        """
        start = min(max(part[0], 0), len(places.text))
        stop = max(start, min(part[1], len(places.text)))
        characters = places.character_starts
        low, high = int(characters[start]), int(characters[stop])
        edges = np.array([low + 1, high], places.starts.dtype)  # any other type converts all starts
        first, last = places.starts.searchsorted(edges).tolist()
        first = max(first - 1, 0)
        words = places.words[first:last]
        word_starts = places.starts[first:last].astype(np.int64)
        begins, stops = corpus.offsets[words], corpus.offsets[words + 1]
        if len(words):  # of the first and the last word, which may be long, only what lies in the part
            begins, stops = begins.copy(), stops.copy()
            until, _ = _after(high - word_starts[-1], corpus.ids, sizes, begins[-1], stops[-1])
            stops[-1] = min(until + 1, stops[-1])  # with the symbol after the part
            begins[0], skipped = _after(low - word_starts[0] if start else -1, corpus.ids, sizes, begins[0], stops[0])
            word_starts[0] += skipped
        counts = stops - begins
        before_words = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))  # symbols before each word
        with taking(_PER_SYMBOL * int(counts.sum())):
            symbols = np.repeat(begins - before_words[:-1], counts) + np.arange(before_words[-1])
            ids, ranks = corpus.ids[symbols], joined[symbols]
            covered = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes[ids])))  # bytes before each
            word_ids = np.repeat(np.arange(len(words)), counts)
            starts = covered[:-1] + (word_starts - covered[before_words[:-1]])[word_ids]
            ends = starts + np.diff(covered)
            inside = np.flatnonzero((starts >= low) & (ends <= high) & ((ends > low) | (start == 0)))
            begin, end = (int(inside[0]), int(inside[-1]) + 1) if inside.size else (0, 0)
            inner = slice(begin, end)
            return cls(
                places.text[start:stop],
                start,
                start == 0,
                stop == len(places.text),
                first_id,
                _read_only(ids[inner]),
                _read_only(starts[inner] - low),
                _read_only(ends[inner] - low),
                _read_only(ranks[inner]),
                int(ranks[end]) if inside.size and end < len(ranks) else NEVER,
                _read_only(word_ids[inner]),
                _read_only(characters[start : stop + 1] - low),
            )

    def at(self, step: int) -> TextWindow:
        """Tokens after `step` merges that lie wholly in the part.

        Starts at the first token that begins a character, and ends at the last that ends one.

        >>> from bpe_core import TrainConfig, train
        >>> symbols = train("low lower", TrainConfig(vocab_size=258)).symbols(1, 6)
        >>> [(symbols.at(step).start, symbols.at(step).text) for step in (0, 2)]
        [(1, 'ow low'), (3, ' low')]
        """
        if self.earlier is not None and step < self.earlier.until:
            _, joined, joined_after, word_ids = self.earlier
            return replace(self, joined=joined, joined_after=joined_after, word_ids=word_ids, earlier=None).at(step)
        heads = np.flatnonzero(self.joined >= step)
        # id of a token: that of the last merge inside it, or of its base symbol
        latest = np.maximum.reduceat(np.where(self.joined < step, self.joined, -1), heads) if heads.size else heads
        ids: Ints = np.where(latest < 0, self.ids[heads], latest + self.first_id)
        starts, ends = self.starts[heads], self.ends[np.append(heads[1:], len(self.ids))[: len(heads)] - 1]
        if heads.size and self.joined_after < step:  # the last token continues after the part
            ids, starts, ends, heads = ids[:-1], starts[:-1], ends[:-1], heads[:-1]
        return self._whole_characters(ids, starts, ends, self.word_ids[heads])

    def _whole_characters(self, ids: Ints, starts: Ints, ends: Ints, word_ids: Ints) -> TextWindow:
        """Trim the tokens, from the first that begins a character to the last that ends one."""
        characters = self.character_starts
        # first character that begins in or after each token; the character that contains its last byte, or the next one
        first: Ints = np.searchsorted(characters, starts)
        last: Ints = np.searchsorted(characters, ends)
        begins, closes = characters[first] == starts, characters[last] == ends
        begin = int(begins.argmax()) if begins.any() else len(ids)
        end = len(ids) - int(closes[::-1].argmax()) if closes.any() else 0
        start, stop = 0, len(self.text)
        if begin < end:
            start = 0 if self.begins_text else int(first[begin])
            stop = stop if self.ends_text else int(last[end - 1])
        taken = slice(begin, max(begin, end))
        offset = int(characters[start])
        starts, ends, first, last = (each[taken] for each in (starts, ends, first, last))
        word_ids = word_ids[taken] - (word_ids[begin] if begin < end else 0)
        inside = np.where(starts < ends, first - (characters[first] != starts), first)
        columns = (ids[taken], starts - offset, ends - offset, inside - start, last - start, word_ids)
        return TextWindow(
            self.text[start:stop],
            self.start + start,
            *(_read_only(column) for column in (*columns, characters[start : stop + 1] - np.int32(offset))),
        )


def _after(size: int, ids: Int32s, sizes: Int64s, first: int, last: int) -> tuple[int, int]:
    """Index after those symbols of ids[first:last] that end within `size` bytes, and the bytes that these cover.

    Looks at a chunk at a time: a word may be the whole text.
    """
    covered = 0
    while first < last:
        ends = covered + np.cumsum(sizes[ids[first : min(first + _CHUNK, last)]])
        within = int(np.count_nonzero(ends <= size))
        if within:
            first, covered = first + within, int(ends[within - 1])
        if within < len(ends):
            break
    return first, covered


def _read_only(numbers: Ints) -> Int32s:
    made = numbers.astype(np.int32)
    made.flags.writeable = False
    return made


_NO_MERGE = -1


def symbols_body(symbols: TextSymbols, mark: str = "") -> Body:
    """Data from which the browser draws the tokens at any step. `mark`: the end-of-word mark, if there is one.

    `earlier` is included only if it makes other tokens.

    >>> from bpe_core import TrainConfig, train
    >>> body = symbols_body(train("low low", TrainConfig(vocab_size=258)).symbols(0, 3))
    >>> b'"ids":[108,111,119],"joined":[-1,0,1],"joinedAfter":-1,"sizes":null' in body.data
    True
    """
    sizes = symbols.ends - symbols.starts
    before = np.concatenate((np.zeros(1, np.int32), symbols.ends))[:-1]
    skipped = np.flatnonzero(symbols.starts > before)
    earlier = symbols.earlier
    if earlier is not None and _differs(symbols, earlier):
        was = {
            "until": earlier.until,
            "joined": _ranks(earlier.joined),
            "joinedAfter": _NO_MERGE if earlier.joined_after == NEVER else earlier.joined_after,
        }
    else:
        was = None
    return encode_body(
        {
            "text": symbols.text,
            "begins": symbols.begins_text,
            "ends": symbols.ends_text,
            "firstId": symbols.first_id,
            "ids": symbols.ids.tolist(),
            "joined": _ranks(symbols.joined),
            "joinedAfter": _NO_MERGE if symbols.joined_after == NEVER else symbols.joined_after,
            "sizes": None if (sizes == 1).all() else sizes.tolist(),
            "skips": dict(zip(skipped.tolist(), (symbols.starts - before)[skipped].tolist(), strict=True)),
            "mark": mark,
            **({} if was is None else {"earlier": was}),
        }
    )


def _ranks(joined: Int32s) -> list[int]:
    ranks: list[int] = np.where(joined == NEVER, _NO_MERGE, joined).tolist()
    return ranks


def _differs(symbols: TextSymbols, earlier: EarlierSymbols) -> bool:
    """Whether the tokens before the split changed differ from those that the same merges make under the new split."""
    now, was = (np.append(each.joined, each.joined_after) for each in (symbols, earlier))
    return not np.array_equal(np.where(now < earlier.until, now, NEVER), was)
