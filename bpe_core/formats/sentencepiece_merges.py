"""SentencePiece's BPE models as lists of merges, which training can continue and a tokenizer.json can hold.

SentencePiece stores no merges: two pieces join if their text is a piece, the highest score first.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

from bpe_core.errors import ConfigError
from bpe_core.formats import tokenizers_json
from bpe_core.formats.added_tokens_json import write_added
from bpe_core.language import message
from bpe_core.sentencepiece.model import SentencePieceModel
from bpe_core.sentencepiece.settings import ModelSettings
from bpe_core.text.splits import WORD_MARK
from bpe_core.tokenizer.special_tokens import SpecialToken
from bpe_core.tokenizer.tokenizer import Tokenizer

_ENDS = {"type": "Replace", "pattern": {"Regex": r"\A +|[ ▁]+\z"}, "content": ""}
_RUNS = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
_MARKS = {"type": "Replace", "pattern": {"String": " "}, "content": WORD_MARK}


def by_merges(tokenizer: Tokenizer) -> Tokenizer:
    """Convert a SentencePiece tokenizer to one with the same pieces and ids whose model is a list of merges.

    Any other tokenizer is returned unchanged. The ids are those of the .model file, as in Hugging Face's conversions.
    Only a model with a normalization table differs, at characters of several code points such as か with ゙, to which
    the tokenizers library applies a table differently. Raises ConfigError for a model that is not BPE, and for settings
    that a list of merges cannot express.

    Source: `SentencePieceExtractor` of https://github.com/huggingface/transformers

    >>> from bpe_core import TrainConfig, train, train_sentencepiece
    >>> base = train_sentencepiece("hug hug hugs pug", 16, model_type="bpe").tokenizer()
    >>> settings = TrainConfig(vocab_size=18, unit="char")
    >>> grown = train("pugs pugs", settings, base=by_merges(base)).tokenizer()
    >>> base.encode("pugs").ids.tolist(), grown.encode("pugs").ids.tolist()
    ([7, 15], [16])
    """
    if tokenizer.model.kind != "sentencepiece":
        return tokenizer
    model = cast("SentencePieceModel", tokenizer.model)
    settings = model.normalization.settings
    own = {piece.decode() for piece in settings.own_symbols}
    scores = {piece: score for piece, score in model.plain_scores.items() if piece not in own}
    _check(model, settings, scores, tokenizer.name)
    added = [
        SpecialToken(piece, i, normalized=piece in own, special=piece not in own)
        for i, piece in enumerate(model.pieces)
        if piece in own or piece in model.special_tokens
    ]
    content = {
        "added_tokens": write_added(added),
        "normalizer": {"type": "Sequence", "normalizers": _normalizers(settings)},
        "decoder": {"type": "Sequence", "decoders": _decoders(settings)},
        "model": {
            "type": "BPE",
            "unk_token": model.pieces[model.unknown_id],
            "fuse_unk": True,
            "byte_fallback": len(model.plain_scores) + len(model.special_tokens) < len(model.pieces),
            "vocab": {piece: i for i, piece in enumerate(model.pieces)},
            "merges": _merges(scores),
        },
    }
    return tokenizers_json.read(content, tokenizer.name)


def _check(model: SentencePieceModel, settings: ModelSettings, scores: Mapping[str, float], name: str) -> None:
    """Raise ConfigError for a model that no list of merges can reproduce."""
    if settings.model_type != "bpe":
        problem = message("{name} is a SentencePiece model of the type {type}.", name=name, type=settings.model_type)
        limit = message("Only BPE has merges, which new ones can follow.")
    elif settings.own_symbols and (settings.adds_mark or settings.removes_spaces or settings.charsmap):
        problem = message("{name} has symbols of its own, and changes the spaces around them.", name=name)
        limit = message("In a list of merges, merging restarts after a symbol.")
    elif _is_unequal(model, settings, scores):
        problem = message("{name} has pieces of equal scores or without use, or other marks for spaces.", name=name)
        limit = message("A list of merges has none of these.")
    else:
        return
    remedy = message("Choose a tokenizer.json with BPE, a merges.txt or a .tiktoken file.")
    raise ConfigError(problem, limit=limit, remedy=remedy)


def _is_unequal(model: SentencePieceModel, settings: ModelSettings, scores: Mapping[str, float]) -> bool:
    """Whether a list of merges cannot express a setting, or the order of pieces with equal scores.

    Runs of a single character may have equal scores.
    """
    library = model.normalization.library
    if settings.mark_at_end or settings.denormalizes or not settings.escapes:
        return True
    if any(library.IsUnused(i) for i in range(len(model.pieces))):
        return True
    letters: dict[float, set[str]] = {}
    pieces: Counter[float] = Counter()
    for piece, score in scores.items():
        if len(piece) > 1:
            letters.setdefault(score, set()).update(piece)
            pieces[score] += 1
    return any(pieces[score] > 1 and len(found) > 1 for score, found in letters.items())


def _merges(scores: Mapping[str, float]) -> list[list[str]]:
    """All pairs of pieces that make a piece, the highest score first; for runs of a character, the longest first."""
    found = [
        (-score, -at, at - len(piece), piece[:at], piece[at:])
        for piece, score in scores.items()
        for at in range(1, len(piece))
        if piece[:at] in scores and piece[at:] in scores
    ]
    return [[left, right] for *_, left, right in sorted(found)]


def _normalizers(settings: ModelSettings) -> list[dict[str, Any]]:
    table = b64encode(settings.charsmap).decode()
    return [
        *([{"type": "Precompiled", "precompiled_charsmap": table}] if settings.charsmap else []),
        *([_ENDS, _RUNS] if settings.removes_spaces else []),
        *([{"type": "Prepend", "prepend": WORD_MARK}] if settings.adds_mark else []),
        _MARKS,
    ]


def _decoders(settings: ModelSettings) -> list[dict[str, Any]]:
    spaces = {"type": "Replace", "pattern": {"String": WORD_MARK}, "content": " "}
    strip = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
    first = settings.adds_mark or settings.removes_spaces
    return [spaces, {"type": "ByteFallback"}, {"type": "Fuse"}, *([strip] if first else [])]
