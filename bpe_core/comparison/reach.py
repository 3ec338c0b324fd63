"""Tokens of a vocabulary that no text becomes, and why.

A token that some text becomes is found by trying: texts that hold every token of the vocabulary are encoded, and what
comes out is reached. What is left is explained. For merges there is a proof: no merge crosses a final boundary, so a
token that is part of a word is what its own symbols, merged alone, become. Where they become others, it is in no word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np

from bpe_core import checks
from bpe_core.bpe import reference
from bpe_core.comparison.contexts import AROUND, completions, plain_texts
from bpe_core.comparison.neighbours import Neighbours, encoded_bytes, merges_bytes, neighbours_of, texts_beside
from bpe_core.language import message
from bpe_core.tokenizer.model import TokenNode
from bpe_core.tokenizer.token_ranges import check_listed
from bpe_core.tokenizer.tokenizer import Tokenizer

Why = Literal[
    "special", "bytes", "same text", "no merge", "merges", "score", "neighbours", "normalization", "split", "not found"
]

WHYS: tuple[Why, ...] = (
    "special",
    "bytes",
    "same text",
    "no merge",
    "merges",
    "score",
    "neighbours",
    "normalization",
    "split",
    "not found",
)

PROVEN: frozenset[Why] = frozenset(("special", "bytes", "same text", "no merge", "merges", "score", "neighbours"))
"""Reasons that are proofs. The others say what becomes of the token's own text, and that no text tried gives it."""

_ROUNDS = (1, 4, 16, 64, 256)
"""How many completions of each token that is left are tried, round by round."""

_MOST_TRIED = 500
"""Tokens that are left after the joined texts and tried one by one."""

_MOST_PROVEN = 300
"""Parts of characters that are set beside all other tokens."""

_MOST_SYMBOLS = 300
"""Symbols of a token over characters whose merges are replayed."""


class Unreached(NamedTuple):
    """A token that no text becomes.

    why      "special": found by its name only; "bytes": no UTF-8 text holds its bytes; "same text": it becomes another
             token of the same text; "no merge": no merge makes it; "merges", "score": its own text becomes the tokens
             `instead`; "neighbours": it is part of a character, and merges with whatever completes that;
             "normalization", "split": its text is changed, or divided, before the model sees it; "not found": no text
             tried gives it
    instead  what its own text becomes, as ids; empty where that is not known

    >>> Unreached("merges", (65, 66)).proven, Unreached("split").proven
    (True, False)
    """

    why: Why
    instead: tuple[int, ...] = ()

    @property
    def proven(self) -> bool:
        """Whether no text at all becomes the token; else none of those that were tried."""
        return self.why in PROVEN


def unreached_tokens(tokenizer: Tokenizer) -> dict[int, Unreached]:
    """The tokens that no text becomes, by id, ascending; special tokens among them, since no plain text becomes these.

    200,000 tokens take about two seconds. Raises CorpusError where the tokens have more than 16,000,000 bytes.

    >>> from bpe_core import TrainConfig, train
    >>> pairs = [(97, 98), (98, 99), (97, 257)]  # ab first, so that abc is never a and bc
    >>> found = unreached_tokens(train("", TrainConfig(split="words", vocab_size=259), forced=pairs).tokenizer())
    >>> found[258], 257 in found, found[255].why
    (Unreached(why='merges', instead=(256, 99)), False, 'bytes')
    """
    checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer"))
    check_listed(tokenizer.model.tokens)
    texts = plain_texts(tokenizer)
    left = _Left(tokenizer, set(texts) - set(tokenizer.special_tokens.values()))
    whole = {token_id: text for token_id, data in texts.items() if (text := _decoded(data))}
    for before, after in AROUND:
        left.try_text("".join(before + whole[token_id] + after for token_id in sorted(left.ids & whole.keys())))
    left.try_each(whole[token_id] for token_id in sorted(left.ids & whole.keys())[:_MOST_TRIED])
    if tokenizer.model.rule == "longest match":
        _try_after_others(tokenizer, left, whole)
    tried = 0
    for most in _ROUNDS:
        parts = {i: list(islice(completions(texts[i]), tried, most)) for i in sorted(left.ids - whole.keys())}
        for between in ("\n", "a", "") if most < _ROUNDS[-1] else ("\n",):
            left.try_text(between.join(text for i, found in parts.items() if i in left.ids for text in found))
        tried = most
    beside = _beside(tokenizer, texts, sorted(left.ids))
    for token_id, found in beside.items():
        left.try_text("\n".join(texts_beside(texts, token_id, found)))
    why = _Reasons(tokenizer, texts, {token_id for token_id, found in beside.items() if found.impossible})
    special = {token_id: Unreached("special") for token_id in tokenizer.special_tokens.values()}
    special.pop(-1 if tokenizer.unknown_id is None else tokenizer.unknown_id, None)
    reasons = {token_id: why.of(token_id) for token_id in left.ids} | special
    return {token_id: each for token_id, each in sorted(reasons.items()) if each is not None}


