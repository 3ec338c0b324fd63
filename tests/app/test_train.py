"""Train: steps and their reasons, forks, guesses, valid and invalid texts, and invalid settings."""

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.ways import Visit
from bpe_core import CountChange, Merge, Tokenizer, TrainConfig, train
from bpe_core.bpe.step_sentences import story_of, what_changed, whys_of
from bpe_core.bpe.step_tables import changes_frame, summary
from bpe_core.bpe.training_step import first_word, share_saved, tied
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import apart, unframe
from bpe_core.text.splits import PUBLISHED, Split
from tests.app.pages import chip_text, has, named, opened
from tests.app.sending import written
from ui.session.samples import sample
from ui.session.training import FIRST_SAMPLE, Source, Wanted
from ui.train import step as step_module
from ui.train.candidates import candidates_frames
from ui.train.curve_lines import MOST_POINTS, curves_of
from ui.train.notes import notes_on
from ui.train.step import Step
from ui.views.player import checked_move, player_view
from ui.widgets.text_files import decoded

HOSTILE = "</textarea><script>alert(1)</script> ![x](http://evil.example/a.png) **b** $x$ \u202e e\u0301 👩‍👩‍👧"


@pytest.fixture
def page() -> AppTest:
    """The page in a new session."""
    return opened()


def payload(app: AppTest, key: str) -> dict[str, Any]:
    """Payload of a view, sent by a relay or directly."""
    assert has(app, key.partition(": ")[0])
    head, body = unframe(frames(app)[key])
    return head | body


def frames(app: AppTest) -> dict[str, bytes]:
    """Payloads of all views on the page, by key."""
    given = {each.proto.id.rpartition("-")[2]: each.proto.bytes for each in app.get("bidi_component")}
    relays = [given.pop(key) for key in list(given) if key.startswith("relay of ")]
    own = {key: data for key, data in given.items() if data and b'\n{"relayed":' not in data}
    return own | {key: data for relay in relays for key, data in apart(relay).items()}


def press(app: AppTest, label: str) -> None:
    named(app.button, label).click().run()
    assert not app.exception


def go(app: AppTest, step: int) -> None:
    app.session_state["step"] = step
    app.run()
    assert not app.exception


def advance(app: AppTest) -> None:
    go(app, app.session_state["step"] + 1)


def to_the_end(app: AppTest) -> None:
    go(app, 10**6)


def predict(app: AppTest) -> None:
    app.session_state["predicting"] = True
    app.run()


def asked(app: AppTest) -> dict[str, Any]:
    """Payload of the player."""
    [view] = [each.proto for each in app.get("bidi_component") if each.proto.id.endswith("-player")]
    return dict(json.loads(view.json)[2])


def paste(app: AppTest, text: str) -> None:
    named(app.text_area, "Your text").set_value(text)
    press(app, "Train on this text")


def story(app: AppTest, key: str = "story") -> str:
    """The sentences about the step, tokens in brackets."""
    return "\n".join("".join(_plain(part) for part in sentence) for sentence in payload(app, key)["sentences"])


def _plain(part: Any) -> str:
    if isinstance(part, str):
        return part
    if "strong" in part:
        return str(part["strong"])
    return " + ".join(f"[{chip_text(chip)}]" for chip in part["chips"])


def rows(app: AppTest, key: str) -> int:
    return int(payload(app, key)["rows"])


def column(app: AppTest, key: str, title: str) -> list[Any]:
    [cells] = [each["cells"] for each in payload(app, key)["columns"] if each["title"] == title]
    return list(cells)


def texts(app: AppTest) -> str:
    """All lines on the page, including those around a view."""
    heads = [unframe(data)[0] for data in frames(app).values()]
    words = [head[part] for head in heads for part in ("title", "rest", "caption") if part in head]
    return "\n".join([*(each.value for each in (*app.text, *app.caption)), *words])


def step_of(text: str, step: int, *forks: tuple[int, int, int], **settings: Any) -> Step:
    """A step of a training, outside any page."""
    return Step(Source("paste", "", text), TrainConfig(**settings), forks, step)


# -- stepping ----------------------------------------------------------------------------------------------------


def test_step_0_says_what_it_shows_and_how_to_go_on(page: AppTest) -> None:
    assert "Step 0. The text as bytes" in story(page)
    assert "Next" in story(page)
    assert payload(page, "story")["chips"] == []


def test_a_step_is_shown_by_the_player_and_told_in_the_story(page: AppTest) -> None:
    go(page, 14)
    merge = train(sample("lantern_story").text).merges[13]
    assert f"id {merge.token_id}" in story(page)
    assert (asked(page)["step"], asked(page)["last"]) == (14, 256)


