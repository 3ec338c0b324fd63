"""config.json of a model: the rows of its embedding, compared with the ids of its tokenizer."""

from __future__ import annotations

from typing import NamedTuple

from bpe_core import checks
from bpe_core.errors import FormatError
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.file_choice import MODEL_CONFIG
from bpe_core.formats.reading import an_id, an_object, check_size
from bpe_core.language import TranslatableMessage, message
from bpe_core.tokenizer.tokenizer import Tokenizer

MOST_BYTES = 5_000_000
_MOST_ROWS = 1 << 31
_MULTIPLES = (256, 128, 64)
_PARTS = ("text_config", "llm_config", "language_config")
"""Keys of the text model's settings in multimodal models."""


class EmbeddingFit(NamedTuple):
    """Rows of an embedding, compared with a tokenizer.

    rows     `vocab_size` of config.json
    tokens   tokens of the tokenizer
    largest  its largest id
    without  tokens whose id has no row

    >>> EmbeddingFit(512, 500, 500, 0).spare
    11
    """

    rows: int
    tokens: int
    largest: int
    without: int

    @property
    def spare(self) -> int:
        """Number of rows after that of the largest id."""
        return max(self.rows - self.largest - 1, 0)

    def sentence(self) -> TranslatableMessage:
        """Sentence on what the numbers mean for the model.

        >>> str(EmbeddingFit(512, 501, 500, 0).sentence())
        'config.json has 512 embedding rows, 11 more than the largest id needs: a multiple of 256, which is usual.'
        """
        if self.without:
            return message(
                "config.json has {rows:,} embedding rows, but the largest id is {largest:,}: the model fails on ids "
                "from {rows:,} on ({without:,} tokens).",
                rows=self.rows,
                largest=self.largest,
                without=self.without,
            )
        if not self.spare:
            return message("config.json has {rows:,} embedding rows: one for each id.", rows=self.rows)
        multiple = next((each for each in _MULTIPLES if self.rows % each == 0), 0)
        if multiple:
            return message(
                "config.json has {rows:,} embedding rows, {spare:,} more than the largest id needs: a multiple of "
                "{multiple}, which is usual.",
                rows=self.rows,
                spare=self.spare,
                multiple=multiple,
            )
        return message(
            "config.json has {rows:,} embedding rows, {spare:,} more than the largest id needs: perhaps tokens were "
            "added that this tokenizer lacks.",
            rows=self.rows,
            spare=self.spare,
        )


def embedding_fit(tokenizer: Tokenizer, config: bytes) -> EmbeddingFit | None:
    """Compare the `vocab_size` of a model's config.json with a tokenizer; None if it has none.

    Raises FormatError for a damaged file.

    >>> from bpe_core import load_pretrained
    >>> embedding_fit(load_pretrained("gpt2"), b'{"vocab_size": 50257}')
    EmbeddingFit(rows=50257, tokens=50257, largest=50256, without=0)
    """
    checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer"))
    checks.instance(config, MODEL_CONFIG, bytes, message("bytes"), error=FormatError)
    check_size(config, MODEL_CONFIG, MOST_BYTES)
    content = an_object(MODEL_CONFIG, parsed_json(config, MODEL_CONFIG, limit=message("It is an object.")))
    found = [content, *(part for name in _PARTS if isinstance(part := content.get(name), dict))]
    value = next((part["vocab_size"] for part in found if part.get("vocab_size") is not None), None)
    if value is None:
        return None
    rows = an_id(f"{MODEL_CONFIG}.vocab_size", value, _MOST_ROWS)
    ids = tokenizer.ids
    return EmbeddingFit(rows, len(ids), max(ids, default=-1), sum(each >= rows for each in ids))
