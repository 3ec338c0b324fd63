"""Figures: values equal those of the tables, user text stays text, and an empty figure gives the reason in words."""

from __future__ import annotations

import html
import json
import math
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import plotly.io
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Comparison, Tokenizer, TrainConfig, Training, compare, count_words, load_pretrained, train
from bpe_core.display.comparison_figures import agreement_figure
from bpe_core.display.figures import MOST_POINTS, evenly, evenly_in_log, finite, hover_template, log_axis
from bpe_core.display.plain_text import LONGEST_NAME, LONGEST_TOKEN, escaped, literal, literal_token
from bpe_core.display.template import chart_template, line_colours, quiet_colour
from bpe_core.display.training_figures import NextPair, next_pairs_figure
from bpe_core.display.vocabulary_figures import MOST_BARS, character_lengths, ranks_figure
from bpe_core.drawing.themes import CHART, THEMES, contrast
from bpe_core.errors import ConfigError, CorpusError
from bpe_core.language import using_language
from bpe_core.text.marks import on_one_line
from bpe_core.unigram.assembly import unigram_tokenizer
from bpe_core.unigram.model import UnigramModel
from bpe_core.wordlevel.model import WordLevelModel

PROJECT = Path(__file__).parents[2]
TEXT = (PROJECT / "README.md").read_text("utf-8")
HOSTILE = "<b>bold</b><a href='javascript:alert(1)'>x</a> $x^2$ %{y} &amp; <br>\n\x00\x1b \u202e \ud800 <extra></extra>"
SYNTAX = re.compile(r"[<>$]|%\{|&(?!amp;|lt;|gt;|#36;|#37;)")
"""Syntax that Plotly would interpret in a text; character references must be those made by escaping."""

Figure = Any


@pytest.fixture(scope="module")
def training() -> Training:
    return train(TEXT, TrainConfig(vocab_size=700))


@pytest.fixture(scope="module")
def comparison(training: Training) -> Comparison:
    names = ("gpt2", "cl100k_base", "bert-base-uncased")
    return compare(TEXT, {name: load_pretrained(name) for name in names} | {"own": training.tokenizer()})


def all_figures(training: Training, comparison: Comparison, theme: str = "light") -> list[Figure]:
    """Every kind of figure."""
    tokenizer = training.tokenizer()
    return [
        *(training.figure(name, theme=theme) for name in ("tokens", "counts", "cost")),
        training.figure("cost", theme=theme, tokenizers={"own": tokenizer}),
        *(comparison.figure(name, theme=theme) for name in ("tokens", "agreement")),
        *(tokenizer.figure(name, theme=theme) for name in ("lengths", "characters", "composition", "scripts")),
        *(tokenizer.figure("forest", theme=theme, text=text) for text in (None, TEXT)),
        tokenizer.figure("merges", theme=theme, text=TEXT),
        comparison.encoding("gpt2").figure(theme=theme),
    ]


def reason(figure: Figure) -> str:
    """The reason why a figure is empty."""
    assert not figure.data
    [annotation] = figure.layout.annotations
    return str(annotation.text)


def titles(figure: Figure) -> tuple[str, str, str]:
    layout = figure.layout
    return layout.title.text, layout.xaxis.title.text, layout.yaxis.title.text


def shown_by_plotly(label: str) -> str:
    """A label as displayed by Plotly: without tags, with character references resolved."""
    assert not SYNTAX.search(label), label
    return html.unescape(label)


# -- values -------------------------------------------------------------------------------------------------------


