"""Metrics of tokenizers on a text: each against its plain formula."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import compare, load_pretrained
from bpe_core.comparison.metrics import gini, measured, renyi_efficiency
from bpe_core.errors import ConfigError

NAMES = ("gpt2", "cl100k_base", "bert-base-uncased", "t5-small")
TEXTS = st.one_of(st.text(max_size=60), st.text("ab 字é\n\t1!·▁", max_size=40))


def models(*names: str):
    return {name: load_pretrained(name) for name in names}


@given(st.lists(st.integers(1, 50), min_size=1, max_size=30), st.integers(30, 1_000), st.sampled_from([0.5, 2.0, 2.5]))
def test_renyi_efficiency_is_its_formula(counts: list[int], vocabulary: int, alpha: float) -> None:
    total = sum(counts)
    power = math.fsum((count / total) ** alpha for count in counts)
    plain = (math.log2(power) / (1 - alpha)) / math.log2(vocabulary)
    assert renyi_efficiency([0, *counts, 0], vocabulary, alpha) == pytest.approx(plain, abs=1e-12)


def test_renyi_efficiency_needs_a_distribution_and_an_order() -> None:
    assert renyi_efficiency([], 9) is None
    assert renyi_efficiency([4], 1) is None
    for alpha in (1, -1, float("nan")):
        with pytest.raises(ConfigError):
            renyi_efficiency([1], 9, alpha)


@given(st.lists(st.integers(0, 99), min_size=1, max_size=15))
def test_gini_is_the_mean_difference_over_twice_the_mean(values: list[int]) -> None:
    count, total = len(values), sum(values)
    plain = sum(abs(a - b) for a in values for b in values) / (2 * count * total) if total else 0.0
    assert gini(values) == pytest.approx(plain, abs=1e-12)


@given(TEXTS)
def test_words_and_tokens_are_counted_as_a_plain_loop_counts_them(text: str) -> None:
    comparison = compare(text, models(*NAMES))
    text, words, at = comparison.text, [], 0
    for word in text.split():
        at = text.index(word, at)
        words.append((len(text[:at].encode()), len(text[: at + len(word)].encode())))
        at += len(word)
    for found in measured(comparison):
        ids = comparison.encoding(found.name).ids.tolist()
        boundaries = set(comparison.boundaries(found.name).tolist())
        if found.fertility is not None:
            continued = sum(any(start < at < end for at in boundaries) for start, end in words)
            assert found.continued == pytest.approx(continued / len(words))
            assert found.fertility == pytest.approx(len(ids) / len(words))
        assert found.used == len(Counter(ids))
        assert found.bytes_per_token == (pytest.approx(len(text.encode()) / len(ids)) if ids else None)
        assert found.vocabulary == len(comparison.tokenizer(found.name).ids)


def test_there_are_no_words_in_a_text_without_spaces_between_them() -> None:
    [japanese, mixed] = (measured(compare(text, models("gpt2")))[0] for text in ("今日は。 明日は。", "low 日 lower"))
    assert (japanese.fertility, japanese.continued) == (None, None)
    assert mixed.fertility is not None


@given(st.lists(st.integers(1, 50), min_size=1, max_size=6), st.sampled_from([300.0, 5e3, 1e8, 1e14, 1e300, 10**400]))
def test_a_high_order_of_renyi_is_close_to_the_infinite_one(counts, alpha):
    limit = renyi_efficiency(counts, 10**30, math.inf)
    assert renyi_efficiency(counts, 10**30, alpha) == pytest.approx(limit, abs=0.02)
