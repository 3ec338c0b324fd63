"""Merges across words on Train: settings, link, story, table, curves, and the page that plays by itself."""

import json
from pathlib import Path

import pytest

from bpe_core import TrainConfig, train
from bpe_core.bpe.page_views import training_recording
from bpe_core.bpe.step_sentences import story_of
from bpe_core.bpe.training_step import TrainingStep
from bpe_core.page.packing import opened as opened_frames
from tests.app.pages import column, opened, params, payload, texts
from tests.app.sending import address
from ui.cache import beside_of, training

STORY = "on the one hand, on the other hand of the other one. " * 3
SUPERBPE = TrainConfig(vocab_size=290, method="superbpe", transition=270)
BOUNDLESS = TrainConfig(vocab_size=290, method="boundlessbpe")


def says(config: TrainConfig, step: int) -> str:
    return " ".join("".join(map(str, each)) for each in story_of(TrainingStep(train(STORY, config), step)))


def test_the_settings_let_merges_cross_words_and_the_link_keeps_it() -> None:
    app = opened("train", "sample=lantern_story")
    app.selectbox(key="draft method").set_value("superbpe").run()
    app.number_input(key="draft transition").set_value(480).run()
    next(each for each in app.button if each.label == "Train with these settings").click().run()
    assert not app.exception
    config = app.session_state["config"]
    assert (config.method, config.transition) == ("superbpe", 480)
    query = address(app)["query"]
    assert params(query)["method"] == ["superbpe"]
    assert params(query)["transition"] == ["480"]
    again = opened("train", query)
    assert again.session_state["config"] == config
    labels = [each.proto.popover.label for each in again.get("popover")]
    assert "Settings: SuperBPE from 480" in labels


def test_settings_that_cannot_be_say_why_on_the_form() -> None:
    app = opened("train", "sample=lantern_story")
    app.selectbox(key="draft method").set_value("superbpe").run()
    app.number_input(key="draft transition").set_value(9_000).run()
    assert any(text.startswith("transition is 9,000.") for text in texts(app))
    app.selectbox(key="draft method").set_value("boundlessbpe").run()
    app.selectbox(key="draft split").set_value("words").run()
    assert any("needs adjacent words" in text for text in texts(app))
    assert not app.exception


def test_the_story_says_the_kind_of_a_merge_and_the_change_of_the_rule() -> None:
    change = train(STORY, SUPERBPE).rule_change
    assert change is not None
    assert "Inside words: merges cross words from 270 ids on." in says(SUPERBPE, change.step - 1)
    assert "The rule changes:" in says(SUPERBPE, change.step)
    crossing = train(STORY, SUPERBPE).crossing.tolist()
    assert "Across words:" in says(SUPERBPE, crossing.index(True) + 1)
    kinds = train(STORY, BOUNDLESS).crossing.tolist()
    assert "Two whole words." in says(BOUNDLESS, kinds.index(True) + 1)
    assert "Inside words." in says(BOUNDLESS, kinds.index(False) + 1)
    assert "words" not in says(TrainConfig(vocab_size=290), 3)


@pytest.mark.parametrize("query", ["method=superbpe&transition=360", "method=boundlessbpe"])
def test_every_card_shows_a_training_across_words(query: str) -> None:
    app = opened("train", f"sample=lantern_story&vocab_size=420&{query}&step=160")
    assert not app.exception
    made = training(app.session_state["source"], app.session_state["config"])
    marked = column(app, "merge table", "Words")
    assert [bool(each) for each in marked] == made.crossing.tolist()
    figure = payload(app, "curves view")
    assert "dashed: merges inside words only" in json.dumps(figure)
    for page in ("encode", "vocabulary", "compare"):
        shown = opened(page, f"sample=lantern_story&vocab_size=420&{query}")
        assert not shown.exception


def test_the_curves_mark_the_change_of_the_split_and_part_there() -> None:
    app = opened("train", "sample=lantern_story&vocab_size=420&method=superbpe&transition=360")
    tokens, compression = (each["figure"]["data"] for each in payload(app, "curves view")["figures"])
    for curve, inside, change in (tokens, compression):
        assert change["x"] == [104]
        assert change["y"] == [curve["y"][104]] == [inside["y"][0]]
        assert change["text"] == ["across words"]
        assert inside["x"] == list(range(104, 165))
    assert (tokens[2]["textposition"], compression[2]["textposition"]) == ("bottom left", "top left")
    early = opened("train", "sample=lantern_story&vocab_size=420&method=superbpe&transition=270&step=3")
    tokens, compression = (each["figure"]["data"] for each in payload(early, "curves view")["figures"])
    assert (tokens[2]["textposition"], compression[2]["textposition"]) == ("top right", "bottom right")
    early.session_state["predicting"] = True
    early.run()
    assert len(payload(early, "curves view")["figures"][0]["figure"]["data"]) == 2


@pytest.mark.parametrize("query", ["method=superbpe&transition=360", "method=boundlessbpe"])
def test_encode_explains_a_trained_token_across_words(query: str) -> None:
    text = "said+the+light+and+the+house"
    app = opened("encode", f"sample=lantern_story&vocab_size=420&{query}&with=trained&text={text}&token=2")
    assert not app.exception


@pytest.mark.parametrize("config", [SUPERBPE, BOUNDLESS], ids=["superbpe", "boundlessbpe"])
def test_a_page_that_plays_by_itself_shows_merges_across_words(config: TrainConfig, tmp_path: Path) -> None:
    made = train(STORY, config)
    made.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert ("SuperBPE from 270" if config.method == "superbpe" else "BoundlessBPE") in page
    steps = json.dumps(opened_frames(training_recording(made)["steps"]))
    assert ("The rule changes" if config.method == "superbpe" else "Two whole words") in steps


@pytest.mark.parametrize("config", [SUPERBPE, BOUNDLESS], ids=["superbpe", "boundlessbpe"])
def test_the_curves_of_such_a_page_have_the_training_inside_words_beside_them(config: TrainConfig) -> None:
    app = opened(
        "train", "sample=lantern_story&vocab_size=290&" + f"method={config.method}&transition={config.transition}"
    )
    source, chosen = app.session_state["source"], app.session_state["config"]
    beside = beside_of(source, chosen, ())
    assert beside is not None
    assert beside.says == "dashed: merges inside words only"
    drawn = training_recording(training(source, chosen), beside=beside)["curves"]["beside"]
    inside = train(source.text, TrainConfig(vocab_size=290))
    assert drawn["tokens"] == [inside.token_count(step) for step in drawn["steps"]]
    if config.method == "superbpe":
        assert drawn["steps"][0] >= config.transition - 256
    assert beside_of(source, inside.config, ()) is None


def test_vocabulary_says_once_that_no_file_holds_boundlessbpe_and_what_does() -> None:
    app = opened("vocabulary", "sample=lantern_story&vocab_size=290&method=boundlessbpe")
    app.session_state["exports open"] = True
    app.run()
    said = [each.value for each in app.text if "both parts are whole words" in each.value]
    assert len(said) == 1
    assert said[0].count("both parts") == 1
    assert "Save the training" in said[0]
