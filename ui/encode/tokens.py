"""Text field and tokens of the Encode page, as a flow or in three aligned lanes, and the chosen token."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import streamlit as st

from bpe_core import BpeError, Encoding, Tokenizer
from bpe_core.arrays import sorted_place
from bpe_core.bpe.merge_tables import ByteRanks
from bpe_core.bpe.model import BpeModel
from bpe_core.comparison.reason_views import piece_chip, reason_parts
from bpe_core.comparison.token_boundary import BoundaryKind, why_boundary
from bpe_core.language import _, message, n_, translate
from bpe_core.payloads.reasons import RegionTokens
from bpe_core.payloads.spans import TokenSpans
from bpe_core.tokenizer.chips import chip
from ui.encode import cache
from ui.encode.card import show_card
from ui.encode.chosen import ChosenTokenizer
from ui.encode.copying import show_copy, spelled_spans
from ui.encode.many import show_many
from ui.encode.prompt_end import EXAMPLES, show_prompt_end
from ui.encode.sentences import LONGEST_LOOKED_AT, MARKS, as_seen, file_marks
from ui.encode.special import find, show_refused
from ui.encode.word import show_word
from ui.encode.words import show_words
from ui.session import encode as state
from ui.session.elsewhere import training_text
from ui.session.limits import LONGEST_AT_ONCE, LONGEST_TEXT
from ui.views.lanes import lanes_view
from ui.views.live_text import live_text_view
from ui.views.reason import reason_view
from ui.views.relay import Due, follow_up_frame, follow_up_view, relay_view
from ui.views.token_flow import token_frame, token_view
from ui.widgets import controls
from ui.widgets.address import keep_address
from ui.widgets.controls import segments
from ui.widgets.display import spans
from ui.widgets.fragments import fragment
from ui.widgets.layout import with_terms
from ui.widgets.messages import note, problem
from ui.widgets.panels import show_panel
from ui.widgets.progress import cancellable

LANES_WINDOW = 240
"""Maximum number of tokens drawn in lanes."""

_VIEWS = {
    "tokens": message("Tokens"),
    "files": message("As in files"),
    "lanes": message("Characters, bytes, tokens"),
    "words": message("Dictionary words"),
    "prompt": message("Prompt end"),
}
_FLOWS = ("tokens", "files")
_FLOW, _REST = "encode view", "rest of encode"
_TALL = 380
"""Maximum height in pixels; longer texts scroll."""


@fragment
def show_encoding(chosen: ChosenTokenizer) -> None:
    """Draw the text field and everything that depends on it. A fragment, so that typing does not rerun the page."""
    rerun_if_handed_over()
    state.BEHIND.set(False)
    if state.VIEW.get() in _FLOWS:
        _edit_alone(chosen)
    else:
        _edit(chosen)
    follow_up_view(_REST)
    text = state.TEXT.get()
    try:
        encoding = _encoding_in_turn(chosen)
    except BpeError as error:
        if state.SPECIAL.get() == "raise" and find(chosen.tokenizer, text):
            show_refused(chosen, text)
        else:
            problem(error, unchanged=_("The text is kept."))
        encoding = None
    if encoding is not None:
        number = _show_tokens(chosen, encoding)
        if state.VIEW.get() == "prompt":
            show_prompt_end(chosen, encoding, _typed)
        show_card(chosen, encoding, number, choose)
        show_word(chosen, encoding, number)
        show_panel(
            _("Other segmentations"),
            "shuffle",
            state.MANY_OPEN,
            partial(show_many, chosen, encoding, number, choose),
            card="other segmentations",
        )
        show_copy(encoding, chosen.tokenizer)
    keep_address("encoding")


def rerun_if_handed_over() -> None:
    """Rerun both halves of the page after one has passed data to the other; call first in each half's fragment."""
    if state.HANDED_OVER.get():
        st.rerun()


@st.fragment
def _edit_alone(chosen: ChosenTokenizer) -> None:
    """Draw the text field, and publish the tokens of the typed text: all that a keystroke waits for."""
    _edit(chosen)


def _edit(chosen: ChosenTokenizer) -> None:
    """Draw the text field. After a keystroke, publish the tokens; if encoding must be queued, run the rest at once."""
    _text_field()
    due: Due = ""
    frames = {}
    if state.BEHIND.get():
        due = "now"
        with suppress(BpeError):  # reported by the rest of the page
            encoding = _encoding_at_once(chosen)
            if encoding is not None:
                frames[_FLOW] = token_frame(
                    _flow_spans(chosen, encoding),
                    key=_FLOW,
                    height=_height(encoding),
                    selected=_chosen_number(encoding),
                    label=_("The text in tokens"),
                )
                due = "rested"
    relay_view({**frames, _REST: follow_up_frame(_REST, due)}, key="relay of typing")


def _encoding_at_once(chosen: ChosenTokenizer) -> Encoding | None:
    """Encode the typed text; None for a long one that cannot be updated from the encoding before the keystroke."""
    text, special = state.TEXT.get(), state.SPECIAL.get()
    controls.check_length(text)
    known = cache.changed_encoding(chosen.tokenizer, text, special, state.BEFORE.get())
    if known is not None or len(text) > LONGEST_AT_ONCE:
        return known
    return cache.encoding(chosen.tokenizer, text, special)


