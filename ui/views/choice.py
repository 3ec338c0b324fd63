"""One of several choices, or any number of them, as buttons whose labels may change at any moment.

The browser identifies Streamlit's pills by their labels: if a label changes, for example because it contains a count,
the selection can be lost (the browser drops values that are not labels, and does not notify the server). Here each
choice has a name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ui.views.component import View
from ui.views.protocol import acting, taken_of

_CHOICE = View("choice")


class Option(NamedTuple):
    """A choice: its internal name, its title, and a note next to it, such as a count."""

    name: str
    title: str
    note: str = ""


def choice_view(
    options: Sequence[Option],
    chosen: Sequence[str],
    *,
    key: str,
    label: str,
    on_choice: Callable[[str, bool], None],
    several: bool = False,
    labelled: bool = True,
) -> None:
    """Draw the options, with those named in `chosen` selected.

    labelled: whether the label is visible; screen readers always get it. on_choice: called before the rerun with the
    name of an option, and whether it is now selected, which is always True unless `several`.
    """
    names = {option.name for option in options}

    def chose(value: Any) -> None:
        match value:
            case [str(name), bool(taken)] if name in names and (several or taken):
                on_choice(name, taken)

    data = {
        "name": key,
        "label": label,
        "labelled": labelled,
        "several": several,
        "options": [option._asdict() for option in options],
        "chosen": list(chosen),
        "done": taken_of(key),
    }
    _CHOICE(key=key, data=data, width="content", on_acts_change=acting(key, chose=chose))
