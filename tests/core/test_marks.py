"""Every character is visible, and identically on page, picture, notebook and command line."""

from __future__ import annotations

import html
import json
import re
import subprocess
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from runpy import run_path
from typing import Any
from xml.etree import ElementTree

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_core import Encoding, TrainConfig, load_pretrained, train
from bpe_core.cli.commands import token_lines
from bpe_core.language import in_language
from bpe_core.text.character_names import named_character, told_characters, unseen_characters
from bpe_core.text.marks import MARK, NAME, character_name, marked, on_one_line, shown_pieces, shows_itself

SCRIPT = Path(__file__).parents[1] / "javascript" / "shown.js"
TABLE = json.loads((Path(__file__).parents[2] / "bpe_core" / "text" / "marks.json").read_text("utf-8"))
SVG = "{http://www.w3.org/2000/svg}"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"

INVISIBLE = (
    "\ufe00\ufe0e\ufe0f\U000e0100\U000e01ef\u180b\u180c\u180d\u180e\u180f\U000e0001\U000e0067\U000e007f\u200b\u200c\u200d"
    "\u2060\u034f\u115f\u1160\u3164\uffa0\u17b4\u17b5\u20e3\u061c\u202a\u202e\u2061\u2066\u2069\u206a\u206f\ufff9\ufffa"
    "\ufffb\ufffc\ufeff\u00ad\u2800\U0001d159\U0001d173\U0001d17a\U0001bca0\U0001bc9d\U00016fe4\U00013430\U00013441\u0378\U0001f02c"
    "\ue000\U0010ffff\x00\r\x1b\x85\u00a0\u2028\ufffe\U0001fffe"
)
WHITE = " \t\n\u3000"
COMBINING = "\u0301\u0302\u0489\u05b0\u064b\u093e\u0e31\u1039\u17d2\u20d0\u302a\u3099\U0001d165\U0001e94a"
BASES = "ae1#*葛東かᠠᠡ가가क한שم❤♥©👩👧🚀🇯🇵🏴🏻🏽<&\"'"
SEQUENCES = ("❤️", "1️⃣", "👩‍👧", "👩🏽‍🚀", "🏳️‍🌈", "🇯🇵", "葛\U000e0100", "ᠠ\u180b", SCOTLAND)
TEXTS = st.lists(
    st.one_of(*map(st.sampled_from, (INVISIBLE, WHITE, COMBINING, BASES, SEQUENCES)), st.characters(codec="utf-8")),
    min_size=1,
    max_size=14,
).map("".join)
AROUND = [("", ""), ("a", ""), ("❤", ""), ("", "\u0301"), ("👩\u200d", "\ufe0f"), ("", "\u200d👧")]
"""Context before and after a code point in a sweep."""

