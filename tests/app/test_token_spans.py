"""The data behind the coloured tokens: the payload for the browser, without a browser."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from bpe_core.language import PSEUDO, message
from bpe_core.language.current import _Current
from bpe_core.payloads.chips import Chip, Column, Table
from bpe_core.payloads.frames import encode_body, frame, unframe
from bpe_core.payloads.lines import Interlinear
from bpe_core.payloads.spans import Lane, TokenSpans
from tests.app.pages import places
from tests.app.sending import send_action
from tests.app.token_bytes import bytes_hex

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</textarea><script>alert(1)</script>",
    "![](http://a.b/c) **bold** `code` $x$ :smile:",
    "👨‍👩‍👧 👍🏽 1️⃣ \U0001f3f4\U000e0067\U000e007f",
    "\u0301 e\u0301 \u0301",
    "שלום עולם مرحبا",
    "\r\n\t\u00a0\u200b\u200d\ufeff\x00\x07\x1b",
    "\u3000全角　空白",
    "\ud800 alone",
    "x" * 100_000,
    "",
]


def cut(text: str, *ends: int, **more: Any) -> TokenSpans:
    """Spans whose tokens end at these bytes of the text's UTF-8, and at its end."""
    size = len(text.encode("utf-8", "surrogatepass"))
    stops = sorted({end for end in ends if 0 < end < size} | ({size} if size else set()))
    return TokenSpans.of(text, range(len(stops)), [0, *stops[:-1]] if stops else [], stops, **more)


def as_bytes(spans: TokenSpans) -> bytes:
    """Gaps and tokens reassembled from the drawn parts."""
    return b"".join(
        spans.gaps.get(i, "").encode() + (bytes.fromhex(bytes_hex(spans, i)) if i < len(spans.ids) else b"")
        for i in range(len(spans.ids) + 1)
    )


# ---- tokens and parts of characters ---------------------------------------------------------------------


@given(text=st.text(max_size=40), ends=st.lists(st.integers(1, 160), max_size=60))
def test_tokens_tile_the_text_wherever_it_is_cut(text: str, ends: list[int]) -> None:
    spans = cut(text, *ends)
    assert as_bytes(spans) == text.encode()
    assert not spans.gaps
    whole = "".join(spans.texts) + "".join(p.char for p in spans.tails.values() if p.first == 1)
    assert sorted(whole) == sorted(text)  # every character is drawn whole, or starts in exactly one tail


@given(text=st.text(min_size=1, max_size=40), ends=st.lists(st.integers(1, 160), max_size=60), data=st.data())
def test_a_window_shows_the_same_tokens_as_the_whole(text: str, ends: list[int], data: st.DataObject) -> None:
    whole = cut(text, *ends)
    first = data.draw(st.integers(0, whole.total))
    count = data.draw(st.integers(0, whole.total))
    window = cut(text, *ends, first=first, count=count)
    stop = first + len(window.ids)
    assert window.texts == whole.texts[first:stop]
    assert window.char_starts == whole.char_starts[first:stop]
    assert window.heads == {i - first: p for i, p in whole.heads.items() if first <= i < stop}
    assert window.tails == {i - first: p for i, p in whole.tails.items() if first <= i < stop}
    assert (window.first, window.total, window.rest) == (first, whole.total, whole.total - stop)


def test_a_character_over_three_tokens_says_which_bytes_each_holds() -> None:
    spans = cut("こ", 1, 2)
    assert spans.texts == ["", "", ""]
    assert spans.tails[0] == ("こ", 1, 1, 3, "E3")
    assert spans.heads[1] == ("こ", 2, 2, 3, "81")
    assert spans.heads[2] == ("こ", 3, 3, 3, "93")
    assert spans.char_starts == [0, 0, 0]


def test_a_token_may_end_one_character_and_begin_the_next() -> None:
    spans = cut("aこxんb", 2, 7)  # a+E3 | 81 93 x E3 82 | 93 b
    assert spans.texts == ["a", "x", "b"]
    assert spans.tails[0] == ("こ", 1, 1, 3, "E3")
    assert spans.heads[1] == ("こ", 2, 3, 3, "81 93")
    assert spans.tails[1] == ("ん", 1, 2, 3, "E3 82")
    assert spans.heads[2] == ("ん", 3, 3, 3, "93")
    assert spans.char_starts == [0, 1, 3]


