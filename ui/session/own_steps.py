"""Steps of the edited lesson: their fields in the lesson editor, and changes to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bpe_core import FormatError
from ui.session.items import Item, is_a, is_count, or_none
from ui.session.lesson_steps import LONGEST_SENTENCE, MOST_STEPS, REACH, SEEN, LessonStep, checked_steps, kinds_of

Steps = tuple[LessonStep, ...]


@dataclass(frozen=True)
class StepDraft:
    """Fields of one step."""

    says: Item[str]
    at: Item[str]
    done: Item[str]
    step: Item[int | None]

    def load(self, each: LessonStep) -> None:
        """Fill the fields."""
        self.says.set(each.says)
        self.at.set(each.at)
        self.done.set(each.done)
        self.step.set(each.step)

    def taken(self, each: LessonStep) -> LessonStep:
        """The step with the values of the fields; values that do not fit its place are ignored."""
        at = self.at.get() if kinds_of(each.page, self.at.get()) else each.at
        done = self.done.get() if self.done.get() in kinds_of(each.page, at) else SEEN
        table = {"at": at, "says": self.says.get()[:LONGEST_SENTENCE], "done": done}
        step = self.step.get() if done == REACH else None
        try:
            return checked_steps([table if step is None else {**table, "step": step}], each.page, "")[0]
        except FormatError:
            return each


DRAFTS = tuple(
    StepDraft(
        Item(f"own step {number} says", "", is_a(str)),
        Item(f"own step {number} at", "", is_a(str)),
        Item(f"own step {number} goes on", SEEN, is_a(str)),
        Item(f"own step {number} reach", None, or_none(is_count)),
    )
    for number in range(MOST_STEPS)
)
"""Fields of all steps that a lesson can have."""


def load(steps: Steps) -> None:
    """Fill the fields of all steps."""
    for draft, each in zip(DRAFTS, steps, strict=False):
        draft.load(each)


def taken(steps: Steps) -> Steps:
    """The steps with the values of their fields."""
    return tuple(draft.taken(each) for draft, each in zip(DRAFTS, steps, strict=False))


def on_page(steps: Steps, page: str) -> Steps:
    """The steps for another page, without those that are impossible there."""
    moved = (replace(each, page=page) for each in steps)
    return tuple(each for each in moved if each.done in kinds_of(page, each.at))


def added(steps: Steps, table: Any, page: str) -> Steps:
    """Append an untrusted step, unless it is invalid."""
    try:
        return (*steps, *checked_steps([table], page, "")) if len(steps) < MOST_STEPS else steps
    except FormatError:
        return steps
