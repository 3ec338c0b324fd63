"""Batches: special tokens, truncation, padding and masks equal those of the tokenizers library, piece by piece."""

from __future__ import annotations

import ast
import csv
import functools
import io
import json
from typing import Any

import pytest
import tokenizers
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import models, normalizers, pre_tokenizers, processors

from bpe_core import ConfigError, CorpusError, Tokenizer, TrainConfig, VocabularyError, load_pretrained, train_wordpiece
from bpe_core import train as train_bpe
from bpe_core.formats import to_bytes
from bpe_core.tokenizer.batches import InputRow, Padding, batch, pad_token_of
from bpe_core.tokenizer.row_tables import as_csv, as_json, as_python, token_rows
from bpe_core.tokenizer.stages import pipeline
from bpe_core.tokenizer.templates import NO_TEMPLATE, TEMPLATES, Template, slots, written_out
from bpe_core.tokenizer.truncation import Truncation
from tests.core.json_files import peer_of_file
from tests.draws import Outcomes

NAMES = ["[CLS]", "[SEP]", "[PAD]", "<BOS>", "<EOS>"]
WORDS = "the cafe and the café, low lower lowest. İstanbul ﬁts שלום 日本語 👩‍👩‍👧\n" * 4

words = st.sampled_from(
    ["low", "lower", "the", "café", "cafe\u0301", "İstanbul", "日本語", "👩‍👩‍👧", "x", ",", "[SEP]"]
)
texts = st.one_of(
    st.lists(words, max_size=9).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs", "Cn"]), max_size=20),  # the libraries differ in the newest letters
)
rows = st.one_of(texts, st.tuples(texts, texts))
special_items = st.tuples(st.sampled_from([*NAMES, "low"]), st.sampled_from(["", ":0", ":1", ":7"])).map("".join)


@st.composite
def notations(draw: st.DrawFn, *, pair: bool) -> str:
    """Templates containing each text once, in full and in the library's short forms."""
    items = draw(st.lists(special_items, max_size=4))
    held = [draw(st.sampled_from(["$A", "$A:0", "$a:3", "$", "$2", "$0:1"]))]
    if pair:
        held.append(draw(st.sampled_from(["$B", "$b:1", "$B:4"])))
    for item in draw(st.permutations(held)):
        items.insert(draw(st.integers(0, len(items))), item)
    return " ".join(items)


templates = st.tuples(notations(pair=False), notations(pair=True))
truncations = st.none() | st.builds(
    Truncation,
    st.integers(1, 14),
    st.sampled_from(["right", "left"]),
    st.sampled_from(["longest_first", "longest_first", "only_first", "only_second"]),
    st.integers(0, 3),
)
paddings = st.none() | st.builds(
    Padding,
    st.none() | st.integers(0, 14),
    st.integers(1, 5),
    st.sampled_from(["right", "left"]),
    st.sampled_from(["[PAD]", "<EOS>", None]),
    st.integers(0, 3),
)


@functools.cache
def wordpiece() -> Tokenizer:
    trained = train_wordpiece(WORDS.lower(), 200, special_tokens=["[UNK]", *NAMES]).tokenizer()
    return trained.with_stages(lowercase=True)


@functools.cache
def bytes_bpe() -> Tokenizer:
    config = TrainConfig(vocab_size=300, special_tokens=tuple(NAMES), split="gpt2")
    return train_bpe("low\n" * 9 + WORDS, config).tokenizer()


def peer_of(ours: Tokenizer) -> tokenizers.Tokenizer:
    """The same tokenizer in the library, without its template."""
    if ours is wordpiece():
        peer = tokenizers.Tokenizer(
            models.WordPiece({piece: i for i, piece in enumerate(ours.pieces)}, unk_token="[UNK]")
        )
        peer.normalizer = normalizers.Lowercase()
        peer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        return peer
    file = json.loads(to_bytes(ours, format="tokenizers"))
    return peer_of_file({**file, "added_tokens": []})  # names in a text stay plain text


