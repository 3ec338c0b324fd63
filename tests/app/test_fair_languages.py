"""The training that is fair to languages, on Compare: its chart, steps, table and tokenizer."""

import re

import pytest
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_core import TrainConfig, train, train_parity
from tests.app.pages import column, has, opened, payload
from tests.app.sending import address, send_action
from ui.compare.parallel_counts import language_titles, parallel_samples

TEXTS = parallel_samples()


@pytest.fixture(scope="module")
def fair():
    return train_parity(TEXTS, TrainConfig(vocab_size=512, min_count=2), unit="lines")


def card(query=""):
    return opened("compare", f"fair=1&{query}")


def sentences(app):
    """Sentences of the step, tokens as their text."""
    parts = payload(app, "fair step story")["sentences"]
    return [
        "".join(part if isinstance(part, str) else part.get("strong", "<pair>") for part in sentence)
        for sentence in parts
    ]


def test_it_is_closed_at_first_and_trains_nothing():
    assert not has(opened("compare"), "fair chart")


def test_the_table_has_the_tokens_of_both_trainings_and_their_ratios(fair):
    app = card()
    usual = train(list(TEXTS.values()), TrainConfig(vocab_size=512, min_count=2)).tokenizer()
    names = {title: code for code, title in language_titles().items()}
    order = [names[title] for title in column(app, "fair table", "Language")]
    tokens = [len(usual.encode(TEXTS[code])) for code in order]
    assert column(app, "fair table", "Tokens, standard") == tokens == sorted(tokens, reverse=True)
    fairly = [len(fair.training.tokenizer().encode(TEXTS[code])) for code in order]
    assert column(app, "fair table", "Tokens, fair") == fairly
    english = fairly[order.index("en")]
    assert column(app, "fair table", "To English, fair") == pytest.approx([n / english for n in fairly], abs=0.01)
    words = dict(zip(column(app, "fair table", "Language"), column(app, "fair table", "Per word, fair"), strict=True))
    assert {language for language, each in words.items() if each is None} == {"Japanese", "Chinese"}


def test_the_sentence_names_the_language_that_a_merge_serves(fair):
    step = fair.step(12)
    [first, second] = sentences(card("fair_merge=12"))
    language, tokens = language_titles()[step.language], fair.tokens[11].max()
    assert first.startswith(f"Merge 12 serves {language}, worst off with {tokens} tokens for the paragraph: <pair>")
    assert first.endswith(f"occurs there {step.times} times.")
    assert str(fair.training.merges[11].count) in second


def test_a_merge_of_the_hybrid_variant_serves_no_language_at_first():
    assert sentences(card("fair_by=hybrid&fair_merge=3"))[0].startswith("Merge 3 serves no language")


def test_a_click_in_the_chart_goes_to_that_merge():
    app = card()
    send_action(app, "picked", [13, 50], key="fair chart")
    step = int(re.search(r"Merge ([0-9,]+) serves", sentences(app)[0])[1])
    assert app.slider[0].value == step > 1
    assert f"fair_merge={step}" in address(app)["query"]


def test_a_merge_beyond_a_smaller_vocabulary_becomes_its_last():
    app = card("fair_ids=320&fair_merge=500")
    assert app.slider[0].value == app.slider[0].max == 64


@pytest.mark.parametrize("unit", ["bytes", "characters"])
def test_another_unit_serves_another_language(unit):
    [first, _second] = sentences(card(f"fair_unit={unit}&fair_merge=2"))
    assert f"{unit} per token" in first


def test_its_tokenizer_opens_beside_the_others_and_gives_the_ids_of_its_file(fair):
    app = card()
    next(each for each in app.button if each.label == "Open it here").click().run()
    assert not app.exception
    [file] = app.session_state["tokenizer files"]
    assert file.title.startswith("parity-aware 512")
    assert file.name in app.session_state["compare with"]
    theirs = LibraryTokenizer.from_str(file.contents()["tokenizer.json"].decode())
    mine = fair.training.tokenizer()
    for text in TEXTS.values():
        assert theirs.encode(text, add_special_tokens=False).ids == mine.encode(text).ids.tolist()


@pytest.mark.parametrize("forged", ["fair_ids=9999999", "fair_by=x", "fair_unit=y", "fair_merge=-4"])
def test_a_link_with_a_value_that_does_not_exist_is_refused(forged):
    assert "This link cannot be opened." in " ".join(each.value for each in card(forged).text)
