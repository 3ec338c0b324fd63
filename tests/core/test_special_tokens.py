"""Special tokens in a text: as text, as tokens or as an error; and added to a tokenizer."""

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import (
    ConfigError,
    CorpusError,
    TokenIdError,
    Tokenizer,
    TrainConfig,
    VocabularyError,
    load_pretrained,
    train,
)
from bpe_core.tokenizer.special_tokens import SpecialToken, SpecialTokens


def tokenizer_with_specials() -> Tokenizer:
    config = TrainConfig(vocab_size=300, special_tokens=("<s>", "<s>>", "</s>"), lowercase=True)
    return train("a low lower lowest", config).tokenizer()


def test_special_tokens_in_a_text_are_plain_text_unless_asked_for() -> None:
    encoding = tokenizer_with_specials().encode("<s>low</s>")
    assert not encoding.special.any()
    assert b"".join(token.bytes for token in encoding) == b"<s>low</s>"
    assert min(encoding.ids) > 2


def test_special_tokens_are_parsed_and_the_text_around_them_is_encoded_alone() -> None:
    tokenizer = tokenizer_with_specials()
    encoding = tokenizer.encode("<s>Low</s> lower", special="parse")
    low, lower = tokenizer.encode("low").ids.tolist(), tokenizer.encode(" lower").ids.tolist()
    assert encoding.ids.tolist() == [0, *low, 2, *lower]
    assert encoding.special.tolist() == [True, *[False] * len(low), True, *[False] * len(lower)]
    assert encoding.word_ids.tolist() == [-1, *[0] * len(low), -1, *[1] * len(lower)]
    assert encoding.starts[0] == 0
    assert encoding.ends[0] == 3
    assert encoding.ends[-1] == len("<s>low</s> lower")
    assert encoding.text == "<s>low</s> lower"


def test_the_longest_special_token_is_parsed() -> None:
    assert tokenizer_with_specials().encode("<s>>", special="parse").ids.tolist() == [1]


NAMES = st.lists(st.text("ab<|.", min_size=1, max_size=5), min_size=1, max_size=12, unique=True)


@given(NAMES, st.text("ab<|.c", max_size=40))
def test_of_any_special_tokens_the_library_finds_the_same(names: list[str], text: str) -> None:
    peer = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    peer.add_special_tokens(sorted(names))
    tokens = SpecialTokens([SpecialToken(name, peer.token_to_id(name) or 0) for name in names])
    found = [token_id for part, token_id in tokens.segments(text, parse=True) if part.text]
    assert found == [token_id or None for token_id in peer.encode(text).ids]


def test_tokens_that_begin_alike_are_found_however_many_they_are() -> None:
    tokens = SpecialTokens([SpecialToken("a" * size, size) for size in range(1, 400)])
    found = [token_id for _, token_id in tokens.segments("a" * 1_000, parse=True)]
    assert found == [None, 399, None, 399, None, 202, None]
    numbered = SpecialTokens([SpecialToken(f"<|{number}|>", number) for number in range(60_000)])
    assert numbered.first("<|60000|><|59999|>") == ("<|59999|>", 9)


def test_special_tokens_are_looked_for_before_normalization() -> None:
    assert 0 not in tokenizer_with_specials().encode("<S>", special="parse").ids


@given(st.text("<s>/ ab", max_size=30))
def test_parsed_spans_tile_the_text(text: str) -> None:
    encoding = tokenizer_with_specials().encode(text, special="parse")
    edges = [0, *encoding.ends.tolist()]
    assert edges == [*encoding.starts.tolist(), len(text)]
    assert [token.bytes.decode() for token in encoding] == [text[token.start : token.end] for token in encoding]


def test_a_text_that_holds_a_special_token_can_be_refused() -> None:
    tokenizer = tokenizer_with_specials()
    message = (
        r"The text holds the special token '</s>' at character 4\. With special=\"raise\" none is allowed\. "
        r"Use special=\"text\" .* or special=\"parse\""
    )
    with pytest.raises(CorpusError, match=message):
        tokenizer.encode("low </s><s>", special="raise")
    assert tokenizer.encode("low", special="raise").ids.tolist() == tokenizer.encode("low").ids.tolist()


@pytest.mark.parametrize("mode", ["", "Parse", None, True, 1, ["text"]])
def test_another_special_mode_is_refused(mode: object) -> None:
    with pytest.raises(ConfigError, match=r"special is .* It takes 'text', 'parse', 'raise'\. Choose one"):
        tokenizer_with_specials().encode("low", special=mode)  # type: ignore[arg-type]


def test_without_special_tokens_every_mode_encodes_the_same() -> None:
    tokenizer = train("low lower").tokenizer()
    ids = [tokenizer.encode("<s> low", special=mode).ids.tolist() for mode in ("text", "parse", "raise")]
    assert ids[0] == ids[1] == ids[2]


