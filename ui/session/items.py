"""Session values with a key, a default and a validity check; checks for common types.

Widgets take their key from an item (`STEP.widget()`), so that their values survive a change of page. Reading an item
returns the default if the value is missing or was forged in the browser.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bpe_core.language import current_language

T = TypeVar("T")


@dataclass(frozen=True)
class Item(Generic[T]):
    """A value of a session."""

    key: str
    default: T
    valid: Callable[[Any], bool]

    def get(self) -> T:
        """The value, or the default if it is missing or invalid."""
        value = st.session_state.get(self.key, self.default)
        return value if self.valid(value) else self.default

    def set(self, value: T) -> None:
        """Set the value. A widget's item can be set only before the widget is drawn, or in a callback."""
        set_value(self.key, value)

    def reset(self, value: T) -> None:
        """Set the value even if it is unchanged: for Streamlit, a slider with another range is a new widget."""
        send(self.key, value)

    def widget(self) -> dict[str, Any]:
        """Arguments that bind a widget to this item and keep its value across pages."""
        self._hand_to(self.key)
        return {"key": self.key, "persist_state": "session"}

    def panel(self) -> dict[str, Any]:
        """Arguments that bind an expander to this item, since Streamlit forgets its state on another page."""
        key = f"{self.key} panel"
        self._hand_to(key)
        return {"key": key, "on_change": self._take_from, "args": (key,)}

    def _hand_to(self, key: str) -> None:
        """Set the value of the widget of this key.

        After a change of language the value is sent again, since browsers identify a chosen option by its text.
        """
        drawn_in, language = f"{key}, drawn in", current_language()
        if st.session_state.get(drawn_in, language) == language:
            set_value(key, self.get())
        else:
            send(key, self.get())
        st.session_state[drawn_in] = language
        _send_again(key)

    def _take_from(self, key: str) -> None:
        self.set(st.session_state[key])


def set_value(key: str, value: Any) -> None:
    """Set a value of the session, unless it is unchanged.

    Streamlit sends every value that is set to the browser, where it overwrites input made since the run began.
    """
    if key not in st.session_state or st.session_state[key] != value:
        send(key, value)


_UNSENT, _UNDRAWN = "values that the browser may not have", "page to be drawn"


def send(key: str, value: Any) -> None:
    """Set the value of a widget; every run sends it, until one ends or the browser sends the value back."""
    st.session_state[key] = value
    st.session_state.setdefault(_UNSENT, {})[key] = value


def unsent_in(state: Any) -> dict[str, Any]:
    """The values of a session's widgets that its browser may not have."""
    if _UNSENT not in state:
        return {}
    unsent: dict[str, Any] = state[_UNSENT]
    return unsent


def _send_again(key: str) -> None:
    """Set a value again after its run was interrupted: Streamlit drops the unsent output of such a run.

    Otherwise the browser would keep its old value, and the next run would read that. Once the visitor has changed the
    value, it is no longer sent, even if the visitor later returns to it: the browser has the newer one.
    """
    unsent = unsent_in(st.session_state)
    if key in unsent and st.session_state[key] == unsent[key]:
        st.session_state[key] = unsent[key]
    else:
        unsent.pop(key, None)


def all_is_sent() -> None:
    """Record that a run of the whole page has ended, so all values were sent."""
    st.session_state[_UNSENT] = {}
    st.session_state[_UNDRAWN] = False


def draw_page() -> None:
    """Request a run of the whole page, for a change outside the fragment that is running."""
    st.session_state[_UNDRAWN] = True


def rerun_if_undrawn() -> None:
    """In a fragment run, start a run of the whole page if one was requested."""
    context = get_script_run_ctx()
    if st.session_state.get(_UNDRAWN) and context is not None and context.fragment_ids_this_run:
        st.rerun()


@dataclass(frozen=True)
class Upload:
    """Uploaded files in a session."""

    key: str

    def widget(self) -> dict[str, Any]:
        """The argument that binds an uploader to this item."""
        return {"key": self.key}

    def files(self) -> list[tuple[str, bytes]]:
        """Name and content of each uploaded file, in order."""
        held = sent(self.key)
        return [
            (file.name, file.getvalue()) for file in (held if isinstance(held, list) else [held]) if file is not None
        ]

    def file(self) -> tuple[str, bytes] | None:
        """Name and content of the single file, or None."""
        return next(iter(self.files()), None)


def sent(key: str) -> Any:
    """The browser's latest value for the widget of this key, or None. It may be forged."""
    return st.session_state.get(key)


def is_a(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def number_in(first: int, last: int) -> Callable[[Any], bool]:
    return lambda value: is_count(value) and first <= value <= last


def text_up_to(characters: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and len(value) <= characters


def is_range(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(map(is_count, value)) and value[0] <= value[1]


def or_none(valid: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or valid(value)


def tuple_of(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, tuple) and all(isinstance(each, kinds) for each in value)


def list_of(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(isinstance(each, kind) for each in value)


def is_place(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(map(is_count, value))


def are_forks(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(fork, tuple) and len(fork) == 3 and all(map(is_count, fork)) for fork in value
    )


def one_of(*choices: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in choices


def named(pattern: re.Pattern[str], *choices: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and (value in choices or pattern.fullmatch(value) is not None)


def some_of(*choices: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(isinstance(v, str) and v in choices for v in value)


def one_of_numbers(*choices: float) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value in choices
