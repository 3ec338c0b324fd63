"""Heavy work is queued: order of the jobs, progress shown while waiting, and release of a slot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from bpe_core import BpeError, TrainConfig, train, train_wordpiece
from bpe_core.formats import to_bytes
from bpe_core.formats.training_file import save_training
from tests.app.pages import joined_texts as texts
from tests.app.pages import opened
from tests.app.sending import chosen
from tests.draws import first
from ui import cache
from ui.memory.cache import MEMORY
from ui.session import encode, vocabulary
from ui.session.items import _UNSENT
from ui.session.training import Source, digest_of
from ui.widgets import controls, opening, progress
from ui.work import work_queue
from ui.work.work_queue import WorkQueue

LONG = "low lower lowest " * (controls.HEAVY_TO_TRAIN // 16)


class Worker:
    """A heavy job in its own thread."""

    def __init__(self, turns: WorkQueue, who: str | None) -> None:
        self.positions: list[int] = []
        self._news: SimpleQueue[int] = SimpleQueue()
        self.is_waiting, self.has_turn, self.may_end = Event(), Event(), Event()
        self.is_gone = False
        self._turns = turns
        self._who = who
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            with self._turns.turn(self._who, self._wait):
                self.has_turn.set()
                self.may_end.wait()
        except ConnectionError:
            pass

    def _wait(self, before: int) -> None:
        if before not in self.positions:
            self.positions.append(before)
            self._news.put(before)
        self.is_waiting.set()
        if self.is_gone:
            raise ConnectionError

    def wait_for_position(self, before: int) -> None:
        while self._news.get() != before:
            pass

    def end(self) -> None:
        self.may_end.set()
        self._thread.join()

    def leave(self) -> None:
        """Abort while waiting."""
        self.is_gone = True
        self._thread.join()


def in_line(turns: WorkQueue, names: str) -> list[Worker]:
    """Workers queued in this order."""
    workers = []
    for name in names:
        workers.append(worker := Worker(turns, name))
        (worker.is_waiting if len(turns) > turns.at_once or len(workers) > turns.at_once else worker.has_turn).wait()
    return workers


def test_as_many_as_may_work_at_once_and_the_others_wait_in_their_order() -> None:
    first, second, third, fourth = workers = in_line(WorkQueue(2), "abcd")
    assert [worker.positions for worker in workers] == [[], [], [1], [2]]
    second.end()
    third.has_turn.wait()
    fourth.wait_for_position(1)
    assert not fourth.has_turn.is_set()
    first.end()
    fourth.has_turn.wait()
    assert fourth.positions == [2, 1]
    third.end()
    fourth.end()


def test_leaving_while_queued_releases_the_slot() -> None:
    turns = WorkQueue(1)
    first, second, third = in_line(turns, "abc")
    assert third.positions == [2]
    second.leave()
    assert len(turns) == 2
    first.end()
    third.has_turn.wait()
    third.end()
    assert len(turns) == 0


def test_an_interrupted_job_comes_back_to_its_place_and_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = WorkQueue(1)
    running, second, third = in_line(turns, "abc")
    second.leave()
    third.wait_for_position(1)
    back = Worker(turns, "b")
    back.wait_for_position(1)
    back.leave()
    running.end()
    third.has_turn.wait()
    back = Worker(turns, "b")  # it returns ahead of the worker that runs by now, but waits for it to end
    back.wait_for_position(1)
    fourth = Worker(turns, "d")
    fourth.wait_for_position(2)
    back.leave()
    monkeypatch.setattr(work_queue, "BACK_WITHIN", 0)
    late = Worker(turns, "b")
    late.wait_for_position(2)
    for worker in (third, fourth, late):
        worker.has_turn.wait()
        worker.end()
    assert len(turns) == 0


def test_work_that_fails_frees_its_place() -> None:
    turns = WorkQueue(1)
    with pytest.raises(ZeroDivisionError), turns.turn("a", lambda _: None):
        raise ZeroDivisionError
    assert len(turns) == 0


def test_a_visitor_has_so_many_places_and_is_told_the_limit_and_the_remedy() -> None:
    turns = WorkQueue(1, most_each=2)
    first, second = in_line(turns, "aa")
    with pytest.raises(BpeError) as refused, turns.turn("a", lambda _: None):
        pass
    assert refused.value.problem.startswith("2 of your")
    assert "2 at a time" in refused.value.limit
    assert refused.value.remedy
    other = Worker(turns, "b")
    other.is_waiting.wait()
    for worker in (first, second, other):
        worker.end()
    with turns.turn("a", lambda _: None):
        pass


# -- on the page ---------------------------------------------------------------------------------------------


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> WorkQueue:
    """A queue with one slot."""
    line = WorkQueue(1)
    monkeypatch.setattr(progress, "WORK_QUEUE", line)
    return line


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the progress bar."""
    words: list[str] = []
    draw = progress.TrainingBar._draw

    def draw_and_record(bar: progress.TrainingBar, share: float, text: str) -> None:
        draw(bar, share, text)
        words.append(text)

    monkeypatch.setattr(progress.TrainingBar, "_draw", draw_and_record)
    return words


