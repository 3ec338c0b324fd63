"""Training a byte-pair encoding: the merges, and the state of the corpus at any step of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from bpe_core.config import TrainConfig
from bpe_core.corpus import Corpus, Learned, Progress, after, learn
from bpe_core.errors import ConfigError, quoted
from bpe_core.merges import PairMerges
from bpe_core.snapshot import Merge, Snapshot
from bpe_core.texts import Text
from bpe_core.tokenizer import Tokenizer
from bpe_core.vocabulary import BaseVocabulary, base_vocabulary
from bpe_core.words import count_flat_words

StopReason = Literal["vocabulary full", "no pairs left", "below min_count"]


def train(
    texts: Text | Iterable[Text],
    config: TrainConfig | None = None,
    *,
    forced: Sequence[tuple[int, int]] = (),
    on_progress: Progress | None = None,
) -> Training:
    """Train on a text or on many, given as str or as paths of files; merges never cross words or texts.

    Texts are taken one by one, files in blocks: memory grows with the distinct words, not with the corpus.

    `forced`: pairs (left id, right id) to merge first, whatever their counts. `on_progress(done, total)` is called
    now and then with numbers of merges; what it raises cancels. Raises CorpusError for what is no text, ConfigError
    for a vocabulary too small for the text and for forced pairs that cannot be. A text without pairs, the empty one
    included, trains to nothing.

    Source: Sennrich, Haddow and Birch (2016); see reference.py for the algorithm in its plainest form.

    >>> training = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259))
    >>> [(merge.left, merge.right, merge.token_id, merge.count) for merge in training.merges]
    [(97, 97, 256, 4), (256, 97, 257, 2), (257, 98, 258, 2)]
    >>> training.stop_reason
    'vocabulary full'
    """
    config = _checked_config(config)
    flat = count_flat_words(texts, config)
    base = base_vocabulary(config, [flat.text.decode()])
    return _train(config, base, Corpus.of_words(base, flat), forced, on_progress, flat.surrogates)


class Training:
    """A finished training. Never changes, so one may be shared by many users.

    `config`, `merges`; `stop_reason`: why it ended; `surrogates`: lone surrogates of the texts that were replaced.

    >>> training = train("low low lower lowest", TrainConfig(vocab_size=260))
    >>> [training.token_count(step) for step in range(len(training.merges) + 1)]
    [20, 16, 12, 9, 7]
    >>> training.fork(1, (101, 114)).merges[1].count
    1
    """

    def __init__(
        self,
        config: TrainConfig,
        base: BaseVocabulary,
        corpus: Corpus,
        learned: Learned,
        stop_reason: StopReason,
        surrogates: int = 0,
    ) -> None:
        """Made by `train` and `fork`."""
        self.config = config
        self.stop_reason = stop_reason
        self.surrogates = surrogates
        self._base = base
        self._corpus = corpus
        self._learned = learned
        self._rows = learned.rows
        self._first_id = len(base.tokens)

    def __repr__(self) -> str:
        return f"<Training: {len(self.merges):,} merges, {self.stop_reason}>"

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The merges in order."""
        return tuple(
            Merge(rank, left, right, self._first_id + rank, count)
            for rank, (left, right, count, _) in enumerate(self._rows.tolist())
        )

    @property
    def vocab_size(self) -> int:
        """All ids: special tokens, base symbols and merges."""
        return self._first_id + len(self._rows)

    def token_count(self, step: int) -> int:
        """Tokens of the training text after `step` merges."""
        return int(self._token_counts[self._checked_step(step)])

    def compression(self, step: int) -> float:
        """Bytes (characters, for a character vocabulary) of the training text per token; 0.0 without text."""
        tokens = self.token_count(step)
        marks = int(self._corpus.counts.sum()) if self._base.mark_id is not None else 0
        return (self.token_count(0) - marks) / tokens if tokens else 0.0

    def at(self, step: int) -> Snapshot:
        """The state after `step` merges, 0 … len(merges), in any order; rebuilt on demand."""
        number = self._checked_step(step)
        following = self.merges[number] if number < len(self.merges) else None
        return Snapshot(
            step=number,
            merge=self.merges[number - 1] if number else None,
            corpus=after(self._corpus, self._learned, number, self._first_id),
            tie_break=self.config.tie_break,
            next_pair=(following.left, following.right) if following else None,
            before=(lambda: self.at(number - 1)) if number else None,
        )

    def fork(self, step: int, pair: tuple[int, int]) -> Training:
        """The first `step` merges, then `pair`, then on by the rule. Raises ConfigError for a pair that cannot be."""
        number = self._checked_step(step)
        kept = [(merge.left, merge.right) for merge in self.merges[:number]]
        return _train(self.config, self._base, self._corpus, [*kept, pair], None, self.surrogates)

    def tokenizer(self, step: int | None = None) -> Tokenizer:
        """The tokenizer that the first `step` merges make (all of them when None)."""
        number = self._checked_step(len(self._rows) if step is None else step)
        special = set(self._base.special_tokens.values())
        tokens = [None if i in special else token for i, token in enumerate(self._tokens)]
        return Tokenizer(
            "trained",
            config=self.config,
            base=self._base,
            tokens=tokens[: self._first_id + number],
            merges=self._pair_merges(number),
            special_tokens=self._base.special_tokens,
        )

    @cached_property
    def _tokens(self) -> list[bytes]:
        """The bytes of every id."""
        tokens = list(self._base.tokens)
        for left, right in self._rows[:, :2].tolist():
            tokens.append(tokens[left] + tokens[right])
        return tokens

    @cached_property
    def _token_counts(self) -> npt.NDArray[np.int64]:
        """Tokens of the training text at every step."""
        return self._corpus.token_count - np.concatenate(([0], np.cumsum(self._rows[:, 3])))

    def _pair_merges(self, step: int) -> PairMerges:
        return PairMerges([(left, right) for left, right in self._rows[:step, :2].tolist()], self._first_id)

    def _checked_step(self, step: object) -> int:
        if not isinstance(step, int | np.integer) or isinstance(step, bool) or not 0 <= step <= len(self._rows):
            raise ConfigError(
                f"The step is {quoted(step)}.",
                limit=f"This training has the steps 0 to {len(self._rows):,}.",
                remedy="Choose one of them.",
            )
        return int(step)


