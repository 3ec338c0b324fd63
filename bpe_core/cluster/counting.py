"""Word counts of a corpus on a cluster: workers count parts, whose words are reduced by hash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

import numpy as np

from bpe_core import checks
from bpe_core.cluster import work
from bpe_core.cluster.connection import client_of, explained
from bpe_core.cluster.libraries import library
from bpe_core.cluster.parts import Part, parts_of
from bpe_core.cluster.reports import Progress, Skipped, reports_of, skipped_of
from bpe_core.text.splits import compile_split
from bpe_core.text.word_counts import CountSettings, WordCounts, WordSettings
from bpe_core.text.word_rows import joined_rows, taken

_GROUP = 8
"""Number of parts combined at once."""

_FAN = 4
"""Number of pieces of such groups combined at once."""

_PIECE = 10_000_000
"""Corpus bytes per piece, up to _DEFAULT_PIECES, so that a piece takes little memory for any number of words."""

_DEFAULT_PIECES, _MOST_PIECES = 64, 4_096


@dataclass(frozen=True)
class CorpusCounts:
    """Word counts of a corpus, and its skipped parts.

    counts   the words kept; `counts.dropped_share` is the share of the text in words below the minimum count
    bytes    stored size of all files
    parts    number of parts
    skipped  damaged parts

    >>> from bpe_core import count_words
    >>> CorpusCounts(count_words("low lower"), bytes=9, parts=1).skipped
    ()
    """

    counts: WordCounts
    bytes: int
    parts: int
    skipped: tuple[Skipped, ...] = ()


def count_corpus(
    addresses: str | PathLike[str] | Iterable[str | PathLike[str]],
    config: CountSettings | None = None,
    *,
    scheduler: str | None = None,
    workers: int | None = None,
    memory: str | int | None = None,
    kind: str = "auto",
    field: str | None = None,
    block: int | None = None,
    pieces: int | None = None,
    min_word_count: int = 1,
    damaged: Literal["stop", "skip"] = "stop",
    options: Mapping[str, Any] | None = None,
    on_progress: Progress | None = None,
) -> CorpusCounts:
    """Count the words of files at fsspec addresses with Dask, on a cluster or the cores of this machine.

    Merges learned from the counts equal those of `train` on the texts in order: by address, then by name if an
    address is a pattern. A text file is one text; so is each JSON line and each Parquet row.

    scheduler       address of a Dask scheduler whose workers have this project and its libraries; None for processes
                    on this machine
    workers         number of local processes; None for one per core
    memory          memory of each local process, in bytes or as "1 GB"; None for an equal share of the machine's
    kind, field     "auto", "text", "jsonl" or "parquet", and the field or column of the texts; see `parts_of`
    block           bytes of a file counted at once; None for 64 MB, or more for a very large corpus
    pieces          number of hash ranges that the words are divided into: a worker holds one at a time
    min_word_count  words with a lower count in the whole corpus are dropped at the end
    damaged         "stop" with an error that names an unreadable part, or "skip" it
    options         fsspec options for opening the files, such as {"anon": True}
    on_progress     called with (bytes counted, bytes in total)

    Raises CorpusError for files that cannot be read, ConfigError for invalid settings, and ClusterError if the
    libraries are missing or the cluster cannot be reached or fails.

    >>> count_corpus("README.md", min_word_count=0)
    Traceback (most recent call last):
        ...
    bpe_core.errors.ConfigError: min_word_count is 0. It takes a whole number of 1 or more. Correct it.
    """
    settings = WordSettings.of(config)
    compile_split(settings.split)
    least = checks.whole_number(min_word_count, "min_word_count", 1)
    checks.choice(damaged, "damaged", ("stop", "skip"))
    checks.callback(on_progress)
    pieces = None if pieces is None else checks.whole_number(pieces, "pieces", 1, _MOST_PIECES)
    given = dict(options or {})
    library("distributed")
    parts = parts_of(addresses, settings.split, kind=kind, field=field, block=block, options=given)
    with client_of(scheduler, workers, memory, most=len(parts)) as client, explained():
        counting = _Counting(client, settings, pieces or _default_pieces(parts, client), given)
        reports = reports_of(parts, client, counting.submit, stops=damaged == "stop", on_progress=on_progress)
        finished = counting.finish(least)
    rows = joined_rows(work.unpacked(each.piece) for each in finished)  # each word is in one piece
    counts = WordCounts(
        *taken(rows, np.argsort(rows.places)),
        settings,
        ((0, len(parts) - 1),) if parts else (),
        sum(report.surrogates for report in reports),
        dropped=sum(each.dropped for each in finished),
    )
    return CorpusCounts(counts, sum(part.bytes for part in parts), len(parts), skipped_of(parts, reports))


def _default_pieces(parts: Sequence[Part], client: Any) -> int:
    threads = sum(client.nthreads().values()) or 1
    size = sum(part.bytes for part in parts)
    return min(max(8, min(size // _PIECE, _DEFAULT_PIECES), 2 * threads), _MOST_PIECES)


class _Counting:
    """Tasks of one corpus. Workers keep a result only while its future is referenced.

    If a worker is lost, Dask recomputes its results, from the files if necessary.
    """

    def __init__(self, client: Any, settings: WordSettings, pieces: int, options: dict[str, Any]) -> None:
        self._client = client
        self._settings = settings
        self._options = options
        self._pieces = pieces
        self._parts: list[Any] = []
        self._levels: list[list[list[Any]]] = [[] for _ in range(pieces)]

    def submit(self, part: Part) -> Any:
        """Submit the count of a part, and combine full groups of parts; return the future of its report."""
        submit = self._client.submit
        counted = submit(work.count_part, part, self._settings, self._pieces, self._options, pure=False)
        self._parts.append(submit(work.part_of, counted, 0, pure=False))
        if len(self._parts) == _GROUP:
            self._combine_parts()
        return submit(work.part_of, counted, 1, pure=False)

    def finish(self, least: int) -> list[work.Finished]:
        """The words of every piece, each once; workers drop those rarer than `least`."""
        if self._parts:
            self._combine_parts()
        last = [[piece for level in levels for piece in level] for levels in self._levels]
        futures = [self._client.submit(work.finish, least, *of, pure=False) for of in last if of]
        self._levels = []
        del last
        finished = []
        while futures:
            finished.append(futures.pop().result())
        return finished

    def _combine_parts(self) -> None:
        """Combine the pending parts, and each of their pieces with others of the same hash."""
        submit = self._client.submit
        whole = submit(work.combine_parts, *self._parts, pure=False)
        self._parts = []
        for number, levels in enumerate(self._levels):
            made, level = submit(work.part_of, whole, number, pure=False), 0
            while True:
                if level == len(levels):
                    levels.append([])
                levels[level].append(made)
                if len(levels[level]) < _FAN:
                    break
                made = submit(work.combine, *levels[level], pure=False)
                levels[level] = []
                level += 1
