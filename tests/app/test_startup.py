"""The server's preparation waits for the first page, and runs wait for half-imported modules."""

import asyncio
import errno
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ui.memory.visitors import VISITORS
from ui.serving import serve, startup

PROJECT = Path(__file__).parents[2]

HALF_IMPORTED = """
import sys, threading
from bpe_core.display.figures import titled_figure
from ui.widgets.shell import begin_run

threading.Thread(target=lambda: __import__("pandas")).start()
while "pandas" not in sys.modules:
    pass
begin_run()
titled_figure("light", "", "", "", "").add_bar(y=[3])
print(sys.modules["pandas"].Series.__name__)
"""


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that has prepared nothing, and waits for no time to pass."""
    for name in ("NO_VISIT", "REST"):
        monkeypatch.setattr(startup, name, 0.0)


def test_streamlit_names_the_threads_of_runs_as_the_server_expects(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import threading, streamlit as st\nst.text(threading.current_thread().name)\n", "utf-8")
    shown = AppTest.from_file(str(script)).run().text[0].value
    assert shown.endswith(startup._RUN)


@pytest.mark.usefixtures("fresh")
def test_the_preparation_waits_while_a_page_runs() -> None:
    drawn = Event()
    Thread(target=drawn.wait, name=f"a {startup._RUN}", daemon=True).start()
    waiting = Thread(target=startup._let_the_first_page_run, daemon=True)
    waiting.start()
    waiting.join(0.5)
    assert waiting.is_alive()
    drawn.set()
    waiting.join(60)
    assert not waiting.is_alive()


@pytest.mark.usefixtures("fresh")
def test_a_server_without_a_free_descriptor_gets_ready_later(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def get_ready() -> None:
        tried.append(len(tried))
        if len(tried) < 3:
            raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(startup, "_get_ready", get_ready)
    monkeypatch.setattr(startup, "BETWEEN_TRIES", 0.0)
    startup._get_ready_at_last()
    assert tried == [0, 1, 2]


def test_a_run_makes_figures_after_pandas_was_imported_whole(tmp_path: Path) -> None:
    (tmp_path / "pandas.py").write_text("import time\ntime.sleep(1)\nSeries = Index = bytes\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{HALF_IMPORTED}"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "bytes", done.stderr


def test_sessions_are_ended_in_the_loop_of_their_server(monkeypatch: pytest.MonkeyPatch) -> None:
    async def is_its_loop() -> bool:
        async with serve.lifespan(lambda: None)(st.App(PROJECT / "app.py")):
            return VISITORS.in_loop == asyncio.get_running_loop().call_soon_threadsafe

    monkeypatch.setattr(VISITORS, "in_loop", VISITORS.in_loop)
    monkeypatch.setattr(serve.config, "get_option", lambda _: True)  # it opens no browser
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, is_its_loop()).result()
