"""Encoding of files to a file of ids, in blocks, so that memory does not grow with the texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.errors import ConfigError, CorpusError, FormatError, quoted, reason_of
from bpe_core.language import listed, message
from bpe_core.text.charsets import check_encoding, decoded_as
from bpe_core.text.files import BLOCK, DIVISIBLE, text_blocks
from bpe_core.text.normalizers import Form, Lowercase, StripAccents
from bpe_core.text.splits import Split
from bpe_core.tokenizer.special_tokens import SpecialToken
from bpe_core.tokenizer.tokenizer import SPECIAL_MODES, Special, Tokenizer

SUFFIXES = (".npy", ".bin")
"""Suffixes of a file of ids: NumPy's format, or the ids alone, little-endian."""

_WITHIN_WORDS = (Form, Lowercase, StripAccents)
"""Normalizer steps whose result for a text is that of its parts joined, see text/files.py."""

_UINT16_IDS = 1 << 16


@dataclass(frozen=True)
class EncodedFiles:
    """Result of `encode_files`.

    path   file of ids
    count  number of ids, separators included
    dtype  "uint16" or "uint32"
    size   bytes of the texts

    >>> EncodedFiles("ids.npy", 10, "uint16", 40).count
    10
    """

    path: str
    count: int
    dtype: str
    size: int


def encode_files(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    tokenizer: Tokenizer,
    out: str | os.PathLike[str],
    *,
    separator: int | None = None,
    special: Special = "text",
    encoding: str = "utf-8",
    on_progress: Callable[[int, int], None] | None = None,
) -> EncodedFiles:
    """Encode text files (UTF-8) in order, and write the ids to `out`: .npy, or .bin for the ids alone.

    The ids equal those of `tokenizer.encode` with the whole text of each file: uint16 for a vocabulary of up to 65,536
    ids, else uint32, little-endian. `separator`: an id written between two files. `on_progress(done, total)` receives
    bytes of text; an exception raised in it cancels the work. `out` appears only when it is complete.

    `encoding`: that of the files; unless it is UTF-8, each file is read as a whole.

    Files are read in blocks that divide no word, each encoded on all cores. If no safe division is known, a file is
    encoded as a whole: with a split that is a regular expression, "none" or a chain of steps, a model that finds the
    words itself, a normalizer beyond Unicode forms, lower case and accents, or parsed special tokens with white space
    in or around their names.

    Raises CorpusError for a file that is unreadable or not UTF-8, FormatError for an unwritable path, TokenIdError for
    a separator that is not a token, ConfigError for another suffix of `out`, another `special`, or an encoding unknown
    to Python.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import load_pretrained
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.txt").write_text("low lower")
    ...     done = encode_files(f"{folder}/a.txt", load_pretrained("gpt2"), f"{folder}/ids.npy")
    ...     done.count, done.dtype, np.load(f"{folder}/ids.npy").tolist()
    (2, 'uint16', [9319, 2793])
    """
    checks.choice(special, "special", SPECIAL_MODES)
    checks.instance(tokenizer, "tokenizer", Tokenizer, message("a Tokenizer"))
    checks.callback(on_progress)
    encoding = check_encoding(encoding)
    names = _names(paths)
    target = Path(checks.file_path(out, use="written"))
    if target.suffix not in SUFFIXES:
        raise ConfigError(
            message("The ids are to be written to {target}.", target=quoted(str(target))),
            limit=message("The name of such a file ends with {names}.", names=listed(SUFFIXES, last="or")),
            remedy=message("Choose another name."),
        )
    between = None if separator is None else _checked(separator, tokenizer)
    dtype = dtype_of(tokenizer)
    total = sum(map(_size, names))
    split = block_split(tokenizer, special)
    writer = _Writer(target, dtype)
    try:
        done = 0
        for at, name in enumerate(names):
            if at and between is not None:
                writer.write(np.array([between], dtype))
            for text in _texts(name, split, encoding):
                writer.write(tokenizer.encode(text, special=special).ids)
                if on_progress is not None:
                    done += len(text.encode()) if encoding == "utf-8" else _size(name)
                    on_progress(done, max(done, total))
        writer.finish()
    finally:
        writer.discard()
    return EncodedFiles(str(target), writer.count, dtype.name, total)


