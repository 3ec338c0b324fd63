"""Why: sentences about a merge, a tie, a count that changed, an end. Pure functions of a step; nothing is drawn."""

from __future__ import annotations

from bpe_core import Candidate, CountChange, Merge
from bpe_core.text.marks import marked
from ui.components.story import Sentence, SentencePart
from ui.train.step import Step, first_word, tied

_NAMED = 2
"""Pairs of a tie that are named; the rest are counted."""


def story_of(step: Step, *, hide_losers: bool = False) -> list[Sentence]:
    """What this step did and why, the tie, and what is special about it.

    hide_losers: name no pair that lost, since one of them may be the next merge that a class is to guess.
    """
    if step.number == 0:
        return _beginning(step)
    merge = step.training.merges[step.number - 1]
    forced = _was_forced(step)
    sentences = [_count(step, merge, forced)]
    if step.at_end:
        sentences.append([("The end: ", True), why_it_stopped(step)])
    if forced:
        sentences.append(_against_the_rule(step))
    else:
        sentences.append(_tie_unnamed(step) if hide_losers else _tie(step, merge))
    return sentences + _overlaps(step, merge) + _duplicate(step, merge)


def times(count: int) -> str:
    """A count in words."""
    return "once" if count == 1 else "twice" if count == 2 else f"{count:,} times"


def saving(made: int) -> str:
    """What a merge that made so many tokens saved of the text: each of them takes the place of two."""
    return "no token saved" if not made else f"−{made:,} {'token' if made == 1 else 'tokens'}"


def why_it_stopped(step: Step) -> str:
    """Why there is no merge after the last one."""
    base = step.training.vocab_size - step.last
    if step.training.stop_reason == "vocabulary full":
        return (
            f"the vocabulary is full: {base:,} ids before any merge and {step.last:,} merges are {base + step.last:,}."
        )
    if step.training.stop_reason == "no pairs left":
        return "every word is one token by now, and merges do not cross words."
    return f"no pair occurs {step.config.min_count:,} times any more, the minimum count of the settings."


def why_changed(change: CountChange, merge: Merge, left: str, right: str) -> str:
    """Why a merge changed the count of a pair, in a few words; `left` and `right` name the merged tokens.

    Only pairs with the new token can grow: a merge takes occurrences from all others.
    """
    new = merge.token_id
    if (change.left, change.right) == (merge.left, merge.right):
        return "merged"
    if change.left == new and change.right == new:
        return "two in a row"
    if change.left == new:
        return f"in place of {right}"
    if change.right == new:
        return f"in place of {left}"
    took_left = change.left == merge.right
    took_right = change.right == merge.left
    if took_left and took_right:
        return "both were merged"
    return f"{right if took_left else left} was merged"


def _beginning(step: Step) -> list[Sentence]:
    unit = step.symbols
    count = step.training.token_count(0)
    end_of_word = f", and {step.config.end_of_word} after every word" if step.config.end_of_word else ""
    return [
        [
            ("Step 0. ", True),
            f"The text as {unit}, each a token of its own{end_of_word}: {count:,} tokens, no merge yet.",
        ],
        ["Each round counts all pairs of neighbours inside words and merges the most frequent one everywhere."],
        [("Next", True), " (or the right arrow key) makes the first merge."],
    ]


def _was_forced(step: Step) -> bool:
    return any(at == step.number - 1 for at, _, _ in step.forks)


def _count(step: Step, merge: Merge, forced: bool) -> Sentence:
    most = "" if forced else ", the largest count of all"
    return [
        (f"Merge {merge.rank + 1:,}. ", True),
        "The pair occurred ",
        (times(merge.count), True),
        f"{most}: ",
        (saving(step.made), True),
        ". The new token has id ",
        (f"{merge.token_id:,}", True),
        ".",
    ]


