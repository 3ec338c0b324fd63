"""GGUF files: the same ids as the tokenizers they were made from, the metadata of the library, and damage refused."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as Library
from tokenizers import models, normalizers, pre_tokenizers

from bpe_core import FormatError, Tokenizer, TrainConfig, load, load_pretrained, train, train_sentencepiece
from bpe_core.chats.template_files import load_chat_templates, read_chat_templates
from bpe_core.formats import from_bytes, to_files
from bpe_core.formats.bpe import bpe_model
from bpe_core.formats.gguf_metadata import metadata
from bpe_core.formats.gguf_splits import _BY_NAME, WHOLE_WORDS
from bpe_core.sentencepiece.protobuf import fields
from bpe_core.text.byte_characters import byte_level
from bpe_core.tokenizer.templates import Message
from tests.draws import Outcomes, examples

TEXT = (
    "The lanterns' light: 1234 low, lower, lowest!\n\n  日本語のトークン 🏮 naïve Ünïcödé don't WE'LL\t x<|endoftext|>y"
)
TEXTS = (TEXT, "", " ", "a", "  two  spaces ", "x\r\n\r\ny", "٣٤٥ 999,999.5", "e\u0301 ﬁ ①", "\x00\x7f")
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def written(path: Path, fill: Callable[[Any], None], endian: Any = gguf.GGUFEndian.LITTLE) -> bytes:
    """A file of the gguf library."""
    writer = gguf.GGUFWriter(path, "llama", endianess=endian)
    fill(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return path.read_bytes()


def of_bpe(tokenizer: Tokenizer, split: str, endian: Any = gguf.GGUFEndian.LITTLE) -> Callable[[Any], None]:
    """Fill a file as llama.cpp's converter does for a byte-level BPE."""
    special = {i: name for name, i in tokenizer.special_tokens.items()}
    pieces = [special.get(i) or byte_level(tokenizer.token_bytes(i)) for i in range(tokenizer.vocab_size)]
    files = to_files(tokenizer, format="gpt2") if split == "gpt-2" else None
    merges = files["merges.txt"].decode().splitlines()[1:] if files else merges_of(tokenizer)

    def fill(writer: Any) -> None:
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre(split)
        writer.add_token_list(pieces)
        writer.add_token_types([3 if i in special else 1 for i in range(len(pieces))])
        writer.add_token_merges(merges)
        if special:
            writer.add_bos_token_id(min(special))
            writer.add_add_bos_token(True)

    return fill


def merges_of(tokenizer: Tokenizer) -> list[str]:
    rows = bpe_model(tokenizer).merges.rows
    return [f"{byte_level(tokenizer.token_bytes(a))} {byte_level(tokenizer.token_bytes(b))}" for a, b, _ in rows]


@pytest.fixture(scope="module")
def gpt2_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return written(tmp_path_factory.mktemp("gguf") / "gpt2.gguf", of_bpe(load_pretrained("gpt2"), "gpt-2"))


# -- the same ids ----------------------------------------------------------------------------------------------


def test_gpt2_by_gguf_gives_the_ids_of_gpt2(gpt2_file: bytes) -> None:
    opened, gpt2 = from_bytes(gpt2_file), load_pretrained("gpt2")
    for text in TEXTS:
        assert opened.encode(text).ids.tolist() == gpt2.encode(text).ids.tolist()
        assert opened.decode(opened.encode(text).ids) == text


def test_the_first_token_is_added_as_the_file_says(gpt2_file: bytes) -> None:
    template = from_bytes(gpt2_file).kept["post_processor"]
    assert "<|endoftext|>" in str(template)


def test_a_file_of_the_other_byte_order_is_the_same(gpt2_file: bytes, tmp_path: Path) -> None:
    data = written(tmp_path / "big.gguf", of_bpe(load_pretrained("gpt2"), "gpt-2"), gguf.GGUFEndian.BIG)
    assert data != gpt2_file
    assert from_bytes(data).encode(TEXT).ids.tolist() == load_pretrained("gpt2").encode(TEXT).ids.tolist()


