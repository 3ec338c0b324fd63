"""Many texts: a file of them under the compared tokenizers, in total and one by one, or in parallel languages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
import streamlit as st

from bpe_core import CorpusError, ParallelCounts, TextCounts
from bpe_core.display.library import Figure
from bpe_core.language import _, message, n_, term, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.tokenizer.chips import chip
from ui.cache import tokenizer
from ui.compare import cache
from ui.compare.chosen import Chosen
from ui.compare.fertility import WAYS, show_chart
from ui.compare.many_file import MOST_CHARACTERS, MOST_ROWS, ManyFile, chosen_file
from ui.compare.text import use_file
from ui.session import many_texts as state
from ui.session import training
from ui.views.token_table import token_table_view
from ui.widgets.controls import menu, segments
from ui.widgets.display import title_of
from ui.widgets.downloads import download_popover
from ui.widgets.figures import show_figure
from ui.widgets.messages import note
from ui.widgets.panels import show_panel
from ui.widgets.progress import cancellable

T = TypeVar("T")

_WAYS = {"each": message("Each text"), "parallel": message("Parallel texts, one column per language")}
_ORDERS = {
    "most": message("most tokens first"),
    "fewest": message("fewest tokens first"),
    "dense": message("most tokens per character first"),
    "file": message("as in the file"),
}
_MOST_LISTED = 1_000
_LONGEST_BEGINNING = 80
_MOST_NAMED = 3
"""Maximum number of skipped rows named below the tables."""


def show_many_texts(chosen: Chosen) -> None:
    """Draw the expander."""
    title = _("Many texts: a file of them, in total and one by one")
    show_panel(title, "table_rows", state.OPEN, partial(_show, chosen), card="many texts")


def _show(chosen: Chosen) -> None:
    file = chosen_file()
    state.begin(file.digest if file else "")
    if file is None:
        return
    columns, best = cache.columns_of(file)
    with st.container(horizontal=True, vertical_alignment="bottom", key="many texts choices"):
        segments(_("What is counted"), _WAYS, state.WAY, hidden=True)
        if state.WAY.get() == "parallel":
            languages = _languages(columns)
        else:
            column = _one_of(_("Column"), columns, best)
            st.number_input(_("Context, tokens"), 1, state.HIGHEST_LIMIT, width=150, **state.LIMIT.widget())
    if state.WAY.get() == "parallel":
        _show_parallel(chosen, file, languages)
    else:
        _show_each(chosen, file, column)


def _one_of(label: str, names: tuple[str, ...], best: str) -> str:
    """Draw the choice of a column."""
    if state.COLUMN.get() not in names:
        state.COLUMN.set(best)
    st.selectbox(label, names, width=220, **state.COLUMN.widget())
    return state.COLUMN.get()


def _counted(request: str, is_light: bool, count: Callable[[Callable[[int, int], None]], T]) -> T | None:
    """Count in the queue, with progress and a Cancel button; None if it was cancelled."""
    bar = cancellable(
        state.STOPPED,
        request,
        key="counting many texts",
        cancelled=_("The count was cancelled."),
        again=translate(term("button", "Count")),
    )
    if bar is None:
        return None
    with bar.turn(heavy=not is_light):
        found = count(
            lambda done, total: bar.report(done, total, _("Counting: {share:.0%}", share=done / max(1, total)))
        )
    bar.clear()
    return found


# -- each text ---------------------------------------------------------------------------------------------------


def _show_each(chosen: Chosen, file: ManyFile, column: str) -> None:
    key = file, column, *_of(chosen)
    light = file.is_small or cache.text_counts.is_cached(*key)
    request = f"{file.digest} {column} {chosen.names}"
    counts = _counted(request, light, lambda report: cache.text_counts(*key, on_progress=report))
    if counts is None:
        return
    if len(counts):
        _show_totals(counts)
        _show_distribution(counts)
        _show_texts(chosen, counts, file, column)
    elif counts.is_whole:
        note(_("This column has no texts."))
    _say_what_is_left_out(counts, len(counts), MOST_ROWS)


def _of(chosen: Chosen) -> tuple[object, ...]:
    """What the counts depend on besides the file."""
    return chosen.special, chosen.names, chosen.source, chosen.config, chosen.forks


def _show_totals(counts: TextCounts) -> None:
    limit = state.LIMIT.get()
    rows = counts.tokenizer_table([limit]).to_dict("list")
    unknown = [counts.unknown[name] for name in counts.names]
    columns = [
        Column(term("number", "Tokens"), rows["tokens"], "number"),
        Column(message("Bytes/token"), rows["bytes_per_token"], "number", digits=2),
        Column(message("Over the context, %"), [100 * each for each in rows[f"over_{limit}"]], "number", digits=1),
        Column(message("Mean"), rows["mean"], "number", digits=1),
        Column("5 %", rows["p5"], "number", digits=1),
        Column(message("Median"), rows["p50"], "number", digits=1),
        *(Column(f"{percent} %", rows[f"p{percent}"], "number", digits=1) for percent in (95, 99)),
        Column(message("Longest"), rows["max"], "number"),
        Column(message("Its row"), rows["longest_row"], "number"),
        *([Column(message("Unknown"), unknown, "number")] if any(unknown) else []),
    ]
    names = Column("", [translate(name) for name in counts.names])
    token_table_view(
        Table(names, *columns), key="many totals", height=None, label=_("Many texts by tokenizer"), pickable=False
    )
    download_popover(
        lambda: counts.tokenizer_table([limit]),
        "tokenizers",
        key="many totals",
        about=_("One row per tokenizer, with more percentiles."),
        latex=True,
    )


def _show_distribution(counts: TextCounts) -> None:
    name = _tokenizer_shown(counts.names)
    figure = counts.figure(name, limit=state.LIMIT.get())
    with st.container(key="many texts distribution"):
        show_figure(figure, key="many texts chart", on_pick=partial(_pick, figure))
    st.caption(_("Dotted: percentiles; solid: the context, if the texts reach it. Click a bar to list its texts."))


def _tokenizer_shown(names: tuple[str, ...]) -> str:
    """Draw the choice of the tokenizer whose distribution is drawn; return its title."""
    if state.BY.get() not in names:
        state.BY.set(names[0])
    if len(names) > 1:
        menu(_("Distribution of"), {name: name for name in names}, state.BY, width=240)
    return state.BY.get()


def _pick(figure: Figure, trace: int, point: int) -> None:
    *_label, low, high = figure.data[trace].customdata[point]
    state.RANGE.set(None if state.RANGE.get() == (low, high) else (low, high))


def _show_texts(chosen: Chosen, counts: TextCounts, file: ManyFile, column: str) -> None:
    name = state.BY.get()
    tokens = counts.tokens[name]
    order = _ordered(counts, name)
    between = state.RANGE.get()
    with st.container(horizontal=True, vertical_alignment="bottom", key="many texts listing"):
        menu(_("Texts, by the tokens of {tokenizer}", tokenizer=translate(name)), _ORDERS, state.ORDER, width=260)
        if between is not None:
            order = order[(tokens[order] >= between[0]) & (tokens[order] <= between[1])]
            label = _("{low:,} to {high:,} tokens: show all texts", low=between[0], high=between[1])
            st.button(label, on_click=state.RANGE.set, args=(None,), icon=":material/close:", key="all texts")
        download_popover(counts.table, "texts", key="many texts", about=_("One row per text, without it."), latex=True)
    shown = order[:_MOST_LISTED]
    rows = counts.rows[shown].tolist()
    texts = cache.beginnings(file, column, frozenset(rows), _LONGEST_BEGINNING)
    shown_by = next(each for each in chosen.names if title_of(each) == name)
    made = tokenizer(shown_by, chosen.source, chosen.config, chosen.forks)
    longest = counts.longest[name][shown].tolist()
    table = Table(
        Column(message("Row"), rows, "number"),
        Column(message("Text"), [texts.get(row, "") for row in rows]),
        Column(message("Characters"), counts.characters[shown].tolist(), "number"),
        *(Column(each, counts.tokens[each][shown].tolist(), "number") for each in counts.names),
        Column(
            message("Per character"),
            (tokens[shown] / np.maximum(1, counts.characters[shown])).tolist(),
            "number",
            digits=2,
        ),
        Column(message("Longest token"), [None if each < 0 else chip(made, each) for each in longest], "chip"),
    )
    token_table_view(
        table,
        key="many texts table",
        height=420,
        label=_("Texts"),
        none=_("No text has so many tokens."),
        on_pick=lambda at: _open(file, column, rows[at]),
    )
    listed = n_("{count:,} text", "{count:,} texts", len(order))
    if len(order) > _MOST_LISTED:
        listed = _("The first {shown:,} of {texts:,} texts", shown=_MOST_LISTED, texts=len(order))
    st.caption(_("{listed}. Click one to compare it above.", listed=listed))


def _ordered(counts: TextCounts, name: str) -> np.ndarray:
    """Indices of the texts in the chosen order."""
    tokens = counts.tokens[name].astype(np.int64)
    keys = {
        "most": -tokens,
        "fewest": tokens,
        "dense": -tokens / np.maximum(1, counts.characters),
        "file": np.arange(len(tokens)),
    }
    return np.argsort(keys[state.ORDER.get()], kind="stable")


def _open(file: ManyFile, column: str, row: int) -> None:
    """Show a text of the file as the compared text."""
    try:
        text = file.texts(column, frozenset((row,))).get(row, "")
    except CorpusError as error:
        training.PROBLEM.set(error)
    else:
        use_file(_("{file}, row {row:,}", file=file.name, row=row), text)


# -- parallel texts ----------------------------------------------------------------------------------------------


def _languages(columns: tuple[str, ...]) -> tuple[str, ...]:
    """Draw the choice of the columns, and of the reference, which has parity 1; return them, the reference first."""
    if not state.LANGUAGES.get() or not set(state.LANGUAGES.get()) <= set(columns):
        state.LANGUAGES.set([*columns[: state.MOST_LANGUAGES]])
    st.multiselect(_("Languages"), columns, max_selections=state.MOST_LANGUAGES, width=420, **state.LANGUAGES.widget())
    chosen = tuple(name for name in columns if name in state.LANGUAGES.get())
    if not chosen:
        return ()
    if state.REFERENCE.get() not in chosen:
        state.REFERENCE.set("en" if "en" in chosen else chosen[0])
    st.selectbox(_("Relative to"), chosen, width=160, **state.REFERENCE.widget())
    return chosen


def _show_parallel(chosen: Chosen, file: ManyFile, languages: tuple[str, ...]) -> None:
    if len(languages) < 2:
        note(_("Choose at least two columns, one for each language."))
        return
    reference = state.REFERENCE.get()
    key = file, languages, reference, *_of(chosen)
    light = file.is_small or cache.counts_by_language.is_cached(*key)
    request = f"{file.digest} {languages} {reference} {chosen.names}"
    found = _counted(request, light, lambda report: cache.counts_by_language(*key, on_progress=report))
    if found is None:
        return
    if not found.texts:
        note(_("No row has a text in every one of these columns."))
    else:
        segments(_("Measure"), {**WAYS, "relative": message("Relative")}, state.MEASURE, hidden=True)
        by = state.MEASURE.get()
        measure = _("Relative to {language}", language=reference) if by == "relative" else translate(WAYS[by])
        show_chart(found.counts, by, measure, {}, key="parallel texts chart")
        rows = found.tokenizer_table().to_dict("list")
        table = Table(
            Column("", [translate(name) for name in dict.fromkeys(each.tokenizer for each in found.counts)]),
            Column(term("number", "Tokens"), rows["tokens"], "number"),
            Column(message("Gini of parity"), rows["gini"], "number", digits=3),
            Column(message("Highest parity"), rows["parity"], "number", digits=2),
            Column(message("Language"), rows["most_costly"]),
        )
        token_table_view(
            table, key="parallel totals", height=None, label=_("Parallel texts by tokenizer"), pickable=False
        )
        about = _("One row per tokenizer and language.")
        download_popover(found.table, "languages", key="parallel texts", about=about, latex=True)
    _say_what_is_left_out(found, found.texts, MOST_ROWS // len(languages))


def _say_what_is_left_out(found: TextCounts | ParallelCounts, counted: int, most_rows: int) -> None:
    """Show how many rows have no text, which are broken, and the limit beyond which rows are ignored."""
    if missing := found.missing:
        st.caption(
            n_("{count:,} row without a text is left out.", "{count:,} rows without a text are left out.", missing)
        )
    if skipped := found.skipped:
        with st.container(key="skipped rows"):
            st.caption(n_("{count:,} broken row is left out:", "{count:,} broken rows are left out:", skipped))
            for each in found.problems[:_MOST_NAMED]:
                st.text(_("Row {row:,}: {reason}", row=each.row, reason=translate(each.reason)))
    if found.is_whole:
        return
    if missing + skipped + counted >= most_rows:
        st.caption(_("Only the first {most:,} rows are counted: the command line counts all.", most=most_rows))
    else:
        most = MOST_CHARACTERS
        st.caption(_("Only the first {most:,} characters are counted: the command line counts all.", most=most))
