"""Writer of tokenizer.json (see tokenizers_json.py): BPE over bytes or characters, WordPiece, WordLevel, Unigram.

By default the library parses added tokens in a text, like special="parse" here; with `encode_special_tokens` it encodes
them as text, like special="text".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring
from typing import cast

from bpe_core.bpe.file_symbols import FileSymbols
from bpe_core.bpe.model import BpeModel
from bpe_core.errors import quoted, refuse
from bpe_core.formats import unigram_json
from bpe_core.formats.added_tokens_json import read_added, write_added
from bpe_core.formats.bpe import OTHER_FORMAT, bpe_model, one_id_each
from bpe_core.formats.bpe_json import write_bpe
from bpe_core.formats.decoders_json import write_decoder
from bpe_core.formats.models_json import write_unigram, write_wordlevel, write_wordpiece
from bpe_core.formats.normalizers import end_mark, library_steps, replace
from bpe_core.formats.pretokenizers_json import write_pre_tokenizer
from bpe_core.formats.reading import Json
from bpe_core.formats.wordpiece_file import pieces_of
from bpe_core.huggingface.oniguruma import CHINESE_SPLIT, WHOLE, to_oniguruma
from bpe_core.huggingface.split_chain import SplitChain
from bpe_core.language import message
from bpe_core.text.byte_characters import byte_level, from_byte_level
from bpe_core.text.normalizers import CleanText, Form, Lowercase, StripAccents
from bpe_core.text.splits import BERT_SPLIT
from bpe_core.tokenizer.decoders import EndOfWord, JoinBytes, JoinWords, SpaceMarks
from bpe_core.tokenizer.fallback_bytes import FallbackBytes
from bpe_core.tokenizer.special_tokens import SpecialToken
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.model import UnigramModel
from bpe_core.wordlevel.model import WordLevelModel
from bpe_core.wordpiece.model import INSIDE, UNKNOWN_WORD, WordPieceModel

KIND = "tokenizer.json"
LONGEST_WORD = 1_000_000_000
"""max_input_chars_per_word of a tokenizer without a limit."""

_WORDPIECE_SPLITS = (BERT_SPLIT, CHINESE_SPLIT)


def write(tokenizer: Tokenizer) -> bytes:
    """The tokenizer.json of a tokenizer. Raises FormatError if the library would encode differently.

    >>> import json
    >>> from bpe_core import TrainConfig, train
    >>> json.loads(write(train("low low", TrainConfig(vocab_size=258)).tokenizer()))["model"]["merges"]
    [['l', 'o'], ['lo', 'w']]
    """
    if is_of_file(tokenizer):
        parts = _as_read(tokenizer)
    else:
        parts_of = _PARTS.get(tokenizer.model.kind)
        if parts_of is None:
            refuse(
                message(
                    "The model of {tokenizer} is of the kind {kind}.",
                    tokenizer=tokenizer.name,
                    kind=quoted(tokenizer.model.kind),
                ),
                message("A {kind} is written for byte-pair encodings, WordPiece, WordLevel and Unigram.", kind=KIND),
                OTHER_FORMAT,
            )
        parts = parts_of(tokenizer)
    if "dropout" in tokenizer.kept:
        parts["model"]["dropout"] = tokenizer.kept["dropout"]
    file = {
        "version": "1.0",
        "truncation": tokenizer.kept.get("truncation"),
        "padding": tokenizer.kept.get("padding"),
        "added_tokens": write_added(tokenizer.special_token_flags),
        "normalizer": parts["normalizer"],
        "pre_tokenizer": parts["pre_tokenizer"],
        "post_processor": tokenizer.kept.get("post_processor"),
        "decoder": parts["decoder"],
        "model": parts["model"],
    }
    return _indented(file).encode()


def is_of_file(tokenizer: Tokenizer) -> bool:
    """Whether a tokenizer has a stage specific to other programs' files, and must be written as it was read.

    >>> from bpe_core import load_pretrained
    >>> is_of_file(load_pretrained("gpt2"))
    False
    """
    model, steps = tokenizer.model, tokenizer.normalizer.steps
    if model.kind == "sentencepiece":
        return False
    return (
        model.kind == "wordlevel"
        or isinstance(tokenizer.split, SplitChain)
        or not _decodes_as_made_here(tokenizer)
        or not all(isinstance(step, Form | Lowercase | StripAccents | CleanText) for step in steps)
        or (isinstance(model, BpeModel) and isinstance(model.base, FileSymbols))
        or (isinstance(model, WordPieceModel) and not _is_berts(model, tokenizer.split.pattern))
        or (model.unit == "byte" and any(_flags(token) for token in tokenizer.special_token_flags))
    )


def _is_berts(model: WordPieceModel, split: str) -> bool:
    """Whether a WordPiece model has BERT's split and token names, which are also this project's."""
    return split in _WORDPIECE_SPLITS and model.unknown == UNKNOWN_WORD and model.prefix == INSIDE


def _decodes_as_made_here(tokenizer: Tokenizer) -> bool:
    model, decoder = tokenizer.model, tokenizer.decoder
    made_here = isinstance(decoder, JoinBytes | EndOfWord | JoinWords | SpaceMarks)
    return made_here or (isinstance(model, BpeModel) and decoder == model.decoder)


def _flags(token: SpecialToken) -> bool:
    """Whether an added token has flags other than the defaults."""
    return token != SpecialToken(token.text, token.id)


def _as_read(tokenizer: Tokenizer) -> Json:
    """The stages in the file's form, one to one."""
    model, decoder = tokenizer.model, tokenizer.decoder
    parts: Json = {
        "normalizer": _sequence(library_steps(tokenizer.normalizer)),
        "pre_tokenizer": write_pre_tokenizer(tokenizer.split, model.unit == "byte"),
    }
    if isinstance(model, BpeModel) and model.unit == "char" and not isinstance(model.base, FileSymbols):
        parts |= _char_stages(tokenizer)
    else:
        parts["model"] = _model_as_read(tokenizer)
    if isinstance(decoder, JoinWords):
        parts["decoder"] = {"type": "WordPiece", "prefix": decoder.inside, "cleanup": False}
    elif decoder == JoinBytes() and model.unit == "byte":
        parts["decoder"] = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    elif isinstance(decoder, JoinBytes | FallbackBytes):
        parts["decoder"] = _sequence(_fused(falls_back=parts["model"]["byte_fallback"]), "decoders")
    elif not isinstance(decoder, EndOfWord):
        parts["decoder"] = write_decoder(decoder)
    return parts


