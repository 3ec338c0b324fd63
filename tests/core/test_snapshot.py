"""Snapshot: the words, the candidates and the count changes at any step."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Candidate, CountChange, TrainConfig, train
from tests.core import oracle
from tests.core.test_training import READY, trained


@pytest.mark.parametrize("way", READY)
@given(oracle.corpora, oracle.configs(), st.randoms(use_true_random=False))
def test_every_step_in_any_order_is_the_state_of_the_training_then(
    way: str, texts, config: TrainConfig, order: random.Random
) -> None:
    expected = oracle.train(texts, config)
    training = trained(way, texts, config)
    for step in order.sample(range(len(expected.states)), len(expected.states)):
        snapshot = training.at(step)
        assert snapshot.step == step
        assert snapshot.merge == (training.merges[step - 1] if step else None)
        assert snapshot.words() == list(zip(expected.states[step], expected.counts, strict=True))
        assert snapshot.words(1) == snapshot.words()[:1]
        assert snapshot.words(10**6) == snapshot.words()


@given(oracle.corpora, oracle.configs())
def test_candidates_are_all_pairs_in_the_order_of_the_rule(texts, config: TrainConfig) -> None:
    expected = oracle.train(texts, config)
    training = train(texts, config)
    for step, state in enumerate(expected.states):
        pairs = oracle.pair_counts(state, expected.counts)
        ranked = sorted(pairs, key=lambda pair: -pairs[pair])  # stable: in first-seen order
        if config.tie_break == "lowest-ids":
            ranked = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
        if config.tie_break == "first-counted":
            counted = oracle.ever_counted(expected.states[: step + 1], expected.counts)
            ranked = sorted(pairs, key=lambda pair: (-pairs[pair], counted.index(pair)))
        candidates = training.at(step).candidates(10**6)
        assert [(row.left, row.right) for row in candidates] == ranked
        assert [row.count for row in candidates] == [pairs[pair] for pair in ranked]
        assert training.at(step).candidates(2) == candidates[:2]


@given(oracle.corpora, oracle.configs())
def test_the_chosen_candidate_is_the_next_merge_and_comes_first(texts, config: TrainConfig) -> None:
    training = train(texts, config)
    for step, merge in enumerate(training.merges):
        first, *others = training.at(step).candidates(10**6)
        assert first == Candidate(merge.left, merge.right, merge.count, first.tied, chosen=True)
        assert not any(row.chosen for row in others)
    assert not any(row.chosen for row in training.at(len(training.merges)).candidates(10**6))


def test_candidates_that_share_the_largest_count_are_tied() -> None:
    snapshot = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).at(1)
    assert snapshot.candidates(3) == [
        Candidate(256, 97, 2, tied=True, chosen=True),
        Candidate(97, 98, 2, tied=True, chosen=False),
        Candidate(98, 100, 1, tied=False, chosen=False),
    ]
    assert len(snapshot.candidates(99)) == 6
    assert snapshot.candidates(0) == snapshot.candidates(-1) == []


def test_a_forced_pair_is_the_chosen_candidate_wherever_it_ranks() -> None:
    training = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259), forced=[(98, 100)])
    chosen = [(row.left, row.right, row.count, row.tied) for row in training.at(0).candidates(99) if row.chosen]
    assert chosen == [(98, 100, 1, False)]


@pytest.mark.parametrize("way", READY)
@given(oracle.corpora, oracle.configs())
def test_changes_are_the_difference_of_two_recounts(way: str, texts, config: TrainConfig) -> None:
    expected = oracle.train(texts, config)
    training = trained(way, texts, config)
    assert training.at(0).changes() == []
    for step, (left, right, *_) in enumerate(expected.merges, start=1):
        before, after = (oracle.pair_counts(expected.states[at], expected.counts) for at in (step - 1, step))
        differing = {pair for pair in {*before, *after} if before.get(pair) != after.get(pair)}
        changes = training.at(step).changes()
        assert {(row.left, row.right): (row.before, row.after) for row in changes} == {
            pair: (before.get(pair, 0), after.get(pair, 0)) for pair in differing
        }
        assert len(changes) == len(differing)
        assert (changes[0].left, changes[0].right) == (left, right)


@pytest.mark.parametrize("way", READY)
def test_changes_of_overlapping_pairs_count_every_overlap(way: str) -> None:
    training = trained(way, ["aaaab", "aaaab"], TrainConfig(split="none", vocab_size=257))
    assert training.at(1).words() == [((256, 256, 98), 2)]
    assert training.at(1).changes() == [
        CountChange(97, 97, before=6, after=0),
        CountChange(97, 98, before=2, after=0),
        CountChange(256, 98, before=0, after=2),
        CountChange(256, 256, before=0, after=2),
    ]


def test_a_forced_pair_that_occurs_nowhere_changes_no_other_count() -> None:
    training = train("abab", TrainConfig(split="none"), forced=[(120, 121)])
    assert training.at(1).changes() == [CountChange(120, 121, 0, 0)]


def test_a_lone_leader_is_not_tied() -> None:
    candidates = train("ababab cd", TrainConfig(split="none")).at(0).candidates()
    assert (candidates[0].tied, candidates[0].chosen) == (False, True)
