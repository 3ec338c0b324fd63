"""Validation of browser messages on arrival, in the server's event loop, before a script run starts.

No message of the app's own pages is dropped. A forged message can name any widget and carry any value; Streamlit would
fail on it during the run, with a traceback on the page and in the log. Here invalid values are dropped with one line in
the log, and the run sees the previous value.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from streamlit.elements.lib.file_uploader_utils import enforce_filename_restriction
from streamlit.elements.widgets.file_uploader import FileUploaderSerde
from streamlit.errors import StreamlitAPIException
from streamlit.logger import get_logger
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state.common import WidgetMetadata, unpack_widget_state_value

from ui.serving.cache import kind_of_value
from ui.serving.choices import count_carried, name_events, read_value, same_type
from ui.serving.preemption import preempt
from ui.serving.reconnect import promote_to_full_rerun

if TYPE_CHECKING:
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.proto.WidgetStates_pb2 import WidgetState

_LOGGER = get_logger(__name__)

TAKEN = frozenset({"rerun_script", "app_heartbeat", "stop_script", "file_urls_request", "backend_operation_request"})
"""Message types that the app's pages send. One of the other types would clear the caches of all visitors."""

OPERATIONS = frozenset({"deferred_file"})
"""Backend operations that pages use: the content of a download. Others would write files on the server."""

DEEPEST = 16
"""Maximum nesting depth of a component's value; Python copies values recursively and can exceed its limit."""

MOST_PARTS = 20_000
"""Maximum number of nested values in a component's value."""

LARGEST = 2**63

_LISTED = 3

_take = AppSession.handle_backmsg


def take_checked(session: AppSession, message: BackMsg) -> None:
    """Handle a browser's message, or drop it with a line in the log if it is invalid."""
    try:
        refused = _refused(session, message)
    except Exception as error:  # a message on which a check fails is dropped as well
        _tell(type(error).__name__)
        return
    if refused is None:
        _take(session, message)
    else:
        _tell(refused)


def _tell(what: str) -> None:
    _LOGGER.warning("A browser's message was not taken: %s.", what)


def _refused(session: AppSession, message: BackMsg) -> str | None:
    """Reason for dropping a message, or None. In a rerun request only invalid values are dropped."""
    kind = message.WhichOneof("type")
    if kind not in TAKEN:
        return f"pages send no {kind}"
    if kind == "backend_operation_request":
        operation = message.backend_operation_request.WhichOneof("payload")
        return None if operation in OPERATIONS else f"pages ask for no {operation}"
    if kind == "rerun_script":
        promote_to_full_rerun(session, message.rerun_script)
        values = message.rerun_script.widget_states
        early = name_events(session.session_state, values)
        _leave_out(session, message.rerun_script)
        for key, events in early:
            count_carried(session.session_state, key, events, values)
        preempt(session, message.rerun_script)
    return None


def _leave_out(session: AppSession, state: ClientState) -> None:
    """Remove the values that no widget of this session can have."""
    kept, problems = [], []
    for value in state.widget_states.widgets:
        problem = _problem(session, value)
        if problem is None:
            kept.append(value)
        else:
            problems.append(f"{problem} for {value.id[-60:]!r}")
    if problems:
        del state.widget_states.widgets[:]
        state.widget_states.widgets.extend(kept)
        more = f" and {len(problems) - _LISTED} more" if len(problems) > _LISTED else ""
        _LOGGER.warning("A browser's values were left out: %s%s.", ", ".join(problems[:_LISTED]), more)


# -- one value -------------------------------------------------------------------------------------------------


def _problem(session: AppSession, value: WidgetState) -> str | None:
    """Reason why a session's widget cannot have this value, or None."""
    metadata = session.session_state.get_widget_metadata(value.id)
    if metadata is None:
        return "no widget"  # of another session, or from before a server restart
    expected = kind_of_value(session, metadata)
    kind = value.WhichOneof("value")
    if kind is None:
        return None if read_value(metadata, None) else "no value"
    if not same_type(kind, expected):
        return f"{kind}, not {expected},"
    if kind in ("json_value", "json_trigger_value"):
        of = dict if kind == "json_value" else list
        return None if is_plain_json(getattr(value, kind), of) else "a value that is no plain JSON"
    if kind == "file_uploader_state_value":
        return None if _are_files(session, metadata, value) else "files that were not uploaded"
    return None if read_value(metadata, unpack_widget_state_value(value)) else "a value out of range"


def is_plain_json(text: str, of: type) -> bool:
    """Whether a text is JSON for a dict or list (`of`) of limited depth, size and numbers, safe to copy and compare.

    >>> is_plain_json('{"move": [3, false]}', dict), is_plain_json("[" * 99 + "]" * 99, list)
    (True, False)
    >>> is_plain_json("[NaN]", list), is_plain_json("[1e999]", list), is_plain_json("[7]", dict)
    (False, False, False)
    """
    try:
        level = [json.loads(text, parse_constant=_no_constant)]
    except (ValueError, RecursionError):
        return False
    if not isinstance(level[0], of):
        return False
    parts = 0
    for _ in range(DEEPEST):
        parts += len(level)
        if parts > MOST_PARTS or not all(map(_is_plain, level)):
            return False
        level = [part for value in level if isinstance(value, list | dict) for part in _parts(value)]
        if not level:
            return True
    return False


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):  # its keys become attributes, where dunder names are special
        return not any(name.startswith("__") for name in value)
    return not isinstance(value, int | float) or (math.isfinite(value) and abs(value) < LARGEST)


def _parts(value: list[Any] | dict[str, Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _are_files(session: AppSession, metadata: WidgetMetadata[Any], value: WidgetState) -> bool:
    """Whether this session uploaded these files, with extensions that the uploader accepts."""
    named = [each.file_id for each in value.file_uploader_state_value.uploaded_file_info]
    uploaded = {each.file_id: each.name for each in Runtime.instance().uploaded_file_mgr.get_files(session.id, named)}
    uploader = getattr(metadata.deserializer, "__self__", None)
    if not isinstance(uploader, FileUploaderSerde) or not all(name in uploaded for name in named):
        return False
    try:
        for name in uploaded.values():
            enforce_filename_restriction(name, uploader.allowed_types or ())
    except StreamlitAPIException:
        return False
    return True
