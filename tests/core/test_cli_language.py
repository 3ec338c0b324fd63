"""The language of the command line: that of the terminal, but English in output for programs."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.cli import main, terminal_language
from bpe_core.cli.terminal import ByteProgress, table
from bpe_core.cli.width import columns, wrapped
from bpe_core.language import PSEUDO, current_language, using_language

PROJECT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal set to the pseudo-locale: text from a catalogue is in brackets."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGUAGE", PSEUDO)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": ""}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "pt_BR.UTF-8", "LANGUAGE": "pt:ja:zh"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LANGUAGE": "pt:en:ja"}, "en"),
        ({"LANG": "POSIX", "LANGUAGE": "ja"}, "en"),
        ({"LC_ALL": "C.UTF-8", "LANGUAGE": "ja"}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "en"),
    ],
)
def test_the_language_is_found_as_gettext_finds_it(environment: dict[str, str], language: str) -> None:
    assert terminal_language(environment) == language


def test_help_is_in_the_language_of_the_terminal_with_the_words_of_the_parser(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(["--help"]) == 0
    out, error = capfd.readouterr()
    assert error == ""
    for words in ("usage: ", "commands:", "options:", "show this help message and exit", "examples:"):
        assert f"⟦{words.removesuffix(':')}⟧" in out or f"⟦{words}⟧" in out, words
    for command in ("train", "count", "merge-counts", "encode", "decode", "compare", "export", "draw", "page"):
        assert main([command, "--help"]) == 0
        _, options = capfd.readouterr().out.split("\n\n", 1)  # without the usage
        while "⟦" in options:
            options = re.sub("⟦[^⟦⟧]*⟧", "", options)
        assert "--json" in options
        assert not re.findall(r"(?<![-\w{,|=])[a-z]+(?![-\w,}])", options), command


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["train"], 2, "⟦the following arguments are required: --vocab-size, --out⟧"),
        (["nothing"], 2, "⟦invalid choice: 'nothing' (choose from "),
        (["train", "--vocab-size", "0"], 2, "⟦argument --vocab-size: ⟦'0' is not a whole number of at least 1⟧⟧"),
        (["decode", "a.txt", "--ids", "1", "--tokenizer", "gpt2"], 2, "⟦--ids and a file are both given.⟧"),
        (["encode", "--tokenizer", "gtp2"], 1, "⟦Did you mean gpt2?⟧"),
        (["draw", "a", "--tokenizer", "gpt2", "--out", "a.svg", "--width", "1"], 2, "width is 1."),
    ],
)
def test_an_error_is_in_the_language_of_the_terminal(
    arguments: list[str], code: int, problem: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stderr", io.TextIOWrapper(written, encoding="utf-8"))
    assert main(arguments) == code
    last = written.getvalue().decode().splitlines()[-1]
    assert last.startswith("⟦python -m bpe_core")
    assert ": error: ⟦" in last
    assert problem in last
    assert capfd.readouterr().out == ""


def test_a_warning_is_in_the_language_of_the_terminal(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"book.txt")))
    Path("book.txt").write_text("low low")
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        shown = warnings.showwarning
        assert main(["train", "-", "--vocab-size", "258", "--out", "tokenizer.json", "--quiet"]) == 0
        assert warnings.showwarning is shown
    [line] = [line for line in capfd.readouterr().err.splitlines() if "book.txt" in line]
    assert line.startswith("⟦python -m bpe_core: warning: ⟦")
    assert "⟦The text 'book.txt' is the name of a file, and is used as text.⟧" in line


def test_a_table_has_its_head_in_the_language(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--text", "x = 1", "--tokenizer", "gpt2", "--tokenizer", "cl100k_base"]) == 0
    out = capfd.readouterr().out
    assert out.startswith("⟦tokenizer⟧  ⟦tokens⟧  ⟦bytes/token⟧")
    assert "⟦gpt2 and cl100k_base⟧" in out


def test_json_and_its_errors_are_english(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text, out = tmp_path / "text.txt", tmp_path / "tokenizer.json"
    text.write_text("low low", encoding="utf-8")
    assert main(["train", str(text), "--vocab-size", "258", "--out", str(out), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["stop_reason"] == "vocabulary full"
    assert main(["encode", "--json", "--tokenizer", "gtp2"]) == 1
    assert "⟦" not in capfd.readouterr().err


def test_after_a_command_the_process_speaks_as_before() -> None:
    with using_language("ja"):
        main(["encode", "--tokenizer", "gtp2"])
        assert current_language() == "ja"
    assert current_language() == "en"


def test_progress_is_in_the_language() -> None:
    with using_language(PSEUDO):
        line = ByteProgress("counting", quiet=True).line(10_000_000, 100_000_000, seconds=2.0)
    assert line.endswith("⟦10 of 100 MB⟧  5.0 MB/s  ⟦0:18 left⟧")


def test_a_process_of_its_own_asks_the_environment() -> None:
    command = [sys.executable, "-m", "bpe_core", "encode", "--help"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, check=True)
    assert done.stdout.decode().startswith("⟦usage: ⟧python -m bpe_core encode")


def test_columns_of_a_table_stand_under_each_other_in_every_script() -> None:
    lines = table([("名前", "トークン"), ("gpt2", "12"), ("日本語の名前", "3")]).splitlines()
    assert {columns(line) for line in lines} == {columns("日本語の名前") + 2 + columns("トークン")}


@given(st.text(st.sampled_from("ab 字。、）é"), max_size=60), st.integers(8, 30))
def test_lines_have_so_many_columns_and_lose_nothing(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        assert columns(line.rstrip("。、）")) <= width or not set(line) & set("字 ")  # hanging punctuation, whole words
        assert line == line.strip()


def test_reasons_of_the_system_of_the_end_and_the_name_of_a_training_are_translated(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text, made = tmp_path / "text.txt", tmp_path / "made.json"
    text.write_text("low low")
    assert main(["train", str(text), "--vocab-size", "258", "--out", str(made)]) == 0
    assert "⟦vocabulary full⟧" in capfd.readouterr().out
    assert main(["export", "--tokenizer", str(made), "--format", "sentencepiece", "--out", str(tmp_path / "a")]) == 1
    assert "⟦⟦trained⟧ is not a SentencePiece model.⟧" in capfd.readouterr().err
    for missing, reason in ((tmp_path / "none", "No such file or directory"), (tmp_path, "Is a directory")):
        assert main(["encode", "--tokenizer", "gpt2", str(missing)]) == 1
        assert f"⟦{reason}⟧" in capfd.readouterr().err
        assert main(["train", str(missing), "--vocab-size", "258", "--out", str(made)]) == 1
        assert f"⟦{reason}⟧" in capfd.readouterr().err
