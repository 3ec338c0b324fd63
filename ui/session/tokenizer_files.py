"""Tokenizer files of a visitor's own: what the session keeps of them, and their names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from bpe_core import FormatError, Tokenizer
from bpe_core.bundled.openai import bundled_name
from bpe_core.formats import from_files
from bpe_core.formats.tiktoken_file import is_like

MOST_FILES = 4
MOST_BYTES = 20 * 1024 * 1024
"""Bytes of all files of a session together."""

FILE_TYPES = ("json", "tiktoken", "txt", "model")
FILE_SPLITS = ("gpt2", "cl100k", "o200k")
"""What a .tiktoken file can be split by: the file itself does not say."""

_OWN = "file:"
_LONGEST_TITLE = 24


@dataclass(frozen=True)
class TokenizerFile:
    """A file, or GPT-2's two. `name` is what the session's choices call it; equal names have equal content.

    split: of a .tiktoken file that is none of the published ones.
    """

    title: str
    files: tuple[tuple[str, bytes], ...] = field(repr=False)
    split: str | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        digest = blake2b(repr(self.split).encode(), digest_size=12)
        for file, data in self.files:
            digest.update(f"{len(file)} {len(data)} {file}".encode("utf-8", "replace") + data)
        object.__setattr__(self, "name", f"{_OWN}{digest.hexdigest()}:{self.title}")

    @property
    def digest(self) -> str:
        """What identifies it in cache keys."""
        return self.name

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return sum(len(data) for _, data in self.files)

    def tokenizer(self) -> Tokenizer:
        """The tokenizer that the file holds. Raises FormatError for one that holds none."""
        return from_files(dict(self.files), self.title, split=self.split)


def is_own(name: str) -> bool:
    """Whether a tokenizer's name is that of a file."""
    return name.startswith(_OWN)


def own_title(name: str) -> str:
    """The title in the name of a file.

    >>> own_title("file:0123:bert-base")
    'bert-base'
    """
    return name.split(":", 2)[2]


def read_together(
    uploaded: Sequence[tuple[str, bytes]], *, split: str | None, taken: Collection[str]
) -> list[TokenizerFile]:
    """What files with these names and contents are: two that go together are one. `taken`: titles in use."""
    titles = set(taken)
    found = []
    for name, files in _together(uploaded):
        title = safe_title(name, titles)
        titles.add(title)
        found.append(TokenizerFile(title, files, split if needs_split(files[0][1]) else None))
    return found


def needs_split(data: bytes) -> bool:
    """Whether these are tiktoken's ranks, and none of the published ones, whose splits are known."""
    return is_like(data) and bundled_name(data) is None


def check_room(files: Sequence[TokenizerFile]) -> None:
    """Raises FormatError for more files, or larger ones, than a session keeps."""
    size = sum(file.size for file in files)
    if len(files) > MOST_FILES or size > MOST_BYTES:
        raise FormatError(
            f"With these there are {len(files):,} tokenizer files of {size / 2**20:,.1f} MB.",
            limit=f"The page keeps {MOST_FILES} files of {MOST_BYTES // 2**20} MB together.",
            remedy="Remove one first.",
        )


def safe_title(file: str, taken: Collection[str] = ()) -> str:
    """A file's name for the pages: short, none of `taken`, and of characters that markdown reads as themselves.

    >>> safe_title("my_model*.json"), safe_title("../bert-base/vocab.txt", ["vocab"]), safe_title(":red[x].model")
    ('my_model', 'vocab 2', 'red x')
    """
    stem = re.split(r"[/\\]", unicodedata.normalize("NFC", file))[-1].rpartition(".")
    text = stem[0] or stem[2]
    text = re.sub(r"[^\w.+-]|(?<![^\W_])_+|_+(?![^\W_])|\.(?!\w)|(?<!\w)\.", " ", text)
    text = re.sub(r"([+-])\1+", r"\1", " ".join(text.split())).removeprefix("www.").strip("+-. ")
    text = text if len(text) <= _LONGEST_TITLE else text[: _LONGEST_TITLE - 1].rstrip() + "…"
    text = text or "file"
    number = 1
    while (title := text if number == 1 else f"{text} {number}") in taken:
        number += 1
    return title


def _together(uploaded: Sequence[tuple[str, bytes]]) -> list[tuple[str, tuple[tuple[str, bytes], ...]]]:
    """A name and its files, one by one; GPT-2's two under the names that its format asks for."""
    rest = list(uploaded)
    merges = next((each for each in rest if each[0].endswith(".txt") and _is_merges(each)), None)
    vocab = next((each for each in rest if each[0].endswith(".json") and "tokenizer" not in each[0].lower()), None)
    if merges is None or vocab is None:
        return [(each[0], (each,)) for each in rest]
    rest = [each for each in rest if each is not merges and each is not vocab]
    return [(vocab[0], (("vocab.json", vocab[1]), ("merges.txt", merges[1]))), *((each[0], (each,)) for each in rest)]


def _is_merges(file: tuple[str, bytes]) -> bool:
    return "merges" in file[0].lower() or file[1].startswith(b"#version:")
