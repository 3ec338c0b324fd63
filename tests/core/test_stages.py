"""A tokenizer composed by hand from single stages equals the one built from them by training or a factory."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import (
    ConfigError,
    SentencePieceModel,
    SpecialToken,
    Tokenizer,
    TrainConfig,
    UnigramModel,
    WordPieceModel,
    load_pretrained,
    pipeline,
    train,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from bpe_core.bpe.config import UNKNOWN
from bpe_core.bpe.merge_tables import PairMerges
from bpe_core.bpe.model import BpeModel
from bpe_core.bpe.vocabulary import BaseVocabulary
from bpe_core.sentencepiece.decoder import SentencePieceDecoder
from bpe_core.text.normalizers import Chain, Form, Lowercase, StripAccents
from bpe_core.text.splits import BERT_SPLIT, MARKED_SPLIT, Split
from bpe_core.tokenizer.decoders import EndOfWord, JoinBytes, JoinWords, SpaceMarks
from bpe_core.tokenizer.templates import TEMPLATES, Template
from bpe_core.wordpiece.model import INSIDE, UNKNOWN_WORD

CORPUS = "the cafe and the café, low lower lowest. İstanbul ﬁts ½ 日本語 hug hugs pug\n" * 3

texts = st.text("the cafélow e\u0301É.,ﬁİ½日 hugs\n\t▁#<unk>[UNK]s</>", max_size=25)


def bytes_pair() -> tuple[Tokenizer, Tokenizer]:
    """Bytes, all normalizers chained, and a template without training."""
    config = TrainConfig(vocab_size=290, normalization="NFKD", lowercase=True, strip_accents=True)
    trained = train(CORPUS, config)
    base = BaseVocabulary(tokens=(), special_tokens={}, byte_ids=tuple(range(256)))
    tokens: list[bytes | None] = [bytes([value]) for value in range(256)]
    for merge in trained.merges:
        tokens.append((tokens[merge.left] or b"") + (tokens[merge.right] or b""))
    composed = Tokenizer(
        "by hand",
        model=BpeModel(base, tokens, PairMerges([(merge.left, merge.right) for merge in trained.merges], 256)),
        normalizer=Chain((Form("NFKD"), Lowercase(), StripAccents(compose=False))),
        split=Split("gpt2"),
        template=TEMPLATES["bert"],
        decoder=JoinBytes(),
    )
    return composed, trained.tokenizer().with_stages(template=TEMPLATES["bert"])


def characters_pair() -> tuple[Tokenizer, Tokenizer]:
    """Characters with an end-of-word mark, an unknown token and a special token."""
    config = TrainConfig(
        vocab_size=70, unit="char", split="words", end_of_word="</w>", special_tokens=("<s>",), lowercase=True
    )
    made = train(CORPUS, config).tokenizer()
    composed = Tokenizer(
        "by hand",
        model=made.model,
        normalizer=Chain((Lowercase(),)),
        split=Split("words"),
        decoder=EndOfWord("</w>", frozenset(i for i in made.ids if made.model.ends_word(i))),
        special_tokens=[SpecialToken("<s>", 0), SpecialToken(UNKNOWN, 1)],
    )
    return composed, made


def wordpiece_pair() -> tuple[Tokenizer, Tokenizer]:
    trained = train_wordpiece(CORPUS, 90)
    special = {token: trained.vocab.index(token) for token in trained.special_tokens}
    composed = Tokenizer(
        "by hand",
        model=WordPieceModel(trained.vocab, special_ids=list(special.values())),
        split=Split(BERT_SPLIT),
        decoder=JoinWords(INSIDE),
        special_tokens=special,
    )
    assert UNKNOWN_WORD in special
    return composed, trained.tokenizer()


def unigram_pair() -> tuple[Tokenizer, Tokenizer]:
    trained = train_unigram(CORPUS, 80)
    composed = Tokenizer(
        "by hand",
        model=UnigramModel(trained.vocab),
        split=Split(MARKED_SPLIT),
        decoder=SpaceMarks(),
        special_tokens={UNKNOWN: 0},
    )
    return composed, trained.tokenizer()


def sentencepiece_pair() -> tuple[Tokenizer, Tokenizer]:
    trained = train_sentencepiece(CORPUS, 80, model_type="bpe")
    model = SentencePieceModel(trained.model)
    composed = Tokenizer(
        "by hand",
        model=model,
        normalizer=Chain((model.normalization,)),
        split=Split(MARKED_SPLIT, by_model=True),
        decoder=SentencePieceDecoder(trained.model),
        special_tokens=model.special_tokens,
    )
    return composed, trained.tokenizer()


PAIRS: dict[str, tuple[Tokenizer, Tokenizer]] = {
    "bytes": bytes_pair(),
    "characters": characters_pair(),
    "WordPiece": wordpiece_pair(),
    "Unigram": unigram_pair(),
    "SentencePiece": sentencepiece_pair(),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("special", ["text", "parse"])
@given(text=texts)
def test_a_tokenizer_composed_by_hand_encodes_as_the_one_from_its_factory(name: str, special: str, text: str) -> None:
    composed, made = PAIRS[name]
    found, expected = (each.encode(text, special=special) for each in (composed, made))  # type: ignore[arg-type]
    assert list(found) == list(expected)
    assert found.text == expected.text
    assert composed.decode(found.ids) == made.decode(expected.ids)


@pytest.mark.parametrize("name", PAIRS)
def test_a_tokenizer_composed_by_hand_has_the_vocabulary_of_the_one_from_its_factory(name: str) -> None:
    composed, made = PAIRS[name]
    assert composed.ids == made.ids
    assert composed.pieces == made.pieces
    assert composed.special_tokens == made.special_tokens
    assert composed.unknown_id == made.unknown_id
    assert [composed.token_bytes(i) for i in composed.ids] == [made.token_bytes(i) for i in made.ids]
    assert [composed.tree(i) for i in composed.ids] == [made.tree(i) for i in made.ids]


@pytest.mark.parametrize("name", PAIRS)
@given(text=texts)
def test_the_parts_of_a_decoder_joined_are_what_decoding_gives(name: str, text: str) -> None:
    for tokenizer in PAIRS[name]:
        ids = tokenizer.encode(text, special="parse").ids.tolist()
        for skip in (False, True):
            parts = tokenizer.decode_parts(ids, skip_special=skip)
            assert b"".join(parts).decode("utf-8", "replace") == tokenizer.decode(ids, skip_special=skip)
        assert len(tokenizer.decode_parts(ids)) == len(ids)
        assert b"".join(tokenizer.decode_parts(ids)) == tokenizer.decode_bytes(ids)


@given(text=texts)
def test_chained_normalizers_are_applied_one_after_the_other(text: str) -> None:
    steps = (Form("NFKD"), Lowercase(), StripAccents(compose=False))
    expected = text
    for step in steps:
        expected = Chain((step,)).normalize(expected).text
    tokenizer = Tokenizer("by hand", model=load_pretrained("gpt2").model, normalizer=Chain(steps))
    assert tokenizer.encode(text).text == Chain(steps).normalize(text).text == expected


@pytest.mark.parametrize("name", ["name", "model", "normalizer", "split", "template", "decoder", "pre_tokenizer"])
def test_a_tokenizer_does_not_change(name: str) -> None:
    tokenizer = train("low lower", TrainConfig(vocab_size=258)).tokenizer()
    for each in (tokenizer, tokenizer.with_stages(lowercase=True), pickle.loads(pickle.dumps(tokenizer))):
        with pytest.raises(AttributeError, match=rf"{name} cannot be set\. with_stages and with_special_tokens make"):
            setattr(each, name, "words")
        assert each.tokenize("lower") == tokenizer.tokenize("lower")


def test_stages_that_are_left_out_do_nothing() -> None:
    bare = Tokenizer("bare", model=load_pretrained("gpt2").model)
    encoding = bare.encode("Low  É\nlower")
    assert encoding.text == "Low  É\nlower"
    assert set(encoding.word_ids.tolist()) == {0}
    assert bare.decode(encoding.ids) == "Low  É\nlower"
    assert bare.special_tokens == {}
    assert pipeline("low", bare).ids.tolist() == bare.encode("low").ids.tolist()


def test_a_template_given_by_hand_is_used_around_one_text_and_two() -> None:
    composed, made = PAIRS["bytes"]
    assert composed.template == made.template == TEMPLATES["bert"]
    own = Template("<s>:3 $A:3", "<s>:0 $A:0 $B:1")
    low, hug = (PAIRS["characters"][0].encode(text).ids.tolist() for text in ("low", "hug"))
    one = pipeline("low", PAIRS["characters"][0], template=own)
    two = pipeline("low", PAIRS["characters"][0], pair="hug", template=own)
    assert (one.ids.tolist(), set(one.type_ids.tolist())) == ([0, *low], {3})
    assert two.ids.tolist() == [0, *low, *hug]
    assert two.type_ids.tolist() == [0] * (1 + len(low)) + [1] * len(hug)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda model: Tokenizer("by hand", model="merges"),  # type: ignore[arg-type]
        lambda model: Tokenizer("by hand", model=model, normalizer="NFC"),  # type: ignore[arg-type]
        lambda model: Tokenizer("by hand", model=model, split="gpt2"),  # type: ignore[arg-type]
        lambda model: Tokenizer("by hand", model=model, decoder="bytes"),  # type: ignore[arg-type]
    ],
)
def test_a_value_that_is_not_the_stage_it_is_given_as_is_refused(wrong: Callable[[object], Tokenizer]) -> None:
    with pytest.raises(ConfigError, match=r"It takes a (Model|Normalizer|Split|Decoder)\. Correct it\."):
        wrong(load_pretrained("gpt2").model)
