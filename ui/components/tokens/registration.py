"""Registers a view of tokens: its own script and style, and around it the words and the tooltip that all views have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from ui.components.scripts import joined_script

_SHARED_STYLE = Path(__file__).parent / "spans.css"
_CAPTIONS = (
    '<div class="over" hidden><b role="heading" aria-level="2"></b><span></span></div>',
    '<p class="under" hidden></p>',
)
_TIP = '<div class="tip" popover="manual" role="tooltip"></div>'


def view_component(folder: Path, html: str) -> Any:
    """The component in `folder`, drawn by its script and style of the same name; `html` is ours, never a visitor's."""
    name = folder.name
    style = "\n".join(path.read_text("utf-8") for path in (_SHARED_STYLE, folder / f"{name}.css"))
    return st.components.v2.component(
        f"bpe_lab_{name}",
        html=f'<div class="tv">{html.join(_CAPTIONS)}</div>{_TIP}',
        css=style,
        js=joined_script(folder / f"{name}.js"),
    )
