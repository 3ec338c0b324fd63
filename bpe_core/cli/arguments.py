"""Command-line arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from bpe_core.bpe.config import CHOICES, LONGEST_MARK, MOST_COUNT, MOST_IDS, MOST_SPECIAL_TOKENS
from bpe_core.bpe.page_views import MOST_MERGES
from bpe_core.bundled.openai import OPENAI
from bpe_core.cli import changes, chats, commands, corpora, many_texts, pictures, segmentations, texts, values
from bpe_core.cli.help import Help, Options, Parser, RawHelp
from bpe_core.cli.terminal import UsageError
from bpe_core.cli.trainers import TRAINERS
from bpe_core.cluster.parts import BLOCK, KINDS
from bpe_core.drawing.themes import THEMES
from bpe_core.formats import FORMATS
from bpe_core.language import LANGUAGES, _, translate
from bpe_core.tokenizer.tokenizer import SPECIAL_MODES

__all__ = ["PROGRAM", "Commands", "UsageError", "page_options", "parser"]

PROGRAM = "python -m bpe_core"

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
"""Type of a parser's collection of commands."""

_EXAMPLES = """\
  python -m bpe_core train book.txt --vocab-size 4096 --format tokenizers --out tokenizer.json
  echo "Hello, world" | python -m bpe_core encode --tokenizer gpt2
  python -m bpe_core encode --tokenizer tokenizer.json book.txt | python -m bpe_core decode --tokenizer tokenizer.json
  python -m bpe_core encode --tokenizer cl100k_base --out ids.npy --separator "<|endoftext|>" 1.txt 2.txt
  python -m bpe_core compare book.txt --tokenizer tokenizer.json --tokenizer cl100k_base --json
  python -m bpe_core compare book.txt --tokenizer hf:Qwen/Qwen3-8B --tokenizer o200k_base
  python -m bpe_core compare rows.csv --each --column text --limit 8192 --out counts.csv
  python -m bpe_core add " lantern" story.txt --tokenizer gpt2 --format tokenizers --out tokenizer.json
  python -m bpe_core export --tokenizer gpt2 --format gpt2 --out folder
  python -m bpe_core draw --tokenizer gpt2 "Hello, world" --out spans.svg
  python -m bpe_core page story.txt --vocab-size 512 --out story.html
  python -m bpe_core chat --tokenizer folder system="Be brief." user="Is 7 prime?" --generation-prompt
  python -m bpe_core count 's3://bucket/*.jsonl.zst' --scheduler tcp://host:8786 --text-field text --out counts.parquet
  python -m bpe_core encode-corpus 'texts/*.jsonl.gz' --tokenizer gpt2 --end-of-text "<|endoftext|>" --out ids
  python -m bpe_core train counts.parquet --counts --vocab-size 32000 --out tokenizer.json
"""


def parser(program: str, add_commands: Callable[[Commands], object] | None = None) -> Parser:
    """Build the parser of all commands; its result has the command's function as `run`.

    `add_commands`: callback that adds commands before those of the core.

    >>> parser("bpe").parse_args(["encode", "--tokenizer", "gpt2", "a.txt"]).files
    ['a.txt']
    """
    top = Parser(
        prog=program,
        description=_("Train tokenizers, encode and decode texts, compare tokenizers, convert their files."),
        epilog=_("examples:") + "\n" + _EXAMPLES.replace(PROGRAM, program),
        formatter_class=RawHelp,
        allow_abbrev=False,
    )
    kinds = top.add_subparsers(title=_("commands"), required=True, metavar="command", parser_class=Parser)
    if add_commands is not None:
        add_commands(kinds)
    _train(kinds)
    _count_words(kinds)
    _merge_counts(kinds)
    _encode(kinds)
    _encode_corpus(kinds)
    _decode(kinds)
    _compare(kinds)
    _export(kinds)
    changes.declare(partial(_command, kinds), _change)
    _draw(kinds)
    _page(kinds)
    chats.declare(partial(_command, kinds), _one_tokenizer)
    return top


def _command(kinds: Commands, name: str, about: str, limits: str = "") -> Parser:
    command = kinds.add_parser(
        name, help=about, description=about, epilog=limits, formatter_class=Help, allow_abbrev=False
    )
    command.add_argument("--json", action="store_true", help=_("write the result as one line of JSON"))
    rooms = (commands, corpora, pictures, chats, changes)
    command.set_defaults(run=next(filter(None, (getattr(room, name.replace("-", "_"), None) for room in rooms))))
    return command


