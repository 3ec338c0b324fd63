"""SentencePiece's table of replaced characters (precompiled charsmap).

Format: a byte count (uint32), that many bytes of a double-array trie (uint32 units), and the replacements in UTF-8,
each with a terminating zero byte. The trie maps the UTF-8 of the replaced text to the byte offset of its replacement.
All numbers are little-endian.
"""

from __future__ import annotations

import re

import numpy as np

_FAR = 1 << 9
_LABEL = 1 << 31 | 0xFF
_MOST_UNITS, _AT_ONCE = 1 << 20, 1 << 10
_REPLACEMENT = re.compile(rb"[^\0]+")


def inner_bytes(charsmap: bytes) -> frozenset[int]:
    """Bytes that occur in the replaced texts of a table anywhere but at the beginning; all for a very large table.

    >>> inner_bytes(b"")
    frozenset()
    """
    size = min(int.from_bytes(charsmap[:4], "little"), len(charsmap) - 4) // 4 if len(charsmap) > 4 else 0
    units = np.frombuffer(charsmap, "<u4", size, 4) if size else np.zeros(0, np.uint32)
    if len(units) > _MOST_UNITS:
        return frozenset(range(256))
    labels = np.arange(1, 256)
    units, found = np.append(units, np.zeros(-len(units) % 256 + 256, np.uint32)).astype(np.int64), set[int]()
    seen = np.zeros(len(units), np.bool_)
    waiting = [np.zeros(1, np.int64)]
    while waiting:
        nodes = waiting.pop()
        begins = nodes ^ ((units[nodes] >> 10) << ((units[nodes] & _FAR) >> 6))
        children = np.minimum(begins[:, np.newaxis] ^ labels, len(units) - 1)
        is_child = (units[children] & _LABEL) == labels
        if seen[nodes[0]]:  # not the root
            found.update(labels[is_child.any(axis=0)].tolist())
        fresh = np.unique(children[is_child])
        fresh = fresh[~seen[fresh]]
        seen[fresh] = True
        waiting += np.split(fresh, range(_AT_ONCE, len(fresh), _AT_ONCE)) if len(fresh) else []
    return frozenset(found)


def longest_replacement(charsmap: bytes) -> int:
    """Bytes of the longest replacement in a table.

    >>> longest_replacement(bytes.fromhex("04000000 00000000 616200"))
    2
    """
    size = int.from_bytes(charsmap[:4], "little") // 4
    found = _REPLACEMENT.finditer(charsmap, 4 + 4 * size)  # a list of ten million empty ones would take 500 MB
    return max((each.end() - each.start() for each in found), default=0)
