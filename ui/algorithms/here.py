"""Where the visitor is on the page: what was trained, the step of each, and with which vocabularies words are cut."""

from __future__ import annotations

from dataclasses import dataclass

from ui import cache, state
from ui.algorithms.family import Recipe
from ui.algorithms.member import Failed, Member
from ui.state import ALGORITHMS, Source


@dataclass(frozen=True)
class Here:
    """One step of all of them. Those that have fewer steps stay at their last."""

    source: Source
    asked: Recipe
    found: dict[str, Member | Failed]
    step: int

    @classmethod
    def now(cls, source: Source, asked: Recipe) -> Here:
        """The trainings at the step that the visitor chose."""
        found = {name: cache.family_member(name, source, asked) for name in ALGORITHMS}
        last = max((each.steps for each in found.values() if not isinstance(each, Failed)), default=0)
        return cls(source, asked, found, min(state.FAMILY_STEP.get(), last))

    @property
    def members(self) -> dict[str, Member]:
        """Those that could be trained, in the order of the page."""
        return {name: each for name, each in self.found.items() if not isinstance(each, Failed)}

    @property
    def last(self) -> int:
        """The last step of the one that has the most."""
        return max((member.steps for member in self.members.values()), default=0)

    @property
    def at_end(self) -> bool:
        """Whether words are cut with the finished vocabularies."""
        return state.FAMILY_AT.get() == "end"

    def step_of(self, member: Member) -> int:
        """The step of one of them with which words are cut."""
        return member.steps if self.at_end else min(self.step, member.steps)
