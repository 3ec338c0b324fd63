"""Table of one encoding, one line per id: shown, and copied as Python, JSON or CSV."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _, message, term
from bpe_core.payloads.chips import Chip, Column, Table
from bpe_core.tokenizer.row_tables import TokenRow, as_csv, as_json, as_python
from ui.pipeline.cache import DrawnPipeline
from ui.pipeline.grid import called
from ui.session import pipeline as state
from ui.views.token_table import token_table_view
from ui.views.verbatim import verbatim_view
from ui.widgets.controls import menu, segments

_FORMS = {"table": message("Table"), "python": "Python", "json": "JSON", "csv": "CSV"}
_WRITERS = {"python": as_python, "json": as_json, "csv": as_csv}


def show_table(drawn: DrawnPipeline, kind: str) -> None:
    """Draw the card with the table of the chosen text."""
    names = list(drawn.tables)
    if state.ENCODING.get() not in names:
        state.ENCODING.set(names[0])
    with st.container(border=True, key="encoding table"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("## " + _("One line per id"), width="content")
            if len(names) > 1:
                titles = {name: ", ".join(filter(None, called(name, kind))) for name in names}
                menu(_("Which encoding"), titles, state.ENCODING, hidden=True, width=190)
            rows, count = drawn.tables[state.ENCODING.get()]
            if count > len(rows):
                st.caption(_("the first {shown:,} of {count:,} ids", shown=len(rows), count=count), width="content")
            st.space("stretch")
            segments(
                _("Copy as"),
                _FORMS,
                state.COPY,
                hidden=True,
                help=_(
                    "Python, JSON and CSV have a button to copy them. A token that is not whole characters is bytes; "
                    "in CSV every token is written as Python writes it."
                ),
            )
        form = state.COPY.get()
        if form == "table":
            token_table_view(
                _table(rows), key="encoding rows", height=330, label=_("The ids of one encoding"), pickable=False
            )
            st.caption(
                _("Start and end are characters of the text, counted from 0 as Python slices them: text[start:end].")
            )
        else:
            verbatim_view(
                _WRITERS[form](rows), label=_("The ids of one encoding"), key="written rows", height=330, wraps=False
            )


_FIELDS = {
    "text": term("column", "text"),
    "word": term("column", "word"),
    "start": term("column", "start"),
    "end": term("column", "end"),
    "type_id": message("type id"),
    "attention_mask": message("attention mask"),
    "special_tokens_mask": message("special tokens mask"),
}
"""Headers of the numeric fields."""


def _table(rows: list[TokenRow]) -> Table:
    def numbers(name: str) -> Column:
        return Column(_FIELDS[name], [getattr(row, name) for row in rows], "number")

    special = [row.text is None for row in rows]
    tokens = [_chip(row, label=each) for row, each in zip(rows, special, strict=True)]
    return Table(
        Column(term("column", "id"), [f"{row.id}" for row in rows]),
        Column(term("column", "token"), tokens, "chip"),
        *map(numbers, _FIELDS),
    )


def _chip(row: TokenRow, *, label: bool) -> Chip:
    if isinstance(row.token, bytes):
        return Chip.of_bytes(row.id, row.token)
    return Chip.of_label(row.id, row.token) if label else Chip.of_bytes(row.id, row.token.encode())
