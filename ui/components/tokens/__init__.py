"""Shared parts of the token views: data, payloads, scripts and styles."""

from ui.components.tokens.captions import Captions
from ui.components.tokens.chips import Cell, Chip, Column, ColumnKind, Table, Tone
from ui.components.tokens.spans import CharacterPart, Indices, Lane, TokenSpans, neighbour_colours, palette_index

__all__ = [
    "Captions",
    "Cell",
    "CharacterPart",
    "Chip",
    "Column",
    "ColumnKind",
    "Indices",
    "Lane",
    "Table",
    "TokenSpans",
    "Tone",
    "neighbour_colours",
    "palette_index",
]
