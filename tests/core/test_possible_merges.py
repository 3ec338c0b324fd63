"""The merges applicable to a word: they explain every step of its encoding."""

import base64
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Tokenizer, load_pretrained, train
from bpe_core.formats import from_bytes

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


EMPTY = 258
RANKS = [*(bytes([value]) for value in range(256)), b"lo", b"low", b""]
RANK_FILE = b"".join(b"%s %d\n" % (base64.b64encode(token) or b"=", rank) for rank, token in enumerate(RANKS))
"""Ranks with an empty token, as in Whisper's file."""

OF_RANKS = {
    "gpt2": lambda: load_pretrained("gpt2"),
    "cl100k_base": lambda: load_pretrained("cl100k_base"),
    "o200k_base": lambda: load_pretrained("o200k_base"),
    "a file": lambda: from_bytes(RANK_FILE, split="gpt2", special_tokens={"<s>": 259, "<far>": 5_000}),
    "a training": lambda: train("low lower lowest").tokenizer().with_special_tokens({"<s>": 9_000}),
}


@pytest.mark.parametrize("name", OF_RANKS)
def test_a_special_token_merges_with_nothing(name: str) -> None:
    tokenizer = OF_RANKS[name]()
    merges = tokenizer.model.merges
    assert merges is not None
    for special in tokenizer.special_tokens.values():
        for other in (special, 108, 256):
            assert tokenizer.merge_of(special, other) is tokenizer.merge_of(other, special) is None
            assert tokenizer.possible_merges([special, other, special]) == []
        assert merges.parts(special) is merges.rank_of(special) is tokenizer.rank(special) is None
        assert merges.parts_within(special) == {}
        assert tokenizer.tree(special).left is None


def test_an_empty_token_merges_with_nothing() -> None:
    tokenizer = OF_RANKS["a file"]()
    assert tokenizer.possible_merges([EMPTY, 256, 119, EMPTY, 257]) == [(1, 257, 257)]


@given(st.data())
def test_any_ids_can_be_asked_for_their_merges(data: st.DataObject) -> None:
    tokenizer = OF_RANKS[data.draw(st.sampled_from(["gpt2", "a file"]))]()
    ids = data.draw(
        st.lists(st.sampled_from([tokenizer.ids[-1], EMPTY, *range(250, 260)]) | st.sampled_from(range(258)))
    )
    known = [i for i in ids if i in {*tokenizer.ids}]
    spelled = {tokenizer.token_bytes(i): i for i in range(256)}
    for merge in tokenizer.possible_merges(known):
        left, right = known[merge.at], known[merge.at + 1]
        assert tokenizer.token_bytes(left) + tokenizer.token_bytes(right) == tokenizer.token_bytes(merge.token_id)
        assert merge.token_id not in {left, right, *spelled.values()}
