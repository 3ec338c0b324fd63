"""Shards of an encoded corpus: a worker encodes a part, and writes its ids to a .npy file of a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.cluster.libraries import library
from bpe_core.cluster.parts import Part
from bpe_core.cluster.reading import texts_of
from bpe_core.cluster.reports import Report
from bpe_core.errors import BpeError, CorpusError, FormatError, quoted, reason_of
from bpe_core.kernels import backend, threads
from bpe_core.language import message
from bpe_core.text.batches import in_batches
from bpe_core.tokenizer.tokenizer import Special, Tokenizer

PLAN = "corpus.json"
"""File next to the shards, with the files, the tokenizer and the settings."""

_HEADER = 128
"""Bytes of the header of a shard, whatever its number of ids."""


class Ids(NamedTuple):
    """Settings by which the texts of a corpus become ids.

    split        split by which a text is divided into blocks; "none" if it cannot be
    special      treatment of special tokens in the texts, as in `Tokenizer.encode`
    end_of_text  id written after every text, or None
    dtype        "<u2" or "<u4"

    >>> Ids("gpt2", "text", 50256, "<u2").of(np.array([7])).tolist()
    [7]
    """

    split: str
    special: Special
    end_of_text: int | None
    dtype: str

    def of(self, ids: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Ids in the type of the shards.

        >>> Ids("gpt2", "text", None, "<u2").of(np.array([1, 2])).dtype
        dtype('uint16')
        """
        return ids.astype(self.dtype)

    @property
    def end(self) -> npt.NDArray[Any]:
        """Ids written after every text.

        >>> Ids("gpt2", "text", None, "<u2").end.tolist()
        []
        """
        return self.of(np.array([] if self.end_of_text is None else [self.end_of_text], np.int64))


class Folder:
    """A folder of shards, at an fsspec address.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     folder = Folder(place)
    ...     folder.write(3, [np.array([7, 8], "<u2")])
    ...     folder.counts("<u2"), np.load(f"{place}/0000003.npy").tolist()
    ({3: 2}, [7, 8])
    """

    def __init__(self, address: str, options: Mapping[str, Any] | None = None) -> None:
        self.address = address
        self._options = dict(options or {})

    def write(self, number: int, ids: list[npt.NDArray[Any]]) -> None:
        """Write the shard of a part: at least one array. Raises FormatError if it cannot be written."""
        header = {"descr": ids[0].dtype.str, "fortran_order": False, "shape": (sum(map(len, ids)),)}
        with self._place() as (system, path), system.open(f"{path}/{number:07d}.npy", "wb") as file:
            np.lib.format.write_array_header_1_0(file, header)
            for several in ids:
                file.write(several.tobytes())

    def counts(self, dtype: str) -> dict[int, int]:
        """Number of ids of every complete shard, by the number of its part; truncated files are left out.

        Raises FormatError if the folder cannot be used.
        """
        width, found = np.dtype(dtype).itemsize, {}
        with self._place() as (system, path):
            for each in system.ls(path, detail=True):
                name = each["name"].rsplit("/", 1)[-1]
                count, rest = divmod(int(each["size"]) - _HEADER, width)
                if name.endswith(".npy") and name[:-4].isdigit() and rest == 0 and count >= 0:
                    with suppress(ValueError), system.open(each["name"], "rb") as file:
                        np.lib.format.read_magic(file)
                        if np.lib.format.read_array_header_1_0(file) == ((count,), False, np.dtype(dtype)):
                            found[int(name[:-4])] = count
        return found

    def plan(self) -> dict[str, Any] | None:
        """Content of corpus.json, {} if it is unreadable, or None for an empty folder, which is created if missing.

        Raises FormatError if the folder cannot be used.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as place:
        ...     folder = Folder(f"{place}/ids")
        ...     folder.plan() is None, folder.write_plan({"parts": 3}), folder.plan()
        (True, None, {'parts': 3})
        """
        with self._place() as (system, path):
            system.makedirs(path, exist_ok=True)
            if not system.exists(f"{path}/{PLAN}"):
                return {} if system.ls(path) else None
            with suppress(ValueError), system.open(f"{path}/{PLAN}", "rb") as file:  # truncated, or another file
                plan = json.load(file)
                return plan if isinstance(plan, dict) else {}
            return {}

    def write_plan(self, plan: Mapping[str, Any]) -> None:
        """Write corpus.json. Raises FormatError if it cannot be written.

        >>> Folder("/dev/null").write_plan({})
        Traceback (most recent call last):
            ...
        bpe_core.errors.FormatError: '/dev/null' cannot be written: ...
        """
        with self._place() as (system, path), system.open(f"{path}/{PLAN}", "wb") as file:
            file.write(json.dumps(plan, indent=1).encode())

    @contextmanager
    def _place(self) -> Iterator[tuple[Any, str]]:
        """File system and path of the folder. Errors of its library within the `with` block become FormatError."""
        try:
            system, path = library("fsspec.core").url_to_fs(self.address, **self._options)
            yield system, path.rstrip("/")
        except (BpeError, MemoryError):
            raise
        except Exception as error:  # every protocol's library raises different errors
            reason = reason_of(error).split("\n")[0] or type(error).__name__
            raise FormatError(
                message("{path} cannot be written: {reason}.", path=quoted(self.address, 200), reason=reason),
                limit=message("The shards are written to a folder that this machine and all workers can reach."),
                remedy=message("Choose another folder, or free disk space."),
            ) from None


def encode_part(
    part: Part, tokenizer: Tokenizer, ids: Ids, folder: Folder, options: Mapping[str, Any] | None = None
) -> Report:
    """Encode a part in one thread, and write its shard. A damaged part has a problem and no shard.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import load_pretrained
    >>> from bpe_core.cluster.parts import parts_of
    >>> with TemporaryDirectory() as place:
    ...     part = parts_of("README.md", "gpt2")[0]
    ...     report = encode_part(part, load_pretrained("gpt2"), Ids("gpt2", "text", None, "<u2"), Folder(place))
    ...     report.ids == len(np.load(f"{place}/0000000.npy"))
    True
    """
    backend.warm_up()
    try:
        with threads.at_most(1):
            found = [*_ids(part, tokenizer, ids, options), ids.of(np.zeros(0, np.int64))]
    except CorpusError as error:
        return Report.damaged(part, error)
    folder.write(part.number, found)
    return Report(part.number, part.bytes, ids=sum(map(len, found)))


def _ids(part: Part, tokenizer: Tokenizer, ids: Ids, options: Mapping[str, Any] | None) -> Iterator[npt.NDArray[Any]]:
    texts, end = texts_of(part, ids.split, options), ids.end
    if part.kind == "text":
        for block in texts:
            yield ids.of(tokenizer.encode(block, special=ids.special).ids)
        if part.stop >= part.size:
            yield end
        return
    for several in in_batches(texts):
        encodings = tokenizer.encode_batch(several, special=ids.special)
        yield ids.of(np.concatenate([each for encoding in encodings for each in (encoding.ids, end)]))
