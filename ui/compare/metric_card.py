"""Metrics from the literature, each with its definition and its limits."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from bpe_core.language import _, message
from bpe_core.payloads.chips import Column, Table
from ui.compare import cache
from ui.compare.chosen import Chosen
from ui.views.token_table import token_table_view
from ui.widgets.display import title_of
from ui.widgets.layout import heading

DEFINITIONS = {
    message("Fertility"): message(
        "tokens per word, words being what white space separates; it is left out where most letters are of scripts "
        "without spaces, and long words raise it."
    ),
    message("Bytes per token"): message(
        "bytes of UTF-8 that a token covers; a script of three bytes a character gets more of them for the same number "
        "of characters."
    ),
    message("Continued words"): message(
        "percent of the words that a token boundary divides; a word that became one unknown token is counted as whole."
    ),
    message("Rényi efficiency"): message(
        "how evenly the text uses the vocabulary, 1 where all its tokens are equally frequent (entropy of order 2.5, "
        "Zouhar et al. 2023); a short text lowers it, and it can rise while a model gets worse."
    ),
    message("Vocabulary used"): message(
        "percent of the vocabulary's tokens that this text has; a longer text uses more."
    ),
    message("Gini of parity"): message(
        "how unequal the twelve translations below are in tokens, 0 where all languages need the same; it is known for "
        "one paragraph only."
    ),
}
"""Definition and limits of each metric in one sentence, as untranslated messages."""

_IN_PERCENT = {"Continued words": message("Continued words, %"), "Vocabulary used": message("Vocabulary used, %")}
"""Column titles of the metrics in percent."""


def show_metrics(chosen: Chosen) -> None:
    """Draw the card: a row per tokenizer, and the definitions of the columns."""
    found = cache.metrics_of(*chosen)
    with st.container(border=True, key="metrics"):
        heading(_("Measures"), _("of this text, Gini of the paragraph below; none says which tokenizer is better"))
        numbers = (
            [each.fertility for each in found],
            [each.bytes_per_token for each in found],
            [_percent(each.continued) for each in found],
            [each.renyi for each in found],
            [_percent(each.used_share) for each in found],
            _ginis(chosen),
        )
        digits = (2, 2, 1, 3, 2, 3)
        columns = [
            Column(_IN_PERCENT.get(title, title), cells, "number", digits=few)
            for title, cells, few in zip(DEFINITIONS, numbers, digits, strict=True)
        ]
        table = Table(Column("", [each.name for each in found]), *columns)
        token_table_view(table, key="metrics table", height=None, label=_("Measures by tokenizer"), pickable=False)
        defined = (_("**{measure}**: {definition}", measure=each, definition=DEFINITIONS[each]) for each in DEFINITIONS)
        st.caption("  \n".join(defined))


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _ginis(chosen: Chosen) -> list[float | None]:
    try:
        counts = cache.fertility_counts(chosen.names, chosen.source, chosen.config, chosen.forks)
    except BpeError:  # the pattern of an uploaded file may exceed its time limit; the chart below reports it
        return [None] * len(chosen.names)
    return [counts.gini(title_of(name)) for name in chosen.names]
