"""Compare's card of many texts: a file's texts are counted, listed, opened and downloaded, and broken files named."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import load_pretrained
from tests.app.pages import columns, has, opened, payload, texts
from tests.app.sending import send_action

CSV = "id,body\n1,low lower lowest\n2\n3,日本語の文字です\n4,\n5,=1+1\n"


@pytest.fixture
def many() -> AppTest:
    """Compare with the card open."""
    return opened("compare", compare_with=["gpt2", "cl100k_base"], many_texts_open=True)


def upload(app: AppTest, name: str, data: bytes) -> None:
    app.file_uploader(key="many texts upload").upload(name, data, "application/octet-stream").run()
    assert not app.exception, app.exception


def test_each_text_of_a_file_is_counted(many: AppTest) -> None:
    upload(many, "a.csv", CSV.encode())
    table = columns(many, "many totals")
    assert "Unknown" not in table
    gpt2 = load_pretrained("gpt2")
    tokens = [len(gpt2.encode(text)) for text in ("low lower lowest", "日本語の文字です", "=1+1")]
    assert table["Tokens"][0] == sum(tokens)
    rows = columns(many, "many texts table")
    assert rows["GPT-2"] == sorted(tokens, reverse=True)
    assert set(rows["Text"]) == {"low lower lowest", "日本語の文字です", "=1+1"}
    assert "Row 3: it has 1 of 2 cells" in texts(many)
    assert any("1 row without a text" in caption for caption in (each.value for each in many.caption))


def test_unknown_tokens_are_counted_where_there_are_some() -> None:
    app = opened("compare", compare_with=["gpt2", "bert-base-uncased"], many_texts_open=True)
    upload(app, "a.txt", "low \U0001f9ff\n".encode())
    assert columns(app, "many totals")["Unknown"] == [None, 1]


def test_a_click_compares_the_text_above(many: AppTest) -> None:
    upload(many, "a.csv", CSV.encode())
    rev = payload(many, "many texts table")["rev"]
    send_action(many, "picked", [rev, 0], "many texts table")
    assert many.session_state["compare text"] == "日本語の文字です"


def test_a_bar_lists_its_texts(many: AppTest) -> None:
    upload(many, "a.txt", b"low\nlow lower\nlow\n")
    send_action(many, "picked", [0, 0], "many texts chart")
    assert columns(many, "many texts table")["Text"] == ["low", "low"]
    many.button(key="all texts").click().run()
    assert len(columns(many, "many texts table")["Text"]) == 3


def test_the_share_over_the_context_follows_the_number(many: AppTest) -> None:
    upload(many, "a.txt", b"low\nlow lower\n")
    many.number_input(key="many texts context").set_value(1).run()
    assert columns(many, "many totals")["Over the context, %"] == [50.0, 50.0]


def test_the_samples_and_their_languages_are_taken_by_a_click(many: AppTest) -> None:
    many.button(key="many samples").click().run()
    assert columns(many, "many totals")["Its row"][0] > 50
    way: Any
    [way] = [each for each in many.get("button_group") if each.key == "many texts way"]
    way.set_value("parallel").run()
    found = columns(many, "parallel totals")
    assert found["Gini of parity"] == [pytest.approx(each) for each in columns(many, "metrics table")["Gini of parity"]]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.csv", b"", "is empty"),
        ("a.parquet", b"PAR1 low PAR1", "cannot be read as Parquet"),
        ("a.jsonl", b"[1]\n[2]\n", "has no column of texts"),
    ],
)
def test_a_file_without_texts_says_why(many: AppTest, name: str, data: bytes, reason: str) -> None:
    upload(many, name, data)
    assert any(reason in text for text in texts(many)), texts(many)


def test_another_encoding_is_shown_and_read_after_a_click(many: AppTest) -> None:
    upload(many, "a.txt", ("日本語の文字です\n" * 3).encode("shift_jis"))
    assert not has(many, "many totals")
    many.button(key="read many texts").click().run()
    assert len(columns(many, "many texts table")["Text"]) == 3


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("MOST_ROWS", "Only the first 2 rows are counted"),
        ("MOST_CHARACTERS", "Only the first 2 characters are counted"),
    ],
)
def test_a_file_beyond_a_limit_is_counted_up_to_it(
    many: AppTest, monkeypatch: pytest.MonkeyPatch, limit: str, said: str
) -> None:
    for module in ("cache", "many_texts"):
        monkeypatch.setattr(f"ui.compare.{module}.{limit}", 2)
    upload(many, f"{limit}.csv", b"text\na\nb\nc\n")
    assert columns(many, "many texts table")["Text"] == ["a", "b"]
    assert any(caption.value.startswith(said) for caption in many.caption)


def test_of_parallel_texts_as_many_are_counted_as_of_one_column(many: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("cache", "many_texts"):
        monkeypatch.setattr(f"ui.compare.{module}.MOST_ROWS", 4)
    upload(many, "limit.csv", b"en,de\n" + b"low,tief\n" * 5)
    way: Any
    [way] = [each for each in many.get("button_group") if each.key == "many texts way"]
    way.set_value("parallel").run()
    gpt2 = load_pretrained("gpt2")
    assert columns(many, "parallel totals")["Tokens"][0] == 2 * sum(len(gpt2.encode(each)) for each in ("low", "tief"))
    assert any(caption.value.startswith("Only the first 2 rows are counted") for caption in many.caption)
