"""Shared controls: the training, special tokens, and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

import streamlit as st

from bpe_core import BpeError, CorpusError, TrainConfig, Training
from bpe_core.bpe.training_step import Forks
from bpe_core.hub.library import hub_host
from bpe_core.language import _, current_language, gettext, language_name, message, translate
from bpe_core.tokenizer.tokenizer import Special
from ui import cache
from ui.session import drafts, hub, training
from ui.session.choices import PAGES
from ui.session.items import Item
from ui.session.limits import LONGEST_TEXT
from ui.session.navigation import PAGE
from ui.session.samples import Purpose, Sample, sample, samples_for
from ui.session.tokenizer_choice import (
    FILES_OF_LINK,
    MODEL_SPLIT,
    MODELS_TO_SPLIT,
    TOKENIZER_FILES,
    WANTED_FILES,
    WANTED_MODELS,
    missing_files,
    missing_models,
)
from ui.session.tokenizer_files import HubTokenizer, check_room, title_and_case
from ui.session.training import Source
from ui.views.live_text import live_text_view
from ui.widgets.messages import problem_told
from ui.widgets.opening import open_wanted
from ui.widgets.pickers import split_of_ranks
from ui.widgets.progress import TrainingBar, answering, not_now

_SPECIAL_NAMES = {"text": message("As plain text"), "parse": message("Parsed"), "raise": message("Refused")}

HEAVY_TO_TRAIN = 200_000
"""Characters above which a training is queued. A shorter one takes a few hundredths of a second."""

_WIDTH_OF_SPLIT = 340

_CANCELLED = CorpusError(message("The training was cancelled."), remedy=message("Train again whenever you like."))

# -- the training ------------------------------------------------------------------------------------------------


def trained() -> Training:
    """Return the current training, processing a pending request first; if it fails, show why and keep the old one.

    Placeholders for everything that may be shown are drawn in every run, so that elements below keep their position:
    otherwise the browser would recreate them, and briefly show both.
    """
    bar = TrainingBar(on_cancel=_cancel)
    wanted = training.WANTED.get()
    if wanted is not None:
        with answering(training.WANTED) as answered:
            config = cache.settled(wanted.config)
            train_queued(bar, wanted.source, config, wanted.forks)
            if answered():
                drafts.settle(replace(wanted, config=config))
    open_wanted()  # requested by the notices below or on Compare
    _tell_problem()
    with st.empty():
        _say_which_files_are_missing()
    with st.empty():
        _ask_how_models_split()
    return _shown()


def _cancel() -> None:
    training.WANTED.set(None)
    training.PROBLEM.set(_CANCELLED)


def _tell_problem() -> None:
    new = training.PROBLEM.get()
    if new is not None:
        training.PROBLEM.set(None)
        training.PROBLEMS.set(training.PROBLEMS.get() + 1)  # closes the popover that caused it: see popover_key
        training.TOLD.set((new, monotonic()))
    problem_told(training.TOLD, unchanged=_("What was here before is kept."))


def _shown() -> Training:
    """Return the current training without forks, after making sure that the forked one is cached too.

    They are cached, except after a new fork or an eviction. If one cannot be made now, the page ends with the error.
    """
    source, config, forks = training.source(), training.CONFIG.get(), training.FORKS.get()
    request = f"{source.digest} {config} {forks}"
    error: BpeError = _CANCELLED
    bar = TrainingBar(key="training again", on_cancel=lambda: _stop(request))
    if training.TRAINING_STOPPED.get() != request:
        try:
            train_queued(bar, source, config, forks)
            return cache.training(source, config)
        except BpeError as failed:  # too many queued jobs of this visitor, in other tabs or from before a reload
            error = failed
    unchanged = _("The text, the settings and your choices are kept.")
    not_now(error, _("Train again"), unchanged=unchanged, on_click=lambda: training.TRAINING_STOPPED.set(""))


def _stop(request: str) -> None:
    """Cancel the page's training: undo uncached forks; if there are none, wait for a click before training."""
    source, config, forks = training.source(), training.CONFIG.get(), training.FORKS.get()
    for number in reversed(range(len(forks))):
        if cache.training.is_cached(source, config, forks[:number]):
            training.choose_forks(forks[:number])
            training.STEP.set(forks[number][0])
            training.PROBLEM.set(_CANCELLED)
            return
    training.TRAINING_STOPPED.set(request)


def _say_which_files_are_missing() -> None:
    """Show the tokenizer files of a link, or from before a reload, that this session lacks."""
    titles = missing_files()
    if not titles or all(each.item is not FILES_OF_LINK for each in PAGES.get(PAGE.get(), ())):
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="missing files"):
        with st.container(gap=None):
            st.text(_("Not here: {titles}", titles=", ".join(title_and_case(each)[0] for each in titles)))
            st.text(
                _(
                    "The server has tokenizer files only for the session in which they were opened, and a reload "
                    "begins another. The browser in which they were opened offers them on Compare, under “Add a "
                    "tokenizer”."
                )
            )
            models = missing_models() if hub.HUB_ALLOWED else ()
            if models:
                st.text(_("Models of the hub can be fetched again from {host}.", host=hub_host()))
        if models:
            st.button(_("Ask the hub"), on_click=WANTED_MODELS.set, args=(models,), key="ask the hub")
        st.button(_("Go on without"), on_click=FILES_OF_LINK.set, args=([],), type="tertiary")


