"""What the Compare page keeps between runs: comparisons, their disagreements, and the counts of many languages."""

from __future__ import annotations

from typing import Any

import streamlit as st

from bpe_core import Comparison, Disagreement, TrainConfig, compare
from bpe_core.tokenizer.tokenizer import Special
from ui.compare.listing import MOST_LISTED, disagreement_page
from ui.compare.parallel_counts import ParallelCount, count_parallel
from ui.components.tokens import Table
from ui.session.state import Forks, Source
from ui.session.tokenizer_files import is_own
from ui.shared.cache import KEYS, LONG, tokenizer
from ui.shared.display import title_of


def comparison(
    names: tuple[str, ...], source: Source, config: TrainConfig, forks: Forks, text: Source, special: Special
) -> Comparison:
    """Several tokenizers that visitors can choose, on one text; by the names that the pages show."""
    keep = _own_comparison if any(map(is_own, names)) else _short_comparison
    keep = _long_comparison if len(text.text) > LONG else keep
    return keep(names, source, config, forks, text, special)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=KEYS)
def _short_comparison(*key: Any) -> Comparison:
    return _compare(*key)


@st.cache_resource(max_entries=4, show_spinner=False, hash_funcs=KEYS)
def _own_comparison(*key: Any) -> Comparison:  # few: each keeps its tokenizers
    return _compare(*key)


@st.cache_resource(max_entries=3, show_spinner=False, hash_funcs=KEYS)
def _long_comparison(*key: Any) -> Comparison:
    return _compare(*key)


def _compare(
    names: tuple[str, ...], source: Source, config: TrainConfig, forks: Forks, text: Source, special: Special
) -> Comparison:
    chosen = {title_of(name): tokenizer(name, source, config, forks) for name in names}
    return compare(text.text, chosen, special=special)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=KEYS)
def disagreements(left: str, right: str, *key: Any) -> list[Disagreement]:
    """Where two tokenizers differ; by the names that visitors choose, and the key of their comparison."""
    return comparison(*key).disagreements(title_of(left), title_of(right), most=MOST_LISTED)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=KEYS)
def disagreement_table(left: str, right: str, cause: str, page: int, *key: Any) -> Table:
    """One page of the disagreements of one cause as a table; kept, since its encoding for the browser is, too."""
    found = disagreements(left, right, *key)
    return disagreement_page(comparison(*key), title_of(left), title_of(right), found, cause, page)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=KEYS)
def fertility_counts(names: tuple[str, ...], source: Source, config: TrainConfig, forks: Forks) -> list[ParallelCount]:
    """The tokens of the paragraph that the samples hold in many languages."""
    return count_parallel({title_of(name): tokenizer(name, source, config, forks) for name in names})
