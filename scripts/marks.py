"""Update the character sets and emoji sequences of bpe_core/text/marks.json: python scripts/marks.py

The sets come from the Unicode data of regex, the sequences from Streamlit's list of emoji. Run it after upgrading
either to a new version of Unicode; names and signs in the table are edited by hand.
"""

from __future__ import annotations

import json
from pathlib import Path

import regex
from streamlit.emojis import ALL_EMOJIS

TABLE = Path(__file__).resolve().parents[1] / "bpe_core" / "text" / "marks.json"

# Blank, although letters or symbols in Unicode: an empty braille cell, a null note head, blanks of hieroglyphs.
BLANK = r"\u2800\U0001d159\U00013441\U00013442"
# Drawn only in some fonts: the enclosing keycap, the object replacement character, a selector of Duployan and a filler
# of Khitan.
RARELY_DRAWN = r"\u20e3\ufffc\U0001bc9d\U00016fe4"

SETS = {
    "hidden": rf"[\p{{C}}\p{{Z}}\p{{Default_Ignorable_Code_Point}}{BLANK}{RARELY_DRAWN}]",
    "combining": r"\p{M}",
    "pictographs": r"(?=\p{Extended_Pictographic})\P{Cn}",  # reserved code points are named like other unassigned ones
    "text_pictographs": r"(?=\p{Extended_Pictographic})(?=\p{Emoji})\P{Emoji_Presentation}",
}


def ranges_of(pattern: str) -> list[tuple[int, int]]:
    """First and last code point of each range of characters matching a pattern."""
    found: list[tuple[int, int]] = []
    matches = regex.compile(pattern).match
    for code in range(0x110000):
        if not matches(chr(code)):
            continue
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return found


def packed(ranges: list[tuple[int, int]]) -> str:
    """Ranges as text: distance from the end of the previous range, "+", length minus one; in base 36.

    >>> packed([(0, 0), (100, 136)])
    '0 2s+10'
    """
    parts, end = [], 0
    for first, last in ranges:
        parts.append(_base_36(first - end) + (f"+{_base_36(last - first)}" if last > first else ""))
        end = last
    return " ".join(parts)


def _base_36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits


JOINER, SELECTOR, SKIN = "\u200d", "\ufe0f", "\U0001f3fb"


def sequences() -> list[str]:
    """Emoji composed with joiners, without the joiners and selectors; SKIN marks the place of an optional skin tone.

    >>> "👩🏻🚀" in sequences()
    True
    """
    toned: dict[tuple[str, ...], set[int]] = {}
    for emoji in ALL_EMOJIS:
        if JOINER in emoji:
            parts = emoji.replace(SELECTOR, "").split(JOINER)
            tones = toned.setdefault(tuple(part[0] for part in parts), set())
            tones |= {at for at, part in enumerate(parts) if len(part) > 1}
    return sorted(
        "".join(char + SKIN * (at in tones) for at, char in enumerate(chars)) for chars, tones in toned.items()
    )


def main() -> None:
    """Update the table in place."""
    table = json.loads(TABLE.read_text("utf-8"))
    table["sets"] = {name: packed(ranges_of(pattern)) for name, pattern in SETS.items()}
    table["sequences"] = " ".join(sequences())
    TABLE.write_text(json.dumps(table, ensure_ascii=False, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
