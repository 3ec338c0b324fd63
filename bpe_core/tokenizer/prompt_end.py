"""The end of a prompt: tokens of every prefix of a text, and token healing.

A tokenizer sees a prompt without its continuation, so the last tokens are often not those of the whole text: half a
word, or a space that usually belongs to the next word. Token healing removes these tokens, and allows as the next token
only those that begin with the removed bytes.

Source: token healing of Microsoft's guidance; the rule is its own, for at most the last MOST_REMOVED tokens.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from bpe_core import checks
from bpe_core.arrays import Int64s, sorted_place
from bpe_core.errors import ConfigError, CorpusError
from bpe_core.language import message
from bpe_core.text.normalization import replace_surrogates
from bpe_core.text.splits import BERT_SPLIT, MARKED_SPLIT, METASPACE, PATTERNS, Split
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.token_ranges import check_listed
from bpe_core.tokenizer.tokenizer import Special, Tokenizer

MOST_REMOVED = 10
"""Limit on the tokens that healing removes."""

MOST_CHARACTERS = 50_000_000
"""Limit on the characters encoded for the prefixes of one text, all together."""

_LOCAL = frozenset({*PATTERNS, BERT_SPLIT, METASPACE, MARKED_SPLIT}) - {"none"}
"""Splits that match forward, and whose words depend on no more than the next two words."""

_WORDS_BACK = 4
"""Words before the end of a prefix that are split and encoded again for it."""


class Prefix(NamedTuple):
    """Tokens of the first characters of a text, as the difference from those of the whole text.

    characters  length of the prefix
    kept        number of leading tokens that the whole text has as well
    others      ids of the tokens after these; the whole text has other tokens there

    >>> Prefix(2, 0, (5303,)).stays
    False
    """

    characters: int
    kept: int
    others: tuple[int, ...]

    @property
    def stays(self) -> bool:
        """Whether the tokens of the whole text begin with those of the prefix."""
        return not self.others


class Healed(NamedTuple):
    """A prompt after token healing.

    kept     number of leading tokens that the prompt keeps
    removed  ids removed from its end; empty if there is nothing to heal
    data     bytes of the removed tokens, spelled as the vocabulary spells one token
    allowed  ids of the tokens that begin with these bytes: by rank, or without merges the shortest first

    >>> Healed(1, (25,), b":", (25, 1378)).data
    b':'
    """

    kept: int
    removed: tuple[int, ...]
    data: bytes
    allowed: tuple[int, ...]


def prefixes(
    tokenizer: Tokenizer,
    text: str,
    *,
    last: int | None = None,
    special: Special = "text",
    encoding: Encoding | None = None,
) -> list[Prefix]:
    """Tokens of every prefix of a text, from one character to all; only of the `last` longest ones if given.

    `special`: see `Tokenizer.encode`. `encoding`: of this text with this setting, if already computed. Without
    normalization, and with a named split, a prefix takes the time of its last few words; otherwise each is encoded
    whole. Raises as `encode` does, ConfigError for an invalid `last`, and CorpusError if the prefixes have more than
    MOST_CHARACTERS characters to encode.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> prefixes(gpt2, "an apple", last=5)[:3]
    [Prefix(characters=4, kept=1, others=(257,)), Prefix(characters=5, kept=1, others=(2471,)), \
Prefix(characters=6, kept=1, others=(598,))]
    >>> [each.characters for each in prefixes(gpt2, "an apple") if each.stays]
    [2, 8]
    """
    checks.instance(tokenizer, "tokenizer", Tokenizer, message("a Tokenizer"))
    given = checks.given_text(text)
    wanted = checks.how_many(last, "last")
    whole = _encoding(tokenizer, given, special, encoding)
    first = 1 if wanted is None else max(1, len(given) - wanted + 1)
    sizes = np.arange(first, len(given) + 1)
    starts = _starts(tokenizer, whole, sizes, special)
    size = int((sizes - starts).sum())
    if size > MOST_CHARACTERS:
        raise CorpusError(
            message("The prefixes have {size:,} characters to encode.", size=size),
            limit=message("Up to {most:,} are encoded.", most=MOST_CHARACTERS),
            remedy=message("Take fewer prefixes by `last`, or a shorter text."),
        )
    ids, byte_of = whole.ids, whole.character_starts
    found = []
    for start, end in zip(starts[:-1].tolist(), sizes[:-1].tolist(), strict=True):
        before = sorted_place(whole.starts, int(byte_of[start])) if start else 0
        tail = tokenizer.encode(given[start:end], special=special).ids
        common = min(len(tail), len(ids) - before)
        differ = np.flatnonzero(tail[:common] != ids[before : before + common])
        same = int(differ[0]) if len(differ) else common
        found.append(Prefix(end, before + same, tuple(tail[same:].tolist())))
    return [*found, Prefix(len(given), len(ids), ())] if len(sizes) else []


def heal(tokenizer: Tokenizer, prompt: str, *, special: Special = "text", encoding: Encoding | None = None) -> Healed:
    """Remove the last tokens of a prompt that a longer token could cover, and list the tokens that may follow instead.

    Removes the longest run of last tokens, at most MOST_REMOVED, whose joined bytes begin some other token of the
    vocabulary. The removed tokens may follow again, so a prompt that ends where a token ends loses nothing. Special and
    unknown tokens stay, and so does a word before white space that the tokenizer drops. The kept tokens are almost
    always, but not provably, the first tokens of every longer text. `special`, `encoding`: see `prefixes`. Raises as
    `encode` does, and CorpusError if the tokens have more than 16,000,000 bytes.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> url = heal(gpt2, "The link is http:")
    >>> url.removed, url.data, [gpt2.token(each) for each in url.allowed[:3]], len(url.allowed)
    ((25,), b':', [':', '://', '::'], 16)
    >>> space = heal(gpt2, "Hello ")
    >>> space.kept, space.removed, len(space.allowed)
    (1, (220,), 33135)
    """
    checks.instance(tokenizer, "tokenizer", Tokenizer, message("a Tokenizer"))
    given = checks.given_text(prompt)
    whole = _encoding(tokenizer, given, special, encoding)
    check_listed(tokenizer.model.tokens)
    tails = _tails(tokenizer, whole)
    if not tails:
        return Healed(len(whole), (), b"", ())
    left_out = set(tokenizer.special_tokens.values()) | {tokenizer.unknown_id}
    beginnings = tuple(tails.values())
    near = [
        (token_id, data)
        for token_id, data in enumerate(tokenizer.model.tokens)
        if data is not None and data.startswith(beginnings) and token_id not in left_out
    ]
    for at, data in tails.items():  # the longest tail first
        allowed = [token_id for token_id, token in near if token.startswith(data)]
        removed = whole.ids[at:].tolist()
        if allowed and (len(allowed) > 1 or allowed != removed):
            return Healed(at, tuple(removed), data, _ordered(tokenizer, allowed))
    return Healed(len(whole), (), b"", ())


def _encoding(tokenizer: Tokenizer, text: str, special: Special, known: Encoding | None) -> Encoding:
    if known is None:
        return tokenizer.encode(text, special=special)
    checks.instance(known, "encoding", Encoding, message("an Encoding"))
    if known.normalized.original != replace_surrogates(text)[0]:
        raise ConfigError(
            message("The encoding is of another text."),
            limit=message("It must be of the text that is given with it."),
            remedy=message("Leave it out: the text is then encoded."),
        )
    return known


# -- prefixes ----------------------------------------------------------------------------------------------------


def _starts(tokenizer: Tokenizer, whole: Encoding, sizes: Int64s, special: Special) -> Int64s:
    """For each length of a prefix, from one character up: the first character to re-encode; 0 for all of it.

    Words of the whole text that lie some words before the end of a prefix are also words of the prefix.
    """
    starts = np.zeros(len(sizes), np.int64)
    split = tokenizer.split
    local = isinstance(split, Split) and split.pattern in _LOCAL and not split.by_model
    named = tokenizer.special_token_flags
    if not local or tokenizer.normalizer.steps or (named and special == "parse") or not all(t.special for t in named):
        return starts
    words, byte_of = whole.word_starts, whole.character_starts
    number = np.searchsorted(words, byte_of[sizes - 1].astype(words.dtype), side="right") - 1 - _WORDS_BACK
    back = np.flatnonzero(number > 0)
    starts[back] = np.searchsorted(byte_of, words[number[back]].astype(byte_of.dtype))
    return starts


# -- healing -----------------------------------------------------------------------------------------------------


def _tails(tokenizer: Tokenizer, encoding: Encoding) -> dict[int, bytes]:
    """Bytes of the last tokens, joined as one token would spell them, by the first one's index; the longest first."""
    model = tokenizer.model
    if not len(encoding) or encoding.ends[-1] != len(encoding.utf8):
        return {}
    prefix = getattr(model, "prefix", "") or getattr(getattr(model, "base", None), "prefix", "")
    joined = b""
    found: dict[int, bytes] = {}
    candidates = range(len(encoding) - 1, max(0, len(encoding) - MOST_REMOVED) - 1, -1)
    for at in takewhile(lambda at: not encoding.special[at], candidates):
        if found and encoding.ends[at] != encoding.starts[at + 1]:
            break
        token_id = int(encoding.ids[at])
        token = model.tokens[token_id]
        if token is None:
            break
        bare = model.text_of(token, ends=True, with_space=True) if model.ends_word(token_id) else token
        found[at] = bare + joined
        joined = bare.removeprefix(prefix.encode()) + joined
    return dict(reversed(found.items()))


def _ordered(tokenizer: Tokenizer, ids: Iterable[int]) -> tuple[int, ...]:
    """Base symbols and merged tokens by rank; the tokens of a model without merges by length."""
    model = tokenizer.model
    if model.merges is None:
        return tuple(sorted(ids, key=lambda token_id: (len(model.tokens[token_id] or b""), token_id)))
    ranks = {token_id: model.merges.rank_of(token_id) for token_id in ids}
    return tuple(sorted(ranks, key=lambda token_id: (-1 if (rank := ranks[token_id]) is None else rank, token_id)))
