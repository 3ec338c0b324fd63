"""The blanks to fill in on the handout of a lesson."""

from __future__ import annotations

from tests.app.pages import column, has, opened, texts
from ui.session.samples import sample


def test_a_handout_has_the_words_of_a_short_text_to_count_and_merges_to_fill_in() -> None:
    app = opened("lessons", "lesson=hug_pug")
    assert sample("toy_hug").text in texts(app)
    assert column(app, "words to count", "Word") == ["hug", "pug", "pun", "bun", "hugs"]
    assert column(app, "words to count", "Count") == [""] * 5
    assert column(app, "merges to fill", "Merge") == ["1", "2", "3", "4"]
    app.button(key="reveal").click().run()
    assert not has(app, "words to count"), "the answer takes its place"


def test_a_lesson_without_a_training_or_on_a_long_text_has_only_lines() -> None:
    for name in "counting_letters":
        assert not has(opened("lessons", f"lesson={name}"), "words to count")
