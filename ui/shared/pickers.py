"""The choice of tokenizers: four in sight, and a menu with search for the others, which join them when chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import streamlit as st

from ui.session import state
from ui.session.tokenizer_files import FILE_SPLITS, is_own
from ui.shared.display import KINDS, title_of
from ui.shared.opening import have_open

_WIDTH = 160


def one_tokenizer(
    item: state.Item[str],
    also: Sequence[str] = (),
    *,
    called: Callable[[str], str] = title_of,
    help: str | None = None,
) -> str:
    """Choose one tokenizer; returns its name. `also`: names that only this page has, for the menu."""
    chosen = item.get()
    others = [*state.other_tokenizers(), *also]
    shown = [*state.SHOWN, *(name for name in others if name == chosen)]
    st.segmented_control("Tokenizer", shown, format_func=called, required=True, help=help, **item.widget())
    _menu(item, [name for name in others if name != chosen], called, item.set)
    have_open([chosen], lambda: item.set(state.TRAINED))
    return item.get()


def several_tokenizers(item: state.Item[list[str]]) -> None:
    """Choose several tokenizers."""
    chosen = item.get()
    others = state.other_tokenizers()
    shown = [*state.SHOWN, *(name for name in others if name in chosen)]
    st.pills("Tokenizers", shown, format_func=title_of, selection_mode="multi", **item.widget())
    _menu(item, [name for name in others if name not in chosen], title_of, lambda name: item.set([*item.get(), name]))


def split_of_ranks(item: state.Item[str | None], width: int | Literal["stretch"] = "stretch") -> bool:
    """Ask how texts are split by ranks of tiktoken that are none of the published ones. Whether that is chosen."""
    st.selectbox(
        "Split into words: a .tiktoken file does not say",
        FILE_SPLITS,
        index=None,
        placeholder="Choose the split",
        width=width,
        **item.widget(),
    )
    return item.get() is not None


def check_button(name: str) -> None:
    """For a tokenizer of the visitor's own: leads to the proof by the library that its files belong to."""
    st.button(
        "Check against its library",
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


def _menu(
    item: state.Item[Any], others: Sequence[str], called: Callable[[str], str], take: Callable[[str], None]
) -> None:
    """The tokenizers that are neither shown nor chosen. Typing in the field finds one by its name or its model."""
    menu = state.menu_beside(item)
    st.selectbox(
        "More tokenizers",
        others,
        index=None,
        format_func=partial(_described, called=called),
        placeholder="More tokenizers" if others else "No others",
        label_visibility="collapsed",
        disabled=not others,
        width=_WIDTH,
        on_change=_take,
        args=(menu, tuple(others), take),
        **menu.widget(),
    )


def _take(menu: state.Item[str | None], others: Sequence[str], take: Callable[[str], None]) -> None:
    """Choose what was found; the menu is for the next search again."""
    found = menu.get()
    menu.set(None)
    if found is not None and found in others:
        take(found)


def _described(name: str, *, called: Callable[[str], str]) -> str:
    """A tokenizer in the menu: its title, and what it is."""
    return f"{called(name)} · {'own file' if is_own(name) else KINDS.get(name, 'trained here')}"