def _encoding_in_turn(chosen: ChosenTokenizer) -> Encoding | None:
    """Encode the typed text; a long one waits for its turn, with a Cancel button. None if it was cancelled."""
    text, special = state.TEXT.get(), state.SPECIAL.get()
    bar = cancellable(
        state.STOPPED,
        str(hash((text, chosen.name, special))),
        key="encoding",
        cancelled=_("Encoding was cancelled. Choose a shorter text or another tokenizer, or encode this one anyway."),
        again=_("Encode anyway"),
    )
    if bar is None:
        return None
    encoding = _encoding_at_once(chosen)
    if encoding is None:
        with bar.turn(heavy=True):
            encoding = cache.encoding(chosen.tokenizer, text, special)
    bar.clear()
    return encoding


def _text_field() -> None:
    key = f"{state.TEXT.key} area"
    with st.container(key="text-and-its-source"):
        live_text_view(
            _("Text to encode"),
            state.TEXT.get,
            key=key,
            on_change=_typed,
            height=116,
            longest=LONGEST_TEXT,
            examples={translate(title): text for title, text in EXAMPLES.items()}
            if state.VIEW.get() == "prompt"
            else {},
            is_light=state.VIEW.get() in _FLOWS,
        )
        label = _("Your training text")
        st.button(
            label, icon=":material/menu_book:", type="tertiary", on_click=_take_training_text, key="training text"
        )


def _take_training_text() -> None:
    _typed(training_text(LONGEST_TEXT))


def _typed(text: str) -> None:
    state.BEFORE.set(state.TEXT.get())
    state.TEXT.set(text)
    state.BEHIND.set(True)
    forget_choice()


def _show_tokens(chosen: ChosenTokenizer, encoding: Encoding) -> int | None:
    """Draw the card with counts and tokens; return the index of the chosen token."""
    number = _chosen_number(encoding)
    with st.container(border=True, key="tokens"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"## {counts(encoding)}", width="content")
            st.caption(_mode(chosen), width="content")
            st.space("stretch")
            segments(_("Show the text as"), _VIEWS, state.VIEW, hidden=True)
        _tell_changes(encoding)
        if state.VIEW.get() == "lanes":
            _lanes(encoding, number)
        elif state.VIEW.get() == "words":
            show_words(chosen, encoding, choose)
        else:
            _flow(chosen, encoding, number)
    return number


def _mode(chosen: ChosenTokenizer) -> str:
    """Caption: the tokenizer, and how special tokens in the text are treated."""
    mode = state.SPECIAL.get()
    if mode == "text":
        return _("{tokenizer} · special tokens as plain text", tokenizer=chosen.title)
    if mode == "parse":
        return _("{tokenizer} · special tokens parsed", tokenizer=chosen.title)
    return _("{tokenizer} · special tokens refused", tokenizer=chosen.title)


def counts(encoding: Encoding) -> str:
    """Number of tokens, characters and bytes.

    >>> from bpe_core import load_pretrained
    >>> counts(load_pretrained("gpt2").encode("Hello こ"))
    '3 tokens · 7 characters · 9 bytes'
    """
    characters = n_("{count:,} character", "{count:,} characters", len(encoding.text))
    short = len(encoding.text) <= LONGEST_LOOKED_AT
    if short and (seen := as_seen(encoding.text)):
        characters = _("{characters} ({seen})", characters=characters, seen=seen)
    return _(
        "{tokens} · {characters} · {bytes}",
        tokens=n_("{count:,} token", "{count:,} tokens", len(encoding)),
        characters=characters,
        bytes=n_("{count:,} byte", "{count:,} bytes", len(encoding.utf8)),
    )


def _tell_changes(encoding: Encoding) -> None:
    """Show how normalization changed the text, and the meaning of marks of tokenizer files in it."""
    normalized = encoding.normalized
    if normalized.surrogates:
        note(
            n_(
                "A lone surrogate was replaced by U+FFFD: half of a character has no bytes in UTF-8.",
                "{count:,} lone surrogates were replaced by U+FFFD: half of a character has no bytes in UTF-8.",
                normalized.surrogates,
            )
        )
    if normalized.text != normalized.original:
        note(_("This tokenizer normalizes the text first: what is shown and counted is the normalized text."))
    if MARKS.search(normalized.original, 0, LONGEST_LOOKED_AT):
        for sentence in file_marks(normalized.original):
            note(sentence)


def _flow(chosen: ChosenTokenizer, encoding: Encoding, number: int | None) -> None:
    token_view(
        _flow_spans(chosen, encoding),
        key=_FLOW,
        height=_height(encoding),
        selected=number,
        label=_("The text in tokens"),
        on_select=choose,
        on_boundary=state.BOUNDARY.set,
        is_renewed=True,
    )
    boundary = state.BOUNDARY.get()
    if boundary is not None and 0 < boundary < len(encoding):
        show_boundary(chosen, encoding, boundary)
    elif state.VIEW.get() == "files":
        st.caption(_spelling(chosen.tokenizer))
    elif len(encoding) > 1:
        said = _("A thick line is an edge of the split. Click between two tokens to ask why there is a boundary.")
        st.caption(with_terms(said))


