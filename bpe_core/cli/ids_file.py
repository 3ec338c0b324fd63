"""encode --out: text files to a file of ids."""

from __future__ import annotations

import re
from argparse import Namespace

from bpe_core.cli.terminal import Progress, clear_line, interrupted_at_once, report, write_json
from bpe_core.errors import TokenIdError, quoted
from bpe_core.kernels.backend import warm_up
from bpe_core.language import _, listed, message
from bpe_core.tokenizer.file_encoder import encode_files
from bpe_core.tokenizer.tokenizer import Tokenizer

_NUMBER = re.compile(r"[0-9]{1,12}")


def write_ids(arguments: Namespace, tokenizer: Tokenizer) -> None:
    """Encode the given files to the --out file, with a progress bar.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import load_pretrained
    >>> from bpe_core.cli.arguments import parser
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "text.txt").write_text("low low")
    ...     given = ["--tokenizer", "gpt2", "--out", f"{folder}/ids.bin", f"{folder}/text.txt"]
    ...     write_ids(parser("bpe").parse_args(["encode", *given]), load_pretrained("gpt2"))
    2 ids as uint16: ...
    """
    separator = token_id(arguments.separator, "--separator", tokenizer)
    with interrupted_at_once():
        warm_up()  # compile now: during the encoding, Ctrl-C must not leave a partial file
    done = encode_files(
        arguments.files,
        tokenizer,
        arguments.out,
        separator=separator,
        special=arguments.special,
        encoding=arguments.encoding or "utf-8",
        on_progress=Progress(_("encoding"), quiet=arguments.quiet),
    )
    clear_line()
    if arguments.json:
        write_json({"tokenizer": tokenizer.name, "count": done.count, "dtype": done.dtype, "out": done.path})
    else:
        report(_("{ids:,} ids as {type}: {file}", ids=done.count, type=done.dtype, file=done.path))


def token_id(written: str | None, option: str, tokenizer: Tokenizer) -> int | None:
    """Id of a special token, given by name or number as the value of an option; None without one.

    >>> from bpe_core import load_pretrained
    >>> token_id("<|endoftext|>", "--separator", load_pretrained("gpt2"))
    50256
    """
    if written is None or written in tokenizer.special_tokens:
        return None if written is None else tokenizer.special_tokens[written]
    if _NUMBER.fullmatch(written):
        return int(written)
    names = list(map(quoted, list(tokenizer.special_tokens)[:8]))
    raise TokenIdError(
        message(
            "{option}: {token} is not a special token of {tokenizer}.",
            option=option,
            token=quoted(written),
            tokenizer=tokenizer.name,
        ),
        limit=message("It has {tokens}.", tokens=listed(names, last="")) if names else message("It has none."),
        remedy=message("Name one of these, or give the id of a token."),
    )
