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
import numpy.typing as npt
import streamlit as st

from bpe_core import Candidate, CountChange, Snapshot, Tokenizer, TrainConfig, Training
from bpe_core.bpe.text_frames import step_frame, symbols_key
from bpe_core.language import _, current_language, n_
from bpe_core.payloads.captions import Captions
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import frame
from bpe_core.payloads.spans import Indices
from bpe_core.tokenizer.chips import chip, pair_chips, plain
from ui import cache
from ui.memory.cache import weakly_cached
from ui.session import training as state
from ui.session.training import Forks, Source
from ui.train.cache import STEPS, text_symbols
from ui.train.drawing import examples_of
from ui.widgets.playback import Playback

T = TypeVar("T")

WINDOW = 3_000
"""Characters above which only a part of a training text is drawn; counts cover the whole text."""

PART = 1_200
"""Characters in that part; each costs time at every step."""

CANDIDATES = 40
"""Maximum number of candidates shown."""

COURSE = Playback(state.STEP, state.PLAYING)
"""Session values moved by the player."""

TEXT_HEIGHT = 346
"""Height of the text in pixels."""

TEXT_VIEW = "text view"
"""Key of the view of the training text."""


@dataclass(frozen=True)
class Step:
    """A step of a training. Pages hold it for long, so large values stay only in the evictable cache."""

    source: Source
    config: TrainConfig
    forks: Forks
    number: int
    """Number of applied merges."""
    last_visible: int | None = None
    """Last step visible on the curves: in predict mode, the current one. None for all."""

    def now(self) -> Step:
        """The same training at the session's current step.

        Reruns the page if the training was evicted, so that it is computed in its turn with progress shown.
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
    def last(self) -> int:
        """The last step."""
        return len(self.training.merges)

    @property
    def at_end(self) -> bool:
        """Whether this is the last step."""
        return self.number == self.last

    @property
    def made(self) -> int:
        """Tokens made by this step's merge, each from two: also the decrease in tokens. 0 at step 0."""
        return self.training.token_count(max(self.number - 1, 0)) - self.training.token_count(self.number)

    @property
    def saved(self) -> float:
        """Share of the text's symbols saved by the merges so far."""
        symbols = self.training.token_count(0)
        return 1 - self.training.token_count(self.number) / symbols if symbols else 0.0

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

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The first candidates for the next merge, in the rule's order."""
        return self.snapshot.candidates(CANDIDATES)

    @cached_property
    def changes(self) -> list[CountChange]:
        """All pairs whose count this step's merge changed."""
        return self.snapshot.changes()

    @weakly_cached
    def tokenizer(self) -> Tokenizer:
        """Tokenizer with all merges; it has the bytes of every id."""
        return cache.trained_tokenizer(self.source, self.config, None, self.forks)

    @cached_property
    def _examples(self) -> bytes:
        return examples_of(self.source.text)

    def chip(self, token_id: int) -> Chip:
        """A token as a chip; byte pieces are shown with the characters they belong to."""
        return chip(self.tokenizer, token_id, self._examples)

    def pair(self, left: int, right: int) -> tuple[Chip, Chip]:
        """A pair as chips; byte pieces are shown with the characters they belong to in an occurrence of the pair."""
        return pair_chips(self.tokenizer, left, right, self._examples)

    def name(self, token_id: int) -> str:
        """A token for use in sentences: text with marked white space, or hex bytes."""
        return plain(self.tokenizer.token_bytes(token_id)).removeprefix("bytes ").removeprefix("byte ")


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
    tokens, compression = step.training.token_count(step.number), step.training.compression(step.number)
    return step_frame(
        step.number,
        symbols,
        of=step.name_of_training,
        part=(start, len(step.training.text)) if _is_long(step) else None,
        key=TEXT_VIEW,
        label=_("The training text in tokens"),
        captions=size_words(step, tokens, compression, step.saved, _caption(step, start)),
        height=TEXT_HEIGHT,
    )


def symbols_frame(step: Step) -> dict[str, bytes]:
    """Frame of the training text in base symbols by key, from which the browser computes its tokens at every step.

    Empty for a long text, where each step's frame contains the drawn part.
    """
    if _is_long(step):
        return {}
    symbols = text_symbols(step.source, step.config, 0, WINDOW, step.forks)
    return {symbols_key(TEXT_VIEW): frame({}, symbols)}


def size_words(step: Step, tokens: int, compression: float, saved: float, caption: str) -> Captions:
    """Captions of a text: token count, mean token length, share of symbols saved, and the line below."""
    words = {"length": compression, "saved": share_saved(saved)}
    rest = (
        _("{length:.2f} bytes per token · {saved}", **words)
        if step.config.unit == "byte"
        else _("{length:.2f} characters per token · {saved}", **words)
    )
    return Captions(n_("{count:,} token", "{count:,} tokens", tokens), rest, caption)


def share_saved(saved: float) -> str:
    """Percentage of symbols saved by merging; negative savings, due to end-of-word marks, count as longer."""
    return _("{share:.1%} saved", share=saved) if saved >= 0 else _("{share:.1%} longer", share=-saved)


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
    """Line below the text. For a part, the browser prepends the range of characters."""
    if _is_long(step):
        return _(", where this merge first occurs.") if start else _("; counts are of the whole text.")
    if step.number:
        return _("Outlined: made by this merge.") + "\n" + _("Click a token to see where it came from.")
    return _("Nothing is merged yet.")


# -- pairs in a snapshot -----------------------------------------------------------------------------------------


def tied(snapshot: Snapshot) -> tuple[int, list[Candidate]]:
    """Number of pairs with the largest count, and the first of them in the rule's order."""
    counts = snapshot.pairs.count
    many = int(np.count_nonzero(counts == counts.max(initial=0)))
    return many, snapshot.candidates(min(many, 50))


def first_word(snapshot: Snapshot, left: int, right: int) -> tuple[int, npt.NDArray[np.int32]] | None:
    """First occurrence of a pair: index of the distinct word, and its tokens, a view of the corpus."""
    ids, offsets, _counts = snapshot.corpus
    places = np.flatnonzero((ids[:-1] == left) & (ids[1:] == right))
    words = np.searchsorted(offsets, places, side="right") - 1
    inside = places + 1 < offsets[words + 1]
    if not inside.any():
        return None
    word = int(words[inside][0])
    return word, ids[offsets[word] : offsets[word + 1]]


# -- going to another step ---------------------------------------------------------------------------------------


def go_to(step: int) -> None:
    """Show another step and stop playing; for callbacks."""
    COURSE.go_to(step)
