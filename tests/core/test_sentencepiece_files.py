"""SentencePiece files read as by its library: with extension fields, without settings, with unusual pieces."""

from __future__ import annotations

import math
import struct
from typing import NamedTuple

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import FormatError, Tokenizer
from bpe_core.formats import from_bytes, to_bytes
from bpe_core.sentencepiece.protobuf import field
from tests.draws import Outcomes, examples

UNIGRAM, BPE, WORD, CHAR = 1, 2, 3, 4
TEXTS = st.lists(st.sampled_from(["a", "b", "ab", "\0", " ", "  ", "日", "c", "▁"]), max_size=8).map("".join)
EXTENSIONS = [b"", b"\xc2\x0c\x02hi", b"\xc0\x0c\x05", b"\xc5\x0c1234", b"\xb2\x01\x02hi", b"\xc1\x0c12345678"]
"""Nothing, or a field unknown to the library: 200 as text, number and 4 bytes, 22 as text, 200 as 8 bytes."""


def piece(text: str, score: float = 0.0, kind: int = 1, more: bytes = b"") -> bytes:
    scored = b"\x15" + struct.pack("<f", score)
    return field(1, field(1, text.encode()) + scored + (b"\x18" + bytes([kind]) if kind != 1 else b"") + more)


class Parts(NamedTuple):
    """The parts of a .model file; None leaves these settings out."""

    kind: int = BPE
    falls_back: bool = False
    zero: bool = False
    score: float = -2.0
    trainer: bytes | None = b""
    normalizer: bytes | None = b""
    of_file: bytes = b""
    of_piece: bytes = b""

    def data(self) -> bytes:
        numbers = range(256) if self.falls_back else ()
        pieces = [
            piece("<unk>", kind=2),
            piece("<s>", kind=3, more=self.of_piece),
            *(piece(f"<0x{value:02X}>", kind=6) for value in numbers),
            *([piece("\0", -1.0)] if self.zero else []),
            *(piece(text, score) for text, score in (("▁", -3.0), ("a", -1.0), ("b", self.score), ("ab", -1.5))),
        ]
        kind = b"\x18" + bytes([self.kind]) + (b"\x98\x02\x01" if self.falls_back else b"")
        trainer = b"" if self.trainer is None else field(2, kind + self.trainer)
        normalizer = b"" if self.normalizer is None else field(3, self.normalizer)
        return b"".join((*pieces, trainer, normalizer, self.of_file))


def opened(data: bytes) -> Tokenizer | None:
    try:
        return from_bytes(data)
    except FormatError:
        return None


def library(data: bytes) -> sentencepiece.SentencePieceProcessor | None:
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(data)
    except RuntimeError:
        return None
    return processor


def same(data: bytes, text: str) -> bool:
    """Assert that a file gives the same as in the library, or that both refuse it; return whether it is opened."""
    tokenizer, peer = opened(data), library(data)
    assert (tokenizer is None) == (peer is None)
    if tokenizer is None or peer is None:
        return False
    encoding = tokenizer.encode(text)
    assert encoding.ids.tolist() == peer.Encode(text)
    assert tokenizer.decode(encoding.ids) == peer.Decode(peer.Encode(text))
    assert [0, *encoding.ends.tolist()][:-1] == encoding.starts.tolist()
    assert not len(encoding) or encoding.ends[-1] == len(encoding.text.encode())
    assert to_bytes(tokenizer, format="sentencepiece") == data
    every = list(range(peer.GetPieceSize()))
    assert tokenizer.decode(every) == peer.Decode(every)
    return True


@pytest.mark.parametrize(
    "parts",
    [
        Parts(falls_back=True, zero=True),
        Parts(falls_back=True, zero=True, kind=UNIGRAM),
        Parts(kind=CHAR, score=-math.inf),
        Parts(kind=WORD, score=-math.inf),
        Parts(normalizer=None),
        Parts(trainer=None),
        Parts(trainer=None, normalizer=None),
        *(Parts(of_file=extension, of_piece=extension, trainer=extension) for extension in EXTENSIONS[1:]),
        Parts(of_file=field(3, b"\x18\x00")),
    ],
)
def test_what_the_library_opens_is_opened(parts: Parts) -> None:
    for text in ("a\0b", "", " a  b ab", "\0\0日", "c"):
        assert same(parts.data(), text)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        (Parts(zero=True), "has a zero byte"),
        (Parts(zero=True, trainer=None), "has a zero byte"),
        (Parts(kind=UNIGRAM, score=-math.inf), "not a finite number"),
        (Parts(score=math.nan, trainer=None), "not a finite number"),
    ],
)
def test_what_the_library_refuses_is_refused(parts: Parts, says: str) -> None:
    assert library(parts.data()) is None
    with pytest.raises(FormatError, match=says):
        from_bytes(parts.data())


def test_a_piece_of_the_zero_character_is_never_a_text() -> None:
    tokenizer = from_bytes(Parts(falls_back=True, zero=True).data())
    assert tokenizer.tokenize("a\0")[-1] == "<0x00>"
    assert tokenizer.token_id(b"\0") == tokenizer.encode("\0").ids[-1]


@pytest.mark.floor(refused=40, accepted=140)
@given(
    st.builds(
        Parts,
        kind=st.sampled_from([UNIGRAM, BPE, WORD, CHAR]),
        falls_back=st.booleans(),
        zero=st.booleans(),
        score=st.sampled_from([-2.0, 0.0, -math.inf]),
        trainer=st.sampled_from([None, *EXTENSIONS, b"\xc0\x01\x01"]),
        normalizer=st.sampled_from([None, *EXTENSIONS, b"\x18\x00", b"\x20\x00", b"\x28\x00"]),
        of_file=st.sampled_from([*EXTENSIONS, field(3, b"\x18\x00"), field(2, b"\xc0\x01\x00"), field(4, b"")]),
        of_piece=st.sampled_from(EXTENSIONS),
    ),
    TEXTS,
)
@settings(max_examples=examples(400))
def test_files_are_opened_as_the_library_opens_them(outcomes: Outcomes, parts: Parts, text: str) -> None:
    outcomes.count(same(parts.data(), text))
