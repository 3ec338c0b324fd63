"""Trainers of the models that `train` offers."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.growth import grown_settings
from bpe_core.bpe.training import Training
from bpe_core.bpe.training import train as train_bpe
from bpe_core.cli.loading import named
from bpe_core.cli.terminal import Progress, UsageError, error_text
from bpe_core.errors import ConfigError
from bpe_core.formats import by_merges
from bpe_core.language import _
from bpe_core.sentencepiece.training import train_sentencepiece
from bpe_core.text.word_counts import WordCounts, WordSettings
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.training import train_unigram
from bpe_core.wordpiece.training import train_wordpiece

Facts = dict[str, Any]
Texts = Iterator[Any]
"""Texts one by one; for bpe also paths of UTF-8 files, which are read in blocks."""


def given_settings(arguments: Namespace) -> dict[str, Any]:
    """The settings of a training that were given on the command line.

    >>> from bpe_core.cli.arguments import parser
    >>> given_settings(parser("bpe").parse_args(["train", "a.txt", "--vocab-size", "300", "--out", "b.json"]))
    {'vocab_size': 300}
    """
    names = [setting.name for setting in fields(TrainConfig)]
    return {name: value for name in names if (value := getattr(arguments, name, None)) is not None}


def config_of(given: dict[str, Any]) -> TrainConfig:
    """Settings of a training. Raises UsageError for values out of range.

    >>> config_of({"vocab_size": 258}).vocab_size
    258
    """
    try:
        return TrainConfig(**{**given, "special_tokens": tuple(given.get("special_tokens", ()))})
    except ConfigError as error:
        raise UsageError(error_text(error)) from None


def base_of(arguments: Namespace, given: dict[str, Any]) -> Tokenizer | None:
    """The tokenizer of --base; its word settings are added to `given`. Raises UsageError for other settings.

    >>> from bpe_core.cli.arguments import parser
    >>> given = {"vocab_size": 50_300}
    >>> command = ["train", "a.txt", "--vocab-size", "50300", "--out", "b.json", "--base", "gpt2"]
    >>> base_of(parser("bpe").parse_args(command), given).name, given["split"]
    ('gpt2', 'gpt2')
    """
    if arguments.base is None:
        return None
    if arguments.model != "bpe":
        raise UsageError(_("{option} is for --model bpe.", option="--base"))
    others = given.keys() - {"vocab_size", "tie_break", "min_count"}
    if others:
        option = f"--{min(others).replace('_', '-').removesuffix('s')}"
        raise UsageError(
            _("{option} and --base are both given: {base} has its own.", option=option, base=arguments.base)
        )
    base = by_merges(named(arguments.base))
    settings = grown_settings(base, TrainConfig(**given))
    given |= {name: getattr(settings, name) for name in WordSettings.__dataclass_fields__}
    return base


def trained_bpe(
    texts: Texts | WordCounts, given: dict[str, Any], bar: Progress, *, base: Tokenizer | None = None
) -> tuple[Tokenizer, Facts]:
    """A BPE tokenizer, and facts about its training. Raises UsageError for settings that are out of range.

    >>> trained_bpe(iter(["low low"]), {"vocab_size": 258}, Progress("training", quiet=True))[1]
    {'merges': 2, 'stop_reason': 'vocabulary full'}
    """
    facts: Facts = {}
    training = bpe_training(texts, given, bar, base=base)
    if isinstance(texts, WordCounts):
        facts = {"words": len(texts), "dropped_share": texts.dropped_share}
    return training.tokenizer(), {"merges": len(training.merges), "stop_reason": training.stop_reason, **facts}


def bpe_training(
    texts: str | Texts | WordCounts, given: dict[str, Any], bar: Progress, *, base: Tokenizer | None = None
) -> Training:
    """BPE training with the settings given. Raises UsageError for settings that are out of range.

    >>> bpe_training("low low", {"vocab_size": 258}, Progress("training", quiet=True))
    <Training: 2 merges, vocabulary full>
    """
    return train_bpe(texts, config_of(given), base=base, on_progress=bar)


def _wordpiece(texts: Texts, given: dict[str, Any], bar: Progress) -> tuple[Tokenizer, Facts]:
    training = train_wordpiece(texts, given["vocab_size"], on_progress=bar)
    return training.tokenizer(), {"merges": len(training.merges), "stop_reason": training.stop_reason}


def _unigram(texts: Texts, given: dict[str, Any], bar: Progress) -> tuple[Tokenizer, Facts]:
    size = given["vocab_size"]
    training = train_unigram(texts, size, seed_size=max(300, 2 * size), on_progress=bar)
    return training.tokenizer(), {}


def _sentencepiece(texts: Texts, given: dict[str, Any], bar: Progress) -> tuple[Tokenizer, Facts]:
    return train_sentencepiece(texts, given["vocab_size"]).tokenizer(), {}


TRAINERS: dict[str, Callable[[Any, dict[str, Any], Progress], tuple[Tokenizer, Facts]]] = {
    "bpe": trained_bpe,
    "wordpiece": _wordpiece,
    "unigram": _unigram,
    "sentencepiece": _sentencepiece,
}
