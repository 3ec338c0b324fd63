"""Training settings of SentencePiece: its four kinds of vocabulary, byte fallback, and its normalization rules."""

import unicodedata
from itertools import product
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import ConfigError, CorpusError, SentencePieceTraining, load, save, train_sentencepiece
from bpe_core.sentencepiece.training import MODEL_TYPES, NORMALIZATION_RULES
from tests.draws import Outcomes, examples_each

SAMPLES = Path(__file__).parents[2] / "sample_texts"
ENGLISH = (SAMPLES / "lantern_story.txt").read_text()

ALL = list(product(MODEL_TYPES, (False, True), NORMALIZATION_RULES))
TRAINED = {
    (kind, fallback, rule): train_sentencepiece(
        [ENGLISH, "Straße ﬁsh\tÅngström 駅の時計 "],
        450,
        model_type=kind,
        byte_fallback=fallback,
        normalization=rule,
    )
    for kind, fallback, rule in ALL
}
TOKENIZERS = {setting: training.tokenizer() for setting, training in TRAINED.items()}
LIBRARY = {
    setting: sentencepiece.SentencePieceProcessor(model_proto=training.model) for setting, training in TRAINED.items()
}

words = st.sampled_from([*ENGLISH.split()[:30], "The", "駅の時計", "Straße", "안녕하세요"])
texts = st.lists(words | st.text("aehTS 駅ßﬁｶﾞé\u0301Å①İ㍿😀▁\n\t\u3000\u200b\x00\x01<>", max_size=8), max_size=6).map(
    " ".join
) | st.text(max_size=30)


@pytest.mark.parametrize("setting", ALL, ids=str)
@settings(max_examples=examples_each(100))
@given(text=texts)
def test_ids_are_those_of_the_library(setting: tuple[str, bool, str], text: str) -> None:
    encoding = TOKENIZERS[setting].encode(text)
    assert encoding.ids.tolist() == LIBRARY[setting].Encode(text, return_type=int)


@pytest.mark.parametrize("setting", ALL, ids=str)
@settings(max_examples=examples_each(100))
@given(text=texts)
def test_tokens_follow_each_other_and_cover_the_normalized_text(setting: tuple[str, bool, str], text: str) -> None:
    encoding = TOKENIZERS[setting].encode(text)
    edges = [0, *encoding.ends.tolist()]
    assert encoding.starts.tolist() == edges[:-1]
    assert edges[-1] == len(encoding.text.encode())


@pytest.mark.parametrize("setting", ALL, ids=str)
@settings(max_examples=examples_each(100))
@given(text=texts)
def test_texts_are_normalized_as_by_the_library(setting: tuple[str, bool, str], text: str) -> None:
    written = LIBRARY[setting].Normalize(text)
    assert TOKENIZERS[setting].encode(text).text == written.replace("▁", " ")[1:]


def one(**settings) -> SentencePieceTraining:
    return train_sentencepiece(ENGLISH, 400, **settings)


@pytest.mark.parametrize("kind", ["bpe", "unigram", "char"])
def test_korean_in_a_model_of_english_is_unknown_or_its_bytes(kind) -> None:
    text = "안녕하세요"
    assert one(model_type=kind).tokenizer().tokenize(text) == ["▁", "<unk>"]
    tokens = one(model_type=kind, byte_fallback=True).tokenizer().tokenize(text)
    assert tokens == ["▁", *(f"<0x{byte:02X}>" for byte in text.encode())]
    assert tokens[1:3] == ["<0xEC>", "<0x95>"]


def test_a_model_of_words_has_no_piece_for_a_new_word() -> None:
    assert one(model_type="word").tokenizer().tokenize("The lantern highest") == ["▁The", "▁lantern", "<unk>"]
    tokens = one(model_type="word", byte_fallback=True).tokenizer().tokenize("The highest")
    assert tokens == ["▁The", *(f"<0x{byte:02X}>" for byte in "▁highest".encode())]


def test_a_model_of_characters_has_no_longer_piece() -> None:
    training = one(model_type="char")
    pieces = [piece for piece in training.vocab if piece not in training.tokenizer().special_tokens]
    assert {len(piece) for piece in pieces} == {1}
    assert set(pieces) == {"▁", *"".join(unicodedata.normalize("NFKC", ENGLISH).split())}
    assert training.tokenizer().tokenize("The") == ["▁", "T", "h", "e"]


