"""Pipeline: a custom template, truncation, padding, masks, a batch of texts, and the table to copy."""

from __future__ import annotations

import ast
import csv
import io
import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import load_pretrained
from bpe_core.tokenizer.batches import Padding, batch
from bpe_core.tokenizer.templates import Template
from bpe_core.tokenizer.truncation import Truncation
from tests.app.pages import has, opened
from tests.app.sending import send_action, written
from tests.app.test_pipeline import HOSTILE, page, payload, show, stage, texts

__all__ = ["page"]


def grid(app: AppTest) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = payload(app, "batch")["rows"]
    return rows


def token(chip: list[Any]) -> str:
    """The text of a chip."""
    return chip[1] if isinstance(chip[1], str) else "".join(piece[0] for piece in chip[1])


def type_into(app: AppTest, key: str, text: str) -> None:
    """Type a text into a field."""
    send_action(app, "typed", [payload(app, key)["push"], text], key)


# -- a custom template -------------------------------------------------------------------------------------------


def test_a_template_typed_in_is_followed_and_its_new_names_are_told(page: AppTest) -> None:
    show(page, "low lower", template="own")
    type_into(page, "pipeline own template area", "<q>:2 $A:1 <|endoftext|>")
    out = payload(page)["out"]
    assert out["id"] == [50_257, *load_pretrained("gpt2").encode("low lower").ids.tolist(), 50_256]
    assert out["type"] == [2, 1, 1, 0]
    assert "New to this vocabulary: <q> gets id 50,257." in texts(page)
    assert stage(payload(page), "Special tokens")["setting"] == "Your own"


def test_the_vocabulary_s_special_tokens_are_offered(page: AppTest) -> None:
    show(page, "low", template="own")
    assert payload(page, "pipeline own template area")["offers"] == ["$A:0", "<|endoftext|>:0"]
    assert payload(page, "pipeline own template of two area")["offers"] == ["$A:0", "$B:1", "<|endoftext|>:0"]
    show(page, "low", **{"with": "wordpiece"})
    assert "[SEP]:0" in payload(page, "pipeline own template area")["offers"]


def test_a_wrong_template_is_told_with_limit_and_remedy_and_the_other_one_is_not_needed(page: AppTest) -> None:
    show(page, "low", template="own")
    type_into(page, "pipeline own template area", "<q>:x $A")
    assert [line for line in texts(page) if line in ("The template holds '<q>:x'.", "Write '<q>:0', for example.")]
    assert not has(page, "stages of the text")
    type_into(page, "pipeline own template area", "\ud800 $A")
    assert any("lone surrogate" in line for line in texts(page))
    assert any("until the template above is corrected" in line for line in texts(page))
    show(page, "low", input="pair")
    assert has(page, "stages of the text")
    type_into(page, "pipeline own template of two area", "$A:0 <script>alert(1)</script>")
    assert "It needs $A and $B once each." in texts(page)
    assert "Write $A:0 and $B:1 where the texts go, once." in texts(page)
    assert not has(page, "stages of the text")


# -- truncation, padding, masks ----------------------------------------------------------------------------------


def test_masks_of_a_text_are_rows_below_its_ids(page: AppTest) -> None:
    show(page, "the lantern", template="bert", padding="length", padded_length=8)
    [row] = grid(page)
    made = batch(["the lantern"], load_pretrained("gpt2"), template="bert", padding=Padding(8)).rows[0]
    assert row["ids"] == made.ids.tolist()
    assert row["attention"] == made.attention_mask.tolist() == [1, 1, 1, 1, 0, 0, 0, 0]
    assert row["special"] == made.special_tokens_mask.tolist() == [1, 0, 0, 1, 1, 1, 1, 1]
    assert row["kinds"] == ["special", "text", "text", "special", *["pad"] * 4]
    assert [token(chip) for chip in row["chips"]][-1] == "[PAD]"
    assert "2 special, 4 to pad, 3 new to this vocabulary" in stage(payload(page), "Special tokens")["quiet"]
    assert payload(page)["out"]["pads"] == [4, 5, 6, 7]


