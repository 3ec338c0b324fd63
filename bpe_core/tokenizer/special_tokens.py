"""Special tokens with the flags that tokenizer files give them, and how they are found in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import regex

from bpe_core import checks
from bpe_core.errors import CorpusError, VocabularyError, quoted

HIGHEST_ID = 9_999_999
"""The highest id that a special token may have."""


class SpecialToken(NamedTuple):
    """A token that no merge makes, found in the text before anything else.

    strip_left, strip_right   the white space before it, or after it, belongs to it
    whole_word                it is found only where no word character is next to it
    normalized                the file asks to look for it in the normalized text; here every special token is looked
                              for in the original, and the formats refuse files where that makes a difference

    White space and word characters are those of the tokenizers library (Rust's `\\s` and `\\w`): Unicode's White_Space,
    and letters, marks, decimal digits, connector punctuation and joiners.

    >>> from bpe_core import load_pretrained
    >>> mask = SpecialToken("<mask>", 50_257, strip_left=True)
    >>> encoding = load_pretrained("gpt2").with_special_tokens([mask]).encode("a <mask> b", special="parse")
    >>> encoding.ids.tolist(), encoding.char_starts.tolist()
    ([64, 50257, 275], [0, 1, 8])
    """

    text: str
    id: int
    strip_left: bool = False
    strip_right: bool = False
    whole_word: bool = False
    normalized: bool = False


TextPart = tuple[str, "int | None"]
"""A part of a text: plain text and None, or what a special token covers and its id."""


class SpecialTokens:
    """The special tokens of a tokenizer, by text and by id, and the pattern that finds them. Immutable.

    >>> found = SpecialTokens([SpecialToken("<s>", 1), SpecialToken("<m>", 2, strip_left=True)])
    >>> found.regions("<s>fill the  <m> in")
    [('', None), ('<s>', 1), ('fill the', None), ('  <m>', 2), (' in', None)]
    >>> found.first("fill the  <m> in")
    ('<m>', 10)
    """

    def __init__(self, tokens: Sequence[SpecialToken] = ()) -> None:
        self.tokens = tuple(tokens)
        self.ids = {token.text: token.id for token in self.tokens}
        self.names = {token.id: token.text for token in self.tokens}
        self.by_bytes = {token.text.encode(): token.id for token in self.tokens}

    def __len__(self) -> int:
        return len(self.tokens)

    def first(self, text: str) -> tuple[str, int] | None:
        """The first special token in a text and the character where its name begins, or None."""
        found = next(self._found(text), None)
        return None if found is None else (found[2].text, text.index(found[2].text, found[0]))

    def require_none(self, text: str) -> None:
        """Raise CorpusError for a text in which a special token occurs.

        >>> SpecialTokens([SpecialToken("<s>", 1)]).require_none("s")
        """
        found = self.first(text)
        if found is not None:
            raise CorpusError(
                f"The text holds the special token {quoted(found[0])} at character {found[1]:,}.",
                limit='With special="raise" none is allowed.',
                remedy='Use special="text" to encode it as plain text, or special="parse" as the token.',
            )

    def regions(self, text: str) -> list[TextPart]:
        """The text divided at its special tokens, with plain text, perhaps empty, at both ends and between any two.

        Where several special tokens begin at the same character, the longest is taken. One that lies in the white
        space that the token before it has stripped is not found.
        """
        regions: list[TextPart] = []
        position = 0
        for start, end, token in self._found(text):
            regions += [(text[position:start], None), (text[start:end], token.id)]
            position = end
        return [*regions, (text[position:], None)]

    def with_tokens(self, new: Sequence[SpecialToken], model_tokens: Sequence[bytes | None]) -> SpecialTokens:
        """These special tokens and `new` ones; one that is there already takes its new flags.

        `model_tokens`: the bytes of the model's tokens by id, None where an id is free. Raises VocabularyError for an
        empty name, for an id that is negative or belongs to another token, and for another id of a token that is there.

        >>> SpecialTokens([SpecialToken("<s>", 1)]).with_tokens([SpecialToken("<m>", 2)], [b"a", None]).ids
        {'<s>': 1, '<m>': 2}
        """
        checked = [self._checked(token, model_tokens) for token in new]
        merged = {token.text: token for token in (*self.tokens, *checked)}
        if len({token.id for token in merged.values()}) < len(merged):
            raise VocabularyError(
                f"Two of the special tokens {quoted(sorted(merged))} have the same id.",
                limit="Every special token has an id of its own.",
                remedy="Give each another id.",
            )
        return SpecialTokens(tuple(merged.values()))

    def _checked(self, token: SpecialToken, model_tokens: Sequence[bytes | None]) -> SpecialToken:
        text = checks.utf8_text(token.text, "A special token", wanted="text that is not empty", error=VocabularyError)
        if not text or not checks.is_whole_number(token.id) or not 0 <= token.id <= HIGHEST_ID:
            raise VocabularyError(
                f"The special token {quoted(text)} has the id {quoted(token.id)}.",
                limit=f"A special token is text that is not empty, its id a whole number from 0 to {HIGHEST_ID:,}.",
                remedy="Correct it.",
            )
        number = int(token.id)
        if self.ids.get(text, number) != number:
            raise VocabularyError(
                f"The special token {quoted(text)} is to get the id {number:,}.",
                limit=f"It has the id {self.ids[text]:,} already, and keeps it.",
                remedy="Leave it out, or give the new one another name.",
            )
        taken = number < len(model_tokens) and model_tokens[number] is not None
        if taken or self.names.get(number, text) != text:
            free = max(len(model_tokens), max(self.names, default=-1) + 1)
            raise VocabularyError(
                f"The id {number:,} for the special token {quoted(text)} belongs to another token.",
                limit=f"Ids from {free:,} on are free.",
                remedy="Choose a free one.",
            )
        return token._replace(text=text, id=number)

    def _found(self, text: str) -> Iterator[tuple[int, int, SpecialToken]]:
        """Where each special token starts and ends, with the white space that belongs to it."""
        if not self.tokens:
            return
        position = 0
        for match in self._pattern.finditer(text):
            token = self._by_text[match.group()]
            start, end = match.span()
            if start < position or (token.whole_word and _touches_word(text, start, end)):
                continue
            while token.strip_left and start > position and _WHITE_SPACE.match(text, start - 1):
                start -= 1
            while token.strip_right and _WHITE_SPACE.match(text, end):
                end += 1
            yield start, end, token
            position = end

    @cached_property
    def _by_text(self) -> dict[str, SpecialToken]:
        return {token.text: token for token in self.tokens}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.ids, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)))


def as_special_tokens(given: Sequence[SpecialToken] | Mapping[str, int]) -> tuple[SpecialToken, ...]:
    """Special tokens from a mapping of ids by names, or as they are. Raises VocabularyError for anything else.

    >>> as_special_tokens({"<s>": 1})[0].text
    '<s>'
    """
    if isinstance(given, Mapping):
        return tuple(SpecialToken(text, token_id) for text, token_id in given.items())
    wanted = "a mapping of ids by names, or a sequence of SpecialToken"
    tokens = tuple(checks.instance(given, "special_tokens", Sequence, wanted, error=VocabularyError))
    for token in tokens:
        checks.instance(token, "A special token", SpecialToken, "a SpecialToken", error=VocabularyError)
    return tokens


# Python's own \s and str.isspace() have four control characters more than Unicode; its \w lacks marks, has fractions.
_WHITE_SPACE = regex.compile(r"\p{White_Space}")
_WORD = regex.compile(r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]")


def _touches_word(text: str, start: int, end: int) -> bool:
    return bool((start and _WORD.match(text, start - 1)) or _WORD.match(text, end))
