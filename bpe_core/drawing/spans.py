"""SVG of a text in coloured tokens. No script, no style sheet, no reference: rectangles, and text as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import regex

from bpe_core import checks
from bpe_core.drawing.glyphs import HEX, MARGIN, NARROW, SMALL, DrawnPiece, columns, pieces, small
from bpe_core.drawing.lines import Box, resolved, visual_order, wrapped
from bpe_core.drawing.themes import THEMES, Theme, checked_theme
from bpe_core.drawing.token_spans import Slice, TokenSpan, decoded, direction, whole_and_slices
from bpe_core.errors import ConfigError, CorpusError
from bpe_core.language import message
from bpe_core.text.marks import MARK, NAME, NOTHING, PLAIN, marked, on_one_line
from bpe_core.text.utf8 import count_characters

MOST_TOKENS = 5_000
MOST_CHARACTERS = 20_000
"""Largest text of a picture, in tokens and in characters; the picture then has a few megabytes."""
LEAST_WIDTH, MOST_WIDTH = 200, 4_000
"""Allowed widths of a picture, in px."""

MONO = "Consolas, Menlo, 'DejaVu Sans Mono', 'Noto Sans Mono CJK JP', monospace"
SANS = "Arial, Helvetica, 'Liberation Sans', 'Noto Sans CJK JP', sans-serif"
"""Fonts of slide programs: at least one of each pair is on every system, and widths here assume the widest."""

_SIZE, _LINE, _ID, _CAPTION, _BORDER = 18, 36, 12, 13, 16
"""Sizes in px: of the text, of a line, of ids, of the caption, and of the margin."""
_PAD, _GAP = 2.0, 2.0
"""In px: padding of a token's rectangle, and gap between two rectangles."""
_LOOKED_AT = 200
"""Number of characters that determine a token's direction."""
_ASCII = regex.compile(r"[\x21-\x7e]+")


class _Item(NamedTuple):
    """Drawn form of a token, or of text outside of all tokens (`span` is None)."""

    span: TokenSpan | None
    pieces: Sequence[DrawnPiece]
    text: str
    note: str


def spans_svg(
    data: bytes,
    spans: Sequence[TokenSpan],
    *,
    width: int = 960,
    theme: str = "light",
    caption: str = "",
    ids: bool = False,
) -> str:
    """SVG of a text in tokens. `data`: its UTF-8; `spans`: in text order; other text is drawn without colour.

    `width`: in px, 200 to 4,000. `theme`: "light", "dark", "print", "light-strong" or "dark-strong". `caption`: a line
    under the picture. `ids`: draw each id under its token. A text element holds the characters of one token on one
    line, in text order; bytes that are not whole characters are hex. Right-to-left tokens are placed in runs, and each
    is drawn separately: letters are not joined across two tokens, and a token of both directions is placed as one.

    Raises CorpusError for more than 5,000 tokens or 20,000 characters, ConfigError for an invalid setting.

    >>> svg = spans_svg(b"low", [TokenSpan(7, b"lo", 0, 2), TokenSpan(9, b"w", 2, 3)])
    >>> svg.count("<rect"), ">lo</text>" in svg, ">w</text>" in svg
    (3, True, True)
    """
    checked_theme(theme)
    checks.whole_number(width, "width", LEAST_WIDTH, MOST_WIDTH)
    caption = checks.given_text(caption, "caption", error=ConfigError)
    checks.true_or_false(ids, "ids")
    check_size(len(spans), count_characters(data))
    colours = THEMES[theme]
    items = list(_items(data, spans))
    least = [_id_width(each) if ids and each.span else 0.0 for each in items]
    room = (width - 2 * _BORDER) / _SIZE
    boxes = wrapped([each.pieces for each in items], room, (2 * _PAD + _GAP) / _SIZE, least)
    height = _LINE + _ID * ids
    fills = [colours.colours[item.span.colour(data)] if item.span else colours.ground for item in items]
    body = _lines(boxes, items, (colours, fills), width, height if ids else 0)
    bottom = _BORDER + height * len(boxes)
    written = _caption(on_one_line(caption), width, bottom, colours) if caption else []
    total = bottom + _BORDER + 20 * len(written) + 6 * bool(written)
    label = escaped(on_one_line(caption)) or f"A text in {len(spans):,} tokens"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{total}" viewBox="0 0 {width} {total}" '
        f'role="img">\n<title>{label}</title>\n'
        f'<rect width="{width}" height="{total}" fill="{colours.ground}"/>\n'
        f'<g font-family="{MONO}" font-size="{_SIZE}" fill="{colours.ink}">\n{"".join(body)}</g>\n'
        f"{''.join(written)}</svg>\n"
    )


