"""Glitch tokens and steps on the Vocabulary page: the filters, the last column, and the card of such a token."""

from streamlit.testing.v1 import AppTest

from bpe_core import load_pretrained
from bpe_core.published.known_glitches import CL100K, GPT2
from bpe_core.tokenizer.merged_on import merged_at_once
from tests.app.pages import columns, has, opened, texts


def shown(name: str, which: str, token: int | None = None) -> AppTest:
    asked = {"of": [name], "tokens": [which], **({} if token is None else {"token": [str(token)]})}
    return opened("vocabulary", asked)


def test_the_filter_lists_the_known_glitch_tokens_with_what_they_came_from() -> None:
    for name, known in (("gpt2", GPT2), ("cl100k_base", CL100K)):
        table = columns(shown(name, "glitch"), "vocabulary table")
        assert sorted(table["Id"]) == [each.id for each in known]
    assert table["Came from"][table["Id"].index(99944)] == "Users of a forum that counts"


def test_the_card_of_a_glitch_token_says_what_is_known_whatever_the_filter() -> None:
    for which in ("glitch", "all"):
        app = shown("gpt2", which, 43453)
        assert columns(app, "vocabulary token facts")[""][-1] == "Users of a forum that counts"
        assert any(each.startswith("A glitch token: frequent where the tokenizer learned") for each in texts(app))
        assert any("(Rumbelow and Watkins 2023), and GPT-J does not write it" in each for each in texts(app))
    assert not any("glitch" in each for each in texts(shown("gpt2", "all", 262)))


def test_a_vocabulary_without_known_glitch_tokens_says_which_have_them() -> None:
    for name in ("o200k_base", "trained"):
        app = shown(name, "glitch")
        assert not has(app, "vocabulary table")
        assert "Glitch tokens are listed for the vocabularies of GPT-2 and cl100k only." in texts(app)


def test_only_steps_stand_beside_the_token_that_the_next_merge_made() -> None:
    app = shown("gpt2", "steps", 30905)
    table = columns(app, "vocabulary table")
    longer = merged_at_once(load_pretrained("gpt2"))
    assert {id: chip[0] for id, chip in zip(table["Id"], table["Goes into"], strict=True)} == longer
    assert any("The very next merge made “rawdownloadcloneembedreportprint” of it" in each for each in texts(app))
    trained = columns(shown("trained", "steps"), "vocabulary table")
    assert all(chip[0] == token_id + 1 for token_id, chip in zip(trained["Id"], trained["Goes into"], strict=True))
