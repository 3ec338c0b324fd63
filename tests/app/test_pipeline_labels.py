"""Pipeline: names marked in a text, the tags of its tokens, and the entities that each strategy derives from scores."""

from __future__ import annotations

import ast
import csv
import io
import json

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import load_pretrained
from bpe_core.tokenizer.batches import batch
from bpe_core.tokenizer.labels import Span, iob1, iob2, trimmed
from tests.app.pages import column, has, opened
from tests.app.pages import named as field
from tests.app.sending import send_action, written
from tests.app.test_pipeline import HOSTILE, page, payload, show, texts
from ui.pipeline.examples import COURSE_NAMES, NAMES
from ui.pipeline.label_marks import moved

__all__ = ["page"]

TEXT = NAMES.chosen[0][1]


def marks(app: AppTest, key: str = "marks") -> list[tuple[str, str]]:
    """The marks: text and label."""
    drawn = payload(app, key)
    return [(drawn["text"][start:end], label) for start, end, label in drawn["marks"]]


def mark(app: AppTest, words: str, label: str) -> None:
    drawn = payload(app, "marks")
    start = drawn["text"].index(words)
    send_action(app, "marked", [drawn["of"], start, start + len(words), label], "marks")


def example(app: AppTest) -> None:
    app.button(key="example of labels").click().run()
    assert not app.exception


def choose(app: AppTest, item: str, value: object) -> None:
    app.session_state[f"pipeline {item}"] = value
    app.run()
    assert not app.exception


# -- marks and tags ----------------------------------------------------------------------------------------------


def test_a_mark_gives_each_token_its_tags_and_can_be_removed(page: AppTest) -> None:
    show(page, "Ida told Anna Tom left")
    assert not has(page, "tags")
    for words in ("Anna", "Tom"):
        mark(page, words, "PER")
    assert marks(page) == [("Anna", "PER"), ("Tom", "PER")]
    assert column(page, "tags", "IOB1 tag") == ["O", "O", "O", "I-PER", "B-PER", "O", "\u2013"]
    assert column(page, "tags", "IOB2 tag") == ["O", "O", "O", "B-PER", "B-PER", "O", "\u2013"]
    assert column(page, "tags", "label id") == [0, 0, 0, 3, 3, 0, -100]
    assert "label id \u2212100, which training leaves out" in payload(page, "tags")["caption"]
    mark(page, "Anna Tom", "ORG")
    assert marks(page) == [("Anna Tom", "ORG")]
    mark(page, "Tom", "")
    assert marks(page) == []
    assert not has(page, "tags")


def test_the_tags_are_those_of_the_core_for_any_tokenizer_and_template(page: AppTest) -> None:
    for name, template in (("gpt2", "none"), ("bert-base-uncased", "bert"), ("t5-small", "roberta")):
        show(page, "In Skarv\u00f8yra, \u8a9e \U0001f642!", **{"with": name, "template": template, "marks": []})
        mark(page, "arv\u00f8yra, \u8a9e", "LOC")
        text = page.session_state["pipeline text"]
        [row] = batch([text], load_pretrained(name), template=template).rows
        span = Span(text.index("arv"), text.index("\u8a9e") + 1, "LOC")
        ranges = trimmed(row.offsets, text)
        assert column(page, "tags", "IOB1 tag") == [tag or "\u2013" for tag in iob1([span], ranges)]
        assert column(page, "tags", "IOB2 tag") == [tag or "\u2013" for tag in iob2([span], ranges)]


def test_a_span_that_begins_inside_a_token_is_told_in_words(page: AppTest) -> None:
    show(page, "Ida told Anna")
    mark(page, "nna", "PER")
    assert (
        "\u201cnna\u201d begins inside the token \u201cAnna\u201d, all of which gets its tag."
        in payload(page, "tags")["caption"]
    )
    mark(page, "A", "LOC")
    assert "\u201cnna\u201d gets no tag: its token has the tag of the mark before." in payload(page, "tags")["caption"]
    assert "\u201cA\u201d ends inside the token \u201cAnna\u201d." in payload(page, "tags")["caption"]


def test_only_one_text_has_the_card_and_its_marks_come_back_with_it(page: AppTest) -> None:
    example(page)
    for kind in ("pair", "batch", "chat"):
        choose(page, "input", kind)
        assert not has(page, "marks")
    choose(page, "input", "text")
    assert len(marks(page)) == 4


