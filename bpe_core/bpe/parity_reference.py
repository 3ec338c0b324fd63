"""Parity-aware BPE in its plainest form: every step recounts the pairs of every language.

Source: Foroutan, Meister, Paul, Niklaus, Ahmadi, Bosselut and Sennrich, "Parity-Aware Byte-Pair Encoding: Improving
Cross-lingual Fairness in Tokenization" (2025), arXiv 2508.04796.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bpe_core.bpe.corpus import Corpus, Plan
from bpe_core.bpe.reference import Pair, choose, count_pairs, merge

GLOBAL = -1
"""In place of a language: the pair was chosen by its count in all texts."""

SHARE = 2
"""A language gets at most this many times an equal share of the choices in a window (α of the paper)."""


class FairMerge(NamedTuple):
    """One merge of a parity-aware training.

    language  index of the language served, or GLOBAL
    times     count of the pair in that language's text when it was chosen; for GLOBAL, in all texts
    replaced  occurrences replaced in each language

    >>> FairMerge(97, 98, language=1, times=3, replaced=(0, 3)).replaced[1]
    3
    """

    left: int
    right: int
    language: int
    times: int
    replaced: tuple[int, ...]


def learn_fairly(
    corpora: Sequence[Corpus], units: Sequence[int], plan: Plan, *, window: int = 0
) -> Iterator[FairMerge]:
    """Merge, up to `plan.most` times, the most frequent pair of the language with the fewest units per token.

    `units`: bytes, characters or lines of each language's text. `plan.forced`: pairs merged first, whatever their
    counts; they are GLOBAL. `window`: see `worst_off`. A language without a pair that occurs `plan.min_count` times is
    passed over for good, and the training ends when all are. Between equal rates the first language is served; between
    equal counts in it, `plan.tie_break` decides.

    >>> corpora = [Corpus.of([[0, 1, 2]], [4]), Corpus.of([[3, 4]], [6])]
    >>> for step in learn_fairly(corpora, [12, 6], Plan(first_id=5, most=3)):
    ...     print(step)
    FairMerge(left=3, right=4, language=1, times=6, replaced=(0, 6))
    FairMerge(left=0, right=1, language=0, times=4, replaced=(4, 0))
    FairMerge(left=6, right=2, language=0, times=4, replaced=(4, 0))
    """
    words = [corpus.words() for corpus in corpora]
    counts = [corpus.counts.tolist() for corpus in corpora]
    counted: list[dict[Pair, None]] = [{} for _ in corpora]
    chosen: list[int] = []
    for rank in range(plan.most):
        pairs = [count_pairs(*each) for each in zip(words, counts, strict=True)]
        if plan.tie_break == "first-counted":
            for at, found in enumerate(pairs):
                counted[at].update(dict.fromkeys(found))
                pairs[at] = {pair: found[pair] for pair in counted[at] if pair in found}
        if rank < len(plan.forced):
            pair, language = plan.forced[rank], GLOBAL
        else:
            tokens = [sum(len(w) * n for w, n in zip(*each, strict=True)) for each in zip(words, counts, strict=True)]
            order = worst_off(units, tokens, chosen, window)
            able = [each for each in order if max(pairs[each].values(), default=0) >= plan.min_count]
            if not able:
                return
            language = able[0]
            pair = choose(pairs[language], plan.tie_break)
            chosen.append(language)
        after = [[merge(word, pair, plan.first_id + rank) for word in each] for each in words]
        replaced = [
            sum(n * (len(old) - len(new)) for old, new, n in zip(*each, strict=True))
            for each in zip(words, after, counts, strict=True)
        ]
        times = sum(found.get(pair, 0) for found in (pairs if language == GLOBAL else [pairs[language]]))
        yield FairMerge(*pair, language, times, tuple(replaced))
        words = after


def worst_off(units: Sequence[int], tokens: Sequence[int], chosen: Sequence[int], window: int) -> list[int]:
    """Languages, the one with the fewest units per token first, equal ones in their order.

    `chosen`: the languages served so far. `window`: a language that has had more than SHARE equal shares of the last
    `window` choices comes after all others, so that no language is served forever; 0 for no such rule.

    >>> worst_off([100, 100, 100], [50, 80, 80], [], 0), worst_off([100, 100, 100], [50, 80, 80], [1, 1, 1], 4)
    ([1, 2, 0], [2, 0, 1])
    """
    last = chosen[-window:] if window else []

    def key(language: int) -> tuple[bool, float]:
        rate = units[language] / tokens[language] if tokens[language] else float("inf")
        return last.count(language) * len(units) > SHARE * window, rate

    return sorted(range(len(units)), key=key)
