"""Decoders: each is compared with the tokenizers library's on random tokens; and the token that each byte came from."""

import json
from unittest.mock import patch

import pytest
import tokenizers
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import models

from bpe_core import ConfigError, CorpusError, FormatError, Tokenizer, TrainConfig, train
from bpe_core.formats.decoders_json import read_decoder, write_decoder
from bpe_core.huggingface import decoder_passes, decoder_steps
from bpe_core.huggingface.decoder_steps import LibraryDecoder
from bpe_core.huggingface.decoders import (
    CTC,
    BPEDecoder,
    ByteFallback,
    ByteLevelDecoder,
    DecoderSequence,
    Fuse,
    JoinSpaces,
    MetaspaceDecoder,
    ReplaceDecoder,
    StripDecoder,
    WordPiece,
)
from bpe_core.tokenizer.decoders import DecodedToken, JoinBytes, SpaceMarks, decoded_text
from tests.core.json_files import NO_MODEL, json_file, peer_of_file, unless_it_panics
from tests.core.oniguruma_patterns import REGEXES, texts
from tests.draws import Outcomes

FIXED = (
    *("", "▁", "▁a", "a▁▁b", " ", "##", "##a", "a##", "</w>", "a</w>", "<pad>", "|", "_", "__", "_a_", "___"),
    *("<0xE4>", "<0xB8>", "<0xAD>", "<0x0a>", "<0x+A>", "<0xZZ>", "<0xé>", "<0x_1>", "<0x61>", "\ufffd"),
    *(
        "Ġa",
        "Ã",
        "©",
        "ä¸",
        "Ń",
        "Ċ",
        "é",
        "中",
        " .",
        " ?",
        " ,",
        " ' ",
        " n't",
        "n't",
        " do not",
        "do not",
        " 's",
        "'s",
    ),
)
tokens = st.lists(
    st.one_of(st.sampled_from(FIXED), st.text("a_ ▁.'|é<中ġĠÃ", max_size=4), st.text(max_size=3)), max_size=9
)
words = st.sampled_from(["", "a", "_", " ", "▁", "##", "</w>", "aa", "|", "<pad>", "$0", ".", "中"])
characters = st.sampled_from("a_ ▁中.")
counts = st.integers(0, 3)
steps = st.one_of(
    st.builds(ByteLevelDecoder),
    st.builds(WordPiece, words, st.booleans()),
    st.builds(MetaspaceDecoder, characters, st.sampled_from(["always", "first", "never"])),
    st.builds(BPEDecoder, words),
    st.builds(CTC, words, words, st.booleans()),
    st.builds(ByteFallback),
    st.builds(Fuse),
    st.builds(StripDecoder, characters, counts, counts),
    st.builds(ReplaceDecoder, words, words),
    st.builds(ReplaceDecoder, st.just(r"[a_]+|中"), words, pattern=st.just(r"[a\_]+|中")),
    st.builds(ReplaceDecoder, st.just(r"a\z"), words, pattern=st.just(r"a\Z")),
)
chains = st.recursive(steps, lambda each: st.builds(DecoderSequence, st.lists(each, max_size=4).map(tuple)))
VOCABULARY = {token: i for i, token in enumerate(dict.fromkeys(FIXED))}


def library(decoder: LibraryDecoder) -> tokenizers.decoders.Decoder | None:
    """The same decoder in the library, made from its JSON."""
    return peer_of_file(json_file(model=NO_MODEL, decoder=write_decoder(decoder))).decoder


def given_tokens(pieces: list[str]) -> list[DecodedToken]:
    return [DecodedToken(0, b"", piece=piece) for piece in pieces]


def as_the_library_ends(decoder: LibraryDecoder, pieces: list[str]) -> str | None:
    """The text decoded by the library; None if it panics."""
    peer = library(decoder)
    assert peer is not None
    return unless_it_panics(lambda: str(peer.decode(pieces)))


# -- text ----------------------------------------------------------------------------------------------------------


@pytest.mark.floor(accepted=50)
@given(chains, tokens)
@example(
    DecoderSequence((ReplaceDecoder("▁", " "), ByteFallback(), Fuse(), StripDecoder(" ", 1, 0))), ["▁a", "<0xE4>", "▁"]
)
@example(DecoderSequence(), ["a", "b"])
@example(DecoderSequence((Fuse(), StripDecoder("a", 1, 1))), [])
@example(DecoderSequence((CTC("", "", True), Fuse(), CTC("", "", True))), [])
@example(StripDecoder("_", 1, 2), ["_", "__", "", "a"])
@example(ReplaceDecoder("", "x"), ["ab", "", "中"])
@example(WordPiece("", True), ["a", "b"])
@example(ByteLevelDecoder(), ["Ã", "©", "x y", "ð", "Ł", "ĺ", "Ģ", "ð", "Ł"])
def test_text_is_that_of_the_library(outcomes: Outcomes, decoder: LibraryDecoder, pieces: list[str]) -> None:
    expected = as_the_library_ends(decoder, pieces)
    text = decoder.text(given_tokens(pieces))
    outcomes.count(expected is not None)
    assert expected is None or text == expected


