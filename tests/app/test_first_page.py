"""The first page imports no library that it does not use."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]

OPEN_THE_FIRST_PAGE = """
import sys
from streamlit.testing.v1 import AppTest
from ui.serving import startup

startup._get_ready = lambda: None  # without what the server loads in the background
app = AppTest.from_file(sys.argv[1], default_timeout=300).run()
assert not app.exception and len(app.get("bidi_component")) > 9
print(*sys.modules)
"""

LATER = {
    "coverage",
    "dask",
    "huggingface_hub",
    "llvmlite",
    "numba",
    "tokenizers",
    "xml.dom",
    "yaml",
}
"""Imported on first use, or by the server in the background."""

OTHER_PAGES = {f"ui.{name}.page" for name in ("encode", "compare", "vocabulary", "algorithms", "pipeline")}


def test_the_first_page_imports_no_library_that_it_does_not_use() -> None:
    command = [sys.executable, "-c", OPEN_THE_FIRST_PAGE, str(PROJECT / "app.py")]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(set(done.stdout.split()) & (LATER | OTHER_PAGES)) == []


LOAD_IT_FIRST = """
import sys
from streamlit.testing.v1 import AppTest
from ui.serving import startup

startup._get_ready = lambda: None
import app

app.load_first_page()
loaded = {*sys.modules}
shown = AppTest.from_file(sys.argv[1], default_timeout=300).run()
assert not shown.exception
print(*{*sys.modules} - loaded)
"""


def test_the_server_loads_the_first_page_before_a_visitor_comes() -> None:
    command = [sys.executable, "-c", LOAD_IT_FIRST, str(PROJECT / "app.py")]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    late = {name for name in done.stdout.split() if name.split(".")[0] in {"bpe_core", "ui", "plotly", "tiktoken_ext"}}
    assert not {name for name in late if not name.startswith(("plotly.graph_objs", "plotly.validator"))}