def _against_the_rule(step: Step) -> Sentence:
    best = step.before.candidates(1)[0]
    return [
        ("Your choice. ", True),
        "The rule would have taken ",
        step.pair(best.left, best.right),
        f", which occurred {times(best.count)}.",
    ]


def _tie(step: Step, merge: Merge) -> Sentence:
    many, first = tied(step.before)
    others = [pair for pair in first if (pair.left, pair.right) != (merge.left, merge.right)]
    if many < 2:
        rest = [pair for pair in step.before.candidates(2) if (pair.left, pair.right) != (merge.left, merge.right)]
        if not rest:
            return ["There was no other pair."]
        return ["No tie: the runner-up was ", step.pair(rest[0].left, rest[0].right), f" with {rest[0].count:,}."]
    named: list[SentencePart] = [
        ("A tie ", True),
        f"of {many:,} pairs, and ",
    ]
    named += (
        _first_seen(step, merge, others) if step.config.tie_break == "first-seen" else _lowest_ids(step, merge, others)
    )
    if many - 1 > _NAMED:
        named.append(f"; {many - 1 - _NAMED:,} more lost the same way")
    return [*named, "."]


def _tie_unnamed(step: Step) -> Sentence:
    many, _ = tied(step.before)
    if many < 2:
        return ["No other pair had this count."]
    rule = "the one seen first won" if step.config.tie_break == "first-seen" else "the lowest ids won"
    return [("A tie ", True), f"of {many:,} pairs, and ", (rule, True), "."]


def _first_seen(step: Step, merge: Merge, others: list[Candidate]) -> list[SentencePart]:
    parts: list[SentencePart] = [("the one seen first wins", True)]
    won = first_word(step.before, merge.left, merge.right)
    if won is None:
        return parts
    parts.append(f": this one in word {won[0] + 1:,}, {_word(step, won[1])}")
    for at, pair in enumerate(others[:_NAMED]):
        lost = first_word(step.before, pair.left, pair.right)
        where = (
            ""
            if lost is None
            else (
                " later in the same word" if lost[0] == won[0] else f" in word {lost[0] + 1:,}, {_word(step, lost[1])}"
            )
        )
        parts += ["; " if at else "; not ", step.pair(pair.left, pair.right), where]
    return parts


def _lowest_ids(step: Step, merge: Merge, others: list[Candidate]) -> list[SentencePart]:
    parts: list[SentencePart] = [
        ("the lowest ids win", True),
        f": ({merge.left}, {merge.right}) comes before ",
    ]
    for at, pair in enumerate(others[:_NAMED]):
        parts += [", " if at else "", step.pair(pair.left, pair.right), f" ({pair.left}, {pair.right})"]
    return parts


def _word(step: Step, ids: tuple[int, ...], longest: int = 16) -> str:
    data = b"".join(step.tokenizer.token_bytes(token_id) for token_id in ids)
    text = data.decode("utf-8", "replace")
    return f"“{marked(text if len(text) <= longest else text[:longest] + '…')}”"


def _overlaps(step: Step, merge: Merge) -> list[Sentence]:
    """Runs such as aaa: every pair is counted, only every second one can be merged."""
    made = step.made
    if made == merge.count:
        return []
    a = step.name(merge.left)
    run = a * 3 if len(a) == 1 else f"{a} {a} {a}"
    return [
        [
            ("Overlaps. ", True),
            f"In a run such as {run} two occurrences share a token: {merge.count:,} counted, {made:,} merged.",
        ]
    ]


def _duplicate(step: Step, merge: Merge) -> list[Sentence]:
    """Another id with the same bytes."""
    data = step.tokenizer.token_bytes(merge.token_id)
    duplicate = step.tokenizer.token_id(data)
    if duplicate is None or duplicate >= merge.token_id:
        return []
    origin = (
        "made from another pair"
        if duplicate >= step.training.merges[0].token_id
        else "in the vocabulary from the start"
    )
    return [[("Duplicate. ", True), f"Token {duplicate:,}, {origin}, has the same bytes: two ids, one text."]]
