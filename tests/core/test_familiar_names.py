"""API familiar from other libraries: batches, the vocabulary, tokens as strings, equality; and file names."""

import re
import warnings
from pathlib import Path

import pytest

import bpe_core
from bpe_core import ConfigError, Tokenizer, load_pretrained, train, train_sentencepiece, train_unigram, train_wordpiece
from bpe_core.language import PSEUDO, translate, using_language
from bpe_core.tokenizer.batches import batch

TEXT = "low lower lowest hug hugs pug é"
TOKENIZERS = {
    "bytes": train(TEXT).tokenizer(),
    "wordpiece": train_wordpiece(TEXT, 40).tokenizer(),
    "unigram": train_unigram(TEXT, 30).tokenizer(),
    "sentencepiece": train_sentencepiece(TEXT, 30).tokenizer(),
    "gpt2": load_pretrained("gpt2"),
    "bert": load_pretrained("bert-base-uncased"),
}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_batch_of_texts_is_encoded_as_each_alone(name: str) -> None:
    tokenizer = TOKENIZERS[name]
    texts = ["low hugs", "", "lowest é"]
    encodings = tokenizer.encode_batch(texts)
    assert encodings == [tokenizer.encode(text) for text in texts]
    assert [encoding.tokens for encoding in encodings] == [tokenizer.tokenize(text) for text in texts]


@pytest.mark.parametrize("name", TOKENIZERS)
def test_the_vocabulary_has_every_token_by_its_spelling(name: str) -> None:
    tokenizer = TOKENIZERS[name]
    assert len(tokenizer) == tokenizer.vocab_size
    assert sorted(tokenizer.vocab.values()) == tokenizer.ids
    assert all(tokenizer.spelling(token_id) == spelled for spelled, token_id in list(tokenizer.vocab.items())[:300])


def test_encodings_are_equal_where_ids_and_places_are() -> None:
    tokenizer = TOKENIZERS["gpt2"]
    one, same, other = (tokenizer.encode(text) for text in ("low", "low", "lower"))
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != tokenizer.encode("low").ids.tolist()
    lowered = tokenizer.with_stages(lowercase=True)
    assert lowered.encode("LOW") != lowered.encode("low")


def test_what_is_batched_is_imported_from_the_top() -> None:
    assert bpe_core.batch is batch
    assert {"Batch", "Padding", "Truncation", "Template"} <= set(bpe_core.__all__)


@pytest.mark.parametrize("texts", ["low", b"low", 5, None])
def test_a_batch_is_several_texts(texts: object) -> None:
    with pytest.raises(ConfigError, match="Put a single text into a list"):
        TOKENIZERS["gpt2"].encode_batch(texts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "way", [train, lambda texts: train_wordpiece(texts, 30), lambda texts: train_unigram(texts, 60)]
)
def test_a_text_that_is_the_name_of_a_file_is_warned_of(way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("book.txt").write_text(TEXT)
    with pytest.warns(UserWarning, match=r"'book.txt' is the name of a file.*Path\('book.txt'\)") as caught:
        way("book.txt")
    with using_language(PSEUDO):
        warned = translate(caught[0].message.args[0])
    assert re.search(r"⟦[^⟦⟧]*'book.txt'[^⟦⟧]*⟧ ⟦[^⟦⟧]*Path\('book.txt'\)[^⟦⟧]*⟧", warned)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        way(["no_such_file.txt", "low lower lowest"])
        way(Path("book.txt"))


def test_a_tokenizer_is_true_whatever_its_size() -> None:
    assert all(map(bool, TOKENIZERS.values()))
    assert isinstance(TOKENIZERS["gpt2"], Tokenizer)
