"""The tokenizer chosen on the Encode page, and its display names."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core import Encoding, Tokenizer, Training
from bpe_core.language import _, translate
from bpe_core.tokenizer.encoding_page import rank_words
from ui.cache import tokenizer as known_tokenizer
from ui.cache import trained_tokenizer
from ui.encode import cache
from ui.session import encode as state
from ui.session import training as training_state
from ui.session.tokenizer_choice import TRAINED
from ui.widgets.display import title_of


@dataclass(frozen=True)
class ChosenTokenizer:
    """The chosen tokenizer and its display names. `training` and `step` are None for a published one."""

    name: str
    title: str
    tokenizer: Tokenizer
    training: Training | None = None
    step: int | None = None

    @property
    def called(self) -> str:
        """Name for the beginning of a sentence."""
        return self.title if self.training is None else _("The trained tokenizer")

    @property
    def counts_merges(self) -> bool:
        """Whether its merges are numbered as on Train: all come from the training, none from a base tokenizer."""
        return self.training is not None and self.training.base is None

    def merge_number(self, token_id: int) -> int | None:
        """Number of the training's merge that made a token, from 1; None for any other token."""
        if self.training is None:
            return None
        number = token_id - self.training.first_id + 1
        return number if number > 0 else None

    def rank(self, rank: int) -> str:
        """Display name of a rank; a training counts merges from 1, as the Train page does."""
        if not self.counts_merges:
            return rank_words(rank)
        return _("merge {number:,}", number=rank + 1)

    def encode(self, text: str) -> Encoding:
        """Encode a text in the page's special-token mode. Raises CorpusError if special tokens are refused."""
        return cache.encoding(self.tokenizer, text, state.SPECIAL.get())


def chosen_now(training: Training) -> ChosenTokenizer:
    """The chosen tokenizer; a trained one with all merges or those up to Train's step."""
    name = state.WITH.get()
    if name != TRAINED:
        return ChosenTokenizer(
            name, translate(title_of(name)), known_tokenizer(name, training_state.source(), training_state.CONFIG.get())
        )
    last = len(training.merges)
    step = shown_step(training) if state.MERGES.get() == "step" else last
    tokenizer = trained_tokenizer(
        training_state.source(), training_state.CONFIG.get(), step, training_state.FORKS.get()
    )
    title = (
        _("{tokenizer}, all {merges:,} merges", tokenizer=title_of(name), merges=last)
        if step == last
        else _("{tokenizer}, the first {step:,} of {merges:,} merges", tokenizer=title_of(name), step=step, merges=last)
    )
    return ChosenTokenizer(name, title, tokenizer, training, step)


def shown_step(training: Training) -> int:
    """The step shown on the Train page."""
    return min(training_state.STEP.get(), len(training.merges))