Shown = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def scripts() -> Iterator[Shown]:
    """Run the page's scripts in Node and return what they show."""
    with subprocess.Popen(
        ["node", str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(question: dict[str, Any]) -> Any:
            print(json.dumps(question), file=process.stdin, flush=True)
            return json.loads(process.stdout.readline())

        yield ask
        process.stdin.close()


def characters(text: str) -> Encoding:
    """A text in tokens of one character each."""
    return train([text], TrainConfig(unit="char", vocab_size=len(set(text)) + 1, split="none")).tokenizer().encode(text)


def pairs(text: str) -> Encoding:
    """A text in tokens of several characters, as far as its pairs repeat."""
    config = TrainConfig(unit="char", vocab_size=2 * len(set(text)) + 1, split="none")
    return train([text], config).tokenizer().encode(text)


def as_bytes(text: str) -> Encoding:
    """A text in tokens that divide its characters."""
    return load_pretrained("gpt2").encode(text)


def test_a_joiner_is_part_of_a_picture_only_in_a_sequence_that_exists(scripts: Shown) -> None:
    from streamlit.emojis import ALL_EMOJIS  # imported here: Streamlit takes seconds in every test process

    for emoji in sorted(each for each in ALL_EMOJIS if "\u200d" in each):
        assert [piece.kind for piece in shown_pieces(emoji)] == ["plain"], ascii(emoji)
    for text, shown in {
        "👩\u200d🚗": "👩[ZWJ]🚗",
        "👩🏽\u200d🚀\u200d🚀": "👩🏽\u200d🚀[ZWJ]🚀",
        "👨\u200d👩\u200d👧\u200d👦": "👨\u200d👩\u200d👧\u200d👦",
        "👩\ufe0f\u200d🚀": "👩[VS16][ZWJ]🚀",
        "🏳\ufe0f\u200d🌈🏳\u200d🌈": "🏳\ufe0f\u200d🌈🏳\u200d🌈",
        "🧟🏽\u200d♀\ufe0f": "🧟🏽[ZWJ]♀\ufe0f",
        "❤\u200d❤": "❤[ZWJ]❤",
    }.items():
        assert marked(text) == shown


def test_the_table_has_the_sequences_of_the_installed_list() -> None:
    found = run_path(str(Path(__file__).parents[2] / "scripts" / "marks.py"))
    assert TABLE["sequences"].split() == found["sequences"]()


# -- the four places -----------------------------------------------------------------------------------------


def in_pictures(encoding: Encoding) -> list[str]:
    root = ElementTree.fromstring(encoding.svg(width=4_000, ids=True))
    tokens: list[str] = []
    for group in root.findall(f"{SVG}g/{SVG}g"):
        text, *token_id = group.findall(f"{SVG}text")
        # a small piece is a name or hex; hex has a dashed frame
        dashed = [bool(frame.get("stroke-dasharray")) for frame in group.findall(f"{SVG}rect[@rx='3']")]
        shown = ""
        for piece in [text] if text.text else text:
            is_small = piece.get("font-size") == "12.2"
            form = ("<{}>" if dashed.pop(0) else "[{}]") if is_small else "{}"
            shown += form.format(piece.text)
        if token_id:  # only on the first line of a token
            tokens.append(shown)
        else:
            tokens[-1] += shown
    return tokens


def in_notebooks(encoding: Encoding) -> list[str]:
    page = encoding._repr_html_()
    flow = page[page.index('class="flow"') : page.index("<details>")]
    found = re.findall(r'<span class="t c[^"]*" title="[^"]*">(.*?)</span>', flow, re.DOTALL)
    shown = []
    for token in found:
        token = re.sub(r'<i class="x">([^<]*)</i>', r"&lt;\1&gt;", token)
        token = re.sub(r'<i class="n">([^<]*)</i>', r"[\1]", token)
        shown.append(html.unescape(re.sub(r"<[^>]*>", "", token.replace('<i class="s">↵</i>\n', "↵"))))
    return shown


def on_terminals(encoding: Encoding) -> list[str]:
    return [line.split("\t", 1)[1].removesuffix("\n") for line in token_lines(encoding)]


def texts_of(encoding: Encoding) -> list[str]:
    data = encoding.utf8
    return [
        data[start:end].decode() for start, end in zip(encoding.starts.tolist(), encoding.ends.tolist(), strict=True)
    ]


@settings(max_examples=60)
@given(TEXTS, st.sampled_from([characters, pairs]))
@example("\U000e0100", characters)
@example("ab\U000e0100", characters)
@example("❤️❤️", pairs)
@example("葛\U000e0100葛\U000e0100", pairs)
@example("\u0301x\u0301\u0301", characters)
def test_picture_notebook_command_line_and_page_show_the_same(
    scripts: Shown, text: str, encoded: Callable[[str], Encoding]
) -> None:
    encoding = encoded(text)
    tokens = texts_of(encoding)
    page = [
        "".join(f"[{shown}]" if kind == NAME else shown for _, shown, kind in token)
        for token in scripts({"texts": tokens})
    ]
    assert "".join(tokens) == text
    assert page == list(map(marked, tokens))
    assert in_pictures(encoding) == page
    assert in_notebooks(encoding) == page
    assert on_terminals(encoding) == page


@settings(max_examples=40)
@given(TEXTS)
@example("\U000e0100")
@example("葛\U000e0100")
@example("e\u0301\u0301")
def test_divided_characters_leave_the_others_visible(text: str) -> None:
    encoding = as_bytes(text)
    hexes = [re.sub(r"<([^>]*)>", "", shown) for shown in in_pictures(encoding)]
    for token, drawn in zip(encoding.ids.tolist(), hexes, strict=True):
        whole = encoding.token_bytes(token).decode("utf-8", "ignore")
        assert drawn or not whole
    assert all(line.strip("\n").split("\t", 1)[1] for line in token_lines(encoding))


# -- what is visible -----------------------------------------------------------------------------------------


def assert_visible(text: str) -> None:
    pieces = shown_pieces(text)
    assert "".join(source for source, _, _ in pieces) == text, "nothing is lost"
    before = "mark"
    for source, shown, kind in pieces:
        assert shown
        if kind in (NAME, MARK):
            assert len(source) == 1
            assert not shows_itself(source)
            assert kind != NAME or shown == character_name(source)
        else:
            rest = EMOJI.sub("", shown)
            assert all(map(shows_itself, rest)), ascii(shown)
            bare = unicodedata.category(shown[0])[0] == "M" and shows_itself(shown[0])
            assert not bare or before not in (NAME, MARK)
        before = kind


EMOJI = re.compile(
    rf"{SCOTLAND}|[#*0-9]\ufe0f\u20e3|(?:(?<=[❤♥©🏳])\ufe0f)|(?<=[❤♥©🏳️👩👧🚀🏻🏽🏴])\u200d(?=[❤♥©🏳👩👧🚀🏴🌈])"
)
"""Invisible characters of the emoji that are in TEXTS."""


@given(TEXTS)
def test_no_character_is_drawn_as_nothing_and_none_is_lost(text: str) -> None:
    assert_visible(text)


@pytest.mark.parametrize("char", INVISIBLE, ids=ascii)
def test_an_invisible_character_is_named_wherever_it_is(char: str) -> None:
    name = f"[{character_name(char)}]"
    for text in (
        char,
        f"a{char}",
        f"{char}a",
        char * 2,
        f"葛{char}",
        f"ᠠ{char}",
        f"👩{char}",
        f"e\u0301{char}",
        f" {char}",
    ):
        assert marked(text) == text.replace(" ", "·").replace(char, name)
    assert marked(f"{char}\u0301") == f"{name}◌\u0301"


@pytest.mark.parametrize("emoji", [*SEQUENCES[:6], SCOTLAND, "❤", "🏴"])
def test_an_emoji_in_one_token_is_drawn_as_it_is(emoji: str) -> None:
    assert marked(emoji) == emoji
    assert marked(f"a {emoji}b") == f"a·{emoji}b"


def test_what_is_left_of_an_emoji_is_named() -> None:
    assert marked("❤️\ufe0f") == "❤️[VS16]"
    assert marked("👩\ufe0f") == "👩[VS16]"
    assert marked("❤\ufe0e") == "❤[VS15]"
    assert marked("👩\u200d") == "👩[ZWJ]"
    assert marked("\u200d👧") == "[ZWJ]👧"
    assert marked("👩\u200d\u200d👧") == "👩[ZWJ][ZWJ]👧"
    assert marked("1\u20e3") == "1[KEYCAP]"
    assert marked(SCOTLAND[:-1]) == "🏴[TAG g][TAG b][TAG s][TAG c][TAG t]"
    assert marked(f"👩{SCOTLAND[1:]}").endswith("[TAG t][TAG END]")


def test_a_combining_mark_is_on_what_is_before_it_or_on_a_circle() -> None:
    assert marked("e\u0301\u0302") == "e\u0301\u0302"
    assert marked("\u0301\u0302x") == "◌\u0301\u0302x"
    assert marked(" \u0301") == "·◌\u0301"
    assert marked("\u200b\u0301") == "[ZWSP]◌\u0301"


def test_a_terminal_gets_no_control_and_no_invisible_character() -> None:
    assert on_one_line("a\x1b[2J\nb\ufe0f\u202e\u3000c") == "a[ESC][2J b[VS16][RLO] c"


# -- the table -----------------------------------------------------------------------------------------------


def python_sweep(first: int, last: int) -> str:
    shown = []
    for code in range(first, last + 1):
        char = chr(code)
        shown += ["+" if shows_itself(char) else "-", *(marked(f"{before}{char}{after}") for before, after in AROUND)]
    return "\n".join(shown)


def edges() -> list[int]:
    """The first and last code point of every range of the table, and their neighbours."""
    found: set[int] = set()
    for packed in TABLE["sets"].values():
        end = 0
        for part in packed.split():
            gap, _, more = part.partition("+")
            first = end + int(gap, 36)
            end = first + int(more or "0", 36)
            found.update((first - 1, first, end, end + 1))
    return sorted(code for code in found if 0 <= code < 0x110000 and not 0xD800 <= code < 0xE000)


def test_the_scripts_show_what_python_shows_at_the_edges_of_every_range(scripts: Shown) -> None:
    codes = sorted({*edges(), *(code for code in Random(6).sample(range(0xE000, 0x110000), 3_000)), *range(0x3100)})
    texts = [f"{before}{chr(code)}{after}" for code in codes for before, after in AROUND]
    shown = scripts({"texts": texts})
    assert [[list(piece) for piece in shown_pieces(text)] for text in texts] == shown


@pytest.mark.thorough
@pytest.mark.parametrize("plane", range(17))
def test_the_scripts_show_what_python_shows_for_every_code_point(scripts: Shown, plane: int) -> None:
    for first in range(plane << 16, (plane + 1) << 16, 0x800):
        if first != 0xD800:  # surrogates: those of a pair are a character of JavaScript
            last = first + 0x7FF
            assert scripts({"range": [first, last], "around": AROUND}) == python_sweep(first, last), hex(first)


INVISIBLE_BY_UNICODE = regex.compile(r"[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}]")


@pytest.mark.thorough
@pytest.mark.parametrize("plane", range(17))
def test_every_character_is_shown_as_unicode_knows_it(plane: int) -> None:
    for code in range(plane << 16, (plane + 1) << 16):
        char = chr(code)
        hidden = not shows_itself(char)
        assert hidden or not INVISIBLE_BY_UNICODE.match(char), hex(code)
        assert hidden or not regex.match(r"\p{Cn}", char), hex(code)
        pieces = shown_pieces(char)
        assert "".join(piece.source for piece in pieces) == char
        assert (pieces[-1].kind in (NAME, MARK)) == hidden, hex(code)
        assert (len(pieces) == 2) == (not hidden and bool(regex.match(r"\p{M}", char))), hex(code)


def test_a_name_says_which_character_it_is() -> None:
    codes = [code for code in range(0x110000) if code in NAMED or code % 97 == 0]
    names = [character_name(chr(code)) for code in codes]
    assert len(set(names)) == len(names)
    assert all(name and name.isascii() for name in names)


NAMED = {
    *(int(code, 16) for code in TABLE["names"]),
    *range(0xFE00, 0xFE10),
    *range(0xE0020, 0xE0080),
    *range(0xE0100, 0xE01F0),
}


def test_the_command_line_writes_the_tokens_of_a_text(capfd: pytest.CaptureFixture[str]) -> None:
    from bpe_core.cli import main

    assert main(["encode", "--tokenizer", "gpt2", "--tokens", "--text", "Hello\u200b ち"]) == 0
    shown = [line.split("\t")[1] for line in capfd.readouterr().out.splitlines()]
    assert shown[0] == "Hello"
    assert "[ZWSP]" in shown or "E2 80" in " ".join(shown)
    assert main(["encode", "--tokenizer", "gpt2", "--tokens", "--json", "--text", "a"]) == 2
    assert "--tokens and --json are both given." in capfd.readouterr().err


def test_every_character_that_is_not_seen_has_a_name_and_those_of_east_asia_have_one_in_their_languages() -> None:
    for language, says in (("ja", "U+3000 全角スペース"), ("zh", "U+3000 全角空格")):
        assert [in_language(each, language) for each in told_characters("\u3000")] == [says]
    for char in INVISIBLE + WHITE + COMBINING + BASES + "々ー㍿ｶﾞＡ①𠮷豈\ufa0e〜ゕ":
        assert told_characters(char)[0].startswith(f"U+{ord(char):04X}")
        assert named_character(char) == named_character(char).strip()
    for code in range(0x2000, 0x110000, 7):  # no name raises
        named_character(chr(code))
    assert [*unseen_characters("a b\t\n\u200d漢é e\u0301\u200d")] == ["\u200d", "\u0301"]
