"""Lessons: each opens the page that it describes, and every number in them is correct."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations, pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
import rustbpe
from streamlit.testing.v1 import AppTest
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, trainers

from bpe_core import (
    Encoding,
    PickyMerge,
    Pipeline,
    Removal,
    Tokenizer,
    TrainConfig,
    Training,
    UnigramModel,
    UnigramTraining,
    compare,
    compare_fewest,
    encode_fewest,
    likely_segmentations,
    load_pretrained,
    train,
    train_parity,
    train_picky,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from bpe_core.comparison.metrics import gini
from bpe_core.comparison.word_boundaries import word_agreement
from bpe_core.language import LANGUAGES, SOURCE
from bpe_core.language.catalogues import catalogue
from bpe_core.published.known_glitches import glitch_tokens
from bpe_core.text.digits import with_digits
from bpe_core.text.segmenters import dictionary_words
from bpe_core.tokenizer.batches import batch
from bpe_core.tokenizer.kinds import KINDS, token_kinds
from bpe_core.tokenizer.label_groups import entities
from bpe_core.tokenizer.merged_on import merged_at_once
from bpe_core.tokenizer.prompt_end import heal, prefixes
from bpe_core.tokenizer.row_tables import token_rows
from tests.app.sending import address, pager, send_action, written
from tests.core.test_segmenters import RECORDED
from tests.draws import first
from tests.numerals import SMALL, in_words
from ui.lessons.newer_tables import agreeing, groupings
from ui.lessons.tables import (
    TABLES,
    UNSEEN_MODULES,
    OfLesson,
    run_chat,
    run_pipeline,
    special_tokens,
    table_of,
)
from ui.pipeline.examples import COURSE_NAMES, EXAMPLES, NAMES
from ui.pipeline.label_scores import Labelled
from ui.session.labels import TAGS, guess_of, mark_of
from ui.session.lessons import LESSON_FOLDER, Lesson, all_lessons, lesson
from ui.session.samples import all_samples, sample, source_of
from ui.session.shared_view import from_plain
from ui.widgets.textbooks import PrintedResult, compared_results

APP = str(Path(__file__).parents[2] / "app.py")

GPT2, CL100K, O200K = map(load_pretrained, ("gpt2", "cl100k_base", "o200k_base"))

each_lesson = pytest.mark.parametrize("each", all_lessons(), ids=lambda each: each.name)
some_lessons = pytest.mark.parametrize("each", first(8, all_lessons()[::-1]), ids=lambda each: each.name)


WORDS = {
    **{2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"},
    **{9: "nine", 10: "ten", 11: "eleven", 12: "twelve"},
}

NAMES_WITH_NUMBERS = r"GPT-\d|cl\d+k|o\d+k|UTF-\d+|[(（]Sennrich.*?\d{4}[)）]|Python 3\.7"
NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")

COMPUTED: list[str] = []
"""The parts checked by the claims running now."""

CLAIMS: dict[str, Callable[[], None]] = {}
"""The function that computes the claims of each lesson."""


def claims_of(name: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    def keep(function: Callable[[], None]) -> Callable[[], None]:
        CLAIMS[name] = function
        return function

    return keep


def of(name: str) -> Lesson:
    found = lesson(name)
    assert found is not None
    return found


def text_of(name: str) -> str:
    """All text of a lesson, without quoted textbook results."""
    each = of(name)
    words = [each.title, each.question, each.text, each.answer]
    return "\n".join(
        [
            *words,
            *(f"{held.printed.what}\n{held.printed.here}\n{held.printed.because}" for held in compared_results(each)),
        ]
    )


def translated_text_of(name: str, language: str) -> str:
    """`text_of` in another language, without what is computed here."""
    each = of(name)
    texts = [each.title, each.question, each.text, each.answer]
    texts += [text for printed in each.printed for text in (printed.what, printed.because)]
    return "\n".join(catalogue(language).gettext(text) for text in texts if text)


def says(name: str, *parts: object) -> None:
    """Assert that the lesson contains each of these; a number in digits or as a word."""
    for part in parts:
        forms = [f"{part:,}", str(part), WORDS.get(part, str(part))] if isinstance(part, int) else [str(part)]
        assert any(form in text_of(name) or form.capitalize() in text_of(name) for form in forms), part
        COMPUTED.extend(forms)


def not_computed(name: str, parts: list[str]) -> list[str]:
    """The numbers and segmentations in a lesson that none of these parts covers."""
    text = text_of(name)
    covered: set[int] = set()
    for part in parts:
        edge = r"(?<![\d,.])" if part[:1].isdigit() else r"(?<!\w)" if part[:1].isalpha() else ""
        end = r"(?![\d])(?![.,]\d)" if part[-1:].isdigit() else r"(?!\w)" if part[-1:].isalpha() else ""
        for found in re.finditer(edge + re.escape(part) + end, text, re.IGNORECASE):
            covered.update(range(*found.span()))
    words = "|".join(list(WORDS.values())[1:])
    pieces = r"(?<![*\w])\*(?!\*)(?P<pieces>[^*\n]+)(?<!\*)\*(?!\*)"
    sought = rf"({NAMES_WITH_NUMBERS})|{pieces}|(?P<number>{NUMBER.pattern}|\b(?i:{words})\b)"
    return [
        found.group()
        for found in re.finditer(sought, text)
        if not found.group(1)
        and not set(range(*found.span("pieces" if found.group("pieces") else "number"))) <= covered
    ]


def pieces(tokenizer: Tokenizer, text: str) -> str:
    return " ".join(tokenizer.token_bytes(int(i)).decode() for i in tokenizer.encode(text).ids)


def ids(tokenizer: Tokenizer, text: str) -> list[int]:
    encoded: Encoding = tokenizer.encode(text)
    return [int(token_id) for token_id in encoded.ids]


def trained(each: Lesson | None) -> Training:
    assert each is not None
    wanted = from_plain(dict(each.view)).training
    assert wanted is not None
    return train(wanted.source.text, wanted.config)


def merged(training: Training) -> list[tuple[str, int]]:
    tokenizer = training.tokenizer()
    return [(tokenizer.token_bytes(merge.token_id).decode(), merge.count) for merge in training.merges]


# -- the page -------------------------------------------------------------------------------------------------------


def on_lessons() -> AppTest:
    return AppTest.from_file(APP, default_timeout=60).run().switch_page("pages/lessons.py").run()


def test_there_are_enough_lessons_numbered_without_gaps() -> None:
    assert len(all_lessons()) == len(list(LESSON_FOLDER.glob("[0-9]*.toml"))) >= 10
    assert [each.number for each in all_lessons()] == list(range(1, len(all_lessons()) + 1))


@some_lessons
def test_a_lesson_opens_shows_its_answer_when_asked_and_leads_on(each: Lesson) -> None:
    app = on_lessons()
    app.button(key=f"open {each.name}").click().run()
    assert not app.exception
    assert each.question in [text.value for text in app.text]
    assert each.answer not in [text.value for text in app.markdown]
    app.button(key="reveal").click().run()
    assert each.answer in [text.value for text in app.markdown]
    assert pager(app, "lesson pager") == (each.number - 1, len(all_lessons()))
    if each is not all_lessons()[-1]:
        send_action(app, "open", each.number, "lesson pager")
        assert all_lessons()[each.number].question in [text.value for text in app.text]
        assert all_lessons()[each.number].answer not in [text.value for text in app.markdown]


@some_lessons
def test_the_button_of_a_lesson_opens_its_page_as_the_lesson_needs_it(each: Lesson) -> None:
    app = on_lessons()
    app.button(key=f"open {each.name}").click().run()
    link = next(found.proto for found in app.get("page_link"))
    app.query_params.update(parse_qs(link.query_string, keep_blank_values=True))
    app.switch_page(f"pages/{each.page}.py").run()
    for button in [button for button in app.button if button.key == "strip look"]:
        button.click().run()
    assert not app.exception
    assert not [text.value for text in app.text if "cannot be opened" in text.value]
    view = from_plain(dict(each.view))
    bar = address(app)
    assert bar["path"] == ("" if each.page == "train" else each.page)
    written = parse_qs(bar["query"], keep_blank_values=True)
    asked = parse_qs(link.query_string, keep_blank_values=True)
    assert {name: written.get(name) for name in asked} == asked
    if view.training is not None:
        if "source" in app.session_state:  # otherwise the default
            assert app.session_state["source"].text == view.training.source.text
            assert app.session_state["config"] == view.training.config
        assert app.session_state["step"] == view.training.step <= len(trained(each).merges)


@each_lesson
def test_an_answer_has_something_to_show_that_is_computed(each: Lesson) -> None:
    exhibit = each.exhibit
    kinds = [bool(exhibit.tokenizers), bool(exhibit.steps), bool(exhibit.table)]
    assert sum(kinds) == 1 or (sum(kinds) == 0 and compared_results(each))
    assert bool(exhibit.text) == (kinds[0] or kinds[1])
    assert not exhibit.steps or max(exhibit.steps) <= len(trained(each).merges)
    assert not exhibit.table or table_of(each).rows


def test_every_kind_of_table_is_used_by_a_lesson() -> None:
    assert {each.exhibit.table for each in all_lessons()} - {""} == set(TABLES)


def test_lessons_open_every_page() -> None:
    assert {each.page for each in all_lessons()} == {
        "train",
        "encode",
        "compare",
        "vocabulary",
        "algorithms",
        "pipeline",
    }


def test_a_printed_result_is_shown_beside_what_comes_out_here() -> None:
    app = on_lessons()
    app.button(key="open the_course_corpus").click().run()
    app.button(key="reveal").click().run()
    assert not app.exception
    shown = written(app)
    held = compared_results(of("the_course_corpus"))
    assert shown == [f"printed  {each.printed.printed}\nhere     {each.here}" for each in held]
    assert "printed  413.104\nhere     382.104" in shown
    captions = [caption.value for caption in app.caption]
    assert sum(caption.endswith("· the same here") for caption in captions) == 6
    assert sum(caption.endswith("· not the same here") for caption in captions) == 1


# -- courses ---------------------------------------------------------------------------------------------------------

COURSES = tomllib.loads((LESSON_FOLDER / "courses.toml").read_text("utf-8"))["course"]


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course["name"])
def test_a_course_is_45_minutes_of_lessons_that_there_are(course: dict[str, Any]) -> None:
    assert course.keys() == {"name", "title", "audience", "lessons"}
    names = [name for name, _ in course["lessons"]]
    assert len(names) == len(set(names))
    assert all(lesson(name) is not None for name in names)
    assert sum(minutes for _, minutes in course["lessons"]) == 45
    assert all(3 <= minutes <= 6 for _, minutes in course["lessons"])


def test_there_are_courses_for_every_audience() -> None:
    names = [course["name"] for course in COURSES]
    assert names == ["beginners", "engineers", "japanese_and_chinese", "textbooks", "research"]


def test_every_lesson_made_from_a_textbook_is_in_a_course() -> None:
    taught = {name for course in COURSES for name, _minutes in course["lessons"]}
    assert {"the_course_corpus", "the_end_of_a_word", "where_textbooks_differ", "names_in_tokens"} <= taught


# -- the numbers -----------------------------------------------------------------------------------------------------


@each_lesson
def test_every_number_and_every_segmentation_of_a_lesson_is_computed(each: Lesson) -> None:
    COMPUTED.clear()
    CLAIMS[each.name]()
    assert not_computed(each.name, COMPUTED) == []
    computed = {number for part in COMPUTED for number in NUMBER.findall(part)}
    computed |= in_words(text_of(each.name)) | SMALL
    for language in (language for language, known in LANGUAGES.items() if language != SOURCE and not known.draft):
        found = NUMBER.findall(re.sub(NAMES_WITH_NUMBERS, "", translated_text_of(each.name, language)))
        assert {*found} <= computed, language


def test_what_no_computation_says_is_found() -> None:
    COMPUTED.clear()
    CLAIMS["hug_pug"]()
    everything = list(COMPUTED)
    for part in ("20", "hug s", "four"):
        left = [each for each in everything if each != part]
        assert not_computed("hug_pug", left)


@claims_of("counting_letters")
def _counting_letters() -> None:
    assert ids(GPT2, "I like strawberry jam.")[2] == 41236
    assert ids(CL100K, "I like strawberry jam.")[2] == 73700
    says("counting_letters", "41236", "73700", *(pieces(by, "strawberry") for by in (GPT2, CL100K)))
    says("counting_letters", "strawberry".count("r"), *{len(ids(by, "strawberry")) for by in (GPT2, CL100K)})
    spelled = "s-t-r-a-w-b-e-r-r-y"
    assert pieces(GPT2, spelled) == " ".join(spelled)
    for joins in (CL100K, O200K):
        assert pieces(joins, spelled) == "s -t -r -a -w -b -e -r -r -y"
    says("counting_letters", pieces(CL100K, spelled)[:10])
    assert ids(CL100K, ".DefaultCellStyle") == [98518]
    shown = of("counting_letters").view["choices"]
    lines = shown["text"].split("\n")
    assert shown["at"] == len(shown["text"]) - len(lines[-1])
    comparison = compare(shown["text"], {"GPT-2": GPT2, "cl100k": CL100K})
    starts, ends = comparison.disagreement_ranges("GPT-2", "cl100k")
    assert lines[-1] == "strawberry"  # no line break is counted with it
    assert starts[-1] >= shown["at"] >= ends[-2]
    says("counting_letters", ".DefaultCellStyle", "98518", f"{WORDS['.DefaultCellStyle'.count('l')]} l")


@claims_of("hug_pug")
def _hug_pug() -> None:
    training = trained(of("hug_pug"))
    assert merged(training) == [("ug", 20), ("un", 16), ("hug", 15), ("pun", 12)]
    says("hug_pug", *(count for _, count in merged(training)), len(training.merges))
    segmentations = {word: pieces(training.tokenizer(), word) for word in ("hug", "pun", "pug", "bun", "hugs")}
    assert segmentations == {"hug": "hug", "pun": "pun", "pug": "p ug", "bun": "b un", "hugs": "hug s"}
    says("hug_pug", *(segmentations[word] for word in ("pug", "bun", "hugs")))
    counts = [sample("toy_hug").text.split().count(word) for word in segmentations]
    assert counts == [10, 12, 5, 4, 5]
    says("hug_pug", *counts)
    three = training.tokenizer(3)
    assert pieces(three, "bug mug thug") == "b ug <unk> ug <unk> hug"
    says("hug_pug", "<unk>", "Three merges")


@claims_of("overlaps")
def _overlaps() -> None:
    training = trained(of("overlaps"))
    says(
        "overlaps",
        training.merges[0].count,
        pieces(training.tokenizer(), "aaab"),
        len(ids(training.tokenizer(), "aaab")),
    )
    assert pieces(training.tokenizer(), "aaab") == "aa a b"
    by_rule = [
        merged(train("aaabdaaabac", TrainConfig(vocab_size=259, split="none", tie_break=rule)))  # type: ignore[arg-type]
        for rule in ("first-seen", "lowest-ids")
    ]
    assert [[token for token, _ in each] for each in by_rule] == [["aa", "aaa", "aaab"], ["aa", "ab", "aaab"]]
    says("overlaps", "256 is aa", "257 is aaa or ab", "258 is aaab", "three merges")


@claims_of("a_tie_decides")
def _a_tie_decides() -> None:
    first_seen = trained(of("a_tie_decides"))
    assert merged(first_seen)[:3] == [("lo", 3), ("loo", 2), ("he", 1)]
    assert merged(first_seen)[5] == ("hello</w>", 1)
    settings = {**sample("toy_loop").settings, "tie_break": "lowest-ids"}
    lowest = merged(train(sample("toy_loop").text, TrainConfig(**settings)))
    assert lowest[:3] == [("lo", 3), ("loo", 2), ("d</w>", 1)]
    says("a_tie_decides", "minbpe", "`tokenizers`", "rustbpe", f"{lowest[0][1]} times", f"{lowest[1][1]} times")
    undecided = [candidate.count for candidate in first_seen.at(2).candidates(50)]
    assert set(undecided) == {1}
    says("a_tie_decides", f"merge {of('a_tie_decides').view['step']} to merge {of('a_tie_decides').view['step'] + 1}")


@claims_of("split_before_you_merge")
def _split_before_you_merge() -> None:
    name = "split_before_you_merge"
    without = trained(of(name))
    text = from_plain(dict(of(name).view)).training.source.text  # type: ignore[union-attr]
    assert merged(without)[10] == ("sat on the ", text.count("sat on the"))
    assert "cat sat on the mat. the dog" in dict(merged(without))
    says(name, "cat sat on the mat. the dog")
    split = train(text, TrainConfig(vocab_size=276))
    assert len(without.merges) == len(split.merges) == 20
    assert {" cat", " dog"} <= {token for token, _ in merged(split)}
    says(name, text.count("sat on the"), "11 merges", "sat on the", len(without.merges))
    says(name, f"{without.token_count(20)} tokens", f"{split.token_count(20)} tokens")


@claims_of("more_merges")
def _more_merges() -> None:
    training = trained(of("more_merges"))
    count = training.token_count
    assert [count(0) - count(50), count(200) - count(250)] == [1205, 70]
    assert next(merge.rank + 1 for merge in training.merges if merge.count == 1) == 221
    says("more_merges", "first 50 merges", "merges 201 to 250", "50 merges", "100 merges", "all 256 merges")
    says("more_merges", count(0) - count(50), count(200) - count(250), *map(count, (0, 50, 100, len(training.merges))))
    says("more_merges", f"{training.compression(256):.2f}", "From merge 221 on")


@claims_of("the_leading_space")
def _the_leading_space() -> None:
    found = [token for text in ("hello hello", "Hello", " Hello") for token in ids(GPT2, text)]
    assert found == [31373, 23748, 15496, 18435]
    says("the_leading_space", *map(str, found), len(found))


@claims_of("python_indentation")
def _python_indentation() -> None:
    text = from_plain(dict(of("python_indentation").view)).choices["text"]
    lines = text.split("\n")
    says("python_indentation", *(len(ids(by, text)) for by in (GPT2, CL100K)), len(lines), "220")
    assert [ids(GPT2, line).count(220) for line in lines] == [0, 3, 7]
    assert GPT2.token_bytes(220) == b" "
    assert [CL100K.token_bytes(ids(CL100K, line)[0]) for line in lines[1:]] == [b" " * 3, b" " * 7]
    says("python_indentation", 3, 7, *(str(ids(CL100K, line)[0]) for line in lines[1:]))


@claims_of("numbers")
def _numbers() -> None:
    assert [pieces(by, "12345678") for by in (GPT2, CL100K)] == ["123 45 678", "123 456 78"]
    assert [pieces(by, "1000000") for by in (GPT2, CL100K)] == ["1 000000", "100 000 0"]
    assert pieces(CL100K, "12,345,678") == "12 , 345 , 678"
    assert pieces(GPT2, "1,000,000") == pieces(CL100K, "1,000,000") == "1 , 000 , 000"
    says("numbers", "123 45 678", "123 456 78", "1 000000", "100 000 0", 12345678, "12345678", 1000000, 3)
    assert max(len(each) for each in pieces(CL100K, "1234567890123").split()) == 3


@claims_of("why_japanese_costs_more")
def _why_japanese_costs_more() -> None:
    name, japanese, english = "why_japanese_costs_more", "日本語は高い。", "Tokens are not words."
    assert [len(ids(by, japanese)) for by in (GPT2, CL100K, O200K)] == [11, 8, 6]
    says(name, *(len(ids(by, japanese)) for by in (GPT2, CL100K, O200K)), len(japanese), len(english))
    assert {len(ids(by, english)) for by in (GPT2, CL100K, O200K)} == {5}
    assert {len(char.encode()) for char in japanese} == {3}
    says(name, 5, 3)
    assert pieces(O200K, japanese).startswith("日本 ")
    paragraphs = [[len(ids(by, sample(each).text)) for by in (GPT2, O200K)] for each in ("parallel_en", "parallel_ja")]
    assert paragraphs == [[84, 81], [234, 131]]
    says(name, *chain.from_iterable(paragraphs))


@claims_of("digits_from_the_right")
def _digits_from_the_right() -> None:
    name = "digits_from_the_right"
    cut = groupings()
    longer, equal = (8765432, 2345678, 11111110), (1234567, 7654321, 8888888)
    assert [one + other == total for one, other, total in (longer, equal)] == [True, True]
    assert trained(of(name)).config.split == with_digits("gpt2", "right")
    assert len(trained(of(name)).merges) == 19
    says(name, *map(str, longer), *map(str, equal), len(str(longer[2])), len(str(equal[2])))
    groups = {by: [make(str(number)) for number in longer] for by, make in cut.items()}
    for by in ("From the right", "cl100k", "GPT-2"):
        says(name, *("|".join(each) for each in groups[by]))
    assert groups["cl100k"] == groups["o200k"] == groups["From the left"]
    assert {by: agreeing(each) for by, each in groups.items()} == {
        **{"GPT-2": 3, "cl100k": 2, "o200k": 2},
        **{"One by one": 8, "From the left": 2, "From the right": 8},
    }
    says(name, "2 of 8", "all 8")
    assert agreeing([cut["From the left"](str(number)) for number in equal]) == 7
    says(name, "all 7")
    says(name, *(sum(map(len, groups[by])) for by in ("One by one", "From the right")))


@claims_of("fair_to_languages")
def _fair_to_languages() -> None:
    name = "fair_to_languages"
    texts = {each.language: each.text for each in all_samples() if each.group == "parallel"}
    config = TrainConfig(vocab_size=512, min_count=2)
    fair, by_bytes = (train_parity(texts, config, unit=unit) for unit in ("lines", "bytes"))
    usual = train_parity(texts, config, global_merges=512)
    before, after = (dict(zip(texts, each.tokens[-1].tolist(), strict=True)) for each in (usual, fair))
    says(name, len(texts), len(fair.served), before["English"], before["Russian"], after["English"], after["Russian"])
    says(name, f"{after['English'] / before['English'] - 1:.0%}".replace("%", " %"), "37")
    says(name, *(limit(each.values()) for each in (before, after) for limit in (min, max)))
    says(name, f"{gini(fair.tokens[-1]):.3f}", f"{gini(usual.tokens[-1]):.3f}")
    assert {fair.step(number).language for number in range(1, 13)} == {"Hindi", "Russian", "Greek"}
    assert [len(letter.encode()) for letter in "яγक"] == [2, 2, 3]
    says(name, "two or three bytes", 2, 3)
    served = Counter(fair.languages[at] for at in fair.served)
    says(name, f"{served['Russian']} of the 256", f"{WORDS[served['English']]} English")
    assert served["Spanish"] == 0
    says(name, sum(after.values()), sum(before.values()))
    says(name, f"{sum(after.values()) / sum(before.values()) - 1:.0%}".replace("%", " %"), "4")
    hindi = int(by_bytes.tokens[-1, by_bytes.languages.index("Hindi")])
    assert max(texts, key=lambda each: len(texts[each].encode())) == "Hindi"
    says(name, hindi, before["Hindi"])


@claims_of("emoji_by_bytes")
def _emoji_by_bytes() -> None:
    family = from_plain(dict(of("emoji_by_bytes").view)).choices["text"]
    people = family.split("\u200d")
    says("emoji_by_bytes", len(family), len(family.encode()), len(ids(GPT2, family)), len(people), len(people) - 1)
    assert ids(GPT2, family).count(41840) == len(people) == 4
    assert GPT2.token_bytes(41840) == "👨".encode()[:3]
    assert {len(person.encode()) for person in people} == {4}
    assert len(ids(GPT2, "\u200d")) == 2
    says("emoji_by_bytes", "41840", len(GPT2.token_bytes(41840)))


@claims_of("two_forms_of_e")
def _two_forms_of_e() -> None:
    first, second = from_plain(dict(of("two_forms_of_e").view)).choices["text"].split("\n")
    says("two_forms_of_e", len(first), len(first.encode()), len(second), len(second.encode()))
    assert pieces(GPT2, first) == "c af é"
    says("two_forms_of_e", pieces(GPT2, first), len(ids(GPT2, first)), len(ids(GPT2, second)))
    assert [GPT2.token_bytes(token_id) for token_id in ids(GPT2, second)] == [b"c", b"afe", b"\xcc", b"\x81"]


@claims_of("what_it_was_trained_on")
def _what_it_was_trained_on() -> None:
    training = trained(of("what_it_was_trained_on"))
    lines = from_plain(dict(of("what_it_was_trained_on").view)).choices["unseen"].split("\n")
    counts = [[len(ids(training.tokenizer(step), line)) for step in (0, 256)] for line in lines]
    assert counts == [[25, 8], [18, 18]]
    says(
        "what_it_was_trained_on",
        "from 0",
        *chain.from_iterable(counts),
        len(training.merges),
        f"{len(lines[1].encode())} bytes",
    )


@claims_of("the_longest_token")
def _the_longest_token() -> None:
    for tokenizer, token_id, data in ((CL100K, 58040, b" " * 128), (GPT2, 35496, "ÃÂ".encode() * 32)):
        assert tokenizer.token_bytes(token_id) == data
        special = set(tokenizer.special_tokens.values())
        known = [token for token in tokenizer.ids if token not in special]
        assert max(len(tokenizer.token_bytes(token)) for token in known) == len(data) == 128
        says("the_longest_token", str(token_id), len(data))
    assert round(CL100K.vocab_size, -3) == 100_000
    says("the_longest_token", "100,000", "ÃÂ", "32 times")


@claims_of("the_end_of_a_prompt")
def _the_end_of_a_prompt() -> None:
    name = "the_end_of_a_prompt"
    assert [GPT2.token_bytes(i) for i in ids(GPT2, "Hello world")] == [b"Hello", b" world"]
    space, bare, url = ids(GPT2, "Hello ")[-1], GPT2.token_id(b"world"), ids(GPT2, "http://www")[1]
    assert GPT2.token_bytes(space) == b" "
    says(name, "Hello world", str(ids(GPT2, "Hello world")[1]), str(space), "world", str(bare))
    with_space = [i for i in GPT2.ids if GPT2.token_bytes(i).startswith(b" ")]
    says(name, len(with_space), len(GPT2), GPT2.token_bytes(url).decode(), str(url))
    ends = prefixes(GPT2, sample("lantern_story").text)
    says(name, len(ends), f"{100 * sum(not each.stays for each in ends) / len(ends):.0f} %")
    healed = [heal(GPT2, prompt) for prompt in of(name).exhibit.words]
    assert list(healed[0].allowed) == with_space
    assert url in healed[2].allowed
    assert [row[2] for row in rows_of(of(name))] == [len(each.allowed) for each in healed] == [33_135, 17, 16]


@claims_of("tokens_never_learned")
def _tokens_never_learned() -> None:
    name = "tokens_never_learned"
    known, steps = glitch_tokens(GPT2), merged_at_once(GPT2)
    [counter] = ids(GPT2, " SolidGoldMagikarp")
    assert known[counter].origin == "counting"
    says(name, str(counter), "SolidGoldMagikarp", len(known), sum(each.origin == "counting" for each in known.values()))
    raw = GPT2.token_id(b"rawdownload")
    assert raw is not None
    assert steps[raw] == raw + 1
    says(name, len(steps), "rawdownload", str(raw), str(steps[raw]))
    [again] = ids(CL100K, " davidjl")
    assert {ids(GPT2, " davidjl")[0] in known, again in glitch_tokens(CL100K)} == {True}
    says(name, "davidjl", str(again), "2023")
    assert sum(row[1] for row in rows_of(of(name))) == len(known)


@claims_of("what_is_in_a_vocabulary")
def _what_is_in_a_vocabulary() -> None:
    counts = []
    for tokenizer, examples in ((GPT2, [" JavaScript"]), (CL100K, [".value", "getElement"])):
        kinds = [KINDS[kind] for kind in token_kinds(tokenizer).tolist()]
        by_token = dict(zip(map(tokenizer.token_bytes, tokenizer.ids), kinds, strict=True))
        assert {by_token[example.encode()] for example in examples} == {"Code-like"}
        says("what_is_in_a_vocabulary", *(example.strip() for example in examples))
        counts.append(Counter(kinds))
    old, new = counts
    assert round(new.total() / old.total(), 1) == 2
    assert round(5 * new["Code-like"] / new.total(), 1) == 1.0, "a fifth"
    says("what_is_in_a_vocabulary", new["Code-like"], old["Code-like"], old["White space"], new["White space"])
    says("what_is_in_a_vocabulary", new["Word starts"] - old["Word starts"])
    for kinds in counts:
        says("what_is_in_a_vocabulary", f"{100 * kinds['Word starts'] / kinds.total():.0f} %")


@claims_of("tokens_taken_back")
def _tokens_taken_back() -> None:
    name, given = "tokens_taken_back", OfLesson.of(of("tokens_taken_back"))
    config = TrainConfig(vocab_size=given.choices["size"], unit="char", split=given.config.split)
    picky, plain = train_picky(given.text, config), train(given.text, config)
    end, cost = plain.sweep([len(plain.merges)])[0], picky.cost()
    removals = [event for event in picky.events if isinstance(event, Removal)]
    says(name, f"{100 * picky.threshold:.0f} %", end.vocab_size, end.unused, len(removals), cost.unused)
    says(name, len(plain.merges), len(picky.events) - len(removals), cost.tokens, end.tokens)
    assert picky.vocab_size == plain.vocab_size
    assert [picky.token_bytes(token) for token, uses in picky.uses().items() if not uses] == [b"S"]
    used = set(plain.at(len(plain.merges)).occurrences()[0].tolist())
    unused = {plain.tokenizer().token(i) for i in plain.tokenizer().ids if i not in used}
    assert {"gh", " lanter", " sai"} <= unused
    [at] = [picky.events.index(each) + 1 for each in removals if picky.token_bytes(each.token_id) == b" lanter"]
    says(name, "gh", "·lanter", "·sai", f"step {at}", of(name).view["choices"]["at_step"] + 1, "n")
    for word in ("first", "water", "they"):
        assert len(picky.tokenizer().encode(f" {word}")) == 1 < len(plain.tokenizer().encode(f" {word}"))
        says(name, f"·{word}")
    both = [len(each.tokenizer().encode(" follow")) for each in (picky, plain)]
    assert any(
        picky.token_bytes(e.token_id) == b" follow" and picky.token_bytes(e.made) == b" followed" for e in removals
    )
    says(name, "·follow", "·followed", both[0], f"instead of {both[1]}")
    lower = train_picky(given.text, config, threshold=0.6)
    again = [event for event in lower.events if isinstance(event, PickyMerge) and event.is_new]
    assert len({event.token_id for event in again}) < len(again)
    assert sum(isinstance(event, Removal) for event in lower.events) > len(removals)
    essay = sample("printer_essay").text
    assert all(f"{len(each.tokenizer().encode(essay)):,}" in of(name).notes for each in (picky, plain))
    assert rows_of(of(name))[0][0] == "gh"


@claims_of("the_last_merges")
def _the_last_merges() -> None:
    text = sample("lantern_story").text
    counts = CL100K.tokens_over_merges(text).tolist()
    merges, kept = len(counts) - 1, 20_000
    first, last = counts[0], counts[-1]
    assert last == len(CL100K.encode(text))
    says("the_last_merges", merges, kept, counts[kept] - last, counts[kept], last, 1_000, first, counts[1_000])
    says("the_last_merges", f"{100 * (first - counts[1_000]) / (first - last):.0f} %", merges - kept)
    assert 0.03 < (counts[kept] - last) / (first - last) < 0.04
    says("the_last_merges", "4 %")
    late = Counter(i for i in ids(CL100K, text) if (CL100K.rank(i) or 0) >= 256 + kept)
    assert {CL100K.token_id(b" lantern"), CL100K.token_id(b" walnut")} <= set(late)
    says("the_last_merges", len(late), late.total(), "lantern", "walnut")


@claims_of("across_words")
def _across_words() -> None:
    name, story, essay = "across_words", sample("lantern_story").text, sample("printer_essay").text
    training, plain = trained(of(name)), train(story, TrainConfig(vocab_size=512))
    inside = plain.token_count(256)
    left = training.token_count(256)
    assert training.rule_change is not None
    changes = training.rule_change.step
    assert (changes, changes, 256) == (of(name).view["step"], 480 - 256, len(training.merges))
    says(name, 256, inside, left, 480, f"merge {changes}", 256 - changes, "a tenth")
    assert round(1 - left / inside, 2) == 0.10
    assert training.crossing.sum() == 256 - changes
    assert [plain.token_count(changes) - plain.token_count(256), "just one token"] == [256 - changes, "just one token"]
    assert dict(merged(training))[" on the hill"] == 2
    says(name, "on the hill* occurs twice")

    def changing_at(ids: int) -> Training:
        return train(story, TrainConfig(vocab_size=512, method="superbpe", transition=ids))

    says(name, "288", changing_at(288).token_count(256), changing_at(256).token_count(256))
    encoded = ids(training.tokenizer(), essay)
    crossing = {made.token_id for made, crosses in zip(training.merges, training.crossing, strict=True) if crosses}
    says(name, len(crossing & set(encoded)), len(encoded), len(ids(plain.tokenizer(), essay)))
    says(name, f"{100 * (1 - len(encoded) / len(ids(plain.tokenizer(), essay))):.0f} %")
    before_any = len(ids(changing_at(256).tokenizer(), essay))
    assert before_any > len(ids(plain.tokenizer(), essay))
    says(name, before_any)
    assert training.tokenizer().tokenize(" in the") == [" in the"]
    assert training.tokenizer().tokenize(" in then") == [" in", " then"]
    says(name, "in the* with its spaces is one token", "in then* is two")


@claims_of("many_segmentations")
def _many_segmentations() -> None:
    text, shown = sample("lantern_story").text, of("many_segmentations").view["choices"]["text"]
    word, typo = " lantern", " lantrn"
    assert word in shown
    assert typo in shown
    assert len(ids(GPT2, word)) == 1
    likely = likely_segmentations(GPT2, word, None, dropout=0.1)
    assert likely[0].ids == tuple(ids(GPT2, word))
    says("many_segmentations", 721, 1_000, "lantern", pieces(GPT2, typo).strip(), len(ids(GPT2, typo)))
    assert round(1_000 * likely[0].probability) == 721
    assert "".join(GPT2.token(i) + "|" for i in likely[1].ids) == " l|ant|ern|"
    says("many_segmentations", "l ant ern", f"{100 * likely[1].probability:.0f} %", "one")
    both = set(ids(GPT2, typo))
    assert not both & set(ids(GPT2, word))
    says("many_segmentations", f"{100 * sum(each.probability for each in likely if both & set(each.ids)):.0f} %")
    rows = {cells[0]: round(float(str(cells[1]))) for cells in rows_of(of("many_segmentations"))}
    assert rows[0.0] == len(ids(GPT2, text))
    assert rows[1.0] == len(text.encode())
    says("many_segmentations", *(rows[dropout] for dropout in (0.0, 0.1, 0.5, 1.0)), "0.1", "0.5", "1")
    [loud] = compare_fewest(GPT2, shown).words
    assert loud.text == " LOUD"
    says("many_segmentations", "L OU D", "LO UD", "ten")
    assert [GPT2.token(i) for i in loud.by_rule] == [" L", "OU", "D"]
    assert [GPT2.token(i) for i in loud.fewest] == [" LO", "UD"]


@claims_of("special_tokens")
def _special_tokens() -> None:
    name = "<|endoftext|>"
    assert pieces(GPT2, name).startswith("< | end ")
    assert GPT2.encode(name, special="parse").ids.tolist() == [50256]
    says("special_tokens", len(name), len(ids(GPT2, name)), "50256", *pieces(GPT2, name).split()[:3])


@claims_of("three_levels")
def _three_levels() -> None:
    rows = {str(cells[0]): cells[1:] for cells in rows_of(of("three_levels"))}
    assert rows == {"Characters": (39, 22, 0), "Whole words": (234, 4, 1), "Subwords, 100 merges": (139, 7, 0)}
    says("three_levels", "0", 22, 39, 234, 4, 7, 139, 100)
    training, sentence = trained(of("three_levels")), "The lowest lantern glows."
    assert set(sentence.split()) - set(sample("lantern_story").text.split()) == {"glows."}
    says("three_levels", pieces(training.tokenizer(), sentence))


@claims_of("optimal_against_greedy")
def _optimal_against_greedy() -> None:
    training = trained(of("optimal_against_greedy"))
    tokenizer = training.tokenizer()
    assert [token for token, _ in merged(training)] == ["an", "pa", "ns"]
    known = frozenset(tokenizer.pieces)
    shortest = min(every_segmentation("pans", known), key=len)
    assert shortest == encode_fewest(tokenizer, "pans").tokens == ["pa", "ns"]
    assert [way for way in every_segmentation("pans", known) if len(way) <= 2] == [shortest]
    says(
        "optimal_against_greedy",
        " ".join(shortest),
        len(shortest),
        pieces(tokenizer, "pans"),
        len(ids(tokenizer, "pans")),
    )
    says("optimal_against_greedy", len(training.merges))
    unigram = UnigramModel(dict.fromkeys(sorted(known), 1.0))
    assert unigram.best("pans").pieces == tuple(shortest)  # type: ignore[union-attr]


LINEAR_LAYER = """class LinearLayer():
    def __init__(self, input_size, output_size):
        self.weight = torch.randn(input_size, output_size)
        self.bias = torch.zeros(output_size)

    def __call__(self, x):
        return x @ self.weights + self.bias
    """
"""The class of Hugging Face's course, chapter 6."""