@given(st.sampled_from(REGEXES), words, st.booleans(), st.lists(st.one_of(texts, st.sampled_from(FIXED)), max_size=5))
def test_every_pattern_matches_as_in_the_library(spelling: str, new: str, fuses: bool, pieces: list[str]) -> None:
    replaces = read_decoder({"type": "Replace", "pattern": {"Regex": spelling}, "content": new})
    decoder = DecoderSequence((Fuse(), replaces)) if fuses else replaces
    text = decoder.text(given_tokens(pieces))
    assert text == as_the_library_ends(decoder, pieces)
    assert b"".join(decoder.parts(given_tokens(pieces))).decode() == text
    assert write_decoder(read_decoder(write_decoder(decoder))) == write_decoder(decoder)


@given(tokens)
def test_without_a_decoder_tokens_are_joined_by_spaces(pieces: list[str]) -> None:
    known = [piece for piece in pieces if piece in VOCABULARY]
    peer = tokenizers.Tokenizer(models.WordLevel(VOCABULARY, ""))
    expected = peer.decode([VOCABULARY[piece] for piece in known], skip_special_tokens=False)
    assert read_decoder(None).text(given_tokens(known)) == expected


@given(st.integers(0, 3), st.integers(0, 3), st.text("_a", max_size=6))
def test_strip_removes_what_there_is_where_the_library_ends_its_process(start: int, stop: int, piece: str) -> None:
    rest = piece
    for _ in range(start):
        rest = rest.removeprefix("_")
    for _ in range(stop):
        rest = rest.removesuffix("_")
    assert StripDecoder("_", start, stop).text(given_tokens([piece])) == rest


LONG = "a" * 100
LONGER = "a" * 8_000


@pytest.mark.parametrize(
    "step", [ReplaceDecoder("a", LONGER), ReplaceDecoder("a", LONGER, "a"), ReplaceDecoder("", LONGER)]
)
def test_replacements_that_multiply_are_refused_before_memory_is_full(step: LibraryDecoder) -> None:
    often = DecoderSequence((Fuse(), *[step] * 50))
    for decode in (often.text, often.parts):
        with pytest.raises(CorpusError, match="The most allowed is"):
            decode(given_tokens(["a", "a"]))


def test_more_replacements_in_one_text_than_can_be_listed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoder_passes, "MOST_EDITS", 100)
    fused = DecoderSequence((Fuse(), ReplaceDecoder("a", "b")))
    with pytest.raises(CorpusError, match="more than 100 places"):
        fused.parts(given_tokens([LONG, "a"]))
    assert len(fused.parts(given_tokens([LONG, "c"]))) == 2
    assert fused.text(given_tokens([LONG, "a"])) == "b" * 101


# -- the token of each byte ------------------------------------------------------------------------------------------


@given(chains, tokens)
@example(DecoderSequence((ByteLevelDecoder(), StripDecoder("\ufffd", 1, 0))), ["ä", "¸"])
@example(DecoderSequence((CTC("a", "|", False), Fuse(), BPEDecoder(""))), ["a", "a"])
def test_parts_joined_are_the_text(decoder: LibraryDecoder, pieces: list[str]) -> None:
    text = decoder.text(given_tokens(pieces))
    parts = decoder.parts(given_tokens(pieces))
    assert len(parts) == len(pieces)
    if pieces and "\ufffd" not in text:
        assert b"".join(parts).decode("utf-8", "replace") == text


@given(
    st.lists(
        st.one_of(
            st.builds(ByteFallback),
            st.builds(Fuse),
            st.builds(StripDecoder, characters | st.just("\ufffd"), counts, counts),
            st.builds(ReplaceDecoder, words, words),
        ),
        max_size=5,
    ),
    tokens,
)
@example([Fuse(), StripDecoder("a", 1, 2)], ["ab", "a", "", "a"])
@example([ByteFallback(), Fuse(), StripDecoder("中", 1, 0)], ["<0xE4>", "<0xB8>", "<0xAD>", "a"])
def test_parts_are_those_that_the_decoders_find_character_by_character(
    chain: list[LibraryDecoder], pieces: list[str]
) -> None:
    decoder = DecoderSequence(tuple(chain))
    with patch.object(decoder_steps, "own_parts", lambda texts, decoders: None):
        by_characters = decoder.parts(given_tokens(pieces))
    assert decoder.parts(given_tokens(pieces)) == by_characters


