"""Comparison of vocabularies: shared pieces, and pieces of only one. Pure data, no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bpe_core.language import message
from bpe_core.payloads.chips import Column, Table
from ui.runs.algorithm_run import VocabularyEntry
from ui.session.algorithms import TITLES

MOST_ROWS = 2_000


@dataclass(frozen=True)
class ComparedPiece:
    """A piece without its marks, and its spellings in each vocabulary that has it."""

    text: str
    forms: Mapping[str, Sequence[VocabularyEntry]]


def compare_pieces(vocabularies: Mapping[str, Sequence[VocabularyEntry]]) -> list[ComparedPiece]:
    """All distinct pieces: longer than one character first, then by the number of vocabularies that have them.

    >>> bpe, wordpiece = VocabularyEntry("lo", "·lo", "id 7"), VocabularyEntry("lo", "##lo", "id 9")
    >>> both = compare_pieces({"bpe": [bpe], "wordpiece": [wordpiece]})
    >>> [(piece.text, list(piece.forms)) for piece in both]
    [('lo', ['bpe', 'wordpiece'])]
    """
    found: dict[str, dict[str, list[VocabularyEntry]]] = {}
    for name, entries in vocabularies.items():
        for entry in entries:
            found.setdefault(entry.text, {}).setdefault(name, []).append(entry)
    pieces = [ComparedPiece(text, forms) for text, forms in found.items()]
    return sorted(pieces, key=lambda piece: (len(piece.text) == 1, -len(piece.forms)))


def chosen(pieces: Sequence[ComparedPiece], shown: str, find: str, names: Sequence[str]) -> list[ComparedPiece]:
    """Pieces of one kind ("all", "shared", or the name of the only algorithm that has them) that contain `find`."""
    return [piece for piece in pieces if is_shown(piece, shown, names) and find in piece.text]


def is_shown(piece: ComparedPiece, shown: str, names: Sequence[str]) -> bool:
    """Whether a piece is of this kind."""
    if shown == "shared":
        return len(piece.forms) == len(names)
    return shown == "all" or list(piece.forms) == [shown]


def pieces_table(pieces: Sequence[ComparedPiece], names: Sequence[str]) -> Table:
    """Table with a row per piece and a column per vocabulary."""
    shown = pieces[:MOST_ROWS]
    return Table(
        Column(message("Piece"), [piece.text for piece in shown]),
        *(Column(TITLES[name], [_written(piece.forms.get(name, ())) for piece in shown]) for name in names),
    )


def _written(entries: Sequence[VocabularyEntry]) -> str:
    """Spellings of a piece with their ids or scores."""
    return ", ".join(f"{entry.form} ({entry.detail.removeprefix('id ')})" for entry in entries)
