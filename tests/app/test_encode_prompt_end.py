"""The end of a prompt on Encode: the tokens of its prefixes, and the tokens that may follow after healing."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import load_pretrained
from bpe_core.tokenizer.prompt_end import heal
from tests.app.pages import column, columns, has, opened, payload, texts
from tests.app.sending import send_action


def shown(text: str, name: str = "gpt2", **values: object) -> AppTest:
    return opened("encode", encode_text=text, encode_with=name, encode_view_as="prompt", **values)


def pieces(cell: Any) -> list[str]:
    """Texts of the tokens in a cell."""
    return [] if cell is None else [each[1] for each in cell["word"]]


def test_each_prefix_has_its_tokens_and_those_that_the_whole_text_has_otherwise() -> None:
    app = shown("an apple")
    table = columns(app, "prompt prefixes")
    assert table["Typed so far"] == ["a", "an", "an·", "an·a", "an·ap", "an·app", "an·appl", "an·apple"]
    assert [pieces(each) for each in table["Tokens that change"]] == [
        *(["a"], [], [" "], [" a"], [" ap"], [" app"], [" appl"], [])
    ]
    assert [pieces(each) for each in table["Tokens that stay"]][-2:] == [["an"], ["an", " apple"]]
    assert any("6 of 8 prefixes end in tokens that the whole text does not have." in each.value for each in app.caption)


def test_healing_lists_the_tokens_that_begin_with_what_was_removed_and_one_goes_on() -> None:
    app = shown("The link is http:")
    assert any(each == "16 tokens begin with “:”, and may follow:" for each in texts(app))
    allowed = column(app, "allowed", "Token")
    assert [each[1] for each in allowed[:3]] == [":", "://", "::"]
    assert pieces(payload(app, "healed")["columns"][1]["cells"][1]) == [":"]
    send_action(app, "picked", [payload(app, "allowed")["rev"], 1], "allowed")
    assert app.session_state["encode text"] == "The link is http://"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("gpt2", "Hello ", "A space usually belongs to the token of the next word"),
        ("gpt2", "The qui", "In a longer text these may be other tokens"),
        ("bert-base-uncased", "Hello ", "this tokenizer drops the space at the end"),
        ("bert-base-uncased", " ", "this tokenizer drops the space at the end"),
        ("gpt2", "🙂", "no other token begins like the last one"),
    ],
)
def test_one_sentence_says_why_the_end_needs_healing(name: str, text: str, says: str) -> None:
    app = shown(text, name)
    assert sum(says in each for each in texts(app)) == 1
    assert has(app, "allowed") == bool(heal(load_pretrained(name), text).allowed)


def test_the_examples_stand_below_the_text_and_only_forty_tokens_are_listed() -> None:
    app = shown("")
    assert not has(app, "prompt prefixes")
    area = payload(app, "encode text area")
    assert area["examples"]["A space at the end"] == "Hello "
    send_action(app, "typed", [area["push"], "Hello "], "encode text area")
    assert app.session_state["encode text"] == "Hello "
    assert len(column(app, "allowed", "Id")) == 40
    assert any("The first 40 by rank." in each.value for each in app.caption)


@pytest.mark.parametrize("name", ["trained", "gpt2", "t5-small"])
def test_hostile_and_long_texts_have_an_end_too(name: str) -> None:
    for text in ("\ud83d", "</script>\u202e e\u0301 👩‍👩‍👧 ", "a" * 30_000, "<|endoftext|>", "\n\n"):
        app = shown(text, name)
        assert not app.exception
        assert payload(app, "prompt prefixes")["rows"] <= 20
    assert not has(shown("a", name, encode_special="raise"), "problem of the prompt")


def test_the_other_views_of_the_text_compute_no_prefixes() -> None:
    app = opened("encode", encode_text="The qui")
    assert not has(app, "prompt prefixes")
    assert not has(app, "allowed")


def test_a_part_of_a_character_has_the_character_at_its_place_above_it() -> None:
    """In こち both characters begin with E3 81, and each has its own tokens for its parts."""
    app = shown("こち")
    table = columns(app, "prompt prefixes")
    assert [each[2:3] for each in table["Tokens that stay"][-1]["word"]] == [[], ["ち"], ["ち"]]
