"""Reasons why two tokenizers differ: one disagreement at a time, with cause and evidence, and a list of all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import streamlit as st

from bpe_core import BpeError, Comparison, Disagreement
from bpe_core.arrays import sorted_place
from bpe_core.comparison.page_views import LONGEST_TEXT, MOST_TOKENIZERS, comparison_page
from bpe_core.comparison.reason_views import drawn_reason
from bpe_core.comparison.totals import MOST_LISTED
from bpe_core.language import _, message, translate
from bpe_core.page.html import Page
from bpe_core.payloads.lines import note_frame
from ui.compare import cache
from ui.compare.chosen import Chosen
from ui.compare.compared_lines import NOTE
from ui.compare.listing import (
    CAUSE_LABELS,
    ROWS_PER_PAGE,
    are_equal,
    causes,
    groups_of_cause,
    nearest,
    of_cause,
)
from ui.session import compare as state
from ui.session.compare import ALL_CAUSES
from ui.session.elsewhere import show_on_encode
from ui.session.items import Item
from ui.views.choice import Option, choice_view
from ui.views.pager import pager_view
from ui.views.reason import reason_view
from ui.views.relay import relay_view
from ui.views.token_table import token_table_view
from ui.widgets.as_page import show_as_page
from ui.widgets.controls import menu, segments
from ui.widgets.display import title_of
from ui.widgets.downloads import download_popover
from ui.widgets.layout import heading
from ui.widgets.messages import note, problem

_LISTS = {"alike": message("Group equal ones"), "in order": message("In the order of the text")}


def shown_disagreements(chosen: Chosen) -> tuple[Sequence[Disagreement], int]:
    """Disagreements of the chosen pair and cause, and the index of the current one."""
    pair = chosen.pair()
    found = of_cause(chosen.disagreements(pair), state.CAUSE.get()) if pair else []
    return found, nearest(found, state.AT.get())


def shown_place(chosen: Chosen) -> tuple[int, int] | None:
    """Byte range of the current disagreement; without a cause filter, this does not wait for the explanations."""
    pair = chosen.pair()
    if pair is None:
        return None
    if state.CAUSE.get() != ALL_CAUSES:
        with suppress(BpeError):  # reported by show_why
            found, at = shown_disagreements(chosen)
            return (found[at].start, found[at].end) if found else None
    starts, ends = chosen.comparison().disagreement_ranges(*(title_of(name) for name in pair))
    if not len(starts):
        return None
    at = min(sorted_place(ends, state.AT.get(), "right"), len(starts) - 1, MOST_LISTED - 1)
    return int(starts[at]), int(ends[at])


def show_why(chosen: Chosen, pair: tuple[str, str]) -> bool:
    """Draw the card: the pair, navigation between disagreements, the current one explained, and the list.

    Return False if the disagreements cannot be explained; the card then shows the reason.
    """
    refused: BpeError | None = None
    found: Sequence[Disagreement] = ()
    at = total = 0
    with st.container(border=True, key="why"):
        try:
            found, at = shown_disagreements(chosen)
            total = len(chosen.disagreements(pair))
        except BpeError as error:  # explaining them would take too much memory
            refused = error
        starts = [each.start for each in found]  # callbacks outlive the run, and must not hold all of it
        place = _("{place:,} of {all:,}", place=at + 1, all=len(found)) if found else ""
        heading(_("Why they differ"), place)
        with st.container(horizontal=True, vertical_alignment="center", key="why controls"):
            _choose_pair(chosen, pair)
            st.space("stretch")
            pager_view(
                at,
                len(found),
                key="disagreement pager",
                what=_("Disagreements"),
                back=("p",),
                forward=("n",),
                on_go=lambda to: _go_to(starts[to]),
            )
        if refused is not None:
            problem(refused, key="not explained")
            return False
        if total:
            _choose_cause(chosen, pair, total)
        agreed = _agreed(chosen, pair)
        if agreed is not None:
            note(_agreed_sentence(pair))
        if total == MOST_LISTED:
            every = len(chosen.comparison().disagreement_ranges(*(title_of(name) for name in pair))[0])
            st.caption(_("They differ {every:,} times; the first {listed:,} are listed.", every=every, listed=total))
        if found:
            _show_reason(chosen.comparison(), pair, found[at], agreed)
            _show_ways_on(chosen, pair, found[at])
            _show_list(chosen, pair, at)
        elif total:
            note(_("None of this cause."))
        else:
            note(_("They segment this text in the same way."))
        with st.container(horizontal=True, gap="small", key="take along"):
            _downloads(chosen, pair)
            _as_page(chosen)
    return True


def _agreed(chosen: Chosen, pair: tuple[str, str]) -> tuple[int, int] | None:
    """Bytes that were clicked last, if both agree there and nothing else has been chosen since."""
    last = state.AGREED.get()
    shown = (chosen.text.digest, pair, state.AT.get())
    return last.clicked if last is not None and (last.text, last.pair, last.at) == shown else None


def _agreed_sentence(pair: tuple[str, str]) -> str:
    left, right = (title_of(name) for name in pair)
    return _("Where you clicked, {tokenizer} and {other} agree.", tokenizer=left, other=right)


def _show_ways_on(chosen: Chosen, pair: tuple[str, str], current: Disagreement) -> None:
    """Draw buttons that open Encode at the current disagreement, with either tokenizer."""
    with st.container(horizontal=True, gap="small", key="ways on"):
        for name in pair:
            label = _("{tokenizer} on Encode", tokenizer=translate(title_of(name)))
            if st.button(label, icon=":material/arrow_forward:", type="tertiary", key=f"{name} on encode"):
                show_on_encode(name, chosen.text.text, current.start)
                st.switch_page("pages/encode.py")


def _downloads(chosen: Chosen, pair: tuple[str, str]) -> None:
    download_popover(
        cache.disagreement_download(*pair, *chosen),
        "disagreements",
        key="disagreements",
        about=_("One row per disagreement, of every cause: offsets, the tokens of both, the explanation."),
        disabled=not chosen.disagreements(pair),
    )


def _as_page(chosen: Chosen) -> None:
    """Draw the popover that downloads the comparison."""
    many = len(chosen.names) > MOST_TOKENIZERS
    show_as_page(
        _("One HTML file with the lines, differences and reasons, for a course page, slides or mail: no server."),
        _("Of a long text it shows the first {most:,} bytes.", most=LONGEST_TEXT),
        partial(_page, chosen),
        file_name="comparison.html",
        key="comparison",
        refused=_("A page takes at most {most} tokenizers.", most=MOST_TOKENIZERS) if many else "",
    )


def _page(chosen: Chosen) -> Page:
    return comparison_page(chosen.comparison(), "")


def _choose_pair(chosen: Chosen, pair: tuple[str, str]) -> None:
    left, right = pair
    state.LEFT.set(left)
    state.RIGHT.set(right)
    _one_of(_("One tokenizer"), chosen.names, state.LEFT)
    st.text(_("against"), width="content")
    others = [name for name in chosen.names if name != left]
    _one_of(_("The other tokenizer"), others, state.RIGHT)


def _one_of(label: str, names: Sequence[str], item: Item[str]) -> None:
    """Draw the choice of a tokenizer.

    Options are plain titles: the browser identifies the chosen option by its text, so a count in it, which changes with
    the compared text, would lose the choice.
    """
    menu(label, {name: title_of(name) for name in names}, item, hidden=True, width=240)


def _go_to(byte: int) -> None:
    state.AT.set(byte)


def _choose_cause(chosen: Chosen, pair: tuple[str, str], total: int) -> None:
    counts = {ALL_CAUSES: total, **causes(chosen.disagreements(pair))}
    counts.setdefault(state.CAUSE.get(), 0)
    choice_view(
        [Option(cause, translate(CAUSE_LABELS[cause]), f"{count:,}") for cause, count in counts.items()],
        [state.CAUSE.get()],
        key="causes",
        label=_("Causes"),
        labelled=False,
        on_choice=lambda cause, _taken: state.CAUSE.set(cause),
    )


def _show_reason(
    comparison: Comparison, pair: tuple[str, str], current: Disagreement, agreed: tuple[int, int] | None
) -> None:
    """Draw the reason, also below the line of the disagreement, or that both agree below the line `agreed`."""
    left, right = (title_of(name) for name in pair)
    reason = drawn_reason(comparison, left, right, current.start, current.end)
    reason_view(*reason, key="reason")
    place = current.start, current.end
    names = _("{tokenizer} against {other}", tokenizer=left, other=right)
    below = note_frame(reason.title, names, reason.sentence, at=place, highlight=place)
    if agreed is not None:
        below = note_frame("", "", [_agreed_sentence(pair)], at=agreed, highlight=place)
    relay_view({NOTE: below}, key="relay of reason")


def _show_list(chosen: Chosen, pair: tuple[str, str], at: int) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="disagreement lists"):
        segments(_("List"), _LISTS, state.LISTED)
        if state.LISTED.get() == "alike" and (place := _place_among_equal(chosen, pair, at)):
            st.caption(place, width="content")
    if state.LISTED.get() == "alike":
        _list_groups(chosen, pair, at)
    else:
        _list_in_order(chosen, pair, at)


def _list_groups(chosen: Chosen, pair: tuple[str, str], at: int) -> None:
    cause = state.CAUSE.get()
    current = of_cause(chosen.disagreements(pair), cause)[at] if state.AT.get() else None  # the list starts at the top
    listed = groups_of_cause(chosen.groups(pair), cause)
    rows = listed[:ROWS_PER_PAGE]
    starts = [each.first.start for each in rows]
    token_table_view(
        cache.group_table(*pair, cause, *chosen),
        key="alike disagreements",
        current=next((row for row, each in enumerate(rows) if current and are_equal(each.first, current)), None),
        moving=True,
        height=300,
        label=_("Same difference grouped, largest effect first"),
        on_pick=lambda picked: _go_on(chosen, pair, starts[picked], at),
    )
    if len(listed) > len(rows):
        st.caption(_("{kinds:,} more kinds of difference change less.", kinds=len(listed) - len(rows)))


def _all_equal(chosen: Chosen, pair: tuple[str, str], first: Disagreement) -> Sequence[int]:
    """Indices of the disagreements equal to this one among those of the chosen cause."""
    found = of_cause(chosen.disagreements(pair), state.CAUSE.get())
    return [index for index, each in enumerate(found) if are_equal(each, first)]


def _go_on(chosen: Chosen, pair: tuple[str, str], start: int, at: int) -> None:
    """Go from the shown place to the next disagreement equal to the one at `start`, wrapping around after the last."""
    found = chosen.disagreements(pair)
    places = _all_equal(chosen, pair, found[nearest(found, start)])
    is_chosen = state.AT.get() or not start  # a newly opened page shows the first one by default
    to = places[(places.index(at) + 1) % len(places)] if is_chosen and at in places else places[0]
    _go_to(of_cause(chosen.disagreements(pair), state.CAUSE.get())[to].start)


def _place_among_equal(chosen: Chosen, pair: tuple[str, str], at: int) -> str:
    """Position among the equal ones, and how to see the next; "" if there is only one."""
    places = _all_equal(chosen, pair, of_cause(chosen.disagreements(pair), state.CAUSE.get())[at])
    if len(places) < 2 or not state.AT.get():
        return ""
    place = places.index(at) + 1
    return _("{place:,} of {all:,}: click its row again for the next", place=place, all=len(places))


def _list_in_order(chosen: Chosen, pair: tuple[str, str], at: int) -> None:
    page, row = divmod(at, ROWS_PER_PAGE)
    cause = state.CAUSE.get()
    found = of_cause(chosen.disagreements(pair), cause)
    starts = [each.start for each in found[page * ROWS_PER_PAGE : (page + 1) * ROWS_PER_PAGE]]
    token_table_view(
        cache.disagreement_table(*pair, cause, page, *chosen),
        key="disagreements",
        current=row,
        moving=True,
        height=300,
        label=_("Disagreements"),
        on_pick=lambda picked: _go_to(starts[picked]),
    )
