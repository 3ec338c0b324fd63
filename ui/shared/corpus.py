"""The corpus picker: a sample, a paste or a file; and what the chosen text is."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bpe_core import CorpusError, Training
from ui.session import state
from ui.session.limits import LONGEST_TEXT
from ui.session.samples import sample
from ui.shared.controls import check_length, sample_choice
from ui.shared.display import counted
from ui.shared.layout import popover_key


def corpus_picker() -> None:
    """Three ways to a text. What is chosen is trained on at once."""
    source = state.source()
    shown = f"Sample: {sample(source.label).title}" if source.kind == "sample" else "Sample"
    with st.popover(shown, icon=":material/menu_book:", key=popover_key("sample")):
        _sample_list()
    with st.popover(
        "Pasted text" if source.kind == "paste" else "Paste", icon=":material/content_paste:", key=popover_key("paste")
    ):
        _paste()
    with st.popover(
        "Your file" if source.kind == "file" else "Open file", icon=":material/upload_file:", key=popover_key("file")
    ):
        _upload()


def corpus_facts(training: Training) -> None:
    """How long the text is, and how many words the split makes of it."""
    text = state.source().text
    counts = training.at(0).corpus.counts
    size = len(text.encode("utf-8", "replace"))
    words = int(counts.sum())
    st.caption(
        f"{counted(size, 'byte')} · {counted(words, 'word')} · {len(counts):,} distinct",
        width="content",
    )


# -- a sample ----------------------------------------------------------------------------------------------------


def _sample_list() -> None:
    sample_choice(state.DRAFT_SAMPLE, _use_sample)
    if state.source().kind != "sample":
        st.button("Train on this sample", on_click=_use_sample, type="primary")


def _use_sample() -> None:
    chosen = sample(state.DRAFT_SAMPLE.get())
    state.want_source(state.Source.of_sample(chosen), chosen.settings)


# -- a paste -----------------------------------------------------------------------------------------------------


def _paste() -> None:
    with st.form("paste a text", border=False, width=520):  # a form, so that Ctrl+Enter trains as well
        st.text_area(
            "Your text",
            height=220,
            placeholder="Paste or type any text, in any language.",
            **state.paste_widget(),
        )
        st.form_submit_button("Train on this text", on_click=_use_paste, type="primary")


def _use_paste() -> None:
    _want_text("paste", "Pasted text", state.take_paste())


# -- a file ------------------------------------------------------------------------------------------------------


def _upload() -> None:
    text_uploader(state.CORPUS_UPLOAD, _use_upload)


def text_uploader(place: state.Upload, on_change: Callable[[], None]) -> None:
    """The uploader for a text file; what it takes is counted in characters, of up to four bytes each."""
    st.file_uploader(
        f"A text file in UTF-8 of up to {LONGEST_TEXT:,} characters",
        max_upload_size=4 * LONGEST_TEXT // 1_000_000,
        on_change=on_change,
        width=420,
        help=f"English has a byte a character: {LONGEST_TEXT // 1_000_000} MB. Other scripts have up to four.",
        **place.widget(),
    )


def _use_upload() -> None:
    uploaded = state.CORPUS_UPLOAD.file()
    if uploaded is None:
        return
    name, data = uploaded
    try:
        _want_text("file", name, decoded(data))
    except CorpusError as error:
        state.PROBLEM.set(error)


def decoded(data: bytes) -> str:
    """The text of an uploaded file. Raises CorpusError for anything but UTF-8.

    >>> decoded("\\ufeffこ".encode())
    'こ'
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise CorpusError(
            "The file is UTF-16.",
            limit="Only UTF-8 text is read.",
            remedy="Save it as UTF-8.",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"The file is not UTF-8: byte {error.start + 1:,} is 0x{data[error.start]:02X}.",
            limit="Only UTF-8 text is read.",
            remedy="If it is text in another encoding, such as Latin-1, save it again as UTF-8.",
        ) from None
    if "\x00" in text:
        raise CorpusError(
            f"The file holds a zero byte at character {text.index(chr(0)) + 1:,}, so it is not text.",
            limit="Only UTF-8 text is read.",
            remedy="Choose a text file.",
        )
    return text


def _want_text(kind: str, label: str, text: str) -> None:
    """Ask for a training on a visitor's text, unless it is empty or too long; then nothing changes."""
    try:
        if not text:
            raise CorpusError(
                "The file is empty." if kind == "file" else "There is no text yet.",
                limit="A training needs at least one character.",
                remedy="Choose another file." if kind == "file" else "Paste or type a text, then train on it.",
            )
        check_length(text)
    except CorpusError as error:
        state.PROBLEM.set(error)
    else:
        state.want_source(state.Source(kind, label, text))
