"""SentencePiece: trained by its library, and its tokens aligned with the text, including composed, expanded and unknown
characters."""

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import (
    ConfigError,
    CorpusError,
    Encoding,
    FormatError,
    SentencePieceTraining,
    UnigramModel,
    sentencepiece_tokenizer,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from bpe_core.sentencepiece.merging import merge_pieces
from tests.draws import Outcomes

SAMPLES = Path(__file__).parents[2] / "sample_texts"
ENGLISH = (SAMPLES / "lantern_story.txt").read_text()
JAPANESE = (SAMPLES / "japanese_station_clock.txt").read_text()

WAYS = [(kind, fallback) for kind in ("bpe", "unigram") for fallback in (False, True)]
TRAINED = {
    (kind, fallback): train_sentencepiece([ENGLISH, JAPANESE], 600, model_type=kind, byte_fallback=fallback)  # type: ignore[arg-type]
    for kind, fallback in WAYS
}

TOKENIZERS = {way: training.tokenizer() for way, training in TRAINED.items()}
LIBRARY = {way: sentencepiece.SentencePieceProcessor(model_proto=TRAINED[way].model) for way in WAYS}

texts = st.text("aehlow 駅時計ﬁｶﾞé\u0301Å①㍿😀▁\n\t\u3000\u200b\x00\ud800<s>", max_size=30)


@pytest.fixture(params=WAYS, ids=lambda way: f"{way[0]}{'+bytes' if way[1] else ''}")
def training(request: pytest.FixtureRequest) -> SentencePieceTraining:
    return TRAINED[request.param]


def library(training: SentencePieceTraining) -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_proto=training.model)


@pytest.mark.parametrize("way", WAYS)
@given(texts)
def test_ids_are_those_of_the_library(way: tuple[str, bool], text: str) -> None:
    repaired = text.replace("\ud800", "\N{REPLACEMENT CHARACTER}")
    encoding = TOKENIZERS[way].encode(text)
    assert encoding.ids.tolist() == LIBRARY[way].Encode(repaired, return_type=int)
    assert encoding.normalized.surrogates == text.count("\ud800")


@pytest.mark.parametrize("way", WAYS)
@given(texts)
def test_tokens_follow_each_other_and_cover_the_normalized_text(way: tuple[str, bool], text: str) -> None:
    tokenizer = TOKENIZERS[way]
    encoding = tokenizer.encode(text)
    data = encoding.text.encode()
    edges = [0, *encoding.ends.tolist()]
    assert encoding.starts.tolist() == edges[:-1]
    assert edges[-1] == len(data)
    for token in encoding:
        if not token.special:
            written = token.bytes.replace("▁".encode(), b" ")
            added = b" " if token.index == 0 and written.startswith(b" ") else b""
            assert added + data[token.start : token.end] == written
        assert token.char_start <= token.char_end <= len(encoding.text)


@pytest.mark.parametrize("way", WAYS)
@given(st.text("aehlow 駅時計é😀\n\u3000", max_size=30))
def test_tokens_end_in_the_original_where_the_library_says(way: tuple[str, bool], text: str) -> None:
    encoding = TOKENIZERS[way].encode(text)
    to_original = encoding.normalized.original_bytes
    mapped = LIBRARY[way].Encode(text, return_type="offset_mapping")
    data = encoding.text.encode()
    for token, (_, end) in zip(encoding, mapped["offsets"], strict=True):
        ends_within_character = data[token.end : token.end + 1] and data[token.end] & 0xC0 == 0x80
        if token.end < len(data) and not ends_within_character:
            assert to_original[token.end] == len(text[:end].encode())


def test_ligatures_full_width_letters_and_composed_letters_map_to_what_they_came_from() -> None:
    encoding = TRAINED["unigram", True].tokenizer().encode("ﬁ e\u0301  ｌow")
    assert encoding.text == "fi é low"
    spans = encoding.normalized.spans
    assert spans is not None
    assert spans.tolist() == [[0, 1], [0, 1], [1, 2], [2, 4], [4, 6], [6, 7], [7, 8], [8, 9]]


