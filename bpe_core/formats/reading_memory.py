"""Memory of reading tokenizer files, estimated from their bytes before they are parsed."""

from __future__ import annotations

_PER_BYTE = 4
"""Per byte of a file's text once decoded: up to four bytes per character."""

_PER_VALUE = 105
"""Per list, object, number or text in JSON."""

_PER_LINE = 500
"""Per token of a file with one token per line."""

_PER_FIELD = 330
"""Per byte 0x0A in a .model: each piece has two, as the tags of the piece and of its text."""

_UNPACKED_AT_MOST = 1_100
"""Maximum compression ratio of gzip."""

PER_TEXT = _PER_FIELD
"""Per token or merge of a GGUF file, in the content of the file it was converted from."""

PER_TOKEN = 450
"""Per token of a parsed vocabulary, in the tables of its model."""


def of_json(data: bytes) -> int:
    """Estimated bytes of parsed JSON.

    >>> of_json(b'{"a": [1, 2]}')
    367
    """
    return _PER_VALUE * (data.count(b",") + data.count(b"[") + data.count(b"{")) + _PER_BYTE * len(data)


def of_lines(data: bytes) -> int:
    """Estimated bytes of a vocabulary with one token per line.

    >>> of_lines(b"low\\ner\\n")
    1028
    """
    return _PER_LINE * data.count(b"\n") + _PER_BYTE * len(data)


def of_pieces(data: bytes) -> int:
    r"""Estimated bytes of a SentencePiece model.

    >>> of_pieces(b"\n\x0e\n\x05<unk>\x15\x00\x00\x00\x00\x18\x02")
    724
    """
    return _PER_FIELD * data.count(b"\n") + _PER_BYTE * len(data)


def of_packed(data: bytes, most: int) -> int:
    """Estimated bytes of unpacking a gzip file to at most `most` bytes.

    >>> of_packed(b"..", 100)
    200
    """
    return 2 * min(most, _UNPACKED_AT_MOST * len(data))
