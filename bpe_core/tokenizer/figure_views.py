"""SVG picture and Plotly figures of an encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bpe_core import checks
from bpe_core.display.library import Figure
from bpe_core.display.vocabulary_figures import ranks_figure
from bpe_core.drawing.spans import check_size, spans_svg
from bpe_core.drawing.themes import checked_theme
from bpe_core.tokenizer.html_views import spans

if TYPE_CHECKING:
    from bpe_core.tokenizer.encoding import Encoding

ENCODING_FIGURES = ("ranks",)
"""Figures of an encoding by name."""


def encoding_figure(encoding: Encoding, name: str, theme: str) -> Figure:
    """Return the figure documented by `Encoding.figure`.

    >>> from bpe_core import load_pretrained
    >>> encoding_figure(load_pretrained("gpt2").encode(""), "ranks", "light").layout.annotations[0].text
    'The text has no tokens.'
    """
    checks.choice(name, "name", ENCODING_FIGURES)
    ids, counts = np.unique(encoding.ids, return_counts=True)
    return ranks_figure(ids, counts, encoding.token_bytes, checked_theme(theme))


def encoding_svg(encoding: Encoding, *, width: int, theme: str, caption: str, ids: bool) -> str:
    """Return the picture documented by `Encoding.svg`.

    >>> from bpe_core import load_pretrained
    >>> encoding = load_pretrained("gpt2").encode("Hello")
    >>> ">Hello</text>" in encoding_svg(encoding, width=400, theme="dark", caption="", ids=False)
    True
    """
    check_size(len(encoding), len(encoding.text))
    drawn = spans(encoding, 0, len(encoding))
    return spans_svg(encoding.utf8, drawn, width=width, theme=theme, caption=caption, ids=ids)
