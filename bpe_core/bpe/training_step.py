"""A training at one of its steps, with the data of its views. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bpe_core.bpe.snapshot import Candidate, CountChange, Snapshot
from bpe_core.language import _, n_
from bpe_core.payloads.captions import Captions
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import Body, step_frame
from bpe_core.tokenizer.chips import chip, pair_chips, plain
from bpe_core.tokenizer.tokenizer import Tokenizer

if TYPE_CHECKING:
    from bpe_core.bpe.training import Training

CANDIDATES = 40
"""Maximum number of candidates shown."""

Forks = tuple[tuple[int, int, int], ...]
"""Merges chosen by hand instead of by the rule, each on top of the previous one: (step, left id, right id)."""

TEXT_HEIGHT = 346
"""Height of a text in pixels."""

_EXAMPLES = 20_000
"""Characters of a text that are searched for the characters that byte pieces belong to."""


class TrainingStep:
    """A training after its first `number` merges. Expensive attributes are computed on first access.

    >>> from bpe_core import TrainConfig, train
    >>> step = TrainingStep(train("low low lower", TrainConfig(vocab_size=258)), 2)
    >>> step.last, step.at_end, step.made, round(step.saved, 2), step.name(257), len(step.name_of_training)
    (2, True, 3, 0.46, 'low', 16)
    >>> step.at(1).number
    1
    >>> step.before.step, step.snapshot.step, len(step.changes), step.candidates[0].count, step.tokenizer.vocab_size
    (1, 2, 5, 2, 258)
    >>> step.chip(257).pieces, [each.id for each in step.pair(256, 119)], step.text, step.config.unit
    ((('low', False),), [256, 119], 'low low lower', 'byte')
    """

    def __init__(self, training: Training, number: int, forks: Forks = ()) -> None:
        self.training = training
        self.config = training.config
        self.number = number
        self.forks = forks

    def at(self, number: int) -> TrainingStep:
        """The same training at another step."""
        step = TrainingStep(self.training, number, self.forks)
        step.tokenizer, step.name_of_training, step._examples = self.tokenizer, self.name_of_training, self._examples
        return step

    @property
    def text(self) -> str:
        """The training text."""
        return self.training.text

    @cached_property
    def name_of_training(self) -> str:
        """Short id of this training, independent of the step."""
        named = repr((self.text, self.config, self.forks))
        return blake2b(named.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    @cached_property
    def snapshot(self) -> Snapshot:
        """State of the text at this step."""
        return self.training.at(self.number)

    @cached_property
    def before(self) -> Snapshot:
        """State one step earlier."""
        return self.training.at(self.number - 1)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """Tokenizer with all merges; it has the bytes of every id."""
        return self.training.tokenizer()

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The first candidates for the next merge, in the rule's order."""
        return self.snapshot.candidates(CANDIDATES)

    @cached_property
    def changes(self) -> list[CountChange]:
        """All pairs whose count this step's merge changed."""
        return self.snapshot.changes()

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
        """Tokens made by this step's merge, each from two. 0 at step 0."""
        change = self.training.rule_change
        if change is not None and self.number == change.step:  # when other tokens change, too
            return self.training.replaced(self.number)
        return self.training.token_count(max(self.number - 1, 0)) - self.training.token_count(self.number)

    @property
    def saved(self) -> float:
        """Share of the text's symbols saved by the merges so far."""
        symbols = self.training.token_count(0)
        return 1 - self.training.token_count(self.number) / symbols if symbols else 0.0

    @cached_property
    def _examples(self) -> bytes:
        return examples_of(self.text)

    def chip(self, token_id: int) -> Chip:
        """A token as a chip; byte pieces are shown with the characters they belong to."""
        return chip(self.tokenizer, token_id, self._examples)

    def pair(self, left: int, right: int) -> tuple[Chip, Chip]:
        """A pair as chips; byte pieces are shown with the characters they belong to in an occurrence of the pair."""
        return pair_chips(self.tokenizer, left, right, self._examples)

    def name(self, token_id: int) -> str:
        """A token for use in sentences: text with marked white space, or hex bytes."""
        return plain(self.tokenizer.token_bytes(token_id)).removeprefix("bytes ").removeprefix("byte ")


