"""Data folders outside packages: next to `ui` in a checkout, in `bpe_lab` next to it when installed."""

from __future__ import annotations

from pathlib import Path

_UI = Path(__file__).resolve().parents[1]
_INSTALLED = _UI.with_name("bpe_lab")

HOME = _INSTALLED if _INSTALLED.is_dir() else _UI.parent
"""The folder of app.py, pages, lessons, samples and Streamlit's configuration."""

LESSON_FOLDER = HOME / "lessons"
SAMPLE_FOLDER = HOME / "sample_texts"
CATALOGUE_FOLDER = _UI / "translations"
