"""A server that speaks the protocol of the Hugging Face hub, for models with files made by the tests."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

LARGE = 1_000
"""Minimum bytes of a file that is stored as the hub stores large ones: named by its SHA-256, on another host."""


@dataclass
class Model:
    """A model on the hub. `behaviour`: its kind of failure, one of those in `Handler`; "" for none."""

    files: dict[str, bytes]
    behaviour: str = ""
    revisions: tuple[str, ...] = ("main", "v1", "refs/pr/1")
    token: str = ""
    sizes: dict[str, int] = field(default_factory=dict)

    @property
    def commit(self) -> str:
        digest = hashlib.sha1()
        for name, data in self.files.items():
            digest.update(name.encode() + data)
        return digest.hexdigest()


def git_name(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class Hub:
    """The server and its requests: method, path and token of each."""

    def __init__(self) -> None:
        self.models: dict[str, Model] = {}
        self.requests: list[tuple[str, str | None]] = []
        self.may_go_on = threading.Event()
        self.cdn_url = ""
        self.url = ""

    @property
    def asked(self) -> list[str]:
        return [asked for asked, _ in self.requests]

    def add(self, name: str, files: Mapping[str, bytes], **more: Any) -> Model:
        self.models[name] = Model(dict(files), **more)
        return self.models[name]


class Handler(BaseHTTPRequestHandler):
    """Behaviours of a model: gated; silent (no list until `may_go_on`), silent file, slow (the file begins, and
    waits for it); broken (half of the file), wrong (different content); moved (a redirect on the host first), redirects
    (endless); unlisted (no sizes), nameless (no commit); a number (the status); page (HTML), other json."""

    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, format: str, *args: Any) -> None:
        return

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        path = unquote(urlsplit(self.path).path)
        self.hub.requests.append((f"{self.command} {path}", self.headers.get("authorization")))
        if path.startswith("/cdn/"):
            model, name = path.removeprefix("/cdn/").split("//")
            self._send_file(self.hub.models[model], name)
        elif path.startswith("/api/models/"):
            self._info(path.removeprefix("/api/models/"))
        elif "/resolve/" in path:
            self._resolve(*path.strip("/").split("/resolve/", 1))
        else:
            self._refuse(404, "")

    # -- the list of files ---------------------------------------------------------------------------------------

    def _info(self, rest: str) -> None:
        name, _, revision = rest.partition("/revision/")
        model = self._model(name, revision or "main")
        if model is None:
            return
        if model.behaviour == "silent":
            self.hub.may_go_on.wait(20)
        if model.behaviour.isdecimal():
            self._refuse(int(model.behaviour), "")
        elif model.behaviour == "page":
            self._send(200, b"<html>Log in to this network.</html>", {"Content-Type": "text/html"})
        elif model.behaviour == "other json":
            self._send(200, b"[1, 2]", {"Content-Type": "application/json"})
        else:
            blobs = "blobs" in parse_qs(urlsplit(self.path).query) and model.behaviour != "unlisted"
            siblings = [
                {"rfilename": file}
                | ({"size": model.sizes.get(file, len(data)), "blobId": git_name(data)} if blobs else {})
                for file, data in model.files.items()
            ]
            content = {"id": name, "sha": model.commit, "siblings": siblings, "tags": [], "downloads": 0}
            self._send(200, json.dumps(content).encode(), {"Content-Type": "application/json"})

    # -- the files -----------------------------------------------------------------------------------------------

    def _resolve(self, name: str, rest: str) -> None:
        model = self.hub.models.get(name)
        if model is None:
            self._refuse(401, "RepoNotFound")
            return
        revision = next((each for each in (*model.revisions, model.commit) if rest.startswith(f"{each}/")), None)
        file = rest.removeprefix(f"{revision}/")
        if self._model(name, revision or rest.partition("/")[0]) is None:
            return
        if model.behaviour == "gated" and self.headers.get("authorization") != f"Bearer {model.token}":
            self._refuse(401, "GatedRepo")
        elif model.behaviour == "silent file":
            self.hub.may_go_on.wait(20)
            self._refuse(503, "")
        elif model.behaviour == "redirects":
            self._send(307, b"", {"Location": self.path})
        elif file not in model.files:
            self._refuse(404, "EntryNotFound")
        elif model.behaviour == "moved" and revision != model.commit:
            self._send(307, b"", {"Location": f"/{name}/resolve/{model.commit}/{file}"})
        elif len(data := model.files[file]) >= LARGE:
            more = {
                "Location": f"{self.hub.cdn_url}/cdn/{name}//{file}",
                "X-Linked-Size": str(model.sizes.get(file, len(data))),
                "X-Linked-Etag": f'"{hashlib.sha256(data).hexdigest()}"',
                "X-Repo-Commit": model.commit,
            }
            self._send(302, b"", more)
        else:
            self._send_file(model, file)

    def _send_file(self, model: Model, file: str) -> None:
        data = model.files[file]
        headers = {"ETag": f'"{git_name(data)}"', "X-Repo-Commit": model.commit}
        if model.behaviour == "wrong":
            data = b"!" + data[1:]
        if model.behaviour == "nameless":
            headers = {"ETag": headers["ETag"]}
        self._send(200, data, headers, model.behaviour)

    # -- parts ---------------------------------------------------------------------------------------------------

    def _model(self, name: str, revision: str) -> Model | None:
        """The model, or None after a response with the reason."""
        model = self.hub.models.get(name)
        if model is None or (model.token and model.behaviour != "gated" and not self._may_read(model)):
            self._refuse(401, "RepoNotFound")
            return None
        if revision not in (*model.revisions, model.commit):
            self._refuse(404, "RevisionNotFound")
            return None
        return model

    def _may_read(self, model: Model) -> bool:
        return self.headers.get("authorization") == f"Bearer {model.token}"

    def _refuse(self, status: int, code: str) -> None:
        headers = {"X-Error-Code": code, "X-Error-Message": "<b>**no**</b>"} if code else {}
        self._send(status, b'{"error": "no"}', headers)

    def _send(self, status: int, data: bytes, headers: Mapping[str, str], behaviour: str = "") -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if behaviour == "broken":
            self.wfile.write(data[: len(data) // 2])
            self.wfile.flush()
            self.close_connection = True
        elif behaviour == "slow":
            self.wfile.write(data[:1])
            self.wfile.flush()
            self.hub.may_go_on.wait(20)
            self.wfile.write(data[1:])
        else:
            self.wfile.write(data)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """No-op: tests disconnect clients on purpose."""


@contextmanager
def hub_server() -> Iterator[Hub]:
    """A hub without models, and a second host for its large files, until the `with` ends."""
    hub = Hub()
    handler = type("HandlerOfThisHub", (Handler,), {"hub": hub})
    servers = [_Server(("127.0.0.1", 0), handler) for _ in range(2)]
    hub.url, hub.cdn_url = (f"http://127.0.0.1:{server.server_port}" for server in servers)
    threads = [threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True) for server in servers]
    for thread in threads:
        thread.start()
    try:
        yield hub
    finally:
        hub.may_go_on.set()
        for server in servers:
            server.shutdown()
            server.server_close()


def refuses_connections() -> str:
    """An address that refuses connections."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    server.server_close()
    return f"http://127.0.0.1:{server.server_port}"
