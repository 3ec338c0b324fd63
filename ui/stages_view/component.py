"""Mounts the stages: Python's side of stages_view.js, which links pieces without asking Python."""

from __future__ import annotations

from pathlib import Path

from ui.token_view.register import register
from ui.token_view.wire import Body, frame

_STAGES_VIEW = register(
    Path(__file__).parent, "stages_view", '<div class="stages"></div><div class="card" role="status"></div>'
)


def stages_view(body: Body, *, key: str) -> None:
    """Draw the stages that `ui.pipeline.drawing` made of a pipeline."""
    _STAGES_VIEW(key=key, data=frame({}, body))
