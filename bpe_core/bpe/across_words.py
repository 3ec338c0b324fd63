"""Dispatch to the training methods whose merges cross words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bpe_core.bpe.boundless import train_boundless
from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.corpus import Progress
from bpe_core.bpe.superbpe import train_superbpe
from bpe_core.bpe.training import Training
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import message
from bpe_core.text.files import Text
from bpe_core.text.word_counts import WordCounts
from bpe_core.tokenizer.tokenizer import Tokenizer


def train_across(
    texts: Text | Iterable[Text] | WordCounts,
    config: TrainConfig,
    base: Tokenizer | None,
    forced: Sequence[tuple[int, int]],
    on_progress: Progress | None,
) -> Training:
    """Train by the method of `config`, whose merges cross words; parameters as in `train`.

    Raises ConfigError also for WordCounts and for `base`.

    >>> config = TrainConfig(vocab_size=260, method="boundlessbpe")
    >>> len(train_across("low low low", config, None, (), None).merges)
    4
    """
    if isinstance(texts, WordCounts):
        raise ConfigError(
            message("method is {method}, and the training has word counts.", method=quoted(config.method)),
            limit=message("Merging across words needs to know which words are adjacent."),
            remedy=message("Train on texts or files, or choose the method 'bpe'."),
        )
    if base is not None:
        raise ConfigError(
            message(
                "method is {method}, continuing from {name}.", method=quoted(config.method), name=quoted(base.name)
            ),
            limit=message("Only the method 'bpe' continues from a tokenizer."),
            remedy=message("Leave base out, or choose the method 'bpe'."),
        )
    if config.method == "boundlessbpe":
        if forced:
            raise ConfigError(
                message("There are {number:,} merges to force with method 'boundlessbpe'.", number=len(forced)),
                limit=message("A pair of ids does not determine whether its tokens are whole words or parts of one."),
                remedy=message("Train without them, and choose other merges with fork."),
            )
        return train_boundless(texts, config, on_progress)
    return train_superbpe(texts, config, forced, on_progress)
