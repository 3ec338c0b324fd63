"""Unigram in tokenizer.json: here a word with an unknown character becomes one <unk>; normalizers have it so there.

The library itself scores an unknown character and keeps the rest of its word. So every word that has one is first
replaced by a single unknown character, and ▁ is put in front of the others.
"""

from __future__ import annotations

import math
import re
from typing import Any, NoReturn, cast

from bpe_core.bpe.config import UNKNOWN
from bpe_core.errors import quoted
from bpe_core.formats.bpe import OTHER_FORMAT
from bpe_core.formats.normalizers import library_steps, read_normalizers, replace
from bpe_core.formats.reading import a_flag, a_list, a_text, check_length, check_pieces, refuse
from bpe_core.formats.serde_numbers import as_read
from bpe_core.text.splits import MARKED_SPLIT, WORD_MARK
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.model import UnigramModel, unigram_tokenizer

KIND = "tokenizer.json"
NEVER = -1e9
"""The score of <unk>, so low that text that spells its name never becomes it."""

Json = dict[str, Any]


def write(tokenizer: Tokenizer) -> Json:
    """The parts of the file, by their keys. Raises FormatError where the library would segment differently.

    >>> model = UnigramModel({"▁": 4.0, "l": 3.0, "o": 3.0, "▁lo": 1.0})
    >>> write(unigram_tokenizer(model))["model"]["vocab"][-1]
    ['▁lo', -1.0]
    """
    pieces = cast("UnigramModel", tokenizer.model).scores
    characters = {char for piece in pieces for char in piece}
    missing = next((char for char in sorted(characters) if char not in pieces), None)
    if missing is not None:
        refuse(f"The model has no piece {quoted(missing)}.", f"In a {KIND} every character is a piece.", OTHER_FORMAT)
    if UNKNOWN in pieces:
        refuse(f"The model has a piece {UNKNOWN}.", f"In a {KIND} that is the unknown token.", OTHER_FORMAT)
    if tokenizer.split.pattern != MARKED_SPLIT:
        refuse(
            f"The tokenizer splits texts by {quoted(tokenizer.split.pattern)}.",
            f"In a {KIND} the words of Unigram are split at white space.",
            OTHER_FORMAT,
        )
    return {
        "normalizer": {"type": "Sequence", "normalizers": [*library_steps(tokenizer.normalizer), *_words(characters)]},
        "pre_tokenizer": {"type": "Split", "pattern": {"Regex": r"\S+"}, "behavior": "Removed", "invert": True},
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": WORD_MARK}, "content": " "},
                {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            ],
        },
        "model": {
            "type": "Unigram",
            "unk_id": 0,
            "vocab": [[UNKNOWN, NEVER], *([piece, -score] for piece, score in pieces.items())],
            "byte_fallback": False,
        },
    }


def is_own(content: Json, model: Json) -> bool:
    """Whether a Unigram file is as `write` makes it; any other is segmented by the rules of the library.

    >>> own = write(unigram_tokenizer(UnigramModel({"▁": 4.0, "l": 3.0})))
    >>> is_own(own, own["model"]), is_own({"normalizer": None}, own["model"])
    (True, False)
    """
    vocab = model.get("vocab")
    if not isinstance(vocab, list) or vocab[:1] != [[UNKNOWN, NEVER]]:
        return False
    given = content.get("normalizer")
    steps = given.get("normalizers") if isinstance(given, dict) else None
    pieces = [entry[0] for entry in vocab[1:] if isinstance(entry, list) and entry and isinstance(entry[0], str)]
    added = _words({char for piece in pieces for char in piece})
    return isinstance(steps, list) and steps[-len(added) :] == added


def read(content: Json, given_model: Json, name: str) -> Tokenizer:
    """The tokenizer of a file as `write` makes it: `content` is the whole file, `given_model` its model.

    Raises FormatError for any other Unigram file: its library would segment differently.

    >>> model = UnigramModel({"▁": 4.0, "l": 3.0, "o": 3.0, "▁lo": 1.0})
    >>> content = write(unigram_tokenizer(model))
    >>> read(content, content["model"], "mine").tokenize("lo ol")
    ['▁lo', '▁', 'o', 'l']
    """
    scores: dict[str, float] = {}
    for at, entry in enumerate(a_list("model.vocab", given_model.get("vocab"))):
        place = f"model.vocab[{at}]"
        if len(a_list(place, entry, 2)) != 2 or not _is_score(entry[1]):
            refuse(f"{place} is {quoted(entry)}.", "It is a piece and its score, a finite number.")
        piece = a_text(f"{place}[0]", entry[0])
        check_length(place, len(piece.encode()), 0)
        if not piece or piece in scores:
            refuse(f"{place} is {quoted(piece)}.", "Pieces are not empty, and no two are the same.")
        scores[piece] = -as_read(float(entry[1]))
    check_pieces("model.vocab", scores)
    unknown = given_model.get("unk_id")
    if next(iter(scores), None) != UNKNOWN or unknown != 0 or isinstance(unknown, bool):
        _refuse_other(f"model.unk_id is {quoted(unknown)}, or model.vocab does not begin with {UNKNOWN}")
    if a_flag("model.byte_fallback", given_model.get("byte_fallback") or False):
        _refuse_other("model.byte_fallback is on")
    del scores[UNKNOWN]
    model = UnigramModel(scores)
    added = _words({char for piece in scores for char in piece})
    given = content.get("normalizer")
    steps = given.get("normalizers") if isinstance(given, dict) else None
    if not isinstance(steps, list) or steps[-len(added) :] != added:
        kind = given.get("type") if isinstance(given, dict) else given
        _refuse_other(f"normalizer is {quoted(kind)}")
    normalizer, _ = read_normalizers({"type": "Sequence", "normalizers": steps[: -len(added)]}, "normalizer", "")
    tokenizer = unigram_tokenizer(model, name=name, normalizer=normalizer)
    wanted = write(tokenizer)["pre_tokenizer"]
    if content.get("pre_tokenizer") != wanted:
        _refuse_other(f"pre_tokenizer is {quoted(content.get('pre_tokenizer'))}")
    return tokenizer


def _words(characters: set[str]) -> list[Json]:
    """Normalizers: a word with an unknown character becomes a single unknown character, others get ▁ in front."""
    known = "".join(re.escape(char) for char in sorted(characters))
    unknown = next(chr(code) for code in range(0xE000, 0xF900) if chr(code) not in characters)
    # Two steps: a lookahead over the whole word from each of its characters would take quadratic time.
    return [
        replace(rf"\S*[^\s{known}]\S*", unknown),
        replace(rf"(?<!\S)(?=[^\s{unknown}])", WORD_MARK),
    ]


def _is_score(value: object) -> bool:
    return (isinstance(value, float) and math.isfinite(value)) or (isinstance(value, int) and abs(value) < 10**15)


def _refuse_other(problem: str) -> NoReturn:
    refuse(
        f"{problem}: this Unigram model does not segment as BPE Lab does.",
        "Read are the files that BPE Lab writes: a word with an unknown character becomes one <unk>, and there are no "
        "normalization tables (Precompiled) or prefixes (Metaspace).",
        "Use the file with the tokenizers library, or SentencePiece's own .model.",
    )
