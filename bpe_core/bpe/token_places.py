"""Places of a training's tokens in its words, from which their bytes are read without a copy of each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bpe_core.bpe.corpus import NEVER, Corpus
from bpe_core.bpe.vocabulary import TrainingBase
from bpe_core.errors import CorpusError
from bpe_core.language import message
from bpe_core.tokenizer.token_ranges import MOST_TOKEN_BYTES, TokenRanges

_BLOCK = 1_000_000
"""Symbols converted to bytes at a time."""


def ranges_of_tokens(
    base: TrainingBase, corpus: Corpus, pairs: npt.NDArray[np.int64], joined_at: npt.NDArray[np.int32]
) -> TokenRanges:
    """Tokens of a training as ranges of its words.

    `pairs`: ids that each merge joins; `joined_at`: see `Engine.joined_at`. Raises CorpusError if forced merges that
    occur nowhere make tokens of more than MOST_TOKEN_BYTES.

    >>> from bpe_core import TrainConfig
    >>> from bpe_core.bpe.vocabulary import base_vocabulary
    >>> base = base_vocabulary(TrainConfig(unit="char"), ["hug"])
    >>> joined = np.array([NEVER, 0, 1], np.int32)
    >>> list(ranges_of_tokens(base, Corpus.of([[2, 3, 1]], [1]), np.array([[2, 3], [4, 1]]), joined))
    [b'<unk>', b'g', b'h', b'u', b'hu', b'hug']
    """
    first_id = len(base.tokens)
    symbols = [1] * first_id
    lengths = [len(token) for token in base.tokens]
    for left, right in pairs.tolist():
        symbols.append(symbols[left] + symbols[right])
        lengths.append(lengths[left] + lengths[right])
    places = np.full(len(pairs), -1, np.int64)  # per merge: the first symbol of one of its right tokens
    made = np.flatnonzero(joined_at != NEVER)
    places[joined_at[made]] = made
    text, edges = _as_bytes(base, corpus)
    starts = np.full(first_id + len(pairs), -1, np.int64)
    occurs = np.flatnonzero(places >= 0)
    starts[first_id + occurs] = edges[places[occurs] - np.array(symbols, np.int64)[pairs[occurs, 0]]]
    ranges = TokenRanges(text, starts, lengths, dict(enumerate(base.tokens)))
    return TokenRanges(text, starts, lengths, _with_forced(ranges, pairs, first_id))


def _as_bytes(base: TrainingBase, corpus: Corpus) -> tuple[bytes, npt.NDArray[np.int64]]:
    """Symbols of all words as bytes, and the offset of each."""
    sizes = np.array([len(token) for token in base.tokens], np.int64)
    edges = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes[corpus.ids])))
    blocks = (corpus.ids[at : at + _BLOCK].tolist() for at in range(0, len(corpus.ids), _BLOCK))
    return b"".join(b"".join(map(base.tokens.__getitem__, block)) for block in blocks), edges


def _with_forced(ranges: TokenRanges, pairs: npt.NDArray[np.int64], first_id: int) -> dict[int, bytes]:
    """Tokens that need their own bytes: those of the base, and those of forced merges that occur nowhere."""
    kept = dict(ranges.kept)
    total = 0
    for rank in np.flatnonzero(ranges.starts[first_id:] < 0).tolist():
        total += int(ranges.lengths[first_id + rank])
        if total > MOST_TOKEN_BYTES:
            raise CorpusError(
                message(
                    "The forced merges create tokens that do not occur in the text, with {total:,} bytes in total.",
                    total=total,
                ),
                limit=message("The limit is {most:,} bytes in total.", most=MOST_TOKEN_BYTES),
                remedy=message("Force fewer merges."),
            )
        left, right = pairs[rank].tolist()
        kept[first_id + rank] = b"".join(
            kept[part] if part in kept else ranges.text[int(ranges.starts[part]) :][: int(ranges.lengths[part])]
            for part in (left, right)
        )
    return kept
