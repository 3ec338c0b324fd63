"""draw: a text's coloured tokens as an SVG picture; page: a training, or a comparison, as a page without a server."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from bpe_core.bpe.page_views import MOST_MERGES, page_bytes, symbols_of
from bpe_core.cli.loading import compared, loaded
from bpe_core.cli.terminal import (
    STDIN,
    Progress,
    UsageError,
    argument_text,
    clear_line,
    error_text,
    interrupted_at_once,
    read_text,
    report,
    warn,
    write_bytes,
    write_json,
)
from bpe_core.cli.trainers import bpe_training, given_settings
from bpe_core.comparison.comparison import compare as compare_tokenizers
from bpe_core.errors import ConfigError, CorpusError, FormatError, quoted
from bpe_core.language import COMPLETE, _, current_language, listed, message, n_

_LARGE = 1_000_000
"""Size in bytes above which it is reported before a page is written."""


def draw(arguments: Namespace) -> None:
    """Draw a text to a file, which is replaced, or to stdout. Raises as `Encoding.svg` does.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core.cli.arguments import parser
    >>> with TemporaryDirectory() as folder:
    ...     given = ["--tokenizer", "gpt2", "Hello, world", "--out", f"{folder}/spans.svg"]
    ...     draw(parser("bpe").parse_args(["draw", *given]))
    3 tokens drawn: ...
    """
    if arguments.json and arguments.out == STDIN:
        raise UsageError(_("--json and --out - both write to stdout."))
    if arguments.caption is not None and arguments.no_caption:
        raise UsageError(_("--caption and --no-caption are both given."))
    _check_target(arguments.out)
    tokenizer = loaded(arguments)
    text = read_text(STDIN, arguments.encoding) if arguments.text is None else argument_text("TEXT", arguments.text)
    with interrupted_at_once():
        encoding = tokenizer.encode(text, special=arguments.special)
    tokens = n_("{count:,} token", "{count:,} tokens", len(encoding))
    caption = f"{tokenizer.name} · {tokens}" if arguments.caption is None else arguments.caption
    try:
        picture = encoding.svg(
            width=arguments.width,
            theme=arguments.theme,
            caption="" if arguments.no_caption else caption,
            ids=arguments.ids,
        )
    except ConfigError as error:
        raise UsageError(error_text(error)) from None
    if arguments.out == STDIN:
        write_bytes(picture.encode())
        return
    Path(arguments.out).write_bytes(picture.encode())
    if arguments.json:
        write_json(
            {"tokenizer": tokenizer.name, "count": len(encoding), "theme": arguments.theme, "out": arguments.out}
        )
    else:
        drawn = n_("{count:,} token drawn: {file}", "{count:,} tokens drawn: {file}", len(encoding), file=arguments.out)
        report(drawn)


def page(arguments: Namespace) -> None:
    """Train on a text, or compare tokenizers on it, and write the page, which replaces the file.

    Raises UsageError as `trained_bpe` does, and for settings of a training combined with tokenizers; CorpusError for a
    text without merges.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core.cli.arguments import parser
    >>> with TemporaryDirectory() as folder:
    ...     _written = Path(folder, "low.txt").write_text("low low lower")
    ...     names = [f"{folder}/low.txt", "--out", f"{folder}/low.html", "--vocab-size", "258", "--quiet"]
    ...     page(parser("bpe").parse_args(["page", *names]))
    2 merges: ...
    """
    given = given_settings(arguments)
    text = read_text(arguments.file, arguments.encoding)
    if arguments.tokenizers:
        if given != {"vocab_size": arguments.vocab_size}:
            raise UsageError(_("The settings of a training are for a page without --tokenizer."))
        names = list(dict.fromkeys(arguments.tokenizers))
        comparison = compare_tokenizers(text, compared(names, None))
        comparison.to_html(arguments.out, title=_title(arguments), language=page_languages(arguments))
        report_page(arguments.out, {"tokenizers": names}, listed(names), as_json=arguments.json)
        return
    bar = Progress(_("training"), quiet=arguments.quiet)
    training = bpe_training(text, given, bar)
    clear_line()
    if not training.merges:
        raise CorpusError(
            message("{file} gives no merges.", file=quoted(arguments.file)),
            limit=message("A page plays one merge or more."),
            remedy=message("Choose a longer text, or a larger vocabulary."),
        )
    shown = min(arguments.merges, MOST_MERGES, len(training.merges))
    languages = page_languages(arguments)
    size = page_bytes(shown, symbols_of(training), len(languages))
    if size > _LARGE and not arguments.quiet:
        warn(_("The page will have about {size:,} KB; --merges N limits it to the first N merges.", size=size // 1000))
    training.to_html(arguments.out, title=_title(arguments), language=languages, merges=shown)
    report_page(
        arguments.out, {"merges": shown}, n_("{count:,} merge", "{count:,} merges", shown), as_json=arguments.json
    )


def page_languages(arguments: Namespace) -> list[str]:
    """The languages of a page: those given, that of the terminal, or, for "all", all complete ones, its own first.

    >>> page_languages(Namespace(languages=["ja", "zh"])), page_languages(Namespace(languages=["all"]))
    (['ja', 'zh'], ['en', 'ja', 'zh'])
    """
    own = current_language()
    if "all" in (arguments.languages or ()):
        return [own, *(code for code in COMPLETE if code != own)]
    return arguments.languages or [own]


def _title(arguments: Namespace) -> str:
    return arguments.title or Path(arguments.file).stem


def report_page(out: str, facts: dict[str, object], contents: str, *, as_json: bool) -> None:
    """Write facts about a page, and its size, to stdout as JSON or to stderr. Raises OSError if there is no such file.

    >>> report_page("/dev/null", {"merges": 2}, "2 merges", as_json=True)
    {"merges": 2, "bytes": 0, "out": "/dev/null"}
    """
    size = Path(out).stat().st_size
    if as_json:
        write_json({**facts, "bytes": size, "out": out})
    else:
        report(_("{contents}: {file}, {size:,} KB", contents=contents, file=out, size=-(-size // 1000)))


def _check_target(out: str) -> None:
    """Raise FormatError before any work is done unless the target is an SVG file."""
    suffix = Path(out).suffix.lower()
    if out != STDIN and suffix != ".svg":
        raise FormatError(
            message("{path} is not the name of an SVG picture.", path=quoted(out)),
            limit=message("A picture is written as .svg."),
            remedy=message("Use that suffix; the app exports every view as PNG."),
        )
