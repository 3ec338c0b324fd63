"""Seams: places in a text at which the tokens on one side do not depend on the text on the other side.

The beginning and the end of a text still have an effect (a mark in front, white space removed): the text between two
seams has the tokens of the whole text only if there is more text before the first seam and after the last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from bpe_core.arrays import sorted_place
from bpe_core.text.normalization import Normalized, place_from
from bpe_core.text.splits import Split
from bpe_core.tokenizer.encoding import Encoding

if TYPE_CHECKING:
    from bpe_core.tokenizer.tokenizer import Special, Tokenizer

_LETTER = "0-9A-Za-zぁ-ゖァ-ヺ一-鿿"
_BEFORE_SIGN = rf"(?<=[{_LETTER}。！？」』）])(?=[ \n][{_LETTER}])|(?<=[{_LETTER}])(?=[、。，][{_LETTER}])"
"""Place before a single white space, comma or full stop between letters or digits: no normalization joins that
character to its neighbours, and no word or match of a pattern continues from one letter to the other."""

_SIGNS = " \n▁、。，,"
"""Characters that the character after such a place may become by normalization."""

_LINE = r"(?<=\n)(?=[0-9A-Za-z\u3001-\U0010ffff])"
"""Start of a line that begins with a letter, a digit or nearly any character after U+3000; not with white space, nor
with a slash, which o200k's split joins to a line break."""

_BY_LINE = frozenset({"words", "gpt2", "cl100k", "o200k"})
"""Named splits with a word edge at every `_LINE`: they look ahead by one character, and never back."""

_NEAR, _FAR = 1_000, 50_000
"""Number of characters on one side of a change that are searched for seams: at first, and at most."""

_TRIES = 100
"""Maximum number of places tried in each search."""

_CONTEXT = 64
"""Number of characters on either side of a place that are normalized to examine it."""


class Seam(NamedTuple):
    """A seam in an encoded text, and the size of the encoding before it.

    at             offset in the original, in characters
    char, byte     offset in the normalized text
    token          number of tokens
    begun, ended   number of words that begin before it, and that end there or before
    beside         the normalized characters on both sides

    >>> from bpe_core import load_pretrained
    >>> located(load_pretrained("gpt2").encode("low er"), 3, "w ")
    Seam(at=3, char=3, byte=3, token=1, begun=1, ended=1, beside='w ')
    """

    at: int
    char: int
    byte: int
    token: int
    begun: int
    ended: int
    beside: str

    @property
    def is_edge(self) -> bool:
        """Whether the seam is at the edge of a word, not inside one.

        >>> Seam.first().is_edge
        True
        """
        return self.begun == self.ended

    @classmethod
    def first(cls) -> Seam:
        """The beginning of a text.

        >>> Seam.first().token
        0
        """
        return cls(0, 0, 0, 0, 0, 0, "")

    @classmethod
    def last(cls, encoding: Encoding) -> Seam:
        """The end of an encoded text.

        >>> from bpe_core import load_pretrained
        >>> Seam.last(load_pretrained("gpt2").encode("low")).at
        3
        """
        text, words = encoding.normalized, len(encoding.word_starts)
        return cls(len(text.original), len(text.text), len(text.utf8), len(encoding), words, words, "")