@pytest.mark.parametrize(
    ("decoder", "pieces", "parts"),
    [
        (MetaspaceDecoder(), ["▁low", "▁", "er"], ["low", " ", "er"]),
        (DecoderSequence((Fuse(), StripDecoder(" ", 1, 0))), ["", " ", " low"], ["", "", " low"]),
        (DecoderSequence((Fuse(), ReplaceDecoder("ab", "x"))), ["a", "bab", "c"], ["x", "x", "c"]),
        (DecoderSequence((Fuse(), WordPiece())), ["a", " ", ". b"], ["a", ".", " b"]),
        (DecoderSequence((Fuse(), ReplaceDecoder("", "-"))), ["a", "b"], ["-a", "-b-"]),
        (CTC(), ["h", "h", "<pad>", "h", "|"], ["h", "", "", "h", " "]),
        (JoinSpaces(), ["a", "b"], ["a", " b"]),
    ],
)
def test_what_is_new_belongs_to_the_token_that_it_came_from(
    decoder: LibraryDecoder, pieces: list[str], parts: list[str]
) -> None:
    assert [part.decode() for part in decoder.parts(given_tokens(pieces))] == parts


@pytest.mark.parametrize(
    ("decoder", "pieces"),
    [
        (ByteLevelDecoder(), ["lä", "¸", "Ń", "ÿ"]),
        (DecoderSequence((ByteLevelDecoder(),)), ["lä", "¸", "Ń", "ÿ"]),
        (DecoderSequence((ByteFallback(), Fuse(), StripDecoder("x", 1, 0))), ["xl", "<0xE4>", "<0xB8>", "<0xAD>"]),
    ],
)
def test_a_character_of_several_tokens_is_given_byte_by_byte(decoder: LibraryDecoder, pieces: list[str]) -> None:
    parts = decoder.parts(given_tokens(pieces))
    assert parts[1:3] == [b"\xb8", b"\xad"] or parts[1:] == [b"\xe4", b"\xb8", b"\xad"]
    assert b"".join(parts).startswith("l中".encode())


def test_fallback_bytes_that_are_no_text_stay_bytes_and_are_shown_one_by_one() -> None:
    cropped = given_tokens(["<0xE4>", "<0xB8>", "a"])
    assert ByteFallback().parts(cropped) == [b"\xe4", b"\xb8", b"a"]
    assert ByteFallback().text(cropped) == "\ufffd\ufffda"


def test_only_replaced_bytes_are_as_the_decoder_shows_them() -> None:
    tokens = [DecodedToken(0, b"", piece="<0xE4>"), DecodedToken(0, b"", piece="<0xB8>")]
    assert decoded_text(ByteFallback(), tokens, "replace") == "\ufffd\ufffd"
    assert decoded_text(ByteFallback(), tokens, "ignore") == ""
    with pytest.raises(UnicodeDecodeError):
        decoded_text(ByteFallback(), tokens, "strict")


# -- the tokenizer ---------------------------------------------------------------------------------------------------


class Spelled(JoinBytes):
    """A decoder that returns the pieces it receives."""

    def text(self, tokens: object) -> str:
        return " ".join(token.piece for token in tokens)  # type: ignore[attr-defined]


def test_the_decoder_gets_every_tokens_spelling_and_a_special_tokens_text() -> None:
    tokenizer = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).tokenizer()
    made = Tokenizer("spelled", model=tokenizer.model, decoder=Spelled(), special_tokens={"<s>": 300})
    assert made.decode([258, 300, 100]) == "aaab <s> d"
    assert made.decode([258, 300, 100], skip_special=True) == "aaab d"


def test_a_model_without_a_space_before_texts_keeps_that_of_the_text() -> None:
    tokens = [DecodedToken(0, "▁low".encode())]
    assert (SpaceMarks().text(tokens), SpaceMarks(drops_first=False).text(tokens)) == ("low", " low")


# -- files -----------------------------------------------------------------------------------------------------------


