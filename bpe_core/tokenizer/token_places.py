"""Places of the tokens of a text, each kind computed lazily, once for all threads."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import read_only
from bpe_core.kernels.layout import Layout, Ranges, WordRanges
from bpe_core.work import taking

PER_TOKEN = 32
"""Memory of the places in bytes, per token, without the distinct words."""

Offsets = npt.NDArray[np.integer[Any]]
Made = TypeVar("Made")
Value = TypeVar("Value", bound=tuple[Any, ...])


class Later(Generic[Value]):
    """Lazy tuple returned by `make`; its arrays become read-only. Copies and pickles hold the computed value.

    >>> places = Later(lambda: (np.zeros(2), print("computed")))
    >>> places.get()[0].flags.writeable, len(places.get())
    computed
    (False, 2)
    """

    __slots__ = ("_lock", "_make", "_value")

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make: Callable[[], Value] | None = make
        self._lock = Lock()
        self._value: Value | None = None

    def get(self) -> Value:
        """Return the value. An exception of `make` propagates, and the next call tries again."""
        value = self._value
        if value is not None:
            return value
        with self._lock:
            if self._value is None:
                assert self._make is not None
                made = self._make()
                for each in made:
                    if isinstance(each, np.ndarray):
                        read_only(each)
                self._value = made
                self._make = None  # also releases captured objects
            return self._value

    def __reduce__(self) -> tuple[Callable[[Value], Later[Value]], tuple[Value]]:
        return _made, (self.get(),)


def _made(value: Value) -> Later[Value]:
    later = Later(lambda: value)
    later.get()
    return later


class TokenWords(NamedTuple):
    """Words of the tokens of a text: arrays of an Encoding.

    >>> from bpe_core import load_pretrained
    >>> load_pretrained("gpt2").encode("low lower").places.words.get().word_ids.tolist()
    [0, 1]
    """

    word_ids: Offsets
    word_starts: Offsets
    word_ends: Offsets
    special: npt.NDArray[np.bool_]


class TokenPlaces(NamedTuple):
    """Arrays of an Encoding other than its ids.

    in_bytes       starts and ends
    in_characters  char_starts and char_ends
    words          word_ids, word_starts, word_ends and special

    >>> from bpe_core import load_pretrained
    >>> places = load_pretrained("gpt2").encode("low é").places
    >>> places.in_bytes.get().starts.tolist(), places.in_characters.get().ends.tolist()
    ([0, 3], [3, 5])
    >>> [each.tolist() for each in places.arrays()][4:]
    [[0, 1], [0, 3], [3, 6], [False, False]]
    """

    in_bytes: Later[Ranges]
    in_characters: Later[Ranges]
    words: Later[TokenWords]

    @classmethod
    def laid_out(
        cls,
        count: int,
        layout: Callable[[], Layout],
        words: Callable[[WordRanges, Later[Ranges]], TokenWords],
        characters: Callable[[Ranges], Ranges],
    ) -> TokenPlaces:
        """Places of `count` tokens from their layout, which is computed when the first kind of places is needed.

        `words` adds which tokens are special. `characters` converts ranges of bytes, for words that leave gaps.

        >>> from bpe_core.kernels.layout import DistinctWords
        >>> from bpe_core.kernels.merge_loop import Words
        >>> one = DistinctWords.of(b"low", [0, 3], Words(np.array([7], np.int32), np.array([0, 1])), [3])
        >>> places = TokenPlaces.laid_out(
        ...     2,
        ...     lambda: Layout([np.array([0, 0], np.int32)], one),
        ...     lambda words, in_bytes: TokenWords(*words, np.zeros(2, np.bool_)),
        ...     lambda ranges: ranges,
        ... )
        >>> places.in_bytes.get().ends.tolist()
        [3, 6]
        """
        once = cache(layout)

        def taken(make: Callable[[Layout], Made]) -> Made:
            with taking(PER_TOKEN * count):
                return make(once())

        def in_characters(laid: Layout) -> Ranges:
            if laid.is_ascii:
                return in_bytes.get()
            return characters(in_bytes.get()) if laid.leaves_gaps else laid.character_ranges()

        in_bytes = Later(lambda: taken(Layout.byte_ranges))
        return cls(
            in_bytes,
            Later(lambda: taken(in_characters)),
            Later(lambda: taken(lambda laid: words(laid.words(), in_bytes))),
        )

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """All arrays; those not computed yet are computed now."""
        return (*self.in_bytes.get(), *self.in_characters.get(), *self.words.get())
