"""The Pipeline page: a text in every stage of a tokenizer, with each piece linked to its original characters."""

from __future__ import annotations

from typing import Any

import streamlit as st

from bpe_core import BpeError, Tokenizer, Training
from bpe_core.language import _, current_language, listed, message, n_, translate
from bpe_core.payloads.chips import Column, Table, Tone
from bpe_core.payloads.frames import Body
from ui.cache import tokenizer
from ui.pipeline import cache, chats
from ui.pipeline.drawing import CHARACTERS_DRAWN
from ui.pipeline.examples import show_examples
from ui.pipeline.label_marks import follow_typing
from ui.pipeline.labels import show_labels
from ui.pipeline.lengths import show_lengths
from ui.pipeline.own_template import show_own_template
from ui.pipeline.request import (
    ALSO_NAMES,
    FORM_NAMES,
    MARKUP_NAMES,
    MOST_TEXTS,
    SPLIT_NAMES,
    TEMPLATE_NAMES,
    MarkupCounts,
    PipelineRequest,
    ignored,
    lines_of,
    override,
)
from ui.pipeline.table import show_table
from ui.session import pipeline as state
from ui.session import training as training_state
from ui.views.stages import batch_view, stages_view
from ui.views.token_table import token_table_view
from ui.widgets import controls, pickers
from ui.widgets.address import keep_address
from ui.widgets.controls import menu, segments
from ui.widgets.fragments import fragment
from ui.widgets.messages import note, problem

_INPUTS = {
    "text": message("One text"),
    "pair": message("Two texts"),
    "batch": message("A batch"),
    "chat": message("A chat"),
}

_WIDTH, _NARROW = 205, 175
"""Widths of menus in pixels: those of all stages fit into one row."""


def show_pipeline() -> None:
    """Draw the page; texts and stages are a fragment, so that typing reruns only these."""
    _show(controls.trained())


@fragment
def _show(training: Training) -> None:
    keep_address("pipeline")
    _choices()
    _texts()
    _choose_stages()
    request = PipelineRequest.now()
    name = state.WITH.get()
    key = (name, training_state.source(), training.config, training_state.FORKS.get())
    usable = True
    if request.kind != "chat" and request.template == "own":
        usable = show_own_template(_tokenizer(*key), request.kind)
        request = PipelineRequest.now()
    made = chats.rendered(request, name)
    with st.container(border=True, key="stages"):
        if isinstance(made, BpeError):
            problem(made, unchanged=_("The messages are kept."))
            return
        request = made
        if not usable:
            note(_("Nothing is drawn until the template above is corrected."))
            return
        try:
            own = tokenizer(*key)
            drawn = cache.drawn_pipeline(request, current_language(), *key)
        except BpeError as error:
            problem(error, unchanged=_("The text is kept."))
            return
        if remark := ignored(request, own) or override(name, own, request.staged(own)):
            st.caption(remark)
        _tell(drawn.surrogates, drawn.longest if drawn.stages else 0)
        _tell_added(drawn.added)
        if drawn.written:
            chats.tell_writers(drawn.written, request)
        if drawn.stages:
            stages_view(drawn.stages, key="stages of the text")
        else:
            _show_grid(drawn.grid)
    if drawn.stages and drawn.grid:
        with st.container(border=True, key="masks"):
            _show_grid(drawn.grid)
    if request.kind == "chat":
        _compare(request, cache.markup_counts(request, *key))
    show_table(drawn, request.kind)
    show_labels(drawn, request.kind)


def _tokenizer(*key: Any) -> Tokenizer | None:
    """The tokenizer, or None if it is unavailable; the page reports the error further down."""
    try:
        return tokenizer(*key)
    except BpeError:
        return None


def _show_grid(grid: Body | None) -> None:
    st.markdown("## " + _("What the model gets"))
    st.caption(_("Attention is 1 where the model reads; special is 1 where an id is no part of a text."))
    if grid:
        batch_view(grid, key="batch", label=_("The ids of each text, with their masks"))


def _tell_added(added: dict[str, int]) -> None:
    """Show special tokens missing in the vocabulary, with their new ids."""
    if added:
        new_ids = [message("{name} gets id {number:,}", name=name, number=number) for name, number in added.items()]
        note(_("New to this vocabulary: {tokens}.", tokens=listed(new_ids, last="")))


