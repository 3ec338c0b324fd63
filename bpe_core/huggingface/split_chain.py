"""Chains of pre-tokenizers: steps of the tokenizers library, each dividing the pieces of the one before.

A `SplitChain` replaces a `Split`, with the boundaries of the library. Steps after a ByteLevel step see one character
for every byte, so that words may begin and end inside a character of the text. Byte models receive the bytes
themselves, all others the characters that represent them (`spells`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from random import Random

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import ranges_of
from bpe_core.errors import ConfigError
from bpe_core.huggingface.pretokenizers import Metaspace, PreTokenizer
from bpe_core.huggingface.split_behaviors import Edges
from bpe_core.language import message
from bpe_core.text.byte_characters import byte_level
from bpe_core.text.normalization import Normalized
from bpe_core.text.pattern_limits import TimeLimit
from bpe_core.text.splits import SplitText
from bpe_core.text.utf8 import begins_character, code_points, plain_character_ranges, text_of
from bpe_core.work import taking


@dataclass(frozen=True)
class SplitChain:
    """Pre-tokenizer of several steps, each of which divides the pieces of the one before.

    spells   whether words consist of the characters that ByteLevel writes, rather than of the bytes

    Unless it `spells`, raises ConfigError for a second ByteLevel step, and for a step after the first that prepends
    characters to pieces.

    >>> from bpe_core.huggingface.pretokenizers import ByteLevel, Digits
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
            if mapped and not self.spells and (step.maps_bytes or step.prepend != "never"):
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
    def is_local(self) -> bool:
        """Whether words far before a letter followed by white space do not depend on those far after it.

        >>> SplitChain().is_local
        True
        """
        return all(step.is_local for step in self.steps)

    @property
    def maps_bytes(self) -> bool:
        """Whether a step maps every byte to a character, and the words are the bytes."""
        return not self.spells and any(step.maps_bytes for step in self.steps)

    @property
    def writes_marks(self) -> bool:
        """Whether a step is a Metaspace.

        >>> from bpe_core.huggingface.pretokenizers import Metaspace
        >>> SplitChain((Metaspace(),)).writes_marks
        True
        """
        return any(isinstance(step, Metaspace) for step in self.steps)

    def apply(self, part: Normalized, *, begins: bool) -> SplitText:
        """Words of a normalized text, and the text as changed by the steps.

        `begins`: whether the text begins where the original begins. Raises CorpusError if a pattern takes too long.
        """
        limit = TimeLimit(len(part.text))
        with taking(lambda: self._needed(part.text, limit)):
            return self._passed(part, begins, limit)

    def _passed(self, part: Normalized, begins: bool, limit: TimeLimit) -> SplitText:
        region = _Region(part, begins=begins, spells=self.spells, limit=limit)
        for step in self.steps:
            region.take(step)
        return region.result()

    def _needed(self, text: str, limit: TimeLimit) -> int:
        """Estimated memory of the steps for a text, in bytes; the number of its pieces is estimated from samples."""
        size = len(text)
        if size <= _SAMPLES * _SAMPLE:
            return size * _PER_PIECE
        random = Random(hash(text))  # unpredictable, so that no text can be crafted to look harmless at these places
        starts = [random.randrange(size - _SAMPLE) for _ in range(_SAMPLES)]
        samples = [Normalized.of(text[start : start + _SAMPLE]) for start in starts]
        pieces = sum(len(self._passed(sample, False, limit).edges) for sample in samples)
        per_character = _PER_CHANGED if any(map(_changes, self.steps)) else _PER_CHARACTER
        return size * per_character + size * pieces // (_SAMPLES * _SAMPLE) * _PER_PIECE

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


_SAMPLES, _SAMPLE = 64, 512
"""Number of samples, and characters per sample, for estimating the number of pieces in a text."""

_PER_CHARACTER, _PER_CHANGED, _PER_PIECE = 12, 40, 200
"""Memory of the steps in bytes: per character, per character that a step may change, and per piece."""

_BLOCK = 1 << 16
"""Number of pieces whose edges are converted to Python ints at a time."""


