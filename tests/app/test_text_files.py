"""A text file in an encoding other than UTF-8: the page names the encoding, and reads the file after a click."""

from __future__ import annotations

from contextlib import suppress

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.pages import opened, payload, texts

JAPANESE = "むかし、駅の時計は五分進んでいた。\n![x](http://evil.example/a.png) **b** <b>"
CHINESE = "从前，图书馆门口有一把没人要的伞。"
FILES = [
    (JAPANESE, "shift_jis", "Shift_JIS"),
    (JAPANESE, "euc_jp", "EUC-JP"),
    (CHINESE, "gbk", "GB18030"),
    (CHINESE + "😀", "gb18030", "GB18030"),
    ("我們在圖書館門口等車，外面下著雨。", "big5", "Big5"),
    (JAPANESE, "utf_16", "UTF-16"),
    (JAPANESE, "utf_16_le", "UTF-16LE"),
]


def text_of(app: AppTest, page: str) -> str:
    if page == "train":
        return app.session_state["source"].text
    with suppress(KeyError):  # a page without typed text
        return app.session_state["compare text"]
    return ""


def upload(app: AppTest, page: str, data: bytes) -> None:
    key = "upload" if page == "train" else "compare upload"
    app.file_uploader(key=key).upload("text.txt", data, "text/plain").run()
    assert not app.exception


def buttons(app: AppTest) -> list[str]:
    return [button.label for button in app.button if button.label.startswith("Read as")]


@pytest.mark.parametrize("page", ["train", "compare"])
def test_an_encoding_is_named_and_read_after_a_click(page: str) -> None:
    app = opened(page, "sample=toy_hug")
    for text, codec, name in FILES:
        before = text_of(app, page)
        upload(app, page, text.encode(codec))
        assert text_of(app, page) == before
        assert f"The file is not UTF-8, but probably {name}. It would begin:" in texts(app)
        assert text[:60] in texts(app)
        assert buttons(app) == [f"Read as {name}"]
        next(button for button in app.button if button.label.startswith("Read as")).click().run()
        assert not app.exception
        assert text_of(app, page) == text


def test_what_is_utf_8_is_read_at_once_with_its_byte_order_mark() -> None:
    app = opened("compare", "")
    upload(app, "compare", "\ufeff日本 é".encode())
    assert text_of(app, "compare") == "\ufeff日本 é"
    assert buttons(app) == []


def test_what_no_encoding_is_told_for_is_refused() -> None:
    app = opened("compare", "")
    before = text_of(app, "compare")
    upload(app, "compare", b"low \xff")
    assert "The file is not UTF-8: byte 5 is 0xFF." in texts(app)
    assert (text_of(app, "compare"), buttons(app)) == (before, [])


def test_a_file_of_which_only_the_beginning_is_of_the_encoding_is_refused_after_the_click() -> None:
    app = opened("compare", "")
    before = text_of(app, "compare")
    upload(app, "compare", JAPANESE.encode("shift_jis") * 400 + b"\x81 ")
    next(button for button in app.button if button.label == "Read as Shift_JIS").click().run()
    assert any(text.startswith("The file is not Shift_JIS at byte ") for text in texts(app))
    assert text_of(app, "compare") == before


def test_compare_names_the_file_until_its_text_is_another() -> None:
    app = opened("compare", "")
    upload(app, "compare", b"one\n\ntwo")
    assert payload(app, "compare text area")["label"] == "Text to compare: text.txt"
    app.session_state["compare text"] = "three"
    app.run()
    assert payload(app, "compare text area")["label"] == "Text to compare"
