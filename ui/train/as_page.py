"""The training as a page that plays by itself."""

from __future__ import annotations

from functools import partial

from bpe_core.bpe.page_views import TITLE, merges_offered, page_bytes, symbols_of, training_page
from bpe_core.language import COMPLETE, _, current_language
from bpe_core.page.html import Page
from ui import cache
from ui.train.step import Step
from ui.widgets.as_page import page_title, show_as_page
from ui.widgets.display import bytes_words


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
