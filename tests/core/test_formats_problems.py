"""Files with several problems: one message names all of them, in every format; and harmless cases."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import models, pre_tokenizers

from bpe_core import FormatError, load_pretrained, train
from bpe_core.formats import from_bytes, from_files, load, to_bytes, to_files
from bpe_core.language import PSEUDO, in_language
from bpe_core.text.byte_characters import BYTE_ORDER, CHARACTERS
from tests.draws import examples

GPT2 = to_files(load_pretrained("gpt2"), format="gpt2")
RANKS = to_bytes(train("low lower lowest").tokenizer(), format="tiktoken")
BYTES = [CHARACTERS[byte] for byte in BYTE_ORDER]


def problem_of(read: Callable[[], object]) -> str:
    """The problem named by the error of a file."""
    with pytest.raises(FormatError) as caught:
        read()
    assert caught.value.limit
    assert caught.value.remedy
    for part in (caught.value.problem, caught.value.limit, caught.value.remedy):
        assert in_language(part, PSEUDO).startswith("⟦")
    return caught.value.problem


# -- all at once ----------------------------------------------------------------------------------------------


def test_two_files_and_those_beside_them_name_everything_that_is_wrong() -> None:
    problem = problem_of(
        lambda: from_files(
            {
                "vocab.json": b'{"a": "x"}',
                "merges.txt": b"#version: 0.2\na\nb c d\na b\n\n",
                "added_tokens.json": b'{"<s>": -1}',
                "special_tokens_map.json": b"[]",
                "tokenizer_config.json": b'{"eos_token": "", "add_prefix_space": 1}',
            }
        )
    )
    assert problem.startswith("The files have 6 parts that cannot be read. (1) vocab.json['a'] is 'x'.")
    for part in (
        "Line 2 of merges.txt is 'a'. The same error is at 3 and 5.",
        "added_tokens.json['<s>'] is -1.",
        "special_tokens_map.json is [].",
        "tokenizer_config.json.eos_token is empty.",
        "tokenizer_config.json.add_prefix_space is 1.",
    ):
        assert part in problem


def test_merges_whose_tokens_are_missing_are_counted() -> None:
    files = {**GPT2, "merges.txt": GPT2["merges.txt"] + b"x1 y1\nx2 y2\nz\nx3 y3\n"}
    problem = problem_of(lambda: from_files(files))
    assert "(1) Line 50,002 of merges.txt merges 'x1' and 'y1', but the vocabulary lacks 'x1'." in problem
    assert "The same error is at 50,003 and 50,005. (2) Line 50,004 of merges.txt is 'z'." in problem


def test_ranks_name_every_kind_of_wrong_line() -> None:
    lines = RANKS.splitlines()
    lines[2], lines[5], lines[9], lines[12] = b"no", b"no 5 x", b"QQ= 9", b"QUFB 9999999"
    problem = problem_of(lambda: from_bytes(b"\n".join(lines)))
    assert problem.startswith("The file has 3 parts that cannot be read. (1) Line 3 is b'no'. The same error is at 6.")
    assert "(2) Line 10: b'QQ=' is not base64" in problem
    assert problem.endswith("(3) Line 13 has the rank 9,999,999.")


def test_a_tekken_json_names_every_key_and_entry() -> None:
    config = {"pattern": 5, "default_vocab_size": "x", "default_num_special_tokens": -1, "version": "v3"}
    problem = problem_of(lambda: from_bytes(json.dumps({"config": config, "vocab": {}}).encode()))
    for key in ("config.pattern", "config.default_vocab_size", "config.default_num_special_tokens", "vocab is {}"):
        assert key in problem
    vocab = [{"rank": i, "token_bytes": b64encode(bytes([i])).decode()} for i in range(256)]
    for at, entry in ((3, {"rank": -1}), (5, {"rank": "x"}), (7, {"rank": 7, "token_bytes": "%"})):
        vocab[at] = entry
    content = {
        "config": {"pattern": ".", "default_vocab_size": 260, "default_num_special_tokens": 4, "version": "v99"},
        "vocab": vocab,
    }
    problem = problem_of(lambda: from_bytes(json.dumps(content).encode()))
    assert "(1) vocab[3].rank is -1. The same error is at 5. (2) vocab[7].token_bytes is '%'" in problem
    assert problem.endswith("(3) The file has no special_tokens, and config.version is 'v99'.")


def test_a_vocab_txt_names_every_wrong_line() -> None:
    problem = problem_of(lambda: from_bytes(b"a\n" + b"b" * 250_001 + b"\nlo w\nhi gh\n"))
    assert problem.endswith(
        "(1) Line 2 is a token of 250,001 characters. (2) Line 3 is 'lo w'. The same error is at 4."
    )


def test_a_model_names_every_damaged_piece() -> None:
    entry = b"\n\x0e\n\x05<unk>\x15\x00\x00\x00\x00\x18\x02"
    damaged = b"\n\x09\n\x02\xff\xff\x15\x00\x00\x00\x00" + b"\n\x07\n\x00\x15\x00\x00\x00\x00"
    problem = problem_of(lambda: from_bytes(entry + damaged + entry))
    assert "the piece b'\\xff\\xff' is not UTF-8; " in problem
    assert "is empty" in problem
    assert problem.endswith("pieces 0 and 3 are both '<unk>'.")


def test_nobody_is_told_to_get_a_file_again_that_its_library_reads() -> None:
    with pytest.raises(FormatError) as caught:
        from_bytes(json.dumps({"model": {"type": "BPE", "vocab": {"a": 3_000_000}, "merges": []}}).encode())
    assert caught.value.remedy.startswith("If its own library reads the file, BPE Lab does not support this")


# -- what the libraries accept --------------------------------------------------------------------------------


def libraries(folder: Path, files: dict[str, bytes]) -> list[tokenizers.Tokenizer]:
    """The two files as read by the library's model, and its GPT-2 tokenizer."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    paths = str(folder / "vocab.json"), str(folder / "merges.txt")
    model = tokenizers.Tokenizer(models.BPE.from_file(*paths))
    model.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return [model, tokenizers.ByteLevelBPETokenizer.from_file(*paths)]


