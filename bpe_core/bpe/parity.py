"""Parity-aware BPE: every merge serves the language whose text is divided into the most tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bpe_core import checks
from bpe_core.arrays import Floats, Int64s, ReadOnlyArrays
from bpe_core.bpe.compiled import common_words, fair_merges
from bpe_core.bpe.config import TrainConfig, checked_config
from bpe_core.bpe.corpus import Corpus, Plan, Progress, stop_reason
from bpe_core.bpe.engine import ignore_progress
from bpe_core.bpe.parity_reference import GLOBAL, FairMerge, learn_fairly
from bpe_core.bpe.training import Training, train
from bpe_core.bpe.vocabulary import BaseVocabulary, base_vocabulary
from bpe_core.bpe.word_places import FirstText
from bpe_core.errors import ConfigError, quoted
from bpe_core.kernels.backend import use_compiled_later
from bpe_core.kernels.fair_loop import FairLoop
from bpe_core.kernels.scan import WordTable
from bpe_core.language import message
from bpe_core.text.counting import Counted, count_texts
from bpe_core.text.splits import Split
from bpe_core.text.utf8 import begins_character
from bpe_core.text.word_counts import WordCounts

UNITS = ("bytes", "characters", "lines")
"""Units of text that the rate of a language can count, per token."""

MOST_LANGUAGES = 100
MOST_CHOICES = 1_000_000
"""Limits on the languages, and on `global_merges` and `window`."""

_SMALL = 2_000_000
"""Symbols times merges that plain Python handles until the loop is ready."""

_REPORTED = 32
"""Merges between two progress reports."""


class ParityStep(NamedTuple):
    """One merge of a parity-aware training.

    number    number of the merge, from 1
    language  name of the language served; None for a merge by the count in all texts
    rate      units of that language's text per token before the merge; of all texts for None
    left, right, token_id  ids of the pair, and of the token it makes
    times     count of the pair in that language's text; in all texts for None

    >>> train_parity({"en": "low low", "de": "tief"}, TrainConfig(vocab_size=257)).step(1).language
    'en'
    """

    number: int
    language: str | None
    rate: float
    left: int
    right: int
    token_id: int
    times: int


@dataclass(frozen=True, eq=False)
class ParityTraining(ReadOnlyArrays):
    """Result of `train_parity`.

    training   the same merges as an ordinary training on all texts: player, files and tokenizer
    languages  names of the languages, in the order given
    unit       what `units` counts: "bytes", "characters" or "lines"
    units      int64[languages]: size of each text
    served     int64[merges]: index of the language that each merge served, or -1 for a merge by the count in all texts
    counts     int64[merges]: count of the pair in that language's text
    tokens     int64[merges + 1, languages]: tokens of each text before any merge, and after each

    The arrays are read-only.

    >>> found = train_parity({"en": "low low lower", "de": "tief tiefer"}, TrainConfig(vocab_size=259), unit="lines")
    >>> [found.step(number).language for number in (1, 2, 3)], found.tokens.tolist()
    (['en', 'de', 'en'], [[13, 11], [10, 11], [10, 9], [7, 9]])
    >>> found.rates(3).round(2).tolist(), found.training.tokenizer().encode("low").ids.tolist()
    ([0.14, 0.11], [258])
    """

    training: Training
    languages: tuple[str, ...]
    unit: str
    units: Int64s
    served: Int64s
    counts: Int64s
    tokens: Int64s

    def step(self, number: int) -> ParityStep:
        """Merge of a number from 1. Raises ConfigError for one that does not exist."""
        number = checks.whole_number(number, "number", 1, len(self.served))
        merge = self.training.merges[number - 1]
        at = int(self.served[number - 1])
        if at == GLOBAL:
            language, units, tokens = None, int(self.units.sum()), int(self.tokens[number - 1].sum())
        else:
            language, units, tokens = self.languages[at], int(self.units[at]), int(self.tokens[number - 1, at])
        times = int(self.counts[number - 1])
        return ParityStep(number, language, units / tokens, merge.left, merge.right, merge.token_id, times)

    def rates(self, step: int) -> Floats:
        """Units per token of each language after `step` merges; 0.0 for a text without tokens.

        Raises ConfigError for a step that does not exist.
        """
        tokens = self.tokens[checks.step_number(step, len(self.served))]
        rates: Floats = np.divide(self.units, tokens, out=np.zeros(len(tokens)), where=tokens > 0)
        return rates


def train_parity(
    texts: Mapping[str, str],
    config: TrainConfig | None = None,
    *,
    unit: str = "bytes",
    global_merges: int = 0,
    window: int = 0,
    on_progress: Progress | None = None,
) -> ParityTraining:
    """Train on the texts of several languages so that each merge serves the one that is worst off.

    texts          a text for each language, by its name; merges never cross texts
    unit           the language with the fewest units of its text per token is served: "bytes", "characters", or "lines"
                   of parallel texts, which must have equally many; the first language wins a tie
    global_merges  the first merges go by the count in all texts, as in `train` (the hybrid variant)
    window         a language that has had more than two equal shares of the last `window` choices is passed over, so
                   that no language is served forever; 0 for no such rule (the published default of this variant is 100)

    The pair with the largest count in that language's text is merged in all texts; ties are broken by
    `config.tie_break` within that text. A language is passed over once no pair of its text occurs `config.min_count`
    times, and training ends when that is true of all; the authors' program ends at the first such language. With
    `global_merges` at least the number of merges, the merges are those of `train`.

    `on_progress(done, total)` as for `train`. Raises CorpusError for anything that is not text; ConfigError for fewer
    than 2 or more than 100 languages, for "lines" of texts that are not parallel, and as `train` does.

    Source: Foroutan and others (2025), arXiv 2508.04796; see parity_reference.py for the plainest form.

    >>> texts = {"en": "the sun, the sea", "el": "ο ήλιος, η θάλασσα"}
    >>> found = train_parity(texts, TrainConfig(vocab_size=266), unit="lines")
    >>> {found.step(number).language for number in range(1, 11)}, found.tokens[[0, -1]].tolist()
    ({'el'}, [[16, 32], [16, 16]])
    """
    config = checked_config(config)
    given = _checked_texts(texts)
    checks.choice(unit, "unit", UNITS)
    checks.callback(on_progress)
    window = checks.whole_number(window, "window", 0, MOST_CHOICES)
    first = checks.whole_number(global_merges, "global_merges", 0, MOST_CHOICES)
    counted = [count_texts(text, config) for text in given.values()]
    counts = [each.counts for each in counted]
    units = [_units(each, text, unit) for each, text in zip(counts, given.values(), strict=True)]
    if unit == "lines":
        _check_parallel(dict(zip(given, units, strict=True)))
    symbols = base_vocabulary(config, [each.text.decode() for each in counts])
    corpora = [Corpus.of_words(symbols, each) for each in counts]
    first_id = len(symbols.tokens)
    most, every, report = config.vocab_size - first_id, list(given.values()), on_progress or ignore_progress
    begun: Sequence[tuple[int, int]] = ()
    if first and most:
        begun = [
            (merge.left, merge.right)
            for merge in train(every, replace(config, vocab_size=first_id + min(first, most))).merges
        ]
    plan = Plan(first_id, most, config.tie_break, config.min_count, begun)
    if use_compiled_later(sum(len(corpus.ids) for corpus in corpora) * plan.most, _SMALL):
        loop = fair_merges(corpora, units, plan, report, window=window)
        made = _Merges(loop.pairs, loop.served, loop.counts, loop.replaced)
    else:
        loop, made = (
            None,
            _Merges.of(_reported(learn_fairly(corpora, units, plan, window=window), most, report), len(corpora)),
        )
    # A pair too rare in each language may still occur min_count times in all: it is not merged either.
    full = config if config.min_count == 1 else replace(config, vocab_size=first_id + len(made.pairs))
    if loop is None or config.tie_break == "first-counted":
        training = train(every, full, forced=list(map(tuple, made.pairs.tolist())))
    else:
        training = _in_all_words(full, symbols, loop, corpora, counted)
    before = np.array([[corpus.token_count for corpus in corpora]], np.int64)
    times = made.counts.sum(axis=1)
    is_fair = made.served != GLOBAL
    times[is_fair] = made.counts[is_fair, made.served[is_fair]]
    return ParityTraining(
        training,
        tuple(given),
        unit,
        np.array(units, np.int64),
        made.served.copy(),
        times,
        before - np.concatenate((np.zeros_like(before), np.cumsum(made.replaced, axis=0))),
    )


class _Merges(NamedTuple):
    """Merges as arrays with a row each.

    pairs     left and right id
    served    index of the language, or GLOBAL
    counts    count of the pair in each language; 0 in all but the one that the merge serves
    replaced  occurrences replaced in each
    """

    pairs: Int64s
    served: Int64s
    counts: Int64s
    replaced: Int64s

    @classmethod
    def of(cls, merges: Iterable[FairMerge], languages: int) -> _Merges:
        made = list(merges)
        served = np.array([merge.language for merge in made], np.int64)
        counts = np.zeros((len(made), languages), np.int64)
        counts[np.arange(len(made)), served] = [merge.times for merge in made]  # of all languages: in the last column
        return cls(
            np.array([(merge.left, merge.right) for merge in made], np.int64).reshape(-1, 2),
            served,
            counts,
            np.array([merge.replaced for merge in made], np.int64).reshape(-1, languages),
        )


def _in_all_words(
    config: TrainConfig, base: BaseVocabulary, loop: FairLoop, corpora: Sequence[Corpus], counted: Sequence[Counted]
) -> Training:
    """The merges of a loop as a training on the distinct words of all texts, in first-seen order."""
    table = WordTable()
    numbers = [table.add_spans(each.counts.text, each.counts.offsets[:-1], each.counts.offsets[1:]) for each in counted]
    counts = np.zeros(len(table), np.int64)
    for each, words in zip(counted, numbers, strict=True):
        counts[words] += each.counts.counts
    ids, offsets, _ = base.flat(table.text.tobytes(), table.offsets)
    corpus = Corpus(ids, offsets.copy(), counts)
    surrogates = sum(each.counts.surrogates for each in counted)
    text = FirstText(counted[0].first_text, Split(config.split))
    learned = common_words(loop, corpora, numbers, corpus)
    reason = stop_reason(corpus, learned, config.vocab_size - len(base.tokens))
    return Training(config, base, corpus, learned, reason, surrogates, text)


def _reported(merges: Iterator[FairMerge], most: int, report: Progress) -> Iterator[FairMerge]:
    report(0, most)
    for done, merge in enumerate(merges, 1):
        yield merge
        if done % _REPORTED == 0:
            report(done, most)


def _checked_texts(texts: object) -> dict[str, str]:
    given = checks.mapping(texts, "texts", message("texts by the names of their languages"))
    if not 2 <= len(given) <= MOST_LANGUAGES:
        raise ConfigError(
            message("There are texts of {number:,} languages.", number=len(given)),
            limit=message("Parity needs 2 to {most:,} languages.", most=MOST_LANGUAGES),
            remedy=message("Give a text for each language, by its name."),
        )
    return {
        name: checks.given_text(text, message("The text of {language}", language=quoted(name)))
        for name, text in given.items()
    }


def _units(counts: WordCounts, text: str, unit: str) -> int:
    """Size of a language's text: bytes or characters in words, or lines."""
    if unit == "lines":
        return text.count("\n") + (bool(text) and not text.endswith("\n"))
    if unit == "bytes":
        return int(np.diff(counts.offsets) @ counts.counts)
    begins = np.concatenate(([0], np.cumsum(begins_character(counts.text))))
    return sum(
        int(begins[end] - begins[start]) * count
        for (start, end), count in zip(pairwise(counts.offsets.tolist()), counts.counts.tolist(), strict=True)
    )


def _check_parallel(lines: Mapping[str, int]) -> None:
    fewest, most = min(lines, key=lines.__getitem__), max(lines, key=lines.__getitem__)
    if lines[fewest] != lines[most]:
        raise ConfigError(
            message(
                "The text of {most} has {lines:,} lines, that of {fewest} {others:,}.",
                most=quoted(most),
                lines=lines[most],
                fewest=quoted(fewest),
                others=lines[fewest],
            ),
            limit=message('The unit "lines" is only for parallel texts, whose lines correspond in every language.'),
            remedy=message("Use bytes or characters, or give every text the same number of lines."),
        )
