"""The trainings as a page that plays by itself."""

from __future__ import annotations

from functools import partial

from bpe_core.language import _, n_
from bpe_core.page.html import Page
from ui.algorithms import cache
from ui.algorithms.shown_step import ShownStep
from ui.runs.page_views import MOST_STEPS, Recorded, algorithms_facts, algorithms_recording, page_bytes, title_of
from ui.session.shared_view import Latest, latest
from ui.session.training import Source
from ui.widgets.as_page import page_title, show_as_page
from ui.widgets.display import bytes_words
from ui.work.algorithm_training import Recipe


def show_algorithms_as_page(source: Source, recipe: Recipe) -> None:
    """Draw the popover with the size of the page and its download."""
    last = ShownStep.now(source, recipe).last
    steps = min(last, MOST_STEPS)
    size = bytes_words(page_bytes(steps))
    show_as_page(
        _("One HTML file that plays these trainings, for a course page, slides or mail: no server."),
        _("The first {steps:,} of {all:,} steps, and the end: about {size}.", steps=steps, all=last, size=size)
        if steps < last
        else n_("{count:,} step, about {size}.", "{count:,} steps, about {size}.", last, size=size),
        partial(_page, source, recipe, latest()),
        file_name="algorithms.html",
        key="algorithms",
    )


def _page(source: Source, recipe: Recipe, held: Latest) -> Page:
    """The page, opened at the step and the sentence of the session's latest view."""
    found = {name: cache.trained_run(name, source, recipe) for name in recipe.side_by_side}
    recorded = Recorded(found, source.text, held.view.choices)
    title = page_title(source, title_of(recipe.side_by_side))
    return Page(title, algorithms_facts(recorded), algorithms_recording(recorded))
