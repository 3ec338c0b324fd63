"""Recordings as JSON, in one language or several, compressed into a page. Scripts read them by recording.ts."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from bpe_core.payloads.frames import unframe

_GZIP = 16 + zlib.MAX_WBITS
"""Format of the compressed data."""


def opened(value: Any) -> Any:
    """A value for JSON: frames, which are bytes, as [head, body].

    >>> opened({1: (b'{"name":"a","rev":"9c"}\\n[7]', "b")})
    {1: [[{'name': 'a', 'rev': '9c'}, [7]], 'b']}
    """
    if isinstance(value, Mapping):
        return {key: opened(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [opened(each) for each in value]
    return list(unframe(value)) if isinstance(value, bytes) else value


def merged(values: Sequence[Any]) -> Any:
    """Merge values that differ only in words: equal parts are stored once, other parts as {"": one of each value}.

    >>> merged([{"says": "step", "at": [1, 2]}, {"says": "ステップ", "at": [1, 2]}])
    {'says': {'': ['step', 'ステップ']}, 'at': [1, 2]}
    """
    first = values[0]
    if all(value == first for value in values):
        return first
    if isinstance(first, dict) and all(isinstance(value, dict) and value.keys() == first.keys() for value in values):
        return {key: merged([value[key] for value in values]) for key in first}
    if isinstance(first, list) and all(isinstance(value, list) and len(value) == len(first) for value in values):
        return [merged(parts) for parts in zip(*values, strict=True)]
    return {"": list(values)}


def packed(recordings: Sequence[Mapping[str, Any]]) -> str:
    """One recording in several languages, or in one: JSON, compressed, in base64.

    >>> packed([{"kind": "encoding"}])[:4]
    'H4sI'
    """
    whole = merged([_renumbered(opened(each), {}) for each in recordings])
    return compressed(json.dumps(whole, separators=(",", ":"), ensure_ascii=False))


def compressed(text: str) -> str:
    """A text compressed by gzip, in base64. Lone surrogates are written as JSON escapes.

    >>> compressed("low")[:4]
    'H4sI'
    """
    packer = zlib.compressobj(9, wbits=_GZIP, memLevel=6)  # smaller blocks than by default: a recording has many parts
    data = text.encode("utf-8", "backslashreplace")
    return b64encode(packer.compress(data) + packer.flush()).decode()


def _renumbered(value: Any, numbers: dict[str, str]) -> Any:
    """Number the bodies of frames, in place: their hashes are incompressible, and differ between languages.

    A frame whose head is a hash alone keeps it: other frames refer to it.
    """
    if isinstance(value, list):
        for each in value:
            _renumbered(each, numbers)
    elif isinstance(value, dict):
        if "rev" in value and len(value) > 1:
            value["rev"] = numbers.setdefault(value["rev"], str(len(numbers)))
        for each in value.values():
            if isinstance(each, dict | list):
                _renumbered(each, numbers)
    return value
