"""Memory held by an open page for its training, and by a disconnected session."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state import SessionState
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest

from bpe_core import CorpusError, TrainConfig, Training
from bpe_core.bpe.snapshot import Snapshot
from tests.app.live import Live, live_session, until
from tests.app.pages import opened, texts
from ui import cache
from ui.memory.cache import MEMORY
from ui.memory.visitors import Visitors
from ui.session import expiry
from ui.session.tokenizer_choice import TOKENIZER_FILES
from ui.session.tokenizer_files import TokenizerFile
from ui.session.training import Source
from ui.train.step import Step

TEXT = "low lower lowest, and what is given back " * 50


def opened_on(text: str, step: int) -> AppTest:
    app = opened()
    [area] = [each for each in app.text_area if each.label == "Your text"]
    area.set_value(text)
    [button] = [each for each in app.button if each.label == "Train on this text"]
    button.click().run()
    app.session_state["step"] = step
    return app.run()


def test_an_open_page_holds_no_training_that_the_memory_gave_up() -> None:
    app = opened_on(TEXT, 3)
    assert not app.exception
    source, config = app.session_state["source"], app.session_state["config"]
    kept: list[weakref.ref[object]] = [
        weakref.ref(cache.training(source, config)),
        weakref.ref(cache.snapshot(source, config, 3)),
        weakref.ref(cache.trained_tokenizer(source, config)),
    ]
    MEMORY.settle()
    MEMORY.forget()
    gc.collect()
    assert [each() for each in kept] == [None, None, None]
    assert not app.run().exception


def test_a_step_with_an_evicted_training_reruns_the_whole_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole page queues the training and shows its progress; a run of a step can do neither."""

    class RerunError(Exception):
        pass

    def rerun() -> None:
        raise RerunError

    made: list[Source] = []

    def train(source: Source, *_: object) -> Training:
        made.append(source)
        raise AssertionError("made in the middle of a step")

    step = Step(Source("paste", "", TEXT), TrainConfig(vocab_size=260), (), 1)
    assert step.training.merges
    assert step.now().number == 0
    cache.training.forget()
    monkeypatch.setattr("ui.train.step.st.rerun", rerun)
    monkeypatch.setattr(cache, "train", train)
    with pytest.raises(RerunError):
        step.now()
    assert not made


def test_what_a_part_of_the_page_needs_and_cannot_be_made_again_is_said_in_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> Snapshot:
        raise CorpusError("This would take about 842 MB of memory.")

    app = opened_on(TEXT, 3)
    MEMORY.forget()
    monkeypatch.setattr(cache, "snapshot", refused)
    app.run()
    assert not app.exception
    assert "This would take about 842 MB of memory." in texts(app)


def test_a_page_that_cannot_be_made_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise CorpusError("This would take about 842 MB of memory.")

    app = opened("vocabulary")
    monkeypatch.setattr("ui.vocabulary.page.show_vocabulary", refused)
    app.run()
    assert not app.exception
    assert "This would take about 842 MB of memory." in texts(app)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    def page() -> None:
        st.file_uploader("files", key="files", accept_multiple_files=True)

    with live_session(page, tmp_path) as live:
        live.send()
        until(live.ended, "the page is drawn")
        yield live


def upload(live: Live, session: str, name: str, data: bytes) -> WidgetState:
    """Upload a file; return the value of an uploader that shows it."""
    files: Any = live.runtime.uploaded_file_mgr
    files.add_file(session, UploadedFileRec(name, name, "text/plain", data))
    value = WidgetState(id=live.widget("files"))
    value.file_uploader_state_value.uploaded_file_info.add(file_id=name, name=name, size=len(data))
    return value


def test_a_session_holds_its_uploaded_files(live: Live) -> None:
    few = expiry.held_by(live.id)
    upload(live, live.id, "one", bytes(1_000))
    upload(live, "another", "two", b"12")
    assert expiry.held_by(live.id).size == few.size + 1_000


def test_files_are_in_use_while_an_uploader_shows_them_or_a_tokenizer_is_made_of_them(live: Live) -> None:
    shown = upload(live, live.id, "shown", b"a")
    upload(live, live.id, "dropped", b"b")
    upload(live, live.id, "of a tokenizer", data := b"of a tokenizer")
    live.send([shown])
    until(live.ended, "the page is drawn")
    live.session.session_state[TOKENIZER_FILES.key] = (TokenizerFile("a", (("vocab.txt", data),)),)
    assert expiry.files_in_use(live.id) == {"shown", "of a tokenizer"}


def test_a_disconnected_session_holds_its_text_and_its_page(live: Live) -> None:
    live.session.session_state["source"] = Source("paste", "", "")
    live.disconnect()
    few = expiry.held_by(live.id)
    live.session.session_state["source"] = Source("paste", "", "x" * 500_000)
    much = expiry.held_by(live.id)
    assert few.size >= expiry.PAGE
    assert much.size - few.size == pytest.approx(500_000, rel=0.05)
    assert not few.only_here
    assert not much.only_here


def test_what_no_address_says_is_only_in_the_session(live: Live) -> None:
    live.session.session_state["draft paste"] = "typed, and not yet trained on"
    assert expiry.held_by(live.id).only_here
    live.session.session_state["draft paste"] = ""
    assert not expiry.held_by(live.id).only_here


def test_a_session_that_is_gone_holds_nothing(live: Live) -> None:
    live.end()
    assert expiry.held_by(live.id) == expiry.Held(0)
    assert expiry.files_in_use(live.id) == set()


def test_a_session_that_stays_away_is_ended_and_one_that_has_just_come_back_is_not(live: Live) -> None:
    visitors = Visitors(0)
    visitors.in_loop = live.in_loop
    visitors._end(live.id)
    assert live.runtime.is_active_session(live.id)
    live.disconnect()
    visitors._end(live.id)
    assert expiry.held_by(live.id) == expiry.Held(0)


def test_a_session_that_cannot_be_read_just_now_counts_as_a_page(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run may still be ending and change its state; the watch over all other sessions continues."""

    class Changing(SessionState):
        @property
        def filtered_state(self) -> dict[str, Any]:
            raise RuntimeError("dictionary changed size during iteration")

    monkeypatch.setattr(live.session, "_session_state", Changing())
    assert expiry.held_by(live.id) == expiry.Held(expiry.PAGE)
