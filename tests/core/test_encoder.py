"""Compiled encoding equals plain merging."""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core.kernels import layout, threads, word_encoder
from bpe_core.kernels.layout import DistinctWords, Layout, character_ranges, lay_out_ids
from bpe_core.kernels.merge_loop import MergeLoop, Words, replay
from bpe_core.kernels.scan import WordTable
from bpe_core.kernels.word_encoder import PairTable, encode_words
from tests.draws import examples

SOURCE = Path(argparse.__file__).read_text(encoding="utf-8")  # Python's standard library: always available
PARAGRAPH = (
    "「吾輩は猫である。名前はまだ無い。」と、Kater Murr sagte’s zu 3½ Mäusen\u3000…\u3000“Ça va?” №12345\r\n\t\n  "
)


def flat(words):
    offsets = np.cumsum([0, *(len(word) for word in words)], dtype=np.int64)
    return Words(np.array([symbol for word in words for symbol in word], np.int32), offsets)


def nested(words):
    return [words.symbols[start:end].tolist() for start, end in pairwise(words.offsets.tolist())]


def merged(word, merges):
    """One merge at a time: the lowest rank, the leftmost first. `merges`: {pair: (rank, new id)}."""
    word = list(word)
    while True:
        ranked = [(*merges[pair], i) for i, pair in enumerate(pairwise(word)) if pair in merges]
        if not ranked:
            return word
        _, new_id, i = min(ranked, key=lambda entry: (entry[0], entry[2]))
        word[i : i + 2] = [new_id]


