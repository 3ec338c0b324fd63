"""Tokenizer files of a model: selected by name, downloaded to the hub's cache, and found there again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from bpe_core import checks
from bpe_core.errors import ConfigError, FormatError, HubError, quoted, reason_of
from bpe_core.formats import from_files, split_is_known
from bpe_core.formats.file_choice import (
    ADDITIONAL_TEMPLATES,
    CHAT_TEMPLATE,
    COMPANIONS,
    CONFIG,
    JINJA,
    MERGES,
    MODEL_CONFIG,
    VOCAB,
)
from bpe_core.formats.reading import MOST_BYTES, check_size
from bpe_core.hub.failures import DamagedDownloadError, UnreachableError, as_hub_errors
from bpe_core.hub.library import hub_host, hub_library
from bpe_core.hub.names import HubName, checked_name
from bpe_core.hub.switch import require_allowed
from bpe_core.language import listed, message
from bpe_core.tokenizer.tokenizer import Tokenizer

Progress: TypeAlias = Callable[[int, int], object]
"""Callback with (bytes received, bytes in total). Its exception ends the download."""

LOOKED_FOR = (
    ("tokenizer.json",),
    ("tekken.json",),
    ("tokenizer.model",),
    ("spiece.model",),
    ("sentencepiece.bpe.model",),
    ("spm.model",),
    (VOCAB, MERGES),
    ("vocab.txt",),
)
"""Sets of files that hold a tokenizer; the first complete one is used. The fallback is any .tiktoken file."""

_BESIDE = (COMPANIONS[0], CONFIG, CHAT_TEMPLATE, MODEL_CONFIG)
"""Small files about the model that are fetched with its tokenizer."""

_NAMED_BESIDE = LOOKED_FOR[-2:]
"""Sets of files that lack special tokens; their companions name these."""

_MOST_ADDITIONAL = 8
_MOST_LISTED = 4
_COMMIT, _SHA256 = 40, 64
"""Hex digits of the file names in the cache: Git's SHA-1 of the content, or its SHA-256."""


@dataclass(frozen=True)
class HubFiles:
    """Tokenizer files of a model in the hub library's cache.

    `commit`: the model's commit; "" if unknown. `reached`: False if the hub was unreachable and the files are from an
    earlier download.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "vocab.txt")
    ...     _ = path.write_bytes(b"[UNK]\\nlow\\n##er\\n")
    ...     files = HubFiles(HubName("me/tiny"), "", (("vocab.txt", str(path)),))
    ...     files.names(), files.size(), files.read()["vocab.txt"][:5], files.tokenizer().decode([1, 2])
    ...     files.needs_split()
    (('vocab.txt',), 15, b'[UNK]', 'lower')
    False
    """

    model: HubName
    commit: str
    paths: tuple[tuple[str, str], ...] = field(repr=False)
    reached: bool = True

    def names(self) -> tuple[str, ...]:
        """Names of the files."""
        return tuple(name for name, _ in self.paths)

    def size(self) -> int:
        """Total size in bytes; 0 if a file is missing from the cache."""
        try:
            return sum(Path(path).stat().st_size for _, path in self.paths)
        except OSError:
            return 0

    def read(self) -> dict[str, bytes]:
        """Contents by file name. Raises HubError if a file is missing from the cache."""
        contents = {}
        for name, path in self.paths:
            try:
                with open(path, "rb") as file:
                    contents[name] = file.read(MOST_BYTES + 1)
            except OSError as error:
                raise HubError(
                    message(
                        "{file} of {model} is no longer in the cache: {reason}.",
                        file=name,
                        model=self.model.name,
                        reason=reason_of(error),
                    ),
                    limit=message("It was in the cache after the download."),
                    remedy=message("Download the model again."),
                ) from None
        return contents

    def needs_split(self, on_progress: Progress | None = None) -> bool:
        """Whether the files are tiktoken ranks of an unknown model, whose split the caller must supply.

        `on_progress`: as for `load`, called for each file. Raises HubError if a file is missing from the cache.
        """
        try:
            return not all(split_is_known(data, on_progress=on_progress) for data in self.read().values())
        except FormatError:  # a damaged file is reported when it is opened
            return False

    def tokenizer(
        self,
        *,
        split: str | None = None,
        special_tokens: Mapping[str, int] | None = None,
        lowercase: bool | None = None,
        on_progress: Progress | None = None,
    ) -> Tokenizer:
        """Read the tokenizer, named after the model. Raises as `load` does, with the model's name first.

        `split`, `special_tokens`: for tiktoken ranks, which hold neither. `lowercase`: for a vocab.txt. `on_progress`:
        as for `load`.
        """
        contents = self.read()
        try:
            for name, data in contents.items():
                check_size(data, name)
            return from_files(
                contents,
                self.model.name,
                split=split,
                special_tokens=special_tokens,
                lowercase=lowercase,
                on_progress=on_progress,
            )
        except (FormatError, ConfigError) as error:
            problem = message("{model}: {problem}", model=self.model.name, problem=error.problem)
            raise type(error)(problem, limit=error.limit, remedy=error.remedy) from None


