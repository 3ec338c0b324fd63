"""Stages of a pipeline and the grid of its batch; the browser links their pieces without the server."""

from __future__ import annotations

from bpe_core.payloads.frames import Body, frame
from ui.views.component import View

_STAGES_VIEW = View("stages")


def stages_view(body: Body, *, key: str) -> None:
    """Draw the stages of a pipeline as built by `ui.pipeline.drawing`."""
    _STAGES_VIEW(key=key, data=frame({}, body))


_BATCH_VIEW = View("batch")


def batch_view(body: Body, *, key: str, label: str) -> None:
    """Draw the rows of a batch as built by `ui.pipeline.grid`."""
    _BATCH_VIEW(key=key, data=frame({"label": label}, body))
