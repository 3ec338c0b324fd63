"""The websocket breaks in the middle of actions: each is applied once, and the page continues where it was."""

import re

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute

from tests.browser.helpers import expect, open_page, step, wait_until_idle
from tests.draws import first

_EXPECTED = """
const error = console.error;
console.error = (...words) => {
  if (!String(words[0]).includes("when disconnected from server")) error(...words);
};
"""
"""Console errors of Streamlit when a page acts without a connection, expected in these tests."""


class Breaking:
    """A connection to the server that breaks while an action, or the response to it, is in transit.

    An action is a message that contains this.
    """

    def __init__(self, page: Page, action: bytes = b"acts") -> None:
        self._action = action
        self.before_actions: set[int] = set()
        """Numbers of the action messages that do not reach the server."""
        self.after_actions: set[int] = set()
        """Numbers of those that reach the server, but whose responses do not reach the browser."""
        self.sent = 0
        self.connections = 0
        page.add_init_script(_EXPECTED)
        page.route_web_socket(re.compile("_stcore/stream"), self._route)

    def _route(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        self.connections += 1
        broken = False

        def break_off() -> None:
            nonlocal broken
            broken = True
            route.close()
            server.close()

        def to_server(message: str | bytes) -> None:
            if broken:
                return
            if self._action not in (message if isinstance(message, bytes) else message.encode()):
                server.send(message)
                return
            self.sent += 1
            if self.sent not in self.before_actions:
                server.send(message)
            if self.sent in self.before_actions | self.after_actions:
                break_off()

        def to_browser(message: str | bytes) -> None:
            if not broken:
                route.send(message)

        route.on_message(to_server)
        server.on_message(to_browser)


def curve(page: Page) -> Locator:
    """A view that shows a step only after the server's response."""
    return page.get_by_role("slider", name="Tokens of the training text over the merges")


def story(page: Page) -> Locator:
    """The story; during a redraw the previous one may remain for a moment."""
    return page.get_by_role("group", name="This step").first


@pytest.fixture
def connection(page: Page) -> Breaking:
    """Open Train at merge 20 over a connection that can break, and wait until everything is drawn."""
    breaking = Breaking(page)
    open_page(page, "/?sample=parallel_en&step=20")
    expect(step(page)).to_have_value("20")
    wait_until_idle(page)
    return breaking


@pytest.mark.parametrize("at", first(1, [{2}, {2, 4}]), ids=str)
@pytest.mark.parametrize("lost", first(1, ["the action", "the answer"]))
def test_every_key_counts_once_where_the_connection_breaks_between_them(
    page: Page, connection: Breaking, lost: str, at: set[int]
) -> None:
    breaks = connection.before_actions if lost == "the action" else connection.after_actions
    breaks |= at
    last = 20 + max(at)
    for number in range(21, last + 1):
        page.keyboard.press("ArrowRight")
        expect(curve(page)).to_have_attribute(
            "aria-valuetext", re.compile(f"^Merge {number}:")
        )  # one message for each key
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(story(page)).to_contain_text(f"Merge {last + 2}.")
    wait_until_idle(page)
    expect(step(page)).to_have_value(str(last + 2))
    page.keyboard.press("ArrowLeft")
    expect(story(page)).to_contain_text(f"Merge {last + 1}.")
    assert connection.connections > len(at)


@pytest.mark.parametrize("lost", first(1, ["the answer", "the action"]))
@pytest.mark.parametrize("at", first(1, [2, 1, 3]))
def test_other_actions_are_done_once_and_in_their_order(page: Page, connection: Breaking, lost: str, at: int) -> None:
    """Applying a fork again after the key would return to the step of the fork."""
    breaks = connection.before_actions if lost == "the action" else connection.after_actions
    breaks.add(at)
    page.get_by_role("grid", name="Pairs that the next merge can take").locator("[role=rowgroup] [role=row]").nth(
        2
    ).click()
    expect(story(page)).to_contain_text("Your choice.")
    page.keyboard.press("ArrowRight")
    expect(story(page)).to_contain_text("Merge 22.")
    page.get_by_role("combobox", name="Speed").select_option("20 / s")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(story(page)).not_to_contain_text("Merge 22.")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Your fork: ").click()
    expect(page.get_by_text("merge 21 is yours")).to_be_visible()
    expect(page.get_by_role("combobox", name="Speed")).to_have_value(re.compile("20"))
    assert connection.connections == 2


@pytest.mark.thorough
def test_a_training_that_the_connection_breaks_into_is_made_when_it_is_back(page: Page) -> None:
    connection = Breaking(page, b"paste a text")
    connection.after_actions.add(1)
    open_page(page)
    page.get_by_role("button", name="Paste").click()
    page.get_by_label("Your text").fill("hug hugs pug, a text for a broken connection")
    page.get_by_role("button", name="Train on this text").click()
    expect(page.get_by_role("button", name="Pasted text")).to_be_visible()
    wait_until_idle(page)
    expect(page.get_by_role("listbox", name="The training text in tokens")).to_contain_text("hug")
    assert connection.connections == 2
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    expect(story(page)).to_contain_text("Merge 1.")
