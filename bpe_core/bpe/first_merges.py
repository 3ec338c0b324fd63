"""Token counts of words under the first merges only: under none, under one, and so on up to all."""

from __future__ import annotations

import numpy as np

from bpe_core.arrays import Int64s
from bpe_core.bpe.vocabulary import Symbols
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.scan import WordTable
from bpe_core.kernels.word_encoder import NEVER, joined_at
from bpe_core.tokenizer.model import Merges


def tokens_over_merges(symbols: Symbols, words: WordTable, counts: Int64s, merges: Merges) -> Int64s:
    """int64[merges + 1]: token count of words with these counts, under no merge, under the first, and so on.

    `symbols`: base symbols of the words. If the table encodes words whole, a word that is a token counts as one token
    from the merge that makes it.

    >>> from bpe_core import TrainConfig, train
    >>> model = train("low low lower", TrainConfig(vocab_size=258)).tokenizer().model
    >>> words = WordTable.of([b"low", b" lower"])
    >>> symbols = model.base.flat(words.text.tobytes(), words.offsets)
    >>> tokens_over_merges(symbols, words, np.array([2, 1]), model.merges).tolist()
    [12, 9, 6]
    """
    ranks = merges.merge_ranks
    never = len(ranks) + 1
    joined = joined_at(Words(symbols.ids, symbols.offsets), merges.pair_table)
    needed = np.where(joined == NEVER, never, np.searchsorted(ranks, joined) + 1)  # merges until a symbol is joined
    whole = _whole_with(merges, words, ranks, never)
    sizes = np.diff(symbols.offsets)
    merged = needed < np.repeat(whole, sizes)
    before = np.append(0, np.cumsum(merged))
    left = sizes - (before[symbols.offsets[1:]] - before[symbols.offsets[:-1]])
    changes = np.zeros(never + 1, np.int64)
    changes[0] = (counts * sizes).sum()
    np.subtract.at(changes, needed[merged], np.repeat(counts, sizes)[merged])
    np.subtract.at(changes, whole, counts * (left - 1))
    return np.cumsum(changes[:never])


def _whole_with(merges: Merges, words: WordTable, ranks: Int64s, never: int) -> Int64s:
    """Number of merges from which each word is encoded whole: 0 for always, `never` for never."""
    ids = merges.wholes(words)
    if ids is None:
        return np.full(len(words), never, np.int64)
    distinct, places = np.unique(ids, return_inverse=True)
    made = [-1 if token_id < 0 else merges.rank_of(token_id) for token_id in distinct.tolist()]
    numbers = [never if rank == -1 else 0 if rank is None else int(np.searchsorted(ranks, rank)) + 1 for rank in made]
    return np.array(numbers, np.int64)[places]
