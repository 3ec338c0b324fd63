"""What a browser sends to a component of a page that runs without one, and what it was given to draw."""

import json
from itertools import count
from typing import Any

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest

from ui.views.protocol import unframe

TAB = "a visitor's tab"
_numbers = count(1)


def send_message(app: AppTest, message: Any, key: str = "") -> AppTest:
    """Run the app as if a component's script had sent this; `key`: the component's, if it is not the only one."""
    [widget] = [each.proto.id for each in app.get("bidi_component") if not key or each.proto.id.endswith(f"-{key}")]
    sent = json.dumps([{"event": "acts", "value": message}])
    states = WidgetStates(widgets=[WidgetState(id=_make_trigger_id(widget, "events"), json_trigger_value=sent)])
    app._run(states)
    assert not app.exception, app.exception
    return app


def send_action(app: AppTest, name: str, value: Any, key: str = "") -> AppTest:
    """Run the app as if a visitor had done this in a component."""
    return send_message(app, [TAB, [[next(_numbers), name, value]]], key)


def pager(app: AppTest, key: str) -> tuple[int, int]:
    """Where a pager is, and of how many."""
    [shown] = [each.proto for each in app.get("bidi_component") if each.proto.id.endswith(f"-{key}")]
    data = json.loads(shown.json)["data"]
    return data["at"], data["count"]


def written(app: AppTest) -> list[str]:
    """The texts with a button that copies them."""
    drawn = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.json]
    return [each["data"]["text"] for each in drawn if each["view"] == "verbatim"]


def address(app: AppTest) -> dict[str, Any]:
    """What the page last asked the browser to write into the address bar."""
    payloads = [each.proto.bytes for each in app.get("bidi_component") if each.proto.bytes.startswith(b"address ")]
    return unframe(payloads[-1])[0]
