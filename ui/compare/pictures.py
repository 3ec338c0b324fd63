"""Figures of the compared tokenizers: tokens per line, and composition and overlap of their vocabularies."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bpe_core.comparison.overlap import spellings
from bpe_core.comparison.text_lines import line_counts, line_starts
from bpe_core.display.library import Figure
from bpe_core.display.lines_figures import lines_figure
from bpe_core.display.overlap_figures import overlap_figure
from bpe_core.language import _, message, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.tokenizer.chips import chip
from ui.compare import cache
from ui.compare.chosen import Chosen
from ui.compare.compared_lines import go_to
from ui.session import compare as state
from ui.views.token_table import token_table_view
from ui.widgets.display import title_of
from ui.widgets.figures import choose_composition, show_composition, show_figure
from ui.widgets.messages import note
from ui.widgets.panels import show_panel
from ui.widgets.progress import TrainingBar

_MOST_SPELLINGS = 200


def show_line_counts(chosen: Chosen, pair: tuple[str, str]) -> None:
    """Draw the expander with tokens per line under two tokenizers. A click on a line shows where they differ."""
    title = _("Tokens of each line, one tokenizer against the other")
    show_panel(title, "scatter_plot", state.LINES_OPEN, partial(_line_counts, chosen, pair), card="tokens per line")


def _line_counts(chosen: Chosen, pair: tuple[str, str]) -> None:
    comparison = chosen.comparison()
    names = [title_of(name) for name in pair]
    counts = [line_counts(comparison, name) for name in names]
    figure = lines_figure(list(map(translate, names)), counts, comparison.text.split("\n"), "light")
    numbers = tuple(line for line, *_more in figure.data[-1].customdata) if figure.data else ()
    chips = {len(figure.data) - 1: cache.line_tokens(*pair, numbers, *chosen)} if numbers else None
    show_figure(figure, key="lines chart", chips=chips, on_pick=partial(_go_to_line, chosen, pair, figure))
    st.caption(_("Each point is a line of the text. Click one to see where the two first differ in it."))


def _go_to_line(chosen: Chosen, pair: tuple[str, str], figure: Figure, trace: int, point: int) -> None:
    if figure.data[trace].customdata is None:  # the diagonal
        return
    line = figure.data[trace].customdata[point][0]
    starts = [*line_starts(chosen.comparison().text).tolist(), len(chosen.comparison().text.encode())]
    go_to(chosen, pair, starts[line - 1], starts[line])


def show_vocabularies(chosen: Chosen) -> None:
    """Draw the expanders about the vocabularies, independent of the text."""
    for title, icon, is_open, show, card in (
        (_("What the vocabularies are made of"), "bar_chart", state.COMPOSITION_OPEN, _composition, "composition"),
        (_("What the vocabularies share"), "join_inner", state.OVERLAP_OPEN, _overlap, "shared tokens"),
    ):
        show_panel(title, icon, is_open, partial(show, chosen), card=card)


def _composition(chosen: Chosen) -> None:
    choose_composition()
    show_composition(chosen.names, key="compared composition chart")


def _overlap(chosen: Chosen) -> None:
    key = chosen.names, chosen.source, chosen.config, chosen.forks
    bar = TrainingBar(key="overlap", on_cancel=lambda: state.OVERLAP_OPEN.set(False))
    with bar.turn(heavy=not cache.overlap.is_cached(*key)):
        groups = cache.overlap(*key)
    bar.clear()
    titles = {name: translate(title_of(name)) for name in chosen.names}
    named = [([titles[name] for name in each.names], each.tokens, each.examples) for each in groups]
    show_figure(overlap_figure(list(titles.values()), named, "light"), key="overlap chart")
    st.caption(_("Tokens are equal where their texts are: a space is a space, whether it is written as Ġ or ▁."))
    _show_spellings(chosen)


def _show_spellings(chosen: Chosen) -> None:
    """Draw the spellings of one word with their ids."""
    word = st.text_input(
        _("Spellings of a word"),
        max_chars=state.LONGEST_SPELLED,
        live="300ms",
        width=290,
        **state.SPELLED.widget(),
    )
    if not word.strip():
        return
    made_of = chosen.source, chosen.config, chosen.forks
    found = spellings([cache.token_texts_of(name, *made_of) for name in chosen.names], word)
    if not found:
        note(_("No vocabulary has a token of this word."))
        return
    tokenizers = [chosen.comparison().tokenizer(title_of(name)) for name in chosen.names]
    chips = []
    for _text, ids in found[:_MOST_SPELLINGS]:
        at = next(at for at, token_id in enumerate(ids) if token_id is not None)
        chips.append(chip(tokenizers[at], ids[at] or 0, b""))
    columns = [Column(message("Token"), chips, "chip")]
    for at, name in enumerate(chosen.names):
        columns.append(Column(title_of(name), [ids[at] for _text, ids in found[:_MOST_SPELLINGS]], "number"))
    token_table_view(
        Table(*tuple(columns)), key="spellings", height=420, label=_("Ids of each spelling"), pickable=False
    )
    st.caption(_("The word in any case, with spaces and punctuation around it, and its id in each vocabulary."))
