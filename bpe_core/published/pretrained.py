"""Published tokenizers by name, loaded lazily and offline from bundled files.

name                   model         file                             by
"gpt2"                 merges        ranks (see bpe_core/bundled)     OpenAI
"cl100k_base"          merges        ranks                            OpenAI
"o200k_base"           merges        ranks                            OpenAI
"bert-base-uncased"    WordPiece     tokenizer.json                   Google
"bert-base-cased"      WordPiece     tokenizer.json                   Google
"t5-small"             Unigram       tokenizer.json                   Google
"""

from __future__ import annotations

from functools import lru_cache

from bpe_core.bundled.files import bundled
from bpe_core.bundled.openai import OPENAI, load_ranked
from bpe_core.errors import FormatError, VocabularyError, quoted
from bpe_core.language import listed, message
from bpe_core.tokenizer.tokenizer import Tokenizer

SHELF = ("bert-base-uncased", "bert-base-cased", "t5-small")
"""Tokenizers with a tokenizer.json: WordPiece in lower case and cased, and Unigram."""

PRETRAINED = (*OPENAI, *SHELF)
"""Names accepted by `load_pretrained`."""


def load_pretrained(name: str) -> Tokenizer:
    """Load a published tokenizer by its name in `PRETRAINED`. Loaded once, then shared.

    Raises VocabularyError for an unknown name, and for a missing or damaged file.

    >>> load_pretrained("gpt2").encode("Hello").ids.tolist()
    [15496]
    """
    if not isinstance(name, str) or name not in PRETRAINED:
        raise VocabularyError(
            message("{name} is not a pretrained tokenizer.", name=quoted(name)),
            limit=message("Known: {known}.", known=listed(PRETRAINED, last="")),
            remedy=message("Choose one of these."),
        )
    return load_ranked(name) if name in OPENAI else _from_shelf(name)


@lru_cache(maxsize=len(SHELF))
def _from_shelf(name: str) -> Tokenizer:
    from bpe_core.formats import from_bytes  # importing all formats takes longer than opening a rank file

    try:
        return from_bytes(bundled(f"{name}.json"), name)
    except FormatError as error:  # the file's hash matches, so the fault is in this program's reader
        raise VocabularyError(
            message(
                "The vocabulary file {name}.json cannot be read as a tokenizer: {problem}",
                name=name,
                problem=error.problem,
            ),
            limit=error.limit,
            remedy=message("Reinstall the program from the project's repository."),
        ) from None
