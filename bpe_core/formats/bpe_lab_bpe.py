"""Byte-pair encodings in BPE Lab's files (format: bpe_lab.py): merges, ranks, and saved trainings."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

import numpy as np

from bpe_core.arrays import Int64s
from bpe_core.bpe.merge_tables import ByteRanks
from bpe_core.bpe.model import BpeModel
from bpe_core.bpe.vocabulary import BaseVocabulary, base_vocabulary
from bpe_core.errors import quoted, refuse
from bpe_core.formats.bpe import bpe_model, bpe_tokenizer, byte_ids, merges_of
from bpe_core.formats.bpe_lab_settings import FileConfig
from bpe_core.formats.progress import SLICE
from bpe_core.formats.reading import (
    HIGHEST_ID,
    LONGEST_TOKEN,
    a_flag,
    a_list,
    a_text,
    an_id,
    an_object,
    check_joins,
    check_length,
    from_base64,
    made,
    wrong,
)
from bpe_core.formats.training_file import SavedTraining, triples
from bpe_core.language import message
from bpe_core.text.split_patterns import ACROSS_WORDS
from bpe_core.tokenizer.model import Row
from bpe_core.tokenizer.token_ranges import MOST_TOKEN_BYTES
from bpe_core.tokenizer.tokenizer import TRAINED, Tokenizer


def bpe_content(tokenizer: Tokenizer) -> tuple[str, dict[str, Any]]:
    """The file's "model", "bpe" or "ranks", and its keys.

    >>> from bpe_core import TrainConfig, train
    >>> bpe_content(train("low low", TrainConfig(vocab_size=257)).tokenizer())[1]["merges"]
    [[108, 111, 256]]
    """
    model = bpe_model(tokenizer)
    special = set(tokenizer.special_tokens.values())
    tokens = {i: tokenizer.token_bytes(i) for i in tokenizer.ids if i not in special}
    if isinstance(model.merges, ByteRanks):
        known = [tokens.get(i) for i in range(max(tokens, default=-1) + 1)]
        return "ranks", {"tokens": [None if token is None else base64.b64encode(token).decode() for token in known]}
    base, rows = model.base, model.merges.rows
    derived = _derived({*(base.byte_ids or ()), *base.char_ids.values()}, rows)
    return "bpe", {
        "bytes": None if base.byte_ids is None else list(base.byte_ids),
        "characters": dict(base.char_ids),
        "unknown": base.unknown_id,
        "mark": base.mark_id,
        "tokens": [[i, base64.b64encode(token).decode()] for i, token in tokens.items() if i not in derived],
        "whole_words": model.merges.takes_wholes,
        "merges": [list(row) for row in rows],
    }


def has_special_symbols(tokenizer: Tokenizer) -> bool:
    """Whether a base symbol or a merge's token is also a special token, which the format has no key for.

    >>> from bpe_core import load_pretrained
    >>> has_special_symbols(load_pretrained("gpt2").with_special_tokens({"a": 64}))
    True
    """
    if tokenizer.model.kind != "bpe":
        return False
    model, special = bpe_model(tokenizer), {*tokenizer.special_tokens.values()}
    if isinstance(model.merges, ByteRanks):
        return any(token is not None for i, token in enumerate(model.tokens) if i in special)
    symbols = {*(model.base.byte_ids or ()), *model.base.char_ids.values()}
    return not special.isdisjoint(symbols.union(*model.merges.rows) if special else ())


def read_bpe(content: dict[str, Any], name: str, stages: FileConfig, special: dict[str, int]) -> Tokenizer:
    """Read a tokenizer with merges. Raises FormatError with the invalid key.

    `content`: the whole file; `stages`, `special`: its parts already read.

    >>> from bpe_core import TrainConfig, train
    >>> from bpe_core.formats.bpe_lab_settings import read_stages, settings_of
    >>> tokenizer = train("low low", TrainConfig(vocab_size=257)).tokenizer()
    >>> stages = read_stages(settings_of(tokenizer) | {"special_tokens": []})
    >>> read_bpe(bpe_content(tokenizer)[1], "mine", stages, {}).tokenize("low")
    ['lo', 'w']
    """
    config = stages.config
    wholes = a_flag("whole_words", content["whole_words"])
    known = _Known(special)
    byte_list = _byte_list(content["bytes"], known)
    chars = _characters(content["characters"], known)
    for at, entry in enumerate(a_list("tokens", content["tokens"])):
        place = f"tokens[{at}]"
        if len(a_list(place, entry, 2)) != 2:
            wrong(place, entry, message("It is an id and a token in base64."))
        known.add(place, an_id(f"{place}[0]", entry[0]), from_base64(f"{place}[1]", entry[1]))
    mark, unknown = content["mark"], content["unknown"]
    if mark is not None and known.tokens.get(an_id("mark", mark)) != config.end_of_word.encode():
        refuse(
            message("mark is {token_id:,}.", token_id=mark),
            message("It is the id of the token that config.end_of_word names."),
        )
    if (mark is None) != (not config.end_of_word):
        refuse(
            message(
                "mark is {value}, and config.end_of_word {end_of_word}.",
                value=quoted(mark),
                end_of_word=quoted(config.end_of_word),
            ),
            message("Both are given, or neither."),
        )
    if unknown is not None and not known.has_id(an_id("unknown", unknown)):
        refuse(message("unknown is {token_id:,}.", token_id=unknown), message("It is the id of a token."))
    if unknown is None and byte_list is None:
        refuse(
            message("unknown is null, and so is bytes."),
            message("A character that no token spells becomes the unknown token or bytes: one of the two is needed."),
        )
    if config.unit == "byte" and (byte_list is None or chars):
        refuse(message("config.unit is byte."), message("With byte symbols the file has bytes, and no characters."))
    rows = _merge_rows(content["merges"], ordered=mark is not None)
    tokens = _with_merges(known.tokens, rows)
    base = BaseVocabulary(
        tokens=(),
        special_tokens={},
        byte_ids=byte_list,
        char_ids=chars,
        unknown_id=unknown,
        mark=config.end_of_word,
        mark_id=mark,
    )
    merges = merges_of(
        rows.astype(np.int32), tokens, wholes=wholes, fallback=(byte_list or ()) if config.unit == "char" else ()
    )
    return bpe_tokenizer(
        name,
        BpeModel(base, tokens, merges, unit=config.unit),
        special,
        normalizer=stages.normalizer,
        split=config.split,
        config=config if stages.trained else None,
    )


def read_ranks(content: dict[str, Any], name: str, stages: FileConfig, special: dict[str, int]) -> Tokenizer:
    """Read a tokenizer with tokens by rank. Raises FormatError as `read_bpe` does.

    >>> from bpe_core import load_pretrained
    >>> from bpe_core.formats.bpe_lab_settings import settings_of, read_stages
    >>> gpt2 = load_pretrained("gpt2")
    >>> stages = read_stages(settings_of(gpt2) | {"special_tokens": []})
    >>> read_ranks(bpe_content(gpt2)[1], "mine", stages, {}).tokenize("low")
    ['low']
    """
    entries = a_list("tokens", content["tokens"], HIGHEST_ID)
    tokens = [_ranked(f"tokens[{at}]", entry) for at, entry in enumerate(entries)]
    check_joins("tokens", tokens)
    ranks = {token: rank for rank, token in enumerate(tokens) if token is not None}
    for rank, token in enumerate(tokens):
        if token is not None and ranks[token] != rank:
            refuse(
                message("tokens[{rank}] and tokens[{other}] are the same.", rank=rank, other=ranks[token]),
                message("A token has one rank."),
            )
    base = BaseVocabulary(tokens=(), special_tokens={}, byte_ids=byte_ids(tokens))
    config = stages.config
    if config.unit != "byte":
        wrong("config.unit", config.unit, message("Ranks are those of byte tokens: it must be byte."))
    model = BpeModel(base, tokens, ByteRanks(ranks, tokens))
    return bpe_tokenizer(name, model, special, normalizer=stages.normalizer, split=config.split, library=True)


def tokenizer_of(saved: SavedTraining, name: str) -> Tokenizer:
    """Tokenizer of a saved training, from the merges in its file without retraining.

    BoundlessBPE is trained again: the file does not say which merges join words.

    >>> from bpe_core import TrainConfig, train
    >>> from bpe_core.formats.training_file import read_training, save_training
    >>> training = train("low low", TrainConfig(vocab_size=257))
    >>> tokenizer_of(read_training(save_training(training, "low low")), "mine").tokenize("low")
    ['lo', 'w']
    """
    if saved.config.method == "boundlessbpe":
        return saved.train().tokenizer()._with(name=name or TRAINED)
    base = made(message("the training"), lambda: base_vocabulary(saved.config, [saved.characters or ""]))
    first_id = len(base.tokens)
    rows = np.array(saved.merges, np.int64).reshape(-1, 3)
    rows[:, 2] = first_id + np.arange(len(rows))
    special = set(base.special_tokens.values())
    known = {i: token for i, token in enumerate(base.tokens) if i not in special}
    tokens = _with_merges(known, rows)
    return bpe_tokenizer(
        name or TRAINED,
        BpeModel(base, tokens, merges_of(rows.astype(np.int32), tokens), unit=saved.config.unit),
        base.special_tokens,
        normalizer=saved.config.normalizer,
        split=ACROSS_WORDS if saved.config.method == "superbpe" else saved.config.split,
        config=saved.config,
    )


def _derived(base: set[int], rows: Iterable[Row]) -> set[int]:
    """Ids of the base symbols, and of the tokens that merges make from earlier tokens."""
    known, listed = set(base), set()
    for left, right, token_id in rows:
        listed |= {left, right} - known
        known |= {left, right, token_id}
    return known - listed


class _Known:
    """Tokens read so far by id. Rejects duplicate ids and ids of special tokens."""

    def __init__(self, special: dict[str, int]) -> None:
        self.tokens: dict[int, bytes] = {}
        self._special_ids = set(special.values())

    def has_id(self, token_id: int) -> bool:
        return token_id in self.tokens or token_id in self._special_ids

    def add(self, place: str, token_id: int, token: bytes) -> None:
        if self.has_id(token_id):
            refuse(
                message("{place} has the id {token_id:,}, which another token has.", place=place, token_id=token_id),
                message("Every token has its own id."),
            )
        self.tokens[token_id] = token


def _byte_list(value: object, known: _Known) -> tuple[int, ...] | None:
    """Ids of the 256 bytes, or None for null."""
    if value is None:
        return None
    ids = tuple(an_id(f"bytes[{byte}]", each) for byte, each in enumerate(a_list("bytes", value, 256)))
    if len(ids) != 256:
        refuse(
            message("bytes has {entries:,} entries.", entries=len(ids)),
            message("It has the ids of all 256 bytes, or is null."),
        )
    for byte, token_id in enumerate(ids):
        known.add(f"bytes[{byte}]", token_id, bytes([byte]))
    return ids


def _characters(value: object, known: _Known) -> dict[str, int]:
    """Ids of the characters among the base symbols."""
    chars: dict[str, int] = {}
    for char, token_id in an_object("characters", value).items():
        place = f"characters[{quoted(char)}]"
        if len(a_text(place, char)) != 1:
            refuse(message("{place} is not a single character.", place=place), message("A key is one character."))
        chars[char] = an_id(place, token_id)
        known.add(place, chars[char], char.encode())
    return chars


def _ranked(place: str, entry: object) -> bytes | None:
    """The token of a rank, or None. Whisper's file has an empty one."""
    return None if entry is None else b"" if entry == "" else from_base64(place, entry)


