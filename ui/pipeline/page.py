"""The Pipeline page: a text in every stage of a tokenizer, each piece linked to the characters that it came from."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError, Training
from ui.components.stages import stages_view
from ui.components.token_table import token_table
from ui.components.tokens import Column, Table
from ui.components.tokens.chips import Tone
from ui.pipeline import cache
from ui.pipeline.drawing import CHARACTERS_DRAWN
from ui.pipeline.examples import show_examples
from ui.pipeline.request import (
    ALSO_NAMES,
    ALSO_TRAINED,
    FORM_NAMES,
    MARKUP_NAMES,
    SPLIT_NAMES,
    TEMPLATE_NAMES,
    MarkupCounts,
    PipelineRequest,
    ignored,
    override,
    title,
)
from ui.session import state
from ui.shared import controls, pickers
from ui.shared.address import keep_address
from ui.shared.messages import note, problem

_INPUTS = {"text": "One text", "pair": "Two texts", "chat": "A chat"}


def show_pipeline() -> None:
    """The whole page; texts and stages are a fragment, so that a key reruns no more than those."""
    _show(controls.trained())


@st.fragment
def _show(training: Training) -> None:
    keep_address("pipeline")
    _choices()
    _texts()
    request = PipelineRequest.now()
    name = state.PIPELINE_WITH.get()
    key = (name, state.source(), training.config, state.FORKS.get())
    with st.container(border=True, key="stages"):
        try:
            own = cache.pipeline_tokenizer(*key)
            drawn = cache.drawn_pipeline(request, *key)
        except BpeError as error:
            problem(error, kept="The text is kept.")
            return
        if said := ignored(request, own) or override(name, own, request.staged(own)):
            st.caption(said)
        _tell(drawn.surrogates, drawn.longest)
        stages_view(drawn.body, key="stages of the text")
    if request.kind == "chat":
        _compare(request, cache.markup_counts(request, *key))


def _choices() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="pipeline choices"):
        st.segmented_control(
            "Input", list(_INPUTS), format_func=_INPUTS.__getitem__, required=True, **state.PIPELINE_INPUT.widget()
        )
        pickers.one_tokenizer(
            state.PIPELINE_WITH,
            list(ALSO_TRAINED),
            called=title,
            help="In the menu are WordPiece and Unigram, trained on the first 100 KB of the Train page's text, and "
            "your own files from Compare.",
        )
        st.space("stretch")
        show_examples()
    with st.container(horizontal=True, vertical_alignment="bottom", key="pipeline stages"):
        st.selectbox(
            "Normalization",
            list(FORM_NAMES),
            format_func=FORM_NAMES.__getitem__,
            width=225,
            **state.PIPELINE_FORM.widget(),
        )
        st.pills(
            "and also",
            list(ALSO_NAMES),
            selection_mode="multi",
            format_func=ALSO_NAMES.__getitem__,
            **state.PIPELINE_ALSO.widget(),
        )
        st.selectbox(
            "Split", list(SPLIT_NAMES), format_func=SPLIT_NAMES.__getitem__, width=225, **state.PIPELINE_SPLIT.widget()
        )
        if state.PIPELINE_INPUT.get() == "chat":
            st.segmented_control(
                "Chat mark-up as",
                list(MARKUP_NAMES),
                format_func=MARKUP_NAMES.__getitem__,
                required=True,
                **state.PIPELINE_MARKUP.widget(),
            )
        else:
            st.selectbox(
                "Special tokens",
                list(TEMPLATE_NAMES),
                format_func=TEMPLATE_NAMES.__getitem__,
                width=300,
                **state.PIPELINE_TEMPLATE.widget(),
            )


def _texts() -> None:
    fields = {
        "text": {"Text": state.PIPELINE_TEXT},
        "pair": {"Text A": state.PIPELINE_TEXT, "Text B": state.PIPELINE_PAIR},
        "chat": {
            "The system says": state.PIPELINE_SYSTEM,
            "The user says": state.PIPELINE_USER,
            "The assistant says": state.PIPELINE_ASSISTANT,
        },
    }[state.PIPELINE_INPUT.get()]
    for column, (label, item) in zip(st.columns(len(fields)), fields.items(), strict=True):
        with column:
            controls.text_input(label, item, height=84)


def _tell(surrogates: int, longest: int) -> None:
    """What was done to the text before the first stage, and how much of it is drawn."""
    if surrogates:
        many = "A lone surrogate was" if surrogates == 1 else f"{surrogates:,} lone surrogates were"
        note(f"{many} replaced by U+FFFD: half of a character has no bytes in UTF-8.")
    if longest > CHARACTERS_DRAWN:
        st.caption(
            f"The first {CHARACTERS_DRAWN} of {longest:,} characters are drawn. The counts are those of the whole text."
        )


def _compare(request: PipelineRequest, rows: tuple[MarkupCounts, ...] | BpeError) -> None:
    """The chat under each way to treat its mark-up, in one table."""
    if isinstance(rows, BpeError):
        return
    with st.container(border=True, key="markups"):
        st.markdown("**Who may write special tokens**")
        forged = next(row.said for row in rows if row.markup == "parsed")
        st.caption(
            "A message holds mark-up: parsed from the finished text it becomes special tokens, and whoever wrote it "
            "speaks in another role."
            if forged
            else "No message holds mark-up now, so parsing the finished text gives the same. Try the last example."
        )
        says = {
            "special": "only the program writes them",
            "parsed": "whoever names one writes one",
            "text": "tokenized like any text: no boundary",
        }
        tones: list[Tone] = ["strong" if row.markup == request.markup else "" for row in rows]
        table = Table(
            (
                Column("Chat mark-up as", [MARKUP_NAMES[row.markup] for row in rows], tones=tones),
                Column("Ids", [row.ids for row in rows], "number", tones=tones),
                Column("Special tokens", [row.special for row in rows], "number", tones=tones),
                Column("Written by a message", [row.said for row in rows], "number", tones=tones),
                Column("", [says[row.markup] for row in rows]),
            )
        )
        token_table(table, key="markup table", height=None, label="The chat under each way to treat its mark-up")