def seen(row: InputRow, vocabulary: Tokenizer) -> dict[str, Any]:
    """A row in the library's form."""
    return {
        "ids": row.ids.tolist(),
        "tokens": [vocabulary.token(token_id) for token_id in row.ids.tolist()],
        "type_ids": row.type_ids.tolist(),
        "attention_mask": row.attention_mask.tolist(),
        "special_tokens_mask": row.special_tokens_mask.tolist(),
        "offsets": row.offsets,
        "word_ids": [None if word < 0 else word for word in row.word_ids.tolist()],
        "overflowing": [seen(piece, vocabulary) for piece in row.overflowing],
    }


def seen_there(encoding: tokenizers.Encoding, inner: bool = False) -> dict[str, Any]:
    return {
        name: list(getattr(encoding, name))
        for name in ("ids", "tokens", "type_ids", "attention_mask", "special_tokens_mask", "offsets", "word_ids")
    } | {"overflowing": [] if inner else [seen_there(piece, inner=True) for piece in encoding.overflowing]}


def encoded_there(
    ours: Tokenizer, given: list[Any], template: Template, truncation: Truncation | None, padding: Padding | None
) -> list[dict[str, Any]]:
    peer = peer_of(ours)
    names = {**{name: ours.special_tokens[name] for name in NAMES}, "low": ours.token_id(b"low")}
    peer.post_processor = processors.TemplateProcessing(
        single=template.single, pair=template.pair, special_tokens=[(k, v) for k, v in names.items() if v is not None]
    )
    if truncation is not None:
        peer.enable_truncation(
            truncation.max_length,
            stride=truncation.stride,
            strategy=truncation.strategy,
            direction=truncation.side,
        )
    if padding is not None:
        name = padding.pad_token or "[PAD]"
        peer.enable_padding(
            direction=padding.side,
            pad_id=names[name],
            pad_type_id=padding.pad_type_id,
            pad_token=name,
            length=padding.length,
            pad_to_multiple_of=padding.pad_to_multiple_of,
        )
    return [seen_there(each) for each in peer.encode_batch(given)]


def check(
    ours: Tokenizer, given: list[Any], written: tuple[str, str], truncation: Truncation | None, padding: Padding | None
) -> bool:
    """Assert that rows equal those of tokenizers; return whether both made them."""
    template = Template(*map(written_out, written))
    try:
        made = batch(given, ours, template=template, truncation=truncation, padding=padding)
    except ConfigError:
        assert truncation is not None
        return False
    try:
        there = encoded_there(ours, given, Template(*written), truncation, padding)
    except ValueError as error:  # the library checks the stride against the template for one text, even for pairs only
        if "stride" not in str(error) or not all(isinstance(each, tuple) for each in given):
            raise
        return False
    here = [seen(row, made.tokenizer) for row in made.rows]
    if ours is not wordpiece():  # the library spells byte-level tokens in its own alphabet
        for each in (*here, *there):
            for piece in (each, *each["overflowing"]):
                del piece["tokens"]
    assert here == there
    assert made.added == {}
    return True


@pytest.mark.floor(accepted=40)
@given(st.lists(rows, max_size=4), templates, truncations, paddings)
@example(
    [("low lower the", "low lower the low")],
    ("[CLS]:0 $A:3 [SEP]:0", "[CLS] $b:4 [SEP] $A:5"),
    Truncation(7, stride=1),
    Padding(),
)
@example(["low lower the low"], ("$A", "$A $B"), Truncation(2, "left", stride=1), Padding(3, side="left"))
@example([("low lower", "low")], ("[CLS] $A", "[CLS] $A $B"), Truncation(1), None)
def test_rows_masks_and_overflowing_pieces_are_those_of_tokenizers(
    outcomes: Outcomes,
    given: list[Any],
    written: tuple[str, str],
    truncation: Truncation | None,
    padding: Padding | None,
) -> None:
    outcomes.count(check(wordpiece(), given, written, truncation, padding))


@pytest.mark.floor(accepted=40)
@given(st.lists(rows, max_size=3), templates, truncations, paddings)
def test_rows_of_byte_level_tokens_are_those_of_tokenizers(
    outcomes: Outcomes,
    given: list[Any],
    written: tuple[str, str],
    truncation: Truncation | None,
    padding: Padding | None,
) -> None:
    outcomes.count(check(bytes_bpe(), given, written, truncation, padding))