def test_the_last_step_says_why_it_is_the_last(page: AppTest) -> None:
    to_the_end(page)
    assert "The end: the vocabulary is full: 256 ids before any merge and 256 merges are 512." in story(page)
    paste(page, "hug hug")
    to_the_end(page)
    assert "every word is one token" in story(page)


def test_the_headline_of_the_stage_names_no_losers_of_a_tie_among_many(page: AppTest) -> None:
    paste(page, "ab cd ef")
    go(page, 1)
    assert "[c] + [d] in word 2" in story(page)
    brief = payload(page, "story")["brief"]
    assert ["".join(map(_plain, sentence)) for sentence in brief.values()] == [
        "A tie of 5 pairs, and the one seen first won."
    ]
    paste(page, "abc")
    go(page, 1)
    assert "brief" not in payload(page, "story")


def test_the_player_does_not_play_on_at_the_end(page: AppTest) -> None:
    page.session_state["playing"] = True
    go(page, 255)
    assert asked(page)["playing"]
    to_the_end(page)
    assert not asked(page)["playing"]


def test_the_player_tells_what_the_browser_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = {"move": [3, True], "play": True, "speed": 5.0, "predict": False}
    mounted: dict[str, Any] = {}
    monkeypatch.setattr("ui.views.player._PLAYER", lambda **given: mounted.update(given))
    message = ["tab", [[number, name, value] for number, (name, value) in enumerate(sent.items(), 1)]]
    monkeypatch.setattr("ui.views.protocol.st.session_state", {"player": {"acts": message}})
    events: list[object] = []
    player_view(
        0,
        9,
        key="player",
        playing=False,
        speed=2.0,
        speeds=[2.0, 5.0],
        on_move=lambda step, by_clock: events.append((step, by_clock)),
        on_play=events.append,
        on_speed=events.append,
        on_predict=events.append,
    )
    mounted["on_acts_change"]()
    assert events == [(3, True), True, 5.0, False]


@pytest.mark.parametrize(
    "sent", [None, 3, [3], [3, 1], [True, True], [-1, False], [11, False], ["3", False], [3.0, False]]
)
def test_a_move_that_the_player_cannot_ask_for_is_none(sent: object) -> None:
    assert checked_move(sent, 10) is None


# -- reasons -----------------------------------------------------------------------------------------------------


def test_a_tie_names_who_else_had_the_count_and_why_they_lost(page: AppTest) -> None:
    advance(page)
    assert "A tie of 2 pairs, and the one seen first wins: this one in word 1, “The”; not [ ] + [t]" in story(page)


def test_a_step_says_what_it_saved_and_the_text_what_all_steps_saved(page: AppTest) -> None:
    go(page, 1)
    assert "The pair occurred 96 times, the largest count of all: −96 tokens. The new token has id 256." in story(page)
    assert "1.04 bytes per token · 3.8% saved" in texts(page)
    assert payload(page, "story")["symbols"] == 2_547
    to_the_end(page)
    saved = 1 - train(sample("lantern_story").text).token_count(256) / 2_547
    assert f"bytes per token · {saved:.1%} saved" in texts(page)


def test_a_merge_saves_what_it_makes_and_nothing_where_its_pair_is_nowhere() -> None:
    assert "−1 token" in first_sentence(step_of("aaab", 1, split="words", vocab_size=257))
    assert "no token saved" in first_sentence(step_of("aaab", 1, (0, 120, 121), split="words", vocab_size=257))
    assert "−2,000 tokens" in first_sentence(step_of("ab " * 2_000, 1, split="words", vocab_size=257))


def first_sentence(step: Step) -> str:
    """The first sentence of a step's story."""
    first, *_ = story_of(step)
    return "".join(part if isinstance(part, str) else str(part[0]) for part in first if not isinstance(part, Chip))


def test_an_end_of_word_mark_for_each_character_makes_the_unseen_text_longer_not_shorter() -> None:
    assert share_saved(0.25) == "25.0% saved"
    assert share_saved(-0.5) == "50.0% longer"


def test_what_a_merge_changed_is_counted_by_kind(page: AppTest) -> None:
    go(page, 12)
    verdicts = column(page, "changes table", "")
    assert f"{len(verdicts)} pairs: {verdicts.count('new')} new" in texts(page)
    assert f"{verdicts.count('gone')} gone" in texts(page)
    assert summary([CountChange(1, 2, 3, 0), CountChange(9, 5, 0, 2), CountChange(1, 5, 3, 1)]) == (
        "3 pairs: 1 new, 1 fell, 1 gone"
    )
    assert summary([CountChange(1, 2, 3, 0)]) == "1 pair: 1 gone"


