"""GGUF files of llama.cpp and related programs: the tokenizer within a model's metadata.

The file names the kind of model: "gpt2" (byte-level BPE; its split only by name), "llama" and "t5" (SentencePiece's BPE
and Unigram) or "bert" (WordPiece). Each is converted back to the file of the library it came from, and read as such.
Neither the tensors nor anything after the metadata is needed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from operator import methodcaller
from typing import Any

import numpy as np

from bpe_core.errors import quoted, refuse
from bpe_core.formats import gpt2_files, sentencepiece_file, tokenizers_json, wordpiece_file
from bpe_core.formats.added_tokens_json import write_added
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.gguf_metadata import flag, metadata, numbers, text, texts, token_id
from bpe_core.formats.gguf_splits import WHOLE_WORDS, pre_tokenizer
from bpe_core.formats.json_merges import MergeParts
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.reading import MOST_SPECIAL, a_list, an_object
from bpe_core.formats.reading_memory import PER_TEXT
from bpe_core.language import message
from bpe_core.sentencepiece.protobuf import field, number_field
from bpe_core.tokenizer.special_tokens import SpecialToken
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.wordpiece.model import INSIDE
from bpe_core.work import taking

_PREFIX = "tokenizer."
_OF_LIBRARY = "tokenizer.huggingface.json"
_TEMPLATE = "tokenizer.chat_template"
_ROLES = {"bos": "bos", "eos": "eos", "unk": "unknown", "pad": "padding", "sep": "seperator", "mask": "mask"}
"""Roles of special tokens in templates, and in keys of the file; "seperator" is the format's own spelling."""

_NORMAL, _UNKNOWN, _CONTROL, _OWN = 1, 2, 3, 4
"""Types of tokens, numbered as in SentencePiece."""

_SHORT = 100
"""Pieces of fewer bytes than this have one-byte length fields in a .model."""

_OTHERS = message("Open the tokenizer.json of the same model.")
_CASES = {
    "do_lower_case": "tokenizer.ggml.normalizer.lowercase",
    "strip_accents": "tokenizer.ggml.normalizer.strip_accents",
}
"""Keys of WordPiece's normalization, which older files lack, by their names in a tokenizer_config.json."""


def read(data: bytes, name: str = "", share: Share = NO_PROGRESS, *, lowercase: bool | None = None) -> Tokenizer:
    """Read the tokenizer of a GGUF file, or of its beginning up to the end of the metadata.

    `lowercase`: for WordPiece, whose normalization older files do not hold. Raises FormatError for a file without a
    known tokenizer, and for a damaged file, with the damaged byte.

    >>> read(b"GGUF\\x03\\0\\0\\0" + bytes(16))
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The GGUF file has no tokenizer. ...
    """
    values = metadata(data, _PREFIX)
    share.reached(1, 3)
    with taking(PER_TEXT * sum(len(each) for each in values.values() if isinstance(each, list))):
        return _read(values, name, share.part(1 / 3, 1.0), lowercase)


def _read(values: Mapping[str, Any], name: str, rest: Share, lowercase: bool | None) -> Tokenizer:
    if written := text(values, _OF_LIBRARY):
        content = parsed_json(written.encode(), _OF_LIBRARY, limit=message("It is an object."))
        return tokenizers_json.read(an_object(_OF_LIBRARY, content, ("model",)), name, rest)
    model = text(values, "tokenizer.ggml.model")
    tokens = _Tokens(values)
    if model == "gpt2":
        return tokenizers_json.read(_byte_level_bpe(tokens), name, rest)
    if model in ("llama", "t5"):
        return sentencepiece_file.read(_sentencepiece(tokens, by_score=model == "t5"), name, rest)
    if model == "bert":
        return _wordpiece(tokens, name, rest, lowercase)
    if model in (None, "none", "no_vocab"):
        refuse(message("The GGUF file has no tokenizer."), message("Files of language models have one."), _OTHERS)
    refuse(
        message("The tokenizer of the GGUF file is of the kind {kind}.", kind=quoted(model)),
        message("Known are gpt2, llama, t5 and bert."),
        _OTHERS,
    )


