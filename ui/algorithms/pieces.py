"""The vocabularies side by side: which pieces all have, and which only one does. Pure data, no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ui.algorithms.card import Entry
from ui.algorithms.member import TITLES
from ui.token_view import Column, Table

MOST_ROWS = 2_000


@dataclass(frozen=True)
class Side:
    """A piece without its marks, and what it is written as in each vocabulary that has it."""

    text: str
    forms: Mapping[str, Sequence[Entry]]


def side_by_side(vocabularies: Mapping[str, Sequence[Entry]]) -> list[Side]:
    """Every piece once: longer than one character first, and those that are in the most vocabularies.

    >>> both = side_by_side({"bpe": [Entry("lo", "·lo", "id 7")], "wordpiece": [Entry("lo", "##lo", "id 9")]})
    >>> [(side.text, list(side.forms)) for side in both]
    [('lo', ['bpe', 'wordpiece'])]
    """
    found: dict[str, dict[str, list[Entry]]] = {}
    for name, entries in vocabularies.items():
        for entry in entries:
            found.setdefault(entry.text, {}).setdefault(name, []).append(entry)
    sides = [Side(text, forms) for text, forms in found.items()]
    return sorted(sides, key=lambda side: (len(side.text) == 1, -len(side.forms)))


def chosen(sides: Sequence[Side], shown: str, find: str, names: Sequence[str]) -> list[Side]:
    """Those of one kind ("all", "shared", or the name of the only algorithm that has them) that hold a text."""
    return [side for side in sides if is_shown(side, shown, names) and find in side.text]


def is_shown(side: Side, shown: str, names: Sequence[str]) -> bool:
    """Whether a piece is of this kind."""
    if shown == "shared":
        return len(side.forms) == len(names)
    return shown == "all" or list(side.forms) == [shown]


def pieces_table(sides: Sequence[Side], names: Sequence[str]) -> Table:
    """A row for each piece, a column for each vocabulary."""
    shown = sides[:MOST_ROWS]
    return Table(
        (
            Column("Piece", [side.text for side in shown]),
            *(Column(TITLES[name], [_written(side.forms.get(name, ())) for side in shown]) for name in names),
        )
    )


def _written(entries: Sequence[Entry]) -> str:
    """The forms of a piece with their ids or scores."""
    return ", ".join(f"{entry.form} ({entry.detail.removeprefix('id ')})" for entry in entries)
