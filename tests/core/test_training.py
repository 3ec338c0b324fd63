"""train and Training: merges, the reason for the end, forced pairs, and the counts at every step."""

import random
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from types import FrameType
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ConfigError, CorpusError, Merge, TrainConfig, Training, train
from bpe_core.bpe import reference
from tests.core import oracle

READY = {"by engine": True, "by reference": False}
"""Until the engine is compiled, small corpora are trained by the reference."""

TraceFunction = Callable[[FrameType, str, object], object]

RULES = ["first-seen", "lowest-ids", "first-counted"]


def trained(way: str, *arguments, **options) -> Training:
    with patch("bpe_core.kernels.backend.is_ready", return_value=READY[way]):
        return train(*arguments, **options)


def rows(training: Training) -> list[tuple[int, int, int, int]]:
    return [(merge.left, merge.right, merge.token_id, merge.count) for merge in training.merges]


# -- the merges ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", READY)
@given(oracle.corpora, oracle.configs())
def test_the_merges_are_those_of_counting_everything_anew(way: str, texts, config: TrainConfig) -> None:
    expected = oracle.train(texts, config)
    training = trained(way, texts, config)
    assert rows(training) == expected.merges
    assert training.stop_reason == expected.stop_reason
    assert training.vocab_size == len(expected.tokens)
    assert [merge.rank for merge in training.merges] == list(range(len(expected.merges)))


@pytest.mark.parametrize("way", READY)
@given(st.text("ab", min_size=1, max_size=60), st.sampled_from(RULES), st.integers(1, 4))
def test_the_merges_of_runs_that_overlap_are_those_of_counting_anew(
    way: str, text: str, rule: str, min_count: int
) -> None:
    config = TrainConfig(vocab_size=300, split="none", tie_break=rule, min_count=min_count)
    expected = oracle.train(text, config)
    training = trained(way, text, config)
    assert rows(training) == expected.merges
    assert training.stop_reason == expected.stop_reason


@pytest.mark.parametrize("way", READY)
@given(st.lists(st.text("abc", max_size=20), max_size=4), st.sampled_from(RULES), st.data())
def test_forced_pairs_come_first_and_the_rule_goes_on_from_there(way: str, texts, rule: str, data) -> None:
    forced = []
    for rank in range(data.draw(st.integers(0, 5))):
        ids = st.sampled_from([97, 98, 99, 100, *range(256, 256 + rank)])  # d is in no text
        forced.append(data.draw(st.tuples(ids, ids)))
    config = TrainConfig(vocab_size=270, split="none", tie_break=rule, min_count=2)
    expected = oracle.train(texts, config, forced)
    training = trained(way, texts, config, forced=forced)
    assert rows(training) == expected.merges
    assert training.stop_reason == expected.stop_reason
    assert [training.at(step).words() for step in range(len(expected.states))] == [
        list(zip(state, expected.counts, strict=True)) for state in expected.states
    ]


def test_a_tie_goes_to_the_pair_seen_first_or_to_the_lowest_ids() -> None:
    text = "zy zy ab ab"
    assert rows(train(text, TrainConfig(split="words", vocab_size=257))) == [(122, 121, 256, 2)]
    assert rows(train(text, TrainConfig(split="words", vocab_size=257, tie_break="lowest-ids"))) == [(97, 98, 256, 2)]


def test_two_merges_may_make_the_same_bytes_as_two_tokens() -> None:
    training = train("aab", TrainConfig(split="none"), forced=[(97, 97), (97, 98), (97, 257), (256, 98)])
    assert [training.tokenizer().token_bytes(token_id) for token_id in (258, 259)] == [b"aab", b"aab"]
    assert training.tokenizer().token_id(b"aab") == 258


def test_special_tokens_take_the_first_ids_then_the_base_then_the_merges() -> None:
    training = train("abab", TrainConfig(vocab_size=260, split="none", special_tokens=("<s>", "</s>")))
    assert rows(training) == [(99, 100, 258, 2), (258, 258, 259, 1)]
    assert training.tokenizer().special_tokens == {"<s>": 0, "</s>": 1}


