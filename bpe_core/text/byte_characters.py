"""Bytes as printable characters, as in GPT-2's vocab.json and ByteLevel of the tokenizers library."""

from __future__ import annotations

PRINTABLE = (*range(33, 127), *range(161, 173), *range(174, 256))
"""Bytes written as themselves: the printable characters of Latin-1."""

BYTE_ORDER = (*PRINTABLE, *(byte for byte in range(256) if byte not in PRINTABLE))
"""Bytes in the order of GPT-2's vocabulary: the printable ones, then the rest, ascending."""

_WRITTEN = [chr(byte) for byte in PRINTABLE] + [chr(256 + i) for i in range(256 - len(PRINTABLE))]

CHARACTERS = "".join(char for _, char in sorted(zip(BYTE_ORDER, _WRITTEN, strict=True)))
"""Character for each byte."""

BYTE_OF = {char: byte for byte, char in enumerate(CHARACTERS)}
"""Byte for each of these characters."""

_FROM_LATIN_1 = str.maketrans(dict(enumerate(CHARACTERS)))


def byte_level(data: bytes) -> str:
    """Convert bytes to characters.

    >>> byte_level(" é".encode())
    'ĠÃ©'
    """
    return data.decode("latin-1").translate(_FROM_LATIN_1)


def from_byte_level(text: str) -> bytes | None:
    """Convert characters to bytes; None if a character represents no byte.

    >>> from_byte_level("ĠÃ©").decode()
    ' é'
    """
    try:
        return bytes(map(BYTE_OF.__getitem__, text))
    except KeyError:
        return None
