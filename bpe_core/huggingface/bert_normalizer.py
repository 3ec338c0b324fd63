"""BERT's normalizer, as in the tokenizers library."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from bpe_core.huggingface.normalizers import LibraryStep, single_origins
from bpe_core.huggingface.unicode_forms import begins_segment, library_form
from bpe_core.text import library_tables as tables
from bpe_core.text.library_tables import member
from bpe_core.text.normalization import LONGEST_FORM, Change, chained, clean, lower_each, without
from bpe_core.text.normalizers import Settings
from bpe_core.text.unicode_forms import without_marks
from bpe_core.text.utf8 import code_points, text_of

_SPACE = ord(" ")


@dataclass(frozen=True)
class BertNormalizer(LibraryStep):
    """BERT's normalizer: four optional changes in this order.

    clean_text             removes control characters, replaces white space by spaces
    handle_chinese_chars   adds a space before and after every Chinese character
    strip_accents          decomposes and removes nonspacing marks; None follows `lowercase`
    lowercase              lower case, each character independently

    >>> BertNormalizer().change("Ä\t中")[0], BertNormalizer(lowercase=False).change("Ä")[0]
    ('a  中 ', 'Ä')
    """

    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True
    name: str = "BERT"
    settles: ClassVar[tuple[str, ...]] = ("lowercase", "strip_accents")

    def adjusted(self, to: Settings) -> BertNormalizer:
        """The step with other settings for lower case and accents.

        >>> BertNormalizer().adjusted(Settings(lowercase=False)).lowercase
        False
        """
        accents = self.strips if to.strip_accents is None else to.strip_accents
        lowercase = self.lowercase if to.lowercase is None else to.lowercase
        if (accents, lowercase) == (self.strips, self.lowercase):
            return self
        return replace(self, strip_accents=accents, lowercase=lowercase)

    @property
    def strips(self) -> bool:
        """Whether accents are stripped.

        >>> BertNormalizer().strips, BertNormalizer(lowercase=False).strips
        (True, False)
        """
        return self.lowercase if self.strip_accents is None else self.strip_accents

    def growth(self, ascii: bool) -> int:
        """Largest number of characters that one character becomes.

        >>> BertNormalizer().growth(False)
        4
        """
        return 1 if ascii else LONGEST_FORM["NFD"]  # characters that get spaces do not decompose

    def about(self, text: str) -> str:
        """Approximation of the result of `change`, of about the same length.

        >>> BertNormalizer().about("Ä\t中")
        'a  中 '
        """
        text = clean(text)[0] if self.clean_text else text
        text = _chinese_apart(text)[0] if self.handle_chinese_chars else text
        text = without_marks(text, compose=False) if self.strips else text
        return text.lower() if self.lowercase else text

    def change(self, text: str) -> Change:
        """Apply the changes."""
        origins = single_origins(np.arange(len(text), dtype=np.int64))
        if self.clean_text:
            text, origins = clean(text)
        if self.handle_chinese_chars:
            text, apart = _chinese_apart(text)
            origins = chained(origins, apart)
        if self.strips:
            text, divided = library_form("NFD", text)
            text, kept = without(text, tables.NONSPACING)
            origins = chained(chained(origins, divided), kept)
        if self.lowercase:
            text, lowered = lower_each(text)
            origins = chained(origins, lowered)
        return text, origins

    def divides(self, text: str, at: int) -> bool:
        """Whether the text can be divided here: both parts then change as they do in the whole.

        >>> BertNormalizer().divides("e\\u0301x", 1), BertNormalizer().divides("e\\u0301x", 2)
        (False, True)
        """
        if not self.strips:
            return True
        removed = self.clean_text and bool(member(tables.CONTROLS)[ord(text[at])])
        return not removed and begins_segment("NFD", text[at])


def _chinese_apart(text: str) -> Change:
    points = code_points(text)
    chinese = member(tables.CHINESE)[points]
    if not chinese.any():
        return text, single_origins(np.arange(len(text), dtype=np.int64))
    origins = np.repeat(np.arange(len(text), dtype=np.int64), np.where(chinese, 3, 1))
    apart = points[origins].copy()
    middle = np.cumsum(np.where(chinese, 3, 1))[chinese] - 2
    apart[middle - 1] = apart[middle + 1] = _SPACE
    return text_of(apart), single_origins(origins)