class Seams:
    """Search for the seams of texts under one tokenizer.

    >>> from bpe_core import load_pretrained
    >>> t5 = load_pretrained("t5-small")
    >>> encoding = t5.encode("low lower lowest")
    >>> seams = Seams(t5, "text")
    >>> [seam.at for seam in seams.behind(encoding, 2)], seams.before(encoding, 12)[0].at
    ([3, 9], 9)
    >>> seams.begin_in_place(encoding)
    True
    """

    def __init__(self, tokenizer: Tokenizer, special: Special) -> None:
        """`special`: the setting with which the texts are encoded."""
        self._split, self._model, self._steps = tokenizer.split, tokenizer.model, tokenizer.normalizer.steps
        found = tokenizer._special
        tokens = [token for token in found.tokens if special == "parse" or not token.special]
        self._tokens = [(found.spelled[each.id] if each.normalized else each.text, each) for each in tokens]
        by_line = isinstance(self._split, Split) and self._split.pattern in _BY_LINE and not self._split.by_model
        lines = by_line and not self._steps and not self._tokens
        self._pattern = re.compile(f"{_BEFORE_SIGN}|{_LINE}" if lines else _BEFORE_SIGN)

    def before(self, encoding: Encoding, until: int) -> list[Seam]:
        """The last two seams that depend only on the characters before `until`, the later one first.

        The beginning of the text counts as a seam. Fewer if the search finds fewer within its limits.
        """
        text = encoding.normalized.original
        for reach in (_NEAR, _FAR):
            since = max(0, until - reach)
            places = [found.start() for found in self._pattern.finditer(text, since, until)]
            found = self._seams(encoding, reversed(places[-_TRIES:]))
            if len(found) == 2 or not since:
                break
        return found if since else [*found, *[Seam.first()] * 2][:2]

    def behind(self, encoding: Encoding, since: int) -> list[Seam]:
        """The first two seams that depend only on the characters from `since` on; the end of the text counts as one."""
        text = encoding.normalized.original
        for reach in (_NEAR, _FAR):
            until = min(len(text), since + reach)
            places = [each.start() for each in self._pattern.finditer(text, since + 1, until)]
            found = self._seams(encoding, iter(places[:_TRIES]))
            if len(found) == 2 or until == len(text):
                break
        return found if until < len(text) else [*found, *[Seam.last(encoding)] * 2][:2]

    def begin_in_place(self, *encodings: Encoding) -> bool:
        """Whether normalizing the beginnings of these texts leaves the alignment of the rest unchanged."""
        if not any(hasattr(step, "begins") for step in self._steps):
            return True
        return not any((each.word_ids < 0).any() or not self._begins(each) for each in encodings)

    def _begins(self, encoding: Encoding) -> bool:
        text = encoding.normalized.original[:_CONTEXT]
        for step in self._steps if text else ():
            if not text or not getattr(step, "begins", bool)(text):
                return False
            text = step.change(text)[0]
        return True

    def _seams(self, encoding: Encoding, places: Iterator[int]) -> list[Seam]:
        found: list[Seam] = []
        for place in places:
            beside = self._beside(encoding.normalized.original, place)
            seam = None if beside is None else located(encoding, place, beside)
            if seam and ((seam.is_edge and not self._split.by_model) or not self._model.may_join(*seam.beside)):
                found.append(seam)
            if len(found) == 2:
                break
        return found

    def _beside(self, text: str, place: int) -> str | None:
        """The normalized characters on both sides of a place; None if the text on one side may affect the other."""
        start = max(0, place - _CONTEXT)
        return self._normalized(text[start : place + _CONTEXT], place - start)

    def _normalized(self, text: str, at: int) -> str | None:
        beside = text[at - 1 : at + 1]
        for step in self._steps:
            apart = getattr(step, "is_apart", getattr(step, "divides", None))
            if apart is None or not apart(text, at):
                return None
            text, origins = step.change(text)
            at = place_from(origins, at)
            if not 0 < at < len(text):
                return None
        found = text[at - 1 : at + 1]
        if self._steps and (found[0].isspace() or found[1] not in _SIGNS):
            return None
        return None if self._is_held(beside, found) else self._split_up(text, at)

    def _split_up(self, text: str, at: int) -> str:
        """The characters on both sides of a place as the split changes them."""
        if not isinstance(self._split, Split):
            changed = self._split.apply(Normalized.of(text), begins=False).normalized
            text, at = changed.text, at if changed.spans is None else place_from(changed.spans, at)
        return text[at - 1 : at + 1]

    def _is_held(self, original: str, normalized: str) -> bool:
        """Whether a special token may contain both characters around a place."""
        for text, token in self._tokens:
            beside = normalized if token.normalized else original
            if not text or beside in text or (token.strip_right and text.endswith(beside[0])):
                return True
        return False


def located(encoding: Encoding, at: int, beside: str) -> Seam | None:
    """The seam at a place of an encoding's original; None if a token spans it, or the characters are not `beside`.

    >>> from bpe_core import load_pretrained
    >>> located(load_pretrained("gpt2").encode("low er"), 3, "w ").token
    1
    """
    text, spans = encoding.normalized.text, encoding.normalized.spans
    char = at if spans is None else place_from(spans, at)
    if not 0 < char < len(text) or text[char - 1 : char + 1] != beside:
        return None
    if spans is not None and (spans[char - 1, 1] > at or spans[char, 0] != at):
        return None
    token = sorted_place(encoding.char_starts, char)
    if token and encoding.char_ends[token - 1] > char:
        return None
    known = token < len(encoding)  # a token begins at or after the place
    next_char, next_byte = (
        (encoding.char_starts[token], encoding.starts[token]) if known else (len(text), len(encoding.utf8))
    )
    byte = int(next_byte) - len(text[char:next_char].encode())
    begun, ended = sorted_place(encoding.word_starts, byte), sorted_place(encoding.word_ends, byte, "right")
    while token < len(encoding) and encoding.ends[token] == byte:  # empty tokens: marks of the word before or after
        if begun != ended:
            return None
        if not 0 <= encoding.word_ids[token] < begun:
            break
        token += 1
    return Seam(at, char, byte, token, begun, ended, beside) if begun - ended in (0, 1) else None
