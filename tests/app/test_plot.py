"""Payload of the figure view: the figure as JSON, its values as text, and the points that a browser may select."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from bpe_core.display.figures import titled_figure
from bpe_core.display.plain_text import literal
from bpe_core.display.training_figures import NextPair, next_pairs_figure, next_pairs_trace
from bpe_core.drawing.themes import THEMES
from ui.views.plot import _are_points
from ui.views.plot_figures import MOST_ROWS, SteadyFigure, figure_body, point_counts, table_of

HOSTILE = "<b>\ud800$x$</b>"


def body_of(figure: go.Figure) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(figure_body(figure).data)
    return body


def test_a_figure_comes_without_its_title_and_with_the_height_that_it_has() -> None:
    figure = titled_figure("light", "Title", "more", "x", "y")
    assert body_of(figure)["height"] == 400
    figure.update_layout(height=230)
    body = body_of(figure)
    assert (body["height"], "title" in body["figure"]["layout"]) == (230, False)
    assert figure.layout.title.text == "Title", "the figure itself stays unchanged"


def test_a_figure_of_which_only_the_traces_change_is_the_whole_figure_with_those_traces() -> None:
    pairs = [NextPair(b"a", b"b", 4, "win"), NextPair(b"<", HOSTILE.encode("utf-8", "surrogatepass"), 2, "tie")]
    steady = SteadyFigure(lambda: next_pairs_figure([], 40, "light"))
    for shown in (pairs, pairs[:1], []):
        whole = body_of(next_pairs_figure(shown, 40, "light"))
        body = json.loads(steady.with_traces([next_pairs_trace(shown, "light")], table=whole["table"], more=1).data)
        assert body == whole | {"more": 1}


def test_values_that_are_no_numbers_and_lone_surrogates_reach_the_browser() -> None:
    figure = go.Figure(go.Scatter(x=[1, 2, 3], y=[1.5, float("nan"), float("inf")], name=HOSTILE))
    [trace] = body_of(figure)["figure"]["data"]
    assert trace["y"] == [1.5, None, None]
    assert trace["name"] == HOSTILE


def test_the_table_has_the_names_of_the_axes_and_the_text_as_it_was() -> None:
    figure = go.Figure(go.Bar(x=[4, 2], y=[0, 1], name=literal(HOSTILE), orientation="h"))
    figure.update_layout(xaxis_title_text="tokens", yaxis={"tickvals": [0, 1], "ticktext": [literal("<i>"), "b"]})
    [table] = table_of(figure)
    assert table["columns"] == ["tokens", "y"]
    assert table["rows"] == [[4, "<i>"], [2, "b"]]
    assert table["name"].startswith("<b>")


def test_a_long_trace_is_thinned_out_in_the_table_and_what_says_nothing_is_not_in_it() -> None:
    figure = go.Figure([go.Scatter(x=np.arange(2_000), y=np.arange(2_000)), go.Scatter(x=[1], y=[1], hoverinfo="skip")])
    [table] = table_of(figure)
    assert len(table["rows"]) == MOST_ROWS
    assert (table["rows"][0], table["rows"][-1]) == ([0, 0], [1_999, 1_999])


def test_traces_of_other_kinds_have_points_and_a_table() -> None:
    treemap = go.Treemap(labels=["a", "b"], values=[3, 1], parents=["", "a"])
    figure = go.Figure([treemap, go.Heatmap(z=[[None, 0.5, 0.25], [0.5, None, 1]])])
    assert point_counts(figure) == [2, 6]
    assert [table["rows"][1] for table in table_of(figure)] == [["b", 1], ["0 / 1", 0.5]]
    assert point_counts(go.Figure()) == []


def test_every_theme_has_a_colour_for_each_that_figures_have() -> None:
    colours = body_of(titled_figure("light", "", "", "x", "y"))["colours"]
    assert set(colours) == set(THEMES)
    assert len({len(each) for each in colours.values()}) == 1
    assert len(set(colours["light"])) == len(colours["light"])


@pytest.mark.parametrize(
    ("value", "is_point"),
    [
        ([0, 2], True),
        ([1, 0], True),
        ([1, 1], False),
        ([0, 3], False),
        ([2, 0], False),
        ([0, -1], False),
        ([0, 1.0], False),
        ([True, 0], False),
        ([0], False),
        ([0, 1, 2], False),
        ({"trace": 0}, False),
        (None, False),
    ],
)
def test_only_points_of_the_figure_can_be_chosen(value: Any, is_point: bool) -> None:
    assert _are_points(value, [3, 1], 1) is is_point
