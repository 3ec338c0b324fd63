"""Merges equal other libraries' on real texts: tokenizers and rustbpe by lowest ids, minbpe's rule by first seen."""

import sysconfig
from pathlib import Path

import pytest
import rustbpe
import tokenizers
from tokenizers import models, pre_tokenizers, trainers

from bpe_core import TrainConfig, Training, train
from bpe_core.text.splits import PATTERNS
from tests.core import oracle

SAMPLES = Path(__file__).parents[2] / "sample_texts"
STDLIB = Path(sysconfig.get_paths()["stdlib"])


def samples(pattern: str = "*.txt") -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob(pattern))]


CORPORA = {
    "Python source": [(STDLIB / name).read_text(encoding="utf-8") for name in ("argparse.py", "difflib.py", "ast.py")],
    "many languages": samples(),
}


def byte_of_char() -> dict[str, int]:
    """The character that ByteLevel of tokenizers writes for each byte."""
    values = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [value for value in range(256) if value not in values]
    return {chr(value): value for value in values} | {chr(256 + i): value for i, value in enumerate(hidden)}


def tokens_of(training: Training) -> list[bytes]:
    tokenizer = training.tokenizer()
    return [tokenizer.token_bytes(token_id) for token_id in range(training.vocab_size)]


@pytest.mark.parametrize("corpus", CORPORA)
def test_merges_and_ids_are_those_of_tokenizers(corpus: str) -> None:
    texts = CORPORA[corpus]
    config = TrainConfig(vocab_size=1_256, tie_break="lowest-ids", base_order="gpt2")
    training = train(texts, config)
    peer = tokenizers.Tokenizer(models.BPE())
    peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=1_256, initial_alphabet=alphabet, special_tokens=[], show_progress=False)
    peer.train_from_iterator(texts, trainer)
    byte_value = byte_of_char()
    expected = {token_id: bytes(byte_value[char] for char in token) for token, token_id in peer.get_vocab().items()}
    assert dict(enumerate(tokens_of(training))) == expected
    assert len(training.merges) == 1_000
    for text in texts:
        assert training.tokenizer().encode(text).ids.tolist() == peer.encode(text).ids


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("split", ["gpt2", "cl100k"])
def test_merges_are_those_of_rustbpe(corpus: str, split: str) -> None:
    texts = CORPORA[corpus]
    training = train(texts, TrainConfig(vocab_size=1_256, split=split, tie_break="lowest-ids"))
    peer = rustbpe.Tokenizer()
    peer.train_from_iterator(texts, 1_256, pattern=PATTERNS[split])
    assert tokens_of(training) == [bytes(token) for token, _ in peer.get_mergeable_ranks()]
    assert training.tokenizer().encode(texts[0]).ids.tolist() == peer.encode(texts[0])


@pytest.mark.parametrize("split", ["gpt2", "none"])
def test_merges_are_those_of_minbpes_rule(split: str) -> None:
    texts = samples("parallel_*.txt")
    config = TrainConfig(vocab_size=356, split=split)
    expected = oracle.train(texts, config)
    training = train(texts, config)
    assert [(m.left, m.right, m.token_id, m.count) for m in training.merges] == expected.merges
    assert len(expected.merges) == 100


def test_merges_of_characters_are_those_of_minbpes_rule() -> None:
    texts = samples("parallel_*.txt")
    config = TrainConfig(unit="char", vocab_size=800, split="words", end_of_word="</w>")
    expected = oracle.train(texts, config)
    training = train(texts, config)
    assert [(m.left, m.right, m.token_id, m.count) for m in training.merges] == expected.merges
    assert len(expected.merges) > 100
