"""Saving the training of the page as a file, its merges as CSV, and opening such a file again."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError, FormatError
from bpe_core.formats.training_file import MOST_BYTES, read_training, save_training
from bpe_core.merge_csv import merges_csv
from ui import cache, controls, state
from ui.messages import problem

_UPLOAD = "training file"
_MEGABYTE = 1_000_000


def files() -> None:
    """Buttons for the two downloads, and a popover to open a file. All are about the training made here."""
    source, forks = state.source(), state.FORKS.get()
    training = cache.training(source, state.CONFIG.get(), forks)
    st.download_button(
        "Merges as CSV",
        lambda: merges_csv(training),
        file_name="merges.csv",
        mime="text/csv",
        icon=":material/table:",
        on_click="ignore",
        help="A line a merge: ids, texts, bytes in hex, count. Opens in a spreadsheet.",
        key="merges as csv",
    )
    st.download_button(
        "Save training",
        lambda: save_training(training, source.text, forks=forks),
        file_name="training.bpe-lab.json",
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
        help="A file with the text, the settings and the merges. It opens again here.",
        key="save training",
    )
    with st.popover("Open training", icon=":material/upload_file:"):
        st.file_uploader(
            "A training saved here",
            type="json",
            max_upload_size=MOST_BYTES // _MEGABYTE,
            key=_UPLOAD,
            on_change=_take_upload,
        )
        st.caption("It is trained again and compared with the file: same merges, same ids, or an error.")


def _take_upload() -> None:
    uploaded = st.session_state.get(_UPLOAD)
    if uploaded is not None:
        state.TRAINING_FILE.set((uploaded.name, uploaded.getvalue()))


def open_uploaded() -> None:
    """Open the file that was just uploaded; where that fails, say why and keep what is here."""
    uploaded = state.TRAINING_FILE.get()
    if uploaded is None:
        return
    state.TRAINING_FILE.set(None)
    try:
        with st.spinner("Opening the training …"):
            wanted = opened(*uploaded)
    except BpeError as error:
        problem(error, kept="The training that was here is kept.")
        return
    state.settle(wanted)
    state.VOCABULARY_OF.set(state.TRAINED)
    state.TOKEN.set(None)
    merges = len(cache.training(wanted.source, wanted.config, wanted.forks).merges)
    st.toast(f"The training is open: {merges:,} merges, the same as when it was saved.", icon=":material/check:")


def opened(name: str, data: bytes) -> state.Wanted:
    """The training in a file, checked against what its text and settings give. Raises BpeError where it is none."""
    saved = read_training(data)
    controls.check_length(saved.text)
    if saved.config.vocab_size > controls.MOST_IDS:
        raise FormatError(
            f"The training in the file has a vocabulary of {saved.config.vocab_size:,} ids.",
            limit=f"A page takes {controls.MOST_IDS:,}.",
            remedy="Open it in Python, with bpe_core.formats.training_file.open_training.",
        )
    if saved.config.min_count > controls.MOST_LEAST:
        raise FormatError(
            f"The training in the file merges pairs that stand {saved.config.min_count:,} times.",
            limit=f"The settings of a page take {controls.MOST_LEAST:,}.",
            remedy="Open it in Python, with bpe_core.formats.training_file.open_training.",
        )
    source = state.Source("file", name, saved.text)
    saved.check(cache.training(source, saved.config, saved.forks))
    return state.Wanted(source, saved.config, own=True, forks=saved.forks)
