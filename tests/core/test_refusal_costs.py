"""Oversized files are rejected by scanning their bytes, before any parsing; files at the limit still open."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, NoReturn

import pytest
import regex
import sentencepiece
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_core import ConfigError, CorpusError, FormatError, TrainConfig, UnigramModel, load, train, work
from bpe_core.bpe.model import BpeModel
from bpe_core.formats import (
    bpe_json,
    bpe_lab,
    bpe_lab_bpe,
    careful_json,
    from_bytes,
    from_files,
    gguf_file,
    gguf_metadata,
    gpt2_files,
    models_json,
    reading,
    sentencepiece_check,
    sentencepiece_file,
    unigram_json,
)
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.progress import Share
from bpe_core.formats.training_file import save_training
from bpe_core.formats.unigram_json import scored_pieces
from bpe_core.language import message
from bpe_core.sentencepiece import loading, piece_runs, protobuf
from bpe_core.sentencepiece.model import SentencePieceModel
from bpe_core.sentencepiece.protobuf import field
from bpe_core.text import json_sizes, pattern_limits
from bpe_core.text.json_sizes import MOST_LEVELS, sizes_of
from bpe_core.text.pattern_limits import LONGEST_TRANSLATED, MOST_UNROLLED
from bpe_core.text.splits import compile_pattern
from bpe_core.wordlevel.model import WordLevelModel
from bpe_core.wordpiece.model import WordPieceModel
from tests.core.json_files import added_token
from tests.draws import Outcomes, examples

MERGES = b'{"version": "1.0", "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [%b]}}'
MANY = reading.MOST_TOKENS + 1


@pytest.fixture
def unparsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if JSON is parsed."""

    def parse(*_: Any, **__: Any) -> NoReturn:
        pytest.fail("parsed before it was refused")

    monkeypatch.setattr(json, "loads", parse)


# -- JSON ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("unparsed")
@pytest.mark.parametrize(
    ("written", "says"),
    [
        (lambda: MERGES % b",".join([b'"a b"'] * MANY), "'merges' has more than 1,000,000 entries"),
        (lambda: MERGES % b",\n".join([b'["a", "b"]'] * MANY), "'merges' has more than 1,000,000 entries"),
        (lambda: MERGES % b",".join([b"5"] * MANY), "'merges' has more than 1,000,000 entries"),
        (lambda: MERGES % b",".join([rb'"\"\\ \\\""'] * MANY), "'merges' has more than 1,000,000 entries"),
        (
            lambda: b'{"model": {"vocab": {%b}}}' % b",".join([b'"a": 0'] * MANY),
            "'vocab' has more than 1,000,000 entries",
        ),
        (lambda: b'{"vocab": [%b]}' % b",".join([b'["a", 0.5]'] * MANY), "'vocab' has more than 1,000,000 entries"),
        (lambda: b'{"tokens": [%b]}' % b",".join([b"null"] * 2_000_000), "'tokens' has more than 1,999,999 entries"),
        (lambda: b"[%b]" % b",".join([b"1"] * 2_000_000), "The file has more than 1,999,999 entries"),
        (
            lambda: b'{"normalizer": [%b]}' % b",".join([b'{"type":"NFC"}'] * 400_000),
            "The file has more than 400,000 objects",
        ),
        (
            lambda: b'{"a": [%b], "model": 5}' % b",".join([b"[[]]"] * 600_000),
            "The file has more than 1,100,000 lists",
        ),
        pytest.param(
            lambda: b"[%b]" % b",".join([b"1"] * 20_000_000),
            "The file has more than 5,000,000 lists and values",
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            lambda: b'{"a": [%b]}' % b",".join([b'["x"]'] * 6_000_000),
            "'a' has more than 1,999,999 entries",
            marks=pytest.mark.thorough,
        ),
    ],
    ids=[
        *(
            "pairs in one",
            "pairs",
            "merges of numbers",
            "escapes",
            "a mapping",
            "pieces",
            "tokens",
            "a list",
            "objects",
            "lists in lists",
        ),
        *("a longer list", "lists"),
    ],
)
def test_json_that_is_too_large_is_refused_before_it_is_parsed(written: Callable[[], bytes], says: str) -> None:
    data = written()
    with pytest.raises(FormatError) as refused:
        from_bytes(data)
    assert says in str(refused.value)
    assert "That is the most allowed." in str(refused.value)
    with pytest.raises(FormatError) as refused:
        from_files({"mine.json": data})
    assert says in str(refused.value)


