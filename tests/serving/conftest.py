"""Two replicas of the app behind the real proxy, configured by the files of deploy/."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.serving import PATIENCE, PROJECT, START_SECONDS, Server, free_port, served_app

expect.set_options(timeout=PATIENCE)

DEPLOYED = PROJECT / "deploy" / "nginx"
VARIABLES = {"STREAMLIT_SERVER_COOKIE_SECRET": "the same for all replicas"}


@dataclass
class Deployed:
    """The deployment: the proxy's address, and the replicas by number."""

    url: str
    replicas: dict[str, Server]

    def kill(self, number: str) -> None:
        os.kill(self.replicas[number].pid, signal.SIGKILL)

    def log_text(self) -> str:
        return "".join(server.log_text() for server in self.replicas.values())


def replicas_conf(ports: dict[str, int]) -> str:
    """deploy/nginx/replicas.conf, with these ports on this machine instead of its three services."""
    text = (DEPLOYED / "replicas.conf").read_text()
    numbers = {f"app{number}:850{number}": f"127.0.0.1:{port}" for number, port in ports.items()}
    for service, place in numbers.items():
        text = text.replace(service, place)
    for number, port in ports.items():
        text = text.replace(f"~:850{number}$ ", f"~:{port}$ ")
    text = re.sub(r"^upstream replica_3 .*?^}\n", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^ *(server app3|~:8503|3 replica_3).*\n", "", text, flags=re.MULTILINE)


@pytest.fixture(scope="session")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    """Two replicas behind nginx, with the deployed limits, headers and affinity."""
    with _deployed(tmp_path_factory.mktemp("deployed")) as found:
        yield found


@pytest.fixture
def doomed(tmp_path: Path) -> Iterator[Deployed]:
    """The same for a single test, which may kill a replica."""
    with _deployed(tmp_path) as found:
        yield found


@contextmanager
def _deployed(folder: Path) -> Iterator[Deployed]:
    with ExitStack() as stack:
        replicas: dict[str, Server] = {}
        for number in "12":
            (folder / number).mkdir()
            replicas[number] = stack.enter_context(served_app(folder / number, variables=VARIABLES))
        port = free_port()
        stack.enter_context(proxy(folder / "nginx", "http.conf", ports_of(replicas), {80: port}))
        yield Deployed(f"http://localhost:{port}", replicas)


def ports_of(replicas: dict[str, Server]) -> dict[str, int]:
    return {number: int(server.url.rpartition(":")[2]) for number, server in replicas.items()}


@contextmanager
def proxy(folder: Path, conf: str, replicas: dict[str, int], ports: dict[int, int]) -> Iterator[None]:
    """nginx with this configuration file, in a new folder.

    replicas: their addresses, by number. ports: the local port for each deployed port.
    """
    shutil.copytree(DEPLOYED, folder, dirs_exist_ok=True)
    (folder / "replicas.conf").write_text(replicas_conf(replicas))
    main = folder / conf
    text = main.read_text()
    for deployed_port, port in ports.items():
        text = text.replace(f"listen {deployed_port}", f"listen 127.0.0.1:{port}")
    main.write_text(text)
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    options = f"daemon off; pid {folder}/pid;"
    process = subprocess.Popen([nginx, "-p", str(folder), "-e", f"{folder}/error.log", "-c", str(main), "-g", options])
    try:
        give_up = time.monotonic() + START_SECONDS
        while not all(map(listens, ports.values())):
            assert process.poll() is None, (folder / "error.log").read_text()
            assert time.monotonic() < give_up, "the proxy does not answer"
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(timeout=10)


def listens(port: int) -> bool:
    """True if a program listens on this port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def replica_of(url: str, cookie: str = "") -> str:
    """The number of the replica that answers a client, from the cookie it sets."""
    request = urllib.request.Request(f"{url}/_stcore/health", headers={"Cookie": cookie} if cookie else {})
    with urllib.request.urlopen(request) as answer:
        cookies = answer.headers.get_all("Set-Cookie")
    return next(found[1] for each in cookies if (found := re.match(r"replica=(\d+);", each)))


def check_the_replicas(url: str) -> None:
    """New clients are spread over two replicas, and each client stays with the replica of its cookie."""
    first = {replica_of(url) for _ in range(8)}
    assert first == {"1", "2"}
    for number in "12":
        assert {replica_of(url, f"replica={number}") for _ in range(8)} == {number}
    assert replica_of(url, "replica=9") in "12"  # forged, or of a removed replica


def check_the_headers(url: str) -> None:
    """Every response has each header once."""
    for path in ("/", "/_stcore/health", "/encode", "/no-such-page"):
        with urllib.request.urlopen(url + path) as answer:
            headers = answer.headers
        [policy] = headers.get_all("Content-Security-Policy")
        assert "default-src 'none'" in policy
        assert "unsafe-eval" not in policy
        assert headers.get_all("X-Content-Type-Options") == ["nosniff"]
        assert headers.get_all("Referrer-Policy") == ["same-origin"]
        assert headers["Server"] == "nginx"  # without a version
    with pytest.raises(urllib.error.HTTPError, match="404") as refused:  # by nginx itself
        urllib.request.urlopen(f"{url}/_stcore/metrics")
    with refused.value as answered:
        assert answered.headers.get_all("Content-Security-Policy") == ["default-src 'none'; frame-ancestors 'none'"]
        assert answered.headers.get_all("X-Content-Type-Options") == ["nosniff"]
