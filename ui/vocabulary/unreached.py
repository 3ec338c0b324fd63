"""Tokens that no text becomes: the reason in words, for the table and for the token's card. No widgets."""

from __future__ import annotations

from bpe_core.comparison.reach import Unreached, Why

SHORT: dict[Why, str] = {
    "special": "Special",
    "bytes": "Not in UTF-8",
    "same text": "Same text as another",
    "no merge": "No merge makes it",
    "merges": "Merges otherwise",
    "score": "Others score higher",
    "neighbours": "Merges with its neighbour",
    "normalization": "Normalized away",
    "split": "The split divides it",
    "not found": "No text found",
}
"""The reasons as the table has them."""


def said(found: Unreached) -> str:
    """The reason in a sentence; the tokens that its text becomes follow in the caller's words.

    >>> said(Unreached("bytes"))
    'No text gives it: UTF-8 never has these bytes.'
    """
    return {
        "special": "No plain text gives it: a special token is found by its name, where special tokens are parsed.",
        "bytes": "No text gives it: UTF-8 never has these bytes.",
        "same text": "Its text becomes another token, which has the same.",
        "no merge": "No text gives it: no merge makes it.",
        "merges": "No text gives it: its own parts merge otherwise.",
        "score": "No text gives it: other pieces of the same text have the higher score.",
        "neighbours": "No text gives it: it is part of a character, and merges with whatever completes that.",
        "normalization": "Normalization changes its text before the model sees it; none of the texts tried gives it.",
        "split": "The split divides its text; none of the texts tried gives it.",
        "not found": "None of the texts tried gives it; that is no proof.",
    }[found.why]