def test_what_truncation_removes_of_a_pair_is_shown_as_removed(page: AppTest) -> None:
    show(page, "a b c d e f", second_text="g h", input="pair", template="none", max_length=5, truncation_side="left")
    drawn, row = payload(page), grid(page)[0]
    assert row["removed"] == [["A", 3, "a b c"]]
    assert [token(chip) for chip in row["chips"]] == [" d", " e", " f", "g", " h"]
    assert drawn["passages"][0]["tokens"]["kept"] == [3, 6]
    assert drawn["passages"][1]["tokens"]["kept"] == [0, 2]
    assert stage(drawn, "Special tokens")["lost"] == "3 tokens removed"
    assert (row["pieces"], row["hidden"]) == (1, 0)
    assert [each["piece"] for each in grid(page)] == ["", "piece 2"]
    page.session_state["pipeline strategy"] = "only_second"
    page.run()
    assert "'only_second' has to remove 3 tokens from a text of 2." in texts(page)
    assert not has(page, "batch")


def test_overflowing_pieces_share_the_stride_and_only_the_first_are_drawn(page: AppTest) -> None:
    show(page, "a b c d e f g h i", template="none", max_length=3, stride=1)
    rows = grid(page)
    assert [[token(chip).strip() for chip in row["chips"]] for row in rows[:3]] == [
        list("abc"),
        list("cde"),
        list("efg"),
    ]
    show(page, "a " * 100)
    assert (grid(page)[0]["pieces"], grid(page)[0]["hidden"], len(grid(page))) == (49, 46, 4)
    page.session_state["pipeline stride"] = 3
    page.run()
    assert "stride is 3." in texts(page)


def test_a_batch_is_a_row_a_line_of_up_to_eight_texts(page: AppTest) -> None:
    lines = [f"the lantern number {number} " + "is out " * number for number in range(10)]
    page.session_state["pipeline input"] = "batch"
    page.session_state["pipeline texts"] = "\n".join(lines)
    for name, value in {"template": "bert", "max length": 9, "padding": "longest", "padded to multiple": 5}.items():
        page.session_state[f"pipeline {name}"] = value
    page.run()
    assert not page.exception
    assert not has(page, "stages of the text")
    assert "Only the first 8 of 10 lines are used." in texts(page)
    made = batch(
        lines[:8],
        load_pretrained("gpt2"),
        template="bert",
        truncation=Truncation(9),
        padding=Padding(pad_to_multiple_of=5),
    )
    rows = [row for row in grid(page) if not row["piece"]]
    assert [row["name"] for row in rows] == [f"Text {number}" for number in range(1, 9)]
    for row, expected in zip(rows, made.rows, strict=True):
        assert row["ids"] == expected.ids.tolist()
        assert row["attention"] == expected.attention_mask.tolist()
        assert row["special"] == expected.special_tokens_mask.tolist()
    assert "New to this vocabulary: [CLS] gets id 50,257, [SEP] gets id 50,258, [PAD] gets id 50,259." in texts(page)


def test_the_pad_token_can_be_any_name(page: AppTest) -> None:
    show(page, "low", padding="length", padded_length=3, template="none", pad_token="<|endoftext|>")
    assert grid(page)[0]["ids"][1:] == [50_256] * 2
    show(page, pad_token=" <fill> ")
    assert grid(page)[0]["ids"][1:] == [50_257] * 2
    assert "New to this vocabulary: <fill> gets id 50,257." in texts(page)


def test_any_text_can_be_in_a_batch(page: AppTest) -> None:
    show(page, HOSTILE)
    page.session_state["pipeline input"] = "batch"
    for text in ("", "\n", "a\n\nb\n", HOSTILE, "a\ud800b\r\n日本語"):
        page.session_state["pipeline texts"] = text
        page.run()
        assert not page.exception
        assert len(grid(page)) == len(text.replace("\r\n", "\n").removesuffix("\n").split("\n"))
        assert not any("<script>" in line or "evil.example" in line for line in texts(page))


# -- the table -----------------------------------------------------------------------------------------------------


def test_the_table_of_an_encoding_is_copied_as_python_json_and_csv(page: AppTest) -> None:
    text = "=1 <b>世界"
    show(page, text, template="bert")
    columns = payload(page, "encoding rows")["columns"]
    titles = ["id", "token", "text", "word", "start", "end", "type id", "attention mask", "special tokens mask"]
    assert [column["title"] for column in columns] == titles
    made = batch([text], load_pretrained("gpt2"), template="bert")
    values = []
    for form in ("python", "json", "csv"):
        page.session_state["pipeline copy as"] = form
        page.run()
        [code] = written(page)
        if form == "csv":
            read = csv.DictReader(io.StringIO(code, newline=""))
            values.append([{k: ast.literal_eval(v) if v else None for k, v in row.items()} for row in read])
        else:
            values.append(ast.literal_eval(code) if form == "python" else json.loads(code))
    for row in values[1]:
        row["token"] = bytes(row["token"]) if isinstance(row["token"], list) else row["token"]
    assert values[0] == values[1] == values[2]
    assert [row["id"] for row in values[0]] == made.rows[0].ids.tolist()
    assert [(row["start"], row["end"]) for row in values[0]] == made.rows[0].offsets


