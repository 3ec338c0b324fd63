"""The sample notebook: it runs from beginning to end, matches its text, and is stored without outputs."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

TOUR = Path(__file__).parents[2] / "docs" / "tour.ipynb"


@pytest.fixture(scope="module")
def stored() -> nbformat.NotebookNode:
    return nbformat.read(TOUR, as_version=4)


def test_the_notebook_is_stored_without_outputs(stored: nbformat.NotebookNode) -> None:
    nbformat.validate(stored)
    for cell in stored.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)


def test_the_notebook_runs_and_shows_a_card_for_each_thing(
    stored: nbformat.NotebookNode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    done = NotebookClient(stored, timeout=120, resources={"metadata": {"path": str(TOUR.parent)}}).execute()
    outputs = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [each for each in outputs if each.get("name") == "stderr"]
    html = [each.data["text/html"] for each in outputs if "text/html" in each.get("data", {})]
    titles = [each.split("<b>")[1].split("</b>")[0] for each in html if 'class="bpe-lab"' in each]
    assert titles == ["Training", "Training", "Step 5", "Encoding", "Comparison"]
