"""Count the project's files that run between a browser event and the token spans it updates.

python -m benchmarks.ways            # both ways, each file by name
python -m benchmarks.ways encode     # one of them

A way starts with the callback of a browser event, and ends when the component that draws the tokens, or the one that
relays them to it, receives its payload. A file counts if its code is entered in between, in any thread; imports,
compiled loops and libraries do not count. Also counted: how often the shown text, or a long part of it, is encoded to
bytes.

The app runs in Streamlit's own test runner, which receives what a browser would send: the value of one component and
its fragment. Only code that runs on the server is counted.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from bpe_core.kernels import backend
from bpe_core.payloads.frames import unframe
from ui.memory import cache

PROJECT = Path(__file__).parents[1]
_CODE = tuple(f"{PROJECT / part}/" for part in ("bpe_core", "ui", "pages"))
_LONG_PART = 200
_COMPONENT = ("components/v2/bidi_component/main.py", "_bidi_component")
"""Streamlit's function that sends every component."""


@dataclass(frozen=True)
class Way:
    """Counts between an event and the component of the spans."""

    files: tuple[str, ...]
    """Paths in the project, in the order in which they were entered."""
    encoded: tuple[str, ...]
    """File and line of each encoding of the shown text, or a long part of it, to bytes."""

    @property
    def of_the_app(self) -> tuple[str, ...]:
        """The files outside the core."""
        return tuple(path for path in self.files if not path.startswith("bpe_core/"))


@dataclass
class _Counter:
    """Profile the runner's threads from the first project file entered to the component of a key."""

    until: str
    text: str
    files: dict[str, None] = field(default_factory=dict)
    encoded: list[str] = field(default_factory=list)
    arrived: bool = False

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        if self.arrived:
            return
        name = frame.f_code.co_filename
        if event == "call":
            if name.startswith(_CODE):
                self.files.setdefault(str(Path(name).relative_to(PROJECT)))
            elif name.endswith(_COMPONENT[0]) and frame.f_code.co_name == _COMPONENT[1]:
                self.arrived = frame.f_locals.get("key") == self.until
        elif event == "c_call" and self.files and getattr(arg, "__name__", "") == "encode":
            encoded = getattr(arg, "__self__", None)
            if isinstance(encoded, str) and len(encoded) >= _LONG_PART and encoded in self.text:
                place = Path(name)
                inside = place.relative_to(PROJECT) if name.startswith(_CODE) else place.name
                self.encoded.append(f"{inside}:{frame.f_lineno}")


def step_on_train(text: str) -> Way:
    """From a click on Next to the spans of the training text."""
    app = opened("pages/train.py")
    app.session_state["draft paste"] = text
    [area] = [each for each in app.text_area if each.label == "Your text"]
    area.set_value(text)
    [button] = [each for each in app.button if each.label == "Train on this text"]
    visit = Visit(app)
    visit.run(button.click)
    visit.send("player", "move", [41, False])  # the first step caches what all later ones share
    return visit.count("player", "move", [42, False], until="relay of text", text=text)


def key_on_encode(text: str) -> Way:
    """From a key in the text area of Encode to the spans of the text."""
    visit = Visit(opened("pages/encode.py"))
    for typed in (text[:-2], text[:-1]):
        visit.type("encode text area", typed)
    return visit.count_typing("encode text area", text, until="relay of typing")


