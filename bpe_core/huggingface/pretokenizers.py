"""Pre-tokenizers of the tokenizers library: steps of a `SplitChain` (split_chain.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar, Literal, Protocol, get_args

import numpy as np
import regex

from bpe_core import checks
from bpe_core.arrays import ranges_of
from bpe_core.huggingface.split_behaviors import Edges, divided, match_edges
from bpe_core.language import message
from bpe_core.text.character_rules import BEHAVIORS, Behavior, CharacterRule, bert_rule, letter_rule, rule_of
from bpe_core.text.library_tables import WHITE_SPACE
from bpe_core.text.pattern_limits import LONGEST_TRANSLATED, TimeLimit
from bpe_core.text.split_patterns import is_local_pattern
from bpe_core.text.split_tables import NUMERIC_RANGES, PUNCTUATION_RANGES, as_the_library_sees, script_numbers
from bpe_core.text.splits import WORD_MARK, Split, compile_pattern
from bpe_core.text.utf8 import code_points

_GPT2 = Split("gpt2")

Prepend = Literal["always", "first", "never"]
PREPENDS: tuple[Prepend, ...] = get_args(Prepend)


class PreTokenizer(Protocol):
    """One step of a chain.

    >>> step: PreTokenizer = Digits(individual=True)
    >>> step.name, step.ranges("a12", TimeLimit(3)).tolist(), step.is_local
    ('Digits', [[0, 1], [1, 2], [2, 3]], True)
    """

    @property
    def name(self) -> str:
        """Name of the step in the library: "Split", "Digits", …"""

    @property
    def mark(self) -> str:
        """The character that replaces a space; most often a space."""

    @property
    def prepend(self) -> Prepend:
        """Which pieces that do not begin with the mark get one: all, the first one of the text, or none."""

    @property
    def maps_bytes(self) -> bool:
        """Whether the steps after this one see a character for every byte."""

    @property
    def divides(self) -> bool:
        """Whether the step divides its pieces."""

    @property
    def is_local(self) -> bool:
        """See `Splitter.is_local`."""

    @property
    def rule(self) -> CharacterRule | None:
        """Rule that divides all pieces at once; None if `ranges` divides them one by one."""

    def ranges(self, piece: str, limit: TimeLimit) -> Edges:
        """Starts and ends of the parts of a piece, in characters; text outside of them is dropped."""


@dataclass(frozen=True)
class _Dividing:
    """Base of steps that only divide."""

    name: ClassVar[str] = ""
    maps_bytes: ClassVar[bool] = False
    is_local: ClassVar[bool] = True

    @property
    def mark(self) -> str:
        """The character that replaces a space: a space."""
        return " "

    @property
    def prepend(self) -> Prepend:
        """Which pieces get a mark: none."""
        return "never"

    @property
    def divides(self) -> bool:
        """Whether the step divides its pieces: yes."""
        return True

    @property
    def rule(self) -> CharacterRule | None:
        """Rule that divides all pieces at once, if there is one."""
        return self._rule()

    def _rule(self) -> CharacterRule | None:
        return None

    def ranges(self, piece: str, limit: TimeLimit) -> Edges:
        """Starts and ends of the parts of a piece."""
        assert self.rule is not None
        return self.rule.edges(code_points(piece))


@dataclass(frozen=True)
class PatternSplit(_Dividing):
    """Divides at the matches of a pattern. The library calls it Split.

    source    pattern in the library: a text if `literal`, otherwise a regular expression of Oniguruma
    behavior  treatment of the matches
    invert    whether text between the matches counts as matches
    pattern   `source` in the syntax of the regex library; not needed for a text

    Raises ConfigError for a pattern that cannot be compiled, and for an unknown behavior.

    >>> step = PatternSplit(" ", "MergedWithNext", literal=True)
    >>> step.ranges("to be or", TimeLimit(8)).tolist(), step.compiled.groups, step.is_local
    ([[0, 2], [2, 5], [5, 8]], 0, True)
    """

    source: str
    behavior: Behavior = "Isolated"
    invert: bool = False
    literal: bool = False
    pattern: str = ""
    name: ClassVar[str] = "Split"

    def __post_init__(self) -> None:
        _check_known("behavior", self.behavior, BEHAVIORS)
        if not self.literal:
            compile_pattern(self.pattern, LONGEST_TRANSLATED)

    @property
    def is_local(self) -> bool:  # type: ignore[override]
        """Whether no match continues from a letter or digit over white space or a comma: see `is_local_pattern`."""
        return is_local_pattern(self.source, literal=self.literal)

    @cached_property
    def compiled(self) -> regex.Pattern[str]:
        """The compiled pattern."""
        if self.literal:
            return _literal(self.source)
        return compile_pattern(self.pattern, LONGEST_TRANSLATED)

    def _rule(self) -> CharacterRule | None:
        is_simple = self.literal and len(self.source) == 1 and not self.invert
        return rule_of(f"{ord(self.source):X}", self.behavior) if is_simple else None

    def ranges(self, piece: str, limit: TimeLimit) -> Edges:
        """Starts and ends of the parts of a piece."""
        seen = piece if self.literal else as_the_library_sees(piece)
        return divided(match_edges(self.compiled, seen, limit), len(piece), self.behavior, invert=self.invert)


@dataclass(frozen=True)
class Digits(_Dividing):
    """Isolates numbers: runs of numeric characters, or with `individual` every one of them.

    >>> [Digits(individual).ranges("in 84½", TimeLimit(6)).tolist() for individual in (False, True)]
    [[[0, 3], [3, 6]], [[0, 3], [3, 4], [4, 5], [5, 6]]]
    """

    individual: bool = False
    name: ClassVar[str] = "Digits"

    def _rule(self) -> CharacterRule:
        return rule_of(NUMERIC_RANGES, "Isolated" if self.individual else "Contiguous")


@dataclass(frozen=True)
class Punctuation(_Dividing):
    """Divides at punctuation.

    >>> [Punctuation(behavior).ranges("no!!", TimeLimit(4)).tolist() for behavior in ("Isolated", "Contiguous")]
    [[[0, 2], [2, 3], [3, 4]], [[0, 2], [2, 4]]]
    """

    behavior: Behavior = "Isolated"
    name: ClassVar[str] = "Punctuation"

    def __post_init__(self) -> None:
        _check_known("behavior", self.behavior, BEHAVIORS)

    def _rule(self) -> CharacterRule:
        return rule_of(PUNCTUATION_RANGES, self.behavior)


@dataclass(frozen=True)
class Metaspace(_Dividing):
    """Replaces spaces by ▁, prepends one, and begins a piece at each.

    replacement   character that replaces a space
    prepend       where one is prepended if missing: to every piece ("always"), to the first piece of the text
                  ("first"), or to none ("never")
    split         whether a piece begins at each

    Raises ConfigError for a replacement that is not one character, and for an unknown `prepend`.

    >>> step = Metaspace()
    >>> step.mark, step.prepend, step.ranges("▁to▁be", TimeLimit(6)).tolist(), step.divides
    ('▁', 'always', [[0, 3], [3, 6]], True)
    """

    replacement: str = WORD_MARK
    prepend: Prepend = "always"
    split: bool = True
    name: ClassVar[str] = "Metaspace"

    def __post_init__(self) -> None:
        _check_one_character("replacement", self.replacement)
        _check_known("prepend", self.prepend, PREPENDS)

    @property
    def mark(self) -> str:
        """The character that replaces a space."""
        return self.replacement

    @property
    def divides(self) -> bool:
        """Whether the step divides its pieces."""
        return self.split

    def _rule(self) -> CharacterRule:
        return rule_of(f"{ord(self.replacement):X}", "MergedWithNext")


@dataclass(frozen=True)
class ByteLevel(_Dividing):
    """Replaces every byte by a character, after a split into GPT-2's words if `use_regex`.

    add_prefix_space   whether a space is prepended to every piece that does not begin with one
    trim_offsets       no effect here; kept to write it back to the file

    >>> step = ByteLevel()
    >>> step.prepend, step.ranges(" to be", TimeLimit(6)).tolist(), step.divides
    ('always', [[0, 3], [3, 6]], True)
    """

    add_prefix_space: bool = True
    use_regex: bool = True
    trim_offsets: bool = True
    name: ClassVar[str] = "ByteLevel"
    maps_bytes: ClassVar[bool] = True

    @property
    def prepend(self) -> Prepend:
        """Which pieces get a space before them: all, or none."""
        return "always" if self.add_prefix_space else "never"

    @property
    def divides(self) -> bool:
        """Whether the step divides its pieces."""
        return self.use_regex

    def ranges(self, piece: str, limit: TimeLimit) -> Edges:
        """Starts and ends of the parts of a piece."""
        sizes = np.array([len(word) for word in _GPT2.words(as_the_library_sees(piece))], np.int64)
        ends = np.cumsum(sizes)  # the words cover all of a text
        return ranges_of(ends - sizes, ends)


@dataclass(frozen=True)
class BertPreTokenizer(_Dividing):
    """BERT's words: white space is dropped, and every punctuation character is a piece.

    >>> BertPreTokenizer().ranges("Oh,  no!", TimeLimit(8)).tolist()
    [[0, 2], [2, 3], [5, 7], [7, 8]]
    """

    name: ClassVar[str] = "BertPreTokenizer"

    def _rule(self) -> CharacterRule:
        return bert_rule()


@dataclass(frozen=True)
class Whitespace(_Dividing):
    """Words and runs of other characters; white space is dropped.

    >>> Whitespace().ranges("Oh,  no!!", TimeLimit(9)).tolist()
    [[0, 2], [2, 3], [5, 7], [7, 9]]
    """

    name: ClassVar[str] = "Whitespace"

    def _rule(self) -> CharacterRule:
        return letter_rule()


@dataclass(frozen=True)
class WhitespaceSplit(_Dividing):
    """Divides at white space, which is dropped.

    >>> WhitespaceSplit().ranges("Oh,  no!!", TimeLimit(9)).tolist()
    [[0, 3], [5, 9]]
    """

    name: ClassVar[str] = "WhitespaceSplit"

    def _rule(self) -> CharacterRule:
        return rule_of("", "Isolated", WHITE_SPACE)


@dataclass(frozen=True)
class UnicodeScripts(_Dividing):
    """Divides where the script changes. A space joins the text before it; leading spaces are dropped.

    >>> UnicodeScripts().ranges(" low 漢字カナ low", TimeLimit(13)).tolist()
    [[1, 5], [5, 10], [10, 13]]
    """

    name: ClassVar[str] = "UnicodeScripts"
    is_local: ClassVar[bool] = False

    def ranges(self, piece: str, limit: TimeLimit) -> Edges:
        """Starts and ends of the parts of a piece."""
        found = script_numbers(piece)
        at = np.flatnonzero(found)
        edges = at[np.diff(found[at], prepend=-1) != 0]
        return ranges_of(edges, np.append(edges, len(piece))[1:])


@dataclass(frozen=True)
class CharDelimiterSplit(_Dividing):
    """Divides at one character, which is dropped.

    >>> CharDelimiterSplit("-").ranges("to-be--or", TimeLimit(9)).tolist()
    [[0, 2], [3, 5], [7, 9]]
    """

    delimiter: str
    name: ClassVar[str] = "CharDelimiterSplit"

    def __post_init__(self) -> None:
        _check_one_character("delimiter", self.delimiter)

    def _rule(self) -> CharacterRule:
        return rule_of(f"{ord(self.delimiter):X}", "Removed")


@dataclass(frozen=True)
class FixedLength(_Dividing):
    """Pieces of the same number of characters.

    >>> FixedLength(3).ranges("to be or", TimeLimit(8)).tolist()
    [[0, 3], [3, 6], [6, 8]]
    """

    length: int = 5
    name: ClassVar[str] = "FixedLength"
    is_local: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.length < 1:
            raise checks.wrong(self.length, "length", message("The least is 1."))

    def ranges(self, piece: str, limit: TimeLimit) -> Edges:
        """Starts and ends of the parts of a piece."""
        starts = np.arange(0, len(piece), self.length)
        return ranges_of(starts, np.minimum(starts + self.length, len(piece)))


@lru_cache(maxsize=64)
def _literal(text: str) -> regex.Pattern[str]:
    return regex.compile(regex.escape(text))


def _check_known(what: str, value: object, known: Sequence[str]) -> None:
    if value not in known:
        raise checks.wrong(value, what, message("Known: {names}.", names=", ".join(known)))


def _check_one_character(what: str, value: object) -> None:
    if not isinstance(value, str) or len(value) != 1:
        raise checks.wrong(value, what, message("It is one character."))
