"""The merges that a word could take now: they explain every step of its encoding."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Tokenizer, load_pretrained, train

WORDS = st.text(st.sampled_from("lower the nest こ日🙂"), min_size=1, max_size=20)


def every_next_merge_is_the_lowest_possible(tokenizer: Tokenizer, word: str) -> None:
    steps = tokenizer.trace(word)
    for now, after in pairwise(steps):
        possible = tokenizer.possible_merges(now.ids)
        lowest = min(possible, key=lambda merge: merge.rank)
        assert lowest.rank == after.rank
        assert (now.ids[lowest.at], now.ids[lowest.at + 1]) == after.merged
        assert lowest.token_id in after.ids
    assert tokenizer.possible_merges(steps[-1].ids) == []


@given(WORDS)
def test_the_lowest_possible_rank_is_the_one_that_merges(word: str) -> None:
    every_next_merge_is_the_lowest_possible(train("lower lowest the newest こにちは 日本 🙂").tokenizer(), word)


@given(WORDS)
def test_gpt2_merges_the_lowest_possible_rank(word: str) -> None:
    every_next_merge_is_the_lowest_possible(load_pretrained("gpt2"), word)


def test_merges_that_wait_are_listed_with_their_ranks() -> None:
    gpt2 = load_pretrained("gpt2")
    token = [gpt2.token_id(letter) for letter in (b"t", b"h", b"e")]
    assert [(merge.at, merge.rank) for merge in gpt2.possible_merges(token)] == [(0, 400), (1, 258)]  # type: ignore[arg-type]


def test_a_word_of_one_symbol_has_nothing_to_merge() -> None:
    gpt2 = load_pretrained("gpt2")
    assert gpt2.possible_merges([]) == gpt2.possible_merges([464]) == []
