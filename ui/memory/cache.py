"""One memory for all caches of the app: bounded by bytes, all together, and shared by all visitors.

What has not been asked for the longest goes first. A value is made once, however many visitors ask for it at the same
time, and is handed out itself, not a copy: what is kept here is never changed. How large it is, is found afterwards, in
a thread of its own, so that nobody waits for that. What a run has asked for stays at its hand until it ends.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable
from functools import update_wrapper
from queue import SimpleQueue
from threading import Event, Lock, Thread, get_ident, local
from typing import Any, Generic, TypeVar, overload
from weakref import ref

from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.memory.limit import LIMIT
from ui.memory.sizes import size_of
from ui.memory.visitors import VISITORS
from ui.memory.work import WorkLimit

T = TypeVar("T")

MEASURED_AFTER = 0.002
"""Seconds that pass before each value is measured."""

BETWEEN_PAUSES = 0.1
"""Seconds after which one who waits for a value that another one makes can be called away."""

LEAST_SHARE = 16
"""This part of the memory is kept for values, whatever work takes."""

LONG = 0.05
"""Seconds of making after which a value may be a large one."""

LEFT_SHARE = 32
"""What no visitor who is still there has asked for may take this part of the memory."""


_NOTHING = object()


def _nothing() -> None:
    """Done by one who only waits."""


class Entry:
    """One value: nothing while it is made, or if that failed. `size` is 0 until it was measured."""

    __slots__ = ("asked", "made", "maker", "measured_at", "only_here", "size", "users", "value")

    def __init__(self, only_here: bool) -> None:
        self.only_here = only_here
        self.maker = get_ident()
        self.made = Event()
        self.value: Any = _NOTHING
        self.size = 0
        self.asked = self.measured_at = 0
        self.users: set[object] = set()


class _Run(local):
    """What the run of this thread has asked for."""

    def __init__(self) -> None:
        self.which: object = None
        self.values: dict[Hashable, Any] = {}
        self.results: list[object] = []


class Memory:
    """Values by their keys, at most `limit` bytes of them. Safe to use from several threads."""

    def __init__(
        self,
        limit: int,
        visitor: Callable[[], object] = lambda: None,
        run: Callable[[], object] = lambda: None,
        pause: Callable[[], object] = _nothing,
        holding: Callable[[int], object] = lambda size: None,
    ) -> None:
        """Of the thread that asks: `visitor`: for whom, in the words of a later `leave`; `run`: in which run. None for
        nobody and none. `pause`: called now and then while it waits; what that raises ends the wait. `holding`: called
        with the bytes of a value that took long to make; the run that made it keeps what this returns."""
        self.limit = limit
        self._taken = 0
        self._holding = holding
        self._visitor = visitor
        self._run = run
        self.pause = pause
        self._of_run = _Run()
        self._lock = Lock()
        self._entries: OrderedDict[Hashable, Entry] = OrderedDict()
        self._size = 0
        self._to_measure: SimpleQueue[tuple[Hashable, Entry] | None] = SimpleQueue()
        self._measuring: Thread | None = None
        self._hurry = Event()
        self._elsewhere: set[int] = set()

    def get(
        self,
        key: Hashable,
        make: Callable[[], T],
        *,
        only_here: bool = False,
        waiting: Callable[[], object] = _nothing,
    ) -> T:
        """The value of a key; made when there is none, by one of those who ask while the others wait.

        `only_here`: it could not be made again from what its visitor's page says in its address. `waiting`: called now
        and then while another one makes it; what it raises ends the wait.
        What `make` raises is raised here, nothing is kept, and the next one who waits makes it.
        """
        while True:
            with self._lock:
                entry = self._entries.get(key)
                mine = entry is None
                if entry is None:
                    if key in self._values_of_run():
                        return self._of_run.values[key]  # type: ignore[no-any-return]
                    entry = self._entries[key] = Entry(only_here)
            if mine:
                return self._make(key, entry, make)
            if not entry.made.is_set():
                if entry.maker == get_ident():
                    return make()  # it asks for itself while it is made
                while not entry.made.wait(BETWEEN_PAUSES):
                    self.pause()
                    waiting()
            if entry.value is _NOTHING:
                continue
            self._was_asked_for(key, entry)
            return entry.value  # type: ignore[no-any-return]

    def peek(self, key: Hashable) -> Any:
        """The value of a key if there is one by now, else None."""
        entry = self._entries.get(key)
        if entry is None or not entry.made.is_set() or entry.value is _NOTHING:
            return self._values_of_run().get(key)
        self._was_asked_for(key, entry)
        return entry.value

    def forget(self, chosen: Callable[[Hashable], bool] = lambda key: True) -> None:
        """Drop the values of these keys, all of them by default."""
        with self._lock:
            for key in [key for key, entry in self._entries.items() if entry.made.is_set() and chosen(key)]:
                self._drop(key)

    def count_elsewhere(self, *values: object) -> None:
        """These live as long as the program: what only refers to them takes nothing for it."""
        self._elsewhere.update(map(id, values))

    def leave(self, visitors: Collection[object]) -> bool:
        """These visitors are away. What only they had asked for is the next to go, and most of it goes now.

        What could not be made again goes last. Returns whether anything went.
        """
        with self._lock:
            for entry in self._entries.values():
                entry.users.difference_update(visitors)
            left = [(key, entry) for key, entry in self._entries.items() if entry.made.is_set() and not entry.users]
            left.sort(key=lambda each: each[1].only_here)
            size = sum(entry.size for _, entry in left)
            before = self._size
            for key, entry in left:
                if size <= self.limit // LEFT_SHARE:
                    break
                size -= entry.size
                self._drop(key)
            return self._size < before

    @property
    def size(self) -> int:
        """The bytes of all values that were measured by now."""
        return self._size

    def names(self) -> list[Hashable]:
        """The keys, those first that were not asked for the longest."""
        with self._lock:
            return list(self._entries)

    def settle(self) -> None:
        """Wait until everything is measured that was made by now."""
        thread = self._measuring
        if thread is not None:
            self._hurry.set()
            self._to_measure.put(None)
            thread.join()
            self._hurry.clear()

    def _make(self, key: Hashable, entry: Entry, make: Callable[[], T]) -> T:
        began = time.monotonic()
        try:
            entry.value = value = make()
        except BaseException:
            with self._lock:
                self._entries.pop(key, None)
            entry.made.set()
            raise
        self._elsewhere.add(id(value))
        entry.made.set()
        if time.monotonic() - began > LONG and self._run() is not None:
            values = self._values_of_run()  # and with another run, nothing of the one before
            values[key] = value
            self._of_run.results.append(self._holding(size_of(value, self._elsewhere)))
        self._was_asked_for(key, entry)
        return value

    def _values_of_run(self) -> dict[Hashable, Any]:
        """What the run of this thread has asked for by now; it lives no longer than the thread."""
        which = self._run()
        if which is not self._of_run.which:
            self._of_run.which = which
            self._of_run.values, self._of_run.results = {}, []
        return self._of_run.values

    def _was_asked_for(self, key: Hashable, entry: Entry) -> None:
        visitor = self._visitor()
        if self._run() is not None:
            self._values_of_run()[key] = entry.value
        with self._lock:
            if self._entries.get(key) is not entry:
                return
            self._entries.move_to_end(key)
            entry.asked += 1
            if visitor is not None:
                entry.users.add(visitor)
            if entry.asked < entry.measured_at:
                return
            entry.measured_at = 8 * entry.asked  # ever more rarely: some values grow by being used
            if self._measuring is None:
                self._measuring = Thread(target=self._measure, name="measure", daemon=True)
                self._measuring.start()
        self._to_measure.put((key, entry))

    def _measure(self) -> None:
        while (found := self._to_measure.get()) is not None:
            self._hurry.wait(MEASURED_AFTER)  # let those go first who have just asked for something
            key, entry = found
            size = size_of(entry.value, self._elsewhere)
            with self._lock:
                if self._entries.get(key) is entry:
                    self._size += size - entry.size
                    entry.size = size
                    self._make_room()
            del found, entry
        with self._lock:
            self._measuring = None

    def leave_room(self, taken: int) -> None:
        """Keep less while work takes so many bytes, but at least LEAST_SHARE."""
        with self._lock:
            self._taken = taken
            self._make_room()

    def _make_room(self) -> None:
        limit = max(self.limit // LEAST_SHARE, self.limit - self._taken)
        if self._size <= limit:
            return
        for key in [key for key, entry in self._entries.items() if entry.made.is_set()]:
            self._drop(key)
            if self._size <= limit:
                return

    def _drop(self, key: Hashable) -> None:
        entry = self._entries.pop(key)
        self._elsewhere.discard(id(entry.value))
        self._size -= entry.size


def _key_of(argument: Any) -> Any:
    """What identifies an argument: its digest, if it has one, so that no key holds a long text twice."""
    return getattr(argument, "digest", argument)


class Room:
    """A part of the memory of the app, with keys of its own."""

    def __init__(self, name: str) -> None:
        self._name = name

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key, made when there is none."""
        return MEMORY.get((self._name, key), make)


