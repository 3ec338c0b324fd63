"""Limits of the pages; bpe_core itself has none of these."""

from __future__ import annotations

LONGEST_TEXT = 5_000_000
"""Maximum characters of a text."""

LONGEST_AT_ONCE = 200_000
"""Characters above which encoding is queued, unless most of the text was encoded before the latest keystroke."""

LONGEST_UNSEEN = 10_000
"""Maximum characters of the unseen text on Train, which is encoded at every step."""

LONGEST_TEMPLATE = 500
"""Maximum characters of a custom template."""

LONGEST_ROW = 1_000
"""Maximum length in ids for truncation or padding on Pipeline."""

MOST_IDS = 65_536
"""Largest vocabulary trained on a page."""

MOST_WIDTH = 65_536
"""Maximum embedding width on Train; published models reach about 20,000."""

MOST_MIN_COUNT = 1_000_000
"""Largest minimum count in the settings."""