def random_merges(rng, *, alphabet, size):
    """Adversarial merges: any pair, ranks and ids in any order."""
    ranks = rng.sample(range(3 * size), size)
    pairs = {(rng.randrange(alphabet + size), rng.randrange(alphabet + size)) for _ in range(size)}
    pairs |= {(rng.randrange(alphabet), rng.randrange(alphabet)) for _ in range(size // 2)}
    return {pair: (rank, alphabet + i) for i, (pair, rank) in enumerate(zip(sorted(pairs), ranks, strict=False))}


def table_of(merges):
    return PairTable(
        [left for left, _ in merges],
        [right for _, right in merges],
        [new_id for _, new_id in merges.values()],
        [rank for rank, _ in merges.values()],
    )


# --- words to tokens ----------------------------------------------------------------------------------------------


def test_words_equal_merging_by_hand(rng):
    for _ in range(1500):
        alphabet = rng.randint(1, 4)
        merges = random_merges(rng, alphabet=alphabet, size=rng.randint(1, 12))
        words = [[rng.randrange(alphabet) for _ in range(rng.randint(0, 12))] for _ in range(rng.randint(0, 6))]
        assert nested(encode_words(flat(words), table_of(merges))) == [merged(word, merges) for word in words]


@pytest.mark.parametrize("length", [word_encoder._SHORT - 1, word_encoder._SHORT, word_encoder._SHORT + 1, 700])
def test_long_words_equal_merging_by_hand(length, rng):
    for alphabet in (1, 2, 5):
        merges = random_merges(rng, alphabet=alphabet, size=40)
        words = [[rng.randrange(alphabet) for _ in range(length)] for _ in range(3)] + [[0, 1]]
        assert nested(encode_words(flat(words), table_of(merges))) == [merged(word, merges) for word in words]


def test_any_step_of_a_training_is_its_words_encoded_with_fewer_merges():
    table = WordTable()
    table.add(SOURCE.encode(), "gpt2")
    words = Words(table.text.astype(np.int32), table.offsets.copy())
    loop = MergeLoop(*words, table.counts, first_new_id=256, max_merges=500)
    loop.run(500)
    pairs = PairTable(*loop.pairs.T, np.arange(256, 756))
    for step in (0, 1, 77, 499, 500):
        encoded = encode_words(words, pairs, limit=step)
        expected = replay(words, loop.merged_at, loop.merged_ends, step, first_new_id=256)
        assert np.array_equal(encoded.symbols, expected.symbols)
        assert np.array_equal(encoded.offsets, expected.offsets)


def test_a_pair_given_twice_merges_at_its_first_row():
    assert encode_words(flat([[0, 0]]), PairTable([0, 0], [0, 0], [1, 2])).symbols.tolist() == [1]


def test_a_run_of_one_symbol_merges_from_the_left():
    words = [[0] * length for length in range(1, 10)]
    assert nested(encode_words(flat(words), PairTable([0], [0], [1]))) == [
        [1] * (length // 2) + [0] * (length % 2) for length in range(1, 10)
    ]


def test_a_word_taken_whole_is_not_merged():
    encoded = encode_words(flat([[0, 0], [0, 0], []]), PairTable([0], [0], [1]), wholes=[-1, 7, -1])
    assert nested(encoded) == [[1], [7], []]


@pytest.mark.parametrize("words", [[], [[]], [[], []]])
def test_nothing_encodes_to_nothing(words):
    encoded = encode_words(flat(words), PairTable([0], [0], [1]))
    assert (encoded.symbols.tolist(), encoded.offsets.tolist()) == ([], [0] * (len(words) + 1))


def test_an_empty_table_merges_nothing():
    assert nested(encode_words(flat([[0, 1]]), PairTable([], [], []))) == [[0, 1]]


def test_a_word_of_a_million_symbols_is_encoded():
    # Searching the whole word for each merge would take hours.
    encoded = encode_words(flat([[0, 1] * 500_000]), PairTable([0, 2, 3, 4], [1, 2, 3, 4], [2, 3, 4, 5]))
    assert encoded.symbols.size == 62_500


def test_threads_change_nothing(monkeypatch, rng):
    merges = random_merges(rng, alphabet=3, size=20)
    words = [[rng.randrange(3) for _ in range(rng.randint(0, 9))] for _ in range(50)]
    expected = [merged(word, merges) for word in words]
    monkeypatch.setattr(threads, "SMALLEST_PART", 1)
    for cores in (1, 2, 3, 400):
        monkeypatch.setattr(threads, "cores", lambda cores=cores: cores)
        assert nested(encode_words(flat(words), table_of(merges))) == expected


# --- offsets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("split", ["none", "words", "gpt2", "cl100k"])
@pytest.mark.parametrize("cores", [1, 3])
@pytest.mark.parametrize("text", ["", "a", " ", "é", PARAGRAPH, SOURCE[:2000] + PARAGRAPH * 3])
def test_tokens_lie_where_their_bytes_stand(monkeypatch, split, cores, text):
    monkeypatch.setattr(threads, "SMALLEST_PART", 1)
    monkeypatch.setattr(threads, "cores", lambda: cores)
    data, table = text.encode(), WordTable()
    found = table.index(data, split)
    # Merges of bytes that often occur together, including parts of characters.
    pairs = PairTable([0xE3, 32, 256], [0x81, 97, 0xAE], [256, 257, 258])
    names = [bytes([byte]) for byte in range(256)] + [b"\xe3\x81", b" a", b"\xe3\x81\xae"]
    encoded = encode_words(Words(table.text.astype(np.int32), table.offsets), pairs)
    lengths = [len(names[token]) for token in encoded.symbols]
    distinct = DistinctWords.of(table.text.tobytes(), table.offsets, encoded, lengths)
    ids = lay_out_ids([found.word_ids], encoded)
    laid = Layout([found.word_ids], distinct, found.starts if split == "words" else None)
    (starts, ends), words = laid.byte_ranges(), laid.words()
    assert [data[start:end] for start, end in zip(starts, ends, strict=True)] == [names[token] for token in ids]
    assert words.word_starts.tolist() == found.starts.tolist()
    assert words.word_ends.tolist() == found.ends.tolist()
    assert all(
        found.starts[word] <= start <= end <= found.ends[word]
        for start, end, word in zip(starts, ends, words.word_ids, strict=True)
    )
    assert int((ends - starts).sum()) == int((found.ends - found.starts).sum())
    assert laid.leaves_gaps == (split == "words")
    if split != "words":
        assert laid.is_ascii == text.isascii()
        touched = [each.tolist() for each in character_ranges(data, starts, ends)]
        assert [each.tolist() for each in laid.character_ranges()] == touched


def test_words_of_another_scanner_are_laid_out():
    text, table = b"ab-ab", WordTable()
    edges = np.array([[0, 2], [3, 5]])  # int64, and columns of a matrix
    which = table.add_spans(text, edges[:, 0], edges[:, 1])
    encoded = encode_words(Words(table.text.astype(np.int32), table.offsets), PairTable([97], [98], [256]))
    distinct = DistinctWords.of(table.text.tobytes(), table.offsets, encoded, [2])
    assert lay_out_ids([which], encoded).tolist() == [256, 256]
    laid = Layout([which], distinct, edges[:, 0])
    assert [each.tolist() for each in laid.byte_ranges()] == [[0, 3], [2, 5]]
    assert laid.words().word_ids.tolist() == [0, 1]
    assert len(layout._lay_out_ranges.signatures) == len(layout._lay_out_words.signatures) == 1


@given(st.data())
@settings(max_examples=examples(200))
def test_ids_are_those_of_each_word_in_turn(data):
    words = data.draw(st.lists(st.lists(st.sampled_from([-1, 5, 7, 2**31 - 1]), max_size=9), min_size=1, max_size=9))
    parts = data.draw(st.lists(st.lists(st.integers(0, len(words) - 1), max_size=9), min_size=1, max_size=4))
    laid = lay_out_ids([np.array(part, np.int32) for part in parts], flat(words))
    assert laid.tolist() == [token for part in parts for word in part for token in words[word]]


def test_special_tokens_stand_between_the_words_and_are_none():
    encoded = Words(np.array([5, 6, 9], np.int32), np.array([0, 2, 3]))
    distinct = DistinctWords.of("éb<é>".encode(), [0, 3, 7], encoded, [1, 2, 4], specials=1)
    laid = Layout([np.array([0], np.int32), np.array([1], np.int32), np.array([0], np.int32)], distinct)
    assert [column.tolist() for column in (*laid.byte_ranges(), *laid.character_ranges(), *laid.words())] == [
        [0, 1, 3, 7, 8],
        [1, 3, 7, 8, 10],
        [0, 0, 2, 5, 5],
        [1, 2, 5, 6, 7],
        [0, 0, -1, 1, 1],
        [0, 7],
        [3, 10],
    ]


def test_tokens_that_leave_out_a_part_of_their_word_do_not_reach_into_the_next_one():
    encoded = Words(np.array([5], np.int32), np.array([0, 1, 1]))
    distinct = DistinctWords.of(b"abcd", [0, 2, 4], encoded, [1])
    laid = Layout([np.array([0, 1, 0], np.int32)], distinct)
    assert [column.tolist() for column in laid.byte_ranges()] == [[0, 4], [1, 5]]
    assert [column.tolist() for column in laid.words()[1:]] == [[0, 2, 4], [2, 4, 6]]


@pytest.mark.parametrize("cores", [1, 3])
@given(st.text(st.sampled_from("aé猫😀 "), max_size=12), st.data())
@settings(max_examples=examples(150))
def test_character_ranges_equal_counting_characters(cores, text, data):
    encoded = text.encode()
    edges = sorted(data.draw(st.lists(st.integers(0, len(encoded)), max_size=8)))
    starts, ends = np.array(edges[:-1], np.int32), np.array(edges[1:], np.int32)
    holder = [index for index, character in enumerate(text) for _ in character.encode()]  # character of each byte
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "SMALLEST_PART", 1)
        patch.setattr(threads, "cores", lambda: cores)
        firsts, lasts = character_ranges(encoded, starts, ends)
    for start, end, first, last in zip(starts, ends, firsts, lasts, strict=True):
        if start < end:
            assert (first, last) == (holder[start], holder[end - 1] + 1)
        else:
            assert first == last


def test_a_text_whose_offsets_do_not_fit_is_refused():
    class Huge(bytes):
        def __len__(self):
            return 1 << 31

    with pytest.raises(ValueError, match="31 bits"):
        character_ranges(Huge(), np.empty(0, np.int32), np.empty(0, np.int32))


def test_each_kernel_is_compiled_for_one_set_of_types():
    word_encoder.warm_up()
    layout.warm_up()
    kernels = [
        word_encoder._fill_rows,
        word_encoder._encode,
        layout._measure,
        layout._count_tokens,
        layout._find_tokens,
        layout._lay_out_ids,
        layout._totals,
        layout._lay_out_ranges,
        layout._lay_out_words,
        layout._character_ranges,
    ]
    assert {len(kernel.signatures) for kernel in kernels} == {1}
