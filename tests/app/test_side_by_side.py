"""Algorithms: which of them are side by side, and PickyBPE among them, whose removals are steps."""

from itertools import pairwise
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import PickyMerge, PickyModel, Removal, TrainConfig, train_picky
from bpe_core.payloads.frames import unframe
from bpe_core.text.splits import compile_split
from tests.app.pages import column, params, payload, texts
from tests.app.pages import opened as opened_link
from tests.app.sending import address, send_action
from tests.app.test_algorithms import cards, did, looked_at, opened, segmentations
from ui.runs.bpe import Bpe
from ui.runs.of_step import run_of
from ui.runs.page_views import Recorded, algorithms_recording, title_of
from ui.runs.picky import Picky
from ui.session.algorithms import ALGORITHMS, SIDE_BY_SIDE_AT_FIRST, TITLES
from ui.session.samples import sample
from ui.work.algorithm_training import Recipe, default_size, train_algorithm

LANTERN = sample("lantern_story").text
BOTH = ["bpe", "picky"]
TRAINING = train_picky(LANTERN, TrainConfig(vocab_size=default_size(LANTERN), unit="char", split="gpt2"), threshold=0.9)


def put(app: AppTest, names: list[str]) -> None:
    [picker] = [each for each in app.multiselect if each.label == "Side by side, one to four"]
    picker.set_value(names).run()
    assert not app.exception


def at(app: AppTest, step: int) -> dict[str, Any]:
    app.session_state["algorithms step"] = step
    app.run()
    assert not app.exception
    return cards(app)["PickyBPE"]


def link(app: AppTest) -> dict[str, list[str]]:
    return params(address(app)["query"])


def test_one_to_four_algorithms_are_chosen_and_the_link_has_them() -> None:
    app = opened_link("algorithms", "sample=lantern_story")
    assert "side_by_side" not in link(app)
    put(app, ["sentencepiece", "picky"])
    titles = ["PickyBPE", "SentencePiece"]
    assert list(cards(app)) == list(segmentations(app)) == titles
    assert [lane["name"] for lane in payload(app, "algorithms sentence rows")["lanes"]] == titles
    assert link(app)["side_by_side"] == ["picky", "sentencepiece"]
    assert list(cards(opened_link("algorithms", address(app)["query"]))) == titles
    put(app, [])
    assert list(cards(app)) == titles
    put(app, ["unigram"])
    assert list(cards(app)) == ["Unigram"]
    assert any("Choose a second algorithm" in each.value for each in app.caption)
    put(app, [*SIDE_BY_SIDE_AT_FIRST])
    assert "side_by_side" not in link(app)


@pytest.mark.parametrize("forged", [["bpe"] * 2, [*ALGORITHMS, "bpe"], ["gpt2"], "bpe", [1], [["bpe"]], None])
def test_a_forged_choice_shows_the_four_of_the_start(forged: object) -> None:
    app = opened(side_by_side=forged)
    assert list(cards(app)) == [TITLES[name] for name in SIDE_BY_SIDE_AT_FIRST]


@pytest.mark.parametrize("names", [BOTH, ["picky"], ["picky", "wordpiece", "unigram"]])
def test_every_card_of_the_page_goes_with_any_choice(names: list[str]) -> None:
    app = opened(side_by_side=names, step=5, step_tables_open=True, vocabularies_open=True)
    titles = [TITLES[name] for name in names]
    assert list(cards(app)) == list(segmentations(app)) == titles
    assert [each["title"] for each in payload(app, "algorithms pieces table")["columns"]] == ["Piece", *titles]
    assert column(app, "algorithms step removals", "Removed at") == []
    app.session_state["algorithms word and pieces at"] = "step"
    app.run()
    assert not app.exception


def test_a_removal_is_a_step_of_its_own_with_its_reason() -> None:
    app = opened(side_by_side=BOTH)
    number = next(i for i, event in enumerate(TRAINING.events) if isinstance(event, Removal))
    removal, merge = TRAINING.events[number], TRAINING.events[number - 1]
    assert isinstance(removal, Removal)
    assert isinstance(merge, PickyMerge)
    before, after = at(app, number), at(app, number + 1)
    removed, made = (TRAINING.token_bytes(each).decode().replace(" ", "·") for each in (removal.token_id, removal.made))
    assert (before["tone"], after["tone"]) == ("", "out")
    assert before["asks"] == "Criterion: share merged, from 90 %"
    share = f"{int(100 * removal.score)} %"
    goes = (removed, [f"{removal.used:,}", f"{removal.count:,}", share], "goes")
    assert goes in looked_at(before)
    assert did(after) == (
        f"{removed} is used almost nowhere now: removed. {made} has {removal.used} of {removal.count}: {share} ≥ 90 %."
    )
    assert after["size"].startswith(f"{TRAINING.size_at(number + 1):,} ids")
    app.session_state["algorithms step tables open"] = True
    app.run()
    assert column(app, "algorithms step removals", "Removed at") == [number + 1]


def test_the_end_says_how_many_tokens_are_never_used_here_and_in_plain_bpe() -> None:
    card = at(opened(side_by_side=BOTH), TRAINING.steps)
    plain = TRAINING.plain.sweep([len(TRAINING.plain.merges)])[0].unused
    assert TRAINING.cost().unused < plain
    assert card["foot"] == (
        f"Finished. Tokens that the text never uses: {TRAINING.cost().unused}; with plain BPE of this size: {plain}."
    )
    assert not card["usable"]


