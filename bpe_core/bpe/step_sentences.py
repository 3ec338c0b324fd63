"""Explanations of a merge, a tie, a changed count, and the end. Pure functions of a step; nothing is drawn."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bpe_core.bpe.crossing_sentences import counted_at, crossing_of
from bpe_core.bpe.snapshot import Candidate, CountChange, Merge
from bpe_core.bpe.training_step import TrainingStep, first_word, tied
from bpe_core.language import _, message, n_, parts, sentence
from bpe_core.payloads.sentences import Sentence, story_frame
from bpe_core.text.marks import marked
from bpe_core.tokenizer.model import TokenNode

_NAMED = 2
"""Maximum number of named pairs in a tie; the rest are counted."""

Change = Literal["merged", "two", "after new", "before new", "both", "left", "right"]
"""Relation of a merge to a pair whose count it changed."""


def story_of(step: TrainingStep, *, hide_losers: bool = False) -> list[Sentence]:
    """The step's merge, its reason, its tie, and special cases.

    hide_losers: do not name losing pairs, one of which may be the next merge for a class to guess.

    >>> from bpe_core import TrainConfig, train
    >>> step = TrainingStep(train("low low", TrainConfig(vocab_size=257)), 1)
    >>> story_of(step)[0][0]
    'Merge 1.'
    """
    if step.number == 0:
        return _beginning(step) + _crossing(step)
    merge, forced = step.training.merges[step.number - 1], _was_forced(step)
    sentences = [_count(step, merge, forced), *_crossing(step)]
    if step.at_end:
        sentences.append(_end(step))
    if forced:
        sentences.append(_against_the_rule(step))
    else:
        sentences.append(_tie_unnamed(step) if hide_losers else _tie(step, merge))
    return sentences + _overlaps(step, merge) + _duplicate(step, merge)


def made_by(node: TokenNode) -> str:
    """Label below a node of the tree.

    >>> made_by(TokenNode(256, TokenNode(97), TokenNode(97), 0)), made_by(TokenNode(97))
    ('merge 1', 'base')
    """
    return _("base") if node.rank is None else _("merge {number:,}", number=node.rank + 1)


def origin_of(step: TrainingStep, root: TokenNode) -> Sentence:
    """Origin of a token in one sentence.

    >>> from bpe_core import TrainConfig, train
    >>> step = TrainingStep(train("low low", TrainConfig(vocab_size=257)), 1)
    >>> origin_of(step, step.training.tree(256))[2]
    'merge 1'
    """
    chip = step.chip(root.id)
    if root.rank is None or root.left is None or root.right is None:
        words = {"token": chip, "id": root.id}
        if root.id in step.tokenizer.special_tokens.values():
            return parts("{token}, id {id:,}, is a special token: no merge makes it.", **words)
        if (base := step.training.base) is not None:
            return parts(
                "{token}, id {id:,}, is a token of {base}: in the vocabulary from the start.", base=base.name, **words
            )
        return parts("{token}, id {id:,}, is a base symbol: in the vocabulary before any merge.", **words)
    return parts(
        "{token}, id {id:,}, was made at **merge {number:,}** from {pair}, which occurred {times}.",
        token=chip,
        id=root.id,
        number=root.rank + 1,
        pair=step.pair(root.left.id, root.right.id),
        times=times(step.training.merges[root.rank].count),
    )


def brief_of(step: TrainingStep) -> dict[int, Sentence]:
    """Short forms of sentences in `story_of`, by index: of a tie among many pairs, without the losers.

    >>> from bpe_core import TrainConfig, train
    >>> step = TrainingStep(train("ab cd ef", TrainConfig(vocab_size=258)), 1)
    >>> "".join(map(str, brief_of(step)[1]))
    'A tie of 5 pairs, and the one seen first won.'
    """
    if step.number == 0 or _was_forced(step) or tied(step.before)[0] <= 2:
        return {}
    return {1 + len(_crossing(step)) + step.at_end: _tie_unnamed(step)}


def _crossing(step: TrainingStep) -> list[Sentence]:
    return [] if step.config.method == "bpe" else crossing_of(step)


def step_story(step: TrainingStep, *, hide_losers: bool = False) -> bytes:
    """Frame of the story of a step. `hide_losers`: see `story_of`.

    >>> from bpe_core import TrainConfig, train
    >>> b"Merge 1." in step_story(TrainingStep(train("low low", TrainConfig(vocab_size=257)), 1))
    True
    """
    merge = step.training.merges[step.number - 1] if step.number else None
    return story_frame(
        (*step.pair(merge.left, merge.right), step.chip(merge.token_id)) if merge else None,
        story_of(step, hide_losers=hide_losers),
        brief={} if hide_losers else brief_of(step),
        label=_("This step"),
        at=(step.name_of_training, step.number),
        forced=[number + 1 for number, _left, _right in step.forks],
        symbols=step.training.token_count(0),
    )


def times(count: int) -> str:
    """A count in words.

    >>> times(1), times(2), times(1_000)
    ('once', 'twice', '1,000 times')
    """
    return _("once") if count == 1 else _("twice") if count == 2 else _("{count:,} times", count=count)


def saving(made: int) -> str:
    """Tokens saved by a merge that made this many tokens, each replacing two.

    >>> saving(0), saving(1)
    ('no token saved', '−1 token')
    """
    return n_("−{count:,} token", "−{count:,} tokens", made) if made else _("no token saved")


def whys_of(left: str, right: str) -> dict[Change, str]:
    """Short reasons for count changes by the merge of two tokens of these names.

    >>> whys_of("l", "o")["left"]
    'l was merged'
    """
    return {
        "merged": _("merged"),
        "two": _("two in a row"),
        "after new": _("in place of {token}", token=right),
        "before new": _("in place of {token}", token=left),
        "both": _("both were merged"),
        "left": _("{token} was merged", token=left),
        "right": _("{token} was merged", token=right),
    }


def what_changed(change: CountChange, merge: Merge) -> Change:
    """Relation of a merge to a pair whose count it changed.

    Only pairs with the new token can gain occurrences; all others lose some.

    >>> what_changed(CountChange(108, 111, 2, 0), Merge(0, 108, 111, 256, 2))
    'merged'
    """
    new = merge.token_id
    if (change.left, change.right) == (merge.left, merge.right):
        return "merged"
    if change.left == new:
        return "two" if change.right == new else "after new"
    if change.right == new:
        return "before new"
    took_left = change.left == merge.right
    took_right = change.right == merge.left
    if took_left and took_right:
        return "both"
    return "right" if took_left else "left"


def _beginning(step: TrainingStep) -> list[Sentence]:
    return [
        _symbols(step),
        parts("Each round counts all pairs of neighbours inside words and merges the most frequent one everywhere."),
        parts("**Next** (or the right arrow key) makes the first merge."),
    ]


def _symbols(step: TrainingStep) -> Sentence:
    """The units of the text before any merge."""
    tokens, mark, base = step.training.token_count(0), step.config.end_of_word, step.training.base
    if base is not None:
        return parts(
            "**Step 0.** The text in the tokens of {base}: {tokens:,} tokens, no new merge yet.",
            base=base.name,
            tokens=tokens,
        )
    if step.config.unit == "byte":
        return parts(
            "**Step 0.** The text as bytes, each a token of its own: {tokens:,} tokens, no merge yet.", tokens=tokens
        )
    if not mark:
        return parts(
            "**Step 0.** The text as characters, each a token of its own: {tokens:,} tokens, no merge yet.",
            tokens=tokens,
        )
    return parts(
        "**Step 0.** The text as characters, each a token of its own, and {mark} after every word: {tokens:,} tokens, "
        "no merge yet.",
        mark=mark,
        tokens=tokens,
    )


def _was_forced(step: TrainingStep) -> bool:
    return any(at == step.number - 1 for at, _left, _right in step.forks)


def _count(step: TrainingStep, merge: Merge, forced: bool) -> Sentence:
    words = {"step": merge.rank + 1, "times": times(merge.count), "saved": saving(step.made), "id": merge.token_id}
    if forced:
        return parts(
            "**Merge {step:,}.** The pair occurred **{times}**: **{saved}**. The new token has id **{id:,}**.", **words
        )
    return parts(
        "**Merge {step:,}.** The pair occurred **{times}**, the largest count of all: **{saved}**. The new token has "
        "id **{id:,}**.",
        **words,
    )


def _end(step: TrainingStep) -> Sentence:
    """Reason why the training ended."""
    if step.training.stop_reason == "vocabulary full":
        base = step.training.vocab_size - step.last
        return parts(
            "**The end:** the vocabulary is full: {base:,} ids before any merge and {merges:,} merges are {ids:,}.",
            base=base,
            merges=step.last,
            ids=base + step.last,
        )
    if step.training.stop_reason == "no pairs left" and step.config.method != "bpe":
        return parts("**The end:** no two adjacent tokens may merge any more.")
    if step.training.stop_reason == "no pairs left":
        return parts("**The end:** every word is one token by now, and merges do not cross words.")
    return parts(
        "**The end:** no pair occurs {least:,} times any more, the minimum count of the settings.",
        least=step.config.min_count,
    )


def _against_the_rule(step: TrainingStep) -> Sentence:
    best = step.before.candidates(1)[0]
    return parts(
        "**Your choice.** The rule would have taken {pair}, which occurred {times}.",
        pair=step.pair(best.left, best.right),
        times=times(best.count),
    )


def _tie(step: TrainingStep, merge: Merge) -> Sentence:
    many, first = tied(step.before)
    others = [pair for pair in first if (pair.left, pair.right) != (merge.left, merge.right)]
    if many >= 2:
        return _BY_RULE[step.config.tie_break](step, merge, others, many)
    rest = [pair for pair in step.before.candidates(2) if (pair.left, pair.right) != (merge.left, merge.right)]
    if not rest:
        return parts("There was no other pair.")
    return parts(
        "No tie: the runner-up was {pair} with {count:,}.",
        pair=step.pair(rest[0].left, rest[0].right),
        count=rest[0].count,
    )


def _tie_unnamed(step: TrainingStep) -> Sentence:
    many = tied(step.before)[0]
    if many < 2:
        return parts("No other pair had this count.")
    return {
        "first-seen": parts("**A tie** of {pairs:,} pairs, and **the one seen first won**.", pairs=many),
        "lowest-ids": parts("**A tie** of {pairs:,} pairs, and **the lowest ids won**.", pairs=many),
        "first-counted": parts("**A tie** of {pairs:,} pairs, and **the one counted first won**.", pairs=many),
    }[step.config.tie_break]


def _first_seen(step: TrainingStep, merge: Merge, others: list[Candidate], many: int) -> Sentence:
    won = first_word(step.before, merge.left, merge.right)
    if won is None:
        return parts("**A tie** of {pairs:,} pairs, and **the one seen first wins**.", pairs=many)
    losers, *more = [_place(step, pair, won[0]) for pair in others[:_NAMED]]
    for loser in more:
        losers = sentence("{losers}; {loser}", losers=losers, loser=loser)
    return parts(
        "**A tie** of {pairs:,} pairs, and **the one seen first wins**: this one in word {number:,}, {word}; not "
        "{losers}.",
        pairs=many,
        number=won[0] + 1,
        word=_word(step, won[1]),
        losers=_and_more(losers, many),
    )


def _place(step: TrainingStep, pair: Candidate, won: int) -> Any:
    """A losing pair, and the word where it first occurs; `won`: index of the winning pair's word."""
    chips = step.pair(pair.left, pair.right)
    lost = first_word(step.before, pair.left, pair.right)
    if lost is None:
        return chips
    if lost[0] == won:
        return sentence("{pair} later in the same word", pair=chips)
    return sentence("{pair} in word {number:,}, {word}", pair=chips, number=lost[0] + 1, word=_word(step, lost[1]))