def test_a_special_token_in_the_training_text_is_plain_text() -> None:
    training = train("<s><s>", TrainConfig(vocab_size=300, split="none", special_tokens=("<s>",)))
    assert training.tokenizer().decode(training.at(0).words()[0][0]) == "<s><s>"
    assert training.token_count(0) == 6


# -- the texts ----------------------------------------------------------------------------------------------------


def test_texts_may_come_as_one_text_a_list_a_tuple_or_a_generator() -> None:
    def one_by_one() -> Iterator[str]:
        yield from ("low lower", "lowest low")

    expected = train(["low lower", "lowest low"])
    assert expected.merges
    assert train(("low lower", "lowest low")).merges == expected.merges
    assert train(one_by_one()).merges == expected.merges
    assert train("low lower").merges == train(["low lower"]).merges


@pytest.mark.parametrize("text", ["", "a", "a b c", [], ["a", "b", ""]])
def test_texts_without_pairs_train_to_nothing_even_where_the_vocabulary_is_full_already(text: str | list[str]) -> None:
    for vocab_size in (256, 300):
        training = train(text, TrainConfig(vocab_size=vocab_size, split="words"))
        assert training.merges == ()
        assert training.stop_reason == "no pairs left"


@pytest.mark.parametrize("unit", ["byte", "char"])
def test_the_empty_text_has_a_step_a_count_and_a_tokenizer(unit: str) -> None:
    training = train("", TrainConfig(unit=unit))
    assert training.token_count(0) == 0
    assert training.compression(0) == 0.0
    assert training.at(0).candidates() == []
    assert training.at(0).changes() == []
    assert training.at(0).words() == []
    assert len(training.tokenizer().encode("")) == 0


@pytest.mark.parametrize(
    "texts",
    [b"low", bytearray(b"low"), None, 5, ["low", b"low"], [None], [["low", 1]], [[["low"]]], {"low": 1}.items()],
)
def test_what_is_no_text_is_refused(texts: object) -> None:
    with pytest.raises(CorpusError, match=r"of type \w+\. A corpus is a str, or an iterable of str .*\. Decode bytes"):
        train(texts)  # type: ignore[arg-type]


def test_a_mapping_is_no_corpus() -> None:
    with pytest.raises(CorpusError, match=r"holds \{'low': 3\} of type dict\. .* as a list; count_words counts"):
        train({"low": 3})


def test_batches_of_texts_are_trained_on_as_their_texts() -> None:
    batches = ([text] * 3 for text in ("low", "lower"))
    assert train(batches).merges == train(["low"] * 3 + ["lower"] * 3).merges


def test_lone_surrogates_are_replaced_and_counted() -> None:
    training = train(["a\ud800b", "\udfff"], TrainConfig(split="none"))
    assert training.surrogates == 2
    assert training.at(0).words() == [((97, 0xEF, 0xBF, 0xBD, 98), 1), ((0xEF, 0xBF, 0xBD), 1)]


def test_a_character_vocabulary_too_small_for_its_text_is_refused() -> None:
    message = (
        r"vocab_size is 4, and this text alone needs 5 ids: 4 different characters and 1 other base symbols\. "
        r"The least for this text is 5\. Ask for at least 5, or train on bytes\."
    )
    with pytest.raises(ConfigError, match=message):
        train("abcd", TrainConfig(unit="char", vocab_size=4))
    assert train("abcd", TrainConfig(unit="char", vocab_size=5)).merges == ()


# -- why it ends --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", READY)
def test_progress_is_reported_from_none_to_all(way: str) -> None:
    calls: list[tuple[int, int]] = []
    training = trained(
        way, "the cat sat on the mat", TrainConfig(vocab_size=266), on_progress=lambda *call: calls.append(call)
    )
    assert len(training.merges) == 10
    assert calls[0] == (0, 10)
    assert calls[-1] == (10, 10)
    assert all(before[0] <= after[0] for before, after in pairwise(calls))


