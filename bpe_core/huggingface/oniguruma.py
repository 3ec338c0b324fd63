"""Translation of this project's split patterns to Oniguruma, the regex syntax of the tokenizers library's files.

Many identical constructs have different meanings in the two syntaxes. Only those with the same meaning are translated:
characters, classes without set operations, groups, alternatives, lookahead, lookbehind and repeats. The named splits
have hand-written counterparts. oniguruma_reading.py reads the patterns of other programs.
"""

from __future__ import annotations

import re

from bpe_core.errors import FormatError, quoted, refuse
from bpe_core.huggingface.pattern_parts import PatternPart, UnknownPatternError
from bpe_core.language import listed, message
from bpe_core.text.pattern_limits import LONGEST_PATTERN
from bpe_core.text.splits import BERT_SPLIT, PATTERNS

_WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\u200c\u200d"
"""\\w of the regex library; Oniguruma's own has ² and ½, but not the two joiners."""

_CHINESE = (
    "\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f"
)
_PUNCTUATION = r"!-/:-@\[-`{-~\p{P}"
CHINESE_SPLIT = rf"[{_PUNCTUATION}{_CHINESE}]|[^\s{_PUNCTUATION}{_CHINESE}]+"
"""BERT's split with every Chinese character as a word."""

_ONIGURUMA = {
    CHINESE_SPLIT: CHINESE_SPLIT,
    "gpt2": PATTERNS["gpt2"],
    "words": PATTERNS["words"],
    # In Oniguruma {1,3}+ is a nested repeat, and $ matches at every line end: hence atomic groups and \z.
    "cl100k": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|(?>\p{N}{1,3})| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|(?>\s+)\z|\s*[\r\n]|\s+(?!\S)|\s"
    ),
    "o200k": PATTERNS["o200k"],
    BERT_SPLIT: rf"[{_PUNCTUATION}]|[^\s{_PUNCTUATION}]+",
}
_FROM_ONIGURUMA = {pattern: split for split, pattern in _ONIGURUMA.items()} | {
    # The spelling in GPT-2's tokenizer.json files.
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": "gpt2",
}
_OTHERS_WHOLE = (  # Llama 3 and similar models; Qwen 2
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+",
)
WHOLE = frozenset(("gpt2", "cl100k", "o200k", *_OTHERS_WHOLE))
"""Splits whose words cover every text completely."""

_PROPERTIES = (
    "L|Lu|Ll|Lt|Lm|Lo|M|Mn|Mc|Me|N|Nd|Nl|No|P|Pc|Pd|Ps|Pe|Pi|Pf|Po|S|Sm|Sc|Sk|So|Z|Zs|Zl|Zp|Han|Hiragana|Katakana|"
    "Latin|Greek|Cyrillic|Arabic|Hebrew|Thai|Hangul|Devanagari|Alphabetic|White_Space"
)
# Escapes with the same meaning in both; \w and \W are handled separately.
_ESCAPE = rf"\\(?:[nrtfvsSdD]|[pP]\{{\^?(?:{_PROPERTIES})\}}|[^\w\s])"
_PLAIN = r"[^\\\[\](){}.*+?|^$#&~\-\s]"  # a literal character, inside and outside classes
_SPACE = r"[ \u00a0\u3000]"
_CONTRACTIONS = ("(?i:'s|'t|'re|'ve|'m|'ll|'d)", "(?i:[sdmt]|ll|ve|re)")
_CLASS_ITEM = re.compile(rf"{_ESCAPE}|\\[wW]|(?:{_PLAIN}|{_SPACE}|[.*+?|(){{}}$#^])(?:-(?:{_PLAIN}))?")
_ITEM = re.compile(rf"{_ESCAPE}|\\[wW]|{_PLAIN}|{_SPACE}|[-&~#.]")
_REPEAT = re.compile(r"(?:[*+?]|\{(\d+)(?:,(\d*))?\})([?+]?)")
_OPENINGS = ("(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>")


def to_oniguruma(split: str) -> str:
    """Translate a split to Oniguruma. Raises FormatError if its meaning could change.

    >>> to_oniguruma("words"), to_oniguruma(r"\\d+|\\s")
    ('\\\\S+', '\\\\d+|\\\\s')
    """
    return _ONIGURUMA[split] if split in _ONIGURUMA else _translated(split)


def own_split(pattern: str) -> str | None:
    """Inverse of `to_oniguruma`: a name, or a pattern with the same meaning in both; None if there is none.

    >>> own_split(r"\\S+"), own_split("a+"), own_split(r"\\h+")
    ('words', 'a+', None)
    """
    known = _FROM_ONIGURUMA.get(pattern)
    if known is not None:
        return known
    try:
        return pattern if pattern not in _ONIGURUMA and _translated(pattern) == pattern else None
    except FormatError:
        return None


