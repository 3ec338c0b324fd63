"""Algorithms: four trainings on one corpus, stepped together, and one word segmented by each, with the reason."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import TrainConfig, train_wordpiece
from tests.app import pages
from tests.app.pages import chip_text as text_of
from tests.app.pages import column, payload, texts
from tests.app.sending import send_action, take, without_terms
from tests.draws import first
from ui.runs.wordpiece import WordPiece
from ui.session.algorithms import SIDE_BY_SIDE_AT_FIRST, TITLES
from ui.session.samples import sample
from ui.session.tokenizer_files import TokenizerFile
from ui.session.training import Source
from ui.work.algorithm_training import Recipe, default_size

HOSTILE = "</textarea><script>alert(1)</script> ![x](http://evil.example/a.png) **b** $x$ \u202e \x00 e\u0301 👩‍👩‍👧"
NAMES = [TITLES[name] for name in SIDE_BY_SIDE_AT_FIRST]


def opened(text: str | None = None, name: str = "lantern_story", **chosen: Any) -> AppTest:
    """The page on a sample or on another text; `chosen`: values of the session state, _ for a space."""
    source = Source.of_sample(sample(name)) if text is None else Source("paste", "Pasted text", text)
    config = TrainConfig(**sample(name).settings) if text is None else TrainConfig()
    choices = {f"algorithms {key}": value for key, value in chosen.items()}
    return pages.opened("algorithms", source=source, config=config, **choices)


def drawn(app: AppTest) -> set[str]:
    """The views on the page, by the suffixes of their ids."""
    return {each.proto.id.rpartition("-")[2] for each in app.get("bidi_component")}


def cards(app: AppTest) -> dict[str, dict[str, Any]]:
    return {card["title"]: card for card in payload(app, "algorithms cards")["cards"]}


def looked_at(card: dict[str, Any]) -> list[tuple[str, list[str], str]]:
    """The rows of a card: pieces, numbers, and outcome."""
    return [("+".join(map(text_of, chips)), cells, says) for chips, cells, _, says, _ in card["rows"]]


def did(card: dict[str, Any]) -> str:
    return "".join(part if isinstance(part, str) else "+".join(map(text_of, part)) for part in card["did"])


def segmentations(app: AppTest) -> dict[str, list[str]]:
    """The word's pieces by algorithm."""
    return {
        title: [text_of(chip) for chip in chips] for title, chips, _ in payload(app, "algorithms segmentations")["rows"]
    }


def choose(app: AppTest, key: str, value: str) -> None:
    """Click a choice."""
    [found] = [each for each in app.get("button_group") if each.key == key]
    found.set_value(value).run()
    assert not app.exception


# -- the worked example ------------------------------------------------------------------------------------------


def test_each_algorithm_shows_what_it_looks_at_and_what_it_takes() -> None:
    app = opened(name="toy_hug", step=1, size=20)
    found = cards(app)
    assert list(found) == NAMES
    assert did(found["BPE"]) == "u+g → ug occurred 20 times."
    assert looked_at(found["BPE"])[0] == ("u+n", ["16"], "next")
    assert did(found["WordPiece"]) == "##g+##s → ##gs scored 0.05."
    assert looked_at(found["WordPiece"])[0] == ("h+##u", ["15", "(15 × 36)", "0.0278"], "next")
    assert did(found["Unigram"]).startswith("Removed ")
    assert {says for _, _, says in looked_at(found["Unigram"])} == {"goes", "stays"}
    assert "has the score 0" in did(found["SentencePiece"])
    assert [card["progress"] for card in found.values()] == [
        "Merge 1 of 7",
        "Merge 1 of 8",
        "Round 1 of 5",
        "Merge 1 of 9",
    ]


def test_each_step_does_what_the_one_before_announced() -> None:
    app = opened(name="toy_hug", size=20)
    for step in range(1, 8):
        announced = {title: [row for row in looked_at(card) if row[2] == "next"] for title, card in cards(app).items()}
        app.session_state["algorithms step"] = step
        app.run()
        for title in ("BPE", "WordPiece"):
            [(pair, _, _)] = announced[title]
            assert did(cards(app)[title]).startswith(f"{pair} → ")
        assert did(cards(app)["SentencePiece"]).startswith(f"{announced['SentencePiece'][0][0]} has the score")


def test_an_algorithm_with_fewer_steps_stays_at_its_last() -> None:
    app = opened(step=100)
    found = cards(app)
    assert found["BPE"]["progress"] == "Merge 100 of 129"
    assert not found["BPE"]["finished"]
    assert found["Unigram"]["progress"] == "Round 11 of 11"
    assert found["Unigram"]["finished"]
    app.session_state["algorithms step"] = 10_000
    app.run()
    assert all(card["finished"] for card in cards(app).values())


