"""Unreachable tokens: checked against tiktoken, and against every short text."""

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import pytest
import tiktoken

from bpe_core import Tokenizer, TrainConfig, load_pretrained, train
from bpe_core.comparison.contexts import AROUND, completions
from bpe_core.comparison.reach import unreached_tokens
from bpe_core.errors import ConfigError
from bpe_core.wordpiece.model import wordpiece_tokenizer
from tests.core.json_files import added_token, json_tokenizer
from tests.core.test_pretrained import TIKTOKEN_NAMES as PUBLISHED
from tests.core.test_pretrained import peers as peers
from tests.draws import examples, first


@pytest.mark.parametrize("name", first(1, PUBLISHED))
def test_no_text_gives_them_by_tiktoken_either(name: str, peers: dict[str, tiktoken.Encoding]) -> None:
    encoding, tokenizer = peers[name], load_pretrained(name)
    found = unreached_tokens(tokenizer)
    special = set(tokenizer.special_tokens.values())
    assert {token_id for token_id, each in found.items() if each.why == "special"} == special
    by_byte = [tokenizer.token_id(bytes([byte])) for byte in (0xC0, 0xC1, *range(0xF5, 0x100))]
    assert [token_id for token_id, each in found.items() if each.why == "bytes"] == sorted(by_byte)
    for token_id in found.keys() - special - set(by_byte):
        for text in completions(tokenizer.token_bytes(token_id)):
            for before, after in AROUND:
                assert token_id not in encoding.encode_ordinary(before + text + after)


@pytest.mark.parametrize("name", first(1, PUBLISHED))
def test_what_tiktoken_makes_of_a_token_s_own_text_is_no_unreached_token(
    name: str, peers: dict[str, tiktoken.Encoding]
) -> None:
    encoding, tokenizer = peers[name], load_pretrained(name)
    found = unreached_tokens(tokenizer)
    for token_id in tokenizer.ids[::7]:
        text = tokenizer.token_bytes(token_id).decode("utf-8", "ignore")
        if token_id not in found or found[token_id].why != "special":
            assert not found.keys() & set(encoding.encode_ordinary(text))


def forced(rng: Random, alphabet: str, count: int) -> Tokenizer:
    pairs, ids = [], [ord(each) for each in alphabet]
    while len(pairs) < count:
        pair = (rng.choice(ids), rng.choice(ids))
        if pair not in pairs:
            pairs.append(pair)
            ids.append(255 + len(pairs))
    return train("", TrainConfig(split="words", vocab_size=256 + count), forced=pairs).tokenizer()


@pytest.mark.parametrize("case", range(40))
def test_random_merges_give_exactly_the_tokens_that_short_texts_give(case: int, rng: Random) -> None:
    tokenizer = forced(rng, "abc", 7)
    tokens = [i for i in range(256, tokenizer.vocab_size) if len(tokenizer.token_bytes(i)) <= 6]
    texts = ("".join(each) for size in range(1, 7) for each in product("abc", repeat=size))
    given = set(tokenizer.encode(" ".join(texts)).ids.tolist())
    found = unreached_tokens(tokenizer)
    assert [token_id for token_id in tokens if token_id in found] == [i for i in tokens if i not in given]
    for token_id in tokens:
        if token_id in found:
            instead = tuple(tokenizer.encode(tokenizer.token_bytes(token_id).decode()).ids)
            assert found[token_id] == (("same text" if len(instead) == 1 else "merges"), instead)


def test_of_two_tokens_of_one_text_that_becomes_neither_both_are_unreached_by_their_merges() -> None:
    pairs = [(97, 97), (97, 256), (97, 257), (257, 97)]  # aaaa as a and aaa, and as aaa and a
    found = unreached_tokens(train("", TrainConfig(split="words", vocab_size=260), forced=pairs).tokenizer())
    assert [found[token_id] for token_id in (258, 259)] == [("merges", (256, 256))] * 2


def test_a_token_that_the_split_divides_is_not_reached() -> None:
    pairs = [(ord("a"), ord(" ")), (ord(" "), ord("a"))]
    found = unreached_tokens(train("", TrainConfig(split="gpt2", vocab_size=258), forced=pairs).tokenizer())
    assert found[256].why == "split"
    assert not found[256].proven
    assert 257 not in found


