"""Tokenizer with only its first merges."""

from __future__ import annotations

from bpe_core import checks
from bpe_core.errors import ConfigError
from bpe_core.language import message
from bpe_core.tokenizer.remembered_words import RememberedWords
from bpe_core.tokenizer.tokenizer import Tokenizer


def with_first_merges(tokenizer: Tokenizer, count: int) -> Tokenizer:
    """Tokenizer with its first `count` merges (all if it has fewer); ids and other stages are unchanged.

    Its token counts equal `Tokenizer.tokens_over_merges`. Raises ConfigError for a tokenizer without merges, and for
    anything but a whole number from 0.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> [with_first_merges(gpt2, count).tokenize(" lower") for count in (0, 100, 50_000)]
    [[' ', 'l', 'o', 'w', 'e', 'r'], [' l', 'ow', 'er'], [' lower']]
    """
    model = tokenizer.model.with_first_merges(checks.whole_number(count, "count", 0))
    if model is None:
        raise ConfigError(
            message("{name} has no merges.", name=tokenizer.name),
            limit=message("Only BPE tokenizers have merges."),
            remedy=message("Choose another one."),
        )
    return tokenizer._with(model=model, _remembered=RememberedWords(model))