@pytest.mark.parametrize("way", READY)
def test_what_on_progress_raises_ends_the_training(way: str) -> None:
    class CancelledError(Exception):
        pass

    def cancel(done: int, total: int) -> None:
        if done:
            raise CancelledError(f"{done} of {total}")

    with pytest.raises(CancelledError, match="of 10"):
        trained(way, "the cat sat on the mat", TrainConfig(vocab_size=266), on_progress=cancel)


# -- counts at every step -----------------------------------------------------------------------------------------


@given(oracle.corpora, oracle.configs())
def test_token_count_and_compression_are_those_of_a_recount(texts, config: TrainConfig) -> None:
    expected = oracle.train(texts, config)
    training = train(texts, config)
    text_size = sum(
        count * len(word.encode() if config.unit == "byte" else word)
        for word, count in oracle.counted_words(texts, config).items()
    )
    for step, state in enumerate(expected.states):
        tokens = sum(len(word) * count for word, count in zip(state, expected.counts, strict=True))
        assert training.token_count(step) == tokens
        assert training.compression(step) == (text_size / tokens if tokens else 0.0)


@given(oracle.texts, oracle.configs())
def test_encoding_the_training_text_gives_the_counts_of_the_training(text: str, config: TrainConfig) -> None:
    training = train(text, config)
    for step in {0, len(training.merges) // 2, len(training.merges)}:
        assert len(training.tokenizer(step).encode(text)) == training.token_count(step)


@given(
    st.lists(st.text("abc ", max_size=30), max_size=3),
    st.lists(st.tuples(st.sampled_from([97, 98, 256, 257]), st.sampled_from([97, 99, 256, 257])), max_size=3),
    st.sampled_from(["none", "gpt2", "words"]),
)
def test_steps_of_a_training_of_the_reference_are_its_words_merged_one_by_one(texts, pairs, split: str) -> None:
    config = TrainConfig(vocab_size=270, split=split)
    training = trained("by reference", texts, config, forced=[(97, 98), (98, 99), *pairs, *pairs])
    merged = [list(word) for word, _ in training.at(0).words()]
    for step, merge in enumerate(training.merges, start=1):
        merged = [reference.merge(word, (merge.left, merge.right), merge.token_id) for word in merged]
        assert [list(word) for word, _ in training.at(step).words()] == merged


@pytest.mark.parametrize("way", READY)
def test_a_pair_that_is_forced_twice_merges_at_its_first_rank(way: str) -> None:
    training = trained(way, "aaaab aab", TrainConfig(split="gpt2"), forced=[(97, 97), (256, 98), (97, 97), (256, 98)])
    assert [training.at(step).words() for step in range(1, 5)] == [
        [((256, 256, 98), 1), ((32, 256, 98), 1)],
        *[[((256, 257), 1), ((32, 257), 1)]] * 3,
    ]


def test_a_step_from_the_reference_runs_no_python_for_each_symbol() -> None:
    text = "".join(random.Random(7).choices("abcdefgh ", k=10_000))
    training = trained("by reference", text, TrainConfig(split="none", vocab_size=300))
    lines = 0

    def count(frame: FrameType, event: str, argument: object) -> TraceFunction:
        nonlocal lines
        lines += event == "line"
        return count

    tracing = sys.gettrace()
    sys.settrace(count)
    try:
        snapshot = training.at(44)
    finally:
        sys.settrace(tracing)
    assert snapshot.corpus.token_count == training.token_count(44)
    assert lines < len(text)  # 44 merges of a few lines each; visiting every symbol would take 44 times as many


@pytest.mark.parametrize("step", [-1, 4, 10**9, True, 1.0, "1", None])
def test_a_step_that_is_not_there_is_refused(step: object) -> None:
    training = train("abababab", TrainConfig(split="none"))
    assert len(training.merges) == 3
    for ask in (training.at, training.token_count, training.compression, lambda step: training.fork(step, (97, 98))):
        with pytest.raises(ConfigError, match=r"The step is .* has the steps 0 to 3\. Choose one"):
            ask(step)
    if step is not None:  # None means the last step
        with pytest.raises(ConfigError, match=r"The step is .* has the steps 0 to 3\. Choose one"):
            training.tokenizer(step)  # type: ignore[arg-type]


def test_steps_may_be_numpy_numbers() -> None:
    training = train("abababab", TrainConfig(split="none"))
    assert training.at(np.int64(2)).merge == training.merges[1]


# -- forks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", READY)
@given(st.text("abc", min_size=2, max_size=40), st.sampled_from(RULES), st.data())
def test_a_fork_keeps_the_merges_before_it_takes_the_pair_and_goes_on_by_the_rule(way, text, rule, data) -> None:
    config = TrainConfig(vocab_size=262, split="none", tie_break=rule)
    training = trained(way, text, config)
    step = data.draw(st.integers(0, max(0, len(training.merges) - 1)))
    pair = data.draw(st.sampled_from([(row.left, row.right) for row in training.at(step).candidates(99)]))
    with patch("bpe_core.kernels.backend.is_ready", return_value=READY[way]):
        fork = training.fork(step, pair)
    kept = [(merge.left, merge.right) for merge in training.merges[:step]]
    assert rows(fork) == oracle.train(text, config, [*kept, pair]).merges
    assert fork.merges[:step] == training.merges[:step]
    assert fork.config == training.config


def test_a_fork_on_the_chosen_pair_is_the_training_itself() -> None:
    training = train("the cat sat on the mat that the cat sat on", TrainConfig(vocab_size=270))
    for step, merge in enumerate(training.merges):
        assert training.fork(step, (merge.left, merge.right)).merges == training.merges


def test_a_fork_leaves_the_training_as_it_was() -> None:
    training = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259))
    before = training.merges
    training.fork(0, (98, 100))
    assert training.merges == before
    assert training.merges[0] == Merge(rank=0, left=97, right=97, token_id=256, count=4)


