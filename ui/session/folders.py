"""Folders of the app's files outside of packages: beside `ui` in a checkout, in `bpe_lab` beside it once installed."""

from __future__ import annotations

from pathlib import Path

_UI = Path(__file__).resolve().parents[1]
_INSTALLED = _UI.with_name("bpe_lab")

HOME = _INSTALLED if _INSTALLED.is_dir() else _UI.parent
"""The folder of app.py, with pages, lessons, samples and Streamlit's settings."""

LESSON_FOLDER = HOME / "lessons"
SAMPLE_FOLDER = HOME / "sample_texts"
CATALOGUE_FOLDER = _UI / "translations"
