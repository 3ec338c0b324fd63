"""A preempted run loses nothing: its callbacks run to their end, and a click is kept even if it had not begun."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
import streamlit as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.app.live import Live, SlowCallback, live_session, until, wait
from ui.memory.cache import visitor
from ui.memory.visitors import VISITORS
from ui.serving import preemption
from ui.widgets.fragments import fragment_ahead


class Page:
    """A page with a button in a part and in one ahead of it, a box, and a slow button.

    It waits at its middle until `go_on`.
    """

    def __init__(self) -> None:
        self.events: list[str] = []
        self.in_middle, self.go_on, self.ahead_may_end = Event(), Event(), Event()
        self.ahead_may_end.set()
        self.slow = SlowCallback(self.events)
        self.is_cancellable = False

    def script(self) -> None:
        self._part()
        self._ahead()
        st.checkbox("box", key="box", on_change=self.events.append, args=("box",))
        st.button("slow", key="slow", on_click=self.slow)
        if self.is_cancellable:
            VISITORS.let_actions_stop_run(visitor(), True)
        self.in_middle.set()
        wait(self.go_on)
        st.write("end")
        self.events.append("end")

    @st.fragment
    def _part(self) -> None:
        st.button("button", key="button", on_click=self.events.append, args=("click",))
        st.button("slow part", key="slow part", on_click=self.slow)
        self.events.append("part")

    @fragment_ahead
    def _ahead(self) -> None:
        st.button("key", key="key", on_click=self.events.append, args=("key",))
        self.events.append("ahead")
        wait(self.ahead_may_end)


@pytest.fixture
def page() -> Page:
    return Page()


@pytest.fixture
def live(page: Page, tmp_path: Path) -> Iterator[Live]:
    with live_session(page.script, tmp_path) as live:
        live.send()
        wait(page.in_middle)
        page.events.clear()
        yield live
        page.go_on.set()
        page.slow.go_on.set()
        page.ahead_may_end.set()


def check_box(live: Live) -> None:
    live.send([WidgetState(id=live.widget("box"), bool_value=True)])


def test_a_click_whose_run_has_not_begun_goes_on_to_the_next_run(live: Live, page: Page) -> None:
    live.click("button")
    check_box(live)
    page.go_on.set()
    until(live.ended, "the run ends")
    assert sorted(page.events) == ["ahead", "box", "click", "end", "part"]


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
    assert page.events == ["click", "part", "ahead", "box", "part", "ahead", "end"]


def test_the_next_run_waits_for_callbacks(live: Live, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preemption, "PATIENCE", 60)
    live.click("slow")
    wait(page.slow.begun)
    next_run = Thread(target=check_box, args=[live])
    next_run.start()
    time.sleep(0.05)
    page.slow.go_on.set()
    next_run.join()
    page.go_on.set()
    until(live.ended, "the run ends")
    assert [event for event in page.events if event not in ("part", "ahead")] == ["slow", "box", "end"]


def test_callbacks_that_do_not_end_hold_nobody_up_for_long(
    live: Live, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preemption, "PATIENCE", 0.01)
    live.click("slow")
    wait(page.slow.begun)
    check_box(live)
    page.slow.go_on.set()
    page.go_on.set()
    until(live.ended, "the run ends")
    assert page.events == ["box", "part", "ahead", "end"]


def test_a_part_of_a_page_ends_nothing(live: Live, page: Page) -> None:
    live.click("button")
    page.go_on.set()
    until(live.ended, "the run ends")
    assert page.events == ["end", "click", "part"]


def test_a_part_of_a_page_ends_work_that_can_be_cancelled(live: Live, page: Page) -> None:
    page.is_cancellable = True
    page.in_middle.clear()
    check_box(live)
    wait(page.in_middle)
    live.click("button")
    page.go_on.set()
    until(live.ended, "the run ends")
    assert page.events.count("end") == 1
    assert page.events[-4:] == ["click", "part", "ahead", "end"]


def ends(live: Live, status: ForwardMsg.ScriptFinishedStatus.ValueType) -> int:
    """How many runs the browser has seen end like this."""
    received = [each for each in live.browser.received if each.WhichOneof("type") == "script_finished"]
    return sum(each.script_finished == status for each in received)


def runs() -> int:
    return sum("scriptThread" in thread.name for thread in threading.enumerate())


def test_a_part_ahead_of_its_page_stops_the_run_of_the_page(live: Live, page: Page) -> None:
    page.ahead_may_end.clear()
    live.click("key")
    until(lambda: page.events == ["key", "ahead"], "the part runs")
    page.go_on.set()
    until(lambda: runs() == 1, "the run of the page ends")
    page.ahead_may_end.set()
    until(lambda: ends(live, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY), "the part is drawn")
    assert page.events == ["key", "ahead"]
    assert not ends(live, ForwardMsg.FINISHED_SUCCESSFULLY), "the browser would take away what is not drawn yet"
    live.send()
    until(lambda: ends(live, ForwardMsg.FINISHED_SUCCESSFULLY), "the page is drawn")
    assert page.events[-1] == "end"


def test_a_part_ahead_of_its_page_has_what_was_chosen_in_the_run_that_it_stops(live: Live, page: Page) -> None:
    page.in_middle.clear()
    check_box(live)
    wait(page.in_middle)
    page.events.clear()
    live.click("key")
    until(lambda: page.events == ["key", "ahead"], "the part runs")
    page.go_on.set()
    until(live.ended, "the run ends")
    assert live.session.session_state["box"] is True


def test_a_part_ahead_of_its_page_stops_no_run_of_another_page(live: Live, page: Page) -> None:
    live.click("key", page="of another page")
    page.go_on.set()
    until(live.ended, "the run ends")
    assert page.events == ["end", "key", "ahead"]


def test_a_part_ahead_of_its_page_waits_for_another_part(live: Live, page: Page) -> None:
    page.go_on.set()
    until(live.ended, "the run ends")
    page.events.clear()
    live.click("slow part")
    wait(page.slow.begun)
    live.click("key")
    page.slow.go_on.set()
    until(live.ended, "the run ends")
    assert page.events == ["slow", "part", "key", "ahead"]
