"""The same lines under each other, each segmented by another tokenizer."""

from ui.components.interlinear.component import interlinear

__all__ = ["interlinear"]
