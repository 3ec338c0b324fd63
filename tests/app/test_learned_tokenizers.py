"""Tokenizers trained on Algorithms work everywhere: opened from a card, chosen on every page, named in links."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import TrainConfig, train_sentencepiece, train_unigram, train_wordpiece
from tests.app.pages import opened, payload, texts
from tests.app.sending import options, send_action
from tests.app.test_algorithms import cards
from tests.app.test_algorithms import opened as algorithms
from tests.draws import first
from ui.session.learned_tokenizers import LEARNED, learned
from ui.session.samples import sample
from ui.session.training import Source

CHOSEN = {"encode": "encode with", "vocabulary": "vocabulary of", "pipeline": "pipeline with"}
PLACES = {page.capitalize(): key for page, key in CHOSEN.items()} | {"Compare": "compare with"}
FORGED = (
    *("wordpiece:0", "wordpiece:5001", "wordpiece:020", "wordpiece:20:model=bpe", "sentencepiece:20:model=bpe"),
    *("unigram:", "unigram::", "bpe:20", "unigram:20:x=y", "sentencepiece:9:model=word:model=word", "wordpiece:²"),
)


def use(app: AppTest, algorithm: str, place: str) -> AppTest:
    """Choose a target in the menu of an algorithm's card."""
    names = ["bpe", "wordpiece", "unigram", "sentencepiece"]
    places = payload(app, "algorithms cards")["places"]
    return send_action(app, "open", [names.index(algorithm), places.index(place)], "algorithms cards")


def lanes(app: AppTest) -> dict[str, list[int]]:
    return {lane["name"]: lane["ids"] for lane in payload(app, "lines view")["lanes"]}


def choice_of(app: AppTest, key: str) -> list[str]:
    """Labels of the buttons of Streamlit's choice of a tokenizer."""
    [found] = [each for each in app.get("button_group") if each.key == key]
    return list(found.options)


def test_a_menu_on_the_card_takes_the_tokenizer_to_every_page() -> None:
    for place, key in PLACES.items():
        app = algorithms(size=180)
        assert [card["usable"] for card in cards(app).values()] == [True, True, True, True]
        use(app, "wordpiece", place)
        chosen = app.session_state[key]
        assert "wordpiece:180" in (chosen if isinstance(chosen, list) else [chosen])
        assert not app.error
        shown = options(app, "compare with choice") if place == "Compare" else choice_of(app, key)
        assert any(option.startswith("WordPiece of “The lantern story” · 180") for option in shown)


def test_its_ids_are_those_of_the_training() -> None:
    text = sample("lantern_story").text
    sentence = "The lantern maker of the coast was old."
    trained = {
        "wordpiece:180": train_wordpiece(text, 180).tokenizer(),
        "unigram:180": train_unigram(text, 180, seed_size=540).tokenizer(),
        "sentencepiece:180:model=unigram": train_sentencepiece(text, 180, model_type="unigram").tokenizer(),
    }
    app = algorithms()
    app.session_state["compare text"] = sentence
    app.session_state["compare with"] = ["gpt2", *trained]
    app.switch_page("pages/compare.py").run()
    assert not app.exception
    found = lanes(app)
    assert list(found) == ["GPT-2", "WordPiece 180", "Unigram 180", "SentencePiece 180, Unigram"]
    for name, tokenizer in trained.items():
        chosen = learned(name)
        assert chosen is not None
        assert found[chosen.title] == tokenizer.encode(sentence).ids.tolist()


def test_two_trainings_of_one_algorithm_are_compared() -> None:
    app = algorithms(size=100)
    use(app, "wordpiece", "Compare")
    app.switch_page("pages/algorithms.py").run()
    app.session_state["algorithms size"] = 300
    app.run()
    use(app, "wordpiece", "Compare")
    assert list(lanes(app))[-2:] == ["WordPiece 300", "WordPiece 100"]
    assert not app.exception


@pytest.mark.parametrize("name", first(2, ["wordpiece", "sentencepiece:120:model=unigram", "unigram", "sentencepiece"]))
@pytest.mark.parametrize("page", ["encode", "vocabulary", "pipeline"])
def test_every_page_shows_it(page: str, name: str) -> None:
    app = algorithms(name="toy_hug")
    app.session_state[CHOSEN[page]] = name
    app.session_state["exports open"] = True
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    assert not any("cannot" in text or "is not" in text for text in texts(app) if page == "encode")
    assert app.session_state[CHOSEN[page]] == name


@pytest.mark.parametrize(
    ("name", "formats"),
    [
        ("wordpiece", ["tokenizer.json", "vocab.txt", "BPE Lab's file"]),
        ("unigram", ["tokenizer.json", "BPE Lab's file"]),
        ("sentencepiece", [".model", "BPE Lab's file"]),
    ],
)
def test_its_files_are_offered_and_proven(name: str, formats: list[str]) -> None:
    app = algorithms(name="toy_hug")
    use(app, name, "Files")
    app.switch_page("pages/vocabulary.py").run()
    assert list(app.radio[0].options) == formats
    for at in range(len(formats)):
        app.radio[0].set_value(app.radio[0].options[at]).run()
        assert not app.exception
        assert any("Same ids" in each.value for each in app.success)


def test_a_link_that_names_it_trains_it_again_for_somebody_else() -> None:
    app = opened("encode", "sample=toy_hug&with=unigram:20&text=hugs")
    assert not app.exception
    assert app.session_state["encode with"] == "unigram:20"
    assert any("Unigram of “" in option for option in choice_of(app, "encode with"))
    app = opened("compare", "sample=toy_hug&with=gpt2&with=sentencepiece:30:model=unigram&text=hugs")
    assert list(lanes(app)) == ["GPT-2", "SentencePiece 30, Unigram"]


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_name_is_no_tokenizer(name: str) -> None:
    assert learned(name) is None
    app = opened("encode", f"sample=toy_hug&with={name}")
    assert not app.exception
    assert app.session_state["encode with"] != name


def test_a_name_says_all_that_it_is_trained_with() -> None:
    for name in [*LEARNED, "unigram:400", "sentencepiece:1:model=unigram", "sentencepiece::model=unigram"]:
        found = learned(name)
        assert found is not None
        assert found.name == name


def test_a_long_text_is_trained_on_from_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.work.algorithm_training.MOST_BYTES", 100_000)
    text = sample("lantern_story").text
    long = (text + "\n") * (150_000 // len(text))
    app = algorithms(text="low")
    app.session_state["source"] = Source("file", "a *long* one.txt", long)
    app.session_state["config"] = TrainConfig()
    app.session_state["encode with"] = "wordpiece:100"
    app.switch_page("pages/encode.py").run()
    assert not app.exception
    assert not [each for each in texts(app) if "characters" in each and "takes" in each]
    assert "WordPiece of “a long one” · 100" in choice_of(app, "encode with")


@pytest.mark.parametrize("page", ["encode", "vocabulary", "pipeline", "compare"])
def test_a_text_without_words_is_told_and_another_tokenizer_can_be_chosen(page: str) -> None:
    key = CHOSEN.get(page, "compare with")
    app = algorithms(text="low lower")
    app.session_state["source"] = Source("paste", "Pasted text", " \n ")
    chosen: Any = ["wordpiece"] if page == "compare" else "wordpiece"
    app.session_state[key] = chosen
    app.session_state["exports open"] = True
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    assert any("holds no words" in text for text in texts(app))
    assert options(app, "compare with choice") if page == "compare" else choice_of(app, key)
