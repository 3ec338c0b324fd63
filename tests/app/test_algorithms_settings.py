"""Training settings on Algorithms: SentencePiece's options, WordPiece's rule, Unigram's unknown characters."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import train_sentencepiece, train_unigram, train_wordpiece
from bpe_core.sentencepiece.training import MODEL_TYPES, NORMALIZATION_RULES
from tests.app.pages import column, params, payload, texts
from tests.app.pages import opened as opened_link
from tests.app.sending import address
from tests.app.test_algorithms import cards, choose, did, looked_at, opened, segmentations, text_of
from tests.draws import first
from ui import cache
from ui.runs.algorithm_run import FailedRun
from ui.runs.of_step import run_of
from ui.session.learned_tokenizers import learned
from ui.session.samples import sample
from ui.work.algorithm_training import Recipe, default_size, train_algorithm

KOREAN = "안녕하세요"
LANTERN = sample("lantern_story").text


def switch(app: AppTest, label: str) -> None:
    [found] = [each for each in app.toggle if each.label == label]
    found.set_value(not found.value).run()
    assert not app.exception


def normalize_by(app: AppTest, rule: str) -> None:
    [found] = [each for each in app.selectbox if each.label == "SentencePiece normalizes by"]
    found.set_value(rule).run()
    assert not app.exception


# -- SentencePiece -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", first(1, ["bpe", "unigram", "char"]))
def test_byte_fallback_turns_korean_into_its_bytes(model: str) -> None:
    app = opened(word=KOREAN, sentencepiece_model=model)
    assert segmentations(app)["SentencePiece"] == ["▁", "<unk>"]
    switch(app, "Byte fallback")
    expected = [f"<0x{byte:02X}>" for byte in KOREAN.encode()]
    assert segmentations(app)["SentencePiece"] == ["▁", *expected]
    assert any(
        text.endswith("so they become their bytes.") or "become their bytes. Score" in text for text in texts(app)
    )


def test_the_bytes_come_on_top_of_the_size_and_are_no_merges() -> None:
    app = opened()
    before = cards(app)["SentencePiece"]
    app.session_state["algorithms vocabularies open"] = True
    switch(app, "Byte fallback")
    after = cards(app)["SentencePiece"]
    assert after["progress"] == before["progress"]
    assert looked_at(after) == looked_at(before)
    assert after["size"] == f"{before['size']}; and 256 bytes"
    assert not any("<0x" in cell for cell in column(app, "algorithms pieces table", "SentencePiece"))


def test_each_kind_of_vocabulary_says_what_it_is_and_segments_by_it() -> None:
    app = opened(word="lantern", size=200)
    seen = {}
    for model in MODEL_TYPES:
        choose(app, "algorithms sentencepiece model", model)
        training = train_sentencepiece(LANTERN, 200, model_type=model)
        seen[model] = segmentations(app)["SentencePiece"]
        assert seen[model] == training.tokenizer().tokenize("lantern")
        assert cards(app)["SentencePiece"]["rule"].startswith("its library's ")
    assert seen["word"] == ["▁lantern"]
    assert seen["char"] == ["▁", *"lantern"]
    assert did(cards(app)["SentencePiece"]).startswith("Counted, not learned: the words")
    assert "▁lantern is a piece." in texts(app)
    assert cards(app)["SentencePiece"]["foot"] == "The vocabulary is full: what is rarer has no piece."
    app.session_state["algorithms word"] = "lanternish"
    app.run()
    assert segmentations(app)["SentencePiece"] == ["<unk>"]
    assert "▁lanternish is not a piece, so it becomes <unk>." in texts(app)
    switch(app, "Byte fallback")
    assert "▁lanternish is not a piece, so it becomes <0xE2> <0x96> <0x81> <0x6C> … 9 more." in texts(app)


@pytest.mark.parametrize(
    ("rule", "shown"),
    first(
        2,
        [
            pytest.param("nmt_nfkc", "▁Fi"),
            pytest.param("nmt_nfkc_cf", "▁fi"),
            pytest.param("nfkc", "▁Fi"),
            pytest.param("nfkc_cf", "▁fi"),
            pytest.param("identity", "▁Fi"),
        ],
    ),
)
def test_the_word_is_normalized_by_the_rule_that_was_chosen(rule: str, shown: str) -> None:
    app = opened(word="Fiﬁ")
    normalize_by(app, rule)
    chips = "".join(segmentations(app)["SentencePiece"])
    assert chips.startswith(shown) or chips.startswith("▁F")
    notes = [text for text in texts(app) if text.startswith("Normalized by ")]
    changed = {"identity": [], "nfkc": ["▁Fifi"], "nmt_nfkc": ["▁Fifi"]}.get(rule, ["▁fifi"])
    assert notes == [f"Normalized by {rule}: {text}" for text in changed]
    training = train_sentencepiece(LANTERN, default_size(LANTERN), model_type="bpe", normalization=rule)  # type: ignore[arg-type]
    assert segmentations(app)["SentencePiece"] == training.tokenizer().tokenize("Fiﬁ")


@pytest.mark.parametrize("name", first(1, ["japanese_station_clock", "lantern_story", "toy_hug", "white_space"]))
@pytest.mark.parametrize("rule", NORMALIZATION_RULES)
@pytest.mark.parametrize("fallback", first(1, [True, False]))
def test_bpe_s_pieces_cut_by_the_first_merges_are_those_of_the_library_at_the_end(name, rule, fallback: bool) -> None:
    text = sample(name).text
    recipe = Recipe(default_size(text), "bpe", "gpt2", "first-seen", byte_fallback=fallback, normalization=rule)
    run = run_of(train_algorithm("sentencepiece", text, recipe), text)
    assert not isinstance(run, FailedRun)
    for word in {*text.split()[:60], "ÿ", "aÿÿb", KOREAN, "Fiﬁ"}:
        assert run.merged_segmentation(word, run.steps) == run.segment(word, run.steps)  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", first(3, ["", "a\ud800b", "ﬁ㍿①", " \n\t ", "a", "\x00\x01", "¨a b"]))
@pytest.mark.parametrize("model", MODEL_TYPES)
@pytest.mark.parametrize("rule", first(1, ["nmt_nfkc_cf", "identity"]))
def test_any_text_and_word_is_answered_with_any_setting(text: str, model: str, rule: str) -> None:
    app = opened(
        text,
        sentencepiece_model=model,
        sentencepiece_bytes=True,
        sentencepiece_normalization=rule,
        wordpiece_merges_by="count",
        unigram_unknown="word",
        word="¨aÿ",
    )
    for card in cards(app).values():
        assert card.get("problem") or card["progress"]
    choose(app, "algorithms word and pieces at", "step")


# -- WordPiece ----------------------------------------------------------------------------------------------------


def test_wordpiece_merges_by_score_or_by_count() -> None:
    app = opened(name="toy_hug", step=1, size=20)
    assert did(cards(app)["WordPiece"]) == "##g+##s → ##gs scored 0.05."
    choose(app, "algorithms wordpiece merges by", "count")
    card = cards(app)["WordPiece"]
    assert card["rule"] == "merges the most frequent pair"
    assert did(card) == "##u+##g → ##ug occurred 20 times."
    assert card["columns"] == ["Pair", "Count"]
    assert looked_at(card)[0] == ("##u+##n", ["16"], "next")
    training = train_wordpiece(sample("toy_hug").text, 20, rule="count")
    assert card["progress"] == f"Merge 1 of {len(training.merges)}"


def test_a_tie_by_count_goes_to_the_lowest_ids_and_the_card_says_what_its_library_does() -> None:
    card = cards(opened("ab cd", wordpiece_merges_by="count", size=20))["WordPiece"]
    assert [(pair, says) for pair, _, says in looked_at(card)] == [("a+##b", "next"), ("c+##d", "tied")]
    assert card["foot"] == "Of tied pairs, the lowest ids win; its library gives the ids of ## characters by chance."


# -- Unigram ------------------------------------------------------------------------------------------------------


def test_the_lattice_draws_an_unknown_character_and_says_its_score() -> None:
    app = opened(word="lanÿtern")
    lattice = payload(app, "algorithms lattice unigram")
    unknown = [(text_of(chip), edge) for chip, edge in zip(lattice["chips"], lattice["edges"], strict=True) if edge[6]]
    assert [text for text, _ in unknown] == ["ÿ"]
    size = default_size(LANTERN)
    highest = max(train_unigram(LANTERN, size, seed_size=max(300, 3 * size)).vocab.values())
    assert unknown[0][1][2] == pytest.approx(highest + 10)
    assert f"ÿ is not a piece, so it becomes <unk>. Score {highest + 10:.2f}: 10 above the rarest piece." in texts(app)
    assert column(app, "algorithms paths unigram", "Best paths")[0].split("|").count("ÿ") == 1
    assert "".join(segmentations(app)["Unigram"]) == "▁lan<unk>tern"


def test_unigram_is_not_trained_again_for_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(word="lanÿtern")
    trained: list[str] = []
    monkeypatch.setattr(cache, "train_algorithm", lambda name, *_: trained.append(name))
    choose(app, "algorithms unigram unknown", "word")
    assert segmentations(app)["Unigram"] == ["<unk>"]
    assert trained == []


@pytest.mark.parametrize(
    ("key", "value", "own"),
    [
        ("algorithms sentencepiece model", "unigram", "sentencepiece"),
        ("algorithms wordpiece merges by", "count", "wordpiece"),
    ],
)
def test_a_setting_trains_its_own_algorithm_alone(
    key: str, value: str, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened("lower lowest newest widest " + key)
    trained: list[str] = []

    def train(name: str, *given: Any) -> Any:
        trained.append(name)
        return train_algorithm(name, *given)

    monkeypatch.setattr(cache, "train_algorithm", train)
    choose(app, key, value)
    assert trained == [own]


# -- links --------------------------------------------------------------------------------------------------------


def test_a_link_carries_every_setting() -> None:
    query = "sample=toy_hug&model=word&bytes=1&normalization=nfkc_cf&merges_by=count&unknown=word&word=hugs"
    app = opened_link("algorithms", query)
    card = cards(app)["SentencePiece"]
    assert card["rule"] == "its library's words"
    assert card["size"].endswith("; and 256 bytes")
    assert cards(app)["WordPiece"]["rule"] == "merges the most frequent pair"
    asked, written = params(query), params(address(app)["query"])
    assert {name: written[name] for name in asked} == asked


@pytest.mark.parametrize(
    "forged", ["bytes=2", "normalization=nfd", "merges_by=loss", "unknown=letters", "model=sentences", "bytes=word"]
)
def test_a_forged_setting_opens_the_default(forged: str) -> None:
    app = opened_link("algorithms", f"sample=toy_hug&{forged}")
    assert not app.exception
    fresh = opened_link("algorithms", "")
    assert cards(app) == cards(fresh)


def test_forged_values_of_the_session_are_the_defaults() -> None:
    app = opened(
        sentencepiece_bytes="on",
        sentencepiece_normalization=["nfkc"],
        sentencepiece_model=None,
        wordpiece_merges_by=7,
        unigram_unknown="letters",
    )
    assert cards(app) == cards(opened())


# -- fields of WordPiece and Unigram --------------------------------------------------------------------------------


def test_unigram_s_seed_and_share_are_those_of_the_fields_and_of_the_link() -> None:
    app = opened_link("algorithms", "sample=course_corpus&size=100")
    assert cards(app)["Unigram"]["progress"] == "Round 0 of 11"
    app.number_input(key="algorithms unigram seed").set_value(200).run()
    app.number_input(key="algorithms unigram shrink").set_value(25).run()
    card = cards(app)["Unigram"]
    assert card["size"].startswith("200 pieces")
    expected = train_unigram(sample("course_corpus").text, 100, seed_size=200, shrink=0.25)
    assert card["progress"] == f"Round 0 of {len(expected.rounds)}"
    written = params(address(app)["query"])
    assert (written["seed"], written["shrink"]) == (["200"], ["25"])
    again = opened_link("algorithms", "sample=course_corpus&size=100&seed=200&shrink=25")
    assert cards(again)["Unigram"] == card


def test_wordpiece_s_special_tokens_are_the_first_ids_on_every_page() -> None:
    app = opened_link("algorithms", "sample=toy_hug&size=20&vocabularies=1")
    app.text_input(key="algorithms wordpiece special tokens draft").set_value("<pad>  <cls>").run()
    assert "3 special tokens come first" in did(cards(app)["WordPiece"])
    [first] = [cell for cell in column(app, "algorithms pieces table", "WordPiece") if cell.startswith("##g (")]
    assert first == "##g (3)"
    name = "wordpiece:20:special_tokens=%3Cpad%3E%20%3Ccls%3E"
    trained = learned(name)
    assert trained is not None
    assert trained.options["special_tokens"] == "<pad> <cls>"
    page = opened_link("vocabulary", {"sample": "toy_hug", "of": name})
    assert column(page, "vocabulary table", "Id")
    assert {"<pad>", "<cls>", "[UNK]"} <= {text_of(chip) for chip in column(page, "vocabulary table", "Token")}


def test_unigram_s_special_tokens_are_the_first_ids_on_every_page() -> None:
    """XLNet's <cls> and <sep> have the ids 0 and 1, as in Hugging Face's course."""
    app = opened_link("algorithms", "sample=toy_hug&size=20")
    app.text_input(key="algorithms unigram special tokens draft").set_value("<cls>  <sep>").run()
    assert params(address(app)["query"])["unigram_special"] == ["<cls> <sep>"]
    name = "unigram:20:first_tokens=%3Ccls%3E%20%3Csep%3E"
    page = opened_link("pipeline", {"sample": "toy_hug", "with": name, "text": "hug", "template": "xlnet"})
    drawn = payload(page, "stages of the text")["out"]
    assert (drawn["id"][-2:], drawn["added"]) == ([1, 0], [])
    page = opened_link("vocabulary", {"sample": "toy_hug", "of": name})
    rows = zip(column(page, "vocabulary table", "Id"), column(page, "vocabulary table", "Token"), strict=True)
    assert {"0": "<cls>", "1": "<sep>", "2": "<unk>"}.items() <= {str(i): text_of(chip) for i, chip in rows}.items()
    app.text_input(key="algorithms unigram special tokens draft").set_value("<s> <s>").run()
    assert "<s>" in "".join(cards(app)["Unigram"]["problem"])


def test_a_special_token_that_could_be_a_word_is_refused_in_the_card_with_what_to_write() -> None:
    app = opened_link("algorithms", {"sample": "toy_hug", "special": "hug"})
    assert cards(app)["WordPiece"]["problem"][-1] == "Write '[hug]'."
