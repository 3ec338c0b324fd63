"""The compiled scan finds exactly the words that the regex library finds with the published patterns."""

from __future__ import annotations

import argparse
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import regex
import tiktoken_ext.openai_public
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_core.kernels import scan, threads
from bpe_core.kernels.scan import SPLITS, WordTable, spans
from tests.draws import examples

SOURCE = "\n".join(
    Path(module.__file__).read_text(encoding="utf-8") for module in (argparse, random)
)  # Python's standard library: real text that is always available
PARAGRAPH = (
    "「吾輩は猫である。名前はまだ無い。」と、Kater Murr sagte’s zu 3½ Mäusen\u3000…\u3000"
    "“Ça va?” élève №12345\r\n\t\n  "
)
ALL_CHARACTERS = "".join(map(chr, range(0xD800))) + "".join(map(chr, range(0xE000, 0x110000)))

# Characters that the splits' rules depend on, so that short texts of them exercise every rule.
TRICKY = " \n\r\t'sStTrReEvVmMlLdDſ1/!aAbB.\u00a0\u3000"
CASES = " \u0301\u0308aAé中あǅʰ1٣²!\n\r/'sſ\u00a0\u3000、「\U0001f600\U00010400\U00010428"


@pytest.fixture(scope="module")
def patterns():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiktoken_ext.openai_public, "load_tiktoken_bpe", lambda *_, **__: {})
        return {
            "none": r"(?s:.+)",
            "words": r"\S+",
            "gpt2": tiktoken_ext.openai_public.r50k_base()["pat_str"],
            "cl100k": tiktoken_ext.openai_public.cl100k_base()["pat_str"],
            "o200k": tiktoken_ext.openai_public.o200k_base()["pat_str"],
        }


def assert_words_are_those_of_regex(text, pattern, split):
    expected = [(match.start(), match.end()) for match in regex.finditer(pattern, text)]
    offsets = np.concatenate([[0], np.cumsum([len(character.encode()) for character in text], dtype=np.int64)])
    starts, ends = spans(text.encode(), split)
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == [
        (offsets[start], offsets[end]) for start, end in expected
    ]


def test_the_patterns_are_those_that_tiktoken_publishes(patterns):
    assert patterns.keys() == set(SPLITS)


@pytest.mark.parametrize("split", SPLITS)
@given(st.text(st.sampled_from(TRICKY), max_size=16))
@example("don't DON'T 'S'll''s'ſ x'ſs 'reve")
@example("\n \n  x\r\n\r\n y  \n")
@example("1234567 12 a123b ٣٣٣٣٣")
@settings(max_examples=examples(400))
def test_spans_equal_regex_on_what_the_rules_turn_on(patterns, split, text):
    assert_words_are_those_of_regex(text, patterns[split], split)


@pytest.mark.parametrize("split", SPLITS)
@given(st.text(st.sampled_from(CASES), max_size=16))
@example("HTTPServer helloWorld ABCdefGHI aあB A\u0301b \u0301A!\u0301x")
@example("'\n/'a a/b\n/c //\r\n//d")
@settings(max_examples=examples(400))
def test_spans_equal_regex_on_letters_of_every_case(patterns, split, text):
    assert_words_are_those_of_regex(text, patterns[split], split)


@pytest.mark.parametrize("split", SPLITS)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
@settings(max_examples=examples(200))
def test_spans_equal_regex_on_any_text(patterns, split, text):
    assert_words_are_those_of_regex(text, patterns[split], split)


@pytest.mark.parametrize("split", SPLITS)
def test_spans_equal_regex_on_many_short_texts(patterns, split, rng):
    for _ in range(4000):
        alphabet = rng.choice([TRICKY, CASES])
        text = "".join(rng.choice(alphabet) for _ in range(rng.randint(0, 14)))
        assert_words_are_those_of_regex(text, patterns[split], split)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("between", ["", " ", "a", "A\n", "'s"])