def check_size(tokens: int, characters: int) -> None:
    """Raise CorpusError for a text too large to draw.

    >>> check_size(6_000, 7_000)
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: The text has 6,000 tokens and 7,000 characters. A picture has at most 5,000 tokens ...
    """
    if tokens > MOST_TOKENS or characters > MOST_CHARACTERS:
        raise CorpusError(
            message(
                "The text has {tokens:,} tokens and {characters:,} characters.", tokens=tokens, characters=characters
            ),
            limit=message(
                "A picture has at most {most_tokens:,} tokens and {most_characters:,} characters.",
                most_tokens=MOST_TOKENS,
                most_characters=MOST_CHARACTERS,
            ),
            remedy=message("Draw a part of the text."),
        )


def escaped(text: str) -> str:
    """Escape a text for an XML element or an attribute in double quotes; it must contain only valid XML characters.

    >>> escaped('a < "b" ]]>')
    'a &lt; &quot;b&quot; ]]&gt;'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _items(data: bytes, spans: Sequence[TokenSpan]) -> Iterator[_Item]:
    """Tokens of a text, and the text between them."""
    at = 0
    for span in spans:
        if span.start > at:
            yield _between(data[at : span.start])
        yield _token(data, span)
        at = max(at, span.end)
    if at < len(data):
        yield _between(data[at:])


def _between(data: bytes) -> _Item:
    text = decoded(data)
    return _Item(None, pieces(text), text, "")


def _token(data: bytes, span: TokenSpan) -> _Item:
    if span.start == span.end:  # without text: <s>, </w>
        name = marked(span.token.decode("utf-8", "backslashreplace")) or NOTHING
        return _Item(span, [small(name, NAME)], "", f"id {span.id}")
    shown: list[DrawnPiece] = []
    text = ""
    note = f"id {span.id}"
    for part in whole_and_slices(data, span.start, span.end):
        if isinstance(part, Slice):
            shown.append(small(part.data.hex(" ").upper(), HEX))
            text += part.char
            note += f", {part}" if part.char else ""
        else:
            shown += pieces(part)
            text += part
    return _Item(span, shown, text, note)


def _id_width(item: _Item) -> float:
    return NARROW * _ID / _SIZE * len(str(item.span.id)) if item.span else 0.0


# -- writing -------------------------------------------------------------------------------------------------


def _lines(
    lines: list[list[Box]], items: list[_Item], colours: tuple[Theme, list[str]], width: int, below: int
) -> Iterator[str]:
    """Elements of every line. `colours`: theme, and fill of each item. `below`: height of the ids, 0 without."""
    theme, fills = colours
    height = below or _LINE
    for row, (line, base) in enumerate(zip(lines, _bases(lines, items), strict=True)):
        texts = [items[box.item].text[:_LOOKED_AT] for box in line]
        directions = resolved(texts, base)
        order = visual_order(texts, directions, base)
        widths = [box.width * _SIZE + 2 * _PAD for box in line]
        offsets = accumulate((widths[at] + _GAP for at in order), initial=0.0)
        end = sum(widths) + _GAP * (len(line) - 1)
        begin = _BORDER if base == "ltr" else width - _BORDER - end
        lefts = dict(zip(order, (begin + offset for offset in offsets), strict=False))
        for at, box in enumerate(line):
            item = items[box.item]
            place = _Place(lefts[at], _BORDER + height * row, widths[at], directions[at] == "rtl")
            yield _drawn(item, box, place, theme, fills[box.item], bool(below))


def _bases(lines: list[list[Box]], items: list[_Item]) -> list[str]:
    """Direction of every line: that of its paragraph's first directional character."""
    bases: list[str] = []
    text, begun = "", 0
    for row, line in enumerate(lines):
        text += "".join(items[box.item].text for box in line if box.whole)
        if row == len(lines) - 1 or (line and line[-1].pieces[-1].breaks):
            bases += [direction(text)] * (row + 1 - begun)
            text, begun = "", row + 1
    return bases


class _Place(NamedTuple):
    left: float
    top: float
    width: float
    reads_left: bool


