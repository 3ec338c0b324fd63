"""A word while it is encoded, drawn step by step: what merges now, and what could merge but has to wait."""

from ui.components.steps.component import steps_view
from ui.components.steps.steps import StepRow, WordSteps

__all__ = ["StepRow", "WordSteps", "steps_view"]