def test_a_tie_by_ids_shows_the_ids() -> None:
    here = step_of("ab cd ab cd", 1, split="words", tie_break="lowest-ids", vocab_size=258)
    [_, tie, *_] = story_of(here)
    assert ": (97, 98) comes before " in tie
    assert " (99, 100)." in tie


def test_the_changes_say_how_many_pairs_had_to_be_counted_again() -> None:
    here = step_of("abx ab cd ef", 1, split="words", vocab_size=258)  # (ab, x) is new, (c, d) and (e, f) stay
    frame = changes_frame(here, "changes")
    said = "Counted: 3 − 2 gone = 1 of 3 pairs; the rest stay."
    assert said in str(unframe(frame))


@pytest.mark.parametrize("shown_as", ["pairs", "chart"])
def test_pairs_below_the_last_merge_would_come_next(shown_as: str) -> None:
    [frame] = candidates_frames(step_of("abc abc", 1, vocab_size=257), shown_as).values()
    assert "What would come next" in str(unframe(frame))
    assert "These would be merged next if the vocabulary had room." in str(unframe(frame))
    [frame] = candidates_frames(step_of("ab", 1, vocab_size=258), shown_as).values()
    assert "nothing: the training ends here" in str(unframe(frame))


def test_all_pairs_are_listed_in_the_order_of_the_text_and_hidden_while_the_next_is_guessed(page: AppTest) -> None:
    page.session_state["shown text"] = "pairs"
    go(page, 3)
    first = sample(FIRST_SAMPLE)
    pairs = train(first.text, TrainConfig(**first.settings)).at(3).pairs
    assert column(page, "pairs table", "Count") == pairs.count[:400].tolist()
    page.session_state["predicting"] = True
    page.run()
    assert not column(page, "pairs table", "Count")


def test_the_published_pattern_stands_below_the_compiled_one_and_gives_the_same_words() -> None:
    text = Path(random.__file__).read_text(encoding="utf-8") + " I'm we've 'S don't  \n\n x"
    assert Split(PUBLISHED["gpt2"]).words(text) == Split("gpt2").words(text)


def test_a_tie_by_first_counted_says_at_which_step_each_pair_was() -> None:
    here = step_of("abababcb", 3, split="none", tie_break="first-counted", vocab_size=259)
    [tie] = [said for said in story_of(here) if "A tie" in str(said)]
    for words in ("A tie", "the one counted first wins", "this one at step 0; not ", " at step 1, ", " at step 2"):
        assert words in "".join(part if isinstance(part, str) else str(part) for part in tie)
    assert [row.chosen for row in here.before.candidates()] == [True, False, False]
    here = step_of("zy ab", 1, split="words", tie_break="first-counted", vocab_size=257)
    assert "later at the same step" in str(story_of(here))


def test_the_first_place_of_a_pair_is_not_sought_across_words() -> None:
    snapshot = train("ab ca xba", TrainConfig(split="words", vocab_size=256)).at(0)
    assert first_word(snapshot, ord("b"), ord("c")) is None
    found = first_word(snapshot, ord("b"), ord("a"))
    assert found is not None
    assert (found[0], found[1].tolist()) == (2, list(b"xba"))


def test_a_tie_in_a_text_that_is_one_word_takes_only_the_start_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(map(chr, range(0x4E00, 0x9000)))
    here = step_of(text, 1, split="none", unit="char", vocab_size=len(text) + 9)
    looked_up = []
    bytes_of = Tokenizer.token_bytes
    monkeypatch.setattr(Tokenizer, "token_bytes", lambda self, at: looked_up.append(at) or bytes_of(self, at))
    [_, tie, *_] = story_of(here)
    assert "this one in word 1, “一丁丂七丄丅丆万丈三上下丌不与丏…”" in str(tie)
    assert 0 < len(looked_up) < 500


def test_tied_counts_all_pairs_of_the_largest_count() -> None:
    snapshot = train("ab cd ef", TrainConfig(split="words", vocab_size=256)).at(0)
    assert tied(snapshot)[0] == 3


def test_overlapping_runs_are_explained(page: AppTest) -> None:
    paste(page, "aaab")
    advance(page)
    assert "In a run such as aaa two occurrences share a token: 2 counted, 1 merged." in story(page)


