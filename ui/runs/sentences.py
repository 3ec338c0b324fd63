"""A sentence in the pieces of every algorithm, and its words that can be followed. Pure data, no Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import regex

from bpe_core import Tokenizer
from bpe_core.bpe.config import UNKNOWN
from bpe_core.payloads.spans import Lane
from bpe_core.text.normalization import Normalized, replace_surrogates
from bpe_core.wordpiece.model import UNKNOWN_WORD
from ui.runs.algorithm_run import AlgorithmRun
from ui.runs.bpe import OfCharacters
from ui.runs.differing_words import script_words
from ui.runs.sentencepiece import SentencePiece
from ui.runs.unigram import Unigram
from ui.runs.wordpiece import WordPiece
from ui.session.algorithms import TITLES

LONGEST_SENTENCE = 300
"""Maximum characters of the sentence."""

LONGEST_FOLLOWED = 40
"""Maximum characters of a followed word."""

_MOST_SHOWN, _MOST_BEFORE = 72, 30
"""Maximum characters of a sentence of the text, and, if it is shortened, of those before its followed word."""

_FALLBACK = "lower"
_RUN = regex.compile(r"\S+")
_SENTENCE = regex.compile(r"[^.!?。！？\n]*[.!?。！？]*[\"”’」』)]*")


class SentenceWord(NamedTuple):
    """A word of a sentence that can be followed, with its character range."""

    start: int
    end: int
    word: str


@dataclass(frozen=True)
class SentenceRow:
    """A sentence in the pieces of one algorithm: (id, start, end, spelling), in bytes."""

    title: str
    pieces: tuple[tuple[int, int, int, str], ...]

    def lane(self) -> Lane:
        """The row as a lane; unknown text is drawn as its token, and a piece's marks appear in its tooltip."""
        ids, starts, ends, forms = zip(*self.pieces, strict=True) if self.pieces else ((), (), (), ())
        unknown = {at: form for at, form in enumerate(forms) if form in (UNKNOWN, UNKNOWN_WORD)}
        return Lane(
            self.title,
            np.asarray(ids, np.int64),
            np.asarray(starts, np.int64),
            np.asarray(ends, np.int64),
            labels=unknown,
            notes=dict(enumerate(forms)),
        )


def sentence_words(sentence: str) -> list[SentenceWord]:
    """The words of a sentence: runs without white space; in a run too long to follow, words of one script.

    >>> [each.word for each in sentence_words("the lantern, 駅長さんは")]
    ['the', 'lantern,', '駅長さんは']
    """
    found = []
    for run in _RUN.finditer(sentence):
        if len(run[0]) <= LONGEST_FOLLOWED:
            found.append(SentenceWord(run.start(), run.end(), run[0]))
            continue
        parts = (SentenceWord(run.start() + a, run.start() + b, run[0][a:b]) for a, b in script_words(run[0]))
        found += [part for part in parts if len(part.word) <= LONGEST_FOLLOWED]
    return found


def sentence_with(word: str, text: str) -> str:
    """First sentence of a text that contains a word, shortened around it; the word itself if it does not occur.

    >>> sentence_with("tide", "It is low. The tide is out!")
    'The tide is out!'
    >>> sentence_with("keeper", "On nights that were long and cold, the keeper of the light at the cape lit a lamp.")
    'that were long and cold, the keeper of the light at the cape lit a lamp.'
    """
    at = text.find(word)
    if at < 0:
        return word
    begin = max(0, at - LONGEST_SENTENCE)
    near = text[begin : at + LONGEST_SENTENCE]
    held = next((each for each in _SENTENCE.finditer(near) if each.end() > at - begin), None)
    found = " ".join(held[0].split()) if held else word
    return _around(word, found) if word in found else word


def _around(word: str, sentence: str) -> str:
    """Shorten a long sentence to whole words around one of them, or to parts of words if they have no spaces."""
    if len(sentence) <= _MOST_SHOWN:
        return sentence
    at = sentence.index(word)
    end = at + len(word)
    first = max(0, at - _MOST_BEFORE)
    if first:
        first = sentence.find(" ", first, at) + 1 or first
    last = max(end, first + _MOST_SHOWN)
    if last < len(sentence):
        last = max(end, sentence.rfind(" ", end, last)) if " " in sentence[end:last] else last
    return sentence[first:last].strip()


