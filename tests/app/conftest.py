"""Runs every page in app.py, as a server does."""

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
    """Takes the reset that AppTest makes before each run, so that the class that Streamlit asks stays as it is."""


@pytest.fixture(scope="session", autouse=True)
def no_thread_looks_for_disconnected_sessions() -> Iterator[None]:
    """The runtime of AppTest is a mock of each run, which another thread must not use."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Visitors, "_watch", lambda visitors: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def server_is_ready(no_thread_looks_for_disconnected_sessions: None) -> None:
    """The first visitor of a server shares it with what gets it ready; no test is that visitor."""
    startup.prepare().join()
    installed_components()


@pytest.fixture(autouse=True)
def pages_run_in_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder named pages makes AppTest run a page's own file, past app.py and what it does for all pages."""
    monkeypatch.setattr(PagesManager, "uses_pages_directory", False)
    monkeypatch.setattr(app_test, "PagesManager", PagesByNavigation)


@pytest.fixture(autouse=True)
def installed_components_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server reads the metadata of all installed packages once, AppTest for each app: longer than most pages take."""
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", installed_components)


def run_is_waited_for(runner: LocalScriptRunner, timeout: float = 3) -> None:
    """AppTest looks a thousand times a second whether a run is over, and holds it up by that. Its thread is joined."""
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
