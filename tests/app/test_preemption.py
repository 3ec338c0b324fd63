"""A preempted run loses nothing: its callbacks run to their end, and a click is kept even if it had not begun."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.app.live import Live, live_session, until, wait
from ui.serving import preemption


class Page:
    """A page with a button in a part, a box, and one that calls `slowly`. It waits at its middle until `go_on`."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.in_middle, self.go_on = Event(), Event()
        self.in_callback, self.end_callback = Event(), Event()

    def script(self) -> None:
        self._part()
        st.checkbox("box", key="box", on_change=self.events.append, args=("box",))
        st.button("slow", key="slow", on_click=self._slowly)
        self.in_middle.set()
        wait(self.go_on)
        st.write("end")
        self.events.append("end")

    @st.fragment
    def _part(self) -> None:
        st.button("button", key="button", on_click=self.events.append, args=("click",))
        self.events.append("part")

    def _slowly(self) -> None:
        self.in_callback.set()
        wait(self.end_callback)
        st.session_state["called"] = True
        self.events.append("slow")


@pytest.fixture
def page() -> Iterator[Page]:
    page = Page()
    yield page
    page.go_on.set()
    page.end_callback.set()


@pytest.fixture
def live(page: Page, tmp_path: Path) -> Iterator[Live]:
    with live_session(page.script, tmp_path) as live:
        live.send()
        wait(page.in_middle)
        page.events.clear()
        yield live
        page.go_on.set()
        page.end_callback.set()


def check_box(live: Live) -> None:
    live.send([WidgetState(id=live.widget("box"), bool_value=True)])


def test_a_click_whose_run_has_not_begun_goes_on_to_the_next_run(live: Live, page: Page) -> None:
    live.click("button")
    check_box(live)
    page.go_on.set()
    until(live.ended, "the run ends")
    assert sorted(page.events) == ["box", "click", "end", "part"]


def test_a_click_whose_run_has_begun_is_not_done_again(live: Live, page: Page) -> None:
    page.go_on.set()
    until(live.ended, "the run ends")
    page.go_on.clear()
    page.in_middle.clear()
    page.events.clear()
    live.send([WidgetState(id=live.widget("button"), trigger_value=True)])
    wait(page.in_middle)
    check_box(live)
    page.go_on.set()
    until(live.ended, "the run ends")
    assert page.events == ["click", "part", "box", "part", "end"]


def test_the_next_run_waits_for_callbacks(live: Live, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preemption, "PATIENCE", 60)
    live.click("slow")
    wait(page.in_callback)
    next_run = Thread(target=check_box, args=[live])
    next_run.start()
    time.sleep(0.05)
    page.end_callback.set()
    next_run.join()
    page.go_on.set()
    until(live.ended, "the run ends")
    assert page.events == ["slow", "box", "part", "end"]


def test_callbacks_that_do_not_end_hold_nobody_up_for_long(
    live: Live, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preemption, "PATIENCE", 0.01)
    live.click("slow")
    wait(page.in_callback)
    check_box(live)
    page.end_callback.set()
    page.go_on.set()
    until(live.ended, "the run ends")
    assert page.events == ["box", "part", "end"]


def test_a_part_of_a_page_ends_nothing(live: Live, page: Page) -> None:
    live.click("button")
    page.go_on.set()
    until(live.ended, "the run ends")
    assert page.events == ["end", "click", "part"]
