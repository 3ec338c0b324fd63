"""Download of the training as a page that plays by itself."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bpe_core.bpe.page_views import TITLE, merges_offered, page_bytes, training_page
from bpe_core.language import _, current_language, gettext, translate, using_language
from ui import cache
from ui.session.samples import sample
from ui.session.training import Source
from ui.train.step import Step
from ui.widgets.display import bytes_words
from ui.widgets.layout import popover_key


def show_as_page(step: Step) -> None:
    """Draw the popover with the size of the page and its download."""
    if not step.last:
        return
    merges, last = merges_offered(step.training), step.last
    size = bytes_words(page_bytes(merges))
    with st.popover(_("As a page"), icon=":material/download:", width="content", key=popover_key("as a page")):
        st.text(_("One HTML file that plays the merges without a server: for a course page, slides or mail."))
        st.text(
            _("All {merges:,} merges, about {size}.", merges=merges, size=size)
            if merges == last
            else _("The first {merges:,} of {all:,} merges, about {size}.", merges=merges, all=last, size=size)
        )
        st.download_button(
            _("Download as page"),
            partial(_page, step, merges, _title(step.source), current_language()),  # called outside of the run
            file_name="merges.html",
            mime="text/html",
            on_click="ignore",
            type="primary",
            key="download page",
        )


def _page(step: Step, merges: int, title: str, language: str) -> bytes:
    with using_language(language):
        training = cache.training(step.source, step.config, step.forks)
        return training_page(training, title, merges=merges, step=step.number, forks=step.forks).encode()


def _title(source: Source) -> str:
    if source.kind == "sample":
        return gettext(sample(source.label).title)
    return source.label if source.kind == "file" else translate(TITLE)
