"""Train: a click on a token of the text shows its origin and links to the step that created it."""

from typing import Any

import pytest

from benchmarks.ways import Visit
from bpe_core import TrainConfig, train
from bpe_core.bpe.step_sentences import origin_of
from bpe_core.payloads.chips import Chip
from tests.app.pages import has, opened
from tests.app.test_train import payload, press, story
from ui.session.samples import sample
from ui.session.training import Source
from ui.train.step import Step

TEXTS = ("training", "unseen")


def visit_at(step: int, shown: str = "training", **more: Any) -> Visit:
    return Visit(opened(shown_text=shown, step=step, **more))


@pytest.mark.parametrize("shown", TEXTS)
def test_a_click_on_a_token_says_where_it_comes_from_and_leads_to_the_step_that_made_it(shown: str) -> None:
    visit = visit_at(150, shown)
    visit.send("text view" if shown == "training" else "unseen view", "picked", 300)
    merge = train(sample("lantern_story").text).merges[44]
    assert (
        story(visit.app, "token story")
        == "[her], id 300, was made at merge 45 from [he] + [r], which occurred 9 times."
    )
    assert (merge.token_id, merge.count) == (300, 9)
    assert payload(visit.app, "tree of a token")["ids"][:3] == [300, merge.left, merge.right]
    assert not has(visit.app, "candidates table"), "the token's card replaces the candidates"
    press(visit.app, "Go to merge 45")
    assert visit.app.session_state["step"] == 45
    assert "Merge 45." in story(visit.app)
    press(visit.app, "Close")
    assert has(visit.app, "candidates table")


def test_a_click_on_a_node_of_the_tree_opens_that_token() -> None:
    visit = visit_at(150)
    visit.send("text view", "picked", 300)
    tree = payload(visit.app, "tree of a token")
    visit.send("tree of a token", "picked", [tree["rev"], 2])
    assert visit.app.session_state["opened token"] == tree["ids"][2]
    assert "is a base symbol: in the vocabulary before any merge." in story(visit.app, "token story")
    assert not has(visit.app, "tree of a token")


def test_a_token_that_is_let_go_is_closed() -> None:
    visit = visit_at(150)
    visit.send("text view", "picked", 300)
    visit.send("text view", "picked", None)
    assert not has(visit.app, "token story")


def test_a_token_that_no_click_could_have_sent_opens_nothing() -> None:
    visit = visit_at(150)
    for sent in (-1, 512, 10**400, True, 3.0, "300", [300], {}, {"id": 300}):
        visit.send("text view", "picked", sent)
        assert not has(visit.app, "token story"), sent
        assert has(visit.app, "candidates table"), sent


def test_an_opened_token_is_in_the_link_and_gone_with_another_text() -> None:
    app = opened(query={"step": "150", "token": "300"})
    assert "was made at merge 45" in story(app, "token story")
    [area] = [each for each in app.text_area if each.label == "Your text"]
    area.set_value("hug hug pug")
    press(app, "Train on this text")
    assert not has(app, "token story")


def test_a_class_that_guesses_sees_no_token_of_a_later_step() -> None:
    visit = visit_at(2, opened_token=300, predicting=True)
    assert not has(visit.app, "token story")


def origin_text(token: int, **settings: Any) -> str:
    here = Step(Source("paste", "", "low low lower"), TrainConfig(**settings), (), 0)
    parts = origin_of(here, here.tokenizer.tree(token))
    return "".join(part if isinstance(part, str) else "" for part in parts if not isinstance(part, Chip))


def test_a_special_token_is_made_by_no_merge() -> None:
    assert origin_text(0, special_tokens=("<s>",), vocab_size=300) == ", id 0, is a special token: no merge makes it."
    assert origin_text(5, special_tokens=("<s>",), vocab_size=300).endswith(
        "a base symbol: in the vocabulary before any merge."
    )
