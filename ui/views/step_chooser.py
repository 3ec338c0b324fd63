"""Chooser of a lesson step's place, by a click on the page, and of its sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ui.views.component import View
from ui.views.protocol import acting, taken_of

_CHOOSER = View("step_chooser")


@dataclass(frozen=True)
class ChoosablePlace:
    """A place of the page: name, title, selectors, possible actions with their labels, and whether it is in the header
    of every page.
    """

    name: str
    title: str
    selector: str
    inside: str
    kinds: Sequence[tuple[str, str]]
    in_header: bool


def choose_step(
    places: Sequence[ChoosablePlace],
    *,
    key: str,
    number: int,
    longest: int,
    last: int,
    on_choice: Callable[[Any], None],
) -> None:
    """Let the visitor choose a place of this page. While it is drawn, clicks on the page do nothing else.

    number: of the new step. longest: maximum characters of its sentence. last: largest step of a player.
    on_choice: called before the rerun with the step as an untrusted table.
    """
    listed = [
        {
            "name": each.name,
            "title": each.title,
            "at": each.selector,
            "inside": each.inside,
            "kinds": [list(kind) for kind in each.kinds],
            "in_header": each.in_header,
        }
        for each in places
    ]
    data = {"name": key, "done": taken_of(key), "places": listed, "number": number, "longest": longest, "last": last}
    _CHOOSER(key=key, data=data, width="content", on_acts_change=acting(key, chosen=on_choice))
