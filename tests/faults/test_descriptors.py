"""Open files: one per session, enough for the documented number of sessions, and no flood of log messages beyond it."""

import re
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlparse

import pytest

from tests.browser.serving import Server, served_app
from tests.draws import first
from tests.forged.visitor import visiting
from ui.serving.descriptors import OF_SERVER, UnopenedLoop, visitors_that_fit

CLASS = 30


@pytest.fixture(scope="module", params=first(1, [256, 1024]))
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("few files")
    arguments = ["--files", str(request.param)]
    with served_app(folder, module="tests.faults.broken_machine", arguments=arguments) as served:
        yield served


def allowed(server: Server) -> int:
    return resource.prlimit(server.pid, resource.RLIMIT_NOFILE)[0]


def in_use(server: Server) -> int:
    return len([*Path(f"/proc/{server.pid}/fd").iterdir()])


def test_as_many_visitors_as_promised_fit_and_each_takes_one_descriptor(server: Server) -> None:
    promised = re.search(r"Up to ([\d,]+) visitors", server.log_text())
    assert promised is not None
    fit = int(promised[1].replace(",", ""))
    assert fit == visitors_that_fit(allowed(server)) >= CLASS
    with visiting(server.url) as visitor:
        visitor.open()
        before = in_use(server)
        with ExitStack() as stack:
            others = [stack.enter_context(visiting(server.url)) for _ in range(fit - 1)]
            assert all(each.answers() for each in others)
            assert in_use(server) - before <= fit + 8
            for each in (others[0], others[-1], visitor):
                assert not each.open("encode").exceptions
        server_has = in_use(server)
        assert server_has < before + fit
    server.wait_until_left()
    assert in_use(server) <= OF_SERVER
    assert "Traceback" not in server.log_text()


def test_connections_that_do_not_fit_take_a_line_of_the_log_and_others_are_served_later(server: Server) -> None:
    address = urlparse(server.url)
    before = len(server.log_text())
    with ExitStack() as stack:
        for _ in range(allowed(server) + 50):
            stack.enter_context(socket.create_connection((str(address.hostname), int(address.port or 0)), timeout=60))
    with visiting(server.url) as visitor:
        assert not visitor.open().exceptions
    server.wait_until_left()
    log = server.log_text()[before:]
    assert "Traceback" not in log
    assert log.count("No more connections") == 1
    assert len(log) < 2_000


def test_a_loop_without_descriptors_runs_all_the_same() -> None:
    async def answer() -> int:
        return 42

    loop = UnopenedLoop()
    loop.call_soon_threadsafe(lambda: None)
    assert loop.run_until_complete(answer()) == 42
    loop.close()
    UnopenedLoop().close()


def test_more_descriptors_mean_more_visitors() -> None:
    fit = [visitors_that_fit(number) for number in range(0, 10_000, 7)]
    assert fit == sorted(fit)
    assert fit[0] == 0
    assert fit[-1] >= 200
