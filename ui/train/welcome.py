"""First screen of Train: what a token is, and the visitor's name in tokens.

It is in every page, and hidden by train.css until the browser shows it (frontend/src/page/welcome.ts): to new visitors,
and with the first step of the tour.
"""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError, Encoding
from bpe_core.language import _, current_language, n_
from bpe_core.text.utf8 import begins_character
from ui import cache
from ui.session.training import VISITOR_NAME
from ui.views.component import View
from ui.views.live_text import live_text_view
from ui.views.token_flow import token_view
from ui.widgets.address import keep_address
from ui.widgets.display import spans
from ui.widgets.fragments import fragment
from ui.widgets.layout import heading
from ui.widgets.messages import problem

_BUTTONS = View("welcome")

_TOKENIZER = {"en": ("gpt2", "GPT-2")}
_ANY_SCRIPT = ("o200k_base", "GPT-4o")
"""Tokenizer by language, and the model that uses it: GPT-2 has hardly any whole character outside Latin script."""

_LONGEST = 200
_MOST_IDS = 12


@fragment
def show_welcome() -> None:
    """Draw the first screen. A fragment, so that a keystroke in the field reruns nothing else."""
    keep_address("welcome")
    name, model = _TOKENIZER.get(current_language(), _ANY_SCRIPT)
    with st.container(key="welcome"), st.container(horizontal=True, key="welcome columns"):
        with st.container(gap=None, key="welcome words"):
            heading(_("What is a token?"))
            st.text(_("A token is a piece of text with a number: a word, a part of a word, or a single byte."))
            st.text(
                _(
                    "Language models read and write these numbers: a text has far fewer tokens than letters, and a "
                    "fixed list of tokens can spell any text."
                )
            )
        with st.container(gap="small", key="welcome name"):
            live_text_view(
                _("Type your name"),
                VISITOR_NAME.get,
                key="name area",
                on_change=VISITOR_NAME.set,
                height=44,
                single=True,
                placeholder=_("Ada Lovelace"),
                longest=_LONGEST,
            )
            try:
                encoding = cache.published(name).encode(VISITOR_NAME.get() or _("Ada Lovelace")).complete()
            except BpeError as error:
                problem(error)  # the file of the vocabulary is missing or damaged
            else:
                token_view(spans(encoding), key="name view", label=_("The name in tokens"))
                with st.container(key="welcome numbers"):
                    st.caption(_numbers(encoding, model))
                    if drawn := _marks(encoding):
                        st.caption(drawn)
                with st.container(key="learned"):
                    st.text(
                        _("{model} learned these tokens as shown below, but from far more text than this.", model=model)
                    )
            _BUTTONS(key="welcome buttons")


def _marks(encoding: Encoding) -> str:
    """Meaning of the marks in the tokens; "" without any."""
    utf8 = encoding.utf8
    if not begins_character(utf8)[encoding.starts[encoding.starts < len(utf8)]].all():
        if b" " in utf8:
            return _("· is a space. A character such as an emoji can be several tokens of bytes.")
        return _("A character such as an emoji can be several tokens of bytes.")
    return _("· is a space.") if b" " in utf8 else ""


def _numbers(encoding: Encoding, model: str) -> str:
    """Caption with the ids that the model reads."""
    ids = " ".join(map(str, encoding.ids[:_MOST_IDS].tolist()))
    return n_(
        "{count} token, which {model} reads as a number: {ids}",
        "{count} tokens, which {model} reads as numbers: {ids}",
        len(encoding),
        model=model,
        ids=ids if len(encoding) <= _MOST_IDS else f"{ids} …",
    )
