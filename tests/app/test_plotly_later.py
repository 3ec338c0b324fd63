"""Plotly is no part of a start, and its charts have Streamlit's theme all the same."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]

START = """
import sys
from ui.shared import serve
assert "streamlit" in sys.modules
assert not [name for name in sys.modules if name.split(".")[0] == "plotly"], "loaded at the start"

from ui.compare.fertility_chart import fertility_figure
figure = fertility_figure([], "tokens", "Tokens")
print(figure.layout.template.layout.colorway[0])
"""


def test_a_start_loads_no_plotly_and_the_first_chart_has_streamlits_theme() -> None:
    done = subprocess.run([sys.executable, "-c", START], cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "#000001", "the colour that Streamlit's page replaces"
