"""In-memory store behind all server-side caches, shared by all sessions and capped in bytes.

The least recently used values are evicted first. Concurrent requests for a key compute its value once. Values are
returned without copying, so they must never be mutated. A background thread measures sizes, so that no request waits
for that. Values used by a script run stay referenced until it ends.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable
from contextlib import AbstractContextManager, nullcontext
from functools import partial, update_wrapper
from queue import SimpleQueue
from threading import Event, Lock, Thread, get_ident, local
from typing import Any, Generic, TypeVar
from weakref import finalize, ref

from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.memory.limit import LIMIT
from ui.memory.sizes import size_of
from ui.memory.visitors import VISITORS
from ui.memory.work import WorkLimit

T = TypeVar("T")

MEASURED_AFTER = 0.002
"""Delay in seconds before each measurement."""

BETWEEN_PAUSES = 0.1
"""Seconds between checks for an interrupt while waiting."""

LEAST_SHARE = 16
"""At least limit / LEAST_SHARE stays available to cached values, regardless of computations."""

LONG = 0.05
"""Seconds of computation above which a value may be large."""

LEFT_SHARE = 32
"""Values that no connected session has used may take limit / LEFT_SHARE."""

_NOTHING = object()


class Entry:
    """A cached value; empty while it is computed or after that failed. `size` is 0 until measured.

    runs: uses by script runs. Until they end, dropping the value would free nothing.
    """

    __slots__ = ("made", "maker", "measured_at", "only_here", "requests", "runs", "size", "users", "value")

    def __init__(self, only_here: bool) -> None:
        self.only_here = only_here
        self.maker = get_ident()
        self.made = Event()
        self.value: Any = _NOTHING
        self.size = 0
        self.requests = self.measured_at = 0
        self.users: set[object] = set()
        self.runs: set[int] = set()


class _Run(local):
    """Values used by the current run of this thread."""

    def __init__(self) -> None:
        self.which: object = None
        self.values: dict[Hashable, Any] = {}
        self.results: list[object] = []


class _Use:
    """Use of a cached value by a script run; ends when this object is dropped. `ended` must not take a lock."""

    def __init__(self, entry: Entry, ended: Callable[[], object]) -> None:
        entry.runs.add(id(self))
        finalize(self, _end_use, entry.runs, id(self), ended)


def _end_use(runs: set[int], use: int, ended: Callable[[], object]) -> None:
    runs.discard(use)
    ended()


class Memory:
    """Values by key, at most `limit` bytes. Thread-safe."""

    def __init__(
        self,
        limit: int,
        visitor: Callable[[], object] = lambda: None,
        run: Callable[[], object] = lambda: None,
        pause: Callable[[], object] = lambda: None,
        holding: Callable[[int], object] = lambda size: None,
        idle: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """Set the limit and the callbacks, which are called in the requesting thread.

        `visitor`: its session, as later passed to `leave`, or None. `run`: its script run, or None. `pause`: called
        periodically while waiting; an exception from it ends the wait. `holding`: called with the size in bytes of a
        value that was slow to compute; the run keeps a reference to the result. `idle`: context of a wait.
        """
        self.limit = limit
        self._taken = 0
        self._holding = holding
        self._idle = idle
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
        waiting: Callable[[], object] = lambda: None,
    ) -> T:
        """Return the value of a key, computing it if missing; concurrent callers wait for one computation.

        `only_here`: the value cannot be restored from its page's URL. `waiting`: called periodically while another
        thread computes; an exception from it ends the wait.
        An exception from `make` propagates, nothing is cached, and the next waiting caller computes.
        """
        while True:
            values = self._values_of_run()  # may end uses, which must not happen under the lock
            with self._lock:
                entry = self._entries.get(key)
                mine = entry is None
                if entry is None:
                    if key in values:
                        return values[key]  # type: ignore[no-any-return]
                    entry = self._entries[key] = Entry(only_here)
            if mine:
                return self._make(key, entry, make)
            if not entry.made.is_set():
                if entry.maker == get_ident():
                    return make()  # a recursive request for a key being computed
                with self._idle():
                    while not entry.made.wait(BETWEEN_PAUSES):
                        self.pause()
                        waiting()
            if entry.value is _NOTHING:
                continue
            self._record_request(key, entry)
            return entry.value  # type: ignore[no-any-return]

    def peek(self, key: Hashable) -> Any:
        """Return the cached value of a key, or None."""
        entry = self._entries.get(key)
        if entry is None or not entry.made.is_set() or entry.value is _NOTHING:
            return self._values_of_run().get(key)
        self._record_request(key, entry)
        return entry.value

    def forget(self, chosen: Callable[[Hashable], bool] = lambda key: True) -> None:
        """Drop the values of matching keys, by default all."""
        with self._lock:
            for key in [key for key, entry in self._entries.items() if entry.made.is_set() and chosen(key)]:
                self._drop(key)

    def count_elsewhere(self, *values: object) -> None:
        """Exclude objects that live as long as the process from the size of values that refer to them."""
        self._elsewhere.update(map(id, values))

    def leave(self, visitors: Collection[object]) -> bool:
        """Release the values of disconnected sessions: values used by no other session are evicted first.

        Evict them down to limit / LEFT_SHARE, those that cannot be restored last. Return whether any was evicted.
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
        """Total bytes of the values measured so far."""
        return self._size

    def names(self) -> list[Hashable]:
        """Keys, least recently used first."""
        with self._lock:
            return list(self._entries)

    def settle(self) -> None:
        """Wait until all values computed so far are measured."""
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
            self._of_run.results.append(self._holding(size_of(value, self._elsewhere)))
        self._record_request(key, entry)
        return value

    def _values_of_run(self) -> dict[Hashable, Any]:
        """Values used by this thread's current run; they never outlive the thread."""
        which = self._run()
        if which is not self._of_run.which:
            self._of_run.which = which
            self._of_run.values, self._of_run.results = {}, []
        return self._of_run.values

    def _record_request(self, key: Hashable, entry: Entry) -> None:
        visitor = self._visitor()
        values = self._values_of_run() if self._run() is not None else None
        with self._lock:
            if values is not None and key not in values:
                values[key] = entry.value
                self._of_run.results.append(_Use(entry, partial(self._to_measure.put, (key, entry))))
            if self._entries.get(key) is not entry:
                return
            self._entries.move_to_end(key)
            entry.requests += 1
            if visitor is not None:
                entry.users.add(visitor)
            if entry.requests < entry.measured_at:
                return
            entry.measured_at = 8 * entry.requests  # less and less often: some values grow with use
            if self._measuring is None:
                self._measuring = Thread(target=self._measure, name="measure", daemon=True)
                self._measuring.start()
        self._to_measure.put((key, entry))

    def _measure(self) -> None:
        while (found := self._to_measure.get()) is not None:
            self._hurry.wait(MEASURED_AFTER)  # give way to requests in progress
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
        """Shrink the cache while computations take this many bytes, but not below limit / LEAST_SHARE."""
        with self._lock:
            self._taken = taken
            self._make_room()

    def _make_room(self) -> None:
        limit = max(self.limit // LEAST_SHARE, self.limit - self._taken)
        if self._size <= limit:
            return
        for key in [key for key, entry in self._entries.items() if entry.made.is_set() and not entry.runs]:
            self._drop(key)
            if self._size <= limit:
                return

    def _drop(self, key: Hashable) -> None:
        entry = self._entries.pop(key)
        self._elsewhere.discard(id(entry.value))
        self._size -= entry.size


def _key_of(argument: Any) -> Any:
    """Cache key of an argument: its digest, if any, so that keys do not hold long texts."""
    return getattr(argument, "digest", argument)


class Room:
    """A namespace of keys in the app's memory."""

    def __init__(self, name: str) -> None:
        self._name = name

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, computing it if missing."""
        return MEMORY.get((self._name, key), make)


class CachedFunction(Generic[T]):
    """A function with cached results, keyed by what `of` keeps of its positional arguments: what the results depend on.

    The keyword-only argument `waiting` is called periodically while another thread computes the result.
    """

    def __init__(self, function: Callable[..., T], of: Callable[..., tuple[Any, ...]] = lambda *args: args) -> None:
        update_wrapper(self, function)
        self._function = function
        self._of = of
        self._name = f"{function.__module__}.{function.__qualname__}"
        code = function.__code__
        self._names = code.co_varnames[: code.co_argcount]
        self._defaults = dict(zip(reversed(self._names), reversed(function.__defaults__ or ()), strict=False))

    def __call__(self, *args: Any, **kwargs: Any) -> T:
        waiting = kwargs.get("waiting") or (lambda: None)
        args = self._of(*args)
        return MEMORY.get(self._key(args, kwargs), lambda: self._function(*args, **kwargs), waiting=waiting)

    def cached(self, *args: Any, **kwargs: Any) -> T | None:
        """The cached result for these arguments, or None."""
        return MEMORY.peek(self._key(self._of(*args), kwargs))  # type: ignore[no-any-return]

    def is_cached(self, *args: Any, **kwargs: Any) -> bool:
        """Whether a result for these arguments is cached."""
        return self.cached(*args, **kwargs) is not None

    def forget(self) -> None:
        """Drop all cached results."""
        MEMORY.forget(lambda key: isinstance(key, tuple) and key[0] == self._name)

    def _key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Hashable:
        rest = (kwargs[each] if each in kwargs else self._defaults[each] for each in self._names[len(args) :])
        return self._name, *map(_key_of, args), *map(_key_of, rest)


def cached(function: Callable[..., T]) -> CachedFunction[T]:
    """Decorator: cache the results of a function."""
    return CachedFunction(function)


def visitor() -> str | None:
    """Session id of this thread, or None outside a session."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context is not None else None


def _run() -> object:
    """Identity of this thread's script run, shared by its fragments: the object Streamlit creates for each run."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.parallel_coordinator if context is not None else None


def pause() -> None:
    """Let a click or a disconnect end the waiting run."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        context.yield_check()


WORK = WorkLimit(LIMIT, pause, lambda size: MEMORY.leave_room(size), VISITORS.give_back_soon)
"""Memory used by computations of all sessions, outside the caches."""

MEMORY: Memory = Memory(LIMIT, visitor, _run, pause, WORK.holding, WORK.idle)
"""Store behind all caches of the app."""

VISITORS.on_disconnect(MEMORY.leave)


class weakly_cached(Generic[T]):  # noqa: N801 (a decorator, as property is)
    """Decorator: a property that holds its cached value only weakly, so that the cache can evict it."""

    def __init__(self, look_up: Callable[[Any], T]) -> None:
        self._look_up = look_up
        self.__doc__ = look_up.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"{name} looked up"

    def __get__(self, holder: Any, owner: type) -> T:
        """Return the value, looking it up again after eviction."""
        if holder is None:
            return self  # type: ignore[return-value]  # of the class
        held = holder.__dict__.get(self._name)
        value: T | None = held() if held is not None else None
        if value is None:
            value = self._look_up(holder)
            holder.__dict__[self._name] = ref(value)
        return value
