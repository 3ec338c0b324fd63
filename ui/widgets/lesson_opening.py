"""Open lesson files: one view, or several custom lessons."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import streamlit as st

from bpe_core import BpeError
from ui.memory.cache import pause, visitor
from ui.session import own_drafts
from ui.session.items import Item, Upload
from ui.session.lesson_file import MOST_BYTES, from_file
from ui.session.navigation import GO_TO_PAGE
from ui.session.shared_view import show
from ui.widgets.opening import HEAVY_TO_OPEN
from ui.work.work_queue import WORK_QUEUE


def lesson_uploader(label: str, uploaded: Upload, failed: Item[BpeError | None], **look: Any) -> None:
    """Draw an uploader that shows the content of its file. On failure, `failed` holds the error."""
    st.file_uploader(
        label,
        type="json",
        max_upload_size=MOST_BYTES // 1_000_000,
        on_change=_open,
        args=(uploaded, failed),
        **look,
        **uploaded.widget(),
    )


def _open(uploaded: Upload, failed: Item[BpeError | None]) -> None:
    failed.set(None)
    file = uploaded.file()
    if file is None:
        return
    try:
        with _turn(len(file[1])):
            view = from_file(file[1])
    except BpeError as error:
        failed.set(error)
        return
    written = view.choices.get("written")
    if written is not None:
        own_drafts.open_lessons(written)
    show(view)
    GO_TO_PAGE.set(view.page)


def _turn(size: int) -> AbstractContextManager[None]:
    """A slot in the work queue for a file of this size. A click or a disconnect releases it."""
    return WORK_QUEUE.turn(visitor(), lambda before: pause()) if size > HEAVY_TO_OPEN else nullcontext()
