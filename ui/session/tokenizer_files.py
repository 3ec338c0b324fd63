"""The visitor's own tokenizers, from files and the hub: their session data and names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from bpe_core import FormatError, Tokenizer
from bpe_core.bpe.corpus import Progress
from bpe_core.formats import from_files, has_ranks, split_is_known
from bpe_core.formats.file_choice import together
from bpe_core.formats.packed import GZIP
from bpe_core.hub.files import HubFiles
from bpe_core.hub.names import HubName, parsed_name
from bpe_core.language import message

MOST_FILES = 4
MOST_BYTES = 48 * 1024 * 1024
"""Maximum bytes of a session's files."""

FILE_TYPES = ("json", "tiktoken", "txt", "model", "bpe", "gguf", "gz", "jinja")
FILE_SPLITS = ("gpt2", "cl100k", "o200k")
"""Splits offered for a .tiktoken file, which does not contain its own."""

_OWN = "file:"
_SPLIT = " split="
_CASES = {" case=lower": True, " case=kept": False}
_LONGEST_TITLE = 24


@dataclass(frozen=True)
class TokenizerFile:
    """An uploaded file, or the two files of GPT-2. `name` identifies it in choices; equal names imply equal content.

    split: for an unknown .tiktoken file. lowercase: for a vocab.txt.
    """

    title: str
    files: tuple[tuple[str, bytes], ...] = field(repr=False)
    split: str | None = None
    lowercase: bool | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        digest = blake2b(_settings(self.split, self.lowercase), digest_size=12)
        for file, data in self.files:
            digest.update(f"{len(file)} {len(data)} {file}".encode("utf-8", "replace") + data)
        object.__setattr__(self, "name", f"{_OWN}{digest.hexdigest()}:{self.title}")

    @property
    def digest(self) -> str:
        """Identity in cache keys."""
        return self.name

    @property
    def size(self) -> int:
        """Size of its files in bytes."""
        return sum(len(data) for _, data in self.files)

    @property
    def is_packed(self) -> bool:
        """Whether a file is gzipped, so that its real size is unknown before decompression."""
        return any(data.startswith(GZIP) for _, data in self.files)

    @property
    def held(self) -> int:
        """Bytes held by the session."""
        return self.size

    def contents(self) -> dict[str, bytes]:
        """Its files as uploaded, by name."""
        return dict(self.files)

    @property
    def in_links(self) -> str:
        """Name in links, which do not contain the files: the title and the chosen case."""
        return self.title + _case(self.lowercase)

    def tokenizer(self, on_progress: Progress | None = None) -> Tokenizer:
        """Tokenizer in the files; `on_progress` as in `from_files`. Raises FormatError if they contain none."""
        return from_files(
            self.contents(), self.title, split=self.split, lowercase=self.lowercase, on_progress=on_progress
        )


class WantedModel(NamedTuple):
    """A hub model to fetch, with the split of its ranks or the case if already chosen.

    >>> str(WantedModel(HubName("me/ranks", "v1"), "cl100k")), str(WantedModel(HubName("gpt2")))
    ('hf:me/ranks@v1 split=cl100k', 'hf:gpt2')
    >>> str(WantedModel(HubName("me/bert"), lowercase=False))
    'hf:me/bert case=kept'
    """

    model: HubName
    split: str | None = None
    lowercase: bool | None = None

    def __str__(self) -> str:
        return str(self.model) + (f"{_SPLIT}{self.split}" if self.split is not None else "") + _case(self.lowercase)


def wanted_model(text: str) -> WantedModel:
    """Parse the name of a hub model in a link. Raises HubError if invalid.

    >>> wanted_model("hf:me/ranks split=cl100k").split, wanted_model("hf:me/ranks split=x").split
    ('cl100k', None)
    >>> wanted_model("hf:me/bert case=lower").lowercase
    True
    """
    whole, lowercase = title_and_case(text)
    name, _, split = whole.partition(_SPLIT)
    return WantedModel(parsed_name(name), split if split in FILE_SPLITS else None, lowercase)


def title_and_case(in_link: str) -> tuple[str, bool | None]:
    """Split a tokenizer's name in a link into its title and the chosen case (True for lower case, None for none).

    >>> title_and_case("vocab case=kept"), title_and_case("vocab")
    (('vocab', False), ('vocab', None))
    """
    for case, lowers in _CASES.items():
        if in_link.endswith(case):
            return in_link.removesuffix(case), lowers
    return in_link, None


def _case(lowercase: bool | None) -> str:
    return next((case for case, lowers in _CASES.items() if lowers is lowercase), "")