@pytest.fixture
def busy(turns: WorkQueue) -> Iterator[list[Worker]]:
    """Two other heavy jobs in the queue."""
    workers = in_line(turns, "ab")
    yield workers
    for worker in workers:
        worker.may_end.set()


def train_on(app: AppTest, text: str) -> None:
    [area] = [each for each in app.text_area if each.label == "Your text"]
    area.set_value(text)
    [button] = [each for each in app.button if each.label == "Train on this text"]
    button.click().run()


def when_waiting(monkeypatch: pytest.MonkeyPatch, act: Callable[[int], Any]) -> None:
    """Call `act` whenever the page shows the position in the queue."""
    wait = progress.TrainingBar._wait

    def wait_and_act(bar: progress.TrainingBar, before: int) -> None:
        wait(bar, before)
        act(before)

    monkeypatch.setattr(progress.TrainingBar, "_wait", wait_and_act)


def interrupt(_: int) -> None:
    """End the run, as a click or a disconnect does; what is drawn by then stays."""
    raise StopException


def run_until_it_waits(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as waiting:
        when_waiting(waiting, interrupt)
        app.run()


def click_cancel(app: AppTest) -> None:
    [cancel] = [each for each in app.button if each.label == "Cancel"]
    cancel.click().run()
    assert not app.exception


def test_a_long_training_tells_how_many_are_before_it_and_is_made_in_its_turn(
    busy: list[Worker], shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    when_waiting(monkeypatch, lambda before: busy[2 - before].may_end.set())
    app = opened()
    train_on(app, LONG + "told")
    assert not app.exception
    waited = [words for words in shown if words.startswith("Waiting")]
    assert list(dict.fromkeys(waited)) == ["Waiting: 2 before you", "Waiting: 1 before you"]
    assert app.session_state["source"].text == LONG + "told"
    assert not any(each.label == "Cancel" for each in app.button)


def test_a_short_training_does_not_wait(busy: list[Worker], shown: list[str]) -> None:
    app = opened()
    train_on(app, "low lower lowest, and short")
    assert app.session_state["source"].text == "low lower lowest, and short"
    assert not shown


def test_a_training_that_is_at_hand_does_not_wait(turns: WorkQueue, shown: list[str]) -> None:
    first, second = opened(), opened()
    train_on(first, LONG + "shared")
    [worker] = in_line(turns, "a")
    train_on(second, LONG + "shared")
    worker.end()
    assert second.session_state["source"].text == LONG + "shared"
    assert not shown


def test_cancel_while_waiting_keeps_what_was_there_and_frees_the_place(
    busy: list[Worker], turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened()
    with monkeypatch.context() as waiting:
        when_waiting(waiting, interrupt)
        train_on(app, LONG + "cancelled")
    click_cancel(app)
    assert "The training was cancelled." in texts(app)
    assert "source" not in app.session_state
    assert len(turns) == 2


def test_a_click_elsewhere_while_waiting_cancels_nothing(
    busy: list[Worker], turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def click(_: int) -> None:
        clicks.append(len(turns))
        if len(clicks) == 1:
            st.rerun()
        for worker in busy:
            worker.may_end.set()

    clicks: list[int] = []
    when_waiting(monkeypatch, click)
    app = opened()
    train_on(app, LONG + "not cancelled")
    assert not app.exception
    assert clicks[:2] == [3, 3]
    assert app.session_state["source"].text == LONG + "not cancelled"
    assert "The training was cancelled." not in texts(app)


def test_a_visitor_who_leaves_while_waiting_frees_his_place(
    busy: list[Worker], turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    when_waiting(monkeypatch, interrupt)
    app = opened()
    train_on(app, LONG + "left")
    assert len(turns) == 2


def test_what_a_broken_connection_has_ended_is_made_when_the_visitor_is_back(
    busy: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened()
    with monkeypatch.context() as leaving:
        when_waiting(leaving, interrupt)
        train_on(app, LONG + "back")
    assert "source" not in app.session_state
    for worker in busy:
        worker.end()
    app.run()
    assert not app.exception
    assert app.session_state["source"].text == LONG + "back"
    assert "cancelled" not in texts(app)


def test_one_training_too_many_is_refused_and_what_was_there_stays(
    turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "visitor", lambda: "a")
    workers = in_line(turns, "aa")
    app = opened()
    train_on(app, LONG + "too many")
    for worker in workers:
        worker.end()
    assert not app.exception
    shown = texts(app)
    assert "2 of your trainings" in shown
    assert "A visitor can have 2 at a time." in shown
    assert "What was here before is kept." in shown


def fork(app: AppTest) -> tuple[int, int, int]:
    """Choose another pair than the rule, at step 2; return the choice."""
    source, config = app.session_state["source"], app.session_state["config"]
    row = cache.training(source, config).at(2).candidates(2)[1]
    app.session_state["forks"] = ((2, row.left, row.right),)
    app.session_state["step"] = 3
    return 2, row.left, row.right


def test_a_choice_against_the_rule_in_a_long_text_is_made_in_its_turn(
    turns: WorkQueue, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened()
    train_on(app, LONG + "forked in turn")
    [busy] = in_line(turns, "a")
    when_waiting(monkeypatch, lambda _: busy.may_end.set())
    choice = fork(app)
    app.run()
    assert not app.exception
    assert "Waiting: 1 before you" in shown
    assert app.session_state["forks"] == (choice,)
    assert "Your fork" in "".join(each.value for each in app.markdown)


def test_a_choice_against_the_rule_that_is_cancelled_is_undone(
    turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened()
    train_on(app, LONG + "fork cancelled")
    [busy] = in_line(turns, "a")
    with monkeypatch.context() as waiting:
        when_waiting(waiting, interrupt)
        fork(app)
        app.run()
    click_cancel(app)
    busy.end()
    assert "The training was cancelled." in texts(app)
    assert (app.session_state["forks"], app.session_state["step"]) == ((), 2)


def test_a_training_that_the_memory_gave_up_is_made_again_in_its_turn(
    turns: WorkQueue, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened()
    train_on(app, LONG + "given up")
    cache.training.forget()
    [busy] = in_line(turns, "a")
    when_waiting(monkeypatch, lambda _: busy.may_end.set())
    app.run()
    assert not app.exception
    assert "Waiting: 1 before you" in shown
    assert app.session_state["source"].text == LONG + "given up"


def test_a_training_that_is_made_again_and_cancelled_waits_for_a_click(
    turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened()
    train_on(app, LONG + "made again")
    cache.training.forget()
    [busy] = in_line(turns, "a")
    run_until_it_waits(app, monkeypatch)
    click_cancel(app)
    busy.end()
    assert "The training was cancelled." in texts(app)
    app.run()
    [again] = [each for each in app.button if each.label == "Train again"]
    again.click().run()
    assert "The training was cancelled." not in texts(app)
    assert app.session_state["source"].text == LONG + "made again"


def test_a_training_that_has_to_be_made_again_and_is_one_too_many_says_so(
    turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened()
    train_on(app, LONG + "again too many")
    cache.training.forget()
    monkeypatch.setattr(progress, "visitor", lambda: "a")
    workers = in_line(turns, "aa")
    app.session_state[_UNSENT] = {"set in a callback": 1}
    app.run()
    for worker in workers:
        worker.end()
    assert not app.exception
    assert "2 of your trainings" in texts(app)
    assert not app.session_state[_UNSENT]  # this page has ended as others do
    [again] = [each for each in app.button if each.label == "Train again"]
    again.click().run()
    assert "2 of your trainings" not in texts(app)


def test_one_who_waits_for_another_visitors_training_sees_it_and_can_cancel(
    turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, reports = Event(), Event(), []

    def hold(done: int, total: int) -> None:
        begun.set()
        go_on.wait()

    def report(bar: progress.TrainingBar, done: int, total: int, words: str) -> None:
        bar._draw(0.0, words)
        reports.append(words)
        interrupt(done)

    app = opened()
    other = Source("paste", "theirs", LONG + "the same")
    thread = Thread(target=lambda: cache.training(other, TrainConfig(), on_progress=hold), daemon=True)
    thread.start()
    begun.wait()
    with monkeypatch.context() as waiting:
        waiting.setattr(progress.TrainingBar, "report", report)
        train_on(app, LONG + "the same")
    click_cancel(app)
    go_on.set()
    thread.join()
    assert reports == ["Waiting: another visitor trains on the same text"]
    assert "The training was cancelled." in texts(app)
    assert len(turns) == 0


def test_a_long_comparison_waits_and_can_be_cancelled_on_its_own(
    busy: list[Worker], turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancel(_: int) -> None:
        st.session_state["comparison cancelled"] = asked
        st.rerun()

    app = opened().switch_page("pages/compare.py").run()
    app.session_state["compare text"] = LONG
    app.session_state["compare with"] = ["gpt2", "cl100k_base"]
    asked = f"{digest_of(LONG)} {('gpt2', 'cl100k_base')}"
    when_waiting(monkeypatch, cancel)
    app.run()
    assert not app.exception
    assert "The comparison was cancelled." in texts(app)
    assert len(turns) == 2
    for worker in busy:
        worker.end()
    [again] = [each for each in app.button if each.label == "Compare"]
    again.click().run()
    assert "The comparison was cancelled." not in texts(app)


def test_encoding_a_long_text_waits_and_can_be_cancelled(
    busy: list[Worker], turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened().switch_page("pages/encode.py").run()
    app.session_state["encoded text before the last key"] = encode.TEXT.default  # which is encoded
    app.session_state["encode text"] = LONG
    run_until_it_waits(app, monkeypatch)
    assert not app.exception
    assert "Waiting" in app.get("progress")[0].proto.text
    click_cancel(app)
    assert "Encoding was cancelled." in texts(app)
    assert len(turns) == 2
    for worker in busy:
        worker.may_end.set()
    [again] = [each for each in app.button if each.label == "Encode anyway"]
    again.click().run()
    assert "Encoding was cancelled." not in texts(app)
    assert any(f"{len(LONG):,} characters" in each.value for each in app.markdown)


def test_a_key_in_a_long_text_waits_for_nobody(turns: WorkQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened().switch_page("pages/encode.py").run()
    app.session_state["encode text"] = LONG
    app.run()
    workers = in_line(turns, "ab")
    when_waiting(monkeypatch, interrupt)
    app.session_state["encoded text before the last key"] = LONG
    app.session_state["encode text"] = LONG + "!"
    app.run()
    for worker in workers:
        worker.end()
    assert not app.get("progress")
    assert any(f"{len(LONG) + 1:,} characters" in each.value for each in app.markdown)


# -- files ---------------------------------------------------------------------------------------------------


WORDPIECE = to_bytes(train_wordpiece("low lower lowest hug hugs pug", 40).tokenizer(), format="wordpiece")


@pytest.fixture
def large_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every tokenizer file as large."""
    monkeypatch.setattr(opening, "HEAVY_TO_OPEN", 0)


def add_file(app: AppTest, title: str) -> None:
    """Add a tokenizer file on Compare that was never opened before."""
    [uploader] = [each for each in app.file_uploader if str(each.key).startswith("tokenizer upload")]
    uploader.set_value([(f"{title}.txt", WORDPIECE + f"{title}\n".encode(), "text/plain")]).run()
    assert not app.exception


def compare_page() -> AppTest:
    app = opened().switch_page("pages/compare.py").run()
    app.session_state["compare text"] = "low hugs"
    return app


def compared(app: AppTest) -> list[str]:
    return [name.rpartition(":")[2] for name in chosen(app, "compare with choice") if name.startswith("file:")]


def test_a_large_file_is_opened_in_its_turn(
    large_files: None, busy: list[Worker], shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    when_waiting(monkeypatch, lambda before: busy[2 - before].may_end.set())
    app = compare_page()
    add_file(app, "waits")
    assert "Waiting: 2 before you" in shown
    assert compared(app) == ["waits"]


def test_a_large_file_says_how_much_of_it_is_read(
    large_files: None, turns: WorkQueue, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_QUIET", 0.0)
    monkeypatch.setattr(progress, "_BETWEEN_REPORTS", 0.0)
    app = compare_page()
    add_file(app, "bar")
    captions = [words for words in shown if words.startswith("Opening file 1 of 1, 0 MB")]
    shares = [int(words.rpartition(": ")[2].removesuffix("% read")) for words in captions if "read" in words]
    assert len(set(shares)) > 2
    assert (shares, shares[-1]) == (sorted(shares), 100)
    assert compared(app) == ["bar"]


def test_a_file_that_is_being_read_can_be_cancelled_and_added_once_more(
    large_files: None, turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(bar: progress.TrainingBar, done: int, total: int, words: str) -> None:
        if done:
            reached.append((done, words))
            interrupt(done)

    reached: list[tuple[int, str]] = []
    app = compare_page()
    with monkeypatch.context() as reading:
        reading.setattr(progress.TrainingBar, "report", stop)
        add_file(app, "half-read")
    click_cancel(app)
    assert len(reached) == 1
    assert reached[0][1].startswith("Opening file 1 of 1, 0 MB: ")
    assert "The files were not opened: this was cancelled." in texts(app)
    assert compared(app) == []
    assert len(turns) == 0
    [button] = [each for each in app.button if each.label == "Add to the comparison"]
    button.click().run()
    assert compared(app) == ["half-read"]


def test_a_small_file_is_opened_at_once(busy: list[Worker], shown: list[str]) -> None:
    app = compare_page()
    add_file(app, "small")
    assert compared(app) == ["small"]
    assert not shown


def test_a_file_that_waits_can_be_cancelled_and_added_once_more(
    large_files: None, busy: list[Worker], turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = compare_page()
    with monkeypatch.context() as waiting:
        when_waiting(waiting, interrupt)
        add_file(app, "cancelled")
    click_cancel(app)
    assert "The files were not opened: this was cancelled." in texts(app)
    assert compared(app) == []
    assert len(turns) == 2
    for worker in busy:
        worker.end()
    [button] = [each for each in app.button if each.label == "Add to the comparison"]
    button.click().run()
    assert compared(app) == ["cancelled"]


def test_a_file_is_opened_when_a_visitor_is_back_whose_connection_broke(
    large_files: None, busy: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = compare_page()
    with monkeypatch.context() as leaving:
        when_waiting(leaving, interrupt)
        add_file(app, "back")
    for worker in busy:
        worker.end()
    app.run()
    assert compared(app) == ["back"]


@pytest.mark.parametrize("page", first(1, ["compare", "encode", "vocabulary", "pipeline"]))
def test_a_file_that_the_memory_gave_up_is_opened_again_in_its_turn(
    large_files: None, turns: WorkQueue, shown: list[str], monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    app = compare_page()
    add_file(app, f"given-up-{page}")
    [name] = [each for each in chosen(app, "compare with choice") if each.startswith("file:")]
    for key in ("encode with", "vocabulary of", "pipeline with"):
        app.session_state[key] = name
    MEMORY.forget()
    [worker] = in_line(turns, "a")
    when_waiting(monkeypatch, lambda _: worker.may_end.set())
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    assert "Waiting: 1 before you" in shown


def test_a_file_that_is_opened_again_and_cancelled_is_left_out(
    large_files: None, turns: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = compare_page()
    add_file(app, "left-out")

    MEMORY.forget()
    [worker] = in_line(turns, "a")
    run_until_it_waits(app, monkeypatch)
    click_cancel(app)
    worker.end()
    assert compared(app) == []
    assert "left-out" in texts(app)  # listed, so that it can be selected again


def test_a_saved_training_on_a_long_text_is_opened_in_its_turn(
    busy: list[Worker], shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    when_waiting(monkeypatch, lambda before: busy[2 - before].may_end.set())
    text = LONG + "saved"
    data = save_training(train(text), text)
    app = opened().switch_page("pages/vocabulary.py").run()
    app.session_state["training file to open"] = ("saved.json", data)
    app.run()
    assert not app.exception
    assert "Waiting: 2 before you" in shown
    assert app.session_state["source"].text == text


def with_first_merges() -> AppTest:
    """The Vocabulary page of GPT-2 after a training on a long text, its curve of the first merges open."""
    app = opened()
    train_on(app, LONG + "under fewer merges")
    app.session_state[vocabulary.VOCABULARY_OF.key] = "gpt2"
    app.session_state[vocabulary.FIRST_MERGES_OPEN.key] = True
    return app.switch_page("pages/vocabulary.py")


def test_the_tokens_of_a_long_text_over_the_merges_are_counted_in_their_turn_unless_cancelled(
    turns: WorkQueue, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = with_first_merges()
    [busy] = in_line(turns, "a")
    run_until_it_waits(app, monkeypatch)
    click_cancel(app)
    assert not app.session_state[vocabulary.FIRST_MERGES_OPEN.key]
    assert len(turns) == 1

    app.session_state[vocabulary.FIRST_MERGES_OPEN.key] = True
    when_waiting(monkeypatch, lambda _: busy.may_end.set())
    app.run()
    assert not app.exception
    assert "Waiting: 1 before you" in shown
    assert [each.label for each in app.select_slider] == ["Merges"]