def _train(kinds: Commands) -> None:
    command = _command(kinds, "train", _("Train a tokenizer on text files and save it."), texts.train_limits())
    command.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help=_("text files; - or none for stdin; or {addresses}", addresses=texts.addresses()),
    )
    command.add_argument(
        "--vocab-size",
        type=values.count,
        required=True,
        metavar="N",
        help=_("number of ids, special ones included; for bpe at most {most:,}", most=MOST_IDS),
    )
    command.add_argument("--out", required=True, metavar="PATH", help=_("where to save it; - for stdout"))
    command.add_argument("--format", choices=FORMATS, help=texts.format_of_file())
    command.add_argument("--model", choices=tuple(TRAINERS), default="bpe", help=texts.default_is("bpe"))
    _encoding_option(command)
    command.add_argument("--quiet", action="store_true", help=_("no progress bar"))
    command.add_argument("--counts", action="store_true", help=_("the files are word counts, as count saves them"))
    _least_count(_corpus_options(command))
    settings = command.add_argument_group(_("settings of --model bpe"))
    _bpe_settings(settings, methods=("bpe", "superbpe"))  # no file holds a tokenizer of BoundlessBPE
    settings.add_argument("--base", metavar="NAME|FILE", help=_("continue from this tokenizer: its ids are kept"))


def _bpe_settings(settings: Options, methods: Sequence[str] = CHOICES["method"]) -> None:
    mark = _("mark appended to every word, such as </w>; at most {longest} characters", longest=LONGEST_MARK)
    settings.add_argument("--end-of-word", metavar="MARK", help=mark)
    _word_settings(settings)
    for name in ("unit", "tie_break", "base_order", "method"):
        about = texts.default_is(CHOICES[name][0])
        choices = methods if name == "method" else CHOICES[name]
        settings.add_argument(f"--{name.replace('_', '-')}", choices=choices, help=about)
    settings.add_argument("--transition", type=values.count, metavar="N", help=_("ids at which superbpe crosses words"))
    least = _("merge no pair with a smaller count; 1 (default) to {most:,}", most=MOST_COUNT)
    settings.add_argument("--min-count", type=values.count, metavar="N", help=least)
    settings.add_argument("--byte-fallback", action="store_true", default=None)
    special = _("repeatable, at most {most:,} times", most=MOST_SPECIAL_TOKENS)
    settings.add_argument("--special-token", action="append", dest="special_tokens", metavar="TOKEN", help=special)


def _count_words(kinds: Commands) -> None:
    command = _command(kinds, "count", _("Count the words of a corpus, on a cluster or on this machine's cores."))
    command.add_argument("files", nargs="+", metavar="FILE", help=texts.addresses())
    command.add_argument("--out", required=True, metavar="PATH", help=_("where to save the counts, as Parquet"))
    command.add_argument("--quiet", action="store_true", help=_("no progress"))
    _least_count(_corpus_options(command))
    _word_settings(command.add_argument_group(_("settings of words")))


def _merge_counts(kinds: Commands) -> None:
    command = _command(kinds, "merge-counts", _("Merge word counts of parts of a corpus, in any order."))
    command.add_argument("files", nargs="+", metavar="FILE", help=_("word counts, as count saves them"))
    command.add_argument("--out", required=True, metavar="PATH", help=_("where to save the counts, as Parquet"))
    order = _("renumber the parts so that each file's parts follow those of the previous file")
    command.add_argument("--in-order", action="store_true", help=order)
    rare = _("drop words that occur less often in all files together")
    command.add_argument("--min-word-count", type=values.count, metavar="N", help=rare)


def _word_settings(settings: Options) -> None:
    settings.add_argument("--split", metavar="NAME|REGEX", help=texts.which_split())
    settings.add_argument("--normalization", choices=CHOICES["normalization"], help=texts.default_is("none"))
    settings.add_argument("--lowercase", action="store_true", default=None)
    settings.add_argument("--strip-accents", action="store_true", default=None)


