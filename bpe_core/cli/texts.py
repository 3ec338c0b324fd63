"""Texts of the command line's help that several options share, and the limits of commands."""

from __future__ import annotations

from bpe_core.cli import commands
from bpe_core.drawing import spans as drawing
from bpe_core.formats import reading
from bpe_core.language import TranslatableMessage, _, joined, message, translate
from bpe_core.published.pretrained import PRETRAINED
from bpe_core.sentencepiece import training as sentencepiece
from bpe_core.text import small_corpus
from bpe_core.text.pattern_limits import MOST_REPEATS
from bpe_core.tokenizer.special_tokens import HIGHEST_ID as HIGHEST_SPECIAL
from bpe_core.tokenizer.token_ranges import MOST_TOKEN_BYTES


def default_is(value: str) -> str:
    """The default of an option.

    >>> default_is("gpt2")
    'default: gpt2'
    """
    return _("default: {value}", value=value)


def which_tokenizer() -> str:
    """Help on how to name a tokenizer.

    >>> which_tokenizer().startswith("gpt2, ")
    True
    """
    return _(
        "{names}, the path of a file, its https address, or hf:OWNER/NAME or hf:OWNER/NAME@REVISION for a model on "
        "the Hugging Face hub, from which its tokenizer files are downloaded",
        names=", ".join(PRETRAINED),
    )


def format_of_file() -> str:
    """Help on the default format of a file.

    >>> "bpe-lab" in format_of_file()
    True
    """
    return _(
        "format of the file, whatever its name (default: {format}, which holds all but BoundlessBPE)",
        format=commands.DEFAULT_FORMAT,
    )


def which_split() -> str:
    """Help on the values of a split.

    >>> which_split()[:12]
    'none, words,'
    """
    return _(
        "none, words, gpt2 (default), cl100k, o200k or a regex, which may repeat at most {most:,} times",
        most=MOST_REPEATS,
    )


def addresses() -> str:
    """Help on the addresses of a corpus's files.

    >>> addresses()[:9]
    'addresses'
    """
    return _("addresses of fsspec, such as 's3://bucket/*.jsonl.zst', with the options of a corpus")


def train_limits() -> str:
    """Limits of a training.

    >>> train_limits()[:7]
    'Limits:'
    """
    return _(
        "Limits: bpe trains on texts of any size; wordpiece and unigram on {most} MB together, sentencepiece on "
        "{most_of_sentencepiece:,} KB. Tokens of more than {most_of_tokens} MB together, as long ones may be with "
        "--split none, are not saved.",
        most=small_corpus.MOST_BYTES // 10**6,
        most_of_sentencepiece=sentencepiece.MOST_BYTES // 1024,
        most_of_tokens=MOST_TOKEN_BYTES // 10**6,
    )


def file_limits() -> TranslatableMessage:
    """Limits of a tokenizer file.

    >>> file_limits()[:7]
    'Limits:'
    """
    return message(
        "Limits: a tokenizer file has at most {most} MB and {tokens:,} tokens, of {most_of_tokens} MB together; the "
        "highest id of a special token is {highest:,}.",
        most=reading.MOST_BYTES // 10**6,
        tokens=reading.MOST_TOKENS,
        most_of_tokens=MOST_TOKEN_BYTES // 10**6,
        highest=HIGHEST_SPECIAL,
    )


def limits() -> str:
    """Limits of a tokenizer file and of a text.

    >>> limits().endswith("A text has less than 2 GiB.")
    True
    """
    return translate(joined(file_limits(), message("A text has less than 2 GiB.")))


def draw_limits() -> str:
    """Limits of a picture.

    >>> draw_limits()[:7]
    'Limits:'
    """
    return _(
        "Limits: a picture has at most {tokens:,} tokens and {characters:,} characters, and is {least} to {most:,} px "
        "wide. PNG is made in the app.",
        tokens=drawing.MOST_TOKENS,
        characters=drawing.MOST_CHARACTERS,
        least=drawing.LEAST_WIDTH,
        most=drawing.MOST_WIDTH,
    )
