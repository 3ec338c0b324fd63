"""UTF-8 geometry: the bit arithmetic is in one module, and agrees with the characters themselves."""

import re
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.kernels import layout
from bpe_core.text import utf8

PROJECT = Path(__file__).parents[2]
TEXTS = st.text(st.one_of(st.sampled_from("aéこ🙂\n"), st.characters(exclude_categories=["Cs"])), max_size=40)
BIT_ARITHMETIC = re.compile(r"(&|<=?|>=?|==|!=|range\()\s*0x(80|BF|C0|C2|E0|F0|F5|F8)\b|0b1+0*\b", re.IGNORECASE)
NOT_UTF8 = {"bpe_core/sentencepiece/protobuf.py"}  # the bits of its format's own integers


def test_only_one_module_looks_at_the_bits_of_utf8() -> None:
    wrong = [
        f"{path.relative_to(PROJECT)}:{number}"
        for room in ("bpe_core", "ui")
        for path in sorted((PROJECT / room).rglob("*.py"))
        if "kernels" not in path.parts and path.name != "utf8.py"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if BIT_ARITHMETIC.search(line) and str(path.relative_to(PROJECT)) not in NOT_UTF8
    ]
    assert wrong == []


@given(TEXTS)
def test_starts_counts_and_lengths_are_those_of_the_characters(text: str) -> None:
    data = text.encode()
    sizes = [len(char.encode()) for char in text]
    starts = list(accumulate(sizes, initial=0))
    assert utf8.utf8_lengths(text).tolist() == sizes
    assert utf8.character_starts(data).tolist() == starts
    assert np.flatnonzero(utf8.begins_character(data)).tolist() == starts[:-1]
    assert utf8.count_characters(data) == len(text)
    before = [sum(start < at for start in starts[:-1]) for at in range(len(data) + 1)]
    assert utf8.begun_characters(data).tolist() == before
    assert [utf8.sequence_length(data[start]) for start in starts[:-1]] == sizes


@given(st.text() | st.text(st.characters(min_codepoint=0xD7F0, max_codepoint=0xE010)))
def test_characters_are_counted_once_however_often_they_occur(text: str) -> None:
    assert utf8.distinct_characters(text + text) == len(set(text))


@given(TEXTS, st.data())
def test_ranges_are_the_same_compiled_and_plain(text: str, data: st.DataObject) -> None:
    raw = text.encode()
    edges = sorted(data.draw(st.lists(st.integers(0, len(raw)), min_size=2, max_size=12)))
    starts, ends = np.array(edges[:-1], np.int32), np.array(edges[1:], np.int32)
    plain = utf8.plain_character_ranges(raw, starts, ends)
    for compiled, expected in zip(layout.character_ranges(raw, starts, ends), plain, strict=True):
        assert compiled.tolist() == expected.tolist()
    spans = list(accumulate((len(char.encode()) for char in text), initial=0))
    for start, end, first, last in zip(starts, ends, *plain, strict=True):
        touched = [at for at in range(len(text)) if spans[at] < end and spans[at + 1] > start] if start < end else []
        assert list(range(first, last)) == touched


@given(TEXTS, st.data())
def test_a_range_is_widened_to_the_characters_that_it_touches(text: str, data: st.DataObject) -> None:
    raw = text.encode()
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, len(raw)))
    first, last = utf8.whole_characters(raw, start, end)
    edges = utf8.character_starts(raw).tolist()
    assert first == max(at for at in edges if at <= start)
    assert last == min(at for at in edges if at >= end)
    before, after = utf8.rest_of_character(raw, start, end)
    assert before + raw[start:end] + after == raw[first:last]


@pytest.mark.parametrize("byte", [0x80, 0xBF, 0xC0, 0xC1, 0xF5, 0xFF])
def test_a_byte_that_begins_no_character_has_no_length(byte: int) -> None:
    assert utf8.sequence_length(byte) == 0
    assert (byte in utf8.CONTINUATION) == (byte < 0xC0)


def test_ranges_in_a_long_text_are_those_in_a_short_one() -> None:
    text = "aこ🙂é" * 5_000
    raw = text.encode()
    starts = np.arange(0, len(raw) - 3, 3, dtype=np.int32)
    compiled = utf8.character_ranges(raw, starts, starts + 3)
    plain = utf8.plain_character_ranges(raw, starts, starts + 3)
    assert all(np.array_equal(left, right) for left, right in zip(compiled, plain, strict=True))