def _flow_spans(chosen: ChosenTokenizer, encoding: Encoding) -> TokenSpans:
    return spelled_spans(encoding, chosen.tokenizer) if state.VIEW.get() == "files" else spans(encoding)


def _height(encoding: Encoding) -> int | None:
    is_long = len(encoding) > 500 or encoding.text.count("\n", 0, 100_000) > 12
    return _TALL if is_long else None


def _spelling(tokenizer: Tokenizer) -> str:
    """How files of this kind spell tokens.

    >>> from bpe_core import load_pretrained
    >>> _spelling(load_pretrained("bert-base-uncased"))
    'A piece inside a word begins with ##.'
    """
    model = tokenizer.model
    if model.kind == "wordpiece":
        return _("A piece inside a word begins with ##.")
    if not isinstance(model, BpeModel):
        return _("▁ stands for a space.")
    if model.unit != "byte":
        return _("The tokens as the tokenizer's file spells them.")
    if isinstance(model.merges, ByteRanks) and tokenizer.name != "gpt2":
        return _("Its file has bytes alone; here they are GPT-2's characters: Ġ for a space, Ċ for a line break.")
    return _("A character for each byte: Ġ for a space, Ċ for a line break.")


def _lanes(encoding: Encoding, number: int | None) -> None:
    total = len(encoding)
    first = min(state.LANES_AT.get(), max(total - 1, 0))
    window: TokenSpans = spans(encoding, first=first, count=LANES_WINDOW)
    lanes_view(
        window,
        key="encode lanes",
        selected=number,
        height=520,
        label=_("The text in characters, bytes and tokens"),
        on_select=choose,
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        said = _("A column is a byte. Orange: a character that is split over tokens.")
        st.caption(with_terms(said), width="content")
        if total > LANES_WINDOW:
            st.space("stretch")
            last = first + len(window.ids)
            shown = _("Tokens {first:,} to {last:,} of {all:,}", first=first + 1, last=last, all=total)
            st.text(shown, width="content")
            _window_button(_("Earlier"), ":material/chevron_left:", first - LANES_WINDOW, first > 0)
            _window_button(_("Later"), ":material/chevron_right:", first + LANES_WINDOW, window.rest > 0)


def _window_button(label: str, icon: str, first: int, possible: bool) -> None:
    st.button(label, icon=icon, on_click=state.LANES_AT.set, args=(max(first, 0),), disabled=not possible)


# -- the chosen token ----------------------------------------------------------------------------------------


def choose(index: int | None) -> None:
    """Set or clear the chosen token; for callbacks."""
    state.CHOSEN.set(index)
    state.CHOSEN_AT.set(None)
    state.BOUNDARY.set(index or None)  # the boundary at the token's start; the first token has none


def forget_choice() -> None:
    """Clear the choice and reset the lanes, for a new text."""
    choose(None)
    state.LANES_AT.set(0)


def _chosen_number(encoding: Encoding) -> int | None:
    """Index of the chosen token. After a change of tokenizer, the token at the same byte."""
    index = state.CHOSEN.get()
    if index is None or not len(encoding):
        return None
    known, byte = state.CHOSEN_AT.get() or (None, 0)
    if index == known and (index >= len(encoding) or int(encoding.starts[index]) != byte):
        index = sorted_place(encoding.starts, byte, "right") - 1
    index = max(0, min(index, len(encoding) - 1))
    state.CHOSEN.set(index)
    # Keep the chosen byte for the next tokenizer, even if a longer token covers it in this one.
    covered = known is not None and encoding.starts[index] <= byte < encoding.ends[index]
    state.CHOSEN_AT.set((index, byte if covered else int(encoding.starts[index])))
    return index


_TITLES: dict[BoundaryKind, str] = {
    "split": message("An edge of the split"),
    "model": message("A boundary inside a word"),
    "special token": message("A special token"),
    "unknown": message("An unknown piece of text"),
}


def show_boundary(chosen: ChosenTokenizer, encoding: Encoding, number: int) -> None:
    """Draw the boundary before a token and its reason."""
    reason = why_boundary(chosen.tokenizer, encoding, number)
    sentence = reason_parts(reason.sentence, lambda piece: piece_chip(chosen.tokenizer, piece, encoding.utf8))
    both = [chip(chosen.tokenizer, int(encoding.ids[at]), encoding.utf8) for at in (number - 1, number)]
    split = frozenset({1}) if reason.kind == "split" else frozenset[int]()
    reason_view(
        translate(_TITLES[reason.kind]),
        _("between the tokens {left:,} and {right:,}", left=number, right=number + 1),
        [RegionTokens(chosen.title, both, split)],
        sentence,
        key="boundary",
    )
