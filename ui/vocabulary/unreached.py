"""Reasons why no text produces a token, in words for the table and the token's card. No widgets."""

from __future__ import annotations

from bpe_core.comparison.reach import Why
from bpe_core.language import message

SHORT: dict[Why, str] = {
    "special": message("Special"),
    "special piece": message("Probably special"),
    "bytes": message("Not in UTF-8"),
    "same text": message("Same text as another"),
    "no merge": message("No merge makes it"),
    "merges": message("Merges otherwise"),
    "score": message("Others score higher"),
    "neighbours": message("Merges with its neighbour"),
    "normalization": message("Probably normalized away"),
    "split": message("Probably split"),
    "not found": message("Probably: no text found"),
}
"""Short reasons for the table, as untranslated messages."""

SENTENCES: dict[Why, str] = {
    "special": message(
        "No plain text gives it: a special token is found by its name, where special tokens are parsed."
    ),
    "special piece": message("Probably no plain text gives it: it is a special token, and no text tried gives it."),
    "bytes": message("No text gives it: UTF-8 never has these bytes."),
    "same text": message("No text gives it: its text becomes another token, which has the same."),
    "no merge": message("No text gives it: no merge makes it."),
    "merges": message("No text gives it: its own parts merge otherwise."),
    "score": message("No text gives it: other pieces of the same text have the higher score."),
    "neighbours": message("No text gives it: it is part of a character, and merges with whatever completes that."),
    "normalization": message(
        "Probably no text gives it: normalization changes its text before the model sees it, and no text tried "
        "gives it."
    ),
    "split": message("Probably no text gives it: the split divides its text, and no text tried gives it."),
    "not found": message("Probably no text gives it: no text tried does."),
}
"""Reasons in a sentence, as untranslated messages; the caller appends the tokens of the text."""
