"""Notebook output: complete, bounded, identical in every theme, and without markup from any text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe_core.notebook
from bpe_core import Encoding, TrainConfig, compare, load_pretrained, train
from bpe_core.drawing.token_spans import colour_number
from bpe_core.notebook.cards import MOST_ROWS, STYLE
from bpe_core.notebook.marked_text import marked
from bpe_core.notebook.spans import MOST_TOKENS
from tests.core import oracle

FAMILY = "👩‍👩‍👧"
HOSTILE = (
    "<script>alert(1)</script> </style> </div></div> \"><img src=x onerror=alert(1)> ' onmouseover='x' &lt; &#60; "
    f"\ud800 \u202eabc שלום مرحبا {FAMILY} e\u0301 \u0301 \x00\x1b \u200b\ufeff <!-- --> ]]> javascript:x\n\t\r\u2028"
)

TAGS = {"div", "style", "b", "span", "i", "details", "summary", "table", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {
    "class": re.compile(
        r"bpe-lab|head|note|label|side|flow|t c[0-7]( special)?|gap|s|n|x|p|p in|r|rest|f|bars?|win|ids"
    ),
    "style": re.compile(r"--v:\d+|--a:\d;--b:\d;--n:\d"),
    "title": re.compile(r"id \d+\nbytes [0-9A-F ]+( …)?(\nbytes? \d(–\d)? of \d of [^\s\x00-\x1f]+){0,2}"),
    "dir": re.compile(r"ltr|rtl"),
    "colspan": re.compile(r"\d+"),
}


class Page(HTMLParser):
    """The HTML as parsed by a browser: every tag balanced, every attribute of a known form."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.classes: list[str] = []
        self.titles: list[str] = []
        self.text = ""
        self.style = ""
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        for name, value in attrs:
            assert ATTRIBUTES[name].fullmatch(value or ""), (name, value)
        found = dict(attrs)
        self.classes.append(found.get("class") or "")
        self.titles += [found["title"]] if found.get("title") else []
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


def shown(thing: object) -> Page:
    html: str = thing._repr_html_()  # type: ignore[attr-defined]
    html.encode()  # no lone surrogate in it
    page = Page(html)
    assert page.style == STYLE
    return page


def encoded(text: str, tokenizer: str = "gpt2") -> Encoding:
    return load_pretrained(tokenizer).encode(text)


def everything(text: str) -> list[object]:
    special = text[:40].encode("utf-8", "replace").decode()
    config = TrainConfig(vocab_size=300, split="none", special_tokens=tuple({"<b>", special}))
    training = train([text, text], config)
    comparison = compare(text, {text: training.tokenizer(), "<b>": load_pretrained("gpt2")})
    parsed = training.tokenizer().encode(text, special="parse")
    return [training, training.at(0), training.at(len(training.merges)), parsed, encoded(text), comparison]


# -- no markup from any text --------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", range(6))
def test_hostile_text_becomes_no_tag_and_no_attribute(at: int) -> None:
    page = shown(everything(HOSTILE)[at])
    for char in "\u202e\u200b\ufeff\x00\x1b\u2028\r\t":
        assert char not in page.text


@given(st.text("<>\"'&=/ abこ\u0301\u202e\u200d\ud800👩\x00\n", max_size=40))
def test_any_text_becomes_no_tag_and_no_attribute(text: str) -> None:
    for thing in everything(text or "x"):
        shown(thing)


def test_the_style_touches_nothing_else_and_asks_nobody_for_anything() -> None:
    assert all(rule.startswith(".bpe-lab") for rule in re.findall(r"(?:^|[}\n,])(\.[^{},\n]*)", STYLE))
    assert not re.search(r"url\(|@import|</|expression|http", STYLE)
    assert not re.search(r"(?<![-\w])(color|background):\s*#", STYLE)  # the notebook sets colours, tints overlay them


def contrast(one: list[float], other: list[float]) -> float:
    """Contrast ratio of WCAG 2 between two colours of 0 … 255."""
    light = []
    for colour in (one, other):
        linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
        light.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(light) + 0.05) / (min(light) + 0.05)


