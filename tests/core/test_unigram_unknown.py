"""Unigram on unknown characters: segmented as by the `tokenizers` library, drawn in the lattice, saved and read."""

import json
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_core import (
    ConfigError,
    FormatError,
    Tokenizer,
    UnigramModel,
    load,
    save,
    train_sentencepiece,
    train_unigram,
    unigram_tokenizer,
)
from bpe_core.formats import bpe_lab, tokenizers_json
from bpe_core.kernels.scan import WordTable
from bpe_core.unigram.lattice import UNKNOWN_RULES
from tests.core.test_wordpiece import COURSE

ENGLISH = " ".join(COURSE)

scores = st.dictionaries(
    st.text("abé▁", min_size=1, max_size=3), st.integers(0, 40).map(lambda n: n / 4), min_size=1, max_size=12
)
words = (st.text("abcé▁駅😀", max_size=12) | st.text(max_size=12)).map(lambda text: "".join(text.split()))


def by_library(model: UnigramModel, word: str) -> list[int]:
    """The ids of a word in the library with the same pieces."""
    pieces = [("<unk>", 0.0), *((piece, -score) for piece, score in model.scores.items())]
    library = LibraryTokenizer(models.Unigram(pieces, 0))  # type: ignore[arg-type]
    return library.encode(f"▁{word}").ids


@given(scores, words)
@example({"a": 1.0, "ab": 1.0}, "abb")
@example({"bb": 1.0}, "abbb")
@example({"ab": 4.0, "c": 4.0, "d": 4.0, "bcd": 0.0}, "abcd")  # an unknown a would cost 14, more than ab + c + d
@example({"ab": 8.0, "c": 8.0, "d": 8.0, "bcd": 0.0}, "abcd")  # here 18, less than these
def test_ids_are_those_of_the_library_with_the_same_pieces(found: dict[str, float], word: str) -> None:
    assume(word and "<unk>" not in word and "\x00" not in word)
    model = UnigramModel(found)
    expected = by_library(model, word)
    assert model.encode_word(word).ids == expected
    if not any("\ud800" <= char <= "\udfff" for char in word):
        assert model.encode_words(WordTable.of([word.encode()])).words.symbols.tolist() == expected


@given(st.lists(words.filter(bool), min_size=1, max_size=6))
def test_a_trained_model_cuts_any_text_as_the_library_does(given_words: list[str]) -> None:
    assume(not any("<unk>" in word for word in given_words))
    training = train_unigram(COURSE, 100)
    tokenizer = training.tokenizer()
    expected = [token for word in given_words for token in by_library(tokenizer.model, word)]  # type: ignore[arg-type]
    assert tokenizer.encode(" ".join(given_words)).ids.tolist() == expected


@given(scores, st.lists(words.filter(bool), max_size=5, unique=True), st.sampled_from(UNKNOWN_RULES))
def test_words_at_once_are_encoded_as_each_alone(found: dict[str, float], given_words: list[str], rule) -> None:
    model = UnigramModel(found, unknown=rule)
    marked = [" " * (len(word) % 2) + word for word in given_words]
    at_once = model.encode_words(WordTable.of([word.encode() for word in marked]))
    alone = [model.encode_word(word) for word in marked]
    assert at_once.words.symbols.tolist() == [token for each in alone for token in each.ids]
    assert at_once.lengths.tolist() == [length for each in alone for length in each.lengths]
    assert [sum(each.lengths) for each in alone] == [len(word.encode()) for word in marked]


@given(scores, words)
def test_the_lattice_draws_an_unknown_character_with_its_penalty(found: dict[str, float], word: str) -> None:
    model = UnigramModel(found)
    edges = model.lattice(word)
    unknown = [edge for edge in edges if edge.unknown]
    assert [edge.start for edge in unknown] == [at for at, char in enumerate(word) if char not in found]
    assert {edge.score for edge in unknown} <= {max(found.values()) + 10}
    best = model.best(word)
    assert tuple(edge.piece for edge in edges if edge.chosen) == (best.pieces if best else ())
    if best is not None:
        assert best.score == pytest.approx(sum(edge.score for edge in edges if edge.chosen))
        assert model.segmentations(word, 1) == [best]


