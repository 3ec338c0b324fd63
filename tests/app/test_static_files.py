"""Streamlit's static files are served exactly as Streamlit itself would send them."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp
from streamlit import file_util
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_handler

from ui.serving.static_files import FromMemory
from ui.views.bundle import FILES, SHARED
from ui.views.plotly_library import PLOTLY_FILE, PLOTLY_PATH

FOLDER = Path(file_util.get_static_dir())
ONE_OF_EACH_KIND = {path.suffix: path for path in sorted((FOLDER / "static").rglob("*.*"))}.values()
OURS = Path(__file__).parents[2] / "ui" / "static"
A_SCRIPT = min((FOLDER / "static" / "js").glob("*.js"))
MADE_BY_FILES_ON_DISK = {"last-modified", "etag", "accept-ranges"}


@pytest.fixture(scope="module")
def from_disk() -> ASGIApp:
    return create_streamlit_static_handler(str(FOLDER), None)


def answer(
    app: ASGIApp, path: str, method: str = "GET", headers: Sequence[tuple[bytes, bytes]] = ()
) -> tuple[int, dict[str, str], bytes]:
    """Response of an app: status, headers and body."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        await asyncio.Event().wait()  # the client stays connected

    scope = {"type": "http", "method": method, "path": path, "root_path": "", "headers": headers, "query_string": b""}
    asyncio.run(app(scope, receive, send))
    sent_headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], sent_headers, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize("file", ONE_OF_EACH_KIND, ids=lambda file: file.suffix)
def test_a_file_comes_as_from_disk_the_second_time_too(from_disk: ASGIApp, file: Path) -> None:
    path = f"/{file.relative_to(FOLDER).as_posix()}"
    status, headers, body = answer(from_disk, path)
    wanted = {name: value for name, value in headers.items() if name not in MADE_BY_FILES_ON_DISK}
    memory = FromMemory(from_disk, FOLDER)
    assert answer(memory, path) == answer(memory, path) == (status, wanted, body)


def test_the_second_time_nothing_is_read(tmp_path: Path, from_disk: ASGIApp) -> None:
    script = tmp_path / "static" / "js" / "a.js"
    script.parent.mkdir(parents=True)
    script.write_text("1")
    memory = FromMemory(from_disk, tmp_path)
    assert answer(memory, "/static/js/a.js")[2] == b"1"
    script.write_text("2")
    assert answer(memory, "/static/js/a.js")[2] == b"1"


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/", "GET"),
        ("/train", "GET"),
        ("/static/js/none.js", "GET"),
        ("/static/../index.html", "GET"),
        ("//static/js/none.js", "GET"),
        ("/static", "GET"),
        ("/static/js/", "GET"),
        ("/_stcore/health", "GET"),
        (f"/{A_SCRIPT.relative_to(FOLDER).as_posix()}", "HEAD"),
    ],
)
def test_whatever_else_is_asked_for_is_answered_by_streamlit(path: str, method: str) -> None:
    asked: list[str] = []

    async def rest(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["path"])
        await send({"type": "http.response.start", "status": 204, "headers": []})

    assert answer(FromMemory(rest, FOLDER), path, method)[0] == 204
    assert asked == [path]


@pytest.mark.parametrize("path", ["/", "/train", "/index.html"])
def test_a_page_begins_with_the_script_that_keeps_early_keys(from_disk: ASGIApp, path: str) -> None:
    memory = FromMemory(from_disk, FOLDER)
    status, headers, body = answer(memory, path)
    assert status == 200
    assert int(headers["content-length"]) == len(body)
    assert not headers.keys() & {"etag", "last-modified"}  # these describe the file on disk, not this body
    first, *others = re.findall(rb'<script[^>]*src="\./([^"]+)"', body)
    assert others
    assert b"globalThis.bpeLab=" in answer(memory, f"/{first.decode()}")[2]
    start, rest = body.split(b"<head>")
    tags = re.compile(rb'<script type="module" src="[^"]+"></script><link rel="modulepreload" href="[^"]+">')
    assert start + b"<head>" + tags.sub(b"", rest, count=1) == answer(from_disk, path)[2]


def test_all_scripts_are_served_and_kept_by_browsers_under_names_that_change_with_any(from_disk: ASGIApp) -> None:
    memory = FromMemory(from_disk, FOLDER)
    [preloaded] = re.findall(rb'<link rel="modulepreload" href="\./([^"]+)"', answer(memory, "/")[2])
    assert preloaded.decode() == f"static/{SHARED}"
    scripts = sorted(path.name for path in OURS.glob("*.js"))
    assert scripts == sorted(Path(name).name for name in FILES if name.endswith(".js"))
    for name in scripts:
        status, headers, body = answer(memory, f"/static/{Path(SHARED).parent}/{name}")
        assert (status, body) == (200, (OURS / name).read_bytes())
        assert headers["cache-control"] == "public, immutable, max-age=31536000"
        assert headers["content-type"].startswith("text/javascript")


def test_a_page_that_comes_in_parts_is_one(tmp_path: Path) -> None:
    async def rest(scope: Any, receive: Any, send: Any) -> None:
        kind = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", b"13")]
        await send({"type": "http.response.start", "status": 200, "headers": kind})
        for part, more in ((b"<he", True), (b"ad>", True), (b"</head>", False)):
            await send({"type": "http.response.body", "body": part, "more_body": more})

    _, headers, body = answer(FromMemory(rest, tmp_path), "/")
    assert body.startswith(b'<head><script type="module" src="./static/bpe-lab.')
    assert body.endswith(b'shared.js"></head>')
    assert int(headers["content-length"]) == len(body)


def test_plotly_is_served_under_a_name_of_its_content_and_small_to_browsers_that_unzip() -> None:
    memory = FromMemory(create_streamlit_static_handler(str(FOLDER), None), FOLDER)
    status, headers, body = answer(memory, f"/{PLOTLY_PATH}")
    assert (status, headers["cache-control"][:17]) == (200, "public, immutable")
    assert headers["content-type"].startswith("text/javascript")
    assert body == PLOTLY_FILE.read_bytes()
    _status, zipped, less = answer(memory, f"/{PLOTLY_PATH}", headers=[(b"accept-encoding", b"br, gzip")])
    assert (zipped["content-encoding"], zipped["vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(less) == body
