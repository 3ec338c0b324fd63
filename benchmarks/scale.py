"""Measure distributed counting on corpora larger than a machine's memory, and write the table of docs/scale.md.

python -m benchmarks.scale                           # 10 GB of text, 20 million distinct words
python -m benchmarks.scale --gigabytes 1 --words 2   # a smaller stream and two million words; writes nothing
"""

from __future__ import annotations

import argparse
import logging
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from distributed import Client, LocalCluster

import benchmarks.generated  # noqa: F401  # its addresses
from benchmarks.measure import machine
from benchmarks.tables import write_table
from bpe_core import TrainConfig, count_words, train
from bpe_core.cluster import CorpusCounts, count_corpus
from bpe_core.kernels import backend

SCALE = Path(__file__).parents[1] / "docs" / "scale.md"
CORES = 100
TERABYTE = 10**12
MEMORY = 1_000_000_000


class Run(NamedTuple):
    """One counting run: its result, its seconds, and the peak memory of a worker in bytes."""

    result: CorpusCounts
    seconds: float
    peak: int


def main() -> None:
    """Count, train, print each result as it arrives, and write the table after a complete run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--gigabytes", type=float, default=10.0, help="of generated text (default: 10)")
    parser.add_argument("--words", type=float, default=20.0, help="millions of distinct words (default: 20)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="default: one a core")
    parser.add_argument("--write", action="store_true", help="write the table of a smaller run, too")
    options = parser.parse_args()
    size, words = int(options.gigabytes * 1e9), int(options.words * 1e6)
    rows = []
    with cluster_of(options.workers) as cluster:
        text = count(cluster, f"generated://text/{size}")
        rows.append(_row(f"{size / 1e9:g} GB of text, generated while it is read", text, size))
        print(rows[-1], flush=True)
    with cluster_of(options.workers) as cluster:
        # Half of every page is words of 8 bytes, most of which occur twice.
        length = words * 8 * 4
        distinct = count(cluster, f"generated://words/{length}/{words}", block=16_000_000)
        rows.append(_row(f"{words / 1e6:g} million distinct words", distinct, length))
        print(rows[-1], flush=True)
    assert len(distinct.result.counts) >= words, f"{len(distinct.result.counts):,} words"
    assert distinct.peak < MEMORY, f"a worker had {distinct.peak:,} bytes"
    table = "\n".join(_table(rows, text, size, options.workers))
    print(table)
    if options.write or (size >= 10**10 and words >= 20_000_000):
        write_table("python -m benchmarks.scale", table, SCALE)


@contextmanager
def cluster_of(workers: int) -> Iterator[LocalCluster]:
    """Workers with one thread and 1 GB each that can read generated corpora."""
    with LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit=MEMORY,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
        preload=["benchmarks.generated"],
    ) as cluster:
        yield cluster


def count(cluster: LocalCluster, address: str, **given: Any) -> Run:
    """Count a corpus on the workers of a cluster, after a warm-up on each that loads the kernels."""
    config = TrainConfig(vocab_size=16_384)
    count_corpus(["generated://text/4000000"], config, scheduler=cluster.scheduler_address, block=1_000_000)
    with Client(cluster, set_as_default=False) as client:
        before = client.run(os.getpid)
        start = time.perf_counter()
        result = count_corpus([address], config, scheduler=cluster.scheduler_address, on_progress=_Line(start), **given)
        seconds = time.perf_counter() - start
        assert client.run(os.getpid) == before, "a worker was lost: it ran out of memory"
        return Run(result, seconds, max(client.run(_peak).values()))


def _peak() -> int:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


class _Line:
    """Progress on the terminal: one line per tenth of the work."""

    def __init__(self, start: float) -> None:
        self._start = start
        self._next = 0.1

    def __call__(self, done: int, total: int) -> None:
        if done >= self._next * total:
            self._next = done / total + 0.1
            seconds = time.perf_counter() - self._start
            print(f"  {done / total:4.0%}  {done / seconds / 1e6:,.1f} MB/s", flush=True)


def _row(what: str, run: Run, size: int) -> str:
    words = len(run.result.counts)
    rate = size / run.seconds / 1e6
    return f"| {what} | {run.seconds:,.0f} s | {rate:,.1f} MB/s | {words:,} | {run.peak / 1e6:,.0f} MB |"


def _table(rows: list[str], text: Run, size: int, workers: int) -> Iterator[str]:
    yield f"| measured on {workers} workers of one core and 1 GB each | time | rate | distinct words | worker's peak |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    yield from rows
    yield ""
    merges = _merges(text.result)
    yield f"16,384 ids learned from the counts of the first corpus, on one machine: {merges:.1f} s."
    plain = _one_process()
    yield f"One process without workers counts the same text, from memory, with {plain / 1e6:,.1f} MB/s."
    yield ""
    per_core = size / text.seconds / workers
    hours = TERABYTE / per_core / 3600
    yield f"| computed, not measured: 1 TB of such text on {CORES} cores | |"
    yield "| --- | ---: |"
    yield f"| rate of a core, from the first row | {per_core / 1e6:,.1f} MB/s |"
    yield f"| core hours | {hours:,.1f} |"
    yield f"| time, if files are read as fast and cores do not wait for each other | {hours / CORES * 60:,.0f} min |"
    yield f"| what is read from storage each second, over all cores | {per_core * CORES / 1e9:,.1f} GB |"
    yield ""
    yield f"Load {os.getloadavg()[0]:.1f} at the end; {machine()}."


def _merges(result: CorpusCounts) -> float:
    backend.warm_up()
    start = time.perf_counter()
    train(result.counts, TrainConfig(vocab_size=16_384))
    return time.perf_counter() - start


def _one_process(megabytes: int = 30) -> float:
    """Bytes per second, median of three."""
    from benchmarks.generated import PAGE, Generated

    with Generated().open(f"text/{megabytes * PAGE}") as file:
        text = file.read().decode()
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        count_words(text, TrainConfig())
        seconds.append(time.perf_counter() - start)
    return len(text) / statistics.median(seconds)


if __name__ == "__main__":
    main()
