"""tokenizer.json of Hugging Face's tokenizers library: normalizer, pre-tokenizer, model and added tokens.

Written: byte-pair encodings over bytes and characters, WordPiece, Unigram. The library finds added tokens in a text, as
special="parse" does here; with its `encode_special_tokens` set it takes them for text, as special="text" does.

Read: the same, and what other programs write of them. What stands around a text (post_processor), truncation, padding
and the decoder are not read: ids are those of the library's encode(…, add_special_tokens=False). Added tokens of either
kind become special tokens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from bpe_core.errors import quoted
from bpe_core.formats import unigram_json
from bpe_core.formats.bpe import (
    OTHER_FORMAT,
    bpe_tokenizer,
    byte_ids,
    byte_level,
    from_byte_level,
    is_bpe,
    merges_of,
    one_id_each,
    tokenizer_config,
)
from bpe_core.formats.gpt2_files import checked_pair
from bpe_core.formats.normalizers import Stages, chinese_apart, end_marks, normalizers, read_normalizers
from bpe_core.formats.oniguruma import CHINESE_SPLIT, WHITESPACE_SPLIT, WHOLE, from_oniguruma, to_oniguruma
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
from bpe_core.formats.wordpiece_file import pieces_of
from bpe_core.merges import Row
from bpe_core.split import PATTERNS, compile_split, words
from bpe_core.tokenizer import HIGHEST_ID as HIGHEST_SPECIAL_ID
from bpe_core.tokenizer import Tokenizer
from bpe_core.unigram_tokenizer import UnigramTokenizer
from bpe_core.vocabulary import BaseVocabulary
from bpe_core.wordpiece_tokenizer import BERT_SPLIT, INSIDE, UNKNOWN_WORD, WordPieceTokenizer

KIND = "tokenizer.json"
LONGEST_WORD = 1_000_000_000
"""max_input_chars_per_word, so that no word is too long."""

_BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")
Json = dict[str, Any]


def write(tokenizer: Tokenizer) -> bytes:
    """The tokenizer.json of a tokenizer. Raises FormatError for what the library would encode otherwise."""
    if isinstance(tokenizer, WordPieceTokenizer):
        parts = _wordpiece(tokenizer)
    elif isinstance(tokenizer, UnigramTokenizer):
        parts = unigram_json.write(tokenizer)
    elif is_bpe(tokenizer):
        parts = _byte_bpe(tokenizer) if tokenizer.config.unit == "byte" else _char_bpe(tokenizer)
    else:
        refuse(
            f"{tokenizer.name} is a SentencePiece model, or of another kind that is not written so.",
            f"A {KIND} here holds byte-pair encodings, WordPiece and Unigram.",
            OTHER_FORMAT,
        )
    added = sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])
    file = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": token_id,
                "content": token,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for token, token_id in added
        ],
        "normalizer": parts["normalizer"],
        "pre_tokenizer": parts["pre_tokenizer"],
        "post_processor": None,
        "decoder": parts["decoder"],
        "model": parts["model"],
    }
    return (json.dumps(file, ensure_ascii=False, indent=1) + "\n").encode()


def _byte_bpe(tokenizer: Tokenizer) -> Json:
    names = {token_id: byte_level(token) for token, token_id in one_id_each(tokenizer, KIND).items()}
    split = tokenizer.config.split
    levels: Json = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": split == "gpt2"}
    cut = split not in ("gpt2", "none")
    return {
        "normalizer": _sequence(normalizers(tokenizer.config)),
        "pre_tokenizer": _sequence([_split(split), levels] if cut else [levels], "pretokenizers"),
        "decoder": levels,
        "model": _bpe_model(tokenizer, names, None, byte_fallback=False),
    }


def _char_bpe(tokenizer: Tokenizer) -> Json:
    base, config = tokenizer.base, tokenizer.config
    marks = end_marks(tokenizer, KIND)
    names: dict[int, str] = {}
    for token_id in sorted({*tokenizer.ids} - {*tokenizer.special_tokens.values(), *(base.byte_ids or ())}):
        token = tokenizer.token_bytes(token_id)
        ends = marks is not None and token_id in marks.ids
        text = token[: len(token) - len(base.mark.encode())] if ends else token
        names[token_id] = text.decode() + (marks.sign if marks is not None and ends else "")
    if base.byte_ids is not None:
        if {*base.byte_ids} & {part for row in tokenizer.merges.rows for part in row[:2]}:
            refuse("A merge joins fallback bytes.", f"In a {KIND} such bytes stay single.", 'Save it as "bpe-lab".')
        names |= {token_id: f"<0x{value:02X}>" for value, token_id in enumerate(base.byte_ids)}
    unknown = None if base.unknown_id is None else tokenizer.token_bytes(base.unknown_id).decode()
    decoders: list[Json] = [{"type": "ByteFallback"}] if base.byte_ids is not None else []
    if marks is not None:
        decoders.append({"type": "Replace", "pattern": {"String": marks.sign}, "content": " "})
    decoders.append({"type": "Fuse"})
    if marks is not None:
        decoders.append({"type": "Strip", "content": " ", "start": 0, "stop": 1})
    return {
        "normalizer": _sequence([*normalizers(config), *(marks.normalizers if marks is not None else [])]),
        "pre_tokenizer": None if config.split == "none" else _split(config.split),
        "decoder": _sequence(decoders, "decoders"),
        "model": _bpe_model(tokenizer, names, unknown, byte_fallback=base.byte_ids is not None),
    }


def _bpe_model(tokenizer: Tokenizer, names: dict[int, str], unknown: str | None, *, byte_fallback: bool) -> Json:
    special = tokenizer.special_tokens
    _check_names(special, names)
    wholes = tokenizer.merges.takes_wholes
    if wholes:
        _check_words(tokenizer)
    rows = tokenizer.merges.rows
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": unknown,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": byte_fallback,
        "ignore_merges": wholes,
        "vocab": _vocab(names, special),
        "merges": [[names[left], names[right]] for left, right, _ in rows],
    }


def _wordpiece(tokenizer: WordPieceTokenizer) -> Json:
    _check_words(tokenizer)
    pieces = pieces_of(tokenizer, KIND, (BERT_SPLIT, CHINESE_SPLIT))
    _check_names({}, dict(enumerate(pieces)))
    return {
        "normalizer": _sequence(normalizers(tokenizer.config)),
        "pre_tokenizer": _split(tokenizer.config.split),
        "decoder": {"type": "WordPiece", "prefix": INSIDE, "cleanup": False},
        "model": {
            "type": "WordPiece",
            "unk_token": UNKNOWN_WORD,
            "continuing_subword_prefix": INSIDE,
            "max_input_chars_per_word": tokenizer.longest_word or LONGEST_WORD,
            "vocab": {piece: i for i, piece in enumerate(pieces)},
        },
    }


def _vocab(names: Mapping[int, str], special: Mapping[str, int]) -> dict[str, int]:
    by_id = {**names, **{token_id: token for token, token_id in special.items()}}
    return {by_id[token_id]: token_id for token_id in sorted(by_id)}


def _check_names(special: Mapping[str, int], names: Mapping[int, str]) -> None:
    known: dict[str, int] = {}
    for token_id, name in [*names.items(), *((i, token) for token, i in special.items())]:
        if known.setdefault(name, token_id) != token_id:
            refuse(
                f"The tokens {known[name]:,} and {token_id:,} are both written {quoted(name)}.",
                f"A {KIND} names tokens by what they spell, and has one id for it.",
                'Save it as "bpe-lab".',
            )


def _check_words(tokenizer: Tokenizer) -> None:
    """Raises FormatError for a special token that is a word: the library would find it where it is meant as text."""
    pattern = compile_split(tokenizer.config.split)
    for token in tokenizer.special_tokens:
        if list(words(pattern, token)) == [token]:
            refuse(
                f"The special token {quoted(token)} is a word of its own.",
                f"In a {KIND} of this kind, a word that a token spells becomes that token, the special ones too.",
                'Save it as "bpe-lab", or put signs around the name, as in <name>.',
            )


def _split(split: str) -> Json:
    pattern = {"Regex": to_oniguruma(split)}
    if split in WHOLE:
        return {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}
    return {"type": "Split", "pattern": pattern, "behavior": "Removed", "invert": True}


def _sequence(parts: list[Json], kind: str = "normalizers") -> Json | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return {"type": "Sequence", kind: parts}


# -- reading -----------------------------------------------------------------------------------------------

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
    """The tokenizer of a tokenizer.json that was parsed to `content`. FormatError with the key of what is wrong."""
    unknown = next((key for key in content if key not in _ROOT), None)
    if unknown is not None:
        refuse(f"The file holds {quoted(unknown)}, which is not known.", f"A {KIND} has {', '.join(_ROOT)}.")
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
        refuse(f"model.vocab holds {len(vocab):,} tokens.", f"The most allowed is {MOST_TOKENS:,}.")
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
        token, token_id = (
            a_text(f"{place}.content", entry["content"]),
            an_id(f"{place}.id", entry["id"], HIGHEST_SPECIAL_ID),
        )
        for flag in ("single_word", "lstrip", "rstrip"):
            if a_flag(f"{place}.{flag}", entry.get(flag, False)):
                _unsupported(f"{place}.{flag}", True, "special tokens are found as they are written")
        if a_flag(f"{place}.normalized", entry.get("normalized", False)) and normalizes:
            _unsupported(f"{place}.normalized", True, "special tokens are looked for before normalization")
        if known_ids.get(token, token_id) != token_id or added.get(token, token_id) != token_id:
            refuse(
                f"{place} gives {quoted(token)} the id {token_id:,}, and the vocabulary another one.",
                "A token has one id.",
            )
        added[token] = token_id
    return added


def _read_bpe(content: Json, model: Json, vocab: dict[str, int], added: dict[str, int], name: str) -> Tokenizer:
    for key in ("dropout", "continuing_subword_prefix", "end_of_word_suffix"):
        if model.get(key):
            _unsupported(f"model.{key}", model[key], "it has to be null")
    levels, split = _read_pre_tokenizer(content.get("pre_tokenizer"))
    fallback = a_flag("model.byte_fallback", model.get("byte_fallback") or False)
    wholes = a_flag("model.ignore_merges", model.get("ignore_merges") or False)
    unknown = model.get("unk_token")
    if unknown is not None and a_text("model.unk_token", unknown) not in {**vocab, **added}:
        refuse(f"model.unk_token is {quoted(unknown)}, which is no token.", "It is one of model.vocab.")
    settings, sign = read_normalizers(content.get("normalizer"), "normalizer", split)
    if chinese_apart(content.get("normalizer"), "normalizer"):
        _unsupported("normalizer.handle_chinese_chars", True, "it is read for WordPiece")
    rows = _read_merges(model.get("merges"), vocab)
    plain = {token: token_id for token, token_id in vocab.items() if token not in added}
    made_ids = {token_id for _, _, token_id in rows}
    data: dict[str, bytes] = {}
    for token, token_id in plain.items():
        spelled = from_byte_level(token) if levels else token.encode()
        byte = _BYTE_TOKEN.fullmatch(token) if fallback and not levels else None
        if byte:
            spelled = bytes([int(byte[1], 16)])
        elif sign and token.endswith(sign):
            spelled = (token.removesuffix(sign) + settings.end_of_word).encode()
        if not spelled:
            if token_id in made_ids or not token:
                refuse(
                    f"model.vocab holds {quoted(token)}.", "Tokens are written in the characters that stand for bytes."
                )
            spelled = token.encode()  # a token that no text becomes
        data[token] = spelled
    tokens = tokens_by_id((f"model.vocab[{quoted(token)}]", data[token], i) for token, i in plain.items())
    if levels:
        base = BaseVocabulary(tokens=(), special_tokens={}, byte_ids=byte_ids(tokens, "model.vocab"))
    else:
        base = _char_base(model, {**vocab, **added}, plain, settings, sign, fallback=fallback)
    config = tokenizer_config(
        vocab_size=len(tokens),
        unit="byte" if levels else "char",
        split=split,
        normalization=settings.normalization,
        lowercase=settings.lowercase,
        strip_accents=settings.strip_accents,
        byte_fallback=fallback and not levels,
        end_of_word=settings.end_of_word,
        clean=settings.clean,
        lowercase_each=settings.lowercase_each,
    )
    if set(added.values()) & {part for row in rows for part in row}:
        refuse("model.merges makes a special token, or merges one.", "Special tokens are made by no merge.")
    return bpe_tokenizer(name, config, base, tokens, merges_of(rows, tokens, wholes=wholes), added)


def _char_base(
    model: Json, ids: dict[str, int], plain: dict[str, int], settings: Stages, sign: str, *, fallback: bool
) -> BaseVocabulary:
    bytes_ = [ids.get(f"<0x{value:02X}>") for value in range(256)]
    complete = fallback and None not in bytes_
    unknown = model.get("unk_token")
    if fallback and not complete:
        _unsupported(
            "model.byte_fallback", True, f"it needs all 256 tokens from <0x00> to <0xFF>, without {_first(bytes_)}"
        )
    if not complete and unknown is None:
        _unsupported("model.unk_token", None, "a character that is no token has to become one")
    if not complete and a_flag("model.fuse_unk", model.get("fuse_unk") or False):
        _unsupported("model.fuse_unk", True, "every unknown character is a token")
    chars = {token: i for token, i in plain.items() if len(token) == 1 and token != sign}
    return BaseVocabulary(
        tokens=(),
        special_tokens={},
        byte_ids=tuple(i for i in bytes_ if i is not None) if complete else None,
        char_ids=chars,
        unknown_id=None if complete or unknown is None else ids[unknown],
        mark=settings.end_of_word,
        mark_id=ids.get(sign) if sign else None,
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
        checked_pair(place, left, right, vocab)
        if (left, right) in known:
            refuse(f"{place} is {quoted(entry)}, which stands there already.", "Every pair merges once.")
        known.add((left, right))
        rows.append((vocab[left], vocab[right], vocab[left + right]))
    return rows


def _read_pre_tokenizer(value: object) -> tuple[bool, str]:
    """Whether bytes are written as characters, and the split."""
    steps = _flat(value, "pre_tokenizer", "pretokenizers")
    levels = bool(steps) and steps[-1][1].get("type") == "ByteLevel"
    split = "none"
    if levels:
        place, step = steps.pop()
        if a_flag(f"{place}.add_prefix_space", step.get("add_prefix_space", True)):
            _unsupported(f"{place}.add_prefix_space", True, "no space is put in front of a text")
        if a_flag(f"{place}.use_regex", step.get("use_regex", True)):
            if steps:
                _unsupported(place, "use_regex after another split", "a text is split once")
            return True, "gpt2"
    if len(steps) > 1:
        _unsupported(steps[1][0], steps[1][1].get("type"), "a text is split once")
    for place, step in steps:
        kind = step.get("type")
        if kind == "WhitespaceSplit":
            split = "words"
        elif kind == "BertPreTokenizer":
            split = BERT_SPLIT
        elif kind == "Whitespace":
            split = WHITESPACE_SPLIT
        elif kind == "Split":
            split = _read_split(place, step)
        else:
            _unsupported(
                f"{place}.type", kind, "Split, ByteLevel, WhitespaceSplit, Whitespace and BertPreTokenizer are read"
            )
    return levels, split


def _read_split(place: str, step: Json) -> str:
    given = an_object(f"{place}.pattern", step.get("pattern"))
    if list(given) == ["String"]:
        pattern = re.escape(a_text(f"{place}.pattern.String", given["String"]))
    elif list(given) == ["Regex"]:
        pattern = from_oniguruma(a_text(f"{place}.pattern.Regex", given["Regex"]), f"{place}.pattern.Regex")
    else:
        refuse(f"{place}.pattern is {quoted(given)}.", "It is a Regex or a String.")
    behavior, invert = step.get("behavior"), a_flag(f"{place}.invert", step.get("invert", False))
    if behavior == "Removed" and invert:
        return pattern
    if behavior == "Isolated" and not invert:
        return pattern if pattern in WHOLE else rf"{_whole(pattern)}|(?:(?!{_whole(pattern)})[\s\S])+"
    if behavior == "Removed":
        return rf"(?:(?!{_whole(pattern)})[\s\S])+"
    _unsupported(f"{place}.behavior", behavior, "Isolated and Removed are read")


def _whole(pattern: str) -> str:
    return f"(?:{PATTERNS.get(pattern, pattern)})"


def _read_wordpiece(content: Json, model: Json, vocab: dict[str, int], added: dict[str, int], name: str) -> Tokenizer:
    for key, wanted in (("unk_token", UNKNOWN_WORD), ("continuing_subword_prefix", INSIDE)):
        if model.get(key) != wanted:
            _unsupported(f"model.{key}", model.get(key), f"it has to be {wanted}")
    tokens = tokens_by_id((f"model.vocab[{quoted(piece)}]", piece.encode(), i) for piece, i in vocab.items())
    pieces = [piece.decode() for piece in tokens if piece is not None]
    check_pieces("model.vocab", pieces)
    if len(pieces) < len(tokens):
        refuse(f"model.vocab has no token of the id {tokens.index(None):,}.", "Ids have no gaps.")
    levels, split = _read_pre_tokenizer(content.get("pre_tokenizer"))
    if levels or split not in (BERT_SPLIT, CHINESE_SPLIT):
        _unsupported("pre_tokenizer", content.get("pre_tokenizer"), "WordPiece has words by BERT's rule")
    settings, _ = read_normalizers(content.get("normalizer"), "normalizer", split)
    if chinese_apart(content.get("normalizer"), "normalizer"):
        split = CHINESE_SPLIT
    config = tokenizer_config(
        vocab_size=len(tokens),
        unit="char",
        split=split,
        normalization=settings.normalization,
        lowercase=settings.lowercase,
        strip_accents=settings.strip_accents,
        clean=settings.clean,
        lowercase_each=settings.lowercase_each,
    )
    inside = [token for token in added if token in vocab]
    longest = an_id("model.max_input_chars_per_word", model.get("max_input_chars_per_word", 100), LONGEST_WORD)
    tokenizer = made(
        "model.vocab",
        lambda: WordPieceTokenizer(pieces, special_tokens=inside, name=name, config=config, longest_word=longest),
    )
    return made("added_tokens", lambda: tokenizer.with_special_tokens(added))


def _flat(value: object, place: str, kind: str) -> list[tuple[str, Json]]:
    if value is None:
        return []
    step = an_object(place, value, ("type",))
    if step["type"] != "Sequence":
        return [(place, step)]
    parts = a_list(f"{place}.{kind}", step.get(kind), 20)
    return [
        (f"{place}.{kind}[{at}]", an_object(f"{place}.{kind}[{at}]", part, ("type",))) for at, part in enumerate(parts)
    ]


def _unsupported(place: str, value: object, limit: str) -> NoReturn:
    refuse(
        f"{place} is {quoted(value)}, which BPE Lab cannot do.",
        f"{limit[0].upper()}{limit[1:]}.",
        "Use the file with the tokenizers library.",
    )
