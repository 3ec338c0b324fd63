"""Merge forest: the parent of a merged token is the left one of the two tokens it was merged from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bpe_core.arrays import Int32s, Int64s, ReadOnlyArrays
from bpe_core.display.forest_figures import Trees
from bpe_core.tokenizer.token_ranges import TokenRanges

if TYPE_CHECKING:
    from bpe_core.tokenizer.tokenizer import Tokenizer


@dataclass(frozen=True, eq=False)
class MergeForest(ReadOnlyArrays):
    """Read-only arrays of equal length, one entry per token, shorter tokens first; special tokens are omitted.

    ids      int32: ids of the tokens
    parents  int32: index of the left part's entry, always lower than its own; -1 for a base symbol
    rights   int32: id of the right part, -1 for a base symbol
    merges   int32: number of the merge that made it, 1 for the first; 0 for a base symbol

    >>> from bpe_core import TrainConfig, train
    >>> forest = merge_forest(train("low low lower", TrainConfig(vocab_size=258)).tokenizer())
    >>> forest.ids[-2:].tolist(), forest.ids[forest.parents[-2:]].tolist(), forest.rights[-2:].tolist()
    ([256, 257], [108, 256], [111, 119])
    >>> forest.trees(root=108).totals.tolist(), forest.trees().totals[-2:].tolist()
    ([3, 2, 1], [2, 1])
    """

    ids: Int32s
    parents: Int32s
    rights: Int32s
    merges: Int32s

    def __len__(self) -> int:
        return len(self.ids)

    def trees(self, uses: Int64s | None = None, root: int | None = None) -> Trees:
        """All trees for drawing, or the tree with the root id `root`, empty if there is no such entry.

        `uses`: occurrences of each of `ids` in a text; without them, the size of a tree is its number of tokens.
        """
        totals: list[int] = [1] * len(self) if uses is None else uses.tolist()
        parents: list[int] = self.parents.tolist()
        for at in range(len(totals) - 1, -1, -1):
            if parents[at] >= 0:
                totals[parents[at]] += totals[at]
        lefts = np.where(self.parents < 0, np.int32(-1), self.ids[self.parents]) if len(self) else self.ids
        whole = Trees(self.ids, self.parents, lefts, self.rights, self.merges, np.array(totals, np.int64), uses)
        return whole if root is None else self._tree(whole, root)

    def _tree(self, whole: Trees, root: int) -> Trees:
        # new index of each entry
        places = np.full(len(self) + 1, -1, np.int32)  # the last is for -1, the parent of a base symbol
        found: list[int] = []
        inside = (self.ids == root).tolist()
        for at, parent in enumerate(self.parents.tolist()):
            if inside[at] or (parent >= 0 and inside[parent]):
                inside[at] = True
                places[at] = len(found)
                found.append(at)
        return Trees(
            self.ids[found],
            places[self.parents[found]],
            whole.lefts[found],
            self.rights[found],
            self.merges[found],
            whole.totals[found],
            None if whole.uses is None else whole.uses[found],
            is_one=True,
        )


def merge_forest(tokenizer: Tokenizer) -> MergeForest:
    """Merge forest of a tokenizer; without merges no token has a parent.

    If several merges make a token, the first is used. 200,000 tokens take about half a second.

    >>> from bpe_core import load_pretrained
    >>> forest = merge_forest(load_pretrained("gpt2"))
    >>> the = forest.ids.tolist().index(262)
    >>> int(forest.ids[forest.parents[the]]), int(forest.rights[the]), int(forest.merges[the])
    (256, 258, 7)
    """
    tokens = tokenizer.model.tokens
    special = [token.id for token in tokenizer.special_token_flags]
    ids = np.array(tokenizer.ids, np.int32)
    ids = ids[~np.isin(ids, special)]
    if isinstance(tokens, TokenRanges):
        lengths = tokens.lengths[ids]
    else:
        lengths = np.array([len(tokens[token_id] or b"") for token_id in ids.tolist()], np.int64)
    ids = ids[np.argsort(lengths, kind="stable")]
    places = np.full(len(tokens), -1, np.int32)
    places[ids] = np.arange(len(ids), dtype=np.int32)

    parents, rights, merges = (np.full(len(ids), start, np.int32) for start in (-1, -1, 0))
    known = tokenizer.model.merges
    left, right, made = (np.zeros((0, 3), np.int32) if known is None else known.table).T
    at, parent = places[made], places[left]
    possible = np.flatnonzero((parent >= 0) & (parent < at))
    made_at, first = np.unique(at[possible], return_index=True)
    numbers = possible[first]
    parents[made_at], rights[made_at], merges[made_at] = parent[numbers], right[numbers], numbers + 1
    return MergeForest(ids, parents, rights, merges)
