"""The stage: one card of the page over the whole window, for the back row of a room."""

from ui.components.stage.component import StageCards, stage_button

__all__ = ["StageCards", "stage_button"]