def chosen_files(names: Iterable[str]) -> tuple[str, ...]:
    """Names of the files that hold a model's tokenizer; empty if there are none. Files in other folders are ignored.

    With them come the files that say more about the model: special tokens and their roles, chat templates, and
    config.json with the size of its embedding.

    >>> chosen_files(["model.safetensors", "vocab.json", "merges.txt", "tokenizer.json", "config.json"])
    ('tokenizer.json', 'config.json')
    >>> chosen_files(["vocab.json", "merges.txt", "onnx/tokenizer.json"]), chosen_files(["qwen.tiktoken"])
    (('vocab.json', 'merges.txt'), ('qwen.tiktoken',))
    """
    names = list(names)
    at_top = {name for name in names if "/" not in name and "\\" not in name}
    templates = (name for name in names if name.endswith(JINJA) and name.split("/")[:-1] == [ADDITIONAL_TEMPLATES])
    additional = sorted(templates)[:_MOST_ADDITIONAL]
    for files in LOOKED_FOR:
        if at_top.issuperset(files):
            beside = dict.fromkeys((*COMPANIONS, *_BESIDE) if files in _NAMED_BESIDE else _BESIDE)
            return (*files, *(name for name in beside if name in at_top), *additional)
    ranks = sorted(name for name in at_top if name.endswith(".tiktoken"))
    return (ranks[0], *(name for name in _BESIDE if name in at_top), *additional) if ranks else ()


def fetched_files(wanted: HubName, on_progress: Progress | None = None) -> HubFiles:
    """Download a model's tokenizer files unless they are cached; without a connection, use the cache.

    Requests go only to the hub, or the mirror in HF_ENDPOINT, and only for these files. Raises HubError for a model
    that is gated, missing, without tokenizer, too large, unreachable, or damaged in transit, and if BPE_LAB_HUB is off.

    >>> fetched_files(HubName("a model"))
    Traceback (most recent call last):
        ...
    bpe_core.errors.HubError: 'a model' is refused: Repo id must use alphanumeric chars, ...
    """
    require_allowed(wanted)
    try:
        with as_hub_errors(wanted):
            return _fetched(wanted, on_progress)
    except UnreachableError:
        cached = cached_files(wanted)
        if cached is None:
            raise
        return cached


def cached_files(wanted: HubName) -> HubFiles | None:
    """Cached tokenizer files of a model, or None. Does not use the network.

    >>> cached_files(HubName("nobody/has-fetched-this"))
    """
    with as_hub_errors(wanted):
        return _cached(wanted)


def _fetched(wanted: HubName, on_progress: Progress | None) -> HubFiles:
    from huggingface_hub import constants

    api = hub_library().HfApi()
    info = api.model_info(
        wanted.name, revision=wanted.revision, files_metadata=True, timeout=constants.HF_HUB_ETAG_TIMEOUT
    )
    sizes = {file.rfilename: file.size for file in info.siblings or ()}
    names = chosen_files(sizes)
    if not names:
        raise _without_tokenizer(wanted, sizes)
    announced = {name: _announced_size(api, wanted, name, sizes[name]) for name in names}
    for name, size in announced.items():
        _refuse_large(wanted, name, size)
    total = sum(announced.values())
    paths, before = [], 0
    for name in names:

        def tell(arrived: int, name: str = name, before: int = before) -> None:
            _refuse_large(wanted, name, arrived)  # may exceed the announced size
            if on_progress is not None:
                on_progress(before + arrived, max(before + arrived, total))

        paths.append((name, _downloaded(api, wanted, name, tell)))
        before += announced[name]
    return HubFiles(wanted, _commit_of(paths), tuple(paths))


def _announced_size(api: Any, wanted: HubName, name: str, listed: int | None) -> int:
    """Size of a file in bytes, by a separate request: unlike the list of files, this requires read permission."""
    from huggingface_hub import constants, hf_hub_url

    url = hf_hub_url(wanted.name, name, revision=wanted.revision, endpoint=api.endpoint)
    metadata = api.get_hf_file_metadata(url=url, timeout=constants.HF_HUB_ETAG_TIMEOUT)
    return max(metadata.size or 0, listed or 0)


def _counting(tell: Callable[[int], object]) -> type:
    """A progress bar class for the library that draws nothing and reports the bytes received."""
    from huggingface_hub.utils import tqdm  # type: ignore[attr-defined]

    class Bar(tqdm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **{**kwargs, "disable": True})  # type: ignore[no-untyped-call]

        def update(self, n: float | None = 1) -> None:
            self.n += n or 0
            tell(int(self.n))

    return Bar


