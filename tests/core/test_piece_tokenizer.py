"""The interface that WordPiece, Unigram and SentencePiece share with BPE tokenizers, so that pages can use any."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import (
    CorpusError,
    TokenIdError,
    Tokenizer,
    VocabularyError,
    compare,
    load_pretrained,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from tests.core.test_wordpiece import COURSE

FAMILY = {
    "WordPiece": train_wordpiece(COURSE, 70).tokenizer(),
    "Unigram": train_unigram(COURSE, 100).tokenizer(),
    "SentencePiece": train_sentencepiece(COURSE, 320, model_type="bpe", byte_fallback=True).tokenizer(),
}

texts = st.text("This ##▁e\u0301éﬁ駅😀.[UNK]<s> \n\x00\ud800", max_size=30)


@pytest.fixture(params=FAMILY)
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return FAMILY[request.param]


@pytest.mark.parametrize("name", FAMILY)
@given(texts)
def test_offsets_are_in_order_within_the_text(name: str, text: str) -> None:
    encoding = FAMILY[name].encode(text)
    data = encoding.text.encode()
    edges = [edge for token in encoding for edge in (token.start, token.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(data) for edge in edges)
    for token in encoding:
        touched = encoding.text[token.char_start : token.char_end].encode()
        assert data[token.start : token.end] in touched
    words = [word for word in encoding.word_ids.tolist() if word >= 0]
    assert words == sorted(words)


def test_ids_pieces_and_bytes_agree(tokenizer: Tokenizer) -> None:
    assert tokenizer.ids == list(range(tokenizer.vocab_size))
    for token_id, piece in enumerate(tokenizer.pieces):
        assert tokenizer.token(token_id) == piece
        if not (piece.startswith("<0x") and len(piece) == 6):
            assert tokenizer.token_bytes(token_id) == piece.encode()
            assert tokenizer.token_id(piece.encode()) == token_id


def test_a_fallback_byte_is_a_byte_but_a_character_is_looked_up_as_such() -> None:
    tokenizer = FAMILY["SentencePiece"]
    at = tokenizer.pieces.index("<0x54>")
    assert tokenizer.token_bytes(at) == b"T"
    assert tokenizer.token(tokenizer.token_id(b"T") or 0) == "T"
    assert tokenizer.token_id(b"\xff") == tokenizer.pieces.index("<0xFF>")


def test_nothing_merges(tokenizer: Tokenizer) -> None:
    for token_id in tokenizer.ids:
        assert tokenizer.rank(token_id) is None
        assert tokenizer.tree(token_id).left is None
    assert tokenizer.merge_of(5, 6) is None
    assert tokenizer.possible_merges([5, 6, 7]) == []
    (step,) = tokenizer.trace("This")
    assert list(step.ids) == tokenizer.encode("This").ids.tolist()
    assert (step.merged, step.rank) == (None, None)
    assert tokenizer.trace("")[0].ids == ()


@pytest.mark.parametrize("token_id", [-1, 10**6, True, "a"])
def test_an_id_that_is_none_is_refused(tokenizer: Tokenizer, token_id) -> None:
    for method in (tokenizer.token, tokenizer.token_bytes, tokenizer.rank):
        with pytest.raises(TokenIdError):
            method(token_id)
    with pytest.raises(TokenIdError):
        tokenizer.decode([token_id])


@pytest.mark.parametrize("text", [None, b"This", 7])
def test_what_is_no_text_is_refused(tokenizer: Tokenizer, text) -> None:
    for method in (tokenizer.encode, tokenizer.tokenize, tokenizer.trace):
        with pytest.raises(CorpusError):
            method(text)


def test_special_tokens_can_be_added(tokenizer: Tokenizer) -> None:
    before = tokenizer.encode("This<|end|> is").ids.tolist()
    added = tokenizer.with_special_tokens({"<|end|>": tokenizer.vocab_size + 3})
    encoding = added.encode("This<|end|> is", special="parse")
    assert [token.bytes for token in encoding if token.special] == [b"<|end|>"]
    assert added.token_id(b"<|end|>") == tokenizer.vocab_size + 3
    assert added.tokenize("This") == tokenizer.tokenize("This")
    assert added.decode(encoding.ids.tolist(), skip_special=True) == "This is"
    assert "<|end|>" not in tokenizer.special_tokens
    assert tokenizer.encode("This<|end|> is").ids.tolist() == before
    with pytest.raises(VocabularyError):
        tokenizer.with_special_tokens({"<|end|>": 10})


@pytest.mark.parametrize("name", FAMILY)
@given(texts)
def test_they_compare_with_tokenizers_that_merge(name: str, text: str) -> None:
    repaired = text.replace("\ud800", "?")
    sides: dict[str, Tokenizer] = {"own": FAMILY[name], "GPT-2": load_pretrained("gpt2")}
    comparison = compare(repaired, sides)
    for left, right in (("own", "GPT-2"), ("GPT-2", "own")):
        for found in comparison.disagreements(left, right):
            assert found.explanation
    assert 0 <= comparison.agreement("own", "GPT-2").f1 <= 1


def test_a_word_mark_cuts_where_a_space_in_front_does() -> None:
    sides: dict[str, Tokenizer] = {"Unigram": FAMILY["Unigram"], "GPT-2": load_pretrained("gpt2")}
    comparison = compare("This is the", sides)
    assert comparison.boundaries("Unigram").tolist() == comparison.boundaries("GPT-2").tolist() == [4, 7]
    assert comparison.disagreements("Unigram", "GPT-2") == []
