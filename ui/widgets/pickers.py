"""Choice of tokenizers: four always visible, and a searchable menu of others, which join them when chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import streamlit as st

from bpe_core.language import _, gettext, n_, said
from ui import cache
from ui.session import state
from ui.session.learned_tokenizers import learned
from ui.session.samples import sample
from ui.session.tokenizer_files import FILE_SPLITS, is_own, safe_title
from ui.widgets.display import KINDS, title_of
from ui.widgets.opening import have_open

_WIDTH = 160


def one_tokenizer(item: state.Item[str], *, help: str | None = None) -> str:
    """Draw the choice of one tokenizer; return its name."""
    chosen = item.get()
    shown = state.in_order([*state.SHOWN, chosen])
    st.segmented_control(_("Tokenizer"), shown, format_func=full_title, required=True, help=help, **item.widget())
    _menu(item, [name for name in state.other_tokenizers() if name != chosen], item.set)
    have_open([chosen], lambda: item.set(state.TRAINED))
    return item.get()


def several_tokenizers(item: state.Item[list[str]], tokens: Mapping[str, int]) -> None:
    """Draw the choice of several tokenizers. tokens: the token counts known so far."""

    def titled(name: str) -> str:
        if name not in tokens:
            return full_title(name)
        if learned(name) is None:
            return f"{full_title(name)} · {tokens[name]:,}"
        takes = n_("{count:,} token", "{count:,} tokens", tokens[name])  # the word separates it from the title's number
        return f"{full_title(name)} · {takes}"

    chosen = item.get()
    others = [name for name in state.other_tokenizers() if name not in chosen]
    shown = state.in_order([*state.SHOWN, *chosen])
    st.pills(_("Tokenizers"), shown, format_func=titled, selection_mode="multi", **item.widget())
    _menu(item, others, lambda name: item.set([*item.get(), name]))


def full_title(name: str) -> str:
    """Title in choices; for a learned tokenizer with its text and size."""
    found, source = learned(name), state.source()
    if found is None:
        return said(title_of(name))
    text = _("pasted text")
    if source.kind != "paste":
        text = gettext(sample(source.label).title) if source.kind == "sample" else safe_title(source.label)
    return said(found.title_with(text, found.size or cache.usual_vocabulary_size(source)))


def split_of_ranks(item: state.Item[str | None], width: int | Literal["stretch"] = "stretch") -> bool:
    """Draw the choice of a split for unknown tiktoken ranks. Return whether one is chosen."""
    st.selectbox(
        _("Split into words: a .tiktoken file does not say"),
        FILE_SPLITS,
        index=None,
        placeholder=_("Choose the split"),
        width=width,
        **item.widget(),
    )
    return item.get() is not None


def check_button(name: str) -> None:
    """Button for an uploaded tokenizer: opens the proof against the library of its format."""
    st.button(
        _("Check against its library"),
        icon=":material/fact_check:",
        type="tertiary",
        key=f"check {name}",
        on_click=_check,
        args=(name,),
    )


def _check(name: str) -> None:
    state.VOCABULARY_OF.set(name)
    state.CHECKED_FIRST.set(name)
    state.EXPORTS_OPEN.set(True)
    state.EXPORT_OWN_AS.set(state.ORIGINAL)
    state.GO_TO_PAGE.set("vocabulary")


def _menu(item: state.Item[Any], others: Sequence[str], take: Callable[[str], None]) -> None:
    """Draw the menu of tokenizers neither visible nor chosen; typing searches by name or model."""
    menu = state.menu_beside(item)
    st.selectbox(
        _("More tokenizers"),
        others,
        index=None,
        format_func=_described,
        placeholder=_("More tokenizers") if others else _("No others"),
        label_visibility="collapsed",
        disabled=not others,
        width=_WIDTH,
        on_change=_take,
        args=(menu, tuple(others), take),
        **menu.widget(),
    )


def _take(menu: state.Item[str | None], others: Sequence[str], take: Callable[[str], None]) -> None:
    """Apply the selection and clear the menu."""
    found = menu.get()
    menu.set(None)
    if found is not None and found in others:
        take(found)


def _described(name: str) -> str:
    """A tokenizer in the menu: title and type."""
    if learned(name) is not None:
        return full_title(name)
    kind = _("own file") if is_own(name) else KINDS.get(name) or _("trained here")
    return f"{said(title_of(name))} · {kind}"
