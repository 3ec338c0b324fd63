"""Pictures of a tokenized text: well-formed, bounded, with every character of the text as text and nothing else."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core import CorpusError, Encoding, TrainConfig, load_pretrained, train
from bpe_core.cli import main
from bpe_core.drawing.lines import resolved, visual_order
from bpe_core.drawing.spans import MOST_CHARACTERS, MOST_TOKENS
from bpe_core.drawing.themes import THEMES
from bpe_core.errors import ConfigError
from bpe_core.text.marks import CIRCLE, shown_pieces

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert(1)</script> ]]> &lt; <!-- --> <![CDATA[ \" ' \x00\x0b\x1b\ufffe\uffff \ud800 &#0;"
ELEMENTS = {f"{SVG}{name}" for name in ("svg", "title", "rect", "g", "text", "tspan")}


class Picture:
    """A parsed SVG: every element is known, and no attribute can run or fetch anything."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg.encode())
        self.width, self.height = (int(self.root.attrib[name]) for name in ("width", "height"))
        for each in self.root.iter():
            assert each.tag in ELEMENTS
            assert not [name for name in each.attrib if name.startswith("on") or "href" in name or name == "style"]
            assert not [value for value in each.attrib.values() if "url(" in value or "http" in value]
        group = self.root.find(f"{SVG}g")
        assert group is not None
        self.tokens = group.findall(f"{SVG}g")

    @property
    def text(self) -> str:
        """The displayed text in its order, without ids and caption."""
        return "".join("".join(each.itertext()) for token in self.tokens for each in token.findall(f"{SVG}text")[:1])

    def lefts(self) -> list[float]:
        """Left edges of the coloured tokens, in the order of the text."""
        found = (token.find(f"{SVG}rect[@rx='4']") for token in self.tokens)
        return [float(each.attrib["x"]) for each in found if each is not None]


def shown_of(text: str) -> str:
    """The displayed form of a text of whole characters, without the circle under combining marks."""
    return "".join(shown for _, shown, kind in shown_pieces(text) if kind != CIRCLE)


def characters(text: str) -> Encoding:
    """A text in tokens of one character each."""
    distinct = len(set(text))
    return train([text], TrainConfig(unit="char", vocab_size=distinct + 1, split="none")).tokenizer().encode(text)


ANY = st.characters(exclude_characters="◌", exclude_categories=["Cs"])


@example("\U000e0100", "light")
@example("ab\U000e0100", "light")
@given(st.text(ANY, min_size=1, max_size=60), st.sampled_from(list(THEMES)))
def test_a_picture_parses_and_its_text_is_what_is_shown(text: str, theme: str) -> None:
    picture = Picture(characters(text).svg(theme=theme, width=300, caption=text, ids=True))
    assert sorted(picture.text.replace("◌", "")) == sorted(shown_of(text))


def test_hostile_text_stays_text() -> None:
    encoding = train(HOSTILE, TrainConfig(vocab_size=256)).tokenizer().encode(HOSTILE)
    picture = Picture(encoding.svg(caption=HOSTILE))
    assert picture.text.startswith("</text><script>alert(1)</script>·]]>·&lt;·<!--·-->·<![CDATA[·\"·'·NUL")
    caption = "".join(each.text or "" for each in picture.root.findall(f"{SVG}text"))
    assert caption.endswith("[NUL][VT][ESC][U+FFFE][U+FFFF] [U+D800] &#0;")


@given(st.text(max_size=80))
def test_every_token_has_a_rectangle_that_is_within_the_picture(text: str) -> None:
    encoding = load_pretrained("gpt2").encode(text)
    picture = Picture(encoding.svg(width=260, ids=True))
    drawn = [float(each.attrib["x"]) for each in picture.root.iter(f"{SVG}rect") if "x" in each.attrib]
    ends = [
        float(each.attrib["x"]) + float(each.attrib["width"])
        for each in picture.root.iter(f"{SVG}rect")
        if "x" in each.attrib
    ]
    assert min(drawn, default=0) >= 0
    assert max(ends, default=0) <= picture.width
    tops = [float(each.attrib["y"]) for each in picture.root.iter(f"{SVG}rect") if "y" in each.attrib]
    assert max(tops, default=0) < picture.height
    titles = [token.findtext(f"{SVG}title", "") for token in picture.tokens]
    named = [int(match[1]) for title in titles if (match := re.match(r"id (\d+)", title))]
    assert list(dict.fromkeys(named)) == list(dict.fromkeys(encoding.ids.tolist()))


