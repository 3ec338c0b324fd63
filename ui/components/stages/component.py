"""Mount the stages: Python's side of stages.js, which links pieces without the server."""

from __future__ import annotations

from pathlib import Path

from ui.components.exchange import Body, frame
from ui.components.tokens.registration import view_component

_STAGES_VIEW = view_component(Path(__file__).parent, '<div class="stages"></div><div class="card" role="status"></div>')


def stages_view(body: Body, *, key: str) -> None:
    """Draw the stages of a pipeline as built by `ui.pipeline.drawing`."""
    _STAGES_VIEW(key=key, data=frame({}, body))
