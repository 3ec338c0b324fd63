"""What a session holds whose visitor is away: how much, and whether any of it is nowhere else."""

from __future__ import annotations

from streamlit.runtime import Runtime

from ui.memory.sizes import size_of
from ui.memory.visitors import Held
from ui.session.drafts import DRAFT_PASTE
from ui.session.tokenizer_choice import TOKENIZER_FILES
from ui.session.training import GUESSES

PAGE = 300_000
"""About the bytes of a page's parts: what Streamlit keeps of them, and what they hold."""

_ONLY_HERE = (TOKENIZER_FILES, DRAFT_PASTE, GUESSES)
"""What no address says."""


def held_by(session: str) -> Held:
    """What this session holds. It may still be in the last lines of a run."""
    if not Runtime.exists():
        return Held(PAGE)
    info = Runtime.instance()._session_mgr.get_session_info(session)
    if info is None:
        return Held(0)
    try:
        values = info.session.session_state.filtered_state
        only_here = any(values.get(item.key, item.default) != item.default for item in _ONLY_HERE)
        return Held(PAGE + size_of(values), only_here)
    except Exception:  # whatever comes of looking while a run ends must not end the watch over all others
        return Held(PAGE)