def chosen_sentence(sentence: str | None, word: str | None, text: str, differing: Callable[[], Sequence[str]]) -> str:
    """The chosen sentence or word, by default a sentence with the first word that the algorithms segment differently.

    >>> chosen_sentence(None, None, "It is low. The tide is out!", lambda: ["tide"])
    'The tide is out!'
    """
    typed = word if sentence is None else sentence
    return replace_surrogates(_first_sentence(text, differing()) if typed is None else typed)[0]


def in_one_line(sentence: str) -> str:
    """A typed sentence in one line.

    >>> in_one_line(" It is  low. ")
    'It is low.'
    """
    return " ".join(sentence.split())


def _first_sentence(text: str, differing: Sequence[str]) -> str:
    text = replace_surrogates(text)[0]
    word = differing[0] if differing else next(iter(text.split()), _FALLBACK)[:LONGEST_FOLLOWED]
    return sentence_with(word, text)


def followed_word(chosen: str | None, sentence: str, differing: Callable[[], Sequence[str]]) -> str:
    """The chosen word of a sentence, by default the first that the algorithms segment differently; "" without one.

    >>> followed_word("is", "It is low.", lambda: ["low"]), followed_word(None, "It is low.", lambda: ["low"])
    ('is', 'low')
    """
    if chosen and chosen in sentence and 0 < len(chosen) <= LONGEST_FOLLOWED and len(chosen.split()) == 1:
        return chosen.strip()
    known = [each.word for each in sentence_words(sentence)]
    if len(known) < 2:
        return next(iter(known), "")
    inside = {sentence[start:end] for start, end in script_words(sentence)}
    return next((word for word in differing() if word in inside), known[0])


def in_bytes(text: str, place: tuple[int, int]) -> tuple[int, int]:
    """Byte range of a character range.

    >>> in_bytes("né", (1, 2))
    (1, 3)
    """
    start = len(text[: place[0]].encode())
    return start, start + len(text[place[0] : place[1]].encode())


def sentence_row(name: str, run: AlgorithmRun, sentence: str, step: int) -> SentenceRow:
    """A sentence in the pieces of one algorithm at a step."""
    if isinstance(run, SentencePiece) and run.is_bpe and step < run.steps:
        return SentenceRow(TITLES[name], tuple(_merged(run, sentence, step)))
    if isinstance(run, OfCharacters):
        spaced = " " not in sentence and run.with_space(sentence) != sentence  # a single word, as it occurs in the text
        tokenizer = run.tokenizer(step)
        pieces = _pieces(tokenizer, " " * spaced + sentence)
        return SentenceRow(
            TITLES[name], tuple((i, max(a - spaced, 0), max(b - spaced, 0), form) for i, a, b, form in pieces)
        )
    if isinstance(run, WordPiece | Unigram):
        return SentenceRow(TITLES[name], tuple(_pieces(run.tokenizer(step), sentence)))
    assert isinstance(run, SentencePiece)
    return SentenceRow(TITLES[name], tuple(_pieces(run.tokenizer, sentence)))


def _pieces(tokenizer: Tokenizer, text: str) -> list[tuple[int, int, int, str]]:
    """The tokens of a text with their byte ranges before normalization."""
    encoding = tokenizer.encode(text)
    places = encoding.normalized.original_bytes
    starts, ends = places[encoding.starts].tolist(), places[encoding.ends].tolist()
    forms = [tokenizer.token(i) for i in encoding.ids.tolist()]
    return list(zip(encoding.ids.tolist(), starts, ends, forms, strict=True))


def _merged(run: SentencePiece, sentence: str, step: int) -> list[tuple[int, int, int, str]]:
    """Tokens by a BPE model's first pieces, which the library itself cannot do. A run of unknown ones is one <unk>."""
    steps = run.merges(sentence, step)
    normalized: Normalized = run.tokenizer.encode(sentence).normalized
    places = normalized.original_bytes[normalized.character_starts].tolist()
    found: list[tuple[int, int, int, str]] = []
    at = -1  # the leading ▁ is not part of the text
    for piece in steps[-1].pieces if steps else ():
        chip, start, at = run.chip(piece), max(at, 0), at + len(piece)
        known = not chip.special
        token = (chip.id if known else 0, places[start], places[at], piece if known else UNKNOWN)
        if not known and found and found[-1][3] == UNKNOWN:
            token = (0, found.pop()[1], places[at], UNKNOWN)
        found.append(token)
    return found
