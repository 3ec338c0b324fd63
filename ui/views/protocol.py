"""Messages from components to Python: actions, and values remembered between runs. bpe_core/payloads has the others.

User actions in a component are numbered (outbox.ts): the browser resends them until they are acknowledged, and each
is handled once.

Values from a browser can be forged: check type and range of each. Among the components, only this module touches the
session state, under the components' own keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

# -- actions -----------------------------------------------------------------------------------------------------

_ACTIONS = "actions taken"
_MOST_TABS = 4
"""Maximum number of tabs remembered for a session: it has one at a time, but a reload renames it."""

_MOST_ACTIONS = 200
_LONGEST_NAME = 40
_LARGEST_NUMBER = 2**53


@dataclass
class Numbers:
    """Last action begun and last action acknowledged in a tab, by the component's key."""

    begun: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)


class NotTakenError(Exception):
    """A handler cannot apply an action as the browser sent it; the browser must resend it in full."""


def acting(key: str, **handlers: Callable[[Any], None]) -> Callable[[], None]:
    """Callback for a component's trigger `acts`: passes each new action's value to the handler of its name.

    Each action is handled once, in order, however often the browser sends it. Handlers check the value. An action
    is acknowledged when its handler returns: if a newer run preempts the handler, the action is not acknowledged and
    starts over when the browser resends it.
    """

    def acted() -> None:
        for numbers, number, name, value in _new_actions(_every_tab(st.session_state), key, answer(key, "acts")):
            before = numbers.begun.get(key, 0)
            numbers.begun[key] = number
            try:
                if name in handlers:
                    handlers[name](value)
            except StopException:
                numbers.begun[key] = before
                raise
            except NotTakenError:
                numbers.begun[key] = before
                return
            except BaseException:
                numbers.taken[key] = number
                raise
            numbers.taken[key] = number

    return acted


def taken() -> tuple[str, dict[str, int]] | None:
    """Acknowledgement for the browser: its tab, and the last action taken by component. None before the first."""
    every = _every_tab(st.session_state)
    return next(((tab, dict(every[tab].taken)) for tab in reversed(every)), None)


def taken_of(key: str) -> tuple[str, int] | None:
    """Acknowledgement for one component."""
    answered = taken()
    return (answered[0], answered[1].get(key, 0)) if answered else None


def _every_tab(state: Any) -> dict[str, Numbers]:
    if _ACTIONS not in state:
        state[_ACTIONS] = {}
    every: dict[str, Numbers] = state[_ACTIONS]
    return every


def count_as_taken(state: Any, key: str, message: Any, is_taken: Callable[[str, Any], bool]) -> None:
    """Acknowledge the actions of a message to a component without a callback yet, up to the first that is not taken.

    For the server, outside of a run; `state`: of the session. `is_taken`: whether the rest of the browser's message
    already has the effect of an action, given its name and value.
    """
    for numbers, number, name, value in _new_actions(_every_tab(state), key, message):
        if not is_taken(name, value):
            return
        numbers.begun[key] = numbers.taken[key] = number


def _new_actions(every: dict[str, Numbers], key: str, message: Any) -> Iterator[tuple[Numbers, int, str, Any]]:
    """Number, name and value of each new action in [tab, actions], with the `Numbers` that record it."""
    if not (isinstance(message, list) and len(message) == 2):
        return
    tab, actions = message
    if not (isinstance(tab, str) and 0 < len(tab) <= _LONGEST_NAME and isinstance(actions, list)):
        return
    numbers = every[tab] = every.pop(tab, Numbers())  # the last tab is the one that gets acknowledgements
    while len(every) > _MOST_TABS:
        del every[next(iter(every))]
    for action in actions[:_MOST_ACTIONS]:
        if not (isinstance(action, list) and len(action) == 3 and isinstance(action[1], str)):
            continue
        number, name, value = action
        if is_index(number, 1, _LARGEST_NUMBER) and number > numbers.begun.get(key, 0):
            yield numbers, number, name, value


# -- answers and memory ------------------------------------------------------------------------------------------


def sent(key: str) -> Any:
    """Last value sent by the browser for the component of this key; None without one. The value can be forged."""
    return st.session_state.get(key)


def is_on_page(key: str) -> bool:
    """Whether the previous run drew the component of this key."""
    return key in st.session_state


def recall(key: str) -> Any:
    """Value remembered under this key; None without one."""
    return st.session_state.get(key)


def remember(key: str, value: Any) -> None:
    """Remember a value under a key that belongs to no component on the page."""
    st.session_state[key] = value


def answer(key: str, name: str) -> Any:
    """Value of the component `key` under a name, for callbacks; None without one."""
    state: Any = sent(key)
    return state.get(name) if hasattr(state, "get") else None


def is_index(value: object, first: int, count: int) -> bool:
    """Whether a value is an int (bool excluded) from first to first + count - 1.

    >>> is_index(3, 0, 4), is_index(True, 0, 4), is_index(-1, 0, 4), is_index("0", 0, 4)
    (True, False, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool) and first <= value < first + count


def index_in(value: object, rev: str, count: int) -> int | None:
    """Index of the browser's [rev, index] if it refers to this payload of `count` items. The value can be forged.

    >>> index_in(["a", 1], "a", 2), index_in(["b", 1], "a", 2), index_in(["a", 2], "a", 2), index_in(1, "a", 2)
    (1, None, None, None)
    """
    if not (isinstance(value, list) and len(value) == 2 and value[0] == rev):
        return None
    return value[1] if is_index(value[1], 0, count) else None