def test_text_between_tokens_belongs_to_no_token() -> None:
    spans = TokenSpans.of("  low é  ", [1, 2], starts=[2, 6], ends=[5, 8])
    assert spans.texts == ["low", "é"]
    assert spans.gaps == {0: "  ", 1: " ", 2: "  "}


def test_a_window_keeps_the_gap_before_it_and_not_the_rest_of_the_text() -> None:
    spans = TokenSpans.of("a b c d", [1, 2, 3, 4], [0, 2, 4, 6], [1, 3, 5, 7], first=1, count=2)
    assert spans.texts == ["b", "c"]
    assert spans.gaps == {0: " ", 1: " ", 2: " "}
    assert spans.rest == 1


def test_a_token_without_text_stays_in_its_place_under_its_label() -> None:
    spans = TokenSpans.of("low", [5, 9], [0, 3], [3, 3], labels={1: "</w>"}, notes={1: "end of the word"})
    assert spans.texts == ["low", ""]
    assert spans.labels == {1: "</w>"}
    assert spans.notes == {1: "end of the word"}
    assert not spans.heads
    assert not spans.tails


@pytest.mark.parametrize("special", [[2], {2}, np.array([False, False, True]), np.array([2])])
def test_special_tokens_may_be_given_as_numbers_or_as_flags(special: Any) -> None:
    assert TokenSpans.of("abc", [1, 2, 3], [0, 1, 2], [1, 2, 3], special=special).special == {2}
    assert TokenSpans.of("abc", [1, 2, 3], [0, 1, 2], [1, 2, 3], special=special, first=1).special == {1}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_travels_unchanged(text: str) -> None:
    spans = cut(text, 1, 3, 4)
    head, body = unframe(frame({"label": text}, spans.body))
    assert head["label"] == text
    assert body["texts"] == spans.texts
    assert as_bytes(spans) == text.encode("utf-8", "surrogatepass")


def test_arrays_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in length: 2, 1, 1"):
        TokenSpans.of("ab", [1, 2], [0], [1])


def test_equal_tokens_have_an_equal_revision_and_others_another() -> None:
    assert cut("abc", 1).body.rev == cut("abc", 1).body.rev
    assert cut("abc", 1).body.rev != cut("abc", 2).body.rev


# ---- several tokenizers ---------------------------------------------------------------------------------


def lane(name: str, text: str, *ends: int) -> Lane:
    stops = [*ends, len(text.encode())]
    return Lane(name, list(range(len(stops))), [0, *stops[:-1]], stops)


def test_a_boundary_is_marked_in_each_row_that_has_it_if_any_row_lacks_it() -> None:
    view = Interlinear.of("abcdef", [lane("x", "abcdef", 2, 4), lane("y", "abcdef", 2), lane("z", "abcdef", 2, 4)])
    assert view.unshared == ([1], [], [1])  # the boundary at 4; 2 and the end are shared


def test_the_mark_after_the_last_word_is_drawn_too() -> None:
    marked = Interlinear.of("low", [Lane("a", [7, 8], [0, 3], [3, 3], labels={1: "</w>"})])
    assert marked.spans[0].ids == [7, 8]
    assert marked.spans[0].labels == {1: "</w>"}


def test_a_token_start_after_a_gap_is_a_boundary_too() -> None:
    words = Lane("words", [1, 2], [0, 3], [2, 5])
    spaced = Lane("spaced", [1, 2, 3], [0, 2, 3], [2, 3, 5])
    assert Interlinear.of("ab cd", [words, spaced]).unshared == ([], [])


@given(ranges=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)), max_size=12))
def test_tokens_are_sent_with_the_bytes_that_they_cover_also_if_these_overlap(ranges: list[tuple[int, int]]) -> None:
    covered = [(start, start + size) for start, size in sorted(ranges)]
    starts, ends = np.array(covered, dtype=np.int64).reshape(-1, 2).T
    view = Interlinear.of("x" * 52, [Lane("any", np.arange(len(covered)), starts, ends)])
    [sent] = json.loads(view.body.data)["lanes"]
    assert places(sent) == [*zip(view.spans[0].starts, view.spans[0].ends, strict=True)]


