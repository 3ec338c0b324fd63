"""▁ for spaces: the word-start marks in pieces of Unigram and SentencePiece."""

from __future__ import annotations

from bpe_core.text.splits import WORD_MARK


def marked(word: str) -> str:
    """Model input for a word: ▁ for the space before it, or prepended if there is none.

    >>> marked("low"), marked(" low")
    ('▁low', '▁low')
    """
    return WORD_MARK + word.removeprefix(" ")


def marks_as_spaces(token: bytes, *, with_space: bool) -> bytes:
    """Text of a piece: spaces for ▁, without a leading ▁ unless the piece covers a space there (`with_space`).

    >>> marks_as_spaces("▁low".encode(), with_space=True), marks_as_spaces("▁low".encode(), with_space=False)
    (b' low', b'low')
    """
    text = token.replace(WORD_MARK.encode(), b" ")
    return text if with_space else text.removeprefix(b" ")


def spaces_as_marks(text: bytes, *, begins: bool) -> bytes:
    """Spelling of a text as a piece: ▁ for spaces, and prepended if it begins a word without one.

    >>> spaces_as_marks(b"low", begins=True).decode(), spaces_as_marks(b" low", begins=True).decode()
    ('▁low', '▁low')
    """
    mark = WORD_MARK.encode()
    return (mark if begins and not text.startswith(b" ") else b"") + text.replace(b" ", mark)
