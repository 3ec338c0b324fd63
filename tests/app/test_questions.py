"""Twenty-two learner's questions: each page that answers one contains the sentence quoted in `docs/questions.md`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.pages import opened
from tests.app.sending import without_terms

ROOT = Path(__file__).parents[2]


class Question(NamedTuple):
    """A row of the page of questions: the question, the link, and the sentences."""

    asked: str
    link: str
    sentences: list[str]


def questions() -> list[Question]:
    rows = [line.split(" | ") for line in (ROOT / "docs" / "questions.md").read_text("utf-8").splitlines()]
    rows = [row for row in rows if len(row) == 5][2:]
    return [Question(row[0].strip("| "), row[1].strip("`"), re.findall("“(.*?)”", row[3])) for row in rows]


def shown(app: AppTest) -> str:
    """Everything that the page shows, including the data of components."""
    texts = [without_terms(str(element.value)) for kind in (app.text, app.caption, app.markdown) for element in kind]
    data = [found.proto.bytes.decode("utf-8", "replace") for found in app.get("bidi_component")]
    return "\n".join([*texts, *data])


def in_words(text: str) -> str:
    """The words of a text, without the JSON around its parts, some of which are marked bold."""
    return " ".join(word for word in re.findall(r"\w+", text) if word not in ("true", "false", "strong"))


def test_there_are_twenty_two_questions() -> None:
    assert len({each.asked for each in questions()}) == 22
    assert all(each.sentences for each in questions())


@pytest.mark.parametrize("each", questions(), ids=lambda each: each.asked)
def test_a_question_is_answered_by_the_sentence_that_is_named(each: Question) -> None:
    parts = urlsplit(each.link)
    found = shown(opened(parts.path.strip("/") or "train", parts.query))
    assert "cannot be opened" not in found
    for sentence in each.sentences:
        for part in re.split(r"\[.*?\]", sentence):
            assert in_words(part) in in_words(found), part
