"""The proof of files from other programs: the library of their format reads them; ids and decoding are compared."""

import gzip
import json
from base64 import b64encode
from collections.abc import Mapping
from unittest.mock import Mock

import pytest

from bpe_core import FormatError, load_pretrained, train, train_sentencepiece
from bpe_core.bundled.files import FOLDER
from bpe_core.formats import from_files, libraries, to_files
from bpe_core.formats.proof import Proof, original_format, prove_original
from tests.core.json_files import added_token, json_file

TEXT = "Low lower, the lowest 日本 🙂 don't  <s> [SEP]\n\tx\ud800"
BYTES = [*(bytes([value]) for value in range(256)), b"lo", b"low"]
TEKKEN = {
    "config": {
        "pattern": r"\w+|\W+",
        "default_vocab_size": 280,
        "default_num_special_tokens": 22,
        "version": "v3",
    },
    "vocab": [{"rank": i, "token_bytes": b64encode(token).decode()} for i, token in enumerate(BYTES)],
}
VOCAB = b"[UNK]\n[SEP]\nlow\n##er\n##est\n,\nthe\n"
TRAINED = train("low lower lowest " * 3).tokenizer()


JSON = json_file(
    truncation={"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
    padding={
        "strategy": {"Fixed": 50},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[UNK]",
    },
    added_tokens=[added_token("<s>", 4, special=True), added_token("lower", 5, normalized=True)],
    normalizer={"type": "Lowercase"},
    pre_tokenizer={"type": "Whitespace"},
    model={"type": "WordLevel", "vocab": {"[UNK]": 0, "low": 1, "the": 2, ",": 3}, "unk_token": "[UNK]"},
)
FILES: dict[str, tuple[str, str, dict[str, bytes]]] = {
    "vocab.txt": ("wordpiece", "tokenizers", {"vocab.txt": VOCAB}),
    "vocab.txt with the ends of lines of Windows": (
        "wordpiece",
        "tokenizers",
        {"vocab.txt": VOCAB.replace(b"\n", b"\r\n")},
    ),
    "packed": ("wordpiece", "tokenizers", {"vocab.txt.gz": gzip.compress(VOCAB)}),
    "tokenizer.json": ("tokenizers", "tokenizers", {"tokenizer.json": json.dumps(JSON).encode()}),
    "tekken.json": ("tekken", "tiktoken", {"tekken.json": json.dumps(TEKKEN).encode()}),
    "ranks": ("tiktoken", "tiktoken", to_files(TRAINED, format="tiktoken")),
    "two files": ("gpt2", "tokenizers", to_files(TRAINED, format="gpt2")),
    "a folder": ("gpt2", "tokenizers", {**to_files(TRAINED, format="gpt2"), "README.md": b"x"}),
    "the app's own": ("bpe-lab", "bpe_core", to_files(TRAINED, format="bpe-lab")),
    "sentencepiece": ("sentencepiece", "sentencepiece", {"a.model": train_sentencepiece("low lower", 14).model}),
}


def proven(files: Mapping[str, bytes], text: str = TEXT) -> Proof:
    return prove_original(from_files(files), text, files)


@pytest.mark.parametrize("name", FILES)
def test_files_of_any_maker_are_proven_by_the_library_that_they_belong_to(name: str) -> None:
    format, library, files = FILES[name]
    proof = proven(files)
    assert proof.equal, proof.difference
    assert (proof.format, proof.library) == (format, library)
    assert proof.decoded
    assert proof.characters == len(TEXT)


@pytest.mark.parametrize("name", ["bert-base-uncased", "t5-small"])
def test_the_tokenizers_of_the_shelf_are_proven_by_their_files(name: str) -> None:
    files = {"tokenizer.json": (FOLDER / f"{name}.json").read_bytes()}
    proof = prove_original(load_pretrained(name), TEXT + "[MASK]<extra_id_7>", files)
    assert (proof.equal, proof.parsed, proof.decoding) == (True, True, None)


def test_truncation_and_padding_of_a_file_are_left_out_of_the_proof() -> None:
    proof = proven(FILES["tokenizer.json"][2], "low the low the low <s>")
    assert (proof.equal, proof.tokens, proof.parsed) == (True, 8, True)


def test_an_added_token_that_is_not_special_is_proven_in_every_text() -> None:
    files = FILES["tokenizer.json"][2]
    assert from_files(files).encode("LOWER").ids.tolist() == [5]
    assert proven(files, "LOWER").equal


def test_other_ids_and_another_decoding_are_found() -> None:
    files = FILES["vocab.txt"][2]
    turned = {"vocab.txt": VOCAB.replace(b"low\n##er\n", b"##er\nlow\n")}
    difference = prove_original(from_files(turned), "the lower", files).difference
    assert difference is not None
    assert difference.index == 1
    assert difference.ours[0].id != difference.theirs[0].id
    other = {"vocab.txt": VOCAB.replace(b"low\n", b"new\n").replace(b"the\n", b"low\n")}
    same_ids = prove_original(from_files(other), "", files)
    assert (same_ids.equal, same_ids.decoded, same_ids.decoding) == (True, True, None)


def test_where_the_decoded_texts_begin_to_differ_is_told() -> None:
    files = {"vocab.txt": b"[UNK]\nlow\n,\n"}
    plain = json.loads(json.dumps(JSON)) | {"added_tokens": [], "normalizer": None, "truncation": None, "padding": None}
    plain["model"]["vocab"] = {"[UNK]": 0, "low": 1, ",": 2}
    ours = from_files({"tokenizer.json": json.dumps(plain).encode()})
    proof = prove_original(ours, "low, low", files)
    assert proof.equal
    assert proof.decoding is not None
    assert (proof.decoding.character, proof.decoding.ours, proof.decoding.theirs) == (3, "low , low", "low, low")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.json": b'{"a": 1}'}, "not a tokenizer"),
        ({"a.json": b"{"}, "JSON"),
        ({"a.zip": b"PK\x03\x04"}, "zip archive"),
        ({"README.md": b"", "notes.txt": b""}, "known name"),
        ({}, "There is no file."),
    ],
)
def test_what_is_no_tokenizer_file_is_refused(files: dict[str, bytes], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        original_format(files)


def test_a_library_for_which_memory_is_short_is_not_said_to_fail() -> None:
    with pytest.raises(MemoryError):
        libraries.run("tokenizers", "encode the text", Mock(side_effect=MemoryError))
