"""Facts about live sessions, dropped when they end."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state.common import WidgetMetadata

_kinds: WeakKeyDictionary[AppSession, dict[str, str]] = WeakKeyDictionary()


def kind_of_value(session: AppSession, widget: WidgetMetadata[Any]) -> str:
    """Value type of a session's widget, "none" if it was never known: Streamlit forgets it when a value is cleared."""
    kinds = _kinds.setdefault(session, {})
    return kinds.setdefault(widget.id, widget.value_type) if widget.value_type else kinds.get(widget.id, "none")
