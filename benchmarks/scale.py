"""Measure counting and encoding by workers against one process, from files, and write the tables of docs/scale.md.

python -m benchmarks.scale                   # 1, 4 and 16 GB of files, 20 million distinct words
python -m benchmarks.scale --gigabytes 0.1   # one small corpus and fewer words; writes nothing

The files and their ids, 24 GB for 16 GB of text, are written to a temporary folder (TMPDIR) and removed. Before a run
the files are dropped from the page cache: they are read from the disk.
"""

from __future__ import annotations

import argparse
import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from distributed import Client, LocalCluster

from benchmarks.generated import PAGE, page
from benchmarks.measure import machine
from benchmarks.tables import write_table
from bpe_core import TrainConfig, WordCounts, count_words, encode_files, load, save, train
from bpe_core.cluster import count_corpus, encode_corpus

SCALE = Path(__file__).parents[1] / "docs" / "scale.md"
SIZES = (1.0, 4.0, 16.0)
WORDS = 20.0
MEMORY = 1_000_000_000
"""Limit of a worker, in bytes."""

_FILE = 125
"""Pages per file, at most."""

_FRESH = 400
"""New words per page: 16 GB have 6.5 million distinct words."""

_SUPERBPE = (8, 16, 32)
"""Megabytes of text that SuperBPE trains on."""

_CONFIG = TrainConfig(vocab_size=16_384)
_PACKAGES = ("numba", "dask", "pyarrow")


class Run(NamedTuple):
    """A measured run in a process of its own.

    seconds   time of the work, without its warm-up
    cpu       processor time of the process, its workers and their scheduler meanwhile, in seconds
    rss       memory of the process before it, in bytes
    peak      peak memory of the process, in bytes
    count     distinct words, or ids
    result    hash of the counts or of the ids
    learning  seconds to learn the merges from the counts
    learned   peak memory of the process when they are learned, in bytes
    worker    peak memory of a worker, in bytes; 0 without workers
    """

    seconds: float
    cpu: float
    rss: int
    peak: int
    count: int
    result: str = ""
    learning: float = 0.0
    learned: int = 0
    worker: int = 0


