"""SentencePiece training by its own library, in memory."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from io import BytesIO
from typing import Literal

import sentencepiece

from bpe_core import checks
from bpe_core.errors import ConfigError, CorpusError
from bpe_core.language import TranslatableMessage, message
from bpe_core.sentencepiece.model import sentencepiece_tokenizer
from bpe_core.sentencepiece.settings import ModelType
from bpe_core.text.normalization import replace_surrogates
from bpe_core.text.small_corpus import bounded
from bpe_core.tokenizer.tokenizer import Tokenizer

MODEL_TYPES: tuple[ModelType, ...] = ("bpe", "unigram", "char", "word")

NormalizationRule = Literal["nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity"]
NORMALIZATION_RULES: tuple[NormalizationRule, ...] = ("nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity")

MOST_BYTES = 1024 * 1024
"""Maximum size of all texts in bytes of UTF-8: the library trains for seconds and cannot be cancelled."""

LARGEST_VOCABULARY = 100_000


def train_sentencepiece(
    texts: str | Iterable[str],
    vocab_size: int,
    *,
    model_type: ModelType = "unigram",
    byte_fallback: bool = False,
    normalization: NormalizationRule = "nmt_nfkc",
) -> SentencePieceTraining:
    """Train a SentencePiece model on one or several texts of at most 1 MiB in total; every line is a sentence.

    `model_type`, the library's name for the algorithm:

    "unigram"   many pieces, pruned; probabilities by expectation maximization (Kudo 2018)
    "bpe"       merges of characters within words
    "char"      characters, most frequent first
    "word"      words between spaces, most frequent first

    With "bpe" and "unigram" the vocabulary contains all characters of the text. `byte_fallback` adds the 256 bytes, and
    unknown characters become byte tokens instead of <unk>. `normalization`, the library's rule for every text:

    "nmt_nfkc"      NFKC; tabs and other white space become spaces, control and zero-width characters are removed
    "nfkc"          NFKC
    "nmt_nfkc_cf"   "nmt_nfkc" and lower case
    "nfkc_cf"       NFKC and lower case
    "identity"      unchanged

    Each of them collapses runs of spaces. Other settings are the library's defaults: ▁ in front, the tokens <unk>, <s>
    and </s>. If the text yields fewer pieces than `vocab_size`, the vocabulary is smaller.

    Raises CorpusError for input that is not text, has no words or is too large; ConfigError for a `vocab_size` below
    the number of base symbols and special tokens, and for settings out of range.

    Source: https://github.com/google/sentencepiece

    >>> training = train_sentencepiece("hug hug hugs pug", 16, model_type="bpe")
    >>> list(training.vocab)[3:9]
    ['ug', '▁h', '▁hug', '▁p', '▁pug', '▁hugs']
    >>> training.tokenizer().tokenize("hugs")
    ['▁hugs']
    >>> train_sentencepiece("Hug HUG", 8, model_type="word", normalization="nmt_nfkc_cf").tokenizer().tokenize("hug ﬁ")
    ['▁hug', '<unk>']
    """
    vocab_size = _checked_size(vocab_size)
    checks.choice(model_type, "model_type", MODEL_TYPES)
    checks.true_or_false(byte_fallback, "byte_fallback")
    checks.choice(normalization, "normalization", NORMALIZATION_RULES)
    takes_all = model_type in ("bpe", "unigram")  # all characters; the library's error says how many ids they need
    least = _SPECIAL + (256 if byte_fallback else 0)
    if vocab_size < least and not takes_all:
        raise _too_small(
            message(
                "vocab_size is {vocab_size:,}, but <unk>, <s>, </s> and the 256 bytes need {least:,} ids.",
                vocab_size=vocab_size,
                least=least,
            )
            if byte_fallback
            else message(
                "vocab_size is {vocab_size:,}, but <unk>, <s>, </s> need {least:,} ids.",
                vocab_size=vocab_size,
                least=least,
            ),
            least,
        )
    lines = [line for text in bounded(texts, MOST_BYTES) for line in replace_surrogates(text)[0].split("\n")]
    model = BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.Train(
            sentence_iterator=iter(lines),
            model_writer=model,
            vocab_size=max(vocab_size, _SPECIAL),
            model_type=model_type,
            byte_fallback=byte_fallback,
            normalization_rule_name=normalization,
            character_coverage=1.0,
            max_sentence_length=MOST_BYTES + 1,  # the library silently drops longer lines
            hard_vocab_limit=False,
            num_threads=1,  # with several threads the sums differ between runs
            minloglevel=_ERRORS_ONLY,
        )
    except RuntimeError as error:
        raise _explained(str(error), vocab_size) from None
    return SentencePieceTraining(
        model.getvalue(), model_type=model_type, byte_fallback=byte_fallback, normalization=normalization
    )


class SentencePieceTraining:
    """A trained SentencePiece model. Immutable, so it can be shared.

    `model`: the content of a .model file; `model_type`, `byte_fallback`, `normalization`: the settings of the training.

    >>> train_sentencepiece("hug hug hugs pug", 1_000, model_type="bpe")
    <SentencePieceTraining: bpe, 21 tokens>
    >>> training = train_sentencepiece("hug hug hugs pug", 16, model_type="bpe")
    >>> training.vocab["▁pug"], training.tokenizer().tokenize("hug pug")
    (-4.0, ['▁hug', '▁pug'])
    """

    def __init__(
        self,
        model: bytes,
        *,
        model_type: ModelType,
        byte_fallback: bool,
        normalization: NormalizationRule,
    ) -> None:
        """Create a training; called by `train_sentencepiece`."""
        self.model = model
        self.model_type: ModelType = model_type
        self.byte_fallback = byte_fallback
        self.normalization: NormalizationRule = normalization

    def __repr__(self) -> str:
        return f"<SentencePieceTraining: {self.model_type}, {len(self.vocab):,} tokens>"

    @property
    def vocab(self) -> dict[str, float]:
        """Score of every token in id order: its log probability (Unigram) or minus its rank (BPE)."""
        return dict(self._vocab)

    def tokenizer(self) -> Tokenizer:
        """Build the model's tokenizer."""
        return sentencepiece_tokenizer(self.model)

    @cached_property
    def _vocab(self) -> dict[str, float]:
        processor = sentencepiece.SentencePieceProcessor(model_proto=self.model)
        return {processor.IdToPiece(i): float(processor.GetScore(i)) for i in range(processor.GetPieceSize())}


