"""Files encoded in blocks give the ids of their whole texts, and a file of ids is written completely or not at all."""

import resource
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core import (
    BpeError,
    ConfigError,
    CorpusError,
    FormatError,
    SpecialToken,
    TokenIdError,
    Tokenizer,
    TrainConfig,
    encode_files,
    load_pretrained,
    train,
)
from bpe_core.tokenizer import file_encoder
from tests.core.test_text_encoder import TOKENIZERS

GPT2 = load_pretrained("gpt2")
ADDED = GPT2.with_special_tokens(
    [
        SpecialToken("<think>", 50_300, special=False),
        SpecialToken("<pad>", 50_301, strip_left=True, special=False),
    ]
)
MANY = {
    **TOKENIZERS,
    "added tokens": GPT2.with_special_tokens([SpecialToken("<think>", 50_300, special=False)]),
    "added tokens that take white space": ADDED,
    "more ids than 65,536": GPT2.with_special_tokens({"<end>": 70_000}),
}
PARTS = "low|lower| |  |\n|\r\n|\r|\t|é|低い|👩|\u088f|'s|123|1234|!|/|´|<think>|<pad>|\u0301|Σ|\u3000|<s>"
words = st.sampled_from([*PARTS.split("|"), "<|endoftext|>", "a" * 40])
texts = st.lists(words, max_size=60).map("".join)


def encoded(paths: list[Path], tokenizer: Tokenizer, out: Path, **options) -> list[int]:
    done = encode_files(paths, tokenizer, out, **options)
    ids = np.load(out) if out.suffix == ".npy" else np.fromfile(out, "<u2" if done.dtype == "uint16" else "<u4")
    assert ids.dtype == np.dtype(done.dtype)
    assert len(ids) == done.count
    assert sorted(path.name for path in out.parent.iterdir()) == sorted({out.name, *(path.name for path in paths)})
    return ids.tolist()


@pytest.mark.parametrize("name", MANY)
@given(
    texts=st.lists(texts, max_size=3),
    size=st.integers(4, 40),
    special=st.sampled_from(["text", "parse"]),
    suffix=st.sampled_from([".npy", ".bin"]),
)
@example(texts=["a\u088f\nb" * 9], size=8, special="text", suffix=".npy")
@example(texts=["low <pad> x <think>\n" * 9, ""], size=8, special="text", suffix=".bin")
def test_blocks_of_any_size_have_the_ids_of_the_whole_text(
    name: str, texts: list[str], size: int, special: str, suffix: str
) -> None:
    tokenizer = MANY[name]
    with TemporaryDirectory() as folder, patch.object(file_encoder, "BLOCK", size):
        paths = [Path(folder, f"{at}.txt") for at in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_bytes(text.encode())
        found = encoded(paths, tokenizer, Path(folder, f"ids{suffix}"), special=special, separator=3)
    expected: list[int] = []
    for at, text in enumerate(texts):
        expected += [3] * bool(at) + tokenizer.encode(text, special=special).ids.tolist()
    assert found == expected


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
@pytest.mark.parametrize("kind", ["no newline", "no white space", "lines", "carriage returns"])
def test_blocks_of_a_few_kilobytes_have_the_ids_of_the_whole(name: str, kind: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(file_encoder, "BLOCK", 4_096)
    between = {"no newline": " ", "no white space": "。", "lines": "\n", "carriage returns": "\r\n"}[kind]
    text = between.join(f"low{number}低い灯り👩été" for number in range(2_000))
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    tokenizer = load_pretrained(name)
    assert encoded([path], tokenizer, tmp_path / "ids.npy") == tokenizer.encode(text).ids.tolist()


def test_a_text_is_read_in_blocks_where_the_split_allows_it(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(file_encoder, "BLOCK", 100)
    path = tmp_path / "text.txt"
    path.write_text("low lower\n" * 100)
    calls: list[tuple[int, int]] = []
    for name, tokenizer in (("gpt2", GPT2), ("none", TOKENIZERS["bytes, no split"])):
        calls.clear()
        encode_files(path, tokenizer, tmp_path / "ids.bin", on_progress=lambda *call: calls.append(call))
        assert (len(calls) > 5) == (name == "gpt2")
        assert calls[-1] == (1_000, 1_000)


def test_ids_take_four_bytes_where_two_are_too_few(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("low")
    small = train("low", TrainConfig(vocab_size=257)).tokenizer().with_special_tokens({"<end>": 65_535})
    large = small.with_special_tokens({"<more>": 65_536})
    assert encode_files(path, small, tmp_path / "ids.npy", separator=65_535).dtype == "uint16"
    assert encode_files(path, large, tmp_path / "ids.npy").dtype == "uint32"


@pytest.mark.parametrize(
    ("paths", "out", "options", "error", "problem"),
    [
        ("text.txt", "ids.txt", {}, ConfigError, "ends with .npy or .bin"),
        ("text.txt", "ids.npy", {"special": "all"}, ConfigError, "special is 'all'"),
        ("text.txt", "ids.npy", {"separator": 60_000}, TokenIdError, "60000 is not a token id"),
        ("missing.txt", "ids.npy", {}, CorpusError, "missing.txt' cannot be read: No such file"),
        (".", "ids.npy", {}, CorpusError, "cannot be read: Is a directory"),
        ("latin.txt", "ids.npy", {}, CorpusError, "latin.txt' is not UTF-8 at byte 2 (0xE9)"),
        ("text.txt", "nowhere/ids.npy", {}, FormatError, "ids.npy' cannot be written: No such file or directory"),
        ("text.txt", "folder.npy", {}, FormatError, "cannot be written: it is a folder"),
        ("special.txt", "ids.npy", {"special": "raise"}, CorpusError, "<|endoftext|>"),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_no_file(
    paths, out, options, error, problem, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("low")
    Path("latin.txt").write_bytes(b"ab\xe9 c")
    Path("special.txt").write_text("a<|endoftext|>")
    Path("folder.npy").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(error) as raised:
        encode_files(paths, GPT2, out, **options)
    assert problem in str(raised.value)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_full_disk_leaves_the_file_that_was_there_before(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("low lower lowest " * 20_000)
    (tmp_path / "ids.npy").write_bytes(b"before")
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        with pytest.raises(FormatError, match=r" cannot be written: File too large\."):
            encode_files(tmp_path / "text.txt", GPT2, tmp_path / "ids.npy")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ids.npy", "text.txt"]
    assert (tmp_path / "ids.npy").read_bytes() == b"before"


def test_who_stops_the_work_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("low")

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encode_files(tmp_path / "text.txt", GPT2, tmp_path / "ids.npy", on_progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]


def test_paths_that_are_none_are_refused(tmp_path: Path) -> None:
    for paths in (3, b"a", [3], ["\0"]):
        with pytest.raises(BpeError):
            encode_files(paths, GPT2, tmp_path / "ids.npy")


_MEASURED = """
import sys
from pathlib import Path
from bpe_core import encode_files, load_pretrained
encode_files(sys.argv[1], load_pretrained("cl100k_base"), sys.argv[2])
print(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
"""


@pytest.mark.thorough
def test_memory_does_not_grow_with_the_text(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    with path.open("w") as file:
        for part in range(64):
            file.write("".join(f"{number:x} low lower\n" for number in range(part << 16, (part + 1) << 16)))
    command = [sys.executable, "-c", _MEASURED, str(path), str(tmp_path / "ids.bin")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert path.stat().st_size > 60_000_000
    assert int(done.stdout) < 700 * 1024
