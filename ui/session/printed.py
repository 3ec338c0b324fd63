"""What a textbook or a program prints for an example, to be held against what comes out here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Asked = Literal[
    "text",
    "merges",
    "tokens",
    "sample ids",
    "ids",
    "wordpiece",
    "wordpiece merges",
    "wordpiece tokens",
    "unigram",
    "unigram loss",
    "unigram without",
    "unigram by counts",
    "sentencepiece bytes",
]
"""How "here" is found out: by `here` itself, or by what is computed when it is shown."""


@dataclass(frozen=True)
class Printed:
    """One printed result.

    by       who prints it
    what     of what it is the result
    printed  the result, as it is printed there
    here     what comes out here, where it is not computed when it is shown
    asks     what is computed instead of that
    of       the text or the tokenizer that it is computed of
    because  which rule makes the difference, or why there is none
    """

    by: str
    what: str
    printed: str
    here: str = ""
    asks: Asked = "text"
    of: str = ""
    because: str = ""


def all_printed(entries: Sequence[Mapping[str, Any]]) -> tuple[Printed, ...]:
    """Printed results from the tables of a file.

    >>> all_printed([{"by": "A book", "what": "1 + 1", "printed": "3", "here": "2", "because": "It adds."}])[0].here
    '2'
    """
    return tuple(Printed(**entry) for entry in entries)
