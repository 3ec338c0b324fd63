"""The Encode page: the tokens of a typed text, how they are found, and decoding."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bpe_core import BpeError, Tokenizer, Training
from bpe_core.formats import post_processors_json
from bpe_core.language import _, translate
from bpe_core.page.html import Page
from bpe_core.tokenizer.encoding_page import MOST_TOKENS, page_of_encoding
from bpe_core.tokenizer.tokenizer import Special
from ui.encode import cache
from ui.encode.chosen import ChosenTokenizer, chosen_now, shown_step
from ui.encode.decode_card import show_decode
from ui.encode.special import show_list
from ui.encode.tokens import show_encoding
from ui.session import encode as state
from ui.session.shared_view import Latest, latest
from ui.session.tokenizer_choice import TRAINED
from ui.session.tokenizer_files import is_own
from ui.widgets import controls, pickers
from ui.widgets.as_page import show_as_page
from ui.widgets.display import title_of
from ui.widgets.messages import note, problem


def show_encode() -> None:
    """Draw the page. Encoding and decoding are separate fragments: typing in one does not rerun the other."""
    state.HANDED_OVER.set(False)
    try:
        chosen = _choices(controls.trained())
    except BpeError as error:  # a missing or damaged vocabulary file
        problem(error, unchanged=_("The text is kept. Another tokenizer can be chosen above."))
        return
    for sentence in post_processors_json.describe_settings(chosen.tokenizer.kept):
        note(translate(sentence))
    show_encoding(chosen)
    show_decode(chosen)


def _choices(training: Training) -> ChosenTokenizer:
    with st.container(horizontal=True, vertical_alignment="bottom", key="strip"):
        pickers.one_tokenizer(state.WITH)
        if is_own(state.WITH.get()):
            pickers.check_button(state.WITH.get())
        if state.WITH.get() == TRAINED and training.merges:
            step, last = shown_step(training), len(training.merges)
            names = {
                "all": _("All {merges:,}", merges=last),
                "step": _("First {merges:,}, as on Train", merges=step) if step else _("None, as on Train"),
            }
            controls.segments(_("Merges"), names, state.MERGES)
        st.space("stretch")
        chosen = chosen_now(training)
        controls.special_mode(state.SPECIAL, ("text", "parse", "raise"))
        show_list(chosen)
        show_encoding_as_page(chosen)
    return chosen


def show_encoding_as_page(chosen: ChosenTokenizer) -> None:
    """Draw the popover. It is outside the text's fragment, so that typing does not redraw it."""
    show_as_page(
        _("One HTML file with the text in tokens and the origin of each, for a course page or mail: no server."),
        _("Of a long text it has the first {most:,} tokens.", most=MOST_TOKENS),
        partial(_page, chosen.tokenizer, title_of(chosen.name), latest()),
        file_name="tokens.html",
        key="encoding",
    )


def _page(tokenizer: Tokenizer, name: str, held: Latest) -> Page:
    """The page of the text as typed at the time of the download."""
    choices = held.view.choices
    special: Special = "parse" if choices.get("special") == "parse" else "text"
    encoding = cache.encoding(tokenizer, choices.get("text", state.TEXT.default), special)
    return page_of_encoding(encoding, _("The text in tokens: {tokenizer}", tokenizer=translate(name)))
