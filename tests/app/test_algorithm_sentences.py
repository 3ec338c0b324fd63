"""A whole sentence on Algorithms: aligned rows with counts, a word chosen in it, and every kind of text."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import train_unigram, train_wordpiece
from tests.app.pages import column, payload, places, texts
from tests.app.pages import opened as followed
from tests.app.sending import send_action
from tests.app.test_algorithms import HOSTILE, opened, segmentations, text_of
from tests.draws import first
from ui.runs.sentences import sentence_with, sentence_words
from ui.session.samples import sample

SENTENCE = "The lanterns glow, lower than ever."


def rows(app: AppTest) -> list[dict[str, Any]]:
    return list(payload(app, "algorithms sentence rows")["lanes"])


def texts_of(app: AppTest, at: int) -> list[str]:
    """The parts of the sentence that a row's tokens cover."""
    shown = payload(app, "algorithms sentence rows")["text"].encode()
    return [shown[a:b].decode(errors="replace") for a, b in places(rows(app)[at])]


def click(app: AppTest, row: int, token: int) -> None:
    rev = payload(app, "algorithms sentence rows")["rev"]
    send_action(app, "picked", [rev, row, token], "algorithms sentence rows")


def test_every_algorithm_has_a_row_with_its_count() -> None:
    app = opened(sentence=SENTENCE, size=180)
    assert [row["name"] for row in rows(app)] == ["BPE", "WordPiece", "Unigram", "SentencePiece"]
    counts = [row["total"] for row in rows(app)]
    text = sample("lantern_story").text
    assert counts[1] == len(train_wordpiece(text, 180).tokenizer().encode(SENTENCE))
    assert counts[2] == len(train_unigram(text, 180, seed_size=540).tokenizer().encode(SENTENCE))
    for at in (0, 2, 3):
        assert "".join(texts_of(app, at)) == SENTENCE
    assert "".join(texts_of(app, 1)) == SENTENCE.replace(" ", "")


@pytest.mark.parametrize("step", [0, 1, 20, 10_000])
def test_the_rows_follow_the_step_and_cover_the_sentence(step: int) -> None:
    app = opened(sentence=SENTENCE, step=step, **{"word and pieces at": "step"})
    for at in (0, 2, 3):
        assert "".join(texts_of(app, at)) == SENTENCE
    if not step:
        assert rows(app)[0]["total"] == len(SENTENCE)


def test_a_click_on_a_token_follows_its_word() -> None:
    app = opened(sentence=SENTENCE)
    at = next(i for i, text in enumerate(texts_of(app, 2)) if "lo" in text and i > 5)
    click(app, 2, at)
    assert app.session_state["algorithms word"] in ("glow,", "lower")
    assert app.session_state["algorithms sentence"] == SENTENCE
    chosen = app.session_state["algorithms word"]
    assert "".join(segmentations(app)["Unigram"]).replace("<unk>", ",") == f"▁{chosen}"
    assert any(each.value == chosen for each in app.text)


def test_a_word_of_the_list_is_followed_in_its_sentence_or_alone() -> None:
    app = opened()
    listed = column(app, "algorithms words", "Word")
    rev = payload(app, "algorithms words")["rev"]
    send_action(app, "picked", [rev, 3], "algorithms words")
    assert app.session_state["algorithms word"] == listed[3]
    assert app.text_input(key="algorithms sentence draft").value == listed[3]
    app.session_state["algorithms sentence"] = f"Some {listed[4]} here"
    app.run()
    send_action(app, "picked", [payload(app, "algorithms words")["rev"], 4], "algorithms words")
    assert app.text_input(key="algorithms sentence draft").value == f"Some {listed[4]} here"


def test_a_typed_sentence_replaces_the_word() -> None:
    app = opened(word="lowest")
    assert app.text_input(key="algorithms sentence draft").value == "lowest"
    app.text_input(key="algorithms sentence draft").set_value("low tide").run()
    assert payload(app, "algorithms sentence rows")["text"] == "low tide"
    assert "".join(segmentations(app)["Unigram"]) == "▁low"


def test_the_first_sentence_is_one_of_the_text_with_a_word_that_differs() -> None:
    app = opened()
    shown = payload(app, "algorithms sentence rows")["text"]
    assert any(word in shown for word in column(app, "algorithms words", "Word")[:1])
    assert shown in " ".join(sample("lantern_story").text.split())


