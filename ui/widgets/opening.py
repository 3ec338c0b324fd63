"""Open the visitor's own tokenizers, from files and the hub, in a queue: a large one takes a core for a second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import streamlit as st

from bpe_core import BpeError, FormatError
from bpe_core.bpe.corpus import Progress
from bpe_core.language import _, message
from ui import cache
from ui.session import compare, training
from ui.session.learned_tokenizers import is_learned
from ui.session.tokenizer_choice import (
    MODELS_TO_SPLIT,
    TOKENIZER_FILES,
    WANTED_ADDRESSES,
    WANTED_FILES,
    WANTED_MODELS,
    own_file,
)
from ui.session.tokenizer_files import (
    Content,
    HubTokenizer,
    OwnTokenizer,
    TokenizerFile,
    WantedModel,
    check_room,
    is_own,
    read_together,
    safe_title,
)
from ui.widgets.display import NAMES, title_of
from ui.widgets.hub_download import fetch, fetch_file
from ui.widgets.progress import TrainingBar, answering, not_now

HEAVY_TO_LEARN = 5_000
"""Characters above which WordPiece and Unigram are queued, since they train in plain Python."""

HEAVY_TO_OPEN = 1_000_000
"""Bytes above which files are queued. Smaller ones open in a tenth of a second."""

_REQUESTS = (WANTED_FILES, WANTED_MODELS, WANTED_ADDRESSES)
_CANCELLED = FormatError(
    message("The files were not opened: this was cancelled."), remedy=message("Add them once more.")
)


def open_made(make: Callable[[], bytes], title: str) -> None:
    """Request that a generated tokenizer be opened as a file named `title`.json. An error is shown on the page."""
    files = TOKENIZER_FILES.get()
    try:
        free = safe_title(f"{title}.json", {*NAMES.values(), *(file.title for file in files)})
        file = TokenizerFile(free, (("tokenizer.json", make()),))
        check_room((*files, file))
    except BpeError as error:
        training.PROBLEM.set(error)
        return
    WANTED_FILES.set((file,))
    st.toast(_("It is open on every page, under “More tokenizers”."), icon=":material/check:")


def open_wanted() -> tuple[OwnTokenizer, ...]:
    """Open and keep newly added tokenizers; return them. Empty on failure: the page then shows the error."""
    bar = TrainingBar(
        key="opening files", on_cancel=_cancel
    )  # drawn in every run, so that elements keep their position
    if not any(request.get() for request in _REQUESTS):
        return ()
    with answering(*_REQUESTS) as answered:
        fetched, to_split = _fetched(bar, WANTED_MODELS.get())
        opened = (*WANTED_FILES.get(), *fetched, *_by_address(bar, WANTED_ADDRESSES.get()))
        _open(bar, opened)
        if answered():
            MODELS_TO_SPLIT.set((*MODELS_TO_SPLIT.get(), *to_split))
            TOKENIZER_FILES.set((*TOKENIZER_FILES.get(), *opened))
            compare.WITH.set([*compare.WITH.get(), *(file.name for file in opened)])
            return opened
    return ()


def _cancel() -> None:
    for request in _REQUESTS:
        request.set(())
    training.PROBLEM.set(_CANCELLED)


def _fetched(bar: TrainingBar, models: Sequence[WantedModel]) -> tuple[Sequence[HubTokenizer], Sequence[HubTokenizer]]:
    """Fetch models from the hub. Those in the second list wait until their split is chosen."""
    check_room(TOKENIZER_FILES.get(), len(models))
    kept = (*TOKENIZER_FILES.get(), *MODELS_TO_SPLIT.get())
    taken = {*NAMES.values(), *(file.title for file in kept)}
    found: list[HubTokenizer] = []
    to_split: list[HubTokenizer] = []
    for wanted in models:
        model, split = wanted.model, wanted.split
        title = safe_title(f"{model.name}.hub", taken)
        taken.add(title)
        files = fetch(bar, model)
        with bar.turn(heavy=files.size() > HEAVY_TO_OPEN):
            asks = files.needs_split(_telling(bar, _("Opening file {number} of {files}", number=1, files=1), 0, 1))
        own = HubTokenizer(title, files, split if asks else None, wanted.lowercase)
        (to_split if asks and split is None else found).append(own)
    return found, to_split


def _by_address(bar: TrainingBar, addresses: Sequence[str]) -> list[TokenizerFile]:
    """Fetch files by URL; after that they are treated as uploads. Raises FormatError for ranks without a split."""
    found: list[TokenizerFile] = []
    for address in addresses:
        file = fetch_file(bar, address)
        taken = {*NAMES.values(), *(each.title for each in (*TOKENIZER_FILES.get(), *found))}
        with bar.turn(heavy=len(file.data) > HEAVY_TO_OPEN):
            if Content(file.data).needs_split():
                raise FormatError(
                    message("{file} holds tiktoken's ranks, which do not say how texts are split.", file=file.name),
                    limit=message("Here a split can be chosen for a file from the disk."),
                    remedy=message("Download the file yourself and open it from your disk."),
                )
            found += read_together([file], split=None, taken=taken)
    check_room((*TOKENIZER_FILES.get(), *found))
    return found


def are_open(names: Sequence[str]) -> bool:
    """Whether these tokenizers are ready: trained, and their files read."""
    source = training.source()
    learned_ones = (name for name in names if is_learned(name))
    files = map(own_file, filter(is_own, names))
    return all(cache.learned_tokenizer.is_cached(name, source) for name in learned_ones) and all(
        map(cache.file_tokenizer.is_cached, files)
    )


def have_open(names: Sequence[str], leave_out: Callable[[], None]) -> None:
    """Train learned tokenizers and reopen uploaded ones that are not cached.

    If that is impossible now, the page ends here; a text that cannot be trained on is reported where it is used.
    `leave_out`: called on Cancel, to deselect them.
    """
    training_bar = TrainingBar(key="training others", on_cancel=leave_out)  # both drawn in every run: see open_wanted
    opening_bar = TrainingBar(key="opening again", on_cancel=leave_out)
    _have_trained(training_bar, [name for name in names if is_learned(name)])
    files = [file for file in map(own_file, filter(is_own, names)) if not cache.file_tokenizer.is_cached(file)]
    if not files:
        return
    try:
        _open(opening_bar, files)
    except BpeError as error:
        not_now(error, _("Open the files"), unchanged=_("The files are kept."))


def _have_trained(bar: TrainingBar, names: Sequence[str]) -> None:
    """Train these unless cached, with progress and a Cancel button."""
    source = training.source()
    to_do = [name for name in names if not cache.learned_tokenizer.is_cached(name, source)]
    if not to_do:
        return
    try:
        with bar.turn(heavy=len(source.text) > HEAVY_TO_LEARN):
            for name in to_do:
                with suppress(BpeError):  # cached, and reported by the part of the page that needs it
                    cache.learned_tokenizer(
                        name,
                        source,
                        on_progress=_learning(bar, name),
                        waiting=lambda: bar.report(0, 1, _("Waiting: another visitor trains on the same text")),
                    )
    except BpeError as error:  # too many queued jobs
        not_now(error, _("Train"), unchanged=_("The text is kept."))
    bar.clear()


def _telling(bar: TrainingBar, words: str, before: int, files: int) -> Progress:
    """Progress callback for reading one of `files` files, after `before` others."""
    return lambda done, total: bar.report(
        before * total + done, files * total, _("{opening}: {share:.0%} read", opening=words, share=done / total)
    )


def _learning(bar: TrainingBar, name: str) -> Progress:
    """Progress callback for training one of the algorithms."""
    return lambda done, total: bar.report(
        done,
        total,
        _("Training {title}: {done:,} of {total:,} pieces", title=title_of(name), done=done, total=total),
    )


def _open(bar: TrainingBar, files: Sequence[OwnTokenizer]) -> None:
    closed = [file for file in files if not cache.file_tokenizer.is_cached(file)]
    heavy = sum(file.size for file in closed) > HEAVY_TO_OPEN or any(file.is_packed for file in closed)
    with bar.turn(heavy=heavy):
        for number, file in enumerate(closed, 1):
            words = _("Opening file {number} of {files}", number=number, files=len(closed))
            if file.size > HEAVY_TO_OPEN:
                words = _("{opening}, {size:,.0f} MB", opening=words, size=file.size / 2**20)
                bar.begin((number - 1) / len(closed), words)
            cache.file_tokenizer(
                file,
                on_progress=_telling(bar, words, number - 1, len(closed)),
                waiting=lambda: bar.report(0, 1, _("Waiting: another visitor opens the same file")),
            )
    bar.clear()
