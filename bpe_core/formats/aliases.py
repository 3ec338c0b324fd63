"""Vocabularies with several tokens for one id, which the tokenizers library accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bpe_core.errors import quoted
from bpe_core.formats.reading import tokens_of_ids


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


def tokens_of_vocab(
    vocab: Mapping[str, int], aliases: Mapping[str, int], spelled: Callable[[str], bytes]
) -> list[bytes | None]:
    """Bytes of a vocabulary's tokens by id, without aliases. Raises FormatError for tokens that are too long.

    >>> tokens_of_vocab({"a": 0, "b": 2, "c": 0}, {"c": 0}, str.encode)
    [b'a', None, b'b']
    """
    known = [token for token in vocab if token not in aliases] if aliases else [*vocab]
    ids = [vocab[token] for token in known]
    return tokens_of_ids([*map(spelled, known)], ids, lambda at: f"model.vocab[{quoted(known[at])}]")
