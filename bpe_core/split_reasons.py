"""Why a named split cuts between two characters, or keeps them in one word: its rule, in a few plain words."""

from __future__ import annotations

from typing import Literal

import regex

from bpe_core.unigram_tokenizer import MARKED_SPLIT
from bpe_core.wordpiece_tokenizer import BERT_SPLIT

Kind = Literal["letter", "mark", "digit", "space", "newline", "white space", "sign"]

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
    """What a character is to the splits.

    >>> [kind_of(char) for char in ("é", "٣", "\\t", "(")]
    ['letter', 'digit', 'white space', 'sign']
    """
    return next((kind for kind, pattern in _KINDS if pattern.match(char)), "sign")


def why_cut(split: str, before: str, after: str) -> str:
    (
        """The rule by which a named split cuts between two texts that touch; "" where there is none to name.

    >>> why_cut("cl100k", "123", "45")
    'it puts at most three digits into a word'
    >>> why_cut("gpt2", "aren", "'t")
    "it makes an apostrophe ending such as 't a word of its own"
    """
        ""
    )
    if not before or not after:
        return ""
    left, right = kind_of(before[-1]), kind_of(after[0])
    if split == BERT_SPLIT:
        return "white space ends a word" if {left, right} & {*_WHITE} else "every sign is a word of its own"
    if split == MARKED_SPLIT:
        return "a word begins with the one space in front of it" if right == "space" else "white space ends a word"
    if split not in ("gpt2", "cl100k", "o200k"):
        return ""
    if left in _WHITE and right in _WHITE:
        return _why_white_is_cut(split, left)
    if right in _WHITE:
        return "white space begins a new word"
    if left in _WHITE:
        return _why_white_stays_apart(split, left, right)
    return _why_signs_are_cut(split, left, right, before, after)


def why_kept(split: str, before: str, after: str) -> str:
    """The rule by which a split keeps two texts that touch in one word; "" where there is none to name.

    >>> why_kept("cl100k", "(", "default")
    'it lets a word begin with one sign or space'
    """
    if split == "none":
        return "it makes no cuts at all"
    if split in ("words", MARKED_SPLIT):
        return "it cuts only at white space"
    if split == BERT_SPLIT:
        return "it cuts only at white space and signs"
    if split not in ("gpt2", "cl100k", "o200k") or not before or not after:
        return ""
    left, right = kind_of(before[-1]), kind_of(after[0])
    pair = (left, right)
    if left in _WHITE and right in _WHITE:
        return _why_white_is_kept(split, right)
    if right == "newline":
        return "it lets signs take the line breaks behind them"
    if pair == ("digit", "digit"):
        return "it keeps all digits of a number together" if split == "gpt2" else "it takes up to three digits together"
    if pair == ("space", "digit"):
        return "it lets a number take the space in front"
    if "mark" in pair and split == "o200k":
        return "to it, such marks belong to the letters"
    if pair in (("mark", "sign"), ("sign", "mark"), ("mark", "mark")):
        return "to it, such a mark is a sign like any other"
    if left == "newline":
        return "it lets signs take line breaks and slashes behind them" if after.startswith("/") else ""
    if pair == ("mark", "letter"):
        return "it lets a word begin with one sign, and such a mark counts as one" if split == "cl100k" else ""
    if split == "o200k" and (after == "'" or _ENDING.match(after)) and left in ("letter", "mark"):
        return "it lets a word keep its apostrophe ending"
    if split != "o200k" and before.endswith("'") and _ENDING.match("'" + after):
        return "to it, this is an apostrophe ending" + (", in capitals too" if after[:1].isupper() else "")
    if pair == ("letter", "letter"):
        return "it keeps letters together, small ones and capitals"
    if right == "letter":
        return "it lets a word begin with one sign or space" if split != "gpt2" else "it lets a word take the space"
    return ""


def _why_white_is_cut(split: str, left: Kind) -> str:
    if split == "gpt2":
        return "it ends a run of white space before its last character, so that a space can join the next word"
    if left == "newline":
        return "it ends a word of white space behind the last line break"
    return "it ends a run of white space before its last character, which can then join the next word"


def _why_white_is_kept(split: str, right: Kind) -> str:
    if split == "gpt2":
        return "it takes a run of white space together, line breaks and all"
    if right == "newline":
        return "it takes white space up to the last line break together"
    return "it takes white space at the end of the text together" if split == "cl100k" else ""


def _why_white_stays_apart(split: str, left: Kind, right: Kind) -> str:
    if right == "digit" and split != "gpt2":
        return "a number takes nothing in front, not even a space"
    if left == "newline":
        return "a line break never joins the word behind it"
    if left == "space":
        return ""
    what = "what follows" if split == "gpt2" else "signs"
    return f"only a space joins {what}, no other white space"


def _why_signs_are_cut(split: str, left: Kind, right: Kind, before: str, after: str) -> str:
    if (left, right) == ("digit", "digit"):
        return "it puts at most three digits into a word"
    if _ENDING.match(after) and split != "o200k" and left in ("letter", "digit", "mark"):
        if split == "cl100k" or after[1:2].islower():
            return "it makes an apostrophe ending such as 't a word of its own"
        return "it takes apostrophe endings only in small letters, so the ' is a sign like any other"
    if split == "gpt2" and before.endswith("'") and _ENDING.match("'" + after) and after[:1].isupper():
        return "it knows apostrophe endings such as 't only in small letters"
    if split == "gpt2" and before.endswith("’") and right == "letter":
        return "it knows only the straight apostrophe, and a word begins with a space or nothing"
    if "mark" in (left, right) and split != "o200k":
        return "such a mark is no letter to its pattern, so the word breaks there"
    if (left, right) == ("letter", "letter"):
        if _ENDS_WITH_ENDING.search(before):
            return "an apostrophe ending such as 't ends the word"
        if split != "o200k":
            return ""
        if before[-1].islower() and after[0].isupper():
            return "a capital behind a small letter begins a new word"
        return "its words have capitals first, then small letters"
    if right in ("letter", "mark") and left == "sign":
        return (
            "it lets a word begin with a space only, not with another sign"
            if split == "gpt2"
            else "only a single sign can begin a word; several stay among themselves"
        )
    return "letters, digits and signs make words of their own"
