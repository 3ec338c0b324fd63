"""Save the current training as a file and its merges as CSV; open a saved training."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bpe_core import BpeError, FormatError
from bpe_core.formats.merge_csv import merges_csv
from bpe_core.formats.training_file import MOST_BYTES, SavedTraining, read_training, save_training
from bpe_core.language import _, joined, message, translate
from bpe_core.tokenizer.token_ranges import check_listed
from ui import cache
from ui.session import drafts
from ui.session import training as training_state
from ui.session import vocabulary as state
from ui.session.limits import MOST_IDS, MOST_MIN_COUNT
from ui.session.tokenizer_choice import TRAINED
from ui.widgets import controls
from ui.widgets.downloads import download_button, download_popover
from ui.widgets.layout import popover_key
from ui.widgets.opening import HEAVY_TO_OPEN
from ui.widgets.progress import TrainingBar, answering

_MEGABYTE = 1_000_000
_IN_PYTHON = message("Open it in Python, with bpe_core.formats.training_file.open_training.")


def show_training_file() -> None:
    """Draw the downloads of the current training, and a popover to open a saved one."""
    source, forks = training_state.source(), training_state.FORKS.get()
    again = partial(cache.training, source, training_state.CONFIG.get(), forks)  # callbacks outlive the run
    refused = ""
    try:
        check_listed(cache.trained_tokenizer(source, training_state.CONFIG.get(), None, forks).model.tokens)
    except BpeError as error:
        refused = translate(joined(error.problem, error.limit, error.remedy))
    download_popover(
        lambda: again().table(),
        "merges",
        csv=lambda: merges_csv(again()),
        label=_("Merges"),
        key="merges",
        about=_("One row per merge: ids, texts, bytes, count, tokens after it."),
        refused=refused,
    )
    base = training_state.base_name(training_state.CONFIG.get())
    download_button(
        _("Save training"),
        lambda: save_training(again(), source.text, forks=forks),
        "training.bpe-lab.json",
        disabled=bool(base),
        help=_("A training that continues from a tokenizer is saved as a tokenizer, under “Take it elsewhere”.")
        if base
        else _("A file with the text, the settings and the merges. It opens again here."),
        key="save training",
    )
    with st.popover(_("Open training"), icon=":material/upload_file:", key=popover_key("open training")):
        st.file_uploader(
            _("A training saved here"),
            type="json",
            max_upload_size=MOST_BYTES // _MEGABYTE,
            on_change=_take_upload,
            **state.TRAINING_UPLOAD.widget(),
        )
        st.caption(_("The training is run again and must give the merges and ids of the file, or it is not opened."))


def _take_upload() -> None:
    uploaded = state.TRAINING_UPLOAD.file()
    if uploaded is not None:
        state.TRAINING_FILE.set(uploaded)


def _cancel() -> None:
    state.TRAINING_FILE.set(None)
    training_state.PROBLEM.set(
        FormatError(message("The file was not opened: this was cancelled."), remedy=message("Open it once more."))
    )


def open_uploaded() -> None:
    """Open a newly uploaded file; on failure, show why and keep the current training."""
    bar = TrainingBar(key="opening the training", on_cancel=_cancel)
    uploaded = state.TRAINING_FILE.get()
    if uploaded is None:
        return
    with answering(state.TRAINING_FILE) as answered:
        with bar.turn(heavy=len(uploaded[1]) > HEAVY_TO_OPEN):
            saved, wanted = opened(*uploaded)
        controls.train_queued(bar, wanted.source, wanted.config, wanted.forks)
        saved.check(cache.training(wanted.source, wanted.config, wanted.forks))
        if answered():
            _settle(wanted)


def _settle(wanted: training_state.Wanted) -> None:
    drafts.settle(wanted)
    state.VOCABULARY_OF.set(TRAINED)
    state.TOKEN.set(None)
    merges = len(cache.training(wanted.source, wanted.config, wanted.forks).merges)
    st.toast(
        _("Training opened: {merges:,} merges, the same as when it was saved.", merges=merges), icon=":material/check:"
    )


def opened(name: str, data: bytes) -> tuple[SavedTraining, training_state.Wanted]:
    """The training in a file, and the request that verifies it. Raises BpeError for other or too large files."""
    saved = read_training(data)
    controls.check_length(saved.text)
    if saved.config.vocab_size > MOST_IDS:
        raise FormatError(
            message("The training in the file has a vocabulary of {ids:,} ids.", ids=saved.config.vocab_size),
            limit=message("A page takes {most:,} at most.", most=MOST_IDS),
            remedy=_IN_PYTHON,
        )
    if saved.config.min_count > MOST_MIN_COUNT:
        raise FormatError(
            message("The training in the file has a minimum count of {count:,}.", count=saved.config.min_count),
            limit=message("The settings take {most:,} at most.", most=MOST_MIN_COUNT),
            remedy=_IN_PYTHON,
        )
    source = training_state.Source("file", name, saved.text)
    return saved, training_state.Wanted(source, saved.config, own=True, forks=saved.forks)
