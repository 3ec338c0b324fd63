"""Open lesson files: one view, or several custom lessons."""

from __future__ import annotations

from bpe_core import BpeError
from ui.session import own_drafts, state
from ui.session.items import Item, Upload
from ui.session.lesson_file import from_file
from ui.session.shared_view import show


def open_file(uploaded: Upload, failed: Item[BpeError | None]) -> None:
    """Show the content of the uploaded file; for a callback. On failure, `failed` holds the error."""
    failed.set(None)
    file = uploaded.file()
    if file is None:
        return
    try:
        view = from_file(file[1])
    except BpeError as error:
        failed.set(error)
        return
    written = view.choices.get("written")
    if written is not None:
        own_drafts.open_lessons(written)
    show(view)
    state.GO_TO_PAGE.set(view.page)
