"""Training SentencePiece by its own library, in memory."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from io import BytesIO
from typing import Literal

import sentencepiece

from bpe_core.config import TrainConfig
from bpe_core.errors import ConfigError, CorpusError, quoted
from bpe_core.normalize import replace_surrogates
from bpe_core.sentencepiece_tokenizer import SentencePieceTokenizer
from bpe_core.small_corpus import bounded

ModelType = Literal["bpe", "unigram"]
MODEL_TYPES = ("bpe", "unigram")

MOST_BYTES = 1024 * 1024
"""UTF-8 bytes of all texts together: seconds of the library's work, which cannot be cancelled."""

LARGEST_VOCABULARY = 100_000


def train_sentencepiece(
    texts: str | Iterable[str],
    vocab_size: int,
    *,
    model_type: ModelType = "unigram",
    byte_fallback: bool = False,
) -> SentencePieceTraining:
    """Train the sentencepiece library on a text or on many, 1 MB together at most; every line is a sentence.

    `model_type`: "bpe", or "unigram" with probabilities by expectation maximization, as Kudo (2018) has it. With
    `byte_fallback` the 256 bytes join the vocabulary, and an unknown character becomes its bytes instead of <unk>. All
    characters of the text are in the vocabulary; the rest of the settings is the library's own: text to NFKC, single
    spaces, ▁ in front, the tokens <unk>, <s> and </s>. A text that gives fewer pieces than `vocab_size` trains to
    fewer.

    Raises CorpusError for what is no text, no words, or too large; ConfigError for a `vocab_size` that the characters
    alone exceed, and for other settings out of range.

    Source: https://github.com/google/sentencepiece

    >>> training = train_sentencepiece("hug hug hugs pug", 16, model_type="bpe")
    >>> list(training.vocab)[3:9]
    ['ug', '▁h', '▁hug', '▁p', '▁pug', '▁hugs']
    >>> training.tokenizer().tokenize("hugs")
    ['▁hugs']
    """
    _check_settings(vocab_size, model_type, byte_fallback)
    lines = [line for text in bounded(texts, MOST_BYTES) for line in replace_surrogates(text)[0].split("\n")]
    model = BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.Train(
            sentence_iterator=iter(lines),
            model_writer=model,
            vocab_size=vocab_size,
            model_type=model_type,
            byte_fallback=byte_fallback,
            character_coverage=1.0,
            max_sentence_length=MOST_BYTES + 1,  # longer lines would be dropped in silence
            hard_vocab_limit=False,
            num_threads=1,  # the sums of several threads would differ from run to run
            minloglevel=_SILENT,
        )
    except RuntimeError as error:
        raise _explained(str(error), vocab_size) from None
    return SentencePieceTraining(model.getvalue(), model_type=model_type, byte_fallback=byte_fallback)


class SentencePieceTraining:
    """A trained SentencePiece model. Never changes, so one may be shared by many users.

    `model`: the serialized model, as a .model file holds it; `model_type`, `byte_fallback`: what was asked for.

    >>> train_sentencepiece("hug hug hugs pug", 1_000, model_type="bpe")
    <SentencePieceTraining: bpe, 21 tokens>
    """

    def __init__(self, model: bytes, *, model_type: ModelType, byte_fallback: bool) -> None:
        """Made by `train_sentencepiece`."""
        self.model = model
        self.model_type: ModelType = model_type
        self.byte_fallback = byte_fallback

    def __repr__(self) -> str:
        return f"<SentencePieceTraining: {self.model_type}, {len(self.vocab):,} tokens>"

    @property
    def vocab(self) -> dict[str, float]:
        """Every token and its score in id order: log probabilities (Unigram), or minus the rank (BPE)."""
        return dict(self._vocab)

    def tokenizer(self) -> SentencePieceTokenizer:
        """The tokenizer of the model."""
        return SentencePieceTokenizer(self.model)

    @cached_property
    def _vocab(self) -> dict[str, float]:
        processor = sentencepiece.SentencePieceProcessor(model_proto=self.model)
        return {processor.IdToPiece(i): float(processor.GetScore(i)) for i in range(processor.GetPieceSize())}


_SILENT = 2
"""Errors only; they are raised as well."""

_TOO_SMALL = re.compile(r"smaller than required_chars\. \d+ vs (\d+)")
_NO_TEXT = ("sentences_.empty()", "all_chars_count")


def _explained(message: str, vocab_size: int) -> ConfigError | CorpusError:
    """The library's complaint as an error of this package."""
    if found := _TOO_SMALL.search(message):
        least = int(found[1])
        return ConfigError(
            f"vocab_size is {vocab_size:,}, and the characters of this text with <unk>, <s>, </s> and the bytes that "
            f"were asked for are {least:,}.",
            limit=f"The least for this text is {least:,}.",
            remedy=f"Ask for at least {least:,}.",
            least=least,
        )
    if any(sign in message for sign in _NO_TEXT):
        return CorpusError(
            "The corpus holds no words: it is empty, or white space alone.",
            limit="Training needs at least one word.",
            remedy="Give a text with words in it.",
        )
    return CorpusError(
        f"SentencePiece could not train on this text: {message}.",
        limit="It takes plain text in lines.",
        remedy="Try another text, or another vocab_size.",
    )


def _check_settings(vocab_size: int, model_type: object, byte_fallback: object) -> None:
    TrainConfig(vocab_size=vocab_size, unit="char")  # checks the type, and that it is not negative
    if vocab_size > LARGEST_VOCABULARY:
        raise ConfigError(
            f"vocab_size is {vocab_size:,}.",
            limit=f"SentencePiece is trained to {LARGEST_VOCABULARY:,} tokens at most.",
            remedy="Ask for fewer.",
        )
    if model_type not in MODEL_TYPES:
        raise ConfigError(
            f"model_type is {quoted(model_type)}.",
            limit=f"It takes {', '.join(map(repr, MODEL_TYPES))}.",
            remedy="Choose one.",
        )
    if not isinstance(byte_fallback, bool):
        raise ConfigError(
            f"byte_fallback is {quoted(byte_fallback)}.", limit="It takes True or False.", remedy="Correct it."
        )
