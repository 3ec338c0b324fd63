"""The memory shared by all caches: retention, order of eviction, waiting threads, and values of closed sessions."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping
from threading import Event, Thread
from time import sleep
from typing import Any

import numpy as np
import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage

from bpe_core import ConfigError, TrainConfig, train
from ui import cache
from ui.memory.cache import LONG, Memory, cached, weakly_cached
from ui.memory.limit import LEAST_MB, limit_of
from ui.memory.sizes import SAMPLE, size_of
from ui.memory.visitors import AWAY, MOST_AWAY, Held, Visitors
from ui.memory.work import WorkLimit
from ui.session.training import Source

KB, MB = 2**10, 2**20


def block(size: int = 100 * KB) -> Callable[[], bytes]:
    return lambda: bytes(size)


def fails() -> bytes:
    raise AssertionError("made again")


def in_thread(act: Callable[[], Any]) -> tuple[Thread, list[Any]]:
    """Start a thread; return it and the list that receives its result."""
    got: list[Any] = []
    thread = Thread(target=lambda: got.append(act()), daemon=True)
    thread.start()
    return thread, got


def test_a_value_is_made_once_and_handed_out_itself() -> None:
    memory = Memory(1_000 * KB)
    first = memory.get("key", lambda: [1, 2])
    assert memory.get("key", fails) is first
    assert memory.peek("key") is first
    assert memory.peek("another") is None


def test_what_was_not_asked_for_the_longest_goes_first() -> None:
    memory = Memory(350 * KB)
    for key in "abc":
        memory.get(key, block())
    memory.get("a", fails)
    memory.get("d", block())
    memory.settle()
    assert memory.names() == ["c", "a", "d"]
    assert memory.size <= memory.limit


def test_all_kinds_of_values_share_the_limit() -> None:
    memory = Memory(300 * KB)
    memory.get("array", lambda: np.zeros(200 * KB, np.uint8))
    memory.get("text", lambda: "x" * 200 * KB)
    memory.settle()
    assert memory.names() == ["text"]


def test_what_is_larger_than_all_is_handed_out_and_not_kept() -> None:
    memory = Memory(300 * KB)
    memory.get("small", block())
    assert len(memory.get("large", block(400 * KB))) == 400 * KB
    memory.settle()
    assert "large" not in memory.names()
    assert memory.size <= memory.limit


def test_what_grows_by_being_used_is_measured_again() -> None:
    memory = Memory(10_000 * KB)
    value = memory.get("key", lambda: [b""])
    memory.settle()
    before = memory.size
    value.append(bytes(500 * KB))
    for _ in range(10):
        memory.get("key", fails)
    memory.settle()
    assert memory.size - before > 500 * KB


def test_visitors_who_ask_at_the_same_time_get_one_value() -> None:
    memory = Memory(1_000 * KB)
    begun, go_on = Event(), Event()

    def make() -> object:
        begun.set()
        go_on.wait()
        return object()

    maker, first = in_thread(lambda: memory.get("key", make))
    begun.wait()
    waiters = [in_thread(lambda: memory.get("key", fails)) for _ in range(5)]
    go_on.set()
    for thread in (maker, *(thread for thread, _ in waiters)):
        thread.join()
    assert all(got[0] is first[0] for _, got in waiters)


def test_what_is_made_with_itself_is_made() -> None:
    memory = Memory(1_000 * KB)
    assert memory.get("key", lambda: memory.get("key", lambda: "inner") + " and outer") == "inner and outer"


def test_the_thread_that_made_a_value_is_not_kept_with_it() -> None:
    """A script's thread holds its whole session."""
    memory = Memory(1_000 * KB)
    thread, _ = in_thread(lambda: memory.get("key", block()))
    thread.join()
    gone = weakref.ref(thread)
    del thread, _
    gc.collect()
    assert gone() is None


