"""Expander whose content is computed only while it is open."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bpe_core import BpeError
from ui.session.items import Item
from ui.widgets.messages import problem


def show_panel(title: str, icon: str, is_open: Item[bool], show: Callable[[], object], *, card: str) -> None:
    """Draw an expander, and in it what `show` draws, or the BpeError that it raises.

    icon: name of a Material symbol. card: key of the content's container, a card of the stage (ui/widgets/stage.py).
    """
    with st.expander(title, icon=f":material/{icon}:", **is_open.panel()) as panel:
        if panel.open:
            with st.container(key=card):
                try:
                    show()
                except (
                    BpeError
                ) as error:  # an uploaded file may be gone, or its pattern may exceed the time limit on the text
                    problem(error, key=f"problem of {card}")
