"""Byte fallback: tokens <0xNN> that represent single bytes, and the decoding of runs of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from bpe_core.text.utf8 import is_utf8
from bpe_core.tokenizer.decoders import DecodedToken, Decoder

_BYTE_TOKEN = re.compile(r"<0x(\+?[0-9A-Fa-f]|[0-9A-Fa-f]{2})>")


@dataclass(frozen=True)
class FallbackBytes(Decoder):
    """Joins tokens; consecutive fallback tokens are bytes of UTF-8, or a U+FFFD each if they are not UTF-8.

    Works on the spelling of tokens (`DecodedToken.piece`), as ByteFallback of the tokenizers library does.

    >>> tokens = [DecodedToken(at, b"", piece=piece) for at, piece in enumerate(["a", "<0xC3>", "<0xA9>"])]
    >>> FallbackBytes().text(tokens), FallbackBytes().text(tokens[:2]), FallbackBytes().parts(tokens)
    ('aé', 'a\ufffd', [b'a', b'\\xc3', b'\\xa9'])
    """

    def text(self, tokens: Sequence[DecodedToken]) -> str:
        """Text of the tokens."""
        return "".join(fallback_texts([token.piece for token in tokens]))

    def parts(self, tokens: Sequence[DecodedToken]) -> list[bytes]:
        """Bytes of each token: for a fallback token its byte, whether UTF-8 or not."""
        known = {piece: fallback_byte(piece) for piece in {token.piece for token in tokens}}
        return [token.piece.encode() if (value := known[token.piece]) is None else bytes([value]) for token in tokens]


def fallback_texts(tokens: list[str]) -> list[str]:
    """The tokens, with the text of each run of fallback tokens in its place.

    >>> fallback_texts(["a", "<0xC3>", "<0xA9>", "b", "<0xC3>"])
    ['a', 'é', 'b', '\ufffd']
    """
    known = {token: fallback_byte(token) for token in set(tokens)}
    if not any(value is not None for value in known.values()):
        return tokens
    found: list[str] = []
    for is_byte, run in groupby(tokens, lambda token: known[token] is not None):
        same = list(run)
        if not is_byte:
            found += same
            continue
        data = bytes([known[token] or 0 for token in same])
        found += [data.decode()] if is_utf8(data) else ["\ufffd"] * len(data)
    return found


def fallback_byte(token: str) -> int | None:
    """Byte of a token <0xNN>, with digits as Rust parses them (+A is 10); None for any other.

    >>> fallback_byte("<0x0A>"), fallback_byte("low")
    (10, None)
    """
    found = _BYTE_TOKEN.fullmatch(token) if len(token) == 6 else None
    return None if found is None else int(found[1], 16)
