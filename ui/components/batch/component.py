"""Mount the grid of a batch: Python's side of batch.js."""

from __future__ import annotations

from pathlib import Path

from ui.components.exchange import Body, frame
from ui.components.tokens.registration import view_component

_BATCH_VIEW = view_component(Path(__file__).parent, '<div class="batch" tabindex="0" role="region"></div>')


def batch_view(body: Body, *, key: str, label: str) -> None:
    """Draw the rows of a batch as built by `ui.pipeline.grid`."""
    _BATCH_VIEW(key=key, data=frame({"label": label}, body))
