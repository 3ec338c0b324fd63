"""Makes pictures of the views of a page: Python's side of pictures.js.

The button is in the markup of every view (ui/components/tokens/registration.py); what it opens is here, once a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from ui.components.defined import Component

_PICTURES = Component("bpe_lab_pictures", Path(__file__).parent / "pictures.js")


def offer_pictures(*, names: Mapping[str, str], trained_on: str, settings: str) -> None:
    """From now on the button of a view opens its menu. Once a run.

    names: what captions call the tokenizers that an address names. trained_on, settings: of the tokenizer trained here.
    """
    with st.container(key="pictures"):
        data = {"names": dict(names), "trainedOn": trained_on, "settings": settings}
        _PICTURES(key="pictures of views", data=data)
