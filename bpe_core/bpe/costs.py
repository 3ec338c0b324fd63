"""Cost and benefit of each vocabulary size, from one training: tokens, and rarely used ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.bpe.corpus import Corpus

if TYPE_CHECKING:
    from bpe_core.bpe.training import Training

LITTLE = 0.05
"""Share of the tokens below which a doubling of the vocabulary saves little."""


@dataclass(frozen=True, slots=True)
class VocabularyCost:
    """The training text under the vocabulary of one step.

    step         number of merges applied
    vocab_size   number of ids: special tokens, base symbols and merges
    tokens       tokens of the text
    saved        share of the base symbols removed by merging, 0.0 … 1.0
    per_token    bytes (characters, for a character vocabulary) per token
    single_use   ids that occur exactly once in the text
    unused       ids that do not occur in the text, special tokens not counted

    >>> from bpe_core import TrainConfig, train
    >>> train("low low lower", TrainConfig(split="words", vocab_size=258)).sweep([2])[0]
    VocabularyCost(step=2, vocab_size=258, tokens=5, saved=0.5454545454545454, per_token=2.2, single_use=2, unused=255)
    """

    step: int
    vocab_size: int
    tokens: int
    saved: float
    per_token: float
    single_use: int
    unused: int


def uses_by_step(
    corpus: Corpus, rows: npt.NDArray[np.int64], first_id: int, steps: Sequence[int]
) -> dict[int, npt.NDArray[np.int64]]:
    """Count of each id in the corpus after each of these steps.

    `corpus`: before any merge; `rows`: as in `Learned`. Computed without merging: each merge subtracts its occurrences
    from the counts of its two ids, and adds them to the new id's.

    >>> from bpe_core.bpe import plain
    >>> from bpe_core.bpe.corpus import Plan
    >>> corpus = Corpus.of([[0, 1, 0, 1]], [3])
    >>> learned = plain.learn(corpus, Plan(first_id=2, most=2), lambda done, total: None)
    >>> {step: uses.tolist() for step, uses in uses_by_step(corpus, learned.rows, 2, [0, 1, 2]).items()}
    {0: [6, 6], 1: [0, 0, 6], 2: [0, 0, 0, 3]}
    """
    uses = np.zeros(first_id + len(rows), np.int64)
    np.add.at(uses, corpus.ids, np.repeat(corpus.counts, np.diff(corpus.offsets)))
    uses[first_id:] = rows[:, 3]
    done, found = 0, {}
    for step in sorted(set(steps)):
        left, right, _, made = rows[done:step].T
        np.subtract.at(uses, left, made)
        np.subtract.at(uses, right, made)
        done = step
        found[step] = uses[: first_id + step].copy()
    return found


def cost_of(training: Training, step: int, uses: npt.NDArray[np.int64], special: int) -> VocabularyCost:
    """Cost of a training's vocabulary after `step` merges. `uses`: count of each id; `special`: number of special ones.

    >>> from bpe_core import TrainConfig, train
    >>> cost_of(train("low low", TrainConfig(vocab_size=258)), 2, np.array([0, 1, 2]), 0).single_use
    1
    """
    tokens, symbols = training.token_count(step), training.token_count(0)
    return VocabularyCost(
        step=step,
        vocab_size=training.first_id + step,
        tokens=tokens,
        saved=1 - tokens / symbols if symbols else 0.0,
        per_token=training.compression(step),
        single_use=int(np.count_nonzero(uses == 1)),
        unused=int(np.count_nonzero(uses == 0)) - special,
    )


def doublings(last: int) -> list[int]:
    """Numbers of merges from 0 to `last`, doubling, and `last` itself.

    Raises ConfigError unless `last` is a whole number, at least 0.

    >>> doublings(6)
    [0, 1, 2, 4, 6]
    """
    most = checks.how_many(last) or 0
    return sorted({0, most, *(1 << power for power in range(most.bit_length()))})


def buys_little(costs: Iterable[VocabularyCost], *, base: int, little: float = LITTLE) -> int | None:
    """Vocabulary size from which each doubling saves less than the share `little` of the tokens.

    `costs`: must include the sizes from `halvings` of the largest; others are ignored. `base`: number of ids
    before any merge. None if the last doubling still saves more, or if there is no doubling.

    >>> from bpe_core import TrainConfig, train
    >>> training = train("ab " * 99 + "aab abb bba aaabb", TrainConfig(unit="char", split="words", vocab_size=12))
    >>> base = training.vocab_size - len(training.merges)
    >>> costs = training.sweep([size - base for size in halvings(training.vocab_size, base)])
    >>> [(cost.vocab_size, cost.tokens) for cost in costs], buys_little(costs, base=base)
    ([(5, 108), (10, 103)], 5)
    """
    tokens = {cost.vocab_size: cost.tokens for cost in costs}
    size, found = max(tokens, default=0), None
    while size >= 2 * base and size // 2 in tokens and tokens[size] > (1 - little) * tokens[size // 2]:
        size //= 2
        found = size
    return found


def halvings(size: int, base: int) -> list[int]:
    """Vocabulary sizes from `size` down to `base`, halving, the smallest first.

    Raises ConfigError unless both are whole numbers, at least 1.

    >>> halvings(2_100, 256)
    [262, 525, 1050, 2100]
    """
    at, least = checks.whole_number(size, "size", 1), checks.whole_number(base, "base", 1)
    found = []
    while at >= least:
        found.append(at)
        at //= 2
    return found[::-1]