def test_marks_stay_with_their_words_while_the_text_is_typed(page: AppTest) -> None:
    example(page)

    def typed(text: str) -> None:
        send_action(page, "typed", [payload(page, "pipeline text area")["push"], text], "pipeline text area")

    typed("It is said: " + TEXT)
    assert marks(page) == [("Emma", "PER"), ("Anna", "PER"), ("Tom", "PER"), ("Sorrelby", "LOC")]
    assert column(page, "tags", "example scores")[-4] == "I-ORG 0.80"
    typed(TEXT.replace("Emma", "Emily").replace("Tom ", "Tomas "))
    assert marks(page)[-1] == ("Sorrelby", "LOC")
    typed("")
    assert marks(page) == []


@pytest.mark.parametrize(
    ("before", "after", "place", "expected"),
    [
        ("told Anna left", "told Anna  left", (5, 9), (5, 9)),
        ("told Anna", "told Annas", (5, 9), (5, 9)),
        ("told Anna", "told  Anna", (5, 9), (6, 10)),
        ("told Anna", "told An-na", (5, 9), (5, 10)),
        ("told Anna", "told Tom", (5, 9), None),
        ("told Anna", "told na", (5, 9), (5, 7)),
        ("told Anna Tom", "told Om", (5, 9), None),
        ("aaaa", "aaa", (1, 3), (1, 3)),
    ],
)
def test_where_a_mark_is_after_a_change(
    before: str, after: str, place: tuple[int, int], expected: tuple[int, int] | None
) -> None:
    assert moved(place, before, after) == expected


# -- scores ------------------------------------------------------------------------------------------------------


def test_the_example_has_a_word_that_first_max_and_average_name_differently(page: AppTest) -> None:
    example(page)
    assert column(page, "disputed word", "strategy") == ["none", "simple", "first", "max", "average"]
    assert column(page, "disputed word", "label")[:2] == ["B-PER, I-ORG, I-LOC", "PER, ORG, LOC"]
    assert column(page, "disputed word", "label")[2:] == ["B-PER", "I-ORG", "I-LOC"]
    assert column(page, "disputed word", "what it did") == [
        "Each of its 3 tokens stays by itself, with its own tag.",
        "Neighbours of one label are joined: 3 parts here.",
        "Its first token decides: B-PER. The others do not count.",
        "Its 2nd token has the highest score, 0.80, and decides: I-ORG.",
        "Highest mean: I-LOC, (0.00 + 0.20 + 0.75) \u00f7 3 = 0.32.",
    ]
    assert payload(page, "disputed word")["rest"] == "\u201cSorrelby\u201d"
    for strategy, expected in {
        "none": [("Sor", "B-PER"), ("rel", "I-ORG"), ("by", "I-LOC")],
        "simple": [("Sor", "PER"), ("rel", "ORG"), ("by", "LOC")],
        "first": [("Sorrelby", "PER")],
        "max": [("Sorrelby", "ORG")],
        "average": [("Sorrelby", "LOC")],
    }.items():
        choose(page, "aggregation", strategy)
        assert marks(page, "entities")[3:] == expected
        assert column(page, "entities table", "name in the text")[3:] == [name for name, _ in expected]


def test_the_two_persons_side_by_side_are_where_iob1_needs_a_b(page: AppTest) -> None:
    example(page)
    tags = zip(column(page, "tags", "token"), column(page, "tags", "IOB1 tag"), strict=True)
    assert [token[1] for token, tag in tags if tag.startswith("B-")] == [" Tom"]
    assert column(page, "tags", "IOB2 tag").count("B-PER") == 3


