"""Normalization by a SentencePiece model's own rule, as a step of a normalizer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import sentencepiece

from bpe_core.language import message
from bpe_core.sentencepiece.charsmap import inner_bytes, longest_replacement
from bpe_core.sentencepiece.loading import settings_of
from bpe_core.sentencepiece.settings import ModelSettings
from bpe_core.text.normalization import Change, place_from
from bpe_core.text.normalizers import aligned_spans
from bpe_core.text.splits import WORD_MARK


@dataclass(frozen=True)
class LibraryRule:
    """Normalization by a SentencePiece model's library, with spaces in place of ▁.

    Most models apply NFKC and collapse white space. The ▁ that the library prepends to a text is left to the model
    stage.

    `model`: the content of a .model file.

    >>> from bpe_core import train_sentencepiece
    >>> rule = LibraryRule(train_sentencepiece("hug hug hugs pug", 16).model)
    >>> text, origins = rule.change("ﬁ  a")
    >>> text, origins.tolist(), rule.adds_mark, rule.settings.removes_spaces, rule.library.Normalize("ﬁ")
    ('fi a', [[0, 1], [0, 1], [1, 3], [3, 4]], True, True, '▁fi')
    >>> rule.growth(False) >= 18, rule.is_apart("hug pug", 3)
    (True, True)
    """

    model: bytes
    name: str = message("the model's own rule")
    writes_beyond_ascii: ClassVar[bool] = True

    def growth(self, ascii: bool) -> int:
        """Maximum number of characters that one character can become."""
        return self._growth

    @cached_property
    def _growth(self) -> int:
        return max(1, longest_replacement(self.settings.charsmap))

    def change(self, text: str) -> Change:
        """Text normalized by the model's own rule, and the original character range of each character."""
        written, given = self.library.Normalize(text, with_offsets=True)
        origins = np.array(given, np.int64)
        if written and self.adds_mark:
            at_end = self.settings.mark_at_end
            written = written[:-1] if at_end else written[1:]
            origins = np.delete(origins, -2 if at_end else 0)
        if self.settings.escapes:
            written = written.replace(WORD_MARK, " ")
        return written, aligned_spans(origins)

    def is_apart(self, text: str, at: int) -> bool:
        """Whether a place divides no symbol and no entry of the table, and is not in white space."""
        beside = text[at - 1 : at + 1].encode()
        if text[at].encode()[0] in self._inner_bytes or any(beside in symbol for symbol in self.settings.own_symbols):
            return False
        made, origins = self.change(text)
        reached = place_from(origins, at)
        before, after = made[:reached], made[reached:]
        return bool(before) and not before.endswith(" ") and bool(after.strip(" "))

    @cached_property
    def _inner_bytes(self) -> frozenset[int]:
        return inner_bytes(self.settings.charsmap)

    @cached_property
    def settings(self) -> ModelSettings:
        """Settings stored in the model."""
        return settings_of(self.model)

    @property
    def adds_mark(self) -> bool:
        """Whether the library adds a ▁ (or a space) in front of every text or at its end."""
        return self.settings.adds_mark

    @cached_property
    def library(self) -> sentencepiece.SentencePieceProcessor:
        """The library, loaded with the complete model."""
        return sentencepiece.SentencePieceProcessor(model_proto=self.model)
