"""What a page takes at most; bpe_core itself has no such limits."""

from __future__ import annotations

LONGEST_TEXT = 5_000_000
"""Characters of a text."""

LONGEST_UNSEEN = 10_000
"""Characters of the text on Train that the training has not seen: it is encoded at every step."""

LONGEST_TEMPLATE = 500
"""Characters of a template that a visitor writes."""

LONGEST_ROW = 1_000
"""The most ids that Pipeline truncates or pads a text to."""

MOST_IDS = 65_536
"""The largest vocabulary that a page trains."""

MOST_WIDTH = 65_536
"""The widest embedding on Train: published models have up to 20,000 numbers for an id or so."""

MOST_MIN_COUNT = 1_000_000
"""The largest minimum count that the settings take."""
