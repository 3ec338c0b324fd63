"""Interface shared by the algorithms of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bpe_core import BpeError
from bpe_core.comparison.evidence import after_another
from bpe_core.language import _, current_language, sentence
from bpe_core.payloads.chips import Chip
from ui.views.algorithm_cards import Card, CardPart, CardTone

MARKS = ("##", "▁", " ")
"""Prefixes of pieces that are not text: inside a word, or a preceding space."""


@dataclass(frozen=True)
class VocabularyEntry:
    """A piece of a vocabulary: its bare text, its spelling with marks, and its id or score."""

    text: str
    form: str
    detail: str


@dataclass(frozen=True)
class Segmentation:
    """A word in pieces: as chips, and as bare text without marks for comparison."""

    chips: tuple[Chip, ...]
    bare: tuple[str, ...]


class AlgorithmRun(Protocol):
    """A finished training of one algorithm, at any of its steps.

    `note`: an untranslated message on how it differs from the request. A card is in the session's language.
    """

    @property
    def note(self) -> str: ...

    @property
    def steps(self) -> int:
        """The last step."""

    def card(self, step: int) -> Card:
        """The result of this step, and the candidates of the next."""

    def vocabulary(self, step: int) -> list[VocabularyEntry]:
        """The pieces in id order, without special tokens."""

    def segment(self, word: str, step: int) -> Segmentation:
        """A word in the pieces of this step."""


@dataclass(frozen=True)
class FailedRun:
    """An algorithm that could not be trained on this text, with the error."""

    error: BpeError


def bare(piece: str) -> str:
    """A piece without its mark.

    >>> bare("##s"), bare("▁low"), bare("#"), bare("##")
    ('s', 'low', '#', '##')
    """
    for mark in MARKS:
        if piece.startswith(mark) and len(piece) > len(mark):
            return piece[len(mark) :]
    return piece


def segmented(pieces: list[tuple[int, str]], unknown: str) -> Segmentation:
    """Segmentation from (id, piece) pairs; `unknown`: the piece for unknown text."""
    chips = [Chip.of_label(i, piece) if piece == unknown else piece_chip(i, piece) for i, piece in pieces]
    texts = [piece if piece == unknown else "" if piece in MARKS else bare(piece) for _, piece in pieces]
    return Segmentation(tuple(chips), tuple(filter(None, texts)))


def piece_chip(number: int, piece: str) -> Chip:
    """A piece with its marks as a chip."""
    return Chip(number, ((piece, False),))


def row_tone(chosen: bool, tied: bool) -> tuple[CardTone, str]:
    """Tone and label of a card's row: next, or tied with the next pair."""
    if chosen:
        return "chosen", _("next")
    return ("tied", _("tied")) if tied else ("", "")


def merged(pair: tuple[Chip, Chip], made: Chip, count: int, *then: str) -> tuple[CardPart, ...]:
    """Description of a merge by count, followed by further sentences."""
    said = (
        sentence("{pair} → {token} occurred once.", pair=pair, token=made)
        if count == 1
        else sentence("{pair} → {token} occurred {times:,} times.", pair=pair, token=made, times=count)
    )
    return after_another(said, *then).in_language(current_language())
