"""The tokenizer that is chosen on the Encode page, and what the page calls it."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core import Encoding, Tokenizer, Training
from ui.encode import cache
from ui.session import state
from ui.shared.cache import tokenizer as known_tokenizer
from ui.shared.cache import trained_tokenizer
from ui.shared.display import title_of


@dataclass(frozen=True)
class ChosenTokenizer:
    """The chosen tokenizer and its names. `training` and `step` are None for a published one."""

    name: str
    title: str
    tokenizer: Tokenizer
    training: Training | None = None
    step: int | None = None

    @property
    def called(self) -> str:
        """Its name at the beginning of a sentence."""
        return self.title if self.training is None else "The trained tokenizer"

    def rank(self, rank: int) -> str:
        """How a rank is called: training counts merges from 1, as the Train page does."""
        return f"rank {rank:,}" if self.training is None else f"merge {rank + 1:,}"

    def encode(self, text: str) -> Encoding:
        """The tokens of a text in the special-token mode of the page. Raises CorpusError where they are refused."""
        return cache.encoding(self.tokenizer, text, state.ENCODE_SPECIAL.get())


def chosen_now(training: Training) -> ChosenTokenizer:
    """The tokenizer that the visitor chose; the trained one with all merges or up to the step that Train shows."""
    name = state.ENCODE_WITH.get()
    if name != state.TRAINED:
        return ChosenTokenizer(name, title_of(name), known_tokenizer(name, state.source(), state.CONFIG.get()))
    last = len(training.merges)
    step = shown_step(training) if state.ENCODE_MERGES.get() == "step" else last
    tokenizer = trained_tokenizer(state.source(), state.CONFIG.get(), step, state.FORKS.get())
    merges = f"all {last:,} merges" if step == last else f"the first {step:,} of {last:,} merges"
    return ChosenTokenizer(name, f"{title_of(name)}, {merges}", tokenizer, training, step)


def shown_step(training: Training) -> int:
    """The step that the Train page shows."""
    return min(state.STEP.get(), len(training.merges))
