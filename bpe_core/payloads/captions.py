"""Captions of a view."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Captions:
    """Text around a view: a title, a secondary text next to it, a line below. Plain text.

    The second line of `rest` and of `caption` is a hint: what a click does. Pictures leave it out.

    >>> Captions("9 tokens").rest
    ''
    """

    title: str = ""
    rest: str = ""
    caption: str = ""


NO_CAPTIONS = Captions()
