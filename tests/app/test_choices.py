"""A resent choice in a Streamlit widget has the effect of the widget's own message, once."""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.testing.v1 import AppTest

import ui
from tests.app.sending import send_message
from tests.draws import examples
from ui import session
from ui.serving.choices import EVENTS_OF, LONGEST, MOST_BEFORE, Unheard, count_carried, name_events, take_choice
from ui.session.choices import PAGES
from ui.session.items import Item


def page() -> None:

    import streamlit as st

    from ui.serving.choices import take_choice
    from ui.views import protocol as exchange

    names = ["one", "two", "three"]
    called = st.session_state.setdefault("called", [])

    def kept(key: str, default: object):  # type: ignore[no-untyped-def]
        st.session_state[key] = st.session_state.get(key, default)
        return {"key": key, "on_change": called.append, "args": (key,)}

    st.radio("radio", names, **kept("radio", "one"))
    st.selectbox("menu", names, **kept("menu", "one"))
    st.segmented_control("segments", names, **kept("segments", "one"))
    st.pills("pills", names, selection_mode="multi", **kept("pills", []))
    st.multiselect("several", names, **kept("several", []))
    st.checkbox("box", **kept("box", False))
    st.toggle("switch", **kept("switch", False))
    st.number_input("number", 0, 99, **kept("number", 5))
    st.number_input("clearable", 0, 99, value=None, **kept("clearable", 5))
    st.slider("range", 0, 9, **kept("range", (2, 5)))
    st.text_input("line", **kept("line", "a"))
    st.text_area("text", **kept("text", "a"))
    st.button("button", key="button", on_click=called.append, args=("button",))
    st.menu_button("more", names, key="more", on_click=lambda: called.append(st.session_state["more"]))
    st.text_input("disabled", disabled=True, key="disabled", on_change=called.append, args=("disabled",))
    component = st.components.v2.component("taking choices", html="<i></i>", js="export default function () {}")
    component(key="outbox", on_acts_change=exchange.acting("outbox", chose=take_choice))


KEYS = (
    *("radio", "menu", "segments", "pills", "several", "box", "switch"),
    *("number", "clearable", "range", "line", "text"),
)
CHOICES: dict[str, Callable[[Random], dict[str, Any]]] = {
    "radio": lambda rng: {"string_value": rng.choice(["one", "two", "three"])},
    "menu": lambda rng: {"string_value": rng.choice(["one", "two", "three"])},
    "segments": lambda rng: {"string_array_value": {"data": [rng.choice(["one", "two", "three"])]}},
    "pills": lambda rng: {"string_array_value": {"data": rng.sample(["one", "two", "three"], rng.randrange(4))}},
    "several": lambda rng: {"string_array_value": {"data": rng.sample(["one", "two", "three"], rng.randrange(4))}},
    "box": lambda rng: {"bool_value": rng.random() < 0.5},
    "switch": lambda rng: {"bool_value": rng.random() < 0.5},
    "number": lambda rng: {"int_value": rng.randrange(100)},
    "clearable": lambda rng: {"int_value": rng.randrange(100)} if rng.random() < 0.5 else {},
    "range": lambda rng: {"double_array_value": {"data": sorted(rng.choices(range(10), k=2))}},
    "line": lambda rng: {"string_value": "".join(rng.choices("abc é\n🙂", k=rng.randrange(9)))},
    "text": lambda rng: {"string_value": "".join(rng.choices("abc é\n🙂", k=rng.randrange(99)))},
    "button": lambda rng: {"trigger_value": True},
    "more": lambda rng: {"string_trigger_value": {"data": rng.choice(["one", "two", "three"])}},
}
"""A choice in each kind of widget, in the browser's form."""


def choice(app: AppTest, key: str, **value: Any) -> WidgetState:
    state: Any = app.session_state
    while not isinstance(state, SessionState):
        state = next(value for value in vars(state).values() if isinstance(value, SafeSessionState | SessionState))
    return WidgetState(id=state.get_widget_id_from_key(key), **value)


def noted(state: WidgetState) -> list[str]:
    return [state.id, b64encode(state.SerializeToString()).decode()]


def seen(app: AppTest) -> dict[str, Any]:
    return {key: app.session_state[key] for key in (*KEYS, "called")}


