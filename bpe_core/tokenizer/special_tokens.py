"""Special tokens with their flags in tokenizer files, and the search for them in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import regex

from bpe_core import checks
from bpe_core.errors import CorpusError, VocabularyError, quoted
from bpe_core.language import message
from bpe_core.text.normalization import Normalized
from bpe_core.text.normalizers import IDENTITY, Normalizer
from bpe_core.text.split_tables import as_the_library_sees
from bpe_core.tokenizer.longest_match import longest_of

HIGHEST_ID = 9_999_999
"""Highest possible id of a special token."""

SPECIAL_TOKEN, _NOT_EMPTY = message("A special token"), message("text that is not empty")


class SpecialToken(NamedTuple):
    """A token that no merge makes, matched in the text before anything else.

    strip_left, strip_right   whether it includes the white space before it, or after it
    whole_word                whether it matches only without adjacent word characters
    normalized                whether it is matched in the normalized text, in its own normalized form; otherwise in the
                              original, before anything else
    special                   False for an added token that is ordinary text: it is matched in every text, whatever
                              `special` says, and decoding never omits it
    decodes_normalized        whether decoders get its normalized form although it is matched in the original: a file
                              listed it as `normalized` first, and then again without

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
    special: bool = True
    decodes_normalized: bool = False


Segment = tuple[Normalized, "int | None"]
"""Part of a normalized text and None, or the text of a special token and its id."""


