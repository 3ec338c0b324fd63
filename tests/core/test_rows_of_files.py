"""Rows of tokenizers from files: type ids, sequence ids and trimmed offsets equal the library's in all combinations."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
import tokenizers

from bpe_core import ConfigError, FormatError, TrainConfig, train
from bpe_core.formats import from_bytes, to_bytes
from bpe_core.tokenizer.batches import InputRow, Padding, batch
from bpe_core.tokenizer.truncation import Truncation
from tests.core.json_files import FLAGS, added_token, json_file
from tests.draws import examples_each

Json = dict[str, Any]

SPECIAL = {name: {"id": name, "ids": [i], "tokens": [name]} for name, i in (("<s>", 1), ("</s>", 2))}
ENDS = {"sep": ["</s>", 2], "cls": ["<s>", 1]}
LEVELS = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}


def text(name: str, type_id: int = 0) -> Json:
    return {"Sequence": {"id": name, "type_id": type_id}}


def token(name: str, type_id: int = 0) -> Json:
    return {"SpecialToken": {"id": name, "type_id": type_id}}


def template(single: list[Json], pair: list[Json]) -> Json:
    return {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": SPECIAL}


def roberta(*, trims: bool, adds: bool) -> Json:
    return {"type": "RobertaProcessing", **ENDS, "trim_offsets": trims, "add_prefix_space": adds}


PROCESSORS: dict[str, Json | None] = {
    "none": None,
    "Bert": {"type": "BertProcessing", **ENDS},
    "Roberta": roberta(trims=False, adds=False),
    "Roberta, trimmed": roberta(trims=True, adds=False),
    "Roberta, trimmed, a space added": roberta(trims=True, adds=True),
    "ByteLevel": LEVELS,
    "ByteLevel, no space added": {**LEVELS, "add_prefix_space": False},
    "ByteLevel, not trimmed": {**LEVELS, "trim_offsets": False},
    "trimmed twice": {"type": "Sequence", "processors": [LEVELS, {**LEVELS, "add_prefix_space": False}]},
    "template": template([token("<s>"), text("A")], [token("<s>"), text("A"), token("</s>"), text("B", 1)]),
    "template, trimmed": {"type": "Sequence", "processors": [LEVELS, template([text("A", 3)], [text("A"), text("B")])]},
    "B before A": template([text("A", 3), token("</s>", 2)], [text("B", 2), token("</s>", 1), text("A", 5)]),
    "A twice": template([token("<s>"), text("A"), text("A", 1)], [text("A"), text("B", 1), text("A", 2)]),
    "no A": template([token("<s>")], [text("B", 1), token("</s>")]),
}

NAMES = ["[UNK]", "<s>", "</s>", "[PAD]"]
ADDED = [added_token(name, i, special=True) for i, name in enumerate(NAMES)]
WORDS = json_file(
    added_tokens=ADDED,
    pre_tokenizer={"type": "WhitespaceSplit"},
    model={
        "type": "WordLevel",
        "vocab": {name: i for i, name in enumerate([*NAMES, *"abcdefgh"])},
        "unk_token": "[UNK]",
    },
)
MODELS: dict[str, Json] = {
    "words": WORDS,
    "added": {
        **WORDS,
        "added_tokens": [
            *ADDED,
            added_token("c", 6, normalized=True),
            added_token("low", 12, single_word=True),
            added_token("\n", 13, lstrip=True, rstrip=True),
            added_token("日", 14, normalized=True, lstrip=True),
        ],
    },
    "bytes": json.loads(
        to_bytes(
            train(
                "low  lower the  \u3000 a\n\n the  low",
                TrainConfig(vocab_size=290, special_tokens=("[UNK]", "<s>", "</s>", "[PAD]")),
            ).tokenizer(),
            format="tokenizers",
        )
    ),
    "unigram": {
        **WORDS,
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "model": {
            "type": "Unigram",
            "unk_id": 0,
            "vocab": [["[UNK]", 0.0], ["<s>", 0.0], ["</s>", 0.0], ["[PAD]", 0.0], ["▁", -2.0], ["low", -3.0]],
        },
    },
}
PIECES = ["a ", " b", "c", "  ", "\n", " low", "low ", "é", "\u3000", "日", " the"]


def drawn_text(rng: Random) -> str:
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(9)))


def drawn_truncation(rng: Random) -> Truncation | None:
    strategy = rng.choice(["longest_first", "only_first", "only_second"])
    side = rng.choice(["left", "right"])
    made = Truncation(rng.randrange(1, 12), side, strategy, rng.choice([0, 0, 1, 2]))  # type: ignore[arg-type]
    return made if rng.random() < 0.8 else None


def drawn_padding(rng: Random) -> Padding | None:
    side = rng.choice(["left", "right"])
    made = Padding(rng.choice([None, 5, 9]), rng.choice([1, 4]), side, "[PAD]", rng.choice([0, 7]))  # type: ignore[arg-type]
    return made if rng.random() < 0.5 else None


def seen(row: InputRow) -> list[Any]:
    words, sequences = (
        [None if each < 0 else each for each in column.tolist()] for column in (row.word_ids, row.sequence_ids)
    )
    return [
        row.ids.tolist(),
        row.type_ids.tolist(),
        row.attention_mask.tolist(),
        row.special_tokens_mask.tolist(),
        row.offsets,
        words,
        sequences,
    ]


def seen_there(row: tokenizers.Encoding) -> list[Any]:
    return [
        row.ids,
        row.type_ids,
        row.attention_mask,
        row.special_tokens_mask,
        row.offsets,
        row.word_ids,
        row.sequence_ids,
    ]


def drawn_items(rng: Random, texts: str) -> list[Json]:
    found = [text(name, rng.randrange(3)) for name in texts if rng.random() < 0.8]
    found += [token(rng.choice([*SPECIAL]), rng.randrange(4)) for _ in range(rng.randrange(3))]
    found += [text(rng.choice(texts), rng.randrange(4)) for _ in range(rng.randrange(-2, 2))]
    return rng.sample(found, len(found))


def drawn_processor(rng: Random, deep: bool = True) -> Json:
    one, other = rng.random() < 0.5, rng.random() < 0.5
    kind = rng.choice(["Bert", "Roberta", "ByteLevel", "template", "template", "Sequence" if deep else "Bert"])
    if kind == "template":
        return template(drawn_items(rng, "A"), drawn_items(rng, "AB"))
    if kind == "Sequence":
        return {"type": kind, "processors": [drawn_processor(rng, deep=False) for _ in range(rng.randrange(3))]}
    levels = {**LEVELS, "trim_offsets": one, "add_prefix_space": other}
    return {"Bert": {"type": "BertProcessing", **ENDS}, "Roberta": roberta(trims=one, adds=other)}.get(kind, levels)


@pytest.mark.parametrize("model", MODELS)
def test_rows_of_several_post_processors_are_those_of_the_library(model: str, rng: Random) -> None:
    compared = 0
    for _ in range(examples_each(120)):
        steps = [drawn_processor(rng) for _ in range(rng.randrange(1, 4))]
        compared += compare_rows({**MODELS[model], "post_processor": {"type": "Sequence", "processors": steps}}, 6, rng)
    assert compared > examples_each(120) * 6 // 3


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", PROCESSORS)
def test_rows_are_those_of_the_library_under_any_truncation_and_padding(name: str, model: str, rng: Random) -> None:
    times = examples_each(240)
    assert compare_rows({**MODELS[model], "post_processor": PROCESSORS[name]}, times, rng) > times // 3


def compare_rows(whole: Json, times: int, rng: Random) -> int:
    """Assert that a file is refused where the library fails, or that rows are equal; return how many both made."""
    compared = 0
    file = json.dumps(whole)
    library = tokenizers.Tokenizer.from_str(file)
    library.encode_special_tokens = True
    try:
        tokenizer = from_bytes(file.encode())
    except FormatError:
        for given in ("a", ("a", "b")):
            with pytest.raises(BaseException, match=r"index out of bounds|not yet implemented"):
                library.encode_batch([given])
        return 0
    for _ in range(times):
        given = (drawn_text(rng), drawn_text(rng)) if rng.random() < 0.6 else drawn_text(rng)
        truncation, padding = drawn_truncation(rng), drawn_padding(rng)
        try:
            [row] = batch([given], tokenizer, template=tokenizer.template, truncation=truncation, padding=padding)
        except ConfigError:
            continue
        library.no_truncation()
        library.no_padding()
        if truncation is not None:
            length, side, strategy, stride = truncation
            try:
                library.enable_truncation(length, stride=stride, strategy=strategy, direction=side)
            except ValueError:  # the stride is checked against the template for one text, even for pairs
                continue
        if padding is not None:
            library.enable_padding(
                direction=padding.side,
                pad_id=tokenizer.special_tokens["[PAD]"],
                pad_type_id=padding.pad_type_id,
                pad_token="[PAD]",
                length=padding.length,
                pad_to_multiple_of=padding.pad_to_multiple_of,
            )
        [there] = library.encode_batch([given])
        expected = [seen_there(each) for each in (there, *there.overflowing)]
        assert [seen(each) for each in (row, *row.overflowing)] == expected
        compared += 1
    return compared


def test_roberta_gives_overflowing_pieces_of_the_second_text_the_type_id_0() -> None:
    tokenizer = from_bytes(json.dumps({**WORDS, "post_processor": PROCESSORS["Roberta"]}).encode())
    [row] = batch([("a", "a b c")], tokenizer, template=tokenizer.template, truncation=Truncation(6))
    assert [each.type_ids.tolist() for each in row.overflowing] == [[0] * 6, [0] * 6]


def test_a_file_that_trims_offsets_leaves_the_space_of_a_token_out() -> None:
    words = train(" low lower" * 2, TrainConfig(vocab_size=270)).tokenizer()
    whole = json.loads(to_bytes(words, format="tokenizers"))
    rows = [
        batch([" low  lower"], from_bytes(json.dumps({**whole, "post_processor": processor}).encode())).rows[0].offsets
        for processor in (None, {**LEVELS, "add_prefix_space": False}, LEVELS)
    ]
    assert rows[0] == [(0, 4), (4, 5), (5, 11)]
    assert rows[1] == [(1, 4), (5, 5), (6, 11)]
    assert rows[2] == [(0, 4), (5, 5), (6, 11)]


TAKING = {"id": 0, **FLAGS}


@pytest.mark.parametrize("trims", [True, False])
@pytest.mark.parametrize("normalizer", [None, {"type": "Prepend", "prepend": " "}, {"type": "ByteLevel"}])
def test_an_added_token_is_trimmed_by_the_white_space_that_it_takes(
    normalizer: Json | None, trims: bool, rng: Random
) -> None:
    added = [{**TAKING, "content": "<m>", "lstrip": True}, {**TAKING, "content": "\u3000d"}]
    added += [{**TAKING, "content": name, "normalized": True, "single_word": True} for name in ("a", "Ġ")]
    vocab = {name: i for i, name in enumerate(["[UNK]", "a", "b", "Ġ", " ", "\n"])}
    model = {"type": "WordPiece", "vocab": vocab, "unk_token": "[UNK]", "continuing_subword_prefix": ""}
    file = json.dumps(
        {
            **WORDS,
            "normalizer": normalizer,
            "pre_tokenizer": {"type": "FixedLength", "length": 1},
            "post_processor": {**LEVELS, "trim_offsets": trims},
            "added_tokens": added,
            "model": {**model, "max_input_chars_per_word": 100},
        }
    )
    library, tokenizer = tokenizers.Tokenizer.from_str(file), from_bytes(file.encode())
    for _ in range(examples_each(60)):
        given = "".join(rng.choice(["a", "b", " ", "  ", "<m>", "\u3000d", "\n", "Ġ"]) for _ in range(7))
        [row], there = batch([given], tokenizer).rows, library.encode(given)
        assert row.ids.tolist() == there.ids
        assert row.offsets == there.offsets
