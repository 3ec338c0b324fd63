"""Messages that no browser would send: any kind of value for any widget, in an order determined by a seed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.forged.visitor import Run

NUMBERS = (0, -1, 1, 7, 2**31, -(2**31), 2**53, 2**63 - 1, -(2**63))
REALS = (*map(float, NUMBERS), 0.5, -0.0, 1e308, float("nan"), float("inf"), float("-inf"))
TEXTS = (
    "",
    "0",
    "\0",
    "x" * 300_000,
    "e\u0301\u202e\ufeff🙂\U0010ffff",
    "<img src=x onerror=alert(1)>![](http://nowhere.invalid)",
    "../../etc/passwd",
    "(a+)+$",
    "[",
    "trained",
    "gpt2",
    "file:0123:x",
    "own",
    "none",
    "1" * 5_000,
)
EVENTS = ("acts", "move", "no event of any component")
ACTIONS = (
    "move",
    "play",
    "speed",
    "predict",
    "picked",
    "typed",
    "selected",
    "go",
    "open",
    "resume",
    "no action of any component",
)
ORDER = (1, 1, 2, 3, 40, 0, -1, 2**53, 2**64, True, 1.5, None, "1")
"""Numbers of actions, most of them valid."""


BROKEN_JSON = (
    "",
    "{",
    "NaN",
    "[1e999]",
    '{"a": NaN}',
    "1" * 5_000,
    "[" * 100_000,
    "[" * 500 + "]" * 500,
    '{"a":' * 300 + "1" + "}" * 300,
    '"\\ud800"',
    '{"__deepcopy__": 1}',
    '{"typed": {"__deepcopy__": 1, "__class__": 2}}',
    '{"value": {"value": {"typed": 1}}}',
    "null",
    "7",
    '"x"',
    "[]",
    '[{"event": ["move"], "value": 1}]',
    '[{"event": "move"}]',
    "[[[]]]",
)

CODES = (
    "",
    "%00",
    "%ff%fe",
    "-1",
    "1" * 400,
    "eJwDAAAAAAE",
    "trained",
    "%F0%9F%99%82",
    "0.0.0",
    "99999999.0.0",
    "5-2",
    "[]",
    "(a%2B)%2B%24",
    "&",
    "=",
)
FORMS = ("", "", "", ".z", ".id", ".", ".x.y")
"""Suffixes of parameter names in links, most of them valid."""

KINDS = (
    "trigger_value",
    "bool_value",
    "double_value",
    "int_value",
    "string_value",
    "bytes_value",
    "int_array_value",
    "double_array_value",
    "string_array_value",
    "json_value",
    "json_trigger_value",
    "string_trigger_value",
    "file_uploader_state_value",
    "arrow_value",
    "chat_input_value",
    "",
)

GENUINE_KINDS = {
    "selectbox": ("string_value", "int_value"),
    "button_group": ("string_array_value", "int_array_value"),
    "checkbox": ("bool_value",),
    "file_uploader": ("file_uploader_state_value",),
    "text_area": ("string_value",),
    "text_input": ("string_value",),
    "button": ("trigger_value",),
    "download_button": ("trigger_value",),
    "number_input": ("double_value", "int_value"),
    "multiselect": ("string_array_value", "int_array_value"),
    "slider": ("double_array_value",),
    "expandable": ("bool_value", "string_value"),
    "radio": ("int_value", "string_value"),
}
"""The kinds of value that a browser sends for an element; most forged values use them, to get past the first check."""


class Forger:
    """Generator of forged messages; the same seed gives the same messages for the same pages."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def values(self, run: Run, strangers: Sequence[str]) -> Iterator[WidgetState]:
        """A value for every widget of a run, and for some of `strangers`: ids of other sessions, or invalid ones."""
        named = {element.id: _names(element.bytes) for element in run.of("bidi_component")}
        for widget, element in run.widgets().items():
            if element == "bidi_component":
                yield self._of_component(widget, named[widget])
            elif self.random.random() < 0.7:
                yield self.value(widget, self.random.choice(GENUINE_KINDS.get(element, KINDS)))
            else:
                yield self.value(widget, self.random.choice(KINDS))
        for widget in self.random.sample(strangers, min(3, len(strangers))):
            yield self.value(widget, self.random.choice(KINDS))

    def _of_component(self, widget: str, names: Sequence[str]) -> WidgetState:
        """A value or events of a component; `names` come from its payload and are repeated in its answers."""
        choice = self.random.random()
        if choice < 0.2:
            return self.value(widget, self.random.choice(KINDS))
        trigger = _make_trigger_id(widget, "events")
        if choice < 0.35:
            return WidgetState(id=trigger, json_trigger_value=self.random.choice(BROKEN_JSON))
        if choice < 0.45:
            return WidgetState(id=widget, json_value=self.random.choice(BROKEN_JSON))
        if choice < 0.7:
            return WidgetState(id=widget, json_value=json.dumps({self._event(): self._answer(names) for _ in range(3)}))
        if choice < 0.8:
            event = {"event": self._event(), "value": self._answer(names)}
        else:
            event = {"event": "acts", "value": ["a tab", self._actions(names)]}
        return WidgetState(id=trigger, json_trigger_value=json.dumps([event]))

    def _actions(self, names: Sequence[str]) -> list[Any]:
        """Numbered actions as a browser sends them, a few of them invalid."""
        pick = self.random.choice
        actions = [[pick(ORDER), pick(ACTIONS), self._answer(names)] for _ in range(self.random.randrange(1, 4))]
        return actions if self.random.random() < 0.9 else [*actions, self.thing()]

    def _answer(self, names: Sequence[str]) -> Any:
        """A plausible answer of a component, except for type, number or range."""
        rest = [self.random.choice((self.thing(), self.random.randrange(40))) for _ in range(self.random.randrange(4))]
        first = [self.random.choice(names)] if names and self.random.random() < 0.8 else []
        return [*first, *rest] if self.random.random() < 0.8 else self.thing()

    def _event(self) -> str:
        return self.random.choice(EVENTS)

    def value(self, widget: str, kind: str) -> WidgetState:
        """A value of a kind; "" for a cleared value."""
        state = WidgetState(id=widget)
        pick, several = self.random.choice, self.random.randrange(4)
        if kind in ("trigger_value", "bool_value"):
            setattr(state, kind, self.random.random() < 0.8)
        elif kind == "double_value":
            state.double_value = pick(REALS)
        elif kind == "int_value":
            state.int_value = pick(NUMBERS)
        elif kind == "string_value":
            state.string_value = pick((*TEXTS, *BROKEN_JSON))
        elif kind == "bytes_value":
            state.bytes_value = bytes(range(256))
        elif kind == "int_array_value":
            state.int_array_value.data.extend(pick(NUMBERS) for _ in range(several))
        elif kind == "double_array_value":
            state.double_array_value.data.extend(pick(REALS) for _ in range(several))
        elif kind == "string_array_value":
            state.string_array_value.data.extend(pick(TEXTS) for _ in range(several))
        elif kind in ("json_value", "json_trigger_value"):
            setattr(state, kind, pick(BROKEN_JSON))
        elif kind == "string_trigger_value":
            state.string_trigger_value.data = pick(TEXTS)
        elif kind == "file_uploader_state_value":
            for _ in range(several):
                state.file_uploader_state_value.uploaded_file_info.add(file_id=pick(TEXTS[:3]), name="x", size=2**40)
        elif kind == "arrow_value":
            state.arrow_value.data = b"ARROW1"
        elif kind == "chat_input_value":
            state.chat_input_value.data = pick(TEXTS)
        return state

    def thing(self, depth: int = 3) -> Any:
        """Any JSON value, including numbers that are too large."""
        choice = self.random.randrange(10)
        if choice == 0 or depth == 0:
            return self.random.choice((None, True, False))
        if choice < 4:
            return self.random.choice((*NUMBERS, *REALS))
        if choice < 5:
            return self.random.choice(TEXTS)
        if choice < 6:
            return {self._event(): self.thing(depth - 1) for _ in range(self.random.randrange(3))}
        return [self.thing(depth - 1) for _ in range(self.random.randrange(4))]

    def query(self, names: Sequence[str]) -> str:
        """A query with values for some of these names, which links use."""
        named = self.random.sample(names, self.random.randrange(1, min(6, len(names))))
        return "&".join(f"{name}{self.random.choice(FORMS)}={self.random.choice(CODES)}" for name in named)

    def message(self, other: str) -> BackMsg:
        """A message that pages do not send, or one about something nonexistent; `other`: another session."""
        message = BackMsg()
        choice = self.random.randrange(8)
        if choice == 0:
            message.clear_cache = True
        elif choice == 1:
            message.set_run_on_save = True
        elif choice == 2:
            message.load_git_info = True
        elif choice == 3:
            message.debug_shutdown_runtime = True
        elif choice == 4:
            message.file_urls_request.request_id = self.random.choice(TEXTS)
            message.file_urls_request.file_names.extend(TEXTS)
            message.file_urls_request.session_id = other
        elif choice == 5:
            message.backend_operation_request.session_id = other
            message.backend_operation_request.install_skills.SetInParent()
        elif choice == 6:
            message.backend_operation_request.deferred_file.file_id = self.random.choice(TEXTS[:3])
        return message


def _names(payload: bytes) -> list[str]:
    """The names in a frame that a component repeats in its answers: of its content, and of a pushed text."""
    try:
        head = json.loads(payload.partition(b"\n")[0])
    except ValueError:
        return []
    return [head[name] for name in ("rev", "push") if name in head]
