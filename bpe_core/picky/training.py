"""PickyBPE training: its events, and the state of the corpus after any of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np

from bpe_core import checks
from bpe_core.arrays import Int32s, Int64s, read_only
from bpe_core.bpe.config import TrainConfig, checked_config
from bpe_core.bpe.corpus import Corpus, Plan, Progress, StopReason
from bpe_core.bpe.costs import VocabularyCost
from bpe_core.bpe.engine import ignore_progress
from bpe_core.bpe.reference import count_pairs
from bpe_core.bpe.snapshot import Snapshot
from bpe_core.bpe.training import Training, train
from bpe_core.bpe.vocabulary import BaseVocabulary, base_vocabulary
from bpe_core.errors import ConfigError, CorpusError, quoted
from bpe_core.kernels.picky_loop import CellChanges
from bpe_core.language import message
from bpe_core.picky.compiled import learn_events
from bpe_core.picky.events import LearnedEvents, PickyEvent, PickyMerge
from bpe_core.picky.model import PickyModel
from bpe_core.picky.snapshot import PickySnapshot
from bpe_core.text.small_corpus import PER_BYTE, count_small
from bpe_core.text.splits import Split
from bpe_core.text.word_counts import WordCounts
from bpe_core.tokenizer.tokenizer import TRAINED, Tokenizer
from bpe_core.work import taking

Into = Literal["parts", "base"]
INTO: tuple[Into, ...] = ("parts", "base")

THRESHOLD = 0.9
"""Default threshold, the most common one in the paper."""

MOST_CHANGES = 20_000_000
"""Limit on the changes of all events together, each of them two numbers; low thresholds remove tokens very often."""


def train_picky(
    texts: str | Iterable[str] | WordCounts,
    config: TrainConfig | None = None,
    *,
    threshold: float = THRESHOLD,
    into: Into = "parts",
    on_progress: Progress | None = None,
) -> PickyTraining:
    """Train PickyBPE on one or many texts, 5 MB together at most, or on WordCounts of any corpus.

    Plain BPE, but a token that a merge has used up is removed again, which frees its place in the vocabulary: after the
    merge of `x` and `y`, each of the two is judged by its intersection over self, the occurrences replaced by the merge
    divided by the occurrences of the token before it. From `threshold` on (more than 0, at most 1), the token is
    removed, and its remaining occurrences are split: `into` the two "parts" of its first merge (and their parts, where
    these are removed too), or into "base" symbols. Base symbols are never removed. If `x` is `y`, it is judged once,
    and its score is at most a half.

    A token is what it spells: if two pairs spell the same, the second makes no new token, and a removed token that is
    merged again gets its old id. Training ends when the vocabulary, without what was removed, has
    `config.vocab_size` tokens, or no pair is left.

    The authors' program differs in what the paper leaves open: it removes above the threshold, not from it
    on, and judges a token that merges with itself by its remaining occurrences.

    `on_progress(done, total)` is called with numbers of tokens; an exception raised in it cancels the training.

    Raises CorpusError for texts that are not text, have no words, or are too large, and if all events together change
    more than MOST_CHANGES tokens; ConfigError for a `vocab_size` that the base symbols alone exceed, and for another
    `threshold` or `into`, and for a method whose merges cross words.

    Source: Chizhov, Arnett, Korotkova and Yamshchikov, "BPE Gets Picky" (2024, arXiv 2409.04599); reference.py has it
    in its plainest form.

    >>> config = TrainConfig(unit="char", split="words", vocab_size=9)
    >>> training = train_picky("low low low lower slow", config)
    >>> [training.token_bytes(event.token_id).decode() for event in training.events]
    ['lo', 'low', 'lo', 'lowe']
    >>> training.events[2].score, training.tokenizer().tokenize("lower slow")
    (1.0, ['lowe', 'r', 's', 'low'])
    """
    config = checked_config(config)
    if config.method != "bpe":
        raise _crosses_words(config)
    checks.choice(into, "into", INTO)
    share = _checked_threshold(threshold)
    checks.callback(on_progress)
    counted = count_small(texts, config)
    with taking(PER_BYTE * len(counted.text)):
        return _train(counted, config, share, into, on_progress or ignore_progress)


def _train(counted: WordCounts, config: TrainConfig, threshold: float, into: Into, report: Progress) -> PickyTraining:
    base = base_vocabulary(config, [counted.text.decode()])
    corpus = Corpus.of_words(base, counted)
    most = config.vocab_size - len(base.tokens)
    plan = Plan(len(base.tokens), most, config.tie_break, config.min_count)
    report(0, most)
    learned = learn_events(corpus, plan, report, threshold=threshold, into=into, most_changes=MOST_CHANGES)
    if learned.edges[-1] > MOST_CHANGES:
        raise _too_many_changes(len(learned.edges) - 1, threshold)
    report(learned.size, most)
    reason: StopReason = "vocabulary full"
    if learned.size < most:
        reason = "below min_count" if learned.has_pairs else "no pairs left"
    return PickyTraining(
        config=config,
        threshold=threshold,
        into=into,
        base=base,
        corpus=corpus,
        counted=counted,
        learned=learned,
        stop_reason=reason,
    )


class PickyTraining:
    """Result of a PickyBPE training. Immutable, so sessions can share it.

    config       settings
    threshold    intersection over self from which a token is removed
    into         what its remaining occurrences were split into: "parts" or "base"
    stop_reason  "vocabulary full", "no pairs left" or "below min_count"
    surrogates   number of lone surrogates replaced in the texts

    >>> config = TrainConfig(unit="char", split="words", vocab_size=9)
    >>> training = train_picky("low low low lower slow", config)
    >>> training, training.first_id, training.vocab_size, training.steps, training.removed_at(3)
    (<PickyTraining: 3 merges and 1 removal, vocabulary full>, 7, 9, 4, [7])
    >>> training.at(2).candidates(1), training.cost().unused, training.plain.sweep([2])[0].unused
    ([Candidate(left=8, right=1, count=1, tied=True, chosen=False)], 4, 4)
    """

    def __init__(
        self,
        *,
        config: TrainConfig,
        threshold: float,
        into: Into,
        base: BaseVocabulary,
        corpus: Corpus,
        counted: WordCounts,
        learned: LearnedEvents,
        stop_reason: StopReason,
    ) -> None:
        """Use `train_picky` instead."""
        self.config = config
        self.threshold = threshold
        self.into: Into = into
        self.stop_reason: StopReason = stop_reason
        self.surrogates = counted.surrogates
        self._base = base
        self._corpus = corpus
        self._counted = counted
        self._table = learned.table
        self._spelled = learned.spelled
        self._made_changes = learned.changes
        self._edges = learned.edges
        self._pairs = read_only(learned.counted)

    def __repr__(self) -> str:
        removals = int((self._table.growth < 0).sum())
        merges = self.steps - removals
        both = f"{merges:,} merge{'s' * (merges != 1)} and {removals:,} removal{'s' * (removals != 1)}"
        return f"<PickyTraining: {both}, {self.stop_reason}>"

    @cached_property
    def events(self) -> tuple[PickyEvent, ...]:
        """Merges and removals in one order.

        >>> train_picky("low low", TrainConfig(unit="char", split="words", vocab_size=5)).events
        (PickyMerge(left=1, right=2, token_id=4, count=2, replaced=2, left_count=2, right_count=2, is_new=True),)
        """
        return tuple(map(self._table.event, range(self.steps)))

    @property
    def steps(self) -> int:
        """Number of events."""
        return len(self._table.rows)

    @property
    def first_id(self) -> int:
        """Id that the first merge makes: the number of ids before any merge."""
        return len(self._base.tokens)

    @property
    def vocab_size(self) -> int:
        """Number of tokens at the end: special tokens, base symbols, and merges that were not removed."""
        return self.size_at(self.steps)

    def size_at(self, step: int) -> int:
        """Number of tokens in the vocabulary after `step` events. Raises ConfigError for another step.

        >>> training = train_picky("low low", TrainConfig(unit="char", split="words", vocab_size=6))
        >>> [training.size_at(step) for step in range(4)]
        [4, 5, 6, 5]
        """
        return int(self._sizes[self._checked_step(step)])

    def removed_at(self, step: int) -> list[int]:
        """Ids that were made up to a step and are not in its vocabulary, ascending. Raises ConfigError as `size_at`."""
        number = self._checked_step(step)
        return sorted(set(self._table.token_ids[:number].tolist()) - self._there(number))

    def at(self, step: int) -> PickySnapshot:
        """State after `step` events, in any order; rebuilt on demand. Raises ConfigError for another step."""
        number = self._checked_step(step)
        following = self._table.event(number) if number < self.steps else None
        event = self._table.event(number - 1) if number else None
        return PickySnapshot(number, event, following, self._snapshot(number, following))

    def uses(self, step: int | None = None) -> dict[int, int]:
        """Occurrences of every token of the vocabulary in the training text after `step` events (all if None), by id.

        Special tokens are left out. Raises ConfigError for another step.

        >>> training = train_picky("low low", TrainConfig(unit="char", split="words", vocab_size=6))
        >>> training.uses(1), training.uses()
        ({1: 0, 2: 0, 3: 2, 4: 2}, {1: 0, 2: 0, 3: 0, 5: 2})
        """
        number = self._checked_step(self.steps if step is None else step)
        corpus = self._corpus_at(number)
        counts = np.bincount(
            corpus.ids, np.repeat(corpus.counts, np.diff(corpus.offsets)), minlength=self.first_id + self._made
        ).astype(np.int64)
        special = set(self._base.special_tokens.values())
        ids = [*range(self.first_id), *sorted(self._there(number))]
        return {token: int(counts[token]) for token in ids if token not in special}

    def cost(self, step: int | None = None) -> VocabularyCost:
        """Cost and benefit of the vocabulary after `step` events (all if None), as `Training.sweep` gives it.

        Raises ConfigError for another step.
        """
        number = self._checked_step(self.steps if step is None else step)
        uses = self.uses(number).values()
        tokens, symbols = sum(uses), self._corpus.token_count
        units = symbols - (0 if self._base.mark_id is None else int(self._corpus.counts.sum()))
        return VocabularyCost(
            step=number,
            vocab_size=self.size_at(number),
            tokens=tokens,
            saved=1 - tokens / symbols,
            per_token=units / tokens,
            single_use=sum(each == 1 for each in uses),
            unused=sum(each == 0 for each in uses),
        )

    @cached_property
    def plain(self) -> Training:
        """Plain BPE on the same text, with the same settings and as many tokens as at the end."""
        return train(self._counted, replace(self.config, vocab_size=self.vocab_size))

    def token_bytes(self, token_id: int) -> bytes:
        """Bytes of a token, whether or not it was removed. Raises ConfigError for an id that no event made.

        >>> training = train_picky("low low", TrainConfig(unit="char", split="words", vocab_size=6))
        >>> training.token_bytes(4), training.token_bytes(5)
        (b'lo', b'low')
        """
        number = checks.whole_number(token_id, "token_id", 0, self.first_id + self._made - 1)
        if number < self.first_id:
            return self._base.tokens[number]
        ids, offsets = self._spelled
        at = number - self.first_id
        return b"".join(map(self._base.tokens.__getitem__, ids[offsets[at] : offsets[at + 1]].tolist()))

    def tokenizer(self, step: int | None = None) -> Tokenizer:
        """Tokenizer that replays the first `step` events (all if None). Raises ConfigError for another step.

        Ids are those of the events; the ids of tokens that are not in the vocabulary are unused.

        >>> training = train_picky("low low lower", TrainConfig(unit="char", split="words", vocab_size=8))
        >>> tokenizer = training.tokenizer()
        >>> tokenizer.tokenize("lowlow lol"), len(tokenizer.ids), training.tokenizer(1).tokenize("low")
        (['low', 'low', 'l', 'o', 'l'], 8, ['lo', 'w'])
        """
        number = self._checked_step(self.steps if step is None else step)
        there, base = self._there(number), self._base
        special = set(base.special_tokens.values())
        last = int(self._table.token_ids[:number].max(initial=self.first_id - 1))
        tokens = [
            self.token_bytes(token) if token in there or (token < self.first_id and token not in special) else None
            for token in range(last + 1)
        ]
        model = PickyModel(
            base,
            tokens,
            self.events[:number],
            widths=dict(enumerate(np.diff(self._spelled[1]).tolist()[: last + 1 - self.first_id], self.first_id)),
            ends=self._ends,
            unit=self.config.unit,
        )
        return Tokenizer(
            TRAINED,
            model=model,
            normalizer=self.config.normalizer,
            split=Split(self.config.split),
            decoder=model.decoder,
            special_tokens=base.special_tokens,
            config=self.config,
        )

    @cached_property
    def _ends(self) -> frozenset[int]:
        """Tokens that end with the end-of-word mark."""
        mark = self._base.mark_id
        if mark is None:
            return frozenset()
        ids, offsets = self._spelled
        return frozenset((mark, *(np.flatnonzero(ids[offsets[1:] - 1] == mark) + self.first_id).tolist()))

    @property
    def _made(self) -> int:
        """Number of tokens that were ever made."""
        return len(self._spelled[1]) - 1

    def _there(self, step: int) -> set[int]:
        """Tokens in the vocabulary after `step` events, without the base symbols."""
        last = dict(zip(self._table.token_ids[:step].tolist(), self._table.growth[:step].tolist(), strict=True))
        return {token for token, growth in last.items() if growth >= 0}

    @cached_property
    def _sizes(self) -> Int64s:
        """Number of tokens in the vocabulary at every step."""
        return self.first_id + np.append(0, np.cumsum(self._table.growth))

    @cached_property
    def _changes(self) -> Int32s:
        """int32[changes, 2]: place and token of every change in order."""
        made = self._made_changes
        return made.in_symbols() if isinstance(made, CellChanges) else made

    def _corpus_at(self, step: int) -> Corpus:
        """The distinct words after `step` events: of all changes of a place, the last one counts."""
        places, tokens = self._changes[: self._edges[step]].T
        ids = self._corpus.ids.copy()
        ids[places] = tokens
        sizes = np.bincount(self._corpus.word_ids[ids >= 0], minlength=len(self._corpus.counts))
        return Corpus(ids[ids >= 0], np.concatenate(([0], np.cumsum(sizes))), self._corpus.counts)

    def _snapshot(self, step: int, following: PickyEvent | None) -> Snapshot:
        corpus, counted = self._corpus_at(step), None
        if self.config.tie_break == "first-counted":
            known = list(map(tuple, self._pairs.tolist()))
            now = count_pairs(corpus.words(), corpus.counts.tolist())  # between two events of a merge, pairs may be new
            counted = np.array([*known, *(now.keys() - set(known))], np.int64).reshape(-1, 2)
        return Snapshot(
            step=step,
            merge=None,
            corpus=corpus,
            tie_break=self.config.tie_break,
            counted=counted,
            next_pair=(following.left, following.right) if isinstance(following, PickyMerge) else None,
            before=None,
            token_bytes=self.token_bytes,
        )

    def _checked_step(self, step: object) -> int:
        return checks.step_number(step, self.steps)


def _checked_threshold(threshold: object) -> float:
    if checks.is_number(threshold) and 0 < threshold <= 1:
        return float(threshold)
    raise ConfigError(
        message("{name} is {value}.", name="threshold", value=quoted(threshold)),
        limit=message("It takes a share of a token's occurrences, above 0 and at most 1."),
        remedy=message("Write 0.9 for 90 %."),
    )


def _crosses_words(config: TrainConfig) -> ConfigError:
    return ConfigError(
        message("method is {method}.", method=quoted(config.method)),
        limit=message("PickyBPE merges inside words alone."),
        remedy=message("Leave the method at 'bpe'."),
    )


def _too_many_changes(events: int, threshold: float) -> CorpusError:
    return CorpusError(
        message("The first {events:,} events remove tokens again and again.", events=events),
        limit=message(
            "They change {most:,} tokens at most; the threshold is {threshold:g}.",
            most=MOST_CHANGES,
            threshold=threshold,
        ),
        remedy=message("Choose a higher threshold, a shorter text, or a smaller vocab_size."),
    )