def _merge_rows(value: object, *, ordered: bool) -> Int64s:
    entries = a_list("merges", value)
    rows = triples(entries, HIGHEST_ID)
    if rows is None:
        for at, entry in enumerate(entries):
            place = f"merges[{at}]"
            if len(a_list(place, entry, 3)) != 3:
                wrong(place, entry, message("It is the ids of left, right and the new token."))
            for each in entry:
                an_id(place, each)
        raise AssertionError("merges are rows of three ids, or refused")
    late = np.flatnonzero(rows[:, :2].max(axis=1, initial=-1) >= rows[:, 2])
    if ordered and late.size:
        at = int(late[0])
        left, right, token_id = rows[at].tolist()
        refuse(
            message(
                "{place} makes {token_id:,} from {left:,} and {right:,}.",
                place=f"merges[{at}]",
                token_id=token_id,
                left=left,
                right=right,
            ),
            message("A new token has a higher id than its parts."),
        )
    return rows


def _with_merges(known: dict[int, bytes], rows: Int64s) -> list[bytes | None]:
    """Tokens by id, including those that merges make."""
    size = 1 + max(int(rows[:, 2].max(initial=-1)), max(known, default=-1))
    tokens: list[bytes | None] = [None] * size
    total = 0
    for token_id, token in known.items():
        tokens[token_id] = token
        total += len(token)
        if len(token) > LONGEST_TOKEN or total > MOST_TOKEN_BYTES:
            check_length("tokens", len(token), total)
    in_parts = (row for begin in range(0, len(rows), SLICE) for row in rows[begin : begin + SLICE].tolist())
    for at, (left, right, token_id) in enumerate(in_parts):
        first = tokens[left] if left < size else None
        second = tokens[right] if right < size else None
        if first is None or second is None:
            missing = left if first is None else right
            refuse(
                message("{place} merges the token {missing:,}.", place=f"merges[{at}]", missing=missing),
                message("Both are base symbols, made by earlier merges, or listed in tokens."),
            )
        token = first + second
        other = tokens[token_id]
        if other is None:
            tokens[token_id] = token
            total += len(token)
            if len(token) > LONGEST_TOKEN or total > MOST_TOKEN_BYTES:
                check_length(f"merges[{at}]", len(token), total)
        elif other != token:
            refuse(
                message(
                    "{place} makes the token {token_id:,}, which is another one.",
                    place=f"merges[{at}]",
                    token_id=token_id,
                ),
                message("Every token has its own id."),
            )
    return tokens
