"""Facts about every token of a tokenizer as arrays: bytes, lengths, script, rank, duplicates."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.arrays import ReadOnlyArrays, read_only
from bpe_core.language import message
from bpe_core.text.scripts import CODES, SPECIAL
from bpe_core.tokenizer.encoding import Occurrences
from bpe_core.tokenizer.range_facts import facts_of_ranges, text_facts
from bpe_core.tokenizer.token_ranges import TokenRanges, ranges_holding
from bpe_core.tokenizer.tokenizer import Tokenizer


@dataclass(frozen=True, eq=False)
class TokenFacts(ReadOnlyArrays):
    """Read-only arrays of equal length, one entry per token, ordered by id.

    ids             int32: ids of the vocabulary, which may have gaps
    byte_lengths    int32: bytes of the token's text (an end-of-word mark is not text)
    char_lengths    int32: its whole characters; 0 for part of a character
    scripts         uint8: index into scripts.SCRIPTS
    ranks           int32: rank of the merge that made it; -1 for base symbols and special tokens
    duplicates      int32: lowest other id with the same bytes, or -1; special tokens have none

    >>> from bpe_core import TrainConfig, train
    >>> facts = token_facts(train("low low lower", TrainConfig(vocab_size=258)).tokenizer())
    >>> len(facts), facts.char_lengths[-2:].tolist(), facts.duplicates[-2:].tolist()
    (258, [2, 3], [-1, -1])
    >>> facts.ids[facts.holding(b"ow")].tolist(), int(facts.with_ids([5, 257]).sum())
    ([257], 2)
    >>> facts.heads(2)[-2:]
    [b'lo', b'lo']
    """

    ids: npt.NDArray[np.int32]
    byte_lengths: npt.NDArray[np.int32]
    char_lengths: npt.NDArray[np.int32]
    scripts: npt.NDArray[np.uint8]
    ranks: npt.NDArray[np.int32]
    duplicates: npt.NDArray[np.int32]
    _bytes: npt.NDArray[np.uint8] = field(repr=False)
    _starts: npt.NDArray[np.int64] = field(repr=False)
    _ends: npt.NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def special(self) -> int:
        """Number of special tokens.

        >>> from bpe_core import load_pretrained
        >>> token_facts(load_pretrained("gpt2")).special
        1
        """
        return int((self.scripts == CODES[SPECIAL]).sum())

    @property
    def merged(self) -> int:
        """Number of tokens that a merge made.

        >>> from bpe_core import load_pretrained
        >>> token_facts(load_pretrained("gpt2")).merged
        50000
        """
        return int((self.ranks >= 0).sum())

    def holding(self, part: bytes) -> npt.NDArray[np.bool_]:
        """Mask of the tokens that contain this substring; all if empty. Raises ConfigError for anything but bytes."""
        checks.instance(part, message("The part"), bytes, message("bytes"))
        return ranges_holding(self._bytes, self._starts, self._ends, part)

    def heads(self, most: int) -> list[bytes]:
        """First bytes of each token, at most `most`."""
        data, ends = self._bytes.tobytes(), np.minimum(self._ends, self._starts + most)
        return [data[start:end] for start, end in zip(self._starts.tolist(), ends.tolist(), strict=True)]

    def with_ids(self, ids: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Mask of the tokens with one of these ids. Raises TokenIdError for anything but whole numbers."""
        wanted = checks.numbers(ids)
        return np.isin(self.ids, wanted)


def token_facts(tokenizer: Tokenizer) -> TokenFacts:
    """Facts about every token, special ones included; 200,000 tokens take about half a second.

    >>> from bpe_core import TrainConfig, train
    >>> facts = token_facts(train("low low lower", TrainConfig(vocab_size=258)).tokenizer())
    >>> facts.ids[facts.holding(b"lo")].tolist(), facts.byte_lengths[-2:].tolist(), facts.ranks[-2:].tolist()
    ([256, 257], [2, 3], [0, 1])
    """
    checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer"))
    if isinstance(tokenizer.model.tokens, TokenRanges):
        return TokenFacts(**facts_of_ranges(tokenizer, tokenizer.model.tokens))
    ids = tokenizer.ids
    special = np.isin(ids, list(tokenizer.special_tokens.values()))
    stored = [tokenizer.token_bytes(token_id) for token_id in ids]
    # text of a token: without the end-of-word mark, which decoding drops
    marked = any(map(tokenizer.model.ends_word, ids))
    contents = [tokenizer.decode_bytes([token_id]) for token_id in ids] if marked else stored
    char_lengths, scripts = text_facts(contents)
    scripts[special] = CODES[SPECIAL]
    rank_of = (lambda _: None) if tokenizer.model.merges is None else tokenizer.model.merges.rank_of
    ranks = np.array([-1 if (rank := rank_of(token_id)) is None else rank for token_id in ids], np.int32)
    ranks[special] = -1
    offsets = np.cumsum([0, *map(len, stored)], dtype=np.int64)
    return TokenFacts(
        ids=np.array(ids, np.int32),
        byte_lengths=np.array([len(data) for data in contents], np.int32),
        char_lengths=char_lengths,
        scripts=scripts,
        ranks=ranks,
        duplicates=_duplicates(ids, stored, special.tolist()),
        _bytes=np.frombuffer(b"".join(stored), np.uint8).copy(),
        _starts=offsets[:-1],
        _ends=offsets[1:],
    )


def times_used(facts: TokenFacts, where: Occurrences) -> npt.NDArray[np.int64]:
    """Count of each token in an encoded text, or in the training text at a step; in the order of `facts`.

    >>> from bpe_core import TrainConfig, train
    >>> training = train("low low lower", TrainConfig(vocab_size=258))
    >>> facts = token_facts(training.tokenizer())
    >>> times_used(facts, training.at(2))[-2:].tolist()
    [0, 3]
    """
    checks.instance(facts, message("The facts"), TokenFacts, "TokenFacts")
    checks.instance(where, message("What is counted"), Occurrences, message("an Encoding or a Snapshot"))
    ids, weights = where.occurrences()
    used = np.bincount(ids, weights, minlength=int(facts.ids.max(initial=0)) + 1)
    return read_only(used.astype(np.int64)[facts.ids])


def _duplicates(ids: list[int], stored: list[bytes], special: list[bool]) -> npt.NDArray[np.int32]:
    """For each token, the lowest other id with the same bytes, or -1."""
    first: dict[bytes, int] = {}
    duplicates = np.full(len(ids), -1, np.int32)
    for at, data in enumerate(stored):
        if special[at]:
            continue
        before = first.setdefault(data, at)
        if before != at:
            duplicates[at] = ids[before]
            if duplicates[before] < 0:
                duplicates[before] = ids[at]
    return duplicates