class _Region:
    """A text between two steps.

    part     text with the changes so far
    text     input of the next step: that text, or a character for each of its bytes
    pieces   starts and ends of the pieces in `text`
    """

    def __init__(self, part: Normalized, *, begins: bool, spells: bool, limit: TimeLimit) -> None:
        self.part = part
        self.text = part.text
        self.pieces = np.array([(0, len(part.text))] if part.text else [], np.int64).reshape(-1, 2)
        self._begins = begins
        self._spells = spells
        self._maps_next = False
        self._is_bytes = False
        self._limit = limit

    def take(self, step: PreTokenizer) -> None:
        """Apply one step to the text."""
        if self._maps_next:  # deferred: after the last step the characters are needed only with `spells`
            self._map()
        # byte characters include no white space, and nothing is prepended to them
        if _changes(step) and not self._is_bytes and self.pieces.size:
            self._change(step)
        if step.divides:
            self._divide(step)
        self._maps_next = step.maps_bytes

    def _map(self) -> None:
        """Replace each byte by its character, for the next steps."""
        self.pieces = self._edges()
        self.text = byte_level(self.part.utf8)
        self._maps_next = False
        if self._spells:
            self._spell()
        else:
            self._is_bytes = True

    def _spell(self) -> None:
        """Replace the text by these characters; the origin of each is the character that contains its byte."""
        part = self.part
        owners = np.cumsum(begins_character(part.utf8)) - 1
        spans = owners[:, np.newaxis] + (0, 1) if part.spans is None else part.spans[owners]
        self.part = Normalized(self.text, part.original, part.surrogates, spans)

    def result(self) -> SplitText:
        """The changed text, and the words as ranges of its bytes."""
        if self._maps_next and self._spells:
            self._map()
        return SplitText(self.part, self._edges())

    def _edges(self) -> npt.NDArray[np.int64]:
        return self.pieces if self._is_bytes else self.part.character_starts[self.pieces].astype(np.int64)

    def _divide(self, step: PreTokenizer) -> None:
        text, limit = self.text, self._limit
        if step.rule is not None:
            self.pieces = step.rule.edges(code_points(text), self.pieces)
            return
        known: dict[str, Edges | None] = {}
        edges = array("q")
        for start, end in self._each():
            piece = text[start:end]
            if piece not in known:
                found = step.ranges(piece, limit)
                known[piece] = None if found.tolist() == [[0, end - start]] else found
            parts = known[piece]
            if parts is None:  # undivided
                edges.append(start)
                edges.append(end)
            else:
                edges.frombytes((parts + start).tobytes())
        self.pieces = _ranges(edges)

    def _each(self) -> Iterator[list[int]]:
        """Start and end of each piece."""
        return chain.from_iterable(self.pieces[at : at + _BLOCK].tolist() for at in range(0, len(self.pieces), _BLOCK))

    def _change(self, step: PreTokenizer) -> None:
        """Replace the spaces in all pieces, and prepend the step's mark to those that need one."""
        points, spans, mark = code_points(self.text).copy(), self.part.spans, ord(step.mark)
        starts, ends = self.pieces.T
        spaces = np.flatnonzero(points == ord(" "))
        inside = np.searchsorted(starts, spaces, side="right") - 1
        spaces = spaces[(inside >= 0) & (spaces < ends[inside])]
        points[spaces] = mark
        adds = (points[starts] != mark) & (step.prepend != "never")
        if step.prepend == "first":
            adds &= self._begins and (starts if spans is None else spans[starts, 0]) == 0
        inserted = starts[adds]
        if not inserted.size and (step.mark == " " or not spaces.size):
            return
        if spans is None:
            spans = np.arange(len(self.text))[:, np.newaxis] + (0, 1)
        if inserted.size:  # a prepended character comes from the character after it
            points = np.insert(points, inserted, mark)
            spans = np.insert(spans, inserted, spans[inserted], axis=0)
            moved = np.cumsum(adds)
            self.pieces = ranges_of(starts + moved - adds, ends + moved)
        self.text = text_of(points)
        self.part = Normalized(self.text, self.part.original, self.part.surrogates, spans)


def _changes(step: PreTokenizer) -> bool:
    """Whether a step also changes its pieces."""
    return step.mark != " " or step.prepend != "never"


def _ranges(edges: array[int]) -> npt.NDArray[np.int64]:
    return np.frombuffer(edges, np.int64).reshape(-1, 2) if edges else np.zeros((0, 2), np.int64)
