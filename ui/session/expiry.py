"""Memory held by a disconnected session, and whether any of it exists nowhere else."""

from __future__ import annotations

from typing import Any

from streamlit.runtime import Runtime

from ui.memory.sizes import size_of
from ui.memory.visitors import Held
from ui.session import drafts
from ui.session.tokenizer_choice import TOKENIZER_FILES
from ui.session.training import GUESSES

PAGE = 300_000
"""Approximate bytes of a page's elements in Streamlit, with their data."""

_ONLY_HERE = (TOKENIZER_FILES, drafts.PASTE, GUESSES)
"""Values that no URL contains."""


def held_by(session: str) -> Held:
    """Memory held by a session, which may still be finishing a run."""
    if not Runtime.exists():
        return Held(PAGE)
    info = Runtime.instance()._session_mgr.get_session_info(session)
    if info is None:
        return Held(0)
    try:
        values = info.session.session_state.filtered_state
        only_here = any(values.get(item.key, item.default) != item.default for item in _ONLY_HERE)
        return Held(PAGE + size_of(values) + _uploaded(session), only_here)
    except Exception:  # reading while a run ends can fail in any way, and must not stop the watch over other sessions
        return Held(PAGE)


def _uploaded(session: str) -> int:
    """Bytes of the session's uploaded files."""
    manager: Any = Runtime.instance().uploaded_file_mgr
    return sum(len(file.data) for file in manager.file_storage.get(session, {}).copy().values())
