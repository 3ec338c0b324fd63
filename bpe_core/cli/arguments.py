"""The arguments of the command line."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter

from bpe_core.bpe.config import CHOICES, LONGEST_MARK, MOST_COUNT, MOST_IDS, MOST_SPECIAL_TOKENS
from bpe_core.bundled.openai import OPENAI
from bpe_core.cli import commands, corpora, pictures
from bpe_core.cli.terminal import UsageError
from bpe_core.cluster.parts import BLOCK, KINDS
from bpe_core.drawing import spans as drawing
from bpe_core.drawing.themes import THEMES
from bpe_core.formats import FORMATS, reading
from bpe_core.published.pretrained import PRETRAINED
from bpe_core.sentencepiece import training as sentencepiece
from bpe_core.text import small_corpus
from bpe_core.text.splits import MOST_REPEATS
from bpe_core.tokenizer.special_tokens import HIGHEST_ID as HIGHEST_SPECIAL
from bpe_core.tokenizer.token_ranges import MOST_TOKEN_BYTES
from bpe_core.tokenizer.tokenizer import SPECIAL_MODES

__all__ = ["UsageError", "parser"]

_EXAMPLES = """\
examples:
  python -m bpe_core train book.txt --vocab-size 4096 --format tokenizers --out tokenizer.json
  echo "Hello, world" | python -m bpe_core encode --tokenizer gpt2
  python -m bpe_core encode --tokenizer tokenizer.json book.txt | python -m bpe_core decode --tokenizer tokenizer.json
  python -m bpe_core encode --tokenizer cl100k_base --out ids.npy --separator "<|endoftext|>" 1.txt 2.txt
  python -m bpe_core compare book.txt --tokenizer tokenizer.json --tokenizer cl100k_base --json
  python -m bpe_core compare book.txt --tokenizer hf:Qwen/Qwen3-8B --tokenizer o200k_base
  python -m bpe_core export --tokenizer gpt2 --format gpt2 --out folder
  python -m bpe_core draw --tokenizer gpt2 "Hello, world" --out spans.svg
  python -m bpe_core count 's3://bucket/*.jsonl.zst' --scheduler tcp://host:8786 --text-field text --out counts.parquet
  python -m bpe_core train counts.parquet --counts --vocab-size 32000 --out tokenizer.json
