"""The benchmark of large corpora runs on a small one: workers and one process have the same counts and ids."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.tables import write_table

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs" / "scale.md"


def test_the_page_of_large_corpora_has_a_place_for_its_tables(tmp_path: Path) -> None:
    page = tmp_path / "scale.md"
    page.write_bytes(PAGE.read_bytes())
    write_table("python -m benchmarks.scale", "the table", page)
    assert "\nthe table\n<!-- end -->" in page.read_text("utf-8")


@pytest.mark.thorough
def test_a_small_corpus_is_measured_and_nothing_is_written(tmp_path: Path) -> None:
    before = PAGE.read_bytes()
    command = ["-m", "benchmarks.scale", "--gigabytes", "0.01", "--words", "0.05", "--workers", "2"]
    done = subprocess.run([sys.executable, *command], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for row in ("| count | one process on one core | 0.01 GB |", "| count | 2 workers |", "| encode | 2 workers |"):
        assert done.stdout.count(row) == 2, row  # when it is measured, and in the table
    assert PAGE.read_bytes() == before