def test_a_repeated_choice_of_any_kind_is_what_the_widgets_own_message_is(rng: Random) -> None:
    own, repeated = AppTest.from_function(page).run(), AppTest.from_function(page).run()
    for number in range(1, examples(200) + 1):
        key = rng.choice(list(CHOICES))
        value = CHOICES[key](rng)
        own._run(WidgetStates(widgets=[choice(own, key, **value)]))
        note = [number, "chose", noted(choice(repeated, key, **value))]
        send_message(repeated, ["tab", [note]])
        assert not own.exception
        assert seen(repeated) == seen(own), (key, value)
        send_message(repeated, ["tab", [note]])
        assert seen(repeated) == seen(own), f"{key} was taken twice"


@pytest.mark.parametrize("key", CHOICES)
def test_a_choice_that_comes_with_its_own_message_is_taken_once(key: str, rng: Random) -> None:
    app = AppTest.from_function(page).run()
    value = {"number": {"int_value": 7}, "box": {"bool_value": True}, "switch": {"bool_value": True}}.get(key)
    state = choice(app, key, **(value or CHOICES[key](rng)))
    [widget] = [each.proto.id for each in app.get("bidi_component")]
    events = json.dumps([{"event": "acts", "value": ["tab", [[1, "chose", noted(state)]]]}])
    id = f"$$STREAMLIT_INTERNAL_KEY_{widget}__events"
    app._run(WidgetStates(widgets=[state, WidgetState(id=id, json_trigger_value=events)]))
    assert len(app.session_state["called"]) <= 1


@pytest.mark.parametrize("kept", [True, False], ids=["its value is taken", "its value is refused"])
def test_a_choice_on_a_page_that_is_still_being_drawn_is_taken_once(kept: bool) -> None:
    app = AppTest.from_function(page).run()
    state: Any = SessionState()
    clicked = choice(app, "button", trigger_value=True)
    message = ["tab", [[1, "chose", noted(clicked)]]]
    events = WidgetState(id=f"{EVENTS_OF}outbox", json_trigger_value=json.dumps([{"event": "acts", "value": message}]))
    values = WidgetStates(widgets=[clicked, events])
    [(key, early)] = name_events(state, values)
    assert list(values.widgets) == [clicked]
    if not kept:
        values.widgets.clear()
    count_carried(state, key, early, values)
    app.session_state["actions taken"] = state["actions taken"]
    send_message(app, message)
    assert app.session_state["called"] == ([] if kept else ["button"])


@pytest.mark.parametrize("events", ["", "[]", "{}", "[5]", '[{"event": "acts"}]', '[{"value": [1, 2]}]', "[" * 9_999])
def test_early_events_may_be_forged(events: str) -> None:
    state: Any = SessionState()
    count_carried(state, "outbox", events, WidgetStates())
    assert "actions taken" not in state or state["actions taken"] == {}


def test_what_is_forged_changes_nothing(rng: Random) -> None:
    app = AppTest.from_function(page).run()
    before = seen(app)
    forged: list[object] = [None, 5, [], ["", ""], ["", 5], ["", "é"], ["", "AAAA"], ["", "x" * (LONGEST + 1)]]
    forged += [noted(choice(app, key, **value)) for key, value in _OUT_OF_RANGE]
    forged += [noted(WidgetState(id="none", bool_value=True))]
    forged += [noted(choice(app, key)) for key in CHOICES if key != "clearable"]
    forged += [["", b64encode(rng.randbytes(rng.randrange(40))).decode()] for _ in range(examples(100))]
    send_message(app, ["tab", [[number, "chose", each] for number, each in enumerate(forged[:150], 1)]])
    assert seen(app) == before
    send_message(app, ["tab", [[151, "chose", noted(choice(app, "radio", string_value="two"))]]])
    assert seen(app) == before | {"radio": "two", "called": ["radio"]}


_OUT_OF_RANGE: list[tuple[str, dict[str, Any]]] = [
    ("radio", {"int_value": 1}),
    ("pills", {"string_array_value": {"data": ["four"]}}),
    ("box", {"int_value": 1}),
    ("disabled", {"string_value": "a"}),
    ("line", {"json_value": "{}"}),
]


def test_outside_of_a_run_nothing_is_taken() -> None:
    take_choice(["", b64encode(WidgetState(id="a", bool_value=True).SerializeToString()).decode()])


