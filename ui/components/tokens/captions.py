"""The words around a view."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Captions:
    """What is written around a view: a title, a quiet line beside it, a line below. Shown as text."""

    title: str = ""
    rest: str = ""
    caption: str = ""


NO_CAPTIONS = Captions()
