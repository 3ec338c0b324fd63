"""Choice of one of some named values, as segments side by side or as a menu."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from bpe_core.language import said
from ui.session.items import Item


def segments(label: str, names: Mapping[Any, str], item: Item[Any], *, hidden: bool = False, **more: Any) -> None:
    """Draw all names side by side. `hidden`: the label is only for screen readers; `more`: as Streamlit takes them."""
    st.segmented_control(label, list(names), required=True, **_options(names, item, hidden), **more)


def menu(label: str, names: Mapping[Any, str], item: Item[Any], *, hidden: bool = False, **more: Any) -> None:
    """Draw the chosen name, with the others in a menu."""
    st.selectbox(label, list(names), **_options(names, item, hidden), **more)


def _options(names: Mapping[Any, str], item: Item[Any], hidden: bool) -> dict[str, Any]:
    visibility = {"label_visibility": "collapsed"} if hidden else {}
    return {"format_func": lambda value: said(names[value]), **visibility, **item.widget()}