@dataclass(frozen=True)
class HubTokenizer:
    """A hub model. Its files are in the hub library's cache, not in the session.

    name, split, lowercase: as for `TokenizerFile`.
    """

    title: str
    found: HubFiles
    split: str | None = None
    lowercase: bool | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        known = (self.found.model, self.found.commit, self.found.paths, self.split)
        digest = blake2b(repr(known).encode() + _settings(None, self.lowercase), digest_size=12)
        object.__setattr__(self, "name", f"{_OWN}{digest.hexdigest()}:{self.title}")

    @property
    def digest(self) -> str:
        """Identity in cache keys."""
        return self.name

    @property
    def size(self) -> int:
        """Size of its files in bytes."""
        return self.found.size()

    @property
    def is_packed(self) -> bool:
        """False: hub files are not gzipped."""
        return False

    @property
    def held(self) -> int:
        """Bytes held by the session."""
        return 0

    def contents(self) -> dict[str, bytes]:
        """Its fetched files by name. Raises HubError if they are no longer in the cache."""
        return self.found.read()

    @property
    def in_links(self) -> str:
        """Name in links, which do not contain the files: "hf:", the name on the hub, and a chosen split or case."""
        return str(WantedModel(self.found.model, self.split, self.lowercase))

    def tokenizer(self, on_progress: Progress | None = None) -> Tokenizer:
        """Tokenizer in the files; `on_progress` as in `from_files`.

        Raises FormatError if they contain none, HubError if they are no longer in the cache.
        """
        return self.found.tokenizer(split=self.split, lowercase=self.lowercase, on_progress=on_progress)


def _settings(split: str | None, lowercase: bool | None) -> bytes:
    return repr(split if lowercase is None else (split, lowercase)).encode()


OwnTokenizer: TypeAlias = TokenizerFile | HubTokenizer
"""A tokenizer added by the visitor."""


def is_own(name: str) -> bool:
    """Whether this names an uploaded file or a hub model."""
    return name.startswith(_OWN)


def own_title(name: str) -> str:
    """The title within a file's name.

    >>> own_title("file:0123:bert-base")
    'bert-base'
    """
    return name.split(":", 2)[-1]


@dataclass(frozen=True)
class Content:
    """Content of an uploaded file."""

    data: bytes = field(repr=False)

    @cached_property
    def digest(self) -> str:
        """Identity in cache keys."""
        return blake2b(self.data, digest_size=16).hexdigest()

    @property
    def is_packed(self) -> bool:
        """Whether the file is gzipped."""
        return self.data.startswith(GZIP)

    @property
    def may_need_split(self) -> bool:
        """Whether it starts like tiktoken ranks; constant time for any file size."""
        try:
            return has_ranks(self.data)
        except FormatError:  # reported when the file is opened
            return False

    def needs_split(self, on_progress: Progress | None = None) -> bool:
        """Whether these are tiktoken ranks other than the published ones, whose splits are known."""
        try:
            return not split_is_known(self.data, on_progress=on_progress)
        except FormatError:
            return False


def read_together(
    uploaded: Sequence[tuple[str, bytes]],
    *,
    split: str | None,
    taken: Collection[str],
    needs_split: Callable[[Content], bool] = Content.needs_split,
    cases: Mapping[str, bool | None] = MappingProxyType({}),
) -> list[TokenizerFile]:
    """Tokenizer files from uploads; two files that belong together become one.

    taken: titles in use. cases: case chosen earlier, by title.
    """
    titles = set(taken)
    found = []
    for name, files in together(uploaded):
        title = safe_title(name.removesuffix(".gz"), titles)
        titles.add(title)
        asks = any(each.may_need_split and needs_split(each) for each in map(Content, files.values()))
        found.append(TokenizerFile(title, tuple(files.items()), split if asks else None, cases.get(title)))
    return found


def check_room(files: Sequence[OwnTokenizer], more: int = 0) -> None:
    """Raise FormatError if the files, and `more` still to be added, exceed a session's limits."""
    size = sum(file.held for file in files)
    if len(files) + more > MOST_FILES or size > MOST_BYTES:
        raise FormatError(
            message(
                "With these there are {number:,} tokenizer files of {size:,.1f} MB.",
                number=len(files) + more,
                size=size / 2**20,
            ),
            limit=message(
                "The page keeps {number} files of {size} MB together.", number=MOST_FILES, size=MOST_BYTES // 2**20
            ),
            remedy=message("Remove one first."),
        )


def safe_title(file: str, taken: Collection[str] = ()) -> str:
    """Display title for a file name: short, not in `taken`, and without markdown syntax.

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
