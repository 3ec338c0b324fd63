"""Grid of a batch: one row per text, with its masks and the text removed by truncation."""

from __future__ import annotations

from ui.views.component import View
from ui.views.protocol import Body, frame

_BATCH_VIEW = View("batch")


def batch_view(body: Body, *, key: str, label: str) -> None:
    """Draw the rows of a batch as built by `ui.pipeline.grid`."""
    _BATCH_VIEW(key=key, data=frame({"label": label}, body))
