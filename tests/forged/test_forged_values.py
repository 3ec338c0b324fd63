"""Forged browser messages cause no traceback, no exception on a page, and no effect on other sessions.

More of the same: python -m tests.forged.fuzz --seed 2 --rounds 1000
"""

import json
import urllib.error
import urllib.request
from random import Random

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from tests.browser.serving import Server
from tests.draws import examples
from tests.forged.forgery import CODES, FORMS
from tests.forged.fuzz import OF_LINKS, PATHS, fuzz
from tests.forged.visitor import Visitor, visiting
from ui.session.choices import PAGES

ROUNDS = examples(24)


def shown_step(visitor: Visitor) -> int:
    [player] = [each for each in visitor.run().of("bidi_component") if each.id.endswith("-player")]
    return json.loads(player.json)[2]["step"]


def log_since(server: Server, before: int) -> str:
    """The log from this offset on; complete once every session is closed."""
    server.wait_until_left()
    return server.log_text()[before:]


@pytest.mark.parametrize("page", PATHS)
def test_forged_values_for_every_widget_of_a_page_change_nothing_and_leave_no_traceback(
    server: Server, page: str, rng: Random
) -> None:
    assert not fuzz(server, rng.randrange(2**32), rounds=ROUNDS, pages=[page])


@pytest.mark.parametrize("page", PATHS)
def test_every_name_of_a_link_takes_a_forged_value_without_a_traceback(server: Server, page: str, rng: Random) -> None:
    before = len(server.log_text())
    names = [*OF_LINKS, *(choice.name for choice in PAGES[page])]
    for name in rng.sample(names, examples(len(names))):
        with visiting(server.url) as visitor:
            query = f"{name}{rng.choice(FORMS)}={rng.choice(CODES)}"
            assert not visitor.open("" if page == "train" else page, query).exceptions, query
    assert "Traceback" not in log_since(server, before)


def test_a_value_that_a_widget_cannot_have_leaves_the_one_that_it_has(server: Server) -> None:
    before = len(server.log_text())
    with visiting(server.url) as visitor:
        visitor.open("vocabulary")
        find = visitor.page.widget("find tokens")
        visitor.run([WidgetState(id=find, string_value="the")])
        kept = visitor.run().text()
        run = visitor.run([WidgetState(id=find, int_value=7)])
        assert run.text() == kept
    log = log_since(server, before)
    assert log.count("int_value, not string_value") == 1
    assert "Traceback" not in log


def test_no_browser_can_empty_the_caches_and_sessions_of_the_server(server: Server) -> None:
    with visiting(server.url) as visitor:
        visitor.open()
        visitor.step_to(5)
        visitor.send(BackMsg(clear_cache=True))
        assert shown_step(visitor) == 5


@pytest.mark.parametrize("frame", ["a text", b"\xff\xff\xff no message", b"\x08"])
def test_a_frame_that_is_no_message_ends_its_connection_with_one_line(server: Server, frame: str | bytes) -> None:
    before = len(server.log_text())
    with visiting(server.url) as visitor:
        visitor.open()
        visitor.socket.send(frame)
        with pytest.raises(ConnectionClosed):
            visitor.answers()
    log = log_since(server, before)
    assert log.count("no message") == 1
    assert "Traceback" not in log


# -- files ---------------------------------------------------------------------------------------------------------


def test_a_file_of_an_ending_that_the_uploader_does_not_take_is_left_out(server: Server) -> None:
    before = len(server.log_text())
    with visiting(server.url) as visitor:
        visitor.open()
        run = visitor.run([visitor.upload("lesson file", "program.exe", b"MZ")])
        assert not run.exceptions
    assert "Traceback" not in log_since(server, before)


def test_another_sessions_file_is_left_out(server: Server) -> None:
    before = len(server.log_text())
    with visiting(server.url) as owner, visiting(server.url) as thief:
        owner.open()
        thief.open()
        text = "only its owner may read this. " * 9
        state = owner.upload("upload", "own.txt", text.encode())
        run = thief.run([state])
        assert not run.exceptions
        assert text not in run.text()
    log = log_since(server, before)
    assert "files that were not uploaded" in log
    assert "Traceback" not in log


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=none", "text/plain", ""])
def test_an_upload_that_is_no_form_is_refused(server: Server, kind: str) -> None:
    before = len(server.log_text())
    with visiting(server.url) as visitor:
        visitor.open()
        with pytest.raises(urllib.error.HTTPError, match="400"):
            visitor.put(visitor.file_urls("own.txt").upload_url, b"\xff no form", kind)
    assert "Traceback" not in log_since(server, before)