# -- Japanese and English ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "word"), [("lantern_story", "lanterns"), ("japanese_station_clock", "駅長さんは")])
@pytest.mark.parametrize("model", ["bpe", "unigram"])
def test_all_four_train_step_and_segment(name: str, word: str, model: str) -> None:
    app = opened(name=name, word=word, sentencepiece_model=model)
    before = cards(app)
    assert not [card for card in before.values() if "problem" in card]
    found = segmentations(app)
    assert list(found) == NAMES
    assert "".join(found["BPE"]).strip() == word
    assert "".join(found["Unigram"]) == f"▁{word}"
    assert "".join(found["SentencePiece"]) == f"▁{word}"
    assert "".join(found["WordPiece"]).replace("##", "") in (word, "[UNK]")
    app.session_state["algorithms step"] = 1
    app.run()
    after = cards(app)
    for title in NAMES if model == "bpe" else NAMES[:3]:
        assert after[title]["progress"].split()[1] == "1"
        assert after[title]["rows"] != before[title]["rows"]
    assert segmentations(app) == found  # with the finished vocabularies
    choose(app, "algorithms word and pieces at", "step")
    assert segmentations(app) != found


def test_pieces_in_a_line_run_in_their_own_direction() -> None:
    app = opened("سلام عليكم سلام", word="سلام", sentence="سلام")
    remaining = column(app, "algorithms matches", "Remaining")
    assert remaining[0] == "\u2068سلام\u2069"
    longer = [each for each in column(app, "algorithms matches", "Longer ones, not in the vocabulary") if each != "–"]
    assert all(piece[0] + piece[-1] == "\u2068\u2069" for line in longer for piece in line.split(" … ")[0].split(", "))


def test_the_reasons_lead_to_the_pieces() -> None:
    app = opened(word="lowest", sentencepiece_model="unigram")
    found = segmentations(app)
    merges = payload(app, "algorithms merges 0")
    assert [text_of(merges["chips"][i]) for i in merges["rows"][-1][0]] == found["BPE"]
    assert [text_of(chip) for chip in column(app, "algorithms matches", "Match")] == found["WordPiece"]
    for title in ("Unigram", "SentencePiece"):
        lattice = payload(app, f"algorithms lattice {title.lower()}")
        chosen = [text_of(chip) for chip, edge in zip(lattice["chips"], lattice["edges"], strict=True) if edge[5]]
        assert chosen == found[title]
        assert column(app, f"algorithms paths {title.lower()}", "Best paths")[0].split("|") == found[title]
        sums = column(app, f"algorithms paths {title.lower()}", "Sum")
        assert sums == sorted(sums)
        assert sums[0] == pytest.approx(lattice["totals"][-1])


def test_a_word_that_gets_stuck_or_holds_an_unknown_letter_says_so() -> None:
    app = opened(word="zÿx")
    found = segmentations(app)
    assert found["WordPiece"] == ["[UNK]"]
    assert found["Unigram"] == ["▁", "<unk>", "x"]
    assert "Nothing fits there, so the whole word becomes [UNK]." in texts(app)
    assert not any("holds a character that is not a piece" in text for text in texts(app))
    choose(app, "algorithms unigram unknown", "word")
    assert segmentations(app)["Unigram"] == ["<unk>"]
    note = "The whole word is <unk>: it holds a character that is not a piece, so no path leads through."
    assert note in texts(app)


def test_words_that_are_cut_differently_are_listed_and_the_first_is_followed() -> None:
    app = opened()
    listed = column(app, "algorithms words", "Word")
    assert len(listed) > 5
    rows = zip(*(column(app, "algorithms words", title) for title in NAMES), strict=True)
    assert all(len(set(row)) > 1 for row in rows)
    assert "".join(segmentations(app)["Unigram"]) == f"▁{listed[0]}"


def test_words_that_fit_into_the_list_come_before_those_whose_differences_would_be_cut_off() -> None:
    listed = column(opened(name="japanese_station_clock", size=300), "algorithms words", "Word")
    assert len(listed) > 20
    assert all(len(word) <= 4 for word in listed[:20])


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        ("", "Type a sentence, or click a word in the list."),
        ("   ", "Type a sentence, or click a word in the list."),
        ("x" * 50, "None of its words is short enough to follow: at most 40 characters."),
        ("low " * 100, "This has 399 characters. This page takes 300: Encode and Compare take whole texts."),
    ],
)
def test_what_cannot_be_followed_says_so(typed: str, note: str) -> None:
    assert note in texts(opened(word=typed))