def test_when_one_fails_the_next_who_waits_makes_it() -> None:
    memory = Memory(1_000 * KB)
    begun, go_on = Event(), Event()

    def cancelled() -> str:
        begun.set()
        go_on.wait()
        raise KeyboardInterrupt

    def first() -> str:
        try:
            return memory.get("key", cancelled)
        except KeyboardInterrupt:
            return "cancelled"

    maker, failed = in_thread(first)
    begun.wait()
    waiter, got = in_thread(lambda: memory.get("key", lambda: "made"))
    go_on.set()
    maker.join()
    waiter.join()
    assert (failed, got) == (["cancelled"], ["made"])
    assert memory.get("key", fails) == "made"


def test_many_threads_keep_the_count_right() -> None:
    memory = Memory(500 * KB)
    threads = [
        in_thread(lambda i=i: [memory.get((i + j) % 30, block(20 * KB)) for j in range(200)])[0]  # type: ignore[misc]
        for i in range(8)
    ]
    for thread in threads:
        thread.join()
    memory.settle()
    memory.settle()  # values requested while the first one ended
    assert memory.size <= memory.limit
    memory.forget()
    assert (memory.size, memory.names()) == (0, [])


# -- values of closed sessions -------------------------------------------------------------------------------


def test_what_only_a_visitor_who_left_asked_for_is_given_back() -> None:
    who = ["ann"]
    memory = Memory(3_200 * KB, lambda: who[0])
    for number in range(5):
        memory.get(("ann's", number), block())
    memory.get("both's", block())
    who[0] = "bob"
    memory.get("both's", fails)
    memory.settle()
    assert memory.leave({"ann"})
    assert "both's" in memory.names()
    assert memory.size <= memory.limit // 32 + 101 * KB  # bob's share
    memory.leave({"ann", "bob"})
    assert memory.size <= memory.limit // 32
    assert not memory.leave({"ann", "bob"})


def test_what_a_visitor_left_and_could_not_be_made_again_goes_last() -> None:
    memory = Memory(3_200 * KB, lambda: "ann")
    memory.get("text", lambda: "x" * 90 * KB, only_here=True)
    for number in range(5):
        memory.get(number, block())
    memory.settle()
    memory.leave({"ann"})
    assert memory.names() == ["text"]


class Value:
    """A value that supports weak references."""


