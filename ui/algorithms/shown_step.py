"""Where the visitor is on the page: what was trained, the step of each, and which vocabularies segment words."""

from __future__ import annotations

from dataclasses import dataclass

from ui.algorithms import cache
from ui.algorithms.algorithm_run import AlgorithmRun, FailedRun
from ui.session import state
from ui.session.state import ALGORITHMS, Source
from ui.shared.algorithm_training import Recipe


@dataclass(frozen=True)
class ShownStep:
    """One step of all of them. Those that have fewer steps stay at their last."""

    source: Source
    recipe: Recipe
    found: dict[str, AlgorithmRun | FailedRun]
    step: int

    @classmethod
    def now(cls, source: Source, recipe: Recipe) -> ShownStep:
        """The trainings at the step that the visitor chose."""
        found = {name: cache.trained_run(name, source, recipe) for name in ALGORITHMS}
        last = max((each.steps for each in found.values() if not isinstance(each, FailedRun)), default=0)
        return cls(source, recipe, found, min(state.ALGORITHMS_STEP.get(), last))

    @property
    def runs(self) -> dict[str, AlgorithmRun]:
        """Those that could be trained, in the order of the page."""
        return {name: each for name, each in self.found.items() if not isinstance(each, FailedRun)}

    @property
    def last(self) -> int:
        """The last step of the one that has the most."""
        return max((run.steps for run in self.runs.values()), default=0)

    @property
    def at_end(self) -> bool:
        """Whether words are segmented with the finished vocabularies."""
        return state.ALGORITHMS_AT.get() == "end"

    def step_of(self, run: AlgorithmRun) -> int:
        """The step of one of them with which words are segmented."""
        return run.steps if self.at_end else min(self.step, run.steps)
