"""Normalizer steps of the tokenizers library, equal to them in text and alignment.

Every character of a result comes from one character: an inserted one has its neighbour's origin, a composed one that of
its first component. A character inserted before all others has the empty range (0, 0); the library's own later steps
fail or repeat it there, while these continue. They also continue after an empty Prepend, which makes the library lose
the origin of the first character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import regex

from bpe_core.huggingface.split_behaviors import match_edges
from bpe_core.huggingface.unicode_forms import begins_segment, library_form
from bpe_core.language import message
from bpe_core.text import library_tables as tables
from bpe_core.text.byte_characters import byte_level
from bpe_core.text.library_tables import member
from bpe_core.text.normalization import (
    Change,
    UnicodeForm,
    check_growth,
    without,
)
from bpe_core.text.normalizers import OfForm, Settings
from bpe_core.text.pattern_limits import LONGEST_TRANSLATED, TimeLimit
from bpe_core.text.split_tables import as_the_library_sees
from bpe_core.text.splits import WORD_MARK, compile_pattern
from bpe_core.text.unicode_forms import unicode_form
from bpe_core.text.utf8 import begins_character, code_points
from bpe_core.text.windows import EachAlone, replaced_origins

_BLOCK = 1 << 16
"""Number of matches replaced at once."""

_SPACE_ATOM = r"(?: |\\s|\\[nrt]|\[(?: |\\[snrt])+\])(?:\+|\{[1-9]\d*,\d*\})?"
_ONLY_SPACE = re.compile(rf"{_SPACE_ATOM}(?:\|?{_SPACE_ATOM})*")
"""Patterns that match only white space."""

Positions = npt.NDArray[np.int64]


class LibraryStep:
    """Base of the library's steps: a Unicode form added to a chain with such a step is the library's own.

    >>> Prepend("▁").form_step("NFC")
    LibraryForm(form='NFC')
    """

    @staticmethod
    def form_step(form: UnicodeForm) -> LibraryForm:
        """The step of a Unicode form."""
        return LibraryForm(form)

    def growth(self, ascii: bool) -> int:
        """Largest number of characters that one character becomes: 1 unless a step overrides it.

        >>> Strip().growth(False)
        1
        """
        return 1


@dataclass(frozen=True)
class LibraryForm(OfForm, LibraryStep):
    """A Unicode form with the library's tables and alignment: a composed character has the origin of its first part.

    >>> LibraryForm("NFC").name, LibraryForm("NFC").change("e\\u0301")[1].tolist()
    ('NFC', [[0, 1]])
    """

    def change(self, text: str) -> Change:
        """Normalize the text to the form."""
        return library_form(self.form, text)

    def divides(self, text: str, at: int) -> bool:
        """Whether the text can be divided here: both parts then change as they do in the whole.

        >>> LibraryForm("NFC").divides("e\\u0301x", 1), LibraryForm("NFC").divides("e\\u0301x", 2)
        (False, True)
        """
        return begins_segment(self.form, text[at])

    def about(self, text: str) -> str:
        """Approximation of the result of `change`, of about the same length.

        >>> LibraryForm("NFC").about("e\\u0301")
        'é'
        """
        return unicode_form(self.form, text)


@dataclass(frozen=True)
class Prepend(LibraryStep):
    """Prepends characters to every text that is not empty; their origin is the first character of the text.

    >>> Prepend("▁").change("low")[0], Prepend("▁").change("")[0]
    ('▁low', '')
    """

    text: str
    name: str = message("prepend")
    is_lean: ClassVar[bool] = True

    @property
    def writes_marks(self) -> bool:
        """Whether it prepends ▁.

        >>> Prepend("▁").writes_marks
        True
        """
        return self.text == WORD_MARK

    @property
    def writes_beyond_ascii(self) -> bool:
        """Whether ASCII can become other characters.

        >>> Prepend("▁").writes_beyond_ascii
        True
        """
        return not self.text.isascii()

    def change(self, text: str) -> Change:
        """Prepend to the text."""
        if not text:
            return text, single_origins(np.zeros(0, np.int64))
        origins = np.concatenate((np.zeros(len(self.text), np.int64), np.arange(len(text), dtype=np.int64)))
        return self.text + text, single_origins(origins)

    def is_apart(self, text: str, at: int) -> bool:
        """Always true: only the beginning changes.

        >>> Prepend("▁").is_apart("ab", 1)
        True
        """
        return True


@dataclass(frozen=True)
class Replace(LibraryStep):
    """Replaces every match of a pattern by a text whose characters come from the last one of the match.

    pattern   text to find, or a regular expression of Python's regex library
    content   literal replacement
    is_regex  whether `pattern` is a regular expression
    spelling  regular expression as in the file, in Oniguruma's syntax; "" if it is the same

    Raises ConfigError for a regular expression that is invalid or too large.

    >>> Replace(" ", "▁").change("a b")[0], Replace(r"\\s+", " ", is_regex=True).change("a \\t b")[0]
    ('a▁b', 'a b')
    """

    pattern: str
    content: str
    is_regex: bool = False
    spelling: str = ""
    name: str = message("replace")
    is_lean: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.is_regex:
            self._compiled()

    @property
    def writes_marks(self) -> bool:
        """Whether it writes ▁ for spaces.

        >>> Replace(" ", "▁").writes_marks
        True
        """
        return (self.pattern, self.content) == (" ", WORD_MARK)

    @property
    def writes_beyond_ascii(self) -> bool:
        """Whether ASCII can become other characters.

        >>> Replace("a", "é").writes_beyond_ascii, Replace("a", "b").writes_beyond_ascii
        (True, False)
        """
        return not self.content.isascii()

    def growth(self, ascii: bool) -> int:
        """Largest number of characters that one character becomes.

        >>> Replace("a", "bb").growth(True), Replace("a*", "bb", is_regex=True).growth(True)
        (2, 3)
        """
        if self.is_regex or not self.pattern:  # a pattern that may match nothing at every place
            return 1 + len(self.content)
        return max(1, -(-len(self.content) // len(self.pattern)))

    def change(self, text: str) -> Change:
        """Replace all matches. Raises CorpusError if a regular expression takes too long."""
        edges = self._edges(text)
        check_growth(len(text) + len(edges) * len(self.content), self.name)
        removed = int((edges[:, 1] - edges[:, 0]).sum())
        origins = np.empty((len(text) - removed + len(edges) * len(self.content), 2), np.int64)
        at = done = 0
        for block in range(0, max(1, len(edges)), _BLOCK):
            some = edges[block : block + _BLOCK]
            until = int(some[-1, 1]) if block + _BLOCK < len(edges) else len(text)
            found = single_origins(replaced_origins(some, done, until, len(self.content)))
            origins[at : at + len(found)] = found
            at, done = at + len(found), until
        return self._replaced(text, edges), origins

    def is_apart(self, text: str, at: int) -> bool:
        """Whether no match can contain both characters around a place.

        True for a literal text that does not contain both, and for a white-space pattern unless both are white space.

        >>> Replace("  ", " ").is_apart("a b", 1), Replace(r" {2,}", " ", is_regex=True).is_apart("a b", 1)
        (True, True)
        """
        beside = text[at - 1 : at + 1]
        if not self.is_regex:
            return bool(self.pattern) and beside not in self.pattern
        return bool(_ONLY_SPACE.fullmatch(self.spelling or self.pattern)) and not beside.isspace()

    def rewrite(self, text: str) -> str:
        """Result of `change` without the alignment.

        >>> Replace(" ", "▁").rewrite("a b")
        'a▁b'
        """
        edges = self._edges(text) if self.is_regex else np.zeros((text.count(self.pattern), 2), np.int64)
        check_growth(len(text) + len(edges) * len(self.content), self.name)
        return self._replaced(text, edges)

    def _replaced(self, text: str, edges: Positions) -> str:
        """Join the text outside the matches with the content; `edges`: those of all matches."""
        if not self.is_regex:
            return text.replace(self.pattern, self.content) if text else text
        whole: list[str] = []
        at = 0
        for block in range(0, len(edges), _BLOCK):
            parts: list[str] = []
            for start, end in edges[block : block + _BLOCK].tolist():
                parts += (text[at:start], self.content)
                at = end
            whole.append("".join(parts))
        return "".join([*whole, text[at:]])

    def _edges(self, text: str) -> Positions:
        """Start and end of each match: int64 (matches, 2)."""
        if not text:
            return np.zeros((0, 2), np.int64)
        if self.is_regex:
            return match_edges(self._compiled(), as_the_library_sees(text), TimeLimit(len(text)))
        check_growth(len(text) + text.count(self.pattern) * len(self.content), self.name)
        starts = np.fromiter((found.start() for found in re.finditer(re.escape(self.pattern), text)), np.int64)
        return np.stack((starts, starts + len(self.pattern)), axis=1)

    def _compiled(self) -> regex.Pattern[str]:
        return compile_pattern(self.pattern, LONGEST_TRANSLATED)


@dataclass(frozen=True)
class Strip(LibraryStep):
    """Removes white space at the beginning, the end, or both.

    >>> Strip().change(" a b ")[0], Strip(left=False).change(" a b ")[0]
    ('a b', ' a b')
    """

    left: bool = True
    right: bool = True
    name: str = message("strip")
    is_lean: ClassVar[bool] = True

    def change(self, text: str) -> Change:
        """Strip the white space."""
        kept = ~member(tables.WHITE_SPACE)[code_points(text)]
        some = bool(kept.any())
        start = (int(kept.argmax()) if some else len(text)) if self.left else 0
        end = (len(text) - int(kept[::-1].argmax()) if some else 0) if self.right else len(text)
        return text[start:end], single_origins(np.arange(start, max(start, end), dtype=np.int64))

    def is_apart(self, text: str, at: int) -> bool:
        """Whether there is more than white space on both sides of a place.

        >>> Strip().is_apart("a b", 1), Strip().is_apart("a  ", 1)
        (True, False)
        """
        return bool(text[:at].strip() and text[at:].strip())


@dataclass(frozen=True)
class DropMarks(EachAlone, LibraryStep):
    """Removes all marks without decomposing: the library's StripAccents.

    >>> DropMarks().change("e\u0301é")[0]
    'eé'
    """

    name: str = message("accents")
    settles: ClassVar[tuple[str, ...]] = ("strip_accents",)

    def adjusted(self, to: Settings) -> DropMarks | None:
        """The step; None if accents are kept.

        >>> DropMarks().adjusted(Settings(strip_accents=False)) is None
        True
        """
        return None if to.strip_accents is False else self

    def change(self, text: str) -> Change:
        """Remove marks."""
        return without(text, tables.MARKS)


@dataclass(frozen=True)
class Nmt(EachAlone, LibraryStep):
    """Clean-up for machine translation: removes control characters, replaces rare white space by spaces.

    >>> Nmt().change("a\u200bb\u0001")[0]
    'a b'
    """

    name: str = "Nmt"

    def change(self, text: str) -> Change:
        """Remove control characters, and replace white space by spaces."""
        return without(text, tables.NMT_REMOVED, spaces=tables.NMT_SPACES)


@dataclass(frozen=True)
class ByteLevelNormalizer(EachAlone, LibraryStep):
    """Replaces every byte of the UTF-8 by a printable character, as in GPT-2's vocabulary.

    >>> ByteLevelNormalizer().change("é ")[0]
    'Ã©Ġ'
    """

    name: str = message("bytes")
    maps_bytes: ClassVar[bool] = True
    writes_beyond_ascii: ClassVar[bool] = True

    def growth(self, ascii: bool) -> int:
        """Largest number of characters that one character becomes.

        >>> ByteLevelNormalizer().growth(False)
        4
        """
        return 1 if ascii else 4

    def change(self, text: str) -> Change:
        """Replace each byte by its character."""
        data = text.encode("utf-8", "surrogatepass")
        return byte_level(data), single_origins(np.cumsum(begins_character(data)) - 1)


def single_origins(origins: Positions) -> Positions:
    """Ranges of single characters, int64 (characters, 2); that of -1 is empty, before all characters.

    >>> single_origins(np.array([0, -1])).tolist()
    [[0, 1], [0, 0]]
    """
    ranges = np.empty((len(origins), 2), np.int64)
    np.maximum(origins, 0, out=ranges[:, 0])
    np.add(origins, 1, out=ranges[:, 1])
    return ranges
