"""Which libraries are measured on which task; each contest checks that all results are equal."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import rustbpe
import tiktoken
import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, trainers

from benchmarks.cold import own_pattern, ranks_file
from benchmarks.corpus import size
from benchmarks.measure import interleaved
from bpe_core import TrainConfig, Training, count_words, load_pretrained, train
from bpe_core.bpe import reference
from bpe_core.bpe.vocabulary import base_vocabulary
from bpe_core.text.splits import PATTERNS


@dataclass(frozen=True)
class Line:
    """One line of the table: the medians of this project and of the peer, and the speedup."""

    what: str
    peer: str
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def training(name: str, texts: Sequence[str], vocab_size: int, *, rounds: int) -> list[Line]:
    """Train the same vocabulary with every peer that is installed; the merges must be equal."""
    config = {"split": "gpt2", "tie_break": "lowest-ids", "vocab_size": vocab_size}
    joined = "".join(texts).encode()
    peers: dict[str, Callable[[], Any]] = {
        "rustbpe": lambda: _train_rustbpe(texts, vocab_size),
        "tokenizers": lambda: train_tokenizers(texts, vocab_size),
        "ffbpe": lambda: _train_ffbpe(texts, vocab_size),
        "gigatoken": lambda: _train_gigatoken(joined, vocab_size),
    }
    peers = {name: run for name, run in peers.items() if find_spec(name)}
    seconds, results = interleaved({"ours": lambda: train(texts, TrainConfig(**config))} | peers, rounds=rounds)
    tokens = _tokens(results["ours"])
    assert tokens == results["rustbpe"], "rustbpe differs"
    assert tokens == results.get("ffbpe", tokens), "ffbpe differs"
    if "gigatoken" in results:  # it takes a single text: ours is trained once more on the joined one, untimed
        one = train(joined.decode(), TrainConfig(**config))
        assert _tokens(one) == results["gigatoken"], "gigatoken differs"
    # tokenizers orders the bytes as GPT-2 does, which decides ties: ours is trained once more in that order, untimed.
    ordered = train(texts, TrainConfig(**config, base_order="gpt2"))
    assert merges_of_ours(ordered) == merges_of_tokenizers(results["tokenizers"]), "tokenizers differs"
    what = f"train {name}, {size(texts) / 1e6:.1f} MB, to {vocab_size:,} ids"
    return [Line(what, peer, seconds["ours"], seconds[peer]) for peer in peers]


def plain_reference(texts: Sequence[str], *, kilobytes: int, vocab_size: int, rounds: int) -> list[Line]:
    """Train on a small corpus with the plain reference too; the merges must be equal."""
    text = "".join(texts)[: kilobytes * 1000]
    config = TrainConfig(vocab_size=vocab_size)
    words = count_words(text, config)
    base = base_vocabulary(config, words.words)

    def by_reference() -> list[tuple[int, int, int]]:
        symbols = [base.symbols(word) for word in words.words]
        steps = reference.learn(symbols, words.counts.tolist(), first_id=256, most=vocab_size - 256)
        return [(step.left, step.right, step.count) for step in steps]

    seconds, results = interleaved({"ours": lambda: train(text, config), "reference": by_reference}, rounds=rounds)
    assert [(m.left, m.right, m.count) for m in results["ours"].merges] == results["reference"], "reference differs"
    what = f"train {kilobytes} KB to {vocab_size:,} ids"
    return [Line(what, "plain reference", seconds["ours"], seconds["reference"])]


def encoding(name: str, texts: Sequence[str], pretrained: str, *, rounds: int) -> list[Line]:
    """Encode with tiktoken too; the ids must be equal. Ours includes offsets, tiktoken's plain call does not."""
    text = "".join(texts)
    ours, peer = load_pretrained(pretrained), published_by_tiktoken(pretrained)
    contestants: dict[str, Callable[[], Any]] = {
        "ours": lambda: ours.encode(text).complete(),
        "tiktoken": lambda: peer.encode_ordinary(text),
    }
    seconds, results = interleaved(contestants, rounds=rounds)
    assert np.array_equal(results["ours"].ids, results["tiktoken"]), "tiktoken differs"
    what = f"encode {name}, {size(texts) / 1e6:.1f} MB, {pretrained}, with offsets"
    return [Line(what, "tiktoken, no offsets", seconds["ours"], seconds["tiktoken"])]


def _train_rustbpe(texts: Sequence[str], vocab_size: int) -> list[bytes]:
    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(iter(texts), vocab_size, pattern=PATTERNS["gpt2"])
    return _learned(dict(tokenizer.get_mergeable_ranks()))


def _train_ffbpe(texts: Sequence[str], vocab_size: int) -> list[bytes]:
    ffbpe = import_module("ffbpe")
    counter = ffbpe.PreTokenizer([], pat_str=PATTERNS["gpt2"]).word_counter()
    counter.add_source(texts, max_records=4096, max_bytes=64 << 20, prefetch=1)
    trainer = ffbpe.BpeTrainer([], unit="byte", initial_alphabet="raw", tie_break="smallest_pair_id")
    trainer.add_word_counter(counter)
    trainer.train(vocab_size)
    return _learned(trainer.validate_model().vocab)


def _train_gigatoken(text: bytes, vocab_size: int) -> list[bytes]:
    _, merges = import_module("gigatoken").train_bpe(text, vocab_size, [], "raw_token_ids")
    return [left + right for left, right in merges]


def _learned(ids: Mapping[bytes, int]) -> list[bytes]:
    """The tokens after the 256 bytes, ordered by id."""
    return [bytes(token) for token, _ in sorted(ids.items(), key=lambda item: item[1])][256:]


def _tokens(training: Training) -> list[bytes]:
    tokenizer = training.tokenizer()
    return [tokenizer.token_bytes(merge.token_id) for merge in training.merges]


def train_tokenizers(
    texts: Sequence[str], vocab_size: int, steps: Sequence[normalizers.Normalizer] = ()
) -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(models.BPE())
    if steps:
        tokenizer.normalizer = normalizers.Sequence(list(steps))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def merges_of_ours(training: Any) -> list[tuple[int, int]]:
    return [(merge.left, merge.right) for merge in training.merges]


def merges_of_tokenizers(tokenizer: tokenizers.Tokenizer) -> list[tuple[int, int]]:
    model = json.loads(tokenizer.to_str())["model"]
    return [(model["vocab"][left], model["vocab"][right]) for left, right in model["merges"]]


def published_by_tiktoken(name: str) -> tiktoken.Encoding:
    ours = load_pretrained(name)
    ranks = tiktoken.load.load_tiktoken_bpe(ranks_file(name))
    return tiktoken.Encoding(name, pat_str=own_pattern(name), mergeable_ranks=ranks, special_tokens=ours.special_tokens)
