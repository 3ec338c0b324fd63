"""Messages sent or handled late do no harm: each fits the elements sent before it, and none is lost."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.serving import Server, served_app
from tests.forged.visitor import PATIENCE, Visitor, visiting

LATE = 2
"""Seconds for which messages are held back; the fragment takes a tenth of a second."""

BUSY = 1
"""Seconds for which the server neither handles nor sends messages; several times as long as the fragment takes."""

MAIN = 0
"""The first number of a delta path in the main area of the page."""


@contextmanager
def machine(tmp_path: Path, *faults: str) -> Iterator[Server]:
    with served_app(tmp_path, module="tests.faults.broken_machine", arguments=faults) as server:
        yield server


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with machine(tmp_path_factory.mktemp("late"), "--late", str(LATE)) as server:
        yield server


@contextmanager
def on_vocabulary(server: Server) -> Iterator[tuple[Visitor, str]]:
    """A session on the Vocabulary page, and a fragment there."""
    with visiting(server.url) as visitor:
        visitor.open("vocabulary")
        yield visitor, visitor.page.fragments[visitor.page.widget("show all")]


def ask(visitor: Visitor, fragment: str) -> None:
    """Request a run of a fragment, as a browser that still has the elements of the page."""
    message = BackMsg()
    message.rerun_script.page_script_hash = visitor.page_hash
    message.rerun_script.fragment_id = fragment
    message.rerun_script.cached_message_hashes.extend(visitor.cached)
    visitor.send(message)


def received(visitor: Visitor, last: str) -> list[ForwardMsg]:
    """Messages received up to one of this type."""
    messages = [ForwardMsg.FromString(visitor.socket.recv(PATIENCE, decode=False))]
    while messages[-1].WhichOneof("type") != last:
        messages.append(ForwardMsg.FromString(visitor.socket.recv(PATIENCE, decode=False)))
    return messages


def without_place(messages: list[ForwardMsg]) -> list[list[int]]:
    """Places in a fragment whose container, or whose preceding element, has not been sent since its run began."""
    drawn: set[tuple[int, ...]] = set()
    lost = []
    for message in messages:
        place = tuple(message.metadata.delta_path)
        if message.HasField("new_session"):
            drawn.clear()
        elif place[:1] == (MAIN,):
            before = (*place[:-1], place[-1] - 1) if place[-1] else place[:-1]
            if drawn and before not in drawn:
                lost.append([*place])
            drawn.add(place)
    return lost


def test_a_fragment_that_is_drawn_again_before_it_was_sent_fits_the_page(late: Server) -> None:
    with on_vocabulary(late) as (visitor, fragment):
        ask(visitor, fragment)
        messages = received(visitor, "new_session")  # the run has started; the rest of it is held back
        ask(visitor, fragment)
        for _ in range(2):
            messages += received(visitor, "script_finished")
    assert any(message.HasField("ref_hash") for message in messages)
    assert without_place(messages) == []


def test_what_a_run_drew_is_sent_although_the_next_began_before_the_server_had_time_to_send_it(tmp_path: Path) -> None:
    with machine(tmp_path, "--busy", str(BUSY)) as busy, on_vocabulary(busy) as (visitor, fragment):
        runs = [visitor.run(fragment=fragment)]
        ask(visitor, fragment)
        ask(visitor, fragment)  # handled after the previous run has ended
        runs += [visitor.answer(), visitor.answer()]
    assert [run.text() for run in runs[1:]] == [runs[0].text()] * 2


def test_the_addresses_that_an_uploader_asks_for_are_sent_although_the_page_runs_again_before(late: Server) -> None:
    with on_vocabulary(late) as (visitor, _):
        visitor.ask()
        received(visitor, "new_session")  # the run has started; the rest of it is held back
        request = BackMsg()
        request.file_urls_request.request_id = "of two files"
        request.file_urls_request.file_names.extend(["one.txt", "two.txt"])
        request.file_urls_request.session_id = visitor.session
        visitor.send(request)
        visitor.ask()
        messages = received(visitor, "script_finished")
        visitor.send(BackMsg(app_heartbeat=True))
        messages += received(visitor, "heartbeat_ack")
    answers = [each.file_urls_response for each in messages if each.HasField("file_urls_response")]
    assert [(each.response_id, len(each.file_urls)) for each in answers] == [("of two files", 2)]
