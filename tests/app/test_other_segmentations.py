"""Encode, "Other segmentations": a draw beside the actual tokens, segmentations of a word, and the fewest tokens."""

from urllib.parse import quote

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import (
    Tokenizer,
    compare_fewest,
    encode_sampled,
    likely_segmentations,
    load_pretrained,
    train_sentencepiece,
)
from tests.app.pages import column, columns, has, opened, payload
from tests.app.sending import address, send_action, without_terms
from ui.session import encode as state
from ui.session.tokenizer_files import TokenizerFile

TEXT = "Der Kuchen, ein Kuchen: lower lowest LOUD"
GPT2 = load_pretrained("gpt2")


def shown(query: str, text: str = TEXT) -> AppTest:
    return opened("encode", f"text={quote(text)}&many=1&{query}")


def captions(app: AppTest) -> list[str]:
    return [without_terms(each.value) for kind in (app.caption, app.text) for each in kind]


def tokens_of(cell: dict[str, list[list[object]]]) -> list[object]:
    return [chip[0] for chip in cell["word"]]


def test_the_panel_is_closed_until_it_is_wanted() -> None:
    app = opened("encode", f"text={quote(TEXT)}")
    assert not has(app, "drawn tokens")
    assert not has(app, "fewest words")
    assert "many" not in address(app)["query"]


def test_a_draw_is_beside_the_tokens_by_the_rule_and_another_seed_gives_another() -> None:
    app = shown("with=gpt2&dropout=40&seed=3")
    assert payload(app, "usual tokens")["ids"] == GPT2.encode(TEXT).ids.tolist()
    first = payload(app, "drawn tokens")["ids"]
    assert first == encode_sampled(GPT2, TEXT, dropout=0.4, seed=3).ids.tolist()
    app.button(key="draw again").click().run()
    assert app.session_state["encode seed"] == 4
    again = payload(app, "drawn tokens")["ids"]
    assert again == encode_sampled(GPT2, TEXT, dropout=0.4, seed=4).ids.tolist() != first
    app.select_slider(key="encode dropout").set_value(0).run()
    assert payload(app, "drawn tokens")["ids"] == GPT2.encode(TEXT).ids.tolist()


@pytest.mark.parametrize(("name", "setting"), [("gpt2", "dropout=20"), ("t5-small", "theta=5")])
def test_the_words_segmentations_have_their_draws_and_probabilities(name: str, setting: str) -> None:
    tokenizer: Tokenizer = load_pretrained(name)
    app = shown(f"with={name}&{setting}&token=1", "the lowest")
    table = columns(app, "word segmentations")
    word = " lowest" if name == "gpt2" else "▁lowest"
    encoding = tokenizer.encode("the lowest")
    word = encoding.text[encoding.char_starts[encoding.word_ids == 1][0] :]
    expected = likely_segmentations(tokenizer, word, 12, dropout=0.2, theta=0.5, normalized=True)
    assert [tokens_of(cell) for cell in table["Segmentation"]] == [list(each.ids) for each in expected]
    assert table["Probability"] == pytest.approx([each.probability for each in expected])
    assert 0 < sum(table["Draws of 1,000"]) <= 1_000
    usual = [
        tokens_of(cell) for cell, mark in zip(table["Segmentation"], table[""], strict=True) if mark == "by its rule"
    ]
    assert usual == [encoding.ids[encoding.word_ids == 1].tolist()]
    assert ("Log probability" in table) == (name == "t5-small")
    assert any("segmentations in 1,000 draws. Entropy: " in line for line in captions(app))


def test_a_rule_with_one_segmentation_says_so_and_counts_the_fewest_tokens() -> None:
    app = shown("with=bert-base-uncased")
    assert "The longest match is always taken: each word has one segmentation." in captions(app)
    assert not has(app, "word segmentations")
    assert any("tokens by its rule" in line for line in captions(app))