def test_tokens_over_the_merges_are_those_of_the_table(training: Training) -> None:
    figure = training.figure()
    table = training.table()
    tokens, per_token = figure.data
    assert list(tokens.x) == list(per_token.x) == list(range(len(table) + 1))
    assert list(tokens.y) == [training.token_count(0), *table["tokens"]]
    assert list(per_token.y) == pytest.approx([training.compression(0), *table["compression"]])
    assert titles(figure) == ("Tokens of the training text over the merges", "merges", "tokens")
    assert figure.layout.yaxis2.title.text == "bytes per token"
    assert tokens.customdata[0][0] == "before any merge"
    merge = training.merges[0]
    parts = [literal_token(training.tokenizer().token_bytes(i)) for i in (merge.left, merge.right, merge.token_id)]
    assert tokens.customdata[1][0] == "{} + {} → {}".format(*parts)
    assert list(tokens.customdata[1][1:3]) == [1, training.token_count(1)]


def test_a_character_vocabulary_counts_characters() -> None:
    training = train("low low lower", TrainConfig(unit="char", vocab_size=9))
    assert training.figure().layout.yaxis2.title.text == "characters per token"
    assert "Characters/token: " in training.figure("cost").data[0].hovertemplate


def test_the_count_of_each_merge_is_that_of_the_table_and_ties_are_marked(training: Training) -> None:
    figure = training.figure("counts")
    counts = training.table()["count"].tolist()
    alone, tied = figure.data
    assert dict(zip([*alone.x, *tied.x], [*alone.y, *tied.y], strict=True)) == dict(enumerate(counts, 1))
    for number in tied.x:
        assert counts[number - 1] in counts[max(0, number - 2) : number - 1] + counts[number : number + 1]
    for number in alone.x:
        assert counts[number - 1] not in counts[max(0, number - 2) : number - 1] + counts[number : number + 1]
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")
    assert alone.marker.symbol != tied.marker.symbol
    assert titles(figure)[1:] == ("merge", "occurrences of the pair")


def test_the_bars_of_the_next_pairs_are_those_of_the_rule_and_hostile_tokens_are_literal() -> None:
    training = train("hug hug pug pug <b> $x$")
    token = training.tokenizer().token_bytes
    pairs = [
        NextPair(token(each.left), token(each.right), each.count, "win" if each.chosen else "")
        for each in training.at(0).candidates(40)
    ]
    figure = next_pairs_figure(pairs, 40, "dark")
    [bars] = figure.data
    assert list(bars.y) == sorted(bars.y, reverse=True)
    assert bars.customdata[0] == ["u + g", 4, "the next merge"]
    assert "· + &lt;" in [name for name, _times, _meaning in bars.customdata]
    assert set(bars.marker.color) == {line_colours("dark")[0], quiet_colour("dark")}
    assert figure.layout.xaxis.range == (0.4, 40.6)
    assert next_pairs_figure([], 40, "dark").data[0].y == ()


def test_what_a_vocabulary_costs_is_what_a_sweep_gives(training: Training) -> None:
    gpt2 = load_pretrained("gpt2")
    figure = training.figure("cost", tokenizers={"GPT-2": gpt2})
    curve, others = figure.data
    costs = training.sweep()
    assert list(curve.x) == [cost.vocab_size for cost in costs]
    assert list(curve.y) == pytest.approx([100 * cost.saved for cost in costs])
    assert [list(row[4:]) for row in curve.customdata] == [[c.per_token, c.single_use, c.unused] for c in costs]
    assert (others.x, others.text) == ((gpt2.vocab_size,), ("GPT-2",))
    tokens = len(gpt2.encode(TEXT))
    assert others.y[0] == pytest.approx(100 * (1 - tokens / training.token_count(0)))
    assert titles(figure)[1:] == ("ids", "tokens saved, %")


@pytest.mark.parametrize("end_of_word", ["", "</w>"])
def test_other_tokenizers_are_drawn_where_the_split_drops_white_space(end_of_word: str) -> None:
    config = TrainConfig(unit="char", split="words", end_of_word=end_of_word, vocab_size=9)
    training = train("aé aé b " * 20, config)
    others = training.figure("cost", tokenizers={"GPT-2": load_pretrained("gpt2")}).data[1]
    assert others.customdata[0][2] == len(load_pretrained("gpt2").encode(training.text))
    assert list(training.figure().data[1].y) == [training.compression(step) for step in range(len(training.merges) + 1)]


