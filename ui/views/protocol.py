"""Messages between Python and components: frames out, actions back, and values remembered between runs.

A frame is a line of small, changing values, then a body that rarely changes. Streamlit would encode a dictionary to
JSON twice in every rerun but passes bytes on unchanged. So the body is encoded once, and the browser parses it again
only when its content hash `rev` changes.

User actions in a component are numbered (outbox.ts): the browser resends them until they are acknowledged, and each
is handled once.

Values from a browser can be forged: check type and range of each. Among the components, only this module touches the
session state, under the components' own keys.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from bpe_core.language import current_language, translate

T = TypeVar("T")

# -- frames ------------------------------------------------------------------------------------------------------


class Body(NamedTuple):
    """Encoded data and its content hash."""

    rev: str
    data: bytes


def encode_body(payload: dict[str, Any]) -> Body:
    """Encode a payload as JSON, in ASCII (so that a lone surrogate survives), with its hash."""
    return encode_text(json.dumps(payload, separators=(",", ":")))


def encode_text(payload: str) -> Body:
    """Encode JSON that is ASCII already, with its hash."""
    data = payload.encode("ascii")
    return Body(blake2b(data, digest_size=8).hexdigest(), data)


def frame(head: dict[str, Any], body: Body) -> bytes:
    """Frame for a component: a JSON header line (messages translated), then the body."""
    translated = {name: translate(value) if isinstance(value, str) else value for name, value in head.items()}
    return json.dumps({**translated, "rev": body.rev}, separators=(",", ":")).encode("ascii") + b"\n" + body.data


EMPTY_BODY = encode_body({})


class TranslatedBody(Generic[T]):
    """Property for a body with words, cached in its object per language.

    >>> from bpe_core.language import message
    >>> class Greeting:
    ...     @TranslatedBody
    ...     def body(self) -> Body:
    ...         return encode_body({"says": translate(message("hello"))})
    >>> greeting = Greeting()
    >>> greeting.body.data, greeting.body is greeting.body
    (b'{"says":"hello"}', True)
    """

    def __init__(self, make: Callable[[T], Body]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __get__(self, of: T, owner: type[T]) -> Body:
        bodies: dict[str, Body] = of.__dict__.setdefault("_bodies", {})
        language = current_language()
        if language not in bodies:
            bodies[language] = self._make(of)
        return bodies[language]


def relayed(key: str) -> bytes:
    """Payload of a view that draws the relayed messages under its key."""
    return frame({"relayed": key}, EMPTY_BODY)


def together(frames: Mapping[str, bytes], **more: Any) -> bytes:
    """Pack frames for several views into one message: a line of their names and sizes (and more), then the frames."""
    head = {"frames": [[key, len(data)] for key, data in frames.items()], **more}
    return b"".join((json.dumps(head, separators=(",", ":")).encode("ascii"), b"\n", *frames.values()))


def apart(data: bytes) -> dict[str, bytes]:
    """Unpack frames, for tests that inspect messages.

    >>> apart(together({"story": b"one", "text": b"two"}))
    {'story': b'one', 'text': b'two'}
    """
    head, _, rest = _unaddressed(data).partition(b"\n")
    frames: dict[str, bytes] = {}
    for key, size in json.loads(head)["frames"]:
        frames[key], rest = rest[:size], rest[size:]
    return frames


def unframe(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Head and body of a payload, for tests that inspect messages.

    >>> unframe(frame({"label": "Tokens"}, encode_body({"ids": [1]})))[1]
    {'ids': [1]}
    """
    head, _, body = _unaddressed(data).partition(b"\n")
    return json.loads(head), json.loads(body)


def _unaddressed(data: bytes) -> bytes:
    """A payload without the line that addresses it to a view."""
    return data if data.startswith(b"{") else data.partition(b"\n")[2]


# -- actions -----------------------------------------------------------------------------------------------------

_ACTIONS = "actions taken"
_MOST_TABS = 4
"""Tabs of a session: one at a time, but a reload renames it."""

_MOST_ACTIONS = 200
_LONGEST_NAME = 40
_LARGEST_NUMBER = 2**53


@dataclass
class Numbers:
    """Last action begun and last action taken in a tab, by the component's key."""

    begun: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)


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
    """Count the actions of a message to a component that has no callback yet, up to the first that is not taken.

    For the server, outside of a run; `state`: the session's. `is_taken`: by the name and value of an action, whether
    the rest of the browser's message already has its effect.
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
    numbers = every[tab] = every.pop(tab, Numbers())  # the last tab is the one acknowledged
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
    """Value of the component `key` under a name, as a callback sees it; None without one."""
    state: Any = sent(key)
    return state.get(name) if hasattr(state, "get") else None


def is_index(value: object, first: int, count: int) -> bool:
    """Whether a value is an int (bool excluded) from first to first + count - 1.

    >>> is_index(3, 0, 4), is_index(True, 0, 4), is_index(-1, 0, 4), is_index("0", 0, 4)
    (True, False, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool) and first <= value < first + count
