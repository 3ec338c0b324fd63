"""Ids of a corpus, encoded on a cluster: a shard for every part. An interrupted run is resumed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike
from typing import Any, Literal

import numpy as np

from bpe_core import checks
from bpe_core.cluster import work
from bpe_core.cluster.connection import client_of, explained
from bpe_core.cluster.libraries import library
from bpe_core.cluster.parts import Part, parts_of
from bpe_core.cluster.reports import Progress, Report, Skipped, reports_of, skipped_of
from bpe_core.cluster.shards import PLAN, Folder, Ids, encode_part
from bpe_core.errors import ConfigError, FormatError, quoted
from bpe_core.formats import bpe_lab
from bpe_core.language import message
from bpe_core.tokenizer.file_encoder import block_split, dtype_of
from bpe_core.tokenizer.tokenizer import SPECIAL_MODES, Special, Tokenizer


@dataclass(frozen=True)
class EncodedCorpus:
    """Result of `encode_corpus`.

    path     folder of the shards
    count    number of ids in all shards
    dtype    "uint16" or "uint32"
    bytes    stored size of all files
    parts    number of parts, each a shard unless it was skipped
    kept     number of shards kept from an interrupted run
    skipped  damaged parts

    >>> EncodedCorpus("ids", count=9, dtype="uint16", bytes=40, parts=1).kept
    0
    """

    path: str
    count: int
    dtype: str
    bytes: int
    parts: int
    kept: int = 0
    skipped: tuple[Skipped, ...] = ()


def encode_corpus(
    addresses: str | PathLike[str] | Iterable[str | PathLike[str]],
    tokenizer: Tokenizer,
    out: str | PathLike[str],
    *,
    end_of_text: int | None = None,
    special: Special = "text",
    scheduler: str | None = None,
    workers: int | None = None,
    memory: str | int | None = None,
    kind: str = "auto",
    field: str | None = None,
    block: int | None = None,
    damaged: Literal["stop", "skip"] = "stop",
    options: Mapping[str, Any] | None = None,
    out_options: Mapping[str, Any] | None = None,
    on_progress: Progress | None = None,
) -> EncodedCorpus:
    """Encode files at fsspec addresses with Dask, on a cluster or the cores of this machine, to a folder of shards.

    The shards 0000000.npy, 0000001.npy, … are those of the parts, in order: together they hold the ids of
    `tokenizer.encode` of every text, each followed by `end_of_text`. A text file is one text; so is each JSON line and
    each Parquet row. The ids are uint16 for a vocabulary of up to 65,536 ids, else uint32.

    The same call resumes an interrupted run: complete shards stay. `corpus.json` next to them records the files, the
    tokenizer and the settings.

    out              folder, at an fsspec address that all workers reach; created if it is missing
    end_of_text      id written after every text, such as that of <|endoftext|>
    special          treatment of special tokens in the texts, as in `Tokenizer.encode`
    scheduler, workers, memory, kind, field, block, damaged, options
                     as in `count_corpus`; a text file is divided only if its blocks have the ids of the whole, as in
                     `encode_files`
    out_options      fsspec options for writing the shards
    on_progress      called with (bytes encoded, bytes in total)

    Raises CorpusError for files that cannot be read, FormatError for a folder that cannot be written, TokenIdError for
    an `end_of_text` that is not a token, ConfigError for invalid settings or a folder with other contents, and
    ClusterError if the libraries are missing or the cluster cannot be reached or fails.

    >>> from bpe_core import load_pretrained
    >>> encode_corpus("README.md", load_pretrained("gpt2"), "ids", damaged="ask")
    Traceback (most recent call last):
        ...
    bpe_core.errors.ConfigError: damaged is 'ask'. ...
    """
    checks.instance(tokenizer, "tokenizer", Tokenizer, message("a Tokenizer"))
    checks.choice(special, "special", SPECIAL_MODES)
    checks.choice(damaged, "damaged", ("stop", "skip"))
    checks.callback(on_progress)
    if end_of_text is not None:
        tokenizer.token_bytes(end_of_text)
    folder = Folder(checks.file_path(out, use="written"), out_options)
    ids = Ids(block_split(tokenizer, special), special, end_of_text, dtype_of(tokenizer).str)
    given = dict(options or {})
    library("distributed")
    parts = parts_of(addresses, ids.split, kind=kind, field=field, block=block, options=given)
    kept = _begin(folder, _plan(parts, tokenizer, ids), ids.dtype)
    left = [part for part in parts if part.number not in kept]
    done = sum(part.bytes for part in parts) - sum(part.bytes for part in left)
    reports: list[Report] = []
    if left:
        with client_of(scheduler, workers, memory, most=len(left)) as client, explained():
            with library("dask").config.set({"distributed.admin.large-graph-warning-threshold": "1 GB"}):
                there = client.submit(work.part_of, (tokenizer,), 0, pure=False)  # sent once, again if a worker is lost

            def submit(part: Part) -> Any:
                return client.submit(encode_part, part, there, ids, folder, given, pure=False)

            stops = damaged == "stop"
            reports = reports_of(left, client, submit, stops=stops, on_progress=on_progress, done=done)
    count = sum(kept.values()) + sum(report.ids for report in reports)
    size, dtype = sum(part.bytes for part in parts), np.dtype(ids.dtype).name
    return EncodedCorpus(folder.address, count, dtype, size, len(parts), len(kept), skipped_of(left, reports))


def _plan(parts: list[Part], tokenizer: Tokenizer, ids: Ids) -> dict[str, Any]:
    """Content of corpus.json: the files, the tokenizer and the settings of the shards."""
    files: dict[str, int] = {part.address: part.size for part in parts}
    return {
        "tokenizer": tokenizer.name,
        "mark": mark_of(tokenizer),
        "dtype": np.dtype(ids.dtype).name,
        "end_of_text": ids.end_of_text,
        "special": ids.special,
        "parts": len(parts),
        "block": parts[0].block if parts else 0,
        "kinds": sorted({f"{part.kind} {part.field}".strip() for part in parts}),
        "files": [[address, size] for address, size in files.items()],
    }


def _begin(folder: Folder, plan: dict[str, Any], dtype: str) -> dict[int, int]:
    """Number of ids of each existing shard, by part. Raises ConfigError for a folder with other contents."""
    before = folder.plan()
    if before is None:
        folder.write_plan(plan)
        return {}
    if before == plan:
        return {number: count for number, count in folder.counts(dtype).items() if number < plan["parts"]}
    place = quoted(folder.address, 200)
    other = next(name for name in plan if before.get(name) != plan[name])
    raise ConfigError(
        message(
            "{path} has the ids of another run: its {name} is {value}.",
            path=place,
            name=other,
            value=quoted(before.get(other)),
        )
        if before
        else message("The folder {path} has files, but no {name}.", path=place, name=PLAN),
        limit=message("A run is resumed with the same files, tokenizer and settings."),
        remedy=message("Choose an empty folder, or a new one."),
    )


_RULES = ("kind", "unit", "base", "crosses", "events")
"""Attributes of a model without a file format, besides its tokens and merges."""


def mark_of(tokenizer: Tokenizer) -> str:
    """Hash of everything that determines the ids of a tokenizer: its file, and what its file leaves out.

    >>> from bpe_core import TrainConfig, load_pretrained, train
    >>> mark_of(load_pretrained("gpt2")) == mark_of(load_pretrained("gpt2"))
    True
    >>> one, other = (train(text, TrainConfig(vocab_size=257)).tokenizer() for text in ("qx qx", "xq xq"))
    >>> mark_of(one) == mark_of(other)
    False
    """
    library = getattr(tokenizer.split, "library", None)
    described = repr([tokenizer.special_token_flags, library])
    return sha256(_saved(tokenizer) + described.encode()).hexdigest()[:16]


def _saved(tokenizer: Tokenizer) -> bytes:
    """The file of a tokenizer; for a model without a file format, the text of its attributes."""
    try:
        return bpe_lab.write(tokenizer)
    except FormatError:
        model = tokenizer.model
        stages = [tokenizer.normalizer, tokenizer.split, tokenizer.config]
        rows = None if model.merges is None else [*model.merges.rows]
        return repr([*stages, *(getattr(model, name, None) for name in _RULES), [*model.tokens], rows]).encode()
