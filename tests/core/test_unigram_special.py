"""Special tokens in front of Unigram's pieces: their ids in the model, in files and in the `tokenizers` library."""

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, trainers

from bpe_core import (
    ConfigError,
    FormatError,
    Tokenizer,
    UnigramModel,
    load,
    pipeline,
    save,
    train_unigram,
    unigram_tokenizer,
)
from bpe_core.formats import bpe_lab, tokenizers_json
from bpe_core.kernels.scan import WordTable
from bpe_core.unigram.lattice import UNKNOWN_RULES
from tests.core.test_wordpiece import COURSE

SPECIAL = [
    ["<cls>", "<sep>"],
    ["<cls>", "<sep>", "<unk>", "<pad>", "<mask>"],
    ["<unk>", "<s>"],
    ["hugs!", "▁x", "é"],
    ["sp ace"],
]
"""Those of the course's XLNet, a list with <unk> in between, and names that words may spell."""

spelled = st.sampled_from(["<unk>", "<cls>", "<sep>", "x", "cls", "<s>", "hugs", "!", "<"])
texts = st.lists(spelled | st.text("hugs▁é<clps> \n", max_size=6)).map("".join)


@cache
def trained(special: tuple[str, ...], corpus: str, rule) -> tuple[Tokenizer, Tokenizer, LibraryTokenizer]:
    """A tokenizer, and what this project and the library read from its file."""
    tokenizer = train_unigram(corpus, 30, special_tokens=special).tokenizer(unknown=rule)
    file = tokenizers_json.write(tokenizer)
    library = LibraryTokenizer.from_str(file.decode())
    library.encode_special_tokens = True
    return tokenizer, tokenizers_json.read(json.loads(file), "again"), library


@pytest.mark.parametrize("rule", UNKNOWN_RULES)
@pytest.mark.parametrize("special", SPECIAL, ids=str)
@pytest.mark.parametrize("corpus", ["hug hugs pug", "hug <cls> hugs <<sep>> chunk <unk>x s> !"])
@given(text=texts)
def test_the_library_has_the_same_ids_and_cuts_alike(special: list[str], corpus: str, rule, text: str) -> None:
    tokenizer, again, library = trained(tuple(special), corpus, rule)
    names = special if "<unk>" in special else [*special, "<unk>"]
    assert [library.token_to_id(name) for name in names] == list(range(len(names)))
    assert tokenizer.special_tokens == {name: number for number, name in enumerate(names)}
    assert library.get_vocab_size() == tokenizer.vocab_size == len(names) + len(tokenizer.model.scores)  # type: ignore[attr-defined]
    encoded = tokenizer.encode(text)
    assert library.encode(text).ids == encoded.ids.tolist()
    assert again.encode(text).ids.tolist() == encoded.ids.tolist()
    assert again.model.special_tokens == tuple(names)  # type: ignore[attr-defined]


@pytest.mark.parametrize("rule", UNKNOWN_RULES)
@pytest.mark.parametrize("special", SPECIAL, ids=str)
def test_words_at_once_are_encoded_as_each_alone_and_files_keep_the_ids(
    rule, special: list[str], tmp_path: Path
) -> None:
    tokenizer = train_unigram(COURSE, 100, special_tokens=special).tokenizer(unknown=rule)
    model = tokenizer.model
    words = [" token", "駅ize", "Hugging", "駅駅"]
    at_once = model.encode_words(WordTable.of([word.encode() for word in words]))
    assert at_once.words.symbols.tolist() == [token for word in words for token in model.encode_word(word).ids]
    for token_id in range(tokenizer.vocab_size):
        piece = model.piece(token_id)  # type: ignore[attr-defined]
        found = (
            tokenizer.special_tokens.get(piece) if piece in tokenizer.special_tokens else model.token_id(piece.encode())
        )
        assert found == token_id
    save(tokenizer, tmp_path / "mine.json", format="bpe-lab")
    again = load(tmp_path / "mine.json")
    assert again.special_tokens == tokenizer.special_tokens
    text = "駅 Face  is\n<cls>" + COURSE[0]
    assert again.encode(text).ids.tolist() == tokenizer.encode(text).ids.tolist()
    assert again.decode(again.encode(text).ids) == tokenizer.decode(tokenizer.encode(text).ids)


def test_the_ids_are_those_of_the_library_s_trainer() -> None:
    special = ["<cls>", "<sep>", "<unk>", "<pad>", "<mask>", "<s>", "</s>"]
    library = LibraryTokenizer(models.Unigram())
    trainer = trainers.UnigramTrainer(vocab_size=60, special_tokens=special, unk_token="<unk>", show_progress=False)
    library.train_from_iterator(COURSE, trainer)
    tokenizer = train_unigram(COURSE, 60, special_tokens=special).tokenizer()
    assert {name: library.token_to_id(name) for name in special} == tokenizer.special_tokens
    assert tokenizer.unknown_id == 2 == tokenizer.encode("駅").ids[-1]


def test_a_template_finds_them_and_adds_none() -> None:
    tokenizer = train_unigram(COURSE, 100, special_tokens=["<cls>", "<sep>"]).tokenizer()
    done = pipeline("This is", tokenizer, template="xlnet")
    assert done.added == {}
    assert done.ids[-2:].tolist() == [1, 0]


@pytest.mark.parametrize("special", [["<s>", "<s>"], [""], [1], "<s>", ["<s>"] * 1_001])
def test_special_tokens_that_are_none_are_refused(special) -> None:
    with pytest.raises(ConfigError, match="special"):
        train_unigram("hug", 10, special_tokens=special)
    with pytest.raises(ConfigError, match="special"):
        UnigramModel({"h": 1.0}, special_tokens=special)


def test_a_special_token_that_is_a_piece_is_not_written_for_the_library() -> None:
    tokenizer = unigram_tokenizer(UnigramModel({"▁": 3.0, "h": 1.0}, special_tokens=["h"]))
    with pytest.raises(FormatError, match="has a piece 'h'"):
        tokenizers_json.write(tokenizer)
    content = json.loads(bpe_lab.write(tokenizer))
    assert content["first"] == ["h", "<unk>"]
    with pytest.raises(FormatError, match="twice"):
        bpe_lab.read(content | {"first": ["h", "h"]}, b"")
