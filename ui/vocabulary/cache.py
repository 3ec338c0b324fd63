"""Caches of the Vocabulary page: facts about tokens, their frequencies, files and proofs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bpe_core import BpeError, Encoding, TrainConfig
from bpe_core.arrays import read_only
from bpe_core.bpe.training_step import Forks
from bpe_core.comparison.reach import Unreached, unreached_tokens
from bpe_core.formats.proof import Proof, prove, prove_original
from bpe_core.tokenizer.facts import times_used
from bpe_core.tokenizer.first_merges import with_first_merges
from bpe_core.tokenizer.forests import MergeForest, merge_forest
from bpe_core.tokenizer.merged_on import merged_at_once
from ui.cache import (
    cached_of,
    facts_of,
    file_tokenizer,
    made_of,
    snapshot,
    tokenizer,
    training,
)
from ui.memory.cache import cached
from ui.session.tokenizer_choice import TRAINED, own_file
from ui.session.tokenizer_files import is_own
from ui.session.training import Source
from ui.session.vocabulary import ORIGINAL
from ui.vocabulary import exports
from ui.vocabulary.changed_tokenizer import Change, ChangedTokenizer, apply_change
from ui.vocabulary.exports import Export


@cached
def unreached_of(name: str, source: Source, config: TrainConfig, forks: Forks = ()) -> dict[int, Unreached]:
    """Tokens that no text produces, with the reasons."""
    return unreached_tokens(tokenizer(name, source, config, forks))


@cached
def merged_at_once_of(name: str, source: Source, config: TrainConfig, forks: Forks = ()) -> dict[int, int]:
    """Tokens that the very next merge joined into a longer token, each with that token."""
    return merged_at_once(tokenizer(name, source, config, forks))


@cached
def trained_uses(source: Source, config: TrainConfig, forks: Forks = ()) -> npt.NDArray[np.int64]:
    """Count of each token in its own training text after the last merge."""
    last = len(training(source, config, forks).merges)
    return times_used(facts_of(TRAINED, source, config, forks), snapshot(source, config, last, forks))


@cached
def pretrained_uses(name: str, source: Source) -> npt.NDArray[np.int64]:
    """Count of each token of any other vocabulary in a text."""
    facts = facts_of(name, source, TrainConfig(), ())
    return times_used(facts, tokenizer(name, source, TrainConfig()).encode(source.text))  # lazy: only ids are computed


@cached_of(made_of)
def merge_forest_of(name: str, source: Source, config: TrainConfig, forks: Forks) -> MergeForest:
    """Merge forest of a selectable tokenizer."""
    return merge_forest(tokenizer(name, source, config, forks))


@cached
def first_merges(name: str, source: Source, config: TrainConfig, forks: Forks = ()) -> npt.NDArray[np.int64]:
    """Token counts of a text under the first 0, 1, 2, … merges of a tokenizer."""
    return read_only(tokenizer(name, source, config, forks).tokens_over_merges(source.text))


@cached
def first_encoding(
    name: str, source: Source, config: TrainConfig, forks: Forks, count: int, characters: int
) -> Encoding:
    """Start of a text, encoded with a tokenizer's first merges."""
    return with_first_merges(tokenizer(name, source, config, forks), count).encode(source.text[:characters])


@cached
def changed(
    name: str, source: Source, config: TrainConfig, forks: Forks, change: Change
) -> ChangedTokenizer | BpeError:
    """A changed tokenizer, with the words of a text that it segments differently, or the error if it is impossible."""
    try:
        return apply_change(tokenizer(name, source, config, forks), change, source.text)
    except BpeError as error:
        return error.with_traceback(None)


def _files_of(name: str, source: Source, config: TrainConfig, forks: Forks, *rest: Any) -> tuple[Any, ...]:
    """Cache key of a tokenizer's files: those of an uploaded file may depend on the text, published ones do not."""
    made = made_of(name, source, config, forks, *rest)
    return (name, source, *made[2:]) if is_own(name) else made


@cached_of(_files_of)
def export(name: str, source: Source, config: TrainConfig, forks: Forks, format: str) -> Export | BpeError:
    """Export of a selectable tokenizer, or the error if the format cannot hold it."""
    return exports.make_export(tokenizer(name, source, config, forks), format, source.text)


@cached_of(_files_of)
def proof(name: str, source: Source, config: TrainConfig, forks: Forks, format: str, text: Source) -> Proof | BpeError:
    """Proof that a tokenizer's file gives the same ids in the library of its format, or the error if there is none."""
    if format == ORIGINAL:
        return _original_proof(name, text)
    written = export(name, source, config, forks, format)
    if not isinstance(written, Export):
        return written
    try:
        return prove(tokenizer(name, source, config, forks), text.text, format=format, files=written.files)
    except BpeError as error:
        return error.with_traceback(None)


def _original_proof(name: str, text: Source) -> Proof | BpeError:
    file = own_file(name)
    try:
        return prove_original(file_tokenizer(file), text.text, file.contents())
    except BpeError as error:
        return error.with_traceback(None)