@pytest.mark.parametrize("split", sorted(_BY_NAME))
def test_each_split_gives_the_words_of_its_expressions_applied_in_turn(split: str, tmp_path: Path) -> None:
    tokenizer = from_bytes(
        written(tmp_path / "a.gguf", of_bpe(train("", TrainConfig(vocab_size=256)).tokenizer(), split))
    )

    @settings(max_examples=examples(40))
    @given(any_text | st.sampled_from(TEXTS))
    def words_are_equal(text: str) -> None:
        words = [text] if text else []
        for pattern in _BY_NAME[split]:
            words = [part for word in words for part in isolated(regex.compile(pattern, regex.V0), word)]
        assert [text[a:b] for a, b in tokenizer.split.spans(text)] == words

    words_are_equal()


def isolated(pattern: Any, text: str) -> list[str]:
    """Matches, and what is between them."""
    found, end = [], 0
    for match in pattern.finditer(text):
        found += [text[end : match.start()], match.group()]
        end = match.end()
    return [part for part in (*found, text[end:]) if part]


def test_words_that_are_tokens_are_taken_whole_where_the_model_does_so(tmp_path: Path) -> None:
    def fill(writer: Any, split: str) -> None:
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre(split)
        writer.add_token_list(["l", "o", "w", "low"])
        writer.add_token_merges([])

    for split in ("llama-bpe", "gpt-2"):
        opened = from_bytes(written(tmp_path / f"{split}.gguf", partial(fill, split=split)))
        assert opened.tokenize("low") == (["low"] if split in WHOLE_WORDS else ["l", "o", "w"])


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_sentencepiece_by_gguf_gives_the_ids_of_its_library(kind: str, tmp_path: Path) -> None:
    trained = train_sentencepiece(TEXT * 3, 400, model_type=kind, byte_fallback=True)  # type: ignore[arg-type]
    tokenizer = trained.tokenizer()
    model = tokenizer.model
    table = charsmap(trained.model)

    def fill(writer: Any) -> None:
        library = model.normalization.library  # type: ignore[attr-defined]
        ids = range(library.GetPieceSize())
        writer.add_tokenizer_model("llama" if kind == "bpe" else "t5")
        writer.add_token_list([library.IdToPiece(i) for i in ids])
        writer.add_token_scores([library.GetScore(i) for i in ids])
        types = [(2, library.IsUnknown), (3, library.IsControl), (6, library.IsByte)]
        writer.add_token_types([next((number for number, holds in types if holds(i)), 1) for i in ids])
        writer.add_unk_token_id(library.unk_id())
        writer.add_add_space_prefix(True)
        writer.add_remove_extra_whitespaces(True)
        writer.add_precompiled_charsmap(table)

    opened = from_bytes(written(tmp_path / "a.gguf", fill))
    for text in TEXTS:
        assert opened.encode(text).ids.tolist() == tokenizer.encode(text).ids.tolist()


def charsmap(model: bytes) -> bytes:
    """The table of characters of a .model file."""
    found = b""
    for number, _, value, at in fields(model):
        if number == 3:
            assert isinstance(value, bytes)
            found = next((content for inner, _, content, _ in fields(value, at) if inner == 2), b"")  # type: ignore[assignment]
    return found


def test_bert_by_gguf_gives_the_ids_of_bert_in_both_cases(tmp_path: Path) -> None:
    for name in ("bert-base-uncased", "bert-base-cased"):
        bert = load_pretrained(name)
        pieces = [bert.token(i) for i in range(bert.vocab_size)]
        special = set(bert.special_tokens)

        def written_there(piece: str) -> str:
            if piece.startswith("[") and piece.endswith("]"):
                return piece
            return piece[2:] if piece.startswith("##") else f"▁{piece}"

        def fill(writer: Any, pieces: list[str] = pieces, special: set[str] = special) -> None:
            writer.add_tokenizer_model("bert")
            writer.add_token_list([written_there(piece) for piece in pieces])
            writer.add_token_types([3 if piece in special else 1 for piece in pieces])

        opened = from_bytes(written(tmp_path / "a.gguf", fill), lowercase=name.endswith("uncased"))
        assert "normalization" in opened.kept
        for text in TEXTS:
            assert opened.encode(text).ids.tolist() == bert.encode(text).ids.tolist()