class Kept(Generic[T]):
    """A function whose results are kept in the memory of the app, by its arguments other than those by keyword only.

    Of these, `waiting` is called now and then while another thread makes the result.
    """

    def __init__(self, function: Callable[..., T]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._name = f"{function.__module__}.{function.__qualname__}"
        code = function.__code__
        self._names = code.co_varnames[: code.co_argcount]
        self._defaults = dict(zip(reversed(self._names), reversed(function.__defaults__ or ()), strict=False))

    def __call__(self, *args: Any, **kwargs: Any) -> T:
        waiting = kwargs.get("waiting") or _nothing
        return MEMORY.get(self._key(args, kwargs), lambda: self._function(*args, **kwargs), waiting=waiting)

    def is_at_hand(self, *args: Any, **kwargs: Any) -> bool:
        """Whether there is a result for these arguments."""
        return MEMORY.peek(self._key(args, kwargs)) is not None

    def forget(self) -> None:
        """Drop all results."""
        MEMORY.forget(lambda key: isinstance(key, tuple) and key[0] == self._name)

    def _key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Hashable:
        rest = (kwargs[each] if each in kwargs else self._defaults[each] for each in self._names[len(args) :])
        return self._name, *map(_key_of, args), *map(_key_of, rest)


def kept(function: Callable[..., T]) -> Kept[T]:
    """Keep the results of a function. Decorator."""
    return Kept(function)


class looked_up(Generic[T]):  # noqa: N801 (a decorator, as property is)
    """A property whose value the memory keeps: looked up once, and not held, so that it can go. Decorator."""

    def __init__(self, look_up: Callable[[Any], T]) -> None:
        self._look_up = look_up
        self.__doc__ = look_up.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"{name} looked up"

    @overload
    def __get__(self, holder: None, owner: type) -> looked_up[T]: ...

    @overload
    def __get__(self, holder: object, owner: type) -> T: ...

    def __get__(self, holder: Any, owner: type) -> Any:
        """The value; looked up when it is not there any more."""
        if holder is None:
            return self
        held = holder.__dict__.get(self._name)
        value = held() if held is not None else None
        if value is None:
            value = self._look_up(holder)
            holder.__dict__[self._name] = ref(value)
        return value


def visitor() -> str | None:
    """The session that this thread runs for, None outside of one."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context is not None else None


def _run() -> object:
    """The run that this thread is at: of its parts, the one that Streamlit makes anew for each."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.parallel_coordinator if context is not None else None


def pause() -> None:
    """Let a click, or a visitor who leaves, end the run that waits."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        context.yield_check()


WORK = WorkLimit(LIMIT, pause, lambda size: MEMORY.leave_room(size))
"""What the work of all visitors takes beside the caches."""

MEMORY: Memory = Memory(LIMIT, visitor, _run, pause, WORK.holding)
"""What all caches of the app keep their values in."""

VISITORS.when_away(MEMORY.leave)