def test_scores_of_a_token_can_be_chosen_and_reset(page: AppTest) -> None:
    example(page)
    choose(page, "aggregation", "first")
    table = payload(page, "tags")
    assert table["current"] == 7
    send_action(page, "picked", [table["rev"], 8], "tags")
    assert field(page.selectbox, "Highlighted token: tag").value == "I-ORG"
    send_action(page, "picked", [table["rev"], 7], "tags")
    field(page.selectbox, "Highlighted token: tag").select("B-MISC").run()
    assert column(page, "tags", "example scores")[7] == "B-MISC 0.55"
    field(page.number_input, "with a score of").set_value(0.7).run()
    assert column(page, "tags", "")[7] == "B-LOC 0.30"
    assert marks(page, "entities")[-1] == ("Sorrelby", "MISC")
    field(page.selectbox, "and the rest for").select("B-MISC").run()  # the two are swapped
    assert (column(page, "tags", "example scores")[7], column(page, "tags", "")[7]) == ("B-LOC 0.70", "B-MISC 0.30")
    default = page.session_state["pipeline scores"]
    field(page.selectbox, "Highlighted token: tag").select("O").run()
    field(page.selectbox, "Highlighted token: tag").select("B-LOC").run()
    field(page.selectbox, "and the rest for").select("B-MISC").run()
    assert page.session_state["pipeline scores"] == default
    page.button(key="reset scores").click().run()
    assert not has(page, "disputed word")
    assert marks(page, "entities") == marks(page)


def test_what_was_chosen_back_is_no_choice(page: AppTest) -> None:
    show(page, "Ida told Anna")
    mark(page, "Anna", "PER")
    score = field(page.number_input, "with a score of").value
    field(page.number_input, "with a score of").set_value(0.6).run()
    assert len(page.session_state["pipeline scores"]) == 1
    field(page.number_input, "with a score of").set_value(score).run()
    assert page.session_state["pipeline scores"] == []


def test_the_courses_sentence_has_its_tokens_words_offsets_and_scores_to_four_decimals(page: AppTest) -> None:
    next(each for each in page.button if each.label == COURSE_NAMES.title).click().run()
    assert not page.exception
    assert column(page, "tags", "example scores")[4:8] == [
        "I-PER 0.9994",
        "I-PER 0.9982",
        "I-PER 0.9959",
        "I-PER 0.9992",
    ]
    assert column(page, "tags", "")[4] == "O 0.0006"
    assert payload(page, "entities table")["columns"][2]["digits"] == 4
    names, scores = (column(page, "entities table", title) for title in ("name in the text", "score"))
    assert names == ["Sylvain", "Hugging Face", "Brooklyn"]
    assert [round(score, 4) for score in scores] == [0.9982, 0.9796, 0.9932]
    choose(page, "labels as", "json")
    rows = json.loads(written(page)[-1])
    assert " ".join(row["token"] for row in rows) == (
        "[CLS] My name is S ##yl ##va ##in and I work at Hu ##gging Face in Brooklyn . [SEP]"
    )
    assert [row["word"] for row in rows] == [None, 0, 1, 2, 3, 3, 3, 3, 4, 5, 6, 7, 8, 8, 9, 10, 11, 12, None]
    starts = [0, 0, 3, 8, 11, 12, 14, 16, 19, 23, 25, 30, 33, 35, 41, 46, 49, 57, 0]
    ends = [0, 2, 7, 10, 12, 14, 16, 18, 22, 24, 29, 32, 35, 40, 45, 48, 57, 58, 0]
    assert ([row["start"] for row in rows], [row["end"] for row in rows]) == (starts, ends)


def test_a_score_of_four_decimals_is_typed_and_kept_in_the_link(page: AppTest) -> None:
    show(page, "Ida told Anna")
    mark(page, "Anna", "PER")
    field(page.number_input, "with a score of").set_value(0.9994).run()
    assert page.session_state["pipeline scores"] == ["9-13.0.B-PER.99.94.O"]
    assert column(page, "tags", "example scores")[-2] == "B-PER 0.9994"
    field(page.number_input, "with a score of").set_value(0.75).run()
    assert page.session_state["pipeline scores"] == ["9-13.0.B-PER.75.O"]
    assert column(page, "tags", "example scores")[-2] == "B-PER 0.75"


def test_scores_of_a_tokenizer_wait_until_it_is_back(page: AppTest) -> None:
    example(page)
    show(page, TEXT, **{"with": "bert-base-uncased"})
    assert not has(page, "disputed word")
    choose(page, "with", "gpt2")
    assert has(page, "disputed word")


# -- to copy, in links, and against forgers -----------------------------------------------------------------------