def test_a_text_that_normalization_leaves_alone_is_its_own(training: SentencePieceTraining) -> None:
    encoding = training.tokenizer().encode("The light 駅の時計")
    assert encoding.normalized.spans is None
    assert encoding.text == "The light 駅の時計"


def test_the_mark_in_front_covers_nothing_and_the_others_their_space() -> None:
    tokenizer = TRAINED["unigram", False].tokenizer()
    encoding = tokenizer.encode("Ж Ж")
    assert [(tokenizer.token(t.id), t.char_start, t.char_end) for t in encoding] == [
        ("▁", 0, 0),
        ("<unk>", 0, 1),
        ("▁", 1, 2),
        ("<unk>", 2, 3),
    ]
    assert encoding.word_ids.tolist() == [0, 0, 1, 1]


def test_a_run_of_unknown_characters_is_one_token_or_its_bytes() -> None:
    encoding = TRAINED["bpe", False].tokenizer().encode("The 😀🙂")
    assert (encoding[-1].special, encoding[-1].start, encoding[-1].end) == (True, 4, 12)
    with_bytes = TRAINED["bpe", True].tokenizer().encode("The 😀")
    assert [token.bytes for token in with_bytes][-4:] == [b"\xf0", b"\x9f", b"\x98", b"\x80"]
    assert [(token.start, token.end, token.char_start, token.char_end) for token in with_bytes][-4:] == [
        (4 + i, 5 + i, 4, 5) for i in range(4)
    ]


@pytest.mark.parametrize("way", WAYS)
@given(st.text("aehlow 駅時計é", max_size=30))
def test_decoding_gives_the_librarys_text(way: tuple[str, bool], text: str) -> None:
    tokenizer = TOKENIZERS[way]
    ids = tokenizer.encode(text).ids.tolist()
    if tokenizer.unknown_id not in ids:
        assert tokenizer.decode(ids) == LIBRARY[way].Decode(ids)


def test_the_vocabulary_has_every_character_of_the_text(training: SentencePieceTraining) -> None:
    characters = set("".join(unicodedata.normalize("NFKC", ENGLISH + JAPANESE).split()))
    assert characters <= training.vocab.keys()
    assert list(training.vocab)[:3] == ["<unk>", "<s>", "</s>"]
    assert ("<0xFF>" in training.vocab) == training.byte_fallback
    assert len(training.vocab) <= 600


def test_tokenize_gives_the_pieces_as_the_library_writes_them(training: SentencePieceTraining) -> None:
    text = "The light 駅の時計"
    expected = library(training).Encode(text, return_type=str)
    assert training.tokenizer().tokenize(text) == expected


def test_special_tokens_are_text_unless_parsed() -> None:
    tokenizer = TRAINED["bpe", True].tokenizer()
    assert tokenizer.special_tokens == {"<unk>": 0, "<s>": 1, "</s>": 2}
    assert 1 not in tokenizer.encode("<s>The").ids.tolist()
    encoding = tokenizer.encode("<s>The light</s>", special="parse")
    assert encoding.ids.tolist()[0] == 1
    assert encoding.ids.tolist()[-1] == 2
    assert encoding.word_ids.tolist()[0] == encoding.word_ids.tolist()[-1] == -1
    assert (encoding[-1].start, encoding[-1].end) == (12, 16)
    with pytest.raises(CorpusError, match="special token"):
        tokenizer.encode("a<s>", special="raise")


def test_training_is_the_same_every_time(training: SentencePieceTraining) -> None:
    again = train_sentencepiece(
        [ENGLISH, JAPANESE], 600, model_type=training.model_type, byte_fallback=training.byte_fallback
    )
    assert again.model == training.model


def test_long_lines_are_not_left_out() -> None:
    training = train_sentencepiece("hug " * 5_000 + "zebra", 40, model_type="bpe")
    assert "z" in training.vocab


def test_a_text_that_gives_fewer_pieces_trains_to_fewer(training: SentencePieceTraining) -> None:
    small = train_sentencepiece("hug hugs", 2_000, model_type=training.model_type)
    assert 5 < len(small.vocab) < 40


