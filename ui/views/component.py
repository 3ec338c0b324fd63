"""The app's only Streamlit component. It draws every view: each payload names its view and language.

Its script is loaded with the page (ui/serving/static_files.py) and reloads a page with an older script. The
browser's side is frontend/src/bridge/mounts.ts.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from bpe_core.language import current_language
from ui.session.items import rerun_if_undrawn
from ui.views.bundle import FOLDER

_COMPONENT = st.components.v2.component(
    "bpe_lab", js=f'export default (component) => globalThis.bpeLab.draw(component, "{FOLDER}");'
)


class View:
    """Callable that draws a view of frontend/src/views.ts, similar to the result of `st.components.v2.component`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *, data: Any = None, **given: Any) -> Any:
        """Draw the view: `data` are bytes, or an object for JSON."""
        rerun_if_undrawn()
        return _COMPONENT(data=addressed(self._name, current_language(), data), **given)


def addressed(view: str, language: str, data: Any) -> Any:
    """Payload for a view in a language: bytes, or a list, since Streamlit looks for dataframes in mappings.

    >>> addressed("player", "en", {"step": 1})
    ['player', 'en', {'step': 1}]
    >>> addressed("story", "ja", b"{}")
    b'story ja\\n{}'
    """
    if isinstance(data, bytes):
        return b"%s %s\n%s" % (view.encode(), language.encode(), data)
    return [view, language, data]