def _train(
    config: TrainConfig,
    base: BaseVocabulary,
    corpus: Corpus,
    forced: Sequence[tuple[int, int]],
    on_progress: Progress | None,
    surrogates: int,
) -> Training:
    first_id = len(base.tokens)
    most = config.vocab_size - first_id
    pairs = _checked_forced(forced, base, most)
    learned = learn(
        corpus,
        first_id=first_id,
        most=most,
        tie_break=config.tie_break,
        min_count=config.min_count,
        forced=pairs,
        on_progress=on_progress,
    )
    reason: StopReason = "vocabulary full"
    if len(learned.rows) < most or corpus.token_count == corpus.counts.sum():
        left = corpus.token_count - int(learned.rows[:, 3].sum()) > int(corpus.counts.sum())
        reason = "below min_count" if left else "no pairs left"
    return Training(config, base, corpus, learned, reason, surrogates)


def _checked_config(config: object) -> TrainConfig:
    if config is None:
        return TrainConfig()
    if not isinstance(config, TrainConfig):
        raise ConfigError(
            f"The settings are {quoted(config)} of type {type(config).__name__}.",
            limit="Settings are a TrainConfig.",
            remedy="Write for example TrainConfig(vocab_size=300).",
        )
    return config


def _checked_forced(forced: Sequence[tuple[int, int]], base: BaseVocabulary, most: int) -> list[tuple[int, int]]:
    """The forced pairs as ints. Raises ConfigError when one names an id that does not exist by then."""
    if not isinstance(forced, Sequence):
        raise ConfigError(
            f"The merges to force are {quoted(forced)}.",
            limit="They are a sequence of pairs of ids.",
            remedy="Write for example [(97, 98)].",
        )
    if len(forced) > most:
        raise ConfigError(
            f"There are {len(forced):,} merges to force.",
            limit=f"The vocabulary has room for {most:,}.",
            remedy="Ask for a larger vocab_size, or force fewer.",
        )
    checked: list[tuple[int, int]] = []
    special = set(base.special_tokens.values())
    for rank, pair in enumerate(forced):
        highest = len(base.tokens) + rank - 1
        if not (
            isinstance(pair, Sequence)
            and len(pair) == 2
            and all(isinstance(i, int | np.integer) and not isinstance(i, bool) for i in pair)
            and all(0 <= i <= highest and i not in special for i in pair)
        ):
            raise ConfigError(
                f"The pair {quoted(pair)} cannot be merge {rank:,}.",
                limit=f"A pair is two ids from 0 to {highest:,}, none of them a special token.",
                remedy="Choose two tokens that exist at that step.",
            )
        checked.append((int(pair[0]), int(pair[1])))
    return checked
