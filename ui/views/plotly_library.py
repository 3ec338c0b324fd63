"""plotly.js of the installed plotly package: its file, and its path on the app's server."""

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
"""Relative to the app's base URL; changes with the content of the file."""
