"""Corpora of the benchmarks: Python's standard library, always available, or files given by path."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path


def standard_library() -> list[str]:
    """The sources of Python's standard library, one text per file, ordered by path: about 30 MB."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    return list(_read(path for path in sorted(folder.rglob("*.py")) if "site-packages" not in path.parts))


def files(paths: Iterable[str]) -> list[str]:
    """The given files, one text each."""
    return list(_read(map(Path, paths)))


def stream(texts: list[str], megabytes: int) -> Iterator[str]:
    """Cycle through the texts up to this many megabytes. Every round adds new words, as growing corpora do."""
    left = megabytes * 1_000_000
    round_number = 0
    while left > 0:
        for number, text in enumerate(texts):
            fresh = (
                text
                if round_number == 0
                else f"# copy {round_number} of text {number}: v{round_number}x{number}\n{text}"
            )
            yield fresh
            left -= len(fresh)
            if left <= 0:
                return
        round_number += 1


def size(texts: Iterable[str]) -> int:
    """Size in bytes of UTF-8."""
    return sum(len(text.encode()) for text in texts)


def _read(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        try:
            yield path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue  # the library's own tests of other encodings
