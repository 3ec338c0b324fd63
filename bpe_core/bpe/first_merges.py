"""How many tokens words become with the first merges only: with none, with one, and so on up to all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bpe_core.bpe.vocabulary import Symbols
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.scan import WordTable
from bpe_core.kernels.word_encoder import NEVER, joined_at
from bpe_core.tokenizer.model import Merges

Int64s = npt.NDArray[np.int64]


def tokens_over_merges(symbols: Symbols, words: WordTable, counts: Int64s, merges: Merges) -> Int64s:
    """int64[merges + 1]: the tokens of words that occur so often, with no merge, with the first, and so on.

    `symbols`: of the words, without any merge. A word that is a token is taken as a whole from the merge on that makes
    this token, where the table takes words so.

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
    """The number of merges with which each word is taken as a whole: 0 where it always is, `never` where it is not."""
    ids = merges.wholes(words)
    if ids is None:
        return np.full(len(words), never, np.int64)
    distinct, places = np.unique(ids, return_inverse=True)
    made = [-1 if token_id < 0 else merges.rank_of(token_id) for token_id in distinct.tolist()]
    numbers = [never if rank == -1 else 0 if rank is None else int(np.searchsorted(ranks, rank)) + 1 for rank in made]
    return np.array(numbers, np.int64)[places]