def test_other_tokenizers_are_refused_where_the_text_is_not_all_there(training: Training) -> None:
    own = {"own": training.tokenizer()}
    with pytest.raises(ConfigError, match="more than one text"):
        train(["low", "lower"], TrainConfig(vocab_size=258)).figure("cost", tokenizers=own)
    with pytest.raises(CorpusError):
        train(count_words(["low lower"]), TrainConfig(vocab_size=258)).figure("cost", tokenizers=own)
    with pytest.raises(ConfigError, match="'cost'"):
        training.figure("counts", tokenizers=own)
    with pytest.raises(ConfigError, match="The tokenizer 'own'"):
        training.figure("cost", tokenizers={"own": "gpt2"})  # type: ignore[dict-item]


def test_bars_are_the_tokens_of_each_tokenizer_in_order(comparison: Comparison) -> None:
    figure = comparison.figure()
    [bars] = figure.data
    table = comparison.table()
    assert list(bars.x) == table["tokens"].tolist()
    assert list(figure.layout.yaxis.ticktext) == list(table.index)
    first, last = figure.layout.yaxis.range
    assert first > last, "the first tokenizer is on top"
    assert [list(row[1:]) for row in bars.customdata] == table.values.tolist()


def test_the_heat_map_is_the_table_of_agreement(comparison: Comparison) -> None:
    [cells] = comparison.figure("agreement").data
    names = list(comparison.names)
    matrix = comparison.agreement_table().pivot(index="left", columns="right", values="f1").loc[names, names]
    for row, name in enumerate(names):
        for column, other in enumerate(names):
            score = cells.z[row][column]
            assert score is None if name == other else score == matrix.loc[name, other]
    found = comparison.agreement(names[0], names[1])
    assert list(cells.customdata[0][1]) == [names[0], names[1], found.f1, *found[:2], *found[3:]]


def test_scores_that_are_no_numbers_are_left_blank(comparison: Comparison) -> None:
    known = comparison.agreement("gpt2", "cl100k_base")
    odd = {("a", "b"): known._replace(f1=math.nan), ("a", "c"): known._replace(f1=math.inf), ("b", "a"): known}
    [cells] = agreement_figure("abc", odd, "light").data
    assert cells.z == ([None, None, None], [known.f1, None, None], [None, None, None])
    assert finite([1, math.nan, -math.inf]) == [1.0, None, None]


@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "bert-base-uncased", "t5-small"])
def test_lengths_count_every_token_that_is_not_special(name: str) -> None:
    tokenizer = load_pretrained(name)
    special = set(tokenizer.special_tokens.values())
    tokens = [tokenizer.token_bytes(token_id) for token_id in tokenizer.ids if token_id not in special]
    [bars] = tokenizer.figure().data
    lengths = [len(token) for token in tokens]
    assert dict(zip(bars.x, bars.y, strict=True)) == {
        bar: sum(1 for length in lengths if min(length, MOST_BARS + 1) == bar) for bar in bars.x
    }
    assert sum(bars.y) == len(tokens) == sum(tokenizer.figure("characters").data[0].y)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])) | st.binary(max_size=8)))
def test_characters_are_those_that_begin_in_a_token(parts: list[str | bytes]) -> None:
    tokens = [part.encode() if isinstance(part, str) else part for part in parts]
    expected = [sum(byte & 0xC0 != 0x80 for byte in token) for token in tokens]
    assert character_lengths(tokens).tolist() == expected
    assert all(len(p) == n for p, n in zip(parts, expected, strict=True) if isinstance(p, str))


