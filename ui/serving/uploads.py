"""Limits on the bytes of uploaded files: per session, and for all sessions together.

Streamlit limits one file, keeps every file until its session ends, and holds it in memory. Here files that a page no
longer uses make room for new ones, and what does not fit is refused with status 413 before it is read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from streamlit.runtime import Runtime

from bpe_core.language import in_language, language_of, message
from ui.memory.limit import LIMIT
from ui.session.expiry import files_in_use, uploaded_files

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

MOST_OF_SESSION = 128 * 2**20
"""Maximum bytes of a session's files: more than all uploaders of the pages accept together."""

MOST_TOGETHER = LIMIT // 4
"""Maximum bytes of all sessions' files."""

NEW = 120.0
"""Seconds for which an unused file is kept: the browser refers to it only after uploading all files chosen with it."""

_ROUTE = "/_stcore/upload_file/"


class UploadLimit:
    """ASGI middleware that refuses uploads that do not fit."""

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._clock = clock
        self._came: dict[str, float] = {}  # time of arrival by file
        self._arriving: list[tuple[str, int]] = []  # session and size

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or _ROUTE not in scope["path"]:
            await self._app(scope, receive, send)
            return
        session, _, file = scope["path"].rpartition(_ROUTE)[2].partition("/")
        size = _length(scope)
        if size is None:
            await Response("An upload says its length.", status_code=411)(scope, receive, send)
        elif not self._fits(session, size):
            sentence = message(
                "With this file there would be more than {most:,} MB of files. Remove one first.",
                most=min(MOST_OF_SESSION, MOST_TOGETHER) // 2**20,
            )
            await _drain(receive)  # a browser shows a refusal only after sending the whole file
            language = language_of(_header(scope, b"accept-language").partition(",")[0].strip())
            await Response(in_language(sentence, language), status_code=413)(scope, receive, send)
        else:
            self._came[file] = self._clock()
            with self._receiving(session, size):
                await self._app(scope, receive, send)

    @contextmanager
    def _receiving(self, session: str, size: int) -> Iterator[None]:
        self._arriving.append((session, size))
        try:
            yield
        finally:
            self._arriving.remove((session, size))

    def _fits(self, session: str, size: int) -> bool:
        """Whether a file of this size fits, after dropping unused ones if necessary."""
        if self._held(session) + size > MOST_OF_SESSION:
            self._drop_unused([session])
        if self._held() + size > MOST_TOGETHER:
            self._drop_unused([*uploaded_files()])
        return self._held(session) + size <= MOST_OF_SESSION and self._held() + size <= MOST_TOGETHER

    def _held(self, session: str | None = None) -> int:
        """Bytes of files held and arriving, of a session or of all."""
        of_sessions = uploaded_files()
        chosen = of_sessions.values() if session is None else [of_sessions.get(session, {})]
        held = sum(len(file.data) for files in chosen for file in files.copy().values())
        return held + sum(size for which, size in self._arriving if session in (None, which))

    def _drop_unused(self, sessions: list[str]) -> None:
        manager: Any = Runtime.instance().uploaded_file_mgr
        now = self._clock()
        for session in sessions:
            files = uploaded_files().get(session, {}).copy()
            used = files_in_use(session)
            for file in files:
                if file not in used and now - self._came.get(file, 0.0) > NEW:
                    manager.remove_file(session, file)
        held = {file for files in uploaded_files().values() for file in files.copy()}
        self._came = {file: came for file, came in self._came.items() if file in held or now - came <= NEW}


async def _drain(receive: Receive) -> None:
    message = await receive()
    while message["type"] == "http.request" and message.get("more_body"):
        message = await receive()


def _length(scope: Scope) -> int | None:
    """The declared length of a request's body; None if it is not declared."""
    length = _header(scope, b"content-length")
    return int(length) if length.isdecimal() else None


def _header(scope: Scope, name: bytes) -> str:
    """Value of a header, "" without one."""
    return next((value.decode("latin-1") for header, value in scope["headers"] if header == name), "")
