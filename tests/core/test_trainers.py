"""Input that the trainers of WordPiece, Unigram and SentencePiece refuse or replace in the same way."""

from collections.abc import Callable
from typing import Any

import pytest

from bpe_core import ConfigError, CorpusError, train_sentencepiece, train_unigram, train_wordpiece
from tests.core.test_wordpiece import COURSE

Trainer = Callable[..., Any]

OF_STEPS = [train_wordpiece, train_unigram]
TRAINERS = [*OF_STEPS, train_sentencepiece]


@pytest.mark.parametrize("train", TRAINERS)
@pytest.mark.parametrize("corpus", ["", " \n\t", [], ["", " "], "\n"])
def test_a_corpus_without_words_is_refused(train: Trainer, corpus: object) -> None:
    with pytest.raises(CorpusError, match="holds no words"):
        train(corpus, 20)


@pytest.mark.parametrize("train", TRAINERS)
@pytest.mark.parametrize("corpus", [b"ab", 7, None, ["a", None], ["a", b"b"]])
def test_what_is_no_text_is_refused(train: Trainer, corpus: object) -> None:
    with pytest.raises(CorpusError):
        train(corpus, 20)


@pytest.mark.parametrize("train", TRAINERS)
@pytest.mark.parametrize("size", [0, -1, True, 2.5, "70", None, 10**9])
def test_a_vocabulary_size_that_is_none_is_refused(train: Trainer, size: object) -> None:
    with pytest.raises(ConfigError, match="vocab_size"):
        train("ab", size)


@pytest.mark.parametrize("train", OF_STEPS)
@pytest.mark.parametrize("step", [-1, 2.0, True, "1", None])
def test_a_step_that_is_none_is_refused_with_those_there_are(train: Trainer, step: object) -> None:
    training = train(COURSE, 100)
    last = len(training.merges if train is train_wordpiece else training.rounds)
    for wrong in (step, last + 1):
        with pytest.raises(ConfigError, match=f"steps 0 to {last}"):
            training.at(wrong)


@pytest.mark.parametrize("train", OF_STEPS)
def test_lone_surrogates_are_replaced_and_counted(train: Trainer) -> None:
    training = train("a\ud800b", 20)
    assert training.surrogates == 1
    assert training.tokenizer().encode("\ud800").text == "\N{REPLACEMENT CHARACTER}"
