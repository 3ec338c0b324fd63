"""A word while it is encoded, drawn step by step: what merges now, and what could merge but has to wait."""

from .component import steps_view
from .steps import Row, WordSteps

__all__ = ["Row", "WordSteps", "steps_view"]
