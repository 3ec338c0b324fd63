"""Vocabulary tokens that no text produces, and the reasons.

Reached tokens are found by trial: texts that contain every token of the vocabulary are encoded. The other tokens get a
reason. For merges there is a proof: no merge crosses a final boundary, so a token within a word is the encoding of its
own symbols. If that encoding differs, the token occurs in no word. A token neither found nor proven probably occurs in
no text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np

from bpe_core import checks
from bpe_core.bpe import reference
from bpe_core.bpe.model import BpeModel
from bpe_core.comparison.contexts import AROUND, completions, plain_texts
from bpe_core.comparison.neighbours import Neighbours, encoded_bytes, merges_bytes, neighbours_of, texts_beside
from bpe_core.language import message
from bpe_core.tokenizer.token_ranges import check_listed
from bpe_core.tokenizer.tokenizer import Tokenizer

Why = Literal[
    "special",
    "special piece",
    "bytes",
    "same text",
    "no merge",
    "merges",
    "score",
    "neighbours",
    "normalization",
    "split",
    "not found",
]

PROVEN: frozenset[Why] = frozenset(("special", "bytes", "same text", "no merge", "merges", "score", "neighbours"))
"""Reasons that are proofs. The others describe the encoding of the token's own text; no text tried gives the token."""

_ROUNDS = (1, 4, 16, 64, 256)
"""Completions tried for each remaining token, round by round."""

_AT_ONCE = 50
"""Number of tokens tried after others in one text: a few long texts encode faster than many short ones."""

_MOST_TRIED = 500
"""Limit on the tokens that remain after the joined texts and are tried one by one."""

_MOST_PROVEN = 300
"""Limit on the parts of characters that are combined with all other tokens."""

_MOST_SYMBOLS = 300
"""Symbols of a token over characters up to which its merges are replayed."""

_MOST_WAYS = 64
"""Limit on the derivations of a token over characters, each of which is replayed."""


class Unreached(NamedTuple):
    """A token that no text produces, or probably none: see `proven`.

    why      "special": matched by its name only; "special piece": a special token that the model could also produce;
             "bytes": its bytes are in no UTF-8 text; "same text": it becomes another token of the same text; "no
             merge": no merge makes it; "merges", "score": its own text becomes the tokens `instead`; "neighbours": it
             is part of a character, and merges with every completion of it; "normalization", "split": its text is
             changed, or divided, before the model; "not found": no text tried gives it
    instead  encoding of its own text, as ids; empty if unknown

    >>> Unreached("merges", (65, 66)).proven, Unreached("split").proven
    (True, False)
    """

    why: Why
    instead: tuple[int, ...] = ()

    @property
    def proven(self) -> bool:
        """Whether it is proven that no text produces the token, rather than only tried."""
        return self.why in PROVEN


def unreached_tokens(tokenizer: Tokenizer) -> dict[int, Unreached]:
    """Tokens that no text produces, by id, ascending; `Unreached.proven` distinguishes proof from trial.

    Includes special tokens, unless plain text becomes them.

    200,000 tokens of BPE take about two seconds, the 30,000 of BERT about four. Raises CorpusError if the tokens
    have more than 16,000,000 bytes.

    >>> from bpe_core import TrainConfig, train
    >>> pairs = [(97, 98), (98, 99), (97, 257)]  # ab first, so that abc is never a and bc
    >>> found = unreached_tokens(train("", TrainConfig(split="words", vocab_size=259), forced=pairs).tokenizer())
    >>> found[258], 257 in found, found[255].why
    (Unreached(why='merges', instead=(256, 99)), False, 'bytes')
    """
    checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer"))
    check_listed(tokenizer.model.tokens)
    texts = plain_texts(tokenizer)
    left = _Left(tokenizer, set(texts))
    whole = {token_id: text for token_id, data in texts.items() if (text := _decoded(data))}
    for before, after in AROUND:
        left.try_text("".join(before + whole[token_id] + after for token_id in sorted(left.ids & whole.keys())))
    left.try_each(whole[token_id] for token_id in sorted(left.ids & whole.keys())[:_MOST_TRIED])
    for before, after in AROUND[:2]:  # also as files spell them: <0x0A> may be a piece as well as a byte
        left.try_text("".join(before + tokenizer.spelling(token_id) + after for token_id in sorted(left.ids)))
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
    reasons = {token_id: why.of(token_id) for token_id in left.ids}
    for token_id in set(tokenizer.special_tokens.values()) - (texts.keys() - left.ids) - {tokenizer.unknown_id}:
        reason = reasons.get(token_id)
        reasons[token_id] = Unreached("special piece" if reason is not None and not reason.proven else "special")
    return {token_id: each for token_id, each in sorted(reasons.items()) if each is not None}