def _corpus_options(command: Parser) -> Options:
    options = command.add_argument_group(
        _("a corpus, read by Dask"),
        _(
            "FILE is then any address of fsspec: texts, JSON lines or Parquet by their suffix, packed with .gz or "
            ".zst. Needs the extra cluster: pip install '.[cluster]' in the project's folder."
        ),
    )
    options.add_argument("--scheduler", metavar="ADDRESS", help=_("of Dask, such as tcp://host:8786 (default: none)"))
    options.add_argument(
        "--workers", type=values.count, metavar="N", help=_("processes on this machine (default: one per core)")
    )
    options.add_argument("--memory", metavar="SIZE", help=_('of each of them, such as "2 GB"'))
    options.add_argument(
        "--text-field", metavar="NAME", help=_("of JSON lines, or a column of Parquet (default: text)")
    )
    options.add_argument("--kind", choices=KINDS, help=_("of the files, whatever their suffix (default: auto)"))
    size = _("of a file that are read at once (default: {block:,})", block=BLOCK)
    options.add_argument("--block-size", type=values.count, metavar="BYTES", help=size)
    damaged = _("skip damaged parts and report them (default: stop)")
    options.add_argument("--skip-damaged", action="store_true", default=None, help=damaged)
    return options


def _least_count(options: Options) -> None:
    rare = _("drop words that occur less often in the whole corpus")
    options.add_argument("--min-word-count", type=values.count, metavar="N", help=rare)


def _encode(kinds: Commands) -> None:
    about = _("Encode a text to ids, separated by spaces, or with --out text files of any size to a file of ids.")
    command = _command(kinds, "encode", about, texts.limits())
    _one_tokenizer(command)
    command.add_argument("files", nargs="*", metavar="FILE", help=_("a text (default: stdin); with --out several"))
    command.add_argument(
        "--out", metavar="PATH", help=_("write the ids there: .npy, or .bin for the ids alone; uint16 or uint32")
    )
    command.add_argument(
        "--separator", metavar="TOKEN|ID", help=_("with --out: a special token, or an id, between two files")
    )
    command.add_argument("--quiet", action="store_true", help=_("with --out: no progress bar"))
    _encoding_option(command)
    command.add_argument(
        "--tokens", action="store_true", help=_("write id and text of each token, invisible characters by name")
    )
    command.add_argument("--text", metavar="TEXT", help=_("a text instead of a file"))
    segmentations.add_options(command)


def _encode_corpus(kinds: Commands) -> None:
    about = _("Encode a corpus to a folder of .npy files, on a cluster or on this machine's cores.")
    command = _command(kinds, "encode-corpus", about)
    _one_tokenizer(command)
    command.add_argument("files", nargs="+", metavar="FILE", help=texts.addresses())
    folder = _("folder for the ids, at any address of fsspec; an interrupted run is resumed")
    command.add_argument("--out", required=True, metavar="FOLDER", help=folder)
    command.add_argument("--end-of-text", metavar="TOKEN|ID", help=_("a special token, or an id, after every text"))
    command.add_argument(
        "--special", choices=SPECIAL_MODES, default="text", help=_("special tokens in it (default: text)")
    )
    command.add_argument("--quiet", action="store_true", help=_("no progress"))
    _corpus_options(command)


def _decode(kinds: Commands) -> None:
    command = _command(
        kinds, "decode", _("Decode ids to the bytes of a text, with nothing added."), translate(texts.file_limits())
    )
    _one_tokenizer(command)
    command.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help=_("ids, or JSON of encode (default: stdin)")
    )
    command.add_argument("--ids", metavar="IDS", help=_('ids instead of a file, such as "15496 11"'))
    command.add_argument("--skip-special", action="store_true", help=_("leave out special tokens"))


def _compare(kinds: Commands) -> None:
    command = _command(kinds, "compare", _("Compare several tokenizers on a text."), texts.limits())
    command.add_argument("file", nargs="?", default="-", metavar="FILE", help=_("a text (default: stdin)"))
    _encoding_option(command)
    command.add_argument("--text", metavar="TEXT", help=_("a text instead of a file"))
    command.add_argument(
        "--tokenizer",
        action="append",
        dest="tokenizers",
        metavar="NAME|PATH",
        help=_(
            "{tokenizer}; repeatable (default: {default})", tokenizer=texts.which_tokenizer(), default=", ".join(OPENAI)
        ),
    )
    command.add_argument(
        "--special", choices=SPECIAL_MODES, default="text", help=_("special tokens in it (default: text)")
    )
    _case_option(command)
    many_texts.add_options(command.add_argument_group(_("many texts: a file of lines, CSV, JSON lines or Parquet")))


def _export(kinds: Commands) -> None:
    command = _command(kinds, "export", _("Save a tokenizer in another format."), translate(texts.file_limits()))
    _one_tokenizer(command)
    command.add_argument("--out", required=True, metavar="PATH", help=_("a file, a folder for gpt2; - for stdout"))
    command.add_argument("--format", choices=FORMATS, help=texts.format_of_file())
    _encoding_option(command)
    command.add_argument(
        "--proven-on", metavar="FILE", help=_("for tiktoken: a text on which ranks must give the same ids as merges")
    )


