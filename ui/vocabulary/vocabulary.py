"""The shown vocabulary: a tokenizer, facts about its tokens, and the count of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bpe_core import Tokenizer, TrainConfig, Training
from bpe_core.arrays import sorted_place
from bpe_core.bpe.training_step import Forks
from bpe_core.comparison.reach import Unreached
from bpe_core.payloads.chips import Chip
from bpe_core.published.known_glitches import GlitchToken, glitch_tokens
from bpe_core.tokenizer.chips import chip
from bpe_core.tokenizer.facts import TokenFacts
from ui.cache import facts_of, tokenizer, trained_tokenizer, training
from ui.session import training as training_state
from ui.session import vocabulary as state
from ui.session.learned_tokenizers import is_learned
from ui.session.tokenizer_choice import TRAINED
from ui.session.training import Source
from ui.vocabulary import cache

_EXAMPLES = 20_000
"""Characters of the text searched for the characters around byte pieces."""


@dataclass(frozen=True)
class Vocabulary:
    """A tokenizer and its tokens. `training` is None for a published tokenizer."""

    name: str
    tokenizer: Tokenizer
    training: Training | None
    facts: TokenFacts
    uses: npt.NDArray[np.int64]
    """Count of each of `facts.ids` in the training text, encoded with all merges."""
    text: str

    @cached_property
    def created(self) -> npt.NDArray[np.int32]:
        """Step at which each token was created, 0 for base symbols; in a published vocabulary, its rank."""
        if self.training is None:
            return self.facts.ids
        return np.maximum(self.facts.ids - self.training.first_id + 1, 0)

    def unreached(self) -> dict[int, Unreached]:
        """Tokens that no text produces, with reasons; cached, as a large vocabulary takes seconds. Raises BpeError."""
        return cache.unreached_of(*self._made_of())

    def merged_at_once(self) -> dict[int, int]:
        """Tokens that the very next merge joined into a longer token, each with that token; cached."""
        return cache.merged_at_once_of(*self._made_of())

    @cached_property
    def glitches(self) -> dict[int, GlitchToken]:
        """Known glitch tokens."""
        return glitch_tokens(self.tokenizer)

    def _made_of(self) -> tuple[str, Source, TrainConfig, Forks]:
        """Cache key of the tokenizer."""
        if self.training is not None:
            return self.name, training_state.source(), training_state.CONFIG.get(), training_state.FORKS.get()
        return self.name, training_state.source() if is_learned(self.name) else Source("", "", ""), TrainConfig(), ()

    @cached_property
    def _text(self) -> bytes:
        return self.text[:_EXAMPLES].encode("utf-8", "replace")

    def chip(self, token_id: int) -> Chip:
        """A token as a chip; byte pieces are shown with the characters they belong to."""
        return chip(self.tokenizer, token_id, self._text)

    def row(self, token_id: int | None) -> int | None:
        """Index of an id in the arrays of `facts`; None if there is no such id."""
        if token_id is None:
            return None
        row = sorted_place(self.facts.ids, token_id)
        return row if row < len(self.facts) and self.facts.ids[row] == token_id else None

    def lengths(self) -> npt.NDArray[np.int32]:
        """Token lengths in the chosen unit, bytes or characters."""
        return self.facts.byte_lengths if state.LENGTH_IN.get() == "bytes" else self.facts.char_lengths


def shown() -> Vocabulary:
    """The vocabulary chosen in this session."""
    name, source = state.VOCABULARY_OF.get(), training_state.source()
    if name == TRAINED:
        config, forks = training_state.CONFIG.get(), training_state.FORKS.get()
        return Vocabulary(
            name,
            trained_tokenizer(source, config, None, forks),
            training(source, config, forks),
            facts_of(name, source, config, forks),
            cache.trained_uses(source, config, forks),
            source.text,
        )
    return Vocabulary(
        name,
        tokenizer(name, source, training_state.CONFIG.get()),
        None,
        facts_of(name, source, training_state.CONFIG.get(), ()),
        cache.pretrained_uses(name, source),
        source.text,
    )