class SpecialTokens:
    """Special tokens of a tokenizer, by text and by id, with the search for them in a text. Immutable.

    `normalizer`: that of the tokenizer, for tokens matched in the normalized text.

    >>> found = SpecialTokens([SpecialToken("<s>", 1), SpecialToken("<m>", 2, strip_left=True)])
    >>> [(part.text, token_id) for part, token_id in found.segments("<s>fill the  <m> in", parse=True)]
    [('', None), ('<s>', 1), ('fill the', None), ('  <m>', 2), (' in', None)]
    >>> found.first("fill the  <m> in")
    ('<m>', 10)
    """

    def __init__(self, tokens: Sequence[SpecialToken] = (), normalizer: Normalizer = IDENTITY) -> None:
        self.tokens = tuple(tokens)
        self.normalizer = normalizer
        self.ids = {token.text: token.id for token in self.tokens}
        self.names = {token.id: token.text for token in self.tokens}
        self.by_bytes = {token.text.encode(): token.id for token in self.tokens}
        self.special_ids = frozenset(token.id for token in self.tokens if token.special)
        self.always_found = len(self.special_ids) < len(self.tokens)

    def __len__(self) -> int:
        return len(self.tokens)

    def first(self, text: str) -> tuple[str, int] | None:
        """First special token in a text and the character offset of its name, or None."""
        found = next((each for each in self._before.found(text, parse=True) if each[2].special), None)
        if found is not None:
            return found[2].text, text.index(found[2].text, found[0])
        tokens = {token.id: token.text for token in self.tokens if token.special}
        at = 0
        for part, token_id in self.segments(text, parse=True):
            if token_id in tokens:
                return tokens[token_id], at
            at += len(part.original)
        return None

    def require_none(self, text: str) -> None:
        """Raise CorpusError for a text that contains a special token.

        >>> SpecialTokens([SpecialToken("<s>", 1)]).require_none("s")
        """
        found = self.first(text)
        if found is not None:
            raise CorpusError(
                message(
                    "The text holds the special token {token} at character {position:,}.",
                    token=quoted(found[0]),
                    position=found[1],
                ),
                limit=message('With special="raise" none is allowed.'),
                remedy=message('Use special="text" to encode it as plain text, or special="parse" as the token.'),
            )

    def segments(self, text: str, *, parse: bool) -> list[Segment]:
        """Divide the text at the special tokens matched before normalization, normalize each plain part separately, and
        divide that at the others.

        There is plain text, perhaps empty, at both ends and between any two. If several special tokens begin at the
        same character, the longest matches. If one includes the white space after it, and another one is that white
        space, both match, as in the library: the white space claimed by the first and following the other then occurs
        twice. Without `parse`, tokens that are special are plain text.

        >>> tokens = SpecialTokens([SpecialToken("<s>", 1), SpecialToken("ok", 2, normalized=True, special=False)])
        >>> [(part.text, token_id) for part, token_id in tokens.segments("<s>ok", parse=False)]
        [('<s>', None), ('ok', 2), ('', None)]
        """
        divided = self._before.divided(text, parse=parse)
        if divided is not None:
            ids = self._before.tokens
            known: list[dict[str, list[Segment]]] = [
                {part: self._of_plain(Normalized.of(part), parse=parse) for part in set(divided[::2])},
                {part: [(Normalized.of(part), ids[part].id)] for part in set(divided[1::2])},
            ]
            return [segment for at, part in enumerate(divided) for segment in known[at % 2][part]]
        segments: list[Segment] = []
        for place in self._before.places(text, parse=parse):
            part = Normalized.of(text[place.start : place.end])
            if place.id is not None:
                segments.append((_behind(part, place.repeated), place.id))
            else:
                segments += self._of_plain(part, parse=parse, repeated=place.repeated)
        return segments

    @cached_property
    def spelled(self) -> dict[int, str]:
        """Tokens by id in the form for decoders: normalized if they are matched in normalized text.

        >>> SpecialTokens([SpecialToken("<s>", 1)]).spelled
        {1: '<s>'}
        """
        normalized = (token for token in self.tokens if token.normalized or token.decodes_normalized)
        return self.names | {token.id: self.normalizer.normalize(token.text).text for token in normalized}

    @cached_property
    def left_out(self) -> frozenset[int]:
        """Tokens that decoding can omit: those with the spelling of a special token.

        >>> sorted(SpecialTokens([SpecialToken("<s>", 1), SpecialToken("word", 2, special=False)]).left_out)
        [1]
        """
        return frozenset(i for i, text in self.spelled.items() if text in self.special_texts)

    @cached_property
    def special_texts(self) -> frozenset[str]:
        """Texts of special tokens, without added tokens that are ordinary text.

        >>> sorted(SpecialTokens([SpecialToken("<s>", 1), SpecialToken("word", 2, special=False)]).special_texts)
        ['<s>']
        """
        return frozenset(token.text for token in self.tokens if token.special)

    def with_normalizer(self, normalizer: Normalizer) -> SpecialTokens:
        """The same tokens for a tokenizer with another normalizer.

        >>> SpecialTokens([SpecialToken("<s>", 1)]).with_normalizer(IDENTITY).ids
        {'<s>': 1}
        """
        return self if normalizer is self.normalizer else SpecialTokens(self.tokens, normalizer)

    def with_tokens(self, new: Sequence[SpecialToken], model_tokens: Sequence[bytes | None]) -> SpecialTokens:
        """Add `new` special tokens; an existing one takes its new flags.

        `model_tokens`: bytes of the model's tokens by id, None for a free id. Raises VocabularyError for an empty name,
        for an id that is negative or belongs to another token, and for a different id of an existing token.

        >>> SpecialTokens([SpecialToken("<s>", 1)]).with_tokens([SpecialToken("<m>", 2)], [b"a", None]).ids
        {'<s>': 1, '<m>': 2}
        """
        checked = [self._checked(token, model_tokens) for token in new]
        merged = {token.text: token for token in (*self.tokens, *checked)}
        if len({token.id for token in merged.values()}) < len(merged):
            raise VocabularyError(
                message("Two of the special tokens {tokens} have the same id.", tokens=quoted(sorted(merged))),
                limit=message("Every special token has an id of its own."),
                remedy=message("Give each another id."),
            )
        return SpecialTokens(tuple(merged.values()), self.normalizer)

    def _checked(self, token: SpecialToken, model_tokens: Sequence[bytes | None]) -> SpecialToken:
        text = checks.utf8_text(token.text, SPECIAL_TOKEN, wanted=_NOT_EMPTY, error=VocabularyError)
        if not text or not checks.is_whole_number(token.id) or not 0 <= token.id <= HIGHEST_ID:
            raise VocabularyError(
                message("The special token {text} has the id {id}.", text=quoted(text), id=quoted(token.id)),
                limit=message(
                    "A special token is text that is not empty, its id a whole number from 0 to {highest:,}.",
                    highest=HIGHEST_ID,
                ),
                remedy=message("Correct it."),
            )
        number = int(token.id)
        if self.ids.get(text, number) != number:
            raise VocabularyError(
                message("The special token {text} would get the id {id:,}.", text=quoted(text), id=number),
                limit=message("It has the id {id:,} already, and keeps it.", id=self.ids[text]),
                remedy=message("Leave it out, or give the new one another name."),
            )
        # A model may have the same token as ordinary text, with the same id.
        taken = number < len(model_tokens) and model_tokens[number] not in (None, text.encode())
        if taken or self.names.get(number, text) != text:
            free = max(len(model_tokens), max(self.names, default=-1) + 1)
            raise VocabularyError(
                message(
                    "The id {id:,} for the special token {text} belongs to another token.",
                    id=number,
                    text=quoted(text),
                ),
                limit=message("Ids from {free:,} on are free.", free=free),
                remedy=message("Choose a free one."),
            )
        return token._replace(text=text, id=number)

    @cached_property
    def _before(self) -> _Finder:
        """Matcher for tokens in the original text."""
        return _Finder({token.text: token for token in self.tokens if not token.normalized})

    @cached_property
    def _after(self) -> _Finder:
        """Matcher for tokens in the normalized text."""
        found: dict[str, SpecialToken] = {}
        for token in sorted(self.tokens, key=lambda each: not each.special):  # as in the library, the first one wins
            if token.normalized:
                found.setdefault(self.normalizer.normalize(token.text).text, token)
        return _Finder(found)

    def _of_plain(self, part: Normalized, *, parse: bool, repeated: int = 0) -> list[Segment]:
        """Normalize a region, and divide it at the special tokens in the result."""
        normalized = self.normalizer.normalize(part.text) if self.normalizer.steps else part
        found = _behind(normalized, repeated)
        places = self._after.places(found.text, parse=parse)
        if len(places) == 1:
            return [(found, None)]
        return list(zip(_divided(found, places), [place.id for place in places], strict=True))