def test_a_message_with_one_of_the_last_values_before_python_set_others_does_not_undo_them() -> None:
    id, read = "$$ID-a-number", list[int]()
    widget = WidgetMetadata(id, lambda value: read.append(value) or value, lambda value: value, "int_value")
    state, unheard = SessionState(), Unheard()
    for value in range(MOST_BEFORE + 4):
        unheard.note(state, "number", value)
        state["number"] = value
        state.register_widget(widget, "number")
    newest = state["number"]
    for sent in range(newest + 1):
        message = WidgetStates(widgets=[WidgetState(id=id, int_value=sent)])
        state["number"] = newest
        read.clear()
        deepcopy(unheard).settle(state, message)
        is_old = newest - MOST_BEFORE <= sent < newest
        assert state["number"] == (newest if is_old else sent)
        assert (not message.widgets) == is_old
        assert read == [sent]


def test_a_choice_made_while_the_same_value_as_before_is_on_its_way_is_sent_after_it() -> None:
    id = "$$ID-a-number"
    state, unheard = SessionState(), Unheard()
    state.register_widget(WidgetMetadata(id, lambda value: value, lambda value: value, "int_value"), "number")
    state["number"] = 10
    unheard.note(state, "number", 10)
    state["number"] = 10
    unheard.settle(state, WidgetStates(widgets=[WidgetState(id=id, int_value=5)]))
    assert state._new_session_state["number"] == 5


def test_fields_behind_a_message_are_merged_into_it() -> None:
    message = BackMsg()
    message.rerun_script.query_string = "text=a"
    message.rerun_script.widget_states.widgets.add(id="box", bool_value=True)
    more = BackMsg()
    more.rerun_script.widget_states.widgets.add(id="bpe-lab events: outbox", json_trigger_value="[]")
    both = BackMsg.FromString(message.SerializeToString() + more.SerializeToString()).rerun_script
    assert both.query_string == "text=a"
    assert [each.id for each in both.widget_states.widgets] == ["box", "bpe-lab events: outbox"]


KEPT_ELSEWHERE = {
    *("ui.session.drafts", "ui.session.own_drafts"),  # of forms that are not sent yet, kept as they are typed
    "ui.session.many_texts.ENCODING",  # confirmed for a file
    "ui.session.algorithms.SIDE_BY_SIDE_DRAFT",  # adopted at once
    *("ui.session.tokenizer_choice.MODEL_NAME", "ui.session.tokenizer_choice.UPLOADED_SPLIT"),  # of a field not sent
    "ui.session.tokenizer_choice.MODEL_SPLIT",
    "ui.session.language.MENU",
    "ui.session.many_texts.BY",  # the title of a tokenizer, which only this session may have
}
"""Modules and items that no address holds, though widgets have them."""

DRAWN_BY = {"segments", "menu", "text_input", "show_panel"}
"""Functions that draw the widget of an item among their arguments."""


def items_of_widgets(path: Path) -> Iterator[str]:
    """Items that a module of ui draws widgets of, with their module."""
    modules: dict[str, str] = {}
    for node in ast.walk(tree := ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ui.session"):
            modules |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        drawn = [node.func.value] if name == "widget" and isinstance(node.func, ast.Attribute) else []
        for each in drawn + (node.args if name in DRAWN_BY else []):
            if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id in modules:
                yield f"{modules[each.value.id]}.{each.attr}"
            elif isinstance(each, ast.Name) and each.id in modules:
                yield modules[each.id]


def test_what_is_chosen_in_a_widget_and_which_panels_are_open_is_in_the_address_and_so_outlives_a_reload() -> None:
    modules = [importlib.import_module(f"ui.session.{each.name}") for each in pkgutil.iter_modules(session.__path__)]
    panels = {f"{each.__name__}.{name}" for each in modules for name in vars(each) if re.fullmatch("(.*_)?OPEN", name)}
    drawn = {each for path in Path(ui.__file__).parent.rglob("*.py") for each in items_of_widgets(path)}
    assert len(panels) > 15
    assert len(drawn) > 80
    lost = []
    addressed = {choice.item.key for page in PAGES.values() for choice in page}
    for name in sorted(panels | drawn):
        module, _, attribute = name.rpartition(".")
        item = getattr(importlib.import_module(module), attribute)
        is_kept = KEPT_ELSEWHERE & {name, module} or getattr(item, "key", "") in addressed
        if isinstance(item, Item) and not is_kept:
            lost.append(name)
    assert not lost
