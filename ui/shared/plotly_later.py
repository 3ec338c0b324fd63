"""Plotly, loaded after the start of a server and not in it: making its theme is half of what the imports take."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module


@contextmanager
def without_plotly() -> Iterator[None]:
    """Let Streamlit be imported as where plotly is not installed: it makes no theme for plotly's charts then."""
    loaded = sys.modules.get("plotly")
    sys.modules["plotly"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["plotly"]
        if loaded:
            sys.modules["plotly"] = loaded


def load_plotly() -> None:
    """Load plotly with Streamlit's theme for it: a figure has the theme only when this came before it."""
    import_module("pandas")  # plotly takes it as it is, also while another thread is still importing it
    if "streamlit" not in import_module("plotly.io").templates:
        import_module("streamlit.elements.lib.streamlit_plotly_theme").configure_streamlit_plotly_theme()
