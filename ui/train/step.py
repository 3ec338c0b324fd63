"""One step of a training: which one is shown, how to go to another, and what the cards need of it.

Nothing is drawn here. What a card needs is computed when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import TypeVar

import numpy as np
import streamlit as st

from bpe_core import Candidate, CountChange, Snapshot, Tokenizer, TrainConfig, Training
from bpe_core.language import _, n_, spoken
from ui.components.exchange import frame
from ui.components.token_flow import step_frame, symbols_key
from ui.components.tokens import Captions, Chip, Indices
from ui.memory.cache import looked_up
from ui.session import state
from ui.session.state import Forks, Source
from ui.shared import cache
from ui.shared.course import Course
from ui.shared.display import chip, pair_chips, plain
from ui.train.cache import STEPS, text_symbols

T = TypeVar("T")

WINDOW = 3_000
"""Of a training text of more characters, only a part is drawn; the counts are those of the whole text."""

PART = 1_200
"""Characters that are drawn of such a text: each one costs time at every step."""

CANDIDATES = 40
"""Pairs that are shown of those that the next merge can take."""

COURSE = Course(state.STEP, state.PLAYING)
"""What the player moves."""

TEXT_HEIGHT = 346
"""Pixels of the card's text."""

TEXT_VIEW = "text view"
"""The key of the training text in tokens."""

_EXAMPLES = 20_000
"""Characters of the text that are searched for the characters around byte pieces."""


@dataclass(frozen=True)
class Step:
    """One step of one training. Pages hold it for long: what is large of it is held by the memory of the app alone."""

    source: Source
    config: TrainConfig
    forks: Forks
    number: int
    """Merges that are applied."""
    last_told: int | None = None
    """The last step that the curves may show: a class that guesses sees no later one. None for all."""

    def now(self) -> Step:
        """The same training at the step where the visitor is by now.

        Runs the whole page where the training went meanwhile: it is made again in its turn, with its progress shown.
        """
        if not cache.training.is_at_hand(self.source, self.config, self.forks):
            st.rerun()
        return _of_visitor(self.source, self.config, self.forks)

    def at(self, number: int) -> Step:
        """The same training at this step, 0 … last."""
        return replace(self, number=number)

    @looked_up
    def training(self) -> Training:
        """The training that this is a step of."""
        return cache.training(self.source, self.config, self.forks)

    @property
    def last(self) -> int:
        """The last step."""
        return len(self.training.merges)

    @property
    def at_end(self) -> bool:
        """Whether there is no merge after this step."""
        return self.number == self.last

    @property
    def made(self) -> int:
        """Tokens that this step's merge made of two each: so many the text has less. 0 at step 0."""
        return self.training.token_count(max(self.number - 1, 0)) - self.training.token_count(self.number)

    @property
    def saved(self) -> float:
        """The share of the text's symbols that all merges so far saved."""
        symbols = self.training.token_count(0)
        return 1 - self.training.token_count(self.number) / symbols if symbols else 0.0

    def fits(self, drawn: Step) -> bool:
        """Whether the page that was drawn is of this training, and its curves reach as far as they may."""
        return state.FORKS.get() == self.forks and drawn.last_told == self.last_told

    def once(self, part: str, make: Callable[[], T]) -> T:
        """A part of what is drawn of this step, made once for all visitors who are at it and are spoken to in one
        language; what it is depends on nothing else. The part's name says what does not belong to the step."""
        return STEPS.get((self.source.digest, self.config, self.forks, self.number, spoken(), part), make)

    @cached_property
    def name_of_training(self) -> str:
        """A short name, the same for all steps of this training and for no other."""
        return blake2b(repr((self.source.digest, self.config, self.forks)).encode(), digest_size=8).hexdigest()

    @looked_up
    def snapshot(self) -> Snapshot:
        """The state of the text at this step."""
        return cache.snapshot(self.source, self.config, self.number, self.forks)

    @looked_up
    def before(self) -> Snapshot:
        """The state one step earlier."""
        return cache.snapshot(self.source, self.config, self.number - 1, self.forks)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The first pairs that the next merge can take, in the rule's order."""
        return self.snapshot.candidates(CANDIDATES)

    @cached_property
    def changes(self) -> list[CountChange]:
        """Every pair whose count this step's merge changed."""
        return self.snapshot.changes()

    @looked_up
    def tokenizer(self) -> Tokenizer:
        """The tokenizer of all merges, which knows the bytes of every id."""
        return cache.trained_tokenizer(self.source, self.config, None, self.forks)

    @cached_property
    def _examples(self) -> bytes:
        return self.source.text[:_EXAMPLES].encode("utf-8", "replace")

    def chip(self, token_id: int) -> Chip:
        """A token as a chip, byte pieces with the characters they are parts of."""
        return chip(self.tokenizer, token_id, self._examples)

    def pair(self, left: int, right: int) -> tuple[Chip, Chip]:
        """A pair of tokens as chips, byte pieces with the characters they are parts of as neighbours."""
        return pair_chips(self.tokenizer, left, right, self._examples)

    def name(self, token_id: int) -> str:
        """A token in a sentence: its text with white space marked, or its bytes in hex."""
        return plain(self.tokenizer.token_bytes(token_id)).removeprefix("bytes ").removeprefix("byte ")


