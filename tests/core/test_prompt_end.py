"""The end of a prompt: prefixes encoded incrementally, and token healing, each against its definition."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest
import tiktoken
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_core import (
    ConfigError,
    CorpusError,
    Tokenizer,
    TrainConfig,
    load_pretrained,
    train,
    train_unigram,
    train_wordpiece,
)
from bpe_core.text.splits import PATTERNS
from bpe_core.tokenizer import prompt_end
from bpe_core.tokenizer.prompt_end import Healed, Prefix, heal, prefixes
from tests.draws import examples, first

TEXT = "the tokenizer's tokens: low lower lowest, 12 1234!\n\n  x = f(y)\r\n" * 4
RANKS = {"gpt2": "r50k_base", "cl100k_base": "cl100k_base", "o200k_base": "o200k_base"}
TOKENIZERS: dict[str, Tokenizer] = {
    **{name: load_pretrained(name) for name in (*RANKS, "bert-base-uncased", "t5-small")},
    **{
        f"trained, {split}": train(TEXT, TrainConfig(vocab_size=300, split=split)).tokenizer()
        for split in (*PATTERNS, r"\w+|\W")
    },
    "characters": train(TEXT, TrainConfig(unit="char", end_of_word="</w>", split="words", vocab_size=80)).tokenizer(),
    "wordpiece": train_wordpiece(TEXT, 60).tokenizer(),
    "unigram": train_unigram(TEXT, 60).tokenizer(),
}
CUTS = [
    *("'re", "We'RE ABCd", "日本ABCdE", "  \n\t \n  x", "a\n\n   b", "!!\n/ \r\n", "\t\t\tx", "1234567 8"),
    *("Hello ", "e\u0301é", "\ud83d\ude00\ud83d", "ǅaǅ", "x\u3000\u3000y", "don't've"),
]
hostile = st.text("'rRelLsSvVdtT \n\r\t/!.19aAbB日本éǅ\u0301\u3000🙂<|>", max_size=30) | st.text(max_size=20)


def tokens_of(tokenizer: Tokenizer, text: str, prefix: Prefix) -> list[int]:
    return [*tokenizer.encode(text).ids[: prefix.kept].tolist(), *prefix.others]


def shared(one: Sequence[int], two: Sequence[int]) -> int:
    """Number of equal leading ids."""
    return next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


@pytest.mark.parametrize("name", TOKENIZERS)
@settings(max_examples=examples(40))
@given(text=hostile)
def test_every_prefix_has_the_tokens_of_its_own_encoding(name: str, text: str) -> None:
    tokenizer = TOKENIZERS[name]
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    for each in prefixes(tokenizer, text):
        alone = tokenizer.encode(joined[: each.characters]).ids.tolist()
        assert tokens_of(tokenizer, text, each) == alone
        assert each.kept == shared(alone, tokenizer.encode(text).ids.tolist())


@pytest.mark.parametrize("name", TOKENIZERS)
def test_prefixes_cut_inside_words_white_space_and_characters_are_exact(name: str) -> None:
    tokenizer = TOKENIZERS[name]
    for text in [*CUTS, "".join(CUTS[:6]) + TEXT]:
        given_text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        for each in prefixes(tokenizer, text):
            alone = tokenizer.encode(given_text[: each.characters]).ids.tolist()
            assert tokens_of(tokenizer, text, each) == alone, (text, each)


@settings(max_examples=examples(40))
@given(text=st.text("<|endoftext|> a", max_size=40) | st.just("a<|endoftext|> b"))
def test_prefixes_parse_special_tokens_as_encode_does(text: str) -> None:
    gpt2 = TOKENIZERS["gpt2"]
    whole = gpt2.encode(text, special="parse").ids.tolist()
    for each in prefixes(gpt2, text, special="parse"):
        alone = gpt2.encode(text[: each.characters], special="parse").ids.tolist()
        assert [*whole[: each.kept], *each.others] == alone


def lengths_encoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Lengths of the texts encoded from now on."""
    lengths = []
    encode = Tokenizer.encode

    def counted(self: Tokenizer, text: str, **options: str) -> object:
        lengths.append(len(text))
        return encode(self, text, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Tokenizer, "encode", counted)
    return lengths


def test_the_last_prefixes_of_a_long_text_take_a_few_words_each(monkeypatch: pytest.MonkeyPatch) -> None:
    gpt2, text = TOKENIZERS["gpt2"], TEXT * 200
    lengths = lengths_encoded(monkeypatch)
    found = prefixes(gpt2, text, last=50)
    assert [each.characters for each in found] == list(range(len(text) - 49, len(text) + 1))
    assert lengths[0] == len(text)
    assert max(lengths[1:]) < 60


def test_a_known_encoding_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    bert, text = TOKENIZERS["bert-base-uncased"], "Hel\ud800o wor"
    encoding = bert.encode(text)
    expected = prefixes(bert, text), heal(bert, text)
    lengths = lengths_encoded(monkeypatch)
    assert (prefixes(bert, text, encoding=encoding), heal(bert, text, encoding=encoding)) == expected
    assert lengths == [1, 2, 3, 4, 5, 6, 7, 8]


