"""Unigram by hand on the Algorithms page: typed in, computed, invalid input rejected, and kept in links."""

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import UnigramModel
from bpe_core.unigram.by_hand import read_counts
from tests.app.pages import column, payload, texts
from tests.app.pages import opened as followed
from tests.app.sending import send_action, without_terms
from tests.app.test_algorithms import HOSTILE, opened, text_of
from ui.session.by_hand import COURSE_PIECES


@pytest.fixture
def app() -> AppTest:
    made = opened(name="toy_hug", size=20)
    made.session_state["unigram by hand open"] = True
    return made.run()


def headings(app: AppTest) -> list[str]:
    return [without_terms(each.value) for each in app.markdown]


def column_of(app: AppTest, key: str, title: str) -> list[str]:
    return [str(cell) for cell in column(app, key, title)]


def pieces(app: AppTest) -> list[str]:
    return [text_of(cell[0] if isinstance(cell[0], list) else cell) for cell in column(app, "by hand pieces", "Piece")]


def typed(app: AppTest, words: str | None = None, pieces: str | None = None) -> AppTest:
    for key, text in (("words", words), ("pieces", pieces)):
        if text is not None:
            app.session_state[f"unigram by hand {key}"] = text
    app.run()
    assert not app.exception
    return app


def test_it_is_closed_until_it_is_wanted() -> None:
    app = opened(name="toy_hug", size=20)
    assert not [each for each in app.button if each.key == "count parts"]


def test_the_course_s_example_has_its_numbers(app: AppTest) -> None:
    assert not app.exception
    assert "## 15 pieces, total count 210" in headings(app)
    shown = dict(zip(pieces(app), column(app, "by hand pieces", "Count"), strict=True))
    assert shown["ug"] == 20
    assert shown["pu"] == 17
    assert column_of(app, "by hand pieces", "Probability")[pieces(app).index("ug")] == "0.0952"
    assert "## Loss 169.8" in headings(app)
    grown = dict(zip(pieces(app), column(app, "by hand pieces", "Loss without it"), strict=True))
    assert (grown["hug"], grown["pu"], grown["b"]) == ("+23.51", "same", "same")


def test_one_word_is_written_in_every_way(app: AppTest) -> None:
    app.text_input(key="unigram by hand word draft").set_value("pug").run()
    assert column(app, "by hand segmentations", "Pieces") == ["p|ug", "pu|g", "p|u|g"]
    assert column(app, "by hand segmentations", "Product")[0] == "17/210 × 20/210"
    assert column(app, "by hand segmentations", "Probability") == ["0.00771", "0.00771", "0.00132"]
    assert column(app, "by hand segmentations", "") == ["best, tied", "best, tied", ""]
    app.text_input(key="unigram by hand word draft").set_value("mug").run()
    assert "No pieces make this word: one of its characters is in no piece." in texts(app)


def test_a_click_removes_a_piece_and_another_puts_it_back(app: AppTest) -> None:
    row = pieces(app).index("hug")
    rev = payload(app, "by hand pieces")["rev"]
    send_action(app, "picked", [rev, row], "by hand pieces")
    assert "## Loss 169.8 → 193.3" in headings(app)
    assert column(app, "by hand loss", "Grows by") == ["+23.51", "same", "same", "same", "same"]
    assert "Without hug. All other scores stay." in texts(app)
    [button] = [each for each in app.button if each.key == "put back"]
    button.click().run()
    assert "## Loss 169.8" in headings(app)


def test_the_parts_of_other_words_are_counted(app: AppTest) -> None:
    typed(app, words="駅の 3\n駅は 2")
    [button] = [each for each in app.button if each.key == "count parts"]
    button.click().run()
    assert pieces(app) == ["駅", "の", "は"]
    assert column(app, "by hand pieces", "Count") == [5, 3, 2]
    [course] = [each for each in app.button if each.key == "course by hand"]
    course.click().run()
    assert "## Loss 169.8" in headings(app)


@pytest.mark.parametrize(
    ("words", "pieces", "note"),
    [
        ("hug", None, "Line 1 is 'hug'."),
        (None, "", "There are no pieces."),
        (None, "hug 0", "The count of 'hug' is 0."),
        (None, HOSTILE, "Line 1 is "),
        ("x" * 30_001, None, "The words have 30,001 characters."),
        ("\ud800 3", None, "A word is "),
    ],
)
def test_what_is_wrong_is_told(app: AppTest, words: str | None, pieces: str | None, note: str) -> None:
    typed(app, words, pieces)
    assert any(text.startswith(note) for text in texts(app)), texts(app)
    [button] = [each for each in app.button if each.key == "count parts"]
    button.click().run()
    assert not app.exception


def test_hostile_words_and_pieces_are_only_text(app: AppTest) -> None:
    typed(app, "**b** 3\n<script> 2\n\u202e\u0301 1", "* 3\nb 2\n<script> 1\n\u202e 1\n\u0301 4")
    assert not any("<script>" in each for each in headings(app))
    assert column(app, "by hand loss", "Best way") == ["*|*|b|*|*", "<script>", "\u202e|\u0301"]


def test_a_word_without_a_way_has_no_finite_loss(app: AppTest) -> None:
    typed(app, "ab 2\nax 1", "a 3\nb 1")
    assert "## Loss ∞" in headings(app)
    assert column(app, "by hand loss", "Best way") == ["a|b", "none"]


def test_without_words_there_is_no_loss(app: AppTest) -> None:
    typed(app, words="")
    assert "Type words with counts, and the loss of each is shown." in texts(app)


def test_a_link_holds_all_of_it() -> None:
    query = (
        "sample=toy_hug&model=bpe&by_hand=1&hand_words=ab+2&hand_pieces=a+3%0Ab+1%0Aab+1&hand_word=ab&hand_without=ab"
    )
    app = followed("algorithms", query)
    assert not app.exception
    assert pieces(app) == ["a", "b", "ab"]
    assert "Without ab. All other scores stay." in texts(app)


def test_it_is_there_beside_a_text_that_is_too_long_to_train_on() -> None:
    app = opened(text="low lower " * 20_000)
    app.session_state["unigram by hand open"] = True
    app.run()
    assert "## Loss 169.8" in headings(app)


def test_the_best_sum_at_each_position_is_viterbis_and_the_lattice_is_drawn(app: AppTest) -> None:
    app.text_input(key="unigram by hand word draft").set_value("unhug").run()
    found = UnigramModel.of_counts(read_counts(COURSE_PIECES, "piece"))
    totals = [found.best("unhug"[:end]).score for end in range(1, 6)]  # type: ignore[union-attr]
    assert column(app, "by hand best sums", "Best sum") == pytest.approx(totals, abs=0.01)
    assert column(app, "by hand best sums", "Last piece") == ["u", "un", "h", "hu", "hug"]
    assert column(app, "by hand best sums", "From position") == [0, 0, 2, 2, 2]
    assert len(payload(app, "by hand lattice")["edges"]) == len(found.lattice("unhug"))


def test_wordpiece_by_hand_takes_the_longest_piece_as_the_course_prints_it(app: AppTest) -> None:
    app.text_input(key="unigram by hand word draft").set_value("hugs").run()
    assert "hugs → hug·##s" in [each.value for each in app.text]
    app.text_input(key="wordpiece by hand pieces").set_value("h ##u ##g").run()
    assert "hugs → [UNK]" in [each.value for each in app.text]
