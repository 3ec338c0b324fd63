"""Merges of a WordPiece training by count by the compiled loop of `kernels/merge_loop.py`: those of `merging`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.kernels import backend
from bpe_core.kernels.merge_loop import LOWEST_IDS, MergeLoop
from bpe_core.text.library_tables import code_points
from bpe_core.wordpiece.merging import Merged, joined, merge_by_count
from bpe_core.wordpiece.model import INSIDE

_SLICE = 128
"""Merges that the loop makes at a time, in a few milliseconds."""

_SMALL = 150_000
"""Characters of the distinct words that plain Python handles in about a second."""


def merges_by_count(words: Sequence[str], counts: Sequence[int], base: Sequence[str], *, most: int) -> Iterator[Merged]:
    """Return the merges of `merge_by_count`: compiled, or in plain Python for few words until the loop is ready.

    most  number of merges after which they may end

    Plain Python also takes words with ## in them, which no text has: the symbol of their first three characters can
    equal that of a character.

    >>> merges = merges_by_count(["hug", "hugs"], [5, 2], ["h", "##g", "##s", "##u"], most=2)
    >>> [(step.left, step.right, step.score) for step in merges][:2]
    [('h', '##u', 7.0), ('hu', '##g', 7.0)]
    """
    text = "".join(words)
    if INSIDE in text or not backend.use_compiled(len(text), _SMALL):
        return merge_by_count(words, counts, base)
    return _compiled(text, np.cumsum([0, *map(len, words)]), counts, base, most)


def _compiled(text: str, offsets: Int64s, counts: Sequence[int], base: Sequence[str], most: int) -> Iterator[Merged]:
    """Merges of the words text[offsets[w]:offsets[w + 1]] by the loop of BPE, in which each merge makes a new token.

    So it does here: no two pairs make the same symbol, because the merges inside of a symbol depend on its characters
    alone. None crosses its edges, and a pair that overlaps itself merges from the beginning of its run, which is in the
    symbol or an even number of tokens before it.
    """
    symbols, widths = list(base), [1] * len(base)
    ids = _base_ids(text, offsets, base)
    character_at = _characters(offsets)
    loop = MergeLoop(ids, offsets, counts, first_new_id=len(base), max_merges=most, tie_break=LOWEST_IDS)
    while made := loop.run(_SLICE):
        pairs, ends = loop.pairs[-made:].tolist(), loop.merged_ends[-made - 1 :]
        for left, right in pairs:
            widths.append(widths[left] + widths[right])
        left_widths = np.array([widths[left] for left, _ in pairs])
        seconds = loop.merged_at[ends[0] :] + np.repeat(left_widths, np.diff(ends))
        removed = character_at[seconds].tolist()
        edges = (ends - ends[0]).tolist()
        for (left, right), count, begin, end in zip(
            pairs, loop.counts[-made:].tolist(), edges, edges[1:], strict=False
        ):
            symbols.append(joined(symbols[left], symbols[right]))
            yield Merged(symbols[left], symbols[right], symbols[-1], float(count), removed[begin:end])


def _characters(offsets: Int64s) -> Int64s:
    """Index of the character in each cell of the loop: a separator precedes the first word and follows each one."""
    every = np.arange(offsets[-1])
    characters = np.zeros(len(every) + len(offsets), np.int64)
    characters[every + np.repeat(np.arange(1, len(offsets)), np.diff(offsets))] = every
    return characters


def _base_ids(text: str, offsets: Int64s, base: Sequence[str]) -> Int32s:
    """Ids of the base symbols of the words."""
    characters = code_points(text)
    plain, inner = np.zeros((2, int(characters.max(initial=0)) + 1), np.int32)
    for number, symbol in enumerate(base):
        ids = inner if symbol.startswith(INSIDE) else plain
        if ord(symbol[-1]) < len(ids):
            ids[ord(symbol[-1])] = number
    found: Int32s = inner[characters]
    found[offsets[:-1]] = plain[characters[offsets[:-1]]]
    return found
