"""Tokenizers named on the command line."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from bpe_core.cli.terminal import Progress, UsageError, clear_line
from bpe_core.errors import FormatError, quoted
from bpe_core.formats import MOST_BYTES, from_bytes, load, split_is_known
from bpe_core.hub.address import fetch_address, is_address
from bpe_core.hub.files import fetched_files
from bpe_core.hub.names import PREFIX, parsed_name
from bpe_core.language import _, listed, message
from bpe_core.published.pretrained import PRETRAINED, load_pretrained
from bpe_core.text.splits import PATTERNS
from bpe_core.tokenizer.tokenizer import Tokenizer


def loaded(arguments: Namespace) -> Tokenizer:
    """Load the --tokenizer with its file options. Raises UsageError for options that do not apply to it.

    >>> from bpe_core.cli.arguments import parser
    >>> loaded(parser("bpe").parse_args(["encode", "--tokenizer", "gpt2"])).name
    'gpt2'
    """
    special = None if arguments.special_ids is None else dict(arguments.special_ids)
    if arguments.tokenizer in PRETRAINED and (arguments.split is not None or special is not None):
        given = "--special-token" if arguments.split is None else "--split"
        raise UsageError(
            _(
                "{option} applies only to .tiktoken files, and {tokenizer} has its own.",
                option=given,
                tokenizer=arguments.tokenizer,
            )
        )
    if arguments.tokenizer in PRETRAINED and arguments.lowercase is not None:
        raise _not_for_a_vocabulary(arguments.lowercase)
    return named(arguments.tokenizer, split=arguments.split, special_tokens=special, lowercase=arguments.lowercase)


def compared(names: Sequence[str], lowercase: bool | None) -> dict[str, Tokenizer]:
    """Load several tokenizers; `lowercase` applies to each vocab.txt. Raises UsageError if there is none.

    >>> list(compared(["gpt2"], None))
    ['gpt2']
    """
    found = {name: named(name) for name in names}
    if lowercase is None:
        return found
    vocabularies = [name for name, tokenizer in found.items() if "normalization" in tokenizer.kept]
    if not vocabularies:
        raise _not_for_a_vocabulary(lowercase)
    return found | {name: named(name, lowercase=lowercase) for name in vocabularies}


def _not_for_a_vocabulary(lowercase: bool) -> UsageError:
    option = "--lowercase" if lowercase else "--no-lowercase"
    return UsageError(_("{option} applies only to a vocab.txt file.", option=option))


def named(name: str, **options: Any) -> Tokenizer:
    """Load a tokenizer by its published name, its model's name on the hub, its file or its address. Raises FormatError.

    >>> named("gtp2")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: 'gtp2' is neither a file nor the name of a published tokenizer. ... Did you mean gpt2?
    """
    if name in PRETRAINED:
        return load_pretrained(name)
    if name.startswith((PREFIX, "https://")) and not is_address(name):  # also the page of a model
        model = parsed_name(name)
        files = fetched_files(model, Progress(_("downloading"), quiet=False))
        clear_line()
        if options.get("split") is None and files.needs_split():
            raise _without_split(name)
        return files.tokenizer(**options)
    if is_address(name):
        fetched = fetch_address(name, Progress(_("downloading"), quiet=False))
        clear_line()
        if options.get("split") is None and not split_is_known(fetched.data):
            raise _without_split(name)
        return from_bytes(fetched.data, fetched.name, **options)
    if Path(name).exists() or len(Path(name).parts) != 1 or Path(name).suffix:
        if options.get("split") is None:
            _require_split(name)
        return load(name, **options)
    similar = get_close_matches(name.lower(), PRETRAINED, 1)
    raise FormatError(
        message("{name} is neither a file nor the name of a published tokenizer.", name=quoted(name)),
        limit=message("Published are {names}.", names=listed(PRETRAINED, last="")),
        remedy=message("Did you mean {name}?", name=similar[0])
        if similar
        else message(
            "Use one of these names, the path of a file, or {prefix} and the name of a model on the hub.",
            prefix=PREFIX,
        ),
    )


def _require_split(path: str) -> None:
    """Raise FormatError for ranks without a known split: the command line has no default for them."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError):
        return  # a folder, or an error that `load` reports
    if len(data) <= MOST_BYTES and not split_is_known(data):
        raise _without_split(path)


def _without_split(name: str) -> FormatError:
    return FormatError(
        message("{file} holds tiktoken's ranks, which do not say how texts are split.", file=quoted(name)),
        limit=message(
            "It is none of the published files that are known. Splits are {splits}, or a regex.",
            splits=listed(tuple(PATTERNS), last=""),
        ),
        remedy=message("Give it with --split; for compare, export the file with --split as bpe-lab first."),
    )
