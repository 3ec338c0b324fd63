"""Where the visitor is: a training, its step, and what the cards need of both, each computed when first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bpe_core import Candidate, CountChange, Snapshot, Tokenizer, TrainConfig, Training
from ui import cache, state
from ui.charts import COUNTS_SHOWN
from ui.display import chip, pair_chips, plain
from ui.state import Forks, Source
from ui.token_view import Chip

_EXAMPLES = 20_000
"""Characters of the text that are searched for the characters around byte pieces."""


@dataclass(frozen=True)
class Here:
    """One step of one training."""

    source: Source
    config: TrainConfig
    forks: Forks
    training: Training
    step: int

    @property
    def last(self) -> int:
        """The last step."""
        return len(self.training.merges)

    @property
    def at_end(self) -> bool:
        """Whether there is no merge after this step."""
        return self.step == self.last

    @property
    def symbols(self) -> str:
        """What the text consists of before any merge."""
        return "bytes" if self.config.unit == "byte" else "characters"

    @cached_property
    def snapshot(self) -> Snapshot:
        """The state of the text at this step."""
        return cache.snapshot(self.source, self.config, self.step, self.forks)

    @cached_property
    def before(self) -> Snapshot:
        """The state one step earlier."""
        return cache.snapshot(self.source, self.config, self.step - 1, self.forks)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The first pairs that the next merge can take, in the rule's order."""
        return self.snapshot.candidates(COUNTS_SHOWN)

    @cached_property
    def changes(self) -> list[CountChange]:
        """Every pair whose count this step's merge changed."""
        return self.snapshot.changes()

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer of all merges, which knows the bytes of every id."""
        return cache.trained_tokenizer(self.source, self.config, None, self.forks)

    @cached_property
    def _text(self) -> bytes:
        return self.source.text[:_EXAMPLES].encode("utf-8", "replace")

    def chip(self, token_id: int) -> Chip:
        """A token as a chip, byte pieces with the characters they are parts of."""
        return chip(self.tokenizer, token_id, self._text)

    def pair(self, left: int, right: int) -> tuple[Chip, Chip]:
        """A pair of tokens as chips, byte pieces with the characters they are parts of as neighbours."""
        return pair_chips(self.tokenizer, left, right, self._text)

    def name(self, token_id: int) -> str:
        """A token in a sentence: its text with white space marked, or its bytes in hex."""
        return plain(self.tokenizer.token_bytes(token_id)).removeprefix("bytes ").removeprefix("byte ")


def tied(snapshot: Snapshot) -> tuple[int, list[Candidate]]:
    """How many pairs share the largest count, and the first of them in the rule's order."""
    counts = snapshot.pairs.count
    many = int(np.count_nonzero(counts == counts.max(initial=0)))
    return many, snapshot.candidates(min(many, 50))


def first_word(snapshot: Snapshot, left: int, right: int) -> tuple[int, tuple[int, ...]] | None:
    """Where a pair stands first: the number of the distinct word (the first is 0), and its tokens."""
    ids, offsets, _ = snapshot.corpus
    places = np.flatnonzero((ids[:-1] == left) & (ids[1:] == right))
    words = np.searchsorted(offsets, places, side="right") - 1
    inside = places + 1 < offsets[words + 1]
    if not inside.any():
        return None
    word = int(words[inside][0])
    return word, tuple(ids[offsets[word] : offsets[word + 1]].tolist())


def here_now() -> Here:
    """Where the visitor is now."""
    source, config, forks = state.source(), state.CONFIG.get(), state.FORKS.get()
    training = cache.training(source, config, forks)
    return Here(source, config, forks, training, min(state.STEP.get(), len(training.merges)))