@claims_of("retraining_on_code")
def _retraining_on_code() -> None:
    rows = {str(cells[0]): cells[1:] for cells in rows_of(of("retraining_on_code"))}
    (seen, other, english) = rows.values()
    assert 0.5 < seen[0] / seen[1] < 0.6  # well over a third fewer
    assert 0.6 < other[0] / other[1] < 0.75  # about a third fewer
    assert other[2] < other[0]  # cl100k is ahead
    assert 1.5 < english[0] / english[1] < 1.75  # over half as many again
    tokenizer = trained(of("retraining_on_code")).tokenizer()
    assert {b" self", *(b"\n" + b" " * (depth - 1) for depth in (4, 8, 12))} <= set(
        map(tokenizer.token_bytes, tokenizer.ids)
    )
    snippet = from_plain(dict(of("retraining_on_code").view)).choices["unseen"]
    assert len(ids(CL100K, snippet)) < len(ids(tokenizer, snippet)) < len(ids(GPT2, snippet))
    says("retraining_on_code", GPT2.vocab_size, tokenizer.vocab_size, CL100K.vocab_size, 4, 8, 12)
    code = sample("python_library").text
    assert 300_000 < len(code) < 1_000_000
    assert not any(source_of(module)[:500] in code for module in UNSEEN_MODULES)
    assert snippet not in code
    assert snippet.startswith("def add_numbers(a, b):")
    function, layer = compared_results(of("retraining_on_code"))[-2:]
    # the training text is the library of the running Python, which differs between its versions
    assert function.here == f"{len(ids(GPT2, snippet))} and ≈ 30"
    assert 28 <= len(ids(tokenizer, snippet)) <= 32
    assert layer.here == "≈ 90"
    assert 86 <= len(ids(tokenizer, LINEAR_LAYER)) <= 95
    assert not {b"Linear", b" Linear", b"Layer", b" Layer"} & set(map(tokenizer.token_bytes, tokenizer.ids))
    says("retraining_on_code", function.here, layer.here, "GPT-2 is the same here")
    says("retraining_on_code", f"{tokenizer.vocab_size:,} ids and learned from some hundred KB")


