"""Exceptions of bpe_core: one base class, and a message of value, limit and remedy.

BpeError
├── ConfigError       an impossible setting, step or pair
├── CorpusError       a text that cannot be used this way
├── TokenIdError      an id that is not in the vocabulary
├── VocabularyError   a missing or damaged vocabulary file, or an impossible vocabulary
├── FormatError       an unreadable tokenizer file, or a tokenizer that the format cannot represent
├── HubError          a Hugging Face model whose tokenizer is unavailable
└── ClusterError      a cluster that is unreachable, or that cannot do the work
"""

from __future__ import annotations

import errno
from typing import NoReturn

from bpe_core.language import in_language, joined, message

GET_AGAIN = message(
    "If its own library reads the file, BPE Lab does not support this; if not, get or save the file again."
)

_REASONS = {
    errno.EPERM: message("Operation not permitted"),
    errno.ENOENT: message("No such file or directory"),
    errno.EIO: message("Input/output error"),
    errno.ENOMEM: message("Cannot allocate memory"),
    errno.EACCES: message("Permission denied"),
    errno.EBUSY: message("Device or resource busy"),
    errno.EEXIST: message("File exists"),
    errno.ENOTDIR: message("Not a directory"),
    errno.EISDIR: message("Is a directory"),
    errno.EINVAL: message("Invalid argument"),
    errno.EMFILE: message("Too many open files"),
    errno.EFBIG: message("File too large"),
    errno.ENOSPC: message("No space left on device"),
    errno.EROFS: message("Read-only file system"),
    errno.ENAMETOOLONG: message("File name too long"),
    errno.ELOOP: message("Too many levels of symbolic links"),
    errno.EDQUOT: message("Disk quota exceeded"),
}
"""Linux's error messages for files that cannot be read or written."""


class BpeError(Exception):
    """Error in three parts, joined for the message, which is in English.

    `problem` names the value, `limit` what is allowed, `remedy` what to do about it. The parts are plain text and may
    contain user input: show them as text, never as markup. They keep the `TranslatableMessage` objects that they were
    raised with.

    >>> str(BpeError("vocab_size is 3.", limit="The least is 256.", remedy="Ask for more."))
    'vocab_size is 3. The least is 256. Ask for more.'
    """

    def __init__(self, problem: str, *, limit: str = "", remedy: str = "") -> None:
        self.problem = problem
        self.limit = limit
        self.remedy = remedy
        super().__init__(" ".join(part for part in (problem, limit, remedy) if part))

    def in_language(self, language: str) -> str:
        """Translate the whole error, for a terminal.

        >>> from bpe_core.language import message
        >>> BpeError(message("{name} is 3.", name="n"), remedy=message("Correct it.")).in_language("en")
        'n is 3. Correct it.'
        """
        return in_language(joined(self.problem, self.limit, self.remedy), language)


class ConfigError(BpeError):
    """An impossible setting, step or pair.

    `least`: the smallest sufficient vocabulary size, if the text needs a larger one.

    >>> ConfigError("vocab_size is 3.", limit="The least for this text is 4.", least=4).least
    4
    """

    def __init__(self, problem: str, *, limit: str = "", remedy: str = "", least: int | None = None) -> None:
        super().__init__(problem, limit=limit, remedy=remedy)
        self.least = least


class CorpusError(BpeError):
    """A text that cannot be used this way.

    >>> from bpe_core import load_pretrained
    >>> load_pretrained("gpt2").encode("<|endoftext|>", special="raise")
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: ...
    """


class TokenIdError(BpeError):
    """A token id that is not in the vocabulary.

    >>> from bpe_core import load_pretrained
    >>> load_pretrained("gpt2").decode([60_000])
    Traceback (most recent call last):
        ...
    bpe_core.errors.TokenIdError: ...
    """


class VocabularyError(BpeError):
    """A missing or damaged vocabulary file, or an impossible vocabulary.

    >>> from bpe_core.wordpiece.model import wordpiece_tokenizer
    >>> wordpiece_tokenizer(["low", "##er"], special_tokens=[])
    Traceback (most recent call last):
        ...
    bpe_core.errors.VocabularyError: ...
    """


class FormatError(BpeError):
    """An unreadable tokenizer file, or a tokenizer that the format cannot represent.

    >>> from bpe_core import formats
    >>> formats.from_bytes(b"Dear diary,")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: Line 1 is 'Dear diary,'. A line of a vocab.txt is one token. ...
    """


class HubError(BpeError):
    """A Hugging Face model whose tokenizer is unavailable: missing, gated, without tokenizer, unreachable.

    >>> from bpe_core import load_from_hub
    >>> load_from_hub("a model")
    Traceback (most recent call last):
        ...
    bpe_core.errors.HubError: 'a model' is not the name of a model on the hub. A name is owner/name, ...
    """


class ClusterError(BpeError):
    """A cluster that is unreachable, or that cannot do the work.

    >>> from bpe_core.cluster import count_corpus
    >>> count_corpus("README.md", scheduler="nowhere")
    Traceback (most recent call last):
        ...
    bpe_core.errors.ClusterError: The scheduler 'nowhere' ...
    """


def refuse(problem: str, limit: str, remedy: str = GET_AGAIN) -> NoReturn:
    """Raise FormatError with value, limit and remedy.

    >>> refuse("The file is empty.", "A file has a line per token.")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file is empty. A file has a line per token. If its own library reads the file, \
BPE Lab does not support this; if not, get or save the file again.
    """
    raise FormatError(problem, limit=limit, remedy=remedy)


def reason_of(error: Exception) -> str:
    """Why a file cannot be read or written: a message if the operating system's reason is a common one.

    >>> reason_of(OSError(2, "No such file or directory")), reason_of(ValueError("embedded null byte"))
    ('No such file or directory', 'embedded null byte')
    """
    if not isinstance(error, OSError):
        return str(error)
    return _REASONS.get(error.errno or 0) or error.strerror or str(error)


def unreadable(name: str, error: OSError) -> CorpusError:
    """The error for a file of texts that the operating system cannot read.

    >>> print(unreadable("a.csv", OSError(2, "No such file or directory")).problem)
    'a.csv' cannot be read: No such file or directory.
    """
    return CorpusError(
        message("{file} cannot be read: {reason}.", file=quoted(name), reason=reason_of(error)),
        limit=message("A file of texts must exist and be readable."),
        remedy=message("Check the path."),
    )


def quoted(value: object, longest: int = 60) -> str:
    """`value` as a Python literal, shortened to `longest` characters, for error messages.

    >>> quoted("a" * 100, longest=10)
    "'aaaaaaaa…"
    """
    try:
        shown = repr(value)
    except ValueError:  # Python does not format numbers of more than 4,300 digits
        shown = f"<{type(value).__name__}>"
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"
