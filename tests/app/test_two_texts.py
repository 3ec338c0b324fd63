"""Two texts under the same tokenizers: JSON and YAML of the same data, and the user's own texts."""

import re

from streamlit.testing.v1 import AppTest

from bpe_core import load_pretrained
from tests.app.pages import column
from ui.compare.two_texts import kinds_of
from ui.session.compare import JSON, LONGEST_OF_TWO, YAML


def opened(**texts: str) -> AppTest:
    app = AppTest.from_file("../../app.py", default_timeout=60)
    app.query_params.update({"two": "1", "with": ["gpt2", "cl100k_base"], **texts})
    app.switch_page("pages/compare.py").run()
    assert not app.exception
    return app


def test_both_sample_texts_hold_the_same_data() -> None:
    assert re.findall(r"[\w-]+", JSON) == re.findall(r"[\w-]+", YAML)


def test_the_kinds_of_tokens_add_up_to_the_tokens_of_each_text() -> None:
    app = opened()
    assert column(app, "two texts counts", "Tokenizer") == ["GPT-2"] * 3 + ["cl100k"] * 3
    for title, text in (("First text", JSON), ("Second text", YAML)):
        cells = column(app, "two texts counts", title)
        for name, kinds in (("gpt2", cells[:3]), ("cl100k_base", cells[3:])):
            encoding = load_pretrained(name).encode(text)
            assert sum(kinds) == len(encoding) == kinds_of(encoding).total()


def test_a_token_with_a_letter_or_a_digit_is_one_of_words_whatever_is_around_it() -> None:
    encoding = load_pretrained("gpt2").encode('a 1\n\n{"b": \u65e5}')
    assert kinds_of(encoding) == {"words": 6, "space": 2, "signs": 3}


def test_a_text_that_is_too_long_is_named_with_the_limit_and_kept() -> None:
    app = opened()
    app.session_state["first of two texts"] = "a" * (LONGEST_OF_TWO + 1)
    app.run()
    assert not app.exception
    assert "50,001 characters" in " ".join(each.value for each in (*app.text, *app.error, *app.markdown, *app.caption))
