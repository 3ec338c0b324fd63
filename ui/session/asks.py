"""A lesson's question to the reader, answered before the lesson's own answer is shown. Independent of Streamlit.

In a lesson's file, and in the JSON of a teacher's lessons, `ask` is a table of one of four kinds:

    number = 70, near = 20            a number; others within `near` count as right
    choices = ["Yes", "No"], right = 1
    cuts = "12345678", by = "gpt2"    where this published tokenizer cuts the text, between its characters
    merge = 2                         which pair the view's training merges after so many merges; on Train alone
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import regex

from bpe_core import FormatError
from bpe_core.bundled.openai import OPENAI
from bpe_core.errors import quoted
from bpe_core.language import message
from bpe_core.text.normalization import replace_surrogates

MOST_CHOICES = 8
LONGEST_CHOICE = 200
MOST_CELLS = 60
"""Maximum number of user-perceived characters of a text to cut: one line."""

LARGEST = 10**12
MOST_MERGES = 10**6
CUT_BY = tuple(OPENAI)
"""Tokenizers whose cuts can be asked for: they change no character, so that their cuts are positions in the text."""


@dataclass(frozen=True)
class AskNumber:
    """A number; a guess within `near` of it is right."""

    number: int
    near: int = 0


@dataclass(frozen=True)
class AskChoice:
    """One of several choices; `right` is the index of the right one."""

    choices: tuple[str, ...]
    right: int


@dataclass(frozen=True)
class AskCuts:
    """Where a published tokenizer cuts a text."""

    text: str
    by: str

    @property
    def cells(self) -> list[str]:
        """The text in user-perceived characters; cuts are between these.

        >>> [len(cell) for cell in AskCuts("e\\u0301a", "gpt2").cells]
        [2, 1]
        """
        return regex.findall(r"\X", self.text)


@dataclass(frozen=True)
class AskMerge:
    """The merge after so many merges of the view's training."""

    step: int


Ask: TypeAlias = AskNumber | AskChoice | AskCuts | AskMerge


def checked_ask(table: object, who: str, *, trains: bool = False) -> Ask:
    """Parse the untrusted `ask` table of a lesson. Raises FormatError if invalid.

    who: name of the lesson in errors. trains: whether its view is a training, whose next merge can be asked for.

    >>> checked_ask({"number": 3}, "Lesson 1")
    AskNumber(number=3, near=0)
    """
    if isinstance(table, Mapping):
        keys = set(table)
        if "number" in keys <= {"number", "near"}:
            number, near = table["number"], table.get("near", 0)
            if _is_whole(number) and _is_whole(near) and near >= 0:
                return AskNumber(number, near)
        elif keys == {"choices", "right"} and isinstance(table["choices"], list):
            choices, right = table["choices"], table["right"]
            is_right = _is_whole(right) and 0 <= right < len(choices)
            if is_right and 2 <= len(choices) <= MOST_CHOICES and all(map(_is_text, choices)):
                return AskChoice(tuple(choices), right)
        elif keys == {"cuts", "by"} and _is_text(table["cuts"]) and table["by"] in CUT_BY:
            cuts = AskCuts(table["cuts"], table["by"])
            if 2 <= len(cuts.cells) <= MOST_CELLS:
                return cuts
        elif keys == {"merge"} and trains and is_merge(table["merge"]):
            return AskMerge(table["merge"])
    raise FormatError(
        message("{who} has the question {value}.", who=who, value=quoted(table)),
        limit=message(
            "A question asks for a number, one of 2 to {choices} choices, the cuts of a published tokenizer in 2 to "
            "{cells} characters, or, if the lesson opens a training, the pair merged after a number of merges.",
            choices=MOST_CHOICES,
            cells=MOST_CELLS,
        ),
        remedy=message("Correct it in the file."),
    )


def plain_ask(ask: Ask) -> dict[str, Any]:
    """The `ask` table of a question.

    >>> plain_ask(AskCuts("abc", "gpt2"))
    {'cuts': 'abc', 'by': 'gpt2'}
    """
    if isinstance(ask, AskNumber):
        return {"number": ask.number, **({"near": ask.near} if ask.near else {})}
    if isinstance(ask, AskChoice):
        return {"choices": list(ask.choices), "right": ask.right}
    return {"merge": ask.step} if isinstance(ask, AskMerge) else {"cuts": ask.text, "by": ask.by}


def is_merge(value: object) -> bool:
    """Whether a value is a number of merges."""
    return _is_whole(value) and 0 <= value <= MOST_MERGES  # type: ignore[operator]


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_CHOICE and replace_surrogates(value)[0] == value


# -- fields of the lesson editor -----------------------------------------------------------------------------------

KINDS = ("nothing", "number", "choice", "cuts", "merge")
LONGEST_FIELD = MOST_CHOICES * (LONGEST_CHOICE + 3)
_RIGHT = "*"
_NUMBER = regex.compile(r"(-?[0-9]{1,12})(?:\s*±\s*([0-9]{1,12}))?")


def written_ask(kind: str, text: str, by: str) -> Ask | None:
    """The question in the editor's fields; None if it is missing or incomplete.

    text: the number (70, or 70 ± 20), the choices, one per line, with a star before the right one, the text to cut, or
    the number of merges.

    >>> written_ask("choice", "Yes\\n* No", "gpt2")
    AskChoice(choices=('Yes', 'No'), right=1)
    """
    lines = [line.strip() for line in text.splitlines() if line.strip(" *")]
    marked = [at for at, line in enumerate(lines) if line.startswith(_RIGHT) and not line.startswith(2 * _RIGHT)]
    table: dict[str, Any] = {}
    number = _NUMBER.fullmatch(text.strip())
    if kind == "number" and number:
        table = {"number": int(number[1]), "near": int(number[2] or 0)}
    elif kind == "choice" and len(marked) == 1:
        choices = [line.removeprefix(_RIGHT).lstrip() if at in marked else line for at, line in enumerate(lines)]
        table = {"choices": choices, "right": marked[0]}
    elif kind == "cuts":
        table = {"cuts": text, "by": by}
    elif kind == "merge" and text.strip().isdecimal() and text.isascii():
        table = {"merge": int(text[:LONGEST_CHOICE])}
    try:
        return checked_ask(table, "", trains=True) if table else None
    except FormatError:
        return None


def fields_of(ask: Ask | None) -> tuple[str, str, str]:
    """Kind, text and tokenizer for the fields of the editor.

    >>> fields_of(AskChoice(("Yes", "No"), 1))
    ('choice', 'Yes\\n* No', 'gpt2')
    """
    by = CUT_BY[0]
    if isinstance(ask, AskNumber):
        return "number", f"{ask.number} ± {ask.near}" if ask.near else str(ask.number), by
    if isinstance(ask, AskChoice):
        return "choice", "\n".join(f"* {each}" if at == ask.right else each for at, each in enumerate(ask.choices)), by
    if isinstance(ask, AskMerge):
        return "merge", str(ask.step), by
    return ("cuts", ask.text, ask.by) if isinstance(ask, AskCuts) else ("nothing", "", by)
