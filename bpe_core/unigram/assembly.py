"""Tokenizer of a Unigram model."""

from __future__ import annotations

from bpe_core import checks
from bpe_core.bpe.config import UNKNOWN
from bpe_core.language import message
from bpe_core.text.normalizers import IDENTITY, Normalizer
from bpe_core.text.splits import MARKED_SPLIT, Split
from bpe_core.tokenizer.decoders import SpaceMarks
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.model import UnigramModel


def unigram_tokenizer(
    model: UnigramModel, *, name: str = "Unigram", normalizer: Normalizer = IDENTITY, split: Split | None = None
) -> Tokenizer:
    """Tokenizer of a Unigram model.

    By default texts are split at white space, each word with the one space before it. Raises ConfigError for anything
    but a UnigramModel.

    >>> tokenizer = unigram_tokenizer(UnigramModel({"▁": 2.0, "h": 3.0, "u": 3.0, "g": 3.0, "▁hu": 4.0}))
    >>> tokenizer.tokenize("hug\\n\\nhu  hugs")
    ['▁hu', 'g', '▁hu', '▁hu', 'g', '<unk>']
    >>> [(token.char_start, token.char_end) for token in tokenizer.encode("hug hug")]
    [(0, 2), (2, 3), (3, 6), (6, 7)]
    """
    checks.instance(model, "model", UnigramModel, message("a UnigramModel"))
    unknown = model.special_tokens.index(UNKNOWN)
    return Tokenizer(
        name,
        model=model,
        normalizer=normalizer,
        split=Split(MARKED_SPLIT) if split is None else split,
        decoder=SpaceMarks(frozenset((unknown,)) if model.unknown == "word" else frozenset()),
        special_tokens={token: number for number, token in enumerate(model.special_tokens)},
    )
