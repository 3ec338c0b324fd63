"""What a page takes at most; bpe_core itself has no such limits."""

from __future__ import annotations

LONGEST_TEXT = 5_000_000
"""Characters of a text."""

LONGEST_UNSEEN = 10_000
"""Characters of the text on Train that the training has not seen: it is encoded at every step."""

MOST_IDS = 65_536
"""The largest vocabulary that a page trains."""

MOST_MIN_COUNT = 1_000_000
"""The largest minimum count that the settings take."""