@claims_of("score_against_count")
def _score_against_count() -> None:
    name = "score_against_count"
    bpe = train(sample("toy_hug").text, TrainConfig(vocab_size=20, unit="char", split="words"))
    assert [token for token, _ in merged(bpe)][:3] == ["ug", "un", "hug"]
    pairs = {f"{pair.left} {pair.right}": pair for pair in wordpiece(name).at(0).candidates(10)}
    chosen, most = pairs["##g ##s"], pairs["##u ##g"]
    assert chosen.chosen
    assert all(chosen.score > pair.score for pair in pairs.values() if pair is not chosen)
    for pair in (chosen, most):
        score = pair.count / (pair.left_count * pair.right_count)
        assert score == pytest.approx(pair.score)
        says(name, f"{pair.left} {pair.right}", f"{pair.count} ÷ ({pair.left_count} × {pair.right_count})", pair.count)
        says(name, f"{score:.2g}" if pair is chosen else f"{score:.3f}")
    says(name, bpe.merges[0].count, pairs["##u ##g"].left_count)
    assert "hug" in wordpiece(name).vocab
    merges = [merge.new for merge in wordpiece(name).merges]
    assert merges[:4] == ["##gs", "hu", "hugs", "hug"]
    says(name, f"first {WORDS[len(compared_results(of(name))[0].here.split())]} merges")


