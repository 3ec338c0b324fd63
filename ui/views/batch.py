"""Grid of a batch: one row per text, with its masks and the text removed by truncation."""

from __future__ import annotations

from bpe_core.payloads.frames import Body, frame
from ui.views.component import View

_BATCH_VIEW = View("batch")


def batch_view(body: Body, *, key: str, label: str) -> None:
    """Draw the rows of a batch as built by `ui.pipeline.grid`."""
    _BATCH_VIEW(key=key, data=frame({"label": label}, body))
