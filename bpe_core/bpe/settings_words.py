"""The settings of a training in one line."""

from __future__ import annotations

from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.training_step import Forks
from bpe_core.language import _, message, term, translate
from bpe_core.text.digits import AS_SPLIT, digits_of

_SPLITS = {
    "none": message("no split"),
    "words": term("split", "words"),
    "gpt2": message("GPT-2 split"),
    "cl100k": message("cl100k split"),
    "o200k": message("o200k split"),
}


_TIES = {
    "first-seen": message("first seen wins"),
    "lowest-ids": message("lowest ids win"),
    "first-counted": message("first counted wins"),
}


def settings_line(config: TrainConfig, forks: Forks = (), base: str = "") -> str:
    """One-line summary of the settings; for a fork, with the merges chosen by hand instead of by the rule.

    `base`: name of the tokenizer that the training continues from.

    >>> settings_line(TrainConfig())
    'Bytes · GPT-2 split · 512 ids · first seen wins'
    """
    return " · ".join(filter(None, _main_settings(config, forks, base)))


def changed_settings(config: TrainConfig, forks: Forks = (), base: str = "") -> str:
    """The parts of the summary that differ from the defaults; "" if none does.

    >>> changed_settings(TrainConfig(vocab_size=300))
    '300 ids'
    """
    both = [*zip(_main_settings(config, forks, base), _main_settings(TrainConfig(), (), ""), strict=True)]
    if base:
        del both[2]  # the number of ids says little without that of the tokenizer
    return " · ".join(now for now, default in both if now and now != default)


def _method(config: TrainConfig) -> str:
    """The method, if merges cross words."""
    if config.method == "superbpe":
        return _("SuperBPE from {transition:,}", transition=config.transition)
    return "BoundlessBPE" if config.method == "boundlessbpe" else ""


def _main_settings(config: TrainConfig, forks: Forks, base: str) -> tuple[str, str, str, str, str]:
    rule = translate(_TIES[config.tie_break])
    if len(forks) == 1:
        rule = _("merge {number:,} chosen", number=forks[0][0] + 1)
    elif forks:
        rule = _("{merges:,} merges chosen", merges=len(forks))
    return (
        _("on from {base}", base=base) if base else _("Bytes") if config.unit == "byte" else _("Characters"),
        "" if base and config.split == "none" else _split(config.split),  # the tokenizer may have rules of its own
        _("{ids:,} ids", ids=config.vocab_size),
        _method(config),
        rule,
    )


def _split(split: str) -> str:
    made = digits_of(split)
    if made is None or made.digits == AS_SPLIT:
        return translate(_SPLITS[split]) if split in _SPLITS else _("own split")
    name = translate(_SPLITS[made.split])
    if made.digits == "one":
        return _("{split}, digits one by one", split=name)
    if made.digits == "left":
        return _("{split}, digits from the left", split=name)
    return _("{split}, digits from the right", split=name)