@claims_of("longest_match")
def _longest_match() -> None:
    training = wordpiece("longest_match")
    tokenizer = training.tokenizer()
    found = {word: " ".join(tokenizer.tokenize(word)) for word in ("pugs", "bugs", "mug")}
    assert found == {"pugs": "pug ##s", "bugs": "bu ##gs", "mug": "[UNK]"}
    assert {"pug", "pu", "##gs", "##s"} <= set(training.vocab)
    says("longest_match", *found.values(), "pu ##gs")
    bpe = train(sample("toy_hug").text, TrainConfig(vocab_size=20, unit="char", split="words")).tokenizer()
    says("longest_match", pieces(bpe, "mug"))
    early = train_wordpiece(sample("toy_hug").text, 15)
    assert len(early.merges) == 3
    assert "bu" not in early.vocab
    assert early.tokenizer().tokenize("bugs") == ["b", "##u", "##gs"]
    says("longest_match", "three merges", "three pieces")


@claims_of("the_best_path")
def _the_best_path() -> None:
    training = unigram("the_best_path")
    first, second, *_ = training.at(len(training.rounds)).model.segmentations("▁nothing", 5)
    for each in (first, second):
        says("the_best_path", " ".join(each.pieces), f"{each.score:.3f}")
    worse = second.score - first.score
    says("the_best_path", f"{worse:.3f}", f"{math.exp(worse) - 1:.1%}".replace("%", " %"))


