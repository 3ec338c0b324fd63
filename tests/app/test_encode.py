"""Encode: tokens of a text and their explanation, special tokens in three modes, valid and invalid texts."""

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import load_pretrained
from tests.app.pages import all_lines as texts
from tests.app.pages import has, opened, params, payload
from tests.app.sending import address, send_action, written
from tests.draws import first

HOSTILE = "</textarea><script>alert(1)</script> ![x](http://evil.example/a.png) **b** $x$ \u202e e\u0301 👩‍👩‍👧"


@pytest.fixture
def encode() -> AppTest:
    """The page in a new session."""
    return opened("encode")


def show(app: AppTest, text: str, **state: object) -> None:
    """Encode this text with these options."""
    app.session_state["encode text"] = text
    for key, value in state.items():
        app.session_state[key.replace("_", " ")] = value
    app.run()
    assert not app.exception


def choose(app: AppTest, key: str, value: str) -> None:
    """Press a button of a group."""
    [group] = [each for each in app.get("button_group") if each.key == key]
    group.set_value([value] if isinstance(group.value, list) else value).run()
    assert not app.exception


def facts(app: AppTest) -> dict[str, str]:
    """The chosen token's table."""
    names, values = payload(app, "token facts")["columns"]
    return dict(zip(names["cells"], values["cells"], strict=True))


# -- counts, and what they count -----------------------------------------------------------------------------


def test_beside_the_counts_stand_the_tokenizer_and_the_special_token_mode(encode: AppTest) -> None:
    show(encode, "Hello こ")
    assert "## 3 tokens · 7 characters · 9 bytes" in texts(encode)
    assert "GPT-2 · special tokens as plain text" in texts(encode)
    choose(encode, "encode with", "cl100k_base")
    choose(encode, "encode special", "parse")
    assert "cl100k · special tokens parsed" in texts(encode)


def test_the_trained_tokenizer_encodes_with_all_merges_or_as_far_as_train_shows(encode: AppTest) -> None:
    show(encode, "the lantern", encode_with="trained", step=5)
    assert any(line.startswith("Trained, all 256 merges · ") for line in texts(encode))
    with_all = len(payload(encode, "encode view")["ids"])
    choose(encode, "encode by merges", "step")
    assert any(line.startswith("Trained, the first 5 of 256 merges · ") for line in texts(encode))
    assert with_all < len(payload(encode, "encode view")["ids"]) <= 11


@pytest.mark.parametrize("text", ["", " ", "a", "\r\n\t", "\u200b", "aaaa" * 5_000, HOSTILE])
@pytest.mark.parametrize("name", ["trained", "gpt2"])
@pytest.mark.parametrize("view", first(1, ["lanes", "tokens", "files"]))
def test_every_text_is_encoded(encode: AppTest, text: str, name: str, view: str) -> None:
    show(encode, text, encode_with=name, encode_view_as=view)
    drawn = payload(encode, "encode lanes" if view == "lanes" else "encode view")
    assert (drawn["total"] > 0) == bool(text)
    if name == "gpt2":
        assert drawn["total"] == len(load_pretrained("gpt2").encode(text))


@pytest.mark.parametrize(
    ("name", "spelled", "says"),
    [
        ("gpt2", ["the", "Ġlowest", "Ċ", "æĹ", "¥"], "A character for each byte: Ġ for a space, Ċ for a line break."),
        (
            "cl100k_base",
            ["the", "Ġlowest", "Ċ", "æĹ¥"],
            "Its file has bytes alone; here they are GPT-2's characters: Ġ for a space, Ċ for a line break.",
        ),
        ("bert-base-uncased", ["the", "lowest", "日"], "A piece inside a word begins with ##."),
        ("t5-small", ["▁the", "▁lowest", "▁", "<unk>"], "▁ stands for a space."),
    ],
)
def test_a_switch_draws_the_tokens_as_files_spell_them(name: str, spelled: list[str], says: str) -> None:
    encode = opened("encode", {"text": "the lowest\n日", "with": name, "view": "files"})
    drawn = payload(encode, "encode view")
    assert drawn["texts"] == spelled
    assert drawn["ids"] == load_pretrained(name).encode("the lowest\n日").ids.tolist()
    assert drawn["total"] == len(spelled)
    assert says in texts(encode)
    assert params(address(encode)["query"])["view"] == ["files"]
    if name == "gpt2":
        assert drawn["means"] == ["the", " lowest", "\n", "\0E6\0097", "\0A5"]