def _try_after_others(tokenizer: Tokenizer, left: _Left, whole: Mapping[int, str]) -> None:
    """Try each token that goes on with a word after tokens that begin one, the shortest first."""
    model = tokenizer.model
    begins = sorted(
        (
            text
            for token_id, text in whole.items()
            if model.written(text.encode(), begins=True, ends=False) == model.tokens[token_id]
        ),
        key=len,
    )[:_MOST_TRIED]
    for token_id in sorted(left.ids & whole.keys())[:_MOST_TRIED]:
        left.try_text("\n".join(text + whole[token_id] for text in begins))


def _beside(tokenizer: Tokenizer, texts: Mapping[int, bytes], ids: Iterable[int]) -> dict[int, Neighbours]:
    """The neighbours of tokens that are part of a character, where the model merges bytes."""
    model = tokenizer.model
    if not merges_bytes(model):
        return {}
    parts = [token_id for token_id in ids if not _decoded(texts[token_id])]
    return {token_id: neighbours_of(model, texts, token_id) for token_id in parts[:_MOST_PROVEN]}


class _Left:
    """The ids of the model that no text has given yet."""

    def __init__(self, tokenizer: Tokenizer, ids: set[int]) -> None:
        self._tokenizer = tokenizer
        self.ids = ids

    def try_text(self, text: str) -> None:
        if self.ids and text:
            self.ids -= set(np.unique(self._tokenizer.encode(text).ids).tolist())

    def try_each(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.try_text(text)


class _Reasons:
    """Why tokens that no text gave are not reached."""

    def __init__(self, tokenizer: Tokenizer, texts: Mapping[int, bytes], always_merged: set[int]) -> None:
        self._tokenizer = tokenizer
        self._model = tokenizer.model
        self._texts = texts
        self._always_merged = always_merged

    def of(self, token_id: int) -> Unreached | None:
        """The reason; None for the unknown token, which unknown text becomes."""
        data = self._texts[token_id]
        if token_id == self._model.unknown_id:
            return None
        if next(completions(data), None) is None:
            return Unreached("bytes")
        own, reason = self._tokenizer.token_bytes(token_id), self._of_the_model(token_id, data)
        if reason is not None:
            same_text = [self._tokenizer.token_bytes(each) for each in reason.instead] == [own]
            return Unreached("same text", reason.instead) if same_text else reason
        same = self._model.token_id(own)
        if same is not None and same != token_id:
            return Unreached("same text", (same,))
        return self._of_the_text(token_id, data)

    def _of_the_model(self, token_id: int, data: bytes) -> Unreached | None:
        """The proofs: what the token's own symbols become, whatever is around them."""
        model = self._model
        if model.rule == "best score":
            return self._by_score(token_id)
        merges = model.merges
        if merges is None:
            return None
        if merges_bytes(model):
            found = encoded_bytes(model, [data])[0]
        else:
            leaves = list(_leaves(self._tokenizer.tree(token_id)))
            if merges.takes_wholes or len(leaves) > _MOST_SYMBOLS:
                return None
            steps = list(reference.encode(leaves, merges.merge_of))
            found = tuple(steps[-1].word if steps else leaves)
        if found != (token_id,):
            return Unreached("no merge" if merges.parts(token_id) is None else "merges", found)
        return Unreached("neighbours") if token_id in self._always_merged else None

    def _by_score(self, token_id: int) -> Unreached | None:
        """For Unigram: other pieces of the same text have the higher score, in every text that holds it."""
        piece = self._model.piece(token_id)
        found = tuple(self._model.encode_word(piece).ids)
        mine = self._model.log_probability([piece])
        best = self._model.log_probability([self._model.piece(each) for each in found])
        clear = mine is not None and best is not None and best > mine + 1e-6
        return Unreached("score", found) if clear else None

    def _of_the_text(self, token_id: int, data: bytes) -> Unreached:
        """What becomes of the token's own text before the model sees it."""
        text = _decoded(data)
        if not text:
            return Unreached("not found")
        normalized = self._tokenizer.normalizer.normalize(text).text
        if normalized != text and normalized.encode() != self._tokenizer.token_bytes(token_id):
            return Unreached("normalization", self._alone(text))
        ends = self._model.ends_word(token_id)
        begins = self._model.written(data, begins=True, ends=ends) == self._tokenizer.token_bytes(token_id)
        words = self._tokenizer.encode(
            text if begins else "a" + text
        ).word_ids  # what goes on after a letter, after one
        return Unreached("split" if len(np.unique(words)) != 1 else "not found", self._alone(text))

    def _alone(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(text).ids.tolist())


def _decoded(data: bytes) -> str:
    """Bytes as text; empty where they are not whole characters."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return ""


def _leaves(root: TokenNode) -> Iterable[int]:
    """The ids of the base symbols of a token, from left to right."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.left is None or node.right is None:
            yield node.id
        else:
            pending += [node.right, node.left]
