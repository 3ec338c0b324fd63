"""Convert core data for views: spans of an encoding, chips of tokens, and texts for settings."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bpe_core import Encoding, TrainConfig
from bpe_core.language import message, n_, translate
from bpe_core.payloads.spans import TokenSpans
from bpe_core.tokenizer.lanes import bare_labels
from ui.session.learned_tokenizers import learned
from ui.session.tokenizer_choice import TRAINED
from ui.session.tokenizer_files import is_own, own_title
from ui.session.training import base_name

NAMES = {
    TRAINED: message("Trained"),
    "gpt2": "GPT-2",
    "cl100k_base": "cl100k",
    "o200k_base": "o200k",
    "bert-base-uncased": "BERT",
    "bert-base-cased": "BERT cased",
    "t5-small": "T5",
}
"""Titles of tokenizers, to be translated by `translate`; see `title_of` for uploaded ones."""

_PAGES = {
    "train": message("Train"),
    "encode": message("Encode"),
    "compare": message("Compare"),
    "vocabulary": message("Vocabulary"),
    "algorithms": message("Algorithms"),
    "pipeline": message("Pipeline"),
    "lessons": message("Lessons"),
}

KINDS = {"bert-base-uncased": "WordPiece", "bert-base-cased": "WordPiece", "t5-small": "Unigram"}
"""Model types of the less known tokenizers."""

WINDOW = 20_000
"""Maximum number of tokens drawn; the rest are counted."""


def title_of(name: str) -> str:
    """Title of a tokenizer on pages; that of a file contains no markdown syntax.

    It may be an untranslated message, so that keys and names are the same for all visitors; `translate` translates it.
    """
    if is_own(name):
        return own_title(name)
    return NAMES[name] if (found := learned(name)) is None else found.title


def base_title(config: TrainConfig) -> str:
    """Title of the tokenizer that a training continues from; "" without one."""
    name = base_name(config)
    return translate(title_of(name)) if name else ""


def page_title(page: str) -> str:
    """Title of a page.

    >>> page_title("train")
    'Train'
    """
    return translate(_PAGES[page])


def spans(encoding: Encoding, *, first: int = 0, count: int = WINDOW) -> TokenSpans:
    """Drawable spans of `count` tokens of an encoding, starting at `first`."""
    return TokenSpans.of(
        encoding.text,
        encoding.ids,
        encoding.starts,
        encoding.ends,
        special=encoding.special,
        labels=bare_labels(encoding, first, count),
        words=word_edges(encoding),
        first=first,
        count=count,
        character_starts=encoding.character_starts,
    )


def word_edges(encoding: Encoding) -> npt.NDArray[np.bool_]:
    """For each token but the first, whether it begins a word of the split."""
    begins = np.zeros(len(encoding), np.bool_)
    begins[1:] = encoding.word_ids[1:] != encoding.word_ids[:-1]
    return begins


def bytes_words(count: int) -> str:
    """Format a number of bytes.

    >>> bytes_words(100), bytes_words(393_216), bytes_words(1_572_864)
    ('100 bytes', '393 KB', '1.6 MB')
    """
    if count < 1_000:
        return n_("{count:,} byte", "{count:,} bytes", count)
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{count / 1e3:,.0f} KB"
