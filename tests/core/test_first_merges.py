"""Tokens with the first merges only: each count equals other libraries' with a tokenizer cut to as many merges."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import TrainConfig, load_pretrained, train
from bpe_core.bpe.merge_tables import ByteRanks
from bpe_core.errors import CorpusError
from bpe_core.formats import from_bytes, to_bytes
from bpe_core.kernels import threads
from bpe_core.kernels.word_encoder import _SHORT, encode_words, joined_at
from tests.core.json_files import peer_of_file
from tests.core.test_encoder import flat, random_merges, table_of
from tests.core.test_pretrained import peers as peers
from tests.draws import examples

TEXT = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text("utf-8")[:4_000] + "\n    東京 123456 çeşit naïve 👩‍🚀"
STEPS = (0, 1, 2, 50, 777, 5_000, 20_000)


@pytest.mark.parametrize("length", [3, _SHORT - 1, _SHORT + 1])
def test_symbols_are_joined_by_the_ranks_below_any_limit(length: int, rng: random.Random) -> None:
    for alphabet in (1, 2, 5):
        merges = random_merges(rng, alphabet=alphabet, size=30)
        words = flat([[rng.randrange(alphabet) for _ in range(length)] for _ in range(3)] + [[], [0], [0, 0]])
        found = joined_at(words, table_of(merges))
        for limit in range(92):
            kept = encode_words(words, table_of(merges), limit=limit)
            first = np.append(0, np.cumsum(found >= limit))[words.offsets]
            assert np.array_equal(first, kept.offsets)


def test_threads_join_the_same_symbols(monkeypatch: pytest.MonkeyPatch, rng: random.Random) -> None:
    table = table_of(random_merges(rng, alphabet=3, size=20))
    words = flat([[rng.randrange(3) for _ in range(rng.randint(0, 9))] for _ in range(50)])
    expected = joined_at(words, table).tolist()
    monkeypatch.setattr(threads, "SMALLEST_PART", 1)
    monkeypatch.setattr(threads, "cores", lambda: 3)
    assert joined_at(words, table).tolist() == expected


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
def test_published_ranks_cut_to_any_number_are_those_of_tiktoken(
    name: str, peers: dict[str, tiktoken.Encoding]
) -> None:
    tokenizer = load_pretrained(name)
    counts = tokenizer.tokens_over_merges(TEXT)
    table = tokenizer.model.merges
    assert isinstance(table, ByteRanks)
    for merges in (*STEPS, len(counts) - 1):
        ranks = {token: rank for token, rank in table.ranks.items() if rank < 256 + merges}
        peer = tiktoken.Encoding("cut", pat_str=peers[name]._pat_str, mergeable_ranks=ranks, special_tokens={})
        assert counts[merges] == len(peer.encode_ordinary(TEXT))
    assert counts[-1] == len(tokenizer.encode(TEXT))
    assert (np.diff(counts) <= 0).all()


def written() -> dict[str, Any]:
    """A training as a tokenizer.json."""
    trained = train(TEXT, TrainConfig(vocab_size=400)).tokenizer()
    file: dict[str, Any] = json.loads(to_bytes(trained, format="tokenizers"))
    return file


def test_merges_of_a_file_in_any_order_are_cut_as_the_library_cuts_them() -> None:
    file = written()
    merges = file["model"]["merges"]
    merges[:] = [*merges[7:], *merges[:7]]  # parts after the tokens merged from them
    counts = from_bytes(json.dumps(file).encode(), "tokenizer.json").tokens_over_merges(TEXT)
    assert len(counts) == len(merges) + 1
    for step in (0, 1, 50, len(merges) - 7, len(merges) - 4, len(merges)):
        file["model"]["merges"] = merges[:step]
        assert counts[step] == len(peer_of_file(file).encode(TEXT).ids)


def test_words_taken_whole_are_those_of_the_merges_that_are_left() -> None:
    file = written()
    model = file["model"]
    model["ignore_merges"] = True
    model["vocab"]["zzz"] = len(model["vocab"])  # created by no merge, so always available
    text = TEXT + "\nzzz"
    counts = from_bytes(json.dumps(file).encode(), "tokenizer.json").tokens_over_merges(text)
    merges, vocab = model["merges"], model["vocab"]
    made = ["".join(pair) for pair in merges]
    for step in (0, 1, 50, len(merges)):
        model["merges"] = merges[:step]
        model["vocab"] = {token: at for token, at in vocab.items() if token not in made[step:]}
        assert counts[step] == len(peer_of_file(file).encode(text).ids)


@pytest.mark.parametrize(
    "config",
    [
        TrainConfig(vocab_size=330),
        TrainConfig(vocab_size=330, split="none"),
        TrainConfig(unit="char", split="words", end_of_word="</w>", vocab_size=200),
        TrainConfig(unit="char", byte_fallback=True, vocab_size=450, lowercase=True),
    ],
)
def test_each_step_of_a_training_has_its_tokens(config: TrainConfig) -> None:
    training = train(TEXT, config)
    counts = training.tokenizer().tokens_over_merges(TEXT)
    assert counts.tolist() == [training.token_count(step) for step in range(len(training.merges) + 1)]


def test_special_tokens_are_counted_where_they_are_parsed() -> None:
    gpt2 = load_pretrained("gpt2")
    text = "low<|endoftext|><|endoftext|>lower"
    assert gpt2.tokens_over_merges(text, special="parse")[[0, -1]].tolist() == [10, 4]
    assert gpt2.tokens_over_merges(text)[-1] == len(gpt2.encode(text))
    with pytest.raises(CorpusError):
        gpt2.tokens_over_merges(text, special="raise")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
@settings(max_examples=examples(100))
def test_all_merges_give_the_tokens_of_any_text(text: str) -> None:
    tokenizer = load_pretrained("cl100k_base")
    counts = tokenizer.tokens_over_merges(text)
    assert (counts[0], counts[-1]) == (len(text.encode()), len(tokenizer.encode(text)))


def test_without_merges_or_text_there_is_nothing_to_cut() -> None:
    assert not load_pretrained("gpt2").tokens_over_merges("").any()
    assert train("low", TrainConfig(vocab_size=256)).tokenizer().tokens_over_merges("low").tolist() == [3]
    for name in ("bert-base-uncased", "t5-small"):
        tokenizer = load_pretrained(name)
        assert tokenizer.tokens_over_merges("low lowest").tolist() == [len(tokenizer.encode("low lowest"))]