def _drawn(item: _Item, box: Box, place: _Place, theme: Theme, fill: str, with_id: bool) -> str:
    """One token on one line: a rectangle, the boxes of names and hex in it, the text, and the id."""
    pad = (place.width - sum(piece.width for piece in box.pieces) * _SIZE) / 2
    shown, lefts = list(box.pieces), []
    left = place.left + pad
    for piece in reversed(shown) if place.reads_left else shown:
        lefts.append(left)
        left += piece.width * _SIZE
    if place.reads_left:
        lefts.reverse()
    base = place.top + 23
    text = _text(shown, lefts, base, theme, fill, place.reads_left)
    frames = "".join(_frame(piece, x, place.top, theme, fill) for piece, x in zip(shown, lefts, strict=True))
    if item.span is None:
        return f"<g>{frames}{text}</g>\n"
    line = theme.outline(fill) if theme.outlined else theme.soft(fill) if item.span.special else ""
    stroke = f' stroke="{line}"' if line else ""
    rect = (
        f'<rect x="{place.left:.1f}" y="{place.top + 4}" width="{place.width:.1f}" height="27" rx="4" fill="{fill}"'
        f"{stroke}/>"
    )
    under = ""
    if with_id and box.whole:
        x = place.left + place.width / 2
        under = (
            f'<text x="{x:.1f}" y="{place.top + 43}" font-size="{_ID}" text-anchor="middle" fill="{theme.pale}">'
            f"{item.span.id}</text>"
        )
    return f"<g><title>{escaped(item.note)}</title>{rect}{frames}{text}{under}</g>\n"


def _text(shown: list[DrawnPiece], lefts: list[float], y: float, theme: Theme, fill: str, reads_left: bool) -> str:
    """Text of a token as one element; each piece at its computed place, independent of the font."""
    way = ' direction="rtl" unicode-bidi="embed"' if reads_left else ""
    if len(shown) == 1:
        where = _at(shown[0], lefts[0], y, theme, fill, reads_left)
        return f'<text{where} xml:space="preserve"{way}>{escaped(shown[0].text)}</text>'
    spans = "".join(
        f"<tspan{_at(piece, x, y, theme, fill, reads_left)}>{escaped(piece.text)}</tspan>"
        for piece, x in zip(shown, lefts, strict=True)
    )
    return f'<text xml:space="preserve"{way}>{spans}</text>'


def _at(piece: DrawnPiece, left: float, y: float, theme: Theme, fill: str, reads_left: bool) -> str:
    """Place, size and colour of a piece as attributes."""
    width = piece.width * _SIZE
    if piece.kind in (NAME, HEX):
        x = left + width / 2
        return f' x="{x:.1f}" y="{y - 2.5:.1f}" text-anchor="middle" font-size="{SMALL * _SIZE:.1f}"'
    colour = f' fill="{theme.soft(fill)}"' if piece.kind == MARK else ""
    if reads_left:
        return f' x="{left + width / 2:.1f}" y="{y:.1f}" text-anchor="middle"{colour}'
    exact = piece.kind == PLAIN and len(piece.text) > 1 and _ASCII.fullmatch(piece.text)
    held = f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"' if exact else ""
    return f' x="{left:.1f}" y="{y:.1f}"{held}{colour}'


def _frame(piece: DrawnPiece, left: float, top: float, theme: Theme, fill: str) -> str:
    """Box around a name, or around hex (dashed)."""
    if piece.kind not in (NAME, HEX):
        return ""
    inset = MARGIN * _SIZE * 0.3
    dashes = ' stroke-dasharray="3 2"' if piece.kind == HEX else ""
    return (
        f'<rect x="{left + inset:.1f}" y="{top + 8}" width="{piece.width * _SIZE - 2 * inset:.1f}" height="19" rx="3" '
        f'fill="none" stroke="{theme.soft(fill)}"{dashes}/>'
    )


def _caption(text: str, width: int, bottom: float, theme: Theme) -> list[str]:
    """Lines of the caption, broken at spaces; a word longer than a line is broken anywhere."""
    room = (width - 2 * _BORDER) / _CAPTION
    lines: list[str] = [""]
    for word in regex.findall(r"\S+\s*|\s+", text):
        if lines[-1] and columns(lines[-1] + word.rstrip()) > room:
            lines.append("")
        for char in word:
            if columns(lines[-1] + char) > room and not char.isspace():
                lines.append("")
            lines[-1] += char
    return [
        f'<text x="{_BORDER}" y="{bottom + 18 + 20 * at}" font-family="{SANS}" font-size="{_CAPTION}" '
        f'fill="{theme.pale}" xml:space="preserve">{escaped(line.strip())}</text>\n'
        for at, line in enumerate(lines)
    ]
