"""ASGI middleware that serves static files from memory, and adds the app's script to the page.

A page requests a hundred files at once. Streamlit reads each of them from disk for every visitor, switching threads for
each chunk. The app's script precedes Streamlit's own: it queues keys pressed while the page is loading, and restores a
reloaded page from the tab's storage.
"""

from __future__ import annotations

import gzip
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response
from streamlit import config, file_util

from ui.views.bundle import FILES, SCRIPT, SHARED
from ui.views.plotly_library import PLOTLY_FILE, PLOTLY_PATH

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAMED_BY_CONTENT = "static"
"""URL path and folder of files whose names change with their content."""

_KEEP = "public, immutable, max-age=31536000"

_FAST = 4
"""Compression level; low, because other requests wait."""

_NO_PAGES = ("/_stcore/", "/media/", "/component/", "/app/")
"""Streamlit's paths whose responses are not the page even if they are HTML, such as a download."""


class FromMemory:
    """Serves files named by their content; passes on all other requests.

    Only files that existed at startup are served: no path from a browser is looked up on disk.
    """

    def __init__(self, app: ASGIApp, folder: Path | None = None) -> None:
        folder = folder or Path(file_util.get_static_dir())
        files = [path for path in (folder / NAMED_BY_CONTENT).rglob("*") if path.is_file()]
        self._files: dict[str, Callable[[], bytes]] = {
            f"/{path.relative_to(folder).as_posix()}": path.read_bytes for path in files
        }
        ours = {f"/{NAMED_BY_CONTENT}/{name}": read for name, read in FILES.items()}
        self._zipped = {f"/{PLOTLY_PATH}": PLOTLY_FILE.read_bytes, **ours}  # large; Streamlit sends its own as is
        self._files |= self._zipped
        self._answers: dict[tuple[str, bool], Response] = {}
        self._app = WithScript(f"{NAMED_BY_CONTENT}/{SCRIPT}", f"{NAMED_BY_CONTENT}/{SHARED}", app)
        self._base = f"/{config.get_option('server.baseUrlPath').strip('/')}".rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._answer(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        await (answer or self._app)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response | None:
        path = scope["path"].removeprefix(self._base)
        zipped = path in self._zipped and b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"")
        key = path, zipped
        if path in self._files and key not in self._answers:
            try:
                data = self._files[path]()
            except OSError:  # deleted since startup: Streamlit reports it
                return None
            headers = {"Cache-Control": _KEEP}
            if zipped:
                headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
                data = gzip.compress(data, _FAST)
            kind = guess_type(path)[0] or "text/plain"
            self._answers[key] = Response(data, media_type=kind, headers=headers)
        return self._answers.get(key)


class WithScript:
    """Passes on every request, and adds a script and the one that it imports to the page, before all others."""

    def __init__(self, name: str, imported: str, app: ASGIApp) -> None:
        tags = f'<script type="module" src="./{name}"></script><link rel="modulepreload" href="./{imported}">'
        self._tags = tags.encode()
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page: Message | None = None
        parts: list[bytes] = []

        async def send_page(message: Message) -> None:
            nonlocal page
            if message["type"] == "http.response.start" and _is_page(message):
                page = message
            elif page is None or message["type"] != "http.response.body":
                await send(message)
            else:
                parts.append(message.get("body", b""))
                if not message.get("more_body"):
                    body = b"".join(parts).replace(b"<head>", b"<head>" + self._tags, 1)
                    await send({**page, "headers": _headers_for(page, body)})
                    await send({"type": "http.response.body", "body": body})

        if _may_be_page(scope):
            plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            await self._app({**scope, "headers": plain}, receive, send_page)
        else:
            await self._app(scope, receive, send)


def _may_be_page(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] == "GET" and not any(part in scope["path"] for part in _NO_PAGES)


def _is_page(start: Message) -> bool:
    kind: bytes = dict(start["headers"]).get(b"content-type", b"")
    return start["status"] == 200 and kind.startswith(b"text/html")


def _headers_for(start: Message, body: bytes) -> list[tuple[bytes, bytes]]:
    """Headers for a page's new body, without those that describe the old one."""
    of_the_old = (b"content-length", b"etag", b"last-modified")
    kept = [(name, value) for name, value in start["headers"] if name not in of_the_old]
    return [*kept, (b"content-length", str(len(body)).encode())]
