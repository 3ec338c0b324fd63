"""Token filters of the Vocabulary page: their widgets, and the matching tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import streamlit as st

from bpe_core import TokenIdError
from bpe_core.language import _, listed, message, n_, translate
from bpe_core.text.scripts import CODES, SCRIPTS
from ui.session import vocabulary as state
from ui.vocabulary.vocabulary import Vocabulary
from ui.widgets.controls import segments

Mask = npt.NDArray[np.bool_]

_BY = {"text": message("Text"), "hex": message("Bytes in hex"), "id": message("Id")}
_PLACEHOLDERS = {"text": message("the; a space counts: “ the”"), "hex": "E3 81", "id": "262, 300-310"}
_SHOWN = {
    "all": message("All"),
    "used": message("Used"),
    "unused": message("Never used"),
    "twins": message("Duplicates"),
    "unreached": message("Unreached"),
    "steps": message("Only steps"),
    "glitch": message("Glitch tokens"),
}
_SEPARATORS = re.compile(r"[\s,;\[\]()]+")
_IDS = re.compile(r"([0-9]{1,8})(?:[-–]([0-9]{1,8}))?")


@dataclass(frozen=True, eq=False)
class Matching:
    """Tokens that pass all filters, and those that pass all but the length filter, for its histogram."""

    mask: Mask
    of_any_length: Mask
    problem: TokenIdError | None


def matching(vocabulary: Vocabulary) -> Matching:
    """Return the tokens that pass all filters. An invalid search is reported and ignored."""
    facts = vocabulary.facts
    problem = None
    try:
        mask = _found(vocabulary)
    except TokenIdError as error:
        problem, mask = error, np.ones(len(facts), np.bool_)
    present = _scripts_of(vocabulary)
    state.SCRIPTS_SHOWN.set([name for name in state.SCRIPTS_SHOWN.get() if name in present])
    scripts = state.SCRIPTS_SHOWN.get()
    if scripts:
        mask = mask & np.isin(facts.scripts, [CODES[name] for name in scripts])
    if (created := state.CREATED.get()) is not None:
        mask = mask & (vocabulary.created >= created[0]) & (vocabulary.created <= created[1])
    which = state.TOKENS_SHOWN.get()
    if which == "twins":
        mask = mask & (facts.duplicates >= 0)
    elif which == "unreached":
        with st.spinner(_("Looking for texts that give each token …")):
            mask = mask & facts.with_ids(list(vocabulary.unreached()))
    elif which == "steps":
        mask = mask & facts.with_ids(list(vocabulary.merged_at_once()))
    elif which == "glitch":
        mask = mask & facts.with_ids(list(vocabulary.glitches))
    elif which != "all":
        mask = mask & ((vocabulary.uses > 0) == (which == "used"))
    of_any_length = mask
    if (lengths := state.LENGTHS.get()) is not None:
        mask = mask & (vocabulary.lengths() >= lengths[0]) & (vocabulary.lengths() <= lengths[1])
    return Matching(mask, of_any_length, problem)


def _found(vocabulary: Vocabulary) -> Mask:
    """Tokens found by the search; all of them if it is empty."""
    typed, by = state.FIND.get(), state.FIND_BY.get()
    if by == "text":
        return vocabulary.facts.holding(typed.encode("utf-8", "replace"))
    if by == "hex":
        return vocabulary.facts.holding(parse_hex(typed))
    if not typed.strip():
        return np.ones(len(vocabulary.facts), np.bool_)
    mask = np.zeros(len(vocabulary.facts), np.bool_)
    for first, last in parse_ids(typed):
        mask |= (vocabulary.facts.ids >= first) & (vocabulary.facts.ids <= last)
    return mask


def parse_hex(typed: str) -> bytes:
    """Parse typed bytes: two hex digits each, with or without spaces, 0x or \\x; an incomplete last byte is ignored.

    >>> parse_hex("E3 81"), parse_hex("0xe381"), parse_hex("E3 8")
    (b'\\xe3\\x81', b'\\xe3\\x81', b'\\xe3')
    """
    digits = re.sub(r"\\\\?x|0x|[\s,]+", "", typed, flags=re.IGNORECASE)
    wrong = re.search(r"[^0-9a-fA-F]", digits)
    if wrong:
        raise TokenIdError(
            message("{character} is not a hex digit.", character=repr(wrong.group())),
            limit=message("A byte is two of the digits 0 to 9 and A to F."),
            remedy=message("Type bytes such as E3 81, or search by text."),
        )
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def parse_ids(typed: str) -> list[tuple[int, int]]:
    """Parse typed ids and ranges of ids.

    >>> parse_ids("262, 300-310")
    [(262, 262), (300, 310)]
    """
    ranges = []
    for word in filter(None, _SEPARATORS.split(typed.rstrip(" -–"))):
        match = _IDS.fullmatch(word)
        if match is None:
            raise TokenIdError(
                message("{word} is not an id.", word=repr(word[:40])),
                limit=message("Ids are whole numbers, ranges two of them: 300-310."),
                remedy=message("Separate them with commas or spaces, or search by text."),
            )
        first = int(match.group(1))
        ranges.append((first, int(match.group(2) or first)))
    return ranges


# -- the widgets -------------------------------------------------------------------------------------------


def show(vocabulary: Vocabulary) -> None:
    """Draw the filters as one row: the search, and a menu with the others, whose label lists the active ones."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="filters"):
        segments(_("Find tokens by"), _BY, state.FIND_BY, hidden=True, on_change=first_page)
        st.text_input(
            _("What the tokens hold"),
            placeholder=translate(_PLACEHOLDERS[state.FIND_BY.get()]),
            max_chars=200,
            live="150ms",
            label_visibility="collapsed",
            on_change=first_page,
            **state.FIND.widget(),
        )
        chosen = _chosen()
        label = _("Filters: {chosen}", chosen=listed(chosen, last="")) if chosen else _("Filters")
        with st.popover(label, icon=":material/filter_alt:", width="content", key="filters button"):
            _scripts(vocabulary)
            _created(vocabulary)
            segments(_("Used in the training text"), _SHOWN, state.TOKENS_SHOWN, on_change=first_page)


