"""Choices in Streamlit's own widgets that a reload, a lost message or an interrupted run kept from the session.

The browser records each choice and resends it until acknowledged (frontend/src/bridge/choices.ts). The first copy
travels with the value itself and needs no handling; a resent one does what the widget's own message would have done.

The records are actions of a component at the end of each page. A choice on a page that is still being drawn arrives
before that component exists: its record is acknowledged on arrival; otherwise the choice would be repeated later.

A page sends the values of all its widgets with every message. A message sent before the browser received a value set by
Python, as for a resent choice, still holds the older value, and would undo the newer one: see `Unheard`.
Upstream: none known.
"""

from __future__ import annotations

import binascii
import json
from base64 import b64decode
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from google.protobuf.message import DecodeError
from streamlit.components.v2.bidi_component.constants import EVENT_DELIM
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.common import WidgetMetadata, unpack_widget_state_value, user_key_from_element_id
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX

from ui.serving.cache import kind_of_value
from ui.session.items import draw_page, send, unsent_in
from ui.views.protocol import count_as_taken

LONGEST = 30_000
"""Maximum characters of a choice; the browser records no longer ones."""

LONGEST_RECORDED = 4_000
"""Texts of at most this many characters are always recorded by the browser."""

MOST_BEFORE = 8
"""Maximum number of earlier values kept for a widget that Python has set."""

EVENTS_OF = "bpe-lab events: "
"""Prefix of a component's key in an event id, for browsers that do not know the component's id."""

_ALIKE = {"int_value": "double_value", "int_array_value": "double_array_value"}
"""Browsers send a whole number as int, even to a widget declared as double."""

_TRIGGERS = ("trigger_value", "string_trigger_value")
_KINDS = (*_TRIGGERS, "bool_value", "double_value", "int_value", "string_value")
_ARRAYS = ("double_array_value", "int_array_value", "string_array_value")


def name_events(state: Any, values: WidgetStates) -> list[tuple[str, str]]:
    """Resolve component keys in event ids to widget ids.

    Events of components that do not exist yet are removed; return their keys, and the events as JSON.
    """
    widgets = values.widgets
    early = []
    for at in reversed(range(len(widgets))):
        key = widgets[at].id.removeprefix(EVENTS_OF)
        if key == widgets[at].id:
            continue
        component = state.get_widget_id_from_key(key)
        if component is None:
            early.append((key, widgets[at].json_trigger_value))
            del widgets[at]
        else:
            widgets[at].id = f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{component}{EVENT_DELIM}events"
    return early


def count_carried(state: Any, key: str, events: str, values: WidgetStates) -> None:
    """Acknowledge the choices recorded in early events (see `name_events`) if their values are in the message."""
    for message in _messages_in(events):
        count_as_taken(state, key, message, lambda name, value: name == "chose" and _state_of(value) in values.widgets)


def take_choice(value: object) -> None:
    """Apply a choice [id, state] to its widget, unless this run's message contains it. `value` may be forged."""
    choice, context = _state_of(value), get_script_run_ctx()
    if choice is None or context is None:
        return
    state: Any = context.session_state._state
    metadata = state.get_widget_metadata(choice.id)
    if metadata is None or metadata.disabled or not _can_have(metadata, choice, context.session_id):
        return  # the page has changed since
    asked = state._current_interaction_widget_states
    if asked is not None and choice in asked.widgets:
        return
    key = user_key_from_element_id(choice.id)
    if key is None or choice.WhichOneof("value") in _TRIGGERS:
        state.set_widgets_from_proto(WidgetStates(widgets=[choice]))
    else:
        chosen = metadata.deserializer(unpack_widget_state_value(choice))
        if context.session_state[key] == chosen:
            return
        send(key, chosen)
    state._new_widget_state.call_callback(choice.id)
    draw_page()


