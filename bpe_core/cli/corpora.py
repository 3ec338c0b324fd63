"""Commands that count or encode a corpus, on a cluster or on this machine, and counts for `train`."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import Any

from bpe_core.bpe.config import TrainConfig
from bpe_core.cli.ids_file import token_id
from bpe_core.cli.loading import loaded
from bpe_core.cli.terminal import STDIN, ByteProgress, UsageError, clear_line, report, warn, write_json
from bpe_core.cli.trainers import config_of, given_settings
from bpe_core.cluster import CorpusCounts, EncodedCorpus, count_corpus
from bpe_core.cluster import encode_corpus as encoded
from bpe_core.errors import FormatError, quoted
from bpe_core.language import _, message
from bpe_core.text.word_counts import WordCounts, WordSettings

_OPTIONS = {
    "scheduler": "--scheduler",
    "workers": "--workers",
    "memory": "--memory",
    "kind": "--kind",
    "text_field": "--text-field",
    "block_size": "--block-size",
    "min_word_count": "--min-word-count",
    "skip_damaged": "--skip-damaged",
}
"""Corpus options: attribute and command-line spelling. With any of them `train` counts with Dask."""

_PACKED = (".gz", ".zst", ".parquet", ".pq")


def counts_for_training(arguments: Namespace, names: list[str], given: dict[str, Any]) -> WordCounts | None:
    """Counts for `train`: from files saved by `count`, or of a corpus; None to train on plain files.

    Word settings missing from `given` are taken from the counts and added to it.

    >>> from bpe_core.cli.arguments import parser
    >>> arguments = parser("bpe").parse_args(["train", "a.txt", "--vocab-size", "300", "--out", "b.json"])
    >>> counts_for_training(arguments, ["a.txt"], {})
    """
    options = [written for stored, written in _OPTIONS.items() if getattr(arguments, stored) is not None]
    if arguments.counts and options:
        raise UsageError(_("--counts and {option} are both given: counts need no other input.", option=options[0]))
    is_corpus = bool(options) or any("://" in name or name.lower().endswith(_PACKED) for name in names)
    if not (arguments.counts or is_corpus):
        return None
    if arguments.model != "bpe":
        if arguments.counts:
            raise UsageError(_("{option} is for --model bpe.", option="--counts"))
        raise UsageError(_("Counting a corpus first is only for --model bpe."))
    if arguments.encoding is not None:
        raise UsageError(_("--encoding does not apply to a corpus: its files are UTF-8."))
    if STDIN in names:
        raise UsageError(_("Name the files: stdin is not counted."))
    if arguments.counts:
        counts = _merged(names)
        for name in WordSettings.__dataclass_fields__:
            given.setdefault(name, getattr(counts.settings, name))
        return counts
    result = _counted(arguments, names, config_of(given))
    _tell(result)
    return result.counts


def count(arguments: Namespace) -> None:
    """Count the words of files and save them.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core.cli.arguments import parser
    >>> count(parser("bpe").parse_args(["count", "no such file.txt", "--out", "counts.parquet"]))
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: ... cannot be read: ...
    """
    _check_target(arguments.out)
    result = _counted(arguments, arguments.files, config_of(given_settings(arguments)))
    result.counts.save(arguments.out)
    _tell(result)
    _report(arguments, result.counts, {"bytes": result.bytes, "parts": result.parts, "skipped": len(result.skipped)})


def merge_counts(arguments: Namespace) -> None:
    """Merge files saved by `count`.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import TrainConfig, count_words
    >>> from bpe_core.cli.arguments import parser
    >>> with TemporaryDirectory() as folder:
    ...     for part, text in enumerate(("low lower", "low lowest")):
    ...         count_words(text, TrainConfig(), part=part).save(f"{folder}/{part}.parquet")
    ...     files = [f"{folder}/1.parquet", f"{folder}/0.parquet", "--out", f"{folder}/all.parquet"]
    ...     merge_counts(parser("bpe").parse_args(["merge-counts", *files, "--json"]))
    {"words": 3, "total": 4, "text_bytes": 19, "dropped_share": 0.0, "out": ...}
    """
    _check_target(arguments.out)
    counts = _merged(arguments.files, in_order=arguments.in_order)
    if arguments.min_word_count is not None:
        counts = counts.without_rare(arguments.min_word_count)
    counts.save(arguments.out)
    _report(arguments, counts, {})


def encode_corpus(arguments: Namespace) -> None:
    """Encode a corpus to a folder of ids.

    >>> from bpe_core.cli.arguments import parser
    >>> given = ["no such file.txt", "--tokenizer", "gpt2", "--out", "ids"]
    >>> encode_corpus(parser("bpe").parse_args(["encode-corpus", *given]))
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: ... cannot be read: ...
    """
    tokenizer = loaded(arguments)
    end = token_id(arguments.end_of_text, "--end-of-text", tokenizer)
    try:
        done = encoded(
            arguments.files,
            tokenizer,
            arguments.out,
            end_of_text=end,
            special=arguments.special,
            on_progress=ByteProgress(_("encoding"), quiet=arguments.quiet),
            **_reading(arguments),
        )
    finally:
        clear_line()
    _tell_skipped(done)
    if arguments.json:
        facts = {"count": done.count, "dtype": done.dtype, "parts": done.parts, "kept": done.kept}
        write_json({"tokenizer": tokenizer.name, **facts, "skipped": len(done.skipped), "out": done.path})
    else:
        report(_("{ids:,} ids as {type}: {file}", ids=done.count, type=done.dtype, file=done.path))


def _merged(names: list[str], *, in_order: bool = False) -> WordCounts:
    every = [WordCounts.load(name) for name in names]
    if in_order:
        following = 0
        for at, each in enumerate(every):
            every[at] = each.from_part(following)
            following = every[at].parts[-1][1] + 1 if every[at].parts else following
    return every[0].merge(*every[1:])


def _counted(arguments: Namespace, names: list[str], config: TrainConfig) -> CorpusCounts:
    try:
        return count_corpus(
            names,
            config,
            min_word_count=arguments.min_word_count or 1,
            on_progress=ByteProgress(_("counting"), quiet=arguments.quiet),
            **_reading(arguments),
        )
    finally:
        clear_line()


def _reading(arguments: Namespace) -> dict[str, Any]:
    """Arguments common to all functions that read a corpus."""
    return {
        "scheduler": arguments.scheduler,
        "workers": arguments.workers,
        "memory": arguments.memory,
        "kind": arguments.kind or "auto",
        "field": arguments.text_field,
        "block": arguments.block_size,
        "damaged": "skip" if arguments.skip_damaged else "stop",
    }


def _tell(result: CorpusCounts) -> None:
    """Report skipped parts and dropped words on stderr."""
    _tell_skipped(result)
    if result.counts.dropped:
        warn(_("dropped rare words, {share:.2%} of the text", share=result.counts.dropped_share))


def _tell_skipped(result: CorpusCounts | EncodedCorpus) -> None:
    for each in result.skipped:
        warn(_("skipped: {problem}", problem=each.problem))
    if result.skipped:
        share = sum(each.bytes for each in result.skipped) / result.bytes if result.bytes else 0.0
        warn(
            _(
                "skipped {skipped:,} of {parts:,} parts, {share:.2%} of the bytes",
                skipped=len(result.skipped),
                parts=result.parts,
                share=share,
            )
        )


def _report(arguments: Namespace, counts: WordCounts, facts: dict[str, Any]) -> None:
    if arguments.json:
        known = {"words": len(counts), "total": counts.total, "text_bytes": counts.size}
        write_json({**known, "dropped_share": counts.dropped_share, **facts, "out": arguments.out})
        return
    saved = _(
        "{words:,} words that occur {total:,} times, saved: {file}",
        words=len(counts),
        total=counts.total,
        file=arguments.out,
    )
    report(saved)


def _check_target(out: str) -> None:
    """Raise FormatError before any work is done if the target cannot be written."""
    folder = Path(out).parent
    if not folder.is_dir() or Path(out).is_dir() or not os.access(folder, os.W_OK):
        raise FormatError(
            message("{path} cannot be written.", path=quoted(out)),
            limit=message("A file is written into a folder that exists and may be written to."),
            remedy=message("Choose another path."),
        )
