"""Translation of the tokenizers library's Oniguruma patterns to the regex library.

Every construct is translated to an equivalent, or refused by name. The chain of pre-tokenizers handles empty matches,
and characters known to only one of the libraries.
"""

from __future__ import annotations

import re

import regex

from bpe_core.errors import quoted, refuse
from bpe_core.huggingface import oniguruma_names as names
from bpe_core.huggingface.pattern_parts import PatternPart, UnknownPatternError
from bpe_core.language import TranslatableMessage, message
from bpe_core.text.pattern_limits import LONGEST_PATTERN, LONGEST_TRANSLATED, MOST_REPEATS, compile_within_limits
from bpe_core.text.pattern_problems import pattern_problem

_CLASSES = {"w": names.WORD_IN_CLASS, "h": names.HEX, "d": r"\d", "s": r"\s"}
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
_ANCHORS = {
    "A": r"\A",
    "z": r"\Z",
    "Z": r"(?=\n?\Z)",
    "b": rf"(?:(?<=[{names.WORD}])(?![{names.WORD}])|(?<![{names.WORD}])(?=[{names.WORD}]))",
    "B": rf"(?:(?<=[{names.WORD}])(?=[{names.WORD}])|(?<![{names.WORD}])(?![{names.WORD}]))",
}
_LINE_START = r"(?:\A|(?<=\n)(?!\Z))"
_LINE_END = r"(?=\n|\Z)"
_ANY = r"[\s\S]"
_NEWLINE = r"(?>\r\n|[\n-\r\x85\u2028\u2029])"

_REPEAT = re.compile(r"(?:[*+?]|\{(\d*)(?:(,)(\d*))?\})")
_HEX_CODE = re.compile(r"x\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-7][0-9A-Fa-f])(?![0-9A-Fa-f])")
_OPENINGS = ("(?<=", "(?<!", "(?:", "(?=", "(?!", "(?>")
_FLAGS = re.compile(r"\(\?(?!\))([imx]*)(-[imx]*)?(:|\))")
_NO_REPEATS = ("{}", "{,}")
_NAMED = re.compile(r"\(\?<[A-Za-z_]\w*>")
_DEEPEST = 20
_CASELESS = (r"\s", r"\S", r"\d", r"\D")
# Pairs of letters that case-insensitive Oniguruma matches with one character: ß, ﬀ, ﬁ, ﬂ, ﬆ.
_FOLDED_PAIRS = ("ss", "ff", "fi", "fl", "st")


def translated(pattern: str, place: str) -> str:
    """Translate an Oniguruma pattern to an equivalent for the regex library. `place` is for messages.

    Raises FormatError, which names the construct that cannot be translated.

    >>> translated(r"(?i:'s)|\\p{Letter}+", "pre_tokenizer")
    "(?:'[sSſ])|\\\\p{L}+"
    """
    try:
        if len(pattern) > LONGEST_PATTERN:
            raise UnknownPatternError(LONGEST_PATTERN, message("what follows"))
        text = _Reader(pattern).whole()
        compile_within_limits(text, LONGEST_TRANSLATED)
    except UnknownPatternError as unknown:
        refuse(
            message(
                "{place} is {pattern}: at character {position:,}, {part} cannot be translated.",
                place=place,
                pattern=quoted(pattern),
                position=unknown.at,
                part=unknown.what,
            ),
            message("Patterns of characters, classes, groups, alternatives, lookarounds and repeats are read."),
            message("Use the file with the tokenizers library."),
        )
    except (regex.error, OverflowError, RecursionError, ValueError, KeyError, IndexError) as error:
        refuse(
            message(
                "{place} is {pattern}, which is not a valid pattern: {reason}.",
                place=place,
                pattern=quoted(pattern),
                reason=pattern_problem(error),
            ),
            message("It must be a regular expression."),
        )
    return text