def _try_after_others(tokenizer: Tokenizer, left: _Left, whole: Mapping[int, str]) -> None:
    """Try each token that continues a word after tokens that begin one, the shortest first."""
    model = tokenizer.model
    begins = {
        i for i, text in whole.items() if model.written(text.encode(), begins=True, ends=False) == model.tokens[i]
    }
    first = sorted((whole[token_id] for token_id in begins), key=len)[:_MOST_TRIED]
    ids = sorted(left.ids & whole.keys() - begins)[:_MOST_TRIED]
    for at in range(0, len(ids), _AT_ONCE):
        left.try_text("\n".join(text + whole[token_id] for token_id in ids[at : at + _AT_ONCE] for text in first))


def _beside(tokenizer: Tokenizer, texts: Mapping[int, bytes], ids: Iterable[int]) -> dict[int, Neighbours]:
    """Neighbours of tokens that are part of a character, if the model merges bytes."""
    model = tokenizer.model
    if not merges_bytes(model):
        return {}
    parts = [token_id for token_id in ids if not _decoded(texts[token_id])]
    written = {token_id: data for token_id, data in enumerate(model.tokens) if data is not None} if parts else {}
    return {token_id: neighbours_of(model, written, token_id) for token_id in parts[:_MOST_PROVEN]}


def _keeps_characters(tokenizer: Tokenizer) -> bool:
    """Whether words consist of whole UTF-8 characters: nothing changes or divides the output of ByteLevel."""
    steps = getattr(tokenizer.split, "steps", ())
    mapped = any(getattr(step, "maps_bytes", False) for step in tokenizer.normalizer.steps)
    return not mapped and not any(step.maps_bytes for step in steps[:-1])


