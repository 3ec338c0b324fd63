"""Steps of a lesson, and of the tour: each points at one place of a page, with one sentence.

In a lesson's file, and in the JSON of a teacher's lessons, `steps` is a list of tables:

    at = "player"                      name of a place: ui/session/step_places.py
    says = "Press Next three times."
    done = "reach"                     action that leads to the next step, besides the key T
    step = 3                           with "reach": the player's step; its last one if omitted

`done` is "seen" (by a button or the key alone; the default), "click", "token" (one is picked there), "change" (of a
control there), "step" (the player moves), or "reach". In the tour each step has its `page`, and "page" waits until the
page of the next step is opened. Independent of Streamlit.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bpe_core import FormatError
from bpe_core.errors import quoted
from bpe_core.language import message
from bpe_core.text.normalization import replace_surrogates
from ui.session.folders import LESSON_FOLDER
from ui.session.step_places import WITH_PLAYER, places_of, step_place

MOST_STEPS = 12
LONGEST_SENTENCE = 300
LARGEST_STEP = 10**7

SEEN, REACH = "seen", "reach"


@dataclass(frozen=True)
class LessonStep:
    """A step.

    page  page of its place
    at    name of the place
    says  its sentence
    done  action that leads to the next step
    step  step of the player to reach; None for the last one
    """

    page: str
    at: str
    says: str
    done: str = SEEN
    step: int | None = None

    def wire(self, says: str) -> dict[str, Any]:
        """The step for the browser, with its sentence in the visitor's language."""
        place = step_place(self.page, self.at)
        assert place is not None
        at = {"page": self.page, "at": place.selector, "inside": place.inside}
        return {**at, "says": says, "done": self.done, "step": self.step}


def kinds_of(page: str, at: str) -> tuple[str, ...]:
    """Kinds of actions possible at a place; none at an unknown one.

    >>> kinds_of("train", "text")
    ('seen', 'click', 'step', 'reach', 'token')
    """
    place = step_place(page, at)
    if place is None:
        return ()
    moves = ("step", REACH) if page in WITH_PLAYER else ()
    return (SEEN, "click", *moves, *place.kinds)


def checked_steps(tables: object, page: str, who: str) -> tuple[LessonStep, ...]:
    """Parse the untrusted steps of a lesson that opens this page. Raises FormatError if invalid.

    who: name of the lesson in errors.

    >>> checked_steps([{"at": "tokens", "says": "Click one.", "done": "token"}], "encode", "Lesson 1")
    (LessonStep(page='encode', at='tokens', says='Click one.', done='token', step=None),)
    """
    if not isinstance(tables, list):
        raise FormatError(
            message("{who} has the steps {value}.", who=who, value=quoted(tables)),
            limit=message("They have to be a list."),
            remedy=_CORRECT,
        )
    if len(tables) > MOST_STEPS:
        raise FormatError(
            message("{who} has {number:,} steps.", who=who, number=len(tables)),
            limit=message("A lesson has at most {most}.", most=MOST_STEPS),
            remedy=message("Delete some, or make two lessons."),
        )
    return tuple(
        _checked(table, page, message("Step {number} of {who}", number=number, who=who))
        for number, table in enumerate(tables, 1)
    )


def plain_steps(steps: Sequence[LessonStep]) -> list[dict[str, Any]]:
    """The tables of steps.

    >>> plain_steps([LessonStep("train", "player", "Go to the end.", "reach")])
    [{'at': 'player', 'says': 'Go to the end.', 'done': 'reach'}]
    """
    return [
        {
            "at": each.at,
            "says": each.says,
            **({"done": each.done} if each.done != SEEN else {}),
            **({} if each.step is None else {"step": each.step}),
        }
        for each in steps
    ]


def tour_steps() -> tuple[LessonStep, ...]:
    """The steps of the tour."""
    return _TOUR


_CORRECT = message("Correct it in the file.")


def _checked(table: object, page: str, who: str) -> LessonStep:
    if not isinstance(table, Mapping) or not {"at", "says"} <= table.keys() <= {"at", "says", "done", "step"}:
        raise FormatError(
            message("{who} is {value}.", who=who, value=quoted(table)),
            limit=message("A step has at, says, and if need be done and step."),
            remedy=_CORRECT,
        )
    at, says, done, step = table["at"], table["says"], table.get("done", SEEN), table.get("step")
    if step_place(page, at) is None:
        raise FormatError(
            message("{who} points at {value}.", who=who, value=quoted(at)),
            limit=message("The page {page} has {places}.", page=page, places=", ".join(places_of(page))),
            remedy=_CORRECT,
        )
    _check_sentence(says, who)
    if done not in (kinds := kinds_of(page, at)):
        raise FormatError(
            message("{who} goes on at {value}.", who=who, value=quoted(done)),
            limit=message("At this place it is one of {kinds}.", kinds=", ".join(kinds)),
            remedy=_CORRECT,
        )
    is_step = isinstance(step, int) and not isinstance(step, bool) and 0 <= step <= LARGEST_STEP
    if step is not None and not (is_step and done == REACH):
        raise FormatError(
            message("{who} waits for step {value}.", who=who, value=quoted(step)),
            limit=message("It is a whole number up to {most:,}, and only with reach.", most=LARGEST_STEP),
            remedy=_CORRECT,
        )
    return LessonStep(page, at, says, done, step)


def _check_sentence(says: object, who: str) -> None:
    if not isinstance(says, str) or replace_surrogates(says)[0] != says:
        raise FormatError(
            message("{who} says {value}.", who=who, value=quoted(says)),
            limit=message("It has to be a text in UTF-8."),
            remedy=_CORRECT,
        )
    if len(says) > LONGEST_SENTENCE:
        raise FormatError(
            message("{who} has a sentence of {length:,} characters.", who=who, length=len(says)),
            limit=message("A sentence has at most {most}.", most=LONGEST_SENTENCE),
            remedy=message("Shorten it."),
        )


def _read_tour() -> tuple[LessonStep, ...]:
    tables = tomllib.loads((LESSON_FOLDER / "tour.toml").read_text("utf-8"))["steps"]
    return tuple(
        LessonStep(each["page"], each["at"], each["says"], each.get("done", SEEN), each.get("step")) for each in tables
    )


_TOUR = _read_tour()