@given(text=st.text(alphabet="aé\n日", max_size=120), around=st.integers(0, 400), limit=st.integers(4, 50))
def test_the_window_holds_the_place_asked_for_and_counts_the_rest(text: str, around: int, limit: int) -> None:
    view = Interlinear.of(text, [lane("all", text)] if text else [], around=around, limit=limit)
    assert len(text) == view.before + len(view.text) + view.after
    assert text[view.before :].startswith(view.text)
    assert view.start == len(text[: view.before].encode())
    if around < len(text.encode()):
        assert view.start <= around < view.start + len(view.text.encode())


# ---- chips and tables -----------------------------------------------------------------------------------


def test_a_chip_shows_bytes_that_are_no_character_as_hex() -> None:
    assert Chip.of_bytes(1, b" the").pieces == ((" the", False),)
    assert Chip.of_bytes(1, b"\xe3\x81").pieces == (("E3 81", True),)
    assert Chip.of_bytes(1, b"\x93\xe3\x82\x93\xe3").pieces == (("93", True), ("ん", False), ("E3", True))


def test_a_table_needs_a_cell_in_every_row() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        Table(Column("a", [1, 2], "number"), Column("b", ["x"]))


def test_a_table_keeps_its_encoding() -> None:
    table = Table(Column("Token", [Chip.of_bytes(7, b"a"), None], "chip"), Column("Count", [3, 4], "number"))
    assert table.body is table.body
    assert json.loads(table.body.data)["columns"][0]["cells"] == [[7, "a"], None]


def test_a_kept_table_speaks_to_each_reader_and_scripts_know_its_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(
        Column(message("Left"), [message("none"), "as typed"]),
    )
    english = table.body
    monkeypatch.setattr(_Current, "language", staticmethod(lambda: PSEUDO))
    [column] = json.loads(table.body.data)["columns"]
    assert (column["title"], column["name"]) == ("\u27e6Left\u27e7", "Left")
    assert column["cells"] == ["\u27e6none\u27e7", "as typed"]
    assert table.body is table.body
    monkeypatch.undo()
    assert table.body is english
    [column] = json.loads(english.data)["columns"]
    assert (column["title"], column["cells"], "name" in column) == ("Left", ["none", "as typed"], False)


def test_a_body_is_ascii_so_that_a_lone_surrogate_survives() -> None:
    assert encode_body({"text": "\ud800"}).data.isascii()


# ---- the component in a page ----------------------------------------------------------------------------


def page() -> None:
    import streamlit as st

    from bpe_core.payloads.spans import TokenSpans
    from ui.views.token_flow import token_view

    spans = TokenSpans.of("hello world", [1, 2], [0, 5], [5, 11])
    got = token_view(spans, key="tokens", selected=st.session_state.get("wish"))
    st.session_state["got"] = got


def sent(app: AppTest) -> tuple[dict[str, Any], dict[str, Any]]:
    return unframe(app.get("bidi_component")[0].proto.bytes)


def answer(app: AppTest, value: Any) -> int | None:
    """Run the page as if the browser had reported this selection."""
    send_action(app, "selected", value)
    got: int | None = app.session_state["got"]
    return got


def test_a_frame_has_the_fresh_tokens_within_its_window() -> None:
    head, _ = unframe(TokenSpans.of("low", [1, 2], [0, 1], [1, 3]).frame(key="tokens", label="", fresh=[1, 99]))
    assert head["fresh"] == [1]


def test_the_selection_comes_back_and_does_not_change_what_is_sent() -> None:
    app = AppTest.from_function(page).run()
    before = app.get("bidi_component")[0].proto.bytes
    head, body = sent(app)
    assert body["texts"] == ["hello", " world"]
    assert answer(app, [head["rev"], 0, 1]) == 1
    assert app.get("bidi_component")[0].proto.bytes == before


@pytest.mark.parametrize(
    "forged", [True, -1, 2, 1.0, "1", None, [1], {"index": 1}, "<script>"], ids=lambda value: repr(value)
)
def test_a_forged_selection_is_none(forged: Any) -> None:
    app = AppTest.from_function(page).run()
    rev = sent(app)[0]["rev"]
    assert answer(app, [rev, 0, forged]) is None
    assert answer(app, forged) is None
    assert answer(app, ["of other tokens", 0, 1]) is None


def test_python_can_select() -> None:
    app = AppTest.from_function(page)
    app.session_state["wish"] = 1
    app.run()
    head, _ = sent(app)
    assert head["command"] == [1, 1]
    assert app.session_state["got"] == 1
    assert answer(app, [head["rev"], 1, 0]) == 0  # a later click takes effect, though the wish is still passed