def test_words_with_fewer_tokens_are_listed_and_a_click_opens_the_first() -> None:
    app = shown("with=gpt2")
    found = compare_fewest(GPT2, TEXT)
    line = (
        f"{len(found.by_rule)} tokens by its rule, {len(found.fewest)} at the least: {len(found.words)} words differ."
    )
    assert line in captions(app)
    table = columns(app, "fewest words")
    assert table["Word"][0] == "·Kuchen"
    assert table["Times"][0] == table["Saved"][0] == 2
    assert [tokens_of(cell) for cell in table["The fewest"]] == [list(word.fewest) for word in found.words]
    send_action(app, "picked", [payload(app, "fewest words")["rev"], 0], key="fewest words")
    number = GPT2.encode("Der").ids.size
    assert state.CHOSEN.key in app.session_state
    assert app.session_state[state.CHOSEN.key] == number
    assert column(app, "word segmentations", "Segmentation")[0]["word"]


def opened_file(name: str, data: bytes, text: str) -> AppTest:
    file = TokenizerFile(name, ((name, data),))
    app = opened(
        "encode", tokenizer_files=(file,), encode_with=file.name, encode_text=text, encode_other_segmentations=True
    )
    assert app.session_state["encode with"] == file.name
    return app


def test_a_mark_without_a_word_is_not_drawn_alone() -> None:
    trained = train_sentencepiece("low lower lowest " * 9, 14, model_type="bpe", normalization="identity").model
    app = opened_file("pieces.model", trained, "▁ low")
    assert payload(app, "usual tokens")["ids"]
    assert not has(app, "word segmentations")
    assert any(line.startswith("Parts of a character and added marks") for line in captions(app))


def test_words_that_the_rule_gives_up_do_not_count_against_the_fewest() -> None:
    vocab = "\n".join(["[PAD]", "[UNK]", "a", "ab", "##c", "##bc", "##bcd", "x", "xy", "##yzw", "##z", "##w"])
    app = opened_file("vocab.txt", vocab.encode(), "abcd abcd xyzw")
    assert "5 tokens by its rule, 4 at the least: 1 word differs." in captions(app)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Type a text first."),
        ("low", "1 token by its rule, and no word has fewer."),
        ("ab " * 7_000, "Texts of up to 20,000 characters are drawn at random."),
        ("a" * 300, "Words of up to 100 characters are drawn."),
        ("ab " * 70_000, "Texts of up to 200,000 characters are counted."),
    ],
)
def test_what_is_too_long_or_empty_is_said(text: str, says: str) -> None:
    app = opened("encode", encode_text=text, encode_with="gpt2", encode_other_segmentations=True)
    assert says in captions(app)


@pytest.mark.parametrize("query", ["dropout=7", "dropout=999", "dropout=x", "seed=999999999"])
def test_invalid_values_of_a_link_are_not_taken(query: str) -> None:
    app = opened("encode", f"text=low&with=gpt2&many=1&{query}")
    assert not has(app, "drawn tokens")
    app.session_state["encode dropout"], app.session_state["encode seed"] = 7, -1
    assert state.MANY_OPEN.key not in app.session_state or not app.session_state[state.MANY_OPEN.key]
    app.session_state[state.MANY_OPEN.key] = True
    app.run()
    assert app.select_slider(key="encode dropout").value == 10
    assert app.number_input(key="encode seed").value == 0


def test_a_link_holds_the_largest_seed_too() -> None:
    app = shown(f"with=gpt2&seed={state.LARGEST_SEED}")
    assert app.number_input(key="encode seed").value == app.number_input(key="encode seed").max == state.LARGEST_SEED


def test_settings_survive_in_the_link() -> None:
    query = address(shown("with=gpt2&dropout=35&seed=12"))["query"]
    assert {"many=1", "dropout=35", "seed=12"} <= set(query.lstrip("?").split("&"))


def test_a_part_of_a_character_has_the_character_at_its_place_above_it() -> None:
    """In こち both characters begin with E3 81."""
    app = shown("with=gpt2&dropout=40", "こち")
    first = column(app, "word segmentations", "Segmentation")[0]["word"]
    assert [[chip[1], *chip[2:3]] for chip in first] == [["こ"], [[["E3 81", 1]], "ち"], [[["A1", 1]], "ち"]]
