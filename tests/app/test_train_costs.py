"""Train: costs and savings of a vocabulary, as drawn and described on the page."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from bpe_core import TrainConfig, Training, load_pretrained, train
from tests.app.pages import has, opened
from tests.app.test_train import column, named, payload, predict
from ui.session.samples import sample
from ui.train.cost_lines import (
    CostCurve,
    PublishedCost,
    cost_curve,
    sizes_table,
    what_doubling_buys,
    what_published_ones_take,
)
from ui.views.plot_figures import table_of

TEXT = sample("lantern_story").text
GPT2 = PublishedCost("GPT-2", 50_257, 596)
O200K = PublishedCost("o200k", 200_019, 575)


@pytest.fixture
def page() -> AppTest:
    return opened()


def texts(app: AppTest) -> str:
    return "\n".join(each.value for each in (*app.markdown, *app.caption))


def test_the_card_says_what_the_last_doubling_buys_and_costs(page: AppTest) -> None:
    tokens = train(TEXT).token_count(256)
    gain = f"{1 - tokens / len(TEXT.encode()):.1%}"
    assert f"From 256 to 512 ids the text gets {gain} shorter, for 196,608 parameters more (393 KB" in texts(page)
    fewer = 1 - len(load_pretrained("o200k_base").encode(TEXT)) / len(load_pretrained("gpt2").encode(TEXT))
    assert f"o200k has 4.0 times the ids of GPT-2 and takes {fewer:.1%} fewer tokens here." in texts(page)


def test_beside_the_curve_are_published_vocabularies_with_what_they_take_for_this_text(page: AppTest) -> None:
    [figure] = payload(page, "cost curve")["figures"]
    _curve, points = figure["figure"]["data"]
    published = {"GPT-2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
    for name, text, words, value in zip(published, points["text"], points["customdata"], points["y"], strict=True):
        tokenizer = load_pretrained(published[name])
        tokens = len(tokenizer.encode(TEXT))
        assert text == f"<b>{name}</b><br>{tokens:,} tokens"
        assert f"{tokenizer.vocab_size:,} ids × 768 = {tokenizer.vocab_size * 768:,} parameters" in words
        assert value == pytest.approx(100 * (1 - tokens / len(TEXT.encode())))


def test_another_width_changes_the_parameters_and_is_in_the_link(page: AppTest) -> None:
    field = "Width of an embedding: numbers for each id"
    named(page.number_input, field).set_value(4096).run()
    assert payload(page, "cost curve")["words"][0][5][1] == 4096
    assert column(page, "sizes table", "Parameters")[0] == 256 * 4096
    assert "1,048,576 parameters more (2.1 MB" in texts(page)
    app = opened(query={"width": "1024"})
    assert named(app.number_input, field).value == 1024


@pytest.mark.parametrize("width", [0, -4, 65_537, 1.5, True, "wide", None, 10**400])
def test_a_width_that_is_none_is_the_usual_one(width: Any) -> None:
    app = opened(embedding_width=width)
    assert payload(app, "cost curve")["words"][0][5][1] == 768


def drawn(training: Training, published: Sequence[PublishedCost]) -> CostCurve:
    """The curve of a vocabulary's costs."""
    [curve] = cost_curve(training, published, 768).figures
    assert isinstance(curve, CostCurve)
    return curve


def test_the_table_has_every_size_of_the_one_training(page: AppTest) -> None:
    assert column(page, "sizes table", "Merges") == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256]
    training = train(TEXT)
    for cost in training.sweep():
        row = column(page, "sizes table", "Merges").index(cost.step)
        assert column(page, "sizes table", "Tokens")[row] == cost.tokens
        assert column(page, "sizes table", "Used once")[row] == cost.single_use


def test_the_curve_has_the_mark_of_the_curves_over_the_merges(page: AppTest) -> None:
    mark = payload(page, "curve marks")
    asked = payload(page, "cost curve")["mark"]
    assert (asked["name"], asked["of"]) == (mark["name"], mark["of"])
    assert mark["values"][asked["value"]] == 0


def test_a_class_that_guesses_sees_no_costs(page: AppTest) -> None:
    predict(page)
    assert not has(page, "cost curve")
    assert not has(page, "sizes table")


def test_a_text_without_pairs_has_no_costs(page: AppTest) -> None:
    named(page.text_area, "Your text").set_value("a")
    named(page.button, "Train on this text").click().run()
    assert not page.exception
    assert not has(page, "cost curve")


