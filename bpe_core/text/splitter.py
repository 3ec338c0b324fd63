"""Splitter: the stage of a tokenizer that divides a normalized text into words, by a pattern or by any other rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from bpe_core.text.normalization import Normalized
from bpe_core.text.splits import SplitText


class Splitter(Protocol):
    """A `Split`, or another library's pre-tokenizers in its place.

    >>> from bpe_core.text.splits import METASPACE, Split
    >>> splitter: Splitter = Split(METASPACE)
    >>> splitter.words("low hug"), splitter.written(" hug"), splitter.writes_marks
    (['low', ' hug'], '▁hug', True)
    """

    @property
    def by_model(self) -> bool:
        """Whether the model gets the whole text and finds the words itself."""

    @property
    def pattern(self) -> str:
        """The split's name or regular expression; of a chain, the names of its steps."""

    @property
    def is_local(self) -> bool:
        """Whether words far before a letter followed by white space do not depend on those far after it."""

    @property
    def writes_marks(self) -> bool:
        """Whether a word begins with the space before it, written as ▁."""

    def apply(self, part: Normalized, *, begins: bool) -> SplitText:
        """Words of a normalized text. `begins`: whether it begins where the original does."""

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Character ranges of the words of a text, in order."""

    def words(self, text: str) -> list[str]:
        """Words of a text, in order, as the model receives them."""

    def written(self, word: str) -> str:
        """A word as models of this split write it."""