def test_the_table_is_that_of_the_text_that_is_chosen(page: AppTest) -> None:
    page.session_state["pipeline input"] = "batch"
    page.session_state["pipeline texts"] = "low\nthe lantern is out"
    page.session_state["pipeline max length"] = 3
    page.session_state["pipeline encoding"] = "2.1"
    page.run()
    ids = load_pretrained("gpt2").encode("the lantern is out").ids.tolist()
    assert payload(page, "encoding rows")["columns"][0]["cells"] == [*map(str, ids[2:]), "50256"]
    page.session_state["pipeline texts"] = "low"
    page.run()
    assert not page.exception
    assert payload(page, "encoding rows")["columns"][0]["cells"] == ["9319", "50256"]


def test_a_chat_has_a_table_too(page: AppTest) -> None:
    drawn = show(page, input="chat", user_message="Hi")
    cells = payload(page, "encoding rows")["columns"][0]["cells"]
    assert cells == [str(token_id) for token_id in drawn["out"]["id"]]
    assert not has(page, "batch")


def test_a_long_text_has_the_first_lines_of_its_table(page: AppTest) -> None:
    show(page, "a " * 3_000)
    assert len(payload(page, "encoding rows")["columns"][0]["cells"]) == 1_000
    count = len(load_pretrained("gpt2").encode("a " * 3_000)) + 1
    assert f"the first 1,000 of {count:,} ids" in texts(page)


# -- examples and links --------------------------------------------------------------------------------------------


def test_an_example_of_a_batch_shows_truncation_and_padding(page: AppTest) -> None:
    [button] = [each for each in page.button if each.label.startswith("A batch, truncated")]
    button.click().run()
    assert not page.exception
    rows = grid(page)
    assert any(row["removed"] for row in rows)
    assert any("pad" in row["kinds"] for row in rows)
    assert len({len(row["ids"]) for row in rows}) == 1
    [button] = [each for each in page.button if each.label.startswith("A template of your own")]
    button.click().run()
    assert [each["name"] for each in grid(page)] == ["The text"]


def test_a_link_brings_back_template_truncation_and_padding() -> None:
    query: dict[str, str | list[str]] = {
        "input": "pair", "text": "a b c d", "second": "e f g", "with": "gpt2", "template": "own",
        "double": "<q> $A $B:3", "most": "6", "truncated": "left", "strategy": "only_first", "stride": "1",
        "padding": "length", "pad_length": "7", "padded": "left", "pad": "<|endoftext|>", "copy": "json",
    }  # fmt: skip
    app = opened("pipeline", query)
    made = batch(
        [("a b c d", "e f g")],
        load_pretrained("gpt2"),
        template=Template("<q>:0 $A:0", "<q>:0 $A:0 $B:3"),
        truncation=Truncation(6, "left", "only_first", 1),
        padding=Padding(7, side="left", pad_token="<|endoftext|>"),
    )
    assert grid(app)[0]["ids"] == made.rows[0].ids.tolist()
    assert grid(app)[0]["types"] == made.rows[0].type_ids.tolist()
    assert json.loads(written(app)[0])[-1]["type_id"] == 3


@pytest.mark.parametrize(("name", "value"), [("most", "0"), ("most", "5000"), ("stride", "-1"), ("pad_length", "x")])
def test_a_forged_length_of_a_link_leaves_the_page_as_it_is(name: str, value: str) -> None:
    forged = {"with": "gpt2", "text": "a b c", "template": "none", "padding": "length", name: value}
    assert grid(opened("pipeline", forged)) == grid(opened("pipeline"))


# -- in other languages ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "sides"), [("en", ["End", "Beginning"]), ("zh", ["末尾", "开头"])])
def test_the_end_of_a_text_is_not_called_as_the_column_of_where_ranges_end(language: str, sides: list[str]) -> None:
    app = opened("pipeline", {"lang": language, "padding": "longest"})
    [side] = [each for each in app.get("button_group") if each.key == "pipeline padding side"]
    assert [option.content for option in side.proto.options] == sides
