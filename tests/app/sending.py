"""Messages of a browser to components of a page that runs without one, and the payloads of these components."""

import json
import re
from itertools import count
from typing import Any

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest

from bpe_core.payloads.frames import unframe

TAB = "a visitor's tab"
_numbers = count(1)


def without_terms(markdown: str) -> str:
    """Text whose terms are not marked."""
    return re.sub(r"\[([^\]]*)\]\(#term-[a-z-]+\)", r"\1", markdown)


def send_message(app: AppTest, message: Any, key: str = "") -> AppTest:
    """Run the app with a message of a component's script; `key`: the component's, if there are several."""
    [widget] = [each.proto.id for each in app.get("bidi_component") if not key or each.proto.id.endswith(f"-{key}")]
    sent = json.dumps([{"event": "acts", "value": message}])
    states = WidgetStates(widgets=[WidgetState(id=_make_trigger_id(widget, "events"), json_trigger_value=sent)])
    app._run(states)
    assert not app.exception, app.exception
    return app


def send_action(app: AppTest, name: str, value: Any, key: str = "") -> AppTest:
    """Run the app with a user's action in a component."""
    return send_message(app, [TAB, [[next(_numbers), name, value]]], key)


def options(app: AppTest, key: str) -> list[str]:
    """Labels of the buttons of a choice."""
    return [" ".join(filter(None, (each["title"], each["note"]))) for each in _choice(app, key)["options"]]


def chosen(app: AppTest, key: str) -> list[str]:
    """Names of the selected options of a choice."""
    names: list[str] = _choice(app, key)["chosen"]
    return names


def take(app: AppTest, key: str, name: str) -> None:
    """Press a button of a choice."""
    drawn = _choice(app, key)
    send_action(app, "chose", [name, not drawn["several"] or name not in drawn["chosen"]], key)


def _choice(app: AppTest, key: str) -> Any:
    [shown] = [each.proto for each in app.get("bidi_component") if each.proto.id.endswith(f"-{key}")]
    return json.loads(shown.json)[2]


def pager(app: AppTest, key: str) -> tuple[int, int]:
    """Position of a pager, and its number of pages."""
    [shown] = [each.proto for each in app.get("bidi_component") if each.proto.id.endswith(f"-{key}")]
    data = json.loads(shown.json)[2]
    return data["at"], data["count"]


def written(app: AppTest) -> list[str]:
    """The texts that have a copy button."""
    drawn = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.json]
    return [data["text"] for view, _language, data in drawn if view == "verbatim"]


def address(app: AppTest) -> dict[str, Any]:
    """The URL that the page last sent for the address bar."""
    payloads = [each.proto.bytes for each in app.get("bidi_component") if each.proto.bytes.startswith(b"address ")]
    return unframe(payloads[-1])[0]
