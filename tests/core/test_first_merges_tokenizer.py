"""A tokenizer with its first merges only: its token count equals the one computed without building it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import TrainConfig, load_pretrained, train
from bpe_core.errors import ConfigError
from bpe_core.tokenizer.first_merges import with_first_merges

TEXT = "The lowest lantern on the hill: 日本語 \U0001f44b\U0001f3fd, naïve 1234567, \n\n  low lower lowest"


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", "t5-small"])
@pytest.mark.parametrize("count", [0, 1, 7, 300, 20_000, 10**9])
def test_the_tokens_are_as_many_as_are_counted(name: str, count: int) -> None:
    tokenizer = load_pretrained(name)
    counts = tokenizer.tokens_over_merges(TEXT)
    if len(counts) == 1:
        with pytest.raises(ConfigError, match="no merges"):
            with_first_merges(tokenizer, count)
        return
    first = with_first_merges(tokenizer, count)
    assert len(first.encode(TEXT)) == counts[min(count, len(counts) - 1)]
    assert first.decode(first.encode(TEXT).ids) == tokenizer.decode(tokenizer.encode(TEXT).ids)
    if count >= len(counts):
        assert first.encode(TEXT).ids.tolist() == tokenizer.encode(TEXT).ids.tolist()


@given(st.text("ab c日", max_size=60), st.integers(0, 40), st.sampled_from(["byte", "char"]))
def test_of_a_training_they_are_those_of_the_step(text: str, step: int, unit: str) -> None:
    config = (
        TrainConfig(vocab_size=280, unit=unit, split="none")
        if unit == "byte"
        else TrainConfig(vocab_size=40, unit=unit)
    )
    training = train("ab abc ab cab 日 ab " + text, config)
    step = min(step, len(training.merges))
    first = with_first_merges(training.tokenizer(), step)
    seen = "".join(each for each in text if unit == "byte" or each in "ab c日")
    assert first.encode(seen).ids.tolist() == training.tokenizer(step).encode(seen).ids.tolist()


def test_ids_special_tokens_and_the_tokenizer_itself_stay() -> None:
    gpt2 = load_pretrained("gpt2")
    before = gpt2.encode(TEXT).ids.tolist()
    first = with_first_merges(gpt2, 100)
    assert (first.vocab_size, first.special_tokens, first.name) == (gpt2.vocab_size, gpt2.special_tokens, gpt2.name)
    assert first.encode("<|endoftext|>", special="parse").ids.tolist() == [50256]
    assert gpt2.encode(TEXT).ids.tolist() == before
    assert set(first.encode(TEXT).ids.tolist()) <= set(range(256 + 100))


@pytest.mark.parametrize("count", [-1, 1.5, "3", None, True, np.array([1, 2])])
def test_anything_but_a_count_is_refused(count: object) -> None:
    with pytest.raises(ConfigError, match="count"):
        with_first_merges(load_pretrained("gpt2"), count)  # type: ignore[arg-type]
