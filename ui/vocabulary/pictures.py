"""Figures of the whole vocabulary: merge forest, composition, token frequencies, and the effect of its first merges."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt
import streamlit as st

from bpe_core import TrainConfig
from bpe_core.bpe.training_step import Forks
from bpe_core.display.figures import evenly_in_log
from bpe_core.display.first_merges_figures import Curve, first_merges_figure
from bpe_core.display.forest_figures import forest_figure
from bpe_core.display.library import Figure
from bpe_core.display.vocabulary_figures import ranks_figure
from bpe_core.language import _, message, n_, translate
from bpe_core.payloads.captions import Captions
from ui.session import training
from ui.session import vocabulary as state
from ui.session.learned_tokenizers import is_learned
from ui.session.tokenizer_choice import TRAINED, tokenizers
from ui.session.training import Source
from ui.views.plot import plot_view
from ui.views.token_flow import token_view
from ui.vocabulary import cache
from ui.vocabulary.changes import show_added, show_smaller
from ui.vocabulary.vocabulary import Vocabulary
from ui.widgets.controls import HEAVY_TO_TRAIN, menu, segments
from ui.widgets.display import spans, title_of
from ui.widgets.figures import choose_composition, show_composition, show_figure, token_chips
from ui.widgets.panels import show_panel
from ui.widgets.progress import TrainingBar

_MERGE_CHOICES = 120
"""Number of positions of the merge slider: steps of at most a tenth on its log scale."""

_MOST_SHOWN = 1_200
"""Maximum characters of the text drawn with the first merges."""

_FEW_MERGES = 1_000
"""Number of first merges whose share of all saved tokens is shown."""

_FOREST_BY = {"made": message("When they were made"), "used": message("How often the text uses them")}


def show_pictures(vocabulary: Vocabulary) -> None:
    """Draw the expanders; each is computed only when open."""
    for title, icon, is_open, show, card in (
        (_("What tokens are made of"), "account_tree", state.FOREST_OPEN, _show_forest, "forest"),
        (_("Kinds and scripts of tokens"), "bar_chart", state.COMPOSITION_OPEN, _show_composition, "composition"),
        (_("With the first merges only"), "trending_down", state.FIRST_MERGES_OPEN, _show_first_merges, "with merges"),
        (_("Add a token by hand"), "add_circle", state.ADD_OPEN, show_added, "added"),
        (_("Make it smaller"), "content_cut", state.SHRINK_OPEN, show_smaller, "smaller"),
    ):
        show_panel(title, icon, is_open, partial(show, vocabulary), card=card)


def _show_forest(vocabulary: Vocabulary) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        segments(_("Size and colour"), _FOREST_BY, state.FOREST_BY, hidden=True)
        st.toggle(_("Only from the open token"), disabled=state.TOKEN.get() is None, **state.FOREST_OF_TOKEN.widget())
    forest = cache.merge_forest_of(*_made_of(vocabulary.name))
    uses = None
    if state.FOREST_BY.get() == "used":
        uses = vocabulary.uses[np.searchsorted(vocabulary.facts.ids, forest.ids)]
    root = state.TOKEN.get() if state.FOREST_OF_TOKEN.get() else None
    tokenizer = vocabulary.tokenizer
    figure = forest_figure(forest.trees(uses, root), tokenizer.token_bytes, "light")
    chips = token_chips(figure, tokenizer)
    show_figure(figure, key="forest chart", chips=chips, on_pick=partial(_open, figure))
    st.caption(_("Each token lies within its left part. Click a token to open it and to zoom in."))


def _open(figure: Figure, trace: int, point: int) -> None:
    """Open the token of a box or a point; no-op for the box around all, and for points of Zipf's law."""
    points = figure.data[trace].customdata
    if points is not None and (token_id := points[point][1]) is not None:
        state.TOKEN.set(token_id)


def _show_composition(vocabulary: Vocabulary) -> None:
    beside = [name for name in tokenizers() if name != vocabulary.name and not is_learned(name)]
    if state.VOCABULARY_BESIDE.get() not in beside:
        state.VOCABULARY_BESIDE.set("")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choose_composition()
        names = {"": _("No other vocabulary")} | {name: title_of(name) for name in beside}
        menu(_("Beside it"), names, state.VOCABULARY_BESIDE, hidden=True, width=240)
    show_composition([*filter(None, (vocabulary.name, state.VOCABULARY_BESIDE.get()))], key="composition chart")