class Unheard:
    """Values of widgets that Python has set, and that the browser may not have received.

    Such a value is kept until the browser sends it back, sends a value that it did not have before, or records a
    choice. In the latter two cases the response with Python's value may still be in transit, and would overwrite the
    choice in the browser: so the choice is set too, and kept in the same way.
    """

    def __init__(self) -> None:
        self._before: dict[str, list[Any]] = {}  # values the browser may still send, by the widget's key

    def note(self, state: Any, key: str, value: object) -> None:
        """Note that a widget's value is set, even to the same one: in the browser it overwrites what was chosen since.

        Texts too long to be recorded by the browser are ignored.
        """
        if state.get_widget_id_from_key(key) is None or key not in state:
            return
        before = state[key]
        if not (isinstance(before, str) and len(before) > LONGEST_RECORDED):
            self._before[key] = [*self._before.get(key, ()), before][-MOST_BEFORE:]

    def settle(self, state: Any, values: WidgetStates) -> None:
        """Remove outdated values from a message, and set the newer ones again, in case the response with them was lost.

        If a choice crossed a value set by Python, the choice is sent to the browser again.
        """
        unsent = unsent_in(state)
        unheard = {*self._before, *unsent}
        new = list(_chosen_in(values)) if self._before else []
        for at in reversed(range(len(values.widgets) if unheard else 0)):
            widget = values.widgets[at]
            key, metadata = user_key_from_element_id(widget.id) or "", state.get_widget_metadata(widget.id)
            before = self._before.pop(key, None)
            if key not in unheard or metadata is None or key not in state:
                continue  # on another page, an expander has no value
            sent, value = read_value(metadata, unpack_widget_state_value(widget)), state[key]
            if sent == [value]:
                if state.get_widget_id_from_key(key) == widget.id:
                    unsent.pop(key, None)
            elif not sent or before is None:
                continue
            elif sent[0] in before and widget not in new:
                self._before[key] = before
                state[key] = value
                del values.widgets[at]
            else:
                state[key] = sent[0]


def _chosen_in(values: WidgetStates) -> Iterator[WidgetState]:
    """Choices recorded in a message's events."""
    for widget in values.widgets:
        for message in _messages_in(widget.json_trigger_value) if '"chose"' in widget.json_trigger_value else ():
            with suppress(ValueError, TypeError, LookupError):
                yield from filter(None, (_state_of(value) for _, name, value in message[1] if name == "chose"))


def _messages_in(events: str) -> list[Any]:
    """Messages of a component in its events as JSON; none if these are forged."""
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        return [event["value"] for event in json.loads(events)]
    return []


def _state_of(value: object) -> WidgetState | None:
    """Parse a widget state in the browser's encoding; None if invalid."""
    if not (isinstance(value, list) and len(value) == 2 and isinstance(value[1], str) and len(value[1]) <= LONGEST):
        return None
    try:
        choice = WidgetState.FromString(b64decode(value[1], validate=True))
    except (binascii.Error, ValueError, DecodeError):
        return None
    return choice if choice.WhichOneof("value") in (None, *_KINDS, *_ARRAYS) else None


def same_type(kind: str, expected: str) -> bool:
    """Whether two value types are compatible: int fits double."""
    return _ALIKE.get(kind, kind) == _ALIKE.get(expected, expected)


def read_value(metadata: WidgetMetadata[Any], value: Any) -> list[Any]:
    """A list with the value as a widget's deserializer reads it; empty if it rejects the value."""
    try:
        return [metadata.deserializer(value)]
    except Exception:  # deserializers raise exceptions of any type
        return []


def _can_have(metadata: WidgetMetadata[Any], choice: WidgetState, session_id: str) -> bool:
    """Whether a widget accepts a value of this type and range. A cleared number has neither type nor value."""
    session = Runtime.instance().get_app_session(session_id) if Runtime.exists() else None
    kind = kind_of_value(session, metadata) if session is not None else str(metadata.value_type)
    value, sent = unpack_widget_state_value(choice), choice.WhichOneof("value")
    if sent is None:
        return kind in ("double_value", "int_value", "none") and read_value(metadata, value) == [None]
    return same_type(sent, kind) and bool(read_value(metadata, value))