@pytest.mark.parametrize(
    ("rule", "made"),
    [
        ("nmt_nfkc", "Straße fi 1 a b"),
        ("nfkc", "Straße fi 1 a\t\u200bb"),
        ("nmt_nfkc_cf", "straße fi 1 a b"),
        ("nfkc_cf", "straße fi 1 a\t\u200bb"),
        ("identity", "Straße ﬁ ① a\t\u200bb"),
    ],
)
def test_each_rule_normalizes_in_its_own_way(rule, made: str) -> None:
    text = "Straße  ﬁ ① a\t\u200bb"
    assert one(normalization=rule).tokenizer().encode(text).text == made


def test_case_folding_trains_and_reads_both_cases_alike() -> None:
    tokenizer = one(normalization="nmt_nfkc_cf").tokenizer()
    assert tokenizer.tokenize("THE LANTERN") == tokenizer.tokenize("the lantern")
    plain = one().tokenizer()
    assert plain.tokenize("THE LANTERN") != plain.tokenize("the lantern")


@pytest.mark.parametrize("setting", ALL, ids=str)
def test_models_are_saved_and_read_with_all_of_it(setting: tuple[str, bool, str], tmp_path: Path) -> None:
    text = "The Straße lantern  ﬁ ① 안녕\tzÿx"
    for format, name in (("sentencepiece", "a.model"), ("bpe-lab", "a.json")):
        save(TOKENIZERS[setting], tmp_path / name, format=format)
        again = load(tmp_path / name)
        assert again.encode(text).ids.tolist() == TOKENIZERS[setting].encode(text).ids.tolist()
        assert again.decode(again.encode(text).ids.tolist()) == LIBRARY[setting].Decode(LIBRARY[setting].Encode(text))


def test_the_training_says_what_it_was_made_with() -> None:
    for (kind, fallback, rule), training in TRAINED.items():
        assert (training.model_type, training.byte_fallback, training.normalization) == (kind, fallback, rule)


def test_the_defaults_are_the_librarys() -> None:
    training = train_sentencepiece(ENGLISH, 200)
    assert (training.model_type, training.byte_fallback, training.normalization) == ("unigram", False, "nmt_nfkc")


@pytest.mark.parametrize("kind", MODEL_TYPES)
@pytest.mark.parametrize("fallback", [False, True])
def test_a_size_that_is_too_small_names_the_smallest_that_would_do(kind, fallback: bool) -> None:
    with pytest.raises(ConfigError, match="vocab_size is 1,") as raised:
        train_sentencepiece(ENGLISH, 1, model_type=kind, byte_fallback=fallback)
    least = raised.value.least
    assert least is not None
    with pytest.raises(ConfigError):
        train_sentencepiece(ENGLISH, least - 1, model_type=kind, byte_fallback=fallback)
    assert len(train_sentencepiece(ENGLISH, least, model_type=kind, byte_fallback=fallback).vocab) == least


@pytest.mark.parametrize("rule", ["NFKC", "", None, 1, "nmt_nfkc "])
def test_another_normalization_is_refused(rule) -> None:
    with pytest.raises(ConfigError, match="normalization"):
        train_sentencepiece("ab", 20, normalization=rule)


@pytest.mark.floor(refused=6, accepted=40)
@given(st.text(max_size=40), st.sampled_from(MODEL_TYPES), st.booleans(), st.sampled_from(NORMALIZATION_RULES))
def test_any_text_trains_or_is_refused(outcomes: Outcomes, text: str, kind, fallback: bool, rule) -> None:
    try:
        training = train_sentencepiece(text, 400, model_type=kind, byte_fallback=fallback, normalization=rule)
    except CorpusError:
        outcomes.refused += 1
        return
    outcomes.accepted += 1
    encoding = training.tokenizer().encode(text)
    assert encoding.ends.tolist()[-1:] in ([], [len(encoding.text.encode())])


def test_text_that_spells_a_byte_s_piece_is_no_byte_in_the_lattice() -> None:
    tokenizer = one(byte_fallback=True).tokenizer()
    assert "<0x41>" in tokenizer.model.scores  # type: ignore[attr-defined]
    assert all(len(edge.piece) < 6 for edge in tokenizer.model.explain("<0x41>"))  # type: ignore[attr-defined]
