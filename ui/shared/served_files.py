"""Streamlit's own scripts, styles and fonts, answered from memory: a page asks for a hundred of them at once.

Streamlit reads each one from disk for every visitor, and hands it to another thread and back for each part of it. It
has no setting for this, so what serves these files is wrapped here, once for a server.

The page gets a script of ours before Streamlit's own: it keeps the keys that are pressed while all else still loads,
and opens a page that is loaded again with what the tab knows of it.
"""

from __future__ import annotations

import gzip
from hashlib import blake2b
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response
from streamlit.web.server.starlette import starlette_static_routes as routes
from streamlit.web.server.starlette.starlette_server_config import STATIC_ASSET_CACHE_MAX_AGE_SECONDS

from ui.components.plot.library import PLOTLY_FILE, PLOTLY_PATH
from ui.components.scripts import joined_script

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAMED_BY_CONTENT = "static"
"""The folder, in that of Streamlit's page, of files that have another name when they change."""

_FIRST = Path(__file__).parents[1] / "components" / "boot.js"

_KEEP = f"public, immutable, max-age={STATIC_ASSET_CACHE_MAX_AGE_SECONDS}"

_FAST = 4
"""The level of compression: others wait meanwhile."""

_from_disk = routes.create_streamlit_static_handler


class FromMemory:
    """Answers for the files of a folder that are named by their content; hands on whatever else is asked for.

    Only names that were in the folder at the start are answered: no path from a browser is looked up on disk.
    """

    def __init__(self, folder: Path, rest: ASGIApp) -> None:
        files = [path for path in (folder / NAMED_BY_CONTENT).rglob("*") if path.is_file()]
        self._files = {f"/{path.relative_to(folder).as_posix()}": path for path in files}
        self._answers: dict[str, Response] = {}
        name, script = first_script()
        self._files[f"/{name}"] = folder / name
        self._answers[f"/{name}"] = Response(script, media_type="text/javascript", headers={"Cache-Control": _KEEP})
        self._files[f"/{PLOTLY_PATH}"] = PLOTLY_FILE
        self._rest = WithScript(name, rest)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._answer(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        await (answer or self._rest)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response | None:
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        zipped = path == f"/{PLOTLY_PATH}" and _takes_gzip(scope)  # five megabytes; all others are small
        answer = f"{path}.gz" if zipped else path
        if path in self._files and answer not in self._answers:
            try:
                data = self._files[path].read_bytes()
            except OSError:  # gone since the start: told by what tells it of other files
                return None
            kind = guess_type(path)[0] or "text/plain"
            headers = {"Cache-Control": _KEEP}
            if zipped:
                headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
                data = gzip.compress(data, _FAST)
            self._answers[answer] = Response(data, media_type=kind, headers=headers)
        return self._answers.get(answer)


def _takes_gzip(scope: Scope) -> bool:
    return b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"")


class WithScript:
    """Hands on every request, and puts a script into the pages among the answers, before all others."""

    def __init__(self, name: str, rest: ASGIApp) -> None:
        self._tag = f'<script type="module" src="./{name}"></script>'.encode()
        self._rest = rest

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
                    body = b"".join(parts).replace(b"<head>", b"<head>" + self._tag, 1)
                    await send({**page, "headers": _headers_for(page, body)})
                    await send({"type": "http.response.body", "body": body})

        changes = scope["type"] == "http" and scope["method"] == "GET"
        await self._rest(scope, receive, send_page if changes else send)


def _is_page(start: Message) -> bool:
    kind: bytes = dict(start["headers"]).get(b"content-type", b"")
    return start["status"] == 200 and kind.startswith(b"text/html")


def _headers_for(start: Message, body: bytes) -> list[tuple[bytes, bytes]]:
    """The headers of a page with another body: those that tell the old one are dropped."""
    about_the_old = (b"content-length", b"etag", b"last-modified")
    kept = [(name, value) for name, value in start["headers"] if name not in about_the_old]
    return [*kept, (b"content-length", str(len(body)).encode())]


def first_script() -> tuple[str, bytes]:
    """The script before Streamlit's: the path that it is served at, which names its content, and the script."""
    script = joined_script(_FIRST).encode()
    return f"{NAMED_BY_CONTENT}/first.{blake2b(script, digest_size=8).hexdigest()}.js", script


def serve_from_memory() -> None:
    """From the next start of a server in this process on."""
    routes.create_streamlit_static_handler = _handler  # type: ignore[assignment]


def _handler(directory: str, base_url: str | None) -> FromMemory:
    return FromMemory(Path(directory), _from_disk(directory, base_url))
