"""The commands that count words: counts are merged and trained on, and incompatible counts are reported."""

import json
from pathlib import Path

import pytest

from bpe_core import TrainConfig, WordCounts, count_words, load, train
from bpe_core.cli import main
from bpe_core.cli.terminal import ByteProgress

TEXTS = ("low lower low", "newest lowest", "low new")


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files of counts, in their own folder, each counted as part 0."""
    monkeypatch.chdir(tmp_path)
    for name, text in zip("abc", TEXTS, strict=True):
        count_words(text, TrainConfig(split="words")).save(f"{name}.parquet")
    return ["a.parquet", "b.parquet", "c.parquet"]


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    return code, *capfd.readouterr()


def test_counts_are_merged_and_trained_on(saved: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capfd, "merge-counts", *saved, "--in-order", "--out", "all.parquet")
    assert (code, output) == (0, "5 words that occur 7 times, saved: all.parquet\n")
    assert WordCounts.load("all.parquet").words == ("low", "lower", "newest", "lowest", "new")
    given = ("--counts", "--vocab-size", "262", "--out", "t.json", "--json")
    code, output, _ = run(capfd, "train", "all.parquet", *given)
    assert (code, json.loads(output)["words"]) == (0, 5)
    expected = train(TEXTS, TrainConfig(split="words", vocab_size=262)).tokenizer()
    assert load("t.json").encode(" ".join(TEXTS)).ids.tolist() == expected.encode(" ".join(TEXTS)).ids.tolist()


def test_rare_words_are_dropped_after_merging(saved: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    given = ("--in-order", "--min-word-count", "3", "--out", "all.parquet", "--json")
    code, output, _ = run(capfd, "merge-counts", *saved, *given)
    facts = json.loads(output)
    assert (code, facts["words"], facts["total"], facts["text_bytes"]) == (0, 1, 3, 29)
    assert facts["dropped_share"] == 20 / 29


MISTAKES: dict[str, tuple[list[str], int, str]] = {
    "the same part twice": (["merge-counts", "a.parquet", "b.parquet", "--out", "x"], 1, "Part 0 is in both"),
    "no counts": (["merge-counts", "t.txt", "--out", "x"], 1, "not a Parquet file"),
    "no folder": (["merge-counts", "a.parquet", "--out", "no/x"], 1, "cannot be written"),
    "a folder to write": (["count", "t.txt", "--out", "."], 1, "cannot be written"),
    "no file": (["count", "missing.txt", "--out", "x"], 1, "missing.txt' cannot be read"),
    "no such split": (["count", "t.txt", "--split", "(", "--out", "x"], 2, "split"),
    "no word count": (["count", "t.txt", "--min-word-count", "0", "--out", "x"], 2, "whole number"),
    "no memory": (["count", "t.txt", "--memory", "much", "--out", "x"], 1, "memory is 'much'"),
    "another split": (["train", "a.parquet", "--counts", "--split", "gpt2"], 1, "counted with split 'words'"),
    "counts and workers": (["train", "a.parquet", "--counts", "--workers", "2"], 2, "--counts and --workers"),
    "another model": (["train", "a.parquet", "--counts", "--model", "unigram"], 2, "is for --model bpe"),
    "stdin": (["train", "-", "--min-word-count", "2"], 2, "stdin is not counted"),
    "an address for another model": (["train", "s3://b/a", "--model", "wordpiece"], 2, "only for --model bpe"),
    "a setting before the counting": (["train", "a.txt.gz", "--unit", "byte", "--end-of-word", "_"], 2, "end_of_word"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_what_does_not_go_together_is_one_line_and_an_exit_code(
    what: str, saved: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    arguments, expected, reason = MISTAKES[what]
    Path("t.txt").write_text("low", encoding="utf-8")
    more = ["--vocab-size", "300", "--out", "x"] if arguments[0] == "train" else []
    code, output, error = run(capfd, *arguments, *more)
    assert (code, output) == (expected, "")
    assert reason in error
    assert not Path("x").exists()


def test_progress_has_the_rate_and_the_time_that_is_left() -> None:
    bar = ByteProgress("counting", quiet=True)
    bar(1, 2)
    assert bar.line(0, 10**9, 5.0) == "counting [........................]   0%  0 of 1,000 MB  0.0 MB/s  0:00 left"
    assert bar.line(10**6, 10**9, 10.0).endswith("0.1 MB/s  2:46:30 left")
    assert bar.line(0, 0, 0.0).startswith("counting [########################] 100%")
