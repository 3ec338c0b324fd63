"""Vocabularies with several tokens for one id, which the tokenizers library accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any

from bpe_core.errors import quoted
from bpe_core.formats.reading import LONGEST_TOKEN, check_length
from bpe_core.tokenizer.token_ranges import MOST_TOKEN_BYTES


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
    found = [*map(spelled, known)]
    if max(map(len, found), default=0) > LONGEST_TOKEN or sum(map(len, found)) > MOST_TOKEN_BYTES:
        for token, size, total in zip(known, map(len, found), accumulate(map(len, found)), strict=True):
            if size > LONGEST_TOKEN or total > MOST_TOKEN_BYTES:
                check_length(f"model.vocab[{quoted(token)}]", size, total)
    tokens: list[bytes | None] = [None] * (max(vocab.values(), default=-1) + 1)
    for token, data in zip(known, found, strict=True):
        tokens[vocab[token]] = data
    return tokens
