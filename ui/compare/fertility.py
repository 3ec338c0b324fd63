"""Fertility chart: token counts of one paragraph in many languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from bpe_core import BpeError, ParallelCount
from bpe_core.display.figures import titled_figure
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import literal
from bpe_core.display.template import line_colours
from bpe_core.drawing.themes import THEMES
from bpe_core.language import _, joined, message, term, translate
from ui.compare import cache
from ui.compare.chosen import Chosen
from ui.compare.counts import vocabularies
from ui.compare.parallel_counts import REFERENCE, bytes_sentence, cost_sentence, language_titles
from ui.session import compare as state
from ui.views.plot import plot_view
from ui.widgets.controls import menu, segments
from ui.widgets.layout import heading
from ui.widgets.messages import problem

WAYS = {
    "relative": message("Relative to English"),
    "tokens": term("number", "Tokens"),
    "per character": message("Tokens per character"),
    "per word": message("Tokens per word"),
}
_LINES = {
    "relative": message("2.0: twice as many tokens as the same tokenizer needs for the English one"),
    "tokens": message("how many tokens the paragraph becomes"),
    "per character": message("scripts of three bytes a character start at 3.0, before any merge"),
    "per word": message("none for Japanese and Chinese, which put no spaces between words"),
}

_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star", "triangle-down", "hexagon")
"""Marks of tokenizers, distinguished by colour and shape."""

_ROW, _FRAME = 30, 110
"""Heights in px: a row, and everything around the rows."""


def show_fertility(chosen: Chosen) -> None:
    """Draw the card with the chart."""
    with st.container(border=True, key="fertility"):
        by = state.FERTILITY_BY.get()
        heading(_("The same paragraph in twelve languages"), translate(_LINES[by]))
        segments(_("Fertility"), WAYS, state.FERTILITY_BY, hidden=True)
        try:
            rows = cache.fertility_counts(chosen.names, chosen.source, chosen.config, chosen.forks).counts
        except BpeError as error:  # the pattern of an uploaded file may exceed its time limit
            problem(error, key="fertility problem")
            return
        show_chart(rows, by, translate(WAYS[by]), language_titles(), key="fertility chart")
        _show_why(rows)
        hollow = message("Hollow: some of the text became unknown tokens.") if any(row.unknown for row in rows) else ""
        st.caption(translate(joined(vocabularies(chosen), message("Special tokens as plain text."), hollow)))


def show_chart(rows: Sequence[ParallelCount], by: str, measure: str, titles: Mapping[str, str], *, key: str) -> None:
    """Draw a row per language and a mark per tokenizer; fewest tokens first, languages without a value last."""
    label = _("{measure} by language", measure=measure)
    plot_view(fertility_figure(rows, by, measure, titles), key=key, label=label)


def fertility_figure(
    rows: Sequence[ParallelCount], by: str, measure: str, titles: Mapping[str, str] | None = None
) -> Figure:
    """Values of all tokenizers, one row per language; hollow marks mean that text became unknown tokens.

    measure: name of the values. titles: titles of languages; one without a title is shown by its name.
    """
    named = titles or {}
    by_language: dict[str, list[ParallelCount]] = {}
    for row in rows:
        by_language.setdefault(row.language, []).append(row)
    languages = sorted(by_language, key=lambda language: _mean(by_language[language], by))
    shown_language = {language: literal(named.get(language, language)) for language in languages}
    values = [row.value(by) for row in rows]
    most = max((value for value in values if value is not None), default=0) or 1
    figure = titled_figure("light", "", "", literal(measure), "")
    _add_ranges(figure, [by_language[language] for language in languages], by)
    form = ",d" if by == "tokens" else ".2f"
    for number, name in enumerate(dict.fromkeys(row.tokenizer for row in rows)):
        places = {row.language: row for row in rows if row.tokenizer == name}
        marks = [places[language] for language in languages]
        symbol = _SYMBOLS[number % len(_SYMBOLS)]
        shown = literal(translate(name))
        colour = line_colours("light")[number % len(_SYMBOLS)]
        figure.add_scatter(
            x=[mark.value(by) for mark in marks],
            y=list(range(len(marks))),
            name=shown,
            meta=[literal(measure), _("Language")],
            mode="markers",
            marker={
                "size": 11,
                "color": colour,
                "symbol": [f"{symbol}-open" if mark.unknown else symbol for mark in marks],
                "line": {"width": [2 if mark.unknown else 0 for mark in marks], "color": colour},
            },
            cliponaxis=False,
            customdata=[
                [shown_language[mark.language], "<br>" + _("in part unknown tokens") if mark.unknown else ""]
                for mark in marks
            ],
            hovertemplate=f"<b>%{{customdata[0]}}</b><br>{shown}: %{{x:{form}}}%{{customdata[1]}}<extra></extra>",
        )
    figure.update_xaxes(range=[0, 1.04 * most], nticks=9, showline=False, ticks="", rangemode="tozero")
    figure.update_yaxes(
        tickvals=list(range(len(languages))),
        ticktext=[shown_language[language] for language in languages],
        range=[len(languages) - 0.5, -0.5],
        ticks="",
        ticklabelstandoff=6,
    )
    figure.update_layout(height=_FRAME + _ROW * len(languages), showlegend=True)
    return figure


def _add_ranges(figure: Figure, rows: Sequence[Sequence[ParallelCount]], by: str) -> None:
    """Add a line in each row from its smallest to its largest value."""
    x: list[float | None] = []
    y: list[int | None] = []
    for at, row in enumerate(rows):
        known = [value for each in row if (value := each.value(by)) is not None]
        if known:
            x += [min(known), max(known), None]
            y += [at, at, None]
    line = {"color": THEMES["light"].pale, "width": 1.5}
    figure.add_scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False)


def _mean(row: Sequence[ParallelCount], by: str) -> float:
    known = [value for each in row if (value := each.value(by)) is not None]
    return sum(known) / len(known) if known else float("inf")


def _show_why(rows: Sequence[ParallelCount]) -> None:
    """Draw the reason for each tokenizer's token count in one language."""
    titles = {code: title for code, title in language_titles().items() if code != REFERENCE}
    with st.container(horizontal=True, vertical_alignment="top", key="why a language"):
        menu(_("Why does a language cost what it does?"), titles, state.FERTILITY_WHY, width=290)
        english = {row.tokenizer: row for row in rows if row.language == REFERENCE}
        asked = [row for row in rows if row.language == state.FERTILITY_WHY.get()]
        if asked:
            costs = (cost_sentence(row, english[row.tokenizer]) for row in asked)
            st.text(
                "\n".join([bytes_sentence(asked[0], english[asked[0].tokenizer], titles[asked[0].language]), *costs]),
                width="content",
            )
