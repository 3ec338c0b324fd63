"""Registers a view of tokens: its own script and style behind the shared ones, spans.js and spans.css."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

_SHARED = Path(__file__).parent
_WORDS = (
    '<div class="over" hidden><b role="heading" aria-level="2"></b><span></span></div>',
    '<p class="under" hidden></p>',
)
_TIP = '<div class="tip" popover="manual" role="tooltip"></div>'


def register(folder: Path, name: str, html: str) -> Any:
    """The component `name`, drawn by name.js and name.css in `folder`; `html` is ours, never a visitor's text."""
    script, style = (
        "\n".join((at / f"{part}.{suffix}").read_text("utf-8") for at, part in ((_SHARED, "spans"), (folder, name)))
        for suffix in ("js", "css")
    )
    return st.components.v2.component(
        f"bpe_lab_{name}", html=f'<div class="tv">{html.join(_WORDS)}</div>{_TIP}', css=style, js=script
    )