# -- the vocabularies --------------------------------------------------------------------------------------------


def test_the_vocabularies_are_folded_until_they_are_opened_or_a_link_filters_them() -> None:
    assert "algorithms pieces table" not in drawn(opened())
    assert "algorithms pieces table" in drawn(opened(vocabularies_open=True))
    assert "algorithms pieces table" in drawn(opened(pieces_found="low"))


def test_the_vocabularies_stand_side_by_side() -> None:
    app = opened(pieces_shown="shared", pieces_found="low")
    assert column(app, "algorithms pieces table", "Piece")[0] == "low"
    assert column(app, "algorithms pieces table", "BPE")[0].startswith("·low (")
    assert "low (" in column(app, "algorithms pieces table", "WordPiece")[0]
    assert column(app, "algorithms pieces table", "Unigram")[0].startswith("▁low (")
    app.session_state["algorithms pieces found"] = ""
    take(app, "algorithms pieces kinds", "wordpiece")
    assert all(column(app, "algorithms pieces table", "WordPiece"))
    assert not any(column(app, "algorithms pieces table", "BPE"))


# -- sizes and texts ---------------------------------------------------------------------------------------------


def test_a_size_too_small_for_the_text_becomes_the_least_that_it_allows() -> None:
    app = opened(size=10)
    notes = [text for text in texts(app) if ": the text needs " in text]
    assert [text.partition(":")[0] for text in notes] == NAMES
    assert all(text.endswith("at least, so it has that instead of 10.") for text in notes)


def test_a_text_that_is_too_large_says_so_once() -> None:
    app = opened("low lower " * 500_001)
    assert "This training takes 5,000,000 bytes at most." in texts(app)
    assert "algorithms cards" not in drawn(app)


def test_a_megabyte_is_trained_on_and_the_limit_is_said_before_a_file_is_opened() -> None:
    app = opened("low lower\n" * 110_000)
    assert "WordPiece and Unigram take 5 MB of text, SentencePiece 1 MB." in [each.value for each in app.caption]
    by_name = cards(app)
    assert "This training takes 1,048,576 bytes at most." in str(by_name.pop("SentencePiece"))
    assert all(card["progress"] for card in by_name.values())


@pytest.mark.parametrize("text", first(3, ["", HOSTILE, "a" * 20_000, " \n\t ", "a", "a\ud800b", "\x00\x01", "ﬁ㍿①"]))
@pytest.mark.parametrize("model", ["bpe", "unigram"])
def test_any_text_is_trained_on_or_the_column_says_why_not(text: str, model: str) -> None:
    app = opened(text, sentencepiece_model=model)
    for card in cards(app).values():
        assert card.get("problem") or card["progress"]
    app.session_state["algorithms step"] = 3
    choose(app, "algorithms word and pieces at", "step")


def test_a_split_that_drops_the_word_says_so() -> None:
    app = opened()
    app.session_state["config"] = TrainConfig(split=r"\d+")
    app.run()
    assert not app.exception
    assert segmentations(app)["BPE"] == []
    assert "The split drops this word." in texts(app)
    assert cards(app)["BPE"]["foot"] == "Nothing to merge: no word has two symbols next to each other."


def test_an_algorithm_that_cannot_be_trained_says_why_in_its_own_card() -> None:
    found = cards(opened(" \n "))
    assert found["WordPiece"]["problem"][0] == "The corpus holds no words: it is empty, or white space alone."
    assert found["BPE"]["progress"] == "Merge 0 of 2"


# -- the four algorithms --------------------------------------------------------------------------------------------


def test_a_slow_training_of_each_kind_can_be_cancelled_on_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.widgets.progress._QUIET", 0.0)
    monkeypatch.setattr("ui.widgets.progress._BETWEEN_REPORTS", 0.0)
    app = opened()
    app.session_state["source"] = Source("paste", "Pasted text", "low lower lowest newest widest, with both bars " * 30)
    app.run()
    assert not app.exception
    assert list(cards(app)) == NAMES
    app.session_state["algorithms training cancelled"] = f"{app.session_state['source'].digest} {recipe(app)}"
    app.run()
    assert any("The training was cancelled." in text for text in texts(app))
    [again] = [each for each in app.button if each.label == "Train"]
    again.click().run()
    assert list(cards(app)) == NAMES


def recipe(app: AppTest) -> Recipe:
    """The settings that the four are trained with."""
    config = app.session_state["config"]
    return Recipe(default_size(app.session_state["source"].text), "bpe", config.split, config.tie_break)