@claims_of("dropping_pieces")
def _dropping_pieces() -> None:
    training = unigram("dropping_pieces")
    one = training.rounds[1]
    growth = {loss.piece: loss.increase for loss in (*one.removed, *one.kept)}
    assert "pu" in [loss.piece for loss in one.removed]
    assert max(growth, key=growth.__getitem__) == "▁pun"
    says("dropping_pieces", f"{growth['pu']:.2f}", f"{growth['▁pun']:.2f}", sample("toy_hug").text.split().count("pun"))
    model = training.at(1).model
    assert [model.best(f"▁{word}").pieces for word in ("pug", "pun")] == [("▁pug",), ("▁pun",)]  # type: ignore[union-attr]
    says("dropping_pieces", "▁pug", "▁pun", f"at round {of('dropping_pieces').view['choices']['at_step']}")
    both = COURSE_MODEL.segmentations("pug")[:2]
    assert both[0].score == pytest.approx(both[1].score)
    says("dropping_pieces", *(" ".join(each.pieces) for each in both))
    _by_hand(compared_results(of("dropping_pieces")))


def _by_hand(held: tuple[PrintedResult, ...]) -> None:
    name, total, words = "dropping_pieces", sum(COURSE_COUNTS.values()), sample("toy_hug").text.split()
    probability = COURSE_COUNTS["un"] / total * COURSE_COUNTS["hug"] / total
    assert held[0].here == f"un hug {probability:.6f}"
    says(name, f"{COURSE_COUNTS['un']}/{total} × {COURSE_COUNTS['hug']}/{total}", f"with {len(COURSE_COUNTS)} pieces")

    def loss(*without: str) -> float:
        model = UnigramModel({p: score for p, score in COURSE_MODEL.scores.items() if p not in without})
        return sum(model.best(word).score for word in words)  # type: ignore[union-attr]

    growth = [f"{loss(piece) - loss():.1f}" for piece in ("pu", "hug")]
    assert [each.here for each in held[1:]] == [f"{loss():.1f}", *growth]
    left = UnigramModel({piece: score for piece, score in COURSE_MODEL.scores.items() if piece != "hug"})
    assert left.best("hug").score == pytest.approx(COURSE_MODEL.segmentations("hug")[2].score)  # type: ignore[union-attr]
    assert left.best("hugs").score == pytest.approx(COURSE_MODEL.best("hugs").score)  # type: ignore[union-attr]
    says(name, f"{WORDS[words.count('hug')]} times hug")


