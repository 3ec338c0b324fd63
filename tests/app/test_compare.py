"""Compare: the same text under several tokenizers, why two of them differ, and costs by language."""

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import ParallelCount, TrainConfig, load_pretrained
from tests.app.pages import columns, has, opened, payload, places, texts
from tests.app.sending import chosen, options, pager, send_action, take, without_terms
from tests.draws import first
from ui.compare.fertility import fertility_figure
from ui.session.samples import sample

HOSTILE = "</textarea><script>alert(1)</script> ![x](http://evil.example/a.png) **b** $x$ \u202e \x00 e\u0301 👩‍👩‍👧"


@pytest.fixture
def compare() -> AppTest:
    """The page in a new session."""
    return opened("compare")


def show(app: AppTest, text: str, *names: str) -> None:
    """Compare this text under these tokenizers (under all if none is named)."""
    app.session_state["compare text"] = text
    if names:
        app.session_state["compare with"] = list(names)
    app.run()
    assert not app.exception


def button(app: AppTest, label: str) -> Any:
    [found] = [each for each in app.button if each.label == label]
    return found


def place(app: AppTest) -> tuple[int, int]:
    """Number of the shown disagreement, and of how many."""
    return pager(app, "disagreement pager")


def go(app: AppTest, to: int) -> None:
    """Send the presses of Next and Previous that lead to this disagreement."""
    send_action(app, "go", to, "disagreement pager")


def choice(app: AppTest, key: str) -> Any:
    [found] = [each for each in app.get("button_group") if each.key == key]
    return found


def selectbox(app: AppTest, label: str) -> Any:
    [found] = [each for each in app.selectbox if each.label == label]
    return found


def find(app: AppTest, key: str, name: str) -> None:
    """Choose a tokenizer from the menu next to those that are always visible."""
    app.selectbox(key=f"{key} more").set_value(name).run()
    assert not app.exception


def captions(app: AppTest) -> list[str]:
    return [without_terms(each.value) for each in app.caption]


def sentence(app: AppTest) -> str:
    """The explanation as displayed, tokens and parts of the text in brackets."""
    return "".join(part if isinstance(part, str) else f"[{_read(part)}]" for part in payload(app, "reason")["sentence"])


def _read(piece: Any) -> str:
    pieces = piece["text"] if isinstance(piece, dict) else piece[1]
    return pieces if isinstance(pieces, str) else "".join(shown for shown, _ in pieces)


@pytest.mark.parametrize(
    ("text", "has"), [("low lower", True), ("日本語は高い。", False), ("ภาษาไทย", False), ("한국어 책방", True)]
)
def test_tokens_per_word_are_left_out_where_no_spaces_are_between_words(compare: AppTest, text: str, has: bool) -> None:
    show(compare, text, "gpt2")
    [per_word] = [each["cells"] for each in payload(compare, "counts table")["columns"] if each["title"] == "Per word"]
    assert (per_word[0] is not None) == has
    assert ("no spaces between words" in " ".join(each.value for each in compare.caption)) != has


def test_each_tokenizer_cuts_the_same_lines(compare: AppTest) -> None:
    show(compare, "x = 12345\n")
    lines = payload(compare, "lines view")
    assert lines["text"] == "x = 12345\n"
    assert [lane["name"] for lane in lines["lanes"]] == ["Trained", "GPT-2", "cl100k", "o200k"]
    starts = [[start for start, _ in places(lane)] for lane in lines["lanes"][1:3]]
    assert starts == [[0, 1, 3, 7, 9], [0, 1, 3, 4, 7, 9]]


def test_counts_stand_beside_their_encoding_and_special_token_mode(compare: AppTest) -> None:
    show(compare, "a<|endoftext|>", "gpt2", "cl100k_base")
    assert columns(compare, "counts table")["Tokens"] == [8, 8]
    assert "special tokens as plain text" in captions(compare)
    choice(compare, "compare special").set_value("parse").run()
    assert columns(compare, "counts table")["Tokens"] == [2, 2]
    assert "special tokens parsed" in captions(compare)
    assert any("GPT-2 50,257, cl100k 100,277." in caption for caption in captions(compare))


