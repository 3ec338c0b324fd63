"""The command line with arguments in another order, and its answers to mistakes of beginners."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from bpe_core.cli import main


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    return code, *capfd.readouterr()


def test_an_unknown_argument_is_named_with_the_usage_of_its_command(capfd: pytest.CaptureFixture[str]) -> None:
    code, _out, err = run(capfd, "page", "a.txt", "--out", "a.html", "--steps", "5")
    assert code == 2
    assert err.startswith("usage: python -m bpe_core page")
    assert err.endswith("python -m bpe_core page: error: unrecognized arguments: --steps 5\n")


def test_a_file_is_taken_after_options_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "a.txt"
    text.write_text("a lantern and two lanterns")
    before = run(capfd, "add", " lantern", str(text), "--tokenizer", "gpt2", "--single-word")
    after = run(capfd, "add", "--tokenizer", "gpt2", " lantern", "--single-word", str(text))
    assert before == after
    assert before[0] == 0
    assert run(capfd, "add", "--tokenizer", "gpt2", " lantern", "--single-word", str(text), "more")[0] == 2


def test_a_smaller_tokenizer_is_counted_without_a_text_or_a_target(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "a.txt"
    text.write_text("low lower")
    assert run(capfd, "shrink", "--tokenizer", "gpt2", "--used-in", str(text)) == (
        0,
        "263 ids kept, 49,994 gone\n",
        "",
    )
    assert "nothing.txt" in run(capfd, "shrink", "--tokenizer", "gpt2", "--used-in", "nothing.txt")[2]


def test_a_file_without_texts_is_not_asked_for_a_column(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "a.jsonl"
    rows.write_text('{"n": 1}\n')
    code, _out, err = run(capfd, "compare", str(rows), "--each")
    assert code == 1
    assert "has no column of texts" in err


def test_one_row_without_a_text_is_one_row(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "a.csv"
    rows.write_text("text,n\nlow,1\n,2\n")
    assert "left out 1 row without a text\n" in run(capfd, "compare", str(rows), "--each")[2]


def test_a_published_tokenizer_has_no_chat_template(capfd: pytest.CaptureFixture[str]) -> None:
    code, _out, err = run(capfd, "chat", "--tokenizer", "gpt2", "user=Hi")
    assert code == 1
    assert "gpt2 has no chat template." in err


@pytest.mark.parametrize("written", ["", "3", "[3]", '[{"content": "Hi"}]'])
def test_what_is_no_chat_on_stdin_is_answered_with_how_to_write_one(
    written: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "chat_template.jinja").write_text("{{ messages }}")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written.encode())))
    code, _out, err = run(capfd, "chat", "--tokenizer", str(tmp_path))
    assert code == 1
    assert err.endswith("Send such a list, or write messages as ROLE=TEXT.\n")
    assert "library" not in err


@pytest.mark.parametrize("text", ["", "a"])
def test_a_page_without_merges_is_not_written(text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text(text)
    code, _out, err = run(capfd, "page", str(tmp_path / "a.txt"), "--out", str(tmp_path / "a.html"))
    assert code == 1
    assert "gives no merges. A page plays one merge or more." in err
    assert not (tmp_path / "a.html").exists()
