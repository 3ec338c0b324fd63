"""Memory limits of heavy work: each job and all jobs together are bounded, and each job finishes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from random import Random
from threading import Event, Lock, Thread

import pytest

from bpe_core import CorpusError, Tokenizer, TrainConfig, Training, compare, load_pretrained, pipeline, train
from bpe_core.formats import from_bytes
from bpe_core.work import SMALL, limit_work, taking
from tests.app.pages import opened, texts
from tests.app.test_compare_files import add
from tests.core.test_growth import written
from tests.draws import examples
from ui.memory.cache import WORK, Memory
from ui.memory.work import WorkLimit
from ui.work import work_queue
from ui.work.work_queue import WorkQueue

MB = 2**20
HOSTILE = written({"type": "Replace", "pattern": {"String": "a"}, "content": "b" * 10})
LONG = "a" * 4_500_000


@pytest.fixture
def limited() -> Iterator[Callable[[WorkLimit], WorkLimit]]:
    def limit(wanted: WorkLimit) -> WorkLimit:
        limit_work(wanted)
        return wanted

    yield limit
    limit_work(WORK)


def started(act: Callable[[], object]) -> Thread:
    thread = Thread(target=act, daemon=True)
    thread.start()
    return thread


def test_one_piece_has_its_share_and_what_is_around_it_counts() -> None:
    limit = WorkLimit(400 * MB)
    with limit(200 * MB), limit(100 * MB):
        assert limit.size == 300 * MB
        with pytest.raises(CorpusError) as refused, limit(2 * MB):
            pass
    assert refused.value.problem == "This would take about 302 MB of memory."
    assert refused.value.limit == "The server allows 300 MB for one piece of work."
    assert refused.value.remedy
    assert limit.size == 0


def test_what_does_not_fit_beside_others_waits_and_can_be_given_up() -> None:
    left: list[bool] = []

    def pause() -> None:
        if left:
            raise ConnectionError

    limit = WorkLimit(400 * MB, pause)
    began, gone = Event(), Event()

    def newcomer() -> None:
        try:
            with limit(90 * MB):
                began.set()
        except ConnectionError:
            gone.set()

    with limit(20 * MB):
        thread = started(newcomer)
        assert not began.wait(0.3)
        with limit(200 * MB):
            assert not began.is_set()
    assert began.wait(20)
    thread.join()
    began.clear()
    with limit(20 * MB):
        started(newcomer)
        left.append(True)
        assert gone.wait(20)
    assert limit.size == 0


def test_a_job_in_its_turn_does_not_wait_for_those_who_wait_for_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    limit, turns, done = WorkLimit(400 * MB), WorkQueue(1), Event()
    monkeypatch.setattr(work_queue, "WORK", limit)
    is_waiting = Event()

    def next_one() -> None:
        held = limit.holding(150 * MB)
        with turns.turn("b", lambda _: is_waiting.set()):
            assert held is not None

    def first() -> None:
        with turns.turn("a", lambda _: None):
            other = started(next_one)
            assert is_waiting.wait(20)
            with limit(200 * MB):
                done.set()
        other.join()

    thread = started(first)
    assert done.wait(20)
    thread.join(20)


def test_what_others_wait_for_does_not_wait_for_what_they_hold() -> None:
    limit, done = WorkLimit(400 * MB), Event()
    memory = Memory(400 * MB, idle=limit.idle)

    def made() -> int:
        other = started(waits)
        with limit(200 * MB):
            done.set()
        assert other
        return 1

    def waits() -> None:
        held = limit.holding(150 * MB)
        assert held is not None
        memory.get("result", lambda: 0)

    thread = started(lambda: memory.get("result", made))
    assert done.wait(20)
    thread.join(20)


def test_a_result_that_a_run_holds_counts_until_it_is_dropped() -> None:
    limit = WorkLimit(400 * MB)
    began = Event()

    def newcomer() -> None:
        with limit(90 * MB):
            began.set()

    held = limit.holding(200 * MB)
    assert limit.holding(SMALL) is None
    with limit(290 * MB):  # the run itself continues
        pass
    started(newcomer)
    assert not began.wait(0.3)
    del held
    assert began.wait(20)


def test_after_large_work_garbage_is_collected_and_after_small_work_not() -> None:
    ended: list[str] = []
    limit = WorkLimit(400 * MB, large_ended=lambda: ended.append("large"))
    with limit(20 * MB):
        pass
    assert not ended
    with pytest.raises(ZeroDivisionError), limit(30 * MB):
        raise ZeroDivisionError
    assert ended == ["large"]


def test_caches_make_room_for_work() -> None:
    memory = Memory(100 * MB)
    limit = WorkLimit(100 * MB, make_room=memory.leave_room)
    for key in range(4):
        memory.get(key, lambda: bytes(20 * MB))
    memory.settle()
    assert memory.size > 79 * MB
    with limit(50 * MB):
        assert memory.size < 51 * MB
    memory.get("new", lambda: bytes(40 * MB))
    memory.settle()
    assert memory.size > 79 * MB


@pytest.mark.parametrize("seed", range(examples(8)))
def test_random_pieces_all_end_and_never_take_more_than_both_shares(seed: int) -> None:
    limit = WorkLimit(400 * MB)
    most, lock = 0, Lock()

    def piece(random: Random) -> None:
        nonlocal most
        with ExitStack() as stack:
            for _ in range(random.randrange(1, 5)):
                try:
                    stack.enter_context(limit(random.randrange(SMALL, 150 * MB)))
                except CorpusError:
                    break
                with lock:
                    most = max(most, limit.size)
                Event().wait(random.random() / 500)

    threads = [started(lambda each=each: piece(Random(f"{seed} {each}"))) for each in range(12)]  # type: ignore[misc]
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert limit.size == 0
    assert most <= limit.most + limit.together


class Recorded(WorkLimit):
    """A limit that records the requested amounts."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.sizes: list[int] = []

    def __call__(self, size: int) -> AbstractContextManager[None]:
        self.sizes.append(size)
        return super().__call__(size)