def test_two_ids_of_the_same_text_are_pointed_out() -> None:
    here = step_of("aaab aaab", 3, (2, 97, 256), split="words", vocab_size=260)
    assert any("two ids, one text" in str(sentence) for sentence in story_of(here))


def test_a_pair_of_bytes_stands_below_the_characters_in_which_the_two_are_neighbours() -> None:
    here = step_of("むかし、", 0)
    assert here.chip(0xE3).above == "む…"
    assert [chip.above for chip in here.pair(0xE3, 0x80)] == ["、", "、"]
    assert [chip.above for chip in here.pair(0x80, 0xE3)] == ["む", "か"]


def test_every_change_of_a_count_has_its_reason(page: AppTest) -> None:
    advance(page)
    why = dict(zip(map(str, column(page, "changes table", "Pair")), column(page, "changes table", "Why"), strict=True))
    assert "merged" in why.values()
    assert "in place of h" in why.values()
    assert "h was merged" in why.values()


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        ((1, 2), "merged"),
        ((9, 9), "two in a row"),
        ((9, 5), "in place of r"),
        ((5, 9), "in place of l"),
        ((5, 1), "l was merged"),
        ((2, 5), "r was merged"),
        ((2, 1), "both were merged"),
    ],
)
def test_the_reason_tells_which_half_was_taken(pair: tuple[int, int], why: str) -> None:
    merge = Merge(rank=0, left=1, right=2, token_id=9, count=3)
    assert whys_of("l", "r")[what_changed(CountChange(*pair, 3, 1), merge)] == why


# -- forks -------------------------------------------------------------------------------------------------------


def test_a_fork_says_what_differs_in_the_end_and_leads_back(page: AppTest) -> None:
    paste(page, " ".join(["hug"] * 10 + ["pug"] * 5 + ["pun"] * 12 + ["bun"] * 4 + ["hugs"] * 5))
    go(page, 0)
    page.session_state["forks"] = ((0, ord("p"), ord("u")),)
    page.session_state["step"] = 1
    page.run()
    assert "At merge 1, where the two diverge, you took [p] + [u] instead of [u] + [g]." in story(page, "fork story")
    assert "by the rule" in story(page, "fork story")
    assert "Your choice." in story(page)
    press(page, "Back to the rule")
    assert not has(page, "fork story")
    assert page.session_state["step"] == 0


def test_a_fork_is_named_by_the_settings_and_marked_in_the_table_at_every_step(page: AppTest) -> None:
    def settings() -> str:
        return next(label for each in page.get("popover") if "Settings" in (label := each.proto.popover.label))

    assert settings() == "Settings"
    assert "chosen" not in str(payload(page, "merge table")["columns"])
    page.session_state["forks"] = ((5, ord("n"), ord("d")),)
    go(page, 40)
    assert settings() == "Settings: merge 6 chosen"
    marks = column(page, "merge table", "")
    assert [at + 1 for at, mark in enumerate(marks) if mark] == [6]
    assert marks[5] == "chosen"
    page.session_state["forks"] = ((5, ord("n"), ord("d")), (7, ord("o"), ord("w")))
    page.run()
    assert settings().endswith("2 merges chosen")


def test_a_new_text_ends_the_fork(page: AppTest) -> None:
    page.session_state["forks"] = ((0, ord("t"), ord("h")),)
    page.run()
    assert has(page, "fork story")
    paste(page, "another text altogether")
    assert not has(page, "fork story")


# -- charts ------------------------------------------------------------------------------------------------------


def shown_bars(app: AppTest) -> list[tuple[str, int, str]]:
    """The bars of the candidates: the pair, its count, and the meaning of its colour."""
    bars = payload(app, "candidates chart")
    pairs = [" + ".join(chip_text(chip) for chip in pair) for pair in bars["chips"]["0"]]
    [trace] = bars["figure"]["data"]
    return list(zip(pairs, trace["y"], [meaning for _pair, _times, meaning in trace["customdata"]], strict=True))


def test_the_bars_are_the_next_pairs_in_the_rules_order_and_say_what_wins_and_ties(page: AppTest) -> None:
    page.button_group(key="candidates as").set_value("chart").run()
    paste(page, "hug hug pug pug")
    assert [count for _, count, _ in shown_bars(page)] == [
        row.count for row in train("hug hug pug pug").at(0).candidates(40)
    ]
    assert shown_bars(page)[0] == ("u + g", 4, "the next merge")
    paste(page, "ab cd")
    assert shown_bars(page)[:2] == [("a + b", 1, "the next merge"), ("  + c", 1, "tied with the next")]
    to_the_end(page)
    assert shown_bars(page) == []
    assert "No pair is left: every word is one token." in texts(page)


