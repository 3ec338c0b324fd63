"""Texts of a corpus, one by one: each a str, or a file read in blocks that no word crosses."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from os import PathLike
from os.path import isfile
from typing import Protocol, TypeAlias

import regex

from bpe_core import checks
from bpe_core.checks import file_path
from bpe_core.errors import CorpusError, quoted, reason_of
from bpe_core.language import joined, message
from bpe_core.text.charsets import utf8_remedy
from bpe_core.text.split_tables import as_the_library_sees

Text: TypeAlias = "str | PathLike[str]"
"""A text, or the path of a UTF-8 text file. A plain str is always a text, never a path."""


class Readable(Protocol):
    """Source of a file's bytes.

    >>> from io import BytesIO
    >>> file: Readable = BytesIO(b"low")
    """

    def read(self, size: int = -1, /) -> bytes:
        """Read at most `size` bytes, all for -1; none at the end."""


BLOCK = 1 << 23
"""Bytes of a file read at a time, if the split lets it be divided."""

DIVISIBLE = ("words", "gpt2", "cl100k", "o200k")
"""Splits that allow blocks: their words are the same in the blocks and in the whole text."""

# A file may be divided at these places, so that for every named split the words of the parts are those of the whole:
#
# 1. Before a space or tab that follows a visible character.
# 2. Before a carriage return or newline that follows a letter or number (\p{L}, \p{N}).
# 3. After a newline between two visible characters, the second of which is not a slash.
#
# Patterns. In every alternative white space comes first (` ?`, `[^\r\n\p{L}\p{N}]?`, `\s*`), or as newlines and slashes
# after a run of punctuation (`[^\s\p{L}\p{N}]+[\r\n/]*`). So a match that includes the character before a place of kind
# 1 or 2 cannot continue past it: for the first part, the next character acts like the end of the text. At 3 the newline
# belongs to the punctuation before it, or is a word by itself, since a visible character follows: `\s*[\r\n]`,
# `\s+(?!\S)` and `\s++$` match it at the end of the first part as `\s*[\r\n]` and `\s+` do in the whole. Lookaheads see
# one character past a run of white space; earlier runs end at the visible character before the place. And since no
# pattern looks back, the second part is split as it would be in the whole.
#
# Normalization. A visible character here has no white space in its compatibility decomposition (which excludes ´), and
# this begins with a letter, number, punctuation or symbol: starters, removed neither as accents nor as control
# characters. So it is visible in every form, even if it composes with its neighbours. A letter or number for 2
# decomposes to nothing else (which excludes é, whose accent "cl100k" would join to the newline, and ⑴, which becomes a
# parenthesis), and is one for tiktoken and the tokenizers library, too. ASCII white space is unchanged by every form,
# by lower case and by dropping accents; it composes with nothing, and marks are not reordered across it. The rule for a
# final Σ looks for a cased character past those that are case-ignorable: white space is neither, so it ends the search
# as the end of a text does. Only where control characters are dropped do newlines become spaces, for which 3 is not
# valid: callers then pass "none".
#
# UTF-8. ASCII bytes are never part of another character, and the characters next to them are decoded.
_WHITE_SPACE = re.compile(rb"(?<=[^\x00-\x20\x7f])[ \t\r\n]")
_STRIDE = 1 << 12
_MOST_LOOKED_AT = 20_000
"""Number of places tried in a block; in ordinary text one of the first few is valid."""

_LOOKED_AT_FOR_NAMES = 100
"""Number of first texts that are checked for being the name of a file: a list of names begins with one."""
_LONGEST_NAME = 255
_FILE_NAME = re.compile(r"[^\0\n]*\.\w{1,8}")

_LETTERS_AND_NUMBERS = regex.compile(r"[\p{L}\p{N}]+")
_VISIBLE = regex.compile(r"(?!\ufffd)[\p{L}\p{N}\p{P}\p{S}][^\s\p{C}]*")


def each_text(texts: Text | Iterable[Text], split: str = "none") -> Iterator[str]:
    """Yield the texts one by one, those of lists in turn. A long file is read in blocks that end where a word ends, if
    `split` allows it.

    Raises CorpusError for anything that is not text, and for a file that is unreadable or not UTF-8. Warns if one of
    the first texts is the name of a file.

    >>> list(each_text("one text")), list(each_text(["two", "texts"])), list(each_text([["one", "batch"], ["more"]]))
    (['one text'], ['two', 'texts'], ['one', 'batch', 'more'])
    """
    number = 0
    for given in _several(texts):
        for text in given if isinstance(given, list) else (given,):  # batches, as generators of corpora yield them
            if isinstance(text, str):
                if number < _LOOKED_AT_FOR_NAMES:
                    _warn_of_name(text)
                    number += 1
                yield text
            elif isinstance(text, PathLike):
                yield from _blocks(file_path(text, error=CorpusError), split)
            else:
                raise _not_text(text)


def _warn_of_name(text: str) -> None:
    """Warn if a text is the name of an existing file, because most likely the file was meant."""
    if len(text) <= _LONGEST_NAME and _FILE_NAME.fullmatch(text) and isfile(text):
        warnings.warn(
            joined(
                message("The text {text} is the name of a file, and is used as text.", text=quoted(text)),
                message("For the content of the file give a path: Path({text}).", text=repr(text)),
            ),
            UserWarning,
            stacklevel=2,
        )


def _several(texts: object) -> Iterable[object]:
    if isinstance(texts, str | PathLike):
        return (texts,)
    if isinstance(texts, bytes | bytearray | Mapping) or not checks.is_iterable(texts):
        raise _not_text(texts)
    return texts


def text_blocks(file: Readable, name: str, split: str, *, position: int = 0, size: int | None = None) -> Iterator[str]:
    """Yield the text of an open file in blocks that end where a word ends; as one block if `split` forbids it.

    `name`, `position`: for errors, the file's name and the offset of its first byte. `size`: bytes per read, BLOCK if
    None. Raises CorpusError for bytes that are not UTF-8.

    >>> from io import BytesIO
    >>> list(text_blocks(BytesIO(b"two words of a file"), "file", "gpt2", size=8))
    ['two words of a', ' file']
    """
    size = BLOCK if size is None else size
    divides = split in DIVISIBLE
    rest = b""
    while block := file.read(size if divides else -1):
        data = rest + block
        end = _last_place(data, max(0, len(data) - size // 2)) if divides else 0
        if end:
            yield _decoded(data[:end], name, position)
            position += end
        rest = data[end:]
    if rest:
        yield _decoded(rest, name, position)


def _blocks(path: str, split: str) -> Iterator[str]:
    try:
        with open(path, "rb") as file:
            yield from text_blocks(file, path, split)
    except OSError as error:
        raise CorpusError(
            message("The file {path} cannot be read: {reason}.", path=quoted(path), reason=reason_of(error)),
            limit=message("A corpus file must exist and be readable."),
            remedy=message("Check the path."),
        ) from None


def _last_place(data: bytes, first: int) -> int:
    """Last place from byte `first` on where the data may be divided; 0 if there is none.

    >>> _last_place(b"two words\\n\\n", 0), _last_place(b"!\\r\\n!", 0), _last_place("。\\n行".encode(), 0)
    (9, 0, 4)
    """
    places = (_place(data, at) for at in islice(_white_space(data, first), _MOST_LOOKED_AT))
    return next(filter(None, places), 0)


def first_place(data: bytes, first: int, stop: int) -> int:
    """First place at white space from byte `first` up to `stop` where the data may be divided; 0 if there is none.

    Up to four bytes before `first` and five from `stop` on are examined.

    >>> first_place(b"two words\\n\\n", 4, 11), first_place(b"two words", 4, 9), first_place(b"a\\nb", 1, 2)
    (9, 0, 1)
    """
    found = (match.start() for match in _WHITE_SPACE.finditer(data, first, stop))
    return next(filter(None, (_place(data, at) for at in islice(found, _MOST_LOOKED_AT))), 0)


def _place(data: bytes, at: int) -> int:
    """Place at the white space `at` where the data may be divided; 0 if it may not."""
    before = data[max(0, at - 4) : at].decode("utf-8", "ignore")[-1:]
    if data[at] in b" \t":
        return at if _is_visible(before) else 0
    if _is_letter_or_number(before):
        return at
    if data[at] == ord("\n") and _is_visible(before):
        following = data[at + 1 : at + 5].decode("utf-8", "ignore")[:1]
        if _is_visible(following) and not _decomposed(following).startswith("/"):
            return at + 1
    return 0


def _white_space(data: bytes, first: int) -> Iterator[int]:
    """Places of ASCII white space after neither white space nor an ASCII control character, in descending order."""
    for stop in range(len(data), first, -_STRIDE):
        yield from reversed([found.start() for found in _WHITE_SPACE.finditer(data, max(first, stop - _STRIDE), stop)])


def _decomposed(char: str) -> str:
    return unicodedata.normalize("NFKD", char)


@lru_cache(maxsize=4096)
def _is_visible(char: str) -> bool:
    return _VISIBLE.fullmatch(_decomposed(char)) is not None and not char.isspace()


@lru_cache(maxsize=4096)
def _is_letter_or_number(char: str) -> bool:
    return _LETTERS_AND_NUMBERS.fullmatch(_decomposed(char)) is not None and as_the_library_sees(char) == char


def _decoded(data: bytes, path: str, position: int) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(
            message(
                "The file {path} is not UTF-8 at byte {position:,} (0x{byte:02X}).",
                path=quoted(path, 200),
                position=position + error.start,
                byte=data[error.start],
            ),
            limit=message("Corpus files are read as UTF-8."),
            remedy=utf8_remedy(data),
        ) from None


def _not_text(value: object) -> CorpusError:
    return CorpusError(
        message("The corpus holds {value} of type {type}.", value=quoted(value), type=type(value).__name__),
        limit=message("A corpus is a str, or an iterable of str and of file paths (os.PathLike)."),
        remedy=message("Give its texts as a list; count_words counts their words.")
        if isinstance(value, Mapping)
        else message('Decode bytes first, for example with .decode("utf-8").'),
    )
