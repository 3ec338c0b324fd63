"""The Compare page: inputs at the top, and the layout of its parts."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe_core import BpeError
from bpe_core.comparison.count_sentence import headline
from bpe_core.comparison.totals import MOST_LISTED, difference
from bpe_core.language import _
from ui.compare.chosen import Chosen
from ui.compare.compared_lines import show_lines, typed_lines
from ui.compare.counts import show_agreement, show_counts
from ui.compare.fair_languages import show_fair_languages
from ui.compare.fertility import show_fertility
from ui.compare.many_texts import show_many_texts
from ui.compare.metric_card import show_metrics
from ui.compare.own import open_added, own_files
from ui.compare.pictures import show_line_counts, show_vocabularies
from ui.compare.prices import show_prices
from ui.compare.text import compared_text
from ui.compare.two_texts import show_two_texts
from ui.compare.why import show_why, shown_place
from ui.session import compare as state
from ui.session.limits import LONGEST_AT_ONCE
from ui.session.tokenizer_choice import at_hand_always
from ui.session.word_sources import ON_COMPARE
from ui.views.relay import Due
from ui.widgets import controls, pickers
from ui.widgets.address import keep_address
from ui.widgets.display import title_of
from ui.widgets.fragments import fragment
from ui.widgets.layout import side_by_side
from ui.widgets.messages import note, problem
from ui.widgets.opening import are_open, have_open
from ui.widgets.progress import cancellable
from ui.work.work_queue import flush_output

_BESIDE = 6
"""Maximum number of tokenizers whose agreement table fits the narrower column."""


def show_compare() -> None:
    """Draw the page. A keystroke while it is being drawn starts over: see `fragment_ahead`."""
    _show_page()
    state.BEHIND.set(False)


def _show_page() -> None:
    open_added()
    controls.trained()
    strip = st.container(horizontal=True, vertical_alignment="bottom", key="strip")
    chosen = Chosen.now(compared_text(_typed))
    were_open = are_open(chosen.names)
    if not were_open:
        _show_choices(strip, chosen)
    have_open(chosen.names, lambda: state.WITH.set(at_hand_always(state.WITH.get())))
    is_compared = _compared(chosen)
    if were_open:
        _show_choices(strip, chosen)  # now that their counts are known
    if not is_compared:
        return
    if not chosen.text.text:
        note(_("There is no text yet: type one above, or take a sample."))
    else:
        _show(chosen)
    show_fertility(chosen)
    show_fair_languages()
    if chosen.text.text:
        _show_prices(chosen)
    show_two_texts(chosen)
    show_many_texts(chosen)
    _show_vocabularies(chosen)


def _typed() -> tuple[Mapping[str, bytes], Due]:
    """Lines of the typed text; if its comparison alone does not give them, the whole page reruns at once."""
    chosen = Chosen.now(state.TEXT.get())
    needs_more = state.CAUSE.get() != state.ALL_CAUSES or ON_COMPARE.get() != "off"
    if needs_more or not (chosen.text.text and chosen.names and are_open(chosen.names)):
        return {}, "now"
    try:
        if not chosen.is_compared_after(state.BEFORE.get()) and len(chosen.text.text) > LONGEST_AT_ONCE:
            return {}, "now"
        return typed_lines(chosen, shown_place(chosen)), "rested"
    except BpeError:  # the page reports it
        return {}, "now"


def _show_choices(strip: DeltaGenerator, chosen: Chosen) -> None:
    """Draw the choice of tokenizers, with their counts once the text is compared, and of special tokens."""
    totals = {}
    if chosen.text.text and chosen.is_compared():
        comparison = chosen.comparison()
        totals = {name: len(comparison.encoding(title_of(name))) for name in chosen.names}
    with strip:
        pickers.several_tokenizers(state.WITH, totals)
        own_files()
        st.space("stretch")
        controls.special_mode(state.SPECIAL, ("text", "parse"))


def _compared(chosen: Chosen) -> bool:
    """Compare; a long text is queued, with a Cancel button. Return False, after a message, if nothing can be shown."""
    if not chosen.names:
        note(_("Choose at least one tokenizer above."))
        return False
    bar = cancellable(
        state.STOPPED,
        f"{chosen.text.digest} {chosen.names}",
        key="comparison",
        cancelled=_("The comparison was cancelled. Choose a shorter text, or compare anyway."),
        again=_("Compare"),
    )
    if bar is None:
        return False
    try:
        controls.check_length(chosen.text.text)
        with bar.turn(heavy=len(chosen.text.text) > LONGEST_AT_ONCE and not chosen.is_compared()):
            chosen.comparison()
    except BpeError as error:
        problem(error)
        return False
    bar.clear()
    return True


@fragment
def _show(chosen: Chosen) -> None:
    keep_address("lines")
    pair = chosen.pair()
    sentence = st.empty() if pair else None
    show_lines(chosen, shown_place(chosen))
    left, right = side_by_side(11, 9, key="why-and-counts")
    with right:  # first: counting a long text takes far less time than explaining its disagreements
        show_counts(chosen)
        if pair is not None and len(chosen.names) <= _BESIDE:
            show_agreement(chosen, pair)
        if pair is not None:
            show_line_counts(chosen, pair)
    if pair is not None and not chosen.is_explained(pair):
        flush_output()
    explained = False
    with left:
        if pair is None:
            note(_("Choose a second tokenizer to see where the two differ, and why."))
        else:
            explained = show_why(chosen, pair)
    if pair is not None and sentence is not None and explained:
        with sentence:
            show_headline(chosen, pair)
    if pair is not None and len(chosen.names) > _BESIDE:
        show_agreement(chosen, pair)
    show_metrics(chosen)


@fragment
def _show_prices(chosen: Chosen) -> None:
    keep_address("prices")
    show_prices(chosen)


@fragment
def _show_vocabularies(chosen: Chosen) -> None:
    keep_address("vocabularies")
    show_vocabularies(chosen)


_STYLE = "<style>.st-key-headline [data-testid=stText] { font-size: 1.15rem; font-weight: 600 }</style>"


def show_headline(chosen: Chosen, pair: tuple[str, str]) -> None:
    """Draw the sentence at the top of the page."""
    left, right = (title_of(name) for name in pair)
    found = difference(chosen.comparison(), left, right, chosen.groups(pair))
    is_whole = len(chosen.disagreements(pair)) < MOST_LISTED
    with st.container(key="headline"):
        st.html(_STYLE)
        st.text(headline(left, right, found, len(chosen.comparison().encoding(right)), is_whole=is_whole))