def test_bars_after_the_last_merge_neither_win_nor_tie(page: AppTest) -> None:
    page.button_group(key="candidates as").set_value("chart").run()
    to_the_end(page)
    assert {tone for _, _, tone in shown_bars(page)} == {""}


def test_a_text_reaches_the_chart_as_it_is(page: AppTest) -> None:
    page.button_group(key="candidates as").set_value("chart").run()
    paste(page, "<b><b>&amp;&amp;")
    pairs = [pair for pair, _, _ in shown_bars(page)]
    assert "> + <" in pairs
    assert any("&" in pair for pair in pairs)


def test_a_step_leaves_the_curves_as_they_are_and_moves_their_mark(page: AppTest) -> None:
    before = payload(page, "curves view")
    assert before["steps"] == list(range(257))
    go(page, 100)
    assert payload(page, "curves view") == before
    mark = payload(page, "curve marks")
    training = train(sample("lantern_story").text)
    assert (mark["of"], mark["step"]) == (before["rev"], 100)
    [share] = [100 * cost.saved for cost in training.sweep([100])]
    assert mark["values"] == [training.token_count(100), training.compression(100), share]


def test_each_point_of_the_curves_has_the_pair_that_was_merged(page: AppTest) -> None:
    paste(page, "hug hug pug pug")
    pairs = [" + ".join(chip_text(chip) for chip in pair) for pair in payload(page, "curves view")["chips"]]
    assert pairs == ["", "u + g", "h + ug", "  + p", " p + ug", "  + hug"]


def test_a_class_that_guesses_sees_no_pair_of_a_later_merge(page: AppTest) -> None:
    go(page, 2)
    predict(page)
    assert len(payload(page, "curves view")["chips"]) == 3


def test_beside_the_curve_of_a_fork_stands_the_one_of_the_rule(page: AppTest) -> None:
    assert len(payload(page, "curves view")["figures"][0]["figure"]["data"]) == 1
    page.session_state["forks"] = ((0, ord("t"), ord("h")),)
    page.run()
    curves = payload(page, "curves view")
    _own, other = curves["figures"][0]["figure"]["data"]
    rule = train(sample("lantern_story").text)
    assert other["y"] == [rule.token_count(step) for step in other["x"]]
    assert "dashed: the training by the rule" in curves["rest"]


def test_of_a_long_training_the_curves_hold_the_ends_and_as_many_steps_as_can_be_told_apart() -> None:
    training = train("".join(map(chr, range(0x4E00, 0x4E00 + 900))), TrainConfig(split="none", vocab_size=1_500))
    last = len(training.merges)
    assert last > MOST_POINTS
    curves = curves_of(training)
    assert len(curves.steps) == MOST_POINTS
    assert (curves.steps[0], curves.steps[-1]) == (0, last)
    assert max(after - step for step, after in pairwise(curves.steps)) <= 1 + last // MOST_POINTS
    assert len(curves.body.data) < 40_000


def test_a_bar_is_chosen_at_the_step_at_which_it_was_seen_though_the_training_played_on() -> None:
    visit, pair = visit_of_bars()
    visit.send("player", "move", [9, False])
    visit.send("candidates chart", "picked", [2, *pair])
    assert visit.app.session_state["forks"] == ((2, *pair),)
    assert visit.app.session_state["step"] == 3


def test_the_bar_of_the_rules_choice_is_the_next_step_however_often_it_is_sent() -> None:
    visit, _ = visit_of_bars()
    merge = train(sample("lantern_story").text).merges[2]
    for _ in range(2):
        visit.send("candidates chart", "picked", [2, merge.left, merge.right])
        assert visit.app.session_state["step"] == 3
        assert visit.app.session_state["forks"] == ()


def test_a_choice_that_no_bar_could_have_sent_changes_nothing() -> None:
    visit, _ = visit_of_bars()
    forged = (None, [], {}, "2", [2], [2, 104, 101, 7], [True, 104, 101], [2, -1, 101], [2, 10**400, 101])
    for sent in (*forged, [2, 104, 101.0], [2, [104], 101], [10**6, 104, 101], [2, 0, 0]):
        visit.send("candidates chart", "picked", sent)
        assert visit.app.session_state["step"] == 2, sent
        assert visit.app.session_state["forks"] == (), sent


