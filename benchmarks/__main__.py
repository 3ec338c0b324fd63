"""Measure this project against other libraries and write the tables of docs/speed.md that compare them.

python -m benchmarks                 # on Python's standard library, about 30 MB
python -m benchmarks FILE …          # also on your own files; writes the table only with --write
python -m benchmarks --cold FILE …   # only fresh processes that encode; writes nothing
python -m benchmarks --quick         # one round and small sizes, to check that it runs and that results are equal
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

os.environ.setdefault("TIKTOKEN_CACHE_DIR", "")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it, every fresh process would compile the project's modules

from benchmarks import contests, corpus, files
from benchmarks.cliffs import cliffs
from benchmarks.cold import OURS, Cold, cold
from benchmarks.contests import Line
from benchmarks.measure import machine
from benchmarks.tables import SPEED, write_table
from bpe_core.kernels import backend

_NAMES = ("gpt2", "cl100k_base", "o200k_base")
MEGABYTES = (1, 4, 16, 64, 256)


def main() -> None:
    """Run everything, print each result as it arrives, and write the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", nargs="*", help="texts in UTF-8 to train on as well")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each contestant; the median counts")
    parser.add_argument("--quick", action="store_true", help="one round and small sizes")
    parser.add_argument("--cold", action="store_true", help="only the fresh processes that encode; writes no table")
    parser.add_argument(
        "--write", action="store_true", help=f"write docs/{SPEED.name} also with rows of your own files"
    )
    options = parser.parse_args()
    rounds = 1 if options.quick else options.rounds
    backend.warm_up()
    texts = corpus.standard_library()
    if options.quick:
        texts = texts[:100]
    encoded = _cold(texts, options.files, rounds)
    if options.cold:
        print("\n".join(_cold_report(encoded)))
        return
    lines = [*_contests(texts, options.files, rounds)]
    sizes = MEGABYTES[:1] if options.quick else MEGABYTES
    growth = [_child("train", str(megabytes)) for megabytes in sizes]
    written = [_child("encode", str(megabytes)) for megabytes in sizes]
    with tempfile.TemporaryDirectory() as cache:
        start = [_child("start", cache=cache) for _ in range(2)]
        opened = _opened(Path(cache) / "tokenizer.json", rounds)
    table = "\n".join([*_cold_report(encoded), "", *_report(lines, opened, growth, written, start, rounds)])
    print(table)
    if options.write or not (options.quick or options.files):
        write_table("python -m benchmarks", table)


def _contests(texts: list[str], paths: list[str], rounds: int) -> Iterable[Line]:
    yield from contests.training("Python source", texts, 16_384, rounds=rounds)
    for path in paths:
        yield from contests.training(Path(path).stem, corpus.files([path]), 8_192, rounds=rounds)
    yield from contests.plain_reference(texts, kilobytes=100, vocab_size=756, rounds=rounds)
    for name in ("gpt2", "cl100k_base", "o200k_base"):
        yield from contests.encoding("Python source", texts, name, rounds=rounds)
    yield from files.encoding("Python source", texts, rounds=rounds)
    yield from cliffs("Python source", texts, rounds=rounds)


def _cold(texts: list[str], paths: list[str], rounds: int) -> list[Cold]:
    with tempfile.TemporaryDirectory() as folder:
        found = cold("Python source", "".join(texts), _NAMES, Path(folder), rounds=rounds)
        for path in paths:
            text = "".join(corpus.files([path]))
            found += cold(Path(path).stem, text, _NAMES, Path(folder), rounds=rounds)
    return found


def _cold_report(encoded: list[Cold]) -> Iterable[str]:
    """One row per text and library: seconds, and the ratio to bpe_core's."""
    yield (
        "| open a tokenizer and encode in a fresh process, ids only | library | open and encode | relative to bpe_core "
        "| encode once more | relative to bpe_core |"
    )
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    ours = {each.what: each for each in encoded if each.library == OURS[0]}
    for each in encoded:
        if each.seconds is None:
            yield f"| {each.what} | {each.library} | {each.missing} | | | |"
            continue
        pairs = ((each.seconds, ours[each.what].seconds), (each.again, ours[each.what].again))
        times = (f"{theirs:.2f} s | {theirs / own:.1f}" for theirs, own in pairs if theirs and own)
        yield f"| {each.what} | {each.library} | {' | '.join(times)} |"


def _opened(path: Path, rounds: int) -> dict[str, list[dict[str, Any]]]:
    """Time and memory that each library needs to open a large file, interleaved, `rounds` times."""
    files.write_large(path)
    runs: dict[str, list[dict[str, Any]]] = {"bpe_core": [], "tokenizers": []}
    for _ in range(rounds):
        for library, found in runs.items():
            found.append(_child("open", library, str(path)))
    assert len({str(run["ids"]) for found in runs.values() for run in found}) == 1, "the ids differ"
    return runs


def _child(*arguments: str, cache: str | None = None) -> dict[str, Any]:
    environment = os.environ | ({"NUMBA_CACHE_DIR": cache} if cache else {})
    command = [sys.executable, "-m", "benchmarks.child", *arguments]
    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    result: dict[str, Any] = json.loads(output)
    return result


def _report(
    lines: list[Line],
    opened: dict[str, list[dict[str, Any]]],
    growth: list[dict[str, Any]],
    written: list[dict[str, Any]],
    start: list[dict[str, Any]],
    rounds: int,
) -> Iterable[str]:
    yield "| task | bpe_core | other library | its time | speed-up |"
    yield "| --- | ---: | --- | ---: | ---: |"
    for line in lines:
        yield f"| {line.what} | {line.ours:.2f} s | {line.peer} | {line.theirs:.2f} s | {line.ratio:.1f} |"
    yield ""
    size = f"{files.IDS:,} ids and {files.MERGES:,} merges"
    yield f"| open a tokenizer.json of {size}, and encode a few words | time | memory |"
    yield "| --- | ---: | ---: |"
    for library, runs in opened.items():
        seconds, megabytes = (statistics.median(run[each] for run in runs) for each in ("seconds", "growth_mb"))
        yield f"| {library} | {seconds:.2f} s | {megabytes:.0f} MB |"
    yield ""
    for what, runs in (("train on a stream to 16,384 ids", growth), ("encode_files with cl100k_base to .npy", written)):
        yield f"| {what} | time | per MB | peak memory |"
        yield "| --- | ---: | ---: | ---: |"
        for megabytes, run in zip(MEGABYTES, runs, strict=False):
            per_megabyte = run["seconds"] / megabytes * 1000
            yield f"| {megabytes} MB | {run['seconds']:.2f} s | {per_megabyte:.0f} ms | {run['peak_mb']:.0f} MB |"
        yield ""
    ready = [run["ready_seconds"] for run in start]
    yield f"From `import` to all kernels ready: {ready[0]:.1f} s to compile them, {ready[1]:.1f} s from the cache."
    yield ""
    yield f"Medians of {rounds} interleaved runs after a warm-up, equal results asserted; {machine()}."


if __name__ == "__main__":
    main()
