"""Decoding by custom tokenizers: any ids decode as in the library with the saved file."""

from random import Random

import pytest

from bpe_core import TrainConfig, load_pretrained, train, train_unigram, train_wordpiece
from bpe_core.formats import from_bytes, to_bytes
from tests.core.json_files import peer_of
from tests.draws import examples

TEXT = "the lantern low lower lowest 日本 é e\u0301 x ﬁsh '' don't . , ## a"

OWN = {
    "bytes": train(TEXT, TrainConfig(vocab_size=290)).tokenizer(),
    "characters": train(TEXT, TrainConfig(unit="char", vocab_size=60, special_tokens=("<s>",))).tokenizer(),
    "byte fallback": train(
        TEXT, TrainConfig(unit="char", vocab_size=330, byte_fallback=True, special_tokens=("<s>",))
    ).tokenizer(),
    "end of word": train(TEXT, TrainConfig(unit="char", vocab_size=60, split="words", end_of_word="</w>")).tokenizer(),
    "wordpiece": train_wordpiece(TEXT, 60).tokenizer(),
    "unigram": train_unigram(TEXT, 60).tokenizer(),
    "bert-base-uncased": load_pretrained("bert-base-uncased"),
    "t5-small": load_pretrained("t5-small"),
}


@pytest.mark.parametrize("name", OWN)
def test_any_ids_are_decoded_as_by_the_library_before_and_after_saving(name: str, rng: Random) -> None:
    tokenizer = OWN[name]
    again, library = from_bytes(to_bytes(tokenizer, format="tokenizers")), peer_of(tokenizer)
    ids = tokenizer.ids[:400]
    for _ in range(examples(1_000)):
        drawn = [rng.choice(ids) for _ in range(rng.randrange(6))]
        skips = rng.random() < 0.3
        expected = library.decode(drawn, skip_special_tokens=skips)
        assert tokenizer.decode(drawn, skip_special=skips) == expected
        assert again.decode(drawn, skip_special=skips) == expected


def test_each_fallback_byte_of_a_broken_character_is_replaced() -> None:
    tokenizer = OWN["byte fallback"]
    ids = [tokenizer.model.base.byte_ids[byte] for byte in "日".encode()[:2]]
    assert tokenizer.decode(ids) == peer_of(tokenizer).decode(ids) == "\ufffd\ufffd"
    assert tokenizer.decode_bytes(ids) == "日".encode()[:2]


def test_a_continuation_without_a_word_before_it_keeps_its_mark() -> None:
    tokenizer = OWN["wordpiece"]
    ids = [tokenizer.token_id(b"##e"), tokenizer.token_id(b"##r")]
    assert tokenizer.decode(ids) == peer_of(tokenizer).decode(ids) == "##er"


def test_of_the_ids_of_an_encoding_only_the_distinct_ones_are_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    gpt2 = load_pretrained("gpt2")
    encoding = gpt2.encode("low lower " * 1_000)
    looked_up: list[object] = []
    whole = gpt2._checked_id
    monkeypatch.setattr(gpt2, "_checked_id", lambda token_id: looked_up.append(token_id) or whole(token_id))
    assert gpt2.decode(encoding.ids) == "low lower " * 1_000
    assert set(looked_up) == set(encoding.ids.tolist())
    assert len(looked_up) <= 3 * len(set(looked_up)) < len(encoding)
