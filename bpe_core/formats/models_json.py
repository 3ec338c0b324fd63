"""WordPiece, Unigram and WordLevel "model" sections of tokenizer.json, read and written one to one.

Models trained here segment slightly differently in places. Those read from files follow the library's rules, so that
reading and writing restores the section.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from bpe_core.errors import quoted, refuse
from bpe_core.formats.aliases import aliases_of, tokens_of_vocab
from bpe_core.formats.bpe import OTHER_FORMAT
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.reading import (
    Json,
    a_flag,
    a_text,
    an_id,
    an_object,
    check_pieces,
    checked_vocab,
)
from bpe_core.formats.serde_numbers import as_read
from bpe_core.formats.unigram_json import scored_pieces
from bpe_core.language import message
from bpe_core.unigram.model import UnigramModel
from bpe_core.wordlevel.model import WordLevelModel
from bpe_core.wordpiece.model import WordPieceModel

LONGEST_WORD = (1 << 31) - 1
"""Word length that no text exceeds: higher limits count as none."""


def model_kind(model: Json) -> object:
    """Type of a model: BPE, WordPiece, WordLevel or Unigram. In old files without it, inferred from the keys.

    >>> model_kind({"type": "WordLevel"}), model_kind({"unk_id": 0, "vocab": []})
    ('WordLevel', 'Unigram')
    """
    if "type" in model:
        return model["type"]
    if "merges" in model:
        return "BPE"
    if "max_input_chars_per_word" in model:
        return "WordPiece"
    return "WordLevel" if isinstance(model.get("vocab"), dict) else "Unigram"


def checked_wordpiece(model: Json, share: Share = NO_PROGRESS) -> Callable[[], WordPieceModel]:
    """Check a WordPiece section; return a function that builds its model.

    In this model, text that spells a special token becomes that token. Raises FormatError.

    >>> checked_wordpiece({"unk_token": "?", "continuing_subword_prefix": "+", "max_input_chars_per_word": 9,
    ...     "vocab": {"?": 0}})().pieces
    ('?',)
    """
    an_object("model", model, ("unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"))
    unknown = a_text("model.unk_token", model["unk_token"])
    prefix = a_text("model.continuing_subword_prefix", model["continuing_subword_prefix"])
    longest = an_id("model.max_input_chars_per_word", model["max_input_chars_per_word"], (1 << 64) - 1)
    if longest == 0:
        refuse(
            message("model.max_input_chars_per_word is 0."),
            message("With 0 every word would be unknown; it is at least 1."),
        )
    check_pieces("model.vocab", an_object("model.vocab", model["vocab"]))
    pieces, aliases = _by_id(model["vocab"])
    share.reached(7, 10)
    return lambda: WordPieceModel(
        pieces,
        longest_word=min(longest, LONGEST_WORD),
        unknown=unknown,
        prefix=prefix,
        matches_special=True,
        aliases=aliases,
    )


def write_wordpiece(model: WordPieceModel) -> Json:
    """The section of a model.

    >>> write_wordpiece(WordPieceModel(["[UNK]", None, "low"], longest_word=100))["vocab"]
    {'[UNK]': 0, 'low': 2}
    """
    return {
        "type": "WordPiece",
        "unk_token": model.unknown,
        "continuing_subword_prefix": model.prefix,
        "max_input_chars_per_word": model.longest_word or LONGEST_WORD,
        "vocab": {model.piece(i): i for i in model.used_ids} | model.aliases,
    }


def checked_wordlevel(model: Json, share: Share = NO_PROGRESS) -> Callable[[], WordLevelModel]:
    """Check a WordLevel section; return a function that builds its model. Raises FormatError.

    >>> checked_wordlevel({"unk_token": "?", "vocab": {"?": 0}})().pieces
    ('?',)
    """
    an_object("model", model, ("unk_token", "vocab"))
    unknown = a_text("model.unk_token", model["unk_token"])
    pieces, aliases = _by_id(model["vocab"])
    share.reached(9, 10)
    return lambda: WordLevelModel(pieces, unknown=unknown, aliases=aliases)


def write_wordlevel(model: WordLevelModel) -> Json:
    """The section of a model.

    >>> write_wordlevel(WordLevelModel(["<unk>", None, "low"]))
    {'type': 'WordLevel', 'vocab': {'<unk>': 0, 'low': 2}, 'unk_token': '<unk>'}
    """
    vocab = {model.piece(i): i for i, token in enumerate(model.tokens) if token is not None}
    return {"type": "WordLevel", "vocab": vocab | model.aliases, "unk_token": model.unknown}


def checked_unigram(model: Json, share: Share = NO_PROGRESS) -> Callable[[], UnigramModel]:
    """Check a Unigram section; return a function that builds its model, with scores bit-identical to the library's.

    Raises FormatError.

    >>> checked_unigram({"vocab": [["lo", -2.5]]})().tokens
    [b'lo']
    """
    an_object("model", model, ("vocab",))
    vocabulary = scored_pieces("model.vocab", model["vocab"], share.part(0.0, 0.5))
    unknown = model.get("unk_id")
    if unknown is not None:
        if not model["vocab"]:
            refuse(
                message("model.unk_id is {value}, and model.vocab is empty.", value=quoted(unknown)),
                message("It is the place of a piece."),
            )
        unknown = an_id("model.unk_id", unknown, len(model["vocab"]) - 1)
    fallback = a_flag("model.byte_fallback", model.get("byte_fallback", False))
    return lambda: UnigramModel.of_vocabulary(vocabulary(), unknown_id=unknown, byte_fallback=fallback)


def write_unigram(model: UnigramModel) -> Json:
    """The section of a model. Raises FormatError for a model trained here, which prepends ▁ to words.

    >>> write_unigram(UnigramModel.of_vocabulary([("<unk>", 0.0), ("lo", -2.5)], unknown_id=0))["vocab"]
    [['<unk>', 0.0], ['lo', -2.5]]
    """
    if model.vocabulary is None:
        refuse(
            message("The model puts ▁ in front of words."),
            message("In a tokenizer.json with these stages a model takes words as they are."),
            OTHER_FORMAT,
        )
    return {
        "type": "Unigram",
        "unk_id": model.unknown_id,
        "vocab": [[piece, _written(score)] for piece, score in model.vocabulary],
        "byte_fallback": model.byte_fallback,
    }


def _by_id(value: object) -> tuple[list[str | None], dict[str, int]]:
    """Tokens of a vocabulary by id, None for unused ids, and the tokens that share the id of an earlier one."""
    vocab = checked_vocab("model.vocab", an_object("model.vocab", value))
    aliases = aliases_of(vocab)
    tokens = tokens_of_vocab(vocab, aliases, str.encode)
    return [None if token is None else token.decode() for token in tokens], aliases


def _written(score: float) -> float:
    """The number that the library parses to this score; nearly always the score itself."""
    beside = (score, math.nextafter(score, math.inf), math.nextafter(score, -math.inf))
    return next((number for number in beside if as_read(number) == score), score)