def _choices() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="pipeline choices"):
        segments(_("Input"), _INPUTS, state.INPUT)
        pickers.one_tokenizer(
            state.WITH,
            help=_(
                "In the menu are WordPiece, Unigram and SentencePiece as Algorithms trains them on your text, and "
                "your own files from Compare."
            ),
        )
        st.space("stretch")
        show_examples()


def _choose_stages() -> None:
    """Draw the settings of the stages, in one row below the text."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="pipeline stages"):
        menu(_("Normalization"), FORM_NAMES, state.FORM, width=_WIDTH)
        st.pills(
            _("and also"),
            list(ALSO_NAMES),
            selection_mode="multi",
            format_func=lambda step: translate(ALSO_NAMES[step]),
            **state.ALSO.widget(),
        )
        menu(_("Split"), SPLIT_NAMES, state.SPLIT, width=_WIDTH)
        if state.INPUT.get() == "chat":
            segments(_("Chat mark-up as"), MARKUP_NAMES, state.MARKUP)
        else:
            menu(_("Special tokens"), TEMPLATE_NAMES, state.TEMPLATE, width=_NARROW)
            show_lengths()


def _texts() -> None:
    if state.INPUT.get() == "batch":
        controls.text_input(_("Texts, one per line"), state.BATCH, height=140)
        if (count := len(lines_of(state.BATCH.get()))) > MOST_TEXTS:
            note(_("Only the first {most} of {count:,} lines are used.", most=MOST_TEXTS, count=count))
        return
    if state.INPUT.get() == "chat":
        chats.show_messages()
        chats.show_template_choice(state.WITH.get())
        return
    fields = {
        "text": {_("Text"): state.TEXT},
        "pair": {_("Text A"): state.TEXT, _("Text B"): state.PAIR},
    }[state.INPUT.get()]
    for column, (label, item) in zip(st.columns(len(fields)), fields.items(), strict=True):
        with column:
            follow = follow_typing if item is state.TEXT else None
            controls.text_input(label, item, height=84, on_change=follow)


def _tell(surrogates: int, longest: int) -> None:
    """Show notes about changes to the text before the first stage, and about the part that is drawn."""
    if surrogates:
        note(
            n_(
                "A lone surrogate was replaced by U+FFFD: half of a character has no bytes in UTF-8.",
                "{count:,} lone surrogates were replaced by U+FFFD: half of a character has no bytes in UTF-8.",
                surrogates,
            )
        )
    if longest > CHARACTERS_DRAWN:
        st.caption(
            _(
                "The first {drawn} of {count:,} characters are drawn. The counts are those of the whole text.",
                drawn=CHARACTERS_DRAWN,
                count=longest,
            )
        )


def _compare(request: PipelineRequest, rows: tuple[MarkupCounts, ...] | BpeError) -> None:
    """Draw the chat under each treatment of mark-up in one table."""
    if isinstance(rows, BpeError):
        return
    with st.container(border=True, key="markups"):
        st.markdown("## " + _("Who may write special tokens"))
        forged = next(row.in_messages for row in rows if row.markup == "parsed")
        st.caption(
            _(
                "A message contains mark-up: parsed from the finished text it becomes special tokens, so its author "
                "can speak in another role."
            )
            if forged
            else _(
                "No message contains mark-up now, so parsing the finished text gives the same result. Try the last "
                "example."
            )
        )
        says = {
            "special": _("only the chat program can write them"),
            "parsed": _("a special token's name in any text becomes that token"),
            "text": _("tokenized like any text: no boundary"),
        }
        tones: list[Tone] = ["strong" if row.markup == request.markup else "" for row in rows]
        table = Table(
            Column(_("Chat mark-up as"), [translate(MARKUP_NAMES[row.markup]) for row in rows], tones=tones),
            Column(_("Ids"), [row.ids for row in rows], "number", tones=tones),
            Column(_("Special tokens"), [row.special for row in rows], "number", tones=tones),
            Column(_("Written by a message"), [row.in_messages for row in rows], "number", tones=tones),
            Column("", [says[row.markup] for row in rows]),
        )
        token_table_view(
            table, key="markup table", height=None, label=_("The chat under each way to treat its mark-up")
        )