def _fused(*, falls_back: bool) -> list[Json]:
    """Decoders that join character tokens unchanged."""
    return [*([{"type": "ByteFallback"}] if falls_back else []), {"type": "Fuse"}]


def _model_as_read(tokenizer: Tokenizer) -> Json:
    model = tokenizer.model
    if isinstance(model, BpeModel) and isinstance(model.base, FileSymbols):
        section = write_bpe(model)
        if not _are_numbered(tokenizer, section["vocab"]):  # merges that were trained after the added tokens
            section["vocab"] = _added(tokenizer) | section["vocab"]
        return section
    if isinstance(model, BpeModel):
        ids = one_id_each(tokenizer, KIND, but=_added(tokenizer).values())
        return _bpe_model(
            tokenizer, {token_id: byte_level(token) for token, token_id in ids.items()}, None, byte_fallback=False
        )
    if isinstance(model, WordPieceModel):
        return write_wordpiece(model)
    if isinstance(model, WordLevelModel):
        return write_wordlevel(model)
    return write_unigram(cast("UnigramModel", model))


def _added(tokenizer: Tokenizer) -> dict[str, int]:
    """Ids of all added tokens, special or not."""
    return {token.text: token.id for token in tokenizer.special_token_flags}


def _bpe(tokenizer: Tokenizer) -> Json:
    return _byte_bpe(tokenizer) if tokenizer.model.unit == "byte" else _char_bpe(tokenizer)