def test_the_threshold_is_a_rule_where_picky_bpe_is_shown() -> None:
    app = opened_link("algorithms", "sample=lantern_story")
    assert not [each for each in app.number_input if each.label == "PickyBPE removes from, in %"]
    put(app, BOTH)
    steps = cards(app)["PickyBPE"]["progress"]
    [field] = [each for each in app.number_input if each.label == "PickyBPE removes from, in %"]
    field.set_value(60).run()
    assert cards(app)["PickyBPE"]["progress"] != steps
    assert link(app)["threshold"] == ["60"]


def test_both_tokens_of_a_merge_can_be_removed_one_after_the_other() -> None:
    app = opened(side_by_side=BOTH)
    events = TRAINING.events
    number = next(at for at in range(len(events) - 1) if all(isinstance(each, Removal) for each in events[at : at + 2]))
    assert [says for *_, says in looked_at(at(app, number))] == ["goes", "goes"]
    assert [says for *_, says in looked_at(at(app, number + 1))] == ["removed", "goes"]


def test_the_events_of_a_word_are_shown_with_the_tokens_removed_on_the_way() -> None:
    model = TRAINING.tokenizer().model
    assert isinstance(model, PickyModel)

    def removed(word: str) -> list[str]:
        events = [TRAINING.events[each.event] for each in model.explain(f" {word}") if each.event is not None]
        return [TRAINING.token_bytes(each.token_id).decode() for each in events if isinstance(each, Removal)]

    word = next(word for word in LANTERN.split() if word.isalpha() and f" {word}" in LANTERN and removed(word))
    app = opened(side_by_side=BOTH, word=word)
    assert len(payload(app, "algorithms events 0")["rows"]) == len(model.explain(f" {word}"))
    said = ", ".join(dict.fromkeys(removed(word))).replace(" ", "·").replace(",·", ", ")
    assert f"Removed on the way: {said}" in texts(app)


@pytest.mark.parametrize("name", ["lantern_story", "toy_hug", "japanese_station_clock"])
def test_the_states_of_a_word_join_and_split_as_its_events_say(name: str) -> None:
    text = sample(name).text
    run = run_of(train_algorithm("picky", text, Recipe(default_size(text), "bpe", "gpt2", "first-seen")), text)
    assert isinstance(run, Picky)
    for word in [match[0] for match in compile_split("gpt2").finditer(text)][:40]:
        rows = run.replayed(word, run.steps)
        assert all("".join(shown for chip in row.chips for shown, _ in chip.pieces) == word for row in rows)
        assert all(row.next or after.fresh for row, after in pairwise(rows))
        assert tuple(chip.id for chip in rows[-1].chips) == tuple(run.tokenizer(run.steps).model.encode_word(word).ids)


def test_the_page_that_plays_by_itself_has_the_chosen_algorithms() -> None:
    recipe = Recipe(default_size(LANTERN), "bpe", "gpt2", "first-seen", side_by_side=("bpe", "picky"))
    found = {name: run_of(train_algorithm(name, LANTERN, recipe), LANTERN) for name in recipe.side_by_side}
    recording = algorithms_recording(Recorded(found, LANTERN, {}))
    first = unframe(recording["steps"][0]["algorithms cards"])[1]
    assert [card["title"] for card in first["cards"]] == ["BPE", "PickyBPE"]
    assert len(recording["steps"]) == TRAINING.steps + 1
    assert title_of(["picky"]) == "PickyBPE on one text"


def test_merges_that_cross_words_are_named_and_the_change_of_the_rule_too() -> None:
    app = opened(side_by_side=["bpe", "superbpe", "boundlessbpe"], word="lantern")
    recipe = Recipe(default_size(LANTERN), "bpe", "gpt2", "first-seen")
    said: dict[str, dict[int, str]] = {}
    for name in ("superbpe", "boundlessbpe"):
        run = run_of(train_algorithm(name, LANTERN, recipe), LANTERN)
        assert isinstance(run, Bpe)
        crossing = [at for at, crosses in enumerate(run.training.crossing.tolist(), 1) if crosses]
        change = run.training.rule_change
        said[TITLES[name]] = dict.fromkeys(crossing[:1], "It crosses words.")
        if change is not None:
            assert run.training.vocab_size * 80 // 100 == run.training.first_id + change.step
            said[TITLES[name]][change.step] = "From here on, merges cross words."
    assert len(said["SuperBPE"]) == 2
    for title, sentences in said.items():
        for step, sentence in sentences.items():
            app.session_state["algorithms step"] = step
            app.run()
            assert did(cards(app)[title]).endswith(f" {sentence}")
    assert list(segmentations(app)) == ["BPE", "SuperBPE", "BoundlessBPE"]
    send_action(app, "open", [2, 1], "algorithms cards")
    assert app.session_state["config"].method == "boundlessbpe"


def test_the_size_from_which_merges_cross_words_is_a_rule_of_superbpe() -> None:
    app = opened_link("algorithms", "sample=lantern_story&side_by_side=superbpe&crossing=60")
    [field] = [each for each in app.number_input if each.label == "SuperBPE crosses words from, in %"]
    assert field.value == 60
    field.set_value(100).run()
    assert link(app)["crossing"] == ["100"]


def test_a_split_without_spaces_is_a_reason_not_to_train_across_words() -> None:
    app = opened(name="toy_hug", side_by_side=["bpe", "superbpe"])
    assert cards(app)["SuperBPE"]["problem"][0] == "split is 'words' with method 'superbpe'."
    assert "problem" not in cards(app)["BPE"]
