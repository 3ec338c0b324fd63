"""The Train page: text and settings at the top, then one step of the training with all its views."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from bpe_core.bpe.page_views import TITLE, merges_offered, page_bytes, symbols_of, training_page
from bpe_core.language import COMPLETE, _, current_language, n_
from bpe_core.page.html import Page
from ui import cache
from ui.session import training as state
from ui.session.samples import sample
from ui.train.cache import printed_of_sample
from ui.train.costs import show_costs
from ui.train.curves import show_curves
from ui.train.notes import show_notes
from ui.train.settings import show_settings
from ui.train.step import Step, step_now
from ui.train.steps import show_steps
from ui.train.welcome import show_welcome
from ui.widgets import controls
from ui.widgets.as_page import page_title, show_as_page
from ui.widgets.corpus import corpus_facts, corpus_picker
from ui.widgets.display import bytes_words
from ui.widgets.panels import show_panel
from ui.widgets.printed import show_printed

_STYLE = Path(__file__).parent / "train.css"


def show_train() -> None:
    """Draw the page. The top strip is filled after the steps: a new text appears before the menus are redrawn."""
    st.html(_STYLE)
    show_welcome()
    strip = st.container(horizontal=True, vertical_alignment="center", key="strip")
    training = controls.trained()
    step = step_now()
    show_notes(step)
    show_steps(step)
    with strip:
        corpus_picker()
        corpus_facts(training)
        st.space("stretch")
        show_settings()
        show_training_as_page(step)
    show_curves(step)
    show_costs(step)
    show_textbooks()


def show_textbooks() -> None:
    """Draw the expander; no-op for a text without printed results."""
    source = state.source()
    number = len(sample(source.label).printed) if source.kind == "sample" else 0
    if not number:
        return
    count = n_("{count} printed result", "{count} printed results", number)
    title = _("What textbooks print for this sample: {results}", results=count)
    show_panel(title, "menu_book", state.TEXTBOOKS_OPEN, partial(_show_printed, source.label), card="printed results")


def _show_printed(label: str) -> None:
    st.caption(_("With the settings of the sample, whatever is set above."))
    with st.spinner(_("Computing this now")):
        held = printed_of_sample(label)
    show_printed(held)


def show_training_as_page(step: Step) -> None:
    """Draw the popover with the size of the page and its download."""
    if not step.last:
        return
    merges, last = merges_offered(step.training), step.last
    symbols = symbols_of(step.training)
    size = bytes_words(page_bytes(merges, symbols))
    show_as_page(
        _("One HTML file that plays the merges, for a course page, slides or mail: no server."),
        _("All {merges:,} merges, about {size}.", merges=merges, size=size)
        if merges == last
        else _("The first {merges:,} of {all:,} merges, about {size}.", merges=merges, all=last, size=size),
        partial(_page, step, merges),
        file_name="merges.html",
        key="training",
        bytes_in_all=page_bytes(merges, symbols, len({current_language(), *COMPLETE})),
    )


def _page(step: Step, merges: int) -> Page:
    training = cache.training(step.source, step.config, step.forks)
    beside = cache.beside_of(step.source, step.config, step.forks)
    title = page_title(step.source, TITLE)
    return training_page(training, title, merges=merges, step=step.number, forks=step.forks, beside=beside)
