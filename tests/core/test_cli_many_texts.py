"""`compare --each` and `--parallel`: counts of a file's texts, its broken rows named, and tables written."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from bpe_core import compare_texts, load_pretrained
from bpe_core.cli import main

CSV = 'id,body\n1,low lower\n2\n3,日本語の文字\n4,\n5,"unclosed\n6,=1+1\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(CSV, encoding="utf-8")
    Path("p.jsonl").write_text('{"en": "low house", "ja": "低い家"}\n{"en": "new"}\n', encoding="utf-8")
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["compare", *arguments, "--tokenizer", "gpt2", "--tokenizer", "cl100k_base"])
    return code, *capfd.readouterr()


def test_each_text_of_a_column_is_counted_and_broken_rows_are_named(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, errors = run(capfd, "a.csv", "--each", "--column", "body", "--limit", "4")
    assert code == 0
    head, first, second = (line.split("  ") for line in output.strip().split("\n"))
    assert (head[0].strip(), head[-1].strip(), len(first) > 5, second[0]) == (
        "tokenizer",
        "over 4",
        True,
        "cl100k_base",
    )
    assert first[-1].strip() == "33.3 %"
    assert "skipped: row 3: it has 1 of 2 cells" in errors
    assert "skipped: row 6: its quotation marks do not match" in errors
    assert "left out 1 row without a text" in errors


@pytest.mark.parametrize("suffix", ["csv", "parquet", "tex"])
def test_the_table_of_texts_is_written(suffix: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, _output, _errors = run(capfd, "a.csv", "--each", "--column", "body", "--out", f"rows.{suffix}")
    assert code == 0
    expected = (
        compare_texts(["low lower", "日本語の文字", "=1+1"], {"gpt2": load_pretrained("gpt2")}).tokens["gpt2"].tolist()
    )
    if suffix == "tex":
        assert Path("rows.tex").read_text(encoding="utf-8").count(r" \\") == 4
    else:
        table = pd.read_csv("rows.csv") if suffix == "csv" else pd.read_parquet("rows.parquet")
        assert table["gpt2 tokens"].tolist() == expected


def test_json_has_every_number_and_the_problems(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, _errors = run(capfd, "a.csv", "--each", "--column", "body", "--limit", "4", "--json")
    found = json.loads(output)
    assert code == 0
    assert (found["missing"], found["skipped"], found["problems"][0]["row"]) == (1, 2, 3)
    assert found["rows"][0]["tokenizer"] == "gpt2"
    assert found["rows"][0]["unknown"] is None
    assert found["rows"][0]["over_4"] == pytest.approx(1 / 3)


def test_parallel_columns_have_parity_and_gini(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, errors = run(capfd, "p.jsonl", "--parallel", "--json")
    found = json.loads(output)
    assert code == 0
    assert (found["reference"], found["texts"], found["missing"]) == ("en", 1, 1)
    assert [each["language"] for each in found["languages"]] == ["en", "ja", "en", "ja"]
    assert found["languages"][0]["relative"] == 1.0
    assert found["rows"][0]["gini"] > 0
    code, output, errors = run(capfd, "p.jsonl", "--parallel", "--reference", "ja", "--out", "l.csv")
    assert (code, "left out 1 row " in errors) == (0, True)
    assert "Gini of parity" in output
    assert pd.read_csv("l.csv")["parity"].tolist()[1] == 1.0


def test_stdin_is_read_as_the_kind_that_is_named(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_core.cli.many_texts.read", lambda name: b'{"text": "low"}\n')
    code, output, _errors = run(capfd, "-", "--each", "--kind", "jsonl")
    assert (code, output.count("\n")) == (0, 3)


MISTAKES: dict[str, tuple[list[str], int, str]] = {
    "both": (["a.csv", "--each", "--parallel"], 2, "--each and --parallel are both given"),
    "a column of one text": (["a.csv", "--column", "body"], 2, "--column is for --each or --parallel"),
    "a limit of languages": (["p.jsonl", "--parallel", "--limit", "5"], 2, "--limit is for --each"),
    "two columns": (["a.csv", "--each", "--column", "a", "--column", "b"], 2, "one --column"),
    "a text": (["--each", "--text", "low"], 2, "--text is one text"),
    "no such column": (["a.csv", "--each"], 1, "has no column 'text'"),
    "one language": (["p.jsonl", "--parallel", "--column", "en"], 1, "2 to 100"),
    "another suffix": (["a.csv", "--each", "--out", "a.xlsx"], 2, ".csv, .parquet, .tex"),
    "no folder": (["a.csv", "--each", "--out", "no/a.csv"], 1, "cannot be written"),
    "no file": (["no.csv", "--each"], 1, "cannot be read"),
    "no Parquet": (["a.csv", "--each", "--kind", "parquet"], 1, "cannot be read as Parquet"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named(mistake: str, capfd: pytest.CaptureFixture[str]) -> None:
    arguments, expected, reason = MISTAKES[mistake]
    code, output, errors = run(capfd, *arguments)
    assert (code, output) == (expected, "")
    assert reason in errors
