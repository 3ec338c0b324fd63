"""The ids of special tokens and base symbols, and how a word becomes symbols."""

from hypothesis import given

from bpe_core import TrainConfig, train
from tests.core import oracle


@given(oracle.corpora, oracle.configs())
def test_every_id_has_the_bytes_of_the_definition(texts, config: TrainConfig) -> None:
    training = train(texts, config)
    tokenizer = training.tokenizer()
    tokens = [tokenizer.token_bytes(token_id) for token_id in range(tokenizer.vocab_size)]
    assert tokens == oracle.train(texts, config).tokens
    assert tokenizer.vocab_size == training.vocab_size <= config.vocab_size
    for token in tokens:
        assert tokenizer.token_bytes(tokenizer.token_id(token)) == token


@given(oracle.corpora, oracle.configs())
def test_the_tokenizer_of_a_step_knows_the_tokens_up_to_there(texts, config: TrainConfig) -> None:
    training = train(texts, config)
    for step in range(0, len(training.merges) + 1, 5):
        assert training.tokenizer(step).vocab_size == training.vocab_size - len(training.merges) + step
    assert training.tokenizer().vocab_size == training.tokenizer(len(training.merges)).vocab_size


def test_bytes_come_by_value_or_in_the_order_of_gpt2() -> None:
    by_value, as_gpt2 = (train("", TrainConfig(base_order=order)).tokenizer() for order in ("byte-value", "gpt2"))
    assert [by_value.token_bytes(i) for i in range(256)] == [bytes([i]) for i in range(256)]
    assert [as_gpt2.token_bytes(i)[0] for i in (0, 93, 94, 105, 106, 187, 188, 220, 221, 222, 254, 255)] == [
        *(33, 126, 161, 172, 174, 255, 0, 32, 127, 128, 160, 173),
    ]


def test_characters_come_in_code_point_order_behind_special_tokens_and_before_the_mark() -> None:
    config = TrainConfig(unit="char", split="words", end_of_word="</w>", special_tokens=("<s>",))
    tokenizer = train("時b éa", config).tokenizer(0)
    tokens = [tokenizer.token_bytes(token_id).decode() for token_id in range(tokenizer.vocab_size)]
    assert tokens == ["<s>", "<unk>", "a", "b", "é", "時", "</w>"]
    assert tokenizer.unknown_id == 1


def test_the_unknown_token_keeps_the_place_that_the_settings_give_it() -> None:
    tokenizer = train("a", TrainConfig(unit="char", special_tokens=("<s>", "<unk>"))).tokenizer()
    assert tokenizer.special_tokens == {"<s>": 0, "<unk>": 1}
    assert tokenizer.encode("b").ids.tolist() == [1]


def test_nothing_is_unknown_to_bytes_or_with_byte_fallback() -> None:
    for config in (TrainConfig(), TrainConfig(unit="char", byte_fallback=True)):
        tokenizer = train("a", config).tokenizer()
        assert tokenizer.unknown_id is None
        assert "<unk>" not in tokenizer.special_tokens


def test_byte_fallback_trained_on_nothing_still_marks_the_end_of_a_word() -> None:
    config = TrainConfig(unit="char", split="words", byte_fallback=True, end_of_word="</w>")
    tokenizer = train("", config).tokenizer()
    assert tokenizer.encode("ab c").ids.tolist() == [97, 98, 256, 99, 256]
    assert tokenizer.decode([97, 98, 256, 99, 256]) == "ab c"


def test_of_several_ids_with_the_same_bytes_the_lowest_that_is_no_fallback_byte_is_found() -> None:
    tokenizer = train("", TrainConfig(split="none"), forced=[(97, 98), (98, 99), (97, 257), (256, 99)]).tokenizer()
    assert tokenizer.token_id(b"abc") == 258
    assert tokenizer.token_id(b"abcd") is None
    fallback = train("a", TrainConfig(unit="char", byte_fallback=True)).tokenizer()
    assert fallback.token_id(b"a") == 256