class Visit:
    """A session of the app with simulated browser messages."""

    def __init__(self, app: AppTest) -> None:
        self.app = app
        self.drawn: list[str] = []
        """The keys of the components sent by the latest run, in order."""
        self._fragments: dict[str, str] = {}
        self._actions = 0
        self.run(lambda: app)

    def run(self, act: Callable[[], AppTest], **rerun: Any) -> None:
        """Run the app, and remember the fragment of each component."""
        runners: list[local_script_runner.LocalScriptRunner] = []

        class Remembered(local_script_runner.LocalScriptRunner):
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                super().__init__(*args, **kwargs)
                runners.append(self)

        request = partial(local_script_runner.RerunData, **rerun)
        with (
            patch.object(app_test, "LocalScriptRunner", Remembered),
            patch.object(local_script_runner, "RerunData", request),
        ):
            act().run() if not rerun else act()
        assert not self.app.exception, self.app.exception
        self.drawn = []
        for message in runners[-1].forward_msgs():
            component = message.delta.new_element.bidi_component
            if component.id:
                self._fragments[component.id] = message.delta.fragment_id
                self.drawn.append(component.id.rsplit("-", 1)[-1])

    def _component(self, key: str) -> str:
        return next(each for each in self._fragments if each.endswith(f"-{key}"))

    def send(self, key: str, name: str, value: Any) -> None:
        """Send an action of a component, with the component's fragment."""
        self._actions += 1
        self.send_message(key, ["a visitor's tab", [[self._actions, name, value]]])

    def send_message(self, key: str, message: Any) -> None:
        """Send any message of a component."""
        component = self._component(key)
        sent = json.dumps([{"event": "acts", "value": message}])
        self._send(component, WidgetState(id=_make_trigger_id(component, "events"), json_trigger_value=sent))

    def _send(self, component: str, state: WidgetState) -> None:
        states = WidgetStates(widgets=[state])
        self.run(lambda: self.app._run(states), fragment_id=self._fragments[component])

    def count(self, key: str, name: str, value: Any, *, until: str, text: str) -> Way:
        """Send an event and count until the component `until` receives its payload."""
        return _counted(lambda: self.send(key, name, value), until, text)

    def type(self, key: str, text: str) -> None:
        """Send what the live text area sends after a key: the name of the latest push, and the text."""
        component = self._component(key)
        [head] = [each.proto.bytes for each in self.app.get("bidi_component") if each.proto.id == component]
        push = unframe(head)[0]["push"]
        self.send(key, "typed", [push, text])

    def count_typing(self, key: str, text: str, *, until: str) -> Way:
        """Type and count, as `count` does."""
        return _counted(lambda: self.type(key, text), until, text)


def _counted(act: Callable[[], None], until: str, text: str) -> Way:
    counter = _Counter(until, text)
    threading.setprofile(counter)
    try:
        with patch.object(cache, "LONG", inf):  # on a busy machine slow work takes a path through more files
            act()
    finally:
        threading.setprofile(None)  # type: ignore[arg-type]  # what typeshed leaves out
    if not counter.arrived:
        raise RuntimeError(f"the component {until!r} was handed nothing; entered: {', '.join(counter.files)}")
    return Way(tuple(counter.files), tuple(counter.encoded))


def opened(page: str) -> AppTest:
    backend.warm_up()  # the server is ready once its kernels are
    app = AppTest.from_file(PROJECT / "app.py", default_timeout=120).run()
    return app.switch_page(page) if page != "pages/train.py" else app


WAYS: dict[str, tuple[str, Callable[[str], Way]]] = {
    "train": ("a step on Train, from the click to the spans", step_on_train),
    "encode": ("a key on Encode, from the key to the spans", key_on_encode),
}


def sample_text() -> str:
    """A text of a few pages, with multi-byte characters."""
    return "The lantern's light glows lower: 低いランタンの光。 Größe 🙂\n" * 60 + "the end of a text that is typed"


def main() -> None:
    """Print the counts of the requested ways."""
    for name in sys.argv[1:] or WAYS:
        title, way = WAYS[name]
        found = way(sample_text())
        print(f"{title}: {len(found.files)} files, {len(found.of_the_app)} of them of the app")
        for path in found.files:
            print(f"    {path}")
        print(f"  the text becomes bytes {len(found.encoded)} times")
        for place in found.encoded:
            print(f"    {place}")


if __name__ == "__main__":
    main()