@pytest.mark.usefixtures("unparsed")
@pytest.mark.parametrize("merge", [b'"a b"', b'["a", "b"]'])
def test_a_large_file_that_was_cut_is_refused_before_it_is_parsed(merge: bytes) -> None:
    whole = MERGES % b",".join([merge] * (reading.MOST_TOKENS - 1))
    for end in (1, 2, 3, 4, len(merge) // 2 + 4):
        with pytest.raises(FormatError, match="is not JSON: it ends before all its lists and objects do"):
            from_bytes(whole[:-end])


@pytest.mark.parametrize("data", [b"[\n1,\n2]", b"[1]", b"[ true ]", b"[1, 2]", b'[ "a"]', b"[-1e3, null]"])
def test_a_list_is_no_tokenizer_and_is_not_called_damaged_json(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ids.json"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"The file is \[.*\. It must be an object"):
        load(path)


@pytest.mark.parametrize("data", [b"[1", b"[PAD]\n[UNK]\n", b"[1, 2", b"[\n"])
def test_what_begins_like_a_list_and_is_none_is_not_json(data: bytes) -> None:
    with pytest.raises(FormatError, match="is not JSON"):
        from_files({"tokenizer.json": data})


def test_a_vocabulary_of_brackets_is_no_list() -> None:
    assert from_bytes(b"[\n1\n[1]\n[UNK]\n").token_id(b"[1]") == 2


@pytest.mark.parametrize("key", ["merges", "vocab", "tokens"])
def test_json_of_exactly_as_many_entries_as_are_allowed_is_parsed(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setattr(careful_json, "MOST_TOKENS", 6)
    monkeypatch.setattr(careful_json, "HIGHEST_ID", 9)
    most = 9 if key == "tokens" else 6
    for entry in (7, "a b", ["a", "b, c"], '"', {"a": [1, 2]}):
        content = {"x": "merges", "model": {key: [entry] * most}}
        assert parsed_json(json.dumps(content).encode(), limit="") == content
        content["model"] = {key: [entry] * (most + 1)}
        with pytest.raises(FormatError, match=f"'{key}' has more than {most} entries"):
            parsed_json(json.dumps(content).encode(), limit="")
    named = {key: {f"{i}": i for i in range(most)}}
    assert parsed_json(json.dumps(named).encode(), limit="") == named
    with pytest.raises(FormatError, match=f"'{key}' has more than {most} entries"):
        parsed_json(json.dumps({key: named[key] | {"more": 0}}).encode(), limit="")


def test_json_of_exactly_as_many_values_as_are_allowed_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(careful_json, "MOST_TOKENS", 3)
    monkeypatch.setattr(careful_json, "HIGHEST_ID", 100)
    monkeypatch.setattr(careful_json, "MOST_VALUES", 8)
    assert parsed_json(b'[1, {"a": ["[[[,,,"]}, 3, 4, 5, 6]', limit="") == [1, {"a": ["[[[,,,"]}, 3, 4, 5, 6]
    with pytest.raises(FormatError, match="has more than 8 lists and values"):
        parsed_json(b'[1, {"a": ["[[[,,,"]}, 3, 4, 5, 6, 7]', limit="")


def sizes(value: object, depth: int = 1, key: str = "") -> tuple[int, list[tuple[int, str]]]:
    """Number of parsed values, and number of entries of each list and object, with its key."""
    if not isinstance(value, list | dict):
        return 0, []
    named = (
        [(each, name) for name, each in value.items()] if isinstance(value, dict) else [(each, "") for each in value]
    )
    total, found = max(1, len(named)), [(max(1, len(named)), key)] if depth <= MOST_LEVELS else []
    for each, name in named:
        inner, more = sizes(each, depth + 1, name)
        total, found = total + inner, found + more
    return total, found


def count(kind: type, value: object) -> int:
    """Number of lists, or of objects, in parsed JSON."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, kind) + sum(count(kind, each) for each in inner)


TEXTS = st.text(st.sampled_from(list('ab"\\[]{},: \n日')), max_size=6)
VALUES = st.recursive(
    st.none() | st.integers(0, 99) | TEXTS,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(TEXTS, inner, max_size=6),
    max_leaves=40,
)


@settings(max_examples=examples(300))
@given(VALUES, st.sampled_from([None, 1]), st.booleans(), st.integers(1, 9))
def test_sizes_are_those_of_what_is_parsed(value: object, indent: int | None, ascii_only: bool, window: int) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_sizes, "_WINDOW", window)
        counted = sizes_of(data, 1_000)
    total, found = sizes(value)
    assert counted.values == total
    assert (counted.lists, counted.objects) == (count(list, value), count(dict, value))
    assert counted.longest == max((entries for entries, _ in found), default=1)
    if counted.longest > 1:
        written = {
            json.dumps(key, ensure_ascii=ascii_only)[1:-1] for entries, key in found if entries == counted.longest
        }
        assert counted.key in written


# -- models of tokenizer.json -------------------------------------------------------------------------------

WHOLE = {"version": "1.0", "added_tokens": [added_token("a", 0)], "pre_tokenizer": None}
OF_WORDPIECE = {"unk_token": "a", "continuing_subword_prefix": "", "max_input_chars_per_word": 9}
MODELS: list[dict[str, Any]] = [
    {"type": "Unigram", "unk_id": 0, "vocab": [["a", -1.5], ["bcd", -2.5]]},
    {"type": "WordPiece", "vocab": {"a": 0, "bcd": 1}, **OF_WORDPIECE},
    {"type": "WordLevel", "vocab": {"a": 0, "bcd": 1}, "unk_token": "a"},
    {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]},
]


@pytest.mark.parametrize("model", MODELS[:2], ids=lambda model: model["type"])
@pytest.mark.parametrize("own", [False, True])
def test_pieces_of_too_many_characters_are_refused_before_they_are_converted(
    model: dict[str, Any], own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = {"type": "Replace", "pattern": {"Regex": "a"}, "content": "b"}
    whole = WHOLE | {"normalizer": {"type": "Sequence", "normalizers": [step]} if own else None}
    data = json.dumps(whole | {"model": model}).encode()
    monkeypatch.setattr(reading, "MOST_CHARACTERS", 4)
    monkeypatch.setattr(unigram_json, "MOST_CHARACTERS", 4)
    from_bytes(data)
    for module, name in ((unigram_json, "as_read"), (unigram_json, "_steps"), (models_json, "tokens_of_vocab")):
        monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("converted before it was refused"))
    with pytest.raises(FormatError, match=r"The pieces of model\.vocab have 5 characters\. The most allowed is 4\."):
        from_bytes(data.replace(b"bcd", b"bcde"))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model["type"])
@pytest.mark.parametrize("key", ["decoder", "post_processor", "normalizer", "pre_tokenizer"])
def test_no_model_is_made_of_a_file_with_another_wrong_part(
    model: dict[str, Any], key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in (UnigramModel, WordPieceModel, WordLevelModel, BpeModel):
        monkeypatch.setattr(kind, "__init__", lambda *_, **__: pytest.fail("made before it was refused"))
    with pytest.raises(FormatError, match=f"{key}.type is 'Nope'"):
        from_bytes(json.dumps(WHOLE | {"model": model, key: {"type": "Nope"}}).encode())


ENTRIES = st.sampled_from(
    [
        *(["c", score] for score in (-1.5, 3, 10**15, math.inf, True, None)),
        *([piece, -0.5] for piece in ("", "日", "\ud800", "b" * 250_001, 5)),
        *(["a"], ["a", 1.0, 2], [], "ab", {"a": 1, "b": 2}, None),
    ]
)


@pytest.mark.floor(refused=250, accepted=80)
@settings(max_examples=examples(800))
@given(st.lists(ENTRIES | st.sampled_from([["a", -1.5], ["b", -2.0]]), max_size=9), st.integers(1, 4))
def test_pieces_checked_together_are_those_checked_one_by_one(
    outcomes: Outcomes, entries: list[Any], size: int
) -> None:
    def found() -> object:
        try:
            return scored_pieces("vocab", entries)()
        except FormatError as error:
            return str(error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Share, "slices", lambda _, count: (slice(at, at + size) for at in range(0, count, size)))
        together = found()
        outcomes.count(not isinstance(together, str))
        patch.setattr(unigram_json, "_are_scored_pieces", lambda _: False)
        assert found() == together


def test_of_a_large_vocabulary_with_a_wrong_id_one_token_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    described: list[object] = []
    monkeypatch.setattr(reading, "quoted", lambda value: described.append(value) or repr(value))
    for ids in ({"wrong": -1}, {"wrong": "1"}, {"wrong": 5_000_000}):
        described.clear()
        with pytest.raises(FormatError, match=r"vocab\['wrong'\] is "):
            reading.checked_vocab("vocab", {f"{number}": number for number in range(2_000)} | ids)
        assert described[0] == "wrong"


@pytest.mark.parametrize(
    "wrong",
    [
        {"decoder": {"type": "Nope"}},
        {"added_tokens": [{"id": 3}]},
        {"version": "2.0"},
        {"model": MODELS[3] | {"fuse_unk": 1}},
        {"model": MODELS[3] | {"vocab": {"a": -1}}},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_merges_of_a_file_with_another_wrong_part_stay_unread(
    wrong: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bpe_json, "numbered", lambda *_: pytest.fail("read before it was refused"))
    with pytest.raises(FormatError):
        from_bytes(json.dumps(WHOLE | {"model": MODELS[3]} | wrong).encode())


@pytest.mark.parametrize("end", [b"", b"]", b",]}}", b', "a c"]}}', b', 5]}, "decoder": 5}'])
def test_a_file_with_merges_is_parsed_once(end: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    whole = json.loads
    monkeypatch.setattr(json, "loads", lambda text, **given: parsed.append(len(text)) or whole(text, **given))
    vocab = json.dumps({"a": 0, "b": 1, "ab": 2} | {f"t{at}": at for at in range(3, 1_000)}).encode()
    merges = b", ".join([b'"a b"'] * 1_000)
    data = b'{"model": {"type": "BPE", "vocab": %b, "merges": [%b%b' % (vocab, merges, end)
    with pytest.raises(FormatError):
        from_bytes(data)
    assert sum(parsed) < len(data) + 100


# -- .model -------------------------------------------------------------------------------------------------


def piece(text: bytes, kind: int | None = 1, score: bytes = bytes(4)) -> bytes:
    """A piece of a .model file; `kind` None omits its type."""
    return field(1, field(1, text) + b"\x15" + score + (b"" if kind is None else bytes([0x18, kind])))


UNKNOWN = piece(b"<unk>", 2)


@pytest.mark.parametrize(
    "written",
    [
        lambda: UNKNOWN + b"".join(piece(b"p%d" % i, None) for i in range(1000)) * 1001,
        lambda: UNKNOWN + piece(b"p") * MANY,
        lambda: UNKNOWN + piece(b"\xff") * MANY + b"\x0a\x05",
    ],
    ids=["usual", "all one", "not UTF-8, and cut"],
)
def test_a_model_of_too_many_pieces_is_refused_before_one_is_read(
    written: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = written()
    monkeypatch.setattr(sentencepiece_check, "_Pieces", lambda *_: pytest.fail("read before it was refused"))
    with pytest.raises(FormatError, match=r"The file has more than 1,000,000 pieces\. That is the most allowed\."):
        from_bytes(data)


@pytest.mark.floor(refused=12, accepted=10)
@settings(max_examples=examples(60))
@given(
    st.lists(st.text(st.sampled_from("a\n\t▁日"), min_size=1, max_size=4), unique=True, min_size=1, max_size=12),
    st.sampled_from([None, 1]),
    st.integers(1, 13),
)
def test_a_model_of_as_many_pieces_as_are_allowed_opens(
    outcomes: Outcomes, pieces: list[str], kind: int | None, most: int
) -> None:
    data = UNKNOWN + b"".join(piece(text.encode(), kind) for text in pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentencepiece_check, "MOST_TOKENS", most)
        outcomes.count(len(pieces) < most)
        if len(pieces) + 1 > most:
            with pytest.raises(FormatError, match=f"more than {most} pieces"):
                sentencepiece_file.read(data)
            return
        tokenizer = sentencepiece_file.read(data)
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert tokenizer.vocab_size == library.GetPieceSize()
    for text in ("a 日", "aa\n", "".join(pieces)):
        assert tokenizer.encode(text).ids.tolist() == library.Encode(text)


@pytest.mark.parametrize(
    ("damaged", "says"),
    [
        (piece(b""), "the piece '' is empty"),
        (piece(b"p"), "are both 'p'"),
        (piece(b"p\xff"), "is not UTF-8"),
        (piece(b"p", 6), "must be written like <0x0A>"),
    ],
)
def test_damage_is_looked_for_up_to_a_thousand_places(
    damaged: bytes, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    whole = sentencepiece_check._Pieces._take
    monkeypatch.setattr(sentencepiece_check._Pieces, "_take", lambda *given: read.append(given[-1]) or whole(*given))
    with pytest.raises(FormatError) as refused:
        sentencepiece_check.check(UNKNOWN + piece(b"p") + damaged * 50_000)
    assert says in str(refused.value)
    assert "; and at least 995 more." in str(refused.value)
    assert len(read) <= 1_002
    with pytest.raises(FormatError, match="; and 994 more"):
        sentencepiece_check.check(UNKNOWN + piece(b"p") + damaged * 999)


@pytest.mark.parametrize("size", [1, 100, 1_000])
def test_pieces_of_a_model_have_only_so_many_bytes(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentencepiece_check, "MOST_TOKEN_BYTES", 5 + 10 * size)
    monkeypatch.setattr(reading, "MOST_TOKEN_BYTES", 5 + 10 * size)
    data = UNKNOWN + b"".join(piece(b"%d" % number * size) for number in range(10))
    assert from_bytes(data).vocab_size == 11
    monkeypatch.setattr(loading, "library_of", lambda _: pytest.fail("loaded before it was refused"))
    with pytest.raises(FormatError, match=rf"With b'.* the tokens have {10 * size + 6:,} bytes\. The most allowed"):
        from_bytes(data + piece(b"b"))


@pytest.mark.parametrize("model_type", [None, 1, 2])
def test_infinite_scores_are_wrong_in_models_of_some_types(model_type: int | None) -> None:
    infinite = b"".join(piece(b"p%d" % number, None, struct.pack("<f", -math.inf)) for number in range(3_000))
    data = UNKNOWN + infinite + (b"" if model_type is None else field(2, bytes([0x18, model_type])))
    if model_type == 2:
        sentencepiece_check.check(data)
        return
    with pytest.raises(FormatError, match=r"the score of a piece is not a finite number; .* at least 995 more"):
        sentencepiece_check.check(data)


def test_of_a_piece_that_is_too_long_one_field_is_read() -> None:
    long = field(1, field(1, b"p") + b"\x15" + bytes(4) + b"\x20\x01" * 5_000)
    with pytest.raises(FormatError, match=r"the piece 'p' is empty, .* exceeds 10,000 bytes"):
        sentencepiece_check.check(UNKNOWN + long)


@pytest.mark.floor(refused=8, accepted=5)
@settings(max_examples=examples(40))
@given(st.lists(st.sampled_from([3, 4, 6, 1]), max_size=12), st.integers(0, 12))
def test_of_a_model_only_so_many_fields_are_read(outcomes: Outcomes, messages: list[int], most: int) -> None:
    """The fields of the file with its messages, and those of pieces in an unusual form."""
    inside = {3: b"\x22\0", 4: b"", 6: b""}  # each in a message of its own
    data = UNKNOWN + b"".join(
        field(1, field(1, b"p%d" % at) + b"\x20\1") if number == 1 else field(number, inside[number])
        for at, number in enumerate(messages)
    )
    spent = max(sum({3: 2, 4: 1, 6: 1, 1: 1}[number] for number in messages), 2 * messages.count(1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentencepiece_check, "_MOST_FIELDS", most)
        outcomes.count(spent <= most)
        if spent <= most:
            sentencepiece_check.check(data)
            return
        with pytest.raises(FormatError, match=f"more than {most} fields come before this"):
            sentencepiece_check.check(data)


def test_a_model_of_very_many_pieces_is_read_field_by_field_only_where_it_is_unusual(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []
    whole = piece_runs.field_at
    monkeypatch.setattr(piece_runs, "field_at", lambda data, at: read.append(at) or whole(data, at))
    kinds = (None, 1, 3, 4, 5)
    pieces = [piece(b"p%d" % at, kinds[at % 5]) for at in range(20_000)] + [field(1, field(1, b"no score"))]
    data = b"".join(pieces)
    for end, says in (
        (b"", "0 pieces have the type unknown"),
        (piece(b"q", 7), "an unknown type"),
        (b"\n\x50", "a field of 80 bytes ends after"),
    ):
        read.clear()
        with pytest.raises(FormatError, match=says):
            from_bytes(data + end)
        assert read == ([len(data)] if end else [])


def test_pieces_of_a_model_that_opens_are_read_together_and_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    loaded: list[int] = []
    whole, load_whole = protobuf.field_at, loading.library_of
    monkeypatch.setattr(protobuf, "field_at", lambda *given: read.append(given[1]) or whole(*given))
    monkeypatch.setattr(loading, "library_of", lambda given: loaded.append(len(given)) or load_whole(given))
    data = UNKNOWN + b"".join(piece(b"p%d" % at, None) for at in range(5_000)) + field(2, b"\x18\2")
    assert from_bytes(data).vocab_size == 5_001
    assert len(read) < 20
    assert [size for size in loaded if size > 1_000] == [len(data) + 18]


@pytest.mark.parametrize("number", [3, 5], ids=["normalization", "denormalization"])
def test_parts_that_a_normalized_text_does_not_need_are_refused_as_by_the_library(number: int) -> None:
    data, part = UNKNOWN + piece(b"a"), field(number, field(2, b"\5\0\0\0wrong"))
    SentencePieceModel(data)
    with pytest.raises(RuntimeError):
        sentencepiece.SentencePieceProcessor(model_proto=data + part)
    with pytest.raises(FormatError, match="are not a SentencePiece model"):
        SentencePieceModel(data + part)


SCORES = st.sampled_from([b"", b"\x15" + bytes(4), b"\x15" + struct.pack("<f", math.nan), b"\x10\1"])
TYPES = st.sampled_from([b"", *(bytes([0x18, kind]) for kind in range(1, 8)), b"\x18\x84\0", b"\x20\1"])
PIECES = st.builds(
    lambda text, score, kind, turned: field(
        1, kind + score + field(1, text) if turned else field(1, text) + score + kind
    ),
    st.sampled_from([b"", b"\0", b"a\0", b"\xff", b"<0x0A>", b"a" * 118, b"a" * 119, b"a" * 140])
    | st.text(st.sampled_from("ab\n日"), min_size=1, max_size=3).map(str.encode),
    SCORES,
    TYPES,
    st.booleans(),
)
OTHERS = st.sampled_from([b"\x12\2\x18\2", b"\x12\3\x98\2\1", b"\x22\0", b"\x30\1", b"\x08\1", b"\n\x50"])


BROKEN_TWICE = piece(b"\xff", None, struct.pack("<f", math.nan))


@pytest.mark.floor(refused=120, accepted=4)
@settings(max_examples=examples(300))
@given(st.lists(PIECES | st.sampled_from([UNKNOWN]) | OTHERS, max_size=12))
@example([piece(b"a"), piece(b"b"), piece(b"c"), piece(b"d"), BROKEN_TWICE])
@example([field(1, field(1, b"a") + b"\x18\x84\0"), piece(b"a"), piece(b"a")])
def test_pieces_in_the_usual_form_are_checked_as_in_any_other(outcomes: Outcomes, messages: list[bytes]) -> None:
    def said() -> str:
        try:
            sentencepiece_check.check(b"".join(messages))
        except FormatError as error:
            return str(error)
        return ""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentencepiece_check, "_MOST_LISTED", 20)
        together = said()
        outcomes.count(not together)
        patch.setattr(piece_runs, "_ENTRY", regex.compile(b"(?!)"))
        assert said() == together


# -- .gguf --------------------------------------------------------------------------------------------------


def entry(key: str, kind: int, many: int, content: bytes) -> bytes:
    """An entry of GGUF metadata: a list of `many` items of a kind."""
    return struct.pack("<Q", len(key)) + key.encode() + struct.pack("<IIQ", 9, kind, many) + content


@pytest.mark.parametrize("prefix", ["tokenizer.", "general."])
@pytest.mark.parametrize(
    ("kind", "item", "allowed"),
    [(9, struct.pack("<IQ", 4, 0), 2_010), (8, struct.pack("<Q2s", 2, b"ab"), 20_100)],
    ids=["lists", "texts"],
)
def test_a_gguf_file_of_too_many_items_is_refused_before_they_are_read(
    prefix: str, kind: int, item: bytes, allowed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gguf_metadata, "_MOST_ITEMS", 20_100)
    half = allowed // 2
    first = entry(prefix + "a", kind, half, item * half)
    for many in (half, half + 1):
        data = b"GGUF" + struct.pack("<IQQ", 3, 0, 2) + first + entry(prefix + "b", kind, many, item * many)
        says = "has no tokenizer" if many == half else r"its lists have more than 20,100 texts in all\."
        with pytest.raises(FormatError, match=says):
            from_bytes(data)
    monkeypatch.setattr(gguf_metadata._Reader, "_texts", lambda *_: pytest.fail("read before it was refused"))
    with pytest.raises(FormatError, match="its lists have more than"):
        from_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + entry(prefix + "a", kind, allowed + 1, b""))


def test_the_special_tokens_of_a_gguf_file_are_counted_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf_file, "MOST_SPECIAL", 3)
    monkeypatch.setattr(gguf_file, "write_added", lambda *_: pytest.fail("made before it was refused"))
    model = struct.pack("<Q20sIQ4s", 20, b"tokenizer.ggml.model", 8, 4, b"gpt2")
    tokens = entry("tokenizer.ggml.tokens", 8, 4, b"".join(struct.pack("<Qs", 1, b"%d" % i) for i in range(4)))
    types = entry("tokenizer.ggml.token_type", 5, 4, struct.pack("<4i", 3, 3, 3, 3))
    with pytest.raises(FormatError, match=r"added_tokens has 4 entries\. The most allowed is 3\."):
        from_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 3) + model + tokens + types)


def test_a_token_twice_is_refused_before_pieces_are_made_of_a_gguf_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf_file, "_pieces", lambda *_: pytest.fail("made before it was refused"))
    model = struct.pack("<Q20sIQ5s", 20, b"tokenizer.ggml.model", 8, 5, b"llama")
    tokens = entry("tokenizer.ggml.tokens", 8, 3, struct.pack("<Qs", 1, b"a") * 3)
    with pytest.raises(FormatError, match="has the token 'a' twice"):
        from_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 2) + model + tokens)


# -- merges -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "at"),
    [
        *((bad, 20_000) for bad in ("t1 zz", ["t1", "zz"], 5, ["t1"], [5, "t1"], "a b c")),
        *(("t1 zz", at) for at in (0, 19_999, 44_000)),
    ],
)
def test_a_wrong_merge_is_named_wherever_it_stands(bad: object, at: int) -> None:
    merges: list[object] = [["t1", "t2"]] * 45_000
    merges[at] = bad
    model = {"type": "BPE", "vocab": {"t1": 0, "t2": 1, "t1t2": 2}, "merges": merges}
    data = json.dumps({"version": "1.0", "added_tokens": [], "model": model}).encode()
    with pytest.raises(FormatError, match=rf"model\.merges\[{at}\] is "):
        from_bytes(data)


@pytest.mark.parametrize("wrong", [{}, {"merges": [[97, 97, 1]] * 30}, {"merges": [[97, 5_000, 1]]}, {"forks": 5}])
def test_a_saved_training_is_parsed_once(wrong: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    saved = json.loads(save_training(train("low low", TrainConfig(vocab_size=300)), "low low"))
    data = json.dumps(saved | wrong).encode()
    parsed: list[int] = []
    whole = json.loads
    monkeypatch.setattr(json, "loads", lambda text, **given: parsed.append(len(text)) or whole(text, **given))
    with suppress(FormatError):
        from_bytes(data)
    assert sum(parsed) <= len(data)


ROWS = st.sampled_from([[97, 98, 256], [256, 97, 257], [97, 97, 258], [300, 97, 259], [97, 98, 257], [97, 98, 10**7]])


@pytest.mark.floor(refused=80, accepted=6)
@settings(max_examples=examples(200))
@given(
    st.lists(ROWS | st.sampled_from([[97, 98], [97, 98, "x"], [97, True, 256], [97, -1, 256], [1.0, 2, 3], "abc", 5])),
    st.integers(1, 4),
)
def test_merges_by_ids_are_checked_together_as_one_by_one(outcomes: Outcomes, rows: list[Any], size: int) -> None:
    content = json.loads(bpe_lab.write(train("low", TrainConfig(vocab_size=256)).tokenizer()))
    data = json.dumps(content | {"merges": rows}).encode()

    def wrong(row: Any) -> bool:
        if type(row) is not list or len(row) != 3:
            return True
        return any(type(each) is not int or not 0 <= each <= reading.HIGHEST_ID for each in row)

    first = next((at for at, row in enumerate(rows) if wrong(row)), None)
    tokens: dict[int, bytes] = {byte: bytes([byte]) for byte in range(256)}
    if first is None:
        for at, (left, right, new) in enumerate(rows):
            made = tokens.get(left, b"\n") + tokens.get(right, b"\n")
            if left not in tokens or right not in tokens or tokens.setdefault(new, made) != made:
                first = at
                break
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bpe_lab_bpe, "SLICE", size)
        outcomes.count(first is None)
        if first is None:
            opened = from_bytes(data)
            assert {i: opened.token_bytes(i) for i in opened.ids} == tokens
            return
        with pytest.raises(FormatError, match=rf"merges\[{first}\]"):
            from_bytes(data)


def test_of_many_merges_without_their_tokens_one_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    described: list[str] = []
    whole = gpt2_files._lacking
    monkeypatch.setattr(gpt2_files, "_lacking", lambda *given: described.append(given[1]) or whole(*given))
    lines = b"".join(b"a%d b\n" % number for number in range(5_000))
    with pytest.raises(FormatError, match=r"lacks 'a0'\. The same error is at 2, 3, 4 and 4,996 more"):
        from_files({"vocab.json": b'{"a": 0, "b": 1}', "merges.txt": lines})
    assert described == ["a0"]


# -- memory -------------------------------------------------------------------------------------------------


def announced(data: bytes) -> int:
    """Most memory announced at one time while a file is read, in bytes; the file may be refused."""
    held, most = 0, 0

    @contextmanager
    def hold(size: int) -> Iterator[None]:
        nonlocal held, most
        held += size
        most = max(most, held)
        yield
        held -= size

    work.limit_work(hold)
    try:
        with suppress(FormatError):
            from_bytes(data)
    finally:
        work.limit_work(None)
    return most


def test_a_gguf_file_says_what_its_texts_will_take() -> None:
    tokens = b"".join(struct.pack("<Q6s", 6, b"%06d" % i) for i in range(20_000))
    model = struct.pack("<Q20sIQ4s", 20, b"tokenizer.ggml.model", 8, 4, b"gpt2")
    data = b"GGUF" + struct.pack("<IQQ", 3, 0, 2) + model + entry("tokenizer.ggml.tokens", 8, 20_000, tokens)
    assert 700 * 20_000 < announced(data) < 900 * 20_000


@pytest.mark.usefixtures("unparsed")
def test_a_large_vocabulary_says_what_its_tables_take_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(careful_json, "MOST_TOKENS", 5_000)
    pairs = b",".join(b'"%d": %d' % (i, i) for i in range(5_000))
    data = b'{"model": {"type": "BPE", "vocab": {%b}, "merges": [%b]}}' % (pairs, b",".join([b'"a b"'] * 500))
    asked: list[int] = []

    def hold(size: int) -> AbstractContextManager[None]:
        asked.append(size)
        if len(asked) == 2:
            raise CorpusError(message("too much"))
        return nullcontext()

    work.limit_work(hold)
    try:
        with pytest.raises(CorpusError, match="too much"):
            from_bytes(data + b" " * (work.SMALL // 4))
    finally:
        work.limit_work(None)
    assert asked[1] == 450 * 5_000


# -- patterns -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [450, 4_900])
@pytest.mark.parametrize("form", ["(?:%s){9000}", "(?:(?:%s){90}){90}", "(?x)(?:%s) # much\n{ 9000 }", "(%s){9000,}+"])
def test_a_pattern_that_is_unrolled_too_far_is_not_compiled(
    monkeypatch: pytest.MonkeyPatch, form: str, size: int
) -> None:
    for name in ("_compile", "_compile_large"):
        monkeypatch.setattr(pattern_limits, name, lambda _: pytest.fail("compiled before it was refused"))
    with pytest.raises(ConfigError, match=r"counted repeats .* multiply to .* Those of groups, in a pattern of"):
        compile_pattern(form % ("[ab]" * size)[: LONGEST_TRANSLATED - 100], LONGEST_TRANSLATED)


def test_a_pattern_that_is_unrolled_as_far_as_is_allowed_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_limits, "MOST_UNROLLED", 300)
    assert compile_pattern("(?:ab){30}").findall("ab" * 30) == ["ab" * 30]
    with pytest.raises(ConfigError, match="10 characters, to 30 at most"):
        compile_pattern("(?:ab){31}")
    for unrolled_no_further in ("(?:ab){0,9000}", "[ab]{9000}", r"\d{9000}"):
        compile_pattern(unrolled_no_further)
    assert MOST_UNROLLED >= 20 * LONGEST_TRANSLATED


def test_of_many_large_patterns_few_are_kept() -> None:
    large = [f"(?:{number}{'[ab]' * 475}){{200}}" for number in range(10, 22)]
    steps = [{"type": "Split", "pattern": {"Regex": each}, "behavior": "Isolated", "invert": False} for each in large]
    whole = {
        "version": "1.0",
        "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
    }
    before = len(regex._main._cache)  # type: ignore[attr-defined]
    from_bytes(json.dumps(whole).encode())
    assert len(regex._main._cache) == before  # type: ignore[attr-defined]
    assert pattern_limits._compile_large.cache_info().currsize <= 4
