"""Unigram in tokenizer.json: extra normalizers add ▁ to words and reproduce this project's <unk> rules.

If a word with an unknown character becomes one <unk>, a normalizer first replaces the word by a single unknown
character: the library itself scores only the unknown character and segments the rest of the word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, NoReturn, cast

from bpe_core.bpe.config import MOST_SPECIAL_TOKENS, UNKNOWN
from bpe_core.errors import quoted, refuse
from bpe_core.formats.bpe import OTHER_FORMAT
from bpe_core.formats.normalizers import library_steps, read_normalizers, replace
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.reading import (
    LONGEST_TOKEN,
    MOST_CHARACTERS,
    Json,
    a_flag,
    a_list,
    a_text,
    check_length,
    check_pieces,
    wrong,
)
from bpe_core.formats.serde_numbers import as_read
from bpe_core.language import message
from bpe_core.text.splits import MARKED_SPLIT, WORD_MARK
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.assembly import unigram_tokenizer
from bpe_core.unigram.lattice import UNKNOWN_RULES, UnknownRule
from bpe_core.unigram.model import UnigramModel

KIND = "tokenizer.json"
NEVER = -1e9
"""Score of special tokens if whole words become <unk>: too low for a token to be chosen for text that spells it."""


_WORDS: Json = {"type": "Split", "pattern": {"Regex": r"\S+"}, "behavior": "Removed", "invert": True}
_DECODER: Json = {
    "type": "Sequence",
    "decoders": [
        {"type": "Replace", "pattern": {"String": WORD_MARK}, "content": " "},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ],
}


def write(tokenizer: Tokenizer) -> Json:
    """Sections of the file by key. Raises FormatError if the library would segment differently.

    >>> model = UnigramModel({"▁": 4.0, "l": 3.0, "o": 3.0, "▁lo": 1.0})
    >>> write(unigram_tokenizer(model))["model"]["vocab"][-1]
    ['▁lo', -1.0]
    """
    model = cast("UnigramModel", tokenizer.model)
    pieces = model.scores
    special = model.special_tokens
    characters = _characters(pieces)
    spelled = [token for token, stranger in zip(special, _strangers(characters, special), strict=True) if not stranger]
    needed = characters if model.unknown == "word" else characters.union(*spelled)
    missing = next((char for char in sorted(needed) if char not in pieces), None)
    if missing is not None and (model.unknown == "word" or spelled):
        refuse(
            message("The model has no piece {piece}.", piece=quoted(missing)),
            message("In a {kind} every character is a piece.", kind=KIND),
            OTHER_FORMAT,
        )
    named = next((token for token in special if token in pieces), None)
    if named is not None:
        refuse(
            message("The model has a piece {piece}.", piece=quoted(named)),
            message("In a {kind} that is a special token.", kind=KIND),
            OTHER_FORMAT,
        )
    if tokenizer.split.pattern != MARKED_SPLIT:
        refuse(
            message("The tokenizer splits texts by {split}.", split=quoted(tokenizer.split.pattern)),
            message("In a {kind} the words of Unigram are split at white space.", kind=KIND),
            OTHER_FORMAT,
        )
    return {
        "normalizer": {
            "type": "Sequence",
            "normalizers": [*library_steps(tokenizer.normalizer), *_steps(model.unknown, pieces, special)],
        },
        "pre_tokenizer": _WORDS,
        "decoder": _DECODER,
        "model": {
            "type": "Unigram",
            "unk_id": model.unknown_id,
            "vocab": [
                *_special_entries(model.unknown, pieces, special),
                *([piece, -score] for piece, score in pieces.items()),
            ],
            "byte_fallback": False,
        },
    }


def is_own(content: Json, model: Json) -> bool:
    """Whether a Unigram file has the form of `write`; any other is segmented by the library's rules, or refused.

    >>> own = write(unigram_tokenizer(UnigramModel({"▁": 4.0, "l": 3.0})))
    >>> is_own(own, own["model"]), is_own({"normalizer": None}, own["model"])
    (True, False)
    """
    return _own_form(content, model) is not None


def _own_form(content: Json, model: Json) -> tuple[UnknownRule, tuple[str, ...]] | None:
    """The <unk> rule and the special tokens of a file written by `write`; None for any other file."""
    vocab = model.get("vocab")
    given = content.get("normalizer")
    steps = given.get("normalizers") if isinstance(given, dict) else None
    if not isinstance(vocab, list) or not isinstance(steps, list):
        return None
    entries = [entry for entry in vocab if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str)]
    if len(entries) < len(vocab) or not all(_is_score(score) for _, score in entries):
        return ("word", (UNKNOWN,)) if vocab[:1] == [[UNKNOWN, NEVER]] else None  # damaged: `read` reports it
    if sum(len(piece) for piece, _ in entries) > MOST_CHARACTERS:
        return None
    count = _special_count(content, entries)
    special, pieces = (
        tuple(name for name, _ in entries[:count]),
        {piece: -float(score) for piece, score in entries[count:]},
    )
    if UNKNOWN not in special:
        return None
    for rule in UNKNOWN_RULES:
        added = _steps(rule, pieces, special)
        if entries[:count] == _special_entries(rule, pieces, special) and steps[-len(added) :] == added:
            stages = content.get("pre_tokenizer"), content.get("decoder"), model.get("unk_id")
            is_whole = rule == "word" or stages == (_WORDS, _DECODER, special.index(UNKNOWN))
            return (rule, special) if is_whole else None
    return None


def _special_count(content: Json, entries: Sequence[list[Any]]) -> int:
    """Number of special tokens in front of the pieces: added tokens with the scores that `write` gives these."""
    added = content.get("added_tokens")
    ids = {str(token.get("id")) for token in added if isinstance(token, dict)} if isinstance(added, list) else set()
    least = min((score for at, (_, score) in enumerate(entries) if str(at) not in ids), default=0.0)
    count = 0
    for at, (_, score) in enumerate(entries[:MOST_SPECIAL_TOKENS]):
        if at and (str(at) not in ids or not (score in (0.0, NEVER) or score < least)):
            break
        count += 1
    return count


def read(content: Json, given_model: Json, name: str) -> Tokenizer:
    """Read a file written by `write`: `content` is the whole file, `given_model` its model.

    Raises FormatError for any other Unigram file, which the library would segment differently.

    >>> model = UnigramModel({"▁": 4.0, "l": 3.0, "o": 3.0, "▁lo": 1.0})
    >>> content = write(unigram_tokenizer(model))
    >>> read(content, content["model"], "mine").tokenize("lo ol")
    ['▁lo', '▁', 'o', 'l']
    """
    vocabulary = scored_pieces("model.vocab", given_model.get("vocab"))()
    scores: dict[str, float] = {}
    for at, (piece, score) in enumerate(vocabulary):
        if not piece or piece in scores:
            wrong(f"model.vocab[{at}]", piece, message("Pieces are not empty, and no two are the same."))
        scores[piece] = -score
    unknown = given_model.get("unk_id")
    rule, special = _own_form(content, given_model) or ("word", (UNKNOWN,))
    is_first = tuple(islice(scores, len(special))) == special
    if not is_first or unknown != special.index(UNKNOWN) or isinstance(unknown, bool):
        _refuse_other(
            message(
                "model.unk_id is {value}, or model.vocab does not begin with {piece}",
                value=quoted(unknown),
                piece=special[0],
            )
        )
    if a_flag("model.byte_fallback", given_model.get("byte_fallback") or False):
        _refuse_other(message("model.byte_fallback is on"))
    for token in special:
        del scores[token]
    model = UnigramModel(scores, unknown=rule, special_tokens=special)
    added = _steps(rule, scores, special)
    given = content.get("normalizer")
    steps = given.get("normalizers") if isinstance(given, dict) else None
    if not isinstance(steps, list) or steps[-len(added) :] != added:
        kind = given.get("type") if isinstance(given, dict) else given
        _refuse_other(message("normalizer is {value}", value=quoted(kind)))
    normalizer, _ = read_normalizers({"type": "Sequence", "normalizers": steps[: -len(added)]}, "normalizer", "")
    if content.get("pre_tokenizer") != _WORDS:
        _refuse_other(message("pre_tokenizer is {value}", value=quoted(content.get("pre_tokenizer"))))
    return unigram_tokenizer(model, name=name, normalizer=normalizer)


def _steps(rule: UnknownRule, pieces: Mapping[str, float], special: Sequence[str]) -> list[Json]:
    """Normalizers that add ▁ in front of every word or, with the rule "word", replace unknown words by one character.

    Text that spells a special token, such as <unk>, must not become it: one of its characters that is in no piece is
    replaced by another unknown character.
    """
    characters = _characters(pieces)
    unknown = next(chr(code) for code in range(0xE000, 0xF900) if chr(code) not in characters)
    if rule == "characters":
        strangers = dict.fromkeys(filter(None, _strangers(characters, special)))
        return [*(replace(re.escape(char), unknown) for char in strangers), replace(r"(?<!\S)(?=\S)", WORD_MARK)]
    known = "".join(re.escape(char) for char in sorted(characters))
    # Two steps: a lookahead over the whole word from each character would take quadratic time.
    return [
        replace(rf"\S*[^\s{known}]\S*", unknown),
        replace(rf"(?<!\S)(?=[^\s{unknown}])", WORD_MARK),
    ]


def _characters(pieces: Iterable[str]) -> set[str]:
    return {char for piece in pieces for char in piece}


def _strangers(characters: set[str], special: Iterable[str]) -> list[str]:
    """For each special token, a character of it that is in no piece and can be replaced, or ""."""
    kept = characters | {WORD_MARK}
    return [next((char for char in token if char not in kept and not char.isspace()), "") for token in special]


def _special_entries(rule: UnknownRule, pieces: Mapping[str, float], special: Sequence[str]) -> list[list[Any]]:
    """Special tokens and their scores in the file. The library scores an unknown character by the lowest score minus
    10, which these scores affect."""
    if rule == "word":
        return [[token, NEVER] for token in special]
    most = max(0.0, *pieces.values())
    strangers = _strangers(_characters(pieces), special)
    # lower than the characters that spell it
    return [
        [token, 0.0 if stranger else -(len(token) * most + 1.0)]
        for token, stranger in zip(special, strangers, strict=True)
    ]


def scored_pieces(place: str, value: Any, share: Share = NO_PROGRESS) -> Callable[[], list[tuple[str, float]]]:
    """Check a list of pieces with scores; return a function that gives them, with numbers as the library parses them.

    Raises FormatError for anything else, and for pieces with too many characters, before a number is converted.

    >>> scored_pieces("model.vocab", [["low", -2]])()
    [('low', -2.0)]
    """
    entries = a_list(place, value)
    for here in share.slices(len(entries)):
        if not _are_scored_pieces(entries[here]):
            for at, entry in enumerate(entries[here], here.start):
                _check_scored_piece(f"{place}[{at}]", entry)
    check_pieces(place, map(_FIRST, entries))
    return lambda: [(piece, as_read(float(score))) for piece, score in entries]


_FIRST, _SECOND = itemgetter(0), itemgetter(1)


def _are_scored_pieces(entries: Sequence[Any]) -> bool:
    """Whether all entries are pieces with scores; also False for valid but rare entries, such as very long pieces."""
    if set(map(type, entries)) != {list} or set(map(len, entries)) != {2}:
        return False
    pieces, scores = [*map(_FIRST, entries)], [*map(_SECOND, entries)]
    if set(map(type, pieces)) != {str} or set(map(type, scores)) != {float}:
        return False
    try:
        "".join(pieces).encode()
    except UnicodeEncodeError:
        return False
    return max(map(len, pieces)) <= LONGEST_TOKEN // 4 and all(map(math.isfinite, scores))


def _check_scored_piece(place: str, entry: Any) -> None:
    if len(a_list(place, entry, 2)) != 2 or not _is_score(entry[1]):
        wrong(place, entry, message("It is a piece and its score, a finite number."))
    check_length(place, len(a_text(f"{place}[0]", entry[0]).encode()), 0)


def _is_score(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**15


def _refuse_other(problem: str) -> NoReturn:
    refuse(
        message("{problem}: this Unigram model does not segment as BPE Lab does.", problem=problem),
        message("The files that BPE Lab writes have no normalization tables (Precompiled) or prefixes (Metaspace)."),
        message("Use the file with the tokenizers library, or SentencePiece's own .model."),
    )
