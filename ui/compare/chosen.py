"""What is compared: which tokenizers, on which text, with special tokens read how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bpe_core import Comparison, Disagreement, TrainConfig
from bpe_core.comparison.totals import Alike
from bpe_core.tokenizer.tokenizer import Special
from ui.compare import cache
from ui.session import compare as state
from ui.session import training
from ui.session.tokenizer_choice import in_order
from ui.session.training import Forks, Source


class Chosen(NamedTuple):
    """The choices that decide a comparison; they are its key in the cache, in this order."""

    names: tuple[str, ...]
    source: Source
    config: TrainConfig
    forks: Forks
    text: Source  # the cache knows it by its digest: hashing a long text again and again is slow
    special: Special

    @classmethod
    def now(cls, text: str) -> Chosen:
        """What the visitor has chosen, tokenizers in the order of `state.tokenizers`."""
        names = in_order(state.WITH.get())
        special = state.SPECIAL.get()
        compared = Source("compared", "", text)
        return cls(names, training.source(), training.CONFIG.get(), training.FORKS.get(), compared, special)

    def comparison(self) -> Comparison:
        """The comparison. Raises BpeError for a text that cannot be encoded."""
        return cache.comparison(*self)

    def is_compared(self) -> bool:
        """Whether the comparison is at hand."""
        return cache.comparison.is_at_hand(*self)

    def pair(self) -> tuple[str, str] | None:
        """The two tokenizers whose disagreements are shown, both among those compared; None for fewer than two."""
        if len(self.names) < 2:
            return None
        left, right = state.LEFT.get(), state.RIGHT.get()
        left = left if left in self.names else next(name for name in self.names if name != right)
        right = right if right in self.names and right != left else next(n for n in self.names if n != left)
        return left, right

    def disagreements(self, pair: tuple[str, str]) -> Sequence[Disagreement]:
        """Where the two differ."""
        return cache.disagreements(*pair, *self)

    def alike(self, pair: tuple[str, str]) -> Sequence[Alike]:
        """Where the two differ, equal places as one."""
        return cache.alike_disagreements(*pair, *self)

    def is_explained(self, pair: tuple[str, str]) -> bool:
        """Whether the disagreements of the two are at hand."""
        return cache.disagreements.is_at_hand(*pair, *self)
