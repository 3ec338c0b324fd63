"""Download popover of a table, as CSV for spreadsheets, as Parquet for programs, and as LaTeX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from bpe_core.formats.tables import to_csv, to_latex, to_parquet
from bpe_core.language import _
from bpe_core.tokenizer.tables import DataFrame

_MIMES = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
    "tex": "application/x-tex",
    "zip": "application/zip",
}


def download_button(label: str, data: bytes | Callable[[], bytes | str], name: str, **more: Any) -> None:
    """Draw a button that saves a file of this name, without a rerun. `more`: passed to Streamlit."""
    mime = _MIMES.get(name.rpartition(".")[2], "application/octet-stream")
    looks = {"icon": ":material/download:"} | more
    st.download_button(label, data, file_name=name, mime=mime, on_click="ignore", **looks)


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
            ("CSV", "csv", csv or (lambda: to_csv(table())), in_a_spreadsheet),
            ("Parquet", "parquet", lambda: to_parquet(table()), in_programs),
        ]
        if latex:
            in_papers = _("A tabular for the package booktabs.")
            kinds.append(("LaTeX", "tex", lambda: to_latex(table()), in_papers))
        with st.container(horizontal=True):
            for kind, suffix, data, use in kinds:
                download_button(kind, data, f"{name}.{suffix}", icon=None, help=use, key=f"{key} {kind.lower()}")
