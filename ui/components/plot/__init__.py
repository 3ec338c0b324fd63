"""Charts: any Plotly figure, drawn by plotly.js; and figures over the steps of a training, with a mark at one."""

from ui.components.plot.component import plot_view
from ui.components.plot.steps import OtherMark, StepFigures, StepWords, mark_frame, relayed_mark, steps_view

__all__ = [
    "OtherMark",
    "StepFigures",
    "StepWords",
    "mark_frame",
    "plot_view",
    "relayed_mark",
    "steps_view",
]
