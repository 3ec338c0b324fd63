"""Results printed by textbooks or programs, for comparison with this app's results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Printed:
    """A printed result.

    by       its author or program
    what     subject of the result
    printed  the result in the original notation
    here     this app's result, unless computed at display time
    asks     the computation that gives this app's result, of those in ui/widgets/textbooks.py; "text": the field `here`
    of       the text or tokenizer it is computed for
    because  the rule behind the difference, or why there is none
    """

    by: str
    what: str
    printed: str
    here: str = ""
    asks: str = "text"
    of: str = ""
    because: str = ""


def all_printed(entries: Sequence[Mapping[str, Any]]) -> tuple[Printed, ...]:
    """Printed results from a file's tables.

    >>> all_printed([{"by": "A book", "what": "1 + 1", "printed": "3", "here": "2", "because": "It adds."}])[0].here
    '2'
    """
    return tuple(Printed(**entry) for entry in entries)