def test_a_lone_surrogate_is_replaced_and_told(encode: AppTest) -> None:
    show(encode, "a\ud800b")
    assert "A lone surrogate was replaced by U+FFFD: half of a character has no bytes in UTF-8." in texts(encode)


def test_a_text_over_the_limit_says_the_limit_and_is_kept(encode: AppTest) -> None:
    show(encode, "a" * 5_000_001)
    assert {"The text has 5,000,001 characters.", "A page takes 5,000,000.", "The text is kept."} <= set(texts(encode))


# -- the chosen token ----------------------------------------------------------------------------------------


def test_the_card_tells_which_bytes_of_a_character_a_token_holds(encode: AppTest) -> None:
    show(encode, "日本", encode_chosen_token=0)
    assert facts(encode)["Holds"] == "bytes 1–2 of 3 of 日"
    show(encode, "Hello", encode_chosen_token=0)
    assert "Holds" not in facts(encode)
    assert facts(encode)["Created"] == "rank 15,496"


def test_a_token_keeps_its_place_under_another_tokenizer(encode: AppTest) -> None:
    show(encode, "    hello world", encode_chosen_token=4)
    assert facts(encode)["Position"] == "bytes 10–15"
    choose(encode, "encode with", "cl100k_base")
    assert facts(encode)["Position"] == "bytes 10–15"
    assert payload(encode, "encode view")["command"][1] == 2


def test_a_trained_token_tells_its_birth_and_its_counts_in_training(encode: AppTest) -> None:
    show(encode, " lantern", encode_with="trained", encode_chosen_token=0)
    assert facts(encode)["Created"] == "merge 36 of 256"
    assert facts(encode)["In training"] == "8 times, 12 when it was merged"


def test_a_click_between_two_tokens_says_why_there_is_a_boundary(encode: AppTest) -> None:
    show(encode, "Hello tokenizer")
    drawn = payload(encode, "encode view")
    assert drawn["words"] == [1]
    assert not has(encode, "boundary")
    send_action(encode, "boundary", [drawn["rev"], 2], "encode view")
    reason = payload(encode, "boundary")
    assert (reason["title"], reason["sides"][0]["boundaries"]) == ("A boundary inside a word", [])
    assert reason["sentence"][0] == "No merge joins "
    send_action(encode, "boundary", [drawn["rev"], 1], "encode view")
    reason = payload(encode, "boundary")
    assert (reason["title"], reason["sides"][0]["boundaries"]) == ("An edge of the split", [1])
    for forged in (0, 3, -1, True, "1", None, [1]):
        send_action(encode, "boundary", [drawn["rev"], forged], "encode view")
        assert payload(encode, "boundary")["gloss"] == "between the tokens 1 and 2"


@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "bert-base-uncased", "t5-small", "trained"])
def test_every_tokenizer_says_why_the_chosen_token_begins_where_it_does(encode: AppTest, name: str) -> None:
    show(encode, "unaffable 日本語, 12345", **{"encode with": name})
    for number in (1, 2, 3):
        drawn = payload(encode, "encode view")
        send_action(encode, "selected", [drawn["rev"], drawn["command"][0], number], "encode view")
        assert payload(encode, "boundary")["gloss"] == f"between the tokens {number} and {number + 1}"


def test_the_merge_tree_has_a_node_for_every_merge_and_byte(encode: AppTest) -> None:
    show(encode, "The", encode_chosen_token=0)
    tree = payload(encode, "token tree")
    assert tree["ids"] == [464, 51, 258, 71, 68]
    assert tree["labels"] == ["rank 464", "byte 54", "rank 258", "byte 68", "byte 65"]
    assert (tree["left"], tree["right"]) == ([1, -1, 3, -1, -1], [2, -1, 4, -1, -1])


def test_below_the_tree_stand_the_characters_of_several_bytes(encode: AppTest) -> None:
    show(encode, "は", encode_chosen_token=0)
    assert payload(encode, "token tree")["characters"] == [[0, 2, "は", ""]]
    show(encode, "日", encode_chosen_token=1)  # the last byte alone
    assert not has(encode, "token tree")


def test_the_word_shows_at_every_step_what_merges_and_what_waits(encode: AppTest) -> None:
    show(encode, "the")
    steps = payload(encode, "word steps")
    assert [row[1:3] for row in steps["rows"]] == [[[400, 258], [1]], [[1169], [0]], [[], []]]