def test_a_row_is_chosen_at_the_step_at_which_it_was_seen_though_the_training_played_on() -> None:
    visit, pair, choice = visit_of_rows()
    visit.send("player", "move", [9, False])
    visit.send("candidates table", "picked", choice)
    assert visit.app.session_state["forks"] == ((2, *pair),)
    assert visit.app.session_state["step"] == 3


def test_a_choice_that_no_row_could_have_sent_changes_nothing() -> None:
    visit, _, choice = visit_of_rows()
    for at, forged in enumerate((("another table", None), (99, -1, True, "3"), (3, 10**6, None, 10**400))):
        for sent in ([*choice[:at], each, *choice[at + 1 :]] for each in forged):
            visit.send("candidates table", "picked", sent)
            assert visit.app.session_state["step"] == 2, sent
            assert visit.app.session_state["forks"] == (), sent
        visit.send("candidates table", "picked", choice[:at])
        assert visit.app.session_state["step"] == 2
        assert visit.app.session_state["forks"] == ()


def visit_of_rows() -> tuple[Visit, tuple[int, int], list[Any]]:
    """A session at step 2 with the table of candidates, a pair that the rule does not take, and its selection."""
    visit = visit_at_step_2("pairs")
    table = payload(visit.app, "candidates table")
    left, right = table["columns"][0]["cells"][3]["pair"]
    return visit, (left[0], right[0]), [table["rev"], 3, 2]


def visit_of_bars() -> tuple[Visit, tuple[int, int]]:
    """A session at step 2 with the chart of candidates, and a pair that the rule does not take."""
    visit = visit_at_step_2("chart")
    step, left, right = payload(visit.app, "candidates chart")["choices"][3]
    assert step == 2
    return visit, (left, right)


def visit_at_step_2(candidates_as: str) -> Visit:
    return Visit(opened(candidates_as=candidates_as, step=2, forks=()))


# -- guessing ----------------------------------------------------------------------------------------------------


def test_while_a_class_guesses_the_next_merge_is_nowhere_on_the_page(page: AppTest) -> None:
    advance(page)
    predict(page)
    assert rows(page, "merge table") == 1
    curves = payload(page, "curves view")
    assert curves["steps"] == [0, 1]
    assert [[trace["x"] for trace in each["figure"]["data"]] for each in curves["figures"]] == [[[0, 1]]] * 2
    assert not has(page, "candidates chart")
    asked = payload(page, "guess choices 1")
    assert (asked["right"], asked["notes"]) == (-1, [])
    assert not has(page, "candidates table")
    assert "[t]" not in story(page)
    ids = [tuple(chip[0] for chip in pair) for pair in asked["choices"]]
    assert ids == sorted(ids)


def test_a_guess_is_judged_and_counted(page: AppTest) -> None:
    first = train(sample("lantern_story").text).merges[0]
    predict(page)
    page.session_state["guesses"] = {0: (first.left, first.right)}
    page.run()
    assert "Right: h + e, 96 times." in texts(page)
    asked = payload(page, "guess choices 0")
    assert asked["notes"][asked["right"]] == "96 times"
    assert "1 of 1 right" in texts(page)
    press(page, "Next question")
    press(page, "Reveal")
    assert "It is · + t, 96 times." in texts(page)
    assert "1 of 1 right" in texts(page)
    press(page, "Start over")
    assert "0 of 0 right" in texts(page)


# -- texts and table ---------------------------------------------------------------------------------------------


def test_an_unseen_text_is_encoded_by_the_first_merges(page: AppTest) -> None:
    page.session_state["shown text"] = "unseen"
    page.session_state["unseen text"] = "The lantern"
    page.run()
    before = payload(page, "unseen view")["ids"]
    to_the_end(page)
    after = payload(page, "unseen view")["ids"]
    assert before == list(b"The lantern")
    assert len(after) < len(before)


def test_an_unseen_text_begins_with_nothing_saved_also_where_the_split_drops_white_space() -> None:
    app = opened(query={"sample": "toy_hug", "shown": "unseen", "unseen": "hug a pug", "step": "0"})
    assert payload(app, "unseen view")["rest"] == "1.00 characters per token \u00b7 0.0% saved"
    to_the_end(app)
    assert payload(app, "unseen view")["rest"] == "1.75 characters per token \u00b7 42.9% saved"


def test_the_merge_table_is_searched_by_text_and_by_bytes(page: AppTest) -> None:
    search = named(page.text_input, "Find a token in the merge table")
    search.set_value("lant").run()
    by_text = rows(page, "merge table")
    search.set_value("6C 61 6E 74").run()
    assert 0 < by_text == rows(page, "merge table") < 20
    search.set_value("no such token").run()
    assert "No merge makes such a token." in texts(page)


