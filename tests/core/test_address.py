"""Files by their https address: the requests, what is refused, and how much is read."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from bpe_core import HubError, TrainConfig, train
from bpe_core.cli import main
from bpe_core.formats import to_bytes
from bpe_core.hub import address
from bpe_core.hub.address import checked_address, fetch_address, host_of, is_address
from bpe_core.hub.switch import SETTING

TOKENIZER = train("low lower lowest", TrainConfig(vocab_size=260)).tokenizer()
JSON = to_bytes(TOKENIZER, format="tokenizers")
GGUF = b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + struct.pack("<Q1sIQ", 1, b"a", 8, 3 << 20) + bytes(3 << 20)


class Server:
    """An http server in place of every public host."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.redirects: dict[str, str] = {}
        self.asked: list[tuple[str, str]] = []
        self.endless = False
        self.pause = 0.0  # seconds before the connection is closed
        self.sent = 0
        self.released = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append((self.headers["Host"], self.path))
                if self.path in server.redirects:
                    self.send_response(302)
                    self.send_header("Location", server.redirects[self.path])
                    self.end_headers()
                    return
                if self.path not in server.files:
                    self.send_error(404)
                    return
                self.send_response(200)
                self.end_headers()
                try:
                    self.wfile.write(server.files[self.path])
                    server.sent = len(server.files[self.path])
                    server.released.wait(server.pause)
                    while server.endless:
                        self.wfile.write(bytes(1 << 20))
                        server.sent += 1 << 20
                except OSError:
                    pass

            def log_message(self, *_: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


@pytest.fixture
def internet(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """All hosts are public, and are this server, without encryption."""
    server = Server()

    class Plain(address._PublicConnection):
        def connect(self) -> None:
            self.sock = socket.create_connection(("127.0.0.1", server.http.server_port), 5)

    monkeypatch.setattr(address, "_PublicConnection", Plain)
    yield server
    server.endless = False
    server.released.set()
    server.http.shutdown()
    server.http.server_close()


def test_a_file_is_fetched_and_named_after_its_address(internet: Server) -> None:
    internet.files["/models/my%20file.json?v=2"] = JSON
    told: list[tuple[int, int]] = []
    found = fetch_address("https://example.org/models/my%20file.json?v=2#part", lambda *at: told.append(at))
    assert found == ("my file.json", JSON)
    assert internet.asked == [("example.org", "/models/my%20file.json?v=2")]
    assert told[-1] == (len(JSON), len(JSON))


def test_redirects_are_followed_and_checked_each(internet: Server) -> None:
    internet.files["/end.json"] = JSON
    internet.redirects |= {"/a": "/b", "/b": "https://cdn.example.net/end.json", "/c": "http://example.org/end.json"}
    assert fetch_address("https://example.org/a").data == JSON
    assert [host for host, _ in internet.asked] == ["example.org", "example.org", "cdn.example.net"]
    with pytest.raises(HubError, match="is not downloaded"):
        fetch_address("https://example.org/c")
    internet.redirects["/loop"] = "/loop"
    with pytest.raises(HubError, match="more than 5 times"):
        fetch_address("https://example.org/loop")


def test_of_a_gguf_file_only_the_metadata_is_read(internet: Server) -> None:
    internet.files["/model.gguf"] = GGUF
    internet.endless = True
    found = fetch_address("https://example.org/model.gguf")
    assert len(GGUF) <= len(found.data) < 16 << 20


def test_a_file_without_end_is_refused(internet: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "MOST_BYTES", 3 << 20)
    internet.files["/a.json"] = b"{"
    internet.endless = True
    with pytest.raises(HubError, match="The most allowed is 3,145,728"):
        fetch_address("https://example.org/a.json")


def test_what_is_no_file_is_named_with_its_status(internet: Server) -> None:
    with pytest.raises(HubError, match="answers with 404"):
        fetch_address("https://example.org/a.json")


@pytest.mark.parametrize(
    "wrong",
    [
        "http://example.org/a.json",
        "https://example.org:8080/a.json",
        "https://me:secret@example.org/a.json",
        "https:///a.json",
        "https://example.org/\r\nHost: other",
        "https://[::1/a.json",
        "https://example.org/" + "a" * 3_000,
        "ftp://example.org/a.json",
        "https://exa mple.org/a.json",
        "https://" + "a" * 64 + ".org/a.json",
        "https://example.org\u3000/a.json",
    ],
)
def test_other_addresses_are_refused_without_a_request(internet: Server, wrong: str) -> None:
    with pytest.raises(HubError, match="is not downloaded"):
        fetch_address(wrong)
    assert not internet.asked


@pytest.mark.parametrize(
    "place", ["127.0.0.1", "10.0.0.7", "192.168.1.1", "169.254.169.254", "::1", "fe80::1%eth0", "::ffff:127.0.0.1"]
)
def test_no_host_of_the_own_network_is_asked(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """A public name may lead to a private address; one private address among several is enough."""
    family = socket.AF_INET6 if ":" in place else socket.AF_INET
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 443)), (family, 1, 6, "", (place, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("it was asked"))
    with pytest.raises(HubError, match=r"example\.org is not contacted: it is not a public host"):
        fetch_address("https://example.org/latest/meta-data")


def test_a_host_that_is_not_found_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fails)
    with pytest.raises(HubError, match=r"example\.org cannot be reached: its name cannot be resolved"):
        fetch_address("https://example.org/a.json")


def test_nothing_is_asked_where_the_hub_is_off(internet: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "off")
    with pytest.raises(HubError, match="BPE_LAB_HUB is off"):
        fetch_address("https://example.org/a.json")
    assert not internet.asked


def test_what_is_typed_so_far_may_be_no_address_at_all() -> None:
    assert is_address("https://[")
    assert is_address("http://example.org/a.json")
    assert host_of("https://[") == ""
    with pytest.raises(HubError, match="is not downloaded"):
        checked_address("https://[")


def test_a_slow_host_does_not_hold_a_cancelled_download(internet: Server) -> None:
    class CancelledError(Exception):
        pass

    def cancel(done: int, total: int) -> None:
        raise CancelledError

    internet.files["/slow.json"] = b"{"
    internet.pause = 30.0
    with pytest.raises(CancelledError):
        fetch_address("https://example.org/slow.json", cancel)


def test_a_path_may_have_any_letters_as_browsers_show_them(internet: Server) -> None:
    internet.files["/%E8%AA%9E%20%E5%BD%99/a%20b.json?v=%E4%B8%80"] = JSON
    assert fetch_address("https://example.org/語 彙/a%20b.json?v=一") == ("a b.json", JSON)


def test_pages_of_the_hub_are_models_and_its_gguf_files_are_files() -> None:
    assert not is_address("https://huggingface.co/Qwen/Qwen3-8B/tree/main")
    assert is_address("https://huggingface.co/me/tiny/blob/main/tiny.Q4_K.gguf")
    assert checked_address("https://hf.co/me/tiny/blob/main/t.gguf") == "https://hf.co/me/tiny/resolve/main/t.gguf"


def test_the_command_line_takes_an_address(internet: Server, capsys: pytest.CaptureFixture[str]) -> None:
    internet.files["/tokenizer.json"] = JSON
    assert main(["encode", "--tokenizer", "https://example.org/tokenizer.json", "--text", "low"]) in (0, None)
    assert str(TOKENIZER.encode("low").ids.tolist()[0]) in capsys.readouterr().out


def test_a_broken_answer_is_unreachable(internet: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise http.client.IncompleteRead(b"half")

    internet.files["/a.json"] = JSON
    monkeypatch.setattr(http.client.HTTPResponse, "read1", fails)
    with pytest.raises(HubError, match="cannot be reached"):
        fetch_address("https://example.org/a.json")
