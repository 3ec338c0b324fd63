"""Tokens too long in total to be stored individually: ranges of the words, equal to the tokens themselves."""

from __future__ import annotations

import random
import subprocess
import sys
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import CorpusError, FormatError, Tokenizer, TrainConfig, Training, train
from bpe_core.bpe.vocabulary import all_tokens
from bpe_core.formats import FORMATS, to_files, unproven_token, writable
from bpe_core.formats.merge_csv import merges_csv
from bpe_core.formats.training_file import open_training, save_training
from bpe_core.tokenizer.facts import token_facts
from bpe_core.tokenizer.token_ranges import TokenRanges, tokens_holding
from tests.core import oracle
from tests.core.test_training import READY, trained

GROWING = TrainConfig(vocab_size=9_000, split="none")
"""Once no pair occurs twice, the first token grows by one symbol per merge."""


def growing_text(characters: int = 24_000) -> str:
    """A text without many repetitions."""
    return "".join(random.Random(7).choices("abcdefghijklmnopqrstuvwxyz éこ", k=characters))


@pytest.fixture(scope="module")
def growing() -> Training:
    """A training whose tokens are not stored individually."""
    return train(growing_text(), GROWING)


def as_ranges(training: Training) -> Training:
    """The same training with its tokens as ranges, however short they are."""
    with patch("bpe_core.bpe.training.all_tokens", return_value=None):
        assert isinstance(training._tokens, TokenRanges)
    return training


@pytest.mark.parametrize("way", READY)
@given(oracle.corpora, oracle.configs())
def test_ranges_are_the_tokens_that_the_merges_make(way: str, texts, config: TrainConfig) -> None:
    training = trained(way, texts, config)
    expected = all_tokens(training._base, training._rows[:, :2].tolist())
    assert list(as_ranges(training)._tokens) == expected


@given(oracle.corpora, oracle.configs(), st.binary(max_size=2) | st.text("abé", max_size=2).map(str.encode))
def test_a_tokenizer_of_ranges_knows_what_one_of_tokens_knows(texts, config: TrainConfig, part: bytes) -> None:
    for step in (0, None):
        reference = train(texts, config).tokenizer(step)
        ranges = as_ranges(train(texts, config)).tokenizer(step)
        assert ranges.ids == reference.ids
        assert list(ranges.model.tokens) == list(reference.model.tokens)
        assert (
            tokens_holding(ranges.model.tokens, part).tolist() == tokens_holding(reference.model.tokens, part).tolist()
        )
        for token_id in reference.ids:
            token = reference.token_bytes(token_id)
            assert ranges.token_bytes(token_id) == token
            assert ranges.token_id(token) == reference.token_id(token)
        text = texts if isinstance(texts, str) else "".join(texts)
        mine, theirs = ranges.encode(text), reference.encode(text)
        assert [mine.ids.tolist(), mine.starts.tolist()] == [theirs.ids.tolist(), theirs.starts.tolist()]
        assert ranges.decode(mine.ids) == reference.decode(mine.ids)
        assert_same_facts(ranges, reference, part)


def assert_same_facts(ranges: Tokenizer, reference: Tokenizer, part: bytes) -> None:
    mine, theirs = token_facts(ranges), token_facts(reference)
    for name in ("ids", "byte_lengths", "char_lengths", "scripts", "ranks", "duplicates"):
        found, expected = getattr(mine, name), getattr(theirs, name)
        assert (name, found.dtype, found.tolist()) == (name, expected.dtype, expected.tolist())
    assert mine.holding(part).tolist() == theirs.holding(part).tolist()


@given(st.lists(st.tuples(st.integers(97, 260), st.integers(97, 260)), max_size=8), st.text("abcdé", max_size=12))
def test_forced_merges_that_occur_nowhere_have_tokens_too(wanted: list[tuple[int, int]], text: str) -> None:
    forced = [pair for rank, pair in enumerate(wanted) if max(pair) < 256 + rank]
    forced = forced if forced == wanted else []
    config = TrainConfig(vocab_size=270, split="none")
    reference, ranges = (train(text, config, forced=forced) for _ in range(2))
    assert list(as_ranges(ranges)._tokens) == list(reference._tokens)
    assert_same_facts(ranges.tokenizer(), reference.tokenizer(), b"b")


