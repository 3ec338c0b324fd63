"""Lessons: every one opens as it says, and every number in them is true."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import Encoding, Tokenizer, TrainConfig, Training, load_pretrained, train
from tests.app.sending import pager, send_action
from ui.session.lessons import LESSON_FOLDER, Lesson, all_lessons, lesson
from ui.session.samples import sample
from ui.session.shared_view import from_plain

APP = str(Path(__file__).parents[2] / "app.py")

GPT2, CL100K, O200K = map(load_pretrained, ("gpt2", "cl100k_base", "o200k_base"))

each_lesson = pytest.mark.parametrize("each", all_lessons(), ids=lambda each: each.name)


def told(name: str) -> str:
    found = lesson(name)
    assert found is not None
    return " ".join([found.question, found.text, found.answer])


def says(name: str, *parts: object) -> None:
    for part in parts:
        assert (f"{part:,}" if isinstance(part, int) else str(part)) in told(name), part


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
    assert len(all_lessons()) == len(list(LESSON_FOLDER.glob("*.toml"))) >= 10
    assert [each.number for each in all_lessons()] == list(range(1, len(all_lessons()) + 1))


@each_lesson
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
        send_action(app, "go", each.number, "lesson pager")
        assert all_lessons()[each.number].question in [text.value for text in app.text]
        assert all_lessons()[each.number].answer not in [text.value for text in app.markdown]


@each_lesson
def test_the_button_of_a_lesson_opens_its_page_as_the_lesson_needs_it(each: Lesson) -> None:
    app = on_lessons()
    app.button(key=f"open {each.name}").click().run()
    link = next(found.proto for found in app.get("page_link"))
    app.query_params.update(parse_qs(link.query_string, keep_blank_values=True))
    app.switch_page(f"pages/{each.page}.py").run()
    assert not app.exception
    assert not [text.value for text in app.text if "cannot be opened" in text.value]
    view = from_plain(dict(each.view))
    address = _address(app)
    assert address["path"] == ("" if each.page == "train" else each.page)
    written = parse_qs(address["query"], keep_blank_values=True)
    asked = parse_qs(link.query_string, keep_blank_values=True)
    assert {name: written.get(name) for name in asked} == asked
    if view.training is not None:
        if "source" in app.session_state:  # else it is the one that every visitor begins with
            assert app.session_state["source"].text == view.training.source.text
            assert app.session_state["config"] == view.training.config
        assert app.session_state["step"] == view.training.step <= len(trained(each).merges)


def _address(app: AppTest) -> dict[str, Any]:
    protos = [found.proto for found in app.get("bidi_component") if found.proto.component_name == "bpe_lab_address"]
    data: dict[str, Any] = json.loads(protos[-1].bytes.partition(b"\n")[0])
    return data


@each_lesson
def test_an_exhibit_has_somebody_who_cuts_it(each: Lesson) -> None:
    assert bool(each.exhibit.tokenizers) != bool(each.exhibit.steps)
    assert not each.exhibit.steps or max(each.exhibit.steps) <= len(trained(each).merges)


# -- the numbers -----------------------------------------------------------------------------------------------------


def test_counting_letters_is_true() -> None:
    assert ids(GPT2, "I like strawberry jam.")[2] == 41236
    assert ids(CL100K, "I like strawberry jam.")[2] == 73700
    says("counting_letters", "41236", "73700", *(pieces(by, "strawberry") for by in (GPT2, CL100K)))
    assert (pieces(GPT2, "strawberry"), pieces(CL100K, "strawberry")) == ("st raw berry", "str aw berry")
    assert "strawberry".count("r") == 3


def test_hug_pug_is_true() -> None:
    training = trained(lesson("hug_pug"))
    assert merged(training) == [("ug", 20), ("un", 16), ("hug", 15), ("pun", 12)]
    segmentations = {word: pieces(training.tokenizer(), word) for word in ("hug", "pun", "pug", "bun", "hugs")}
    assert segmentations == {"hug": "hug", "pun": "pun", "pug": "p ug", "bun": "b un", "hugs": "hug s"}
    assert [sample("toy_hug").text.split().count(word) for word in segmentations] == [10, 12, 5, 4, 5]


def test_overlaps_is_true() -> None:
    training = trained(lesson("overlaps"))
    assert training.merges[0].count == 2
    assert pieces(training.tokenizer(), "aaab") == "aa a b"


def test_a_tie_decides_is_true() -> None:
    first_seen = trained(lesson("a_tie_decides"))
    assert merged(first_seen)[:3] == [("lo", 3), ("loo", 2), ("he", 1)]
    assert merged(first_seen)[5] == ("hello</w>", 1)
    settings = {**sample("toy_loop").settings, "tie_break": "lowest-ids"}
    lowest = merged(train(sample("toy_loop").text, TrainConfig(**settings)))
    assert lowest[:3] == [("lo", 3), ("loo", 2), ("d</w>", 1)]


def test_split_before_you_merge_is_true() -> None:
    each = lesson("split_before_you_merge")
    without = trained(each)
    text = from_plain(dict(each.view)).training.source.text  # type: ignore[union-attr]
    assert text.count("sat on the") == 6
    assert merged(without)[10] == ("sat on the ", 6)
    split = train(text, TrainConfig(vocab_size=276))
    assert [len(without.merges), without.token_count(20), split.token_count(20)] == [20, 55, 75]
    assert {" cat", " dog"} <= {token for token, _ in merged(split)}
    says("split_before_you_merge", "11 merges", "55 tokens", "75 tokens")


def test_more_merges_is_true() -> None:
    training = trained(lesson("more_merges"))
    count = training.token_count
    assert [count(0) - count(50), count(200) - count(250)] == [1205, 70]
    assert [count(step) for step in (0, 50, 100, 256)] == [2547, 1342, 1083, 749]
    assert f"{training.compression(256):.2f}" == "3.40"
    assert len(training.merges) == 256
    assert next(merge.rank + 1 for merge in training.merges if merge.count == 1) == 221
    says("more_merges", 1205, "70", 2547, 1342, 1083, "749", "3.40", "From merge 221 on")


def test_the_leading_space_is_true() -> None:
    assert [ids(GPT2, text) for text in ("hello hello", "Hello", " Hello")] == [[31373, 23748], [15496], [18435]]
    says("the_leading_space", "31373", "23748", "15496", "18435")


def test_python_indentation_is_true() -> None:
    text = from_plain(dict(lesson("python_indentation").view)).choices["text"]  # type: ignore[union-attr]
    assert [len(ids(by, text)) for by in (GPT2, CL100K)] == [22, 11]
    assert [ids(GPT2, line).count(220) for line in text.split("\n")] == [0, 3, 7]
    assert [ids(CL100K, line)[0] for line in text.split("\n")[1:]] == [262, 286]


def test_numbers_is_true() -> None:
    assert [pieces(by, "12345678") for by in (GPT2, CL100K)] == ["123 45 678", "123 456 78"]
    assert [pieces(by, "1000000") for by in (GPT2, CL100K)] == ["1 000000", "100 000 0"]
    assert pieces(CL100K, "12,345,678") == "12 , 345 , 678"
    assert pieces(GPT2, "1,000,000") == pieces(CL100K, "1,000,000") == "1 , 000 , 000"
    says("numbers", "123 45 678", "123 456 78", "1 000000", "100 000 0")


def test_why_japanese_costs_more_is_true() -> None:
    japanese, english = "日本語は高い。", "Tokens are not words."
    assert (len(japanese), len(english)) == (7, 21)
    assert [len(ids(by, japanese)) for by in (GPT2, CL100K, O200K)] == [11, 8, 6]
    assert [len(ids(by, english)) for by in (GPT2, CL100K, O200K)] == [5, 5, 5]
    assert pieces(O200K, japanese).startswith("日本 ")
    paragraphs = [[len(ids(by, sample(name).text)) for by in (GPT2, O200K)] for name in ("parallel_en", "parallel_ja")]
    assert paragraphs == [[84, 81], [234, 131]]


def test_emoji_by_bytes_is_true() -> None:
    family = from_plain(dict(lesson("emoji_by_bytes").view)).choices["text"]  # type: ignore[union-attr]
    assert (len(family), len(family.encode()), len(ids(GPT2, family))) == (7, 25, 14)
    assert ids(GPT2, family).count(41840) == 4
    assert GPT2.token_bytes(41840) == "👨".encode()[:3]
    assert len(ids(GPT2, "\u200d")) == 2


def test_two_forms_of_e_is_true() -> None:
    first, second = from_plain(dict(lesson("two_forms_of_e").view)).choices["text"].split("\n")  # type: ignore[union-attr]
    assert [len(first), len(first.encode()), len(second), len(second.encode())] == [4, 5, 5, 6]
    assert pieces(GPT2, first) == "c af é"
    assert [GPT2.token_bytes(token_id) for token_id in ids(GPT2, second)] == [b"c", b"afe", b"\xcc", b"\x81"]


def test_what_it_was_trained_on_is_true() -> None:
    training = trained(lesson("what_it_was_trained_on"))
    lines = from_plain(dict(lesson("what_it_was_trained_on").view)).choices["unseen"].split("\n")  # type: ignore[union-attr]
    assert [[len(ids(training.tokenizer(step), line)) for step in (0, 256)] for line in lines] == [[25, 8], [18, 18]]


def test_the_longest_token_is_true() -> None:
    for tokenizer, token_id, data in ((CL100K, 58040, b" " * 128), (GPT2, 35496, "ÃÂ".encode() * 32)):
        assert tokenizer.token_bytes(token_id) == data
        special = set(tokenizer.special_tokens.values())
        known = [token for token in range(100_256 if tokenizer is CL100K else 50_256) if token not in special]
        assert max(len(tokenizer.token_bytes(token)) for token in known) == 128


def test_special_tokens_is_true() -> None:
    assert len("<|endoftext|>") == 13
    assert len(ids(GPT2, "<|endoftext|>")) == 7
    assert pieces(GPT2, "<|endoftext|>").startswith("< | end ")
    assert GPT2.encode("<|endoftext|>", special="parse").ids.tolist() == [50256]