def test_ranks_are_the_frequencies_of_the_text_in_order(comparison: Comparison) -> None:
    encoding = comparison.encoding("gpt2")
    zipf, ranks = encoding.figure().data
    ids, counts = np.unique(encoding.ids, return_counts=True)
    assert list(ranks.x) == list(range(1, len(ids) + 1))
    assert list(ranks.y) == sorted(counts.tolist(), reverse=True)
    for label, token_id, rank, count, share, _together in ranks.customdata[:50]:
        assert label == literal_token(encoding.token_bytes(token_id))
        assert count == counts[ids == token_id].item() == ranks.y[rank - 1]
        assert share == pytest.approx(count / len(encoding))
    assert ranks.customdata[-1][5] == pytest.approx(1)
    assert list(zipf.y[:2]) == [ranks.y[0], ranks.y[0] / 2]


def test_every_figure_has_titles_and_a_line_of_hover_for_each_value(training: Training, comparison: Comparison) -> None:
    for figure in all_figures(training, comparison):
        assert figure.layout.title.text
        assert figure.layout.xaxis.title.text or figure.data[0].type == "treemap"
        for trace in figure.data:
            if trace.hoverinfo == "skip":
                continue
            row = trace.customdata[0]
            row = row[0] if trace.type == "heatmap" else row
            places = [int(place) for place in re.findall(r"customdata\[(\d+)\]", trace.hovertemplate)]
            assert places == list(range(len(row)))
            assert trace.hovertemplate.endswith("<extra></extra>")


# -- text stays text ----------------------------------------------------------------------------------------------


@given(st.text(st.characters(), max_size=LONGEST_NAME))
def test_plotly_shows_any_text_as_it_is_displayed_elsewhere(text: str) -> None:
    assert shown_by_plotly(literal(text)) == on_one_line(text)
    assert shown_by_plotly(escaped(text)) == text
    assert not [char for char in literal(text) if ord(char) < 32 or 0xD800 <= ord(char) < 0xE000]


@given(st.binary(max_size=40))
def test_plotly_shows_any_token_as_text_or_hex(token: bytes) -> None:
    assert shown_by_plotly(literal_token(token))


def test_long_texts_are_shortened() -> None:
    assert literal_token(b"x" * 8_000) == "x" * (LONGEST_TOKEN - 1) + "…"
    assert len(literal_token(b"\xff" * 8_000)) < 80
    assert len(literal("x" * 8_000)) == LONGEST_NAME


def strings(value: object) -> list[str]:
    """Every string in JSON data."""
    if isinstance(value, dict):
        return [text for each in value.values() for text in strings(each)]
    if isinstance(value, list):
        return [text for each in value for text in strings(each)]
    return [value] if isinstance(value, str) else []


def test_hostile_tokens_and_names_are_literal_in_every_figure() -> None:
    training = train(HOSTILE * 3, TrainConfig(vocab_size=400, split="none", min_count=1))
    tokenizer = training.tokenizer()
    names = {HOSTILE: tokenizer, "<i>": load_pretrained("gpt2"), "2026-01-01": tokenizer}
    comparison = compare(HOSTILE, names)
    figures = [*all_figures_of(training, comparison, tokenizer), training.figure("cost", tokenizers=names)]
    for figure in figures:
        for text in strings(json.loads(figure.to_json())["data"]):
            if "%{" in text:  # our own template, without user text
                assert re.sub(r"%\{(customdata\[\d+\]|z)(:[^}]*)?\}|</?b>|<br>|<extra></extra>", "", text).isprintable()
            else:
                assert not SYNTAX.search(text), text
    ticks = comparison.figure().layout.yaxis
    assert ticks.type == "linear", "names that look like dates or numbers are names"
    assert shown_by_plotly(ticks.ticktext[1]) == "<i>"
    assert not [text for text in ticks.ticktext if SYNTAX.search(text)]


def all_figures_of(training: Training, comparison: Comparison, tokenizer: Tokenizer) -> list[Figure]:
    return [
        *(training.figure(name) for name in ("tokens", "counts")),
        *(comparison.figure(name) for name in ("tokens", "agreement")),
        *(tokenizer.figure(name) for name in ("lengths", "characters", "forest")),
        *(tokenizer.figure(name, tokenizers={HOSTILE: tokenizer}) for name in ("composition", "scripts")),
        tokenizer.figure("merges", text=HOSTILE, tokenizers={HOSTILE: tokenizer}),
        tokenizer.encode(HOSTILE).figure(),
    ]


