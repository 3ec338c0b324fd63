"""Rules of the named splits in plain words: why there is a boundary between two characters, or none.

Each is a sentence about the split named in the sentence before it.
"""

from __future__ import annotations

from typing import Literal

import regex

from bpe_core.language import message
from bpe_core.text.splits import BERT_SPLIT, MARKED_SPLIT

Kind = Literal["letter", "mark", "digit", "space", "newline", "white space", "punctuation"]

_KINDS: tuple[tuple[Kind, regex.Pattern[str]], ...] = (
    ("letter", regex.compile(r"\p{L}")),
    ("mark", regex.compile(r"\p{M}")),
    ("digit", regex.compile(r"\p{N}")),
    ("space", regex.compile(" ")),
    ("newline", regex.compile(r"[\r\n]")),
    ("white space", regex.compile(r"\s")),
)
_ENDING = regex.compile(r"'(?:[sdmt]|ll|ve|re)", regex.IGNORECASE)
_ENDS_WITH_ENDING = regex.compile(r"'(?:[sdmt]|ll|ve|re)$", regex.IGNORECASE)
_WHITE = ("space", "newline", "white space")


def kind_of(char: str) -> Kind:
    """Class of a character in the splits; symbols, emoji and everything else count as punctuation.

    >>> [kind_of(char) for char in ("é", "٣", "\\t", "(")]
    ['letter', 'digit', 'white space', 'punctuation']
    """
    return next((kind for kind, pattern in _KINDS if pattern.match(char)), "punctuation")


def why_split(split: str, before: str, after: str) -> str:
    r"""Rule of a named split for the boundary between two adjacent texts; "" if none applies.

    >>> why_split("cl100k", "123", "45")
    'It puts at most three digits into a word.'
    >>> why_split("gpt2", "aren", "'t")
    "It makes an apostrophe ending such as 't a word of its own."
    """
    if not before or not after:
        return ""
    left, right = kind_of(before[-1]), kind_of(after[0])
    if split == BERT_SPLIT:
        return (
            message("White space ends a word.")
            if {left, right} & {*_WHITE}
            else message("Every punctuation mark is a word of its own.")
        )
    if split == MARKED_SPLIT:
        return (
            message("A word begins with the one space before it.")
            if right == "space"
            else message("White space ends a word.")
        )
    if split not in ("gpt2", "cl100k", "o200k"):
        return ""
    if left in _WHITE and right in _WHITE:
        return _why_white_space_is_split(split, left)
    if right in _WHITE:
        return message("White space begins a new word.")
    if left in _WHITE:
        return _why_white_space_stays_apart(split, left, right)
    return _why_others_are_split(split, left, right, before, after)


def why_kept(split: str, before: str, after: str) -> str:
    """Rule of a split that keeps two adjacent texts in one word; "" if none applies.

    >>> why_kept("cl100k", "(", "default")
    'It lets a word begin with one space or punctuation character.'
    """
    if split == "none":
        return message("It never splits the text.")
    if split in ("words", MARKED_SPLIT):
        return message("It splits only at white space.")
    if split == BERT_SPLIT:
        return message("It splits only at white space and punctuation.")
    if split not in ("gpt2", "cl100k", "o200k") or not before or not after:
        return ""
    left, right = kind_of(before[-1]), kind_of(after[0])
    pair = (left, right)
    if left in _WHITE and right in _WHITE:
        return _why_white_space_is_kept(split, after)
    if right == "newline":
        return message("It keeps line breaks together with the punctuation before them.")
    if pair == ("digit", "digit"):
        return (
            message("It keeps all digits of a number together.")
            if split == "gpt2"
            else message("It keeps up to three digits together.")
        )
    if pair == ("space", "digit"):
        return message("It lets a number take the space before it.")
    if "mark" in pair and split == "o200k":
        return message("It counts combining marks as part of the letters.")
    if pair in (("mark", "punctuation"), ("punctuation", "mark"), ("mark", "mark")):
        return message("It treats a combining mark like punctuation.")
    if left == "newline":
        slash = after.startswith("/")
        return message("It keeps line breaks and slashes together with the punctuation before them.") if slash else ""
    if pair == ("mark", "letter"):
        if split != "cl100k":
            return ""
        return message("It lets a word begin with one punctuation character, and a combining mark counts as one.")
    if split == "o200k" and (after == "'" or _ENDING.match(after)) and left in ("letter", "mark"):
        return message("It lets a word keep its apostrophe ending.")
    if split != "o200k" and before.endswith("'") and _ENDING.match("'" + after):
        if after[:1].isupper():
            return message("It counts this as an apostrophe ending, even in upper case.")
        return message("It counts this as an apostrophe ending.")
    if pair == ("punctuation", "punctuation"):
        return message("It keeps punctuation together.")
    if pair == ("letter", "letter"):
        return message("It keeps letters together, lower and upper case.")
    if right == "letter":
        if split == "gpt2":
            return message("It lets a word take the space before it.")
        return message("It lets a word begin with one space or punctuation character.")
    return ""