def test_a_long_text_is_shown_where_the_merge_stands_first(page: AppTest) -> None:
    paste(page, "word " * 2_000 + "\nquartz quartz")
    to_the_end(page)
    assert "This merge first occurs here." in texts(page)
    assert "quartz" in payload(page, "text view")["text"]


@pytest.mark.parametrize(
    "text", ["a", "\t", HOSTILE, "\r\n\r\n", " \n \n", "ab" * 50_000, "\U0001f469\u200d\U0001f467"]
)
def test_any_text_can_be_trained_on(page: AppTest, text: str) -> None:
    paste(page, text)
    assert page.session_state["source"].text == text
    shown = payload(page, "text view")
    symbols = shown if shown["part"] else payload(page, "text view: symbols")
    assert symbols["rev"] == shown["symbols"]
    assert symbols["text"]
    assert symbols["ids"]


@pytest.mark.parametrize("more", ["", " word" * 1_000])
def test_invisible_characters_are_named_where_the_browser_computes_the_tokens(page: AppTest, more: str) -> None:
    paste(page, "a\u200bb" + more)
    assert payload(page, "text view" if more else "text view: symbols")["unseen"] == {"\u200b": "zero-width space"}


def test_a_text_without_pairs_is_explained(page: AppTest) -> None:
    paste(page, "a")
    assert "No word of this text has two symbols next to each other" in texts(page)


def test_an_empty_text_changes_nothing_and_says_so(page: AppTest) -> None:
    go(page, 5)
    press(page, "Train on this text")
    assert "There is no text yet." in texts(page)
    assert page.session_state["step"] == 5


def test_a_text_over_the_limit_changes_nothing_and_is_kept_in_its_field(page: AppTest) -> None:
    paste(page, "x" * 5_000_001)
    assert "The text has 5,000,001 characters." in texts(page)
    assert "What was here before is kept." in texts(page)
    assert len(named(page.text_area, "Your text").value) == 5_000_001


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("héllo".encode("latin-1"), "The file is not UTF-8: byte 2 is 0xE9."),
        (b"ab\x00cd", "The file holds a zero byte at character 3, so it is not text."),
    ],
)
def test_a_file_that_is_no_utf_8_says_why(data: bytes, problem: str) -> None:
    with pytest.raises(Exception, match=r"Its encoding cannot be detected|Only text is read") as caught:
        decoded(data)
    assert caught.value.problem == problem


# -- settings ----------------------------------------------------------------------------------------------------


def settings_button(app: AppTest) -> None:
    press(app, "Train with these settings")


def test_settings_that_cannot_be_keep_the_training_and_what_was_typed(page: AppTest) -> None:
    go(page, 3)
    named(page.number_input, "Vocabulary size, all ids").set_value(100)
    settings_button(page)
    assert "vocab_size is 100." in texts(page)
    assert page.session_state["step"] == 3
    assert named(page.number_input, "Vocabulary size, all ids").value == 100


@pytest.mark.parametrize(
    ("field", "name"), [("Vocabulary size, all ids", "vocab_size"), ("Minimum count of a merge", "min_count")]
)
def test_more_than_a_page_takes_is_said_in_the_form_at_once_and_not_trained(
    page: AppTest, field: str, name: str
) -> None:
    named(page.number_input, field).set_value(2_000_000).run()
    assert f"{name} is 2,000,000. A page takes" in texts(page)
    assert "These are the settings in use." not in texts(page)
    settings_button(page)
    assert "config" not in page.session_state, "the settings are those of before"
    assert f"{name} is 2,000,000." in texts(page)


def test_special_tokens_with_line_ends_stay_whole_until_they_are_edited() -> None:
    app = opened(query={"corpus": "low low", "vocab_size": "300", "special_tokens": ["a\nb", " c "]})
    assert "These are the settings in use." in [each.value for each in app.caption]
    settings_button(app)
    assert app.session_state["config"].special_tokens == ("a\nb", " c ")
    named(app.text_area, "Special tokens, one a line").set_value("x\n y\n").run()
    settings_button(app)
    assert app.session_state["config"].special_tokens == ("x", "y")


def test_a_preview_of_settings_that_cannot_be_takes_a_lone_surrogate(page: AppTest) -> None:
    page.session_state["wanted"] = Wanted(Source("file", "x.json", "low \ud800 lower"), TrainConfig(), own=True)
    page.run()
    named(page.number_input, "Vocabulary size, all ids").set_value(3).run()
    assert not page.exception
    assert has(page, "split preview")


