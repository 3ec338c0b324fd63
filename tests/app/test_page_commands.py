"""`bpe-lab page-algorithms` and `page-lesson`: pages of the app without the app."""

import json
import sys
from pathlib import Path

import pytest

from tests.core.test_training_page import recording
from ui.__main__ import main

FIVE = [f"--algorithm={name}" for name in ("bpe", "picky", "superbpe", "boundlessbpe", "unigram")]


def asked(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["bpe-lab", *map(str, arguments)])
    return main()


def test_algorithms_are_trained_on_a_text_and_their_page_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text, out = tmp_path / "low.txt", tmp_path / "low.html"
    text.write_text("low low lower lowest newest", "utf-8")
    given = ["page-algorithms", text, "--out", out, "--algorithm", "picky", "--algorithm", "bpe", "--json"]
    assert asked(monkeypatch, *given, "--vocab-size", 20, "--language", "all") == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"algorithms": ["bpe", "picky"], "bytes": out.stat().st_size, "out": str(out)}
    page = out.read_text("utf-8")
    recorded = recording(page)
    assert "<h1>BPE and PickyBPE on one text</h1>" in page
    assert list(recorded["languages"]) == ["en", "ja", "zh"]
    assert [recorded["kind"], len(recorded["sentence"]["words"])] == ["algorithms", 5]


def test_a_lesson_is_written_in_a_language_with_what_it_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lesson.html"
    given = ["page-lesson", "the_leading_space", "--out", out, "--title", "A & B", "--language", "ja"]
    assert asked(monkeypatch, *given) == 0
    assert "KB" in capsys.readouterr().out
    page = out.read_text("utf-8")
    assert "<h1>A &amp; B</h1>" in page
    recorded = recording(page)
    assert [recorded["language"], recorded["inside"]["kind"]] == ["ja", "encoding"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["page-lesson", "nowhere"], "'nowhere' is not the name of a lesson"),
        (["page-algorithms", "low.txt", "--algorithm", "bpex"], "'bpex'"),
        (["page-algorithms", "low.txt", "--vocab-size", "6000"], "vocab_size is 6000"),
        (["page-algorithms", "low.txt", *FIVE], "algorithms is 5"),
    ],
)
def test_what_cannot_be_a_page_is_named(
    arguments: list[str],
    named: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("low.txt").write_text("low low lower", "utf-8")
    assert asked(monkeypatch, *arguments, "--out", "page.html") == 1
    said = capsys.readouterr().err
    assert named in said
    assert "Traceback" not in said
    assert not Path("page.html").exists()