def test_a_part_of_a_character_that_always_merges_with_the_next_is_not_reached() -> None:
    starts = [(0xC3, byte) for byte in range(0x80, 0xC0)]
    found = unreached_tokens(train("", TrainConfig(vocab_size=320), forced=starts).tokenizer())
    assert found[0xC3].why == "neighbours"
    assert found[0xC3].proven


def test_upper_case_is_normalized_away() -> None:
    tokenizer = train("", TrainConfig(vocab_size=257), forced=[(65, 66)]).tokenizer().with_stages(lowercase=True)
    found = unreached_tokens(tokenizer)
    assert found[256].why == found[65].why == "normalization"
    assert 97 not in found


def test_the_tokens_of_other_models_are_explained_in_their_terms() -> None:
    t5, bert = (unreached_tokens(load_pretrained(name)) for name in ("t5-small", "bert-base-uncased"))
    its = load_pretrained("t5-small").token_id("▁Its".encode())
    assert its is not None
    assert t5[its].why == "score"
    assert bert[1].why == "split"  # [unused0]
    assert load_pretrained("bert-base-uncased").token_id(b"the") not in bert


def test_only_tokenizers_are_looked_at() -> None:
    with pytest.raises(ConfigError):
        unreached_tokens("gpt2")  # type: ignore[arg-type]


def test_a_continuation_is_tried_after_every_beginning() -> None:
    tokenizer = wordpiece_tokenizer(["[UNK]", "a", "b", "c", "ab", "##b"], special_tokens=["[UNK]"])
    assert tokenizer.tokenize("cb") == ["c", "##b"]
    assert 5 not in unreached_tokens(tokenizer)


def test_what_short_words_of_a_wordpiece_give_is_reached(rng: Random) -> None:
    for _ in range(examples(60)):
        pieces = {"".join(rng.choices("abc", k=rng.randrange(1, 4))) for _ in range(6)}
        inside = {"##" + "".join(rng.choices("abc", k=rng.randrange(1, 3))) for _ in range(4)}
        tokenizer = wordpiece_tokenizer(["[UNK]", *sorted(pieces), *sorted(inside)], special_tokens=["[UNK]"])
        words = ("".join(word) for size in range(1, 5) for word in product("abc", repeat=size))
        given = set(tokenizer.encode(" ".join(words)).ids.tolist())
        claimed = {token_id for token_id, why in unreached_tokens(tokenizer).items() if why.why != "special"}
        assert not given & claimed


def of_file(
    model: dict[str, Any], rng: Random, special: Sequence[str] = (), *, split: str | None = "drawn"
) -> Tokenizer:
    """The tokenizer of a tokenizer.json with this model, and a random split unless one is given."""
    drawn = split == "drawn"
    if drawn:
        split = rng.choice([None, "WhitespaceSplit", "BertPreTokenizer", "Whitespace"])
    ids = (
        model["vocab"]
        if isinstance(model["vocab"], dict)
        else {piece: i for i, (piece, _) in enumerate(model["vocab"])}
    )
    return json_tokenizer(
        added_tokens=[added_token(each, ids[each], special=True) for each in special],
        normalizer=rng.choice([None, {"type": "Lowercase"}]) if drawn else None,
        pre_tokenizer=split and {"type": split},
        model=model,
    )


def merged_characters(rng: Random) -> Tokenizer:
    prefix, suffix = rng.choice([("", ""), ("##", ""), ("", "</w>")])
    base = [
        "[UNK]",
        *"abAB<",
        *(prefix + each for each in "abAB#" if prefix),
        *(each + suffix for each in "ab" if suffix),
    ]
    vocab, merges = {piece: i for i, piece in enumerate(base)}, []
    for _ in range(rng.randrange(4, 12)):
        letters = [piece for piece in vocab if set(piece) <= set("ab#" + suffix)]
        left, right = rng.choice(letters), rng.choice(letters)
        if right.startswith(prefix) and [left, right] not in merges:
            merges.append([left, right])
            vocab.setdefault(left + right[len(prefix) :], len(vocab))
    vocab |= {each: len(vocab) + i for i, each in enumerate(["ba", "b<", "Ab"]) if each not in vocab}
    model = {
        "type": "BPE",
        "unk_token": rng.choice([None, "[UNK]"]),
        "fuse_unk": False,
        "vocab": vocab,
        "merges": merges,
    }
    model |= {"ignore_merges": rng.random() < 0.2}
    model |= {"continuing_subword_prefix": prefix or None, "end_of_word_suffix": suffix or None}
    return of_file(model, rng, rng.sample([*vocab], 2))


