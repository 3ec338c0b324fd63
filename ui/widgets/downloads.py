"""Download popover of a table, as CSV for spreadsheets, as Parquet for programs, and as LaTeX."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from bpe_core.formats.tables import to_csv, to_latex, to_parquet
from bpe_core.language import _

if TYPE_CHECKING:
    import pandas as pd

CSV = "text/csv"
LATEX = "application/x-tex"
PARQUET = "application/vnd.apache.parquet"


def download_popover(
    table: Callable[[], pd.DataFrame],
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
        with st.container(horizontal=True):
            st.download_button(
                "CSV",
                csv or (lambda: to_csv(table())),
                file_name=f"{name}.csv",
                mime=CSV,
                on_click="ignore",
                help=_("Opens in a spreadsheet; bytes in hex."),
                key=f"{key} csv",
            )
            st.download_button(
                "Parquet",
                lambda: to_parquet(table()),
                file_name=f"{name}.parquet",
                mime=PARQUET,
                on_click="ignore",
                help=_("For pandas and other programs; bytes as they are."),
                key=f"{key} parquet",
            )
            if latex:
                st.download_button(
                    "LaTeX",
                    lambda: to_latex(table()),
                    file_name=f"{name}.tex",
                    mime=LATEX,
                    on_click="ignore",
                    help=_("A tabular for the package booktabs."),
                    key=f"{key} latex",
                )