def test_bytes_that_are_no_character_are_hex() -> None:
    picture = Picture(load_pretrained("gpt2").encode("ち東").svg())
    assert picture.text == "E3 81A1E6 9DB1"
    assert picture.tokens[2].findtext(f"{SVG}title") == "id 30266, bytes 1–2 of 3 of 東"


def test_special_tokens_and_text_between_tokens_are_drawn() -> None:
    tokenizer = load_pretrained("bert-base-uncased")
    assert Picture(tokenizer.encode("low lower").svg()).text == "low·lower"
    gpt2 = load_pretrained("gpt2").encode("low<|endoftext|>", special="parse")
    assert Picture(gpt2.svg()).text == "low<|endoftext|>"


def test_a_line_breaks_before_a_space_and_a_long_word_within() -> None:
    words = load_pretrained("gpt2").encode("one two three four five six seven eight nine ten")
    picture = Picture(words.svg(width=220))
    begun = [left for left in picture.lefts() if left == 16.0]
    assert len(begun) > 2
    long = Picture(load_pretrained("gpt2").encode("=" * 64).svg(width=220))
    assert long.height > picture.width / 2
    assert long.text == "=" * 64


def test_a_newline_begins_a_line() -> None:
    one, two = (Picture(load_pretrained("gpt2").encode(text).svg()) for text in ("a b", "a\nb"))
    assert two.height > one.height
    assert two.text == "a↵b"


def test_a_token_has_one_colour_and_a_gap_beside_the_next() -> None:
    text = (Path(__file__).parents[2] / "sample_texts" / "lantern_story.txt").read_text("utf-8")[:4_000]
    fills: dict[str, set[str]] = {}
    for name in ("gpt2", "cl100k_base"):
        picture = Picture(load_pretrained(name).encode(text).svg())
        rects = [(token, rect) for token in picture.tokens if (rect := token.find(f"{SVG}rect[@rx='4']")) is not None]
        for token, rect in rects:
            shown = "".join(token.find(f"{SVG}text").itertext())
            if "↵" not in shown:  # a part of a token of two lines
                fills.setdefault(shown, set()).add(rect.attrib["fill"])
        places = [[float(rect.attrib[each]) for each in ("y", "x", "width")] for _, rect in rects]
        assert all(a[0] != b[0] or b[1] - a[1] - a[2] > 1.8 for a, b in pairwise(places))
    assert len(fills) > 200
    assert all(len(each) == 1 for each in fills.values())


def luminance(colour: str) -> float:
    parts = [each / 255 for each in bytes.fromhex(colour[1:])]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_text_can_be_read_in_every_theme(name: str) -> None:
    theme = THEMES[name]
    assert len(set(theme.colours)) == 8
    assert min(contrast(theme.ink, fill) for fill in theme.colours) >= 4.5
    assert contrast(theme.pale, theme.ground) >= 4.5


# -- both directions -----------------------------------------------------------------------------------------


def in_visual_order(texts: list[str], base: str) -> str:
    return "|".join(texts[at] for at in visual_order(texts, resolved(texts, base), base))


def test_tokens_that_run_from_right_to_left_are_placed_so() -> None:
    words = ["abc", " ", "ע", "ב", " ", "ש", "ל", " def"]
    assert in_visual_order(words, "ltr") == "abc| |ל|ש| |ב|ע| def"
    assert in_visual_order(["ع", "ر", " 6", "7", " 45"], "rtl") == " 45| 6|7|ر|ع"
    assert in_visual_order(["ع", " abc", " def", "ر"], "rtl") == "ر| abc| def|ع"
    assert in_visual_order(["x", " = ", "12", "3"], "ltr") == "x| = |12|3"