# -- themes and languages -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_has_the_colours_of_pictures_and_lines_that_are_seen(theme: str) -> None:
    layout = chart_template(theme).layout
    assert (layout.paper_bgcolor, layout.font.color) == (THEMES[theme].ground, THEMES[theme].ink)
    colours = line_colours(theme)
    assert layout.colorway == colours
    assert len(set(colours)) == len(CHART)
    assert min(contrast(colour, THEMES[theme].ground) for colour in colours) >= 3
    assert contrast(layout.xaxis.tickfont.color, THEMES[theme].ground) >= 4.5
    if theme.endswith("strong"):
        assert layout.font.size > chart_template("light").layout.font.size


def test_every_figure_has_the_template_of_its_theme(training: Training, comparison: Comparison) -> None:
    for figure in all_figures(training, comparison, "dark-strong"):
        assert figure.layout.template.layout.paper_bgcolor == THEMES["dark-strong"].ground


def test_charts_have_the_colours_of_the_app() -> None:
    theme = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    assert tuple(theme["chartCategoricalColors"]) == CHART


def test_the_words_of_a_figure_are_in_the_language_of_the_reader(training: Training, comparison: Comparison) -> None:
    with using_language("en-XA"):
        for figure in all_figures(training, comparison):
            texts = [figure.layout.title.text, figure.layout.xaxis.title.text, figure.layout.yaxis.title.text]
            assert all(text.startswith("⟦") for text in texts if text)
    with using_language("ja"):
        assert not training.figure().layout.title.text.isascii()


# -- bad input ----------------------------------------------------------------------------------------------------


def test_names_and_themes_that_do_not_exist_are_refused(training: Training, comparison: Comparison) -> None:
    tokenizer = training.tokenizer()
    for owner in (training, comparison, tokenizer, tokenizer.encode("low")):
        with pytest.raises(ConfigError, match=r"name is 'pie'\. It takes '\w+'.*\. Choose one\."):
            owner.figure("pie")  # type: ignore[attr-defined]
        with pytest.raises(ConfigError, match=r"theme is 'pink'\. It takes 'light', 'dark'"):
            owner.figure(theme="pink")  # type: ignore[attr-defined]


def test_an_empty_text_has_figures_that_say_so() -> None:
    training = train("")
    assert reason(training.figure()) == reason(training.figure("cost")) == "The training text is empty."
    assert reason(training.figure("counts")) == "This training has no merges."
    tokenizer = training.tokenizer()
    assert reason(tokenizer.encode("").figure()) == "The text has no tokens."
    comparison = compare("", {"a": tokenizer, "b": tokenizer})
    assert reason(comparison.figure()) == "The text has no tokens."
    assert comparison.figure("agreement").data[0].z[0][1] == 1.0


def test_fewer_tokenizers_than_a_figure_takes_are_named() -> None:
    assert reason(compare("low", {}).figure()) == "No tokenizer is compared."
    one = compare("low", {"a": load_pretrained("gpt2")})
    assert one.figure().data[0].x == (1,)
    assert reason(one.figure("agreement")) == "An agreement takes two tokenizers."


def test_a_training_without_merges_and_one_of_a_single_token() -> None:
    training = train("low", TrainConfig(vocab_size=256))
    assert reason(training.figure()) == "This training has no merges."
    assert training.figure("cost").data[0].x == (256,)
    encoding = train("aa", TrainConfig(vocab_size=257)).tokenizer().encode("aa")
    assert encoding.figure().data[1].y == (1,)
    assert encoding.figure().layout.xaxis.tickvals == (1.0,)


