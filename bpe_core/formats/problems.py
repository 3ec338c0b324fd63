"""Collected errors of a file, reported together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from bpe_core.errors import GET_AGAIN, FormatError, refuse
from bpe_core.language import TranslatableMessage, joined, listed, message

T = TypeVar("T")
_NAMED = 3
"""Maximum number of further places listed for the same error."""


class Problems:
    """The problems of a file: one for each invalid part, and one for all lines or entries with the same error.

    `of_files`: whether they concern several files.

    >>> problems = Problems()
    >>> for line in (2, 5, 9):
    ...     problems.at(line, f"Line {line} is ''.", "A line is one token.")
    >>> problems.again(12, "A line is one token.")
    True
    >>> problems.of(lambda: refuse("No line is [UNK].", "One is."))
    >>> problems.add("The file is short.", "It is long.")
    >>> problems.refuse_if_any()
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file has 3 parts that cannot be read. (1) Line 2 is ''. The same error is at 5, 9
    and 12. (2) No line is [UNK]. (3) The file is short. (1) A line is one token. ...
    """

    def __init__(self, *, of_files: bool = False) -> None:
        self._of_files = of_files
        self._found: list[FormatError] = []
        self._places: dict[str, tuple[FormatError, list[int]]] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def of(self, read: Callable[[], T]) -> T | None:
        """Call `read`; on FormatError, record it as a problem and return None."""
        try:
            return read()
        except FormatError as error:
            self._found.append(error)
            return None

    def add(self, problem: str, limit: str, remedy: str = GET_AGAIN) -> None:
        """Add a problem."""
        self._found.append(FormatError(problem, limit=limit, remedy=remedy))

    def at(self, place: int, problem: str, limit: str, remedy: str = GET_AGAIN) -> None:
        """Add a problem of a line or entry, by its number. Problems with the same limit are combined."""
        if self.again(place, limit):
            return
        self.add(problem, limit, remedy)
        self._places[limit] = self._found[-1], []

    def again(self, place: int, limit: str) -> bool:
        """If a problem with this limit exists, add the place to it and return True."""
        if limit not in self._places:
            return False
        self._places[limit][1].append(place)
        return True

    def refuse_if_any(self) -> None:
        """Raise the single problem, or one FormatError for all; a no-op without problems."""
        more = {id(error): _also(places) for error, places in self._places.values() if places}
        described = [joined(error.problem, more.get(id(error), "")) for error in self._found]
        if len(described) == 1:
            [error] = self._found
            refuse(described[0], error.limit, error.remedy)
        if described:
            remedies = list(dict.fromkeys(error.remedy for error in self._found))
            refuse(
                joined(self._how_many(), _numbered(described)),
                _numbered([error.limit for error in self._found]),
                remedies[0] if len(remedies) == 1 else _numbered([error.remedy for error in self._found]),
            )

    def _how_many(self) -> TranslatableMessage:
        if self._of_files:
            return message("The files have {parts} parts that cannot be read.", parts=len(self._found))
        return message("The file has {parts} parts that cannot be read.", parts=len(self._found))


def _numbered(sentences: Iterable[str]) -> TranslatableMessage:
    numbered = (
        message("({number}) {sentence}", number=number, sentence=sentence)
        for number, sentence in enumerate(sentences, 1)
    )
    return joined(*numbered)


def _also(places: list[int]) -> TranslatableMessage:
    named: list[str] = [f"{place:,}" for place in places[:_NAMED]]
    if len(places) > _NAMED:
        named.append(message("{more:,} more", more=len(places) - _NAMED))
    return message("The same error is at {places}.", places=listed(named))
