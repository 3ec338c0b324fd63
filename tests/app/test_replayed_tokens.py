"""The tokens that the browser's script computes from base symbols and merges equal the core's; Node runs the script."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bpe_core import TrainConfig, Training, train
from bpe_core.bpe.text_symbols import TextSymbols, symbols_body
from bpe_core.payloads.spans import TokenSpans
from bpe_core.text.splits import PATTERNS

SCRIPT = Path(__file__).parents[1] / "javascript" / "replayed.js"
TEXTS = st.text(
    st.one_of(st.sampled_from("aabbc 'st\n\t1é"), st.sampled_from("é\u0301こ🙂Ⅻﬁ\ud800\r<>שלום")), max_size=40
)
CONFIGS = st.builds(
    lambda common, unit: TrainConfig(**common, **unit),
    st.fixed_dictionaries(
        {
            "split": st.sampled_from((*PATTERNS, r"[a-z]+(?=b)|\S", r"\d{2}|[^a]")),
            "tie_break": st.sampled_from(("first-seen", "lowest-ids", "first-counted")),
            "special_tokens": st.sampled_from(((), ("<s>",), ("<unk>", "a"))),
        }
    ),
    st.sampled_from(
        (
            {"vocab_size": 290},
            {"vocab_size": 290, "base_order": "gpt2"},
            {"unit": "char", "vocab_size": 60},
            {"unit": "char", "vocab_size": 60, "end_of_word": "</w>"},
            {"unit": "char", "vocab_size": 330, "byte_fallback": True, "end_of_word": "_"},
        )
    ),
)
ACROSS = st.builds(
    lambda split, method: TrainConfig(vocab_size=290, split=split, **method),
    st.sampled_from(("gpt2", "o200k")),
    st.sampled_from(({"method": "superbpe", "transition": 264}, {"method": "boundlessbpe"})),
)
Replayed = Callable[[TextSymbols, str, list[int]], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def replayed() -> Iterator[Replayed]:
    """Tokens that the browser's script computes from a text in base symbols, at each of these steps."""
    with subprocess.Popen(["node", str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(symbols: TextSymbols, mark: str, steps: list[int]) -> list[dict[str, Any]]:
            body = symbols_body(symbols, mark).data.decode("ascii")
            print(f'{{"symbols": {body}, "steps": {json.dumps(steps)}}}', file=process.stdin, flush=True)
            tokens: list[dict[str, Any]] = json.loads(process.stdout.readline())
            return tokens

        yield ask
        process.stdin.close()


def drawn(training: Training, symbols: TextSymbols, step: int) -> dict[str, Any]:
    """Python's own drawing of the core's tokens at a step, as the browser would read it."""
    window = symbols.at(step)
    bare = [at for at, (start, end) in enumerate(zip(window.starts, window.ends, strict=True)) if start == end]
    spans = TokenSpans.of(
        window.text,
        window.ids,
        window.starts,
        window.ends,
        labels={at: training.tokenizer().token_bytes(int(window.ids[at])).decode() for at in bare},
    )
    body = json.loads(spans.body.data)
    made = training.merges[step - 1].token_id if step else None
    return {"body": body, "fresh": [at for at, token_id in enumerate(body["ids"]) if token_id == made]}


def named_parts(tokens: dict[str, Any]) -> dict[str, Any]:
    """The parts of characters by the tokens that contain them, independent of their order in the list.

    Only Python knows the names of characters that are not seen.
    """
    body = {key: value for key, value in tokens["body"].items() if key != "unseen"}
    parts = body.pop("parts")
    for side in ("heads", "tails"):
        body[side] = {at: parts[number] for at, number in body[side].items()}
    return {**tokens, "body": body}


def forked(training: Training, step: int, choice: int) -> Training:
    """The same training with another candidate at a step, if there is one."""
    candidates = training.at(min(step, len(training.merges))).candidates(50)
    room = training.vocab_size < training.config.vocab_size or step < len(training.merges)
    if not candidates or not room:
        return training
    pair = candidates[choice % len(candidates)]
    return training.fork(min(step, len(training.merges)), (pair.left, pair.right))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@example("低い低い aaab🙂🙂", TrainConfig(vocab_size=262), (0, 40), (), [])
@example("こんこん", TrainConfig(vocab_size=262, split="none"), (1, 2), (), [(0, 3), (2, 1)])
@given(
    TEXTS,
    st.one_of(CONFIGS, ACROSS),
    st.tuples(st.integers(0, 45), st.integers(0, 45)),
    st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255)), max_size=3),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), max_size=3),
)
def test_the_browser_draws_the_tokens_of_the_core_at_every_step(
    replayed: Replayed,
    text: str,
    config: TrainConfig,
    part: tuple[int, int],
    forced: list[tuple[int, int]],
    forks: list[tuple[int, int]],
) -> None:
    room = config.unit == "byte" and not config.special_tokens and config.method != "boundlessbpe"
    training = train(text, config, forced=forced if room else ())
    for step, choice in forks:
        training = forked(training, step, choice)
    steps = list(range(len(training.merges) + 1))
    for symbols in (training.symbols(), training.symbols(*part)):
        tokens = replayed(symbols, config.end_of_word or "", steps)
        for step in steps:
            assert named_parts(tokens[step]) == named_parts(drawn(training, symbols, step)), step


def test_a_long_text_in_many_scripts_is_drawn_as_the_core_sees_it_at_every_step(replayed: Replayed) -> None:
    text = "The lantern's light glows: 低いランタンの光。 Größe 🙂 שלום עולם\n\n" * 60
    training = train(text, TrainConfig(vocab_size=420))
    symbols = training.symbols(700, 1_200)
    steps = list(range(0, len(training.merges) + 1, 7))
    for step, tokens in zip(steps, replayed(symbols, "", steps), strict=True):
        assert named_parts(tokens) == named_parts(drawn(training, symbols, step))
