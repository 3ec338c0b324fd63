"""The rules named for a boundary, or for its absence, against the patterns themselves."""

from itertools import permutations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core.text.split_reasons import kind_of, why_kept, why_split
from bpe_core.text.splits import compile_split, words

NAMED = ("gpt2", "cl100k", "o200k")
PARTS = [*"abTS'’123 \n\t\r(/日éक._ǅª", "\u0301", "\u093f", "\u00a0", "'s", "'LL", "'re", "Tt", "  "]
tricky = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)


def edges(split: str, text: str) -> list[int]:
    """Starts of the words of a split that drops nothing, and the end of the text."""
    starts = [0]
    for word in words(compile_split(split), text):
        starts.append(starts[-1] + len(word))
    assert starts[-1] == len(text)
    return starts


@pytest.mark.parametrize(("left", "right"), [*permutations(NAMED, 2)])
@given(text=tricky)
@example(text="'\n/'")
@example(text="\u0301\n \n")
def test_every_boundary_that_one_split_has_and_the_other_does_not_has_a_rule(left: str, right: str, text: str) -> None:
    mine, other = edges(left, text), edges(right, text)
    for before, boundary, after in zip(mine, mine[1:], mine[2:], strict=False):
        if boundary in other:
            continue
        around = text[before:boundary], text[boundary:after]
        kept = (
            text[max(at for at in other if at < boundary) : boundary],
            text[boundary : min(at for at in other if at > boundary)],
        )
        assert why_split(left, *around), around
        assert why_kept(right, *kept), kept


@pytest.mark.parametrize(
    ("split", "before", "after", "rule"),
    [
        ("cl100k", "123", "45", "at most three digits"),
        ("o200k", " ", "7", "A number takes nothing in front"),
        ("gpt2", "(", "default", "begin with a space only"),
        ("gpt2", ".", "\n", "White space begins a new word"),
        ("gpt2", "\n\n", "\n", "before its last character"),
        ("cl100k", "\n", "  ", "after the last line break"),
        ("cl100k", "CAN", "'T", "apostrophe ending"),
        ("gpt2", "CAN", "'T", "only in lower case"),
        ("gpt2", "'", "T", "only in lower case"),
        ("gpt2", "’", "m", "only the straight apostrophe"),
        ("gpt2", "म", "\u093f", "does not count a combining mark as a letter"),
        ("o200k", "Value", "Error", "An upper-case letter after a lower-case one"),
        ("o200k", "'\n/", "'", "Line breaks and slashes end"),
        ("cl100k", "((", "x", "Only a single punctuation character"),
        ("words", "a", "b", ""),
        (r"\w+", "a", "b", ""),
    ],
)
def test_a_boundary_is_explained_by_the_rule_that_made_it(split: str, before: str, after: str, rule: str) -> None:
    assert rule in why_split(split, before, after)
    assert bool(rule) == bool(why_split(split, before, after))


def test_characters_are_of_the_kinds_that_the_splits_tell_apart() -> None:
    kinds = [kind_of(char) for char in "aʰ字\u0301１½ \r\u2028_🙂"]
    assert kinds == [
        *["letter"] * 3,
        "mark",
        "digit",
        "digit",
        "space",
        "newline",
        "white space",
        "punctuation",
        "punctuation",
    ]