def test_special_tokens_that_are_added_later_are_among_the_facts() -> None:
    reference, ranges = (
        made.tokenizer().with_special_tokens({"<|end|>": 400})
        for made in (train("low lower", TrainConfig()), as_ranges(train("low lower", TrainConfig())))
    )
    assert_same_facts(ranges, reference, b"end")


def test_tokens_that_grow_with_every_merge_are_all_known(growing: Training) -> None:
    tokenizer = growing.tokenizer()
    assert isinstance(tokenizer.model.tokens, TokenRanges)
    last = growing.merges[-1]
    assert tokenizer.token_bytes(last.token_id) == b"".join(map(tokenizer.token_bytes, (last.left, last.right)))
    assert tokenizer.token_id(tokenizer.token_bytes(last.token_id)) == last.token_id
    encoding = tokenizer.encode(growing_text())
    assert encoding.ids.tolist() == growing.window(len(growing.merges), size=10**6).ids.tolist()
    assert tokenizer.decode(encoding.ids) == growing_text()
    facts = token_facts(tokenizer)
    assert facts.byte_lengths[last.token_id] == len(tokenizer.token_bytes(last.token_id))
    assert np.flatnonzero(facts.holding(tokenizer.token_bytes(last.token_id))).tolist() == [last.token_id]


def test_what_lists_such_tokens_one_by_one_is_refused_with_the_limit(growing: Training) -> None:
    tokenizer = growing.tokenizer()
    for listed in (growing.table, lambda: merges_csv(growing), lambda: tokenizer.pieces):
        with pytest.raises(CorpusError, match=r"The tokens have [0-9,]+ bytes together\. Up to 16,000,000 are listed"):
            listed()
    for format in FORMATS:
        with pytest.raises(FormatError, match=r"Up to 16,000,000 are listed one by one\. Train with a split"):
            to_files(tokenizer, format=format)
    with pytest.raises(FormatError, match="16,000,000"):
        unproven_token(tokenizer)
    assert writable(tokenizer) == ()


def test_such_a_training_is_shown_forked_and_saved(growing: Training) -> None:
    assert len(growing._repr_html_()) < 100_000
    assert len(growing.at(len(growing.merges) - 1)._repr_html_()) < 100_000
    other = growing.at(2).candidates(5)[4]
    tokenizer = growing.fork(2, (other.left, other.right)).tokenizer()
    assert tokenizer.token_bytes(258) == tokenizer.decode_bytes([other.left, other.right])
    assert open_training(save_training(growing, growing_text())).merges == growing.merges


def test_forced_merges_that_would_fill_the_memory_are_refused() -> None:
    doubling = [(97, 97), *((256 + rank, 256 + rank) for rank in range(25))]
    with pytest.raises(
        CorpusError, match=r"create tokens that do not occur in the text, with [0-9,]+ bytes in total\. The limit is"
    ):
        train("b", TrainConfig(vocab_size=300), forced=doubling).tokenizer()


MEASURED = """
from pathlib import Path
from bpe_core import TrainConfig, train
from bpe_core.tokenizer.facts import token_facts
from tests.core.test_token_ranges import growing_text
train("warm up", TrainConfig()).tokenizer().encode("warm up")
text = growing_text(100_000)
training = train(text, TrainConfig(vocab_size=32_768, split="none"))
tokenizer = training.tokenizer()
facts = token_facts(tokenizer)
tokenizer.encode(text)
training._repr_html_()
[most] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print(tokenizer.model.tokens.total_bytes // 10**6, int(most.split()[1]) // 1024)
"""


def test_a_training_whose_tokens_have_hundreds_of_megabytes_takes_less_than_500() -> None:
    ran = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True)
    together, most = map(int, ran.stdout.split())
    assert together > 500
    assert most < 500
