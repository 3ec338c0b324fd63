"""Sentences about merges that cross words, and about the change of SuperBPE's split."""

from __future__ import annotations

from bpe_core.bpe.snapshot import Candidate, Merge
from bpe_core.bpe.training_step import TrainingStep
from bpe_core.language import _, parts
from bpe_core.payloads.sentences import Sentence


def crossing_of(step: TrainingStep) -> list[Sentence]:
    """Sentences about word edges at a step: the kind of its merge, and the change of the split.

    >>> from bpe_core import TrainConfig, train
    >>> training = train("low low low low", TrainConfig(vocab_size=260, method="boundlessbpe"))
    >>> [crossing_of(TrainingStep(training, step))[0][0] for step in (3, 4)]
    ['Inside words.', 'Two whole words.']
    """
    config, number = step.config, step.number
    change = step.training.rule_change
    if config.method == "bpe" or (not number and (change is None or change.step)):
        return []
    crosses = number > 0 and bool(step.training.crossing[number - 1])
    if config.method == "boundlessbpe":
        return [
            parts("**Two whole words.** They are adjacent, and each was a single token.")
            if crosses
            else parts("**Inside words.** No pair of whole words occurred more often.")
        ]
    if change is None or number < change.step:
        return [parts("**Inside words:** merges cross words from {ids:,} ids on.", ids=config.transition)]
    if number == change.step:
        return [_changed(change.before, change.after)]
    return [
        parts("**Across words:** the new token holds several words, or parts of them.")
        if crosses
        else parts("**Inside a word,** though merges may cross words now.")
    ]


def counted_at(step: TrainingStep, pair: Merge | Candidate) -> int:
    """Step at which a pair was first counted: it begins to exist with the newer of its tokens, or with the split.

    >>> from bpe_core import TrainConfig, train
    >>> training = train("low low", TrainConfig(vocab_size=258))
    >>> counted_at(TrainingStep(training, 2), training.merges[1])
    1
    """
    counted = max(0, max(pair.left, pair.right) - step.training.first_id + 1)
    change = step.training.rule_change  # after it, all pairs are recounted
    return counted if change is None or step.number <= change.step else max(counted, change.step)


def _changed(before: int, after: int) -> Sentence:
    if before == after:
        return parts("**The rule changes:** from here on merges may cross words. This alone changes no token.")
    return parts(
        "**The rule changes:** from here on merges may cross words. Numbers and punctuation are now split differently, "
        "and the merges so far apply across the old edges: {before:,} tokens became {after:,} at once.",
        before=before,
        after=after,
    )


def why_crossing(before: int) -> str:
    """Short reason for a changed count of a pair of whole words.

    >>> why_crossing(0), why_crossing(2)
    ('now two whole words', 'a word merged')
    """
    return _("a word merged") if before else _("now two whole words")