class _Writer:
    """A file of ids, renamed to its final name when complete."""

    def __init__(self, target: Path, dtype: np.dtype[Any]) -> None:
        self.count = 0
        self._target = target
        self._dtype = dtype
        self._path = target.with_name(f".{target.name}.{token_hex(4)}.part")
        self._file: IO[bytes] | None = None
        if target.is_dir():
            raise self._failed(message("it is a folder"))
        try:
            self._file = open(self._path, "xb")  # noqa: SIM115  # closed by finish and discard
            self._write_header()
        except OSError as error:
            self.discard()
            raise self._failed(reason_of(error)) from None

    def write(self, ids: npt.NDArray[Any]) -> None:
        """Write more ids. Raises FormatError if the disk is full."""
        assert self._file is not None
        try:
            self._file.write(ids.astype(self._dtype).data)
        except OSError as error:
            raise self._failed(reason_of(error)) from None
        self.count += len(ids)

    def finish(self) -> None:
        """Move the file to its final name. Raises FormatError if the disk is full."""
        assert self._file is not None
        try:
            self._file.seek(0)
            self._write_header()
            self._file.close()
            os.replace(self._path, self._target)
        except OSError as error:
            raise self._failed(reason_of(error)) from None
        self._file = None

    def discard(self) -> None:
        """Remove an unfinished file."""
        if self._file is None:
            return
        with suppress(OSError):  # closing flushes the rest, for which there may be no space
            self._file.close()
        with suppress(OSError):
            self._path.unlink()
        self._file = None

    def _write_header(self) -> None:
        """Write the header of NumPy's format, with space for a larger count."""
        if self._target.suffix == ".npy":
            assert self._file is not None
            shape = {"descr": self._dtype.str, "fortran_order": False, "shape": (self.count,)}
            np.lib.format.write_array_header_1_0(self._file, shape)

    def _failed(self, reason: str) -> FormatError:
        return FormatError(
            message("{path} cannot be written: {reason}.", path=quoted(str(self._target)), reason=reason),
            limit=message("The ids are first written to a new file in the same folder, which is renamed at the end."),
            remedy=message("Choose another folder, or free disk space."),
        )


def _names(paths: object) -> list[str]:
    several = [paths] if isinstance(paths, str | os.PathLike) else paths
    if not checks.is_iterable(several) or isinstance(several, bytes | bytearray):
        raise CorpusError(
            message("The files are {paths}.", paths=quoted(paths)),
            limit=message("They are a path or several."),
            remedy=message("Give paths of text files."),
        )
    return [checks.file_path(path, error=CorpusError) for path in several]


def _texts(name: str, split: str, encoding: str) -> Iterator[str]:
    try:
        with open(name, "rb") as file:
            if encoding == "utf-8":
                yield from text_blocks(file, name, split, size=BLOCK)
            else:
                yield decoded_as(file.read(), encoding, quoted(name, 200))
    except OSError as error:
        raise _unreadable(name, error) from None


def _size(name: str) -> int:
    try:
        with open(name, "rb"):
            return os.stat(name).st_size
    except OSError as error:
        raise _unreadable(name, error) from None


def _unreadable(name: str, error: OSError) -> CorpusError:
    return CorpusError(
        message("The file {path} cannot be read: {reason}.", path=quoted(name), reason=reason_of(error)),
        limit=message("A text file must exist and be readable."),
        remedy=message("Check the path."),
    )


def _checked(separator: int, tokenizer: Tokenizer) -> int:
    tokenizer.token_bytes(separator)
    return int(separator)


def block_split(tokenizer: Tokenizer, special: Special) -> str:
    """Split by which a text may be divided into blocks that have the ids of the whole; "none" if it must stay whole.

    >>> from bpe_core import load_pretrained
    >>> block_split(load_pretrained("gpt2"), "text")
    'gpt2'
    """
    split, steps = tokenizer.split, tokenizer.normalizer.steps
    if not isinstance(split, Split) or split.by_model or split.pattern not in DIVISIBLE:
        return "none"
    looked_for = [each for each in tokenizer.special_token_flags if special != "text" or not each.special]
    if steps and (looked_for or not all(type(step) in _WITHIN_WORDS for step in steps)):
        return "none"
    return "none" if any(map(_takes_white_space, looked_for)) else split.pattern


def dtype_of(tokenizer: Tokenizer) -> np.dtype[Any]:
    """Smallest type of all ids of a tokenizer, little-endian.

    >>> from bpe_core import load_pretrained
    >>> dtype_of(load_pretrained("gpt2")).name, dtype_of(load_pretrained("cl100k_base")).name
    ('uint16', 'uint32')
    """
    return np.dtype("<u2" if tokenizer.vocab_size <= _UINT16_IDS else "<u4")


def _takes_white_space(token: SpecialToken) -> bool:
    return token.strip_left or token.strip_right or any(char.isspace() for char in token.text)
