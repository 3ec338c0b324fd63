"""SentencePiece's table of replaced characters (precompiled charsmap).

Format: a byte count (uint32), that many bytes of a double-array trie (uint32 units), and the replacements in UTF-8,
each with a terminating zero byte. The trie maps the UTF-8 of the replaced text to the byte offset of its replacement.
All numbers are little-endian.
"""

from __future__ import annotations

import re

_REPLACEMENT = re.compile(rb"[^\0]+")


def longest_replacement(charsmap: bytes) -> int:
    """Bytes of the longest replacement in a table.

    >>> longest_replacement(bytes.fromhex("04000000 00000000 616200"))
    2
    """
    size = int.from_bytes(charsmap[:4], "little") // 4
    found = _REPLACEMENT.finditer(charsmap, 4 + 4 * size)  # a list of ten million empty ones would take 500 MB
    return max((each.end() - each.start() for each in found), default=0)