class _Reader:
    """Recursive-descent translator of a pattern; `_at` is the next character to read."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._flags = frozenset[str]()
        self._repeats = 1

    def whole(self) -> str:
        """Translate the whole pattern."""
        part = self._alternatives(0)
        if self._at < len(self._pattern):
            raise UnknownPatternError(self._at, message("the ) without a ("))
        return part.text

    def _starts(self, text: str) -> bool:
        return self._pattern.startswith(text, self._at)

    def _alternatives(self, depth: int) -> PatternPart:
        if depth > _DEEPEST:
            raise UnknownPatternError(self._at, message("a group nested so deeply"))
        before = self._flags
        texts, leasts = [], []
        while True:
            part = self._sequence(depth)
            texts.append(part.text)
            leasts.append(part.least)
            if not self._starts("|"):
                self._flags = before
                return PatternPart("|".join(texts), min(leasts))
            self._at += 1

    def _sequence(self, depth: int) -> PatternPart:
        text, least = "", 0
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            if self._skip():
                continue
            flags = _FLAGS.match(self._pattern, self._at)
            if flags and flags[3] == ")":
                self._set_flags(flags)
                if not text:
                    continue
                rest = self._alternatives(depth + 1)  # flags change what follows, alternatives included
                return PatternPart(f"{text}(?:{rest.text})", least + rest.least)
            if "i" in self._flags and any(
                self._pattern[self._at : self._at + 2].lower() == pair for pair in _FOLDED_PAIRS
            ):
                raise UnknownPatternError(self._at, _caseless(self._pattern[self._at : self._at + 2]))
            part = self._repeated(self._item(depth))
            text, least = text + part.text, least + part.least
        return PatternPart(text, least)

    def _skip(self) -> bool:
        """Skip comments, and white space where flag x ignores it. Returns whether there were any."""
        skipped = (names.SKIPPED_IF_EXTENDED if "x" in self._flags else names.SKIPPED).match(self._pattern, self._at)
        if skipped is None:
            return False
        beside = self._pattern[: self._at][-1:] + self._pattern[skipped.end() :][:1]
        if "i" in self._flags and beside.lower() in _FOLDED_PAIRS:
            raise UnknownPatternError(self._at, _caseless(beside))
        self._at = skipped.end()
        return True

    def _set_flags(self, flags: re.Match[str]) -> None:
        self._flags = (self._flags | {*flags[1]}) - {*(flags[2] or "")}
        self._at = flags.end()

    def _repeated(self, part: PatternPart) -> PatternPart:
        self._skip()
        found = _REPEAT.match(self._pattern, self._at)
        if found is None or found[0] in _NO_REPEATS:
            return part
        if not part.least:
            raise UnknownPatternError(self._at, message("a repeat of what may match nothing"))
        self._at = found.end()
        counted = found[0][0] == "{"
        low = int(found[1] or 0) if counted else int(found[0] == "+")
        if counted:
            self._check_counts(found, low)
        suffix = self._pattern[self._at : self._at + 1]
        text, least = part.text + found[0].replace("{,", "{0,"), part.least * low
        # {n,m}+ and {n}? are nested repeats in Oniguruma, but possessive and lazy in the regex library.
        if suffix in ("?", "+") and suffix:
            self._at += 1
            again = counted and (suffix == "+" or not found[2])
            text = f"(?:{text}){suffix}" if again else text + suffix
            if again and not least:
                raise UnknownPatternError(found.start(), message("a repeat of what may match nothing"))
            least = 0 if again and suffix == "?" else least
        following = _REPEAT.match(self._pattern, self._at)
        if following and following[0] not in _NO_REPEATS:
            raise UnknownPatternError(self._at, message("a repeat of a repeat"))
        return PatternPart(text, least)

    def _check_counts(self, found: re.Match[str], low: int) -> None:
        high = int(found[3] or low) if found[2] else low
        self._repeats *= max(1, low, high)
        if high < low or (not found[1] and not found[3]) or self._repeats > MOST_REPEATS:
            raise UnknownPatternError(found.start(), message("the repeat {repeat}", repeat=quoted(found[0])))

    def _item(self, depth: int) -> PatternPart:
        char = self._pattern[self._at]
        if char == "(":
            return self._group(depth)
        if char == "[":
            return PatternPart(self._class(depth), 1)
        found = _REPEAT.match(self._pattern, self._at)
        if found and found[0] not in _NO_REPEATS:
            raise UnknownPatternError(self._at, message("the repeat {sign} of nothing", sign=char))
        if char == "\\":
            return self._escape()
        self._at += 1
        if char in ".^$":
            any_character = PatternPart(_ANY if "m" in self._flags else r"[^\n]", 1)
            return {".": any_character, "^": PatternPart(_LINE_START, 0), "$": PatternPart(_LINE_END, 0)}[char]
        return PatternPart(self._literal(char), 1)

    def _group(self, depth: int) -> PatternPart:
        begin = self._at
        flags = _FLAGS.match(self._pattern, begin)
        opening = next((each for each in _OPENINGS if self._starts(each)), "")
        before = self._flags
        if flags:
            opening = "(?:"
            self._set_flags(flags)
        elif opening:
            self._at += len(opening)
        elif named := _NAMED.match(self._pattern, begin):  # the name is unused: references are refused
            opening = "(?:"
            self._at = named.end()
        elif self._pattern[begin + 1 : begin + 2] in ("?", "*", ""):
            raise UnknownPatternError(begin, message("the group {group}", group=self._pattern[begin : begin + 4]))
        else:
            opening = "(?:"
            self._at += 1
        inner = self._alternatives(depth + 1)
        self._flags = before
        if not self._starts(")"):
            raise UnknownPatternError(begin, message("a group without its )"))
        self._at += 1
        looks_back = opening in ("(?<=", "(?<!")
        if looks_back and re.search(
            r"[*+?{]", re.sub(r"\(\?<?[:=!>]|\\.\{?|\[[^]]*\]", "", self._pattern[begin : self._at])
        ):
            raise UnknownPatternError(begin, message("a lookbehind of variable length"))
        looks = looks_back or opening in ("(?=", "(?!")
        return PatternPart(f"{opening}{inner.text})", 0 if looks else inner.least)

    def _escape(self) -> PatternPart:
        begin, char = self._at, self._pattern[self._at + 1 : self._at + 2]
        if char in _ANCHORS and char:
            self._at += 2
            return PatternPart(_ANCHORS[char], 0)
        if char in ("R", "O", "N"):
            self._at += 2
            return PatternPart({"R": _NEWLINE, "O": _ANY, "N": r"[^\n]"}[char], 1)
        text, literal = self._escaped()
        if literal is not None:
            return PatternPart(self._literal(literal), 1)
        if char in ("w", "W"):
            text = f"[{'^' * (char == 'W')}{names.WORD}]"
        if "i" in self._flags and text not in _CASELESS:
            raise UnknownPatternError(begin, _caseless(self._pattern[begin : self._at]))
        single = text.startswith("[") or re.fullmatch(r"\\(?:[dDsS]|[pP]\{\w+\})", text)
        return PatternPart(text if single else f"[{text}]", 1)

    def _escaped(self) -> tuple[str, str | None]:
        """An escape as class content, and its character if it is a single one."""
        begin, char = self._at, self._pattern[self._at + 1 : self._at + 2]
        self._at += 2
        if char in _CLASSES:
            return _CLASSES[char], None
        if char.lower() in _CLASSES:
            return {"D": r"\D", "S": r"\S"}.get(char, f"[^{_CLASSES[char.lower()]}]"), None
        if char in _CONTROLS:
            return regex.escape(_CONTROLS[char]), _CONTROLS[char]
        if char in ("p", "P"):
            return self._property(begin), None
        code = _HEX_CODE.match(self._pattern, begin + 1)
        if code:
            self._at = code.end()
            number = int(code[1] or code[2] or code[3], 16)
            if number < 0x110000 and not 0xD800 <= number < 0xE000:
                return regex.escape(chr(number)), chr(number)
        if not char or not char.isascii() or char.isalnum():
            raise UnknownPatternError(begin, quoted(self._pattern[begin : begin + 2]))
        return regex.escape(char), char

    def _property(self, begin: int) -> str:
        found = re.compile(r"\{(\^?)([A-Za-z_ -]+)\}").match(self._pattern, self._at)
        name = names.PROPERTIES.get(re.sub(r"[ _-]", "", found[2]).lower()) if found else None
        if found is None or name is None:
            raise UnknownPatternError(begin, quoted(self._pattern[begin : begin + 20]))
        self._at = found.end()
        negated = (self._pattern[begin + 1] == "P") != bool(found[1])
        return rf"\{'P' if negated else 'p'}{{{name}}}"

    def _literal(self, char: str) -> str:
        if "i" not in self._flags:
            return regex.escape(char)
        if not char.isascii():
            raise UnknownPatternError(self._at - 1, _caseless(quoted(char)))
        both = "".join(dict.fromkeys((char, char.upper(), char.lower())))
        return f"[{both}{names.FOLDED.get(char.lower(), '')}]" if char.isalpha() else regex.escape(char)

    # -- classes ------------------------------------------------------------------------------------------------

    def _class(self, depth: int) -> str:
        """Translate a class, which may contain classes and intersections (&&)."""
        if depth > _DEEPEST:
            raise UnknownPatternError(self._at, message("a class nested so deeply"))
        begin = self._at
        self._at += 1
        negated = self._starts("^")
        self._at += negated
        unions = [self._union(depth, begin)]
        while self._starts("&&"):
            self._at += 2
            unions.append(self._union(depth, begin))
        self._at += 1
        if len(unions) == 1:
            items, others = unions[0]
            if not others:
                return f"[{'^' * negated}{items}]"
        parts = [_either(items, others) for items, others in unions]
        whole = f"(?:{''.join(f'(?={part})' for part in parts[:-1])}{parts[-1]})"
        return f"(?:(?!{whole}){_ANY})" if negated else whole

    def _union(self, depth: int, begin: int) -> tuple[str, list[str]]:
        """Items of a class as its content, and the nested classes that cannot be inlined."""
        items, others = "", []
        while not self._starts("]") and not self._starts("&&"):
            if self._at >= len(self._pattern):
                raise UnknownPatternError(begin, message("a class without its ]"))
            if self._starts("[:"):
                items += self._bracket()
            elif self._starts("["):
                inner = self._class(depth + 1)
                if inner.startswith("[") and not inner.startswith("[^"):
                    items += inner[1:-1]
                else:
                    others.append(inner)
            else:
                text = self._class_item()
                if text.startswith("["):
                    others.append(text)
                else:
                    items += text
        if not items and not others:
            raise UnknownPatternError(begin, message("an empty class"))
        return items, others

    def _bracket(self) -> str:
        found = re.compile(r"\[:(\w+):\]").match(self._pattern, self._at)
        if found is None or found[1] not in names.BRACKETS:
            raise UnknownPatternError(self._at, quoted(self._pattern[self._at : self._at + 10]))
        self._at = found.end()
        return names.BRACKETS[found[1]]

    def _class_item(self) -> str:
        begin = self._at
        text, first = self._class_character()
        if first is None or not self._starts("-") or self._pattern[self._at + 1 : self._at + 2] in ("]", "["):
            following = self._pattern[self._at : self._at + 2]
            if first is None and following[:1] == "-" and following != "-]":
                raise UnknownPatternError(begin, quoted(self._pattern[begin : self._at + 2]))
            return text if first is None or "i" not in self._flags else self._in_both_cases(first, first, begin)
        self._at += 1
        if self._starts("&&"):
            raise UnknownPatternError(begin, message("- before &&"))
        _, last = self._class_character()
        if last is None or last < first:
            raise UnknownPatternError(
                begin, message("the range {range}", range=quoted(self._pattern[begin : self._at]))
            )
        if "i" in self._flags:
            return self._in_both_cases(first, last, begin)
        return f"{_in_class(first)}-{_in_class(last)}"

    def _class_character(self) -> tuple[str, str | None]:
        """An item of a class as its content, and its character if it is a single one."""
        char = self._pattern[self._at : self._at + 1]
        if char == "\\":
            if self._pattern[self._at + 1 : self._at + 2] == "b":
                raise UnknownPatternError(self._at, message("\\b in a class"))
            begin = self._at
            text, literal = self._escaped()
            if literal is None and "i" in self._flags and text not in _CASELESS:
                raise UnknownPatternError(begin, _caseless(self._pattern[begin : self._at]))
            return (text, None) if literal is None else (_in_class(literal), literal)
        if not char or char in "[]":
            raise UnknownPatternError(self._at, message("{character} in a class", character=quoted(char)))
        self._at += 1
        return _in_class(char), char

    def _in_both_cases(self, first: str, last: str, begin: int) -> str:
        """A case-insensitive range of a class; only ASCII is supported."""
        chars = [chr(code) for code in range(ord(first), min(ord(last), 127) + 1)]
        if not last.isascii():
            raise UnknownPatternError(begin, _caseless(quoted(last)))
        both = {
            each for char in chars for each in (char, char.upper(), char.lower(), *names.FOLDED.get(char.lower(), ""))
        }
        return "".join(map(_in_class, sorted(both)))


def _caseless(part: str) -> TranslatableMessage:
    return message("{part} where case is ignored", part=part)


def _in_class(char: str) -> str:
    return f"\\{char}" if not char.isalnum() and char.isascii() and char.isprintable() and char != " " else char


def _either(items: str, others: list[str]) -> str:
    return f"(?:{'|'.join([*([f'[{items}]'] if items else []), *others])})"