class _Left:
    """Ids of the model that no text has produced yet."""

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
    """Reasons for tokens that no text produced."""

    def __init__(self, tokenizer: Tokenizer, texts: Mapping[int, bytes], always_merged: set[int]) -> None:
        self._tokenizer = tokenizer
        self._model = tokenizer.model
        self._texts = texts
        self._always_merged = always_merged
        self._made: dict[int, frozenset[tuple[int, ...]]] = {}
        self._keeps_characters = _keeps_characters(tokenizer)

    def of(self, token_id: int) -> Unreached | None:
        """Reason for a token; None for the unknown token, which unknown text becomes."""
        data = self._texts[token_id]
        if token_id == self._model.unknown_id:
            return None
        if next(completions(data), None) is None:
            return Unreached("bytes" if self._are_bytes(token_id) else "not found")
        own, reason = self._tokenizer.token_bytes(token_id), self._of_the_model(token_id)
        if reason is not None:
            same_text = [self._tokenizer.token_bytes(each) for each in reason.instead] == [own]
            return Unreached("same text", reason.instead) if same_text else reason
        same = self._model.token_id(own)
        if self._model.merges is None and same is not None and same != token_id and self._is_piece(token_id):
            return Unreached("same text", (same,))
        return self._of_the_text(token_id, data)

    def _are_bytes(self, token_id: int) -> bool:
        """Whether the model gives a token invalid in UTF-8 only for its own bytes, and these are bytes of the text."""
        merges = self._model.merges
        if merges_bytes(self._model):
            return self._keeps_characters
        # such as for the text <0xFF>
        by_name = self._model.kind == "unigram" if merges is None else merges.takes_wholes
        return not by_name and (merges is None or merges.parts(token_id) is None)

    def _of_the_model(self, token_id: int) -> Unreached | None:
        """Proofs: the encoding of the token's own symbols, independent of their context."""
        model = self._model
        if model.rule == "best score":
            return self._by_score(token_id)
        merges = model.merges
        if not isinstance(model, BpeModel) or merges is None or (merges.takes_wholes and not merges_bytes(model)):
            return None
        if merges_bytes(model):
            ways = encoded_bytes(model, [model.tokens[token_id] or b""])
            if merges.takes_wholes and ways != [(token_id,)]:
                return None
        else:
            ways = [self._merged(leaves) for leaves in self._ways(token_id)]
        if not ways:
            return None
        if (token_id,) not in ways:
            return Unreached("no merge" if merges.parts(token_id) is None else "merges", ways[0])
        always = token_id in self._always_merged and self._keeps_characters
        return Unreached("neighbours") if always else None

    def _merged(self, leaves: Sequence[int]) -> tuple[int, ...]:
        """Encoding of base symbols."""
        assert self._model.merges is not None
        steps = list(reference.encode(list(leaves), self._model.merges.merge_of))
        return tuple(steps[-1].word) if steps else tuple(leaves)

    def _ways(self, token_id: int) -> list[tuple[int, ...]]:
        """Possible base symbols of a token over characters, those of its merge tree first; empty if too many."""
        made, pending = self._made, [token_id]
        begun: set[int] = set()
        while pending:  # no recursion: a chain of merges may be as long as the vocabulary
            current = pending[-1]
            pairs = self._pairs.get(current, ())
            needed = [part for pair in pairs for part in pair if part not in made]
            if current in made or not needed:
                made.setdefault(pending.pop(), self._joined(current, pairs))
            elif current in begun:  # the token contains itself
                return []
            else:
                begun.add(current)
                pending += needed
        leaves = tuple(self._tokenizer.tree(token_id).leaves())
        return [leaves, *made[token_id] - {leaves}] if made[token_id] else []

    def _joined(self, token_id: int, pairs: Sequence[tuple[int, int]]) -> frozenset[tuple[int, ...]]:
        """Combine the derivations of a token's pairs; empty if too many."""
        assert isinstance(self._model, BpeModel)
        prefix, suffix = getattr(self._model.base, "prefix", ""), self._model.base.mark
        spelled = self._model.spelling(token_id).removeprefix(prefix).removesuffix(suffix)
        alone = not pairs or len(spelled) <= 1  # it can be a base symbol
        found: set[tuple[int, ...]] = {(token_id,)} if alone else set()
        for left, right in pairs:
            lefts, rights = self._made[left], self._made[right]
            found |= {one + other for one in lefts for other in rights}
            many = not lefts or not rights or len(found) > _MOST_WAYS
            if many or any(len(each) > _MOST_SYMBOLS for each in found):
                return frozenset()
        return frozenset(found)

    @cached_property
    def _pairs(self) -> dict[int, list[tuple[int, int]]]:
        """Pairs that make each token."""
        found: dict[int, list[tuple[int, int]]] = {}
        for left, right, made in () if self._model.merges is None else self._model.merges.rows:
            found.setdefault(made, []).append((left, right))
        return found

    def _is_piece(self, token_id: int) -> bool:
        """Whether a token represents its text, rather than a byte spelled <0x0A>."""
        return self._model.tokens[token_id] == self._model.piece(token_id).encode()

    def _by_score(self, token_id: int) -> Unreached | None:
        """For Unigram: whether other pieces of the same text score higher in every text that contains it."""
        piece = self._model.piece(token_id)
        found = tuple(self._model.encode_word(piece).ids)
        pieces = [self._model.piece(each) for each in found]
        if not self._is_piece(token_id) or "".join(pieces) != piece or self._model.unknown_id in found:
            return None  # a byte, or scores of unknown text
        mine, best = self._model.log_probability([piece]), self._model.log_probability(pieces)
        clear = mine is not None and best is not None and best > mine + 1e-6 * max(1.0, abs(mine))
        return Unreached("score", found) if clear else None

    def _of_the_text(self, token_id: int, data: bytes) -> Unreached:
        """Changes to the token's own text before the model."""
        text = _decoded(data)
        if not text:
            return Unreached("not found")
        normalized = self._tokenizer.normalizer.normalize(text).text
        if normalized != text and normalized.encode() != self._tokenizer.token_bytes(token_id):
            return Unreached("normalization", self._alone(text))
        ends = self._model.ends_word(token_id)
        begins = self._model.written(data, begins=True, ends=ends) == self._tokenizer.token_bytes(token_id)
        words = self._tokenizer.encode(text if begins else "a" + text).word_ids  # a continuation follows a letter
        return Unreached("split" if len(np.unique(words)) != 1 else "not found", self._alone(text))

    def _alone(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(text).ids.tolist())


def _decoded(data: bytes) -> str:
    """Bytes as text; empty if they are not whole characters."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return ""