WORDS = st.sampled_from(["a", " b", "ש", " ד", "1", " 2", ",", " "])


@given(st.lists(WORDS, max_size=12), st.sampled_from(["ltr", "rtl"]))
def test_every_token_has_one_place(texts: list[str], base: str) -> None:
    directions = resolved(texts, base)
    assert sorted(visual_order(texts, directions, base)) == list(range(len(texts)))
    assert set(directions) <= {"ltr", "rtl", "number"}


def test_hebrew_reads_from_the_right() -> None:
    picture = Picture(characters("שלום").svg())
    lefts = picture.lefts()
    assert lefts == sorted(lefts, reverse=True)
    assert picture.text == "שלום"
    assert max(lefts) > picture.width * 0.9
    text = picture.tokens[0].find(f"{SVG}text")
    assert text is not None
    assert text.attrib["direction"] == "rtl"


# -- limits and the command line -----------------------------------------------------------------------------


def test_a_large_text_is_refused_with_the_limit_and_a_remedy() -> None:
    with pytest.raises(CorpusError, match=r"A picture has at most 5,000 tokens and 20,000 characters\. Draw a part"):
        load_pretrained("gpt2").encode("low " * 300_000).svg()


def test_the_largest_picture_has_a_few_megabytes() -> None:
    text = "\x00" * MOST_TOKENS
    assert len(load_pretrained("gpt2").encode(text).svg(ids=True, theme="print")) < 5_000_000
    one = train("\x0b" * MOST_CHARACTERS, TrainConfig(vocab_size=300, split="none")).tokenizer()
    assert len(one.encode("\x0b" * MOST_CHARACTERS).svg(width=200)) < 10_000_000


@pytest.mark.parametrize(
    "setting", [{"width": 199}, {"width": 4_001}, {"width": 3.5}, {"theme": "blue"}, {"caption": 3}, {"ids": 1}]
)
def test_a_setting_that_is_not_possible_is_refused(setting: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=next(iter(setting))):
        load_pretrained("gpt2").encode("low").svg(**setting)  # type: ignore[arg-type]


def test_the_command_writes_the_same_picture(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "spans.svg"
    given = ["draw", "--tokenizer", "gpt2", "Hello, world"]
    assert main([*given, "--out", str(out)]) == 0
    assert capfd.readouterr().out == f"3 tokens drawn: {out}\n"
    encoding = load_pretrained("gpt2").encode("Hello, world")
    assert out.read_text("utf-8") == encoding.svg(caption="gpt2 · 3 tokens")
    assert main([*given, "--out", "-", "--no-caption", "--theme", "dark", "--width", "400", "--ids"]) == 0
    assert capfd.readouterr().out == encoding.svg(theme="dark", width=400, ids=True)
    assert main([*given, "--out", str(out), "--caption", "mine", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"tokenizer": "gpt2", "count": 3, "theme": "light", "out": str(out)}
    assert out.read_text("utf-8") == encoding.svg(caption="mine")


@pytest.mark.parametrize(
    ("given", "code", "problem"),
    [
        (["--out", "spans.png"], 1, "'spans.png' is not the name of an SVG picture. A picture is written as .svg."),
        (["--out", "no such folder/spans.svg"], 1, "No such file or directory"),
        (["--out", "-", "--width", "3"], 2, "width is 3. It takes a whole number from 200 to 4,000."),
        (["--out", "-", "--json"], 2, "--json and --out - both write to stdout."),
        (["--out", "-", "--caption", "a", "--no-caption"], 2, "--caption and --no-caption are both given."),
    ],
)
def test_the_command_says_what_is_wrong(
    given: list[str], code: int, problem: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["draw", "--tokenizer", "gpt2", "low", *given]) == code
    assert problem in capfd.readouterr().err