def _byte_bpe(tokenizer: Tokenizer) -> Json:
    names = {token_id: byte_level(token) for token, token_id in one_id_each(tokenizer, KIND).items()}
    split = tokenizer.split.pattern
    levels: Json = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": split == "gpt2"}
    steps = [levels] if split in ("gpt2", "none") else [_split(split), levels]
    return {
        "normalizer": _sequence(library_steps(tokenizer.normalizer)),
        "pre_tokenizer": _sequence(steps, "pretokenizers"),
        "decoder": levels,
        "model": _bpe_model(tokenizer, names, None, byte_fallback=False),
    }


def _char_bpe(tokenizer: Tokenizer) -> Json:
    split = tokenizer.split.pattern
    return _char_stages(tokenizer) | {"pre_tokenizer": None if split == "none" else _split(split)}


def _char_stages(tokenizer: Tokenizer) -> Json:
    """Normalizer, model and decoder."""
    model = bpe_model(tokenizer)
    base = model.base
    mark = end_mark(tokenizer, KIND)
    _check_characters(tokenizer)
    names: dict[int, str] = {}
    for token_id in sorted({*tokenizer.ids} - {*_added(tokenizer).values(), *(base.byte_ids or ())}):
        token = tokenizer.token_bytes(token_id)
        ends = mark is not None and token_id in mark.ids
        text = token[: len(token) - len(base.mark.encode())] if ends else token
        names[token_id] = text.decode() + (mark.char if mark is not None and ends else "")
    if base.byte_ids is not None:
        if {*base.byte_ids} & {part for row in model.merges.rows for part in row[:2]}:
            refuse(
                message("A merge joins fallback bytes."),
                message("In a {kind} these stay single.", kind=KIND),
                message('Save it as "bpe-lab".'),
            )
        names |= {token_id: f"<0x{value:02X}>" for value, token_id in enumerate(base.byte_ids)}
    unknown = None if base.unknown_id is None else tokenizer.token_bytes(base.unknown_id).decode()
    decoders = _fused(falls_back=base.byte_ids is not None)
    if mark is not None:  # not Strip for the last one: it crashes the library's process on empty text
        decoders.append(replace(rf"{mark.char}\z", ""))
        decoders.append({"type": "Replace", "pattern": {"String": mark.char}, "content": " "})
    return {
        "normalizer": _sequence(
            [*library_steps(tokenizer.normalizer), *(mark.normalizers if mark is not None else [])]
        ),
        "decoder": _sequence(decoders, "decoders"),
        "model": _bpe_model(tokenizer, names, unknown, byte_fallback=base.byte_ids is not None),
    }


def _bpe_model(tokenizer: Tokenizer, names: dict[int, str], unknown: str | None, *, byte_fallback: bool) -> Json:
    special = _added(tokenizer)
    _check_names(special, names)
    model = bpe_model(tokenizer)
    merges = model.merges
    of_model = {
        token.text: token.id
        for token in tokenizer.special_token_flags
        if token.special or (token.id < len(model.tokens) and model.tokens[token.id] is not None)
    }
    if _are_numbered(tokenizer, _vocab(names, of_model)):
        special = of_model
    names = names | {token_id: token for token, token_id in special.items()}
    wholes = merges.takes_wholes
    if wholes:
        _check_words(tokenizer, special, merges.whole)
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
        "merges": [[names[left], names[right]] for left, right, _ in merges.rows],
    }


def _wordpiece(tokenizer: Tokenizer) -> Json:
    _check_words(tokenizer, _added(tokenizer))
    pieces = pieces_of(tokenizer, KIND, _WORDPIECE_SPLITS)
    _check_names({}, dict(enumerate(pieces)))
    return {
        "normalizer": _sequence(library_steps(tokenizer.normalizer)),
        "pre_tokenizer": _split(tokenizer.split.pattern),
        "decoder": {"type": "WordPiece", "prefix": INSIDE, "cleanup": False},
        "model": {
            "type": "WordPiece",
            "unk_token": UNKNOWN_WORD,
            "continuing_subword_prefix": INSIDE,
            "max_input_chars_per_word": cast("WordPieceModel", tokenizer.model).longest_word or LONGEST_WORD,
            "vocab": {piece: i for i, piece in enumerate(pieces)},
        },
    }


