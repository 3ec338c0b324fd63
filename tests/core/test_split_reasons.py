"""The rules that are named for a cut, and for keeping together, against the patterns themselves."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.split import compile_split, words
from bpe_core.split_reasons import kind_of, why_cut, why_kept

NAMED = ("gpt2", "cl100k", "o200k")
PARTS = [*"abTS'’123 \n\t\r(/日éक._ǅª", "\u0301", "\u093f", "\u00a0", "'s", "'LL", "'re", "Tt", "  "]
tricky = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)


def edges(split: str, text: str) -> list[int]:
    """Where the words of a split that drops nothing begin, and the end of the text."""
    starts = [0]
    for word in words(compile_split(split), text):
        starts.append(starts[-1] + len(word))
    assert starts[-1] == len(text)
    return starts


@pytest.mark.parametrize(("left", "right"), [*permutations(NAMED, 2)])
@given(text=tricky)
def test_every_cut_that_one_split_makes_and_the_other_does_not_has_a_rule(left: str, right: str, text: str) -> None:
    mine, other = edges(left, text), edges(right, text)
    for before, cut, after in zip(mine, mine[1:], mine[2:], strict=False):
        if cut in other:
            continue
        around = text[before:cut], text[cut:after]
        kept = text[max(at for at in other if at < cut) : cut], text[cut : min(at for at in other if at > cut)]
        assert why_cut(left, *around), around
        assert why_kept(right, *kept), kept


@pytest.mark.parametrize(
    ("split", "before", "after", "rule"),
    [
        ("cl100k", "123", "45", "at most three digits"),
        ("o200k", " ", "7", "a number takes nothing in front"),
        ("gpt2", "(", "default", "begin with a space only"),
        ("gpt2", ".", "\n", "white space begins a new word"),
        ("gpt2", "\n\n", "\n", "before its last character"),
        ("cl100k", "\n", "  ", "behind the last line break"),
        ("cl100k", "CAN", "'T", "apostrophe ending"),
        ("gpt2", "CAN", "'T", "only in small letters"),
        ("gpt2", "'", "T", "only in small letters"),
        ("gpt2", "’", "m", "only the straight apostrophe"),
        ("gpt2", "म", "\u093f", "such a mark is no letter"),
        ("o200k", "Value", "Error", "a capital behind a small letter"),
        ("cl100k", "((", "x", "only a single sign"),
        ("words", "a", "b", ""),
        (r"\w+", "a", "b", ""),
    ],
)
def test_a_cut_is_explained_by_the_rule_that_made_it(split: str, before: str, after: str, rule: str) -> None:
    assert rule in why_cut(split, before, after)
    assert bool(rule) == bool(why_cut(split, before, after))


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
        "sign",
        "sign",
    ]
