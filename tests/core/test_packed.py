"""Files compressed with gzip: read in linear time whatever their number of members, and cancellable."""

from __future__ import annotations

import gzip
import zlib
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bpe_core import FormatError
from bpe_core.formats import from_bytes, has_ranks, packed, split_is_known
from bpe_core.formats.packed import BEGINNING, MOST_MEMBERS, beginning, unpacked
from bpe_core.formats.progress import reporting
from tests.draws import examples

EMPTY = gzip.compress(b"", mtime=0)
VOCAB = gzip.compress(b"[UNK]\nlow\n", mtime=0)
RANKS = b"IQ== 0\nIg== 1\n"


class CountedZlib:
    """zlib that counts the bytes passed to it."""

    error = zlib.error

    def __init__(self) -> None:
        self.given = 0

    def decompressobj(self, wbits: int) -> Any:
        member, counted = zlib.decompressobj(wbits=wbits), self

        class Member:
            eof = property(lambda self: member.eof)
            unused_data = property(lambda self: member.unused_data)

            def decompress(self, data: bytes, most: int) -> bytes:
                counted.given += len(data)
                return member.decompress(data, most)

        return Member()


@pytest.mark.parametrize("members", [MOST_MEMBERS, 400_000])
@pytest.mark.parametrize("read", [from_bytes, split_is_known, has_ranks])
def test_many_empty_parts_are_refused_without_reading_on(
    members: int, read: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = CountedZlib()
    monkeypatch.setattr(packed, "zlib", counted)
    data = EMPTY * members + VOCAB
    with pytest.raises(FormatError, match="more than 10,000 parts"):
        read(data)  # type: ignore[operator]
    passes = 2  # one for the beginning, one for the whole; the rest of a member's block is read again
    assert MOST_MEMBERS <= counted.given <= passes * MOST_MEMBERS * packed._BLOCK


def test_as_many_parts_as_are_allowed_are_read() -> None:
    assert from_bytes(EMPTY * (MOST_MEMBERS - 1) + VOCAB).vocab_size == 2


@settings(max_examples=examples(100))
@given(
    parts=st.lists(st.binary(max_size=400), max_size=8),
    rest=st.sampled_from([b"", b"\0\0", b"rest"]),
    block=st.integers(1, 60),
)
def test_parts_are_read_as_by_the_standard_library(parts: list[bytes], rest: bytes, block: int) -> None:
    content = b"".join(parts)
    assume(not content.startswith(tuple(packed._ARCHIVES)))  # is rejected
    data = b"".join(gzip.compress(part, mtime=0) for part in parts)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(packed, "_BLOCK", block)
        assert not data or unpacked(data + rest) == content == gzip.decompress(data)
        if data:
            with pytest.raises(FormatError, match=r"ends before|packed with gzip"):
                unpacked(data[: len(data) - 1])


@pytest.mark.parametrize("archive", sorted(packed._ARCHIVES))
def test_an_archive_inside_is_refused(archive: bytes) -> None:
    with pytest.raises(FormatError, match=r"zip archive|packed with"):
        unpacked(gzip.compress(archive))


def test_the_beginning_is_unpacked_alone() -> None:
    data = gzip.compress(bytes(BEGINNING + 9), mtime=0)
    assert beginning(data) == bytes(BEGINNING)
    assert has_ranks(gzip.compress(RANKS, mtime=0))


def test_whoever_waits_can_end_it_at_each_part() -> None:
    data = b"".join(gzip.compress(RANKS[:7], mtime=0) for _ in range(20))
    calls: list[int] = []

    def stop(done: int, total: int) -> None:
        calls.append(done)
        if len(calls) == 5:
            raise KeyboardInterrupt

    for read in (from_bytes, split_is_known):
        calls.clear()
        with pytest.raises(KeyboardInterrupt):
            read(data, on_progress=stop)
        assert len(calls) == 5
        assert calls == sorted(calls)
    with reporting(None) as share:
        assert unpacked(data, share=share) == RANKS[:7] * 20