def main() -> None:
    """Run everything, print each row as it arrives, and write the tables of a complete run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--gigabytes", type=float, nargs="+", default=SIZES, help="of text (default: 1 4 16)")
    parser.add_argument(
        "--words", type=float, help="millions of distinct words (default: 20, fewer for less than 1 GB)"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="default: one a core")
    parser.add_argument("--write", action="store_true", help="write the tables of a smaller run, too")
    options = parser.parse_args()
    sizes = tuple(options.gigabytes)
    words = options.words or WORDS * min(1, max(sizes))
    rates, clients = _Rows(_RATES), _Rows(_CLIENTS)
    alone: dict[str, float] = {}
    for size in sizes:
        with TemporaryDirectory() as folder:
            corpus = _written(Path(folder), max(2, round(size * 1000)))
            _measure(corpus, f"{size:g} GB", options.workers, (rates, clients), alone)
    _measure_words(int(words * 1e6), options.workers, clients)
    across = _Rows(_ACROSS)
    for megabytes in _SUPERBPE if max(sizes) >= 1 else (1, 2):
        with TemporaryDirectory() as folder:
            run = _fresh(_superbpe, _written(Path(folder), megabytes))
            across.add(f"{megabytes} MB", f"{run.count / 1e6:.1f} MB", f"{run.seconds:,.1f} s", _growth(run))
    table = "\n".join([*rates, "", *_computed(alone, options.workers), "", *clients, "", *across, "", _load()])
    print(f"\n{table}")
    if options.write or (sizes == SIZES and words >= WORDS):
        write_table("python -m benchmarks.scale", table, SCALE)


_RATES = (
    "| work | by | text | time | rate | per core | of one process | processor time | peak of a process |",
    "lllrrrrrr",
)
_CLIENTS = (
    "| text | distinct words | peak of a worker | client that has the counts | merges learned | client then |",
    "lrrrrr",
)
_ACROSS = ("| text of SuperBPE | distinct runs of words | time | memory above the start |", "lrrr")


class _Rows(list[str]):
    """Lines of a table. Each row is printed when it is added."""

    def __init__(self, head: tuple[str, str]) -> None:
        title, columns = head
        super().__init__([title, f"|{'|'.join(' --- ' if each == 'l' else ' ---: ' for each in columns)}|"])

    def add(self, *cells: str) -> None:
        self.append(f"| {' | '.join(cells)} |")
        print(self[-1], flush=True)


def _measure(corpus: list[Path], text: str, workers: int, rows: tuple[_Rows, _Rows], alone: dict[str, float]) -> None:
    """Count and encode a corpus on the workers; the first one also in one process, with the same result."""
    rates, clients = rows
    size, place = sum(path.stat().st_size for path in corpus), corpus[0].parents[1]
    saved, cores = place / "tokenizer.json", os.cpu_count() or 1

    def rate(work: str, by: str, run: Run, cores: int) -> None:
        per_core = size / run.seconds / cores
        alone.setdefault(work, per_core)
        alone[f"{work} by workers"] = per_core
        rates.add(
            *(work, by, text, f"{run.seconds:,.1f} s", f"{size / run.seconds / 1e6:,.1f} MB/s"),
            *(f"{per_core / 1e6:,.1f} MB/s", f"{per_core / alone[work]:.0%}"),
            *(f"{run.cpu:,.1f} s", _megabytes(run.worker or run.peak)),
        )

    first = not alone
    counts = [_fresh(_count, corpus, cores) for cores in (1, cores)] if first else []
    for run, several in zip(counts, (1, cores), strict=False):
        rate("count", _process(several), run, several)
    counted = _on_workers(workers, _count_on_workers, corpus, saved)
    rate("count", f"{workers} workers", counted, workers)
    clients.add(text, *_client(counted))
    assert {run.result for run in counts} <= {counted.result}, "the counts differ"
    assert counted.worker < MEMORY, f"a worker had {counted.worker:,} bytes"
    encoded = [_fresh(_encode, corpus, saved, place / "ids.npy", cores) for cores in (1, cores)] if first else []
    for run, several in zip(encoded, (1, cores), strict=False):
        rate("encode", _process(several), run, several)
    shards = _on_workers(workers, _encode_on_workers, corpus, saved, place / "ids")
    rate("encode", f"{workers} workers", shards, workers)
    assert {run.result for run in encoded} <= {shards.result}, "the ids differ"
    assert shards.worker < MEMORY, f"a worker had {shards.worker:,} bytes"


def _measure_words(words: int, workers: int, clients: _Rows) -> None:
    """Count a corpus of very many distinct words, generated while it is read, and learn from the counts."""
    length = words * 8 * 4  # half of every page is words of 8 bytes, most of which occur twice
    address = f"generated://words/{length}/{words}"
    run = _on_workers(workers, _count_on_workers, [address], None, 16_000_000)
    assert run.count >= words, f"{run.count:,} words"
    assert run.worker < MEMORY, f"a worker had {run.worker:,} bytes"
    clients.add(f"{length / 1e9:.2g} GB, half of it new words", *_client(run))


# -- the runs, each in a process of its own -----------------------------------------------------------------


def _count(corpus: list[Path], cores: int) -> Run:
    _restrict(corpus, cores)
    count_words(corpus[0].read_bytes()[:4_000_000].decode(), _CONFIG)
    return _timed(lambda: count_words(corpus, _CONFIG), lambda counts: (len(counts), _hash_of_counts(counts)))


def _encode(corpus: list[Path], saved: Path, out: Path, cores: int) -> Run:
    _restrict(corpus, cores)
    tokenizer = load(saved)
    tokenizer.encode(corpus[0].read_bytes()[:4_000_000].decode())
    return _timed(lambda: encode_files(corpus, tokenizer, out), lambda done: (done.count, _hash_of_ids([out])))


def _count_on_workers(scheduler: str, corpus: Sequence[Any], saved: Path | None, block: int | None = None) -> Run:
    """Count on the workers; learn merges from the counts, and save the tokenizer."""
    _restrict(each for each in corpus if isinstance(each, Path))
    count_corpus("generated://text/4000000", _CONFIG, scheduler=scheduler, block=1_000_000)  # loads the kernels
    counts: list[WordCounts] = []

    def count() -> WordCounts:
        counts.append(count_corpus(corpus, _CONFIG, scheduler=scheduler, block=block).counts)
        return counts[0]

    run = _timed(count, lambda counts: (len(counts), _hash_of_counts(counts)), scheduler)
    start = time.perf_counter()
    training = train(counts[0], _CONFIG)
    seconds = time.perf_counter() - start
    if saved is not None:
        save(training.tokenizer(), saved, format="tokenizers")
    return run._replace(learning=seconds, learned=_memory("VmHWM"))


def _encode_on_workers(scheduler: str, corpus: list[Path], saved: Path, out: Path) -> Run:
    _restrict(corpus)
    tokenizer = load(saved)
    with TemporaryDirectory() as folder:
        encode_corpus("generated://text/4000000", tokenizer, folder, scheduler=scheduler, block=1_000_000)
    return _timed(
        lambda: encode_corpus(corpus, tokenizer, out, scheduler=scheduler),
        lambda done: (done.count, _hash_of_ids(sorted(out.glob("*.npy")))),
        scheduler,
    )


def _superbpe(corpus: list[Path]) -> Run:
    config = TrainConfig(vocab_size=16_384, method="superbpe", transition=8_192)
    train(corpus[0].read_bytes()[:200_000].decode(), config)  # loads the kernels
    return _timed(lambda: train(corpus, config), lambda training: (len(training._stages.counts.text), ""))


def _timed(work: Callable[[], Any], described: Callable[[Any], tuple[int, str]], scheduler: str | None = None) -> Run:
    rss, cpu, start = _memory("VmRSS"), _processor_time(scheduler), time.perf_counter()
    result = work()
    seconds, peak = time.perf_counter() - start, _memory("VmHWM")
    return Run(seconds, _processor_time(scheduler) - cpu, rss, peak, *described(result))


def _processor_time(scheduler: str | None) -> float:
    own = time.process_time()
    if scheduler is None:
        return own
    with Client(scheduler, set_as_default=False) as client:
        workers: dict[str, float] = client.run(time.process_time)
        return float(own + client.run_on_scheduler(time.process_time) + sum(workers.values()))


def _fresh(work: Callable[..., Run], *given: Any) -> Run:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(work, *given).result()


def _on_workers(workers: int, work: Callable[..., Run], *given: Any) -> Run:
    """Run on new workers of one thread and 1 GB each, which can read generated corpora."""
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=MEMORY,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            preload=["benchmarks.generated"],
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        before = client.run(os.getpid)
        run = _fresh(work, cluster.scheduler_address, *given)
        assert client.run(os.getpid) == before, "a worker was lost: it ran out of memory"
        return run._replace(worker=max(client.run(_memory, "VmHWM").values()))


# -- files, memory and hashes -------------------------------------------------------------------------------


def _written(folder: Path, pages: int) -> list[Path]:
    """Write a corpus of this many megabytes: at least two files."""
    (folder / "corpus").mkdir()
    each, paths = min(_FILE, -(-pages // 2)), []
    for first in range(0, pages, each):
        paths.append(folder / "corpus" / f"{len(paths):05d}.txt")
        with paths[-1].open("wb") as file:
            file.writelines(page(number, _FRESH) for number in range(first, min(first + each, pages)))
            os.fsync(file.fileno())
    assert sum(path.stat().st_size for path in paths) == pages * PAGE
    return paths


def _restrict(corpus: Iterable[Path], cores: int | None = None) -> None:
    """Drop the files from the page cache, and restrict this process to one core if it is to use only one."""
    for path in corpus:
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    if cores == 1:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def _memory(field: str) -> int:
    """Peak memory of this process (VmHWM), or current memory (VmRSS), in bytes."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split(f"{field}:")[1].split()[0]) * 1024


