"""Choice of tokenizers: four always visible, and a searchable menu of others, which join them when chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import streamlit as st

from bpe_core.language import _, gettext, n_, translate
from ui import cache
from ui.session import training, vocabulary
from ui.session.items import Item
from ui.session.learned_tokenizers import learned
from ui.session.navigation import GO_TO_PAGE
from ui.session.samples import sample
from ui.session.tokenizer_choice import SHOWN, TRAINED, in_order, menu_beside, other_tokenizers
from ui.session.tokenizer_files import FILE_SPLITS, is_own, safe_title
from ui.views.choice import Option, choice_view
from ui.widgets.display import KINDS, title_of
from ui.widgets.opening import have_open

_WIDTH = 160


def one_tokenizer(item: Item[str], *, help: str | None = None) -> str:
    """Draw the choice of one tokenizer; return its name."""
    chosen = item.get()
    shown = in_order([*SHOWN, chosen])
    st.segmented_control(_("Tokenizer"), shown, format_func=full_title, required=True, help=help, **item.widget())
    _menu(item, [name for name in other_tokenizers() if name != chosen], item.set)
    have_open([chosen], lambda: item.set(TRAINED))
    return item.get()


def several_tokenizers(item: Item[list[str]], tokens: Mapping[str, int]) -> None:
    """Draw the choice of several tokenizers. tokens: the token counts known so far."""

    def note(name: str) -> str:
        if name not in tokens:
            return ""
        # the word separates the count from the number in the title of a learned tokenizer
        takes = n_("{count:,} token", "{count:,} tokens", tokens[name]) if learned(name) else f"{tokens[name]:,}"
        return f"· {takes}"

    def choose(name: str, taken: bool) -> None:
        rest = [each for each in item.get() if each != name]
        item.set([*rest, name] if taken else rest)

    chosen = item.get()
    others = [name for name in other_tokenizers() if name not in chosen]
    options = [Option(name, full_title(name), note(name)) for name in in_order([*SHOWN, *chosen])]
    choice_view(options, chosen, key=f"{item.key} choice", label=_("Tokenizers"), on_choice=choose, several=True)
    _menu(item, others, lambda name: item.set([*item.get(), name]))


def full_title(name: str) -> str:
    """Title in choices; for a learned tokenizer with its text and size."""
    found, source = learned(name), training.source()
    if found is None:
        return translate(title_of(name))
    text = _("pasted text")
    if source.kind != "paste":
        text = gettext(sample(source.label).title) if source.kind == "sample" else safe_title(source.label)
    return translate(found.title_with(text, found.size or cache.default_vocabulary_size(source)))


def split_of_ranks(item: Item[str | None], width: int | Literal["stretch"] = "stretch") -> bool:
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
    vocabulary.VOCABULARY_OF.set(name)
    vocabulary.CHECKED_FIRST.set(name)
    vocabulary.EXPORTS_OPEN.set(True)
    vocabulary.EXPORT_OWN_AS.set(vocabulary.ORIGINAL)
    GO_TO_PAGE.set("vocabulary")


def _menu(item: Item[Any], others: Sequence[str], take: Callable[[str], None]) -> None:
    """Draw the menu of tokenizers neither visible nor chosen; typing searches by name or model."""
    menu = menu_beside(item)
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


def _take(menu: Item[str | None], others: Sequence[str], take: Callable[[str], None]) -> None:
    """Apply the selection and clear the menu."""
    found = menu.get()
    menu.set(None)
    if found is not None and found in others:
        take(found)


def _described(name: str) -> str:
    """Label of a tokenizer in the menu: title and type."""
    if learned(name) is not None:
        return full_title(name)
    kind = _("own file") if is_own(name) else KINDS.get(name) or _("trained here")
    return f"{translate(title_of(name))} · {kind}"
