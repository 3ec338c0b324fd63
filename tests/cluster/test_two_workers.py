"""Two workers, each in its own process, count a corpus: the merges equal those of one process, whatever happens."""

from __future__ import annotations

import gzip
import json
import logging
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster

from bpe_core import ClusterError, CorpusError, TrainConfig, WordCounts, count_words, load, train
from bpe_core.cli import main
from bpe_core.cluster import count_corpus
from tests.cluster.conftest import SOURCE, TEXTS, in_order
from tests.draws import first

QUIET: dict[str, Any] = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}


def counted(corpus: Path, config: TrainConfig, scheduler: str, **given: Any) -> WordCounts:
    return count_corpus(f"{corpus}/*", config, scheduler=scheduler, pieces=3, **given).counts


@pytest.mark.parametrize(
    "config",
    first(
        1,
        [
            TrainConfig(vocab_size=600, split="o200k", tie_break="lowest-ids", normalization="NFKC", lowercase=True),
            TrainConfig(vocab_size=600),
            TrainConfig(vocab_size=600, split=r"\w+|\s+|[^\w\s]+", unit="char", end_of_word="_"),
        ],
    ),
    ids=["o200k", "gpt2", "regex"],
)
def test_two_workers_with_small_blocks_learn_the_merges_of_one_process(
    config: TrainConfig, corpus: Path, scheduler: str
) -> None:
    counts = counted(corpus, config, scheduler, block=6_000)
    whole = count_words(in_order(), config)
    assert (counts.text, counts.counts.tolist()) == (whole.text, whole.counts.tolist())
    assert train(counts, config).merges == train(in_order(), config).merges


@pytest.mark.thorough
def test_the_counts_do_not_depend_on_blocks_or_pieces(corpus: Path, scheduler: str) -> None:
    ways = [{"block": 10**9, "pieces": 1}, {"block": 20_000, "pieces": 5}]
    found = [count_corpus(f"{corpus}/*", None, scheduler=scheduler, **way).counts for way in ways]  # type: ignore[arg-type]
    assert found[0].words == found[1].words
    assert found[0].counts.tolist() == found[1].counts.tolist()


@pytest.mark.thorough
def test_two_workers_killed_in_the_middle_change_nothing(corpus: Path, scheduler: str) -> None:
    config = TrainConfig(vocab_size=500)
    killed: list[int] = []

    def kill_some(done: int, total: int) -> None:
        if len(killed) < 2 and done * 4 >= total * (len(killed) + 1):
            with Client(scheduler, set_as_default=False) as client:
                client.wait_for_workers(2, timeout=120)  # a worker killed during startup is not restarted
                pids = client.run(os.getpid)
            killed.append(next(pid for pid in pids.values() if pid not in killed))
            os.kill(killed[-1], signal.SIGKILL)

    counts = counted(corpus, config, scheduler, block=4_000, on_progress=kill_some)
    assert len(killed) == 2
    whole = count_words(in_order(), config)
    assert (counts.text, counts.counts.tolist()) == (whole.text, whole.counts.tolist())
    with Client(scheduler, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=120)


def test_a_damaged_file_stops_the_counting_by_name_or_is_skipped_and_counted(tmp_path: Path, scheduler: str) -> None:
    config = TrainConfig(vocab_size=400)
    for name, data in {"a.txt": TEXTS[0], "b.txt": TEXTS[1][:5_000] + "\xff", "d.txt": TEXTS[2]}.items():
        Path(tmp_path, name).write_bytes(data.encode("latin-1"))
    Path(tmp_path, "c.jsonl.gz").write_bytes(gzip.compress(json.dumps({"text": SOURCE}).encode())[:-200])
    with pytest.raises(CorpusError, match=r"b\.txt' is not UTF-8 at byte 5,000|c\.jsonl\.gz' cannot be read"):
        count_corpus(f"{tmp_path}/*", config, scheduler=scheduler)
    result = count_corpus(f"{tmp_path}/*", config, scheduler=scheduler, damaged="skip")
    assert train(result.counts, config).merges == train([TEXTS[0], TEXTS[2]], config).merges
    assert (result.parts, len(result.skipped)) == (4, 2)
    assert [Path(each.name.strip("'")).name for each in result.skipped] == ["b.txt", "c.jsonl.gz"]
    assert result.skipped[0].bytes == 5_001
    assert "not UTF-8" in result.skipped[0].problem