def test_a_parsed_unknown_token_covers_its_name_in_the_text() -> None:
    tokenizer = train("ab", TrainConfig(unit="char")).tokenizer()
    encoding = tokenizer.encode("a<unk>b", special="parse")
    assert encoding.ids.tolist() == [1, 0, 2]
    assert encoding.starts.tolist() == [0, 1, 6]
    assert encoding.ends.tolist() == [1, 6, 7]


# -- decoding -----------------------------------------------------------------------------------------------------


def test_decoding_writes_special_tokens_or_skips_them() -> None:
    tokenizer = tokenizer_with_specials()
    ids = tokenizer.encode("<s>low</s>", special="parse").ids
    assert tokenizer.decode(ids) == "<s>low</s>"
    assert tokenizer.decode(ids, skip_special=True) == "low"
    assert tokenizer.decode_bytes(ids) == b"<s>low</s>"


# -- added to a tokenizer -----------------------------------------------------------------------------------------


def test_added_special_tokens_are_parsed_and_the_tokenizer_stays_as_it_was() -> None:
    gpt2 = load_pretrained("gpt2")
    chat = gpt2.with_special_tokens({"<|im_start|>": 50257, "<|im_end|>": 60_000})
    assert chat.special_tokens == {"<|endoftext|>": 50256, "<|im_start|>": 50257, "<|im_end|>": 60_000}
    ids = chat.encode("<|im_start|>Hello<|im_end|><|endoftext|>", special="parse").ids.tolist()
    assert ids == [50257, 15496, 60_000, 50256]
    assert chat.decode(ids) == "<|im_start|>Hello<|im_end|><|endoftext|>"
    assert chat.token_bytes(60_000) == b"<|im_end|>"
    assert chat.token_id(b"<|im_end|>") == 60_000
    assert (chat.vocab_size, gpt2.vocab_size) == (60_001, 50_257)
    assert gpt2.special_tokens == {"<|endoftext|>": 50256}
    assert 50257 not in gpt2.encode("<|im_start|>", special="parse").ids


def test_the_dictionary_of_special_tokens_is_a_copy() -> None:
    tokenizer = tokenizer_with_specials()
    tokenizer.special_tokens["<s>"] = 7
    assert tokenizer.special_tokens["<s>"] == 0


@pytest.mark.parametrize("token_id", [-1, 10_000_000, True, 1.0, "1", None])
def test_an_id_that_cannot_be_is_refused(token_id: object) -> None:
    with pytest.raises(VocabularyError, match=r"has the id .*a whole number from 0 to 9,999,999\. Correct it"):
        train("ab").tokenizer().with_special_tokens({"<s>": token_id})  # type: ignore[dict-item]


@pytest.mark.parametrize("name", ["", "\ud800", "a\udfff", 5, b"<s>", None])
def test_a_special_token_without_a_utf8_form_is_refused(name: object) -> None:
    with pytest.raises(VocabularyError, match="special token"):
        train("ab").tokenizer().with_special_tokens({name: 9_000})  # type: ignore[dict-item]


def test_special_tokens_leave_a_gap_only_where_ids_are_free() -> None:
    tokenizer = tokenizer_with_specials()
    with pytest.raises(TokenIdError, match=r"whole numbers from 0 to 2\d\d\. Remove"):
        tokenizer.decode([999])
    with pytest.raises(TokenIdError, match=r"whole numbers from 0 to 1,000, with gaps\. Remove"):
        tokenizer.with_special_tokens({"<far>": 1_000}).decode([999])


def test_an_id_that_another_token_has_is_refused() -> None:
    tokenizer = tokenizer_with_specials()
    for taken in (0, 100, tokenizer.vocab_size - 1):
        message = rf"The id {taken} for the special token '<new>' belongs to another token\. Ids from 2\d\d on are free"
        with pytest.raises(VocabularyError, match=message):
            tokenizer.with_special_tokens({"<new>": taken})
    with pytest.raises(VocabularyError, match=r"have the same id\. .* Give each another id"):
        tokenizer.with_special_tokens({"<a>": 900, "<b>": 900})


def test_a_special_token_keeps_its_id() -> None:
    tokenizer = train("ab", TrainConfig(unit="char", special_tokens=("<s>",))).tokenizer()
    for name in ("<s>", "<unk>"):
        with pytest.raises(VocabularyError, match=f"'{name}' would get the id 999.*already.*another name"):
            tokenizer.with_special_tokens({name: 999})
    assert tokenizer.with_special_tokens({"<s>": 0}).special_tokens == {"<s>": 0, "<unk>": 1}
