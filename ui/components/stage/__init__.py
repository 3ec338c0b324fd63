"""Stage: one card of the page enlarged to the whole window, legible from the back row."""

from ui.components.stage.component import StageCards, stage_button

__all__ = ["StageCards", "stage_button"]
