"""Shared tokens of vocabularies, spellings of a word, tokens per line: tables and figures agree, text stays text."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Comparison, Tokenizer, TrainConfig, compare, load_pretrained, train
from bpe_core.comparison.overlap import Shared, spelling_key, spellings, token_texts
from bpe_core.comparison.text_lines import line_counts, line_starts
from bpe_core.display.figures import MOST_POINTS
from bpe_core.display.lines_figures import lines_figure
from bpe_core.display.overlap_figures import MOST_GROUPS, overlap_figure
from bpe_core.display.plain_text import literal
from bpe_core.errors import ConfigError
from bpe_core.wordlevel.model import WordLevelModel
from tests.core.test_figures import HOSTILE, SYNTAX, reason, strings

NAMES = ("gpt2", "cl100k_base", "bert-base-uncased", "t5-small")
TEXT = "low lower\n\n  x = [1, 2]\nこんにちは\nlast"


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare(TEXT, {name: load_pretrained(name) for name in NAMES})


def words(*tokens: str) -> Tokenizer:
    return Tokenizer("words", model=WordLevelModel([*tokens]))


def test_groups_count_the_texts_that_exactly_these_vocabularies_have(comparison: Comparison) -> None:
    texts = {name: set(token_texts(comparison.tokenizer(name))) for name in NAMES}
    table = comparison.overlap_table()
    assert table["tokens"].tolist() == sorted(table["tokens"], reverse=True)
    assert table["tokens"].sum() == len(set.union(*texts.values()))
    assert table["share"].sum() == pytest.approx(1)
    for names, tokens in zip(table["tokenizers"], table["tokens"], strict=True):
        having = set.intersection(*(texts[name] for name in names))
        others = [texts[name] for name in NAMES if name not in names]
        assert tokens == len(having.difference(*others))


def test_tokens_of_different_models_are_equal_by_their_texts() -> None:
    bert, t5, gpt2 = (token_texts(load_pretrained(name)) for name in ("bert-base-uncased", "t5-small", "gpt2"))
    assert b"ing" in bert, "##ing"
    assert b" the" in t5, "▁the"
    assert gpt2[b" the"] == 262
    assert not {b"[CLS]", b"</s>", b"<|endoftext|>"} & {*bert, *t5, *gpt2}, "special tokens are left out"
    ends = train("low low", TrainConfig(unit="char", split="words", end_of_word="</w>", vocab_size=8)).tokenizer()
    assert b"low" in token_texts(ends)


def test_bars_are_the_groups_and_dots_say_who_is_in_them(comparison: Comparison) -> None:
    bars, absent, present = comparison.figure("overlap").data
    table = comparison.overlap_table()
    assert list(bars.y) == table["tokens"].tolist()[:MOST_GROUPS]
    assert [row[2] for row in bars.customdata] == pytest.approx(table["share"].tolist()[:MOST_GROUPS])
    for column, names in enumerate(table["tokenizers"][:MOST_GROUPS]):
        rows = [row for x, row in zip(present.x, present.y, strict=True) if x == column]
        assert rows == [NAMES.index(name) for name in names]
        assert bars.customdata[column][0] == " + ".join(names)
    places = {*zip(absent.x, absent.y, strict=True), *zip(present.x, present.y, strict=True)}
    assert len(places) == len(absent.x) + len(present.x) == len(bars.x) * len(NAMES)
    assert comparison.figure("overlap").layout.yaxis2.ticktext == NAMES


def test_of_many_groups_the_largest_are_drawn_and_the_rest_is_said() -> None:
    groups = [Shared((f"t{at}",), 40 - at, ()) for at in range(20)]
    figure = overlap_figure([f"t{at}" for at in range(20)], groups, "dark")
    assert len(figure.data[0].x) == MOST_GROUPS
    assert "the 16 largest of 20 groups" in figure.layout.title.subtitle.text


# -- spellings ----------------------------------------------------------------------------------------------------


def test_spellings_differ_in_case_spaces_and_punctuation_around_the_word(comparison: Comparison) -> None:
    table = comparison.spellings_table(" The,")
    assert {"the", " the", "The", " The", "THE", "(the"} <= set(table.index)
    assert not {"there", "he", "t"} & set(table.index)
    for spelling, row in table.iterrows():
        for name, token_id in row.dropna().items():
            tokenizer = comparison.tokenizer(name)
            assert token_texts(tokenizer)[str(spelling).encode()] == token_id
    missing = table.isna().sum(axis=1).tolist()
    assert missing == sorted(missing), "tokens in most vocabularies come first"
    for name in NAMES:
        known = {
            text
            for text in token_texts(comparison.tokenizer(name))
            if spelling_key(text.decode("utf-8", "replace")) == "the"
        }
        assert len(known) == table[name].notna().sum()


def test_letters_are_compared_without_case_in_any_script() -> None:
    texts = [{b"STRASSE": 1, "straße".encode(): 2, " Straße.".encode(): 3, "Дом".encode(): 4, b"\xff": 5}]
    assert [ids for _text, ids in spellings(texts, "Straße")] == [[1], [2], [3]]
    assert spellings(texts, "дом") == [("Дом".encode(), [4])]
    assert spellings(texts, "unknown") == spellings([], "low") == []


@pytest.mark.parametrize("word", ["", " ", "...", "\n"])
def test_a_word_without_letters_has_no_spellings(comparison: Comparison, word: str) -> None:
    with pytest.raises(ConfigError, match=r"The word has no letter and no digit\. .* Give a word\."):
        comparison.spellings_table(word)


# -- lines --------------------------------------------------------------------------------------------------------


@given(st.text(st.sampled_from("aé\n \r日"), max_size=30))
def test_every_token_is_in_the_line_that_it_starts_in(text: str) -> None:
    comparison = compare(text, {"gpt2": load_pretrained("gpt2")})
    starts = line_starts(text).tolist()
    lines = text.encode().split(b"\n")
    assert [text.encode()[a:b].rstrip(b"\n") for a, b in pairwise([*starts, None])] == lines[: len(starts)]
    counts = line_counts(comparison, "gpt2")
    assert len(counts) == len(starts)
    assert counts.sum() == len(comparison.encoding("gpt2"))


def test_each_point_is_a_line_with_the_tokens_of_both(comparison: Comparison) -> None:
    figure = comparison.figure("lines", left="cl100k_base", right="gpt2")
    diagonal, points = figure.data
    left, right = (line_counts(comparison, name).tolist() for name in ("cl100k_base", "gpt2"))
    found = {row[0]: tuple(row[1:4]) for row in points.customdata}
    assert found == {at: (a, b, b - a) for at, (a, b) in enumerate(zip(left, right, strict=True), 1) if a or b}
    assert list(zip(points.x, points.y, strict=True)) == [tuple(row[1:3]) for row in points.customdata]
    differences = [abs(row[3]) for row in points.customdata]
    assert differences == sorted(differences, reverse=True)
    assert diagonal.x == diagonal.y == (0, max(*left, *right))
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == (
        "tokens of cl100k_base",
        "tokens of gpt2",
    )
    assert comparison.figure("lines").layout.xaxis.title.text == "tokens of gpt2", "the first two by default"


def test_of_100_000_lines_those_that_differ_most_are_drawn() -> None:
    first = np.arange(100_000)
    figure = lines_figure(["a", "b"], [first, first + (first == 70_000)], ["x"] * 100_000, "light")
    points = figure.data[1]
    assert (len(points.x), points.customdata[0][0]) == (MOST_POINTS, 70_001)
    assert (
        "2,000 of 99,999 lines" in figure.layout.title.subtitle.text
        or "of 100,000" in figure.layout.title.subtitle.text
    )


# -- bad input ----------------------------------------------------------------------------------------------------


def test_hostile_names_tokens_and_lines_are_literal() -> None:
    comparison = compare(HOSTILE, {HOSTILE: words("<unk>", "<b>", "$x$"), "<i>$y$": words("<unk>", "<b>")})
    for figure in (comparison.figure("overlap"), comparison.figure("lines")):
        for text in strings(json.loads(figure.to_json())["data"]):
            if "%{" in text:
                assert re.sub(r"%\{customdata\[\d+\](:[^}]*)?\}|</?b>|<br>|<extra></extra>", "", text).isprintable()
            else:
                assert not SYNTAX.search(text), text
    ticks: Any = comparison.figure("overlap").layout.yaxis2
    assert ticks.ticktext == (literal(HOSTILE), "&lt;i&gt;&#36;y&#36;")


def test_nothing_to_compare_is_said() -> None:
    nothing = compare("", {})
    assert reason(nothing.figure("overlap")) == reason(nothing.figure("lines")) == "No tokenizer is compared."
    assert nothing.overlap_table().empty
    assert nothing.spellings_table("low").empty
    empty = compare("", {"a": words(), "b": words()})
    assert reason(empty.figure("overlap")) == "These vocabularies have no tokens."
    assert reason(empty.figure("lines")) == "The text has no tokens."
    one = compare("low", {"a": words("low")})
    assert one.figure("overlap").data[0].y == (1,)
    assert one.figure("lines").data[1].customdata[0][:4] == [1, 1, 1, 0]
    with pytest.raises(ConfigError, match="'c' is not among"):
        one.figure("lines", left="c")