def test_an_encoding_of_another_text_is_refused() -> None:
    gpt2 = TOKENIZERS["gpt2"]
    for call in (prefixes, heal):
        with pytest.raises(ConfigError, match=r"The encoding is of another text\."):
            call(gpt2, "low", encoding=gpt2.encode("lower"))


def test_more_characters_than_the_limit_are_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_end, "MOST_CHARACTERS", 20)
    assert len(prefixes(TOKENIZERS["trained, none"], "abcde")) == 5
    with pytest.raises(CorpusError, match=r"21 characters to encode\. Up to 20 are encoded"):
        prefixes(TOKENIZERS["trained, none"], "abcdef")


# -- healing -----------------------------------------------------------------------------------------------------


def healed_by_definition(tokenizer: Tokenizer, prompt: str) -> Healed:
    """The most of the last ten tokens whose joined text begins another token; each token of the vocabulary is tried."""
    ids = tokenizer.encode(prompt).ids.tolist()
    ordinary = [i for i in tokenizer.ids if i not in tokenizer.special_tokens.values()]
    for at in range(max(0, len(ids) - 10), len(ids)):
        data = b"".join(map(tokenizer.token_bytes, ids[at:]))
        allowed = [i for i in ordinary if tokenizer.token_bytes(i).startswith(data)]
        if set(allowed) - {ids[at] if at == len(ids) - 1 else None}:
            ranked = sorted(allowed, key=lambda i: -1 if tokenizer.rank(i) is None else tokenizer.rank(i))
            return Healed(at, tuple(ids[at:]), data, tuple(ranked))
    return Healed(len(ids), (), b"", ())


@pytest.mark.parametrize("name", ["gpt2", "trained, gpt2", "trained, none"])
@settings(max_examples=examples(20))
@given(prompt=hostile)
@example(prompt="Hello ")
@example(prompt="http:")
def test_healing_is_its_definition(name: str, prompt: str) -> None:
    tokenizer = TOKENIZERS[name]
    assert heal(tokenizer, prompt) == healed_by_definition(tokenizer, prompt)


@pytest.mark.parametrize("name", TOKENIZERS)
@settings(max_examples=examples(20))
@given(prompt=hostile)
def test_a_healed_prompt_and_any_allowed_token_begin_with_the_prompt(name: str, prompt: str) -> None:
    tokenizer = TOKENIZERS[name]
    healed = heal(tokenizer, prompt)
    ids = tokenizer.encode(prompt).ids.tolist()
    kept = ids[: healed.kept]
    assert [*kept, *healed.removed] == ids
    assert bool(healed.removed) == bool(healed.allowed)
    special = set(tokenizer.special_tokens.values())
    for token_id in healed.allowed[:20]:
        assert token_id not in special
        assert tokenizer.token_bytes(token_id).startswith(healed.data)
        if tokenizer.model.kind != "wordpiece":
            assert tokenizer.decode_bytes([*kept, token_id]).startswith(tokenizer.decode_bytes(ids).removesuffix(b" "))


def test_word_pieces_are_joined_without_their_marks() -> None:
    bert = TOKENIZERS["bert-base-uncased"]
    healed = heal(bert, "He is unbeliev")
    assert healed.data == b"unbeliev"
    assert [bert.token(each) for each in healed.allowed] == ["unbelievable"]


def test_white_space_that_the_tokenizer_drops_ends_its_word() -> None:
    for name in ("bert-base-uncased", "t5-small"):
        assert heal(TOKENIZERS[name], "The qui").removed
        assert not heal(TOKENIZERS[name], "The qui ").removed


@cache
def by_tiktoken(name: str) -> tiktoken.Encoding:
    file = Path(prompt_end.__file__).parents[1] / "vocabularies" / f"{RANKS[name]}.tiktoken"
    rows = (line.split() for line in file.read_bytes().splitlines())
    ranks = {base64.b64decode(token): int(rank) for token, rank in rows}
    pattern = PATTERNS[name.removesuffix("_base")]
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@pytest.mark.parametrize("name", first(1, RANKS))
def test_tokens_that_tiktoken_calls_stable_are_kept(name: str) -> None:
    tokenizer, rng = TOKENIZERS[name], Random(name)
    source = Path(prompt_end.__file__).read_text("utf-8")
    contained = 0
    for _ in range(30):
        start = rng.randrange(len(source) - 50)
        prompt = source[start : start + rng.randrange(1, 50)]
        healed = heal(tokenizer, prompt)
        kept = tokenizer.encode(prompt).ids[: healed.kept].tolist()
        stable, completions = by_tiktoken(name).encode_with_unstable(prompt)
        assert kept[: len(stable)] == stable
        unstable = {(*stable, *each) for each in completions}
        contained += all((*kept, each) in unstable for each in healed.allowed)
    assert contained >= 27  # in the others, completions divide the last word differently before the removed token
