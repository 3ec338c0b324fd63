"""Tokens of a text, one per line, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from bpe_core.notebook.spans import Slice, TokenSpan, whole_and_slices
from bpe_core.text.marks import NOTHING, marked
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.html_views import spans


def token_lines(encoding: Encoding) -> Iterator[str]:
    """Id and text of each token, separated by a tab. Incomplete characters are shown as hex bytes.

    >>> from bpe_core import load_pretrained
    >>> list(token_lines(load_pretrained("gpt2").encode("a ち")))
    ['64\\ta\\n', '23294\\t· E3 81\\n', '94\\tA1\\n']
    """
    data = encoding.normalized.utf8
    for span in spans(encoding, 0, len(encoding)):
        yield f"{span.id}\t{_shown(data, span)}\n"


def _shown(data: bytes, span: TokenSpan) -> str:
    if span.start == span.end:  # covers no text: <s>, </w>
        return marked(span.token.decode("utf-8", "backslashreplace")) or NOTHING
    parts = whole_and_slices(data, span.start, span.end)
    return " ".join(part.data.hex(" ").upper() if isinstance(part, Slice) else marked(part) for part in parts)
