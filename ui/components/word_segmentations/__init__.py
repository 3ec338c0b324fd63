"""Segmentation of one word by each algorithm."""

from ui.components.word_segmentations.component import SegmentationRow, segmentations_view

__all__ = ["SegmentationRow", "segmentations_view"]
