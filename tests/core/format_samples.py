"""Texts and tokenizers shared by the tests of the file formats."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from bpe_core import Tokenizer, TrainConfig, train, train_sentencepiece, train_unigram, train_wordpiece

SAMPLES = Path(__file__).parents[2] / "sample_texts"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.txt"))]
HARD = [
    "",
    " ",
    "\n\n  \t x \r\n ",
    "ΟΔΥΣΣΕΥΣ ΑΣ' ΣΑΣ. Σ",
    "a\ue000b \ue001",
    "İstanbul ẞ ﬁ ½²",
    "a\u200db\x00c\u00ad\x85d",
    "<s>a<s> <unk> [UNK]",
    "日本語カタカナ한국어",
]
EVERY = TEXTS + HARD
FEW = TEXTS[::6] + HARD
CORPUS = TEXTS[::2]

CONFIGS = {
    "bytes": TrainConfig(vocab_size=700),
    "bytes in GPT-2's order, cl100k": TrainConfig(
        vocab_size=700, split="cl100k", base_order="gpt2", special_tokens=("<s>", "<|end|>")
    ),
    "o200k, NFKC, lower case": TrainConfig(vocab_size=700, split="o200k", normalization="NFKC", lowercase=True),
    "words without accents": TrainConfig(vocab_size=700, split="words", strip_accents=True),
    "whole texts, NFD": TrainConfig(
        vocab_size=700, split="none", normalization="NFD", lowercase=True, strip_accents=True
    ),
    "a pattern with \\w": TrainConfig(vocab_size=700, split=r"\w+|[^\w\s]+|\s"),
    "a pattern with gaps": TrainConfig(vocab_size=700, split=r"\p{L}+(?!\d)|[0-9]{1,2}|(?:[^a-z ])"),
    "characters": TrainConfig(vocab_size=2_600, unit="char", special_tokens=("<s>",)),
    "characters with ends": TrainConfig(vocab_size=2_600, unit="char", split="words", end_of_word="</w>"),
    "characters, one end": TrainConfig(
        vocab_size=2_600, unit="char", split="none", end_of_word="e", lowercase=True, strip_accents=True
    ),
    "characters or bytes": TrainConfig(vocab_size=2_600, unit="char", byte_fallback=True),
}


@cache
def trained(name: str) -> Tokenizer:
    return train(CORPUS, CONFIGS[name]).tokenizer()


@cache
def wordpiece() -> Tokenizer:
    return train_wordpiece(CORPUS, 900).tokenizer()


@cache
def unigram() -> Tokenizer:
    return train_unigram("".join(TEXTS[10:13])[:4_000], 300).tokenizer()


@cache
def sentencepiece(*, byte_fallback: bool = False) -> Tokenizer:
    return train_sentencepiece(TEXTS[8], 400, byte_fallback=byte_fallback, model_type="bpe").tokenizer()


def same_tokenizer(one: Tokenizer, other: Tokenizer, texts: list[str]) -> bool:
    """True if both give the same ids and decode to the same text."""
    for text in texts:
        for special in ("text", "parse"):
            ids = one.encode(text, special=special).ids.tolist()  # type: ignore[arg-type]
            if ids != other.encode(text, special=special).ids.tolist():  # type: ignore[arg-type]
                return False
        if one.decode(ids) != other.decode(ids):
            return False
    return one.special_tokens == other.special_tokens


def damaged(data: bytes, rng: Random, *, cuts: int = 20, flips: int = 80) -> Iterator[bytes]:
    """The data truncated, and with one to five bits flipped."""
    for _ in range(cuts):
        yield data[: rng.randrange(len(data))]
    for _ in range(flips):
        flipped = bytearray(data)
        for _ in range(rng.choice((1, 1, 2, 5))):
            flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        yield bytes(flipped)


def changed(data: bytes, path: str, value: object = ...) -> bytes:
    """JSON with the value at a path such as "model.merges.0" replaced, or removed."""
    content = json.loads(data)
    *way, last = (int(key) if key.isdigit() else key for key in path.split("."))
    place = content
    for key in way:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return json.dumps(content).encode()
