"""The Vocabulary page: all tokens of a tokenizer, filters and a histogram of lengths, and the chosen token."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import streamlit as st

from bpe_core import BpeError
from bpe_core.text.scripts import CODES, SCRIPTS, SPECIAL
from ui.components.bars import bars_view
from ui.components.token_table import token_table
from ui.components.tokens import Column, Table
from ui.session import state
from ui.shared import controls, pickers
from ui.shared.address import keep_address
from ui.shared.display import title_of
from ui.shared.layout import heading, side_by_side
from ui.shared.messages import note, problem
from ui.vocabulary import filters as filters
from ui.vocabulary import training_file
from ui.vocabulary.files import show_files
from ui.vocabulary.token_card import show_token
from ui.vocabulary.unreached import SHORT
from ui.vocabulary.vocabulary import Vocabulary, shown

TOKENS_PER_PAGE = 1_000
"""Tokens in the table at once; the others are a click away."""

LONGEST_BAR = 24
"""Lengths with a bar of their own; longer tokens share one."""

_ORDERS = {"id": "By id", "longest": "Longest first", "most used": "Most used first"}


def show_vocabulary() -> None:
    """The whole page."""
    training_file.open_uploaded()
    controls.trained()
    with st.container(horizontal=True, vertical_alignment="bottom", key="strip"):
        pickers.one_tokenizer(state.VOCABULARY_OF)
        st.space("stretch")
        with st.container(horizontal=True, width="content"):
            training_file.show_training_file()
    if state.VOCABULARY_OF.get() == state.CHECKED_FIRST.get():  # that is what he came for
        show_files()
        _show_tokens()
    else:
        _show_tokens()
        show_files()


@st.fragment
def _show_tokens() -> None:
    """Filters, table and token. A fragment: a search does not rerun the page."""
    keep_address("tokens")
    try:
        vocabulary = shown()
    except BpeError as error:  # a pattern of a visitor's own file may run out of time on the training text
        problem(error)
        return
    left, right = side_by_side(3, 2, key="narrow-down")
    with left, st.container(border=True, key="filters", height="stretch"):
        _show_filters(vocabulary)
    try:
        matching = filters.matching(vocabulary)
    except BpeError as error:  # the tokens are too long together to be tried in texts
        problem(error)
        return
    with left:
        if matching.problem is not None:
            problem(matching.problem)
    with right, st.container(border=True, key="lengths", height="stretch"):
        _show_lengths(vocabulary, matching.of_any_length)
    left, right = side_by_side(3, 2, key="found")
    rows = _ordered(vocabulary, np.flatnonzero(matching.mask))
    with left, st.container(border=True, key="tokens"):
        _show_table(vocabulary, rows)
    with right:
        chosen = vocabulary.row(state.TOKEN.get())
        if chosen is None and len(rows):
            chosen = int(rows[0])
        if chosen is not None:
            show_token(vocabulary, chosen)


def _show_filters(vocabulary: Vocabulary) -> None:
    heading("Find tokens", _summary(vocabulary))
    filters.search()
    filters.kinds(vocabulary)


def _summary(vocabulary: Vocabulary) -> str:
    """What the vocabulary holds, in a line."""
    facts = vocabulary.facts
    special = int((facts.scripts == CODES[SPECIAL]).sum())
    merged = int((facts.ranks >= 0).sum())
    parts = [f"{merged:,} merged", f"{len(facts) - merged - special:,} base symbols"]
    if "merges" not in vocabulary.tokenizer.model.views:
        parts = [f"{len(facts) - special:,} pieces"]
    if special:
        parts.append(f"{special:,} special")
    return f"{title_of(vocabulary.name)}: {len(facts):,} tokens, " + ", ".join(parts)


# -- lengths -----------------------------------------------------------------------------------------------


def _show_lengths(vocabulary: Vocabulary, mask: npt.NDArray[np.bool_]) -> None:
    heading("How long they are", "click a bar, or drag over several")
    lengths = vocabulary.lengths()
    shortest, longest = int(lengths.min()), int(lengths.max())
    bars = np.minimum(lengths[mask], LONGEST_BAR + 1)
    counts = np.bincount(bars, minlength=min(longest, LONGEST_BAR + 1) + 1)[shortest:]
    bars_view(
        counts.tolist(),
        shortest,
        key="lengths histogram",
        label=f"How many tokens have each length in {state.LENGTH_IN.get()}",
        chosen=state.LENGTHS.get(),
        more=longest > LONGEST_BAR,
        on_pick=lambda bars: _take_bars(bars, longest),
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            "Length in",
            ("bytes", "characters"),
            format_func=str.capitalize,
            required=True,
            label_visibility="collapsed",
            on_change=filters.only_lengths,
            args=(None,),
            **state.LENGTH_IN.widget(),
        )
        filters.length_range(vocabulary)


def _take_bars(bars: tuple[int, int] | None, longest: int) -> None:
    """Show the tokens of the bars that were chosen; the last bar is that of all longer ones."""
    filters.only_lengths((bars[0], longest if bars[1] > LONGEST_BAR else bars[1]) if bars else None)


# -- the table ---------------------------------------------------------------------------------------------


def _ordered(vocabulary: Vocabulary, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    order = state.TOKEN_ORDER.get()
    if order == "id":
        return rows
    keys = vocabulary.lengths() if order == "longest" else vocabulary.uses
    is_base = vocabulary.facts.ranks < 0  # of those that are never used, the merged ones first
    return rows[np.lexsort((is_base[rows], -keys[rows].astype(np.int64)))]


def _show_table(vocabulary: Vocabulary, rows: npt.NDArray[np.int64]) -> None:
    page = min(state.TOKEN_PAGE.get(), max(0, len(rows) - 1) // TOKENS_PER_PAGE)
    _show_table_head(vocabulary, len(rows), page)
    if not len(rows):
        note("No token is left. Loosen a filter, or show all again.")
        return
    window = rows[page * TOKENS_PER_PAGE : (page + 1) * TOKENS_PER_PAGE]
    ids = vocabulary.facts.ids[window].tolist()
    chosen = state.TOKEN.get()
    token_table(
        _table(vocabulary, window, ids),
        key="vocabulary table",
        current=ids.index(chosen) if chosen in ids else None,
        moving=True,
        height=560,
        label="Tokens",
        on_pick=lambda at: state.TOKEN.set(ids[at]),
    )
    st.caption("Click a token to open it. Used: how often it occurs in the training text.")


def _show_table_head(vocabulary: Vocabulary, count: int, page: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        total = len(vocabulary.facts)
        heading(f"{count:,} of {total:,} tokens" if count < total else f"{total:,} tokens")
        st.space("stretch")
        st.selectbox(
            "Order",
            list(_ORDERS),
            format_func=_ORDERS.__getitem__,
            label_visibility="collapsed",
            width=190,
            on_change=filters.first_page,
            **state.TOKEN_ORDER.widget(),
        )
    if count > TOKENS_PER_PAGE:
        _show_pager(count, page)


def _show_pager(count: int, page: int) -> None:
    last = (count - 1) // TOKENS_PER_PAGE
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, icon, to in (
            ("First tokens", ":material/first_page:", 0),
            ("Tokens before", ":material/chevron_left:", page - 1),
            ("Tokens after", ":material/chevron_right:", page + 1),
            ("Last tokens", ":material/last_page:", last),
        ):
            gone = not 0 <= to <= last or to == page
            st.button("", icon=icon, help=label, key=label, on_click=state.TOKEN_PAGE.set, args=(to,), disabled=gone)
        st.text(f"{page * TOKENS_PER_PAGE + 1:,} to {min((page + 1) * TOKENS_PER_PAGE, count):,} of {count:,}")


def _table(vocabulary: Vocabulary, rows: npt.NDArray[np.int64], ids: list[int]) -> Table:
    """One page of tokens."""
    facts = vocabulary.facts
    columns = [
        Column("Id", ids, "number"),
        Column("Token", [vocabulary.chip(token_id) for token_id in ids], "chip"),
        Column("In hex", [_hex(vocabulary.tokenizer.token_bytes(token_id)) for token_id in ids]),
        Column(state.LENGTH_IN.get().capitalize(), vocabulary.lengths()[rows].tolist(), "number"),
    ]
    if state.TOKENS_SHOWN.get() == "unreached":  # in place of the rest: no text has them, and reasons need the room
        why = vocabulary.unreached()
        return Table((*columns, Column("Why", [SHORT[why[token_id].why] for token_id in ids])))
    columns.append(Column("Script", [SCRIPTS[code] for code in facts.scripts[rows].tolist()]))
    if vocabulary.training is not None:
        columns.append(Column("Created", [step or None for step in vocabulary.created[rows].tolist()], "number"))
    columns.append(Column("Used", vocabulary.uses[rows].tolist(), "bar"))
    return Table(tuple(columns))


def _hex(data: bytes, longest: int = 4) -> str:
    return data[:longest].hex(" ").upper() + (" …" if len(data) > longest else "")
