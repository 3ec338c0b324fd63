"""Session values of the training that is fair to languages, on the Compare page."""

from __future__ import annotations

from ui.session.items import Item, is_a, is_count, number_in, one_of

LEAST_IDS, MOST_IDS = 288, 800
"""Limits of the vocabulary size: beyond the largest, no pair of the samples occurs twice."""


OPEN = Item("fair languages open", False, is_a(bool))
SIZE = Item("fair vocabulary size", 512, number_in(LEAST_IDS, MOST_IDS))
VARIANT = Item("fair variant", "fair", one_of("fair", "hybrid", "window"))
UNIT = Item("fair unit", "lines", one_of("lines", "characters", "bytes"))
STEP = Item("fair step", 1, is_count)