def test_nothing_is_written_to_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    train_sentencepiece("hug hugs", 20)
    with pytest.raises(CorpusError):
        train_sentencepiece("", 20)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_a_vocabulary_that_the_characters_outgrow_is_refused_with_the_least_that_works(kind) -> None:
    with pytest.raises(ConfigError, match=r"vocab_size is 6.*at least 7"):
        train_sentencepiece("abc", 6, model_type=kind)
    assert len(train_sentencepiece("abc", 7, model_type=kind).vocab) == 7
    with pytest.raises(ConfigError, match="at least 263"):
        train_sentencepiece("abc", 262, model_type=kind, byte_fallback=True)


@pytest.mark.parametrize("settings", [{"model_type": "words"}, {"model_type": None}, {"byte_fallback": 1}])
def test_settings_out_of_range_are_refused(settings) -> None:
    with pytest.raises(ConfigError, match=next(iter(settings))):
        train_sentencepiece("ab", 20, **settings)


def test_larger_texts_and_vocabularies_are_refused_with_the_limit() -> None:
    with pytest.raises(ConfigError, match="vocab_size"):
        train_sentencepiece("ab", 100_001)
    with pytest.raises(CorpusError, match=r"1,048,576 bytes"):
        train_sentencepiece("ab " * 400_000, 20)


@pytest.mark.parametrize("model", [b"", b"\x00", b"no model", TRAINED["bpe", False].model[:200]])
def test_what_is_no_model_is_refused(model: bytes) -> None:
    with pytest.raises(FormatError):
        sentencepiece_tokenizer(model)


@pytest.mark.parametrize("text", ["", " ", "\n", "\u200b"])
def test_a_text_without_words_has_no_tokens(text: str, training: SentencePieceTraining) -> None:
    encoding = training.tokenizer().encode(text)
    assert isinstance(encoding, Encoding)
    assert len(encoding) == 0


@pytest.mark.floor(refused=16, accepted=16)
@given(st.text(max_size=60) | st.text(" \n", max_size=3), st.sampled_from(["bpe", "unigram"]), st.booleans())
def test_any_text_trains_or_is_refused(outcomes: Outcomes, text: str, kind, fallback: bool) -> None:
    try:
        training = train_sentencepiece(text, 400, model_type=kind, byte_fallback=fallback)
    except CorpusError:
        outcomes.refused += 1
        return
    outcomes.accepted += 1
    encoding = training.tokenizer().encode(text)
    assert encoding.ends.tolist()[-1:] == [len(encoding.text.encode())]


WORDS = sorted({*ENGLISH.split(), *JAPANESE.split(), *(JAPANESE[i : i + 9].strip() for i in range(0, 600, 7))})
OVERLAPS = [letter * n for letter in sorted({*ENGLISH} & {*"abcdefghijklmnopqrstuvwxyz"}) for n in (3, 4, 5)]
"""Words with overlapping occurrences of a pair."""


def test_merging_the_piece_with_the_highest_score_cuts_words_as_the_library_does() -> None:
    training = TRAINED["bpe", False]
    scores = {piece: score for i, (piece, score) in enumerate(training.vocab.items()) if i > 2}
    for word in WORDS + OVERLAPS:
        pieces = library(training).Encode(word, return_type=str)
        steps = merge_pieces("".join(pieces), scores)
        assert list(steps[-1].pieces) == pieces
        assert [len(step.pieces) for step in steps] == list(range(len("".join(pieces)), len(pieces) - 1, -1))


def test_the_best_way_through_the_lattice_of_the_scores_is_the_library_s() -> None:
    training = TRAINED["unigram", False]
    model = UnigramModel({piece: -score for i, (piece, score) in enumerate(training.vocab.items()) if i > 2})
    for word in WORDS:
        pieces = library(training).Encode(word, return_type=str)
        best = model.best("".join(pieces))
        assert best is not None
        assert list(best.pieces) == pieces


@pytest.mark.parametrize("train", [train_sentencepiece, train_unigram, train_wordpiece])
def test_a_size_that_is_too_small_names_the_smallest_that_would_do(train: Callable[..., object]) -> None:
    with pytest.raises(ConfigError) as raised:
        train(ENGLISH, 10)
    least = raised.value.least
    assert least is not None
    assert f"at least {least:,}" in raised.value.remedy
    train(ENGLISH, least)
