"""How a component's data travels: one line of small, changing things, then a body that stays the same.

Streamlit would encode a dictionary to JSON twice in every rerun. Bytes it passes on as they are, so the body is
encoded once, and the browser parses it again only when its content hash `rev` is a new one.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any, NamedTuple


class Body(NamedTuple):
    """Encoded data and its content hash."""

    rev: str
    data: bytes


def encode_body(payload: dict[str, Any]) -> Body:
    """JSON, in ASCII (so that a lone surrogate survives), and its hash."""
    data = json.dumps(payload, separators=(",", ":")).encode("ascii")
    return Body(blake2b(data, digest_size=8).hexdigest(), data)


def frame(head: dict[str, Any], body: Body) -> bytes:
    """What is handed to the component: the head in the first line, the body after it."""
    return json.dumps({**head, "rev": body.rev}, separators=(",", ":")).encode("ascii") + b"\n" + body.data


def unframe(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Head and body of a payload, for tests that look at what was sent.

    >>> unframe(frame({"label": "Tokens"}, encode_body({"ids": [1]})))[1]
    {'ids': [1]}
    """
    head, _, body = data.partition(b"\n")
    return json.loads(head), json.loads(body)
