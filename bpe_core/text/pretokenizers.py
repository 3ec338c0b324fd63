"""Chains of pre-tokenizers: steps of the tokenizers library, each dividing the pieces of the one before.

A `SplitChain` replaces a `Split`, with the boundaries of the library. Steps after a ByteLevel step see one character
for every byte, so that words may begin and end inside a character of the text. Byte models receive the bytes
themselves, all others the characters that represent them (`spells`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt

from bpe_core.errors import ConfigError
from bpe_core.language import message
from bpe_core.text.byte_characters import byte_level
from bpe_core.text.normalization import Normalized
from bpe_core.text.pretokenizer_steps import PreTokenizer
from bpe_core.text.split_behaviors import Range
from bpe_core.text.splits import Pieces, TimeLimit
from bpe_core.text.utf8 import begins_character, plain_character_ranges


@dataclass(frozen=True)
class SplitChain:
    """Pre-tokenizer of several steps, each of which divides the pieces of the one before.

    spells   whether words consist of the characters that ByteLevel writes, rather than of the bytes

    Unless it `spells`, raises ConfigError for a second ByteLevel step, and for a step after the first that prepends
    characters to pieces.

    >>> from bpe_core.text.pretokenizer_steps import ByteLevel, Digits
    >>> split = SplitChain((Digits(individual=True), ByteLevel(add_prefix_space=False)))
    >>> split.words("in 1984"), list(split.spans("in 1984")), split.pattern
    (['in', ' ', '1', '9', '8', '4'], [(0, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)], 'Digits, ByteLevel')
    >>> split.by_model, split.maps_bytes, split.written(" in")
    (False, True, ' in')
    >>> SplitChain((ByteLevel(add_prefix_space=False),), spells=True).words("in é")
    ['in', 'ĠÃ©']
    >>> split.apply(Normalized.of("in 84"), begins=True).edges.tolist()
    [[0, 2], [2, 3], [3, 4], [4, 5]]
    """

    steps: tuple[PreTokenizer, ...] = ()
    spells: bool = False
    by_model: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        mapped = False
        for step in self.steps:
            if mapped and not self.spells and (step.maps_bytes or step.adds):
                raise ConfigError(
                    message("{name} comes after ByteLevel.", name=step.name),
                    limit=message("What follows ByteLevel may divide its characters, but not map or add any."),
                    remedy=message("Remove one of the two."),
                )
            mapped = mapped or step.maps_bytes

    @property
    def pattern(self) -> str:
        """Names of the steps, for messages."""
        return ", ".join(step.name for step in self.steps) or message("no steps")

    @property
    def maps_bytes(self) -> bool:
        """Whether a step maps every byte to a character, and the words are the bytes."""
        return not self.spells and any(step.maps_bytes for step in self.steps)

    def apply(self, part: Normalized, *, begins: bool) -> Pieces:
        """Words of a normalized text, and the text as changed by the steps.

        `begins`: whether the text begins where the original begins. Raises CorpusError if a pattern takes too long.
        """
        region = _Region(part, begins=begins, spells=self.spells)
        for step in self.steps:
            region.take(step)
        return region.result()

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Character range of the text that each word comes from, in order."""
        part, edges = self.apply(Normalized.of(text), begins=True)
        first, last = plain_character_ranges(part.utf8, edges[:, 0], edges[:, 1])
        if part.spans is not None and len(edges):
            first, last = part.spans[first, 0], part.spans[last - 1, 1]
        return zip(first.tolist(), last.tolist(), strict=True)

    def words(self, text: str) -> list[str]:
        """Words of a text, in order, as the model receives them: bytes that are not characters are escaped."""
        part, edges = self.apply(Normalized.of(text), begins=True)
        return [part.utf8[start:end].decode("utf-8", "surrogateescape") for start, end in edges.tolist()]

    def written(self, word: str) -> str:
        """The word unchanged: the steps have already written it in the model's form."""
        return word


_UNDIVIDED: list[Range] = []
"""Marks an undivided piece, in place of its ranges."""


class _Region:
    """A text between two steps.

    part     text with the changes so far
    text     input of the next step: that text, or a character for each of its bytes
    pieces   starts and ends of the pieces in `text`
    """

    def __init__(self, part: Normalized, *, begins: bool, spells: bool) -> None:
        self.part = part
        self.text = part.text
        self.pieces: list[Range] = [(0, len(part.text))] if part.text else []
        self._begins = begins
        self._spells = spells
        self._maps_next = False
        self._is_bytes = False
        self._limit = TimeLimit(len(part.text))

    def take(self, step: PreTokenizer) -> None:
        """Apply one step to the text."""
        if self._maps_next:  # deferred: after the last step the characters are needed only if it spells
            self._map()
        # byte characters include no white space, and nothing is prepended to them
        if step.changes and not self._is_bytes:
            self._change(step)
        if step.divides:
            self._divide(step)
        self._maps_next = step.maps_bytes

    def _map(self) -> None:
        """Replace each byte by its character, for the next steps."""
        self.pieces = list(map(tuple, self._edges().tolist()))
        self.text = byte_level(self.part.utf8)
        self._maps_next = False
        if self._spells:
            self._spell()
        else:
            self._is_bytes = True

    def _spell(self) -> None:
        """Make these characters the text itself; each comes from the character that contains its byte."""
        part = self.part
        owners = np.cumsum(begins_character(part.utf8)) - 1
        spans = owners[:, np.newaxis] + (0, 1) if part.spans is None else part.spans[owners]
        self.part = Normalized(self.text, part.original, part.surrogates, spans)

    def result(self) -> Pieces:
        """The changed text, and the words as ranges of its bytes."""
        if self._maps_next and self._spells:
            self._map()
        return Pieces(self.part, self._edges())

    def _edges(self) -> npt.NDArray[np.int64]:
        found = np.fromiter(chain.from_iterable(self.pieces), np.int64, 2 * len(self.pieces)).reshape(-1, 2)
        return found if self._is_bytes else self.part.character_starts.astype(np.int64)[found]

    def _divide(self, step: PreTokenizer) -> None:
        text, limit = self.text, self._limit
        known: dict[str, list[Range]] = {}
        pieces: list[Range] = []
        for start, end in self.pieces:
            piece = text[start:end]
            found = known.get(piece)
            if found is None:
                found = step.ranges(piece, limit)
                known[piece] = found = _UNDIVIDED if found == [(0, end - start)] else found
            if found is _UNDIVIDED:
                pieces.append((start, end))
            elif start:
                pieces += [(start + first, start + last) for first, last in found]
            else:
                pieces += found
        self.pieces = pieces

    def _change(self, step: PreTokenizer) -> None:
        text, spans = self.text, self.part.spans
        parts: list[str] = []
        pieces: list[Range] = []
        inserted: list[int] = []
        at = 0
        for start, end in self.pieces:
            origin = int(spans[start, 0]) if spans is not None else start
            changed, added = step.change(text[start:end], first=self._begins and origin == 0)
            parts += (text[at:start], changed)
            pieces.append((start + len(inserted), end + len(inserted) + added))
            if added:
                inserted.append(start)
            at = end
        changed = "".join([*parts, text[at:]])
        if changed == text:
            return
        self.text, self.pieces = changed, pieces
        if spans is None:
            spans = np.arange(len(text))[:, np.newaxis] + (0, 1)
        if inserted:  # a prepended character comes from the character after it
            counts = np.ones(len(text), np.int64)
            counts[inserted] = 2
            spans = np.repeat(spans, counts, axis=0)
        self.part = Normalized(changed, self.part.original, self.part.surrogates, spans)
