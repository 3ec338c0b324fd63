"""Patterns of splits: those whose words consist of several ordinary words, and named ones for ASCII texts only."""

from __future__ import annotations

import re

ACROSS_WORDS = (
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]{2,}[\r\n/]*| +(?!\S)"
    r"|(?:\p{L}++| (?=\p{L})|(?!\p{N}| ?[^\s\p{L}\p{N}]{2}| +(?!\S))[\s\S])++"
)
"""SuperBPE's words once merges cross spaces: digits, punctuation, all but the last of several spaces, and the rest."""

WORD_RUNS = {
    "gpt2": r"(?:'(?:[sdmt]|ll|ve|re)| ?\p{L}+)++| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "cl100k": (
        r"(?:'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++)++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
    ),
    "o200k": (
        r"(?:[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?)++"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
}
"""Patterns of these splits with adjacent words of letters joined to one word."""


_CLASSES = {"L": "a-zA-Z", "N": "0-9", "Lu": "A-Z", "Ll": "a-z", "Lt": "", "Lm": "", "Lo": "", "M": ""}
_SET = re.compile(r"(\[(?:\\.|[^\]])*\])")
_CLASS = re.compile(r"\\p\{(\w+)\}")


def ascii_pattern(pattern: str) -> re.Pattern[str]:
    r"""Translate a pattern of the regex library to an equivalent one for ASCII texts.

    Raises KeyError for classes other than letters, numbers and marks.

    >>> ascii_pattern(r" ?\p{L}++|[^\s\p{L}]").pattern
    ' ?[a-zA-Z]++|[^\\sa-zA-Z]'
    >>> ascii_pattern(r" ?\p{L}++|[^\s\p{L}]").findall("it's")
    ['it', "'", 's']
    """
    parts = _SET.split(pattern)  # every second part is a set
    parts[1::2] = [_CLASS.sub(lambda found: _CLASSES[found[1]], part) for part in parts[1::2]]
    parts[::2] = [_CLASS.sub(lambda found: f"[{_CLASSES[found[1]]}]", part) for part in parts[::2]]
    return re.compile("".join(parts), re.ASCII)


_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_LOCAL = (
    *(r"<\|startoftext\|>|<\|endoftext\|>", "'s|'t|'re|'ve|'m|'ll|'d", _CONTRACTIONS),
    *("'(?:[sdmt]|ll|ve|re)", "'(?i:[sdmt]|ll|ve|re)"),
    *(r" ?\p{L}+", r"[\p{L}]+", r"[^\r\n\p{L}\p{N}]?\p{L}+", r"[^\r\n\p{L}\p{N}]?+\p{L}++"),
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+" + _CONTRACTIONS + "?",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*" + _CONTRACTIONS + "?",
    *(r"[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+", r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"""),
    *(r" ?\p{N}+", r"\p{N}", r"[\p{N}]", r"\p{N}{1,3}", r"\p{N}{1,3}+", "[0-9][0-9][0-9]", "[一-龥぀-ゟ゠-ヿ]+"),
    *(r" ?[^\s\p{L}\p{N}]+", r"[^\s\p{L}\p{N}]+", r" ?[^\s\p{L}\p{N}]+[\r\n]*", r" ?[\p{P}\p{S}]+[\r\n]*"),
    *(r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r" ?[^\s\p{L}\p{N}]++[\r\n]*+"),
    *(r"\s*[\r\n]+", r"\s*[\r\n]", r"\s++$", r"\s+(?!\S)", r"\s+", r"\s"),
)
"""Alternatives of published patterns. A match that holds a letter or digit ends before white space and punctuation,
and no other looks back or farther ahead than one character."""

_LOCAL_PATTERN = re.compile("(?:{0})(?:[|](?:{0}))*".format("|".join(map(re.escape, _LOCAL))))
_LOCAL_TEXT = re.compile("(?s:.)[!-+.-~-]*")


def is_local_pattern(pattern: str, *, literal: bool = False) -> bool:
    r"""Whether no match continues from a letter or digit over white space or a comma, as in published patterns.

    A `literal` text is not a pattern: it must contain neither, except as its first character.

    >>> is_local_pattern(r"\p{N}| ?\p{L}+"), is_local_pattern(r"\S+ \S+"), is_local_pattern("<s>", literal=True)
    (True, False, True)
    """
    if literal:
        return bool(_LOCAL_TEXT.fullmatch(pattern))
    return bool(_LOCAL_PATTERN.fullmatch(pattern.replace("\r", r"\r").replace("\n", r"\n")))
