"""Memory held by an open page for its training, and by a disconnected session."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.state import SessionState
from streamlit.testing.v1 import AppTest

from bpe_core import CorpusError, TrainConfig, Training
from bpe_core.bpe.snapshot import Snapshot
from tests.app.pages import opened, texts
from ui import cache
from ui.memory.cache import MEMORY
from ui.session import expiry
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


def session_with(**values: object) -> SessionState:
    state = SessionState()
    for key, value in values.items():
        state[key.replace("_", " ")] = value
    return state


def held(
    state: SessionState | None,
    monkeypatch: pytest.MonkeyPatch,
    uploaded: Mapping[str, Mapping[str, object]] = MappingProxyType({}),
) -> expiry.Held:
    """The holdings that a server reports for this session, or for none; `uploaded`: files by session."""
    info = state and SimpleNamespace(session=SimpleNamespace(session_state=state))
    manager = SimpleNamespace(get_session_info=lambda _: info)
    instance = SimpleNamespace(_session_mgr=manager, uploaded_file_mgr=SimpleNamespace(file_storage=uploaded))
    runtime = SimpleNamespace(exists=lambda: True, instance=lambda: instance)
    monkeypatch.setattr(expiry, "Runtime", runtime)
    return expiry.held_by("a session")


def test_a_session_holds_its_uploaded_files(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a session": {"one": SimpleNamespace(data=bytes(1_000))}, "another": {"two": SimpleNamespace(data=b"12")}}
    few = held(session_with(step=3), monkeypatch)
    assert held(session_with(step=3), monkeypatch, files).size == few.size + 1_000


def test_a_session_holds_its_text_and_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    few = held(session_with(step=3), monkeypatch)
    much = held(session_with(source=Source("paste", "", "x" * 500_000)), monkeypatch)
    assert few.size >= expiry.PAGE
    assert much.size - few.size == pytest.approx(500_000, rel=0.05)
    assert not few.only_here
    assert not much.only_here


def test_what_no_address_says_is_only_in_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    assert held(session_with(draft_paste="typed, and not yet trained on"), monkeypatch).only_here
    assert not held(session_with(draft_paste=""), monkeypatch).only_here


def test_a_session_that_is_gone_holds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert held(None, monkeypatch) == expiry.Held(0)


def test_a_session_that_cannot_be_read_just_now_counts_as_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run may still be ending and change its state; the watch over all other sessions continues."""

    class Changing(SessionState):
        @property
        def filtered_state(self) -> dict[str, Any]:
            raise RuntimeError("dictionary changed size during iteration")

    assert held(Changing(), monkeypatch) == expiry.Held(expiry.PAGE)