PAIRS = [("a", "b"), ("b", "c"), ("a", "bc"), ("ab", "c"), ("b", "b"), ("c", "a")]


@settings(max_examples=examples(50))
@given(
    st.lists(st.sampled_from([*PAIRS, ("#version:", "x")]), max_size=14),
    st.lists(st.text("abc é\n😀", max_size=12) | st.text(max_size=8), max_size=5),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_of_a_merge_that_is_repeated_the_last_one_counts_as_in_the_library(
    tmp_path_factory: pytest.TempPathFactory,
    pairs: list[tuple[str, str]],
    texts: list[str],
    end: str,
    versioned: bool,
) -> None:
    tokens = [*BYTES, *dict.fromkeys(left + right for left, right in PAIRS)]
    lines = [*(["#version: 0.2"] if versioned else []), *(f"{left} {right}" for left, right in pairs)]
    files = {
        "vocab.json": json.dumps({token: i for i, token in enumerate(tokens)}).encode(),
        "merges.txt": "".join(line + end for line in lines).encode(),
    }
    folder = tmp_path_factory.mktemp("two")
    peers = libraries(folder, files)
    tokenizer = load(folder)
    for text in ["abc", "abcabbbca", *texts]:
        ids = tokenizer.encode(text).ids.tolist()
        assert [peer.encode(text).ids for peer in peers] == [ids, ids]


def test_clips_merges_may_make_a_token_twice() -> None:
    merges = b"#version: 0.2\na b\nab c</w>\nb c</w>\na bc</w>\na b\n"
    tokenizer = from_bytes(merges)
    vocab = [*BYTES, *(byte + "</w>" for byte in BYTES), "ab", "abc</w>", "bc</w>", "abc</w>", "ab"]
    ids = {token: i for i, token in enumerate(vocab)}
    assert tokenizer.encode("abc").ids.tolist() == [ids["abc</w>"]]