def chat_templates(data: bytes) -> tuple[dict[str, str], dict[str, str]]:
    """Chat templates of a GGUF file by name, and its special tokens by role. Raises FormatError as `read` does.

    >>> chat_templates(b"GGUF\\x03\\0\\0\\0" + bytes(16))
    ({}, {})
    """
    values = metadata(data, _PREFIX)
    named = (key.partition(f"{_TEMPLATE}.")[2] for key in values)
    sources = {name: text(values, f"{_TEMPLATE}.{name}") or "" for name in named if name}
    if _TEMPLATE in values:
        sources["default"] = text(values, _TEMPLATE) or ""
    tokens = _Tokens(values)
    roles = {f"{role}_token": tokens.id(name) for role, name in _ROLES.items()}
    return sources, {role: tokens.pieces[token] for role, token in roles.items() if token is not None}


class _Tokens:
    """The tokens of the metadata with their types and other data."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.pieces = [piece.decode("utf-8", "replace") for piece in texts(values, "tokenizer.ggml.tokens")]
        if "tokenizer.ggml.model" in values and not self.pieces:
            refuse(message("The GGUF file has no tokens."), message("A tokenizer has some."), _OTHERS)
        types = numbers(values, "tokenizer.ggml.token_type", len(self.pieces), kinds="iu")
        self.types = [_NORMAL] * len(self.pieces) if types is None else types.tolist()

    def __len__(self) -> int:
        return len(self.pieces)

    def id(self, name: str, default: int | None = None) -> int | None:
        """The id of a token with a role, such as "bos"."""
        return token_id(self.values, f"tokenizer.ggml.{name}_token_id", default, len(self))

    def adds(self, name: str, default: bool = False) -> bool:
        return flag(self.values, f"tokenizer.ggml.add_{name}", default)


def _byte_level_bpe(tokens: _Tokens) -> dict[str, Any]:
    """The content of the equivalent tokenizer.json."""
    split = text(tokens.values, "tokenizer.ggml.pre") or "default"
    ids = _ids(tokens.pieces)
    lines = texts(tokens.values, "tokenizer.ggml.merges")
    merges = MergeParts.of(lines, methodcaller("decode", "utf-8", "replace"))
    special = [i for i, kind in enumerate(tokens.types) if kind in (_UNKNOWN, _CONTROL, _OWN) and tokens.pieces[i]]
    added = [
        SpecialToken(tokens.pieces[i], i, special=tokens.types[i] != _OWN)
        for i in a_list("added_tokens", special, MOST_SPECIAL)
    ]
    takes_wholes = split in WHOLE_WORDS
    model = {"type": "BPE", "vocab": ids, "merges": merges, "ignore_merges": takes_wholes}
    return gpt2_files.tokenizer_content(model, write_added(added), pre_tokenizer(split)) | {
        "post_processor": _template(tokens, bos=tokens.adds("bos_token", takes_wholes)),
    }


def _ids(pieces: list[str]) -> dict[str, int]:
    ids = {piece: i for i, piece in enumerate(pieces)}
    if len(ids) < len(pieces):
        twice = next(piece for i, piece in enumerate(pieces) if ids[piece] != i)
        refuse(
            message("The GGUF file has the token {token} twice.", token=quoted(twice)),
            message("Tokens are unique."),
            _OTHERS,
        )
    return ids


def _template(tokens: _Tokens, bos: bool) -> dict[str, Any] | None:
    """The post-processor that adds the first and the last token of a text."""
    first = tokens.id("bos") if bos else None
    last = tokens.id("eos") if tokens.adds("eos_token") else None
    if first is None and last is None:
        return None

    def special(token: int | None) -> list[dict[str, Any]]:
        return [] if token is None else [{"SpecialToken": {"id": tokens.pieces[token], "type_id": 0}}]

    def around(*sequences: str) -> list[dict[str, Any]]:
        inner = [{"Sequence": {"id": sequence, "type_id": 0}} for sequence in sequences]
        return [*special(first), *inner, *special(last)]

    known = {tokens.pieces[token]: token for token in (first, last) if token is not None}
    return {
        "type": "TemplateProcessing",
        "single": around("A"),
        "pair": around("A", "B"),
        "special_tokens": {name: {"id": name, "ids": [i], "tokens": [name]} for name, i in known.items()},
    }


def _sentencepiece(tokens: _Tokens, *, by_score: bool) -> bytes:
    """The content of the equivalent .model."""
    _ids(tokens.pieces)
    scores = numbers(tokens.values, "tokenizer.ggml.scores", len(tokens), kinds="fiu")
    scores = np.zeros(len(tokens)) if scores is None else scores
    unknown = _unknown(tokens, 2 if by_score else 0)
    types = [_CONTROL if kind == _UNKNOWN else kind for kind in tokens.types]  # the library allows one unknown token
    types[unknown] = _UNKNOWN
    pieces = _pieces(tokens.pieces, scores, types)
    trainer = number_field(3, 1 if by_score else 2) + number_field(35, int(6 in types))
    roles = (unknown, tokens.id("bos"), tokens.id("eos"), tokens.id("padding"))
    for number, token in enumerate(roles, 40):
        trainer += number_field(number, -1 if token is None else token)
        if token is not None:
            trainer += field(number + 5, tokens.pieces[token].encode())
    table = numbers(tokens.values, "tokenizer.ggml.precompiled_charsmap", None, kinds="iu")
    normalizer = field(1, b"identity") if table is None else field(1, b"given") + field(2, table.tobytes())
    normalizer += number_field(3, int(tokens.adds("space_prefix", True)))
    normalizer += number_field(4, int(flag(tokens.values, "tokenizer.ggml.remove_extra_whitespaces", False)))
    normalizer += number_field(5, 1)
    return b"".join((pieces, field(2, trainer), field(3, normalizer)))


def _pieces(texts: list[str], scores: np.ndarray[Any, Any], types: list[int]) -> bytearray:
    """Pieces of a .model, concatenated: a list of a million fields would take a hundred megabytes."""
    with np.errstate(over="ignore"):
        packed = scores.astype("<f4").tobytes()
    pieces, kinds = bytearray(), {kind: _type(kind) for kind in set(types)}
    for at, (written, kind) in enumerate(zip(texts, types, strict=True)):
        rest = b"\x15" + packed[4 * at : 4 * at + 4] + kinds[kind]
        piece = written.encode()
        size = len(piece)
        if size < _SHORT:  # each length takes one byte
            pieces += bytes((10, size + len(rest) + 2, 10, size)) + piece + rest
        else:
            pieces += field(1, field(1, piece) + rest)
    return pieces


def _unknown(tokens: _Tokens, default: int) -> int:
    """The id of the unknown token: the one that the file names, else the first of this type, else the default."""
    named = tokens.id("unknown")
    if named is not None:
        return named
    return tokens.types.index(_UNKNOWN) if _UNKNOWN in tokens.types else min(default, len(tokens) - 1)


def _type(kind: int) -> bytes:
    return b"" if kind == _NORMAL else number_field(3, kind)


def _wordpiece(tokens: _Tokens, name: str, share: Share, lowercase: bool | None) -> Tokenizer:
    """BERT's pieces, which the file writes with ▁ at the beginning of words instead of ## within them."""
    lines = [
        piece
        if piece.startswith("[") and piece.endswith("]")
        else piece[1:]
        if piece.startswith("▁")
        else f"{INSIDE}{piece}"
        for piece in tokens.pieces
    ]
    if any("\n" in line for line in lines):
        refuse(
            message("A token of the GGUF file has a line break."), message("Tokens of WordPiece have none."), _OTHERS
        )
    settings = {setting: flag(tokens.values, key, True) for setting, key in _CASES.items() if key in tokens.values}
    content = wordpiece_file.content_of(lines, {wordpiece_file.CONFIG: json.dumps(settings).encode()}, lowercase)
    tokenizer = tokenizers_json.read(content, name, share)
    tokenizer.kept["normalization"] = wordpiece_file.describe_normalization(
        content["normalizer"], assumed=lowercase is None and not settings
    )
    return tokenizer
