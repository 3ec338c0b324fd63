"""A visitor of the app without a browser: a websocket that speaks Streamlit's own protocol.

It handles messages as a browser does: it remembers the fragment of each component, sends the state of the widgets it
has set, and lists the messages in its cache, so that the server can send references to them.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

import websockets
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates

LARGEST = 64 * 2**20
"""Maximum message size in bytes, above the limit in the server's settings."""

CACHED_RUNS = 20
"""Runs for which a browser caches a message that was not sent again: Streamlit's global.maxCachedMessageAge."""


@dataclass(frozen=True)
class Answer:
    """Response of one script run: the time to its end, and its size."""

    seconds: float
    size: int
    failed: str = ""


@dataclass
class Visitor:
    """An open session on the server."""

    socket: Any
    components: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Id and fragment of each component, by key."""
    widgets: dict[str, Any] = field(default_factory=dict)
    """The latest message of each field and button, by label."""
    steps: int = 0
    """The last step of the player."""
    step: int = 0
    _page: str = ""
    _fragments: dict[str, str] = field(default_factory=dict)
    _held: dict[str, int] = field(default_factory=dict)
    _set: dict[str, WidgetState] = field(default_factory=dict)
    _runs: int = 0
    _actions: int = 0
    _numbered: bool = False

    @classmethod
    async def come(cls, url: str) -> tuple[Visitor, Answer]:
        """Open the Train page as a new tab does, and wait until it is complete."""
        address = url.replace("http", "ws", 1) + "/_stcore/stream"
        socket = await websockets.connect(address, subprotocols=["streamlit"], max_size=LARGEST, compression=None)  # type: ignore[list-item]
        visitor = cls(socket)
        return visitor, await visitor._run([])

    async def leave(self) -> None:
        """Close the tab."""
        await self.socket.close()

    async def go_to(self, step: int) -> Answer:
        """Request a step from the player, as a click on Next or on its slider does."""
        component, fragment = self.components["player"]
        self._actions += 1
        sent = json.dumps([{"event": "acts", "value": ["a tab", [[self._actions, "move", [step, False]]]]}])
        if not self._numbered:
            sent = json.dumps([{"event": "move", "value": [step, False]}])
        return await self._run(
            [WidgetState(id=_make_trigger_id(component, "events"), json_trigger_value=sent)], fragment
        )

    async def train_on(self, text: str) -> Answer:
        """Paste a text and train on it."""
        area, button = self.widgets["Your text"], self.widgets["Train on this text"]
        pasted = WidgetState(id=area.id, string_value=text)
        return await self._run([pasted, WidgetState(id=button.id, trigger_value=True)])

    async def _run(self, states: list[WidgetState], fragment: str = "") -> Answer:
        message = BackMsg()
        rerun = message.rerun_script
        rerun.fragment_id = fragment
        rerun.page_script_hash = self._page
        self._runs += 1
        self._held = {name: run for name, run in self._held.items() if self._runs - run <= CACHED_RUNS}
        rerun.cached_message_hashes.extend(self._held)
        rerun.widget_states.CopyFrom(WidgetStates(widgets=[*self._set.values(), *states]))
        data = message.SerializeToString()
        started = time.perf_counter()
        await self.socket.send(data)
        size, failed = 0, ""
        while True:
            received = await self.socket.recv()
            size += len(received)
            answer = ForwardMsg.FromString(received)
            kind = answer.WhichOneof("type")
            if kind == "script_finished":
                if answer.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    continue
                return Answer(time.perf_counter() - started, size, failed)
            failed = self._take(kind, answer) or failed

    def _take(self, kind: str, answer: ForwardMsg) -> str:
        """Record what a message changes in the page; return the exception that it shows, if any."""
        if kind == "new_session":
            self._page = answer.new_session.page_script_hash
        elif kind == "navigation":
            self._page = answer.navigation.page_script_hash
        elif kind == "ref_hash":
            self._held[answer.ref_hash] = self._runs
        elif kind == "session_event" and answer.session_event.HasField("script_changed_on_disk"):
            return "the script changed"
        elif kind == "delta":
            if answer.metadata.cacheable:
                self._held[answer.hash] = self._runs
            return self._draw(answer)
        return ""

    def _draw(self, answer: ForwardMsg) -> str:
        element = answer.delta.new_element
        drawn = element.WhichOneof("type")
        if drawn == "bidi_component":
            component = element.bidi_component
            key = component.id.rsplit("-", 1)[-1]
            self.components[key] = component.id, answer.delta.fragment_id
            if key == "player":
                shown = json.loads(component.json)
                self.step, self.steps, self._numbered = shown["step"], shown["last"], "done" in shown
        elif drawn in ("text_area", "button"):
            widget = getattr(element, drawn)
            self.widgets[widget.label] = widget
        return element.exception.message if drawn == "exception" else ""
