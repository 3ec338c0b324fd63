"""Inputs of a comparison: tokenizers, text, and treatment of special tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bpe_core import Comparison, Disagreement, TrainConfig
from bpe_core.bpe.training_step import Forks
from bpe_core.comparison.totals import EqualDisagreements
from bpe_core.tokenizer.tokenizer import Special
from ui.compare import cache
from ui.session import compare as state
from ui.session import training
from ui.session.tokenizer_choice import in_order
from ui.session.training import Source


class Chosen(NamedTuple):
    """Choices that determine a comparison; in this order they are its cache key."""

    names: tuple[str, ...]
    source: Source
    config: TrainConfig
    forks: Forks
    text: Source  # the cache key uses its digest: repeatedly hashing a long text is slow
    special: Special

    @classmethod
    def now(cls, text: str) -> Chosen:
        """Current choices of the session, with tokenizers in the order of `tokenizers()`."""
        names = in_order(state.WITH.get())
        special = state.SPECIAL.get()
        compared = Source("compared", "", text)
        return cls(names, training.source(), training.CONFIG.get(), training.FORKS.get(), compared, special)

    def comparison(self) -> Comparison:
        """The cached comparison. Raises BpeError for a text that cannot be encoded."""
        return cache.comparison(*self)

    def is_compared_after(self, before: str) -> bool:
        """Whether the comparison is cached, after updating it from that of the text before an edit if possible."""
        return cache.changed_comparison(Source("compared", "", before), *self) is not None

    def is_compared(self) -> bool:
        """Whether the comparison is cached."""
        return cache.comparison.is_cached(*self)

    def pair(self) -> tuple[str, str] | None:
        """The two compared tokenizers whose disagreements are shown; None for fewer than two."""
        if len(self.names) < 2:
            return None
        left, right = state.LEFT.get(), state.RIGHT.get()
        left = left if left in self.names else next(name for name in self.names if name != right)
        right = right if right in self.names and right != left else next(n for n in self.names if n != left)
        return left, right

    def disagreements(self, pair: tuple[str, str]) -> Sequence[Disagreement]:
        """Disagreements of the two tokenizers."""
        return cache.disagreements(*pair, *self)

    def groups(self, pair: tuple[str, str]) -> Sequence[EqualDisagreements]:
        """Disagreements of the two tokenizers, with equal ones grouped."""
        return cache.grouped_disagreements(*pair, *self)

    def is_explained(self, pair: tuple[str, str]) -> bool:
        """Whether the disagreements of the two tokenizers are cached."""
        return cache.disagreements.is_cached(*pair, *self)
