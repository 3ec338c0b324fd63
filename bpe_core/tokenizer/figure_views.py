"""Plotly figures of a vocabulary and an encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bpe_core import checks
from bpe_core.display.vocabulary_figures import lengths_figure, ranks_figure
from bpe_core.drawing.themes import checked_theme

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from bpe_core.tokenizer.encoding import Encoding
    from bpe_core.tokenizer.vocabulary import Vocabulary

VOCABULARY_FIGURES = ("lengths", "characters")
"""Figures of a vocabulary by name."""
ENCODING_FIGURES = ("ranks",)
"""Figures of an encoding by name."""


def vocabulary_figure(vocabulary: Vocabulary, name: str, theme: str) -> go.Figure:
    """Return the figure documented by `Tokenizer.figure`.

    >>> from bpe_core import load_pretrained
    >>> vocabulary_figure(load_pretrained("gpt2"), "lengths", "light").data[0].y[:3]
    (256, 1916, 5212)
    """
    checks.choice(name, "name", VOCABULARY_FIGURES)
    checked_theme(theme)
    added = {token.id: token for token in vocabulary.special_token_flags}
    of_model = enumerate(vocabulary.model.tokens)
    tokens = [token for token_id, token in of_model if token is not None and token_id not in added]
    tokens += [token.text.encode() for token in added.values() if not token.special]
    return lengths_figure(tokens, sum(token.special for token in added.values()), name == "lengths", theme)


def encoding_figure(encoding: Encoding, name: str, theme: str) -> go.Figure:
    """Return the figure documented by `Encoding.figure`.

    >>> from bpe_core import load_pretrained
    >>> encoding_figure(load_pretrained("gpt2").encode(""), "ranks", "light").layout.annotations[0].text
    'The text has no tokens.'
    """
    checks.choice(name, "name", ENCODING_FIGURES)
    ids, counts = np.unique(encoding.ids, return_counts=True)
    return ranks_figure(ids, counts, encoding.token_bytes, checked_theme(theme))
