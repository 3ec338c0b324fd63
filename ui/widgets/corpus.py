"""Corpus picker: a sample, pasted text or a file; and facts about the chosen text."""

from __future__ import annotations

import streamlit as st

from bpe_core import CorpusError, Training
from bpe_core.language import _, gettext, message, n_
from ui.cache import text_facts
from ui.session import drafts
from ui.session import training as training_state
from ui.session.limits import LONGEST_TEXT
from ui.session.samples import sample
from ui.views.shelf import kept_text
from ui.widgets.controls import check_length, sample_choice
from ui.widgets.layout import popover_key
from ui.widgets.text_files import text_uploader


def corpus_picker(limit: str = "") -> None:
    """Draw the three sources of a text, with a page's limit next to the file uploader. A choice starts training."""
    source = training_state.source()
    of_sample = source.kind == "sample"
    shown = _("Sample: {title}", title=gettext(sample(source.label).title)) if of_sample else _("Sample")
    with st.popover(shown, icon=":material/menu_book:", key=popover_key("sample")):
        _sample_list()
    pasted = _("Pasted text") if source.kind == "paste" else _("Paste")
    with st.popover(pasted, icon=":material/content_paste:", key=popover_key("paste")):
        _paste()
    opened = _("Your file") if source.kind == "file" else _("Open file")
    with st.popover(opened, icon=":material/upload_file:", key=popover_key("file")):
        _upload(limit)


def corpus_facts(training: Training) -> None:
    """Show the length of the text, and the number of words after the split."""
    facts = text_facts(training_state.source())
    counts = training.at(0).corpus.counts
    st.caption(
        _(
            "{bytes} · {words}  \n{characters}",
            bytes=n_("{count:,} byte", "{count:,} bytes", facts.size),
            characters=n_(
                "{count:,} character, {distinct:,} distinct",
                "{count:,} characters, {distinct:,} distinct",
                facts.characters,
                distinct=facts.distinct,
            ),
            words=n_(
                "{count:,} word, {distinct:,} distinct",
                "{count:,} words, {distinct:,} distinct",
                int(counts.sum()),
                distinct=len(counts),
            ),
        ),
        width="content",
    )


# -- a sample ----------------------------------------------------------------------------------------------------


def _sample_list() -> None:
    sample_choice(drafts.SAMPLE, _use_sample)
    if training_state.source().kind != "sample":
        st.button(_("Train on this sample"), on_click=_use_sample, type="primary")


def _use_sample() -> None:
    chosen = sample(drafts.SAMPLE.get())
    training_state.want_source(training_state.Source.of_sample(chosen), chosen.settings)


# -- a paste -----------------------------------------------------------------------------------------------------


def _paste() -> None:
    with st.form("paste a text", border=False, width=520):  # a form, so that Ctrl+Enter submits
        st.text_area(
            _("Your text"),
            height=220,
            placeholder=_("Paste or type any text, in any language."),
            **drafts.paste_widget(),
        )
        st.form_submit_button(_("Train on this text"), on_click=_use_paste, type="primary")
    kept_text("pasted text", drafts.PASTE.key, most_bytes=2 * LONGEST_TEXT)


def _use_paste() -> None:
    _want_text("paste", "Pasted text", drafts.take_paste())


# -- a file ------------------------------------------------------------------------------------------------------


def _upload(limit: str) -> None:
    if limit:
        st.caption(limit)
    text_uploader(training_state.CORPUS_UPLOAD, lambda name, text: _want_text("file", name, text))


def _want_text(kind: str, label: str, text: str) -> None:
    """Request a training on the visitor's text; if it is empty or too long, report that and change nothing."""
    try:
        if not text:
            raise CorpusError(
                message("The file is empty.") if kind == "file" else message("There is no text yet."),
                limit=message("A training needs at least one character."),
                remedy=message("Choose another file.")
                if kind == "file"
                else message("Paste or type a text, then train on it."),
            )
        check_length(text)
    except CorpusError as error:
        training_state.PROBLEM.set(error)
    else:
        training_state.want_source(training_state.Source(kind, label, text))