class Holder:
    """A long-lived object of a page."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    @weakly_cached
    def value(self) -> Value:
        """Value stored in the memory."""
        return self._memory.get("value", Value)


def test_what_a_page_has_looked_up_goes_with_the_memory_and_is_looked_up_again() -> None:
    memory = Memory(1_000 * KB)
    page = Holder(memory)
    first = weakref.ref(page.value)
    assert page.value is first()
    memory.settle()
    memory.forget()
    gc.collect()
    assert first() is None
    assert page.value is memory.peek("value")


def test_values_used_by_a_run_stay_referenced_until_it_ends() -> None:
    """A value larger than the whole memory is not recomputed at each use within a page."""
    run = [object()]
    memory = Memory(300 * KB, run=lambda: run[0])
    page = Holder(memory)
    first = weakref.ref(page.value)
    memory.settle()
    memory.forget()
    assert page.value is first()
    assert memory.get("value", fails) is first()
    run[0] = object()
    memory.get("another", block())
    memory.settle()
    gc.collect()
    assert first() is None


def test_the_last_run_of_a_thread_holds_nothing_once_the_thread_has_ended() -> None:
    run = object()
    memory = Memory(300 * KB, run=lambda: run)
    held: list[Any] = []
    thread, _ = in_thread(lambda: held.append(weakref.ref(memory.get("value", Value))))
    thread.join()
    memory.settle()
    memory.forget()
    gc.collect()
    assert held[0]() is None


def test_one_who_waits_for_what_another_makes_can_be_called_away() -> None:
    begun, go_on = Event(), Event()

    def make() -> str:
        begun.set()
        go_on.wait()
        return "made"

    def click() -> None:
        raise ConnectionError

    memory = Memory(1_000 * KB, pause=click)
    maker, got = in_thread(lambda: memory.get("key", make))
    begun.wait()
    with pytest.raises(ConnectionError):
        memory.get("key", fails)
    calls: list[str] = []
    patient = Memory(1_000 * KB)
    begun.clear()
    other, _ = in_thread(lambda: patient.get("key", make))
    begun.wait()

    def tell() -> None:
        calls.append("waiting")
        go_on.set()

    assert patient.get("key", fails, waiting=tell) == "made"
    assert calls
    for thread in (maker, other):
        thread.join()
    assert got == ["made"]


# -- disconnected sessions -----------------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Class:
    """Sessions, some of them disconnected; what each one holds, and which were ended."""

    def __init__(self, names: str, limit: int = 1_000) -> None:
        self.clock = Clock()
        self.there = set(names)
        self.ended: list[str] = []
        self.notified: list[set[str]] = []
        self.holds: dict[str, Held] = {}
        self.visitors = Visitors(limit, lambda name: self.holds.get(name, Held(0)), self.clock)
        self.visitors.on_disconnect(self._tell)
        for name in names:
            self.visitors.came(name)

    def _tell(self, away: Collection[str]) -> bool:
        self.notified.append(set(away))
        return False

    def look(self, at: float) -> list[str]:
        self.clock.now = at
        return self.visitors.look(self.there.__contains__, self.ended.append)


def test_a_visitor_who_was_away_for_long_is_gone_and_one_who_came_back_is_not() -> None:
    visitors = Class("abe")
    visitors.there = {"a", "b"}
    assert not visitors.look(AWAY - 1)
    visitors.there = {"a", "e"}  # one reconnects, another one disconnects
    assert not visitors.look(AWAY)
    assert visitors.look(2 * AWAY) == ["b"]
    assert visitors.ended == ["b"]


def test_caches_are_notified_of_all_disconnected_sessions() -> None:
    visitors = Class("abc")
    visitors.look(1)
    assert visitors.notified == []
    visitors.there = {"a"}
    visitors.look(2)
    visitors.there = {"a", "b"}
    visitors.look(AWAY + 3)
    assert visitors.notified == [{"b", "c"}, {"c"}]


def test_oldest_disconnected_sessions_end_first_under_memory_pressure() -> None:
    visitors = Class("abcd")
    visitors.holds = {name: Held(400) for name in "abcd"}
    assert not visitors.look(1)  # all are connected, whatever they hold
    for at, name in enumerate("abc", 2):
        visitors.there.remove(name)
        visitors.look(at)
    assert visitors.ended == ["a"]


def test_sessions_with_unsaved_state_end_last() -> None:
    visitors = Class("abc")
    visitors.holds = {"a": Held(400, only_here=True), "b": Held(400), "c": Held(400)}
    for at, name in enumerate("abc", 1):
        visitors.there.remove(name)
        visitors.look(at)
    assert visitors.ended == ["b"]


def test_no_more_are_kept_than_streamlit_keeps() -> None:
    names = "".join(map(chr, range(0x4E00, 0x4E00 + MOST_AWAY + 1)))
    visitors = Class(names)
    visitors.look(1)
    visitors.there = set()
    visitors.look(2)
    assert len(visitors.ended) == 1
    assert MemorySessionStorage()._cache.maxsize > MOST_AWAY  # type: ignore[attr-defined]


def test_none_is_not_a_session() -> None:
    clock = Clock()
    visitors = Visitors(0, clock=clock)
    visitors.came(None)
    clock.now = 10 * AWAY
    assert not visitors.look(lambda _: False, lambda _: None)


# -- sizes ---------------------------------------------------------------------------------------------------


def test_an_array_counts_with_what_it_is_a_view_of() -> None:
    whole = np.zeros(100 * KB, np.uint8)
    assert size_of(whole[10:20]) >= 100 * KB
    assert size_of([whole[:10], whole[10:20]]) < 110 * KB


def test_a_long_list_is_measured_by_a_part_of_it() -> None:
    many = [bytes([i % 256]) * KB for i in range(10 * SAMPLE)]
    assert size_of(many) == pytest.approx(10 * SAMPLE * KB, rel=0.1)


class Growing(dict[int, bytes]):
    """A dict to which another thread adds a member while its first reader looks at it."""

    def __iter__(self) -> Iterator[int]:
        for place, key in enumerate(super().__iter__()):
            if place == 1 and len(self) < 3:
                self[2] = bytes(100 * KB)
            yield key


class Members(Mapping[int, bytes]):
    def __init__(self) -> None:
        self.inside = Growing({0: bytes(100 * KB), 1: bytes(100 * KB)})

    def __getitem__(self, key: int) -> bytes:
        return self.inside[key]

    def __iter__(self) -> Iterator[int]:
        return iter(self.inside)

    def __len__(self) -> int:
        return len(self.inside)


def test_a_value_that_another_thread_adds_to_while_it_is_measured_is_measured_all_the_same() -> None:
    assert size_of(Members()) > 200 * KB


def test_a_snapshot_is_counted_without_the_training_that_is_kept_itself() -> None:
    training = train("low lower lowest " * 1_000, TrainConfig(vocab_size=280))
    assert size_of(training.at(3), {id(training)}) < size_of(training.at(3)) / 2


# -- the setting, and what stays in memory -------------------------------------------------------------------


def test_the_setting_is_a_number_of_megabytes() -> None:
    assert limit_of(str(LEAST_MB)) == LEAST_MB * 2**20
    assert limit_of("") == limit_of(None) == 2**30


@pytest.mark.parametrize("asked", ["15", "-1", "1 GB", "1.5", "٣٢ MB"])
def test_any_other_setting_is_refused_with_value_limit_and_remedy(asked: str) -> None:
    with pytest.raises(ConfigError) as refused:
        limit_of(asked)
    assert repr(asked) in refused.value.problem
    assert str(LEAST_MB) in refused.value.limit
    assert refused.value.remedy


@cached
def looked_up(source: Source, number: int = 1, *rest: str) -> object:
    return object()


def test_a_kept_function_knows_its_arguments_however_they_are_given() -> None:
    source, same = Source("paste", "a", "text \ud800"), Source("file", "b", "text \ud800")
    assert looked_up(source) is looked_up(same, 1) is looked_up(source=same, number=1)
    assert looked_up(source) is not looked_up(source, 2)
    assert looked_up(source, 1, "x") is not looked_up(source)
    before = looked_up(source)
    assert looked_up.is_cached(source)
    looked_up.forget()
    assert not looked_up.is_cached(source)
    assert looked_up(source) is not before


def test_visitors_with_the_same_text_share_a_training_whatever_it_is_called() -> None:
    config = TrainConfig(vocab_size=259)
    one = cache.training(Source("paste", "mine", "aaabdaaabac"), config)
    got = [in_thread(lambda: cache.training(Source("file", "yours", "aaabdaaabac"), config)) for _ in range(3)]
    for thread, found in got:
        thread.join()
        assert found[0] is one


def test_what_a_run_uses_stays_and_counts_until_the_run_ends() -> None:
    runs = ["a run"]
    memory = Memory(100 * KB, run=lambda: runs[-1])
    memory.get("used", lambda: bytes(60 * KB))
    thread, _ = in_thread(lambda: [memory.get(key, lambda: bytes(20 * KB)) for key in range(4)])
    thread.join()
    memory.settle()
    assert "used" in memory.names()
    assert memory.size < 101 * KB
    runs.append("the next run")
    memory.get("other", lambda: bytes(90 * KB))
    memory.settle()
    assert memory.names() == ["other"]


def test_a_run_that_drops_the_large_result_of_the_last_one_goes_on() -> None:
    runs = ["a run"]
    work = WorkLimit(400 * MB, make_room=lambda size: memory.leave_room(size))
    memory = Memory(400 * MB, run=lambda: runs[-1], holding=work.holding)

    def slow() -> bytes:
        sleep(2 * LONG)
        return bytes(10 * MB)

    def two_runs() -> int:
        memory.get("large", slow)
        assert work.size > 10 * MB
        runs.append("the next run")
        memory.get("small", lambda: b"")
        return work.size

    thread, found = in_thread(two_runs)
    thread.join(30)
    assert found == [0]
