"""The Vocabulary page: all tokens of a tokenizer with their filters, the chosen token, and a histogram of lengths."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import streamlit as st

from bpe_core import BpeError
from bpe_core.language import _, listed, message, term, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.published.known_glitches import ORIGINS
from bpe_core.text.scripts import SCRIPTS
from ui.session import vocabulary as state
from ui.views.token_table import token_table_view
from ui.vocabulary import filters as filters
from ui.vocabulary import training_file
from ui.vocabulary.files import show_files
from ui.vocabulary.lengths import show_histogram
from ui.vocabulary.pictures import show_frequencies, show_pictures
from ui.vocabulary.token_card import show_token
from ui.vocabulary.unreached import SHORT
from ui.vocabulary.vocabulary import Vocabulary, shown
from ui.widgets import controls, pickers
from ui.widgets.address import keep_address
from ui.widgets.controls import menu, segments
from ui.widgets.display import title_of
from ui.widgets.fragments import fragment
from ui.widgets.layout import heading, side_by_side
from ui.widgets.messages import note, problem
from ui.widgets.model_files import show_embedding_fit

TOKENS_PER_PAGE = 1_000
"""Number of tokens per page of the table."""

_ORDERS = {"id": message("By id"), "longest": message("Longest first"), "most used": message("Most used first")}
_CAPTION = message("Click a token to open it. Used: how often it occurs in the training text.")
_CAPTIONS = {
    "steps": message("Click a token to open it. A step: the very next merge took it into a longer token."),
    "glitch": message("Click a token to open it. Models that use this vocabulary have hardly ever seen these."),
}
_LENGTHS = {"bytes": message("Bytes"), "characters": message("Characters")}


def show_vocabulary() -> None:
    """Draw the page."""
    training_file.open_uploaded()
    controls.trained()
    with st.container(horizontal=True, vertical_alignment="bottom", key="strip"):
        pickers.one_tokenizer(state.VOCABULARY_OF)
        st.space("stretch")
        with st.container(horizontal=True, width="content"):
            training_file.show_training_file()
    if state.VOCABULARY_OF.get() == state.CHECKED_FIRST.get():  # requested by the button on Compare
        show_files()
        _show_tokens()
    else:
        _show_tokens()
        show_files()


@fragment
def _show_tokens() -> None:
    """Draw table, token and lengths. A fragment, so that a search does not rerun the page."""
    keep_address("tokens")
    try:
        vocabulary = shown()
    except BpeError as error:  # an uploaded file's pattern may exceed its time limit on the text
        problem(error)
        return
    left, right = side_by_side(3, 2, key="found")
    with left, st.container(border=True, key="tokens"):
        try:
            matching = filters.matching(vocabulary)
        except BpeError as error:  # the tokens are too long in total for a search for unreached ones
            _show_head(vocabulary, len(vocabulary.facts))
            filters.show(vocabulary)
            problem(error)
            return
        rows = _ordered(vocabulary, np.flatnonzero(matching.mask))
        _show_head(vocabulary, len(rows))
        filters.show(vocabulary)
        if matching.problem is not None:
            problem(matching.problem)
        _show_table(vocabulary, rows)
    with right:
        chosen = vocabulary.row(state.TOKEN.get())
        if chosen is None and len(rows):
            chosen = int(rows[0])
        if chosen is not None:
            show_token(vocabulary, chosen)
        with st.container(border=True, key="lengths"):
            _show_lengths(vocabulary, matching.of_any_length)
    show_frequencies(vocabulary)
    show_pictures(vocabulary)


def _summary(vocabulary: Vocabulary) -> str:
    """One-line summary of the vocabulary."""
    facts = vocabulary.facts
    special, merged = facts.special, facts.merged
    counts = [_("{tokens:,} tokens", tokens=len(facts))]
    if "merges" in vocabulary.tokenizer.model.views:
        counts.append(_("{merged:,} merged", merged=merged))
        counts.append(_("{symbols:,} base symbols", symbols=len(facts) - merged - special))
    else:
        counts.append(_("{pieces:,} pieces", pieces=len(facts) - special))
    if special:
        counts.append(_("{special:,} special", special=special))
    return _("{tokenizer}: {counts}", tokenizer=title_of(vocabulary.name), counts=listed(counts, last=""))


# -- lengths -----------------------------------------------------------------------------------------------


def _show_lengths(vocabulary: Vocabulary, mask: npt.NDArray[np.bool_]) -> None:
    heading(
        _("How long they are"), _("click a bar, or drag over several"), by_touch=_("tap a bar, or set a range below")
    )
    show_histogram(vocabulary, mask)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        segments(_("Length in"), _LENGTHS, state.LENGTH_IN, hidden=True, on_change=filters.only_lengths, args=(None,))
        filters.length_range(vocabulary)


# -- the table ---------------------------------------------------------------------------------------------


def _ordered(vocabulary: Vocabulary, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    order = state.TOKEN_ORDER.get()
    if order == "id":
        return rows
    keys = vocabulary.lengths() if order == "longest" else vocabulary.uses
    is_base = vocabulary.facts.ranks < 0  # among unused tokens, merged ones come first
    return rows[np.lexsort((is_base[rows], -keys[rows].astype(np.int64)))]


def _show_table(vocabulary: Vocabulary, rows: npt.NDArray[np.int64]) -> None:
    page = min(state.TOKEN_PAGE.get(), max(0, len(rows) - 1) // TOKENS_PER_PAGE)
    if len(rows) > TOKENS_PER_PAGE:
        _show_pager(len(rows), page)
    if not len(rows):
        note(_("No token is left. Loosen a filter, or show all again."))
        if state.TOKENS_SHOWN.get() == "glitch" and not vocabulary.glitches:
            note(_("Glitch tokens are listed for the vocabularies of GPT-2 and cl100k only."))
        return
    window = rows[page * TOKENS_PER_PAGE : (page + 1) * TOKENS_PER_PAGE]
    ids = vocabulary.facts.ids[window].tolist()
    chosen = state.TOKEN.get()
    token_table_view(
        _table(vocabulary, window, ids),
        key="vocabulary table",
        current=ids.index(chosen) if chosen in ids else None,
        moving=True,
        height=620,
        label=_("Tokens"),
        on_pick=lambda at: state.TOKEN.set(ids[at]),
    )
    st.caption(translate(_CAPTIONS.get(state.TOKENS_SHOWN.get(), _CAPTION)))
    st.caption(_summary(vocabulary))
    show_embedding_fit(vocabulary.name)


def _show_head(vocabulary: Vocabulary, count: int) -> None:
    """Draw the number of tokens that pass the filters, and the choice of their order."""
    with st.container(horizontal=True, vertical_alignment="center"):
        total = len(vocabulary.facts)
        heading(
            _("{count:,} of {total:,} tokens", count=count, total=total)
            if count < total
            else _("{tokens:,} tokens", tokens=total)
        )
        st.space("stretch")
        filters.show_all()
        menu(_("Order"), _ORDERS, state.TOKEN_ORDER, hidden=True, width=190, on_change=filters.first_page)


def _show_pager(count: int, page: int) -> None:
    last = (count - 1) // TOKENS_PER_PAGE
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for key, label, icon, to in (
            ("First tokens", _("First tokens"), ":material/first_page:", 0),
            ("Tokens before", _("Tokens before"), ":material/chevron_left:", page - 1),
            ("Tokens after", _("Tokens after"), ":material/chevron_right:", page + 1),
            ("Last tokens", _("Last tokens"), ":material/last_page:", last),
        ):
            gone = not 0 <= to <= last or to == page
            st.button("", icon=icon, help=label, key=key, on_click=state.TOKEN_PAGE.set, args=(to,), disabled=gone)
        st.text(
            _(
                "{first:,} to {last:,} of {all:,}",
                first=page * TOKENS_PER_PAGE + 1,
                last=min((page + 1) * TOKENS_PER_PAGE, count),
                all=count,
            )
        )


def _table(vocabulary: Vocabulary, rows: npt.NDArray[np.int64], ids: list[int]) -> Table:
    """Table of one page of tokens."""
    facts = vocabulary.facts
    columns = [
        Column(message("Id"), ids, "number"),
        Column(message("Token"), [vocabulary.chip(token_id) for token_id in ids], "chip"),
        Column(message("In hex"), [_hex(vocabulary.tokenizer.token_bytes(token_id)) for token_id in ids]),
        Column(_LENGTHS[state.LENGTH_IN.get()], vocabulary.lengths()[rows].tolist(), "number"),
    ]
    if state.TOKENS_SHOWN.get() == "glitch":
        known = vocabulary.glitches
        origins = [ORIGINS[known[token_id].origin] for token_id in ids]
        return Table(*columns[:2], columns[3], Column(message("Came from"), origins))
    if state.TOKENS_SHOWN.get() == "steps":
        longer = vocabulary.merged_at_once()
        columns[2] = Column(message("Goes into"), [vocabulary.chip(longer[token_id]) for token_id in ids], "chip")
        return Table(*columns, Column(message("Used"), vocabulary.uses[rows].tolist(), "bar"))
    if state.TOKENS_SHOWN.get() == "unreached":  # counts are all 0, and reasons need the space
        why, reasons = vocabulary.unreached(), {name: translate(reason) for name, reason in SHORT.items()}
        return Table(*columns, Column(message("Why"), [reasons[why[token_id].why] for token_id in ids]))
    scripts = [translate(name) for name in SCRIPTS]
    columns.append(Column(message("Script"), [scripts[code] for code in facts.scripts[rows].tolist()]))
    if vocabulary.training is not None:
        steps = [step or None for step in vocabulary.created[rows].tolist()]
        columns.append(Column(term("number", "Created"), steps, "number"))
    columns.append(Column(message("Used"), vocabulary.uses[rows].tolist(), "bar"))
    return Table(*tuple(columns))


def _hex(data: bytes, longest: int = 4) -> str:
    return data[:longest].hex(" ").upper() + (" …" if len(data) > longest else "")
