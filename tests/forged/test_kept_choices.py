"""The latest value wins: a choice that a reloaded page sends again, or a value that Python sets, although the page's
next messages still hold the previous value, and a choice made just before the page changes.
"""

import re
from base64 import b64encode
from typing import Any

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState

from bpe_core.payloads.frames import unframe
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


def _field(visitor: Visitor) -> Any:
    """The number field of the width, as it was last drawn."""
    [field] = [each for each in visitor.page.of("number_input") if each.id == visitor.page.widget("embedding width")]
    return field


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


def test_a_resent_choice_that_travels_with_a_step_is_drawn_too(server: Server) -> None:
    with visiting(server.url) as visitor:
        visitor.open()
        player = visitor.page.widget("player")
        events = _json([{"event": "acts", "value": ["a tab", [[1, "move", [3, False]]]]}])
        step = WidgetState(id=_make_trigger_id(player, "events"), json_trigger_value=events)
        sent = [width(visitor, BEFORE), step, record(visitor, 1, width(visitor, CHOSEN))]
        visitor.run(sent, fragment=visitor.page.fragments[player])
        assert (_field(visitor).set_value, _field(visitor).value) == (True, CHOSEN)


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


@pytest.mark.parametrize("recorded", [True, False])
def test_a_choice_made_while_the_answer_with_another_one_is_on_its_way_is_sent_after_it(
    server: Server, recorded: bool
) -> None:
    with visiting(server.url) as visitor:
        visitor.open()
        visitor.run([width(visitor, BEFORE), record(visitor, 1, width(visitor, CHOSEN))])
        chosen = [width(visitor, LATER)]
        visitor.run([*chosen, record(visitor, 2, chosen[0])] if recorded else chosen)
        assert (_field(visitor).set_value, _field(visitor).value) == (True, LATER)
        visitor.run([width(visitor, CHOSEN)])  # the answer came after the choice, and replaced it
        assert width_in_link(visitor) == LATER
        assert (_field(visitor).set_value, _field(visitor).value) == (True, LATER)
        visitor.run(chosen)
        assert not _field(visitor).set_value
        visitor.run([width(visitor, CHOSEN)])
        assert width_in_link(visitor) == CHOSEN


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


SEARCHED = "ab"


def searching(visitor: Visitor, text: str) -> WidgetState:
    return WidgetState(id=visitor.page.widget("find tokens"), string_value=text)


def clicked(visitor: Visitor, key: str) -> WidgetState:
    return WidgetState(id=visitor.page.widget(key), trigger_value=True)


def shows(visitor: Visitor) -> str | None:
    """Query of the tokens' part of the address."""
    found = re.search(r"&find=(\w+)", link(visitor))
    return found[1] if found else None


def test_what_a_button_sets_is_not_undone_by_the_value_before_it_and_is_sent_until_the_page_has_heard(
    server: Server,
) -> None:
    with visiting(server.url) as visitor:
        visitor.open("vocabulary", "find=ab")
        old = searching(visitor, SEARCHED)
        visitor.run([old])
        assert shows(visitor) == SEARCHED
        for values in ([old, clicked(visitor, "show all")], [old], [old]):
            visitor.run(values)
            assert shows(visitor) is None
            [field] = visitor.page.of("text_input")
            assert (field.set_value, field.value) == (True, "")
        visitor.run([searching(visitor, "")])
        assert not visitor.page.of("text_input")[0].set_value
        visitor.run([old])
        assert shows(visitor) == SEARCHED


def test_the_value_before_what_a_button_sets_can_be_chosen_again(server: Server) -> None:
    with visiting(server.url) as visitor:
        visitor.open("vocabulary", "find=ab")
        old = searching(visitor, SEARCHED)
        visitor.run([old, clicked(visitor, "show all")])
        visitor.run([old, record(visitor, 1, old, "address: page vocabulary")])
        assert shows(visitor) == SEARCHED


def test_a_text_that_was_typed_before_a_button_set_another_one_does_not_replace_it(server: Server) -> None:
    """Streamlit calls the callback of a button before those of components in the same message."""
    with visiting(server.url) as visitor:
        visitor.open("encode", "text=Hi")
        area = next(each for each in visitor.page.of("bidi_component") if each.id.endswith("-encode text area"))
        events = _json(
            [{"event": "acts", "value": ["a tab", [[1, "typed", [unframe(area.bytes)[0]["push"], "Hi there"]]]]}]
        )
        typed = WidgetState(id=_make_trigger_id(area.id, "events"), json_trigger_value=events)
        visitor.run([clicked(visitor, "training text"), typed])
        assert "text=Hi" not in visitor.run().text()
