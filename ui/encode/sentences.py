"""Sentences that answer common questions about a text and its tokens."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import regex

from bpe_core import Token, Tokenizer
from bpe_core.language import _, n_
from bpe_core.text.byte_characters import from_byte_level

LONGEST_LOOKED_AT = 400
"""Maximum characters of a text that are searched for marks of files, and counted as a reader sees them."""

MARKS = regex.compile("[\u0100-\u0143\u2581]|##")
"""Characters that occur in every text with marks of files."""

LONGEST_SPELLED = 64
"""Maximum bytes of a word whose spellings are counted."""

_PIECE_MARK, _INSIDE_MARK = "▁", "##"
_SHOWN = 40


def as_number(token: Token) -> str:
    """Note that a model sees only the id of a token of several characters; "" for other tokens."""
    characters = len(token.bytes.decode("utf-8", "ignore"))
    if token.special or characters < 2:
        return ""
    return _(
        "A model gets the number {id}: the {count:,} characters are not in it, so it cannot see their spelling.",
        id=token.id,
        count=characters,
    )


def with_other_space(tokenizer: Tokenizer, token: Token) -> str:
    """Note on the token that differs only by a preceding space; "" if there is none."""
    if token.special or not token.bytes.decode("utf-8", "ignore").strip(" "):
        return ""
    if token.bytes.startswith(b" "):
        other = tokenizer.token_id(token.bytes[1:])
        return "" if other is None else _("Without its space it is another token, id {id}.", id=other)
    other = tokenizer.token_id(b" " + token.bytes)
    return "" if other is None else _("With a space before it, it is another token, id {id}.", id=other)


def spellings(tokenizer: Tokenizer, word: bytes) -> str:
    """Number of ways to spell a word with tokens of the vocabulary; "" for a long word or a single way."""
    if not 1 < len(word) <= LONGEST_SPELLED:
        return ""
    ways = [1] + [0] * len(word)
    for end in range(1, len(word) + 1):
        ways[end] = sum(ways[at] for at in range(end) if ways[at] and tokenizer.token_id(word[at:end]) is not None)
    if ways[-1] < 2:
        return ""
    return _("{count:,} sequences of tokens decode to this word; the merges always give this one.", count=ways[-1])


def as_seen(text: str) -> str:
    """Number of characters that a reader sees, if a text has fewer of them than code points; else "".

    >>> as_seen("👨‍👩‍👧‍👦")
    '1 as readers see it'
    """
    if text.isascii():
        return ""
    seen = len(regex.findall(r"\X", text))
    return n_("{count:,} as readers see it", "{count:,} as readers see them", seen) if seen < len(text) else ""


def file_marks(text: str) -> list[str]:
    """What the marks of tokenizer files in a text stand for, one sentence a kind.

    >>> file_marks("Ġthe")
    ['“Ġthe” is how files of byte-level tokenizers write “ the”: a character for each byte, and Ġ for a space.']
    """
    head = text[:LONGEST_LOOKED_AT]
    said = []
    found = next(_byte_levels(head), None)
    if found is not None:
        written, read = found
        said.append(
            _(
                "“{written}” is how files of byte-level tokenizers write “{text}”: a character for each byte,"
                " and Ġ for a space.",
                written=written[:_SHOWN],
                text=read[:_SHOWN],
            )
        )
    if _PIECE_MARK in head:
        said.append(_("▁ is how SentencePiece writes a space in its pieces."))
    if any(word.startswith(_INSIDE_MARK) and word[2:].isalnum() for word in head.split()):
        said.append(_("## is how WordPiece marks a piece inside a word."))
    return said


def _byte_levels(text: str) -> Iterator[tuple[str, str]]:
    """Runs of byte characters that are UTF-8 for another text, with that text."""
    for is_run, group in groupby(text, key=lambda char: not char.isspace()):
        run = "".join(group)
        data = from_byte_level(run) if is_run and not run.isascii() else None
        if data is None or not any("\u0100" <= char <= "\u0143" for char in run):
            continue  # plain Latin-1 letters, as in café, are not marks
        try:
            yield run, data.decode()
        except UnicodeDecodeError:
            continue
