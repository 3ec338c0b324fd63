"""A step of a training: the current one, navigation, and data for the cards.

Nothing is drawn here. Data for cards is computed lazily.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import TypeVar

import numpy as np
import streamlit as st

from bpe_core import Snapshot, Tokenizer, TrainConfig, Training
from bpe_core.bpe.training_step import Forks, TrainingStep, step_text
from bpe_core.language import _, current_language
from bpe_core.payloads.frames import frame, symbols_key, unseen_field
from bpe_core.payloads.spans import Indices
from ui import cache
from ui.memory.cache import weakly_cached
from ui.session import training as state
from ui.session.training import Source
from ui.train.cache import STEPS, text_symbols, unseen_in
from ui.views.player import Playback

T = TypeVar("T")

WINDOW = 3_000
"""Characters above which only a part of a training text is drawn; counts cover the whole text."""

PART = 1_200
"""Characters in that part; each costs time at every step."""

COURSE = Playback(state.STEP, state.PLAYING)
"""Session values moved by the player."""

TEXT_VIEW = "text view"
"""Key of the view of the training text."""


@dataclass(frozen=True)
class Step(TrainingStep):
    """A step of a training. Pages hold it for long, so large values stay only in the evictable cache."""

    source: Source
    config: TrainConfig
    forks: Forks
    number: int
    """Number of applied merges."""
    last_visible: int | None = None
    """Last step visible on the curves: in predict mode, the current one. None for all."""

    def now(self) -> Step:
        """This training at the session's current step.

        Reruns the page if the training was evicted, so that it is queued again, with progress.
        """
        if not cache.training.is_cached(self.source, self.config, self.forks):
            st.rerun()
        return _of_visitor(self.source, self.config, self.forks)

    def at(self, number: int) -> Step:
        """The same training at another step, 0 … last."""
        return replace(self, number=number)

    @weakly_cached
    def training(self) -> Training:
        """The step's training."""
        return cache.training(self.source, self.config, self.forks)

    @property
    def text(self) -> str:
        """The training text, even for a training on counts."""
        return self.source.text

    def fits(self, drawn: Step) -> bool:
        """Whether a drawn page shows this training, with its curves up to the same step."""
        return state.FORKS.get() == self.forks and drawn.last_visible == self.last_visible

    def once(self, part: str, make: Callable[[], T]) -> T:
        """A drawn part of this step, computed once for all sessions at it with the same language.

        It must depend on nothing else; the part's name includes any other parameter."""
        return STEPS.get((self.source.digest, self.config, self.forks, self.number, current_language(), part), make)

    @cached_property
    def name_of_training(self) -> str:
        """Short unique id of this training, independent of the step."""
        return blake2b(repr((self.source.digest, self.config, self.forks)).encode(), digest_size=8).hexdigest()

    @weakly_cached
    def snapshot(self) -> Snapshot:
        """State of the text at this step."""
        return cache.snapshot(self.source, self.config, self.number, self.forks)

    @weakly_cached
    def before(self) -> Snapshot:
        """State one step earlier."""
        return cache.snapshot(self.source, self.config, self.number - 1, self.forks)

    @weakly_cached
    def tokenizer(self) -> Tokenizer:
        """Tokenizer with all merges, which knows the bytes of every id."""
        return cache.trained_tokenizer(self.source, self.config, None, self.forks)


def step_now() -> Step:
    """The session's current step."""
    source, config, forks = state.source(), state.CONFIG.get(), state.FORKS.get()
    return _of_visitor(source, config, forks)


def _of_visitor(source: Source, config: TrainConfig, forks: Forks) -> Step:
    """The session's current step of this training."""
    number = min(state.STEP.get(), len(cache.training(source, config, forks).merges))
    return Step(source, config, forks, number, number if state.PREDICTING.get() else None)


# -- the training text at a step ---------------------------------------------------------------------------------


def training_text(step: Step) -> bytes:
    """Frame of the training text at the step; of a long text, the part where the step's merge first occurs.

    The browser computes the tokens from `symbols_frame`, or from this frame if only a part is drawn.
    """
    return step.once("text", lambda: _training_text(step))


def _training_text(step: Step) -> bytes:
    start, size = _part(step)
    symbols = text_symbols(step.source, step.config, start, size, step.forks)
    caption = _caption(step, start)
    if not _is_long(step):
        return step_text(step, symbols, key=TEXT_VIEW, caption=caption)
    part = (start, len(step.training.text))
    unseen = unseen_in(step.source, step.config, start, size, step.forks)
    return step_text(step, symbols, key=TEXT_VIEW, caption=caption, part=part, unseen=unseen)


def symbols_frame(step: Step) -> dict[str, bytes]:
    """Frame of the training text in base symbols by key, from which the browser computes its tokens at every step.

    Empty for a long text, where each step's frame contains the drawn part.
    """
    if _is_long(step):
        return {}
    symbols = text_symbols(step.source, step.config, 0, WINDOW, step.forks)
    unseen = unseen_in(step.source, step.config, 0, WINDOW, step.forks)
    return {symbols_key(TEXT_VIEW): frame(unseen_field(unseen), symbols)}


def fresh_tokens(step: Step, ids: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> Indices:
    """Indices of the tokens made by this step's merge."""
    return np.flatnonzero(ids == step.training.merges[step.number - 1].token_id) if step.number else ()


def _is_long(step: Step) -> bool:
    return len(step.training.text) > WINDOW


def _part(step: Step) -> tuple[int, int]:
    """Start and size of the drawn part: the start of the text, or the place where this step's merge first occurs."""
    if not _is_long(step):
        return 0, WINDOW
    text = step.training.text
    place = step.training.first_place(step.number) or 0
    return (max(text.rfind("\n", place - 400, place) + 1, place - 400) if place > PART - 200 else 0), PART


def _caption(step: Step, start: int) -> str:
    """Line below a part of a text, to which the browser prepends the range of characters; "" for a whole text."""
    if not _is_long(step):
        return ""
    return _("This merge first occurs here.") if start else _("Counts are of the whole text.")


# -- going to another step ---------------------------------------------------------------------------------------


def go_to(step: int) -> None:
    """Show another step and stop playing; for callbacks."""
    COURSE.go_to(step)
