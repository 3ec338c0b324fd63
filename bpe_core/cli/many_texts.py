"""`compare --each` and `compare --parallel`: counts of many texts, and of parallel ones."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from bpe_core.cli import values
from bpe_core.cli.help import Options
from bpe_core.cli.terminal import (
    STDIN,
    ByteProgress,
    UsageError,
    clear_line,
    interrupted_at_once,
    read,
    table,
    warn,
    write,
    write_json,
)
from bpe_core.comparison.many_texts import TextCounts, compare_texts
from bpe_core.comparison.parallel import ParallelCounts, parallel_texts
from bpe_core.errors import CorpusError, FormatError, quoted, reason_of
from bpe_core.formats.tables import to_csv, to_latex, to_parquet
from bpe_core.language import _, message, n_, term, translate
from bpe_core.text.table_files import KINDS, TableFile, open_table
from bpe_core.tokenizer.tables import DataFrame
from bpe_core.tokenizer.tokenizer import Tokenizer

_WRITERS: dict[str, Callable[[DataFrame], bytes]] = {".csv": to_csv, ".parquet": to_parquet, ".tex": to_latex}
_MOST_NAMED = 5
"""Skipped rows named on stderr."""

_PERCENTILES = ("p50", "p95", "p99")


def add_options(options: Options) -> None:
    """Add the options of many texts to a group of a command.

    >>> from argparse import ArgumentParser
    >>> command = ArgumentParser()
    >>> add_options(command.add_argument_group("many texts"))
    >>> command.parse_args(["--each", "--limit", "8192"]).limits
    [8192]
    """
    options.add_argument("--each", action="store_true", help=_("count each text of FILE: percentiles, longest"))
    options.add_argument("--parallel", action="store_true", help=_("one column per language: fertility, parity, Gini"))
    column = _("of the texts (default: text, or the only one); with --parallel repeatable (default: all)")
    options.add_argument("--column", action="append", dest="columns", metavar="NAME", help=column)
    options.add_argument("--kind", choices=KINDS, help=_("of FILE, whatever its suffix"))
    limit = _("share of the texts with more tokens; repeatable")
    options.add_argument("--limit", action="append", dest="limits", type=values.count, metavar="N", help=limit)
    options.add_argument("--reference", metavar="NAME", help=_("language of parity 1 (default: en, or the first)"))
    options.add_argument(
        "--out", metavar="PATH", help=_("write one row per text, or language, to .csv, .parquet or .tex")
    )
    options.add_argument("--quiet", action="store_true", help=_("no progress bar"))


def are_many(arguments: Namespace) -> bool:
    """Whether many texts are compared. Raises UsageError for options of another mode.

    >>> from bpe_core.cli.arguments import parser
    >>> are_many(parser("bpe").parse_args(["compare", "a.csv", "--each"]))
    True
    """
    if arguments.each and arguments.parallel:
        raise UsageError(_("--each and --parallel are both given."))
    many = bool(arguments.each or arguments.parallel)
    both = {"--column": arguments.columns, "--kind": arguments.kind, "--out": arguments.out}
    for option, value in {**both, "--limit": arguments.limits, "--reference": arguments.reference}.items():
        if value is None or (many and option in both):
            continue
        wanted = "--parallel" if option == "--reference" else "--each" if option == "--limit" else None
        if wanted is None:
            raise UsageError(_("{option} is for --each or --parallel.", option=option))
        if not getattr(arguments, wanted.removeprefix("--")):
            raise UsageError(_("{option} is for {other}.", option=option, other=wanted))
    if many and arguments.text is not None:
        raise UsageError(_("--each and --parallel are for a file: --text is one text."))
    if arguments.each and arguments.columns and len(arguments.columns) > 1:
        raise UsageError(_("--each takes one --column; several are for --parallel."))
    return many


def compare_many(arguments: Namespace, tokenizers: Mapping[str, Tokenizer]) -> None:
    """Write one row per tokenizer; with --out, one per text or language to a file. Skipped rows go to stderr.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import load_pretrained
    >>> from bpe_core.cli.arguments import parser
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.csv").write_text("text\\nlow\\nlow lower lowest\\n")
    ...     arguments = parser("bpe").parse_args(["compare", f"{folder}/a.csv", "--each", "--limit", "2"])
    ...     compare_many(arguments, {"gpt2": load_pretrained("gpt2")})
    tokenizer  texts  tokens  mean  p50  p95  p99  max  longest row  unknown  over 2
    gpt2           2       4   2.0  2.0  2.9  3.0    3            3           50.0 %
    """
    written = _checked_target(arguments.out)
    source: Any = read(STDIN) if arguments.file == STDIN else Path(arguments.file)
    bar = ByteProgress(_("counting"), quiet=arguments.quiet)
    with (
        interrupted_at_once(),
        open_table(
            source,
            name="stdin" if arguments.file == STDIN else "",
            kind=arguments.kind,
            encoding=arguments.encoding or "utf-8",
        ) as file,
    ):
        count = _each if arguments.each else _parallel
        try:
            counts = count(arguments, file, tokenizers, bar)
        finally:
            clear_line()
    _tell(counts)
    if written is not None:
        _save(arguments.out, written(counts.table()))
    frame = (
        counts.tokenizer_table(arguments.limits or ()) if isinstance(counts, TextCounts) else counts.tokenizer_table()
    )
    if arguments.json:
        _write_json(arguments, counts, frame)
    elif isinstance(counts, TextCounts):
        write(table(_rows_of_texts(frame, arguments.limits or ())))
    else:
        write(table(_rows_of_languages(counts)) + "\n" + table(_rows_of_ginis(frame)))


def _each(arguments: Namespace, file: TableFile, tokenizers: Mapping[str, Tokenizer], bar: ByteProgress) -> TextCounts:
    column = arguments.columns[0] if arguments.columns else None
    counts = compare_texts(file, tokenizers, column=column, special=arguments.special, on_progress=bar)
    if not len(counts):
        _tell(counts)
        raise CorpusError(
            message(
                "{file} has no texts in the column {column}.",
                file=quoted(file.name),
                column=quoted(file.column(column)),
            ),
            limit=message("At least one row has a text."),
            remedy=message("Name another column with --column."),
        )
    return counts


def _parallel(
    arguments: Namespace, file: TableFile, tokenizers: Mapping[str, Tokenizer], bar: ByteProgress
) -> ParallelCounts:
    given = {"languages": arguments.columns, "reference": arguments.reference, "special": arguments.special}
    return parallel_texts(file, tokenizers, **given, on_progress=bar)


def _tell(counts: TextCounts | ParallelCounts) -> None:
    """Name the first skipped rows on stderr, and how many there are."""
    for each in counts.problems[:_MOST_NAMED]:
        warn(_("skipped: row {row:,}: {reason}", row=each.row, reason=translate(each.reason)))
    if counts.skipped > _MOST_NAMED:
        warn(_("skipped {skipped:,} rows in all", skipped=counts.skipped))
    if counts.missing:
        warn(n_("left out {count:,} row without a text", "left out {count:,} rows without a text", counts.missing))


def _rows_of_texts(frame: DataFrame, limits: Any) -> list[list[str]]:
    over = [_("over {limit:,}", limit=limit) for limit in dict.fromkeys(limits)]
    head = [
        _("tokenizer"),
        _("texts"),
        translate(term("number", "tokens")),
        _("mean"),
        *_PERCENTILES,
        _("max"),
        _("longest row"),
        _("unknown"),
    ]
    rows = [[*head, *over]]
    for name, row in zip(frame.index, frame.to_dict("records"), strict=True):
        averages = [f"{row[each]:,.1f}" for each in ("mean", *_PERCENTILES)]
        whole = ["" if _is_missing(row[each]) else f"{row[each]:,}" for each in ("max", "longest_row", "unknown")]
        shares = [f"{100 * row[f'over_{limit}']:.1f} %" for limit in dict.fromkeys(limits)]
        rows.append([name, f"{row['texts']:,}", f"{row['tokens']:,}", *averages, *whole, *shares])
    return rows


def _rows_of_languages(counts: ParallelCounts) -> list[list[str]]:
    rows = [
        [
            _("language"),
            _("tokenizer"),
            translate(term("number", "tokens")),
            _("parity"),
            _("tokens/word"),
            _("tokens/character"),
        ]
    ]
    for each in counts.counts:
        per_character = each.value("per character")
        numbers = (each.relative, each.fertility, per_character)
        cells = ["" if number is None else f"{number:.2f}" for number in numbers]
        rows.append([each.language, each.tokenizer, f"{each.tokens:,}", *cells])
    return rows


def _rows_of_ginis(frame: DataFrame) -> list[list[str]]:
    rows = [[_("tokenizer"), _("Gini of parity"), _("highest parity"), _("language")]]
    for name, row in zip(frame.index, frame.to_dict("records"), strict=True):
        rows.append([name, f"{row['gini']:.3f}", f"{row['parity']:.2f}", row["most_costly"]])
    return rows


def _write_json(arguments: Namespace, counts: TextCounts | ParallelCounts, frame: DataFrame) -> None:
    rows = [{"tokenizer": name, **row} for name, row in zip(frame.index, frame.to_dict("records"), strict=True)]
    found: dict[str, Any] = {"rows": [{key: None if _is_missing(v) else v for key, v in row.items()} for row in rows]}
    if isinstance(counts, ParallelCounts):
        found |= {"reference": counts.reference, "texts": counts.texts}
        found["languages"] = [{**each._asdict(), "fertility": each.fertility} for each in counts.counts]
    problems = [{"row": each.row, "reason": each.reason} for each in counts.problems]
    write_json(
        {**found, "missing": counts.missing, "skipped": counts.skipped, "problems": problems, "out": arguments.out}
    )


def _is_missing(value: Any) -> bool:
    return value is None or value != value


def _checked_target(out: str | None) -> Callable[[DataFrame], bytes] | None:
    """Function that serializes a table for the file. Raises before any work is done if it cannot be written."""
    if out is None:
        return None
    writer = _WRITERS.get(Path(out).suffix.lower())
    if writer is None:
        raise UsageError(_("--out is a file that ends in {suffixes}.", suffixes=", ".join(_WRITERS)))
    if not Path(out).parent.is_dir() or Path(out).is_dir():
        raise _unwritten(out, message("the folder does not exist, or the path is a folder"))
    return writer


def _save(out: str, data: bytes) -> None:
    try:
        Path(out).write_bytes(data)
    except OSError as error:
        with suppress(OSError):
            Path(out).unlink()
        raise _unwritten(out, reason_of(error)) from None


def _unwritten(out: str, reason: str) -> FormatError:
    return FormatError(
        message("{path} cannot be written: {reason}.", path=quoted(out), reason=reason),
        limit=message("A file is written into a folder that exists."),
        remedy=message("Choose another path."),
    )
