"""▁ in place of spaces: how the pieces of Unigram and SentencePiece write where words begin."""

from __future__ import annotations

from bpe_core.text.splits import WORD_MARK


def marked(word: str) -> str:
    """A word as the model sees it: ▁ in place of the space before it, or added if there is none.

    >>> marked("low"), marked(" low")
    ('▁low', '▁low')
    """
    return WORD_MARK + word.removeprefix(" ")


def marks_as_spaces(token: bytes, *, with_space: bool) -> bytes:
    """A piece as text: spaces in place of ▁, except in front if the piece covers no space there (`with_space`).

    >>> marks_as_spaces("▁low".encode(), with_space=True), marks_as_spaces("▁low".encode(), with_space=False)
    (b' low', b'low')
    """
    text = token.replace(WORD_MARK.encode(), b" ")
    return text if with_space else text.removeprefix(b" ")


def spaces_as_marks(text: bytes, *, begins: bool) -> bytes:
    """A text as a piece: ▁ in place of spaces, and added if it begins a word without one.

    >>> spaces_as_marks(b"low", begins=True).decode(), spaces_as_marks(b" low", begins=True).decode()
    ('▁low', '▁low')
    """
    mark = WORD_MARK.encode()
    return (mark if begins and not text.startswith(b" ") else b"") + text.replace(b" ", mark)
