"""The server is killed and started again under open pages: they come back by themselves, where their address is."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.helpers import open_page, wait_for, wait_until_idle
from tests.browser.serving import Server, free_port, served_app


class Restarted:
    """A server that can be killed and started again at its address, and a visitor's browser."""

    def __init__(self, folder: Path, chromium: Browser) -> None:
        self._folder = folder
        self._port = free_port()
        self._stack = ExitStack()
        self.server = self._start()
        self._chromium = chromium

    def begin(self) -> None:
        """A visitor that the server has not seen opens a browser."""
        self.context = self._chromium.new_context(base_url=self.server.url, viewport={"width": 1280, "height": 900})
        self._logged = len(self.server.log_text())

    def open(self, path: str) -> Page:
        page = self.context.new_page()
        open_page(page, path)
        return page

    def restart(self, *pages: Page) -> None:
        """Kill the server, start it again, and wait until it has drawn these pages."""
        drawn: set[Page] = set()
        for page in pages:
            page.on("websocket", partial(_listen, partial(drawn.add, page)))
        os.kill(self.server.pid, signal.SIGKILL)
        self._stack.close()
        self.server = self._start()
        wait_for(pages[0], lambda: drawn == {*pages})
        for page in pages:
            wait_until_idle(page)

    def _start(self) -> Server:
        return self._stack.enter_context(served_app(self._folder, port=self._port))

    def leave(self) -> None:
        """The visitor closes his browser. Fails on a traceback that he caused."""
        self.context.close()
        self.server.wait_until_left()
        assert "Traceback" not in self.server.log_text()[self._logged :]

    def end(self) -> None:
        self._stack.close()


def _listen(on_drawn: Callable[[], None], socket: WebSocket) -> None:
    """Tell of the end of every run that a page is sent on a web socket."""

    def received(frame: str | bytes) -> None:
        if isinstance(frame, bytes) and ForwardMsg.FromString(frame).WhichOneof("type") == "script_finished":
            on_drawn()

    socket.on("framereceived", received)


@pytest.fixture(scope="module")
def served(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Restarted]:
    served = Restarted(tmp_path_factory.mktemp("restarted"), chromium)
    yield served
    served.end()


@pytest.fixture
def restarted(served: Restarted) -> Iterator[Restarted]:
    """The server with a new visitor."""
    served.begin()
    yield served
    served.leave()


def test_pages_come_back_where_they_were_and_go_on_from_there(restarted: Restarted) -> None:
    train = restarted.open("/?sample=lantern_story&step=42")
    encode = restarted.open("/encode?text=hello+lantern&with=gpt2")
    restarted.restart(train, encode)
    expect(train.get_by_role("group", name="This step")).to_contain_text("Merge 42.")
    expect(encode.get_by_role("textbox", name="Text to encode")).to_have_value("hello lantern")
    train.get_by_role("button", name="Next").click()
    expect(train.get_by_role("group", name="This step")).to_contain_text("Merge 43.")
    train.wait_for_url("**step=43*")
    train.keyboard.press("ArrowRight")
    expect(train.get_by_role("group", name="This step")).to_contain_text("Merge 44.")
    encode.get_by_role("textbox", name="Text to encode").fill("hello low lantern")
    encode.wait_for_url("**text=hello+low+lantern*")


@pytest.mark.thorough
def test_a_text_that_no_address_holds_is_said_to_be_lost(restarted: Restarted) -> None:
    page = restarted.open("/encode")
    area = page.get_by_role("textbox", name="Text to encode")
    area.fill(" ".join(f"{number * 7919 % 100_003} word{number}" for number in range(4_000)))
    page.wait_for_url("**/encode?text.id=*")
    restarted.restart(page)
    expect(page.get_by_text("Its text was too long for a link and is no longer known here")).to_be_visible()
