"""Vocabularies in which several tokens have one id: the tokenizers library reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def aliases_of(vocab: Mapping[str, Any]) -> dict[str, Any]:
    """The tokens whose id an earlier one has: none in nearly every vocabulary.

    The library encodes to the id, and decodes it to any of its tokens; here it is decoded to the first.

    >>> aliases_of({"a": 0, "b": 1, "c": 0})
    {'c': 0}
    """
    ids = list(vocab.values())
    if not set(map(type, ids)) <= {int} or len(set(ids)) == len(ids):
        return {}
    first = {token_id: token for token, token_id in reversed([*vocab.items()])}
    return {token: token_id for token, token_id in vocab.items() if first[token_id] != token}
