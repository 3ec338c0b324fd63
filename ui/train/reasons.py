"""Why: sentences about a merge, a tie, a count that changed, an end. Pure functions of a step; nothing is drawn."""

from __future__ import annotations

from bpe_core import Candidate, CountChange, Merge
from ui.train.here import Here, first_word, tied
from ui.train.views import Part, Sentence

_NAMED = 2
"""Pairs of a tie that are named; the rest are counted."""


def story_of(here: Here, *, hide_losers: bool = False) -> list[Sentence]:
    """What this step did and why, the tie, and what is special about it.

    hide_losers: name no pair that lost, since one of them may be the next merge that a class is to guess.
    """
    if here.step == 0:
        return _beginning(here)
    merge = here.training.merges[here.step - 1]
    forced = _was_forced(here)
    sentences = [_count(here, merge, forced)]
    if here.at_end:
        sentences.append([("The end: ", True), why_it_stopped(here)])
    if forced:
        sentences.append(_against_the_rule(here))
    else:
        sentences.append(_tie_unnamed(here) if hide_losers else _tie(here, merge))
    return sentences + _overlaps(here, merge) + _twin(here, merge)


def times(count: int) -> str:
    """A count in words."""
    return "once" if count == 1 else "twice" if count == 2 else f"{count:,} times"


def why_it_stopped(here: Here) -> str:
    """Why there is no merge after the last one."""
    base = here.training.vocab_size - here.last
    if here.training.stop_reason == "vocabulary full":
        return (
            f"the vocabulary is full: {base:,} ids before any merge and {here.last:,} merges are {base + here.last:,}."
        )
    if here.training.stop_reason == "no pairs left":
        return "every word is one token by now, and merges do not cross words."
    return f"no pair stands {here.config.min_count:,} times any more, the least that the settings ask for."


def why_changed(change: CountChange, merge: Merge, left: str, right: str) -> str:
    """Why a merge changed the count of a pair, in a few words; `left` and `right` name the merged tokens.

    Only pairs with the new token can grow: a merge takes places away from all others.
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
    return f"its {right if took_left else left} was merged"


def _beginning(here: Here) -> list[Sentence]:
    unit = here.symbols
    count = here.training.token_count(0)
    end_of_word = f", and {here.config.end_of_word} behind every word" if here.config.end_of_word else ""
    return [
        [
            ("Step 0. ", True),
            f"The text as {unit}, each a token of its own{end_of_word}: {count:,} tokens, no merge yet.",
        ],
        ["Every round counts all pairs of neighbours inside words and merges the most frequent one everywhere."],
        [("Next", True), " (or the right arrow key) makes the first merge."],
    ]


def _was_forced(here: Here) -> bool:
    return any(step == here.step - 1 for step, _, _ in here.forks)


def _count(here: Here, merge: Merge, forced: bool) -> Sentence:
    most = "" if forced else ", the most of all pairs"
    return [
        (f"Merge {merge.rank + 1:,}. ", True),
        "The pair stood ",
        (times(merge.count), True),
        f"{most}. The new token has id ",
        (f"{merge.token_id:,}", True),
        ".",
    ]


def _against_the_rule(here: Here) -> Sentence:
    best = here.before.candidates(1)[0]
    return [
        ("Your choice. ", True),
        "The rule would have taken ",
        here.pair(best.left, best.right),
        f", which stood {times(best.count)}.",
    ]


def _tie(here: Here, merge: Merge) -> Sentence:
    many, first = tied(here.before)
    others = [pair for pair in first if (pair.left, pair.right) != (merge.left, merge.right)]
    if many < 2:
        rest = [pair for pair in here.before.candidates(2) if (pair.left, pair.right) != (merge.left, merge.right)]
        if not rest:
            return ["No other pair was there."]
        return ["No tie: the runner-up was ", here.pair(rest[0].left, rest[0].right), f" with {rest[0].count:,}."]
    named: list[Part] = [
        ("A tie ", True),
        f"of {many:,} pairs, and ",
    ]
    named += (
        _first_seen(here, merge, others) if here.config.tie_break == "first-seen" else _lowest_ids(here, merge, others)
    )
    if many - 1 > _NAMED:
        named.append(f"; {many - 1 - _NAMED:,} more lost the same way")
    return [*named, "."]


def _tie_unnamed(here: Here) -> Sentence:
    many, _ = tied(here.before)
    if many < 2:
        return ["No other pair had this count."]
    rule = "the one seen first won" if here.config.tie_break == "first-seen" else "the lowest ids won"
    return [("A tie ", True), f"of {many:,} pairs, and ", (rule, True), "."]


def _first_seen(here: Here, merge: Merge, others: list[Candidate]) -> list[Part]:
    parts: list[Part] = [("the one seen first wins", True)]
    won = first_word(here.before, merge.left, merge.right)
    if won is None:
        return parts
    parts.append(f": this one in word {won[0] + 1:,}, {_word(here, won[1])}")
    for at, pair in enumerate(others[:_NAMED]):
        lost = first_word(here.before, pair.left, pair.right)
        where = (
            ""
            if lost is None
            else (
                " later in the same word" if lost[0] == won[0] else f" in word {lost[0] + 1:,}, {_word(here, lost[1])}"
            )
        )
        parts += ["; " if at else "; not ", here.pair(pair.left, pair.right), where]
    return parts


def _lowest_ids(here: Here, merge: Merge, others: list[Candidate]) -> list[Part]:
    parts: list[Part] = [
        ("the lowest ids win", True),
        f": ({merge.left}, {merge.right}) comes before ",
    ]
    for at, pair in enumerate(others[:_NAMED]):
        parts += [", " if at else "", here.pair(pair.left, pair.right), f" ({pair.left}, {pair.right})"]
    return parts


def _word(here: Here, ids: tuple[int, ...], longest: int = 16) -> str:
    data = b"".join(here.tokenizer.token_bytes(token_id) for token_id in ids)
    text = data.decode("utf-8", "replace").replace(" ", "·").replace("\n", "↵")
    return f"“{text if len(text) <= longest else text[:longest] + '…'}”"


def _overlaps(here: Here, merge: Merge) -> list[Sentence]:
    """Runs such as aaa: counted in every place, merged only in every second one."""
    made = here.training.token_count(here.step - 1) - here.training.token_count(here.step)
    if made == merge.count:
        return []
    a = here.name(merge.left)
    run = a * 3 if len(a) == 1 else f"{a} {a} {a}"
    return [
        [
            ("Overlaps. ", True),
            f"In a run such as {run} two places share a token: of {merge.count:,} counted, {made:,} merged.",
        ]
    ]


def _twin(here: Here, merge: Merge) -> list[Sentence]:
    """Another id with the same bytes."""
    data = here.tokenizer.token_bytes(merge.token_id)
    twin = here.tokenizer.token_id(data)
    if twin is None or twin >= merge.token_id:
        return []
    origin = "made from another pair" if twin >= here.training.merges[0].token_id else "there before any merge"
    return [[("Twins. ", True), f"Token {twin:,}, {origin}, has the same text: two ids, one text."]]
