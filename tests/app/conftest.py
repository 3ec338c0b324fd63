"""Fixtures that run every page in app.py, as a server does."""

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import app_test, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from ui.memory.visitors import Visitors
from ui.serving import startup

installed_components = cache(manifest_scanner.scan_component_manifests)


class PagesByNavigation(PagesManager):
    """Receives the reset that AppTest performs before each run, so that Streamlit's own class stays unchanged."""


@pytest.fixture(scope="session", autouse=True)
def no_thread_looks_for_disconnected_sessions() -> Iterator[None]:
    """AppTest mocks the runtime for each run; another thread must not use it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Visitors, "_watch", lambda visitors: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def server_is_ready(no_thread_looks_for_disconnected_sessions: None) -> None:
    """Warm-up of the server runs in parallel with its first session; no test may be that session."""
    startup.NO_VISIT = 0.0  # without waiting for a page
    startup.prepare().join()
    installed_components()


@pytest.fixture(autouse=True)
def pages_run_in_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder named pages makes AppTest run a page's own file and bypass app.py and its setup for all pages."""
    monkeypatch.setattr(PagesManager, "uses_pages_directory", False)
    monkeypatch.setattr(app_test, "PagesManager", PagesByNavigation)


@pytest.fixture(autouse=True)
def installed_components_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server reads the metadata of installed packages once, AppTest once per app, which is slower than most pages."""
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", installed_components)


def run_is_waited_for(runner: LocalScriptRunner, timeout: float = 3) -> None:
    """Join the thread of a run. AppTest polls for its end a thousand times a second, which slows it down."""
    thread = runner._script_thread
    assert thread is not None
    thread.join(timeout)
    if thread.is_alive():
        runner.request_stop()
        runner.join()
        raise RuntimeError(f"AppTest script run timed out after {timeout}(s)")


@pytest.fixture(autouse=True)
def runs_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_script_runner, "require_widgets_deltas", run_is_waited_for)
