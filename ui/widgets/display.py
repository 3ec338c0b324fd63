"""Convert core data for views: spans of an encoding, chips of tokens, and texts for settings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from bpe_core import Encoding, Tokenizer
from bpe_core.comparison.evidence import Piece
from bpe_core.language import Sentence, current_language, message, n_, translate
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.spans import Lane, TokenSpans
from bpe_core.tokenizer.chips import chip
from bpe_core.tokenizer.encoding import Offsets
from ui.session.learned_tokenizers import learned
from ui.session.tokenizer_choice import TRAINED
from ui.session.tokenizer_files import is_own, own_title

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
        labels=_labels(encoding, first, count),
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


def lane(name: str, encoding: Encoding, offsets: tuple[Offsets, Offsets] | None = None) -> Lane:
    """An encoding as a lane of the interlinear view; `offsets`: its tokens' offsets in another text that is drawn."""
    starts, ends = offsets or (encoding.starts, encoding.ends)
    return Lane(
        name,
        encoding.ids,
        starts,
        ends,
        special=encoding.special,
        labels=_labels(encoding, 0, len(encoding)),
    )


def _labels(encoding: Encoding, first: int, count: int) -> dict[int, str]:
    """Labels of tokens drawn by name instead of text: special tokens, <unk>, and a lone end-of-word mark."""
    window = slice(first, first + count)
    bare = encoding.special[window] | (encoding.starts[window] == encoding.ends[window])
    return {i: encoding[i].bytes.decode(errors="replace") for i in (np.flatnonzero(bare) + first).tolist()}


def piece_chip(tokenizer: Tokenizer, piece: Piece, text: bytes) -> Chip | bytes:
    """A piece of a reason: a token of this tokenizer, or text that is no token."""
    return piece.data if piece.id is None else chip(tokenizer, piece.id, text)


def reason_parts(sentence: Sentence, drawn: Callable[[Piece], Chip | bytes]) -> list[str | Chip | bytes]:
    """The sentence of a reason in the page's language, with each of its pieces as drawn."""
    return [part if isinstance(part, str) else drawn(part) for part in sentence.in_language(current_language())]


def bytes_words(count: int) -> str:
    """Format a number of bytes.

    >>> bytes_words(100), bytes_words(393_216), bytes_words(1_572_864)
    ('100 bytes', '393 KB', '1.6 MB')
    """
    if count < 1_000:
        return n_("{count:,} byte", "{count:,} bytes", count)
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{count / 1e3:,.0f} KB"