"""

_TOKENIZER = (
    f"{', '.join(PRETRAINED)}, the path of a file, or hf:OWNER/NAME or hf:OWNER/NAME@REVISION for a model on the "
    "Hugging Face hub, which is asked for its tokenizer files"
)

_FORMAT = f"format of the file, whatever its name (default: {commands.DEFAULT_FORMAT}, which holds every tokenizer)"

_SPLIT = f"none, words, gpt2 (default), cl100k, o200k or a regex, which may repeat at most {MOST_REPEATS:,} times"

_ADDRESSES = "addresses of fsspec, such as 's3://bucket/*.jsonl.zst', with the options of a corpus"

_TRAIN_LIMITS = (
    f"Limits: bpe trains on texts of any size; wordpiece and unigram on {small_corpus.MOST_BYTES // 1024:,} KB "
    f"together, sentencepiece on {sentencepiece.MOST_BYTES // 1024:,} KB. Tokens of more than "
    f"{MOST_TOKEN_BYTES // 10**6} MB together, as long ones may be with --split none, are not saved."
)
_FILE_LIMITS = (
    f"Limits: a tokenizer file has at most {reading.MOST_BYTES // 10**6} MB and {reading.MOST_TOKENS:,} tokens, of "
    f"{MOST_TOKEN_BYTES // 10**6} MB together; the highest id of a special token is {HIGHEST_SPECIAL:,}."
)
_DRAW_LIMITS = (
    f"Limits: a picture has at most {drawing.MOST_TOKENS:,} tokens and {drawing.MOST_CHARACTERS:,} characters, and is "
    f"{drawing.LEAST_WIDTH} to {drawing.MOST_WIDTH:,} px wide. PNG is made in the app."
)
_LIMITS = f"{_FILE_LIMITS} A text has less than 2 GiB."


def parser(program: str) -> ArgumentParser:
    """The parser of all commands; its result has the function of the command as `run`.

    >>> parser("bpe").parse_args(["encode", "--tokenizer", "gpt2", "a.txt"]).files
    ['a.txt']
    """
    top = ArgumentParser(
        prog=program,
        description="Train tokenizers, encode and decode texts, compare tokenizers, convert their files.",
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    kinds = top.add_subparsers(title="commands", required=True, metavar="command")
    _train(kinds)
    _count_words(kinds)
    _merge_counts(kinds)
    _encode(kinds)
    _decode(kinds)
    _compare(kinds)
    _export(kinds)
    _draw(kinds)
    return top


def _command(
    kinds: argparse._SubParsersAction[ArgumentParser], name: str, about: str, limits: str = ""
) -> ArgumentParser:
    command = kinds.add_parser(name, help=about, description=about, epilog=limits, allow_abbrev=False)
    command.add_argument("--json", action="store_true", help="write the result as one line of JSON")
    rooms = (commands, corpora, pictures)
    command.set_defaults(run=next(filter(None, (getattr(room, name.replace("-", "_"), None) for room in rooms))))
    return command


def _train(kinds: argparse._SubParsersAction[ArgumentParser]) -> None:
    command = _command(kinds, "train", "Train a tokenizer on text files (UTF-8) and save it.", _TRAIN_LIMITS)
    command.add_argument("files", nargs="*", metavar="FILE", help=f"text files; - or none for stdin; or {_ADDRESSES}")
    command.add_argument(
        "--vocab-size",
        type=_count,
        required=True,
        metavar="N",
        help=f"number of ids, special ones included; for bpe at most {MOST_IDS:,}",
    )
    command.add_argument("--out", required=True, metavar="PATH", help="where to save it; - for stdout")
    command.add_argument("--format", choices=FORMATS, help=_FORMAT)
    command.add_argument("--model", choices=tuple(commands.TRAINERS), default="bpe", help="default: bpe")
    command.add_argument("--quiet", action="store_true", help="no progress bar")
    command.add_argument("--counts", action="store_true", help="the files are word counts, as count saves them")
    _corpus_options(command)
    settings = command.add_argument_group("settings of --model bpe")
    settings.add_argument("--unit", choices=CHOICES["unit"], help="default: byte")
    mark = f"a mark after every word, such as </w>; at most {LONGEST_MARK} characters"
    settings.add_argument("--end-of-word", metavar="MARK", help=mark)
    _word_settings(settings)
    settings.add_argument("--tie-break", choices=CHOICES["tie_break"], help="default: first-seen")
    settings.add_argument("--base-order", choices=CHOICES["base_order"], help="default: byte-value")
    least = f"merge no pair with a smaller count; 1 (default) to {MOST_COUNT:,}"
    settings.add_argument("--min-count", type=_count, metavar="N", help=least)
    settings.add_argument("--byte-fallback", action="store_true", default=None)
    special = f"repeatable, at most {MOST_SPECIAL_TOKENS:,} times"
    settings.add_argument("--special-token", action="append", dest="special_tokens", metavar="TOKEN", help=special)


def _count_words(kinds: argparse._SubParsersAction[ArgumentParser]) -> None:
    command = _command(kinds, "count", "Count the words of a corpus, on a cluster or on this machine's cores.")
    command.add_argument("files", nargs="+", metavar="FILE", help=_ADDRESSES)
    command.add_argument("--out", required=True, metavar="PATH", help="where to save the counts, as Parquet")
    command.add_argument("--quiet", action="store_true", help="no progress")
    _corpus_options(command)
    _word_settings(command.add_argument_group("settings of words"))


def _merge_counts(kinds: argparse._SubParsersAction[ArgumentParser]) -> None:
    command = _command(kinds, "merge-counts", "Merge word counts of parts of a corpus, in any order.")
    command.add_argument("files", nargs="+", metavar="FILE", help="word counts, as count saves them")
    command.add_argument("--out", required=True, metavar="PATH", help="where to save the counts, as Parquet")
    order = "number the parts anew, those of each file after those of the one before"
    command.add_argument("--in-order", action="store_true", help=order)
    rare = "drop words that occur less often in all files together"
    command.add_argument("--min-word-count", type=_count, metavar="N", help=rare)


def _word_settings(settings: argparse._ArgumentGroup) -> None:
    settings.add_argument("--split", metavar="NAME|REGEX", help=_SPLIT)
    settings.add_argument("--normalization", choices=CHOICES["normalization"], help="default: none")
    settings.add_argument("--lowercase", action="store_true", default=None)
    settings.add_argument("--strip-accents", action="store_true", default=None)


def _corpus_options(command: ArgumentParser) -> None:
    options = command.add_argument_group(
        "a corpus, counted by Dask",
        "FILE is then any address of fsspec: texts, JSON lines or Parquet by their suffix, packed with .gz or .zst. "
        "Needs requirements-cluster.txt.",
    )
    options.add_argument("--scheduler", metavar="ADDRESS", help="of Dask, such as tcp://host:8786 (default: none)")
    options.add_argument("--workers", type=_count, metavar="N", help="processes on this machine (default: one a core)")
    options.add_argument("--memory", metavar="SIZE", help='of each of them, such as "2 GB"')
    options.add_argument("--text-field", metavar="NAME", help="of JSON lines, or a column of Parquet (default: text)")
    options.add_argument("--kind", choices=KINDS, help="of the files, whatever their suffix (default: auto)")
    size = f"of a file that are counted at once (default: {BLOCK:,})"
    options.add_argument("--block-size", type=_count, metavar="BYTES", help=size)
    rare = "drop words that occur less often in the whole corpus"
    options.add_argument("--min-word-count", type=_count, metavar="N", help=rare)
    damaged = "leave out what is damaged, and say what (default: stop)"
    options.add_argument("--skip-damaged", action="store_true", default=None, help=damaged)


def _encode(kinds: argparse._SubParsersAction[ArgumentParser]) -> None:
    about = "Encode a text to ids, separated by spaces, or with --out text files of any size to a file of ids."
    command = _command(kinds, "encode", about, _LIMITS)
    _one_tokenizer(command)
    command.add_argument(
        "files", nargs="*", metavar="FILE", help="a text in UTF-8 (default: stdin); with --out several"
    )
    command.add_argument(
        "--out", metavar="PATH", help="write the ids there: .npy, or .bin for the ids alone; uint16 or uint32"
    )
    command.add_argument(
        "--separator", metavar="TOKEN|ID", help="with --out: a special token, or an id, between two files"
    )
    command.add_argument("--quiet", action="store_true", help="with --out: no progress bar")
    command.add_argument("--text", metavar="TEXT", help="a text instead of a file")
    command.add_argument(
        "--special", choices=SPECIAL_MODES, default="text", help="special tokens in it (default: text)"
    )


def _decode(kinds: argparse._SubParsersAction[ArgumentParser]) -> None:
    command = _command(kinds, "decode", "Decode ids to the bytes of a text, with nothing added.", _FILE_LIMITS)
    _one_tokenizer(command)
    command.add_argument("file", nargs="?", default="-", metavar="FILE", help="ids, or JSON of encode (default: stdin)")
    command.add_argument("--ids", metavar="IDS", help='ids instead of a file, such as "15496 11"')
    command.add_argument("--skip-special", action="store_true", help="leave out special tokens")


def _compare(kinds: argparse._SubParsersAction[ArgumentParser]) -> None:
    command = _command(kinds, "compare", "Compare several tokenizers on a text.", _LIMITS)
    command.add_argument("file", nargs="?", default="-", metavar="FILE", help="a text in UTF-8 (default: stdin)")
    command.add_argument("--text", metavar="TEXT", help="a text instead of a file")
    command.add_argument(
        "--tokenizer",
        action="append",
        dest="tokenizers",
        metavar="NAME|PATH",
        help=f"{_TOKENIZER}; repeatable (default: {', '.join(OPENAI)})",
    )
    command.add_argument(
        "--special", choices=SPECIAL_MODES, default="text", help="special tokens in it (default: text)"
    )


def _export(kinds: argparse._SubParsersAction[ArgumentParser]) -> None:
    command = _command(kinds, "export", "Save a tokenizer in another format.", _FILE_LIMITS)
    _one_tokenizer(command)
    command.add_argument("--out", required=True, metavar="PATH", help="a file, a folder for gpt2; - for stdout")
    command.add_argument("--format", choices=FORMATS, help=_FORMAT)
    command.add_argument(
        "--proven-on", metavar="FILE", help="for tiktoken: a text on which ranks must give the same ids as merges"
    )


def _draw(kinds: argparse._SubParsersAction[ArgumentParser]) -> None:
    command = _command(kinds, "draw", "Draw a text in coloured tokens as an SVG picture.", _DRAW_LIMITS)
    _one_tokenizer(command)
    command.add_argument("text", nargs="?", metavar="TEXT", help="the text itself (default: stdin, in UTF-8)")
    command.add_argument("--out", required=True, metavar="PATH", help="an .svg file; - for stdout")
    command.add_argument("--theme", choices=tuple(THEMES), default="light", help="default: light")
    command.add_argument("--width", type=_count, default=960, metavar="PX", help="default: 960; the height follows")
    command.add_argument(
        "--caption", metavar="TEXT", help="a line under it (default: the tokenizer, and how many tokens)"
    )
    command.add_argument("--no-caption", action="store_true", help="no line under it")
    command.add_argument("--ids", action="store_true", help="draw each id under its token")
    command.add_argument(
        "--special", choices=SPECIAL_MODES, default="text", help="special tokens in it (default: text)"
    )


def _one_tokenizer(command: ArgumentParser) -> None:
    command.add_argument("--tokenizer", required=True, metavar="NAME|PATH", help=_TOKENIZER)
    command.add_argument(
        "--split",
        metavar="NAME|REGEX",
        help="for a .tiktoken file, which holds none: needed for all but published ones",
    )
    command.add_argument(
        "--special-token",
        action="append",
        dest="special_ids",
        type=_special,
        metavar="TOKEN=ID",
        help="for a .tiktoken file, which holds none; repeatable",
    )


def _count(text: str) -> int:
    try:
        number = int(text.replace("_", ""), 10) if len(text) < 16 else 0
    except ValueError:
        number = 0
    if number < 1:
        raise ArgumentTypeError(f"{text!r:.40} is not a whole number of at least 1")
    return number


def _special(text: str) -> tuple[str, int]:
    token, _, token_id = text.rpartition("=")
    if not token or not token_id.isascii() or not token_id.isdigit() or len(token_id) > 9:
        raise ArgumentTypeError(f"{text!r:.40} is not TOKEN=ID")
    return token, int(token_id)
