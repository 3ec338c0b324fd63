"""Commands, called with the parsed arguments."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from time import perf_counter

from bpe_core.bundled.openai import OPENAI
from bpe_core.cli import corpora, segmentations
from bpe_core.cli.ids_file import write_ids
from bpe_core.cli.loading import compared, loaded
from bpe_core.cli.many_texts import are_many, compare_many
from bpe_core.cli.terminal import (
    STDIN,
    Progress,
    UsageError,
    argument_text,
    clear_line,
    interrupted_at_once,
    read,
    read_text,
    report,
    table,
    warn,
    write,
    write_bytes,
    write_json,
)
from bpe_core.cli.trainers import TRAINERS, Texts, base_of, given_settings, trained_bpe
from bpe_core.comparison.comparison import compare as compare_tokenizers
from bpe_core.drawing.token_spans import Slice, TokenSpan, whole_and_slices
from bpe_core.errors import FormatError, TokenIdError, quoted
from bpe_core.formats import from_bytes, save, to_bytes
from bpe_core.language import _, message, term, translate
from bpe_core.text.marks import NOTHING, marked
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.html_views import spans
from bpe_core.tokenizer.tokenizer import Tokenizer

DEFAULT_FORMAT = "bpe-lab"
"""Default of --format, regardless of the file name: this format holds every tokenizer but those of BoundlessBPE."""

_NUMBER = re.compile(r"-?[0-9]{1,40}")
_STOPPED = {
    "vocabulary full": message("vocabulary full"),
    "no pairs left": message("no pairs left"),
    "below min_count": message("below min_count"),
}


def train(arguments: Namespace) -> None:
    """Train on files and save the tokenizer. Raises UsageError for incompatible arguments.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import load
    >>> from bpe_core.cli.arguments import parser
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "text.txt").write_text("low low")
    ...     names = [f"{folder}/text.txt", "--out", f"{folder}/tokenizer.json"]
    ...     train(parser("bpe").parse_args(["train", *names, "--vocab-size", "258", "--quiet", "--json"]))
    ...     load(f"{folder}/tokenizer.json").tokenize("low")
    {"model": "bpe", "vocab_size": 258, "merges": 2, "stop_reason": "vocabulary full", "seconds": ..., ...}
    ['low']
    """
    given = given_settings(arguments)
    names = arguments.files or [STDIN]
    if names.count(STDIN) > 1:
        raise UsageError(_("stdin (-) is named twice."))
    if arguments.model != "bpe" and len(given) > 1:
        option = next(name for name in given if name != "vocab_size").replace("_", "-")
        raise UsageError(_("{option} is for --model bpe.", option=f"--{option}"))
    base = base_of(arguments, given)
    format = checked_target(arguments)
    if arguments.model not in MODELS_OF.get(format, TRAINERS):
        raise UsageError(
            _(
                "--format {format} does not hold --model {model}: use --format {other}.",
                format=format,
                model=arguments.model,
                other=DEFAULT_FORMAT,
            )
        )
    started = perf_counter()
    bar = Progress(_("training"), quiet=arguments.quiet)
    counts = corpora.counts_for_training(arguments, names, given)
    with interrupted_at_once():
        texts = _texts(names, arguments.encoding, in_blocks=arguments.model == "bpe")
        trainer = TRAINERS[arguments.model] if base is None else partial(trained_bpe, base=base)
        tokenizer, facts = trainer(texts if counts is None else counts, given, bar)
    clear_line()
    seconds = perf_counter() - started
    _save(tokenizer, arguments.out, format)
    result = {
        "model": arguments.model,
        "vocab_size": tokenizer.vocab_size,
        **facts,
        "seconds": round(seconds, 3),
        "format": format,
        "out": arguments.out,
    }
    if arguments.json:
        write_json(result)
    elif arguments.out != STDIN:
        report(_trained(tokenizer.vocab_size, facts.get("stop_reason", ""), seconds, format, arguments.out))


def encode(arguments: Namespace) -> None:
    """Write a text's ids, its tokens, or JSON with ids and byte offsets; with --out, the ids of files to a file.

    >>> from bpe_core.cli.arguments import parser
    >>> encode(parser("bpe").parse_args(["encode", "--text", "Hello, world", "--tokenizer", "gpt2"]))
    15496 11 995
    """
    segmentations.check_options(arguments)
    if arguments.out is not None:
        if not arguments.files or STDIN in arguments.files or arguments.text is not None:
            raise UsageError(_("--out is for files: name them."))
        if arguments.tokens:
            raise UsageError(_("--tokens and --out are both given."))
        write_ids(arguments, loaded(arguments))
        return
    if arguments.separator is not None:
        raise UsageError(_("--separator is for --out."))
    if arguments.tokens and arguments.json:
        raise UsageError(_("--tokens and --json are both given."))
    if len(arguments.files) > 1:
        raise UsageError(_("several files are for --out."))
    tokenizer = loaded(arguments)
    arguments.file = arguments.files[0] if arguments.files else STDIN
    with interrupted_at_once():
        encoding = segmentations.encoded(tokenizer, given_text(arguments), arguments)
    if arguments.tokens:
        write("".join(token_lines(encoding)))
        return
    ids = encoding.ids.tolist()
    if not arguments.json:
        write(" ".join(map(str, ids)) + "\n")
        return
    write_json(
        {
            "tokenizer": tokenizer.name,
            "count": len(ids),
            "ids": ids,
            "starts": encoding.starts.tolist(),
            "ends": encoding.ends.tolist(),
            "tokens": [tokenizer.token_bytes(token_id).decode(errors="replace") for token_id in ids],
        }
    )


def decode(arguments: Namespace) -> None:
    """Write the decoded text of ids.

    >>> from bpe_core.cli.arguments import parser
    >>> decode(parser("bpe").parse_args(["decode", "--ids", "15496 11 995", "--tokenizer", "gpt2"]))
    Hello, world
    """
    tokenizer = loaded(arguments)
    if arguments.ids is not None and arguments.file != STDIN:
        raise UsageError(_("--ids and a file are both given."))
    text = arguments.ids if arguments.ids is not None else _marked_text(read(arguments.file))
    ids = _ids(text)
    if arguments.json:
        write_json({"count": len(ids), "text": tokenizer.decode(ids, skip_special=arguments.skip_special)})
        return
    decoded = tokenizer.decode(ids, skip_special=arguments.skip_special, errors="surrogateescape")
    write_bytes(decoded.encode("utf-8", "surrogateescape"))


def compare(arguments: Namespace) -> None:
    """Write token counts of several tokenizers on a text, and the agreement of their boundaries.

    >>> from bpe_core.cli.arguments import parser
    >>> given = ["--text", "x = 12345", "--tokenizer", "gpt2", "--tokenizer", "cl100k_base"]
    >>> compare(parser("bpe").parse_args(["compare", *given]))
    tokenizer    tokens  bytes/token  chars/token  tokens/word
    gpt2              4         2.25         2.25         1.33
    cl100k_base       5         1.80         1.80         1.67
    <BLANKLINE>
    shared boundaries (F1)
    gpt2 and cl100k_base  85.7%
    """
    names = list(dict.fromkeys(arguments.tokenizers or OPENAI))
    if are_many(arguments):
        compare_many(arguments, compared(names, arguments.lowercase))
        return
    tokenizers = compared(names, arguments.lowercase)
    with interrupted_at_once():
        comparison = compare_tokenizers(given_text(arguments), tokenizers, special=arguments.special)
    if arguments.json:
        rows = [row._asdict() for row in comparison.rows]
        pairs = [
            {"left": left, "right": right, **comparison.agreement(left, right)._asdict()}
            for left, right in combinations(names, 2)
        ]
        write_json({"rows": rows, "agreement": pairs})
        return
    head = (_("tokenizer"), translate(term("number", "tokens")), _("bytes/token"), _("chars/token"), _("tokens/word"))
    lines = [(row.name, f"{row.tokens:,}", *(f"{number:.2f}" for number in row[2:])) for row in comparison.rows]
    write(table([head, *lines]))
    if len(names) > 1:
        agreements = [
            (_("{left} and {right}", left=left, right=right), f"{comparison.agreement(left, right).f1:.1%}")
            for left, right in combinations(names, 2)
        ]
        write("\n" + table([(_("shared boundaries (F1)"), ""), *agreements]))


def export(arguments: Namespace) -> None:
    """Save a tokenizer in another format.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core.cli.arguments import parser
    >>> with TemporaryDirectory() as folder:
    ...     given = ["--tokenizer", "gpt2", "--format", "gpt2", "--out", f"{folder}/gpt2"]
    ...     export(parser("bpe").parse_args(["export", *given]))
    50,257 ids saved as gpt2: ...
    """
    tokenizer = loaded(arguments)
    format = checked_target(arguments)
    _save(
        tokenizer,
        arguments.out,
        format,
        None if arguments.proven_on is None else read_text(arguments.proven_on, arguments.encoding),
    )
    if arguments.json:
        write_json(
            {"tokenizer": tokenizer.name, "vocab_size": tokenizer.vocab_size, "format": format, "out": arguments.out}
        )
    elif arguments.out != STDIN:
        saved = _("{ids:,} ids saved as {format}: {file}", ids=tokenizer.vocab_size, format=format, file=arguments.out)
        report(saved)


def _trained(ids: int, reason: str, seconds: float, format: str, file: str) -> str:
    if not reason:
        return _(
            "{ids:,} ids in {seconds:.2f} s, saved as {format}: {file}",
            ids=ids,
            seconds=seconds,
            format=format,
            file=file,
        )
    return _(
        "{ids:,} ids ({reason}) in {seconds:.2f} s, saved as {format}: {file}",
        ids=ids,
        reason=_STOPPED.get(reason, reason),
        seconds=seconds,
        format=format,
        file=file,
    )


MODELS_OF = {
    "tokenizers": ("bpe", "wordpiece", "unigram"),
    "tiktoken": ("bpe",),
    "gpt2": ("bpe",),
    "wordpiece": ("wordpiece",),
    "sentencepiece": ("sentencepiece",),
}
"""Models that each format can hold; an unlisted format holds all."""


# -- helpers -----------------------------------------------------------------------------------------------


def _texts(names: list[str], encoding: str | None, *, in_blocks: bool) -> Texts:
    for name in names:
        blocks = in_blocks and name != STDIN and encoding is None
        yield Path(name) if blocks else read_text(name, encoding)


def given_text(arguments: Namespace) -> str:
    """Text of --text, or of a file. Raises UsageError if both are given.

    >>> given_text(Namespace(text="low", file=STDIN))
    'low'
    """
    if arguments.text is None:
        return read_text(arguments.file, arguments.encoding)
    if arguments.file not in (None, STDIN):
        raise UsageError(_("--text and a file are both given."))
    return argument_text("--text", arguments.text)


def checked_target(arguments: Namespace) -> str:
    """The output format. Raises before any work is done if the target cannot be written.

    >>> checked_target(Namespace(out="tokenizer.json", format="tokenizers", json=False))
    'tokenizers'
    """
    format: str = arguments.format or DEFAULT_FORMAT
    if arguments.out == STDIN:
        if arguments.json:
            raise UsageError(_("--json and --out - both write to stdout."))
        if format == "gpt2":
            raise UsageError(_("--format gpt2 is two files: --out must be a folder."))
        return format
    folder = Path(arguments.out).parent
    if not folder.is_dir():
        raise FormatError(
            message(
                "{path} cannot be written: there is no folder {folder}.",
                path=quoted(arguments.out),
                folder=quoted(str(folder)),
            ),
            limit=message("A file is written into a folder that exists."),
            remedy=message("Make it first, or choose another path."),
        )
    if Path(arguments.out).is_dir() and format != "gpt2":
        raise FormatError(
            message("{path} cannot be written: it is a folder.", path=quoted(arguments.out)),
            limit=message("--format {format} is one file.", format=format),
            remedy=message("Name a file in it."),
        )
    return format


def _save(tokenizer: Tokenizer, out: str, format: str, proven_on: str | None = None) -> None:
    if out != STDIN:
        save(tokenizer, out, format=format, proven_on=proven_on)
        return
    data = to_bytes(tokenizer, format=format, proven_on=proven_on)
    if format == "wordpiece" and from_bytes(data).normalizer != tokenizer.normalizer:
        warn(
            _(
                "A vocab.txt alone does not specify how texts are normalized; with --out PATH, tokenizer_config.json "
                "next to it does."
            )
        )
    write_bytes(data)


def _marked_text(data: bytes) -> str:
    """Text in UTF-8, or with a byte order mark in UTF-16, as PowerShell writes it."""
    return data.decode("utf-16" if data[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8-sig", "replace")


def _ids(text: str) -> list[int]:
    """Parse ids separated by white space or commas, a JSON list, or the output of encode --json."""
    if text.lstrip().startswith("{"):
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise _not_ids(text, message("it is not JSON: {reason}", reason=str(error))) from None
        if "ids" not in content:
            raise _not_ids(text, message("it has no ids"))
        text = json.dumps(content["ids"])
    words = re.split(r"[\s,]+", text.strip().removeprefix("[").removesuffix("]").strip())
    wrong = next((word for word in words if word and not _NUMBER.fullmatch(word)), None)
    if wrong is not None:
        raise _not_ids(text, message("{value} is not an id", value=quoted(wrong)))
    return [int(word) for word in words if word]


def _not_ids(text: str, why: str) -> TokenIdError:
    return TokenIdError(
        message("{text} is not a list of token ids: {reason}.", text=quoted(text), reason=why),
        limit=message("Ids are whole numbers separated by spaces or commas, or JSON with a list under ids."),
        remedy=message("Give the output of encode."),
    )


def token_lines(encoding: Encoding) -> Iterator[str]:
    """Id and text of each token, separated by a tab. Incomplete characters are shown as hex bytes.

    >>> from bpe_core import load_pretrained
    >>> list(token_lines(load_pretrained("gpt2").encode("a ち")))
    ['64\\ta\\n', '23294\\t· E3 81\\n', '94\\tA1\\n']
    """
    data = encoding.normalized.utf8
    for span in spans(encoding, 0, len(encoding)):
        yield f"{span.id}\t{_shown(data, span)}\n"


def _shown(data: bytes, span: TokenSpan) -> str:
    if span.start == span.end:  # covers no text: <s>, </w>
        return marked(span.token.decode("utf-8", "backslashreplace")) or NOTHING
    parts = whole_and_slices(data, span.start, span.end)
    return " ".join(part.data.hex(" ").upper() if isinstance(part, Slice) else marked(part) for part in parts)
