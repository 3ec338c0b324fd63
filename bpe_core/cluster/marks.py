"""Marks of tokenizers: an interrupted run is resumed only by a tokenizer that gives the same ids."""

from __future__ import annotations

from hashlib import sha256

from bpe_core.errors import FormatError
from bpe_core.formats import bpe_lab
from bpe_core.tokenizer.tokenizer import Tokenizer

_RULES = ("kind", "unit", "base", "crosses", "events")
"""What a model without a file format consists of, besides its tokens and merges."""


def mark_of(tokenizer: Tokenizer) -> str:
    """Hash of all that determines the ids of a tokenizer: its file, and what its file leaves out.

    >>> from bpe_core import TrainConfig, load_pretrained, train
    >>> mark_of(load_pretrained("gpt2")) == mark_of(load_pretrained("gpt2"))
    True
    >>> one, other = (train(text, TrainConfig(vocab_size=257)).tokenizer() for text in ("qx qx", "xq xq"))
    >>> mark_of(one) == mark_of(other)
    False
    """
    library = getattr(tokenizer.split, "library", None)
    described = repr([tokenizer.special_token_flags, library])
    return sha256(_saved(tokenizer) + described.encode()).hexdigest()[:16]


def _saved(tokenizer: Tokenizer) -> bytes:
    """The file of a tokenizer; for a model that no file holds, the text of its parts."""
    try:
        return bpe_lab.write(tokenizer)
    except FormatError:
        model = tokenizer.model
        stages = [tokenizer.normalizer, tokenizer.split, tokenizer.config]
        rows = None if model.merges is None else [*model.merges.rows]
        return repr([*stages, *(getattr(model, name, None) for name in _RULES), [*model.tokens], rows]).encode()