def _indented(file: Json) -> str:
    """Faster `json.dumps` with indent=1, whose pure-Python encoder is slow for vocabulary and merges."""
    head = json.dumps({key: value for key, value in file.items() if key != "model"}, ensure_ascii=False, indent=1)
    model = ",\n".join(f"  {encode_basestring(key)}: {_indented_entry(value)}" for key, value in file["model"].items())
    return f'{head[:-2]},\n "model": {{\n{model}\n }}\n}}\n'


def _indented_entry(value: object) -> str:
    text = encode_basestring
    if isinstance(value, dict) and value and set(map(type, value.values())) == {int}:
        return "{\n" + ",\n".join([f"   {text(token)}: {token_id}" for token, token_id in value.items()]) + "\n  }"
    if isinstance(value, list) and value and all(type(pair[-1]) is str and len(pair) == 2 for pair in value):
        pairs = [f"   [\n    {text(left)},\n    {text(right)}\n   ]" for left, right in value]
        return "[\n" + ",\n".join(pairs) + "\n  ]"
    return json.dumps(value, ensure_ascii=False, indent=1).replace("\n", "\n  ")  # strings contain no line feed


def _vocab(names: Mapping[int, str], special: Mapping[str, int]) -> dict[str, int]:
    by_id = {**names, **{token_id: token for token, token_id in special.items()}}
    return {by_id[token_id]: token_id for token_id in sorted(by_id)}


def _check_names(special: Mapping[str, int], names: Mapping[int, str]) -> None:
    known: dict[str, int] = {}
    for token_id, name in [*names.items(), *((i, token) for token, i in special.items())]:
        if known.setdefault(name, token_id) != token_id:
            refuse(
                message(
                    "The tokens {other_id:,} and {token_id:,} are both written {name}.",
                    other_id=known[name],
                    token_id=token_id,
                    name=quoted(name),
                ),
                message("A {kind} names tokens by their spelling, with one id for each.", kind=KIND),
                message('Save it as "bpe-lab".'),
            )


def _check_characters(tokenizer: Tokenizer) -> None:
    """Raise FormatError for a special token of one character, which the library would find in plain text."""
    for token in _added(tokenizer):
        if len(token) == 1:
            refuse(
                message("The special token {token} is a single character.", token=quoted(token)),
                message(
                    "In a {kind} of characters, a text's own {token} becomes that token as well.",
                    kind=KIND,
                    token=quoted(token),
                ),
                message('Save it as "bpe-lab", or put punctuation around the name, as in <name>.'),
            )


def _are_numbered(tokenizer: Tokenizer, vocab: Mapping[str, int]) -> bool:
    """Whether the library gives the added tokens the same ids if the model has this vocabulary."""
    found = read_added(write_added(tokenizer.special_token_flags), vocab, len(vocab))
    return {token.text: token.id for token in found} == _added(tokenizer)


def _check_words(
    tokenizer: Tokenizer, special: Mapping[str, int], whole: Callable[[bytes], int | None] = lambda _: None
) -> None:
    """Raise FormatError for a special token that is also a word, which the library would find in plain text.

    `whole`: returns the id of a word that is also a token, or None.
    """
    levels = tokenizer.model.unit == "byte"
    always_found = {
        token.text
        for token in tokenizer.special_token_flags
        if not (token.special or token.whole_word) and (token.normalized or not tokenizer.normalizer.steps)
    }
    for token, token_id in special.items():
        if token in always_found:
            continue
        word = from_byte_level(token) if levels else token.encode()  # None: no text produces it
        if word is not None and tokenizer.split.words(token) == [token] and whole(word) != token_id:
            refuse(
                message("The special token {token} is a word of its own.", token=quoted(token)),
                message(
                    "In a {kind} of this kind, a word that a token spells becomes that token, also a special one.",
                    kind=KIND,
                ),
                message('Save it as "bpe-lab", or put punctuation around the name, as in <name>.'),
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


_PARTS: dict[str, Callable[[Tokenizer], Json]] = {"bpe": _bpe, "wordpiece": _wordpiece, "unigram": unigram_json.write}