@pytest.mark.thorough
def test_rare_words_are_dropped_at_the_end_and_the_share_is_told(corpus: Path, scheduler: str) -> None:
    config = TrainConfig()
    whole = count_words(in_order(), config)
    counts = counted(corpus, config, scheduler, block=6_000, min_word_count=5)
    kept = whole.without_rare(5)
    assert (counts.words, counts.counts.tolist()) == (kept.words, kept.counts.tolist())
    assert 0 < counts.dropped_share == kept.dropped_share < 1


@pytest.mark.thorough
def test_progress_reaches_the_whole_and_an_exception_ends_the_counting(corpus: Path, scheduler: str) -> None:
    seen: list[tuple[int, int]] = []
    counted(corpus, TrainConfig(), scheduler, block=20_000, on_progress=lambda *at: seen.append(at))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1] == sum(path.stat().st_size for path in corpus.iterdir())

    def leave(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        counted(corpus, TrainConfig(), scheduler, on_progress=leave)


@pytest.mark.thorough
def test_an_empty_corpus_has_no_words(tmp_path: Path, scheduler: str) -> None:
    Path(tmp_path, "a.txt").write_bytes(b"")
    result = count_corpus(tmp_path / "a.txt", None, scheduler=scheduler)
    assert (len(result.counts), result.bytes, result.parts) == (0, 0, 1)
    assert train(result.counts).merges == ()


@pytest.mark.thorough
def test_the_command_line_counts_merges_and_trains(
    corpus: Path, scheduler: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def run(*arguments: str | Path) -> str:
        assert main([str(argument) for argument in arguments]) == 0
        out, error = capfd.readouterr()
        assert error == ""
        return out

    on = ("--scheduler", scheduler, "--block-size", "20000")
    settings = ("--split", "cl100k", "--lowercase")
    parts = [tmp_path / "1.parquet", tmp_path / "0.parquet"]
    printed = json.loads(run("count", f"{corpus}/[b-e]*", *settings, *on, "--out", parts[0], "--json"))
    assert (printed["skipped"], printed["dropped_share"], printed["out"]) == (0, 0.0, str(parts[0]))
    assert "words that occur" in run("count", corpus / "a.txt", *settings, *on, "--out", parts[1])
    run("merge-counts", parts[1], parts[0], "--in-order", "--out", tmp_path / "all.parquet")
    size = ("--vocab-size", "500")
    run("train", tmp_path / "all.parquet", "--counts", *size, "--out", tmp_path / "counts.json")
    run("train", f"{corpus}/*", *settings, *size, *on, "--out", tmp_path / "corpus.json", "--text-field", "text")
    config = TrainConfig(vocab_size=500, split="cl100k", lowercase=True)
    expected = train(in_order(), config).tokenizer().encode(SOURCE[:3_000]).ids.tolist()
    for name in ("counts.json", "corpus.json"):
        assert load(tmp_path / name).encode(SOURCE[:3_000]).ids.tolist() == expected


@pytest.mark.thorough
def test_without_a_scheduler_this_machine_counts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path(tmp_path, "a.jsonl").write_text(json.dumps({"body": SOURCE}), encoding="utf-8")
    Path(tmp_path, "b.jsonl").write_text("{", encoding="utf-8")
    out = tmp_path / "counts.parquet"
    given = ["--text-field", "body", "--workers", "1", "--skip-damaged", "--min-word-count", "2"]
    assert main(["count", f"{tmp_path}/*.jsonl", *given, "--out", str(out)]) == 0
    printed, error = capfd.readouterr()
    assert "words that occur" in printed
    assert "skipped 1 of 2 parts" in error
    assert "b.jsonl" in error
    assert "of the text" in error
    assert WordCounts.load(out).words == count_words(SOURCE, TrainConfig()).without_rare(2).words


@pytest.mark.thorough
def test_a_scheduler_without_workers_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_core.cluster.connection._SECONDS", 1)
    with (
        LocalCluster(n_workers=0, **QUIET) as empty,
        pytest.raises(ClusterError, match=r"has no workers.*dask worker"),
    ):
        count_corpus("README.md", scheduler=empty.scheduler_address)
