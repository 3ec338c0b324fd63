"""A question answered by the reader: a number, one of several choices, or cuts in a text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import encode_body, frame
from bpe_core.payloads.reasons import sentence_wire
from ui.views.component import View
from ui.views.protocol import acting, is_index, taken_of

_ASK = View("ask")
_LARGEST = 1e12

Given: TypeAlias = float | int | list[int] | None
"""An answer: a number, the index of a choice, or positions of cuts; None for a withdrawn answer."""


@dataclass(frozen=True)
class NumberQuestion:
    """A number; a guess within `near` of `right` is right."""

    right: int
    near: int = 0

    def wire(self) -> dict[str, Any]:
        return {"kind": "number", "right": self.right, "near": self.near}

    def takes(self, value: object) -> bool:
        """Whether a value from the browser is an answer."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and math.isfinite(value) and abs(value) <= _LARGEST  # type: ignore[arg-type]


@dataclass(frozen=True)
class ChoiceQuestion:
    """Choices, each a text or the tokens of a pair, and a note on each for after the answer; `right` is an index."""

    choices: Sequence[str | tuple[Chip, ...]]
    right: int
    notes: Sequence[str] = ()

    def wire(self) -> dict[str, Any]:
        choices = [each if isinstance(each, str) else [chip.wire() for chip in each] for each in self.choices]
        return {"kind": "choice", "choices": choices, "right": self.right, "notes": list(self.notes)}

    def takes(self, value: object) -> bool:
        """Whether a value from the browser is an answer."""
        return is_index(value, 0, len(self.choices))


@dataclass(frozen=True)
class CutsQuestion:
    """Cuts in a text.

    cells   the text in user-perceived characters
    by      name of the tokenizer that cuts it
    tokens  (first cell, cell after the last, id) of each token
    why     the reason for each cut before a token except the first
    """

    cells: Sequence[str]
    by: str
    tokens: Sequence[tuple[int, int, int]]
    why: Sequence[Sequence[str | Chip | bytes]]

    def wire(self) -> dict[str, Any]:
        why = [sentence_wire(sentence) for sentence in self.why]
        return {"kind": "cuts", "cells": list(self.cells), "by": self.by, "tokens": list(self.tokens), "why": why}

    def takes(self, value: object) -> bool:
        """Whether a value from the browser is an answer."""
        return (
            isinstance(value, list)
            and len(value) < len(self.cells)
            and all(is_index(cut, 1, len(self.cells) - 1) for cut in value)
            and sorted(set(value)) == value
        )


Question: TypeAlias = NumberQuestion | ChoiceQuestion | CutsQuestion


def ask_view(
    question: Question,
    *,
    key: str,
    of: str,
    prompt: str,
    given: object,
    shown: bool,
    compact: bool,
    on_answer: Callable[[Given], None],
) -> None:
    """Draw the question; after an answer, or if `shown`, also the right answer and the reason.

    of: name under which the browser keeps score. given: the reader's answer, if any. compact: as one line above a page.
    on_answer: called with an answer before the rerun; in a lesson, with None for a withdrawn one.
    """

    def answered(value: Any) -> None:
        if (of and value is None) or question.takes(value):
            on_answer(value)

    head = {
        "name": key,
        "given": given if question.takes(given) else None,
        "shown": shown,
        "compact": compact,
        "done": taken_of(key),
    }
    data = ask_frame(question, of=of, prompt=prompt, head=head)
    _ASK(key=key, data=data, on_acts_change=acting(key, answered=answered))


def ask_frame(question: Question, *, of: str, prompt: str, head: dict[str, Any]) -> bytes:
    """Frame of a question; `head`: what changes with an answer, as in frontend/src/views/ask/ask.ts."""
    return frame(head, encode_body({**question.wire(), "of": of, "prompt": prompt}))
