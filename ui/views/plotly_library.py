"""plotly.js as the installed plotly package has it: its file, and the path at which the app's server answers it."""

from __future__ import annotations

from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path


def _file() -> Path:
    found = find_spec("plotly")
    assert found is not None, "requirements.txt names it"
    assert found.origin is not None
    return Path(found.origin).with_name("package_data") / "plotly.min.js"


PLOTLY_FILE = _file()
PLOTLY_PATH = f"static/plotly.{blake2b(PLOTLY_FILE.read_bytes(), digest_size=8).hexdigest()}.js"
"""Relative to the address of the app; it changes with the content of the file."""
