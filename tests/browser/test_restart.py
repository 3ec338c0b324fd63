"""The server is killed and restarted under open pages: they reconnect by themselves, in the state of their URL."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocket
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import SharedVisit
from tests.browser.helpers import expect, forget_the_visitor, open_page, wait_for, wait_until_idle
from tests.browser.serving import Server


class Restarted:
    """The server, which can be killed and restarted at its address, and the tabs of a session."""

    def __init__(self, server: Server, context: BrowserContext) -> None:
        self._server = server
        self._context = context
        self._pages: list[Page] = []
        self._logged = len(server.log_text())

    def open(self, path: str) -> Page:
        page = self._context.new_page()
        if not self._pages:
            forget_the_visitor(page, self._server.url)
        self._pages.append(page)
        open_page(page, path)
        return page

    def stop(self) -> None:
        self._server.stop()

    def restart(self, *pages: Page) -> None:
        """Restart the server, and wait until it has drawn these pages."""
        drawn: set[Page] = set()
        for page in pages:
            page.on("websocket", partial(_listen, partial(drawn.add, page)))
        self._server.restart()
        wait_for(pages[0], lambda: drawn == {*pages})
        for page in pages:
            wait_until_idle(page)

    def leave(self) -> None:
        """Close the tabs. Fails on a traceback since they were opened."""
        for page in self._pages:
            page.close()
        self._server.wait_until_left()
        assert "Traceback" not in self._server.log_text()[self._logged :]


def _listen(on_drawn: Callable[[], None], socket: WebSocket) -> None:
    """Call `on_drawn` at the end of every run received on a websocket."""

    def received(frame: str | bytes) -> None:
        if isinstance(frame, bytes) and ForwardMsg.FromString(frame).WhichOneof("type") == "script_finished":
            on_drawn()

    socket.on("framereceived", received)


@pytest.fixture
def restarted(
    server: Server, context_of: Callable[[str], BrowserContext], shared_visit: SharedVisit
) -> Iterator[Restarted]:
    """The server with a new session. No other session may be open: its connection would break."""
    shared_visit.end()
    restarted = Restarted(server, context_of("light"))
    yield restarted
    restarted.leave()


def test_pages_come_back_where_they_were_and_go_on_from_there(restarted: Restarted) -> None:
    train = restarted.open("/?sample=parallel_en&step=42")
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


def test_a_page_whose_server_has_stopped_names_the_command_that_starts_it(restarted: Restarted) -> None:
    page = restarted.open("/?sample=parallel_en&step=42")
    restarted.stop()
    dialog = page.get_by_role("dialog", name="The server does not answer")
    expect(dialog).to_contain_text("continues by itself once the server runs again")
    expect(dialog).to_contain_text("scripts/run")
    expect(dialog).not_to_contain_text("streamlit")
    restarted.restart(page)
    expect(dialog).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Go to merge")).to_have_value("43")


@pytest.mark.thorough
def test_a_text_that_no_address_holds_is_said_to_be_lost(restarted: Restarted) -> None:
    page = restarted.open("/encode")
    area = page.get_by_role("textbox", name="Text to encode")
    area.fill(" ".join(f"{number * 7919 % 100_003} word{number}" for number in range(4_000)))
    page.wait_for_url("**/encode?text.id=*")
    restarted.restart(page)
    expect(page.get_by_text("Its text was too long for a link and is no longer known here")).to_be_visible()


DRAWN_BY_ANOTHER_SCRIPT = """() => {
    window.stays = true;
    try { bpeLab.draw({}, "bpe-lab.0123456789abcdef"); } catch {}
}"""


def test_a_page_with_the_script_of_an_older_server_is_reloaded_once(page: Page) -> None:
    open_page(page, "/?sample=lantern_story&step=7")
    with page.expect_event("load"):
        page.evaluate(DRAWN_BY_ANOTHER_SCRIPT)
    expect(page.get_by_label("Go to merge")).to_have_value("7")
    wait_until_idle(page)
    page.evaluate(DRAWN_BY_ANOTHER_SCRIPT)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Go to merge")).to_have_value("8")
    assert page.evaluate("window.stays")
