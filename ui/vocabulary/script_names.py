"""The scripts of tokens, which `bpe_core.text.scripts` has by their English names, as people are told them."""

from __future__ import annotations

from collections.abc import Mapping

from bpe_core.language import message

SCRIPT_NAMES: Mapping[str, str] = {
    "Latin": message("Latin"),
    "Greek": message("Greek"),
    "Cyrillic": message("Cyrillic"),
    "Han": message("Han"),
    "Hiragana": message("Hiragana"),
    "Katakana": message("Katakana"),
    "Hangul": message("Hangul"),
    "Arabic": message("Arabic"),
    "Hebrew": message("Hebrew"),
    "Devanagari": message("Devanagari"),
    "Bengali": message("Bengali"),
    "Gurmukhi": message("Gurmukhi"),
    "Gujarati": message("Gujarati"),
    "Tamil": message("Tamil"),
    "Telugu": message("Telugu"),
    "Kannada": message("Kannada"),
    "Malayalam": message("Malayalam"),
    "Sinhala": message("Sinhala"),
    "Thai": message("Thai"),
    "Lao": message("Lao"),
    "Khmer": message("Khmer"),
    "Myanmar": message("Myanmar"),
    "Tibetan": message("Tibetan"),
    "Georgian": message("Georgian"),
    "Armenian": message("Armenian"),
    "Ethiopic": message("Ethiopic"),
    "Digits": message("Digits"),
    "Punctuation": message("Punctuation"),
    "White space": message("White space"),
    "Emoji": message("Emoji"),
    "Mixed": message("Mixed"),
    "Other": message("Other"),
    "Part of a character": message("Part of a character"),
    "Special token": message("Special token"),
}
"""To be `said`; one for each of `SCRIPTS`."""
