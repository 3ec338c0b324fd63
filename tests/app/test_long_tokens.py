"""A training whose tokens are too long in total to be stored individually, on the pages that show tokens."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import TrainConfig, train
from tests.app.pages import has, opened
from tests.app.test_train import column, payload
from tests.core.test_token_ranges import GROWING, growing_text
from ui.session.training import Source, Wanted


@pytest.fixture
def app() -> AppTest:
    """The Train page with such a training."""
    app = opened()
    app.session_state["wanted"] = Wanted(Source("paste", "long tokens", growing_text()), GROWING, own=True)
    app.run()
    assert not app.exception
    return app


def test_the_merge_table_shows_the_beginnings_of_long_tokens_and_is_searched_in_all_of_them(app: AppTest) -> None:
    assert max(len(text) for _, text, *_ in column(app, "merge table", "New token") if isinstance(text, str)) == 201
    training = train(growing_text(), GROWING)
    tokenizer = training.tokenizer()
    for search in (b"qq", b"ab"):
        app.text_input(key="merge search").set_value(search.decode()).run()
        found = [merge.rank + 1 for merge in training.merges if search in tokenizer.token_bytes(merge.token_id)]
        assert column(app, "merge table", "Merge") == found
    assert not app.exception


def test_a_fork_of_it_says_why_the_tokens_are_not_compared(app: AppTest) -> None:
    other = train(growing_text(), GROWING).at(2).candidates(5)[4]
    app.session_state["forks"] = ((2, other.left, other.right),)
    app.run()
    assert not app.exception
    assert "Up to 16,000,000 are listed one by one" in str(payload(app, "fork story"))


def test_its_vocabulary_is_shown_and_searched_and_its_files_say_why_there_are_none(app: AppTest) -> None:
    app.session_state["order of tokens"] = "id"
    app.switch_page("pages/vocabulary.py").run()
    assert not app.exception
    assert has(app, "vocabulary table")
    app.text_input(key="find tokens").set_value("qq").run()
    tokenizer = train(growing_text(), TrainConfig(vocab_size=GROWING.vocab_size, split="none")).tokenizer()
    found = [token_id for token_id in tokenizer.ids if b"qq" in tokenizer.token_bytes(token_id)]
    assert column(app, "vocabulary table", "Id") == found[:1_000]
    app.session_state["exports open"] = True
    app.run()
    assert not app.exception
    refused = [each.value for each in app.text if "Up to 16,000,000 are listed one by one." in each.value]
    assert len(refused) == 1
    assert [each.label for each in app.button if each.label in ("CSV", "Parquet")] == []
    assert any("Up to 16,000,000" in each.value for each in app.caption)
