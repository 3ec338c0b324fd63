"""The Vocabulary page in use: find, filter, open a token, save and open a training."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import FormatError, TrainConfig, load_pretrained, train
from bpe_core.comparison.reach import Unreached, Why
from bpe_core.formats.training_file import save_training
from tests.app import pages
from tests.app.pages import columns, has
from tests.app.pages import joined_texts as texts
from tests.app.sending import without_terms
from ui.session.tokenizer_files import TokenizerFile
from ui.vocabulary import training_file
from ui.vocabulary.page import TOKENS_PER_PAGE
from ui.vocabulary.unreached import SENTENCES, SHORT

HOSTILE = "<script>alert(1)</script>\n![](http://x.test/y.png) **b** \u202e </textarea>"


@pytest.fixture
def app() -> AppTest:
    """The page in a session without its own training."""
    return pages.opened("vocabulary")


def table(app: AppTest, name: str = "vocabulary table") -> dict[str, list[Any]]:
    """The cells of a table by column title; empty if the table is missing."""
    return columns(app, name) if has(app, name) else {}


def ids(app: AppTest) -> list[int]:
    return table(app).get("Id", [])


def headings(app: AppTest) -> list[str]:
    return [without_terms(each.value).lstrip("# ") for each in app.markdown]


def trained_on(app: AppTest, text: str, **settings: Any) -> AppTest:
    """The same page after opening a training on another text from a file."""
    config = TrainConfig(**settings)
    return opened(app, save_training(train(text, config), text))


def opened(app: AppTest, data: bytes) -> AppTest:
    app.file_uploader(key="training file").upload("a training.json", data, "application/json").run()
    assert not app.exception
    return app


def test_all_tokens_are_listed_the_most_used_first(app: AppTest) -> None:
    assert "512 tokens" in headings(app)
    assert sorted(ids(app)) == list(range(512))
    used = table(app)["Used"]
    assert used == sorted(used, reverse=True)


def test_text_is_found_with_its_space(app: AppTest) -> None:
    app.text_input(key="find tokens").set_value(" the").run()
    found = [chip[1] for chip in table(app)["Token"]]
    assert " the" in found
    assert all(" the" in text for text in found)


def test_bytes_are_found_by_hex(app: AppTest) -> None:
    trained_on(app, "こんにちは こんばんは", vocab_size=280)
    app.button_group(key="find tokens by").set_value("hex").run()
    app.text_input(key="find tokens").set_value("e3 81").run()
    tokenizer = train("こんにちは こんばんは", TrainConfig(vocab_size=280)).tokenizer()
    assert sorted(ids(app)) == [i for i in tokenizer.ids if b"\xe3\x81" in tokenizer.token_bytes(i)]


def test_ids_are_found_by_number_and_range(app: AppTest) -> None:
    app.button_group(key="find tokens by").set_value("id").run()
    app.text_input(key="find tokens").set_value("97, 300-302").run()
    assert sorted(ids(app)) == [97, 300, 301, 302]


@pytest.mark.parametrize(
    ("by", "typed", "says"), [("hex", "E3 8g", "'g' is not a hex digit."), ("id", "x", "'x' is not an id.")]
)
def test_what_is_typed_wrong_is_told_and_hides_nothing(app: AppTest, by: str, typed: str, says: str) -> None:
    app.button_group(key="find tokens by").set_value(by).run()
    app.text_input(key="find tokens").set_value(typed).run()
    assert says in texts(app)
    assert len(ids(app)) == 512


@pytest.mark.parametrize("by", ["text", "hex", "id"])
def test_any_text_can_be_searched_for(app: AppTest, by: str) -> None:
    app.button_group(key="find tokens by").set_value(by).run()
    for typed in (HOSTILE, "\0", " ", "9" * 200, "-", "0x"):
        app.text_input(key="find tokens").set_value(typed[:200]).run()
        assert not app.exception


def test_scripts_narrow_the_list(app: AppTest) -> None:
    app.button_group(key="vocabulary of").set_value("gpt2").run()
    app.multiselect(key="scripts shown").set_value(["Hiragana", "Katakana"]).run()
    assert set(table(app)["Script"]) == {"Hiragana", "Katakana"}
    # a script missing from the next vocabulary is dropped as a filter
    app.button_group(key="vocabulary of").set_value("trained").run()
    assert app.multiselect(key="scripts shown").value == []
    assert len(ids(app)) == 512


def test_the_dead_are_those_that_the_encoded_training_text_does_not_hold(app: AppTest) -> None:
    text = "low low lower lowest newer"
    trained_on(app, text, vocab_size=270)
    training = train(text, TrainConfig(vocab_size=270))
    used = set(training.tokenizer().encode(text).ids.tolist())
    app.button_group(key="tokens shown").set_value("unused").run()
    assert sorted(ids(app)) == sorted(set(range(training.vocab_size)) - used)
    assert ids(app)[0] >= 256  # tokens merged away completely come before bytes that never occurred in the text
    app.button_group(key="tokens shown").set_value("used").run()
    assert sorted(ids(app)) == sorted(used)


def test_a_published_vocabulary_says_not_used_on_this_text(app: AppTest) -> None:
    app.button_group(key="vocabulary of").set_value("o200k_base").run()
    app.button_group(key="find tokens by").set_value("id").run()
    app.text_input(key="find tokens").set_value("199000").run()
    assert "Not used on this text." in texts(app)


def test_two_ids_with_the_same_bytes_are_flagged(app: AppTest) -> None:
    text = "aaaa aaaa aa"
    config = TrainConfig(split="none", vocab_size=259)
    training = train(text, config).fork(1, (97, 256)).fork(2, (256, 97))
    opened(app, save_training(training, text, forks=[(1, 97, 256), (2, 256, 97)]))
    app.button_group(key="tokens shown").set_value("twins").run()
    assert sorted(ids(app)) == [257, 258]
    assert "A duplicate: merges of different pairs made the same bytes" in texts(app)


def test_the_range_of_steps_narrows_the_list(app: AppTest) -> None:
    app.number_input(key="created from").set_value(10).run()
    app.number_input(key="created to").set_value(12).run()
    assert sorted(table(app)["Created"]) == [10, 11, 12]
    # the full range of another vocabulary is not narrowed by the previous range
    app.button(key="show all").click().run()
    app.button_group(key="vocabulary of").set_value("gpt2").run()
    assert "50,257 tokens" in headings(app)


def test_the_range_of_lengths_narrows_the_list_in_bytes_or_characters(app: AppTest) -> None:
    trained_on(app, "こんにちは こんばんは", vocab_size=270)
    app.slider(key="lengths slider").set_value((3, 3)).run()
    assert set(table(app)["Bytes"]) == {3}
    app.button_group(key="length in").set_value("characters").run()
    assert len(ids(app)) == 270  # another measure, no filter
    app.slider(key="lengths slider").set_value((2, 2)).run()
    assert set(table(app)["Characters"]) == {2}


def test_the_range_of_lengths_stays_where_another_vocabulary_has_longer_tokens(app: AppTest) -> None:
    app.slider(key="lengths slider").set_value((2, 3)).run()
    app.button_group(key="vocabulary of").set_value("gpt2").run()
    assert set(table(app)["Bytes"]) == {2, 3}
    slider = app.slider(key="lengths slider")
    assert slider.value == (2, 3)
    assert slider.proto.set_value


def test_show_all_takes_every_filter_back(app: AppTest) -> None:
    app.text_input(key="find tokens").set_value("no token holds this").run()
    assert "No token is left." in texts(app)
    app.button_group(key="tokens shown").set_value("unused").run()
    app.multiselect(key="scripts shown").set_value(["Latin"]).run()
    app.button(key="show all").click().run()
    assert len(ids(app)) == 512
    assert app.button(key="show all").disabled


def test_a_large_vocabulary_is_shown_in_pages(app: AppTest) -> None:
    app.button_group(key="vocabulary of").set_value("o200k_base").run()
    app.selectbox(key="order of tokens").set_value("id").run()
    assert ids(app) == list(range(TOKENS_PER_PAGE))
    app.button(key="Tokens after").click().run()
    assert ids(app) == list(range(TOKENS_PER_PAGE, 2 * TOKENS_PER_PAGE))
    app.button(key="Last tokens").click().run()
    assert ids(app)[-1] == load_pretrained("o200k_base").vocab_size - 1
    app.text_input(key="find tokens").set_value("日本").run()
    assert 0 < len(ids(app)) < TOKENS_PER_PAGE


def test_the_card_tells_what_a_part_of_a_character_is_part_of(app: AppTest) -> None:
    trained_on(app, "こんにちは こんばんは", vocab_size=280)
    app.button_group(key="find tokens by").set_value("id").run()
    app.text_input(key="find tokens").set_value("256").run()
    assert "Token 256" in headings(app)
    assert "E3 81: the first 2 bytes of 3 of a character, one from U+3040 to み (U+307F)." in texts(app)


def test_the_step_of_a_token_is_shown_on_train(app: AppTest) -> None:
    app.button_group(key="find tokens by").set_value("id").run()
    app.text_input(key="find tokens").set_value("299").run()
    app.button(key="to its step").click().run()
    assert not app.exception
    assert app.session_state["step"] == 44


def test_an_opened_training_is_the_one_that_was_saved(app: AppTest) -> None:
    text = "low lower, ひらがな\r\n\t" + HOSTILE
    settings = {"vocab_size": 120, "unit": "char", "split": r"\w+|\W", "tie_break": "lowest-ids"}
    trained_on(app, text, **settings)
    training = train(text, TrainConfig(**settings))
    assert sorted(ids(app)) == list(range(training.vocab_size))
    assert app.session_state["config"] == training.config
    assert app.session_state["source"].text == text
    app.switch_page("pages/train.py").run()
    assert not app.exception


def test_forks_come_back_with_the_file(app: AppTest) -> None:
    text = "low lower lowest newer"
    config = TrainConfig(vocab_size=265)
    training = train(text, config).fork(1, (101, 114))
    opened(app, save_training(training, text, forks=[(1, 101, 114)]))
    assert app.session_state["forks"] == ((1, 101, 114),)
    tokens = dict(zip(ids(app), table(app)["Token"], strict=True))
    merge = training.merges[1]
    assert tokens[merge.token_id][1] == "er"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xfe", "The file is not UTF-8"),
        (b"[" * 90_000, "nests its lists too deep"),
        (b'{"format": "bpe-lab", "version": 9}', "version 9"),
        (save_training(train("ab ab"), "ab ab").replace(b'"ab ab"', b'"cd cd"'), "merges[0] is [97, 98, 2]"),
    ],
)
def test_a_file_that_cannot_be_opened_says_why_and_nothing_is_lost(app: AppTest, data: bytes, says: str) -> None:
    app.text_input(key="find tokens").set_value("th").run()
    before = ids(app)
    opened(app, data)
    assert says in texts(app)
    assert "What was here before is kept." in texts(app)
    assert ids(app) == before
    opened(app, save_training(train("ab ab"), "ab ab"))
    assert says not in texts(app)


def test_a_vocabulary_larger_than_a_page_takes_is_refused_before_it_is_trained() -> None:
    content = json.loads(save_training(train("ab ab"), "ab ab"))
    content["config"]["vocab_size"] = 900_000
    with pytest.raises(FormatError, match="900,000 ids"):
        training_file.opened("x.json", json.dumps(content).encode())


def test_a_least_count_that_the_settings_cannot_show_is_refused() -> None:
    data = save_training(train("low", TrainConfig(min_count=1_000_001)), "low")
    with pytest.raises(FormatError, match=r"has a minimum count of 1,000,001\. The settings take 1,000,000"):
        training_file.opened("mine.json", data)


def test_forged_values_fall_back_to_what_is_valid(app: AppTest) -> None:
    for key, value in {
        "token": "<b>",
        "lengths": (9, 2),
        "created": ("a", None),
        "page of tokens": -5,
        "scripts shown": ["Klingon"],
        "training file to open": 5,
    }.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    assert len(ids(app)) == 512


def test_tokens_that_no_text_gives_are_listed_with_the_reason(app: AppTest) -> None:
    app.session_state["vocabulary of"] = "gpt2"
    app.session_state["order of tokens"] = "id"
    app.button_group(key="tokens shown").set_value("unreached").run()
    assert not app.exception
    assert table(app)["Why"] == ["Not in UTF-8"] * 13 + ["Special"]
    assert "No text gives it: UTF-8 never has these bytes." in texts(app)


def test_no_text_gives_is_said_of_what_is_proven_alone() -> None:
    for why in get_args(Why):
        says = SENTENCES[why]
        assert says.startswith(("No text gives it", "No plain text gives it")) is Unreached(why).proven
        assert says.startswith("Probably no ") is SHORT[why].startswith("Probably") is not Unreached(why).proven


def test_a_token_that_no_text_tried_gives_is_probably_unreached() -> None:
    file = TokenizerFile("vocab", (("vocab.txt", b"[UNK]\n[PAD]\n[unused0]\nlow\n"),))
    chosen = {"vocabulary_of": file.name, "order_of_tokens": "id", "token": 2, "tokens_shown": "unreached"}
    app = pages.opened("vocabulary", tokenizer_files=(file,), **chosen)
    assert table(app)["Why"] == ["Probably special", "Probably split"]
    assert "Probably no text gives it: the split divides its text, and no text tried gives it." in texts(app)


def test_the_menu_of_filters_says_what_is_chosen(app: AppTest) -> None:
    def label() -> str:
        [found] = [each.proto.popover.label for each in app.get("popover") if "Filters" in each.proto.popover.label]
        return str(found)

    assert label() == "Filters"
    app.multiselect(key="scripts shown").set_value(["Latin"]).run()
    app.button_group(key="tokens shown").set_value("used").run()
    assert label() == "Filters: Latin, Used"
    app.multiselect(key="scripts shown").set_value(["Latin", "Punctuation"]).run()
    app.number_input(key="created from").set_value(10).run()
    assert label() == "Filters: 2 scripts, created 10–256, Used"
    app.button(key="show all").click().run()
    assert label() == "Filters"