def _ask_how_models_split() -> None:
    """Ask for the split of fetched hub models that contain only ranks, since their files do not specify it."""
    models = MODELS_TO_SPLIT.get()
    if not models:
        return
    names = ", ".join(file.in_links for file in models)
    with st.container(border=True, key="models to split"):
        st.text(_("Fetched: {names}", names=names))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = split_of_ranks(MODEL_SPLIT, _WIDTH_OF_SPLIT)
            st.button(_("Add"), type="primary", disabled=not chosen, on_click=_add_models, key="add models with split")
            st.button(_("Go on without"), type="tertiary", on_click=_leave_models, key="leave models without split")


def _add_models() -> None:
    split = MODEL_SPLIT.get()
    models = [HubTokenizer(each.title, each.found, split) for each in MODELS_TO_SPLIT.get()]
    try:
        check_room(TOKENIZER_FILES.get(), len(models))
    except BpeError as error:
        training.PROBLEM.set(error)
        return
    WANTED_FILES.set(tuple(models))
    _leave_models()


def _leave_models() -> None:
    MODELS_TO_SPLIT.set(())
    MODEL_SPLIT.set(None)


def train_queued(bar: TrainingBar, source: Source, config: TrainConfig, forks: Forks) -> None:
    """Train unless cached, in turn, with progress and a Cancel button."""
    with bar.turn(heavy=len(source.text) > HEAVY_TO_TRAIN and not cache.training.is_cached(source, config, forks)):
        cache.training(
            source,
            config,
            forks,
            on_progress=lambda done, total: bar.report(
                done, total, _("Training: {done:,} of at most {total:,} merges", done=done, total=total)
            ),
            waiting=lambda: bar.report(0, 1, _("Waiting: another visitor trains on the same text")),
        )
    bar.clear()


# -- special tokens and texts -------------------------------------------------------------------------------


def special_mode(item: Item[Special], modes: tuple[Special, ...]) -> None:
    """Draw the choice of how special tokens in a text are treated."""
    segments(_("Special tokens in the text"), {mode: _SPECIAL_NAMES[mode] for mode in modes}, item)


def sample_choice(item: Item[str], on_change: Callable[[], None]) -> Sample:
    """Draw the choice of a bundled text, by purpose, with its description."""
    purposes: dict[Purpose, str] = {
        "read": _("To read"),
        "by hand": _("By hand"),
        "code": _("Code"),
        "characters": _("Characters"),
        "languages": _("One text in many languages"),
    }
    st.pills(_("What for"), list(purposes), format_func=purposes.__getitem__, **drafts.SAMPLE_PURPOSE.widget())
    st.text_input(_("Find a text"), placeholder=_("title, language or use"), **drafts.SAMPLE_SEARCH.widget())
    offered = _found(samples_for(drafts.SAMPLE_PURPOSE.get(), current_language()), drafts.SAMPLE_SEARCH.get())
    if not offered:
        st.caption(_("No text that comes with the app has this in its title, language or description."))
    chosen = sample(item.get())
    if chosen not in offered:
        offered.insert(0, chosen)
    titles = {each.name: f"{gettext(each.title)} · {language_name(each.language)}" for each in offered}
    menu(_("A text that comes with the app"), titles, item, on_change=on_change, width=420)
    chosen = sample(item.get())
    st.text(gettext(chosen.shows))
    return chosen


def _found(offered: Sequence[Sample], wanted: str) -> list[Sample]:
    """Samples with every word of a search in their title, language or description."""
    words = wanted.casefold().split()
    told = {
        each.name: f"{gettext(each.title)}\n{language_name(each.language)}\n{gettext(each.shows)}".casefold()
        for each in offered
    }
    return [each for each in offered if all(word in told[each.name] for word in words)]


def text_input(label: str, item: Item[str], *, height: int = 130, on_change: Callable[[], None] | None = None) -> str:
    """Draw a text area that updates during typing, and return its text.

    on_change: called after each edit, once the item holds the new text and before the page reruns.
    """

    def typed(text: str) -> None:
        item.set(text)
        if on_change is not None:
            on_change()

    live_text_view(label, item.get, key=f"{item.key} area", on_change=typed, height=height, longest=LONGEST_TEXT)
    return item.get()


def check_length(text: str, most: int = LONGEST_TEXT) -> None:
    """Raise CorpusError for a text longer than a page, or a part of it, accepts."""
    if len(text) > most:
        raise CorpusError(
            message("The text has {characters:,} characters.", characters=len(text)),
            limit=message("A page takes {most:,}.", most=most),
            remedy=message("Take a part of it, or work in Python: bpe_core has no such limit."),
        )


# -- choices among named values -----------------------------------------------------------------------------


def segments(label: str, names: Mapping[Any, str], item: Item[Any], *, hidden: bool = False, **more: Any) -> None:
    """Draw all names side by side. `hidden`: the label is only for screen readers; `more`: passed to Streamlit."""
    st.segmented_control(label, list(names), required=True, **_options(names, item, hidden), **more)


def menu(label: str, names: Mapping[Any, str], item: Item[Any], *, hidden: bool = False, **more: Any) -> None:
    """Draw the chosen name, with the others in a menu."""
    st.selectbox(label, list(names), **_options(names, item, hidden), **more)


def _options(names: Mapping[Any, str], item: Item[Any], hidden: bool) -> dict[str, Any]:
    titles = {value: translate(name) for value, name in names.items()}  # now: the language may change later
    visibility = {"label_visibility": "collapsed"} if hidden else {}
    return {"format_func": titles.__getitem__, **visibility, **item.widget()}