def scored(rng: Random) -> Tokenizer:
    pieces = ["<unk>", *"ab<>0x61", "ab", "ba", "aab", "abb", "<a>"]
    falls_back = rng.random() < 0.5
    pieces += [f"<0x{byte:02X}>" for byte in range(256)] if falls_back else []
    pieces += rng.choices(pieces[1:15], k=2) if rng.random() < 0.3 else []
    vocab = [[piece, rng.choice([0.0, -1.0, -1.5, -2.0, -3.0, -6.0, 1.0])] for piece in pieces]
    model = {"type": "Unigram", "unk_id": 0, "byte_fallback": falls_back, "vocab": vocab}
    return of_file(model, rng, ["<a>", "ab"] if rng.random() < 0.5 else [])


def looked_up(rng: Random) -> Tokenizer:
    pieces = ["[UNK]", "[a]", "<a>", *{"".join(rng.choices("abA<", k=rng.randrange(1, 4))) for _ in range(6)}]
    pieces += [f"##{each}" for each in {"".join(rng.choices("abA<", k=rng.randrange(1, 3))) for _ in range(5)}]
    vocab = {piece: i for i, piece in enumerate(pieces)}
    model: dict[str, Any] = {"type": rng.choice(["WordPiece", "WordLevel"]), "unk_token": "[UNK]", "vocab": vocab}
    if model["type"] == "WordPiece":
        model |= {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    return of_file(model, rng, ["[UNK]", "[a]", "<a>", pieces[4]])


KINDS = {
    "characters": merged_characters,
    "scores": scored,
    "look-up": looked_up,
    "bytes": lambda rng: forced(rng, "abA", 7),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_proven_is_given_by_no_short_text(kind: str, rng: Random) -> None:
    parts = ["a", "b", "A", "<", "#", " ", "ab", "é", "[a]", "<a>", "</w>", "<0x61>", "<0xC3>", "<0xFF>"]
    texts = ["".join(each) for size in (1, 2, 3) for each in product(parts, repeat=size)]
    texts += ["".join(each) for size in (4, 5, 6) for each in product("abA", repeat=size)]
    proven, few = 0, len(parts) * (len(parts) + 1)
    for _ in range(examples(24)):
        tokenizer = KINDS[kind](rng)
        found = unreached_tokens(tokenizer)
        tried = [*texts[:few], *rng.sample(texts[few:], examples(len(texts) - few))]
        given = {token_id for encoding in tokenizer.encode_batch(tried) for token_id in encoding.ids.tolist()}
        assert not {token_id for token_id, each in found.items() if each.proven} & given, (tokenizer.vocab, found)
        proven += sum(each.proven for each in found.values())
    assert proven or kind == "look-up"


def test_a_special_token_that_its_own_name_gives_is_reached() -> None:
    model = {"type": "WordLevel", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "[PAD]": 1, "a b": 2}}
    tokenizer = of_file(model, Random(0), ["[UNK]", "[PAD]", "a b"], split="WhitespaceSplit")
    assert tokenizer.encode("[PAD]").ids.tolist() == [1]
    found = unreached_tokens(tokenizer)
    assert {token_id: (each.why, each.proven) for token_id, each in found.items()} == {2: ("special piece", False)}


def test_a_fallback_byte_that_its_name_gives_is_reached() -> None:
    pieces = ["<unk>", "a", *(f"<0x{byte:02X}>" for byte in range(256))]
    model = {"type": "Unigram", "unk_id": 0, "byte_fallback": True, "vocab": [[piece, -1.0] for piece in pieces]}
    tokenizer = of_file(model, Random(0), split=None)
    assert tokenizer.encode("<0xFF>").ids.tolist() == [257]
    assert 257 not in unreached_tokens(tokenizer)
