"""Properties that look up a cached value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload
from weakref import ref

T = TypeVar("T")


class weakly_cached(Generic[T]):  # noqa: N801 (a decorator, as property is)
    """Decorator: a property that holds its cached value only weakly, so that the cache can evict it."""

    def __init__(self, look_up: Callable[[Any], T]) -> None:
        self._look_up = look_up
        self.__doc__ = look_up.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"{name} looked up"

    @overload
    def __get__(self, holder: None, owner: type) -> weakly_cached[T]: ...

    @overload
    def __get__(self, holder: object, owner: type) -> T: ...

    def __get__(self, holder: Any, owner: type) -> Any:
        """Return the value, looking it up again after eviction."""
        if holder is None:
            return self
        held = holder.__dict__.get(self._name)
        value = held() if held is not None else None
        if value is None:
            value = self._look_up(holder)
            holder.__dict__[self._name] = ref(value)
        return value