@given(rows, templates)
def test_a_template_in_the_library_s_notation_gives_the_same_in_every_way_to_encode(
    text: str | tuple[str, str], written: tuple[str, str]
) -> None:
    template = Template(*map(written_out, written))
    first, pair = text if isinstance(text, tuple) else (text, None)
    done = pipeline(first, wordpiece(), pair=pair, template=template)
    [there] = encoded_there(wordpiece(), [text], Template(*written), None, None)
    assert done.ids.tolist() == there["ids"]
    assert done.type_ids.tolist() == there["type_ids"]
    assert (done.passage_of < 0).astype(int).tolist() == there["special_tokens_mask"]


# -- by hand -----------------------------------------------------------------------------------------------------


def test_a_row_says_what_truncation_removed_and_a_batch_what_it_added() -> None:
    made = batch(
        ["a b c d e f", ("a b", "c d e f")],
        load_pretrained("gpt2"),
        template=Template("<q>:0 $A:0", "<q>:0 $A:0 $B:1"),
        truncation=Truncation(5, stride=1),
        padding=Padding(pad_to_multiple_of=3),
    )
    assert made.added == {"<q>": 50_257, "[PAD]": 50_258}
    assert made.array("attention_mask").tolist() == [[1, 1, 1, 1, 1, 0]] * 2
    one, two = made.rows
    assert (one.kept(0), [piece.kept(0) for piece in one.overflowing]) == (range(4), [range(3, 6)])
    assert [two.kept(0), two.kept(1)] == [range(2), range(2)]
    assert [len(passages) for passages in made.passages] == [1, 2]
    assert made.pipeline(1).passages == made.passages[1]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"truncation": Truncation(0)}, "max_length is 0"),
        ({"truncation": Truncation(2_000_000)}, "1,000,000"),
        (
            {"truncation": Truncation(1), "template": "bert"},
            "The template alone adds 2 special tokens. Ask for at least 3",
        ),
        ({"truncation": Truncation(4, stride=2), "template": "bert"}, "has room for 2 tokens of a text"),
        ({"truncation": Truncation(4, stride=-1)}, "stride is -1"),
        ({"truncation": Truncation(4, "up")}, "'up'"),  # type: ignore[arg-type]
        ({"truncation": Truncation(4, strategy="none")}, "'none'"),  # type: ignore[arg-type]
        ({"truncation": Truncation(2, strategy="only_second")}, "There is one text"),
        ({"truncation": 5}, "a Truncation, or None"),
        ({"padding": 5}, "a Padding, or None"),
        ({"padding": Padding(-1)}, "length is -1"),
        ({"padding": Padding(10**9)}, "1,000,000"),
        ({"padding": Padding(pad_to_multiple_of=0)}, "pad_to_multiple_of is 0"),
        ({"padding": Padding(side="middle")}, "'middle'"),  # type: ignore[arg-type]
        ({"padding": Padding(pad_type_id=-1)}, "pad_type_id is -1"),
        ({"padding": Padding(pad_token="\ud800")}, "lone surrogate"),
        ({"template": "no such"}, "no such"),
    ],
)
def test_settings_that_are_not_possible_are_refused_with_the_value_and_the_limit(
    settings: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        batch(["a b c d"], load_pretrained("gpt2"), **settings)
    assert problem in str(refused.value)
    assert refused.value.limit
    assert refused.value.remedy


def test_texts_that_are_none_are_refused() -> None:
    gpt2 = load_pretrained("gpt2")
    no_texts: list[Any] = [[5], [None], [("a", 5)]]
    for wrong in no_texts:
        with pytest.raises(CorpusError):
            batch(wrong, gpt2)
    no_batches: list[Any] = ["abc", [("a", "b", "c")], [()], 5]
    for wrong in no_batches:
        with pytest.raises(ConfigError):
            batch(wrong, gpt2)
    with pytest.raises(VocabularyError):
        batch(["a"], gpt2, padding=Padding(pad_token=""))
    assert len(batch([], gpt2, padding=Padding())) == 0


def test_the_one_text_that_is_to_be_shortened_must_be_long_enough() -> None:
    for strategy in ("only_first", "only_second"):
        with pytest.raises(ConfigError, match="'longest_first', or a larger max_length"):
            batch([("a b", "c d")], load_pretrained("gpt2"), truncation=Truncation(2, strategy=strategy))


def test_many_overflowing_pieces_are_made_only_when_they_are_asked_for() -> None:
    long = "a " * 2_000
    [row] = batch([(long, long)], load_pretrained("gpt2"), truncation=Truncation(2))
    assert len(row.overflowing) == 2_001**2 - 1
    assert [row.overflowing[-1].kept(0), row.overflowing[-1].kept(1)] == [range(1), range(2_000, 2_001)]
    assert [piece.kept(1) for piece in row.overflowing[:2]] == [range(1), range(1, 2)]


def test_the_pad_token_is_the_vocabulary_s_own_under_any_usual_name() -> None:
    assert pad_token_of(wordpiece()) == "[PAD]"
    assert pad_token_of(load_pretrained("t5-small")) == "<pad>"
    assert batch(["a"], load_pretrained("t5-small"), padding=Padding(3)).added == {}
    taken = batch(["a b"], load_pretrained("gpt2"), padding=Padding(3, pad_token="low"))
    assert (taken.added, taken.rows[0].ids.tolist()) == ({}, [64, 275, 9_319])


@pytest.mark.parametrize(
    "written",
    ["$C", "$A:x", "$A:0:1", "$A:-1", "[CLS]:x $A", ":0 $A", "[CLS]: $A", "$A:99999999999", "", "[CLS]", "$A $A"],
)
def test_what_the_notation_does_not_know_is_refused_with_the_way_to_write_it(written: str) -> None:
    with pytest.raises(ConfigError) as refused:
        slots(Template(written_out(written), NO_TEMPLATE.pair), pair=False)
    assert refused.value.limit
    assert refused.value.remedy


def test_every_published_template_is_its_own_long_form() -> None:
    for template in TEMPLATES.values():
        assert Template(*map(written_out, map(str, template))) == template


# -- the table ---------------------------------------------------------------------------------------------------

HOSTILE = "=1+1 \"a\",'b' \r\n\x00 </script> \u202eabc \u200b e\u0301 👩‍👩‍👧 ```` $x$ \\n @cmd"


@given(st.one_of(texts, st.just(HOSTILE)), st.sampled_from(["none", "bert"]))
def test_a_table_is_read_back_from_python_json_and_csv(text: str, template: str) -> None:
    made = batch([text, "low"], load_pretrained("gpt2"), template=template, padding=Padding())
    for row in made:
        table = token_rows(row, made.tokenizer)
        values = [each._asdict() for each in table]
        assert ast.literal_eval(as_python(table)) == values
        assert [{**each, "token": _bytes(each["token"])} for each in json.loads(as_json(table))] == values
        read = list(csv.DictReader(io.StringIO(as_csv(table), newline=""), strict=True))
        assert [{k: None if v == "" else ast.literal_eval(v) for k, v in each.items()} for each in read] == values
        assert all(form(table).isascii() for form in (as_python, as_json, as_csv))
        assert [each["id"] for each in values] == row.ids.tolist()
        if row is made.rows[0]:
            data = (each.token.encode() if isinstance(each.token, str) else each.token for each in table)
            assert b"".join(part for part, each in zip(data, table, strict=True) if each.text == 0) == text.encode()


def _bytes(token: str | list[int]) -> str | bytes:
    return token if isinstance(token, str) else bytes(token)


def test_no_line_of_a_csv_begins_a_formula_and_lines_end_as_the_rfc_says() -> None:
    made = batch([HOSTILE], load_pretrained("gpt2"))
    written = as_csv(token_rows(made.rows[0], made.tokenizer))
    lines = written.split("\r\n")
    assert lines[0] == "id,token,text,word,start,end,type_id,attention_mask,special_tokens_mask"
    assert lines[-1] == ""
    assert len(lines) == len(made.rows[0]) + 2
    assert all(cell[:1] not in "=+-@\t" for row in csv.reader(lines[1:-1]) for cell in row)
    assert as_csv([]) == lines[0] + "\r\n"
    assert (as_python([]), as_json([])) == ("[]", "[]")


def test_a_table_can_end_after_some_ids() -> None:
    made = batch(["a b c"], load_pretrained("gpt2"))
    assert [each.token for each in token_rows(made.rows[0], made.tokenizer, most=2)] == ["a", " b"]
