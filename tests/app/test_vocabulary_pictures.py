"""Pictures of whole vocabularies: drawn only while expanded; a click opens the named token and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import load_pretrained, train
from bpe_core.payloads.frames import unframe
from tests.app import pages
from tests.app.sending import send_action
from ui.session import compare, vocabulary
from ui.session.items import Item
from ui.session.samples import sample

TEXT = sample("lantern_story").text


def opened(page: str, *charts: Item[bool], **chosen: Any) -> AppTest:
    items = {"compare": compare, "vocabulary": vocabulary}[page]
    choices = {getattr(items, name).key: value for name, value in chosen.items()}
    return pages.opened(page, **dict.fromkeys((chart.key for chart in charts), True), **choices)


def views(app: AppTest) -> dict[str, dict[str, Any]]:
    """Head and body of each view, by key."""
    found = {}
    for each in app.get("bidi_component"):
        if each.proto.bytes and "-relay of " not in each.proto.id:
            head, body = unframe(each.proto.bytes)
            found[head.get("name", "")] = {"head": head, "body": body}
    return found


def traces(app: AppTest, key: str) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = views(app)[key]["body"]["figure"]["data"]
    return data


def chips_of(app: AppTest, key: str, trace: int) -> Any:
    return views(app)[key]["body"]["chips"][str(trace)]


def chosen(app: AppTest, item: Item[Any]) -> Any:
    return app.session_state[item.key] if item.key in app.session_state else item.default  # noqa: SIM401  it has no get


CHARTS = ("forest chart", "composition chart", "first merges chart", "lines chart", "overlap chart", "spellings")


@pytest.mark.parametrize("page", ["vocabulary", "compare"])
def test_closed_charts_are_not_made(page: str) -> None:
    assert not {*views(opened(page))} & {*CHARTS, "compared composition chart"}


@pytest.mark.parametrize("name", ["trained", "gpt2"])
def test_the_forest_has_the_tokens_of_the_vocabulary_by_their_making_or_use(name: str) -> None:
    tokenizer = load_pretrained(name) if name != "trained" else train(TEXT).tokenizer()
    app = opened("vocabulary", vocabulary.FOREST_OPEN, VOCABULARY_OF=name)
    [boxes] = traces(app, "forest chart")
    assert boxes["values"][0] == len(tokenizer.ids) - len(tokenizer.special_tokens)
    app = opened("vocabulary", vocabulary.FOREST_OPEN, VOCABULARY_OF=name, FOREST_BY="used")
    [boxes] = traces(app, "forest chart")
    assert boxes["values"][0] == len(tokenizer.encode(TEXT))


def test_the_forest_of_the_open_token_alone() -> None:
    gpt2 = load_pretrained("gpt2")
    low = gpt2.token_id(b" low")
    app = opened("vocabulary", vocabulary.FOREST_OPEN, VOCABULARY_OF="gpt2", TOKEN=low, FOREST_OF_TOKEN=True)
    [boxes] = traces(app, "forest chart")
    assert boxes["customdata"][0][1] == low
    assert all(gpt2.token_bytes(row[1]).startswith(b" low") for row in boxes["customdata"])


def test_the_table_of_the_forest_for_screen_readers_names_tokens_and_columns() -> None:
    body = views(opened("vocabulary", vocabulary.FOREST_OPEN))["forest chart"]["body"]
    [table], [boxes] = body["table"], body["figure"]["data"]
    assert table["columns"] == ["Token", "Tokens that begin so"]
    assert {tuple(row) for row in table["rows"]} <= {*zip(boxes["labels"], boxes["values"], strict=True)}


def test_a_box_opens_its_token_and_nothing_else_that_a_browser_sends_does() -> None:
    app = opened("vocabulary", vocabulary.FOREST_OPEN)
    token_id = traces(app, "forest chart")[0]["customdata"][1][1]
    before = chosen(app, vocabulary.TOKEN)
    for sent in ([0, 0], [0, 9_999], [1, 0], [0, True], "forged"):
        send_action(app, "picked", sent, "forest chart")
        assert not app.exception, sent
        assert chosen(app, vocabulary.TOKEN) == before != token_id, sent
    send_action(app, "picked", [0, 1], "forest chart")
    assert chosen(app, vocabulary.TOKEN) == token_id


def test_a_vocabulary_is_drawn_beside_another_one() -> None:
    app = opened("vocabulary", vocabulary.COMPOSITION_OPEN, VOCABULARY_OF="gpt2", VOCABULARY_BESIDE="bert-base-uncased")
    assert [trace["name"] for trace in traces(app, "composition chart")] == ["GPT-2", "BERT"]
    app = opened(
        "vocabulary",
        vocabulary.COMPOSITION_OPEN,
        VOCABULARY_OF="gpt2",
        VOCABULARY_BESIDE="gpt2",
        COMPOSITION_BY="scripts",
    )
    assert [trace["name"] for trace in traces(app, "composition chart")] == ["GPT-2"], "not compared with itself"


def test_the_first_merges_are_those_of_the_tokenizer_on_the_training_text() -> None:
    [curve] = traces(
        opened("vocabulary", vocabulary.FIRST_MERGES_OPEN, VOCABULARY_OF="cl100k_base"), "first merges chart"
    )
    assert curve["y"][-1] == len(load_pretrained("cl100k_base").encode(TEXT))
    app = opened("vocabulary", vocabulary.FIRST_MERGES_OPEN, VOCABULARY_OF="t5-small")
    figure = views(app)["first merges chart"]["body"]["figure"]
    assert figure["layout"]["annotations"][0]["text"] == "This vocabulary has no merges."
    assert "text with first merges" not in views(app)


def test_the_text_is_shown_with_the_merges_that_are_chosen_on_the_curve_or_by_the_slider() -> None:
    gpt2, shown = load_pretrained("gpt2"), TEXT[:1_200]
    counts = gpt2.tokens_over_merges(shown)

    def tokens_shown() -> int:
        return len(views(app)["text with first merges"]["body"]["ids"])

    app = opened("vocabulary", vocabulary.FIRST_MERGES_OPEN, VOCABULARY_OF="gpt2")
    assert tokens_shown() == counts[-1]
    slider = app.select_slider(key=vocabulary.FIRST_MERGES.key)
    assert (slider.value, slider.options[0], slider.options[-1]) == (50_000, "0", "50,000")
    slider.set_value(0).run()
    assert tokens_shown() == counts[0]
    [curve] = traces(app, "first merges chart")
    point = len(curve["x"]) // 2
    send_action(app, "picked", [0, point], "first merges chart")
    chosen = app.session_state[vocabulary.FIRST_MERGES.key]
    assert abs(chosen - curve["x"][point]) <= 0.1 * curve["x"][point]
    assert tokens_shown() == counts[chosen]
    app.session_state[vocabulary.VOCABULARY_OF.key] = "trained"
    app.run()
    assert not app.exception
    assert app.select_slider(key=vocabulary.FIRST_MERGES.key).value <= 256


def test_a_line_leads_to_where_two_tokenizers_first_differ_in_it() -> None:
    app = opened("compare", compare.LINES_OPEN, TEXT="low\n    x\nlow\n        y")
    rows = traces(app, "lines chart")[1]["customdata"]
    at = [row[0] for row in rows].index(4)
    send_action(app, "picked", [1, at], "lines chart")
    assert chosen(app, compare.AT) == len("low\n    x\nlow\n")
    for forged in ([0, 0], [1, 99], "forged"):
        send_action(app, "picked", forged, "lines chart")
        assert not app.exception
        assert chosen(app, compare.AT) == len("low\n    x\nlow\n")


def test_the_point_of_a_line_has_its_tokens_by_both_tokenizers() -> None:
    app = opened("compare", compare.LINES_OPEN, TEXT=f"low 😀\nx\n{'    x' * 100}", WITH=["gpt2", "cl100k_base"])
    points = dict(
        zip(
            (row[0] for row in traces(app, "lines chart")[1]["customdata"]),
            chips_of(app, "lines chart", 1),
            strict=True,
        )
    )
    tokenizers = {"GPT-2": load_pretrained("gpt2"), "cl100k": load_pretrained("cl100k_base")}
    for name, tokenizer in tokenizers.items():
        ids = tokenizer.encode("low 😀\n").ids.tolist()
        assert [chip[0] for chip in points[1][name]["word"]] == ids[: len(points[1][name]["word"])]
        assert points[1][name]["more"] == 0
        long = points[3][name]
        assert len(long["word"]) + long["more"] == len(tokenizer.encode("    x" * 100))
    assert [chip[2] for chip in points[1]["GPT-2"]["word"] if len(chip) > 2] == [" 😀", "😀"]


def test_what_vocabularies_share_and_are_made_of_is_shown_without_a_text_too() -> None:
    names = ["gpt2", "bert-base-uncased"]
    app = opened("compare", compare.OVERLAP_OPEN, compare.COMPOSITION_OPEN, WITH=names, TEXT="")
    bars = traces(app, "overlap chart")[0]
    assert {row[0] for row in bars["customdata"]} == {"GPT-2", "BERT", "GPT-2 + BERT"}
    assert [trace["name"] for trace in traces(app, "compared composition chart")] == ["GPT-2", "BERT"]
    table = {column["title"]: column["cells"] for column in views(app)["spellings"]["body"]["columns"]}
    gpt2 = load_pretrained("gpt2")
    assert {gpt2.token_id(b"the"), gpt2.token_id(b" The")} <= set(table["GPT-2"])
    assert load_pretrained("bert-base-uncased").token_id(b"the") in table["BERT"]


@pytest.mark.parametrize("word", ["", "zzzzqqqq", "...", "<b>$x$"])
def test_any_word_has_spellings_or_words_that_say_why_not(word: str) -> None:
    app = opened("compare", compare.OVERLAP_OPEN, WITH=["gpt2"], SPELLED=word)
    assert "spellings" not in views(app)
    text = "\n".join(each.value for each in (*app.text, *app.markdown, *app.caption))
    assert word != "zzzzqqqq" or "No vocabulary has a token of this word." in text
    assert word != "..." or "The word has no letter and no digit." in text
