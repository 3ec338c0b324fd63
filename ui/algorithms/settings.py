"""Training settings of the page: one size for all, and each algorithm's own options."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import streamlit as st

from bpe_core.language import _, message, n_, term
from bpe_core.unigram.training import LARGEST_SEED
from ui import cache
from ui.session import algorithms as state
from ui.session import training
from ui.session.algorithms import TITLES, in_page_order
from ui.session.items import Item
from ui.session.training import Source
from ui.widgets.controls import menu, segments
from ui.work.algorithm_training import LEAST_SEED, Recipe

_MERGES_BY = {"score": message("Score"), "count": term("criterion", "Count")}
_UNKNOWN = {"characters": message("The character"), "word": message("Its word")}
_MODELS = {"bpe": "BPE", "unigram": "Unigram", "char": message("Characters"), "word": message("Whole words")}
_NORMALIZATIONS = {
    "nmt_nfkc": message("nmt_nfkc (tidied)"),
    "nfkc": "nfkc",
    "nmt_nfkc_cf": message("nmt_nfkc_cf (lower case)"),
    "nfkc_cf": message("nfkc_cf (lower case)"),
    "identity": message("identity (as it is)"),
}

_RESTARTS: dict[str, Any] = {"on_change": state.STOPPED.set, "args": ("",)}
_WIDE, _NARROW = 365, 260
"""Widths in pixels of the two columns of rules, which fit a popover together."""


def choose_size(source: Source) -> int:
    """Draw the vocabulary size of all algorithms; return it."""
    size = state.SIZE.get() or cache.default_vocabulary_size(source)
    state.SIZE_DRAFT.set(size)
    st.number_input(
        _("Vocabulary size"),
        1,
        state.MOST_PIECES,
        step=10,
        key=state.SIZE_DRAFT.key,
        on_change=_resize,
        help=_("For all of them. Empty the field for a size that fits the text."),
        width=150,
    )
    return size


def choose_rules(size: int) -> Recipe:
    """Draw the choice of algorithms and their options. BPE has the settings of the Train page."""
    shown = in_page_order(state.SIDE_BY_SIDE.get())
    items: list[Item[Any]] = [
        *(state.MERGES_BY, state.SPECIAL, state.UNKNOWN, state.SEED, state.SHRINK, state.FIRST),
        *(state.MODEL, state.NORMALIZATION, state.BYTES),
        *([state.THRESHOLD] if "picky" in shown else []),
        *([state.CROSSING] if "superbpe" in shown else []),
    ]
    changed = sum(item.get() != item.default for item in items)
    label = n_("Rules: {count:,} changed", "Rules: {count:,} changed", changed) if changed else _("Rules")
    with (
        st.popover(label, icon=":material/tune:", width="content", key="algorithms rules button"),
        st.container(key="algorithms rules"),
    ):
        _rules(shown)
    config = training.CONFIG.get()
    return Recipe(
        size,
        state.MODEL.get(),
        config.split,
        config.tie_break,
        byte_fallback=state.BYTES.get(),
        normalization=state.NORMALIZATION.get(),
        merges_by=state.MERGES_BY.get(),
        special_tokens=state.SPECIAL.get(),
        seed_size=state.SEED.get(),
        shrink=state.SHRINK.get(),
        first_tokens=state.FIRST.get(),
        unknown=state.UNKNOWN.get(),
        threshold=state.THRESHOLD.get(),
        crossing=state.CROSSING.get(),
        side_by_side=shown,
    )


def _rules(shown: Collection[str]) -> None:
    """Draw the choice and the rules in two columns, one below the other in a narrow window."""
    with st.container(horizontal=True, gap="medium"):
        with st.container(width=_WIDE):
            _choose_side_by_side()
            if "wordpiece" in shown:
                _wordpiece_rules()
            if "sentencepiece" in shown:
                _sentencepiece_rules()
        if not {"picky", "superbpe", "unigram"}.isdisjoint(shown):
            with st.container(width=_NARROW):
                if "picky" in shown:
                    _picky_rules()
                if "superbpe" in shown:
                    _superbpe_rules()
                if "unigram" in shown:
                    _unigram_rules()


def _choose_side_by_side() -> None:
    state.SIDE_BY_SIDE_DRAFT.set([*in_page_order(state.SIDE_BY_SIDE.get())])
    st.multiselect(
        _("Side by side, one to four"),
        state.ALGORITHMS,
        format_func=TITLES.__getitem__,
        max_selections=state.MOST_SIDE_BY_SIDE,
        on_change=_put_side_by_side,
        placeholder=_("Choose one"),
        **state.SIDE_BY_SIDE_DRAFT.widget(),
    )


def _put_side_by_side() -> None:
    """Apply the choice; an empty one changes nothing."""
    chosen = state.SIDE_BY_SIDE_DRAFT.get()
    if state.are_side_by_side(chosen):
        state.SIDE_BY_SIDE.set([*in_page_order(chosen)])
        state.STOPPED.set("")


def _picky_rules() -> None:
    st.number_input(
        _("PickyBPE removes from, in %"),
        1,
        100,
        step=5,
        help=_(
            "After a merge, a token is removed from the vocabulary if at least this share of its occurrences were "
            "merged. What is left of it is split again."
        ),
        width=225,
        **_restarting(state.THRESHOLD),
    )


def _superbpe_rules() -> None:
    st.number_input(
        _("SuperBPE crosses words from, in %"),
        1,
        100,
        step=5,
        help=_("Share of the vocabulary size at which the split between words falls. The paper: 100,000 of 128,000."),
        width=225,
        **_restarting(state.CROSSING),
    )


def _wordpiece_rules() -> None:
    segments(
        _("WordPiece merges by"),
        _MERGES_BY,
        state.MERGES_BY,
        help=_(
            "Score: count ÷ (left × right), as the Hugging Face course teaches it. Count: the most frequent pair, as "
            "its library trains it."
        ),
        **_RESTARTS,
    )
    _special(
        _("WordPiece's special tokens"),
        _("They get the first ids, in this order; separate them with spaces. `[UNK]` is added if it is missing."),
        state.SPECIAL,
        state.SPECIAL_DRAFT,
    )


def _unigram_rules() -> None:
    segments(
        _("Unigram's unknown is"),
        _UNKNOWN,
        state.UNKNOWN,
        help=_(
            "What becomes `<unk>` where a character is not a piece. The character: the pieces around it stay, as in "
            "the libraries. Its word: all of it, as in the Hugging Face course."
        ),
        **_RESTARTS,
    )
    _special(
        _("Unigram's special tokens"),
        _("They get the first ids, in this order; separate them with spaces. `<unk>` is added if it is missing."),
        state.FIRST,
        state.FIRST_DRAFT,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            _("Unigram's seed"),
            1,
            LARGEST_SEED,
            value=None,
            placeholder=_("by size"),
            help=_(
                "Pieces that it starts with, `seed_size`; empty: three times the vocabulary size, at least {least}.",
                least=LEAST_SEED,
            ),
            width=150,
            **_restarting(state.SEED),
        )
        st.number_input(
            _("Removed per round, in %"),
            1,
            100,
            help=_(
                "Share of its pieces, `shrink`. The `shrinking_factor` of the tokenizers library is what stays: its "
                "0.75 is 25 here."
            ),
            width=150,
            **_restarting(state.SHRINK),
        )


def _sentencepiece_rules() -> None:
    segments(
        _("SentencePiece trains"),
        _MODELS,
        state.MODEL,
        help=_("The four kinds of vocabulary of its library. Characters and whole words are counted, not learned."),
        **_RESTARTS,
    )
    menu(
        _("SentencePiece normalizes by"),
        _NORMALIZATIONS,
        state.NORMALIZATION,
        help=_(
            "Its own rule for every text, in training and after. `nfkc`: ﬁ becomes fi, full-width letters become "
            "ordinary ones. `nmt_`: also turns tabs into spaces and drops invisible characters. `_cf`: also lower "
            "case. All reduce runs of spaces to one."
        ),
        width=225,
        **_RESTARTS,
    )
    st.toggle(
        _("Byte fallback"),
        help=_(
            "SentencePiece: text without a piece becomes its bytes, `<0xEC> <0x95> …`, instead of `<unk>`. The 256 "
            "bytes come on top of the vocabulary size."
        ),
        **_restarting(state.BYTES),
    )


def _special(label: str, help: str, item: Item[str], draft: Item[str]) -> None:
    draft.set(item.get())
    st.text_input(
        label,
        max_chars=state.LONGEST_SPECIAL,
        on_change=_set_special,
        args=(item, draft),
        help=help,
        **draft.widget(),
    )


def _set_special(item: Item[str], draft: Item[str]) -> None:
    item.set(" ".join(draft.get().split()))
    state.STOPPED.set("")


def _restarting(item: Item[Any]) -> dict[str, Any]:
    """Widget arguments for this item; a change also clears a cancelled training."""
    return {**_RESTARTS, **item.widget()}


def _resize() -> None:
    state.SIZE.set(state.SIZE_DRAFT.get())
    state.STOPPED.set("")
