"""Tokens as coloured HTML: a whole text, or single tokens. A divided character is drawn in slices, never as �."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from bpe_core.drawing.token_spans import Slice, TokenSpan, colour_number, decoded, direction, whole_and_slices
from bpe_core.notebook.marked_text import marked
from bpe_core.text import marks
from bpe_core.text.utf8 import whole_characters

MOST_TOKENS = 400
"""Limit on the tokens of one card; the others are counted."""


def flow(data: bytes, spans: Sequence[TokenSpan], *, start: int = 0, end: int | None = None, tag: str = "div") -> str:
    """HTML of a text in tokens. `data`: its UTF-8. `spans`: in text order; other text is drawn without colour.

    `start`, `end`: byte range to draw; up to the end of the last token if `end` is None. `tag`: a "div" keeps the line
    breaks of the text, a "span" is a single line.

    >>> html = flow("こ".encode(), [TokenSpan(400, b"\\xe3\\x81", 0, 2), TokenSpan(147, b"\\x93", 2, 3)])
    >>> "bytes 1–2 of 3 of こ" in html, "byte 3 of 3 of こ" in html
    (True, True)
    """
    parts: list[str] = []
    at = start
    for span in spans:
        if span.start > at:
            parts.append(_gap(data[at : span.start], tag == "div"))
        parts.append(_span(data, span, tag == "div"))
        at = max(at, span.end)
    if end is not None and end > at:
        parts.append(_gap(data[at:end], tag == "div"))
    shown = data[start : max(at, end or 0)].decode("utf-8", "ignore")
    return f'<{tag} class="flow" dir="{direction(shown)}">{"".join(parts)}</{tag}>'


def chip(token_id: int, token: bytes, colour: str = "") -> str:
    """HTML of a single token: its text, with hex for bytes that are not whole characters.

    >>> chip(147, b"\\x93")
    '<span class="t c4" title="id 147&#10;bytes 93"><i class="x">93</i></span>'
    """
    shown = "".join(
        f'<i class="x">{part.hex(" ").upper()}</i>' if isinstance(part, bytes) else marked(part, 60)
        for part in _text_and_bytes(token)
    )
    css = f"t {colour or f'c{colour_number(token)}'}"
    return f'<span class="{css}" title="{_title(token_id, token)}">{shown or marks.NOTHING}</span>'


def word(tokens: Callable[[int], bytes], ids: Sequence[int], most: int = 40) -> str:
    """HTML of a word of a training in tokens. `tokens`: returns the bytes of an id; `most`: limit on the drawn tokens.

    >>> word({7: b"lo", 9: b"w"}.__getitem__, [7, 9]).count('class="t')
    2
    """
    data = b""
    spans = []
    for token_id in ids[: most + 3]:  # a character that begins in the last drawn token ends within the next three
        token = tokens(token_id)
        spans.append(TokenSpan(token_id, token, len(data), len(data) + len(token)))
        data += token
    rest = f' <i class="n">… {len(ids) - most:,} more</i>' if len(ids) > most else ""
    return flow(data, spans[:most], tag="span") + rest


def _span(data: bytes, span: TokenSpan, breaks: bool) -> str:
    if span.start == span.end:  # without text: a bare mark (</w>, ▁), or a special token that is not in the text
        parts: list[str | Slice] = []
        shown = f'<i class="n">{marked(span.token.decode("utf-8", "backslashreplace"), 60)}</i>'
    else:
        parts = list(whole_and_slices(data, span.start, span.end))
        shown = "".join(_slice(part) if isinstance(part, Slice) else marked(part, breaks=breaks) for part in parts)
    slices = "".join(f"&#10;{escape(str(part))}" for part in parts if isinstance(part, Slice) and part.char)
    css = f"t c{span.colour(data)}{' special' * span.special}"
    return f'<span class="{css}" title="{_title(span.id, span.token)}{slices}">{shown}</span>'


def _title(token_id: int, token: bytes) -> str:
    longest = 24
    more = " …" * (len(token) > longest)
    return f"id {token_id}&#10;bytes {token[:longest].hex(' ').upper()}{more}"


def _slice(part: Slice) -> str:
    if len(part.char) != 1 or not marks.shows_itself(part.char):
        return f'<i class="x">{part.data.hex(" ").upper()}</i>'
    css = "p in" if part.first > 1 else "p"
    return f'<i class="{css}" style="--a:{part.first - 1};--b:{part.last};--n:{part.of}"><i>{marked(part.char)}</i></i>'


def _gap(data: bytes, breaks: bool) -> str:
    return f'<span class="gap">{marked(decoded(data), breaks=breaks)}</span>'


def _text_and_bytes(token: bytes) -> Iterator[str | bytes]:
    """Whole characters of a token as text, and the bytes between them."""
    while token:
        try:
            yield token.decode()
            return
        except UnicodeDecodeError as error:
            if error.start:
                yield token[: error.start].decode()
            end = whole_characters(token, error.end, error.end)[1]
            yield token[error.start : end]
            token = token[end:]