@pytest.mark.parametrize(("paper", "ink"), [("ffffff", "1f2328"), ("111418", "e6e6e6"), ("111111", "e0e0e0")])
def test_text_on_every_tint_can_be_read_in_light_and_in_dark(paper: str, ink: str) -> None:
    below, text = ([float(byte) for byte in bytes.fromhex(colour)] for colour in (paper, ink))
    tints = re.findall(r"--tint:#(\w{6})", STYLE)
    shares = [int(share) / 100 for share in re.findall(r"var\(--tint\) (\d+)%", STYLE)]
    assert (len(tints), len(shares)) == (8, 1)
    for tint in tints:
        for share in shares:
            mixed = [share * a + (1 - share) * b for a, b in zip(bytes.fromhex(tint), below, strict=True)]
            assert contrast(text, mixed) >= 4.5, (tint, share)


def test_the_room_of_notebooks_knows_nothing_of_tokenizers() -> None:
    for file in Path(bpe_core.notebook.__file__).parent.glob("*.py"):
        imported = re.findall(r"(?:from|import) bpe_core\.(\w+)", file.read_text(encoding="utf-8"))
        assert set(imported) <= {"notebook", "drawing", "text"}, file.name


# -- a text in tokens ---------------------------------------------------------------------------------------------


def test_tokens_have_the_text_with_its_white_space_marked() -> None:
    encoding = encoded("low  low\n\tこ")
    page = shown(encoding)
    assert "low·" in page.text
    assert "↵\n" in page.text
    assert "⇥" in page.text
    assert f"{len(encoding)} tokens · 11 characters · 13 bytes" in page.text
    assert encoding.ids.tolist() == [int(title.split()[1]) for title in page.titles]


def test_bytes_of_a_split_character_are_slices_of_it() -> None:
    page = shown(train("").tokenizer().encode("こé"))
    slices = [title.split("\n")[-1] for title in page.titles]
    assert slices == [
        "byte 1 of 3 of こ",
        "byte 2 of 3 of こ",
        "byte 3 of 3 of こ",
        "byte 1 of 2 of é",
        "byte 2 of 2 of é",
    ]
    assert "こ" in page.text
    assert "\ufffd" not in page.text


@given(oracle.texts, oracle.texts, oracle.configs())
def test_no_replacement_character_is_shown_that_is_not_in_the_text(corpus: str, text: str, config) -> None:
    text = text.replace("\ufffd", "")
    if not any("\ud800" <= char <= "\udfff" for char in text):
        assert "\ufffd" not in shown(train(corpus, config).tokenizer().encode(text)).text


def test_a_token_has_one_colour_in_every_tokenizer() -> None:
    text = "the ink in the inn, in ink"
    tokenizers = [load_pretrained(name) for name in ("gpt2", "cl100k_base")]
    one, other = ([css for css in shown(each.encode(text)).classes if css.startswith("t c")] for each in tokenizers)
    assert one == other
    assert one[2] == one[6]  # " in"


def test_tokens_are_spread_over_all_colours() -> None:
    gpt2 = load_pretrained("gpt2")
    counts = np.bincount([colour_number(gpt2.token_bytes(i)) for i in range(20_000)], minlength=8)
    assert counts.min() > 20_000 / 9
    assert len({colour_number(bytes([letter])) for letter in b"abcdefghijklmnopqrstuvwxyz"}) == 8


def test_a_long_word_is_cut_within_a_character_that_stays_known() -> None:
    word = "x" * 39 + "こ" + "y" * 20
    page = shown(train([word], TrainConfig(split="none", vocab_size=256)).at(0))
    assert page.titles[-1].endswith("byte 1 of 3 of こ")
    assert "… 22 more" in page.text


def test_emoji_families_stay_one_picture_and_lone_joiners_are_named() -> None:
    assert marked(f"a{FAMILY}b") == f"a{FAMILY}b"
    assert marked("👩\u200d") == '👩<i class="n">ZWJ</i>'
    assert marked("\u0301x") == "◌\u0301x"


