"""The difference of two counts, summed by source."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Comparison, TrainConfig, compare, load_pretrained, train
from bpe_core.comparison.totals import SOURCES, WHITE_SPACE, difference, group_equal

TEXT = "def low(x):\n    return 12345  # lower lowest\n\n\tnaïve 日本 🙂"
END_OF_WORD = train(
    "low lower lowest " * 9, TrainConfig(vocab_size=300, unit="char", split="words", end_of_word="</w>")
).tokenizer()
TOKENIZERS = {name: load_pretrained(name) for name in ("gpt2", "cl100k_base", "o200k_base", "t5-small")}
TOKENIZERS["end of word"] = END_OF_WORD

texts = st.text("ab 1.\n\té日🙂'sx", max_size=60) | st.text(max_size=30)


def of(text: str, *names: str) -> Comparison:
    return compare(text, {name: TOKENIZERS[name] for name in names})


@given(texts, st.permutations([*TOKENIZERS]))
def test_the_parts_add_up_to_the_difference_of_the_counts(text: str, order: list[str]) -> None:
    left, right = order[:2]
    comparison = of(text, left, right)
    found = comparison.disagreements(left, right)
    groups = group_equal(comparison, found)
    made = difference(comparison, left, right, groups)
    assert made.tokens == len(comparison.encoding(left)) - len(comparison.encoding(right))
    assert sum(share.tokens for share in made.shares) + made.elsewhere == made.tokens
    assert sum(share.places for share in made.shares) == len(found)
    assert {share.source for share in made.shares} <= {*SOURCES}
    if {left, right} <= {"gpt2", "cl100k_base", "o200k_base"}:
        assert made.elsewhere == 0


@given(texts)
def test_equal_disagreements_are_one_with_their_number(text: str) -> None:
    comparison = of(text, "gpt2", "cl100k_base")
    found = comparison.disagreements("gpt2", "cl100k_base")
    data = comparison.text.encode()
    expected = Counter((data[each.start : each.end], each.left_ids, each.right_ids, each.cause) for each in found)
    groups = group_equal(comparison, found)
    assert {(data[g.first.start : g.first.end], *g.first[2:5]): g.times for g in groups} == expected
    assert [abs(group.tokens) for group in groups] == sorted((abs(group.tokens) for group in groups), reverse=True)
    assert all(g.tokens == g.times * (len(g.first.left_ids) - len(g.first.right_ids)) for g in groups)


@pytest.mark.parametrize("reverse", [False, True])
def test_white_space_is_a_source_of_its_own(reverse: bool) -> None:
    names = ("cl100k_base", "gpt2") if reverse else ("gpt2", "cl100k_base")
    comparison = of("    a\n        b", *names)
    made = difference(comparison, *names, group_equal(comparison, comparison.disagreements(*names)))
    assert [share.source for share in made.shares] == [WHITE_SPACE]
    assert made.tokens == made.shares[0].tokens == (-8 if reverse else 8)


def test_what_was_not_listed_is_elsewhere() -> None:
    comparison = of("    a\n" * 5, "gpt2", "cl100k_base")
    first = comparison.disagreements("gpt2", "cl100k_base", most=2)
    made = difference(comparison, "gpt2", "cl100k_base", group_equal(comparison, first))
    assert (made.tokens, made.shares[0].tokens, made.elsewhere) == (10, 4, 6)
