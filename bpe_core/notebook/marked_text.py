"""Text as HTML: escaped, with marks for white space and for invisible characters."""

from __future__ import annotations

import html

from bpe_core.text.marks import MARK, NAME, shown_pieces

LONGEST = 200
"""Limit on the displayed characters of one text; the others are counted."""


def marked(text: str, longest: int = LONGEST, *, breaks: bool = False) -> str:
    """Text as HTML: white space as pale marks, invisible characters and bidirectional controls by name.

    `breaks`: a newline also breaks the line, if the style preserves white space. Characters beyond `longest` are
    counted.

    >>> marked("a <b>")
    'a<i class="s">·</i>&lt;b&gt;'
    >>> marked("\\u202e"), marked("\\u0301")
    ('<i class="n">RLO</i>', '◌\\u0301')
    """
    shown, rest = text[:longest], len(text) - longest
    result = "".join(_piece(source, each, kind, breaks) for source, each, kind in shown_pieces(shown))
    return result if rest <= 0 else f'{result}<i class="n">… {rest:,} more</i>'


def _piece(source: str, shown: str, kind: str, breaks: bool) -> str:
    if kind == MARK:
        return f'<i class="s">{shown}</i>' + "\n" * (breaks and source == "\n")
    return f'<i class="n">{html.escape(shown)}</i>' if kind == NAME else html.escape(shown)