@claims_of("word_starts")
def _word_starts() -> None:
    pieces_of = unigram("word_starts").tokenizer().tokenize("hughug")
    assert pieces_of == ["▁hug", "h", "u", "g"]
    says("word_starts", pieces_of[0], " ".join(pieces_of[1:]))
    vocab = wordpiece("word_starts").vocab
    assert "hug" in vocab
    assert "##hug" not in vocab
    says("word_starts", *wordpiece("word_starts").tokenizer().tokenize("hughug"))
    marks = {"hug": False, "##g": True, "▁hug": True, "·hug": True}
    says("word_starts", f"{WORDS[len(marks)]} ways")


@claims_of("a_pair_for_bert")
def _a_pair_for_bert() -> None:
    done = run("a_pair_for_bert")
    found, types = done.ids.tolist(), done.type_ids.tolist()
    assert done.tokenizer.special_tokens["[SEP]"] == 102
    assert done.tokenizer.special_tokens["[CLS]"] == found[0] == 101
    assert [at for at, token in enumerate(found) if token == 102] == [6, 16]
    assert types == [0] * 7 + [1] * 10
    says("a_pair_for_bert", "102", "101", 7, 10, "type **0**", "type **1**", len(found))


@claims_of("names_in_tokens")
def _names_in_tokens() -> None:
    name = "names_in_tokens"
    choices = from_plain(dict(of(name).view)).choices
    text, example = choices["text"], {item.key: value for item, value in NAMES.chosen}
    marks, scores = choices["mark"], choices["score"]
    assert example == {"pipeline text": text, "pipeline marks": marks, "pipeline scores": scores}
    made = batch([text], GPT2, template="end of text")
    spans = [span for each in marks if (span := mark_of(each))]
    chosen = [guess for each in scores if (guess := guess_of(each))]
    labelled = Labelled(text, token_rows(made.rows[0], made.tokenizer), spans, chosen)
    [word] = labelled.disagreeing
    says(name, len(word), " ".join(str(labelled.rows[at].token).strip() for at in word))
    says(name, ", ".join(str(labelled.iob2[at]) for at in word))
    both = [at for at, tag in enumerate(labelled.iob1) if str(tag).startswith("B-")]
    assert [str(labelled.rows[at].token) for at in both] == [" Tom"]
    assert [str(labelled.rows[at - 1].token) for at in both] == [" Anna"]
    says(name, "Only *Tom*", "Tom", "IOB1 only right after another name")
    assert [str(labelled.iob2[each.tokens[0]])[:2] for each in labelled.places] == ["B-"] * len(spans)
    says(name, "IOB2 writes B- on every name")
    for strategy, label in (("first", "PER"), ("max", "ORG"), ("average", "LOC")):
        found = labelled.entities(strategy)[-1]  # type: ignore[arg-type]
        assert (found.label, text[found.start : found.end]) == (label, "Sorrelby")
        says(name, f"**{strategy}** says {label}", f"{found.score:.2f}")
    _scores_of_the_course(name)
    _cased_tokens_of_the_course(name)


def _scores_of_the_course(name: str) -> None:
    """The tokens S ##yl ##va ##in, Hu ##gging and Face with the scores that the course prints."""
    printed = [0.99938285, 0.99815494, 0.99590725, 0.99923277, 0.9738931, 0.976115, 0.98879766]
    tags = ["O", "I-PER", "I-ORG"]
    scores = [[1 - score, score, 0.0] if at < 4 else [1 - score, 0.0, score] for at, score in enumerate(printed)]
    ranges, words = [(0, 1), (1, 3), (3, 5), (5, 7), (11, 13), (13, 18), (19, 23)], [0, 0, 0, 0, 1, 1, 2]
    first, largest, *_others = compared_results(of(name))
    [sylvain, _face] = entities(scores, tags, ranges, words, "first")
    assert f"{sylvain.score:.6f}" == first.here
    assert f"{printed[0]:.5f}" == "0.99938"
    [_sylvain, face] = entities(scores, tags, ranges, words, "max")
    assert f"{face.score:.6f}" == largest.here
    assert f"{printed[6]:.6f}" == largest.printed.printed
    says(name, first.here, largest.here, "0.99938: two digits")
    says(name, f"{printed[5]:.6f} for Hugging and {printed[6]:.6f} for Face")


def _cased_tokens_of_the_course(name: str) -> None:
    """Words, places and label ids of the course's sentence under BERT cased, and its scores of names."""
    chosen = {item.key: value for item, value in COURSE_NAMES.chosen}
    text = chosen["pipeline text"]
    made = batch([text], load_pretrained(chosen["pipeline with"]), template=chosen["pipeline template"])
    spans = [span for each in chosen["pipeline marks"] if (span := mark_of(each))]
    guesses = [guess for each in chosen["pipeline scores"] if (guess := guess_of(each))]
    labelled = Labelled(text, token_rows(made.rows[0], made.tokenizer), spans, guesses)
    computed = (
        "“" + " ".join(str(row.token) for row in labelled.rows) + "”",
        " ".join(str(row.word) for row in labelled.rows),
        " ".join(f"({start},{end})" for start, end in labelled.ranges),
        " ".join(map(str, labelled.scores.argmax(axis=1).tolist())),
        "  ".join(f"{text[each.start : each.end]} {each.score:.4f}" for each in labelled.entities("simple")),
    )
    assert [row.word for row in labelled.rows].count(3) == 4
    found = compared_results(of(name))[2:]
    assert tuple(each.here for each in found) == computed
    assert all(each.equal for each in found)
    assert COURSE_NAMES in EXAMPLES
    says(name, *computed, COURSE_NAMES.title, "Four tokens with a 3 are the word Sylvain")
    assert "B-PER" not in {guess.first for guess in guesses}
    assert [labelled.iob1[at] for at in (4, 12, 16)] == ["I-PER", "I-ORG", "I-LOC"]
    says(name, "I-PER is 4, I-ORG 6, I-LOC 8", "learned from IOB1 tags")
    assert [TAGS.index(tag) for tag in ("I-PER", "I-ORG", "I-LOC")] == [4, 6, 8]


@claims_of("offsets_after_changes")
def _offsets_after_changes() -> None:
    name, done = "offsets_after_changes", run("offsets_after_changes")
    passage = done.passages[0]
    before, after = passage.normalized.original, passage.normalized.text
    says(name, len(before), len(after), sum(after.count(accent) for accent in "\u0301\u0303"))
    first = after.index("\u0303")
    tokens = [at for at in range(len(passage.encoding)) if passage.tokens.text_starts[at] == first]
    assert len(tokens) == 2
    places = {(int(passage.tokens.starts[at]), int(passage.tokens.ends[at])) for at in tokens}
    assert places == {(2, 3)}
    assert before[2] == "ñ"
    says(name, "(2, 3)", "character 3")


@claims_of("a_chat_in_tokens")
def _a_chat_in_tokens() -> None:
    given = OfLesson.of(of("a_chat_in_tokens"))
    special = {markup: special_tokens(run_chat(given, markup)) for markup in ("parsed", "special", "text")}
    assert special == {"parsed": 8, "special": 6, "text": 0}
    says("a_chat_in_tokens", *special.values(), special["parsed"] - special["special"], len(special))