def test_spans_equal_regex_on_every_character(patterns, split, between):
    text = between.join(ALL_CHARACTERS if not between else ALL_CHARACTERS[:0x12000])
    data = text.encode()
    found = [data[start:end] for start, end in zip(*spans(data, split), strict=True)]
    assert found == [word.encode() for word in regex.findall(patterns[split], text)]


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("text", [SOURCE, PARAGRAPH * 50, SOURCE.replace("\n", "\r\n"), SOURCE.upper()])
def test_spans_equal_regex_on_real_text(patterns, split, text):
    assert_words_are_those_of_regex(text, patterns[split], split)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize(
    "text", ["", " ", "\n", "  ", "a", "'", "'s", "é", "\u3000", "1", "a ", "a\n", "a \n ", "\U0001f600", "\x00"]
)
def test_spans_equal_regex_on_the_shortest_texts(patterns, split, text):
    assert_words_are_those_of_regex(text, patterns[split], split)


@pytest.mark.parametrize("split", SPLITS)
def test_words_of_a_megabyte_are_scanned_in_linear_time(split):
    for text in (b"a" * 1_000_000, b" " * 1_000_000, b"1" * 1_000_000, b"'s" * 500_000, b"\n " * 500_000):
        starts, ends = spans(text, split)
        assert int((ends - starts).sum()) == (0 if split == "words" and text.isspace() else len(text))


# --- distinct words and counts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("split", SPLITS)
def test_counts_and_their_order_are_those_of_a_counter(patterns, split):
    table, expected = WordTable(), Counter()
    for text in (SOURCE, PARAGRAPH, "", SOURCE[:5000]):
        table.add(text.encode(), split)
        expected.update(word.encode() for word in regex.findall(patterns[split], text))
    assert table.words() == list(expected)
    assert table.counts.tolist() == list(expected.values())
    assert len(table) == len(expected)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("cores", [1, 2, 5])
def test_blocks_and_threads_change_nothing(monkeypatch, split, cores):
    whole = WordTable()
    found = whole.index((SOURCE + PARAGRAPH).encode(), split)
    monkeypatch.setattr(scan, "_BLOCK", 300)
    monkeypatch.setattr(threads, "cores", lambda: cores)
    table = WordTable()
    assert [column.tolist() for column in table.index((SOURCE + PARAGRAPH).encode(), split)] == [
        column.tolist() for column in found
    ]
    assert (table.words(), table.counts.tolist()) == (whole.words(), whole.counts.tolist())
    table.add(SOURCE.encode(), split)  # a text for a table that already contains words
    whole.add(SOURCE.encode(), split)
    assert (table.words(), table.counts.tolist()) == (whole.words(), whole.counts.tolist())


@pytest.mark.parametrize("split", SPLITS)
def test_every_word_of_a_text_is_the_distinct_word_it_points_to(split):
    table = WordTable()
    table.add(b"other words first", split)
    text = (PARAGRAPH + SOURCE[:3000]).encode()
    found = table.index(text, split)
    words = table.words()
    assert [words[word] for word in found.word_ids] == [
        text[start:end] for start, end in zip(found.starts, found.ends, strict=True)
    ]


@given(st.lists(st.binary(min_size=1, max_size=20), max_size=40))
@settings(max_examples=examples(200))
def test_any_bytes_are_words(words):
    table = WordTable.of(words)
    assert table.words() == list(dict.fromkeys(words))
    assert table.find(words).tolist() == [table.words().index(word) for word in words]


def test_words_that_differ_in_zeros_only_are_told_apart():
    words = [b"\0" * length for length in range(1, 30)]
    assert WordTable.of(words).words() == words


def test_a_table_grows_by_itself():
    words = [f"{number * 7919}".encode() * (number % 9 + 1) for number in range(30_000)]
    table = WordTable.of(words)
    assert table.words() == words
    assert table.text.tobytes() == b"".join(words)
    assert table.offsets.tolist() == [0, *np.cumsum([len(word) for word in words]).tolist()]