def tied(snapshot: Snapshot) -> tuple[int, list[Candidate]]:
    """Number of pairs with the largest count, and the first of them in the rule's order.

    >>> from bpe_core import TrainConfig, train
    >>> tied(train("low low", TrainConfig(vocab_size=256)).at(0))[0]
    2
    """
    counts = snapshot.pairs.count
    many = int(np.count_nonzero(counts == counts.max(initial=0)))
    return many, snapshot.candidates(min(many, 50))


def first_word(snapshot: Snapshot, left: int, right: int) -> tuple[int, npt.NDArray[np.int32]] | None:
    """First occurrence of a pair: index of the distinct word, and its tokens, a view of the corpus.

    >>> from bpe_core import TrainConfig, train
    >>> first_word(train("a low", TrainConfig(vocab_size=256)).at(0), 108, 111)[0]
    1
    """
    ids, offsets, _counts = snapshot.corpus
    places = np.flatnonzero((ids[:-1] == left) & (ids[1:] == right))
    words = np.searchsorted(offsets, places, side="right") - 1
    inside = places + 1 < offsets[words + 1]
    if not inside.any():
        return None
    word = int(words[inside][0])
    return word, ids[offsets[word] : offsets[word + 1]]


def examples_of(text: str) -> bytes:
    """The beginning of a text, which is searched for the characters that byte pieces belong to.

    >>> examples_of("low")
    b'low'
    """
    return text[:_EXAMPLES].encode("utf-8", "replace")


# -- captions --------------------------------------------------------------------------------------------------------


def size_words(step: TrainingStep, tokens: int, compression: float, saved: float, caption: str) -> Captions:
    """Captions of a text: token count, mean token length, share of symbols saved, and the line below.

    >>> from bpe_core import TrainConfig, train
    >>> size_words(TrainingStep(train("low", TrainConfig(vocab_size=256)), 0), 3, 1.0, 0.0, "").title
    '3 tokens'
    """
    words = {"length": compression, "saved": share_saved(saved)}
    rest = (
        _("{length:.2f} bytes per token · {saved}", **words)
        if step.config.unit == "byte"
        else _("{length:.2f} characters per token · {saved}", **words)
    )
    return Captions(n_("{count:,} token", "{count:,} tokens", tokens), rest, caption)


def share_saved(saved: float) -> str:
    """Percentage of symbols saved by merging; negative savings, due to end-of-word marks, count as longer.

    >>> share_saved(0.46), share_saved(-0.1)
    ('46.0% saved', '10.0% longer')
    """
    return _("{share:.1%} saved", share=saved) if saved >= 0 else _("{share:.1%} longer", share=-saved)


def step_text(
    step: TrainingStep,
    symbols: Body,
    *,
    key: str,
    caption: str = "",
    part: tuple[int, int] | None = None,
    unseen: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """Frame of the training text in the tokens of a step; the parameters are those of `step_frame`.

    `caption`: the line below, for a text that is only partly shown.

    >>> from bpe_core import TrainConfig, train
    >>> from bpe_core.payloads.frames import EMPTY_BODY
    >>> step = TrainingStep(train("low low", TrainConfig(vocab_size=257)), 1)
    >>> b"Outlined: made by this merge." in step_text(step, EMPTY_BODY, key="text")
    True
    """
    tokens, compression = step.training.token_count(step.number), step.training.compression(step.number)
    return step_frame(
        step.number,
        symbols,
        of=step.name_of_training,
        part=part,
        unseen=unseen,
        key=key,
        label=_("The training text in tokens"),
        captions=_with_inner_spaces(step, size_words(step, tokens, compression, step.saved, caption or _caption(step))),
        height=TEXT_HEIGHT,
    )


def _with_inner_spaces(step: TrainingStep, captions: Captions) -> Captions:
    """The captions; for a training that crosses words, with the number of tokens that have a space inside."""
    if step.config.method == "bpe":
        return captions
    spaces = n_(
        "{count:,} id has a space inside", "{count:,} ids have a space inside", step.training.inner_spaces(step.number)
    )
    return replace(captions, rest=f"{captions.rest} · {spaces}")


def _caption(step: TrainingStep) -> str:
    if step.number:
        return _("Outlined: made by this merge.") + "\n" + _("Click a token to see where it came from.")
    return _("Nothing is merged yet.")