def _translated(pattern: str) -> str:
    try:
        if len(pattern) > LONGEST_PATTERN:
            raise UnknownPatternError(LONGEST_PATTERN, message("what follows"))
        part, end = _alternatives(pattern, 0, 0)
        if end < len(pattern):
            raise UnknownPatternError(end, ")")
        if not part.least:
            raise UnknownPatternError(0, message("a pattern that matches no characters"))
    except UnknownPatternError as unknown:
        refuse(
            message(
                "The split is {pattern}: at character {position:,}, {part} may not mean the same in the "
                "tokenizers library as here.",
                pattern=quoted(pattern),
                position=unknown.at,
                part=unknown.what,
            ),
            message(
                "Translated are characters, classes, groups, alternatives, lookarounds, repeats, and the "
                "named splits {names}.",
                names=listed(tuple(PATTERNS), last=""),
            ),
            message('Save it as "bpe-lab", or use a simpler split.'),
        )
    return part.text


def _alternatives(pattern: str, at: int, depth: int) -> tuple[PatternPart, int]:
    if depth > 20:
        raise UnknownPatternError(at, message("a group nested so deeply"))
    texts, leasts = [], []
    while True:
        part, at = _sequence(pattern, at, depth)
        texts.append(part.text)
        leasts.append(part.least)
        if pattern[at : at + 1] != "|":
            return PatternPart("|".join(texts), min(leasts)), at
        at += 1


def _sequence(pattern: str, at: int, depth: int) -> tuple[PatternPart, int]:
    text, least = "", 0
    while at < len(pattern) and pattern[at] not in "|)":
        part, at = _item(pattern, at, depth)
        found = _REPEAT.match(pattern, at)
        if found:
            repeat, counted = found[0], found[1] is not None
            if found[3] == "+" and counted:
                raise UnknownPatternError(
                    at, message("the repeat {repeat}", repeat=repeat)
                )  # a nested repeat in Oniguruma, possessive in regex
            if counted and (found[3] or (found[2] is not None and int(found[2] or 1 << 30) < int(found[1]))):
                raise UnknownPatternError(at, message("the repeat {repeat}", repeat=repeat))
            if not part.least:
                raise UnknownPatternError(at, message("a repeat of what may match nothing"))
            at = found.end()
            if _REPEAT.match(pattern, at):
                raise UnknownPatternError(at, message("a repeat of a repeat"))
            least += part.least * (int(found[1]) if counted else int(repeat[0] == "+"))
            text += part.text + repeat
        else:
            text, least = text + part.text, least + part.least
    return PatternPart(text, least), at


def _item(pattern: str, at: int, depth: int) -> tuple[PatternPart, int]:
    for known in _CONTRACTIONS:
        if pattern.startswith(known, at):
            return PatternPart(known, 1), at + len(known)
    if pattern[at] == "[":
        return _class(pattern, at)
    if pattern[at] == "(":
        opening = next((each for each in sorted(_OPENINGS, key=len, reverse=True) if pattern.startswith(each, at)), "")
        if not opening and pattern[at + 1 : at + 2] in ("?", "*", ""):
            raise UnknownPatternError(at, message("the group {group}", group=pattern[at : at + 4]))
        inner, end = _alternatives(pattern, at + len(opening or "("), depth + 1)
        if pattern[end : end + 1] != ")":
            raise UnknownPatternError(at, message("an unclosed group"))
        if opening.startswith("(?<") and re.search(r"[*+?{(|]", inner.text):
            raise UnknownPatternError(at, message("a lookbehind of variable length"))
        looks = opening in ("(?=", "(?!", "(?<=", "(?<!")
        return PatternPart(f"{opening or '(?:'}{inner.text})", 0 if looks else inner.least), end + 1
    found = _ITEM.match(pattern, at)
    if found is None:
        raise UnknownPatternError(at, quoted(pattern[at : at + 2]))
    return PatternPart(_written(found[0], inside=False), 1), found.end()


def _class(pattern: str, at: int) -> tuple[PatternPart, int]:
    begin = at
    text = "["
    at += 1
    if pattern[at : at + 1] == "^":
        text, at = text + "^", at + 1
    items = 0
    while pattern[at : at + 1] != "]":
        found = _CLASS_ITEM.match(pattern, at)
        if found is None or not found[0]:
            raise UnknownPatternError(at, message("{character} in a class", character=quoted(pattern[at : at + 2])))
        text, at, items = text + _written(found[0], inside=True), found.end(), items + 1
    if not items:
        raise UnknownPatternError(begin, message("an empty class"))
    return PatternPart(text + "]", 1), at + 1


def _written(item: str, *, inside: bool) -> str:
    if item == r"\w":
        return _WORD if inside else f"[{_WORD}]"
    if item == r"\W" and not inside:
        return f"[^{_WORD}]"
    if item == r"\W":
        raise UnknownPatternError(0, item)
    return item
