"""The texts of a corpus one by one: given as str, or read from files in blocks that no word crosses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from typing import TypeAlias

from bpe_core.errors import CorpusError, quoted

Text: TypeAlias = "str | PathLike[str]"
"""A text, or the path of a text file in UTF-8. A plain str is always a text, never a path."""

BLOCK = 1 << 23
"""Bytes of a file that are read at once."""

_CUTTABLE = ("words", "gpt2", "cl100k", "o200k")
# A newline before an ASCII letter or digit ends a word in every named split, and no normalization looks across it.
_SAFE_CUT = re.compile(rb"\n(?=[0-9A-Za-z])")


def each_text(texts: Text | Iterable[Text], split: str = "none") -> Iterator[str]:
    """The texts one by one. A long file comes in several blocks, cut where the named `split` begins a word anyway.

    Raises CorpusError for what is no text, and for a file that cannot be read or is not UTF-8.

    >>> list(each_text("one text")), list(each_text(["two", "texts"]))
    (['one text'], ['two', 'texts'])
    """
    for text in _several(texts):
        if isinstance(text, str):
            yield text
        elif isinstance(text, PathLike):
            yield from _blocks(fspath(text), cuttable=split in _CUTTABLE)
        else:
            raise _not_text(text)


def _several(texts: object) -> Iterable[object]:
    if isinstance(texts, str | PathLike):
        return (texts,)
    if isinstance(texts, bytes | bytearray) or not isinstance(texts, Iterable):
        raise _not_text(texts)
    return texts


def _blocks(path: str, *, cuttable: bool) -> Iterator[str]:
    try:
        with open(path, "rb") as file:
            rest, position = b"", 0
            while block := file.read(BLOCK if cuttable else -1):
                data = rest + block
                cuts = [cut.end() for cut in _SAFE_CUT.finditer(data, max(0, len(data) - BLOCK // 2))]
                end = cuts[-1] if cuttable and cuts else 0
                if end:
                    yield _decoded(data[:end], path, position)
                    position += end
                rest = data[end:]
            if rest:
                yield _decoded(rest, path, position)
    except OSError as error:
        raise CorpusError(
            f"The file {quoted(path)} cannot be read: {error.strerror or error}.",
            limit="A corpus file must exist and be readable.",
            remedy="Check the path.",
        ) from None


def _decoded(data: bytes, path: str, position: int) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"The file {quoted(path)} is not UTF-8 at byte {position + error.start:,} (0x{data[error.start]:02X}).",
            limit="Corpus files are read as UTF-8.",
            remedy="Save it again with the encoding UTF-8.",
        ) from None


def _not_text(value: object) -> CorpusError:
    return CorpusError(
        f"The corpus holds {quoted(value)} of type {type(value).__name__}.",
        limit="A corpus is a str, or an iterable of str and of file paths (os.PathLike).",
        remedy='Decode bytes first, for example with .decode("utf-8").',
    )
