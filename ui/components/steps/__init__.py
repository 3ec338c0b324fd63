"""Step-by-step encoding of a word: the current merge, and possible merges that rank later."""

from ui.components.steps.component import steps_view
from ui.components.steps.steps import StepRow, WordSteps

__all__ = ["StepRow", "WordSteps", "steps_view"]