def test_the_table_can_be_copied_in_three_forms_that_say_the_same(page: AppTest) -> None:
    example(page)
    found = {}
    for form, read in {"python": ast.literal_eval, "json": json.loads}.items():
        choose(page, "labels as", form)
        assert not has(page, "tags")
        found[form] = read(written(page)[-1])
    assert found["python"] == found["json"]
    assert found["json"][7] == {
        "token": " Sor",
        "word": 7,
        "start": 38,
        "end": 41,
        "iob1": "I-LOC",
        "iob2": "B-LOC",
        "label_id": 7,
        "first_tag": "B-PER",
        "first_score": 0.55,
        "second_tag": "B-LOC",
        "second_score": 0.45,
    }
    assert (found["json"][-1]["iob2"], found["json"][-1]["label_id"]) == (None, -100)
    choose(page, "labels as", "csv")
    lines = list(csv.DictReader(io.StringIO(written(page)[-1])))
    assert [(line["iob1"], line["iob2"]) for line in lines] == [
        (line["iob1"] or "", line["iob2"] or "") for line in found["json"]
    ]
    assert ast.literal_eval(lines[7]["token"]) == " Sor"


def test_a_link_brings_the_marks_the_scores_and_the_strategy() -> None:
    app = opened(
        "pipeline", "text=Anna+Tom&mark=PER.0-4&mark=LOC.5-8&score=5-8.0.B-ORG.60.O&aggregate=max&labels_as=table"
    )
    assert marks(app) == [("Anna", "PER"), ("Tom", "LOC")]
    assert column(app, "tags", "example scores")[1] == "B-ORG 0.60"
    assert marks(app, "entities") == [("Anna", "PER"), ("Tom", "ORG")]


def test_marks_beyond_the_end_of_the_text_are_told_and_left_out() -> None:
    app = opened("pipeline", "text=Anna&mark=PER.0-4&mark=LOC.5-8")
    assert marks(app) == [("Anna", "PER")]
    assert any("1 mark beyond the end of the text" in line for line in texts(app))


@pytest.mark.parametrize(
    "query",
    [
        "mark=PER.4-0",
        "mark=PER.0-0",
        "mark=O.0-4",
        "mark=EVIL.0-4",
        "mark=PER.0-99999999",
        "mark=PER.0-4&mark=LOC.2-6",
        "mark=PER.5-8&mark=LOC.0-4",
        "mark=" + "&mark=".join(f"PER.{at}-{at + 1}" for at in range(101)),
        "score=0-4.0.B-PER.20.O",
        "score=0-4.0.B-PER.101.O",
        "score=0-4.0.B-PER.100.01.O",
        "score=0-4.0.B-PER.99.943.O",
        "score=0-4.0.B-PER.49.99.O",
        "score=0-4.0.B-PER.90.B-PER",
        "score=0-4.0.B-EVIL.90.O",
        "score=0-4.0.B-PER.90.O&score=0-4.0.B-LOC.90.O",
        "aggregate=last",
        "labels_as=xml",
        "mark=%F0%9D%9F%8E",
    ],
)
def test_a_forged_link_is_refused_in_one_sentence(query: str) -> None:
    app = opened("pipeline", f"text=Anna&{query}")
    assert any("This link cannot be opened" in line for line in texts(app))
    assert payload(app, "marks")["text"] != "Anna"
    assert marks(app) == []


def test_a_forged_mark_changes_nothing(page: AppTest) -> None:
    example(page)
    of = payload(page, "marks")["of"]
    before = marks(page)
    places = ([4, 0, "PER"], [-1, 4, "PER"], [0, 10**9, "PER"], [0.0, 4, "PER"], [True, 4, "PER"])
    labels = ([0, 4], [0, 4, "EVIL"], [0, 4, ["PER"]])
    for forged in (None, [], {"of": 1}, {of: 1}, ["other", 0, 4, "PER"], *([of, *each] for each in (*places, *labels))):
        send_action(page, "marked", forged, "marks")
        assert marks(page) == before, forged


def test_a_hostile_text_is_only_text(page: AppTest) -> None:
    show(page, HOSTILE)
    mark(page, "<script>alert(1)", "ORG")
    assert marks(page) == [("<script>alert(1)", "ORG")]
    assert not any("script" in line for kind in (page.markdown, page.caption) for line in [e.value for e in kind])
    assert "<script>" in column(page, "entities table", "name in the text")[0]


def test_texts_that_are_odd_leave_no_traceback(page: AppTest) -> None:
    for text in ("", " ", "\ud800 a", "\ud83d\ude00 b", "e\u0301" * 3, "x" * 5_000):
        show(page, text, marks=["PER.0-1"], template="none")
        assert has(page, "marks")
