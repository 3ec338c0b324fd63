"""Pre-tokenization: splitting a text into words, whose edges no merge ever crosses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
import regex

from bpe_core import checks
from bpe_core.arrays import ranges_of
from bpe_core.errors import ConfigError, quoted
from bpe_core.kernels import backend, scan
from bpe_core.language import message
from bpe_core.text.character_rules import bert_rule
from bpe_core.text.normalization import Normalized
from bpe_core.text.pattern_limits import LONGEST_PATTERN, TimeLimit, compile_within_limits
from bpe_core.text.pattern_problems import pattern_problem
from bpe_core.text.split_patterns import ascii_pattern, is_local_pattern
from bpe_core.text.split_tables import PUNCTUATION, as_the_library_sees, stand_ins
from bpe_core.text.utf8 import character_starts, code_points
from bpe_core.text.wide_splits import WIDE_PATTERNS, word_edges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

PATTERNS = {
    "none": r"(?s:.+)",
    "words": r"\S+",
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "cl100k": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
    ),
    "o200k": (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
}
"""Named splits. `gpt2`, `cl100k` and `o200k` give the words of OpenAI's published patterns."""

PUBLISHED = {"gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"}
"""Patterns as first published, where tiktoken's differ; the words are the same."""

WORD_MARK = "▁"
"""Replaces the space before a word (Unigram, SentencePiece)."""

BERT_SPLIT = r"[!-/:-@\[-`{-~\p{P}]|[^\p{White_Space}!-/:-@\[-`{-~\p{P}]+"
"""BERT's words: white space is dropped, and every punctuation character of ASCII and of Unicode is a word."""

MARKED_SPLIT = r" ?\S+"
"""A word and the one space before it, written as ▁. Other white space is dropped."""

METASPACE = f"[ {WORD_MARK}][^ {WORD_MARK}]*|[^ {WORD_MARK}]+"
"""A word and the one space before it, written as ▁. Other white space is an ordinary character."""

# Letters and digits first, and everything but white space last: the long list of punctuation is slow to match.
_BERT = rf"(?:[\p{{L}}\p{{Nd}}]++|[^\p{{White_Space}}{PUNCTUATION}])++|(?=\S)[{PUNCTUATION}]"
_MOST_AT_ONCE = 1 << 20
"""Characters of a text whose words are found all at once: twice as fast, but each word takes 60 bytes or more."""

_SHORT, _SMALL = 1_000, 20_000
"""Minimum characters for which a compiled scan is faster than the regex library, and is worth compiling."""

COVERING = ("none", "gpt2", "cl100k", "o200k")
"""Named splits whose words cover all of the text."""
_TRUSTED = frozenset({*PATTERNS.values(), *WIDE_PATTERNS, _BERT})
_NAME = re.compile(r"[A-Za-z0-9_-]*")