@pytest.mark.parametrize(
    "text",
    first(
        5,
        [
            HOSTILE,
            "駅長さんは時計を見た。",
            "low 👩‍👩‍👧 tide 🙂",
            "ÿ low ÿÿ",
            "ﬁne ㍿ low",
            "e\u0301 low",
            "  low \t tide  ",
            "...,,,!!!",
            "\u202eevil",
            "駅" * 120,
            "x" * 41 + " low",
        ],
    ),
)
@pytest.mark.parametrize(
    ("name", "at"), first(1, [pytest.param("japanese_station_clock", "step"), pytest.param("lantern_story", "end")])
)
@pytest.mark.parametrize("model", ["bpe", "unigram"])
def test_any_text_is_drawn_with_places_in_order(text: str, name: str, at: str, model: str) -> None:
    app = opened(name=name, sentence=text, step=7, sentencepiece_model=model, **{"word and pieces at": at})
    shown = payload(app, "algorithms sentence rows")["text"]
    assert shown == " ".join(text.replace("\ud800", "\ufffd").split())
    size = len(shown.encode())
    for row in rows(app):
        starts, ends = zip(*places(row), strict=True)
        assert starts == (*sorted(starts),)
        assert ends == (*sorted(ends),)
        assert all(0 <= a <= b <= size for a, b in places(row))
        assert row["total"] == len(starts)
    for at_row in range(len(rows(app))):
        if rows(app)[at_row]["total"]:
            click(app, at_row, rows(app)[at_row]["total"] - 1)


def test_unknown_characters_are_named() -> None:
    app = opened(sentence="low ÿ tide")
    assert "[UNK]" in str(rows(app)[1])
    assert "<unk>" in str(rows(app)[2])
    assert "<unk>" in str(rows(app)[3])


def test_an_old_link_with_a_word_and_a_new_one_with_a_sentence_open() -> None:
    app = followed("algorithms", "sample=toy_hug&word=hugs&at_step=3&model=unigram")
    assert payload(app, "algorithms sentence rows")["text"] == "hugs"
    assert "".join(segmentations(app)["Unigram"]) == "▁hugs"
    app = followed("algorithms", "sample=toy_hug&model=bpe&sentence=hug+the+pugs&word=pugs")
    assert payload(app, "algorithms sentence rows")["text"] == "hug the pugs"
    assert any(each.value == "pugs" for each in app.text)


def test_a_word_that_is_not_in_the_sentence_is_not_followed() -> None:
    app = opened(sentence="low tide", word="lantern")
    assert not any(each.value == "lantern" for each in app.text)
    assert "Type a sentence, or click a word in the list." not in texts(app)
    assert text_of(payload(app, "algorithms segmentations")["rows"][2][1][0]).startswith("▁")


def test_words_are_runs_and_in_long_runs_those_of_the_script() -> None:
    assert [each.word for each in sentence_words("(low) tide")] == ["(low)", "tide"]
    long = "駅の" * 30
    found = sentence_words(f"low {long}")
    assert [each.word for each in found] == ["low", *["駅の"] * 30]
    assert all(f"low {long}"[each.start : each.end] == each.word for each in found)


def test_a_very_long_sentence_of_the_text_is_shortened_around_the_word() -> None:
    text = "so " * 500 + "lantern " + "so " * 500
    found = sentence_with("lantern", text)
    assert "lantern" in found
    assert len(found) <= 72
    assert found.split() == ["lantern" if word == "lantern" else "so" for word in found.split()]  # no part of a word
    assert sentence_with("gone", text) == "gone"


@pytest.mark.parametrize(("row", "algorithm"), [(3, "SentencePiece"), (2, "Unigram")])
def test_a_clicked_piece_says_how_often_it_occurs_in_the_text(row: int, algorithm: str) -> None:
    app = opened("nice rice. nice mice, twice niceties", sentence="nice niceties", size=40)
    at = next(i for i, text in enumerate(texts_of(app, row)) if len(text.strip()) > 1)
    piece = "▁" * (at == 0 or texts_of(app, row)[at].startswith(" ")) + texts_of(app, row)[at].strip()
    click(app, row, at)
    text = "▁nice▁rice.▁nice▁mice,▁twice▁niceties"
    words = sum(piece in f"▁{word}" for word in {"nice", "rice.", "mice,", "twice", "niceties"})
    assert f"{piece} of {algorithm} occurs in the text: {text.count(piece)}. Distinct words with it: {words}." in texts(
        app
    )
    app.text_input(key="algorithms sentence draft").set_value("mmm").run()
    assert not any("Distinct words with it" in each for each in texts(app))