@pytest.mark.parametrize("lowers", [None, True, False])
@pytest.mark.parametrize("strips", [None, True, False])
def test_bert_by_gguf_is_normalized_as_the_file_says(lowers: bool | None, strips: bool | None, tmp_path: Path) -> None:
    pieces = ["[UNK]", "schön", "schon", "Schön", "Schon"]
    given = {"lowercase": lowers, "strip_accents": strips}

    def fill(writer: Any) -> None:
        writer.add_tokenizer_model("bert")
        writer.add_token_list([piece if piece == "[UNK]" else f"▁{piece}" for piece in pieces])
        for key, value in given.items():
            if value is not None:
                writer.add_bool(f"tokenizer.ggml.normalizer.{key}", value)

    data = written(tmp_path / "a.gguf", fill)
    for lowercase in (None, True, False):
        applied = (lowers is not False) if lowercase is None else lowercase
        library = Library(models.WordPiece({piece: at for at, piece in enumerate(pieces)}, unk_token="[UNK]"))
        library.normalizer = normalizers.BertNormalizer(lowercase=applied, strip_accents=strips)
        library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        opened = from_bytes(data, lowercase=lowercase)
        for text in ("Schön schön", "Schon SCHÖN"):
            assert opened.encode(text).ids.tolist() == library.encode(text).ids
        is_assumed = (lowers, strips, lowercase) == (None, None, None)
        assert ("the default of BERT's libraries" in str(opened.kept["normalization"])) == is_assumed


def test_a_tokenizer_json_within_the_file_is_opened(tmp_path: Path) -> None:
    content = to_files(train("low lower lowest", TrainConfig(vocab_size=260)).tokenizer(), format="tokenizers")
    json = content["tokenizer.json"].decode()
    opened = from_bytes(
        written(tmp_path / "a.gguf", lambda writer: writer.add_string("tokenizer.huggingface.json", json))
    )
    assert opened.tokenize("lowest") == ["lowe", "s", "t"] or opened.decode(opened.encode("lowest").ids) == "lowest"
    assert opened.vocab_size == 260


def test_the_chat_templates_of_a_file_write_its_special_tokens(tmp_path: Path) -> None:
    def fill(writer: Any) -> None:
        of_bpe(load_pretrained("gpt2"), "gpt-2")(writer)
        writer.add_chat_template(
            [
                {"name": "default", "template": "{{ bos_token }}{{ messages[0].content }}"},
                {"name": "rag", "template": "rag: {{ messages[0].content }}"},
            ]
        )

    written(tmp_path / "a.gguf", fill)
    templates = load_chat_templates(tmp_path / "a.gguf")
    assert templates.render([Message("user", "Hi")]).text == "<|endoftext|>Hi"
    assert templates.render([Message("user", "Hi")], "rag").text == "rag: Hi"


def test_a_large_tokenizer_beside_a_chat_template_is_not_read_for_it() -> None:
    files = {"tokenizer.json": bytes(30_000_000), "chat_template.jinja": b"{{ messages[0].content }}"}
    templates = read_chat_templates(files)
    assert templates is not None
    assert list(templates.sources) == ["default"]


# -- the metadata ----------------------------------------------------------------------------------------------

values = st.one_of(
    st.integers(0, 2**32 - 1).map(lambda value: ("add_uint32", value)),
    st.integers(-(2**63), 2**63 - 1).map(lambda value: ("add_int64", value)),
    st.booleans().map(lambda value: ("add_bool", value)),
    st.floats(width=32, allow_nan=False).map(lambda value: ("add_float32", value)),
    st.text(min_size=1, max_size=20).map(lambda value: ("add_string", value)),
    st.lists(st.text(max_size=5), min_size=1, max_size=5).map(lambda value: ("add_array", value)),
    st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=5).map(lambda value: ("add_array", value)),
)


@settings(max_examples=examples(100))
@given(st.dictionaries(st.text("abc.", min_size=1, max_size=8), values, max_size=8), st.sampled_from(gguf.GGUFEndian))
def test_the_metadata_is_what_the_library_wrote(entries: dict[str, Any], endian: Any) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:

        def fill(writer: Any) -> None:
            for key, (method, value) in entries.items():
                getattr(writer, method)(f"tokenizer.{key}", value)

        found = metadata(written(Path(folder, "a.gguf"), fill, endian), "tokenizer.")
    for key, (_, value) in entries.items():
        assert plain(found[f"tokenizer.{key}"]) == value
    assert len(found) == len(entries)


def plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    return (
        list(map(plain, value))
        if isinstance(value, list | np.ndarray)
        else value.item()
        if hasattr(value, "item")
        else value
    )


def test_a_file_on_disk_is_opened_however_large_its_tensors_are(gpt2_file: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model-q4.gguf"
    with path.open("wb") as file:
        file.write(gpt2_file)
        file.truncate(6_000_000_000)  # a hole, which takes no disk space
    assert load(path).encode("Hello world").ids.tolist() == [15496, 995]
    assert load(tmp_path).name == "model-q4.gguf"


# -- damage ----------------------------------------------------------------------------------------------------


def entry(key: bytes, kind: int, value: bytes) -> bytes:
    return struct.pack("<Q", len(key)) + key + struct.pack("<I", kind) + value


def head(*entries: bytes, version: int = 3, many: int | None = None) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, 0, len(entries) if many is None else many) + b"".join(entries)


def sentencepiece(kind: bytes = b"llama", tokens: Sequence[bytes] = (b"<unk>", b"a")) -> list[bytes]:
    """The entries of a model without scores and types."""
    texts = b"".join(struct.pack("<Q", len(each)) + each for each in tokens)
    return [
        entry(b"tokenizer.ggml.model", 8, struct.pack("<Q", len(kind)) + kind),
        entry(b"tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, len(tokens)) + texts),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"GGUF", "ends after them"),
        (head(version=1), "version 1"),
        (head(version=77), "version 77"),
        (head(), "no tokenizer"),
        (head(many=2**63), "9,223,372,036,854,775,808 entries"),
        (head(entry(b"a", 8, struct.pack("<Q", 2**63))), "ends after them"),
        (head(entry(b"a", 9, struct.pack("<IQ", 4, 2**62))), "ends after them"),
        (head(entry(b"a", 9, struct.pack("<IQ", 8, 2**40))), "1,099,511,627,776 entries"),
        (head(entry(b"a", 9, struct.pack("<IQ", 9, 1) * 9)), "nested"),
        (head(entry(b"a", 99, b"")), "type 99"),
        (head(struct.pack("<Q", 2**40)), "a key of 1,099,511,627,776 bytes"),
        (head(entry(b"tokenizer.a", 0, b"x"), entry(b"tokenizer.a", 0, b"x")), "twice"),
        (head(entry(b"tokenizer.ggml.model", 0, b"x")), "not a text"),
        (head(entry(b"tokenizer.ggml.model", 8, struct.pack("<Q4s", 4, b"rwkv"))), "no tokens"),
        (head(entry(b"tokenizer.huggingface.json", 9, struct.pack("<IQ2B", 0, 2, 1, 1))), "not a text"),
        (head(entry(b"tokenizer.huggingface.json", 8, struct.pack("<Q2s", 2, b"{}"))), "lacks 'model'"),
        (head(*sentencepiece(), entry(b"tokenizer.ggml.token_type", 9, struct.pack("<IQ2f", 6, 2, 2, 1.5))), "whole"),
        (head(*sentencepiece(), entry(b"tokenizer.ggml.scores", 9, struct.pack("<IQ2?", 7, 2, 1, 0))), "2 numbers"),
        (
            head(
                *sentencepiece(),
                entry(b"tokenizer.ggml.precompiled_charsmap", 9, struct.pack("<IQIQBIQ", 9, 2, 0, 1, 7, 0, 0)),
            ),
            "whole",
        ),
        (head(*sentencepiece(tokens=(b"a", b"a"))), "the token 'a' twice"),
    ],
)
def test_damage_and_lies_about_lengths_are_named(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said) as caught:
        from_bytes(data)
    assert caught.value.remedy


def test_scores_beyond_those_of_a_model_file_are_infinite() -> None:
    scores = entry(b"tokenizer.ggml.scores", 9, struct.pack("<IQ2d", 12, 2, 0, 1e300))
    assert from_bytes(head(*sentencepiece(), scores)).tokenize("a")[-1] == "a"
    with pytest.raises(FormatError, match="not a finite number"):
        from_bytes(head(*sentencepiece(b"t5"), scores))


