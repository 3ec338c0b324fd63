"""A chart: any Plotly figure, drawn by plotly.js."""

from ui.components.plot.component import plot_view

__all__ = ["plot_view"]