def test_the_direction_is_that_of_the_text() -> None:
    for text, direction in (("hello שלום", "ltr"), ("שלום hello", "rtl"), ("1 مرحبا", "rtl"), ("", "ltr")):
        assert f'class="flow" dir="{direction}"' in encoded(text)._repr_html_()


def test_text_that_no_token_covers_and_marks_that_cover_none_are_shown() -> None:
    config = TrainConfig(unit="char", split="words", end_of_word="</w>", vocab_size=30)
    page = shown(train("low lower", config).tokenizer().encode("wol  xlow"))
    assert "</w>" in page.text
    assert "··" in page.text
    assert any("special" in css for css in page.classes)  # <unk>


def test_a_normalized_text_is_called_so() -> None:
    tokenizer = train("abc", TrainConfig(lowercase=True)).tokenizer()
    assert "normalized" in shown(tokenizer.encode("ABC")).text
    assert "normalized" not in shown(tokenizer.encode("abc")).text


# -- bounds -------------------------------------------------------------------------------------------------------


def test_long_texts_are_cut_and_the_rest_is_counted() -> None:
    encoding = train("").tokenizer().encode("ab" * 50_000)
    html = encoding._repr_html_()
    page = Page(html)
    assert len([css for css in page.classes if css.startswith("t c")]) == MOST_TOKENS
    assert "99,600 more tokens not shown." in page.text
    assert len(html) < 60_000


def test_one_long_token_is_cut_too() -> None:
    long = "x" * 100_000
    training = train([long, long], TrainConfig(split="none", vocab_size=280, special_tokens=(long,)))
    for thing in (training, training.at(3), training.tokenizer().encode(long, special="parse")):
        assert len(thing._repr_html_()) < 80_000
    assert "99,800 more" in shown(training.tokenizer().encode(long, special="parse")).text
    assert len(compare(long, {long: training.tokenizer()})._repr_html_()) < 80_000


def test_a_long_training_shows_its_first_and_last_merges() -> None:
    text = "".join(chr(33 + i * 7 % 90) * 2 + " " for i in range(400))
    training = train(text, TrainConfig(vocab_size=330))
    total = len(training.merges)
    assert total > MOST_ROWS
    page = shown(training)
    assert f"{total - MOST_ROWS:,} more merges between" in page.text
    assert len([css for css in page.classes if css.startswith("t c")]) == 3 * MOST_ROWS
    rows = train(text, TrainConfig(vocab_size=256 + MOST_ROWS))._repr_html_().count("<tr>")
    assert rows == MOST_ROWS + 1
    assert training._repr_html_().count("<tr>") == MOST_ROWS + 2


def test_many_tokenizers_are_cut_and_counted() -> None:
    gpt2 = load_pretrained("gpt2")
    page = shown(compare("low", {f"n{i}": gpt2 for i in range(40)}))
    assert "28 more tokenizers not shown." in page.text


# -- output by type -----------------------------------------------------------------------------------------------


def test_nothing_is_said_to_be_nothing() -> None:
    empty = train("")
    assert "0 merges · 256 ids · no pairs left" in shown(empty).text
    assert "No pairs are left." in shown(empty.at(0)).text
    assert "No tokens." in shown(empty.tokenizer().encode("")).text
    assert "0 tokenizers" in shown(compare("", {})).text


def test_a_step_shows_its_merge_and_its_candidates() -> None:
    training = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259))
    page = shown(training.at(1))
    assert "a + a → aa 4×, id 256" in page.text
    assert "Candidates of the next merge" in page.text
    assert "chosen, tied" in page.text
    assert "chosen" not in shown(training.at(3)).text


def test_a_comparison_shows_counts_and_how_far_every_two_agree() -> None:
    comparison = compare("x = 12345 " * 30, {name: load_pretrained(name) for name in ("gpt2", "cl100k_base")})
    page = shown(comparison)
    assert f"{comparison.rows[0].tokens:,}" in page.text
    assert page.text.count(f"{comparison.agreement('gpt2', 'cl100k_base').f1:.2f}") >= 2
    assert "more tokens" in page.text