def test_every_stage_of_the_core_says_what_it_takes(limited: Callable[[WorkLimit], WorkLimit]) -> None:
    limit = Recorded(1024 * MB)
    limited(limit)
    text = "low lower " * 20_000
    compare(text, {"GPT-2": load_pretrained("gpt2"), "BERT": load_pretrained("bert-base-uncased")})
    assert max(limit.sizes) > 50 * len(text)
    assert limit.size == 0
    limit_work(None)
    with taking(10**15):
        pass


TEXT_OF_LETTERS = "".join(Random(1).choices("abcdefgh", k=200_000))


@pytest.mark.parametrize(
    ("take", "least"),
    [
        (lambda text, trained: train(text, trained.config), 50),
        (lambda text, trained: trained.symbols(), 28),
        (lambda text, trained: trained.at(5).corpus, 10),
        (lambda text, trained: trained.at(5).pairs, 20),
        (lambda text, trained: trained.at(5).frequent_words(1), 20),
    ],
    ids=["training", "text", "step", "pairs", "words"],
)
def test_every_stage_of_a_training_says_what_it_takes(
    take: Callable[[str, Training], object], least: int, limited: Callable[[WorkLimit], WorkLimit]
) -> None:
    trained = train(TEXT_OF_LETTERS, TrainConfig(split="none", vocab_size=270))
    limit = Recorded(1024 * MB)
    limited(limit)
    take(TEXT_OF_LETTERS, trained)
    assert max(limit.sizes) >= least * len(TEXT_OF_LETTERS)
    assert limit.size == 0


def test_a_training_that_would_take_too_much_is_refused_in_a_sentence(
    limited: Callable[[WorkLimit], WorkLimit],
) -> None:
    app = opened("train", "corpus=low&split=none")
    limited(WorkLimit(8 * MB))
    next(each for each in app.text_area if each.label == "Your text").set_value(TEXT_OF_LETTERS)
    next(each for each in app.button if each.label == "Train on this text").click().run(timeout=120)
    assert not app.exception
    assert any(each.startswith("This would take about ") for each in texts(app))
    assert "The server allows 6 MB for one piece of work." in texts(app)


def test_a_small_tokenizer_that_makes_much_of_a_text_is_refused_in_a_sentence() -> None:
    app = opened("compare", "with=gpt2")
    add(app, ("hostile.json", HOSTILE))
    app.session_state["compare text"] = LONG
    app.run(timeout=120)
    assert not app.exception
    assert any(each.startswith("This would take about 1,") for each in texts(app))
    assert "The server allows 768 MB for one piece of work." in texts(app)


@pytest.mark.parametrize("take", [Tokenizer.encode, Tokenizer.trace, lambda chosen, text: pipeline(text, chosen)])
def test_so_it_is_wherever_a_text_is_normalized(
    take: Callable[[Tokenizer, str], object], limited: Callable[[WorkLimit], WorkLimit]
) -> None:
    limit = limited(WorkLimit(1024 * MB))
    with pytest.raises(CorpusError, match="This would take about 1,"):
        take(from_bytes(HOSTILE), LONG)
    assert limit.size == 0