def _hash_of_counts(counts: WordCounts) -> str:
    found = sha256(counts.text)
    found.update(counts.offsets.data)
    found.update(counts.counts.data)
    return found.hexdigest()


def _hash_of_ids(paths: list[Path]) -> str:
    found = sha256()
    for path in paths:
        found.update(np.load(path, mmap_mode="r").data)
    return found.hexdigest()


# -- text of the tables -------------------------------------------------------------------------------------


def _process(cores: int) -> str:
    return "one process on one core" if cores == 1 else f"one process on {cores} cores"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def _growth(run: Run, peak: int | None = None) -> str:
    return f"+{_megabytes((peak or run.peak) - run.rss)}"


def _client(run: Run) -> Iterator[str]:
    """Cells of a client that counts a corpus on workers, and then learns the merges."""
    yield from (f"{run.count:,}", _megabytes(run.worker), _growth(run))
    yield from (f"{run.learning:,.1f} s", _growth(run, run.learned))


def _computed(alone: dict[str, float], workers: int) -> Iterator[str]:
    """Core hours of a terabyte, from the rates of the largest corpus."""
    hours = {work: 1e12 / alone[f"{work} by workers"] / 3600 for work in ("count", "encode")}
    yield (
        f"Computed from the last rows, not measured: 1 TB takes {hours['count']:,.1f} core hours to count and "
        f"{hours['encode']:,.1f} to encode."
    )


def _load() -> str:
    return f"Load {os.getloadavg()[0]:.1f} at the end; {machine(_PACKAGES)}."


if __name__ == "__main__":
    main()
