"""Bounded decompression of gzip files; other archives are refused."""

from __future__ import annotations

import zlib
from io import BytesIO

from bpe_core.errors import refuse
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.reading import LONGEST_TOKEN, MOST_BYTES, SMALLER_FILE, THE_FILE, at_most, check_size
from bpe_core.formats.reading_memory import of_packed
from bpe_core.language import message
from bpe_core.work import taking

MOST_MEMBERS = 10_000
"""Maximum number of gzip members in a file: enough for 100 MB in bgzip's blocks of 64 KB."""

BEGINNING = 2 * LONGEST_TOKEN
"""Bytes needed to detect the kind of a file: the first token in base64, and more."""

_BLOCK = 1 << 14
"""Compressed bytes per read. After a tiny member, the rest of its block is read again."""

GZIP = b"\x1f\x8b"
"""First bytes of a gzip file."""

_ARCHIVES = {
    b"PK\x03\x04": message("a zip archive"),
    GZIP: message("packed with gzip twice"),
    b"\xfd7zXZ": message("packed with xz"),
    b"BZh": message("packed with bzip2"),
    b"\x28\xb5\x2f\xfd": message("packed with zstd"),
}


def unpacked(data: bytes, what: str = THE_FILE, share: Share = NO_PROGRESS) -> bytes:
    """Decompress a gzip file, to at most MOST_BYTES; other data is returned unchanged.

    `share` receives the progress. Raises FormatError for more bytes, more than MOST_MEMBERS members, damage, and other
    archives, which no reader supports.

    >>> import gzip
    >>> unpacked(gzip.compress(b"low")), unpacked(b"low")
    (b'low', b'low')
    """
    if data.startswith(GZIP):
        with taking(of_packed(data, MOST_BYTES)):
            data = _of_gzip(data, what, share, MOST_BYTES + 1)
        check_size(data, message("{what}, unpacked,", what=what), remedy=SMALLER_FILE)
    for begin, archive in _ARCHIVES.items():
        if data.startswith(begin):
            refuse(
                message("{what} is {archive}.", what=what, archive=archive),
                message("Gzip is the only supported compression."),
                message("Unpack it first."),
            )
    return data


def beginning(data: bytes) -> bytes:
    """The first BEGINNING bytes of `unpacked`. Raises FormatError for damage before their end.

    >>> import gzip
    >>> beginning(gzip.compress(b"low")), beginning(b"low")
    (b'low', b'low')
    """
    return _of_gzip(data, THE_FILE, NO_PROGRESS, BEGINNING) if data.startswith(GZIP) else data[:BEGINNING]


def _of_gzip(data: bytes, what: str, share: Share, most: int) -> bytes:
    """The first `most` bytes of the concatenated members."""
    content = BytesIO()  # hands over its buffer without a copy
    at = members = 0
    try:
        while content.tell() < most and data.startswith(GZIP, at):
            members += 1
            at_most(
                members,
                MOST_MEMBERS,
                message("{what} is packed with gzip in more than {most:,} parts.", what=what, most=MOST_MEMBERS),
                message("Pack it again, as a whole."),
            )
            member = zlib.decompressobj(wbits=31)
            while content.tell() < most and not member.eof:
                block = data[at : at + _BLOCK]
                if not block:
                    refuse(
                        message("{what} ends before all of it is unpacked.", what=what),
                        message("It is packed with gzip."),
                    )
                content.write(member.decompress(block, most - content.tell()))
                at += len(block) - len(member.unused_data)
            share.reached(at, len(data))
    except zlib.error:
        refuse(
            message("{what} is packed with gzip, and damaged.", what=what),
            message("It can be unpacked."),
        )
    return content.getvalue()
