"""Ctrl-C on a terminal while local workers start or end: only the exit code says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
PROGRAM = """
import os, signal, sys
from distributed.deploy.spec import SpecCluster

name, moment, text, counts = sys.argv[1:]
whole = getattr(SpecCluster, name)

async def interrupted(self):
    if moment == "before":
        os.killpg(0, signal.SIGINT)
    await whole(self)
    if moment == "after":
        os.killpg(0, signal.SIGINT)

setattr(SpecCluster, name, interrupted)
if __name__ == "__main__":
    from bpe_core.cli import main
    sys.exit(main(["count", text, "--out", counts, "--workers", "1"]))
"""


@pytest.mark.parametrize(
    ("name", "moment"),
    [("_correct_state_internal", "before"), ("_correct_state_internal", "after"), ("_close", "before")],
)
def test_ctrl_c_while_workers_start_or_end_shows_nothing(name: str, moment: str, tmp_path: Path) -> None:
    text, program = tmp_path / "text.txt", tmp_path / "program.py"
    text.write_text("low lower\n" * 100, encoding="utf-8")
    program.write_text(PROGRAM, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, program, name, moment, text, tmp_path / "counts"],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
