"""tokenizer.json of Hugging Face's tokenizers library: normalizer, pre-tokenizer, model and added tokens.

Read are byte-pair encodings over bytes and characters, WordPiece and Unigram: as tokenizers_json_writing.py writes
them, and much of what other programs write. Special tokens around a text (post_processor), truncation, padding and the
decoder are not read: ids are those of the library's encode(…, add_special_tokens=False). All added tokens become
special tokens, whether the file calls them special or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NoReturn

from bpe_core.bpe.model import BpeModel
from bpe_core.bpe.vocabulary import BaseVocabulary
from bpe_core.errors import quoted
from bpe_core.formats import unigram_json
from bpe_core.formats.bpe import bpe_tokenizer, byte_ids, from_byte_level, merges_of
from bpe_core.formats.gpt2_files import check_pair
from bpe_core.formats.normalizers import READ_MARK, chinese_apart, read_normalizers
from bpe_core.formats.oniguruma import CHINESE_SPLIT
from bpe_core.formats.pretokenizers_json import read_pre_tokenizer
from bpe_core.formats.reading import (
    HIGHEST_ID,
    MOST_SPECIAL,
    MOST_TOKENS,
    a_flag,
    a_list,
    a_text,
    an_id,
    an_object,
    check_pieces,
    made,
    refuse,
    tokens_by_id,
)
from bpe_core.formats.tokenizers_json_writing import KIND, LONGEST_WORD, Json, write
from bpe_core.text.splits import BERT_SPLIT, Split
from bpe_core.tokenizer.model import Row
from bpe_core.tokenizer.special_tokens import HIGHEST_ID as HIGHEST_SPECIAL_ID
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.wordpiece.model import INSIDE, UNKNOWN_WORD, wordpiece_tokenizer

__all__ = ["KIND", "read", "write"]

_BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")

_ROOT = (
    "version",
    "truncation",
    "padding",
    "added_tokens",
    "normalizer",
    "pre_tokenizer",
    "post_processor",
    "decoder",
    "model",
)


def read(content: Json, name: str = "") -> Tokenizer:
    """The tokenizer of a tokenizer.json that was parsed to `content`. Raises FormatError that names the key at fault.

    >>> import json
    >>> from bpe_core import load_pretrained
    >>> read(json.loads(write(load_pretrained("gpt2")))).encode("Hello").ids.tolist()
    [15496]
    """
    unknown = next((key for key in content if key not in _ROOT), None)
    if unknown is not None:
        refuse(f"The file has {quoted(unknown)}, which is not known.", f"A {KIND} has {', '.join(_ROOT)}.")
    model = an_object("model", content["model"])
    kind = model.get("type", "BPE" if "merges" in model else None)
    if kind == "Unigram":
        tokenizer = unigram_json.read(content, model, name)
        return made("added_tokens", lambda: tokenizer.with_special_tokens(_added(content, tokenizer.pieces)))
    if kind not in ("BPE", "WordPiece"):
        _unsupported("model.type", kind, "BPE, WordPiece and Unigram are read")
    vocab = _read_vocab(model.get("vocab"))
    added = _added(content, vocab)
    if kind == "WordPiece":
        return _read_wordpiece(content, model, vocab, added, name)
    return _read_bpe(content, model, vocab, added, name)


def _read_vocab(value: object) -> dict[str, int]:
    vocab = an_object("model.vocab", value)
    if len(vocab) > MOST_TOKENS:
        refuse(f"model.vocab has {len(vocab):,} tokens.", f"The most allowed is {MOST_TOKENS:,}.")
    for token, token_id in vocab.items():
        a_text("A token of model.vocab", token)
        an_id(f"model.vocab[{quoted(token)}]", token_id, HIGHEST_ID)
    return vocab


def _added(content: Json, known: Iterable[str]) -> dict[str, int]:
    """The added tokens and their ids."""
    added: dict[str, int] = {}
    known_ids = known if isinstance(known, Mapping) else {token: i for i, token in enumerate(known)}
    normalizes = content.get("normalizer") is not None
    for at, entry in enumerate(a_list("added_tokens", content.get("added_tokens") or [], MOST_SPECIAL)):
        place = f"added_tokens[{at}]"
        an_object(place, entry, ("id", "content"))
        token = a_text(f"{place}.content", entry["content"])
        token_id = an_id(f"{place}.id", entry["id"], HIGHEST_SPECIAL_ID)
        for flag in ("single_word", "lstrip", "rstrip"):
            if a_flag(f"{place}.{flag}", entry.get(flag, False)):
                _unsupported(f"{place}.{flag}", True, "special tokens are found as they are written")
        if a_flag(f"{place}.normalized", entry.get("normalized", False)) and normalizes:
            _unsupported(f"{place}.normalized", True, "special tokens are found before normalization")
        if known_ids.get(token, token_id) != token_id or added.get(token, token_id) != token_id:
            refuse(
                f"{place} gives {quoted(token)} the id {token_id:,}, and the file another one as well.",
                "A token has one id.",
            )
        added[token] = token_id
    return added


def _read_bpe(content: Json, model: Json, vocab: dict[str, int], added: dict[str, int], name: str) -> Tokenizer:
    for key in ("dropout", "continuing_subword_prefix", "end_of_word_suffix"):
        if model.get(key):
            _unsupported(f"model.{key}", model[key], "it must be null")
    levels, split = read_pre_tokenizer(content.get("pre_tokenizer"), "pre_tokenizer")
    fallback = a_flag("model.byte_fallback", model.get("byte_fallback") or False)
    wholes = a_flag("model.ignore_merges", model.get("ignore_merges") or False)
    unknown = model.get("unk_token")
    if unknown is not None and a_text("model.unk_token", unknown) not in {**vocab, **added}:
        refuse(
            f"model.unk_token is {quoted(unknown)}, which is not a token.",
            "It must be one of model.vocab or added_tokens.",
        )
    normalizer, mark = read_normalizers(content.get("normalizer"), "normalizer", split.pattern)
    if chinese_apart(content.get("normalizer"), "normalizer"):
        _unsupported("normalizer.handle_chinese_chars", True, "it is read for WordPiece")
    rows = _read_merges(model.get("merges"), vocab)
    plain = {token: token_id for token, token_id in vocab.items() if token not in added}
    made_ids = {token_id for _, _, token_id in rows}

    def spelled(token: str, token_id: int) -> bytes:
        data = from_byte_level(token) if levels else token.encode()
        byte = _BYTE_TOKEN.fullmatch(token) if fallback and not levels else None
        if byte:
            return bytes([int(byte[1], 16)])
        if mark and token.endswith(mark):
            return (token.removesuffix(mark) + READ_MARK).encode()
        if data:
            return data
        if token_id in made_ids or not token:
            refuse(f"model.vocab has {quoted(token)}.", "Tokens are written in GPT-2's 256 characters for bytes.")
        return token.encode()  # a token that no text becomes

    tokens = tokens_by_id((f"model.vocab[{quoted(token)}]", spelled(token, i), i) for token, i in plain.items())
    if levels:
        base = BaseVocabulary(tokens=(), special_tokens={}, byte_ids=byte_ids(tokens, "model.vocab"))
    else:
        base = _char_base(model, {**vocab, **added}, plain, mark, fallback=fallback)
    if set(added.values()) & {part for row in rows for part in row}:
        refuse("model.merges makes a special token, or merges one.", "No merge makes a special token or takes one.")
    merges = merges_of(rows, tokens, wholes=wholes, fallback=() if levels else (base.byte_ids or ()))
    known = BpeModel(base, tokens, merges, unit="byte" if levels else "char")
    return bpe_tokenizer(name, known, added, normalizer=normalizer, split=split)


def _char_base(model: Json, ids: dict[str, int], plain: dict[str, int], mark: str, *, fallback: bool) -> BaseVocabulary:
    bytes_ = [ids.get(f"<0x{value:02X}>") for value in range(256)]
    complete = fallback and None not in bytes_
    unknown = model.get("unk_token")
    if fallback and not complete:
        _unsupported(
            "model.byte_fallback",
            True,
            f"it needs the tokens <0x00> to <0xFF>; there is no {_first(bytes_)}",
        )
    if not complete and unknown is None:
        _unsupported("model.unk_token", None, "a character that is not a token needs one to become")
    if not complete and a_flag("model.fuse_unk", model.get("fuse_unk") or False):
        _unsupported("model.fuse_unk", True, "every unknown character becomes a token of its own")
    chars = {token: i for token, i in plain.items() if len(token) == 1 and token != mark}
    return BaseVocabulary(
        tokens=(),
        special_tokens={},
        byte_ids=tuple(i for i in bytes_ if i is not None) if complete else None,
        char_ids=chars,
        unknown_id=None if complete or unknown is None else ids[unknown],
        mark=READ_MARK if mark else "",
        mark_id=ids.get(mark) if mark else None,
    )


def _first(byte_tokens: list[int | None]) -> str:
    return f"<0x{byte_tokens.index(None):02X}>"


def _read_merges(value: object, vocab: dict[str, int]) -> list[Row]:
    rows: list[Row] = []
    known: set[tuple[str, str]] = set()
    for at, entry in enumerate(a_list("model.merges", value)):
        place = f"model.merges[{at}]"
        pair = entry.split(" ") if isinstance(entry, str) else entry
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(part, str) and part for part in pair):
            refuse(f"{place} is {quoted(entry)}.", 'It is two tokens: "a b", or ["a", "b"].')
        left, right = pair
        check_pair(place, left, right, vocab)
        if (left, right) in known:
            refuse(f"{place} repeats {quoted(entry)}.", "Every pair has one merge.")
        known.add((left, right))
        rows.append((vocab[left], vocab[right], vocab[left + right]))
    return rows


def _read_wordpiece(content: Json, model: Json, vocab: dict[str, int], added: dict[str, int], name: str) -> Tokenizer:
    for key, wanted in (("unk_token", UNKNOWN_WORD), ("continuing_subword_prefix", INSIDE)):
        if model.get(key) != wanted:
            _unsupported(f"model.{key}", model.get(key), f"it must be {wanted}")
    tokens = tokens_by_id((f"model.vocab[{quoted(piece)}]", piece.encode(), i) for piece, i in vocab.items())
    pieces = [piece.decode() for piece in tokens if piece is not None]
    check_pieces("model.vocab", pieces)
    if len(pieces) < len(tokens):
        refuse(f"model.vocab has no token of the id {tokens.index(None):,}.", "Ids of WordPiece have no gaps.")
    levels, found = read_pre_tokenizer(content.get("pre_tokenizer"), "pre_tokenizer")
    split = found.pattern
    if levels or split not in (BERT_SPLIT, CHINESE_SPLIT):
        _unsupported("pre_tokenizer", content.get("pre_tokenizer"), "WordPiece is read with BERT's split")
    normalizer, _ = read_normalizers(content.get("normalizer"), "normalizer", split)
    if chinese_apart(content.get("normalizer"), "normalizer"):
        split = CHINESE_SPLIT
    inside = [token for token in added if token in vocab]
    longest = an_id("model.max_input_chars_per_word", model.get("max_input_chars_per_word", 100), LONGEST_WORD)
    tokenizer = made(
        "model.vocab",
        lambda: wordpiece_tokenizer(
            pieces,
            special_tokens=inside,
            name=name,
            normalizer=normalizer,
            split=Split(split),
            longest_word=longest,
        ),
    )
    return made("added_tokens", lambda: tokenizer.with_special_tokens(added))


def _unsupported(place: str, value: object, limit: str) -> NoReturn:
    refuse(
        f"{place} is {quoted(value)}, which BPE Lab does not support.",
        f"{limit[0].upper()}{limit[1:]}.",
        "Use the file with the tokenizers library.",
    )
