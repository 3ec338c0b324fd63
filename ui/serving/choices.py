"""Choices in Streamlit's own widgets that a reload, a lost message or an interrupted run kept from the session.

The browser records each choice and resends it until acknowledged (frontend/src/bridge/choices.js). The first copy
travels with the value itself and needs no handling; a resent one does what the widget's own message would have done.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import Any

from google.protobuf.message import DecodeError
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.common import WidgetMetadata, unpack_widget_state_value

from ui.serving.message_guard import alike, reads

LONGEST = 30_000
"""Maximum characters of a choice; the browser records no longer ones."""

_TRIGGERS = ("trigger_value", "string_trigger_value")
_KINDS = (*_TRIGGERS, "bool_value", "double_value", "int_value", "string_value")
_ARRAYS = ("double_array_value", "int_array_value", "string_array_value")


def take_choice(value: object) -> None:
    """Apply a choice [id, state] to its widget, unless this run's message contains it. `value` may be forged."""
    choice, context = _state_of(value), get_script_run_ctx()
    if choice is None or context is None:
        return
    state: Any = context.session_state._state
    metadata = state.get_widget_metadata(choice.id)
    if metadata is None or metadata.disabled or not _can_have(metadata, choice):
        return  # the page has changed since
    asked = state._current_interaction_widget_states
    if asked is not None and choice in asked.widgets:
        return
    key = state._key_id_mapper.id_key_mapping.get(choice.id)
    if key is None or choice.WhichOneof("value") in _TRIGGERS:
        state._new_widget_state.set_widget_from_proto(choice)
    else:
        chosen = metadata.deserializer(unpack_widget_state_value(choice))
        if context.session_state[key] == chosen:
            return
        context.session_state[key] = chosen
    state._new_widget_state.call_callback(choice.id)


def _state_of(value: object) -> WidgetState | None:
    """Parse a widget state in the browser's encoding; None if invalid."""
    if not (isinstance(value, list) and len(value) == 2 and isinstance(value[1], str) and len(value[1]) <= LONGEST):
        return None
    try:
        choice = WidgetState.FromString(b64decode(value[1], validate=True))
    except (binascii.Error, ValueError, DecodeError):
        return None
    return choice if choice.WhichOneof("value") in (*_KINDS, *_ARRAYS) else None


def _can_have(metadata: WidgetMetadata[Any], choice: WidgetState) -> bool:
    """Whether a widget accepts a value of this type and range."""
    is_of_kind = alike(str(choice.WhichOneof("value")), str(metadata.value_type))
    return is_of_kind and reads(metadata, unpack_widget_state_value(choice))
