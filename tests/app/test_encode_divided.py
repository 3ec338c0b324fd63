"""A character that is divided between tokens, on Encode: its bytes by token, and its place in the code chart."""

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import ConfigError, load_pretrained
from bpe_core.text.code_chart import _BLOCKS, place_of
from tests.app.pages import columns, has, opened, payload
from tests.app.sending import send_action
from tests.draws import examples
from ui.encode.divided import divided_characters, shares_of


def test_a_click_on_a_part_of_a_character_shows_its_bytes_by_token_and_its_neighbours() -> None:
    app = opened("encode", encode_text="駅の時計", encode_with="gpt2", encode_chosen_token=3)
    assert any("U+6642 · E6 99 82 · CJK Unified Ideographs" in each.value for each in app.caption)
    shares = columns(app, "shares of 2")
    assert (shares["Bytes"], shares["Number"]) == (["E6", "99 82"], [4, 5])
    chart = columns(app, "code chart of 2")
    assert (chart["E6 99"][0], chart["+2"][0]) == ("80", "時")
    assert not has(app, "shares of 1")  # の is whole
    send_action(app, "picked", [payload(app, "shares of 2")["rev"], 1], "shares of 2")
    assert app.session_state["encode chosen token"] == 4


@pytest.mark.parametrize(("text", "name"), [("時計", "o200k_base"), ("low", "gpt2"), ("<unk>", "bert-base-uncased")])
def test_whole_characters_are_not_explained(text: str, name: str) -> None:
    assert not has(opened("encode", encode_text=text, encode_with=name), "shares of 0")


@given(st.text("aé時計の駅👍🏽\0\u200d𠮷 ", max_size=20))
@settings(max_examples=examples(100))
def test_the_shares_of_a_character_are_all_of_its_bytes(text: str) -> None:
    encoding = load_pretrained("gpt2").encode(text)
    for token in encoding:
        for at in divided_characters(encoding, token):
            shares = shares_of(encoding, at)
            assert bytes.fromhex("".join(part for _index, part in shares)) == text[at].encode()
            assert token.index in [index for index, _part in shares]
            assert len(shares) > 1


def test_blocks_are_those_of_unicode() -> None:
    for first, last, name in _BLOCKS:
        names = ("Latin_Extended_A", "Latin_Extended_B") if name == "Latin Extended" else (name.replace(" ", "_"),)
        pattern = regex.compile("[" + "".join(rf"\p{{Block={each}}}" for each in names) + "]")
        around = {code: first <= code <= last for code in (first - 1, first, last, last + 1) if code >= 0}
        assert {code: bool(pattern.match(chr(code))) for code in around} == around, name
    assert place_of("\ue000").block == "Private Use Area"
    assert place_of("\U0001d11e").block == ""


@pytest.mark.parametrize("text", ["", "ab", "\ud800"])
def test_one_character_has_a_place(text: str) -> None:
    with pytest.raises(ConfigError):
        place_of(text)
