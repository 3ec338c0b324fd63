"""The proxy of deploy/ before one app at two addresses: a short form of tests/serving, which has two real replicas."""

import select
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.serving import Server, free_port
from tests.serving.conftest import check_the_headers, check_the_replicas, proxy


@contextmanager
def second_address(port: int) -> Iterator[int]:
    """A port that forwards to `port`."""

    class Door(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection(("127.0.0.1", port)) as app:
                other = {self.request: app, app: self.request}
                while True:
                    for ready in select.select([*other], [], [])[0]:
                        data = ready.recv(65_536)
                        if not data:
                            return
                        other[ready].sendall(data)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Door) as doors:
        threading.Thread(target=doors.serve_forever, daemon=True).start()
        yield int(doors.server_address[1])
        doors.shutdown()


def test_a_visitor_stays_with_a_replica_and_every_answer_has_the_headers_once(server: Server, tmp_path: Path) -> None:
    at, port = int(server.url.rpartition(":")[2]), free_port()
    with second_address(at) as second, proxy(tmp_path, "http.conf", {"1": at, "2": second}, {80: port}):
        check_the_replicas(f"http://localhost:{port}")
        check_the_headers(f"http://localhost:{port}")