class _Place(NamedTuple):
    """Part of a text: start and end, its special token or None, and the number of repeated characters."""

    start: int
    end: int
    id: int | None
    repeated: int


class _Finder:
    """Special tokens by the text to match, with the search for them.

    A token that normalization leaves empty matches between any two characters, and only divides the text.
    """

    def __init__(self, tokens: Mapping[str, SpecialToken]) -> None:
        self.tokens = tokens
        self.ordinary = any(not token.special for token in self.tokens.values())

    def found(self, text: str, *, parse: bool) -> Iterator[tuple[int, int, SpecialToken]]:
        """Start and end of each token, including its white space."""
        if not text or not self.tokens or not (parse or self.ordinary):
            return
        position, last = 0, -1
        for match in self._pattern.finditer(text):
            token = self.tokens[match.group()]
            start, end = match.span()
            if start == end == last:
                continue
            last = end
            if (token.special and not parse) or (token.whole_word and _touches_word(text, start, end)):
                continue
            while token.strip_left and start > position and _WHITE_SPACE.match(text, start - 1):
                start -= 1
            if token.strip_left and start < position:  # it begins in white space claimed by another token
                start = position
            if start > end:
                continue
            while token.strip_right and _WHITE_SPACE.match(text, end):
                end += 1
            yield start, end, token
            position = end

    def divided(self, text: str, *, parse: bool) -> list[str] | None:
        """Plain text and tokens alternately if every token matches exactly as written; else None.

        Far faster than `places` for many tokens.
        """
        if not self.tokens:
            return [text]
        return self._dividing.split(text) if parse and self._as_written else None

    def places(self, text: str, *, parse: bool) -> list[_Place]:
        """The whole text in parts, with plain text, perhaps empty, at both ends and between any two tokens."""
        places: list[_Place] = []
        position = reached = 0

        def add(start: int, end: int, token_id: int | None) -> None:
            nonlocal reached
            places.append(_Place(start, end, token_id, min(end, reached) - start if start < reached else 0))
            reached = max(reached, end)

        for start, end, token in self.found(text, parse=parse):
            add(min(position, start), start, None)
            if start < end:
                add(start, end, token.id)
            position = end
        add(position, len(text), None)
        return places

    @cached_property
    def _as_written(self) -> bool:
        flagged = (each.strip_left or each.strip_right or each.whole_word for each in self.tokens.values())
        return "" not in self.tokens and not any(flagged)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(longest_of(sorted(self.tokens)))

    @cached_property
    def _dividing(self) -> re.Pattern[str]:
        return re.compile(f"({self._pattern.pattern})")


def _divided(part: Normalized, places: Sequence[_Place]) -> list[Normalized]:
    """Divide a normalized text; each part gets the original characters up to the next part's, without repetition."""
    text = part.text
    if part.spans is None and not any(place.repeated for place in places):
        return [Normalized(text[start:end], text[start:end]) for start, end, _, _ in places]
    spans = part.origins
    reached = np.maximum.accumulate([place.end for place in places])[:-1].tolist()
    inner = [int(spans[edge, 0]) if edge < len(text) else len(part.original) for edge in reached]
    bounds = np.maximum.accumulate([0, *inner, len(part.original)]).tolist()
    return [
        Normalized(
            text[place.start : place.end],
            part.original[first:last],
            spans=np.maximum(spans[place.start : place.end] - first, 0),
        )
        for place, (first, last) in zip(places, pairwise(bounds), strict=True)
    ]


def _behind(part: Normalized, repeated: int) -> Normalized:
    """A text without the first `repeated` characters of its original, which belong to the text before it."""
    if not repeated:
        return part
    return Normalized(part.text, part.original[repeated:], part.surrogates, np.maximum(part.origins - repeated, 0))


# Python's own \s and str.isspace() include four control characters more than Unicode; its \w lacks marks and has
# fractions.
_WHITE_SPACE = regex.compile(r"\p{White_Space}")
_WORD = regex.compile(r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]")


def _touches_word(text: str, start: int, end: int) -> bool:
    beside = text[start - 1 : start] if start else "", text[end : end + 1]
    return any(_WORD.match(as_the_library_sees(char)) for char in beside)