def show_all() -> None:
    """Draw the button that clears all filters."""
    st.button(_("Show all"), icon=":material/filter_alt_off:", on_click=clear, disabled=not are_set(), key="show all")


def _chosen() -> list[str]:
    """Descriptions of the active filters of the menu and the histogram."""
    scripts, created, lengths = state.SCRIPTS_SHOWN.get(), state.CREATED.get(), state.LENGTHS.get()
    chosen = [_title_of(scripts[0])] if len(scripts) == 1 else []
    if len(scripts) > 1:
        chosen.append(n_("{count:,} script", "{count:,} scripts", len(scripts)))
    if created:
        chosen.append(_("created {first:,}–{last:,}", first=created[0], last=created[1]))
    if state.TOKENS_SHOWN.get() != "all":
        chosen.append(translate(_SHOWN[state.TOKENS_SHOWN.get()]))
    if lengths:
        chosen.append(_("length {first:,}–{last:,}", first=lengths[0], last=lengths[1]))
    return chosen


def _scripts_of(vocabulary: Vocabulary) -> dict[str, int]:
    """Number of tokens of each script that has any."""
    counts = np.bincount(vocabulary.facts.scripts, minlength=len(SCRIPTS)).tolist()
    return {name: count for name, count in zip(SCRIPTS, counts, strict=True) if count}


def _scripts(vocabulary: Vocabulary) -> None:
    """Draw the choice of scripts, the most frequent first. Labels have no counts, since they must not change."""
    counts = _scripts_of(vocabulary)
    st.multiselect(
        _("Script"),
        sorted(counts, key=lambda name: -counts[name]),
        format_func=_title_of,
        placeholder=_("All scripts"),
        on_change=first_page,
        **state.SCRIPTS_SHOWN.widget(),
    )


def _title_of(script: str) -> str:
    """Name of a script in the visitor's language. Links and widget values use its English name."""
    return translate(SCRIPTS[CODES[script]])


def _created(vocabulary: Vocabulary) -> None:
    """Draw the range of steps. Without a filter, the fields show the tokenizer's whole range."""
    last = int(vocabulary.created.max(initial=0))
    first, final = state.CREATED.get() or (0, last)
    state.CREATED_FROM.set(min(first, last))
    state.CREATED_TO.set(min(final, last))
    since = _("Rank, from") if vocabulary.training is None else _("Created at step, from")
    for column, label, item in zip(
        st.columns(2), (since, _("to")), (state.CREATED_FROM, state.CREATED_TO), strict=True
    ):
        column.number_input(label, 0, max(last, 1), on_change=_set_created, args=(last,), **item.widget())


def _set_created(last: int) -> None:
    low, high = sorted((state.CREATED_FROM.get(), state.CREATED_TO.get()))
    state.CREATED.set(None if (low, high) == (0, last) else (low, high))
    first_page()


def length_range(vocabulary: Vocabulary) -> None:
    """Draw the range of lengths, as a slider."""
    lengths = vocabulary.lengths()
    low, high = int(lengths.min()), int(lengths.max())
    if low == high:
        return
    first, last = state.LENGTHS.get() or (low, high)
    value = (min(max(first, low), high), max(min(last, high), low))
    (state.LENGTHS_SLIDER.set if state.LENGTHS_DRAWN.get() == (low, high) else state.LENGTHS_SLIDER.reset)(value)
    state.LENGTHS_DRAWN.set((low, high))
    st.slider(
        _("Length in bytes") if state.LENGTH_IN.get() == "bytes" else _("Length in characters"),
        low,
        high,
        key=state.LENGTHS_SLIDER.key,
        on_change=_set_lengths,
        args=((low, high),),
        label_visibility="collapsed",
    )


def _set_lengths(full: tuple[int, int]) -> None:
    chosen = state.LENGTHS_SLIDER.get()
    only_lengths(None if chosen == full else chosen)


def only_lengths(lengths: tuple[int, int] | None) -> None:
    """Show only tokens with lengths in this range, or any length for None; for callbacks."""
    state.LENGTHS.set(lengths)
    first_page()


def are_set() -> bool:
    """Whether any filter is active."""
    return bool(
        state.FIND.get()
        or state.SCRIPTS_SHOWN.get()
        or state.CREATED.get()
        or state.LENGTHS.get()
        or state.TOKENS_SHOWN.get() != "all"
    )


def clear() -> None:
    """Show all tokens again; for callbacks."""
    state.FIND.set("")
    state.SCRIPTS_SHOWN.set([])
    state.CREATED.set(None)
    state.LENGTHS.set(None)
    state.TOKENS_SHOWN.set("all")
    first_page()


def first_page() -> None:
    """Return to the first page of matching tokens; for callbacks."""
    state.TOKEN_PAGE.set(0)