@given(chains)
def test_a_decoder_is_written_and_read_back(decoder: LibraryDecoder) -> None:
    written = write_decoder(decoder)
    assert read_decoder(written) == decoder
    peer = library(decoder)
    assert peer is not None
    assert json.loads(peer.__getstate__()) == written


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, JoinSpaces()),
        ({"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True}, ByteLevelDecoder()),
        ({"type": "Metaspace", "replacement": "▁", "str_rep": "▁", "add_prefix_space": True}, MetaspaceDecoder()),
        (
            {"type": "Metaspace", "replacement": "▁", "add_prefix_space": False, "prepend_scheme": "never"},
            MetaspaceDecoder("▁", "never"),
        ),
        (
            {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first", "split": False},
            MetaspaceDecoder("_", "first", False),
        ),
        ({"type": "Metaspace", "replacement": "▁", "split": None, "add_prefix_space": None}, MetaspaceDecoder()),
        ({"type": "Fuse", "unknown": 1}, Fuse()),
        ({"type": "Sequence", "decoders": []}, DecoderSequence()),
        ({"type": "Replace", "pattern": {"Regex": r"\S+"}, "content": ""}, ReplaceDecoder(r"\S+", "", r"\S+")),
    ],
)
def test_files_of_all_ages_are_read(value: object, expected: LibraryDecoder) -> None:
    assert read_decoder(value) == expected


@pytest.mark.floor(refused=30, accepted=8)
@given(
    st.fixed_dictionaries(
        {"type": st.just("Metaspace"), "replacement": st.sampled_from(["▁", "_", "ab", None])},
        optional={
            "split": st.sampled_from([None, True, False, 1, "true"]),
            "prepend_scheme": st.sampled_from(["always", "first", "never", "none"]),
            "add_prefix_space": st.sampled_from([None, True, 0]),
            "str_rep": st.sampled_from([None, "▁"]),
        },
    )
)
def test_a_metaspace_decoder_is_read_where_the_library_reads_it(outcomes: Outcomes, value: dict[str, object]) -> None:
    try:
        peer = peer_of_file(json_file(model=NO_MODEL, decoder=value)).decoder
    except Exception:  # the library's own error
        with pytest.raises(FormatError):
            read_decoder(value)
        outcomes.refused += 1
        return
    outcomes.accepted += 1
    assert write_decoder(read_decoder(value)) == json.loads(peer.__getstate__())


NESTED: object = {"type": "Fuse"}
for _ in range(30):
    NESTED = {"type": "Sequence", "decoders": [NESTED]}


@pytest.mark.parametrize(
    "value",
    [
        *("", 1, [], {}, True, {"type": "Foo"}, {"type": 1}, {"type": []}, {"type": "ByteLevel"}, {"prefix": "a"}),
        {"type": "ByteLevel", "add_prefix_space": 1, "trim_offsets": True},
        {"type": "WordPiece", "prefix": "##"},
        {"type": "WordPiece", "prefix": None, "cleanup": True},
        {"type": "WordPiece", "prefix": "\ud800", "cleanup": True},
        {"type": "Metaspace", "replacement": "ab"},
        {"type": "Metaspace", "replacement": "▁", "split": 1},
        {"type": "Metaspace", "replacement": "", "split": True},
        {"type": "Metaspace", "replacement": "▁", "prepend_scheme": []},
        {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "add_prefix_space": False},
        {"type": "BPEDecoder"},
        {"type": "CTC", "pad_token": "a", "word_delimiter_token": "b"},
        {"type": "Strip", "content": "a", "start": -1, "stop": 0},
        {"type": "Strip", "content": "a", "start": 1, "stop": 2**64},
        {"type": "Strip", "content": "a", "start": True, "stop": 0},
        {"type": "Replace", "pattern": "a", "content": ""},
        {"type": "Replace", "pattern": {}, "content": ""},
        {"type": "Replace", "pattern": {"Regex": "a", "String": "a"}, "content": ""},
        {"type": "Replace", "pattern": {"Regex": "a("}, "content": ""},
        {"type": "Replace", "pattern": {"Regex": r"a(\z"}, "content": ""},
        {"type": "Replace", "pattern": {"Regex": 5}, "content": ""},
        {"type": "Sequence"},
        {"type": "Sequence", "decoders": [None]},
        {"type": "Sequence", "decoders": [{"type": "Fuse"}] * 51},
        NESTED,
    ],
)
def test_a_damaged_decoder_is_refused_with_its_place(value: object) -> None:
    with pytest.raises(FormatError, match="the_decoder"):
        read_decoder(value, "the_decoder")


def test_a_decoder_that_the_library_lacks_is_not_written() -> None:
    with pytest.raises(FormatError, match="JoinBytes"):
        write_decoder(JoinBytes())


def test_a_pattern_that_does_not_compile_is_no_step() -> None:
    with pytest.raises(ConfigError):
        ReplaceDecoder("(", "", pattern="(")