def test_forced_merges_that_do_not_occur_are_not_on_the_log_axis() -> None:
    absent = train("low", TrainConfig(vocab_size=257), forced=[(120, 121)])
    assert absent.merges[0].count == 0
    assert reason(absent.figure("counts")) == "No merge of this training occurs in its text."
    some = train("low low", TrainConfig(vocab_size=258), forced=[(120, 121)])
    assert [number for trace in some.figure("counts").data for number in trace.x] == [2]


def test_a_vocabulary_of_special_tokens_alone_says_so() -> None:
    special = Tokenizer("special", model=WordLevelModel([None]), special_tokens={"<s>": 0, "</s>": 1})
    assert reason(special.figure()) == "This vocabulary has only special tokens."
    assert reason(Tokenizer("none", model=WordLevelModel([])).figure()) == "This vocabulary has no tokens."


def test_vocabularies_without_ranks_and_with_infinite_scores_are_drawn() -> None:
    tokenizer = unigram_tokenizer(UnigramModel({"▁": 2.0, "▁low": -math.inf, "er": math.inf, "l": 3.0}))
    assert sum(tokenizer.figure().data[0].y) >= 4
    assert tokenizer.encode("lower").figure().to_json()


def test_a_token_of_8_000_bytes_is_in_the_last_bar_and_shortened() -> None:
    model = WordLevelModel(["a", "x" * 8_000])
    [bars] = Tokenizer("long", model=model).figure().data
    assert (bars.x[-1], bars.y[-1]) == (MOST_BARS + 1, 1)
    name, _count, _share, example = bars.customdata[-1]
    assert (name, len(example)) == ("41–8,000", LONGEST_TOKEN)


def test_of_100_000_tokens_a_bounded_number_is_drawn_and_labelled() -> None:
    tokenizer = load_pretrained("cl100k_base")
    labelled: list[int] = []

    def token_bytes(token_id: int) -> bytes:
        labelled.append(token_id)
        return tokenizer.token_bytes(token_id)

    ids = np.arange(100_000)
    figures = [
        tokenizer.figure(),
        tokenizer.figure("characters"),
        ranks_figure(ids, 1_000_000 // (ids + 1), token_bytes, "light"),
    ]
    assert max(len(trace.x) for figure in figures for trace in figure.data) <= MOST_POINTS
    assert len(labelled) == len(figures[-1].data[-1].x)
    assert (labelled[0], labelled[-1]) == (0, 99_999)


@given(st.integers(0, 300_000), st.integers(2, 500))
def test_thinned_points_rise_from_the_first_to_the_last(count: int, most: int) -> None:
    for thin in (evenly, evenly_in_log):
        places = thin(count, most)
        assert len(places) == min(count, most) if thin is evenly else len(places) <= min(count, most)
        assert (np.diff(places) > 0).all()
        assert not count or (places[0], places[-1]) == (0, count - 1)


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_a_log_axis_holds_its_values_and_has_ticks(one: int, other: int) -> None:
    low, high = sorted((one, other))
    axis = log_axis(low, high)
    assert axis["range"][0] < math.log10(low) <= math.log10(high) < axis["range"][1]
    assert axis["tickvals"]
    assert all(low <= tick <= high for tick in axis["tickvals"])


# -- Plotly -------------------------------------------------------------------------------------------------------


def test_every_figure_is_json_and_comes_back_from_it(training: Training, comparison: Comparison) -> None:
    for figure in all_figures(training, comparison):
        written = figure.to_json()
        assert "NaN" not in written
        assert json.loads(plotly.io.from_json(written).to_json()) == json.loads(written)


def test_a_figure_without_plotly_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['plotly'] = None\n"
        "from bpe_core import train\n"
        "try: train('low').figure()\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    expected = (
        "ConfigError The library plotly is not installed. Figures are made by Plotly. Install it: pip install plotly"
    )
    assert done.stdout.strip() == expected


def test_a_hover_template_has_words_and_places_only() -> None:
    assert hover_template() == "<extra></extra>"