def step_now() -> Step:
    """Where the visitor is now."""
    source, config, forks = state.source(), state.CONFIG.get(), state.FORKS.get()
    return _of_visitor(source, config, forks)


def _of_visitor(source: Source, config: TrainConfig, forks: Forks) -> Step:
    """The step of this training where the visitor is."""
    number = min(state.STEP.get(), len(cache.training(source, config, forks).merges))
    return Step(source, config, forks, number, number if state.PREDICTING.get() else None)


# -- the training text at a step ---------------------------------------------------------------------------------


def training_text(step: Step) -> bytes:
    """The training text, or the part of it where this step's merge first occurs, at the step: a frame.

    The browser finds out the tokens itself, from `symbols_frame` or, where only a part is drawn, from what is in here.
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
    """The training text in base symbols, from which the browser finds out its tokens at every step: a frame by its key.

    Nothing for a long text: of it only a part is drawn, which each step brings.
    """
    if _is_long(step):
        return {}
    symbols = text_symbols(step.source, step.config, 0, WINDOW, step.forks)
    return {symbols_key(TEXT_VIEW): frame({}, symbols)}


def size_words(step: Step, tokens: int, compression: float, saved: float, caption: str) -> Captions:
    """The words around a text: its tokens, how long they are, what share of its symbols they save, the line below."""
    words = {"length": compression, "saved": share_saved(saved)}
    rest = (
        _("{length:.2f} bytes per token · {saved}", **words)
        if step.config.unit == "byte"
        else _("{length:.2f} characters per token · {saved}", **words)
    )
    return Captions(n_("{count:,} token", "{count:,} tokens", tokens), rest, caption)


def share_saved(saved: float) -> str:
    """The share of the symbols that merging saved, in percent; end-of-word marks can make it less than none."""
    return _("{share:.1%} saved", share=saved) if saved >= 0 else _("{share:.1%} longer", share=-saved)


def fresh_tokens(step: Step, ids: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> Indices:
    """The numbers of the tokens that this step's merge made."""
    return np.flatnonzero(ids == step.training.merges[step.number - 1].token_id) if step.number else ()


def _is_long(step: Step) -> bool:
    return len(step.training.text) > WINDOW


def _part(step: Step) -> tuple[int, int]:
    """Where the part begins that is drawn, and its size: the beginning, or where this step's merge first occurs."""
    if not _is_long(step):
        return 0, WINDOW
    text = step.training.text
    place = step.training.first_place(step.number) or 0
    return (max(text.rfind("\n", place - 400, place) + 1, place - 400) if place > PART - 200 else 0), PART


def _caption(step: Step, start: int) -> str:
    """The line below the text. Of a part, the browser says before it which characters these are."""
    if _is_long(step):
        return _(", where this merge first occurs.") if start else _("; counts are of the whole text.")
    if step.number:
        return _("Outlined: made by this merge. Click a token: where does it come from?")
    return _("Nothing is merged yet.")


# -- pairs in a snapshot -----------------------------------------------------------------------------------------


def tied(snapshot: Snapshot) -> tuple[int, list[Candidate]]:
    """How many pairs share the largest count, and the first of them in the rule's order."""
    counts = snapshot.pairs.count
    many = int(np.count_nonzero(counts == counts.max(initial=0)))
    return many, snapshot.candidates(min(many, 50))


def first_word(snapshot: Snapshot, left: int, right: int) -> tuple[int, tuple[int, ...]] | None:
    """Where a pair first occurs: the number of the distinct word (the first is 0), and its tokens."""
    ids, offsets, _counts = snapshot.corpus
    places = np.flatnonzero((ids[:-1] == left) & (ids[1:] == right))
    words = np.searchsorted(offsets, places, side="right") - 1
    inside = places + 1 < offsets[words + 1]
    if not inside.any():
        return None
    word = int(words[inside][0])
    return word, tuple(ids[offsets[word] : offsets[word + 1]].tolist())


# -- to go to another step ---------------------------------------------------------------------------------------


def go_to(step: int) -> None:
    """Show another step, and stop playing; for callbacks."""
    COURSE.go_to(step)