@claims_of("byte_fallback")
def _byte_fallback() -> None:
    name, korean = "byte_fallback", "안녕하세요"
    text = sample("toy_sentencepiece").text
    tokenizer = trained(of(name)).tokenizer()
    found = tokenizer.encode(korean)
    assert b"".join(token.bytes for token in found) == korean.encode()
    assert run(name).passages[0].decoded == f"hello {korean}"
    says(name, len(korean), f"{len(found)} tokens", len("안".encode()), "안".encode().hex(" ").upper(), 256)
    without = train(text, TrainConfig(unit="char", vocab_size=140)).tokenizer().encode(korean)
    assert [token.bytes for token in without] == [b"<unk>"] * len(korean)
    says(name, f"{len(without)} times", "<unk>")
    assert train_sentencepiece(text, 140).tokenizer().tokenize(korean) == ["▁", "<unk>"]
    pieces_of = train_sentencepiece(text, 400, byte_fallback=True).tokenizer()
    assert [pieces_of.token(i) for i in range(3)] == ["<unk>", "<s>", "</s>"]
    assert pieces_of.token(0xEC + 3) == "<0xEC>"
    says(name, str(0xEC), "id 239", "400 ids", "and 3")


@claims_of("parts_of_a_character")
def _parts_of_a_character() -> None:
    name, text = "parts_of_a_character", "駅の時計"
    says(name, len(text), *(len(ids(by, text)) for by in (GPT2, CL100K, O200K)), pieces(O200K, text))
    assert [len(ids(by, text)) for by in (GPT2, CL100K, O200K)] == [8, 6, 3]
    crossing = next(token.bytes for token in GPT2.encode(text) if token.bytes.startswith("の".encode()))
    assert crossing == "の".encode() + "時".encode()[:1]
    says(name, "の".encode().hex(" ").upper(), crossing.hex(" ").upper(), len("の".encode()))


@claims_of("words_without_spaces")
def _words_without_spaces() -> None:
    name, training = "words_without_spaces", trained(of("words_without_spaces"))
    tokens = merged(training)
    longest = max((token for token, _ in tokens), key=len)
    assert dict(tokens)[longest] == 1
    assert max(sample("japanese_station_clock").text.split("。"), key=lambda each: longest in each).count(longest) == 1
    says(name, training.token_count(0), int(training.at(0).corpus.counts.sum()), len(training.merges), len(longest))
    assert [token for token, _ in tokens[:3]] == ["時計", "した", "ました"]
    says(name, *(token for token, _ in tokens[:3]), f"{tokens[0][1]} times")


@claims_of("half_width")
def _half_width() -> None:
    half, full = "ｶﾞﾗｽ", "ガラス"
    says("half_width", len(half), len(full), *(len(ids(GPT2, word)) for word in (half, full)))
    by_nfkc = GPT2.with_stages(normalization="NFKC")
    assert ids(by_nfkc, half) == ids(by_nfkc, full) == ids(GPT2, full)
    says("half_width", " ".join(map(str, ids(GPT2, full))))


@claims_of("where_dictionaries_err")
def _where_dictionaries_err() -> None:
    name, text = "where_dictionaries_err", of("where_dictionaries_err").view["choices"]["text"]
    by_reader = ["外国人", "参政権", "乒乓球拍", "卖", "完", "了"]
    by_dictionary = ["外国", "人参", "政権", "乒乓球", "拍卖", "完了"]  # tests/javascript/word_breaks.test.js
    assert RECORDED["外国人参政権"] == "|".join(by_dictionary[:3])
    words = dictionary_words(text, lambda _: by_reader)
    wrong = word_agreement(dictionary_words(text, lambda _: by_dictionary).starts, words)
    tokens = word_agreement(compare(text, {"o200k": O200K}).boundaries("o200k"), words)
    says(name, " ".join(by_dictionary[:3]), " ".join(by_dictionary[3:]), f"{wrong.words} words", f"cut {wrong.cut}")
    says(name, f"{len(ids(O200K, text))} tokens cut {tokens.cut}")
    assert len(ids(O200K, "外国")) == 1
    assert all(len(ids(O200K, char)) > 1 for char in "権乒乓")


@claims_of("simplified_and_traditional")
def _simplified_and_traditional() -> None:
    name = "simplified_and_traditional"
    simplified, traditional = of(name).view["choices"]["text"].split("\n")
    counts = [[len(ids(by, line)) for line in (simplified, traditional)] for by in (O200K, CL100K, GPT2)]
    says(name, simplified, traditional, f"{len(simplified)} characters", *chain.from_iterable(counts))
    assert len(traditional) == len(simplified)
    assert [len(ids(O200K, char)) for char in ("发", "發", "发财", "髮")] == [1, 1, 1, 2]
    says(name, "发财")
    assert [len(ids(by, "，")) for by in (CL100K, O200K, GPT2)] == [1, 1, 3]
    says(name, 3)
    for form in ("NFC", "NFKC"):
        assert O200K.with_stages(normalization=form).encode(simplified).text != traditional


@claims_of("what_nfkc_changes")
def _what_nfkc_changes() -> None:
    name = "what_nfkc_changes"
    form = O200K.with_stages(normalization="NFKC")
    company, variant, repeated, long = "㍿", "葛\U000e0100", "人々", "ビール"
    assert of(name).view["choices"]["text"].split() == [company, variant, repeated, long]
    assert [form.encode(each).text == each for each in (company, variant, repeated, long)] == [False, True, True, True]
    assert form.encode(company).text == "株式会社"
    assert ids(O200K, "株式会社") == ids(form, company)
    assert len(company.encode()) == len(ids(O200K, company)) == 3
    says(name, f"{len(ids(O200K, company))} tokens", f"U+{ord(variant[1]):X}", 4)
    says(name, f"{len(ids(O200K, variant))} tokens instead of {len(ids(O200K, '葛'))}")
    assert [len(ids(by, "々")) for by in (O200K, GPT2)] == [1, 2]
    says(name, f"{long} is {len(ids(O200K, long))} tokens, ビ-ル {len(ids(O200K, 'ビ-ル'))}")


@claims_of("no_space_to_split_at")
def _no_space_to_split_at() -> None:
    name, text = "no_space_to_split_at", sample("japanese_station_clock").text
    choices = of(name).view["choices"]
    says(name, f"{len(text)} characters", f"{choices['size']} pieces")
    for model in ("bpe", "unigram"):
        tokenizer = train_sentencepiece(text, choices["size"], model_type=model).tokenizer()
        says(name, " ".join(tokenizer.tokenize(choices["word"])))
        starts = sum(piece.startswith("▁") for piece in tokenizer.tokenize(text))
        assert starts == len([line for line in text.split("\n") if line])
        says(name, f"each of the {starts} lines")


@claims_of("the_course_corpus")
def _the_course_corpus() -> None:
    name, text = "the_course_corpus", sample("course_corpus").text
    lines, words = text.split("\n"), text.split()
    held = {each.printed.what: each for each in compared_results(of(name))}
    assert [what for what, each in held.items() if not each.equal] == ["Unigram, the loss of the 300 pieces"]
    merges, pieces_of, loss = (
        held[what] for what in held if what.startswith(("BPE, 19", "WordPiece, the", "Unigram, the"))
    )
    training = course_unigram()
    assert training.rounds[0].loss + len(words) == pytest.approx(413.10377642940875, abs=1e-12)
    assert loss.here == f"{training.rounds[0].loss:.3f}"
    seed, kept = len(training.at(0).model.scores), len(training.vocab)
    says(name, len(lines), len(merges.printed.printed.split()), len(words), "start with 0", "score of 1 instead of 0")
    says(
        name,
        "with a score of 1",
        "counts 1 too much",
        "the same 1",
        f"{loss.here} + {len(words)} = 413.104",
        "413.104 is",
    )
    says(
        name,
        loss.here,
        "413.104",
        "Four sentences, three algorithms",
        "size 70 for WordPiece, 100 for Unigram",
        "BPE, 19 merges",
        f"{kept}, since 100 at most",
    )
    says(
        name,
        "the last 25 of 70 ids",
        f"the loss of the {seed} pieces",
        f"From {seed} pieces down to {kept}, since 100 at most",
    )
    assert len(train_wordpiece(text, 70).vocab) == 70
    assert len(pieces_of.printed.printed.split()) == 25


@claims_of("the_end_of_a_word")
def _the_end_of_a_word() -> None:
    name = "the_end_of_a_word"
    tokens = merged(trained(of(name)))
    assert tokens[2] == ("est</w>", 9)
    assert [count for _, count in tokens[5:8]] == [6, 6, 6]
    assert tokens[4][1] > 6 > tokens[8][1]
    says(name, "est</w>", "third merge, 9 times", "est", "Merges 6 to 8 tie at 6", len(tokens), "Merges 7 and 8")
    says(name, *(token for token, _ in tokens[5:8]))
    tied = {(c.left, c.right) for c in trained(of(name)).at(6).candidates(30) if c.count == 6}
    joined = {b"".join(map(trained(of(name)).tokenizer().token_bytes, pair)).decode() for pair in tied}
    assert joined == {"new", "west</w>"}
    says(name, "west</w>", "all occur 6 times", " ".join(token for token, _ in tokens[6:8]))


