"""Memory held by a disconnected session, and whether any of it exists nowhere else.

Upstream: none known; the runtime lists connected sessions only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from streamlit.runtime import Runtime
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ui.memory.sizes import size_of
from ui.memory.visitors import Held
from ui.session import drafts
from ui.session.tokenizer_choice import TOKENIZER_FILES
from ui.session.tokenizer_files import TokenizerFile
from ui.session.training import GUESSES

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFileRec

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
    except Exception:  # reading while a run ends can fail in any way, and must not stop the checks of other sessions
        return Held(PAGE)


def _uploaded(session: str) -> int:
    """Bytes of the session's uploaded files."""
    return sum(len(file.data) for file in uploaded_files().get(session, {}).copy().values())


def files_in_use(session: str) -> set[str]:
    """Ids of the uploaded files that an uploader of the session's page shows, or that are its tokenizers."""
    info = Runtime.instance()._session_mgr.get_session_info(session)
    if info is None:
        return set()
    values = info.session.session_state.filtered_state
    listed = (each if isinstance(each, list) else [each] for each in values.values())
    shown = {file.file_id for files in listed for file in files if isinstance(file, UploadedFile)}
    kept = values.get(TOKENIZER_FILES.key, ())
    data = {id(each) for file in kept if isinstance(file, TokenizerFile) for _, each in file.files}
    return shown | {name for name, file in uploaded_files().get(session, {}).copy().items() if id(file.data) in data}


def uploaded_files() -> dict[str, dict[str, UploadedFileRec]]:
    """Files that Streamlit holds, by session and id. Other threads change the inner dictionaries: copy them."""
    manager: Any = Runtime.instance().uploaded_file_mgr
    storage: dict[str, dict[str, UploadedFileRec]] = manager.file_storage
    return storage.copy()
