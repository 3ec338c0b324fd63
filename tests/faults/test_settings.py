"""An invalid setting stops the server's start with one sentence, however it is started."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.browser.serving import PROJECT, START_SECONDS, free_port
from tests.draws import first

STARTS = {
    "bpe-lab run": ["-m", "ui", "run", "--"],
    "streamlit run": ["-m", "streamlit", "run", "app.py"],
    "scripts/run": ["-m", "ui.serving.serve"],
}
IMPOSSIBLE = {
    "BPE_LAB_HUB": ("maybe", 'BPE_LAB_HUB is \'maybe\'. It is on or off. Set it to "on" or "off".'),
    "BPE_LAB_MEMORY_MB": (
        "lots",
        "BPE_LAB_MEMORY_MB is 'lots'. It is a whole number of megabytes, at least 16. Set it to 1024, or leave it out.",
    ),
    "BPE_LAB_FRAME_ANCESTORS": (
        "https://course.example.edu/week1",
        "BPE_LAB_FRAME_ANCESTORS has 'https://course.example.edu/week1'. "
        "It takes origins: https://name, http://localhost with a port, or self. "
        "Set it to origins without a path, such as https://course.example.edu, or leave it out.",
    ),
}


@pytest.mark.parametrize("start", first(1, STARTS))
@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_an_impossible_setting_is_one_sentence(name: str, start: str) -> None:
    value, sentence = IMPOSSIBLE[name]
    options = ["--server.headless", "true", "--server.port", str(free_port())]
    done = subprocess.run(
        [sys.executable, *STARTS[start], *options],
        cwd=PROJECT,
        env={**os.environ, name: value},
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
    )
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == sentence
    assert "Traceback" not in done.stdout + done.stderr
