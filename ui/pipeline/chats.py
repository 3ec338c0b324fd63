"""The chat of the Pipeline page: a table of messages, and the choice of the model's chat template."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError, ChatTemplates
from bpe_core.language import _, message, n_
from bpe_core.tokenizer.chat_tokens import WriterCounts
from ui.pipeline import cache
from ui.pipeline.request import PipelineRequest
from ui.session import pipeline as state
from ui.session.tokenizer_choice import own_file
from ui.session.tokenizer_files import is_own
from ui.widgets import controls
from ui.widgets.controls import menu
from ui.widgets.messages import problem

_ROLE_WIDTH = 150
_HEIGHT = 68


def show_messages() -> None:
    """Draw a row per message, with its role, and the buttons that add and remove rows."""
    count = state.MESSAGE_COUNT.get()
    roles = dict(zip(state.ROLES, state.ROLES, strict=True))
    for number in range(count):
        with st.container(horizontal=True, vertical_alignment="top", key=f"message row {number + 1}"):
            menu(
                _("Role of message {number}", number=number + 1),
                roles,
                state.MESSAGE_ROLES[number],
                hidden=True,
                width=_ROLE_WIDTH,
            )
            with st.container(key=f"message text {number + 1}"):
                controls.text_input(_("Message {number}", number=number + 1), state.MESSAGES[number], height=_HEIGHT)
            st.button(
                "",
                help=_("Remove message {number}", number=number + 1),
                icon=":material/close:",
                type="tertiary",
                key=f"remove message {number + 1}",
                disabled=count == 1,
                on_click=_remove,
                args=(number,),
            )


def show_template_choice(name: str) -> None:
    """Draw the button that adds a message, and the options of a model with chat templates."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="chat template"):
        is_full = state.MESSAGE_COUNT.get() == state.MOST_MESSAGES
        st.button(
            _("Add a message"),
            help=_("A chat has at most {most:,} messages here.", most=state.MOST_MESSAGES) if is_full else None,
            icon=":material/add:",
            on_click=_add,
            disabled=is_full,
            key="add message",
        )
        templates = _templates(name)
        if isinstance(templates, ChatTemplates):
            menu(_("Chat template"), _names(templates), state.CHAT_TEMPLATE, width=260)
            if state.CHAT_TEMPLATE.get() != state.CHATML:
                st.toggle(
                    _("Begin the answer"),
                    help=_("add_generation_prompt: the template ends with what comes before the assistant's words."),
                    **state.PROMPTED.widget(),
                )
    if isinstance(templates, BpeError):
        problem(templates, unchanged=_("ChatML is used instead."), key="chat template problem")


def rendered(request: PipelineRequest, name: str) -> PipelineRequest | BpeError:
    """The request with its chat rendered by the chosen template of the tokenizer, if it has one."""
    if request.kind != "chat" or state.CHAT_TEMPLATE.get() == state.CHATML:
        return request
    if not isinstance(_templates(name), ChatTemplates):
        return request
    made = cache.rendered_chat(own_file(name), state.CHAT_TEMPLATE.get(), tuple(request.messages), state.PROMPTED.get())
    return made if isinstance(made, BpeError) else request._replace(chat=made)


def tell_writers(written: WriterCounts, request: PipelineRequest) -> None:
    """Draw the number of tokens in the messages and in the template."""
    st.caption(
        n_("{count:,} token in all", "{count:,} tokens in all", written.total)
        + " · "
        + _("{count:,} of the messages (underlined)", count=written.messages)
        + " · "
        + _("{count:,} of the template", count=written.template)
        + " · "
        + _("{count:,} across the boundary (dashed)", count=written.both)
    )
    if request.whole_chat.mixed:
        st.caption(
            _("The template rewrites a message, so some characters count as written by both: their origin is unknown.")
        )


def _templates(name: str) -> ChatTemplates | BpeError | None:
    return cache.chat_templates(own_file(name)) if is_own(name) else None


def _names(templates: ChatTemplates) -> dict[str, str]:
    """Titles of the choices; the default first."""
    chatml = {state.CHATML: message("ChatML, built in")}
    if len(templates.sources) == 1:
        return {"": message("The model's own"), **chatml}
    default = {"": message("The model's default")} if "default" in templates.sources else {}
    others = {name: name for name in sorted(templates.sources) if name != "default"}
    names = {**default, **others, **chatml}
    if state.CHAT_TEMPLATE.get() not in names:
        state.CHAT_TEMPLATE.set(next(iter(names)))
    return names


def _add() -> None:
    state.MESSAGE_COUNT.set(min(state.MESSAGE_COUNT.get() + 1, state.MOST_MESSAGES))


def _remove(number: int) -> None:
    """Remove a message: those below move up, and the last row gets its defaults back."""
    last = state.MESSAGE_COUNT.get() - 1
    for items in (state.MESSAGES, state.MESSAGE_ROLES):
        values = [item.get() for item in items]
        del values[number]
        for item, value in zip(items[:last], values, strict=False):
            item.set(value)
    state.MESSAGES[last].set("")
    state.MESSAGE_ROLES[last].set(state.MESSAGE_ROLES[last].default)
    state.MESSAGE_COUNT.set(max(last, 1))
