"""Sentences about tokens: each counts and names what is there, and is silent where there is nothing to say."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import load_pretrained
from bpe_core.text.byte_characters import byte_level
from tests.app.sending import written
from tests.app.test_links import opened
from ui.encode.sentences import LONGEST_SPELLED, as_number, as_seen, file_marks, spellings, with_other_space

GPT2 = load_pretrained("gpt2")


def ways(word: bytes) -> int:
    """Segmentations into tokens, tried one by one."""
    found = 0
    for cuts in product([False, True], repeat=len(word) - 1):
        places = [0, *(at for at, cut in enumerate(cuts, 1) if cut), len(word)]
        pieces = [word[start:end] for start, end in pairwise(places)]
        found += all(GPT2.token_id(piece) is not None for piece in pieces)
    return found


@given(st.text(st.sampled_from("aehnt eé日"), min_size=2, max_size=4))
def test_spellings_of_a_word_are_all_its_segmentations_into_tokens(word: str) -> None:
    data = word.encode()[:11]
    count = ways(data)
    assert spellings(GPT2, data).startswith(f"{count:,} sequences" if count > 1 else "")


def test_nothing_is_said_of_the_spellings_of_long_words() -> None:
    assert spellings(GPT2, b"a" * LONGEST_SPELLED) != ""
    assert spellings(GPT2, b"a" * (LONGEST_SPELLED + 1)) == ""
    assert spellings(GPT2, b"a") == ""


def test_a_token_is_named_with_its_twin_and_as_the_number_that_a_model_gets() -> None:
    hello, spaced, comma = GPT2.encode("hello hello,")
    assert with_other_space(GPT2, hello) == "With a space before it, it is another token, id 23748."
    assert with_other_space(GPT2, spaced) == "Without its space it is another token, id 31373."
    assert "number 31373: the 5 characters" in as_number(hello)
    assert as_number(comma) == ""
    [special] = GPT2.encode("<|endoftext|>", special="parse")
    assert with_other_space(GPT2, special) == as_number(special) == ""
    [first, *_] = GPT2.encode("👨")
    assert as_number(first) == with_other_space(GPT2, first) == ""


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12))
def test_the_marks_of_byte_level_files_are_read_back(text: str) -> None:
    marked = byte_level(f" {text}".encode())
    [said, *_] = file_marks(f"x {marked}")
    assert f"“{marked[:40]}”" in said
    assert f"“{f' {text}'[:40]}”" in said


@pytest.mark.parametrize(
    "text", ["", "hello", "café naïve", "Ã", "日本語", "# title\n## a", "##", "C## x", "Ġ\ud800", "Ļ", "ÿĀ"]
)
def test_ordinary_text_has_no_marks(text: str) -> None:
    assert file_marks(text) == []


@pytest.mark.parametrize(("text", "said"), [("▁the", "SentencePiece"), ("tok ##en", "WordPiece")])
def test_marks_of_pieces_are_named(text: str, said: str) -> None:
    assert [said in each for each in file_marks(text)] == [True]


@pytest.mark.parametrize(
    ("text", "said"), [("e\u0301", "1 as readers see it"), ("日本 \u00e9", ""), ("abc", ""), ("\r\n", "")]
)
def test_characters_are_counted_as_readers_see_them_where_that_differs(text: str, said: str) -> None:
    assert as_seen(text) == said


def test_tokens_are_copied_in_the_spelling_of_their_files() -> None:
    app = opened("encode", "text=Hello+%E6%97%A5%0A&with=gpt2&copy=files")
    assert written(app)[0] == "Hello Ġæ Ĺ ¥ Ċ"
    app = opened("encode", "text=unhappily&with=bert-base-uncased&copy=files")
    assert written(app)[0].startswith("un ##")