def _change(command: Parser) -> None:
    command.add_argument("file", nargs="?", metavar="FILE", help=_("a text whose words are listed; - for stdin"))
    command.add_argument("--text", metavar="TEXT", help=_("a text instead of a file"))
    _one_tokenizer(command)
    _encoding_option(command)
    command.add_argument("--out", metavar="PATH", help=_("where to save the tokenizer"))
    command.add_argument("--format", choices=FORMATS, help=texts.format_of_file())


def _draw(kinds: Commands) -> None:
    command = _command(kinds, "draw", _("Draw a text in coloured tokens as an SVG picture."), texts.draw_limits())
    _one_tokenizer(command)
    command.add_argument("text", nargs="?", metavar="TEXT", help=_("the text itself (default: stdin)"))
    _encoding_option(command)
    command.add_argument("--out", required=True, metavar="PATH", help=_("an .svg file; - for stdout"))
    command.add_argument("--theme", choices=tuple(THEMES), default="light", help=texts.default_is("light"))
    command.add_argument(
        "--width", type=values.count, default=960, metavar="PX", help=_("default: 960; the height follows")
    )
    command.add_argument(
        "--caption", metavar="TEXT", help=_("a line under it (default: the tokenizer, and how many tokens)")
    )
    command.add_argument("--no-caption", action="store_true", help=_("no line under it"))
    command.add_argument("--ids", action="store_true", help=_("draw each id under its token"))
    command.add_argument(
        "--special", choices=SPECIAL_MODES, default="text", help=_("special tokens in it (default: text)")
    )


def _page(kinds: Commands) -> None:
    about = _("Train BPE on a text, or compare tokenizers on it, and write a page that needs no server.")
    command = _command(kinds, "page", about)
    command.add_argument("file", metavar="FILE", help=_("a text file; - for stdin"))
    _encoding_option(command)
    which = _("compare instead of training: {tokenizer}; repeatable", tokenizer=texts.which_tokenizer())
    command.add_argument("--tokenizer", action="append", dest="tokenizers", metavar="NAME|PATH", help=which)
    command.add_argument("--vocab-size", type=values.count, default=512, metavar="N", help=texts.default_is("512"))
    page_options(command)
    most = _("merges on the page, from the first one on; at most {most:,} (default)", most=MOST_MERGES)
    command.add_argument("--merges", type=values.count, default=MOST_MERGES, metavar="N", help=most)
    command.add_argument("--quiet", action="store_true", help=_("no progress bar"))
    _bpe_settings(command.add_argument_group(_("settings")))


def page_options(command: argparse.ArgumentParser) -> None:
    """Declare the options of every page: the file to write, its heading and its languages.

    >>> command = argparse.ArgumentParser()
    >>> page_options(command)
    >>> command.parse_args(["--out", "low.html", "--language", "all"]).languages
    ['all']
    """
    command.add_argument("--out", required=True, metavar="PATH", help=_("an .html file"))
    command.add_argument("--title", default="", metavar="TEXT", help=_("the heading of the page"))
    about = _("of the page; repeatable; all for every language (default: that of the terminal)")
    command.add_argument("--language", action="append", dest="languages", choices=(*LANGUAGES, "all"), help=about)


def _one_tokenizer(command: Parser) -> None:
    command.add_argument("--tokenizer", required=True, metavar="NAME|PATH", help=texts.which_tokenizer())
    command.add_argument(
        "--split",
        metavar="NAME|REGEX",
        help=_("for a .tiktoken file, which holds none: needed for all but published ones"),
    )
    command.add_argument(
        "--special-token",
        action="append",
        dest="special_ids",
        type=values.special_token,
        metavar="TOKEN=ID",
        help=_("for a .tiktoken file, which holds none; repeatable"),
    )
    _case_option(command)


def _case_option(command: Parser) -> None:
    command.add_argument(
        "--lowercase",
        action=argparse.BooleanOptionalAction,
        help=_(
            "for a vocab.txt: whether to lower-case texts and strip accents (default: as in tokenizer_config.json "
            "next to it, else yes)"
        ),
    )


def _encoding_option(command: Parser) -> None:
    about = _("of the text, such as shift_jis, gb18030, big5 or utf-16 (default: utf-8)")
    command.add_argument("--encoding", type=values.encoding, metavar="NAME", help=about)
