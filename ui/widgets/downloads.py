"""Download popover of a table, as CSV for spreadsheets, as Parquet for programs, and as LaTeX."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bpe_core.formats.tables import to_csv, to_latex, to_parquet
from bpe_core.language import _
from bpe_core.tokenizer.tables import DataFrame


def download_popover(
    table: Callable[[], DataFrame],
    name: str,
    *,
    key: str,
    about: str,
    label: str | None = None,
    csv: Callable[[], bytes] | None = None,
    latex: bool = False,
    disabled: bool = False,
    refused: str = "",
) -> None:
    """Draw the popover. `table` is called only on a click; so is `csv`, for a CSV other than that of the table.

    `name`: file name without suffix; `about`: a caption that describes a row, never user text.
    `label`: of the popover, by default "Download". `latex`: whether LaTeX is offered too.
    `refused`: reason shown in place of the buttons.
    """
    with st.popover(label or _("Download"), icon=":material/download:", disabled=disabled, key=f"{key} popover"):
        st.caption(refused or about)
        if refused:
            return
        in_a_spreadsheet = _("Opens in a spreadsheet; bytes in hex.")
        in_programs = _("For pandas and other programs; bytes as they are.")
        kinds = [
            ("CSV", "csv", "text/csv", csv or (lambda: to_csv(table())), in_a_spreadsheet),
            ("Parquet", "parquet", "application/vnd.apache.parquet", lambda: to_parquet(table()), in_programs),
        ]
        if latex:
            in_papers = _("A tabular for the package booktabs.")
            kinds.append(("LaTeX", "tex", "application/x-tex", lambda: to_latex(table()), in_papers))
        with st.container(horizontal=True):
            for kind, suffix, mime, data, use in kinds:
                st.download_button(
                    kind,
                    data,
                    file_name=f"{name}.{suffix}",
                    mime=mime,
                    on_click="ignore",
                    help=use,
                    key=f"{key} {kind.lower()}",
                )
