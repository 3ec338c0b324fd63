"""Tokens of a tokenizer as chips; byte pieces are shown with the characters that they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bpe_core.language import TranslatableMessage, counted, message
from bpe_core.payloads.chips import Chip
from bpe_core.text.marks import marked
from bpe_core.text.utf8 import whole_characters
from bpe_core.tokenizer.tokenizer import Tokenizer

LONGEST_SHOWN = 40
"""Limit on the characters of one text that a sentence quotes."""

_LONGEST_SEARCHED = 200
"""Maximum bytes of a token whose characters are searched for in a text."""


def chip(tokenizer: Tokenizer, token_id: int, text: bytes = b"") -> Chip:
    """A token as a chip; `text` is searched for the characters that its byte pieces belong to.

    >>> from bpe_core import load_pretrained
    >>> chip(load_pretrained("gpt2"), 1169).pieces
    (('the', False),)
    """
    data = tokenizer.token_bytes(token_id)
    if token_id in tokenizer.special_tokens.values():
        return Chip.of_label(token_id, data.decode())
    made = Chip.of_bytes(token_id, data)
    return replace(made, above=_characters_around(data, text)) if made.has_bytes else made


def chips_of(tokenizer: Tokenizer, ids: Sequence[int], text: bytes, start: int = 0) -> tuple[Chip, ...]:
    """Tokens of a text from byte `start` on as chips; byte pieces are shown with the characters at their place.

    Tokens that do not spell the text there, for example because of a normalizer, are searched for in the whole text.

    >>> from bpe_core import load_pretrained
    >>> gpt2, text = load_pretrained("gpt2"), "こち".encode()
    >>> [each.above for each in chips_of(gpt2, [46036, 2515, 94], text)], chip(gpt2, 2515, text).above
    (['', 'ち', 'ち'], 'こ…')
    """
    chips = []
    for token_id in ids:
        made = chip(tokenizer, token_id)
        data = tokenizer.token_bytes(token_id)
        if made.has_bytes:
            is_here = text.startswith(data, start)
            first, last = whole_characters(text, start, start + len(data))
            above = text[first:last].decode("utf-8", "ignore") if is_here else _characters_around(data, text)
            made = replace(made, above=above)
        chips.append(made)
        start += len(data)
    return tuple(chips)


def pair_chips(tokenizer: Tokenizer, left: int, right: int, text: bytes = b"") -> tuple[Chip, Chip]:
    """A pair as chips; byte pieces are shown with the characters they belong to in an occurrence of the pair.

    >>> from bpe_core import load_pretrained
    >>> [each.above for each in pair_chips(load_pretrained("gpt2"), 33768, 98, "日".encode())]
    ['日', '日']
    """
    return chip_in_pair(tokenizer, left, right, 0, text), chip_in_pair(tokenizer, left, right, 1, text)


def chip_in_pair(tokenizer: Tokenizer, left: int, right: int, side: int, text: bytes) -> Chip:
    """The left (0) or right (1) token of a pair.

    >>> from bpe_core import load_pretrained
    >>> chip_in_pair(load_pretrained("gpt2"), 400, 258, 1, b"").id
    258
    """
    made = chip(tokenizer, (left, right)[side])
    if not made.has_bytes:
        return made
    first, second = tokenizer.token_bytes(left), tokenizer.token_bytes(right)
    place = ((0, len(first)), (len(first), len(first) + len(second)))[side]
    above = _characters_around(first + second, text, place)
    return replace(made, above=above) if above else chip(tokenizer, made.id, text)


def _characters_around(data: bytes, text: bytes, part: tuple[int, int] | None = None) -> str:
    """Characters in `text` that these bytes, or a part of them, belong to.

    The first one, with "…" if there are several; "" for bytes that are whole characters, and for long ones.

    >>> _characters_around(b"\\xe3\\x81", "ここはどこ".encode())
    'こ…'
    >>> _characters_around("こは".encode(), "ここはどこ".encode(), (0, 2))
    'こ'
    """
    if len(data) > min(len(text), _LONGEST_SEARCHED):
        return ""
    begin, end = part or (0, len(data))
    try:
        data[begin:end].decode()
    except UnicodeDecodeError:
        found: list[str] = []
        at = text.find(data)
        while at >= 0 and len(found) < 2:
            first, last = whole_characters(text, at + begin, at + end)
            characters = text[first:last].decode("utf-8", "ignore")
            if characters not in found:
                found.append(characters)
            at = text.find(data, max(last, at + len(data)))
        return found[0] + ("…" if len(found) > 1 else "") if found else ""
    return ""


def shown(data: bytes) -> str:
    """Readable form of bytes: text in quotation marks with visible white space, or hex if they are not text.

    >>> shown(b" a\\n"), shown(b"\\xe3\\x81")
    ('“·a↵”', 'bytes E3 81')
    """
    text = plain(data)
    return text if isinstance(text, TranslatableMessage) else message("“{text}”", text=text)


def plain(token: bytes) -> str:
    """A token for use in sentences: text with marked white space, or a message with its hex if it is not text.

    >>> plain(b" low"), plain(b"\\x93")
    ('·low', 'byte 93')
    """
    try:
        text = token.decode()
    except UnicodeDecodeError:
        text = ""
    if not text:
        if not token:
            return message("nothing")
        more = " …" if len(token) > LONGEST_SHOWN else ""
        return counted("byte {hex}", "bytes {hex}", len(token), hex=token[:LONGEST_SHOWN].hex(" ").upper() + more)
    return marked(text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…")
