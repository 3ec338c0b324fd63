"""Textbook results compared with this app's, which are computed where possible. Pure data, no Streamlit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from bpe_core import (
    TrainConfig,
    UnigramModel,
    UnigramTraining,
    load_pretrained,
    train,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from bpe_core.tokenizer.chips import plain
from ui.session.lessons import Lesson
from ui.session.printed import Printed
from ui.session.samples import sample
from ui.session.shared_view import training_of

_UNIGRAM_PIECES, _UNIGRAM_SEED = 100, 300
"""Final and initial numbers of pieces in the course's training."""


class PrintedResult(NamedTuple):
    """A printed result and this app's."""

    printed: Printed
    here: str

    @property
    def equal(self) -> bool:
        """Whether the results agree, regardless of the notation for spaces and unknown tokens."""
        return self.printed.printed.replace("Ġ", "·").replace("[UNK]", "<unk>") == self.here.replace("[UNK]", "<unk>")


def compared_results(lesson: Lesson) -> tuple[PrintedResult, ...]:
    """Printed results for a lesson and the sample it opens, each with this app's result."""
    wanted = training_of(lesson.view)
    text, config = (wanted.source.text, wanted.config) if wanted is not None else ("", TrainConfig())
    of_sample = wanted is not None and wanted.source.kind == "sample"
    return (
        *(compared_sample_results(wanted.source.label) if wanted is not None and of_sample else ()),
        *(PrintedResult(each, here(each, text, config)) for each in lesson.printed),
    )


def compared_sample_results(name: str) -> tuple[PrintedResult, ...]:
    """Printed results for a sample, each with this app's result under the sample's settings."""
    chosen = sample(name)
    config = TrainConfig(**chosen.settings)
    return tuple(PrintedResult(each, here(each, chosen.text, config)) for each in chosen.printed)


def here(printed: Printed, text: str, config: TrainConfig) -> str:
    """This app's result: as given in the file, or computed from a text and settings."""
    ask = _ASKED.get(printed.asks)
    return printed.here if ask is None else ask(printed, text, config)


def _merges(printed: Printed, text: str, config: TrainConfig) -> str:
    """Tokens of the first merges, as many as printed; `of` may select one merge and a tie rule."""
    number, _, tie = printed.of.partition(" ")
    training = train(text, replace(config, tie_break=tie) if tie else config)  # type: ignore[arg-type]
    tokenizer = training.tokenizer()
    made = [plain(tokenizer.token_bytes(merge.token_id)) for merge in training.merges]
    return made[int(number) - 1] if number else " ".join(made[: len(printed.printed.split())])


def _tokens(printed: Printed, text: str, config: TrainConfig) -> str:
    """Tokens of a text after some merges: `of` is their number, a colon, and the text."""
    step, _, encoded = printed.of.partition(": ")
    return " ".join(plain(token.bytes) for token in train(text, config).tokenizer(int(step)).encode(encoded))


def _sample_ids(printed: Printed, text: str, config: TrainConfig) -> str:
    """Ids of a sample's text under its own training."""
    chosen = sample(printed.of)
    tokenizer = train(chosen.text, TrainConfig(**chosen.settings)).tokenizer()
    return _joined(tokenizer.encode(chosen.text).ids.tolist())


def _ids(printed: Printed, text: str, config: TrainConfig) -> str:
    """Ids of a text: `of` is the tokenizer, a space, and the text."""
    name, _, encoded = printed.of.partition(" ")
    return _joined(load_pretrained(name).encode(encoded).ids.tolist())


def _wordpiece(printed: Printed, text: str, config: TrainConfig) -> str:
    """Last pieces of a vocabulary of `of` ids, as many as printed."""
    return _joined(train_wordpiece(text, int(printed.of)).vocab[-len(printed.printed.split()) :])


def _wordpiece_merges(printed: Printed, text: str, config: TrainConfig) -> str:
    merges = train_wordpiece(text, int(printed.of)).merges[: len(printed.printed.split())]
    return _joined([merge.new for merge in merges])


def _wordpiece_tokens(printed: Printed, text: str, config: TrainConfig) -> str:
    """Tokens of a text: `of` is the vocabulary size, a colon, and the text."""
    size, _, encoded = printed.of.partition(": ")
    return _joined(train_wordpiece(text, int(size)).tokenizer().tokenize(encoded))


def _course_unigram(text: str) -> UnigramTraining:
    return train_unigram(text, _UNIGRAM_PIECES, seed_size=_UNIGRAM_SEED)


def _unigram(printed: Printed, text: str, config: TrainConfig) -> str:
    return _joined(_course_unigram(text).tokenizer().tokenize(printed.of))


def _unigram_loss(printed: Printed, text: str, config: TrainConfig) -> str:
    return f"{_course_unigram(text).rounds[0].loss:.3f}"


def _unigram_without(printed: Printed, text: str, config: TrainConfig) -> str:
    """Increase in loss without each of the pieces in `of`."""
    first = _course_unigram(text).rounds[0]
    growth = {loss.piece: loss.increase for loss in (*first.removed, *first.kept)}
    return _joined([f"{growth[piece]:.3f}" for piece in printed.of.split()])


def _unigram_by_counts(printed: Printed, text: str, config: TrainConfig) -> str:
    """Unigram by hand, with all substrings of words as pieces. `of` selects the result: a word's best path and its
    probability, the loss of all words, or the increase in loss without a piece."""
    words = text.split()
    pieces = {
        word[a:b] for word in words for a in range(len(word)) for b in range(a + 1, len(word) + 1) if b - a < len(word)
    }
    counts = {piece: sum(word.count(piece) for word in words) for piece in sorted(pieces)}
    model = UnigramModel.of_counts(counts)
    if printed.of == "loss":
        return f"{_loss(model, words):.1f}"
    what, _, removed = printed.of.partition(" ")
    if what == "without":
        left = UnigramModel({piece: score for piece, score in model.scores.items() if piece != removed})
        return f"{_loss(left, words) - _loss(model, words):.1f}"
    best = model.segmentations(printed.of, 1)[0]
    return f"{_joined(best.pieces)} {math.exp(-best.score):.6f}"


def _loss(model: UnigramModel, words: Sequence[str]) -> float:
    return sum(model.segmentations(word, 1)[0].score for word in words)


def _sentencepiece_bytes(printed: Printed, text: str, config: TrainConfig) -> str:
    """Last ids of a text, as many as printed, by SentencePiece with byte fallback."""
    training = train_sentencepiece(text, config.vocab_size, model_type="bpe", byte_fallback=True)
    ids = training.tokenizer().encode(printed.of).ids.tolist()
    return _joined(ids[-len(printed.printed.split()) :])


def _joined(parts: Iterable[object]) -> str:
    return " ".join(map(str, parts))


_ASKED: dict[str, Callable[[Printed, str, TrainConfig], str]] = {
    "merges": _merges,
    "tokens": _tokens,
    "sample ids": _sample_ids,
    "ids": _ids,
    "wordpiece": _wordpiece,
    "wordpiece merges": _wordpiece_merges,
    "wordpiece tokens": _wordpiece_tokens,
    "unigram": _unigram,
    "unigram loss": _unigram_loss,
    "unigram without": _unigram_without,
    "unigram by counts": _unigram_by_counts,
    "sentencepiece bytes": _sentencepiece_bytes,
}