def test_a_pair_that_occurs_nowhere_may_be_forced_and_counts_nothing() -> None:
    training = train("abab", TrainConfig(split="none"), forced=[(120, 121)])
    assert rows(training)[:2] == [(120, 121, 256, 0), (97, 98, 257, 2)]
    assert training.token_count(1) == training.token_count(0)
    assert training.tokenizer().encode("xy").ids.tolist() == [256]


@pytest.mark.parametrize(
    "pair", [(True, 97), (97, 256), (-1, 97), (97.0, 97), (97,), (97, 97, 97), "ab", 97, None, (None, 97)]
)
def test_a_pair_that_cannot_be_is_refused(pair: object) -> None:
    training = train("aaabdaaabac")
    refused = r"cannot be merge 0\. A pair is two ids from 0 to 255, none of them a special token\. Choose two tokens"
    with pytest.raises(ConfigError, match=refused):
        training.fork(0, pair)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=refused):
        train("aaab", forced=[pair])  # type: ignore[list-item]


def test_special_tokens_are_never_merged() -> None:
    training = train("abab", TrainConfig(unit="char", special_tokens=("<s>",)))
    for special in (0, 1):  # <s> and <unk>
        with pytest.raises(ConfigError, match="none of them a special token"):
            training.fork(0, (special, 2))


def test_more_forced_pairs_than_the_vocabulary_has_room_for_are_refused() -> None:
    training = train("aaabdaaabac", TrainConfig(split="none", vocab_size=258))
    with pytest.raises(ConfigError, match=r"There are 3 merges to force\. The vocabulary has room for 2\. Ask for"):
        training.fork(2, (98, 100))
