"""What the server knows of the sessions that there are, forgotten when they end."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from streamlit.runtime.app_session import AppSession

_kinds: WeakKeyDictionary[AppSession, dict[str, str]] = WeakKeyDictionary()


def kinds_of_values(session: AppSession) -> dict[str, str]:
    """The kind of value of each of a session's widgets, by id: Streamlit forgets it when a value is cleared."""
    return _kinds.setdefault(session, {})
