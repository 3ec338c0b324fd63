"""Words by a dictionary on Encode and Compare: the browser's, and those of a library that is installed."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.pages import columns, opened, payload, texts
from tests.app.sending import send_action
from ui.widgets import dictionary_words

TEXT = "外国人参政権 a"
BY_BROWSER = "2,2,2,1,1"
TOKENIZERS = ["gpt2", "o200k_base"]


def on_encode(**values: Any) -> AppTest:
    return opened("encode", encode_text=TEXT, encode_with="o200k_base", encode_view_as="words", **values)


def captions(app: AppTest) -> str:
    return " ".join(each.value for each in app.caption)


def words_of(app: AppTest, key: str) -> list[str]:
    *_, lane = payload(app, key)["lanes"]
    assert lane["dictionary"]
    return lane["texts"]


def test_words_of_the_browser_are_drawn_below_the_tokens_and_compared_with_them() -> None:
    app = on_encode()
    assert [lane["name"] for lane in payload(app, "encode words")["lanes"]] == ["o200k"]
    send_action(app, "divided", [payload(app, "words of encoding")["rev"], BY_BROWSER], "words of encoding")
    assert words_of(app, "encode words") == ["外国", "人参", "政権", "a"]
    assert payload(app, "encode words")["lanes"][0]["unshared"] == []
    [sentence] = [each for each in texts(app) if each.startswith("Token boundaries between words")]
    assert "Words cut by tokens: 2 of 4." in sentence
    assert "the browser's own dictionary" in captions(app)
    send_action(app, "picked", [payload(app, "encode words")["rev"], 0, 1], "encode words")
    assert app.session_state["encode chosen token"] == 1
    send_action(app, "picked", [payload(app, "encode words")["rev"], 1, 0], "encode words")
    assert app.session_state["encode chosen token"] == 1


@pytest.mark.parametrize(
    "value",
    ["", "2,2,2,1", "2,2,2,1,2", "0,2,2,2,1,1", "-1,9", "9" * 4000, [2, 2, 2, 1, 1], None, "2,2,2,1,1,", "８"],
)
def test_lengths_that_are_not_those_of_the_text_change_nothing(value: object) -> None:
    app = on_encode()
    send_action(app, "divided", [payload(app, "words of encoding")["rev"], value], "words of encoding")
    assert len(payload(app, "encode words")["lanes"]) == 1


def test_compare_has_words_only_when_asked() -> None:
    app = opened("compare", compare_text=TEXT, compare_with=TOKENIZERS)
    assert len(payload(app, "lines view")["lanes"]) == 2
    assert not [each for each in app.get("bidi_component") if each.proto.id.endswith("-words of lines")]
    app = opened("compare", compare_text=TEXT, compare_with=TOKENIZERS, compare_words_by="browser")
    send_action(app, "divided", [payload(app, "words of lines")["rev"], BY_BROWSER], "words of lines")
    assert words_of(app, "lines view") == ["外国", "人参", "政権", "a"]
    table = columns(app, "word agreement")
    assert (table[""], table["Dictionary words"], table["cut by tokens"]) == (["GPT-2", "o200k"], [4, 4], [3, 2])
    before = payload(app, "lines view")["highlight"]
    send_action(app, "picked", [payload(app, "lines view")["rev"], 2, 3], "lines view")
    assert payload(app, "lines view")["highlight"] == before


def test_a_library_that_is_missing_is_named_with_how_to_get_it_and_replaced_by_the_browser() -> None:
    app = on_encode(encode_words_by="japanese")
    assert "MeCab (Japanese) is not installed" in captions(app)
    assert 'pip install ".[japanese]"' in captions(app)
    assert payload(app, "words of encoding")["text"] == TEXT


def test_a_library_that_is_installed_divides_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary_words, "has_segmenter", lambda name: True)
    monkeypatch.setattr(dictionary_words, "segmenter", lambda name: lambda text: ["外国人", "参政権", " ", "a"])
    app = on_encode(encode_words_by="japanese")
    assert words_of(app, "encode words") == ["外国人", "参政権", "a"]
    assert "Words by MeCab (Japanese)." in captions(app)


def test_a_long_text_is_divided_at_its_beginning() -> None:
    app = opened("encode", encode_text="時" * 10_001, encode_with="gpt2", encode_view_as="words")
    assert payload(app, "words of encoding")["text"] == "時" * 10_000
    assert "Only the first 10,000 characters" in captions(app)


def test_words_are_those_of_the_original_text_of_a_tokenizer_that_changes_it() -> None:
    app = opened("encode", encode_text="Ａ時", encode_with="bert-base-uncased", encode_view_as="words")
    send_action(app, "divided", [payload(app, "words of encoding")["rev"], "1,1"], "words of encoding")
    assert words_of(app, "encode words") == ["Ａ", "時"]


def test_a_zero_byte_is_white_space() -> None:
    app = opened("encode", encode_text="a\0b", encode_with="gpt2", encode_view_as="words")
    send_action(app, "divided", [payload(app, "words of encoding")["rev"], "1,1,1"], "words of encoding")
    assert words_of(app, "encode words") == ["a", "b"]


def test_a_library_that_changes_the_text_is_reported_and_the_tokens_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary_words, "has_segmenter", lambda name: True)
    monkeypatch.setattr(dictionary_words, "segmenter", lambda name: lambda text: ["another", "text"])
    app = on_encode(encode_words_by="chinese")
    assert len(payload(app, "encode words")["lanes"]) == 1
    assert any("spell the text" in each for each in texts(app))