def test_where_a_doubling_buys_little_is_said() -> None:
    training = train("ab " * 99 + "aab abb bba aaabb", TrainConfig(unit="char", split="words", vocab_size=12))
    assert what_doubling_buys(training, 10) == (
        "From 5 to 10 ids the text gets 4.6% shorter, for 50 parameters more (100 bytes at 2 bytes each). "
        "From 5 ids on, each doubling saves less than 5%: it buys little."
    )
    few = train(TEXT, TrainConfig(vocab_size=300))
    assert what_doubling_buys(few, 768).startswith("From 256 to 300 ids the text gets ")


def test_published_vocabularies_are_compared_only_where_there_are_two_and_some_text() -> None:
    assert "takes 3.5% fewer tokens here" in what_published_ones_take([GPT2, O200K])
    assert "takes 3.7% more tokens here" in what_published_ones_take(
        [PublishedCost("GPT-2", 50_257, 575), PublishedCost("o200k", 200_019, 596)]
    )
    assert what_published_ones_take([GPT2]) == what_published_ones_take([]) == ""


@given(st.integers(257, 2_000), st.booleans())
def test_places_on_the_axis_rise_with_the_ids_and_doublings_are_equally_wide(size: int, with_published: bool) -> None:
    training = train(TEXT, TrainConfig(vocab_size=size))
    curve = drawn(training, [GPT2, O200K] if with_published else [])
    assert list(curve.shares) == sorted(curve.shares)
    assert curve.shares[0] == 0
    assert curve.shares[-1] <= 1
    assert curve.is_broken == with_published
    assert all(curve.shares[-1] < point.share <= 1 for point in curve.points)
    places = [share for share, _ids, _parameters in curve.ticks]
    assert all(after - before >= 0.0749 for before, after in pairwise(places))
    assert curve.values[-1] == pytest.approx(100 * training.sweep([len(training.merges)])[0].saved)


def test_a_training_as_large_as_published_ones_shares_their_axis() -> None:
    training = train("".join(map(chr, range(0x4E00, 0x4E00 + 4_000))), TrainConfig(split="none", vocab_size=4_096))
    curve = drawn(training, [PublishedCost("small", 8_192, 10)])
    assert not curve.is_broken
    assert curve.points[0].share > curve.shares[-1]


def test_a_point_that_saves_less_than_nothing_is_on_the_axis_and_says_so() -> None:
    text = "髏慟"
    cost = PublishedCost.of("GPT-2", load_pretrained("gpt2"), text)
    training = train(text, TrainConfig(unit="char", split="none", vocab_size=4))
    [point] = drawn(training, [cost]).points
    assert point.value == 0
    assert f"{cost.tokens / 2 - 1:.1%} longer than the text in symbols" in point.words


def test_published_vocabularies_are_on_the_curve_s_own_scale_also_where_the_split_drops_white_space() -> None:
    training = train("hug pug hug pug", TrainConfig(unit="char", split="words", vocab_size=6))
    assert training.token_count(0) == 12
    as_many = PublishedCost("as many", 50_257, training.token_count(len(training.merges)))
    curve = drawn(training, [as_many])
    [point] = curve.points
    assert point.value == pytest.approx(curve.values[-1])


def test_the_figure_has_the_curve_the_published_ones_and_their_names_as_text() -> None:
    figure = drawn(train(TEXT), [PublishedCost("<b>$x$", 50_257, 596), O200K]).figure()
    line, points = figure.data
    assert len(line.x) == len(line.y)
    assert points.text[0] == "<b>&lt;b&gt;&#36;x&#36;</b><br>596 tokens"
    assert figure.layout.xaxis.ticktext[0] == "256<br>197 K"
    assert [each.text for each in figure.layout.annotations] == ["ids<br>parameters", "<b>//</b>"]


def test_a_screen_reader_is_read_the_sizes_and_names_of_the_figure() -> None:
    curve, points = table_of(drawn(train(TEXT), [PublishedCost("<b>$x$", 50_257, 596), O200K]).figure())
    assert (curve["columns"][0], curve["rows"][0][0], curve["rows"][-1][0]) == ("Ids", "256", "512")
    assert (points["columns"][0], [name for name, _value in points["rows"]]) == ("Vocabulary", ["<b>$x$", "o200k"])


def test_characters_are_named_where_the_training_has_characters() -> None:
    table = sizes_table(train("hug hug pug", TrainConfig(unit="char", vocab_size=12)), 8)
    assert "Characters/token" in [each.title for each in table.columns]
