"""Words of a text that a changed tokenizer segments differently, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.arrays import Int32s
from bpe_core.comparison.boundaries import Region
from bpe_core.comparison.comparison import Comparison, compare
from bpe_core.errors import ConfigError
from bpe_core.language import message
from bpe_core.text.utf8 import begins_character
from bpe_core.tokenizer.special_tokens import SpecialToken
from bpe_core.tokenizer.token_places import Offsets
from bpe_core.tokenizer.tokenizer import Special, Tokenizer

_LONGEST = 80
"""Bytes up to which a place is shown as the whole word."""

_SPACE = 0x20
_BETWEEN = np.array([byte for byte in range(128) if not chr(byte).isalnum() and byte != ord("_")], np.uint8)
"""Bytes between words: ASCII characters other than letters and digits."""
_BEFORE, _AFTER = "before", "after"


@dataclass(frozen=True)
class ChangedWord:
    """A word that is segmented differently, with the space before it.

    text            the word; part of it if it is long, or if the script writes no spaces
    count           how often it occurs in the text with these tokens
    start           byte offset of its first occurrence
    before, after   ids of its tokens
    why             a sentence

    >>> from bpe_core import load_pretrained
    >>> from bpe_core.tokenizer.added_token import with_added_token
    >>> gpt2 = load_pretrained("gpt2")
    >>> word = changed_words(gpt2, with_added_token(gpt2, "lant"), "a lantern, my lantern").words[0]
    >>> word.text, word.count, word.before, word.after
    (' lantern', 2, (41207,), (220, 50257, 1142))
    """

    text: str
    count: int
    start: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    why: str


class ChangedWords(NamedTuple):
    """Words that are segmented differently, the most frequent first, and the token counts of the text before and after.

    >>> ChangedWords((), 3, 3).places
    0
    """

    words: tuple[ChangedWord, ...]
    tokens_before: int
    tokens_after: int

    @property
    def places(self) -> int:
        """Number of places in the text."""
        return sum(word.count for word in self.words)


def changed_words(
    before: Tokenizer, after: Tokenizer, text: str, *, special: Special = "text", kept: Int32s | None = None
) -> ChangedWords:
    """Words of `text` whose tokens differ under `after`, a changed `before`.

    `kept`: the old id of each of its ids if they are renumbered (see Shrunk). Raises as `compare` does.

    >>> from bpe_core import load_pretrained
    >>> from bpe_core.tokenizer.added_token import with_added_token
    >>> gpt2 = load_pretrained("gpt2")
    >>> found = changed_words(gpt2, with_added_token(gpt2, "lantern"), "a lantern, two lanterns, lantern")
    >>> [word.text for word in found.words], found.tokens_before, found.tokens_after
    ([' lantern', ' lanterns'], 8, 11)
    """
    comparison = compare(text, {_BEFORE: before, _AFTER: after}, special=special)
    if kept is not None:
        kept = checks.numbers(kept).astype(np.int32)
        if len(kept) != after.vocab_size:
            raise ConfigError(
                message("kept has {number:,} ids.", number=len(kept)),
                limit=message("It has the old id of each of the {ids:,} new ones.", ids=after.vocab_size),
                remedy=message("Give the kept ids of Shrunk."),
            )
    starts, ends = _in_words(comparison, *_changed(comparison, kept))
    regions = (comparison.regions(name, starts, ends) for name in (_BEFORE, _AFTER))
    known = set(before.special_token_flags)
    added = {} if kept is not None else {each.id: each for each in after.special_token_flags if each not in known}
    found: dict[tuple[bytes, tuple[int, ...], tuple[int, ...]], ChangedWord] = {}
    mine, other = regions
    for at, start in enumerate(starts.tolist()):
        old, new = mine[at], other[at]
        key = old.original, old.ids, new.ids
        word = found.get(key)
        if word is None:
            shown = old.original.decode("utf-8", "replace")
            word = ChangedWord(shown, 0, start, old.ids, new.ids, _why(old, new, added, kept is None))
        found[key] = replace(word, count=word.count + 1)
    ranked = sorted(found.values(), key=lambda word: (-word.count, word.start))
    sizes = (len(comparison.encoding(name)) for name in (_BEFORE, _AFTER))
    return ChangedWords(tuple(ranked), *sizes)


def _changed(comparison: Comparison, kept: Int32s | None) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Starts and ends of the places where boundaries differ, or ids between the same boundaries."""
    starts, ends = comparison.disagreement_ranges(_BEFORE, _AFTER)
    size = len(comparison.text.encode()) + 1
    keys, ids = {}, {}
    for name in (_BEFORE, _AFTER):
        first, last = (offsets.astype(np.int64) for offsets in comparison.offsets(name))
        keys[name], at = np.unique(first * size + last, return_index=True)
        found = comparison.encoding(name).ids
        ids[name] = (found if kept is None or name == _BEFORE else kept[found])[at]
    same, mine, other = np.intersect1d(keys[_BEFORE], keys[_AFTER], assume_unique=True, return_indices=True)
    renamed = same[ids[_BEFORE][mine] != ids[_AFTER][other]]
    both = np.concatenate((starts, renamed // size)), np.concatenate((ends, renamed % size))
    order = np.argsort(both[0], kind="stable")
    return both[0][order], both[1][order]


def _in_words(comparison: Comparison, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    """Widen places to the words around them, with the space before each, and unite those that then overlap."""
    if not len(starts):
        return starts, ends
    data = np.frombuffer(comparison.text.encode(), np.uint8)
    shared = np.intersect1d(comparison.boundaries(_BEFORE), comparison.boundaries(_AFTER))
    spells = ~np.isin(data, _BETWEEN)
    inner = shared[~spells[shared] | (~spells[shared - 1] & (data[shared - 1] != _SPACE))]
    edges = np.concatenate(([0], inner, [len(data)]))
    low = edges[np.searchsorted(edges, starts, side="right") - 1]
    high = edges[np.searchsorted(edges, ends)]
    short = high - low <= _LONGEST
    whole = np.concatenate(([0], shared[begins_character(data[shared])], [len(data)]))  # between characters
    low = np.where(short, low, whole[np.searchsorted(whole, starts, side="right") - 1])
    high = np.where(short, high, whole[np.searchsorted(whole, ends)])
    order = np.argsort(low, kind="stable")
    low, high = low[order], np.maximum.accumulate(high[order])
    first = np.flatnonzero(np.append(True, low[1:] >= high[:-1]))
    return low[first], high[np.append(first[1:] - 1, len(high) - 1)]


def _why(old: Region, new: Region, added: Mapping[int, SpecialToken], same_ids: bool) -> str:
    if not same_ids:
        return message("A token was removed: shorter ones spell it.")
    at = next((i for i, token_id in enumerate(new.ids) if token_id in added), None)
    if not added:
        return message("New merges join it.")
    if at is None:
        return message("The added token is next to it: the split ends there.")
    token = added[new.ids[at]]
    left, right = new.original[: new.starts[at]], new.original[new.ends[at] :]
    if not right and not at and not left.strip():
        if new.original != token.text.encode() and (token.strip_left or token.strip_right):
            return message("The added token includes the white space next to it.")
        return message("It is the added token.")
    if not right and not left.strip():
        return message("The added token has no space: the space becomes a separate token.")
    return message("The added token is inside: the text on either side is encoded separately.")