class SplitText(NamedTuple):
    """Result of a split.

    normalized  text as changed by the split (▁ for spaces, a space prepended); most splits change nothing
    edges       int64 (words, 2): starts and ends of the words in its UTF-8, in order

    >>> SplitText(Normalized.of("low"), np.array([[0, 3]])).normalized.text
    'low'
    """

    normalized: Normalized
    edges: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Split:
    """Pre-tokenizer of a tokenizer: splits a normalized text into words.

    pattern    a name in PATTERNS, or a regular expression; every match is a word, the rest is dropped
    by_model   the model gets the whole text and finds the words itself (SentencePiece); `pattern` then says how it
               writes them
    library    whether the pattern uses the older Unicode tables of tokenizers and tiktoken; ignored by equality

    Raises ConfigError for an unknown name and an invalid pattern.

    >>> Split("gpt2").words("Hello world"), list(Split("gpt2").spans("Hello world"))
    (['Hello', ' world'], [(0, 5), (5, 11)])
    >>> Split("gpt2").apply(Normalized.of("é low"), begins=True).edges.tolist()
    [[0, 2], [2, 6]]
    """

    pattern: str = "none"
    by_model: bool = False
    library: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        compile_split(self.pattern)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Character ranges of the words of a text, in order. Raises CorpusError if matching takes too long."""
        if self.by_model:
            return iter([(0, len(text))] if text else [])
        edges = self._scanned(text)
        if edges is not None:
            return pairwise(np.searchsorted(character_starts(text.encode("utf-8", "surrogatepass")), edges).tolist())
        return spans(compile_split(self.pattern), as_the_library_sees(text) if self.library else text)

    def apply(self, part: Normalized, *, begins: bool) -> SplitText:
        """Words of a normalized text, which stays unchanged; `begins` has no effect here.

        Raises CorpusError if matching takes too long.
        """
        edges = self._scanned(part.text)
        if edges is None and self.pattern in COVERING and not self.by_model:
            edges = np.cumsum([0, *(len(word.encode()) for word in self.words(part.text))], dtype=np.int64)
        if edges is not None:
            return SplitText(part, ranges_of(edges[:-1], edges[1:]))
        if self.pattern == MARKED_SPLIT and not self.by_model and len(part.text) >= _SHORT and backend.is_ready():
            starts, ends = scan.spans(part.utf8, "words", stand_ins() if self.library else ())
            before = np.frombuffer(b"\n" + part.utf8, np.uint8)[starts]
            return SplitText(part, ranges_of(starts - (before == ord(" ")), ends))
        if self.pattern == BERT_SPLIT and not self.by_model:
            return SplitText(part, part.character_starts.astype(np.int64)[bert_rule().edges(code_points(part.text))])
        found = np.fromiter(chain.from_iterable(self.spans(part.text)), np.int64).reshape(-1, 2)
        return SplitText(part, part.character_starts.astype(np.int64)[found])

    def words(self, text: str) -> list[str]:
        """Words of a text, in order. Raises CorpusError if matching takes too long."""
        edges = self._scanned(text)
        if edges is not None:
            data = text.encode("utf-8", "surrogatepass")
            return [data[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise(edges.tolist())]
        in_unicode = None if self.library else self._find_all
        find_all = self._find_all_ascii if text.isascii() else in_unicode
        if find_all is not None:
            return find_all(text)
        return [text[start:end] for start, end in self.spans(text)]

    def _scanned(self, text: str) -> npt.NDArray[np.int64] | None:
        """Result of `word_edges` for a long text, if words of the split span those of other splits; otherwise None."""
        if len(text) < _SHORT or self.pattern not in WIDE_PATTERNS or self.by_model:
            return None
        if not backend.use_compiled_later(len(text), _SMALL):
            return None
        return word_edges(self.pattern, as_the_library_sees(text) if self.library else text)

    @cached_property
    def _find_all(self) -> Callable[[str], list[str]] | None:
        """Finder of all words at once if the pattern is a named one, which needs no time limit and has no groups."""
        pattern = compile_split(self.pattern)
        return pattern.findall if pattern.pattern in _TRUSTED and not self.by_model else None

    @cached_property
    def _find_all_ascii(self) -> Callable[[str], list[str]] | None:
        """Finder of all words of an ASCII text."""
        named = None if self.by_model else PATTERNS.get(self.pattern)
        return self._find_all if named is None else ascii_pattern(named).findall

    @property
    def is_local(self) -> bool:
        """Whether words far before a letter followed by white space do not depend on those far after it.

        >>> Split("gpt2").is_local, Split("[^ ]+ [^ ]+").is_local
        (True, False)
        """
        known = self.by_model or self.pattern in PATTERNS or self.pattern in (BERT_SPLIT, METASPACE, MARKED_SPLIT)
        return known or is_local_pattern(self.pattern)

    @property
    def writes_marks(self) -> bool:
        """Whether a word begins with the space before it, written as ▁.

        >>> Split(METASPACE).writes_marks, Split("gpt2").writes_marks
        (True, False)
        """
        return self.pattern in (METASPACE, MARKED_SPLIT)

    def written(self, word: str) -> str:
        """A word as models of this split write it: if the split uses ▁, with ▁ for the space before it, or ▁ prepended.

        >>> Split(METASPACE).written(" low"), Split("gpt2").written(" low")
        ('▁low', ' low')
        """
        if not self.writes_marks or word.startswith(WORD_MARK):
            return word
        return WORD_MARK + word.removeprefix(" ")


def compile_split(split: str) -> regex.Pattern[str]:
    """Compile the pattern of a named split, or a custom regular expression.

    Every match is one word; unmatched text is dropped (as `words` drops white space). Raises ConfigError for an unknown
    name and for a pattern that is invalid, too long, or too large to compile.

    >>> compile_split("gpt2").findall("Hello've world123 how's")
    ['Hello', "'ve", ' world', '123', ' how', "'s"]
    """
    if not isinstance(split, str):
        raise checks.wrong(split, "split", message("It takes a name or a regular expression."))
    if split in PATTERNS:
        return _compile_named(PATTERNS[split])
    if split == BERT_SPLIT:  # with the library's punctuation, whose Unicode table is older
        return _compile_named(_BERT)
    if _NAME.fullmatch(split):
        raise ConfigError(
            message("split is {split}, which is not a known split.", split=quoted(split)),
            limit=message("Known: {names}, or a regular expression.", names=", ".join(PATTERNS)),
            remedy=message("Choose one of these, or write a pattern such as \\w+|\\s+."),
        )
    return compile_pattern(split)


def compile_pattern(pattern: str, longest: int = LONGEST_PATTERN) -> regex.Pattern[str]:
    """Compile a regular expression of at most `longest` characters.

    Raises ConfigError if it is invalid, too long, or too large to compile.

    >>> compile_pattern("lo+").findall("low cool")
    ['lo']
    """
    try:
        return compile_within_limits(pattern, longest)
    except (regex.error, OverflowError, RecursionError, ValueError, KeyError, IndexError) as error:
        raise ConfigError(
            message(
                "split {pattern} is not a valid regular expression: {reason}.",
                pattern=quoted(pattern),
                reason=pattern_problem(error),
            ),
            limit=message("Patterns follow Python's regex library."),
            remedy=message("Correct it, or choose one of {names}.", names=", ".join(PATTERNS)),
        ) from None


def spans(pattern: regex.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Character ranges of the words of `text`, in order; empty matches are skipped.

    Raises CorpusError if a custom pattern needs more than SECONDS_PER_TEXT on this text.

    >>> list(spans(compile_split("words"), "two  words"))
    [(0, 3), (5, 10)]
    """
    limit = TimeLimit(len(text))
    trusted = pattern.pattern in _TRUSTED
    known = 0
    while True:
        try:
            matches = pattern.finditer(text, timeout=None if trusted else limit.left(pattern.pattern))
            ordered = reversed(list(matches)) if pattern.flags & regex.REVERSE else matches
            for match in islice(ordered, known, None):
                known += 1
                start, end = match.span()
                if end > start:
                    yield start, end
            return
        except TimeoutError:
            limit.interrupted(pattern.pattern)
        except MemoryError:
            raise limit.out_of_memory(pattern.pattern) from None


def words(pattern: regex.Pattern[str], text: str) -> Iterable[str]:
    """Words of `text`, in order; those of a long one lazily. Raises the same errors as `spans`.

    >>> list(words(compile_split("cl100k"), "It's 12345"))
    ['It', "'s", ' ', '123', '45']
    """
    if pattern.groups or len(text) > _MOST_AT_ONCE:
        return (text[start:end] for start, end in spans(pattern, text))
    found = _found(pattern, text, TimeLimit(len(text)))
    if "" in found:
        found = [word for word in found if word]
    return found[::-1] if pattern.flags & regex.REVERSE else found


def _found(pattern: regex.Pattern[str], text: str, limit: TimeLimit) -> list[str]:
    while True:
        try:
            return pattern.findall(text, timeout=None if pattern.pattern in _TRUSTED else limit.left(pattern.pattern))
        except TimeoutError:
            limit.interrupted(pattern.pattern)
        except MemoryError:
            raise limit.out_of_memory(pattern.pattern) from None


@cache
def _compile_named(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern, cache_pattern=False)
