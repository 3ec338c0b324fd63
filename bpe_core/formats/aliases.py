"""Vocabularies with several tokens for one id, which the tokenizers library accepts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def aliases_of(vocab: Mapping[str, Any]) -> dict[str, Any]:
    """Tokens that share the id of an earlier token; nearly always none.

    The library decodes such an id to any of its tokens; here it is decoded to the first.

    >>> aliases_of({"a": 0, "b": 1, "c": 0})
    {'c': 0}
    """
    ids = list(vocab.values())
    if not set(map(type, ids)) <= {int} or len(set(ids)) == len(ids):
        return {}
    first = {token_id: token for token, token_id in reversed([*vocab.items()])}
    return {token: token_id for token, token_id in vocab.items() if first[token_id] != token}