def _lowest_ids(step: TrainingStep, merge: Merge, others: list[Candidate], many: int) -> Sentence:
    losers, *more = [
        sentence("{pair} ({left}, {right})", pair=step.pair(pair.left, pair.right), left=pair.left, right=pair.right)
        for pair in others[:_NAMED]
    ]
    for loser in more:
        losers = sentence("{losers}, {loser}", losers=losers, loser=loser)
    return parts(
        "**A tie** of {pairs:,} pairs, and **the lowest ids win**: ({left}, {right}) comes before {losers}.",
        pairs=many,
        left=merge.left,
        right=merge.right,
        losers=_and_more(losers, many),
    )


def _first_counted(step: TrainingStep, merge: Merge, others: list[Candidate], many: int) -> Sentence:
    counted = counted_at(step, merge)
    losers, *more = [_later(step, pair, counted) for pair in others[:_NAMED]]
    for loser in more:
        losers = sentence("{losers}, {loser}", losers=losers, loser=loser)
    return parts(
        "**A tie** of {pairs:,} pairs, and **the one counted first wins**: this one at step {step:,}; not {losers}.",
        pairs=many,
        step=counted,
        losers=_and_more(losers, many),
    )


def _later(step: TrainingStep, pair: Candidate, won: int) -> Any:
    """A losing pair, and when it was first counted; `won`: the step at which the winning pair was."""
    chips = step.pair(pair.left, pair.right)
    counted = counted_at(step, pair)
    if counted == won:
        return sentence("{pair} later at the same step", pair=chips)
    return sentence("{pair} at step {step:,}", pair=chips, step=counted)


