"""Counts of the compared tokenizers, and the agreement of their boundaries."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import streamlit as st

from bpe_core import Comparison
from bpe_core.bpe.settings_words import settings_line
from bpe_core.comparison.results import count_columns
from bpe_core.comparison.tables import count_table
from bpe_core.language import _, counted, joined, listed, message, translate
from bpe_core.payloads.chips import Column, Table
from ui.compare import cache
from ui.compare.chosen import Chosen
from ui.session.tokenizer_choice import TRAINED
from ui.views.token_table import token_table_view
from ui.widgets.display import base_title, title_of
from ui.widgets.downloads import download_popover
from ui.widgets.layout import heading

_SPECIAL = {"text": message("special tokens as plain text"), "parse": message("special tokens parsed")}


def show_counts(chosen: Chosen) -> None:
    """Draw token counts and averages, the vocabularies, and the treatment of special tokens."""
    comparison = chosen.comparison()
    with st.container(border=True, key="counts"):
        heading(_("Counts"), translate(_SPECIAL[chosen.special]))
        rows = comparison.rows
        spaced = cache.has_spaces(chosen.text)
        per_word = [row.tokens_per_word if spaced else None for row in rows]
        words = (
            message("Words are runs without white space.")
            if spaced
            else message("This text has no spaces between words, so it has no tokens per word.")
        )
        table = Table(
            *count_columns(rows),
            Column(message("Per word"), per_word, "number", digits=2),
        )
        token_table_view(table, key="counts table", height=None, label=_("Counts by tokenizer"), pickable=False)
        st.caption(translate(joined(vocabularies(chosen), words)))
        download_popover(partial(count_table, rows), "counts", key="counts", about=_("One row per tokenizer."))


def vocabularies(chosen: Chosen) -> str:
    """One-line description of the vocabularies."""
    comparison = chosen.comparison()
    ids = [f"{translate(title_of(name))} {comparison.tokenizer(title_of(name)).vocab_size:,}" for name in chosen.names]
    held = _("Ids in the vocabulary: {ids}.", ids=listed(ids, last=""))
    if TRAINED not in chosen.names:
        return held
    settings = settings_line(chosen.config, base=base_title(chosen.config))
    trained = (
        _("Trained: {settings}, forked.", settings=settings)
        if chosen.forks
        else _("Trained: {settings}.", settings=settings)
    )
    return translate(joined(held, trained))


def show_agreement(chosen: Chosen, pair: tuple[str, str]) -> None:
    """Draw the pairwise boundary F1, and the number of boundaries shared by the explained pair."""
    comparison = chosen.comparison()
    with st.container(border=True, key="agreement"):
        heading(_("Shared boundaries"), _("F1: 1.00 where all are shared"))
        token_table_view(_matrix(comparison, chosen), key="agreement table", height=None, label="F1", pickable=False)
        left, right = (title_of(name) for name in pair)
        agreement = comparison.agreement(left, right)
        st.caption(
            translate(
                joined(
                    counted(
                        "{left} and {right} share {count:,} boundary.",
                        "{left} and {right} share {count:,} boundaries.",
                        agreement.shared,
                        left=left,
                        right=right,
                    ),
                    _only(agreement.only_left, left),
                    _only(agreement.only_right, right),
                )
            )
        )


def _only(count: int, tokenizer: str) -> str:
    return counted("{count:,} is only {tokenizer}'s.", "{count:,} are only {tokenizer}'s.", count, tokenizer=tokenizer)


def _matrix(comparison: Comparison, chosen: Chosen) -> Table:
    names = [title_of(name) for name in chosen.names]
    f1 = {frozenset(two): comparison.agreement(*two).f1 for two in combinations(names, 2)}
    columns = [Column("", names)]
    for name in names:
        cells = [None if name == other else f1[frozenset((name, other))] for other in names]
        columns.append(Column(name, cells, "share", digits=2))
    return Table(*tuple(columns))
