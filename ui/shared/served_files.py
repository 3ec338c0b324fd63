"""Streamlit's own scripts, styles and fonts, answered from memory: a page asks for a hundred of them at once.

Streamlit reads each one from disk for every visitor, and hands it to another thread and back for each part of it. It
has no setting for this, so what serves these files is wrapped here, once for a server.
"""

from __future__ import annotations

from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response
from streamlit.web.server.starlette import starlette_static_routes as routes
from streamlit.web.server.starlette.starlette_server_config import STATIC_ASSET_CACHE_MAX_AGE_SECONDS

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

NAMED_BY_CONTENT = "static"
"""The folder, in that of Streamlit's page, of files that have another name when they change."""

_KEEP = f"public, immutable, max-age={STATIC_ASSET_CACHE_MAX_AGE_SECONDS}"

_from_disk = routes.create_streamlit_static_handler


class FromMemory:
    """Answers for the files of a folder that are named by their content; hands on whatever else is asked for.

    Only names that were in the folder at the start are answered: no path from a browser is looked up on disk.
    """

    def __init__(self, folder: Path, rest: ASGIApp) -> None:
        files = [path for path in (folder / NAMED_BY_CONTENT).rglob("*") if path.is_file()]
        self._files = {f"/{path.relative_to(folder).as_posix()}": path for path in files}
        self._answers: dict[str, Response] = {}
        self._rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._answer(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        await (answer or self._rest)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response | None:
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if path in self._files and path not in self._answers:
            try:
                data = self._files[path].read_bytes()
            except OSError:  # gone since the start: told by what tells it of other files
                return None
            kind = guess_type(path)[0] or "text/plain"
            self._answers[path] = Response(data, media_type=kind, headers={"Cache-Control": _KEEP})
        return self._answers.get(path)


def serve_from_memory() -> None:
    """From the next start of a server in this process on."""
    routes.create_streamlit_static_handler = _handler  # type: ignore[assignment]


def _handler(directory: str, base_url: str | None) -> FromMemory:
    return FromMemory(Path(directory), _from_disk(directory, base_url))