_BY_RULE = {"first-seen": _first_seen, "lowest-ids": _lowest_ids, "first-counted": _first_counted}


def _and_more(losers: Any, many: int) -> Any:
    """The named losers, with the number of further ones in a tie of `many` pairs."""
    more = many - 1 - _NAMED
    return sentence("{losers}; {more:,} more lost the same way", losers=losers, more=more) if more > 0 else losers


def _word(step: TrainingStep, ids: npt.NDArray[np.int32], longest: int = 16) -> str:
    first = ids[: 4 * (longest + 1)].tolist()  # without a split a word may be the whole text
    text = b"".join(map(step.tokenizer.token_bytes, first)).decode("utf-8", "replace")
    return message("“{text}”", text=marked(text if len(text) <= longest else text[:longest] + "…"))


def _overlaps(step: TrainingStep, merge: Merge) -> list[Sentence]:
    """Note about runs such as aaa, where every pair is counted but only every second one can be merged."""
    made = step.made
    if made == merge.count:
        return []
    a = step.name(merge.left)
    return [
        parts(
            "**Overlaps.** In a run such as {run} two occurrences share a token: {counted:,} counted, {merged:,} "
            "merged.",
            run=a * 3 if len(a) == 1 else f"{a} {a} {a}",
            counted=merge.count,
            merged=made,
        )
    ]


def _duplicate(step: TrainingStep, merge: Merge) -> list[Sentence]:
    """Note about another id with the same bytes."""
    data = step.tokenizer.token_bytes(merge.token_id)
    duplicate = step.tokenizer.token_id(data)
    if duplicate is None or duplicate >= merge.token_id:
        return []
    if duplicate >= step.training.merges[0].token_id:
        return [
            parts(
                "**Duplicate.** Token {token:,}, made from another pair, has the same bytes: two ids, one text.",
                token=duplicate,
            )
        ]
    return [
        parts(
            "**Duplicate.** Token {token:,}, in the vocabulary from the start, has the same bytes: two ids, one text.",
            token=duplicate,
        )
    ]
