"""BoundlessBPE: a training in which two adjacent words may merge when each is a single token."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import getitem
from typing import cast

import numpy as np

from bpe_core import checks
from bpe_core.arrays import Bools, Int32s, Int64s
from bpe_core.bpe.boundless_model import BoundlessModel
from bpe_core.bpe.boundless_snapshot import BoundlessSnapshot
from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.corpus import NEVER, Corpus, Learned, PairCounts, Progress, StopReason, checked_forced
from bpe_core.bpe.crossing import place_of
from bpe_core.bpe.engine import engine_of, ignore_progress
from bpe_core.bpe.superwords import InsideMerges, Pair, Superwords, learn_superwords
from bpe_core.bpe.training import Training, learn_merges
from bpe_core.bpe.vocabulary import BaseVocabulary, base_vocabulary
from bpe_core.bpe.word_places import FirstText
from bpe_core.errors import CorpusError
from bpe_core.language import message
from bpe_core.text.files import Text
from bpe_core.text.run_counts import RunWords, count_runs
from bpe_core.text.split_patterns import WORD_RUNS
from bpe_core.text.splits import Split
from bpe_core.text.word_counts import WordSettings
from bpe_core.tokenizer.token_ranges import first_tokens
from bpe_core.tokenizer.tokenizer import TRAINED, Tokenizer
from bpe_core.work import taking

MOST_BYTES = 8_000_000
"""Limit on the bytes of the distinct runs of words."""

_PER_BYTE, _SPELLED = 160, 30


@dataclass(frozen=True, eq=False)
class Runs:
    """Corpus of a training by BoundlessBPE.

    words    the distinct words of its runs, in base symbols
    of_runs  which words each run consists of
    letters  bool[words]: whether each word contains a letter

    >>> of_runs = RunWords(np.array([0, 1, 0], np.int32), np.array([0, 3]), np.array([1]))
    >>> runs = Runs(Corpus.of([[7, 8], [9]], [2, 1]), of_runs, np.ones(2, np.bool_))
    >>> runs.corpus.words(), runs.places.tolist(), runs.sizes.tolist()
    ([[7, 8, 9, 7, 8]], [0, 1, 2, 0, 1], [2, 1, 2])
    """

    words: Corpus
    of_runs: RunWords
    letters: Bools

    @property
    def sizes(self) -> Int64s:
        """int64: symbols of each word of the runs, run after run.

        >>> of_runs = RunWords(np.array([1], np.int32), np.array([0, 1]), np.array([1]))
        >>> Runs(Corpus.of([[7, 8], [9]], [2, 1]), of_runs, np.ones(2, np.bool_)).sizes.tolist()
        [1]
        """
        return np.diff(self.words.offsets)[self.of_runs.words]

    @property
    def places(self) -> Int64s:
        """int64: for each symbol of the runs, its index among those of the distinct words.

        >>> of_runs = RunWords(np.array([1], np.int32), np.array([0, 1]), np.array([1]))
        >>> Runs(Corpus.of([[7, 8], [9]], [2, 1]), of_runs, np.ones(2, np.bool_)).places.tolist()
        [2]
        """
        sizes = self.sizes
        starts = self.words.offsets[:-1][self.of_runs.words] - np.cumsum(sizes) + sizes
        return np.repeat(starts, sizes) + np.arange(sizes.sum())

    @cached_property
    def corpus(self) -> Corpus:
        """The runs in base symbols.

        >>> of_runs = RunWords(np.array([1], np.int32), np.array([0, 1]), np.array([1]))
        >>> Runs(Corpus.of([[7, 8], [9]], [2, 1]), of_runs, np.ones(2, np.bool_)).corpus.words()
        [[9]]
        """
        edges = np.append(0, np.cumsum(self.sizes))
        with taking(_SPELLED * int(edges[-1])):
            return Corpus(self.words.ids[self.places], edges[self.of_runs.offsets], self.of_runs.counts)


def train_boundless(texts: Text | Iterable[Text], config: TrainConfig, on_progress: Progress | None) -> Boundless:
    """Train with two kinds of pairs: neighbours inside a word, and neighbouring whole words.

    Two words are a pair if both are single tokens now and both contain a letter. The larger count wins; in a tie, a
    pair inside words comes before a pair of words, and within each kind the tie rule decides ("first-seen" is the order
    in the texts). A merge of words turns two words into one, which may merge again.

    Merges of words leave the pairs inside words as they are. So the merges inside words are learned first, and then
    interleaved with merges of words.

    Raises ConfigError and CorpusError as `train`, and CorpusError for more than MOST_BYTES of distinct runs of words.

    Source: Schmidt, Reddy, Tanner and Pinter, "Boundless Byte Pair Encoding: Breaking the Pre-tokenization Barrier"
    (2025).

    >>> config = TrainConfig(vocab_size=260, method="boundlessbpe")
    >>> training = train_boundless("low low low low", config, None)
    >>> [(training.tokenizer().token_bytes(merge.token_id), merge.count) for merge in training.merges]
    [(b'lo', 4), (b'low', 4), (b' low', 3), (b' low low', 2)]
    """
    found = count_runs(texts, WordSettings.of(config))
    words, of_runs = found.words.counts, found.of_runs
    size = int(np.diff(words.offsets)[of_runs.words].sum())
    if size > MOST_BYTES:
        raise CorpusError(
            message("The distinct runs of words have {bytes:,} bytes.", bytes=size),
            limit=message("BoundlessBPE is trained on up to {most:,}.", most=MOST_BYTES),
            remedy=message("Train on a part of the text, or choose the method 'superbpe'."),
        )
    with taking(_PER_BYTE * size):
        base = base_vocabulary(config, [words.text.decode()])
        runs = Runs(Corpus.of_words(base, words), of_runs, found.letters)
        text = FirstText(found.words.first_text, Split(WORD_RUNS[config.split]))
        return _trained(config, base, runs, (), on_progress, words.surrogates, text)


def _trained(
    config: TrainConfig,
    base: BaseVocabulary,
    runs: Runs,
    forced: Sequence[tuple[Pair, bool]],
    on_progress: Progress | None,
    surrogates: int,
    text: FirstText,
) -> Boundless:
    report = on_progress or ignore_progress
    first_id, most = len(base.tokens), config.vocab_size - len(base.tokens)
    ids = list(range(first_id))  # ids of all tokens in the training inside words
    inside_forced: list[Pair] = []
    for pair, joins in forced:
        ids.append(-1 if joins else first_id + len(inside_forced))
        if not joins:
            inside_forced.append((ids[pair[0]], ids[pair[1]]))
    inside = learn_merges(
        config, base, runs.words, inside_forced, lambda done, _total: report(0, most), surrogates, text
    )
    ends = engine_of(inside._learned).replay(runs.words, inside._learned, len(inside._rows), first_id)
    starts, is_whole = runs.words.offsets[:-1], (np.diff(ends.offsets) == 1) & runs.letters
    whole_at = np.where(is_whole, np.maximum(ends.ids[ends.offsets[:-1]].astype(np.int64) - first_id, -1), NEVER)
    merges = InsideMerges(inside._rows, whole_at, runs.words.ids[starts], runs.words.counts, first_id)
    made = learn_superwords(
        runs.of_runs,
        merges,
        most=most,
        tie_break=config.tie_break,
        min_count=config.min_count,
        forced=forced,
        report=report,
    )
    reason: StopReason = "vocabulary full" if made.full and most else inside.stop_reason
    return Boundless(config, base, runs, inside, made, reason, text)


class Boundless(Training):
    """Training by BoundlessBPE. Its words are runs of the words of its texts, so that merges may cross these.

    >>> from bpe_core import train
    >>> training = train("low low low low", TrainConfig(vocab_size=260, method="boundlessbpe"))
    >>> training.crossing.tolist(), training.at(4).words(), training.fork(3, (258, 258)).merges == training.merges
    ([False, False, False, True], [((257,), 1), ((258,), 1), ((259,), 1)], True)
    >>> training.first_place(4), training.tokenizer().tokenize("low low low")
    (3, ['low', ' low low'])
    """

    def __init__(
        self,
        config: TrainConfig,
        base: BaseVocabulary,
        runs: Runs,
        inside: Training,
        made: Superwords,
        reason: StopReason,
        text: FirstText,
    ) -> None:
        """Use `train` instead."""
        super().__init__(config, base, lambda: runs.corpus, Learned(made.rows), reason, inside.surrogates, text)
        self._runs = runs
        self._inside = inside
        self._superwords = made

    @property
    def crossing(self) -> Bools:
        """bool[merges]: whether each merge joins whole words."""
        return self._superwords.crosses

    def at(self, step: int) -> BoundlessSnapshot:
        """See `Training.at`: the words at this step, with pairs of whole words among the candidates and the changes."""
        number = self._checked_step(step)
        following = self.merges[number] if number < len(self.merges) else None
        words, across = self._state(number)
        return BoundlessSnapshot(
            step=number,
            merge=self.merges[number - 1] if number else None,
            corpus=words,
            tie_break=self.config.tie_break,
            counted=None if self._inside._learned.counted is None else self._ids[self._inside._learned.counted],
            next_pair=(following.left, following.right) if following else None,
            before=partial(self.at, number - 1) if number else None,
            token_bytes=cast("Callable[[int], bytes]", partial(getitem, self._tokens)),
            across=across,
            crossed=bool(number) and bool(self.crossing[number - 1]),
            next_crosses=following is not None and bool(self.crossing[number]),
        )

    def fork(self, step: int, pair: tuple[int, int], *, on_progress: Progress | None = None) -> Boundless:
        """See `Training.fork`. A pair that occurs inside words and as words is forced where its count is larger."""
        number = self._checked_step(step)
        checks.callback(on_progress)
        kept = [
            ((merge.left, merge.right), joins)
            for merge, joins in zip(self.merges[:number], self.crossing.tolist(), strict=False)
        ]
        base = cast("BaseVocabulary", self._base)
        most = self.config.vocab_size - self._first_id
        chosen = checked_forced([*(each for each, _ in kept), pair], len(base.tokens), base.without_bytes, most)[-1]
        inside, across = self.at(number).counts_of(*chosen)
        joins = across > inside or any(self._is_superword(token) for token in chosen)
        forced = [*kept, (chosen, joins)]
        return _trained(self.config, base, self._runs, forced, on_progress, self.surrogates, self._text)

    def _is_superword(self, token_id: int) -> bool:
        return token_id >= self._first_id and bool(self.crossing[token_id - self._first_id])

    def first_place(self, step: int) -> int | None:
        """Offset in `text`, in characters, of the first token that the merge of a step made; see `Training`."""
        number = self._checked_step(step)
        if not number:
            return None
        made, left = np.flatnonzero(self._joined_at == number - 1), len(self._tokens[self.merges[number - 1].left])
        return place_of(made, left, self._corpus, self._text.places, self._base_sizes)

    def tokenizer(self, step: int | None = None) -> Tokenizer:
        """Return the tokenizer of the first `step` merges (all if None)."""
        number = self._checked_step(len(self._rows) if step is None else step)
        tokens = first_tokens(self._tokens, self._first_id + number, unused=self._base.without_bytes)
        base = cast("BaseVocabulary", self._base)
        model = BoundlessModel(
            base,
            tokens,
            self._made.first(number),
            self.crossing[:number].tolist(),
            split=self.config.split,
            unit=self.config.unit,
        )
        return Tokenizer(
            TRAINED,
            model=model,
            normalizer=self.config.normalizer,
            split=Split(WORD_RUNS[self.config.split]),
            decoder=model.decoder,
            special_tokens=base.special_tokens,
            config=self.config,
        )

    @cached_property
    def _ids(self) -> Int64s:
        """Id in this training of each token of the training inside words."""
        ranks = self._superwords.inside[: len(self._inside._rows)]
        return np.append(np.arange(self._first_id), np.where(ranks == NEVER, -1, ranks + self._first_id))

    @cached_property
    def _joined_at(self) -> Int32s:
        """Rank of the merge that joined each symbol of the runs to the one before it."""
        inside, sizes = self._inside._joined_at, self._runs.sizes
        ranks = self._superwords.inside  # the last is NEVER
        mapped = ranks[np.minimum(inside, len(ranks) - 1)]
        joined: Int32s = mapped[self._runs.places].astype(np.int32)
        joined[np.cumsum(sizes) - sizes] = self._superwords.joined
        return joined

    def _state(self, step: int) -> tuple[Corpus, PairCounts]:
        """The distinct words at a step, superwords included, and the pairs of whole words in the order of the texts."""
        runs, of_runs = self._runs, self._runs.of_runs
        made = int((~self.crossing[:step]).sum())
        learned = self._inside._learned
        now = engine_of(learned).replay(runs.words, learned, made, self._first_id)
        sizes = np.diff(now.offsets)
        whole = np.where((sizes == 1) & runs.letters, self._ids[now.ids[now.offsets[:-1]]], -1) if len(sizes) else sizes
        joined = self._superwords.joined
        heads = np.flatnonzero(joined >= step)
        latest = np.maximum.reduceat(np.where(joined < step, joined, -1), heads) if len(heads) else heads
        numbers = of_runs.words[heads]
        tokens = np.where(latest < 0, whole[numbers], latest + self._first_id)
        weights = np.repeat(of_runs.counts, np.diff(of_runs.offsets))[heads]
        run_of = np.repeat(np.arange(len(of_runs.counts)), np.diff(of_runs.offsets))[heads]
        pairs = np.flatnonzero((tokens[:-1] >= 0) & (tokens[1:] >= 0) & (run_of[:-1] == run_of[1:]))
        across = self._counted_pairs(tokens[pairs], tokens[pairs + 1], weights[pairs])
        alone = np.bincount(numbers[latest < 0], weights[latest < 0], len(sizes)).astype(np.int64)
        supers, first, which = np.unique(tokens[latest >= 0], return_index=True, return_inverse=True)
        order = np.argsort(first)
        counts = np.bincount(which, weights[latest >= 0], len(supers)).astype(np.int64)[order]
        kept = np.flatnonzero(alone)
        symbols = np.repeat(alone > 0, sizes)
        lengths = np.concatenate((sizes[kept], np.ones(len(supers), np.int64)))
        ids = np.concatenate((self._ids[now.ids[symbols]], supers[order])).astype(np.int32)
        offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
        return Corpus(ids, offsets, np.concatenate((alone[kept], counts))), across

    def _counted_pairs(self, left: Int64s, right: Int64s, weights: Int64s) -> PairCounts:
        """Distinct pairs with their counts, in the order of the tie rule."""
        keys, first, which = np.unique((left << 32) | right, return_index=True, return_inverse=True)
        order = np.argsort(first)
        if self.config.tie_break == "first-counted":
            known = self._superwords.first_counted
            order = np.argsort([known[pair] for pair in zip(left[first].tolist(), right[first].tolist(), strict=True)])
        counts = np.bincount(which, weights, len(keys)).astype(np.int64)[order]
        return PairCounts(left[first][order].astype(np.int32), right[first][order].astype(np.int32), counts)
