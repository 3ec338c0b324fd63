"""Encoding of Plotly figures for the browser: without a title, with a table of values. Pure data, no Streamlit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Any

import numpy as np

from bpe_core.display.figures import evenly
from bpe_core.display.template import figure_colours
from bpe_core.drawing.themes import THEMES
from bpe_core.payloads.frames import Body, TranslatedBody, encode_body, encode_text

if TYPE_CHECKING:
    import plotly.graph_objects as go

MOST_ROWS = 40
"""Maximum rows of a table per trace; screen readers read them out."""

_HEIGHT = 400
_ABOVE, _LEGEND_HEIGHT = 12, 40
"""Space above the plot in px, and additional space for a legend."""
_LEGEND = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"}


def figure_body(figure: go.Figure, **more: Any) -> Body:
    """Encode a figure made for the theme "light"; `more`: additional fields."""
    added = "".join(f"{json.dumps(name)}:{json.dumps(value, separators=(',', ':'))}," for name, value in more.items())
    return encode_text(f'{{"colours":{_colours()},{added}{figure_json(figure)[1:]}')


@dataclass(frozen=True)
class SteadyFigure:
    """Figure of which only the traces change: Plotly's validation of a whole figure takes longer than a training step.

    make: creates the figure for the theme "light", with or without traces.
    """

    make: Callable[[], go.Figure]

    @TranslatedBody
    def body(self) -> Body:
        """Encoded figure, cached per language."""
        return figure_body(self.make())

    def with_traces(self, traces: Sequence[Mapping[str, Any]], **more: Any) -> Body:
        """Encode the figure with these Plotly traces, which are not validated; `more`: additional fields."""
        whole = json.loads(self.body.data)
        whole["figure"]["data"] = traces
        return encode_body({**whole, **more})


def figures_body(figures: Iterable[go.Figure], more: dict[str, Any]) -> Body:
    """Encode several figures as one body, under "figures"; `more`: additional fields."""
    drawn = ",".join(map(figure_json, figures))
    return encode_text(f'{{"colours":{_colours()},"figures":[{drawn}],{json.dumps(more, separators=(",", ":"))[1:]}')


def figure_json(figure: go.Figure) -> str:
    """Encode a figure with its height and table, in ASCII."""
    from plotly.io.json import to_json_plotly

    drawn = figure.to_dict()
    layout = drawn["layout"]
    height = layout.pop("height", None) or _HEIGHT
    layout.pop("title", None)
    if layout.get("showlegend"):
        layout["legend"] = _LEGEND | layout.get("legend", {})
    top = _ABOVE + (_LEGEND_HEIGHT if layout.get("showlegend") else 0)
    layout["margin"] = {"t": top, "l": 0, "r": 16, "b": 0} | layout.get("margin", {})
    rest = {"height": height, "table": table_of(figure)}
    return f'{{"figure":{to_json_plotly(drawn, engine="json")},{json.dumps(rest, separators=(",", ":"))[1:]}'


def _colours() -> str:
    return json.dumps({theme: figure_colours(theme) for theme in THEMES}, separators=(",", ":"))


def point_counts(figure: go.Figure) -> list[int]:
    """Number of points of each trace of a figure."""
    return [len(columns[0]) if columns else 0 for columns in map(_columns, figure.data)]


def table_of(figure: go.Figure) -> list[dict[str, Any]]:
    """Values of each trace with hover text: its name, column names, and rows.

    Columns have the titles of the axes, or those in `meta` of the trace; the first one contains the `ids` of points on
    axes, if any.

    >>> import plotly.graph_objects as go
    >>> table_of(go.Figure(go.Bar(x=[1, 2], y=[5, 6], name="a"), {"xaxis": {"title": {"text": "bytes"}}}))
    [{'name': 'a', 'columns': ['bytes', 'y'], 'rows': [[1, 5], [2, 6]]}]
    """
    tables = []
    for trace in figure.data:
        columns = _columns(trace)
        if trace.hoverinfo == "skip" or not columns:
            continue
        axes = [figure.layout[_axis(trace, "x")], figure.layout[_axis(trace, "y")]] if "x" in trace else [None, None]
        names = ["", ""] if axes[0] is None else [_title(axis, name) for axis, name in zip(axes, "xy", strict=True)]
        names = list(trace.meta or names)
        shown = evenly(len(columns[0]), MOST_ROWS).tolist()
        cells = [
            _with_tick_labels([column[at] for at in shown], axis) for column, axis in zip(columns, axes, strict=True)
        ]
        if axes[0] is not None and trace.ids is not None:  # those of boxes link them to their parents
            cells[0] = [trace.ids[at] for at in shown]
        rows = [list(row) for row in zip(*cells, strict=True)]
        tables.append({"name": unescape(trace.name or ""), "columns": names, "rows": rows})
    return tables


def _columns(trace: Any) -> list[list[Any]]:
    """Two values per point: x and y, or label and value."""
    for first, second in (("x", "y"), ("labels", "values")):
        if first in trace and trace[first] is not None and trace[second] is not None:
            return [np.asarray(trace[name]).tolist() for name in (first, second)]
    if "z" in trace and trace["z"] is not None:
        z = np.asarray(trace["z"], dtype=object)
        rows, columns = np.indices(z.shape)
        return [[f"{row} / {column}" for row, column in zip(rows.flat, columns.flat, strict=True)], z.ravel().tolist()]
    return []


def _axis(trace: Any, letter: str) -> str:
    """Name of a trace's axis in the layout: "xaxis", "yaxis2"."""
    return f"{letter}axis{(trace[f'{letter}axis'] or letter)[1:]}"


def _title(axis: Any, otherwise: str) -> str:
    return unescape(axis.title.text or otherwise)


def _with_tick_labels(values: Iterable[Any], axis: Any) -> list[str | float | None]:
    """Replace values by their tick labels on the axis, if any."""
    named: Mapping[Any, str] = {}
    if axis is not None and axis.ticktext is not None:
        named = dict(zip(_listed(axis.tickvals), axis.ticktext, strict=True))
    return [unescape(named[value]) if value in named else value for value in values]


def _listed(values: Iterable[Any]) -> list[Any]:
    return [value.item() if isinstance(value, np.generic) else value for value in values]
