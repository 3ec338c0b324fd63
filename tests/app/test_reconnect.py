"""A run requested just before the connection breaks still starts, and is stopped only then."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests
from streamlit.runtime.state import SafeSessionState

from ui.serving import reconnect
from ui.serving.reconnect import disconnect_when_begun


class Session:
    """A session whose runner has a pending request for a run."""

    id = "a session"

    def __init__(self) -> None:
        self.requests = ScriptRequests()
        self.requests.request_rerun(RerunData())
        self.ended: list[str] = []
        self.values = SafeSessionState(SimpleNamespace(), lambda: self.ended.append("here"))  # type: ignore[arg-type]
        self._scriptrunner = SimpleNamespace(_requests=self.requests, _session_state=self.values)
        self.stopped = False

    def request_script_stop(self) -> None:
        self.stopped = True


class Manager:
    """Session manager with one session, active while it is connected."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.connected = True

    def get_active_session_info(self, session_id: str) -> Any:
        return SimpleNamespace(session=self.session) if self.connected else None


def disconnect(manager: Manager, session_id: str) -> None:
    """Disconnect as Streamlit does."""
    manager.session.request_script_stop()
    manager.connected = False


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconnect, "SOON", 0.001)


def in_a_loop(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in its own thread: the browser of other tests may have a running loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, coroutine).result()


async def looked() -> None:
    """Wait long enough for several polls."""
    await asyncio.sleep(0.02)


def test_a_run_that_has_not_begun_is_ended_when_it_has() -> None:
    async def breaks() -> None:
        session = Session()
        manager = Manager(session)
        disconnect_when_begun(disconnect, manager, session.id)
        await looked()
        assert not manager.connected
        assert not session.stopped
        session.requests.on_scriptrunner_ready()
        while not session.stopped:
            await looked()

    in_a_loop(breaks())


def test_a_run_that_has_begun_is_ended_at_once() -> None:
    session = Session()
    session.requests.on_scriptrunner_ready()
    disconnect_when_begun(disconnect, Manager(session), session.id)
    assert session.stopped


def test_the_run_of_one_who_is_back_goes_on() -> None:
    async def breaks_and_returns() -> None:
        session = Session()
        manager = Manager(session)
        disconnect_when_begun(disconnect, manager, session.id)
        manager.connected = True
        await looked()
        session.requests.on_scriptrunner_ready()
        await looked()
        assert not session.stopped

    in_a_loop(breaks_and_returns())


def test_a_run_that_never_begins_is_ended_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconnect, "LOOKS", 3)

    async def breaks() -> None:
        session = Session()
        disconnect_when_begun(disconnect, Manager(session), session.id)
        while not session.stopped:
            await looked()

    in_a_loop(breaks())


def test_callbacks_are_not_ended_in_the_middle() -> None:
    session = Session()
    session.requests.on_scriptrunner_ready()
    disconnect_when_begun(disconnect, Manager(session), session.id)
    session.values._yield_callback()
    assert session.ended == []