def _downloaded(api: Any, wanted: HubName, name: str, tell: Callable[[int], object]) -> str:
    """Path of a file in the cache, downloaded if missing and again if damaged."""
    bar = _counting(tell)
    for again in (False, True):
        path: str = api.hf_hub_download(
            wanted.name, name, revision=wanted.revision, force_download=again, tqdm_class=bar
        )
        if not _is_damaged(path):
            return path
    raise DamagedDownloadError(
        message(
            "{file} of {model} is damaged: its hash differs from the one that {host} gives.",
            file=name,
            model=wanted.name,
            host=hub_host(),
        ),
        limit=message("It was downloaded twice."),
        remedy=message("Try again later, or open the file from your disk."),
    )


def _is_damaged(path: str) -> bool:
    """Whether a cached file's content differs from its name, which is Git's SHA-1 or the SHA-256."""
    blob = Path(path).resolve()
    expected = blob.name
    if len(expected) not in (_COMMIT, _SHA256) or not set(expected) <= set("0123456789abcdef"):
        return False  # a mirror may use other names, and a cache without links has copies
    data = blob.read_bytes()
    if len(expected) == _SHA256:
        return hashlib.sha256(data).hexdigest() != expected
    return expected not in (hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest(), hashlib.sha1(data).hexdigest())


def _cached(wanted: HubName) -> HubFiles | None:
    from huggingface_hub.errors import IncompleteSnapshotError, LocalEntryNotFoundError

    try:
        folder = hub_library().snapshot_download(wanted.name, revision=wanted.revision, local_files_only=True)
    except IncompleteSnapshotError as error:  # other files of the model are missing, but not needed
        folder = error.snapshot_path
    except LocalEntryNotFoundError:
        return None
    names = chosen_files(entry.relative_to(folder).as_posix() for entry in Path(folder).rglob("*") if entry.is_file())
    paths = tuple((name, str(Path(folder, name))) for name in names)
    return HubFiles(wanted, _commit_of(paths), paths, reached=False) if paths else None


def _commit_of(paths: Iterable[tuple[str, str]]) -> str:
    """Commit of cached files: the name of their folder."""
    folders = {Path(path).parents[name.count("/")].name for name, path in paths}
    commit = folders.pop()
    return commit if not folders and len(commit) == _COMMIT else ""


def _refuse_large(wanted: HubName, name: str, size: int) -> None:
    if size > MOST_BYTES:
        raise HubError(
            message("{file} of {model} has {bytes:,} bytes.", file=name, model=wanted.name, bytes=size),
            limit=message("The most allowed is {most:,}.", most=MOST_BYTES),
            remedy=message("Choose another model."),
        )


def _without_tokenizer(wanted: HubName, names: Iterable[str]) -> HubError:
    found = sorted(names)
    shown = listed([quoted(name, 40) for name in found[:_MOST_LISTED]], last="")
    if len(found) > _MOST_LISTED:
        shown = message("{items} and {more:,} more", items=shown, more=len(found) - _MOST_LISTED)
    return HubError(
        message("{model} has no tokenizer file; it has {files}.", model=wanted.name, files=shown)
        if found
        else message("{model} has no tokenizer file; it has no files.", model=wanted.name),
        limit=message(
            "Supported files are tokenizer.json, tekken.json, .model, vocab.json with merges.txt, vocab.txt and "
            ".tiktoken, at the top level of the repository."
        ),
        remedy=message("Choose a model that has one; this model's base model often does."),
    )


def load_from_hub(
    name: str,
    revision: str | None = None,
    *,
    split: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
    on_progress: Progress | None = None,
) -> Tokenizer:
    """Load a model's tokenizer from the Hugging Face hub, such as "Qwen/Qwen3-8B". Downloads only its tokenizer files.

    `name`: may be the URL of the model's page. `revision`: a branch, tag or commit; None for the main branch. `split`,
    `special_tokens`: for models with only tiktoken ranks, which hold neither (see `load`). `on_progress`: called with
    (bytes received, bytes in total); its exception ends the download.

    Files are kept in the cache of `huggingface_hub`, whose settings apply (HF_TOKEN, HF_ENDPOINT, HF_HOME,
    HF_HUB_OFFLINE): without a connection, cached files are used. Raises HubError, with the reason, for a model that is
    gated, missing, without tokenizer or unreachable, and for every model if BPE_LAB_HUB is off; FormatError, as `load`
    does, for files that cannot be read.

    >>> load_from_hub("Qwen/Qwen3-8B/tokenizer.json")  # load_from_hub("Qwen/Qwen3-8B") is its tokenizer
    Traceback (most recent call last):
        ...
    bpe_core.errors.HubError: 'Qwen/Qwen3-8B/tokenizer.json' is not the name of a model on the hub. A name is ...
    """
    wanted = checked_name(name, revision)
    checks.callback(on_progress)
    return fetched_files(wanted, on_progress).tokenizer(split=split, special_tokens=special_tokens)
