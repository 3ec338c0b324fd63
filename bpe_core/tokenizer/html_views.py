"""Notebook display of an encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_core.drawing.token_spans import TokenSpan
from bpe_core.notebook.cards import card, counted
from bpe_core.notebook.spans import MOST_TOKENS, flow

if TYPE_CHECKING:
    from bpe_core.tokenizer.encoding import Encoding


def encoding_html(encoding: Encoding) -> str:
    """Tokens of a text as coloured spans, and the ids: the first 400, and the number of the others.

    >>> from bpe_core import load_pretrained
    >>> "3 tokens · 7 characters · 9 bytes" in encoding_html(load_pretrained("gpt2").encode("Hello こ"))
    True
    """
    data, total = encoding.normalized.utf8, len(encoding)
    facts = [counted(total, "token"), counted(len(encoding.text), "character"), counted(len(data), "byte")]
    if encoding.normalized.text != encoding.normalized.original:
        facts.append("normalized")
    shown = min(total, MOST_TOKENS)
    drawn = flow(data, spans(encoding, 0, shown), end=len(data) if shown == total else None)
    ids = ", ".join(map(str, encoding.ids[:shown].tolist()))
    listed = f'<details><summary>Ids</summary><div class="ids">{ids}</div></details>' if shown else ""
    note = f"{counted(total - shown, 'more token')} not shown." if shown < total else ""
    return card("Encoding", facts, drawn, listed, note=note or ("" if total else "No tokens."))


def spans(encoding: Encoding, first: int, last: int) -> list[TokenSpan]:
    """Tokens first … last - 1 of an encoding, as spans over its normalized text.

    >>> from bpe_core import load_pretrained
    >>> spans(load_pretrained("gpt2").encode("Hello こ"), 0, 1)
    [TokenSpan(id=15496, token=b'Hello', start=0, end=5, special=False)]
    """
    return [
        TokenSpan(token_id, encoding.token_bytes(token_id), start, end, special)
        for token_id, start, end, special in zip(
            encoding.ids[first:last].tolist(),
            encoding.starts[first:last].tolist(),
            encoding.ends[first:last].tolist(),
            encoding.special[first:last].tolist(),
            strict=True,
        )
    ]
