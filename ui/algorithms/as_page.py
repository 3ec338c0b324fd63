"""The trainings as a self-contained page that plays them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from bpe_core import checks
from bpe_core.language import _, n_, translate
from bpe_core.page.html import Page
from ui.algorithms import cache
from ui.algorithms.shown_step import ShownStep
from ui.runs.algorithm_run import FailedRun
from ui.runs.of_step import run_of
from ui.runs.page_views import MOST_STEPS, Recorded, algorithms_facts, algorithms_recording, page_bytes, title_of
from ui.session.algorithms import ALGORITHMS, MOST_PIECES, MOST_SIDE_BY_SIDE, SIDE_BY_SIDE_AT_FIRST, in_page_order
from ui.session.shared_view import Latest, latest
from ui.session.training import Source
from ui.widgets.as_page import page_title, show_as_page
from ui.widgets.display import bytes_words
from ui.work.algorithm_training import Recipe, beginning, check_size, default_size, train_algorithm


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


def trainings_page(
    text: str, algorithms: Collection[str] | None, size: int | None
) -> tuple[tuple[str, ...], Callable[[], Page]]:
    """Train algorithms on a text without a session: their names in page order, and a function that makes their page.

    `algorithms`: None for those shown at first. `size`: None for the default size of the text. Raises ConfigError for
    other algorithms and sizes, CorpusError for a text that is too large, and the error of a training if all fail.
    """
    asked = list(dict.fromkeys(SIDE_BY_SIDE_AT_FIRST if algorithms is None else algorithms))
    for name in asked:
        checks.choice(name, "algorithm", ALGORITHMS)
    checks.whole_number(len(asked), "algorithms", 1, MOST_SIDE_BY_SIDE)
    check_size(text)
    pieces = default_size(beginning(text)) if size is None else checks.whole_number(size, "vocab_size", 1, MOST_PIECES)
    names = in_page_order(asked)
    recipe = Recipe(pieces, "bpe", "gpt2", "first-seen", side_by_side=names)
    found = {name: run_of(train_algorithm(name, text, recipe), text) for name in names}
    failed = [each for each in found.values() if isinstance(each, FailedRun)]
    if len(failed) == len(found):
        raise failed[0].error
    recorded = Recorded(found, text, {})
    return names, lambda: _recorded_page(recorded, translate(title_of(names)))


def _recorded_page(recorded: Recorded, title: str) -> Page:
    return Page(title, algorithms_facts(recorded), algorithms_recording(recorded))


def _page(source: Source, recipe: Recipe, held: Latest) -> Page:
    """The page, opened at the step and the sentence of the session's latest view."""
    found = {name: cache.trained_run(name, source, recipe) for name in recipe.side_by_side}
    recorded = Recorded(found, source.text, held.view.choices)
    return _recorded_page(recorded, page_title(source, title_of(recipe.side_by_side)))