def _show_first_merges(vocabulary: Vocabulary) -> None:
    """Draw the curve, and the start of the text under the number of merges chosen on it or by the slider."""
    made_of = _made_of(vocabulary.name)
    bar = TrainingBar(key="counting first merges", on_cancel=lambda: state.FIRST_MERGES_OPEN.set(False))
    with bar.turn(heavy=len(vocabulary.text) > HEAVY_TO_TRAIN and not cache.first_merges.is_cached(*made_of)):
        counts = cache.first_merges(*made_of)
    bar.clear()
    curve = Curve(translate(title_of(vocabulary.name)), counts)
    figure = first_merges_figure([curve], len(vocabulary.text.encode("utf-8", "replace")), "light")
    choices = [0, *(evenly_in_log(len(counts) - 1, _MERGE_CHOICES) + 1).tolist()]
    show_figure(figure, key="first merges chart", on_pick=partial(_choose_merges, figure, choices))
    st.caption(_("Each point: the same text, encoded with so many of the merges and no others."))
    if len(counts) > 1 and counts[0]:
        st.text(_first_and_all(counts))
    if len(choices) > 1 and vocabulary.text:
        _show_text_with(vocabulary, choices)


def _first_and_all(counts: npt.NDArray[np.int64]) -> str:
    """Tokens saved by the first merges and by all. counts: tokens of the text by number of merges.

    >>> _first_and_all(np.array([100, 60, 50]))
    'No merge: 100 tokens. The first 1: 60. All 2: 50. So 80 % of what is saved comes from the first.'
    """
    first = min(_FEW_MERGES, (len(counts) - 1) // 2)
    share = (counts[0] - counts[first]) / max(1, counts[0] - counts[-1])
    return _(
        "No merge: {none:,} tokens. The first {few:,}: {by_few:,}. All {merges:,}: {by_all:,}. So {percent:.0f} % of"
        " what is saved comes from the first.",
        none=counts[0],
        few=first,
        by_few=counts[first],
        merges=len(counts) - 1,
        by_all=counts[-1],
        percent=100 * share,
    )


def _show_text_with(vocabulary: Vocabulary, choices: list[int]) -> None:
    chosen = state.FIRST_MERGES.get()
    state.FIRST_MERGES.set(choices[-1] if chosen is None else _nearest(choices, chosen))
    count = st.select_slider(_("Merges"), choices, format_func="{:,}".format, **state.FIRST_MERGES.widget())
    encoding = cache.first_encoding(*_made_of(vocabulary.name), count, _MOST_SHOWN)
    size = len(encoding.text.encode("utf-8", "replace"))
    captions = Captions(
        n_("{count:,} token", "{count:,} tokens", len(encoding)),
        _("{length:.2f} bytes per token, at the beginning of the text", length=size / max(1, len(encoding))),
    )
    label = _("The text in tokens")
    token_view(spans(encoding), key="text with first merges", height=220, label=label, captions=captions)


def _choose_merges(figure: Figure, choices: list[int], trace: int, point: int) -> None:
    state.FIRST_MERGES.set(_nearest(choices, figure.data[trace].x[point]))


def _nearest(choices: list[int], count: int) -> int:
    return min(choices, key=lambda each: abs(each - count))


def _made_of(name: str) -> tuple[str, Source, TrainConfig, Forks]:
    """Cache key of a tokenizer and its counts on the training text."""
    if name == TRAINED:
        return name, training.source(), training.CONFIG.get(), training.FORKS.get()
    return name, training.source(), TrainConfig(), ()


def show_frequencies(vocabulary: Vocabulary) -> None:
    """Draw the expander with the chart, computed only when open. A click on a point opens its token."""
    title = _("How often tokens are used, by rank")
    show_panel(title, "show_chart", state.FREQUENCIES_OPEN, partial(_show_ranks, vocabulary), card="frequencies")


def _show_ranks(vocabulary: Vocabulary) -> None:
    figure = ranks_figure(vocabulary.facts.ids, vocabulary.uses, vocabulary.tokenizer.token_bytes, "light")
    plot_view(
        figure,
        key="frequencies chart",
        label=_("Tokens of the text by frequency"),
        chips=token_chips(figure, vocabulary.tokenizer),
        on_pick=partial(_open, figure),
    )
    st.caption(_("Click a point to open its token. Zipf's law: half as often at twice the rank."))