def test_next_and_previous_walk_through_the_disagreements(compare: AppTest) -> None:
    compare.session_state["compare listed"] = "in order"
    show(compare, "a 1 b 2 c 3", "gpt2", "cl100k_base")
    assert "1 of 3" in captions(compare)
    assert payload(compare, "lines view")["highlight"] == [1, 3]
    assert place(compare) == (0, 3)
    go(compare, 1)
    go(compare, 2)
    assert "3 of 3" in captions(compare)
    assert payload(compare, "lines view")["highlight"] == [9, 11]
    assert payload(compare, "disagreements: current row")["current"] == 2
    assert place(compare) == (2, 3)
    for forged in (3, -1, True, 1.0, "1", None, [1], float("nan")):
        send_action(compare, "go", forged, "disagreement pager")
        assert place(compare) == (2, 3)
    go(compare, 1)
    assert "2 of 3" in captions(compare)


def test_that_both_agree_is_said_until_something_else_is_chosen(compare: AppTest) -> None:
    show(compare, "a 1 b 2 c 3", "gpt2", "cl100k_base")
    said = "Where you clicked, GPT-2 and cl100k agree."
    for choose in (lambda: go(compare, 1), lambda: show(compare, "a 1 b 2 c 4")):
        send_action(compare, "picked", [payload(compare, "lines view")["rev"], 0, 0], "lines view")
        assert said in texts(compare)
        compare.run()
        assert said in texts(compare)
        choose()
        assert said not in texts(compare)


def test_one_sentence_sums_the_difference_by_its_sources(compare: AppTest) -> None:
    text = "def f(x):\n    return x + 12345\n" * 3
    show(compare, text, "gpt2", "cl100k_base")
    gpt2, cl100k = (len(load_pretrained(name).encode(text)) for name in ("gpt2", "cl100k_base"))
    [sentence] = [each.value for each in compare.text if "more token" in each.value]
    assert sentence.startswith(f"GPT-2 takes {gpt2 - cl100k} more tokens than cl100k (")
    parts = [-int(part) if fewer else int(part) for part, fewer in re.findall(r"(\d+)( fewer)? from", sentence)]
    assert sum(parts) == gpt2 - cl100k
    assert "6 from white space" in sentence
    assert [lane["total"] for lane in payload(compare, "lines view")["lanes"]] == [gpt2, cl100k]
    assert list(selectbox(compare, "One tokenizer").options) == ["GPT-2", "cl100k"]
    show(compare, "abc", "gpt2", "cl100k_base")
    assert "GPT-2 and cl100k segment this text in the same way: 1 token." in [each.value for each in compare.text]


def test_equal_differences_are_listed_together_and_lead_to_the_first(compare: AppTest) -> None:
    show(compare, "a 1\n    b\n    c\n    d", "gpt2", "cl100k_base")
    table = columns(compare, "alike disagreements")
    assert (table["Times"][0], table["Adds"][0]) == (3, 6)
    send_action(compare, "picked", [payload(compare, "alike disagreements")["rev"], 0], "alike disagreements")
    assert payload(compare, "lines view")["highlight"] == [4, 7]


@pytest.mark.parametrize("pair", [("gpt2", "cl100k_base"), ("cl100k_base", "gpt2")])
def test_what_equal_differences_add_sums_to_what_the_sentence_says(compare: AppTest, pair: tuple[str, str]) -> None:
    show(compare, "a 1\n    b\n    c\n    d", *pair)
    [sentence] = [each.value for each in compare.text if "more token" in each.value]
    more = re.match(r"GPT-2 takes (\d+) more tokens than cl100k", sentence)
    assert more is not None
    assert sum(columns(compare, "alike disagreements")["Adds"]) == int(more[1]) > 0


def test_further_clicks_on_equal_differences_lead_to_the_next_and_say_which(compare: AppTest) -> None:
    show(compare, "a 1\n    b\n    c\n    d", "gpt2", "cl100k_base")
    assert not any("click its row" in caption.value for caption in compare.caption)
    for number, start in ((1, 4), (2, 10), (3, 16), (1, 4)):
        send_action(compare, "picked", [payload(compare, "alike disagreements")["rev"], 0], "alike disagreements")
        assert payload(compare, "lines view")["highlight"] == [start, start + 3]
        assert f"{number} of 3: click its row again for the next" in [each.value for each in compare.caption]


