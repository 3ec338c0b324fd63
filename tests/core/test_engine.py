"""The compiled merge loop equals recounting everything before each merge."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core.kernels import merge_loop
from bpe_core.kernels.merge_loop import (
    BELOW_MIN_COUNT,
    FIRST_COUNTED,
    FIRST_SEEN,
    LOWEST_IDS,
    NO_PAIRS_LEFT,
    RUNNING,
    VOCABULARY_FULL,
    MergeLoop,
    Words,
    count_changes,
    pair_counts,
    replay,
)
from tests.draws import examples

GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
SOURCE = Path(random.__file__).read_text(encoding="utf-8")  # Python's standard library: always available
BASE = 4  # ids 0 … 3 in the small random cases

word_lists = st.lists(st.lists(st.integers(0, BASE - 1), min_size=1, max_size=12), min_size=1, max_size=8)
RULES = [FIRST_SEEN, LOWEST_IDS, FIRST_COUNTED]
tie_rules = st.sampled_from(RULES)


# --- the oracle: everything recounted before each merge -------------------------------------------


class Recount(NamedTuple):
    merges: list[tuple[int, int, int, int]]
    stop_reason: int
    states: list[list[list[int]]]


def counted_pairs(words, counts):
    """{pair: [count, first position]}, ordered by first position."""
    pairs = {}
    place = 0
    for word, count in zip(words, counts, strict=True):
        for i, pair in enumerate(pairwise(word)):
            pairs.setdefault(pair, [0, place + i])[0] += count
        place += len(word)
    return pairs


def merged_word(word, left, right, new_id):
    merged = []
    for symbol in word:
        if merged and merged[-1] == left and symbol == right:
            merged[-1] = new_id
        else:
            merged.append(symbol)
    return merged


def recount(words, counts, *, max_merges, tie_break=FIRST_SEEN, min_count=1, forced=(), first_new_id=BASE):
    words = [list(word) for word in words]
    states, merges, ever = [words], [], {}
    while len(merges) < max_merges:
        pairs = counted_pairs(words, counts)
        for pair in pairs:
            ever.setdefault(pair, len(ever))
        if len(merges) < len(forced):
            pair = forced[len(merges)]
        elif not pairs:
            return Recount(merges, NO_PAIRS_LEFT, states)
        else:
            ties = {
                FIRST_SEEN: {p: first for p, (_, first) in pairs.items()},
                LOWEST_IDS: {p: p for p in pairs},
                FIRST_COUNTED: ever,
            }[tie_break]
            pair = min(pairs, key=lambda p, pairs=pairs, ties=ties: (-pairs[p][0], ties[p]))
            if pairs[pair][0] < min_count:
                return Recount(merges, BELOW_MIN_COUNT, states)
        after = [merged_word(word, *pair, first_new_id + len(merges)) for word in words]
        replaced = sum((len(old) - len(new)) * count for old, new, count in zip(words, after, counts, strict=True))
        merges.append((*pair, pairs.get(pair, [0])[0], replaced))
        words = after
        states.append(words)
    return Recount(merges, VOCABULARY_FULL, states)


# --- helpers --------------------------------------------------------------------------------------


def flat(words):
    lengths = [len(word) for word in words]
    symbols = np.array([symbol for word in words for symbol in word], np.int32)
    return Words(symbols, np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]))


def nested(words):
    return [part.tolist() for part in np.split(words.symbols, words.offsets[1:-1])]


def merges_of(loop):
    """[(left, right, count, replaced)], one per merge."""
    return list(zip(*loop.pairs.T.tolist(), loop.counts.tolist(), loop.replaced.tolist(), strict=True))


def trained(words, counts, **options):
    loop = MergeLoop(*flat(words), counts, **{"first_new_id": BASE, "max_merges": 1000, **options})
    loop.run(options.get("max_merges", 1000))
    return loop


def random_words(rng, *, alphabet=BASE, words=8, length=14):
    return [[rng.randrange(alphabet) for _ in range(rng.randint(1, length))] for _ in range(rng.randint(1, words))]


def byte_words(text, pattern=GPT2):
    counts = Counter(word.encode() for word in regex.findall(pattern, text))
    return [list(word) for word in counts], list(counts.values())


# --- merges ---------------------------------------------------------------------------------------


@given(word_lists, st.data(), tie_rules, st.integers(1, 4), st.integers(0, 20))
@settings(max_examples=examples(300))
def test_merges_equal_a_recount(words, data, tie_break, min_count, max_merges):
    counts = data.draw(st.lists(st.integers(1, 5), min_size=len(words), max_size=len(words)))
    options = {"tie_break": tie_break, "min_count": min_count, "max_merges": max_merges}
    loop, expected = trained(words, counts, **options), recount(words, counts, **options)
    assert merges_of(loop) == expected.merges
    assert loop.stop_reason == expected.stop_reason
    assert nested(loop.words()) == expected.states[-1]


@pytest.mark.parametrize("tie_break", RULES)
@pytest.mark.parametrize("alphabet", [1, 2, 3, 4])
def test_merges_equal_a_recount_on_many_random_words(alphabet, tie_break, rng):
    for _ in range(400):
        words = random_words(rng, alphabet=alphabet)
        # Large counts start the loop with a high threshold, which it must lower; small ones start at the lowest.
        most = rng.choice([1, 3, 50, 100_000])
        counts = [rng.randint(1, most) for _ in words]
        max_merges = rng.randint(1, 40)
        loop = trained(words, counts, tie_break=tie_break, max_merges=max_merges)
        expected = recount(words, counts, tie_break=tie_break, max_merges=max_merges)
        assert (merges_of(loop), loop.stop_reason) == expected[:2], (words, counts)


@pytest.mark.parametrize("tie_break", RULES)
def test_merges_equal_a_recount_on_source_code(tie_break):
    words, counts = byte_words(SOURCE[:8000])
    loop = trained(words, counts, first_new_id=256, max_merges=150, tie_break=tie_break)
    expected = recount(words, counts, first_new_id=256, max_merges=150, tie_break=tie_break)
    assert merges_of(loop) == expected.merges
    assert nested(loop.words()) == expected.states[-1]


def test_a_run_keeps_its_pairs_of_two_new_tokens():
    # a b a b a b: three (a,b), then two (ab,ab) that overlap
    assert merges_of(trained([[0, 1] * 3], [1], max_merges=2)) == [(0, 1, 3, 3), (4, 4, 2, 1)]


def test_counts_beyond_32_bits_stay_exact():
    counts = [2**40, 3, 2**31 - 1, 2**31]
    words = [[0, 1, 2], [0, 1], [2, 1, 2], [1, 2]]
    assert merges_of(trained(words, counts)) == recount(words, counts, max_merges=1000).merges


def test_ties_go_to_the_pair_that_was_counted_first():
    word = [0, 1, 0, 1, 0, 1, 2, 1]  # abababcb: 4 4 … by its third merge, though (2, 1) has existed from the start
    loop = trained([word], [1], max_merges=3, tie_break=FIRST_COUNTED)
    assert loop.pairs.tolist() == [[0, 1], [4, 4], [2, 1]]
    assert loop.counted().tolist() == [[0, 1], [1, 0], [1, 2], [2, 1], [4, 4], [4, 2], [5, 4], [4, 6]]


# --- peers ----------------------------------------------------------------------------------------


def counter_merges(text, merges, split=GPT2):
    """Merges of the plainest program that updates one Counter, on the distinct words of a text."""
    words = Counter(tuple(word.encode()) for word in regex.findall(split, text))
    pairs = Counter()
    for word, count in words.items():
        for pair in pairwise(word):
            pairs[pair] += count
    words = [(list(word), count) for word, count in words.items()]
    made = []
    for new_id in range(256, 256 + merges):
        if not any(pairs.values()):
            break
        best = max(pairs, key=pairs.get)
        for at, (word, count) in enumerate(words):
            if best in pairwise(word):
                for pair in pairwise(word):
                    pairs[pair] -= count
                words[at] = merged_word(word, *best, new_id), count
                for pair in pairwise(words[at][0]):
                    pairs[pair] += count
        made.append(list(best))
    return made


@pytest.mark.parametrize("text", [SOURCE[:6000], "".join(chr(0x3041 + ord(c) % 40) for c in SOURCE[:3000])])
@pytest.mark.parametrize("split", [GPT2, r"(?s).{1,400}"])
def test_merges_equal_a_program_that_updates_one_counter(text, split):
    words, counts = byte_words(text, split)
    loop = trained(words, counts, first_new_id=256, max_merges=300, tie_break=FIRST_COUNTED)
    assert loop.pairs.tolist() == counter_merges(text, 300, split)
    assert loop.pairs.tolist() != trained(words, counts, first_new_id=256, max_merges=300).pairs.tolist()


@given(st.text("abc ", max_size=80))
@settings(max_examples=examples(100))
def test_merges_equal_a_program_that_updates_one_counter_on_random_texts(text):
    words, counts = byte_words(text)
    loop = trained(words, counts, first_new_id=256, max_merges=60, tie_break=FIRST_COUNTED)
    assert loop.pairs.tolist() == counter_merges(text, 60)


# --- forced pairs, ends, slices -------------------------------------------------------------------


def test_forced_pairs_come_first_whatever_their_counts(rng):
    for _ in range(500):
        words = random_words(rng)
        most = rng.choice([1, 3, 100_000])
        counts = [rng.randint(1, most) for _ in words]
        forced = []
        for number in range(rng.randint(1, 5)):
            pair = (rng.randrange(BASE + number), rng.randrange(BASE + number))
            forced += [pair] * (rng.random() < 0.9) or [(0, 0)]
        options = {"forced": forced, "max_merges": rng.randint(0, 12), "min_count": rng.randint(1, 3)}
        loop, expected = trained(words, counts, **options), recount(words, counts, **options)
        assert merges_of(loop) == expected.merges, (words, counts, options)
        assert loop.stop_reason == expected.stop_reason


def test_a_forced_pair_that_occurs_nowhere_is_recorded_with_count_zero():
    assert merges_of(trained([[0, 1]], [1], forced=[(3, 3)], max_merges=2)) == [(3, 3, 0, 0), (0, 1, 1, 1)]


def test_forcing_the_own_merges_changes_nothing():
    words, counts = byte_words(SOURCE)
    loop = trained(words, counts, first_new_id=256, max_merges=400)
    forced = trained(words, counts, first_new_id=256, max_merges=400, forced=loop.pairs[:300])
    assert merges_of(forced) == merges_of(loop)


@pytest.mark.parametrize("words", [[], [[0]], [[0], [1]], [[]], [[], [0]]])
def test_words_without_a_pair_train_to_nothing(words):
    loop = trained(words, [1] * len(words))
    assert (loop.made, loop.stop_reason) == (0, NO_PAIRS_LEFT)


@pytest.mark.parametrize("slice_size", [1, 7, 100])
def test_training_in_slices_gives_the_same_merges(slice_size):
    words, counts = byte_words(SOURCE[:20_000])
    whole = trained(words, counts, first_new_id=256, max_merges=300)
    loop = MergeLoop(*flat(words), counts, first_new_id=256, max_merges=300)
    while loop.stop_reason == RUNNING:
        assert 0 < loop.run(slice_size) <= slice_size
    assert merges_of(loop) == merges_of(whole)
    assert loop.run(slice_size) == 0


def test_the_replacements_give_the_tokens_left():
    words, counts = byte_words(SOURCE)
    loop = trained(words, counts, first_new_id=256, max_merges=300)
    before = sum(len(word) * count for word, count in zip(words, counts, strict=True))
    assert int(np.diff(loop.words().offsets) @ np.array(counts)) == before - int(loop.replaced.sum())


def test_the_words_given_are_not_changed():
    words = flat([[0, 1, 0, 1]])
    MergeLoop(*words, [1], first_new_id=BASE, max_merges=5).run(5)
    assert words.symbols.tolist() == [0, 1, 0, 1]


# --- any step -------------------------------------------------------------------------------------


def test_any_step_is_replayed_in_any_order(rng):
    words, counts = byte_words(SOURCE[:6000])
    expected = recount(words, counts, first_new_id=256, max_merges=80)
    loop = trained(words, counts, first_new_id=256, max_merges=80)
    for step in rng.sample(range(81), 81):
        state = replay(flat(words), loop.merged_at, loop.merged_ends, step, first_new_id=256)
        assert nested(state) == expected.states[step]


def test_steps_of_forced_pairs_are_replayed():
    loop = trained([[0, 1, 0, 1]], [1], forced=[(3, 3), (1, 0)], max_merges=3)
    states = [
        nested(replay(flat([[0, 1, 0, 1]]), loop.merged_at, loop.merged_ends, step, first_new_id=BASE))
        for step in range(4)
    ]
    assert states == [[[0, 1, 0, 1]], [[0, 1, 0, 1]], [[0, 5, 1]], [[6, 1]]]


@given(word_lists, st.data())
@settings(max_examples=examples(200))
def test_pair_counts_equal_a_recount(words, data):
    counts = data.draw(st.lists(st.integers(1, 2**40), min_size=len(words), max_size=len(words)))
    pairs = pair_counts(flat(words), counts)
    found = {
        (int(left), int(right)): [int(count), int(first)] for left, right, count, first in zip(*pairs, strict=True)
    }
    assert found == counted_pairs(words, counts)
    assert pairs.lefts.tolist() == sorted(pairs.lefts.tolist())


@pytest.mark.parametrize("words", [[], [[]], [[1]]])
def test_words_without_a_pair_have_no_pair_counts(words):
    assert pair_counts(flat(words), [1] * len(words)).lefts.size == 0


@given(word_lists, st.data(), st.integers(0, BASE - 1), st.integers(0, BASE - 1))
@settings(max_examples=examples(300))
def test_changes_are_the_difference_of_two_recounts(words, data, left, right):
    counts = data.draw(st.lists(st.integers(1, 5), min_size=len(words), max_size=len(words)))
    before = counted_pairs(words, counts)
    after = counted_pairs([merged_word(word, left, right, BASE) for word in words], counts)
    expected = {
        pair: (before.get(pair, [0])[0], after.get(pair, [0])[0])
        for pair in before.keys() | after.keys() | {(left, right)}
        if before.get(pair, [0])[0] != after.get(pair, [0])[0] or pair == (left, right)
    }
    changes = count_changes(flat(words), counts, left, right, BASE)
    rows = [tuple(int(number) for number in row) for row in zip(*changes, strict=True)]
    assert rows[0][:2] == (left, right)
    assert {row[:2]: row[2:] for row in rows} == expected
    assert len(rows) == len(expected)


# --- arrays ---------------------------------------------------------------------------------------


def test_any_kind_of_integer_array_is_taken():
    word = np.frombuffer(b"\x00\x01\x00\x01", np.uint8)  # read-only, of another type
    loop = MergeLoop(word[::1], (0, 4), np.array([1], np.uint8), first_new_id=2, max_merges=9)
    assert (loop.run(9), loop.words().symbols.tolist()) == (2, [3])


def test_each_kernel_is_compiled_for_one_set_of_types():
    kernels = {name: kernel for name, kernel in vars(merge_loop).items() if hasattr(kernel, "signatures")}
    called_from_python = {"_lay_out", "_compact", "_fill_slots", "_collect", "_run", "_replay", "_count_changes"}
    merge_loop.warm_up()
    assert called_from_python <= kernels.keys()
    assert {len(kernels[name].signatures) for name in called_from_python} == {1}
