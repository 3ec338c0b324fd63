"""Arrays returned by the core are read-only, and so are their copies; objects of the core can be pickled."""

import copy
import pickle
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from bpe_core import (
    Tokenizer,
    TrainConfig,
    compare,
    count_words,
    load_pretrained,
    train,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from bpe_core.kernels.backend import warm_up
from bpe_core.text.normalizer_settings import normalize
from bpe_core.tokenizer.facts import times_used, token_facts
from bpe_core.tokenizer.stages import pipeline

CONFIG = TrainConfig(vocab_size=262, normalization="NFD", lowercase=True)
TRAINING = train("low lower lowest é LOW " * 3, CONFIG)
TOKENIZER = TRAINING.tokenizer()
COMPARISON = compare("Low é lowest", {"mine": TOKENIZER, "gpt2": load_pretrained("gpt2")})

WAYS: dict[str, Callable[[object], object]] = {
    "as it is": lambda value: value,
    "copied": copy.copy,
    "copied deep": copy.deepcopy,
    "pickled": lambda value: pickle.loads(pickle.dumps(value)),
    "pickled the oldest way": lambda value: pickle.loads(pickle.dumps(value, protocol=2)),
}

HANDED_OUT: dict[str, Callable[[], object]] = {
    "a corpus": lambda: TRAINING.at(2).corpus,
    "the corpus before any merge": lambda: TRAINING.at(0).corpus,
    "a snapshot": lambda: _with(TRAINING.at(2), "pairs"),
    "pairs": lambda: TRAINING.at(2).pairs,
    "an encoding": lambda: TOKENIZER.encode("Low é lowest"),
    "an encoding by the plain way": lambda: TOKENIZER.encode("é"),
    "a normalized text": lambda: _with(normalize("É a", CONFIG), "original_bytes"),
    "a pipeline": lambda: pipeline("Low é", TOKENIZER, template="bert"),
    "a passage": lambda: pipeline("Low é", TOKENIZER).passages[0],
    "the pieces of a passage": lambda: pipeline("Low é", TOKENIZER).passages[0].tokens,
    "a published tokenizer": lambda: _used(load_pretrained("gpt2")),
    "facts": lambda: token_facts(TOKENIZER),
    "word counts": lambda: count_words("low lower", CONFIG),
    "word counts of a pattern": lambda: count_words("low lower", TrainConfig(split=r"\w+")),
}


@pytest.fixture(scope="module", autouse=True)
def engine() -> None:
    """Wait until the engine is ready; before that, fewer arrays exist."""
    warm_up()


def _used(tokenizer: Tokenizer) -> Tokenizer:
    tokenizer.encode("low lower lowest " * 2_000)  # long enough to use the engine
    return tokenizer


def _with(value: object, name: str) -> object:
    getattr(value, name)
    return value


def arrays(value: object) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from arrays(part)
    elif type(value).__module__.startswith("bpe_core.") and hasattr(value, "__dict__"):
        for name, part in vars(value).items():
            if not name.startswith("_") and not callable(part):
                yield from arrays(part)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", HANDED_OUT)
def test_an_array_that_is_handed_out_cannot_be_written_to(what: str, way: str) -> None:
    found = list(arrays(WAYS[way](HANDED_OUT[what]())))
    assert found
    for array in found:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize("way", WAYS)
def test_the_arrays_of_a_comparison_cannot_be_written_to(way: str) -> None:
    comparison = WAYS[way](COMPARISON)
    given = (
        *comparison.offsets("mine"),
        *comparison.offsets("gpt2"),
        comparison.boundaries("mine"),
        *comparison.disagreement_ranges("mine", "gpt2"),
        *arrays(comparison.encoding("mine")),
    )
    for array in given:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    assert comparison.rows == COMPARISON.rows
    assert comparison.disagreements("mine", "gpt2") == COMPARISON.disagreements("mine", "gpt2")


@pytest.mark.parametrize("way", WAYS)
def test_the_offsets_of_decoded_parts_cannot_be_written_to(way: str) -> None:
    decoded = pipeline("Low é", TOKENIZER).passages[0]
    for found in (decoded.decoded_parts, WAYS[way](decoded).decoded_parts):
        assert found[0] == b"low e\xcc\x81"
        with pytest.raises(ValueError, match="read-only"):
            found[1][0] = 5


def test_times_used_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        times_used(token_facts(TOKENIZER), TRAINING.at(1))[0] = 5


@pytest.mark.parametrize("way", WAYS)
def test_a_snapshot_is_the_same_in_a_copy(way: str) -> None:
    snapshot = TRAINING.at(2)
    again = WAYS[way](snapshot)
    assert again.words() == snapshot.words()
    assert again.candidates(99) == snapshot.candidates(99)
    assert again.changes() == snapshot.changes()
    assert (again.step, again.merge, again.next_pair) == (snapshot.step, snapshot.merge, snapshot.next_pair)


@pytest.mark.parametrize("way", WAYS)
def test_a_training_is_the_same_in_a_copy(way: str) -> None:
    again = WAYS[way](TRAINING)
    assert again.merges == TRAINING.merges
    assert again.at(3).words() == TRAINING.at(3).words()
    assert again.fork(1, (101, 114)).merges == TRAINING.fork(1, (101, 114)).merges
    assert again.tokenizer().encode("lower").ids.tolist() == TOKENIZER.encode("lower").ids.tolist()


@pytest.mark.parametrize("way", WAYS)
def test_an_encoding_is_the_same_in_a_copy(way: str) -> None:
    encoding = TOKENIZER.encode("Low é lowest")
    assert list(WAYS[way](encoding)) == list(encoding)


@pytest.mark.parametrize("way", WAYS)
def test_the_other_trainings_and_tokenizers_are_the_same_in_a_copy(way: str) -> None:
    for training in (
        train_wordpiece("hug hug pug hugs", 14),
        train_unigram("hug hug hugs pug pun bun", 10, seed_size=14),
        train_sentencepiece("hug hug hugs pug", 16),
    ):
        again = WAYS[way](training)
        assert list(again.vocab) == list(training.vocab)
        tokenizer = training.tokenizer()
        for same in (again.tokenizer(), WAYS[way](tokenizer)):
            assert same.encode("hugs pug").ids.tolist() == tokenizer.encode("hugs pug").ids.tolist()
    gpt2 = load_pretrained("gpt2")
    assert WAYS[way](TOKENIZER).encode("lower").ids.tolist() == TOKENIZER.encode("lower").ids.tolist()
    assert copy.copy(gpt2).encode("lower").ids.tolist() == gpt2.encode("lower").ids.tolist()
