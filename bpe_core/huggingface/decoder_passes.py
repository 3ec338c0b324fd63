"""Changes that a decoder makes to one token at a time: passes, each given as edits so that owners can be tracked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from typing import Protocol

from bpe_core.errors import CorpusError
from bpe_core.huggingface.owned_text import Edit, changed
from bpe_core.huggingface.split_behaviors import matches
from bpe_core.language import message
from bpe_core.text.pattern_limits import LONGEST_TRANSLATED, TimeLimit
from bpe_core.text.split_tables import as_the_library_sees
from bpe_core.text.splits import compile_pattern

MOST_CHARACTERS = 50_000_000
"""Limit on the characters of a replaced text: several replacements in sequence multiply."""

MOST_EDITS = 5_000_000
"""Limit on the number of separate replacements in one text."""


def check_size(characters: int) -> None:
    """Raise CorpusError for more than MOST_CHARACTERS of a decoded text, before allocating it.

    >>> check_size(10**9)
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: The decoded text would have 1,000,000,000 characters. The most allowed is ...
    """
    if characters > MOST_CHARACTERS:
        raise CorpusError(
            message("The decoded text would have {characters:,} characters.", characters=characters),
            limit=message("The most allowed is {most:,}.", most=MOST_CHARACTERS),
            remedy=message("Decode fewer tokens at once, or use a decoder that replaces by less."),
        )


def _checked(edits: Iterable[Edit]) -> list[Edit]:
    found = list(islice(edits, MOST_EDITS + 1))
    if len(found) > MOST_EDITS:
        raise CorpusError(
            message("The decoder replaces at more than {most:,} places of one text.", most=MOST_EDITS),
            limit=message("The most allowed is {most:,}.", most=MOST_EDITS),
            remedy=message("Decode fewer tokens at once."),
        )
    return found


class Pass(Protocol):
    """One change of a token's text.

    >>> step: Pass = Swap(" .", ".")
    >>> step.text("low ."), step.edits("low .")
    ('low.', [Edit(start=3, end=5, new='.')])
    """

    def text(self, token: str) -> str:
        """Text after the change."""

    def edits(self, token: str) -> Sequence[Edit]:
        """The same change as edits, in order."""


@dataclass(frozen=True)
class Swap(Pass):
    """Replaces every occurrence of `old` by `new`; an empty `old` occurs before every character and at the end.

    >>> Swap("a", "b").text("aha"), Swap("a", "b").edits("aha")
    ('bhb', [Edit(start=0, end=1, new='b'), Edit(start=2, end=3, new='b')])
    """

    old: str
    new: str

    def text(self, token: str) -> str:
        """Text after the change."""
        if len(self.new) > len(self.old):
            check_size(len(token) + token.count(self.old) * (len(self.new) - len(self.old)))
        return token.replace(self.old, self.new)

    def edits(self, token: str) -> Sequence[Edit]:
        """The same change as edits."""
        return _checked(Edit(at, at + len(self.old), self.new) for at in self._places(token))

    def _places(self, token: str) -> Iterator[int]:
        if not self.old:
            yield from range(len(token) + 1)
            return
        at = token.find(self.old)
        while at >= 0:
            yield at
            at = token.find(self.old, at + len(self.old))


@dataclass(frozen=True)
class SwapMatches(Pass):
    """Replaces every match of a pattern of the regex library by `new`, with the matches of the tokenizers library.

    >>> SwapMatches("[0-9]+", "#").text("a12b3")
    'a#b#'
    >>> SwapMatches("[0-9]+", "#").edits("a12")
    [Edit(start=1, end=3, new='#')]
    """

    pattern: str
    new: str

    def text(self, token: str) -> str:
        """Text after the change. Raises CorpusError if matching takes too long."""
        edits = self.edits(token)
        growth = sum(len(self.new) - (edit.end - edit.start) for edit in edits)
        if growth > 0:
            check_size(len(token) + growth)
        return changed(token, edits)

    def edits(self, token: str) -> Sequence[Edit]:
        """The same change as edits. Raises CorpusError if matching takes too long."""
        compiled = compile_pattern(self.pattern, LONGEST_TRANSLATED)
        found = matches(compiled, as_the_library_sees(token), TimeLimit(len(token)))
        return _checked(Edit(start, end, self.new) for start, end in found)


@dataclass(frozen=True)
class BeginWord(Pass):
    """Removes the mark `inside` from the start of a token; prepends a space to tokens without it, to all if None.

    >>> [BeginWord("##").text(token) for token in ("##er", "low")], BeginWord(None).text("##er")
    (['er', ' low'], ' ##er')
    >>> BeginWord("##").edits("low")
    [Edit(start=0, end=0, new=' ')]
    """

    inside: str | None

    def text(self, token: str) -> str:
        """Text after the change."""
        if self.inside is not None and token.startswith(self.inside):
            return token[len(self.inside) :]
        return " " + token

    def edits(self, token: str) -> Sequence[Edit]:
        """The same change as an edit."""
        if self.inside is not None and token.startswith(self.inside):
            return [Edit(0, len(self.inside), "")]
        return [Edit(0, 0, " ")]


@dataclass(frozen=True)
class Trim(Pass):
    """Removes at most `start` characters `content` from the start, then at most `stop` from the end.

    >>> Trim(" ", 1, 9).text("  low  ")
    ' low'
    >>> Trim(" ", 1, 9).edits("  low  ")
    [Edit(start=0, end=1, new=''), Edit(start=5, end=7, new='')]
    """

    content: str
    start: int
    stop: int

    def text(self, token: str) -> str:
        """Text after the change."""
        begin, end = self._kept(token)
        return token[begin:end]

    def edits(self, token: str) -> Sequence[Edit]:
        """The same change as edits."""
        begin, end = self._kept(token)
        found = [Edit(0, begin, ""), Edit(end, len(token), "")]
        return [edit for edit in found if edit.end > edit.start]

    def _kept(self, token: str) -> tuple[int, int]:
        begin = min(self.start, len(token) - len(token.lstrip(self.content)))
        after = len(token) - len(token[begin:].rstrip(self.content)) - begin
        return begin, len(token) - min(self.stop, after)


CLEAN_UP: tuple[Pass, ...] = (
    Swap(" .", "."),
    Swap(" ?", "?"),
    Swap(" !", "!"),
    Swap(" ,", ","),
    Swap(" ' ", "'"),
    Swap(" n't", "n't"),
    Swap(" 'm", "'m"),
    Swap(" do not", " don't"),
    Swap(" 's", "'s"),
    Swap(" 've", "'ve"),
    Swap(" 're", "'re"),
)
"""Clean-up of the tokenizers library: removes spaces before punctuation and English abbreviations, in this order."""


def passed(passes: Sequence[Pass], token: str) -> str:
    """Apply all passes to a token, in order.

    >>> passed(CLEAN_UP, " do not go ."), passed(CLEAN_UP, "I 'm")
    (" don't go.", "I'm")
    """
    return reduce(lambda text, each: each.text(text), passes, token)
