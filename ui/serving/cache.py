"""Facts about live sessions, dropped when they end."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from streamlit.runtime.app_session import AppSession

_kinds: WeakKeyDictionary[AppSession, dict[str, str]] = WeakKeyDictionary()


def kinds_of_values(session: AppSession) -> dict[str, str]:
    """Value type of each widget of a session, by widget id: Streamlit forgets it when a value is cleared."""
    return _kinds.setdefault(session, {})
