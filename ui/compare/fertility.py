"""The chart of fertility: one paragraph in many languages, and what each tokenizer needs for it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from bpe_core import BpeError
from bpe_core.language import _, gettext, joined, message, said
from ui.compare import cache
from ui.compare.chosen import Chosen
from ui.compare.counts import vocabularies
from ui.compare.parallel_counts import REFERENCE, ParallelCount, bytes_sentence, cost_sentence
from ui.components.dots import DotRow, dots_view
from ui.session import state
from ui.shared.layout import heading
from ui.shared.messages import problem

_WAYS = {
    "relative": message("Relative to English"),
    "tokens": message("Tokens"),
    "per character": message("Tokens per character"),
    "per word": message("Tokens per word"),
}
_LINES = {
    "relative": message("2.0: twice as many tokens as the same tokenizer needs for the English one"),
    "tokens": message("how many tokens the paragraph becomes"),
    "per character": message("scripts of three bytes a character start at 3.0, before any merge"),
    "per word": message("none for Japanese and Chinese, which put no spaces between words"),
}


def show_fertility(chosen: Chosen) -> None:
    """The card with the chart."""
    with st.container(border=True, key="fertility"):
        by = state.FERTILITY_BY.get()
        heading(_("The same paragraph in twelve languages"), said(_LINES[by]))
        st.segmented_control(
            _("Fertility"),
            list(_WAYS),
            format_func=lambda way: said(_WAYS[way]),
            required=True,
            label_visibility="collapsed",
            **state.FERTILITY_BY.widget(),
        )
        try:
            counts = cache.fertility_counts(chosen.names, chosen.source, chosen.config, chosen.forks)
        except BpeError as error:  # a pattern of a visitor's own file may run out of time
            problem(error, key="fertility problem")
            return
        rows = [row._replace(language=gettext(row.language)) for row in counts]
        _show_chart(rows, by)
        _show_why(rows)
        hollow = message("Hollow: some of the text became unknown tokens.") if any(row.unknown for row in rows) else ""
        st.caption(said(joined(vocabularies(chosen), message("Special tokens as plain text."), hollow)))


def _show_chart(rows: Sequence[ParallelCount], by: str) -> None:
    """A row a language, a mark a tokenizer; languages with the fewest tokens first, those without a value last."""
    names = list(dict.fromkeys(row.tokenizer for row in rows))
    found = {(row.language, row.tokenizer): row for row in rows}
    lines = []
    for language in dict.fromkeys(row.language for row in rows):
        of_all = [found[language, name] for name in names]
        lines.append(DotRow(language, [row.value(by) for row in of_all], [row.unknown for row in of_all]))
    dots_view(
        [said(name) for name in names],
        sorted(lines, key=_mean),
        key="fertility chart",
        label=_("{measure} by language", measure=_WAYS[by]),
        axis=said(_WAYS[by]),
        digits=0 if by == "tokens" else 2,
        hollow=_("in part unknown tokens"),
    )


def _mean(row: DotRow) -> float:
    known = [value for value in row.values if value is not None]
    return sum(known) / len(known) if known else float("inf")


def _show_why(rows: Sequence[ParallelCount]) -> None:
    """Of one language, why each tokenizer needs as many tokens for it."""
    titles = {row.code: row.language for row in rows if row.code != REFERENCE}
    with st.container(horizontal=True, vertical_alignment="top", key="why a language"):
        st.selectbox(
            _("Why does a language cost what it does?"),
            titles,
            format_func=titles.__getitem__,
            width=290,
            **state.FERTILITY_WHY.widget(),
        )
        english = {row.tokenizer: row for row in rows if row.code == REFERENCE}
        asked = [row for row in rows if row.code == state.FERTILITY_WHY.get()]
        if asked:
            costs = (cost_sentence(row, english[row.tokenizer]) for row in asked)
            st.text("\n".join([bytes_sentence(asked[0], english[asked[0].tokenizer]), *costs]), width="content")
