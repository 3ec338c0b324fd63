"""Plotly figures of a training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from bpe_core import checks
from bpe_core.display.library import Figure
from bpe_core.display.training_figures import MergeData, OtherCost, cost_figure, counts_figure, merges_figure
from bpe_core.drawing.themes import checked_theme
from bpe_core.errors import ConfigError
from bpe_core.language import message
from bpe_core.tokenizer.named_tokenizers import checked_tokenizers
from bpe_core.tokenizer.tokenizer import Tokenizer

if TYPE_CHECKING:
    from bpe_core.bpe.training import Training

FIGURES = ("tokens", "counts", "cost")
"""Figures of a training by name."""


def training_figure(
    training: Training, data: MergeData, name: str, theme: str, tokenizers: Mapping[str, Tokenizer] | None
) -> Figure:
    """Return the figure documented by `Training.figure`.

    >>> from bpe_core import TrainConfig, train
    >>> [trace.y for trace in train("low low lower", TrainConfig(vocab_size=259)).figure("counts").data]
    [(2,), (3, 3)]
    """
    checks.choice(name, "name", FIGURES)
    checked_theme(theme)
    if tokenizers is not None and name != "cost":
        raise checks.wrong(
            name,
            "name",
            message("Other tokenizers are drawn beside the figure 'cost' only."),
            message("Leave out tokenizers, or choose 'cost'."),
        )
    if name == "tokens":
        return merges_figure(data, theme)
    if name == "counts":
        return counts_figure(data, theme)
    sizes = [asdict(cost) for cost in training.sweep()]
    others = _costs(training, {} if tokenizers is None else tokenizers)
    return cost_figure(sizes, int(data.token_counts[0]), data.by_bytes, others, theme)


def _costs(training: Training, tokenizers: Mapping[str, Tokenizer]) -> list[OtherCost]:
    """Tokens of the training text under other tokenizers. Raises ConfigError for a training on several texts.

    Raises CorpusError, as `Training.symbols` does, if the text is not kept.
    """
    checked_tokenizers(tokenizers)
    if not tokenizers:
        return []
    text = training.text
    if len(training.symbols(0, len(text)).ids) != training.token_count(0):
        raise ConfigError(
            message("The training has more than one text."),
            limit=message("Other tokenizers are drawn for a training on a single text."),
            remedy=message("Leave out tokenizers, or train on a single text."),
        )
    return [OtherCost(name, each.vocab_size, len(each.encode(text))) for name, each in tokenizers.items()]
