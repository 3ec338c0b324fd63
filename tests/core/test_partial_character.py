"""Bytes that form no whole character are described by the characters they may belong to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.text.partial_character import partial_characters


@given(st.characters(exclude_categories=["Cs"]), st.data())
def test_a_divided_character_is_told_by_both_of_its_parts(character: str, data: st.DataObject) -> None:
    whole = character.encode()
    if len(whole) == 1:
        assert partial_characters(whole) == []
        return
    cut = data.draw(st.integers(1, len(whole) - 1))
    (start,) = partial_characters(whole[:cut])
    assert (start.place, start.of, start.data) == ("start", len(whole), whole[:cut])
    assert start.first <= character <= start.last
    assert start.first.encode().startswith(whole[:cut])
    assert start.last.encode().startswith(whole[:cut])
    assert [part.place for part in partial_characters(whole[cut:])] == ["inside"]
    assert [part.place for part in partial_characters(whole[cut:] + b"a" + whole[:cut])] == ["end", "start"]


@pytest.mark.parametrize("lead", [0xE0, 0xED, 0xF0, 0xF4, 0xC2, 0xDF])
def test_the_outermost_characters_of_a_first_byte_are_found(lead: int) -> None:
    (start,) = partial_characters(bytes([lead]))
    every = [c for c in map(chr, range(0x110000)) if not 0xD800 <= ord(c) < 0xE000 and c.encode()[0] == lead]
    assert (start.first, start.last) == (every[0], every[-1])


@given(st.binary(max_size=12))
def test_any_bytes_are_told(token: bytes) -> None:
    parts = partial_characters(token)
    assert all(token[part.at :].startswith(part.data) for part in parts)
    assert [part.at for part in parts] == sorted({part.at for part in parts})
    assert bool(parts) == (token.decode("utf-8", "replace").encode() != token)


@pytest.mark.parametrize("byte", [0xC0, 0xC1, 0xF5, 0xFF])
def test_bytes_that_no_text_holds_are_told(byte: int) -> None:
    assert [part.place for part in partial_characters(bytes([byte]))] == ["never"]
