"""Inputs that once took far longer than their size suggests, each against the fastest library, with equal results."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tokenizers import normalizers

from benchmarks.contests import Line, merges_of_ours, merges_of_tokenizers, published_by_tiktoken, train_tokenizers
from benchmarks.measure import interleaved
from bpe_core import TrainConfig, load_pretrained, train

_LINES, _SHORT_TEXTS, _LATIN = 300_000, 20_000, 5_000_000
_VOCABULARY = 2_048
_LETTERS = "abcdefghijklmnopqrstuvwxyzàâäçéèêëîïñôöùûüÉÜ"


def cliffs(name: str, texts: Sequence[str], *, rounds: int) -> Iterable[Line]:
    """One text per line, normalized texts, and short texts; every result is compared."""
    source = "".join(texts)
    lines = source.splitlines(keepends=True)[:_LINES]
    what = f"train {len(lines):,} lines of {name}, a text each"
    yield _training(what, lines, {}, [], rounds)
    if find_spec("gigabpe"):
        yield _by_gigabpe(what, lines, rounds)
    latin = _latin(min(_LATIN, len(source)))
    steps = {"NFC": ({"normalization": "NFC"}, [normalizers.NFC()])}
    steps["NFKD, lower case, no accents"] = (
        {"normalization": "NFKD", "lowercase": True, "strip_accents": True},
        [normalizers.NFKD(), normalizers.Lowercase(), normalizers.StripAccents()],
    )
    size = sum(len(line.encode()) for line in latin) / 1e6
    for what, (config, normalizer) in steps.items():
        yield _training(f"train Latin text, {size:.1f} MB, {what}", latin, config, normalizer, rounds)
    yield from _encoding(name, [line for line in lines if line.strip()][:_SHORT_TEXTS], rounds)


def _training(
    what: str, texts: Sequence[str], config: dict[str, Any], steps: Sequence[normalizers.Normalizer], rounds: int
) -> Line:
    ours = TrainConfig(vocab_size=_VOCABULARY, tie_break="lowest-ids", base_order="gpt2", **config)
    contestants: dict[str, Callable[[], Any]] = {
        "ours": lambda: train(texts, ours),
        "tokenizers": lambda: train_tokenizers(texts, _VOCABULARY, steps),
    }
    seconds, results = interleaved(contestants, rounds=rounds)
    assert merges_of_ours(results["ours"]) == merges_of_tokenizers(results["tokenizers"]), f"{what}: tokenizers differs"
    return Line(what, "tokenizers", seconds["ours"], seconds["tokenizers"])


def _by_gigabpe(what: str, lines: Sequence[str], rounds: int) -> Line:
    """Train on lines of a file, each of which is a text for gigabpe. It has ids only for the bytes that occur."""
    ours = TrainConfig(vocab_size=_VOCABULARY, tie_break="lowest-ids", base_order="gpt2")
    data = "".join(lines).encode()
    vocab_size = _VOCABULARY - 256 + len(set(data))
    with TemporaryDirectory() as folder:
        path = Path(folder, "lines.txt")
        path.write_bytes(data)
        train_bpe = import_module("gigabpe").train_bpe
        contestants: dict[str, Callable[[], Any]] = {
            "ours": lambda: train(lines, ours),
            "gigabpe": lambda: train_bpe([str(path)], vocab_size=vocab_size, pretokenizer="bytelevel"),
        }
        seconds, results = interleaved(contestants, rounds=rounds)
    tokenizer = results["ours"].tokenizer()
    merges = [tuple(map(tokenizer.spelling, pair)) for pair in merges_of_ours(results["ours"])]
    assert merges == [tuple(pair) for pair in results["gigabpe"][1]], f"{what}: gigabpe differs"
    return Line(what, "gigabpe", seconds["ours"], seconds["gigabpe"])


def _encoding(name: str, texts: Sequence[str], rounds: int) -> Iterable[Line]:
    ours, peer = load_pretrained("cl100k_base"), published_by_tiktoken("cl100k_base")
    contestants: dict[str, Callable[[], Any]] = {
        "ours": lambda: [ours.encode(text).ids for text in texts],
        "batch": lambda: [found.ids for found in ours.encode_batch(texts)],
        "tiktoken": lambda: [peer.encode_ordinary(text) for text in texts],
    }
    seconds, results = interleaved(contestants, rounds=rounds)
    for own, how in (("ours", "one after the other"), ("batch", "`encode_batch`")):
        assert [ids.tolist() for ids in results[own]] == results["tiktoken"], "tiktoken differs"
        what = f"encode {len(texts):,} lines of {name}, a text each, cl100k_base, {how}"
        yield Line(what, "tiktoken, one after the other", seconds[own], seconds["tiktoken"])


def _latin(size: int) -> list[str]:
    """Lines of invented words with accents, each repeated often, this many characters in total."""
    drawn = random.Random(1)
    words = ["".join(drawn.choices(_LETTERS, k=drawn.randint(2, 9))) for _ in range(40_000)]
    lines: list[str] = []
    while size > 0:
        lines.append(" ".join(drawn.choices(words, k=12)) + "\n")
        size -= len(lines[-1])
    return lines
