"""A run requested just before the connection breaks still starts, and is stopped only then."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
import streamlit as st

from tests.app.live import PATIENCE, Live, SlowCallback, live_session, until, wait
from ui.serving import reconnect


class Page:
    """A page that waits at its middle until `go_on`. Page or part, which is `long`, draws on until `enough`."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.long = ""
        self.in_middle, self.go_on, self.enough = Event(), Event(), Event()
        self.slow = SlowCallback(self.events)

    def script(self) -> None:
        st.button("slow", key="slow", on_click=self.slow)
        self._part()
        self.in_middle.set()
        wait(self.go_on)
        self._end("page")

    @st.fragment
    def _part(self) -> None:
        st.button("button", key="button", on_click=self.events.append, args=("click",))
        self._end("part")

    def _end(self, what: str) -> None:
        give_up = time.monotonic() + PATIENCE
        while what == self.long and self.in_middle.is_set() and not self.enough.is_set():
            st.write(what)  # a run that is to be stopped ends here
            assert time.monotonic() < give_up
            time.sleep(0.001)
        self.events.append(what)


@pytest.fixture
def page() -> Page:
    return Page()


@pytest.fixture
def live(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    monkeypatch.setattr(reconnect, "SOON", 0.001)
    with live_session(page.script, tmp_path) as live:
        live.send()
        wait(page.in_middle)
        page.events.clear()
        yield live
        for event in (page.go_on, page.enough, page.slow.go_on):
            event.set()


def test_a_run_that_has_not_begun_is_ended_when_it_has(live: Live, page: Page) -> None:
    page.long = "part"
    live.click("button")
    live.disconnect()
    page.go_on.set()
    until(live.ended, "the run of the part is stopped")
    assert page.events == ["page", "click"]


def test_a_run_that_has_begun_is_ended_at_once(live: Live, page: Page) -> None:
    page.long = "page"
    page.go_on.set()
    live.disconnect()
    until(live.ended, "the run is stopped")
    assert page.events == []


def test_the_run_of_one_who_is_back_goes_on(live: Live, page: Page) -> None:
    page.long = "part"
    live.click("button")
    live.disconnect()
    live.reconnect()
    page.go_on.set()
    until(lambda: "click" in page.events, "the run of the part begins")
    for _ in range(5):
        time.sleep(reconnect.SOON)
        live.in_loop(lambda: None)  # an iteration of the event loop, with all callbacks that are due
    page.enough.set()
    until(live.ended, "the run of the part ends")
    assert page.events == ["page", "click", "part"]


def test_a_run_that_never_begins_is_ended_all_the_same(live: Live, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconnect, "LOOKS", 3)
    page.long = "page"
    live.click("button")
    page.go_on.set()
    live.disconnect()
    until(live.ended, "the run is stopped, and none begins")
    assert page.events == []


def test_callbacks_are_not_ended_in_the_middle(live: Live, page: Page) -> None:
    page.go_on.set()
    until(live.ended, "the run ends")
    page.events.clear()
    page.long = "page"
    live.click("slow")
    wait(page.slow.begun)
    live.disconnect()
    page.slow.go_on.set()
    until(live.ended, "the run is stopped")
    assert page.events == ["slow"]


def kinds(live: Live) -> list[str]:
    """The kinds of the messages that the browser has received."""
    return [str(each.WhichOneof("type")) for each in live.browser.received]


def test_a_page_that_is_back_is_asked_for_anew_and_gets_nothing_that_was_not_sent(live: Live, page: Page) -> None:
    live.click("button")
    live.disconnect()
    page.go_on.set()
    until(live.ended, "the runs end")
    live.browser.received.clear()
    live.reconnect()
    live.send(part=reconnect.RESTORE_FRAGMENT)
    until(live.ended, "the page is drawn")
    until(lambda: "script_finished" in kinds(live), "the page is sent")
    assert kinds(live)[:3] == ["auto_rerun", "stop_auto_rerun", "new_session"]
    assert kinds(live).count("new_session") == 1
    assert page.events[-2:] == ["part", "page"]
