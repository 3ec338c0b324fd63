"""Costs of vocabularies of several sizes: one training gives the same as a separate training of each size."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ConfigError, TrainConfig, Training, train
from bpe_core.bpe.costs import VocabularyCost, buys_little, doublings, halvings
from bpe_core.kernels import backend
from tests.draws import Outcomes

TEXTS = st.text(st.sampled_from("aabbc 'st\n1éこ🙂\ud800"), max_size=60)
SETTINGS = st.sampled_from(
    (
        {"vocab_size": 280},
        {"vocab_size": 280, "split": "none", "tie_break": "lowest-ids"},
        {"vocab_size": 280, "split": "words", "special_tokens": ("<s>", "a")},
        {"unit": "char", "vocab_size": 30, "end_of_word": "</w>"},
        {"unit": "char", "vocab_size": 300, "byte_fallback": True},
    )
)


@pytest.fixture(params=["reference", "engine"], autouse=True)
def trained_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Training function: the plain reference or the compiled engine."""
    backend.warm_up()
    if request.param == "reference":
        monkeypatch.setattr(backend, "_ready", False)


def base_of(training: Training) -> int:
    return training.vocab_size - len(training.merges)


def counted(training: Training, text: str) -> VocabularyCost:
    """The cost of a training's last vocabulary, counted in the encoded text."""
    uses = Counter(training.tokenizer().encode(text).ids.tolist())
    tokens, symbols = uses.total(), len(training.tokenizer(0).encode(text))
    special = set(training.tokenizer().special_tokens.values())
    return VocabularyCost(
        step=len(training.merges),
        vocab_size=training.vocab_size,
        tokens=tokens,
        saved=1 - tokens / symbols if symbols else 0.0,
        per_token=training.compression(len(training.merges)),
        single_use=sum(count == 1 for count in uses.values()),
        unused=len(set(range(training.vocab_size)) - special - uses.keys()),
    )


@pytest.mark.floor(accepted=50)
@given(TEXTS, SETTINGS)
def test_one_training_says_of_every_size_what_separate_trainings_say(
    outcomes: Outcomes, text: str, settings: dict[str, Any]
) -> None:
    config = TrainConfig(**settings)
    try:
        training = train(text, config)
    except ConfigError:
        outcomes.refused += 1
        return  # the characters of the text need more ids
    outcomes.accepted += 1
    costs = training.sweep(range(len(training.merges) + 1))
    for cost in costs:
        alone = train(text, TrainConfig(**{**settings, "vocab_size": cost.vocab_size}))
        assert len(alone.merges) == cost.step
        assert cost == counted(alone, text)
    assert training.sweep() == [costs[step] for step in doublings(len(training.merges))]


def test_a_fork_is_counted_as_it_was_merged() -> None:
    text = "hug hug pug pun bun hugs aaaa aaa"
    fork = train(text, TrainConfig(vocab_size=270)).fork(0, (97, 97))
    assert fork.sweep([len(fork.merges)]) == [counted(fork, text)]


def test_steps_are_answered_in_the_order_in_which_they_are_asked_for() -> None:
    training = train("low low lower lowest", TrainConfig(vocab_size=260))
    assert [cost.step for cost in training.sweep([3, 0, 3])] == [3, 0, 3]
    assert training.sweep([]) == []
    with pytest.raises(ConfigError, match="The step is 5"):
        training.sweep([0, 5])


def test_a_text_without_pairs_has_one_size() -> None:
    [cost] = train("").sweep()
    assert (cost.step, cost.tokens, cost.saved, cost.per_token, cost.single_use) == (0, 0, 0.0, 0.0, 0)
    assert cost.unused == 256


def cost_of(size: int, tokens: int) -> VocabularyCost:
    return VocabularyCost(0, size, tokens, 0.0, 1.0, 0, 0)


def test_another_doubling_buys_little_from_the_size_on_after_which_none_saves_five_percent() -> None:
    costs = [cost_of(size, tokens) for size, tokens in ((256, 1000), (512, 700), (1024, 680), (2048, 670))]
    assert buys_little(costs, base=256) == 512
    assert buys_little(costs[:2], base=256) is None
    assert buys_little(costs, base=256, little=0.02) == 1024
    assert buys_little([], base=256) is None
    late = [*costs, cost_of(4096, 300)]
    assert buys_little(late, base=256) is None, "the last doubling saves a lot"


@given(st.integers(1, 10**6), st.integers(1, 300))
def test_halvings_end_with_the_size_and_doublings_with_the_last_merge(size: int, base: int) -> None:
    sizes = halvings(size, base)
    assert all(size >= base for size in sizes)
    assert all(large // 2 == small for small, large in pairwise(sizes))
    assert not sizes or sizes[-1] == size
    assert sizes or size < base
    merges = doublings(size)
    assert (merges[0], merges[-1]) == (0, size)
    assert merges[1:-1] == [1 << power for power in range(len(merges) - 2)]
