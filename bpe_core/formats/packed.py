"""Files packed with gzip, unpacked in bounded memory; other archives are refused."""

from __future__ import annotations

import zlib

from bpe_core.formats.reading import MOST_BYTES, SMALLER_FILE, THE_FILE, check_size, refuse
from bpe_core.language import message

_GZIP = b"\x1f\x8b"
_ARCHIVES = {
    b"PK\x03\x04": message("a zip archive"),
    _GZIP: message("packed with gzip twice"),
    b"\xfd7zXZ": message("packed with xz"),
    b"BZh": message("packed with bzip2"),
    b"\x28\xb5\x2f\xfd": message("packed with zstd"),
}


def unpacked(data: bytes, what: str = THE_FILE) -> bytes:
    """The content of a file that was packed with gzip, or the data itself; at most MOST_BYTES are ever unpacked.

    Raises FormatError for more, for damage, and for other archives, whose content no reader asks for.

    >>> import gzip
    >>> unpacked(gzip.compress(b"low")), unpacked(b"low")
    (b'low', b'low')
    """
    if data.startswith(_GZIP):
        parts, left = [], MOST_BYTES + 1
        try:
            while data.startswith(_GZIP) and left:
                packed = zlib.decompressobj(wbits=31)
                parts.append(packed.decompress(data, left))
                left -= len(parts[-1])
                if not packed.eof and left:
                    refuse(
                        message("{what} ends before all of it is unpacked.", what=what),
                        message("It is packed with gzip."),
                    )
                data = packed.unused_data
        except zlib.error as error:
            refuse(
                message("{what} is packed with gzip, and damaged: {reason}.", what=what, reason=str(error)),
                message("It can be unpacked."),
            )
        data = b"".join(parts)
        check_size(data, message("{what}, unpacked,", what=what), remedy=SMALLER_FILE)
    for begin, archive in _ARCHIVES.items():
        if data.startswith(begin):
            refuse(
                message("{what} is {archive}.", what=what, archive=archive),
                message("Of packed files those of gzip are read."),
                message("Unpack it first."),
            )
    return data
