"""Tokens of a text of which most is known, encoded already: only the lines around the change are encoded again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bpe_core.arrays import Bytes, Int32s, sorted_place
from bpe_core.text.normalization import Normalized
from bpe_core.text.splits import Split
from bpe_core.text.utf8 import count_characters
from bpe_core.tokenizer.encoding import Encoding, TokenPlaces
from bpe_core.tokenizer.later import Later
from bpe_core.tokenizer.text_encoder import PER_TOKEN
from bpe_core.work import taking

if TYPE_CHECKING:
    from bpe_core.tokenizer.tokenizer import Special, Tokenizer

_BY_LINE = frozenset({"words", "gpt2", "cl100k", "o200k"})
"""Named splits with a word edge at every `_LINE`. What they match before one depends on nothing after its first
character, and what they match from there on, on nothing before: they look ahead by one character, and never back."""

_LINE = re.compile(rb"\n(?!\xe3\x80\x80)(?=[0-9A-Za-z\xe3-\xf4])")
"""Start of a line that begins with a letter, a digit or most of what is beyond U+3000; not with white space, nor with
the slash that o200k's split takes after a line break."""

_REACH = 50_000
"""Bytes on either side of a change in which such a line is looked for."""

_MOST = 200_000
"""Bytes of changed lines from which on nothing is gained."""


class _Change(NamedTuple):
    """Bytes start … old_end of the text before became start … new_end of the text after; all are starts of lines."""

    start: int
    old_end: int
    new_end: int


def encode_changed(tokenizer: Tokenizer, text: str, before: Encoding, *, special: Special = "text") -> Encoding | None:
    """Encode a text by what is known of another, of which it is an edit: the tokens of all lines that are the same.

    before: encoding of the other text by this tokenizer with this `special`. The result is that of
    `tokenizer.encode(text, special=special)`; None if that is to be called instead: where lines are not independent
    (other than named splits, normalization, special tokens in the text), and after too large a change.

    The named splits have a word edge at every line that begins with a letter or digit, and no merge crosses it.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> before = gpt2.encode("one\\ntwo\\nthree")
    >>> encode_changed(gpt2, "one\\ntwelve\\nthree", before) == gpt2.encode("one\\ntwelve\\nthree")
    True
    """
    normalized = Normalized.of(text)
    if normalized.surrogates or not _is_by_line(tokenizer, before, special):
        return None
    utf8 = normalized.utf8
    change = _changed_lines(before.utf8, utf8)
    if change is None or change.new_end - change.start > _MOST:
        return None
    behind = utf8[change.new_end : change.new_end + 4].decode(errors="ignore")[:1]  # at which the split may look
    lines = tokenizer.encode(utf8[change.start : change.new_end].decode() + behind)
    with taking((PER_TOKEN + before.ids.itemsize) * (len(before.ids) + len(lines.ids))):
        ids, places = _joined(before, lines, change)
    return Encoding(ids, normalized, tokenizer.token_bytes, Later(lambda: places))


def _is_by_line(tokenizer: Tokenizer, before: Encoding, special: Special) -> bool:
    """Whether an edit changes only tokens of its lines, and `before` knows all others."""
    split = tokenizer.split
    return (
        isinstance(split, Split)
        and split.pattern in _BY_LINE
        and not split.by_model
        and not tokenizer.normalizer.steps
        and special == "text"
        and not tokenizer._special.always_found
        and not before.normalized.surrogates
    )


def _changed_lines(old: bytes, new: bytes) -> _Change | None:
    """Lines in which two texts differ; None if no line begins near their first or last difference."""
    shorter = min(len(old), len(new))
    one, other = np.frombuffer(old, np.uint8), np.frombuffer(new, np.uint8)
    same = _first_difference(one[:shorter], other[:shorter])
    same_at_end = _first_difference(one[::-1][: shorter - same], other[::-1][: shorter - same])
    since = max(0, same - _REACH)
    start = max((found.end() for found in _LINE.finditer(new, since, same)), default=0)
    until = len(new) - same_at_end
    found = _LINE.search(new, until, min(len(new), until + _REACH))
    end = found.end() if found else len(new)
    if (since and not start) or (not found and len(new) - until > _REACH):
        return None
    return _Change(start, end - len(new) + len(old), end)


def _first_difference(one: Bytes, other: Bytes) -> int:
    """Index of the first element that differs in two arrays of the same length; their length if none does."""
    differs = one != other
    return int(differs.argmax()) if differs.any() else len(one)


def _joined(before: Encoding, lines: Encoding, change: _Change) -> tuple[Int32s, TokenPlaces]:
    """Ids and places of the tokens before a change, of its lines, and of those after it."""
    new_size = change.new_end - change.start
    (head, head_words), (tail, tail_words) = _until(before, change.start), _until(before, change.old_end)
    middle, middle_words = _until(lines, new_size)
    old, new = before.places.get(), lines.places.get()
    start_char = count_characters(before.utf8[: change.start])
    old_chars = count_characters(before.utf8[change.start : change.old_end])
    new_chars = count_characters(lines.utf8[:new_size])
    by_bytes = change.start, change.new_end - change.old_end
    by_chars = start_char, new_chars - old_chars
    by_words = head_words, head_words + middle_words - tail_words

    def tokens(name: str, shifts: tuple[int, int]) -> Int32s:
        return _concatenated(getattr(old, name), getattr(new, name), (head, middle, tail), shifts)

    def words(name: str) -> Int32s:
        return _concatenated(getattr(old, name), getattr(new, name), (head_words, middle_words, tail_words), by_bytes)

    places = TokenPlaces(
        starts=tokens("starts", by_bytes),
        ends=tokens("ends", by_bytes),
        char_starts=tokens("char_starts", by_chars),
        char_ends=tokens("char_ends", by_chars),
        word_ids=tokens("word_ids", by_words),
        word_starts=words("word_starts"),
        word_ends=words("word_ends"),
        special=np.concatenate((old.special[:head], new.special[:middle], old.special[tail:])),
    )
    return _concatenated(before.ids, lines.ids, (head, middle, tail), (0, 0)), places


def _until(encoding: Encoding, byte: int) -> tuple[int, int]:
    """Number of tokens, and of words, before the word edge at a byte."""
    words = sorted_place(encoding.word_starts, byte)
    return sorted_place(encoding.word_ids, words), words


def _concatenated(old: Int32s, new: Int32s, counts: tuple[int, int, int], shifts: tuple[int, int]) -> Int32s:
    """The first of the old values, the first of the new ones, and the last of the old ones, the latter two shifted."""
    head, middle, tail = counts
    joined = np.concatenate((old[:head], new[:middle], old[tail:]))
    joined[head : head + middle] += shifts[0]
    joined[head + middle :] += shifts[1]
    return joined
