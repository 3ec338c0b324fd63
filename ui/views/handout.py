"""Button that prints a lesson on one page."""

from __future__ import annotations

from ui.views.component import View

_HANDOUT = View("handout")


def print_button(*, of: str, title: str, query: str) -> None:
    """Draw the button, and fit printing to one page, whether by the button or by the browser's menu.

    of: key of the container to print. title: line above it, app text. query: of the link below it, or of the way to
    the lesson on one's own machine if others cannot open links; empty for neither. A click causes no rerun.
    """
    _HANDOUT(key="handout", data={"of": f".st-key-{of}", "title": title, "query": query}, width="content")
