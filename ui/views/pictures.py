"""Picture export of a page's views.

The button is in the markup of every view (frontend/src/views.ts); there is one menu per page.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from ui.views.component import View

_PICTURES = View("pictures")


def offer_pictures(*, names: Mapping[str, str], trained_on: str, settings: str) -> None:
    """Enable the menu of the views' buttons from now on. Called once per run.

    names: captions for tokenizers named in a URL. trained_on, settings: of the tokenizer trained here.
    """
    with st.container(key="pictures"):
        data = {"names": dict(names), "trainedOn": trained_on, "settings": settings}
        _PICTURES(key="pictures of views", data=data)