def choose_pattern(app: AppTest, pattern: str) -> None:
    named(app.selectbox, "Split into words by").set_value("own").run()
    named(app.text_input, "Regular expression: every match is a word").set_value(pattern).run()


def test_a_bad_pattern_says_so_in_the_preview_and_when_trained(page: AppTest) -> None:
    choose_pattern(page, "(a")
    assert "not a valid regular expression" in texts(page)
    settings_button(page)
    assert texts(page).count("not a valid regular expression") == 2
    assert named(page.text_input, "Regular expression: every match is a word").value == "(a"
    assert not has(page, "split preview")
    assert has(page, "story")


def test_a_catastrophic_pattern_is_stopped_and_tried_once(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_core.text.pattern_limits.SECONDS_PER_TEXT", 0.2)
    paste(page, "a" * 300)
    choose_pattern(page, "(?:a|aa)+b")
    assert "took too long" in texts(page)
    with monkeypatch.context() as patch:
        patch.setattr("bpe_core.text.splits.compile_split", None)
        page.run()
    assert "took too long" in texts(page)
    settings_button(page)
    assert "What was here before is kept." in texts(page)


def test_a_split_that_drops_white_space_says_so(page: AppTest) -> None:
    named(page.selectbox, "Split into words by").set_value("words").run()
    assert "Characters without a colour are in no word" in texts(page)
    settings_button(page)
    assert "drops white space" in texts(page)


def test_digits_are_grouped_from_the_right_by_the_settings_and_named_by_them() -> None:
    app = opened(query={"corpus": "1234567 1234567"})
    named(app.selectbox, "Digits").set_value("right").run()
    settings_button(app)
    split = app.session_state["config"].split
    assert Split(split).words("1234567") == ["1", "234", "567"]
    assert "GPT-2 split, digits from the right" in " ".join(each.proto.popover.label for each in app.get("popover"))
    assert (named(app.selectbox, "Split into words by").value, named(app.selectbox, "Digits").value) == (
        "gpt2",
        "right",
    )
    named(app.selectbox, "Split into words by").set_value("words").run()
    assert "Digits" not in [each.label for each in app.selectbox]


def test_the_sentence_on_the_split_says_nothing_against_the_chosen_digits() -> None:
    app = opened(query={"corpus": "1234567"})
    named(app.selectbox, "Split into words by").set_value("cl100k").run()
    assert "numbers in threes" in texts(app)
    for grouped in ("one", "right"):
        named(app.selectbox, "Digits").set_value(grouped).run()
        assert "numbers in threes" not in texts(app)
        assert "digits as chosen" in texts(app)


def test_a_pattern_that_leaves_characters_out_says_so(page: AppTest) -> None:
    choose_pattern(page, r"[a-z]+")
    settings_button(page)
    assert "Your pattern skips characters of this text" in texts(page)


def test_lone_surrogates_are_replaced_and_counted() -> None:
    here = step_of("a\ud800b \udfff", 0)
    assert "2 lone surrogates have no UTF-8 encoding and became U+FFFD" in notes_on(here)[0]


def test_crlf_is_pointed_out(page: AppTest) -> None:
    paste(page, "one\r\ntwo\r\n")
    assert "CR LF" in texts(page)


def test_the_page_says_how_long_the_text_is(page: AppTest) -> None:
    paste(page, "hug hug pug")
    assert "11 bytes · 3 words, 3 distinct  \n11 characters, 5 distinct" in texts(page)


def test_visitors_at_the_same_step_share_what_is_drawn_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    make = step_module._training_text
    monkeypatch.setattr(step_module, "_training_text", lambda step: made.append(step.number) or make(step))
    text = "low lower lowest, and shared by a class"
    visits = [opened() for _ in range(3)]
    for app in visits:
        paste(app, text)
        go(app, 2)
    assert made.count(2) == 1
    assert len({json.dumps(payload(app, "text view")) for app in visits}) == 1


def test_a_sample_of_a_textbook_has_what_is_printed_beside_what_comes_out_here() -> None:
    app = opened(query={"sample": "toy_low_lower", "printed": "1"})
    [merges] = [each for each in written(app) if "es est est</w>" in each]
    printed, here = (line.split(maxsplit=1)[1] for line in merges.splitlines())
    assert printed == here
    assert any("Python's dictionaries" in each.value for each in app.text)


def test_a_text_of_no_textbook_has_nothing_printed() -> None:
    app = opened()
    assert not [each for each in app.expander if "textbooks" in each.label]
