"""What the text costs: prices per million tokens as typed, and how much of each context window it fills."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bpe_core.display.window_figures import windows_figure
from bpe_core.errors import quoted
from bpe_core.language import _, joined, message, term, translate
from bpe_core.payloads.chips import Column, Table
from ui.compare.chosen import Chosen
from ui.session import prices as state
from ui.views.token_table import token_table_view
from ui.widgets.display import title_of
from ui.widgets.figures import show_figure
from ui.widgets.messages import note
from ui.widgets.panels import show_panel

_MOST_WORDS, _LONGEST_WORD = 5, 20
"""Maximum number of invalid sizes named in a message, and maximum characters of each."""


def show_prices(chosen: Chosen) -> None:
    """Draw the expander, closed at first."""
    title = _("What this text costs, and the context windows that it fills")
    show_panel(title, "payments", state.OPEN, partial(_prices, chosen), card="prices")


def _prices(chosen: Chosen) -> None:
    comparison = chosen.comparison()
    tokens = {name: len(comparison.encoding(title_of(name))) for name in chosen.names}
    st.caption(_("Price of a million tokens, in any currency; the app knows no prices."))
    with st.container(horizontal=True, vertical_alignment="bottom", key="price fields"):
        for name in chosen.names:
            price = state.price_of(name)
            st.number_input(
                translate(title_of(name)),
                min_value=0.0,
                max_value=state.HIGHEST_PRICE,
                step=0.1,
                format="%.12g",
                width=130,
                on_change=_keep,
                args=(name,),
                **price.widget(),
            )
    prices = [state.price_of(name).get() for name in chosen.names]
    costs = [tokens[name] * price / 1e6 for name, price in zip(chosen.names, prices, strict=True)]
    least = min((cost for cost in costs if cost), default=0)
    token_table_view(
        Table(
            Column(message("Tokenizer"), [title_of(name) for name in chosen.names]),
            Column(term("number", "Tokens"), list(tokens.values()), "number"),
            Column(message("Price of a million"), list(map(_plain, prices)), "number"),
            Column(message("This text costs"), list(map(_money, costs)), "number"),
            Column(
                message("Against the cheapest"),
                [f"{cost / least:,.2f}×" if cost else "–" for cost in costs],
                "number",
            ),
        ),
        key="prices table",
        height=None,
        label=_("What this text costs"),
        pickable=False,
    )
    st.text_input(_("Context windows, in tokens"), width=420, **state.WINDOWS.widget())
    windows, others = state.windows()
    if others or not windows:
        rule = message(
            "A size is a whole number from 1 to {most:,}, such as 8192, 131,072 or 128k.", most=state.LARGEST_WINDOW
        )
        named = ", ".join(quoted(word, _LONGEST_WORD) for word in others[:_MOST_WORDS])
        note(joined(message("No size: {words}.", words=named), rule) if others else rule)
    if not windows:
        return
    names = [translate(title_of(name)) for name in chosen.names]
    show_figure(windows_figure(names, list(tokens.values()), windows, "light"), key="windows chart")
    st.caption(
        _(
            "Each bar is one window: how much of it this text fills; striped where it does not fit. Special tokens of "
            "a chat come on top."
        )
    )


def _keep(name: str) -> None:
    """Add a typed price to the list that links contain."""
    state.keep_price(name, state.price_of(name).get())


def _plain(price: float) -> str:
    """A price as it was typed, with thousands separators and without an exponent."""
    return f"{price:,.12f}".rstrip("0").rstrip(".") if price else "–"


def _money(amount: float) -> str:
    """An amount with four significant digits, without an exponent."""
    if not amount:
        return "–"
    digits = max(0, 3 - int(f"{amount:e}".partition("e")[2]))
    return f"{amount:,.{digits}f}"
