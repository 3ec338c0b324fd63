"""Convert core data for views: spans of an encoding, chips of tokens, and texts for settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bpe_core import Encoding, Tokenizer, TrainConfig
from bpe_core.comparison.evidence import Piece, shown
from bpe_core.language import Sentence, _, current_language, message, n_, translate
from bpe_core.text.utf8 import whole_characters
from bpe_core.tokenizer.encoding import Offsets
from ui.session.learned_tokenizers import learned
from ui.session.tokenizer_choice import TRAINED
from ui.session.tokenizer_files import is_own, own_title
from ui.session.training import Forks
from ui.views.chips import Chip
from ui.views.spans import Lane, TokenSpans

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

_LONGEST_SEARCHED = 200
"""Bytes of the longest token whose characters are searched in a text."""

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


def chip(tokenizer: Tokenizer, token_id: int, text: bytes = b"") -> Chip:
    """A token as a chip; `text` is searched for the characters that its byte pieces belong to."""
    data = tokenizer.token_bytes(token_id)
    if token_id in tokenizer.special_tokens.values():
        return Chip.of_label(token_id, data.decode())
    made = Chip.of_bytes(token_id, data)
    return replace(made, above=_characters_around(data, text)) if made.has_bytes else made


def piece_chip(tokenizer: Tokenizer, piece: Piece, text: bytes) -> Chip | bytes:
    """A piece of a reason: a token of this tokenizer, or text that is no token."""
    return piece.data if piece.id is None else chip(tokenizer, piece.id, text)


def reason_parts(sentence: Sentence, drawn: Callable[[Piece], Chip | bytes]) -> list[str | Chip | bytes]:
    """The sentence of a reason in the page's language, with each of its pieces as drawn."""
    return [part if isinstance(part, str) else drawn(part) for part in sentence.in_language(current_language())]


def pair_chips(tokenizer: Tokenizer, left: int, right: int, text: bytes = b"") -> tuple[Chip, Chip]:
    """A pair as chips; byte pieces are shown with the characters they belong to in an occurrence of the pair."""
    return chip_in_pair(tokenizer, left, right, 0, text), chip_in_pair(tokenizer, left, right, 1, text)


def chip_in_pair(tokenizer: Tokenizer, left: int, right: int, side: int, text: bytes) -> Chip:
    """The left (0) or right (1) token of a pair."""
    made = chip(tokenizer, (left, right)[side])
    if not made.has_bytes:
        return made
    first, second = tokenizer.token_bytes(left), tokenizer.token_bytes(right)
    place = ((0, len(first)), (len(first), len(first) + len(second)))[side]
    above = _characters_around(first + second, text, place)
    return replace(made, above=above) if above else chip(tokenizer, made.id, text)


def _characters_around(data: bytes, text: bytes, part: tuple[int, int] | None = None) -> str:
    """Characters in `text` that these bytes, or a part of them, belong to.

    The first one, with "…" if there are several; "" for bytes that are whole characters, and for long ones.

    >>> _characters_around(b"\\xe3\\x81", "ここはどこ".encode())
    'こ…'
    >>> _characters_around("こは".encode(), "ここはどこ".encode(), (0, 2))
    'こ'
    """
    if len(data) > min(len(text), _LONGEST_SEARCHED):
        return ""
    begin, end = part or (0, len(data))
    try:
        data[begin:end].decode()
    except UnicodeDecodeError:
        found: list[str] = []
        at = text.find(data)
        while at >= 0 and len(found) < 2:
            first, last = whole_characters(text, at + begin, at + end)
            characters = text[first:last].decode("utf-8", "ignore")
            if characters not in found:
                found.append(characters)
            at = text.find(data, max(last, at + len(data)))
        return found[0] + ("…" if len(found) > 1 else "") if found else ""
    return ""


def plain(token: bytes) -> str:
    """A token for use in sentences: text with marked white space, or hex if it is not text."""
    return shown(token).strip("“”")


def bytes_words(count: int) -> str:
    """Format a number of bytes.

    >>> bytes_words(100), bytes_words(393_216), bytes_words(1_572_864)
    ('100 bytes', '393 KB', '1.6 MB')
    """
    if count < 1_000:
        return n_("{count:,} byte", "{count:,} bytes", count)
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{count / 1e3:,.0f} KB"


_SPLITS = {
    "none": message("no split"),
    "words": message("words"),
    "gpt2": message("GPT-2 split"),
    "cl100k": message("cl100k split"),
    "o200k": message("o200k split"),
}


_TIES = {
    "first-seen": message("first seen wins"),
    "lowest-ids": message("lowest ids win"),
    "first-counted": message("first counted wins"),
}


def settings_line(config: TrainConfig, forks: Forks = ()) -> str:
    """One-line summary of the settings; of a fork, the merges that were chosen instead of the rule."""
    return " · ".join(_main_settings(config, forks))


def changed_settings(config: TrainConfig, forks: Forks = ()) -> str:
    """Those of the summary that are not the default; "" if all are."""
    both = zip(_main_settings(config, forks), _main_settings(TrainConfig(), ()), strict=True)
    return " · ".join(now for now, default in both if now != default)


def _main_settings(config: TrainConfig, forks: Forks) -> tuple[str, str, str, str]:
    rule = translate(_TIES[config.tie_break])
    if len(forks) == 1:
        rule = _("merge {number:,} chosen", number=forks[0][0] + 1)
    elif forks:
        rule = _("{merges:,} merges chosen", merges=len(forks))
    return (
        _("Bytes") if config.unit == "byte" else _("Characters"),
        translate(_SPLITS[config.split]) if config.split in _SPLITS else _("own split"),
        _("{ids:,} ids", ids=config.vocab_size),
        rule,
    )