def test_words_are_looked_up_in_another_table():
    assert WordTable.of([b"b", b"c", b"a"]).find_in(WordTable.of([b"a", b"b"])).tolist() == [1, -1, 0]


def test_spans_of_another_scanner_are_counted():
    table = WordTable()
    assert table.add_spans(b"abcab", [0, 2, 3], [2, 3, 5]).tolist() == [0, 1, 0]
    assert (table.words(), table.counts.tolist()) == ([b"ab", b"c"], [2, 1])


@given(st.lists(st.text("ab", min_size=1, max_size=9), unique=True, max_size=40))
@settings(max_examples=examples(200))
def test_concatenations_are_all_divisions_into_two_words(words):
    table = WordTable.of(word.encode() for word in words)
    expected = {
        (words.index(word[:cut]), words.index(word[cut:]), whole)
        for whole, word in enumerate(words)
        for cut in range(1, len(word))
        if word[:cut] in words and word[cut:] in words
    }
    found = list(zip(*(part.tolist() for part in table.concatenations()), strict=True))
    assert set(found) == expected
    assert len(found) == len(expected)


def test_the_classes_of_characters_are_those_of_regex(rng):
    for split in SPLITS[2:]:
        classes = scan._character_classes(split)
        for character in rng.sample(ALL_CHARACTERS, 2000) + list(TRICKY + CASES):
            flags = classes[ord(character)]
            for pattern, flag in ((r"\p{L}", 1), (r"\p{N}", 2), (r"\s", 4), (r"[^\p{L}\p{N}\s]", 8), (r"[\r\n]", 16)):
                assert bool(flags & flag) == bool(regex.match(pattern, character))


def test_ascii_is_classified_as_by_the_table_wherever_it_stands():
    text = bytes(range(128)) * 3
    for before in ("", "é", "日本"):
        data = np.frombuffer(before.encode() + text, np.uint8)
        for split in SPLITS[1:]:
            classes, flags = scan._character_classes(split), np.zeros(len(data) + 8, np.uint8)
            scan._classify(data, 0, len(data), classes, flags)
            start = len(before.encode())
            assert flags[start : len(data)].tolist() == classes[data[start:]].tolist()


def test_planes_that_are_not_classified_have_no_letters_digits_marks_or_spaces():
    edges = sorted({0, 0xD800, 0xE000, 0x110000, *(edge for pair in scan._CLASSIFIED for edge in pair)})
    known = regex.compile(r"[\p{L}\p{N}\p{M}\s]")
    for first, stop in pairwise(edges):
        if (first, stop) not in scan._CLASSIFIED and first != 0xD800:
            assert not known.search(scan._characters(first, stop)), hex(first)


def test_blocks_end_only_where_a_word_begins_anyway(rng):
    for _ in range(300):
        text = "".join(rng.choice(TRICKY + CASES) for _ in range(60)).encode()
        for split in SPLITS[1:]:
            starts = set(spans(text, split)[0].tolist())
            boundaries = [match.end() for match in scan._SAFE_BOUNDARY.finditer(text)]
            assert starts.issuperset(boundaries), (split, text)


def test_parts_cover_all_blocks_in_order(monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 3)
    for blocks in range(1, 20):
        edges = list(range(blocks + 1))
        assert [block for part in scan._parts(edges) for block in pairwise(part)] == list(pairwise(edges))


def test_each_kernel_that_python_calls_is_compiled_for_one_set_of_types():
    scan.warm_up()
    kernels = [scan._keys, scan._move_rows, scan._add_spans, scan._find_spans, scan._concatenations, scan._text_words]
    assert {len(kernel.signatures) for kernel in kernels} == {1}


def test_a_table_of_any_size_grows():
    for words in (1, 3, 5, 700):
        table = WordTable(words=words, text=1)
        data = [str(number).encode() for number in range(3000)]
        ends = np.cumsum([len(word) for word in data])
        assert table.add_spans(b"".join(data), np.append(0, ends[:-1]), ends).tolist() == list(range(3000))
        assert table.words() == data
