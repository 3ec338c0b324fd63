"""Token count of each line of the compared text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from bpe_core.comparison.comparison import Comparison


def line_starts(text: str) -> npt.NDArray[np.int64]:
    """Start of each line in the UTF-8 of a text; a line includes its line feed.

    >>> line_starts("é\\nlow\\n").tolist(), line_starts("").tolist()
    ([0, 3], [0])
    """
    data = np.frombuffer(text.encode(), np.uint8)
    starts = np.append(0, np.flatnonzero(data == ord("\n")) + 1)
    return starts[:-1] if len(starts) > 1 and starts[-1] == len(data) else starts


def line_counts(comparison: Comparison, name: str) -> npt.NDArray[np.int64]:
    """Number of one tokenizer's tokens that start in each line. Raises ConfigError for a name that is not compared.

    >>> from bpe_core import compare, load_pretrained
    >>> comparison = compare("low\\n\\nlower low", {"gpt2": load_pretrained("gpt2")})
    >>> line_counts(comparison, "gpt2").tolist()
    [2, 1, 2]
    """
    starts = line_starts(comparison.text)
    tokens, _ends = comparison.offsets(name)
    return np.bincount(np.searchsorted(starts, tokens, side="right") - 1, minlength=len(starts))