LETTERS = (b"<unk>", b"a", b"b", b"ab", b"<0x41>", b"", b"\0", b"\xff", b"[UNK]", b"##a", b"a\n", b"a" * 130)
NUMBERS = {0: "B", 1: "b", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
KEYS = (
    *("ggml.model", "ggml.pre", "ggml.tokens", "ggml.scores", "ggml.token_type", "ggml.merges", "ggml.bos_token_id"),
    *("ggml.unknown_token_id", "ggml.add_bos_token", "ggml.add_space_prefix", "ggml.precompiled_charsmap"),
    *("chat_template", "huggingface.json"),
)


def value_of(rng: random.Random, deep: int = 2) -> tuple[int, bytes]:
    """Type and bytes of any value."""
    kind = rng.choice([*NUMBERS, 8, 9, 9]) if deep else rng.choice([*NUMBERS])
    if kind in NUMBERS:
        return kind, rng.choice([bytes(8), b"\1" + bytes(7), b"\xff" * 8])[: struct.calcsize(NUMBERS[kind])]
    if kind == 8:
        text = rng.choice([*LETTERS, b"llama", b"gpt2", b"bert", b"t5", b"{}", b'{"model": {}}'])
        return kind, struct.pack("<Q", len(text)) + text
    inner, many = value_of(rng, deep - 1)[0], rng.randrange(4)
    items: list[bytes] = []
    while len(items) < many:
        found, item = value_of(rng, deep - 1)
        items += [item] if found == inner else []
    return kind, struct.pack("<IQ", inner, many) + b"".join(items)


def test_values_of_any_type_end_in_an_error_or_a_tokenizer(rng: random.Random) -> None:
    outcomes = Outcomes()
    for _ in range(examples(400)):
        kind = rng.choice([b"llama", b"gpt2", b"bert", b"t5"])
        tokens = rng.sample(LETTERS, rng.randrange(1, 6))
        entries = dict(zip(KEYS[:3:2], sentencepiece(kind, tokens), strict=True))
        for key in rng.sample(KEYS, rng.randrange(4)):
            entries[key] = entry(f"tokenizer.{key}".encode(), *value_of(rng))
        with outcomes.of(FormatError):
            from_bytes(head(*entries.values())).encode("ab a")
    assert outcomes.refused > 40
    assert outcomes.accepted > 5


def test_an_unknown_kind_and_an_unknown_split_are_named(tmp_path: Path) -> None:
    def fill(writer: Any, model: str = "gpt2") -> None:
        writer.add_tokenizer_model(model)
        writer.add_tokenizer_pre("of-tomorrow")
        writer.add_token_list(["a"])
        writer.add_token_merges([])

    with pytest.raises(FormatError, match="of-tomorrow"):
        from_bytes(written(tmp_path / "a.gguf", fill))
    with pytest.raises(FormatError, match="rwkv"):
        from_bytes(written(tmp_path / "b.gguf", lambda writer: fill(writer, "rwkv")))


def test_every_cut_of_the_metadata_is_refused(tmp_path: Path) -> None:
    tokenizer = train("low lower lowest", TrainConfig(vocab_size=260)).tokenizer()
    data = written(tmp_path / "a.gguf", of_bpe(tokenizer, "gpt-2")).rstrip(b"\0")
    for end in random.Random(3).sample(range(5, len(data) - 40), examples(60)):
        with pytest.raises(FormatError):
            from_bytes(data[:end])


def test_random_damage_ends_in_an_error_or_a_tokenizer(rng: random.Random) -> None:
    base = bytes(
        head(
            entry(b"tokenizer.ggml.model", 8, struct.pack("<Q4s", 4, b"gpt2")),
            entry(
                b"tokenizer.ggml.tokens",
                9,
                struct.pack("<IQ", 8, 3) + b"".join(struct.pack("<Q", 1) + letter for letter in (b"a", b"b", b"c")),
            ),
            entry(b"tokenizer.ggml.merges", 9, struct.pack("<IQ", 8, 0)),
            entry(b"tokenizer.ggml.token_type", 9, struct.pack("<IQ3i", 5, 3, 1, 1, 1)),
        )
    )
    outcomes = Outcomes()
    for _ in range(examples(400)):
        damaged = bytearray(base)
        for _ in range(rng.randint(1, 4)):
            damaged[rng.randrange(4, len(base))] = rng.randrange(256)
        with outcomes.of(FormatError):
            from_bytes(bytes(damaged)).encode("abc")
    assert outcomes.refused > 40
    assert outcomes.accepted > 5
