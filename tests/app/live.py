"""Sessions of a real runtime of Streamlit, with the app's session manager, whose script is a function of a test."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionClient

from ui.serving.patches import Sessions

PATIENCE = 30
"""Timeout in seconds, sufficient on a busy machine."""

SCRIPT = 'import streamlit as st\n\nst.session_state["script"]()\n'


def until(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds."""
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < give_up, what
        time.sleep(0.001)


def wait(event: Event) -> None:
    assert event.wait(PATIENCE)


class SlowCallback:
    """A callback that waits until `go_on`, changes the session then, and adds "slow" to `events`."""

    def __init__(self, events: list[str]) -> None:
        self.events, self.begun, self.go_on = events, Event(), Event()

    def __call__(self) -> None:
        self.begun.set()
        wait(self.go_on)
        st.session_state["called"] = True
        self.events.append("slow")


class Browser(SessionClient):
    """Keeps what a session sends."""

    def __init__(self) -> None:
        self.received: list[ForwardMsg] = []

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        self.received.append(msg)


class Live:
    """A session that is connected to a browser of its own. All its work happens in the event loop of its server."""

    def __init__(self, loop: asyncio.AbstractEventLoop, runtime: Runtime) -> None:
        self._loop, self.runtime = loop, runtime
        self.browser = Browser()
        self.id = self.in_loop(runtime.connect_session, self.browser, {})
        session = runtime.get_app_session(self.id)
        assert session is not None
        self.session: AppSession = session

    def in_loop(self, function: Callable[..., Any], *given: Any) -> Any:
        async def call() -> Any:
            return function(*given)

        return asyncio.run_coroutine_threadsafe(call(), self._loop).result(PATIENCE)

    def send(self, values: Sequence[WidgetState] = (), part: str = "", page: str = "") -> None:
        """Send these values, and request a run of the page, by its hash, or of a part of it."""
        message = BackMsg()
        message.rerun_script.fragment_id, message.rerun_script.page_script_hash = part, page
        message.rerun_script.widget_states.widgets.extend(values)
        self.in_loop(self.runtime.handle_backmsg, self.id, message)

    def click(self, key: str, page: str = "") -> None:
        """Click the button of this key, in the part of the page in which it is."""
        self.send([WidgetState(id=self.widget(key), trigger_value=True)], self.part_of(key), page)

    def part_of(self, key: str) -> str:
        """The part of the page in which the widget of this key is."""
        metadata = self.session.session_state.get_widget_metadata(self.widget(key))
        assert metadata is not None
        return metadata.fragment_id or ""

    def widget(self, key: str) -> str:
        """The id of the widget of this key."""
        found = self.session.session_state.get_widget_id_from_key(key)
        assert found is not None
        return found

    def disconnect(self) -> None:
        self.in_loop(self.runtime.disconnect_session, self.id)

    def reconnect(self) -> None:
        assert self.in_loop(self.runtime.connect_session, self.browser, {}, self.id) == self.id

    def end(self) -> None:
        self.in_loop(self.runtime.close_session, self.id)

    def ended(self) -> bool:
        """Whether no run is in progress or requested."""
        return self.in_loop(lambda: self.session._scriptrunner) is None


@contextmanager
def live_session(script: Callable[[], None], folder: Path) -> Iterator[Live]:
    """A session whose page is drawn by `script`; no run has begun yet."""
    page = folder / "script.py"
    page.write_text(SCRIPT)
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(1) as thread:
        patch.setattr(Runtime, "_instance", None)
        loop = asyncio.new_event_loop()
        thread.submit(loop.run_forever)
        config = RuntimeConfig(
            str(page),
            MemoryMediaFileStorage("/media"),
            MemoryUploadedFileManager("/upload"),
            session_manager_class=Sessions,
        )
        runtime = Runtime(config)
        asyncio.run_coroutine_threadsafe(runtime.start(), loop).result(PATIENCE)
        live = Live(loop, runtime)
        live.session.session_state["script"] = script
        try:
            yield live
        finally:
            runtime.stop()
            asyncio.run_coroutine_threadsafe(_stopped(runtime), loop).result(PATIENCE)
            until(live.ended, "the run does not end")
            loop.call_soon_threadsafe(loop.stop)
    loop.close()


async def _stopped(runtime: Runtime) -> None:
    await runtime.stopped
