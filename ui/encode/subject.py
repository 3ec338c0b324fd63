"""What the Encode page is about right now: a text, a tokenizer, and the tokens that it makes of the text."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from bpe_core import Encoding, Tokenizer, Training
from ui import cache, state
from ui.display import title_of

_MODES = {"text": "as plain text", "parse": "parsed", "raise": "refused"}


@dataclass(frozen=True)
class Subject:
    """The chosen tokenizer and what there is to say about it. `training` and `step` are None for a published one."""

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
        return cache.encoding(
            self.name,
            state.source(),
            state.CONFIG.get(),
            text,
            state.ENCODE_SPECIAL.get(),
            self.step,
            state.FORKS.get(),
        )


def subject(training: Training) -> Subject:
    """The tokenizer that the visitor chose; the trained one with all of its merges or as far as Train shows them."""
    name = state.ENCODE_WITH.get()
    if name != state.TRAINED:
        return Subject(name, title_of(name), cache.tokenizer(name, state.source(), state.CONFIG.get()))
    last = len(training.merges)
    step = shown_step(training) if state.ENCODE_MERGES.get() == "step" else last
    tokenizer = cache.trained_tokenizer(state.source(), state.CONFIG.get(), step, state.FORKS.get())
    merges = f"all {last:,} merges" if step == last else f"the first {step:,} of {last:,} merges"
    return Subject(name, f"{title_of(name)}, {merges}", tokenizer, training, step)


def shown_step(training: Training) -> int:
    """The step that the Train page shows."""
    return min(state.STEP.get(), len(training.merges))


def mode() -> str:
    """The special-token mode in words."""
    return f"special tokens {_MODES[state.ENCODE_SPECIAL.get()]}"


def rerun_if_handed_over() -> None:
    """One half of the page gave the other something new: run both. For the top of each half's fragment."""
    if state.ENCODE_HANDED_OVER.get():
        state.ENCODE_HANDED_OVER.set(False)
        st.rerun()