def test_a_difference_at_the_start_of_the_text_does_not_hold_the_clicks(compare: AppTest) -> None:
    show(compare, "    b\n    c", "gpt2", "cl100k_base")
    for start in (6, 0, 6):
        send_action(compare, "picked", [payload(compare, "alike disagreements")["rev"], 0], "alike disagreements")
        assert payload(compare, "lines view")["highlight"] == [start, start + 3]


def test_the_tokenizers_are_chosen_by_names_with_their_tokens(compare: AppTest) -> None:
    show(compare, "low low", "gpt2", "cl100k_base")
    assert options(compare, "compare with choice") == ["Trained", "GPT-2 · 2", "cl100k · 2", "o200k"]
    show(compare, "lower", "gpt2", "o200k_base")
    assert options(compare, "compare with choice")[1:] == ["GPT-2 · 1", "cl100k", "o200k · 1"]
    assert compare.session_state["compare with"] == ["gpt2", "o200k_base"]
    show(compare, "", "gpt2", "o200k_base")
    assert options(compare, "compare with choice") == ["Trained", "GPT-2", "cl100k", "o200k"]


def test_the_tokens_of_a_text_that_waits_in_line_stand_beside_the_names_too(
    compare: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.compare.page.LONGEST_AT_ONCE", 5)
    show(compare, "low low low", "gpt2", "cl100k_base")
    assert options(compare, "compare with choice")[1:3] == ["GPT-2 · 3", "cl100k · 3"]


def test_a_disagreement_is_explained_with_its_evidence(compare: AppTest) -> None:
    show(compare, "n(default", "gpt2", "cl100k_base")
    reason = payload(compare, "reason")
    assert reason["title"] == "Split boundary"
    assert [(side["name"], len(side["tokens"]), side["boundaries"]) for side in reason["sides"]] == [
        ("GPT-2", 2, [1]),
        ("cl100k", 1, []),
    ]
    assert sentence(compare) == (
        "GPT-2's split cuts between [(] and [default]. It lets a word begin with a space only, not with "
        "punctuation. cl100k's does not. It lets a word begin with one space or punctuation character. cl100k has "
        "the token [(default] across this boundary. No merge of GPT-2 crosses a boundary of its split."
    )


def test_the_filter_shows_the_disagreements_of_one_cause(compare: AppTest) -> None:
    compare.session_state["compare listed"] = "in order"
    compare.run()
    counts = dict(option.rsplit(" ", 1) for option in options(compare, "causes"))
    assert counts == {"All": "174", "Split": "112", "Missing token": "59", "Earlier merge": "3"}
    take(compare, "causes", "earlier merge")
    assert "1 of 3" in captions(compare)
    assert payload(compare, "reason")["title"] == "Earlier merge"
    assert set(columns(compare, "disagreements")["Cause"]) == {"Earlier merge"}
    assert "the order of the merges decides" in sentence(compare)


def test_the_filter_keeps_the_place_in_the_text(compare: AppTest) -> None:
    show(compare, "a 1 b    c 2 d", "gpt2", "cl100k_base")
    go(compare, 2)
    take(compare, "causes", "missing token")
    assert payload(compare, "lines view")["highlight"] == [5, 8]
    take(compare, "causes", "all")
    assert "3 of 3" in captions(compare)


def test_any_two_tokenizers_can_be_set_against_each_other(compare: AppTest) -> None:
    show(compare, " aren't")
    selectbox(compare, "The other tokenizer").set_value("o200k_base").run()
    assert [side["name"] for side in payload(compare, "reason")["sides"]] == ["GPT-2", "o200k"]
    assert "It lets a word keep its apostrophe ending" in sentence(compare)
    selectbox(compare, "One tokenizer").set_value("o200k_base").run()
    assert [side["name"] for side in payload(compare, "reason")["sides"]] == ["o200k", "Trained"]


def test_shared_boundaries_are_shown_for_any_two(compare: AppTest) -> None:
    show(compare, "a 12345", "gpt2", "cl100k_base")
    matrix = columns(compare, "agreement table")
    assert matrix["GPT-2"][0] is None
    assert matrix["GPT-2"][1] == matrix["cl100k"][0] == pytest.approx(0.8)
    assert "GPT-2 and cl100k share 2 boundaries. 0 are only GPT-2's. 1 is only cl100k's." in captions(compare)


def test_two_that_cut_alike_have_nothing_to_explain(compare: AppTest) -> None:
    show(compare, "Hello", "gpt2", "cl100k_base")
    assert not has(compare, "reason")
    assert "They segment this text in the same way." in [each.value for each in compare.text]


def test_a_sample_can_be_compared(compare: AppTest) -> None:
    selectbox(compare, "A text that comes with the app").set_value("numbers_and_dates").run()
    assert payload(compare, "lines view")["text"] == sample("numbers_and_dates").text
    assert payload(compare, "compare text area")["text"] == sample("numbers_and_dates").text


def test_samples_are_offered_by_purpose_with_the_chosen_one_first(compare: AppTest) -> None:
    def titles() -> list[str]:
        return list(selectbox(compare, "A text that comes with the app").options)

    every = titles()
    compare.session_state["purpose of samples"] = "by hand"
    compare.run()
    assert titles()[0] not in titles()[1:]
    japanese = "最近 TV でも 人気 者の · Japanese"
    assert titles()[1:] == [title for title in every if title.endswith("Toy") or title == japanese]
    assert japanese in titles()


def test_a_sample_is_found_by_words_of_its_description(compare: AppTest) -> None:
    def titles() -> list[str]:
        return list(selectbox(compare, "A text that comes with the app").options)

    compare.text_input(key="search of samples").input("japanese TOY").run()
    assert [title for title in titles()[1:] if "Japanese" not in title and "Toy" not in title] == []
    compare.text_input(key="search of samples").input("emoji").run()
    assert 1 < len(titles()) < 8
    compare.text_input(key="search of samples").input("no such text").run()
    assert len(titles()) == 1
    assert any("No text that comes with the app" in each.value for each in compare.caption)


def test_one_tokenizer_alone_has_lines_and_counts(compare: AppTest) -> None:
    show(compare, "Hello", "gpt2")
    assert columns(compare, "counts table")["Tokens"] == [1]
    assert not has(compare, "agreement table")
    assert any("second tokenizer" in each.value for each in compare.text)


def test_no_tokenizer_asks_for_one(compare: AppTest) -> None:
    for name in chosen(compare, "compare with choice"):
        take(compare, "compare with choice", name)
    assert not compare.exception
    assert any("at least one tokenizer" in each.value for each in compare.text)


@pytest.mark.parametrize("text", first(3, [" ", HOSTILE, "\ud800x", "\r\n\t\r\n", "字", "a" * 2_000, "e\u0301" * 50]))
def test_any_text_is_compared_and_shown_exactly(compare: AppTest, text: str) -> None:
    show(compare, text)
    lines = payload(compare, "lines view")
    assert lines["text"] == text[: len(lines["text"])].replace("\ud800", "\ufffd")
    assert lines["after"] == len(text) - len(lines["text"])


def test_a_long_text_stays_out_of_the_text_area_and_is_listed_in_part(
    compare: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.compare.cache.MOST_LISTED", 3)
    monkeypatch.setattr("ui.compare.why.MOST_LISTED", 3)
    show(compare, "a 1 " * 30_000, "gpt2", "cl100k_base")
    assert not has(compare, "compare text area")
    assert "They differ 30,000 times; the first 3 are listed." in captions(compare)
    assert "1 of 3" in captions(compare)
    assert "A text of 120,000 characters, too long to be edited here." in [each.value for each in compare.text]
    button(compare, "Type another text").click().run()
    assert payload(compare, "compare text area")["text"] == ""


def test_a_text_that_is_empty_asks_for_one(compare: AppTest) -> None:
    show(compare, "")
    assert any("no text yet" in each.value for each in compare.text)
    assert not has(compare, "lines view")


def test_a_lone_surrogate_is_replaced_and_said_so(compare: AppTest) -> None:
    show(compare, "a\ud800b")
    assert any("1 lone surrogate" in caption for caption in captions(compare))


def test_what_one_normalizes_stays_aligned_with_the_text(compare: AppTest) -> None:
    compare.session_state["config"] = TrainConfig(normalization="NFKC", lowercase=True, strip_accents=True)
    show(compare, "ﬁ É x", "trained", "gpt2")
    trained, gpt2 = payload(compare, "lines view")["lanes"]
    assert places(trained)[0][0] == 0
    assert places(trained)[-1][1] == places(gpt2)[-1][1] == len("ﬁ É x".encode())
    assert payload(compare, "reason")["title"] == "Normalization"
    assert sentence(compare) == (
        "Trained first changes [ﬁ] to [fi] (NFKC, lower case, accents stripped). GPT-2 reads [ﬁ] unchanged."
    )


def test_an_unknown_character_is_named(compare: AppTest) -> None:
    compare.session_state["config"] = TrainConfig(unit="char", split="words", end_of_word="</w>")
    show(compare, "low 字字", "trained", "gpt2")
    take(compare, "causes", "missing token")
    assert "has never seen [字], so it becomes [<unk>]" in sentence(compare)


def test_the_languages_say_why_they_cost_what_they_do(compare: AppTest) -> None:
    show(compare, "abc", "gpt2", "o200k_base")
    english, japanese = (sample(f"parallel_{each}").text for each in ("en", "ja"))
    [text] = [each.value for each in compare.text if "times the bytes" in each.value]
    size, *lines = text.splitlines()
    assert re.findall(r"\d+\.\d+", size) == [f"{len(japanese.encode()) / len(english.encode()):.2f}"]
    for line, name in zip(lines, ("gpt2", "o200k_base"), strict=True):
        tokens = [len(load_pretrained(name).encode(text)) for text in (english, japanese)]
        times, here, there = (float(each) for each in re.findall(r"\d+\.\d+", line))
        assert times == round(tokens[1] / tokens[0], 2)
        assert here == round(len(japanese.encode()) / tokens[1], 1)
        assert there == round(len(english.encode()) / tokens[0], 1)
    selectbox(compare, "Why does a language cost what it does?").set_value("es").run()
    assert not compare.exception
    assert text not in [each.value for each in compare.text]


def test_fertility_compares_twelve_languages(compare: AppTest) -> None:
    marks = fertility_marks(compare)
    assert len(marks["GPT-2"]) == 12
    assert marks["GPT-2"]["English"] == 1.0
    assert marks["GPT-2"]["Hindi"] > 4 > marks["o200k"]["Hindi"] > 1
    assert next(iter(marks["GPT-2"])) == "English", "the fewest tokens first"
    choice(compare, "fertility by").set_value("per word").run()
    words = fertility_marks(compare)["GPT-2"]
    assert words["Japanese"] is None
    assert words["Spanish"] > 1
    assert set(list(words)[-2:]) == {"Japanese", "Chinese"}, "those without a value last"


def fertility_marks(app: AppTest) -> dict[str, dict[str, float]]:
    """The values of the chart, by tokenizer and language."""
    figure = payload(app, "fertility chart")["figure"]
    languages = figure["layout"]["yaxis"]["ticktext"]
    return {each["name"]: dict(zip(languages, each["x"], strict=True)) for each in figure["data"] if "name" in each}


def test_the_chart_of_languages_shows_names_as_text_and_hollow_marks_where_text_was_lost() -> None:
    counts = [
        ParallelCount("English", "<b>$x$", 4, 20, 20, 4, 1.0),
        ParallelCount("Hindi", "<b>$x$", 8, 60, 20, 4, 2.0, unknown=True),
    ]
    ranges, marks = fertility_figure(counts, "tokens", "Tokens").data
    assert (marks.name, marks.marker.symbol) == ("&lt;b&gt;&#36;x&#36;", ("circle", "circle-open"))
    assert (marks.x, ranges.x) == ((4, 8), (4, 4, None, 8, 8, None))
    assert "unknown" in marks.customdata[1][1]
    assert fertility_figure([], "tokens", "Tokens").data[0].x == ()


def test_measures_come_with_what_they_count_and_where_they_say_little(compare: AppTest) -> None:
    show(compare, "low lower lowerings", "gpt2")
    table = columns(compare, "metrics table")
    assert table["Fertility"] == [pytest.approx(4 / 3)]
    assert table["Continued words, %"] == [pytest.approx(100 / 3)]
    text = next(caption for caption in captions(compare) if caption.startswith("**Fertility**"))
    assert all(f"**{title.removesuffix(', %')}**: " in text for title in table if title)
    assert "quality" not in text
    show(compare, "今日は晴れです")
    assert columns(compare, "metrics table")["Fertility"] == [None]
