"""Files packed with gzip, unpacked in bounded memory; other archives are refused."""

from __future__ import annotations

import zlib
from io import BytesIO

from bpe_core.formats.progress import UNTOLD, Share
from bpe_core.formats.reading import LONGEST_TOKEN, MOST_BYTES, SMALLER_FILE, THE_FILE, check_size, refuse
from bpe_core.language import message

MOST_MEMBERS = 10_000
"""The most parts of a file that was packed in parts: enough for 100 MB in blocks of 64 KB, as bgzip writes them."""

BEGINNING = 2 * LONGEST_TOKEN
"""Bytes that tell which kind of file it is: the first token in base64, and more."""

_BLOCK = 1 << 14
"""Packed bytes that are read at once. A part of a few bytes leaves the rest of its block to be read again."""

GZIP = b"\x1f\x8b"
"""What a file begins with that was packed with gzip."""

_ARCHIVES = {
    b"PK\x03\x04": message("a zip archive"),
    GZIP: message("packed with gzip twice"),
    b"\xfd7zXZ": message("packed with xz"),
    b"BZh": message("packed with bzip2"),
    b"\x28\xb5\x2f\xfd": message("packed with zstd"),
}


def unpacked(data: bytes, what: str = THE_FILE, share: Share = UNTOLD) -> bytes:
    """The content of a file that was packed with gzip, or the data itself; at most MOST_BYTES are ever unpacked.

    `share` is told how much was read. Raises FormatError for more bytes, for more than MOST_MEMBERS, for damage, and
    for other archives, whose content no reader asks for.

    >>> import gzip
    >>> unpacked(gzip.compress(b"low")), unpacked(b"low")
    (b'low', b'low')
    """
    if data.startswith(GZIP):
        data = _of_gzip(data, what, share, MOST_BYTES + 1)
        check_size(data, message("{what}, unpacked,", what=what), remedy=SMALLER_FILE)
    for begin, archive in _ARCHIVES.items():
        if data.startswith(begin):
            refuse(
                message("{what} is {archive}.", what=what, archive=archive),
                message("Of packed files those of gzip are read."),
                message("Unpack it first."),
            )
    return data


def beginning(data: bytes) -> bytes:
    """The first BEGINNING bytes that `unpacked` would give. Raises FormatError for damage before their end.

    >>> import gzip
    >>> beginning(gzip.compress(b"low")), beginning(b"low")
    (b'low', b'low')
    """
    return _of_gzip(data, THE_FILE, UNTOLD, BEGINNING) if data.startswith(GZIP) else data[:BEGINNING]


def _of_gzip(data: bytes, what: str, share: Share, most: int) -> bytes:
    """The first `most` bytes of all members of the file, one after another."""
    content = BytesIO()  # gives its buffer away without a copy
    at = members = 0
    try:
        while content.tell() < most and data.startswith(GZIP, at):
            members += 1
            if members > MOST_MEMBERS:
                refuse(
                    message("{what} is packed with gzip in more than {most:,} parts.", what=what, most=MOST_MEMBERS),
                    message("The most allowed is {most:,}.", most=MOST_MEMBERS),
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
    except zlib.error as error:
        refuse(
            message("{what} is packed with gzip, and damaged: {reason}.", what=what, reason=str(error)),
            message("It can be unpacked."),
        )
    return content.getvalue()
