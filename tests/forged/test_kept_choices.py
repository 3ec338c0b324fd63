"""Choices are kept: those that a reloaded page sends again, although its next messages still hold the value before, and
those made just before the page changes."""

import re
from base64 import b64encode

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.browser.serving import Server
from tests.forged.visitor import Visitor, _json, visiting

BEFORE, CHOSEN, LATER = 768, 3_298, 64
ADDRESS = "address: page train"


def width(visitor: Visitor, value: int) -> WidgetState:
    return WidgetState(id=visitor.page.widget("embedding width"), int_value=value)


def record(visitor: Visitor, number: int, choice: WidgetState, bar: str = ADDRESS) -> WidgetState:
    """The event of the page's address bar that sends a recorded choice."""
    action = [number, "chose", [choice.id, b64encode(choice.SerializeToString()).decode()]]
    events = _json([{"event": "acts", "value": ["a tab", [action]]}])
    return WidgetState(id=_make_trigger_id(visitor.page.widget(bar), "events"), json_trigger_value=events)


def link(visitor: Visitor) -> str:
    """The query of the page."""
    return next(each.bytes.decode() for each in visitor.page.of("bidi_component") if "-address: page " in each.id)


def width_in_link(visitor: Visitor) -> int:
    found = re.search(r"&width=(\d+)", link(visitor))
    return int(found[1]) if found else BEFORE


@pytest.mark.parametrize("knows", [True, False], ids=["with the value before", "with the page's own value"])
def test_a_resent_choice_is_not_undone_by_the_value_before_it(server: Server, knows: bool) -> None:
    with visiting(server.url) as visitor:
        visitor.open()
        old = [width(visitor, BEFORE)]
        resent = record(visitor, 1, width(visitor, CHOSEN))
        visitor.run([*(old if knows else []), resent])
        assert width_in_link(visitor) == CHOSEN
        visitor.run(old)
        visitor.run(old)
        assert width_in_link(visitor) == CHOSEN


def test_the_value_before_a_resent_choice_can_be_chosen_again(server: Server) -> None:
    with visiting(server.url) as visitor:
        visitor.open()
        old = width(visitor, BEFORE)
        visitor.run([old, record(visitor, 1, width(visitor, CHOSEN))])
        visitor.run([old, record(visitor, 2, old)])
        assert width_in_link(visitor) == BEFORE


def test_a_page_that_has_heard_of_a_resent_choice_is_believed(server: Server) -> None:
    with visiting(server.url) as visitor:
        visitor.open()
        visitor.run([width(visitor, BEFORE), record(visitor, 1, width(visitor, CHOSEN))])
        for value in (CHOSEN, LATER, BEFORE):
            visitor.run([width(visitor, value)])
            assert width_in_link(visitor) == value


def test_a_panel_opened_just_before_the_page_changes_is_open_on_the_return(server: Server) -> None:
    with visiting(server.url) as visitor:
        visitor.open("algorithms")
        opened = WidgetState(id=visitor.page.widget("algorithms overview open panel"), bool_value=True)
        train = next(each for each, path in visitor.pages.items() if not path or path == "train")
        visitor.ask([opened])
        while visitor._received().WhichOneof("type") != "delta":
            pass  # callbacks are called before the page is drawn
        visitor.ask(page_hash=train)
        visitor.answer()
        visitor.go("algorithms")
        assert "&overview=1" in link(visitor)


def test_a_resent_choice_of_a_page_that_was_left_stops_no_run(server: Server) -> None:
    with visiting(server.url) as visitor:
        visitor.open("algorithms")
        panel = visitor.page.widget("algorithms overview open panel")
        visitor.run([record(visitor, 1, WidgetState(id=panel, bool_value=True), "address: page algorithms")])
        visitor.run(page_hash=next(each for each, path in visitor.pages.items() if not path or path == "train"))
        run = visitor.run([WidgetState(id=panel, bool_value=False)])
        assert run.status == "FINISHED_SUCCESSFULLY"
        assert visitor.page.widget("embedding width")
    assert "Traceback" not in server.log_text()
