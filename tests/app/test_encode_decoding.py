"""Ids back to text: every byte is in the text or reported."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Tokenizer, TrainConfig, load_pretrained, train
from bpe_core.wordlevel.model import WordLevelModel
from tests.app.token_bytes import bytes_hex
from ui.encode import decoding

IDS = st.lists(st.one_of(st.integers(-5, 50_300).map(str), st.text("ab1 日,", max_size=5)), max_size=12)


@given(IDS)
def test_whatever_is_typed_is_a_piece_and_every_good_id_gives_its_bytes(typed: list[str]) -> None:
    gpt2 = load_pretrained("gpt2")
    decoded = decoding.decode(gpt2, "GPT-2", ",".join(typed))
    good = [piece.id for piece in decoded.pieces if not piece.problem]
    assert decoded.data == gpt2.decode_bytes(good)
    assert [piece.typed for piece in decoded.pieces] == ",".join(typed).replace(",", " ").split()
    spans = decoding.spans(decoded)
    assert spans.total == len(decoded.pieces)
    assert bool(decoded.broken) == (decoded.data.decode("utf-8", "ignore").encode() != decoded.data)


@given(st.lists(st.integers(0, 255), max_size=8))
def test_any_bytes_are_drawn_whole_split_or_as_hex(data: list[int]) -> None:
    tokenizer = train("").tokenizer()
    decoded = decoding.decode(tokenizer, "It", " ".join(map(str, data)))
    spans = decoding.spans(decoded)
    shown = [spans.labels.get(at) or bytes_hex(spans, at) for at in range(len(data))]
    for label, byte in zip(shown, data, strict=True):
        assert label == f"{byte:02X}"


def test_what_is_missing_of_a_character_is_named() -> None:
    tokenizer = train("").tokenizer()

    def why(*data: int) -> list[str]:
        return [each.why for each in decoding.decode(tokenizer, "It", " ".join(map(str, data))).broken]

    assert why(0xF0, 0x9F) == ["Bytes F0 9F begin a character of 4 bytes. Bytes 3–4 are missing: the text ends here."]
    assert why(0xC3, 0x41) == ["Byte C3 begins a character of 2 bytes. Byte 2 is missing: next comes 41."]
    assert why(0x41, 0x93) == ["Byte 93 continues a character, but none has begun before it."]
    assert why(0xFF) == ["Byte FF never occurs in UTF-8."]


def test_an_end_of_word_mark_is_a_space_but_not_at_the_end() -> None:
    config = TrainConfig(unit="char", split="words", end_of_word="</w>", vocab_size=40)
    tokenizer = train("low lower low", config).tokenizer()
    ids = tokenizer.encode("low low").ids
    decoded = decoding.decode(tokenizer, "It", " ".join(map(str, ids)))
    assert decoded.text == "low low" == tokenizer.decode(ids)


def test_a_number_of_many_digits_is_an_id_that_the_tokenizer_does_not_have() -> None:
    (piece,) = decoding.decode(load_pretrained("gpt2"), "GPT-2", "9" * 24).pieces
    assert piece.problem.startswith("GPT-2 has no id 999,999,999")


def test_special_tokens_are_written_out_or_left_out() -> None:
    gpt2 = load_pretrained("gpt2")
    assert decoding.decode(gpt2, "GPT-2", "15496 50256 995").text == "Hello<|endoftext|> world"
    without = decoding.decode(gpt2, "GPT-2", "15496 50256 995", special=False)
    assert without.text == "Hello world"
    assert decoding.spans(without).labels == {1: "<|endoftext|>"}


@given(st.lists(st.sampled_from(["é", "日", "🙂", b"\x80", b"\xe6\x97", b"\xf0", "a" * 1_020]), max_size=9))
def test_what_is_broken_does_not_depend_on_where_a_block_ends(parts: list[str | bytes]) -> None:
    data = b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)
    decoded = decoding.decode(train("").tokenizer(), "It", " ".join(map(str, data)))
    assert [each.data for each in decoded.broken] == _broken(data)
    assert [each.pieces for each in decoded.broken] == [
        tuple(range(each.start, each.start + len(each.data))) for each in decoded.broken
    ]


def _broken(data: bytes) -> list[bytes]:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return [data[error.start : error.end], *_broken(data[error.end :])]
    return []


def test_as_many_broken_bytes_as_the_field_takes_are_all_told() -> None:
    decoded = decoding.decode(train("").tokenizer(), "It", "128 " * 50_000)  # minutes if each one rereads the rest
    assert len(decoded.broken) == 50_000


class CountingTokens(list[bytes | None]):
    """Tokens of a model that count how many of them were iterated."""

    listed = 0

    def __iter__(self) -> Iterator[bytes | None]:
        for token in super().__iter__():
            self.listed += 1
            yield token


def test_the_vocabulary_is_listed_once_however_many_ids_are_bad() -> None:
    model = WordLevelModel(["<unk>", "low", "lower"])
    tokens = model.tokens = CountingTokens(model.tokens)
    typed = " ".join(map(str, range(3, 33_003)))
    decoded = decoding.decode(Tokenizer("words", model=model), "It", f"1 {typed}")
    assert len(decoded.bad) == 33_000
    assert decoded.data == b"low"
    assert tokens.listed <= len(tokens)
    assert decoded.bad[-1][1].problem == "It has no id 33,002: its ids go from 0 to 2."
