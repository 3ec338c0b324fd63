"""Numbers that an English text says in words, as the digits that a translation may have for them."""

import re

NUMERALS = {
    **{
        "three": "3",
        "third": "3",
        "threes": "3",
        "four": "4",
        "fourth": "4",
        "five": "5",
        "fifth": "5",
        "six": "6",
        "seven": "7",
    },
    **{"eight": "8", "nine": "9", "ten": "10", "tenth": "10", "eleven": "11", "twelve": "12", "thirteen": "13"},
    **{"twenty": "20", "hex": "16", "million": "100"},  # 100万
    **{"zero": "0", "no": "0", "nothing": "0", "half": "1.5"},  # half as many again
}
"""Numbers in words. One and two are not among them: languages with counters say "1つの" for "a", "2つの" for "the"."""

SMALL = {"1", "2"}


def in_words(english: str) -> set[str]:
    """Numbers that a text says in words, from three to twelve, and a few others."""
    return {NUMERALS[word] for word in re.findall(r"[a-z]+", english.lower()) if word in NUMERALS}