_SPECIAL = 3
"""Number of special tokens: <unk>, <s> and </s>."""

_ERRORS_ONLY = 2
"""Log level of the library; it also raises errors as exceptions."""

_TOO_SMALL = re.compile(r"smaller than required_chars\. \d+ vs (\d+)")
_NO_TEXT = ("sentences_.empty()", "all_chars_count")


def _explained(reason: str, vocab_size: int) -> ConfigError | CorpusError:
    """Convert the library's message to an error of this package."""
    if found := _TOO_SMALL.search(reason):
        least = int(found[1])
        problem = message(
            "vocab_size is {vocab_size:,}, but the characters of this text, <unk>, <s>, </s> and, with byte fallback, "
            "the 256 bytes need {least:,} ids.",
            vocab_size=vocab_size,
            least=least,
        )
        return _too_small(problem, least)
    if any(part in reason for part in _NO_TEXT):
        return CorpusError(
            message("The corpus holds no words: it is empty, or white space alone."),
            limit=message("Training needs at least one word."),
            remedy=message("Give a text with words in it."),
        )
    return CorpusError(
        message("SentencePiece could not train on this text: {reason}.", reason=reason),
        limit=message("It trains on lines of plain text."),
        remedy=message("Try another text, or another vocab_size."),
    )


def _too_small(problem: TranslatableMessage, least: int) -> ConfigError:
    return ConfigError(
        problem,
        limit=message("The least for this text is {least:,}.", least=least),
        remedy=message("Ask for at least {least:,}.", least=least),
        least=least,
    )


def _checked_size(vocab_size: object) -> int:
    size = checks.whole_number(vocab_size, "vocab_size", 1)
    if size > LARGEST_VOCABULARY:
        raise checks.wrong(
            size,
            "vocab_size",
            message("SentencePiece is trained to {largest:,} tokens at most.", largest=LARGEST_VOCABULARY),
            message("Ask for fewer."),
        )
    return size