def test_a_word_without_an_end_is_not_followed_and_says_why(encode: AppTest) -> None:
    show(encode, "a" * 1_000)
    assert "This word has 1,000 bytes: the split does not divide it. Choose a token of a shorter word." in texts(encode)
    assert not has(encode, "word steps")


# -- lanes ---------------------------------------------------------------------------------------------------


def test_lanes_show_a_window_and_count_the_rest(encode: AppTest) -> None:
    show(encode, "a b " * 500, encode_view_as="lanes")
    lanes = payload(encode, "encode lanes")
    assert (lanes["first"], len(lanes["ids"]), lanes["total"]) == (0, 240, 1001)
    [later] = [each for each in encode.button if each.label == "Later"]
    later.click().run()
    assert payload(encode, "encode lanes")["first"] == 240
    assert "Tokens 241 to 480 of 1,001" in texts(encode)


# -- special tokens ------------------------------------------------------------------------------------------


def test_a_refused_text_says_where_and_what_the_other_modes_would_do(encode: AppTest) -> None:
    show(encode, "one<|endoftext|>two", encode_special="raise")
    assert "## Refused: the text names a special token" in texts(encode)
    assert payload(encode, "refused text")["labels"] == {"0": "<|endoftext|>"}
    assert payload(encode, "refused choices")["columns"][1]["cells"] == [9, 3]
    assert not has(encode, "encode view")
    assert payload(encode, "encode text area")["text"] == "one<|endoftext|>two"
    choose(encode, "encode special", "parse")
    assert payload(encode, "encode view")["ids"] == [505, 50256, 11545]


def test_the_special_tokens_of_the_tokenizer_are_listed(encode: AppTest) -> None:
    show(encode, "a", encode_with="cl100k_base")
    names, ids = payload(encode, "special tokens")["columns"]
    assert dict(zip([chip[1][0][0] for chip in names["cells"]], ids["cells"], strict=True)) == (
        load_pretrained("cl100k_base").special_tokens
    )


# -- to copy, and back ---------------------------------------------------------------------------------------


def test_tokens_are_written_as_ids_bytes_and_texts(encode: AppTest) -> None:
    show(encode, "Hello こ")
    assert written(encode)[0] == "15496, 23294, 241"
    choose(encode, "encode copy as", "bytes")
    assert written(encode)[0] == "48 65 6C 6C 6F | 20 E3 81 | 93"
    choose(encode, "encode copy as", "text")
    assert written(encode)[0] == "['Hello', b' \\xe3\\x81', b'\\x93']"


def test_ids_come_back_as_the_text(encode: AppTest) -> None:
    show(encode, HOSTILE)
    [down] = [each for each in encode.button if each.label == "Decode these ids below"]
    down.click().run()
    assert "".join(payload(encode, "decode view")["texts"]).startswith("</textarea><script>")
    show(encode, "something else")
    [up] = [each for each in encode.button if each.label == "Encode this text above"]
    up.click().run()
    assert encode.session_state["encode text"] == HOSTILE
    assert payload(encode, "encode text area")["text"] == HOSTILE


def test_bad_ids_and_broken_characters_are_explained_and_nothing_is_lost(encode: AppTest) -> None:
    show(encode, "a", decode_ids="15496, 99999, abc, 10545, 64")
    assert "3 ids · 2 that this tokenizer does not have · 1 broken character" in texts(encode)
    assert "Id 2 of the list: GPT-2 has no id 99,999: its ids go from 0 to 50,256." in texts(encode)
    assert "Id 3 of the list: 'abc' is not a token id: ids are whole numbers." in texts(encode)
    assert "Id 4 of the list: Byte E6 begins a character of 3 bytes. Bytes 2–3 are missing: next comes 61." in texts(
        encode
    )
    drawn = payload(encode, "decode view")
    assert drawn["labels"] == {"1": "✗ 99999", "2": "✗ abc", "3": "·E6"}
    assert drawn["texts"][0] + drawn["texts"][4] == "Helloa"


def test_of_very_many_bad_ids_the_first_are_explained_and_the_others_counted(encode: AppTest) -> None:
    show(encode, "a", decode_ids="99999," * 33_000)
    assert "0 ids · 33,000 that this tokenizer does not have" in texts(encode)
    assert "Id 100 of the list: GPT-2 has no id 99,999: its ids go from 0 to 50,256." in texts(encode)
    assert "Id 101 of the list" not in texts(encode)
    assert "Remove the invalid ids, or choose the tokenizer that made them." in texts(encode)
    assert "32,900 more are not listed." in texts(encode)
