"""The project's own format: versioned JSON with settings and vocabulary of a tokenizer with any model.

    {"format": "bpe-lab", "version": 2, "kind": "tokenizer",
     "name": "trained", "model": "bpe",
     "config": {…},                    every setting of TrainConfig by name: those of the training or, for a
                                       tokenizer trained elsewhere, those that match its stages, with "clean" and
                                       "lowercase_each" if its normalizer has them
     "special_tokens": {"<s>": 0},
     … the keys of the model}

    "bpe"            "bytes": the ids of the 256 bytes, or null; "characters": {"a": 259}; "unknown", "mark": an id or
                     null; "tokens": [[id, base64]], those that no merge makes before their first use; "merges":
                     [[left, right, new id]] by rank; "whole_words": whether a word that is a token becomes it without
                     merging
    "ranks"          "tokens": base64 of each token by rank, or null for unused ranks
    "wordpiece"      "pieces": the tokens by id; "longest_word": maximum characters of a word, 0 for no limit
    "unigram"        "pieces": [[piece, score]], after the special tokens of "first", by default <unk>; "unknown":
                     extent of <unk>, "characters" outside the pieces or the whole "word" with such a character; the
                     default, for older files, is "word"
    "sentencepiece"  "file": the .model in base64

A tokenizer with stages or base symbols specific to other programs' files is stored as its whole tokenizer.json:

    {"format": "bpe-lab", "version": 2, "kind": "tokenizer", "name": "…", "model": "tokenizer.json", "file": {…}}

Version 1 of the format is a training (training_file.py). It opens as the tokenizer with all its merges.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from typing import Any, cast

from bpe_core.bpe.config import UNKNOWN
from bpe_core.errors import quoted, refuse
from bpe_core.formats import bpe_lab_bpe, sentencepiece_file, tokenizers_json, training_file
from bpe_core.formats.bpe_lab_settings import FileConfig, default_settings, read_stages, settings_of
from bpe_core.formats.careful_json import json_text
from bpe_core.formats.json_parts import one_of
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.reading import (
    MOST_SPECIAL,
    THE_FILE,
    a_list,
    a_text,
    an_id,
    an_object,
    at_most,
    check_length,
    check_pieces,
    check_size,
    check_version,
    from_base64,
    made,
    wrong,
)
from bpe_core.language import listed, message
from bpe_core.sentencepiece.model import SentencePieceModel
from bpe_core.text.splits import Split
from bpe_core.tokenizer.special_tokens import HIGHEST_ID as HIGHEST_SPECIAL_ID
from bpe_core.tokenizer.tokenizer import TRAINED, Tokenizer
from bpe_core.unigram.assembly import unigram_tokenizer
from bpe_core.unigram.lattice import UNKNOWN_RULES
from bpe_core.unigram.model import UnigramModel
from bpe_core.wordpiece.model import WordPieceModel, wordpiece_tokenizer

FORMAT, VERSION = training_file.FORMAT, 2
OF_FILE = "tokenizer.json"
"""Value of "model" in a file with a whole tokenizer.json."""

_HEAD = ("format", "version", "kind", "name", "model", "config", "special_tokens")
_KEYS = {
    "bpe": ("bytes", "characters", "unknown", "mark", "tokens", "merges", "whole_words"),
    "ranks": ("tokens",),
    "wordpiece": ("pieces", "longest_word"),
    "unigram": ("pieces",),
    "sentencepiece": ("file",),
}
_OPTIONAL = {"unigram": ("unknown", "first")}


def write(tokenizer: Tokenizer) -> bytes:
    """Content of a tokenizer's file. Raises FormatError for a model other than those above.

    >>> from bpe_core import TrainConfig, load, train
    >>> data = write(train("low low", TrainConfig(vocab_size=257)).tokenizer())
    >>> data.decode().splitlines()[1:6]
    ['"format": "bpe-lab",', '"version": 2,', '"kind": "tokenizer",', '"name": "trained",', '"model": "bpe",']
    """
    if tokenizers_json.is_of_file(tokenizer) or bpe_lab_bpe.has_special_symbols(tokenizer):
        return _file_of_others(tokenizer)
    model, content = _content(tokenizer)
    settings = settings_of(tokenizer)
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


def read(content: dict[str, Any], data: bytes, name: str = "", share: Share = NO_PROGRESS) -> Tokenizer:
    """Read the tokenizer of a file parsed to `content`. Raises FormatError with the invalid key.

    >>> import json
    >>> from bpe_core import TrainConfig, train
    >>> data = write(train("low low", TrainConfig(vocab_size=257)).tokenizer())
    >>> read(json.loads(data), data).encode("low").ids.tolist()
    [256, 119]
    """
    version = content.get("version")
    check_version(version, VERSION)
    if version == training_file.VERSION:
        check_size(data, most=training_file.MOST_BYTES)
        return bpe_lab_bpe.tokenizer_of(training_file.training_of(content), name)
    model = content.get("model")
    if model == OF_FILE:
        an_object(THE_FILE, content, ("format", "version", "kind", "name", "model", "file"), only=True)
        inner = an_object("file", content["file"], ("model",))
        return made("file", lambda: tokenizers_json.read(inner, name or _name(content), share))
    model = one_of("model", model, tuple(_KEYS))
    optional = tuple(key for key in _OPTIONAL.get(model, ()) if key in content)
    an_object(THE_FILE, content, (*_HEAD, *_KEYS[model], *optional), only=True)
    if content["kind"] != "tokenizer":
        wrong("kind", content["kind"], message('It must be "tokenizer".'))
    stages = read_stages(content["config"])
    at_most(
        len(an_object("special_tokens", content["special_tokens"])),
        MOST_SPECIAL,
        message("There are {tokens:,} special tokens.", tokens=len(content["special_tokens"])),
    )
    special = {
        a_text("special_tokens", token): an_id(f"special_tokens[{quoted(token)}]", token_id, HIGHEST_SPECIAL_ID)
        for token, token_id in content["special_tokens"].items()
    }
    return _READERS[model](content, _name(content), stages, special)


def _name(content: dict[str, Any]) -> str:
    name = a_text("name", content["name"])
    return TRAINED if name == TRAINED else name


def _file_of_others(tokenizer: Tokenizer) -> bytes:
    head = {"format": FORMAT, "version": VERSION, "kind": "tokenizer", "name": tokenizer.name, "model": OF_FILE}
    lines = [f'"{key}": {json_text(value)}' for key, value in head.items()]
    file = tokenizers_json.write(tokenizer).decode().rstrip()
    return ("{\n" + ",\n".join([*lines, f'"file": {file}']) + "\n}\n").encode()


def _content(tokenizer: Tokenizer) -> tuple[str, dict[str, Any]]:
    content = _CONTENTS.get(tokenizer.model.kind)
    if content is None:
        refuse(
            message(
                "The model of {tokenizer} is a {kind}.", tokenizer=tokenizer.name, kind=type(tokenizer.model).__name__
            ),
            message("This format holds the models {known}.", known=listed(tuple(_KEYS), last="")),
            message("Save a tokenizer that has one of these."),
        )
    return content(tokenizer)


def _wordpiece_content(tokenizer: Tokenizer) -> tuple[str, dict[str, Any]]:
    model = cast("WordPieceModel", tokenizer.model)
    return "wordpiece", {"pieces": list(model.pieces), "longest_word": model.longest_word}


def _unigram_content(tokenizer: Tokenizer) -> tuple[str, dict[str, Any]]:
    model = cast("UnigramModel", tokenizer.model)
    first = {} if model.special_tokens == (UNKNOWN,) else {"first": list(model.special_tokens)}
    pieces = [[piece, score] for piece, score in model.scores.items()]
    return "unigram", {"unknown": model.unknown, **first, "pieces": pieces}


def _sentencepiece_content(tokenizer: Tokenizer) -> tuple[str, dict[str, Any]]:
    data = cast("SentencePieceModel", tokenizer.model).data
    return "sentencepiece", {"file": base64.b64encode(data).decode()}


def _rows(value: object) -> str:
    """JSON with one line per entry for lists of lists."""
    if isinstance(value, list) and len(value) > 1 and isinstance(value[-1], list):
        return "[\n" + ",\n".join(map(json_text, value)) + "\n]"
    return json_text(value)


# -- reading -----------------------------------------------------------------------------------------------


def _wordpiece(content: dict[str, Any], name: str, stages: FileConfig, special: dict[str, int]) -> Tokenizer:
    entries = a_list("pieces", content["pieces"])
    pieces = [_piece(f"pieces[{at}]", entry) for at, entry in enumerate(entries)]
    check_pieces(message("the file"), pieces)
    inside = [token for token in special if special[token] < len(pieces)]
    longest = an_id("longest_word", content["longest_word"], 10**9)
    tokenizer = made(
        message("the vocabulary"),
        lambda: wordpiece_tokenizer(
            pieces,
            special_tokens=inside,
            name=name,
            normalizer=stages.normalizer,
            split=Split(stages.config.split),
            longest_word=longest,
        ),
    )
    return made("special_tokens", lambda: tokenizer.with_special_tokens(special))


def _unigram(content: dict[str, Any], name: str, stages: FileConfig, special: dict[str, int]) -> Tokenizer:
    scores: dict[str, float] = {}
    for at, entry in enumerate(a_list("pieces", content["pieces"])):
        place = f"pieces[{at}]"
        if len(a_list(place, entry, 2)) != 2:
            wrong(place, entry, message("It must be a list of a piece and its score."))
        piece, score = _piece(f"{place}[0]", entry[0]), entry[1]
        if not isinstance(score, int | float) or isinstance(score, bool) or not math.isfinite(_as_float(score)):
            wrong(f"{place}[1]", score, message("It must be a finite number."))
        if piece in scores:
            refuse(
                message("{place} repeats the piece {piece}.", place=place, piece=quoted(piece)),
                message("Every piece occurs once."),
            )
        scores[piece] = float(score)
    check_pieces(message("the file"), scores)
    unknown = one_of("unknown", content.get("unknown", "word"), UNKNOWN_RULES)
    first = [a_text(f"first[{at}]", entry) for at, entry in enumerate(a_list("first", content.get("first", [UNKNOWN])))]
    model = made("first", lambda: UnigramModel(scores, unknown=unknown, special_tokens=first))
    split = Split(stages.config.split)
    tokenizer = unigram_tokenizer(model, name=name, normalizer=stages.normalizer, split=split)
    return made("special_tokens", lambda: tokenizer.with_special_tokens(special))


def _sentencepiece(content: dict[str, Any], name: str, stages: FileConfig, special: dict[str, int]) -> Tokenizer:
    tokenizer = sentencepiece_file.read(from_base64("file", content["file"]), name)
    if stages.config != default_settings(tokenizer) or not stages.trained:
        refuse(
            message("config is not that of a SentencePiece model."),
            message("The .model holds its own normalization and split."),
        )
    return made("special_tokens", lambda: tokenizer.with_special_tokens(special))


_CONTENTS: dict[str, Callable[[Tokenizer], tuple[str, dict[str, Any]]]] = {
    "bpe": bpe_lab_bpe.bpe_content,
    "wordpiece": _wordpiece_content,
    "unigram": _unigram_content,
    "sentencepiece": _sentencepiece_content,
}
_READERS = {
    "bpe": bpe_lab_bpe.read_bpe,
    "ranks": bpe_lab_bpe.read_ranks,
    "wordpiece": _wordpiece,
    "unigram": _unigram,
    "sentencepiece": _sentencepiece,
}


def _piece(place: str, value: object) -> str:
    piece = a_text(place, value)
    check_length(place, len(piece.encode()), 0)
    if not piece:
        refuse(message("{place} is empty.", place=place), message("A piece has at least one character."))
    return piece


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf
