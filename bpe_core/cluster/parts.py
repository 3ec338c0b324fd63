"""Parts of a corpus: files at fsspec addresses in a fixed order, divided into byte ranges where possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from typing import Any, Literal, NamedTuple

from bpe_core import checks
from bpe_core.cluster.libraries import library
from bpe_core.errors import ConfigError, CorpusError, quoted, reason_of
from bpe_core.language import message
from bpe_core.text.files import DIVISIBLE
from bpe_core.text.word_counts import MOST_PARTS

Kind = Literal["text", "jsonl", "parquet"]
KINDS = ("auto", "text", "jsonl", "parquet")

BLOCK = 64_000_000
"""Default size of a part in bytes; larger if there would be too many parts."""

_DEFAULT_PARTS = 4_096

_SUFFIXES: dict[str, Kind] = {"txt": "text", "jsonl": "jsonl", "ndjson": "jsonl", "parquet": "parquet", "pq": "parquet"}
_COMPRESSIONS = {"gz": "gzip", "gzip": "gzip", "zst": "zstd", "zstd": "zstd"}


class Part(NamedTuple):
    """Unit of counting: a file or a byte range of it.

    number       its place in the corpus
    address      the file
    kind         "text" is one text, "jsonl" has one object per line, "parquet" has columns
    compression  "gzip", "zstd" or ""
    field        the field or column of the texts; "" for "text"
    block        bytes per range
    start        first byte of the range: a multiple of `block`
    size         bytes of the whole file; 0 if unknown
    whole        whether the part is the whole file

    >>> Part(0, "a.txt", "text", "", "", 100, 0, 40, True).stop
    40
    """

    number: int
    address: str
    kind: Kind
    compression: str
    field: str
    block: int
    start: int
    size: int
    whole: bool

    @property
    def stop(self) -> int:
        """Nominal end of the range, before it is moved to a safe division point."""
        return self.size if self.whole else min(self.start + self.block, self.size)

    @property
    def bytes(self) -> int:
        """Number of bytes of the file that it covers.

        >>> Part(0, "a.txt", "text", "", "", 30, 30, 40, False).bytes
        10
        """
        return self.stop - self.start

    @property
    def name(self) -> str:
        """The file and the byte range, for messages.

        >>> Part(3, "a.txt", "text", "", "", 1000, 1000, 1500, False).name
        "'a.txt', bytes 1,000 to 1,500"
        """
        file = quoted(self.address, 200)
        if self.whole:
            return file
        return message("{file}, bytes {start:,} to {stop:,}", file=file, start=self.start, stop=self.stop)


def parts_of(
    addresses: str | PathLike[str] | Iterable[str | PathLike[str]],
    split: str,
    *,
    kind: str = "auto",
    field: str | None = None,
    block: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> list[Part]:
    """The parts of all files, in the order of the addresses, then of file names where an address is a pattern.

    The suffix determines kind and compression: .txt is text, .jsonl and .ndjson are JSON lines, .parquet and .pq are
    Parquet; all others are text, or JSON lines if `field` is given. .gz and .zst are decompressed while reading. A
    compressed file is one part, and so is a text whose split does not permit division.

    Raises CorpusError for addresses without files, and ConfigError for invalid settings.

    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "b.txt").write_bytes(b"a" * 50)
    ...     _ = Path(folder, "a.jsonl.gz").write_bytes(b"")
    ...     parts = parts_of(f"{folder}/*", "gpt2", block=40)
    >>> [(part.number, part.kind, part.compression, part.start, part.stop) for part in parts]
    [(0, 'jsonl', 'gzip', 0, 0), (1, 'text', '', 0, 40), (2, 'text', '', 40, 50)]
    """
    checks.choice(kind, "kind", KINDS)
    if block is not None:
        block = checks.whole_number(block, "block", 1)
    field = (
        None if field is None else checks.utf8_text(field, message("The field of the texts"), wanted=message("a name"))
    )
    files = list(_files(addresses, dict(options or {})))
    if block is None:
        block = max(BLOCK, sum(size for _, size in files) // _DEFAULT_PARTS)
    parts: list[Part] = []
    for address, size in files:
        found, compression = _kind(address, kind, field)
        named = "" if found == "text" else "text" if field is None else field
        divides = size > 0 and not compression and (found != "text" or split in DIVISIBLE)
        starts = range(0, size, block) if divides else range(1)
        if len(parts) + len(starts) > MOST_PARTS:
            raise ConfigError(
                message(
                    "With blocks of {block:,} bytes there are more than {most:,} parts.", block=block, most=MOST_PARTS
                ),
                limit=message("The most is {most:,}.", most=MOST_PARTS),
                remedy=message("Ask for larger blocks."),
            )
        whole = len(starts) == 1
        parts += [
            Part(len(parts) + i, address, found, compression, named, block, start, size, whole)
            for i, start in enumerate(starts)
        ]
    return parts


def _files(addresses: object, options: dict[str, Any]) -> Iterable[tuple[str, int]]:
    """Every file and its size, 0 if unknown."""
    several = (addresses,) if isinstance(addresses, str | PathLike) else addresses
    if isinstance(several, bytes) or not checks.is_iterable(several):
        raise _not_addresses(several)
    url_to_fs = library("fsspec.core").url_to_fs
    for each in several:
        if not isinstance(each, str | PathLike):
            raise _not_addresses(each)
        address = fspath(each)
        try:
            system, path = url_to_fs(address, **options)
            has_pattern = any(sign in path for sign in "*?[") and not system.exists(path)
            found = sorted(system.glob(path)) if has_pattern else [path]
            sizes = [(system.unstrip_protocol(name), system.info(name)) for name in found]
        except ImportError as error:  # a protocol's library is missing, such as s3fs
            raise CorpusError(
                message("{address} cannot be read: {reason}.", address=quoted(address), reason=str(error)),
                limit=message("Each protocol of fsspec needs its library."),
                remedy=message("Install it, here and on the workers."),
            ) from None
        except MemoryError:
            raise
        except Exception as error:  # every protocol's library raises different errors
            reason = reason_of(error) or type(error).__name__
            raise _unreadable(address, reason) from None
        sizes = [(name, info) for name, info in sizes if not has_pattern or info.get("type") != "directory"]
        if not sizes:
            raise CorpusError(
                message("No file matches {address}.", address=quoted(address)),
                limit=message("An address is that of a file, or a pattern with * that some match."),
                remedy=message("Check the address."),
            )
        for name, info in sizes:
            if info.get("type") == "directory":
                raise _unreadable(address, message("it is a folder"))
            yield (name.removeprefix("file://") if "://" not in address else name), int(info.get("size") or 0)


def _kind(address: str, kind: str, field: str | None) -> tuple[Kind, str]:
    """Kind and compression of a file."""
    names = address.split("?")[0].lower().rsplit("/", 1)[-1].split(".")
    compression = _COMPRESSIONS.get(names[-1], "") if len(names) > 1 else ""
    suffix = names[-2 if compression and len(names) > 2 else -1]
    if kind != "auto":
        return kind, compression  # type: ignore[return-value]
    return _SUFFIXES.get(suffix, "text" if field is None else "jsonl"), compression


def _unreadable(address: str, reason: str) -> CorpusError:
    return CorpusError(
        message("{address} cannot be read: {reason}.", address=quoted(address, 200), reason=reason),
        limit=message("An address is that of a file, or a pattern with * for several."),
        remedy=message("Check the address, and that this machine and the workers may read it."),
    )


def _not_addresses(value: object) -> CorpusError:
    return CorpusError(
        message("The corpus is {value} of type {type}.", value=quoted(value), type=type(value).__name__),
        limit=message("It is an address, or an iterable of addresses."),
        remedy=message("Write for example 's3://bucket/*.jsonl.zst'."),
    )