@claims_of("where_textbooks_differ")
def _where_textbooks_differ() -> None:
    name = "where_textbooks_differ"
    each = of(name)
    by_rule = {
        rule: train("abababcb", TrainConfig(vocab_size=261, split="none", tie_break=rule))  # type: ignore[arg-type]
        for rule in ("first-seen", "lowest-ids", "first-counted")
    }
    left = by_rule["first-seen"].at(2).candidates(10)
    assert [candidate.count for candidate in left] == [1, 1, 1]
    third = {rule: training.merges[2] for rule, training in by_rule.items()}
    token = by_rule["first-seen"].tokenizer().token_bytes
    assert [token(third["first-seen"].left), token(third["first-seen"].right)] == [b"abab", b"ab"]
    assert (third["lowest-ids"].left, third["lowest-ids"].right) == (ord("c"), ord("b")) == (99, 98)
    assert third["first-counted"] == third["lowest-ids"]
    says(name, len(left), "abab ab", "c b", "99 and 98", "merge 2 to merge 3", "A third rule")
    pairs, tie, fraction, p_5, two_ways, longest, start, spaces, any_pair, rules = compared_results(each)
    says(name, len(compared_results(each)), *(held.here for held in (fraction, p_5, start)))
    assert pairs.here == ", ".join(f"({token(c.left).decode()}, {token(c.right).decode()}) {c.count}" for c in left)
    says(name, "after two merges", "The third merge", "these two are neighbours", pairs.here)
    _wordpiece_fraction(fraction)
    _five_for_p(p_5)
    assert f"{17 * 20 / 210**2:.6f}" == two_ways.here
    assert f"{5 * 20 / 210**2:.7f}" == two_ways.printed.printed
    says(name, two_ways.here, "5/210 × 20/210", "5 for 17", "17 times", "17/210 × 20/210")
    bert = load_pretrained("bert-base-uncased")
    assert bert.tokenize("a" * 101) == ["[UNK]"] != bert.tokenize("a" * 100)
    says(name, longest.here)
    _start_of_the_search(start)
    assert spaces.here == " ".join(map(str, ids(GPT2, "    hello world!!!")))
    assert GPT2.token_bytes(ids(GPT2, "    hello world!!!")[3]) == b" hello"
    assert [GPT2.token_bytes(int(i)) for i in spaces.printed.printed.split()[4:]] == [b"hello", b" problem", b" BEL"]
    says(name, "Four spaces", "four spaces", "three tokens 220", "23748", "four spaces")
    _any_known_pair(any_pair)
    assert tie.equal
    assert "minbpe" in rules.here
    assert "rustbpe" in rules.here
    assert "the first counted" in rules.here


def test_each_program_decides_the_tie_in_abababcb_as_the_lesson_says() -> None:
    by_minbpe, by_others = (
        train("abababcb", TrainConfig(vocab_size=259, split="none", tie_break=rule)).tokenizer().token_bytes(258)
        for rule in ("first-seen", "lowest-ids")
    )
    assert compared_results(of("where_textbooks_differ"))[1].here.encode() == by_others
    peer = rustbpe.Tokenizer()
    peer.train_from_iterator(["abababcb"], 259, pattern=".+")
    assert [bytes(token) for token, rank in peer.get_mergeable_ranks() if rank == 258] == [by_others]
    library = LibraryTokenizer(models.BPE())
    library.train_from_iterator(["abababcb"], trainers.BpeTrainer(vocab_size=6, show_progress=False))
    assert {token: i for token, i in library.get_vocab().items() if i == 5} == {by_others.decode(): 5}
    tokens = [bytes([byte]) for byte in b"abababcb"]
    for _ in range(3):  # minbpe's rule: of the most frequent pairs, the one counted first
        counts = Counter(pairwise(tokens))
        pair = max(counts, key=counts.__getitem__)
        joined: list[bytes] = []
        for token in tokens:
            if (joined[-1:], token) == ([pair[0]], pair[1]):
                joined[-1] = pair[0] + pair[1]
            else:
                joined.append(token)
        tokens = joined
    assert pair[0] + pair[1] == by_minbpe


def _wordpiece_fraction(held: PrintedResult) -> None:
    training = train_wordpiece(sample("toy_hug").text, 20)
    pairs = {f"{pair.left} {pair.right}": pair for pair in training.at(2).candidates(20)}
    scores = {n: Fraction(p.count, p.left_count * p.right_count) for n, p in pairs.items()}
    assert scores["hu ##g"] == Fraction(10, 15 * 15) == Fraction(2, 45) < scores["p ##u"] == Fraction(1, 21)
    assert scores["hu ##gs"] == Fraction(1, 15) == max(scores.values())
    pair = pairs["hu ##g"]
    name = "where_textbooks_differ"
    says(name, f"{pair.count}/({pair.left_count} × {pair.right_count}) = {scores['hu ##g']}")
    says(name, f"hu occurs {pair.left_count} times, ##g {pair.right_count} times, both together {pair.count} times")
    says(name, f"{scores['hu ##g']} is less than the {scores['p ##u']} of p + ##u", f"##gs has {scores['hu ##gs']}")


def _five_for_p(held: PrintedResult) -> None:
    words = sample("toy_hug").text.split()
    counts = {piece: sum(word.count(piece) for word in words) for piece in COURSE_COUNTS}
    assert counts == COURSE_COUNTS
    total = sum(counts.values())
    assert total == 210
    right = math.prod(counts[letter] / total for letter in "pug")
    assert f"{right:.6f}" == "0.001322"
    assert f"{5 * 36 * 20 / 210**3:.6f}" == held.printed.printed[-8:]
    assert math.exp(-COURSE_MODEL.segmentations("pug")[-1].score) == pytest.approx(right)
    assert words.count("pug") == 5
    name, both = "where_textbooks_differ", [math.exp(-way.score) for way in COURSE_MODEL.segmentations("pug")[:2]]
    assert {f"{probability:.6f}" for probability in both} == {"0.007710"}
    says(name, "counts p 17 times; 5 is the count of the word pug", "With 17", "0.007710", f"{5 * 20 / 210**2:.7f}")
    says(name, f"{counts['p']}/{total} × {counts['u']}/{total} × {counts['g']}/{total} = {right:.6f}")


def _start_of_the_search(held: PrintedResult) -> None:
    training = course_unigram()
    seed = training.at(0).model
    score = seed.best("▁Hopefully").score  # type: ignore[union-attr]
    assert held.here == f"{score:.3f}"
    assert held.printed.printed == f"{score + 1:.3f}"
    name = "where_textbooks_differ"
    says(name, held.here, f"among {len(seed.scores)} pieces", "a score of 1", "begins with 0", "is 1 too high")
    says(name, f"the loss of {len(sample('course_corpus').text.split())} words by 31")


def _any_known_pair(held: PrintedResult) -> None:
    text = sample("lantern_story").text
    training = train(text)
    tokenizer = training.tokenizer()
    known = {tokenizer.token_bytes(token_id) for token_id in tokenizer.ids}
    tokens = 0
    for word, count in training.at(0).words():
        parts, before = [tokenizer.token_bytes(token_id) for token_id in word], 0
        while len(parts) != before:
            before, at, joined = len(parts), 0, []
            while at < before:
                is_known = at + 1 < before and parts[at] + parts[at + 1] in known
                joined.append(parts[at] + parts[at + 1] if is_known else parts[at])
                at += 2 if is_known else 1
            parts = joined
        tokens += count * len(parts)
    in_order = len(ids(tokenizer, text))
    says("where_textbooks_differ", f"{in_order} tokens of its {len(training.merges)} merges by rank, and {tokens} if")


# -- helpers of the claims ---------------------------------------------------------------------------------------------

COURSE_COUNTS = {
    **{"h": 15, "u": 36, "g": 20, "hu": 15, "ug": 20, "p": 17, "pu": 17, "n": 16},
    **{"un": 16, "b": 4, "bu": 4, "s": 5, "hug": 15, "gs": 5, "ugs": 5},
}
COURSE_MODEL = UnigramModel.of_counts(COURSE_COUNTS)


def course_unigram() -> UnigramTraining:
    return train_unigram(sample("course_corpus").text, 100, seed_size=300)


def unigram(name: str) -> UnigramTraining:
    return OfLesson.of(of(name)).unigram()


def wordpiece(name: str) -> Any:
    given = OfLesson.of(of(name))
    return train_wordpiece(given.text, given.choices["size"])


def run(name: str) -> Pipeline:
    return run_pipeline(OfLesson.of(of(name)))


def rows_of(each: Lesson) -> list[tuple[Any, ...]]:
    return list(zip(*(column.cells for column in table_of(each).columns), strict=True))


def every_segmentation(word: str, known: frozenset[str]) -> list[list[str]]:
    """All segmentations, by trying every set of boundaries in the word."""
    places = range(1, len(word))
    chosen = [(0, *inner, len(word)) for count in range(len(word)) for inner in combinations(places, count)]
    ways = [[word[a:b] for a, b in pairwise(each)] for each in chosen]
    return [way for way in ways if set(way) <= known]