def test_the_overview_compares_three_algorithms_in_four_rows() -> None:
    app = opened(overview_open=True)
    assert column(app, "algorithms overview", "BPE")[2:] == [
        "a vocabulary and the order of its merges",
        "applies the merges in order",
    ]
    assert column(app, "algorithms overview", "Unigram")[1] == "removes the pieces whose loss costs the text least"


def test_the_longest_match_is_beside_what_the_merges_in_order_would_give() -> None:
    training = train_wordpiece(sample("toy_hug").text, 20, rule="count")
    run = WordPiece(training, 20)
    assert run.segment("hugs", 0).bare == ("h", "u", "g", "s")
    for step in range(run.steps + 1):
        by_merges = run.by_merges("hugs", step)
        assert "".join(piece.removeprefix("##") for piece in by_merges) == "hugs"
        for word, _ in training.at(step).words():
            whole = "".join(piece.removeprefix("##") for piece in word)
            assert tuple(run.by_merges(whole, step)) == word


# -- every pair and piece of a step ------------------------------------------------------------------------------


def test_the_pairs_that_the_course_prints_are_in_the_table_of_all_pairs() -> None:
    app = opened(name="course_corpus", size=70, step_tables_open=True)
    table = pages.columns(app, "algorithms step pairs")
    rows = list(zip(*(table[title] for title in ("Pair", "Count", "Left", "Right", "Score")), strict=True))
    found = {
        "+".join(map(text_of, pair["pair"])): (count, left, right, round(score, 6))
        for pair, count, left, right, score in rows
    }
    printed = {
        "T+##h": 0.125,
        "##h+##i": 0.034091,
        "##i+##s": 0.027273,
        "i+##s": 0.1,
        "t+##h": 0.035714,
        "##h+##e": 0.011905,
    }
    assert {pair: found[pair][3] for pair in printed} == printed
    assert list(found)[:6] == list(printed)  # in the order of the text, as printed
    assert found["T+##h"][:3] == (3, 3, 8)
    [chosen] = [at for at, row in enumerate(rows) if at == payload(app, "algorithms step pairs")["current"]]
    assert found[list(found)[chosen]] == max(found.values(), key=lambda each: each[3])


def test_the_seed_of_unigram_is_listed_with_the_counts_of_the_course() -> None:
    app = opened(name="course_corpus", size=100, step_tables_open=True)
    table = pages.columns(app, "algorithms step pieces")
    first_ten = list(zip(map(text_of, table["Piece"]), table["Count"], strict=True))[:10]
    assert first_ten == [
        ("▁t", 7), ("is", 5), ("er", 5), ("▁a", 5), ("▁to", 4), ("to", 4), ("en", 4), ("▁T", 3), ("▁Th", 3),
        ("▁Thi", 3),
    ]  # fmt: skip
    card = cards(app)["Unigram"]
    assert "by count ▁t (7) is (5) er (5) …" in did(card)
    counts = dict(zip(map(text_of, table["Piece"]), table["Count"], strict=True))
    assert all(int(cells[0]) == counts[piece] for piece, cells, _ in looked_at(card) if cells)


def test_the_tables_follow_the_step_and_are_empty_when_no_pair_is_left() -> None:
    def pairs(step: int) -> set[str]:
        app = opened(name="toy_hug", size=20, step=step, step_tables_open=True)
        return {"+".join(map(text_of, pair["pair"])) for pair in column(app, "algorithms step pairs", "Pair")}

    assert pairs(0) - pairs(1) == {"##g+##s"}
    assert pairs(1) - pairs(0) == {"##u+##gs"}
    assert payload(opened("aa aa", step=1, step_tables_open=True), "algorithms step pairs")["rows"] == 0


def test_bpe_s_card_opens_its_tokenizer_on_encode_as_the_training_of_all_pages() -> None:
    app = opened(name="toy_hug", size=20)
    send_action(app, "open", [0, 0], "algorithms cards")
    assert app.session_state["encode with"] == "trained"
    config = app.session_state["config"]
    assert (config.unit, config.vocab_size) == ("char", 20)


def test_the_page_says_that_it_trains_its_own_and_where_opened_tokenizers_are() -> None:
    elsewhere = "Tokenizers that you opened are already trained: use them on Encode, Compare, Vocabulary and Pipeline."
    page = opened(name="toy_hug")
    captions = [without_terms(each.value) for each in page.caption]
    assert any(line.startswith("Four tokenizers, trained here on this text: ") for line in captions)
    assert elsewhere not in captions
    page.session_state["tokenizer files"] = (TokenizerFile("mine", (("vocab.txt", b"[UNK]\na"),)),)
    page.run()
    assert elsewhere in [each.value for each in page.caption]
