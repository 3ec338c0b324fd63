"""What the files of byte-pair encodings share: byte tokens as text, and a tokenizer made from tokens and merges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpe_core.config import MOST_IDS, Normalization, ReadConfig, TrainConfig, Unit
from bpe_core.errors import FormatError, quoted
from bpe_core.formats.reading import made, refuse
from bpe_core.merges import Merges, PairMerges, Row, TableMerges
from bpe_core.tokenizer import Tokenizer
from bpe_core.vocabulary import GPT2_BYTE_ORDER, BaseVocabulary

_PRINTABLE = 188
CHAR_OF_BYTE = {
    byte: chr(byte) if i < _PRINTABLE else chr(256 + i - _PRINTABLE) for i, byte in enumerate(GPT2_BYTE_ORDER)
}
"""How GPT-2's vocab.json, and ByteLevel of the tokenizers library, write each byte as a character."""

BYTE_OF_CHAR = {char: byte for byte, char in CHAR_OF_BYTE.items()}


def byte_level(token: bytes) -> str:
    """A token's bytes as GPT-2's files write them.

    >>> byte_level(" é".encode())
    'ĠÃ©'
    """
    return "".join(CHAR_OF_BYTE[byte] for byte in token)


def from_byte_level(text: str) -> bytes | None:
    """The bytes of a token in GPT-2's writing; None where a character is no byte.

    >>> from_byte_level("ĠÃ©").decode()
    ' é'
    """
    try:
        return bytes(BYTE_OF_CHAR[char] for char in text)
    except KeyError:
        return None


def tokenizer_config(
    *,
    vocab_size: int,
    unit: Unit = "byte",
    split: str = "gpt2",
    normalization: Normalization = "none",
    lowercase: bool = False,
    strip_accents: bool = False,
    byte_fallback: bool = False,
    end_of_word: str = "",
    clean: bool = False,
    lowercase_each: bool = False,
) -> TrainConfig:
    """The settings of a tokenizer that was not trained here. Raises FormatError where they cannot be."""
    common: dict[str, Any] = {
        "vocab_size": min(max(vocab_size, 256), MOST_IDS),
        "unit": unit,
        "split": split,
        "normalization": normalization,
        "lowercase": lowercase,
        "strip_accents": strip_accents,
        "byte_fallback": byte_fallback,
        "end_of_word": end_of_word,
    }
    if clean or lowercase_each:
        read = {**common, "clean": clean, "lowercase_each": lowercase_each}
        return made("the settings of the file", lambda: ReadConfig(**read))
    return made("the settings of the file", lambda: TrainConfig(**common))


def byte_ids(tokens: Sequence[bytes | None], what: str = "The file") -> tuple[int, ...]:
    """The id of each of the 256 bytes. Raises FormatError where one is missing."""
    ids = {token[0]: i for i, token in reversed(list(enumerate(tokens))) if token is not None and len(token) == 1}
    for value in range(256):
        if value not in ids:
            refuse(
                f"{what} has no token for the byte 0x{value:02X}.",
                "A byte vocabulary has all 256, so that it can encode every text.",
            )
    return tuple(ids[value] for value in range(256))


def merges_of(rows: Sequence[Row], tokens: Sequence[bytes | None], *, wholes: bool = False) -> Merges:
    """The merge table of (left, right, new id), the first to be applied first."""
    first_id = rows[0][2] if rows else len(tokens)
    if not wholes and all(token_id == first_id + rank for rank, (_, _, token_id) in enumerate(rows)):
        return PairMerges([(left, right) for left, right, _ in rows], first_id)
    return TableMerges(rows, tokens if wholes else None)


def bpe_tokenizer(
    name: str,
    config: TrainConfig,
    base: BaseVocabulary,
    tokens: Sequence[bytes | None],
    merges: Merges,
    special_tokens: Mapping[str, int],
) -> Tokenizer:
    """A Tokenizer of what a file holds. Raises FormatError for special tokens whose ids other tokens have."""
    tokenizer = Tokenizer(name, config=config, base=base, tokens=tokens, merges=merges, special_tokens={})
    return made("the special tokens", lambda: tokenizer.with_special_tokens(special_tokens))


def one_id_each(tokenizer: Tokenizer, kind: str) -> dict[bytes, int]:
    """The id of every token that is not special. Raises FormatError where two ids have the same bytes.

    Merges of different pairs may spell the same bytes; here they are two ids. A file that names tokens by what they
    spell has room for one.
    """
    ids: dict[bytes, int] = {}
    special = set(tokenizer.special_tokens.values())
    for token_id in tokenizer.ids:
        if token_id in special:
            continue
        token = tokenizer.token_bytes(token_id)
        if token in ids:
            raise FormatError(
                f"The tokens {ids[token]:,} and {token_id:,} both spell {quoted(token)}, by different merges.",
                limit=f"A {kind} names tokens by what they spell, and has one id for it.",
                remedy='Save it as "bpe-lab", or train to fewer tokens or with the other tie rule.',
            )
        ids[token] = token_id
    return ids


def plain_byte_tokens(tokenizer: Tokenizer, kind: str) -> dict[bytes, int]:
    """one_id_each of a byte-pair encoding over bytes; FormatError for another kind of tokenizer."""
    if not is_bpe(tokenizer) or tokenizer.config.unit != "byte":
        what = "characters" if is_bpe(tokenizer) else "pieces"
        refuse(f"{tokenizer.name} is made of {what}.", f"A {kind} holds byte-pair encodings over bytes.", OTHER_FORMAT)
    return one_id_each(tokenizer, kind)


def is_bpe(tokenizer: Tokenizer) -> bool:
    """Whether a tokenizer merges pairs.

    >>> from bpe_core import load_pretrained
    >>> is_bpe(load_pretrained("gpt2"))
    True
    """
    return type(tokenizer) is Tokenizer


def refuse_normalization(tokenizer: Tokenizer, kind: str) -> None:
    """Raises FormatError where the tokenizer changes texts before it splits them."""
    config = tokenizer.config
    used: list[str] = [config.normalization] * (config.normalization != "none")
    used += ["lowercase"] * config.lowercase + ["strip_accents"] * config.strip_accents
    used += ["clean"] * (isinstance(config, ReadConfig) and config.clean)
    if used:
        refuse(
            f"The tokenizer normalizes texts ({', '.join(used)}).",
            f"A {kind} has no place for that, and would give other ids.",
            'Save it as "tokenizers" or "bpe-lab".',
        )


OTHER_FORMAT = "Choose one of the formats that bpe_core.formats.writable names for it."
