"""Unigram in tokenizer.json. Here a word with an unknown letter is one <unk> whole; normalizers make it so there.

The library scores an unknown letter and keeps the rest of its word. So every word that holds one is first replaced by a
single unknown letter, and ▁ is put in front of the others.
"""

from __future__ import annotations

import math
import re
from typing import Any, NoReturn

from bpe_core.config import UNKNOWN
from bpe_core.errors import quoted
from bpe_core.formats.bpe import OTHER_FORMAT
from bpe_core.formats.normalizers import Stages, normalizers, read_normalizers, replace
from bpe_core.formats.reading import a_flag, a_list, a_text, check_length, check_pieces, refuse
from bpe_core.piece_tokenizer import WORD_MARK
from bpe_core.unigram_model import UnigramModel
from bpe_core.unigram_tokenizer import MARKED_SPLIT, UnigramTokenizer

KIND = "tokenizer.json"
NEVER = -1e9
"""The score of <unk>, so that no text is taken for its name."""

Json = dict[str, Any]


def write(tokenizer: UnigramTokenizer) -> Json:
    """The parts of the file. Raises FormatError where the library would cut otherwise."""
    pieces = tokenizer.model.scores
    letters = {letter for piece in pieces for letter in piece}
    several = next((letter for letter in sorted(letters) if letter not in pieces), None)
    if several is not None or UNKNOWN in pieces or tokenizer.config.split != MARKED_SPLIT:
        refuse(
            f"The model has no piece {quoted(several)}, or a piece {UNKNOWN}, or another split.",
            f"In a {KIND} every letter is a piece, {UNKNOWN} is none, and words are split by white space.",
            OTHER_FORMAT,
        )
    return {
        "normalizer": {"type": "Sequence", "normalizers": [*normalizers(tokenizer.config), *_words(letters)]},
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


def read(content: Json, model: Json, name: str) -> UnigramTokenizer:
    """The tokenizer of a file as `write` makes it. Raises FormatError for any other Unigram: it would cut otherwise."""
    scores: dict[str, float] = {}
    for at, entry in enumerate(a_list("model.vocab", model.get("vocab"))):
        place = f"model.vocab[{at}]"
        if len(a_list(place, entry, 2)) != 2 or not _is_score(entry[1]):
            refuse(f"{place} is {quoted(entry)}.", "It is a piece and its score, a finite number.")
        piece = a_text(f"{place}[0]", entry[0])
        check_length(place, len(piece.encode()), 0)
        if not piece or piece in scores:
            refuse(f"{place} is {quoted(piece)}.", "Pieces are not empty and all different.")
        scores[piece] = -float(entry[1])
    check_pieces("model.vocab", scores)
    if next(iter(scores), None) != UNKNOWN or model.get("unk_id") != 0 or isinstance(model.get("unk_id"), bool):
        _refuse_other(f"model.unk_id is {quoted(model.get('unk_id'))}, or model.vocab does not begin with {UNKNOWN}")
    if a_flag("model.byte_fallback", model.get("byte_fallback") or False):
        _refuse_other("model.byte_fallback is on")
    del scores[UNKNOWN]
    tokenizer = UnigramTokenizer(UnigramModel(scores), name=name)
    added = _words({letter for piece in scores for letter in piece})
    given = content.get("normalizer")
    steps = given.get("normalizers") if isinstance(given, dict) else None
    if not isinstance(steps, list) or steps[-len(added) :] != added:
        kind = given.get("type") if isinstance(given, dict) else given
        _refuse_other(f"normalizer is {quoted(kind)}")
    stages, _ = read_normalizers({"type": "Sequence", "normalizers": steps[: -len(added)]}, "normalizer", "")
    wanted = write(tokenizer)["pre_tokenizer"]
    if content.get("pre_tokenizer") != wanted:
        _refuse_other(f"pre_tokenizer is {quoted(content.get('pre_tokenizer'))}")
    return _with(tokenizer, stages)


def _with(tokenizer: UnigramTokenizer, stages: Stages) -> UnigramTokenizer:
    changed = tokenizer.with_stages(
        normalization=stages.normalization, lowercase=stages.lowercase, strip_accents=stages.strip_accents
    )
    assert isinstance(changed, UnigramTokenizer)
    return changed


def _words(letters: set[str]) -> list[Json]:
    """Words with an unknown letter become a single unknown letter, the others get ▁ in front."""
    known = "".join(re.escape(letter) for letter in sorted(letters))
    unknown = next(chr(code) for code in range(0xE000, 0xF900) if chr(code) not in letters)
    # Two steps, since a pattern that looks ahead for the whole word would take its square.
    return [
        replace(rf"\S*[^\s{known}]\S*", unknown),
        replace(rf"(?<!\S)(?=[^\s{unknown}])", WORD_MARK),
    ]


def _is_score(value: object) -> bool:
    return (isinstance(value, float) and math.isfinite(value)) or (isinstance(value, int) and abs(value) < 10**15)


def _refuse_other(problem: str) -> NoReturn:
    refuse(
        f"{problem}: this Unigram model does not cut as BPE Lab does.",
        "Read are the files that BPE Lab writes: a word with an unknown letter is one <unk>, without normalization "
        "tables (Precompiled) and prefixes (Metaspace).",
        "Use the file with the tokenizers library, or SentencePiece's own .model.",
    )
