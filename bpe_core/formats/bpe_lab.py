"""The project's own file: versioned JSON with the settings and the vocabulary of a tokenizer, whatever its kind.

    {"format": "bpe-lab", "version": 2, "kind": "tokenizer",
     "name": "trained", "model": "bpe",
     "config": {…},                    every setting of TrainConfig (or ReadConfig) by its name
     "special_tokens": {"<s>": 0},
     … what the model needs}

    "bpe"            "bytes": the ids of the 256 bytes, or null; "characters": {"a": 259}; "unknown", "mark": an id or
                     null; "tokens": [[id, base64]], those that no merge makes; "merges": [[left, right, new id]], the
                     first to be applied first; "whole_words": whether a word that is a token is taken as a whole
    "ranks"          "tokens": base64 of each token by its rank, or null
    "wordpiece"      "pieces": the tokens by id; "longest_word": the characters above which a word is [UNK], 0 for all
    "unigram"        "pieces": [[piece, score]], from id 1 on
    "sentencepiece"  "file": the .model in base64

Version 1 of the format is a training (training_file.py). It opens as the tokenizer of all its merges.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

from bpe_core.config import ReadConfig, TrainConfig
from bpe_core.errors import quoted
from bpe_core.formats import sentencepiece_file, training_file
from bpe_core.formats.bpe import bpe_tokenizer, byte_ids, is_bpe, merges_of
from bpe_core.formats.reading import (
    HIGHEST_ID,
    MOST_SPECIAL,
    a_flag,
    a_list,
    a_text,
    an_id,
    an_object,
    check_joins,
    check_length,
    check_pieces,
    json_text,
    made,
    refuse,
    tokens_by_id,
)
from bpe_core.merges import ByteRanks, PairMerges, Row
from bpe_core.sentencepiece_tokenizer import SentencePieceTokenizer
from bpe_core.tokenizer import HIGHEST_ID as HIGHEST_SPECIAL_ID
from bpe_core.tokenizer import Tokenizer
from bpe_core.unigram_model import UnigramModel
from bpe_core.unigram_tokenizer import UnigramTokenizer
from bpe_core.vocabulary import BaseVocabulary, base_vocabulary
from bpe_core.wordpiece_tokenizer import WordPieceTokenizer

FORMAT, VERSION = training_file.FORMAT, 2
_HEAD = ("format", "version", "kind", "name", "model", "config", "special_tokens")
_KEYS = {
    "bpe": ("bytes", "characters", "unknown", "mark", "tokens", "merges", "whole_words"),
    "ranks": ("tokens",),
    "wordpiece": ("pieces", "longest_word"),
    "unigram": ("pieces",),
    "sentencepiece": ("file",),
}


def write(tokenizer: Tokenizer) -> bytes:
    """The file of any tokenizer. FormatError for one that is none of the models above."""
    model, content = _content(tokenizer)
    settings = asdict(tokenizer.config)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "tokenizer",
        "name": tokenizer.name,
        "model": model,
        "config": {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()},
        "special_tokens": tokenizer.special_tokens,
    }
    lines = [f'"{key}": {json_text(value)}' for key, value in head.items()]
    lines += [f'"{key}": {_rows(value)}' for key, value in content.items()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def read(content: dict[str, Any], data: bytes, name: str = "") -> Tokenizer:
    """The tokenizer of a file that was parsed to `content`. Raises FormatError with the key of what is wrong."""
    version = content.get("version")
    if version == training_file.VERSION and not isinstance(version, bool):
        return _of_training(training_file.read_training(data), name)
    if version != VERSION or isinstance(version, bool):
        refuse(
            f"The file has version {quoted(version)} of the format.",
            f"This BPE Lab reads versions 1 to {VERSION}.",
            "Open it with the BPE Lab that saved it, or with a newer one.",
        )
    model = content.get("model")
    if not isinstance(model, str) or model not in _KEYS:
        refuse(f"model is {quoted(model)}.", f"It has to be one of {', '.join(_KEYS)}.")
    an_object("The file", content, (*_HEAD, *_KEYS[model]), only=True)
    if content["kind"] != "tokenizer":
        refuse(f"kind is {quoted(content['kind'])}.", 'It has to be "tokenizer".')
    config = _config(content["config"])
    if len(an_object("special_tokens", content["special_tokens"])) > MOST_SPECIAL:
        refuse("There are too many special tokens.", f"The most allowed is {MOST_SPECIAL:,}.")
    special = {
        a_text("special_tokens", token): an_id(f"special_tokens[{quoted(token)}]", token_id, HIGHEST_SPECIAL_ID)
        for token, token_id in content["special_tokens"].items()
    }
    return _READERS[model](content, a_text("name", content["name"]), config, special)


def _content(tokenizer: Tokenizer) -> tuple[str, dict[str, Any]]:
    if isinstance(tokenizer, WordPieceTokenizer):
        return "wordpiece", {"pieces": list(tokenizer.pieces), "longest_word": tokenizer.longest_word}
    if isinstance(tokenizer, UnigramTokenizer):
        return "unigram", {"pieces": [[piece, score] for piece, score in tokenizer.model.scores.items()]}
    if isinstance(tokenizer, SentencePieceTokenizer):
        return "sentencepiece", {"file": base64.b64encode(tokenizer.model).decode()}
    if not is_bpe(tokenizer):
        refuse(f"{tokenizer.name} is a {type(tokenizer).__name__}.", f"A file holds one of {', '.join(_KEYS)}.")
    special = set(tokenizer.special_tokens.values())
    tokens = {i: tokenizer.token_bytes(i) for i in tokenizer.ids if i not in special}
    if isinstance(tokenizer.merges, ByteRanks):
        known = [tokens.get(i) for i in range(max(tokens, default=-1) + 1)]
        return "ranks", {"tokens": [None if token is None else base64.b64encode(token).decode() for token in known]}
    base, rows = tokenizer.base, tokenizer.merges.rows
    derived = {*(base.byte_ids or ()), *base.char_ids.values(), *(token_id for _, _, token_id in rows)}
    return "bpe", {
        "bytes": None if base.byte_ids is None else list(base.byte_ids),
        "characters": dict(base.char_ids),
        "unknown": base.unknown_id,
        "mark": base.mark_id,
        "tokens": [[i, base64.b64encode(token).decode()] for i, token in tokens.items() if i not in derived],
        "whole_words": tokenizer.merges.takes_wholes,
        "merges": [list(row) for row in rows],
    }


def _rows(value: object) -> str:
    """JSON, with a line for each entry of a long list."""
    if isinstance(value, list) and len(value) > 1 and isinstance(value[-1], list):
        return "[\n" + ",\n".join(map(json_text, value)) + "\n]"
    return json_text(value)


# -- reading -----------------------------------------------------------------------------------------------


def _of_training(saved: training_file.SavedTraining, name: str) -> Tokenizer:
    """The tokenizer of a training, from what its file says came of it."""
    base = made("the training", lambda: base_vocabulary(saved.config, [saved.characters or ""]))
    first_id = len(base.tokens)
    rows = [(left, right, first_id + rank) for rank, (left, right, _) in enumerate(saved.merges)]
    special = set(base.special_tokens.values())
    known = {i: token for i, token in enumerate(base.tokens) if i not in special}
    tokens = _with_merges(known, rows)
    merges = PairMerges([(left, right) for left, right, _ in rows], first_id)
    return bpe_tokenizer(name or "trained", saved.config, base, tokens, merges, base.special_tokens)


def _config(value: object) -> TrainConfig:
    known: type[TrainConfig] = ReadConfig if isinstance(value, dict) and "clean" in value else TrainConfig
    settings = an_object("config", value, tuple(setting.name for setting in fields(known)), only=True)
    special = a_list("config.special_tokens", settings["special_tokens"])
    return made("config", lambda: known(**{**settings, "special_tokens": tuple(special)}))


def _bpe(content: dict[str, Any], name: str, config: TrainConfig, special: dict[str, int]) -> Tokenizer:
    known: dict[int, bytes] = {}
    taken = set(special.values())

    def add(place: str, token_id: int, token: bytes) -> None:
        if token_id in known or token_id in taken:
            refuse(f"{place} has the id {token_id:,}, which another token has.", "Every token has an id of its own.")
        known[token_id] = token

    byte_list = None
    if content["bytes"] is not None:
        byte_list = [an_id(f"bytes[{i}]", each) for i, each in enumerate(a_list("bytes", content["bytes"], 256))]
        if len(byte_list) != 256:
            refuse(f"bytes has {len(byte_list):,} entries.", "It has the ids of all 256 bytes, or is null.")
        for value, token_id in enumerate(byte_list):
            add(f"bytes[{value}]", token_id, bytes([value]))
    chars: dict[str, int] = {}
    for char, token_id in an_object("characters", content["characters"]).items():
        place = f"characters[{quoted(char)}]"
        if len(a_text(place, char)) != 1:
            refuse(f"{place} is no single character.", "A key is one character.")
        chars[char] = an_id(place, token_id)
        add(place, chars[char], char.encode())
    for at, entry in enumerate(a_list("tokens", content["tokens"])):
        place = f"tokens[{at}]"
        if len(a_list(place, entry, 2)) != 2:
            refuse(f"{place} is {quoted(entry)}.", "It is an id and a token in base64.")
        add(place, an_id(f"{place}[0]", entry[0]), _from_base64(f"{place}[1]", entry[1]))
    mark = content["mark"]
    if mark is not None and (an_id("mark", mark) not in known or known[mark] != config.end_of_word.encode()):
        refuse(f"mark is {mark:,}.", "It is the id of the token that config.end_of_word names.")
    if (mark is None) != (not config.end_of_word):
        refuse(
            f"mark is {quoted(mark)}, and config.end_of_word {quoted(config.end_of_word)}.", "One goes with the other."
        )
    unknown = content["unknown"]
    if unknown is not None and an_id("unknown", unknown) not in known and unknown not in taken:
        refuse(f"unknown is {unknown:,}.", "It is the id of a token.")
    if unknown is None and byte_list is None:
        refuse("unknown is null, and so is bytes.", "Characters that no token spells become one or the other.")
    if config.unit == "byte" and (byte_list is None or chars):
        refuse("config.unit is byte.", "Then the file has bytes, and no characters.")
    rows = _merge_rows(content["merges"], ordered=mark is not None)
    tokens = _with_merges(known, rows)
    return bpe_tokenizer(
        name,
        config,
        BaseVocabulary(
            tokens=(),
            special_tokens={},
            byte_ids=None if byte_list is None else tuple(byte_list),
            char_ids=chars,
            unknown_id=unknown,
            mark=config.end_of_word,
            mark_id=mark,
        ),
        tokens,
        merges_of(rows, tokens, wholes=a_flag("whole_words", content["whole_words"])),
        special,
    )


def _merge_rows(value: object, *, ordered: bool) -> list[Row]:
    rows: list[Row] = []
    for at, entry in enumerate(a_list("merges", value)):
        place = f"merges[{at}]"
        if len(a_list(place, entry, 3)) != 3:
            refuse(f"{place} is {quoted(entry)}.", "It is the ids of left, right and the new token.")
        left, right, token_id = (an_id(place, each) for each in entry)
        if ordered and max(left, right) >= token_id:
            refuse(
                f"{place} makes {token_id:,} of {left:,} and {right:,}.", "A new token has a higher id than its parts."
            )
        rows.append((left, right, token_id))
    return rows


def _with_merges(known: dict[int, bytes], rows: Iterable[Row]) -> list[bytes | None]:
    """The tokens by id, those that merges make included."""
    made_by: dict[int, bytes] = {}
    total = sum(map(len, known.values()))
    for at, (left, right, token_id) in enumerate(rows):
        place = f"merges[{at}]"
        parts = [made_by.get(part, known.get(part)) for part in (left, right)]
        if parts[0] is None or parts[1] is None:
            missing = left if parts[0] is None else right
            refuse(f"{place} merges the token {missing:,}.", "Both tokens of a merge stand before it.")
        length = len(parts[0]) + len(parts[1])
        total += length if token_id not in made_by else 0
        check_length(place, length, total)
        token = parts[0] + parts[1]
        if token_id in known or made_by.setdefault(token_id, token) != token:
            refuse(f"{place} makes the token {token_id:,}, which is another one.", "Every token has an id of its own.")
    return tokens_by_id(("merges", token, token_id) for token_id, token in (known | made_by).items())


def _ranks(content: dict[str, Any], name: str, config: TrainConfig, special: dict[str, int]) -> Tokenizer:
    entries = a_list("tokens", content["tokens"], HIGHEST_ID)
    tokens = [None if entry is None else _from_base64(f"tokens[{at}]", entry) for at, entry in enumerate(entries)]
    check_joins("tokens", tokens)
    ranks = {token: rank for rank, token in enumerate(tokens) if token is not None}
    for rank, token in enumerate(tokens):
        if token is not None and ranks[token] != rank:
            refuse(f"tokens[{rank}] and tokens[{ranks[token]}] are the same.", "A token has one rank.")
    base = BaseVocabulary(tokens=(), special_tokens={}, byte_ids=byte_ids(tokens))
    if config.unit != "byte":
        refuse(f"config.unit is {quoted(config.unit)}.", "Ranks are of bytes.")
    return bpe_tokenizer(name, config, base, tokens, ByteRanks(ranks, tokens), special)


def _wordpiece(content: dict[str, Any], name: str, config: TrainConfig, special: dict[str, int]) -> Tokenizer:
    entries = a_list("pieces", content["pieces"])
    pieces = [_piece(f"pieces[{at}]", entry) for at, entry in enumerate(entries)]
    check_pieces("pieces", pieces)
    inside = [token for token in special if special[token] < len(pieces)]
    longest = an_id("longest_word", content["longest_word"], 10**9)
    tokenizer = made(
        "the vocabulary",
        lambda: WordPieceTokenizer(pieces, special_tokens=inside, name=name, config=config, longest_word=longest),
    )
    return made("special_tokens", lambda: tokenizer.with_special_tokens(special))


def _unigram(content: dict[str, Any], name: str, config: TrainConfig, special: dict[str, int]) -> Tokenizer:
    scores: dict[str, float] = {}
    for at, entry in enumerate(a_list("pieces", content["pieces"])):
        place = f"pieces[{at}]"
        if len(a_list(place, entry, 2)) != 2:
            refuse(f"{place} is {quoted(entry)}.", "It is a piece and its score.")
        piece, score = _piece(f"{place}[0]", entry[0]), entry[1]
        if not isinstance(score, int | float) or isinstance(score, bool) or not math.isfinite(_as_float(score)):
            refuse(f"{place}[1] is {quoted(score)}.", "It is a finite number.")
        if piece in scores:
            refuse(f"{place} is {quoted(piece)}, which stands there already.", "Every piece stands once.")
        scores[piece] = float(score)
    check_pieces("pieces", scores)
    return _with_config(UnigramTokenizer(UnigramModel(scores), name=name), config, special)


def _sentencepiece(content: dict[str, Any], name: str, config: TrainConfig, special: dict[str, int]) -> Tokenizer:
    tokenizer = sentencepiece_file.read(_from_base64("file", content["file"]), name)
    if config != tokenizer.config:
        refuse("config is not that of a SentencePiece model.", "The model has its own normalization and split.")
    return made("special_tokens", lambda: tokenizer.with_special_tokens(special))


_READERS = {
    "bpe": _bpe,
    "ranks": _ranks,
    "wordpiece": _wordpiece,
    "unigram": _unigram,
    "sentencepiece": _sentencepiece,
}


def _with_config(tokenizer: Tokenizer, config: TrainConfig, special: dict[str, int]) -> Tokenizer:
    changed = tokenizer.with_stages(
        normalization=config.normalization,
        lowercase=config.lowercase,
        strip_accents=config.strip_accents,
        split=config.split,
    )
    return made("special_tokens", lambda: changed.with_special_tokens(special))


def _piece(place: str, value: object) -> str:
    piece = a_text(place, value)
    check_length(place, len(piece.encode()), 0)
    if not piece:
        refuse(f"{place} is empty.", "A piece is not empty.")
    return piece


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _from_base64(place: str, value: object) -> bytes:
    try:
        token = base64.b64decode(a_text(place, value), validate=True)
    except (binascii.Error, ValueError) as error:
        refuse(f"{place} is {quoted(value)}, which is no base64: {error}.", "Bytes are written in base64.")
    if not token:
        refuse(f"{place} is empty.", "A token is not empty.")
    return token
