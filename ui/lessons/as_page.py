"""A lesson as a page that works without the server, for a class or a course page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bpe_core import TrainConfig
from bpe_core.bpe.page_views import page_bytes
from bpe_core.language import _, gettext
from bpe_core.page.html import Page
from ui.lessons.page_views import Opened, is_recorded, lesson_recording, most_merges, opened
from ui.runs.page_views import MOST_STEPS
from ui.runs.page_views import page_bytes as bytes_of_algorithms
from ui.session import training as training_state
from ui.session.own_drafts import title_of
from ui.session.own_lessons import OwnLesson
from ui.session.places import Place
from ui.session.samples import sample
from ui.session.shared_view import SharedView, from_plain
from ui.session.training import Source, Wanted
from ui.widgets.as_page import show_as_page
from ui.widgets.display import bytes_words, page_title

_SYMBOLS_OF_A_LESSON = 2_000
"""Maximum number of symbols in the distinct words of a lesson's text, for the estimate of the page's size."""


def show_lesson_as_page(shown: Place) -> None:
    """Draw the popover with the download of a lesson."""
    view = from_plain(dict(shown.scene))
    wanted = view.training or Wanted(
        training_state.source(), training_state.CONFIG.get(), own=True, forks=training_state.FORKS.get()
    )
    show_as_page(
        _("One HTML file with the question, an exercise for the reader, and the answer on demand: no server."),
        _about(view, wanted),
        partial(_page, shown, opened(view, wanted)),
        file_name="lesson.html",
        key="lesson",
    )


def lesson_page(shown: Place) -> Callable[[], Page]:
    """Function that makes the page of a lesson without a session."""
    view = from_plain(dict(shown.scene))
    first = Wanted(Source.of_sample(sample(training_state.FIRST_SAMPLE)), TrainConfig(), own=False)
    return partial(_page, shown, opened(view, view.training or first))


def _about(view: SharedView, wanted: Wanted) -> str:
    """Sentence on whether the page that the lesson opens is included, and about how large it is."""
    page = page_title(view.page)
    if not is_recorded(view.page):
        return _("What it opens on {page} needs the server and is left out.", page=page)
    if view.page not in ("train", "algorithms"):
        return _("What it opens on {page} comes with it.", page=page)
    merges = page_bytes(min(wanted.config.vocab_size, most_merges(wanted)), _SYMBOLS_OF_A_LESSON)
    size = bytes_words(merges if view.page == "train" else bytes_of_algorithms(MOST_STEPS))
    return _("What it opens on {page} comes with it and plays: about {size} or less.", page=page, size=size)


def _page(shown: Place, opened: Opened) -> Page:
    own = isinstance(shown.lesson, OwnLesson)
    title = title_of(shown.lesson) if isinstance(shown.lesson, OwnLesson) else gettext(shown.lesson.title)
    facts = "" if own else " · ".join(filter(None, (gettext(shown.course) if shown.course else "", shown.label)))
    return Page(title, facts, lesson_recording(shown, opened))
