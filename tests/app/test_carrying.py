"""After a training by the visitor the other pages open with its text and its tokenizer."""

from streamlit.testing.v1 import AppTest

from tests.app.pages import opened
from tests.app.test_train import named, paste, press
from ui.session import compare, encode, pipeline
from ui.session.samples import sample
from ui.session.tokenizer_choice import TRAINED

TEXT = "low lower lowest slow slower slowest"


def held(app: AppTest) -> dict[str, object]:
    """The text and tokenizer with which each page opens."""
    items = encode.TEXT, encode.WITH, pipeline.TEXT, pipeline.WITH, compare.TEXT, compare.LEFT, compare.RIGHT
    known = app.session_state
    return {item.key: known[item.key] if item.key in known else item.default for item in items}  # noqa: SIM401


def test_a_pasted_text_is_the_text_of_every_page_under_the_trained_tokenizer() -> None:
    app = opened()
    paste(app, TEXT)
    assert held(app) == {
        "encode text": TEXT,
        "encode with": TRAINED,
        "pipeline text": TEXT,
        "pipeline with": TRAINED,
        "compare text": TEXT,
        "compare left": TRAINED,
        "compare right": "gpt2",
    }
    paste(app, f"{TEXT} below")
    assert held(app)["encode text"] == f"{TEXT} below", "the text that was carried is carried on"


def test_what_the_visitor_typed_or_chose_on_a_page_stays() -> None:
    app = opened()
    app.session_state["encode text"] = "mine"
    app.session_state["encode with"] = "cl100k_base"
    app.session_state["compare left"] = "o200k_base"
    paste(app, TEXT)
    assert held(app)["encode text"] == "mine"
    assert held(app)["encode with"] == "cl100k_base"
    assert (held(app)["compare left"], held(app)["compare right"]) == ("o200k_base", "cl100k_base")
    assert held(app)["pipeline text"] == TEXT


def test_a_token_that_was_chosen_in_the_text_before_is_let_go() -> None:
    app = opened()
    app.session_state["encode chosen token"] = 3
    app.session_state["disagreement"] = 9
    paste(app, TEXT)
    assert app.session_state["encode chosen token"] is None
    assert app.session_state["disagreement"] == 0


def test_a_long_text_is_not_carried_to_pages_that_show_every_id() -> None:
    app = opened()
    paste(app, "low lower " * 500)
    assert held(app)["pipeline text"] == pipeline.TEXT.default
    assert held(app)["encode text"] == "low lower " * 500
    paste(app, "low lower " * 20_000)
    assert held(app)["compare text"] == "low lower " * 500


def test_a_link_and_a_lesson_carry_nothing() -> None:
    for query in ({"sample": "toy_hug"}, {"corpus": TEXT}):
        app = opened(query=query)
        assert held(app)["encode with"] == "gpt2"
        assert held(app)["encode text"] == encode.TEXT.default


def test_a_training_that_fails_carries_nothing() -> None:
    app = opened()
    paste(app, "")
    assert held(app)["encode with"] == "gpt2"


def test_other_settings_for_the_sample_carry_its_text() -> None:
    app = opened()
    named(app.number_input, "Vocabulary size, all ids").set_value(300)
    press(app, "Train with these settings")
    assert held(app)["encode with"] == TRAINED
    assert held(app)["encode text"] == sample("lantern_story").text
