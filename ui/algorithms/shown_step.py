"""Current state of the page: trainings, the step of each, and the vocabularies that segment words."""

from __future__ import annotations

from dataclasses import dataclass

from ui.algorithms import cache
from ui.runs.algorithm_run import AlgorithmRun, FailedRun
from ui.session import algorithms as state
from ui.session.training import Source
from ui.work.algorithm_training import Recipe


@dataclass(frozen=True)
class ShownStep:
    """A step of all trainings; those with fewer steps stay at their last one."""

    source: Source
    recipe: Recipe
    found: dict[str, AlgorithmRun | FailedRun]
    step: int

    @classmethod
    def now(cls, source: Source, recipe: Recipe) -> ShownStep:
        """The trainings at the session's step."""
        found = {name: cache.trained_run(name, source, recipe) for name in recipe.side_by_side}
        last = max((each.steps for each in found.values() if not isinstance(each, FailedRun)), default=0)
        return cls(source, recipe, found, min(state.STEP.get(), last))

    @property
    def runs(self) -> dict[str, AlgorithmRun]:
        """Successful trainings in page order."""
        return {name: each for name, each in self.found.items() if not isinstance(each, FailedRun)}

    @property
    def last(self) -> int:
        """The largest last step of all trainings."""
        return max((run.steps for run in self.runs.values()), default=0)

    @property
    def at_end(self) -> bool:
        """Whether words are segmented with the finished vocabularies."""
        return state.AT.get() == "end"

    def step_of(self, run: AlgorithmRun) -> int:
        """The step of a training at which words are segmented."""
        return run.steps if self.at_end else min(self.step, run.steps)
