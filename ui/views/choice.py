"""One of several choices, or any number of them, as buttons whose labels may change at any moment.

Streamlit's pills are known to the browser by their labels: a label that changes, as a count in it does, can empty what
is chosen (the browser drops values that are not labels, without telling the server). Here a choice has a name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ui.views.component import View
from ui.views.protocol import acting, taken_of

_CHOICE = View("choice")


class Option(NamedTuple):
    """A choice: its name for the program, its title, and a note beside it, such as a count."""

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
    """Draw the options, those of the names in `chosen` as chosen.

    labelled: whether the label is in sight; screen readers always have it. on_choice: called before the rerun with the
    name of an option, and whether it is chosen now; of one choice among several options, it always is.
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
