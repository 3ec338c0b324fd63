"""Runs every page in app.py, as a server does."""

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import app_test


class PagesByNavigation(PagesManager):
    """Takes the reset that AppTest makes before each run, so that the class that Streamlit asks stays as it is."""


@pytest.fixture(autouse=True)
def pages_run_in_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder named pages makes AppTest run a page's own file, past app.py and what it does for all pages."""
    monkeypatch.setattr(PagesManager, "uses_pages_directory", False)
    monkeypatch.setattr(app_test, "PagesManager", PagesByNavigation)
