"""Coloured tokens in the page: a flow, rows per tokenizer, and tables with token chips."""

from .chips import Cell, Chip, Column, Kind, Table, Tone
from .components import Indices, Words, clear_selection, interlinear, token_table, token_view
from .spans import Lane, Part, TokenSpans, palette_index

__all__ = [
    "Cell",
    "Chip",
    "Column",
    "Indices",
    "Kind",
    "Lane",
    "Part",
    "Table",
    "TokenSpans",
    "Tone",
    "Words",
    "clear_selection",
    "interlinear",
    "palette_index",
    "token_table",
    "token_view",
]
