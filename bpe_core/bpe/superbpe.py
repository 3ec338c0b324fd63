"""SuperBPE: a training whose merges stay inside words at first, and cross them later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from os import PathLike
from typing import NamedTuple, cast

import numpy as np

from bpe_core import checks
from bpe_core.arrays import Bools, Int32s, Int64s
from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.corpus import NEVER, Corpus, Learned, Progress
from bpe_core.bpe.costs import VocabularyCost, cost_of, doublings, uses_by_step
from bpe_core.bpe.crossing import RuleChange, crosses_words, place_of
from bpe_core.bpe.engine import engine_of, ignore_progress
from bpe_core.bpe.second_stage import StageVocabulary
from bpe_core.bpe.snapshot import Snapshot
from bpe_core.bpe.text_symbols import TextSymbols
from bpe_core.bpe.token_places import ranges_of_tokens
from bpe_core.bpe.training import Training, learn_merges
from bpe_core.bpe.vocabulary import BaseVocabulary, all_tokens, base_vocabulary
from bpe_core.bpe.word_places import FirstText
from bpe_core.errors import ConfigError, quoted
from bpe_core.kernels.merge_loop import Words
from bpe_core.language import message
from bpe_core.text.files import Text
from bpe_core.text.run_counts import CutWords, count_superwords
from bpe_core.text.split_patterns import ACROSS_WORDS
from bpe_core.text.splits import Split
from bpe_core.text.word_counts import WordCounts, WordSettings
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.work import taking

_LAID_OUT, _SPELLED = 20, 40
"""Memory in bytes of the second stage, per byte of its words: to lay them out, and to find what joined them."""


class TwoStages(NamedTuple):
    """The two trainings of SuperBPE, and the input of the second one.

    words    training inside words; its ids are the lower ones
    across   training that continues from its tokens, on the words of ACROSS_WORDS
    counts   counts of these words
    text     the first text, in these words

    >>> TwoStages._fields
    ('words', 'across', 'counts', 'text')
    """

    words: Training
    across: Training
    counts: WordCounts
    text: FirstText


def train_superbpe(
    texts: Text | Iterable[Text], config: TrainConfig, forced: Sequence[tuple[int, int]], on_progress: Progress | None
) -> SuperTraining:
    """Train in two stages: inside words up to `config.transition` ids, then across them.

    The second stage applies the first one's merges to the text under its own split, and continues by the same rule.
    Ties are broken as in other trainings; for "first-counted", all pairs are recounted when the rule changes. Raises
    ConfigError and CorpusError as `train`, and ConfigError for a split that drops text.

    Source: Liu, Hayase, Hofmann, Oh, Smith and Choi, "SuperBPE: Space Travel for Language Models" (2025).

    >>> from bpe_core import train
    >>> config = TrainConfig(vocab_size=270, method="superbpe", transition=264)
    >>> train("on the one hand, on the other hand", config).tokenizer().tokenize("on the other hand")
    ['on the', ' ', 'o', 'the', 'r', ' hand']
    """
    if not isinstance(texts, str | PathLike | list | tuple):
        texts = list(texts)  # read twice
    words, across, pieces = count_superwords(texts, WordSettings.of(config))
    if words.counts.size != across.counts.size:
        raise ConfigError(
            message("split is {split} with method 'superbpe'.", split=quoted(config.split)),
            limit=message("It drops parts of this text, so its words are not adjacent."),
            remedy=message("Choose 'gpt2', 'cl100k' or 'o200k', or a pattern that matches all of the text."),
        )
    base = base_vocabulary(config, [words.counts.text.decode()])
    first_id, most = len(base.tokens), config.vocab_size - len(base.tokens)
    if config.transition < first_id:
        raise ConfigError(
            message("transition is {transition:,}.", transition=config.transition),
            limit=message("This text alone needs {needed:,} ids, before any merge.", needed=first_id),
            remedy=message("Ask for at least {least:,}.", least=first_id),
        )
    report = on_progress or ignore_progress
    inside = replace(config, vocab_size=config.transition)
    within = learn_merges(
        inside,
        base,
        Corpus.of_words(base, words.counts),
        forced[: config.transition - first_id],
        lambda done, _total: report(done, most),
        words.counts.surrogates,
        FirstText(words.first_text, Split(config.split)),
    )
    text = FirstText(across.first_text, Split(ACROSS_WORDS))
    return _second_stage(config, within, (across.counts, pieces), text, forced[len(within._rows) :], on_progress)


def _second_stage(
    config: TrainConfig,
    words: Training,
    counted: tuple[WordCounts, CutWords | None],
    text: FirstText,
    forced: Sequence[tuple[int, int]],
    on_progress: Progress | None,
) -> SuperTraining:
    report, done_before = on_progress or ignore_progress, len(words._rows)
    most = config.vocab_size - words.first_id
    counts, pieces = counted
    base = StageVocabulary(words)
    if pieces is None:
        corpus = Corpus.of_words(base, counts)
    else:
        ends = engine_of(words._learned).replay(words._corpus, words._learned, done_before, words.first_id)
        with taking(_LAID_OUT * len(counts.text)):
            corpus = Corpus(*base.of_pieces(counts.text, pieces, Words(ends.ids, ends.offsets)), counts.counts)
    across = learn_merges(
        config,
        base,
        corpus,
        forced,
        lambda done, _total: report(done_before + done, most),
        words.surrogates,
        text,
    )
    return SuperTraining(config, TwoStages(words, across, counts, text))


class SuperTraining(Training):
    """Training by SuperBPE: `rule_change.step` merges inside words, then merges across them.

    At the steps before the change, everything is as in a training inside words; the state of that step and of all later
    ones is that of the second stage.

    >>> from bpe_core import train
    >>> config = TrainConfig(vocab_size=262, method="superbpe", transition=259)
    >>> training = train("low low low low", config)
    >>> [training.tokenizer().token_bytes(merge.token_id) for merge in training.merges]
    [b'lo', b'low', b' low', b' low low', b'low low low', b'low low low low']
    >>> training.rule_change, training.crossing.tolist()
    (RuleChange(step=3, before=4, after=4), [False, False, False, True, True, True])
    >>> training.at(3).words(), training.first_place(4), training.symbols().at(5).ids.tolist()
    ([((257, 258, 258, 258), 1)], 3, [260, 258])
    >>> training.sweep([4])[0].tokens, training.fork(3, (258, 258)).merges == training.merges
    (3, True)
    """

    def __init__(self, config: TrainConfig, stages: TwoStages) -> None:
        """Use `train` instead."""
        words, across = stages.words, stages.across
        rows = np.concatenate((words._rows, across._rows))
        learned = Learned(rows)
        super().__init__(config, words._base, words._corpus, learned, across.stop_reason, words.surrogates, words._text)
        self._stages = stages
        self._change = len(words._rows)
        self.rule_change = RuleChange(self._change, words.token_count(self._change), across.token_count(0))

    @cached_property
    def crossing(self) -> Bools:
        """bool[merges]: whether each merge joins words of the first split, or parts of them, to one token.

        Parts of characters, and white space at the end, are judged by their first occurrence in the text.
        """
        split, data = Split(self.config.split), self.text.encode()
        crosses = np.zeros(len(self._rows), np.bool_)
        for rank in range(self._change, len(self._rows)):
            crosses[rank] = crosses_words(self._tokens[self._first_id + rank], split, data)
        return crosses

    def sweep(self, steps: Sequence[int] | None = None) -> list[VocabularyCost]:
        """See `Training.sweep`."""
        if steps is None:
            steps = sorted({*doublings(len(self._rows)), self._change})
        asked = [self._checked_step(step) for step in checks.sequence(steps, "steps", message("numbers of merges"))]
        words, across, change = self._stages.words, self._stages.across, self._change
        uses = uses_by_step(words._corpus, words._rows, self._first_id, [step for step in asked if step < change])
        later = [step - change for step in asked if step >= change]
        found = uses_by_step(across._corpus, across._rows, across._first_id, later)
        uses |= {step + change: used for step, used in found.items()}
        return [cost_of(self, step, uses[step], len(self._base.special_tokens)) for step in asked]

    def at(self, step: int) -> Snapshot:
        """See `Training.at`."""
        number = self._checked_step(step)
        if number < self._change:
            return self._stages.words.at(number)
        return replace(
            self._stages.across.at(number - self._change),
            step=number,
            merge=self.merges[number - 1] if number else None,
            before=partial(self.at, number - 1) if number else None,
        )

    def fork(self, step: int, pair: tuple[int, int], *, on_progress: Progress | None = None) -> SuperTraining:
        """See `Training.fork`: the rule changes at the same number of ids."""
        number = self._checked_step(step)
        checks.callback(on_progress)
        words, across, counts, text = self._stages
        if number < self._change:
            return _second_stage(
                self.config, words.fork(number, pair, on_progress=on_progress), (counts, None), text, (), on_progress
            )
        forked = across.fork(number - self._change, pair, on_progress=on_progress)
        return SuperTraining(self.config, self._stages._replace(across=forked))

    def first_place(self, step: int) -> int | None:
        """Offset in `text`, in characters, of the first token that the merge of a step made; see `Training`."""
        number = self._checked_step(step)
        if number <= self._change:
            return self._stages.words.first_place(number)
        corpus, joined = self._joined_across
        left = len(self._tokens[self.merges[number - 1].left])
        return place_of(np.flatnonzero(joined == number - 1), left, corpus, self._stages.text.places, self._base_sizes)

    def symbols(self, start: int = 0, size: int = 20_000) -> TextSymbols:
        """See `Training.symbols`; also the merge that joined each symbol before the rule changed, where that
        differs."""
        words = self._stages.words.symbols(start, size)
        corpus, joined = self._joined_across
        part = (words.start, words.start + len(words.text))
        places = self._stages.text.places
        across = TextSymbols.of(places, corpus, joined, self._base_sizes, part, self._first_id)
        return across.after(words, self._change)

    def tokenizer(self, step: int | None = None) -> Tokenizer:
        """Return the tokenizer of the first `step` merges; from the change of the rule on, with the second split."""
        number = self._checked_step(len(self._rows) if step is None else step)
        made = super().tokenizer(number)
        return made if number < self._change else made._with(split=Split(ACROSS_WORDS))

    @property
    def _units(self) -> int:
        return self._stages.words._units

    @cached_property
    def _token_counts(self) -> Int64s:
        words, across = self._stages.words, self._stages.across
        return np.concatenate((words._token_counts[: self._change], across._token_counts))

    @cached_property
    def _tokens(self) -> Sequence[bytes]:
        listed = all_tokens(self._base, self._rows[:, :2].tolist())
        if listed is not None:
            return listed
        return cast("Sequence[bytes]", ranges_of_tokens(self._base, *self._ranges))

    @property
    def _ranges(self) -> tuple[Corpus, Int64s, Int32s]:
        corpus, joined = self._joined_across
        return corpus, self._rows[:, :2], joined

    @cached_property
    def _joined_across(self) -> tuple[Corpus, Int32s]:
        """The second stage's words in base symbols, and the rank of the merge that joined each to the one before it."""
        counts, across = self._stages.counts, self._stages.across
        with taking(_SPELLED * len(counts.text)):
            corpus = Corpus.of_words(cast("BaseVocabulary", self._base), counts)
            later = across._joined_at
            inside = [*self._joined_inside()]  # of each token of the first stage
            sizes = np.array([len(each) for each in inside], np.int64)
            ids = across._corpus.ids
            used, at = np.unique(ids, return_inverse=True)
            starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes[used])))
            flat = np.concatenate([np.empty(0, np.int32), *(inside[token] for token in used.tolist())])
            firsts = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes[ids])))
            places = np.repeat(starts[at] - firsts[:-1], sizes[ids]) + np.arange(firsts[-1])
            joined = flat[places].astype(np.int32)
            joined[firsts[:-1]] = np.where(
                later == NEVER, NEVER, np.minimum(later, NEVER - self._change) + self._change
            )
            return corpus, joined

    def _joined_inside(self) -> Iterator[Int32s]:
        """For each token of the first stage, the rank of the merge that joined each symbol to the one before it."""
        known: list[Int32s] = [np.full(1, NEVER, np.int32)] * self._first_id
        for rank, (left, right) in enumerate(self._stages.words._rows[:, :2].tolist()):
            joined = np.concatenate((known[left], known[right]))
            joined[len(known[left])] = rank
            known.append(joined)
        return iter(known)