def test_by_the_course_s_rule_no_path_leads_through_an_unknown_character() -> None:
    model = UnigramModel({"h": 1.0, "u": 1.0}, unknown="word")
    assert [edge.piece for edge in model.lattice("hxu")] == ["h"]
    assert model.best("hxu") is None
    assert model.segmentations("hxu") == []
    assert UnigramModel({"h": 1.0, "u": 1.0}).segmentations("hxu")[0].pieces == ("h", "x", "u")


@pytest.mark.parametrize("rule", ["character", "", None, 1, ["word"]])
def test_another_rule_is_refused(rule) -> None:
    with pytest.raises(ConfigError, match="unknown"):
        UnigramModel({"a": 1.0}, unknown=rule)
    with pytest.raises(ConfigError, match="unknown"):
        train_unigram("hug", 10).tokenizer(unknown=rule)


# -- in files ---------------------------------------------------------------------------------------------------


def library_of(tokenizer: Tokenizer) -> LibraryTokenizer:
    """The library with a tokenizer's file; special tokens in a text are text."""
    library = LibraryTokenizer.from_str(tokenizers_json.write(tokenizer).decode())
    library.encode_special_tokens = True
    return library


texts = st.lists(st.sampled_from(["<unk>", "unk", "k>", "<", "hug"]) | st.text("hugs▁é<unk> \n", max_size=6)).map(
    "".join
)


@pytest.mark.parametrize("rule", UNKNOWN_RULES)
@pytest.mark.parametrize("corpus", ["hug hugs pug", "hug <unk> hugs <<unk>> chunk", "kun> un"])
@given(text=texts)
def test_the_file_gives_the_same_ids_to_text_that_spells_the_unknown_token(corpus: str, rule, text: str) -> None:
    tokenizer = train_unigram(corpus, 30).tokenizer(unknown=rule)
    assert library_of(tokenizer).encode(text).ids == tokenizer.encode(text).ids.tolist()


@pytest.mark.parametrize("rule", UNKNOWN_RULES)
@pytest.mark.parametrize("format", ["tokenizers", "bpe-lab"])
def test_files_keep_the_rule(rule, format: str, tmp_path: Path) -> None:
    tokenizer = train_unigram(ENGLISH, 80).tokenizer(unknown=rule)
    save(tokenizer, tmp_path / "file.json", format=format)
    again = load(tmp_path / "file.json")
    assert again.model.unknown == rule  # type: ignore[attr-defined]
    for text in ("The Hugÿing ÿÿ 駅Face", "  ÿ", ENGLISH):
        assert again.encode(text).ids.tolist() == tokenizer.encode(text).ids.tolist()
        assert again.encode(text).char_ends.tolist() == tokenizer.encode(text).char_ends.tolist()
        ids = tokenizer.encode(text).ids.tolist()
        assert again.decode(ids) == tokenizer.decode(ids)


def test_a_file_from_before_the_rule_was_written_down_means_whole_words() -> None:
    data = bpe_lab.write(train_unigram("hug hugs", 20).tokenizer())
    content = json.loads(data)
    assert content.pop("unknown") == "characters"
    assert bpe_lab.read(content, data).tokenize("hug mug") == ["▁hug", "<unk>"]
    with pytest.raises(FormatError, match="unknown"):
        bpe_lab.read(content | {"unknown": "letters"}, data)


def test_a_model_that_lacks_characters_of_its_pieces_is_written_where_the_library_does_the_same() -> None:
    model = UnigramModel({"▁": 3.0, "hu": 2.0, "g": 1.0})
    tokenizer = unigram_tokenizer(model)
    for text in ("hug", "uhug hu", "hhug", "huhuu"):
        assert library_of(tokenizer).encode(text).ids == tokenizer.encode(text).ids.tolist()
    with pytest.raises(FormatError, match="no piece"):
        tokenizers_json.write(unigram_tokenizer(UnigramModel(model.scores, unknown="word")))


# -- SentencePiece ----------------------------------------------------------------------------------------------


def test_the_lattice_of_a_sentencepiece_model_leads_to_what_its_library_gives() -> None:
    training = train_sentencepiece(ENGLISH, 80)
    tokenizer = training.tokenizer()
    for word in ("Huÿgging", "ÿÿ", "to駅ken"):
        chosen = [edge for edge in tokenizer.model.explain(word) if edge.chosen]  # type: ignore[attr-defined]
        joined: list[str] = []
        for edge in chosen:
            piece = "<unk>" if edge.unknown else edge.piece
            joined += [] if edge.unknown and joined and joined[-1] == "<unk>" else [piece]
        assert joined == tokenizer.tokenize(word)