def _why_white_space_is_split(split: str, left: Kind) -> str:
    if split == "gpt2":
        return message(
            "It ends a run of white space before its last character, so that a space can join the next word."
        )
    if left == "newline":
        return message("It ends a word of white space after the last line break.")
    return message("It ends a run of white space before its last character, which can then join the next word.")


def _why_white_space_is_kept(split: str, after: str) -> str:
    if split == "gpt2":
        return message("It keeps a run of white space together, line breaks included.")
    if any(kind_of(char) == "newline" for char in after):
        return message("It keeps white space together up to the last line break.")
    return message("It keeps white space together at the end of the text.") if split == "cl100k" else ""


def _why_white_space_stays_apart(split: str, left: Kind, right: Kind) -> str:
    if right == "digit" and split != "gpt2":
        return message("A number takes nothing in front, not even a space.")
    if left == "newline":
        return message("A line break never joins the word after it.")
    if left == "space":
        return ""
    if split == "gpt2":
        return message("Only a space joins what follows, no other white space.")
    return message("Only a space joins punctuation, no other white space.")


def _why_others_are_split(split: str, left: Kind, right: Kind, before: str, after: str) -> str:
    if (left, right) == ("digit", "digit"):
        return message("It puts at most three digits into a word.")
    if _ENDING.match(after) and split != "o200k" and left in ("letter", "digit", "mark"):
        if split == "cl100k" or after[1:2].islower():
            return message("It makes an apostrophe ending such as 't a word of its own.")
        return message("It knows apostrophe endings only in lower case, so this ' is ordinary punctuation.")
    if split == "gpt2" and before.endswith("'") and _ENDING.match("'" + after) and after[:1].isupper():
        return message("It knows apostrophe endings such as 't only in lower case.")
    if split == "gpt2" and before.endswith("’") and right == "letter":
        return message("It knows only the straight apostrophe, and only a space can join the word after it.")
    if "mark" in (left, right) and split != "o200k":
        return message("Its pattern does not count a combining mark as a letter, so the word ends there.")
    if (left, right) == ("letter", "letter"):
        if _ENDS_WITH_ENDING.search(before):
            return message("An apostrophe ending such as 't ends the word.")
        if split != "o200k":
            return ""
        if before[-1].islower() and after[0].isupper():
            return message("An upper-case letter after a lower-case one begins a new word.")
        return message("Its words have upper case first, then lower case.")
    if left == right == "punctuation":
        return message("Line breaks and slashes end a word of punctuation.")
    if right in ("letter", "mark") and left == "punctuation":
        return (
            message("It lets a word begin with a space only, not with punctuation.")
            if split == "gpt2"
            else message(
                "Only a single punctuation character can begin a word; several in a row stay separate from it."
            )
        )
    return message("Letters, digits and punctuation make separate words.")
