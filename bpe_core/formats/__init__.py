"""Tokenizer files, read and written as the library of each format reads them.

format           files                        holds
"bpe-lab"        <name>.bpe-lab.json          any tokenizer of bpe_core; also reads trainings saved in the app
"tokenizers"     tokenizer.json               the tokenizers library of Hugging Face: all but SentencePiece
"tiktoken"       <name>.tiktoken              ranks of byte tokens, without split and special tokens
"gpt2"           vocab.json and merges.txt    byte-pair encodings over bytes with GPT-2's split
"wordpiece"      vocab.txt                    WordPiece with BERT's split; also tokenizer_config.json
"sentencepiece"  <name>.model                 SentencePiece models, unchanged

Read-only formats: Mistral's tekken.json, the metadata of GGUF files, and CLIP's files (vocab.json with merges.txt, or
only the merges). Files may be compressed with gzip.

A written file gives the same ids in its library: anything a format cannot hold raises FormatError. Readers trust
nothing: they check sizes, numbers and structure, execute nothing, and decompress gzip only up to the size limit.
Invalid input raises FormatError with the place.

One limit remains: libraries use different versions of Unicode, and may split or normalize newer characters differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path

from bpe_core import checks
from bpe_core.bpe.corpus import Progress
from bpe_core.errors import ConfigError, FormatError, quoted, reason_of, refuse
from bpe_core.formats import (
    bpe_lab,
    gpt2_files,
    published_ranks,
    sentencepiece_file,
    tiktoken_file,
    tokenizers_json,
    wordpiece_file,
)
from bpe_core.formats.file_choice import COMPANIONS, CONFIG, MERGES, VOCAB, chosen, files_of_one, is_vocab
from bpe_core.formats.opening import Given, kind_of, opened, opened_together
from bpe_core.formats.packed import beginning, unpacked
from bpe_core.formats.progress import reporting
from bpe_core.formats.reading import LONGEST_TOKEN, MOST_BYTES, check_size, refuse_unreadable
from bpe_core.formats.sentencepiece_merges import by_merges
from bpe_core.formats.tiktoken_file import RankDifference, rank_order_differs, unproven_token
from bpe_core.language import TranslatableMessage, message
from bpe_core.tokenizer.token_ranges import check_listed, token_lengths
from bpe_core.tokenizer.tokenizer import Tokenizer

__all__ = [
    "FORMATS",
    "MOST_BYTES",
    "RankDifference",
    "by_merges",
    "from_bytes",
    "from_files",
    "has_ranks",
    "load",
    "rank_order_differs",
    "save",
    "split_is_known",
    "to_bytes",
    "to_files",
    "unproven_token",
    "writable",
]

FORMATS = ("tokenizers", "tiktoken", "gpt2", "wordpiece", "sentencepiece", "bpe-lab")
"""Formats of `save` and `to_bytes`."""

FILE_NAMES = {
    "tokenizers": ("tokenizer.json",),
    "tiktoken": ("vocabulary.tiktoken",),
    "gpt2": (VOCAB, MERGES),
    "wordpiece": ("vocab.txt", CONFIG),
    "sentencepiece": ("tokenizer.model",),
    "bpe-lab": ("tokenizer.bpe-lab.json",),
}
"""Default file names of each format."""


def save(tokenizer: Tokenizer, path: str | Path, *, format: str, proven_on: str | None = None) -> None:
    """Write a tokenizer to a file; for "gpt2", to a folder of two files, which is created if needed.

    With a vocab.txt, also writes a tokenizer_config.json with the normalization.

    Raises FormatError for a tokenizer that the format cannot hold without changing ids and for a path that cannot be
    written, and ConfigError for an unknown format. `proven_on`: see `to_bytes`.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import TrainConfig, load, train
    >>> tokenizer = train("low lower lowest", TrainConfig(vocab_size=260)).tokenizer()
    >>> with TemporaryDirectory() as folder:
    ...     save(tokenizer, f"{folder}/tokenizer.json", format="tokenizers")
    ...     load(f"{folder}/tokenizer.json").encode("lowest").ids.tolist()
    [257, 101, 115, 116]
    """
    target = Path(checks.file_path(path, use="written"))
    files = to_files(tokenizer, format=format, proven_on=proven_on)
    try:
        if format != "gpt2":
            first, *others = files
            target.write_bytes(files[first])
            for name in others:
                target.with_name(name).write_bytes(files[name])
            return
        target.mkdir(exist_ok=True)
        for name, data in files.items():
            (target / name).write_bytes(data)
    except (OSError, ValueError) as error:
        refuse(
            message("{path} cannot be written: {reason}.", path=quoted(str(path)), reason=reason_of(error)),
            message("A file or folder is to be written there."),
            message("Choose another path."),
        )


def load(
    path: str | Path,
    *,
    split: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
    lowercase: bool | None = None,
    on_progress: Progress | None = None,
) -> Tokenizer:
    """Read a tokenizer from a file, or a folder with vocab.json and merges.txt. The format is detected by content.

    `split`, `special_tokens`: for .tiktoken files, which hold neither (default: "gpt2" and none; OpenAI's own files are
    recognized by content). `lowercase`: for a vocab.txt, whether texts are lowercased and stripped of accents; the
    default is that of a tokenizer_config.json in its folder, else True. `on_progress(done, total)` is called in
    thousandths of the work; its exception ends the reading. Raises FormatError for an unreadable file, with the place
    and the reason, and ConfigError for one of these settings with a file that has its own.

    >>> from bpe_core.bundled.files import FOLDER
    >>> load(FOLDER / "cl100k_base.tiktoken").encode("Hello").ids.tolist()
    [9906]
    """
    source = Path(checks.file_path(path))
    Given.checked(split, special_tokens, lowercase)
    checks.callback(on_progress)
    try:
        if source.is_dir():
            files = {each: _read(source / name) for each, name in chosen(_names(source)).items()}
        else:
            files = {source.name: _read(source)}
            companions = map(source.with_name, COMPANIONS if is_vocab(source.name) else ())
            files |= {each.name: _read(each) for each in companions if each.is_file()}
    except (OSError, ValueError) as error:
        refuse_unreadable(path, error)
    return from_files(files, split=split, special_tokens=special_tokens, lowercase=lowercase, on_progress=on_progress)


def to_bytes(tokenizer: Tokenizer, *, format: str, proven_on: str | None = None) -> bytes:
    """Content of a tokenizer's file. Raises as `save` does, and ConfigError for "gpt2", which is two files (see
    to_files).

    For "wordpiece" it is only the vocab.txt, without the normalization. It is read back as lowercase without accents,
    or as cased by `from_bytes(data, lowercase=False)`; the two files of `to_files` restore the tokenizer exactly.

    `proven_on`: for "tiktoken", whose ranks may merge in a different order from pairs. If that cannot be ruled out, the
    file is written only if this text gets the same ids.

    >>> from bpe_core import load_pretrained
    >>> to_bytes(load_pretrained("gpt2"), format="tiktoken")[:14]
    b'IQ== 0\\nIg== 1\\n'
    """
    files = to_files(tokenizer, format=format, proven_on=proven_on)
    if format == "gpt2":
        raise ConfigError(
            message("format {format} is {files} files.", format=quoted(format), files=len(files)),
            limit=message("to_bytes returns one."),
            remedy=message("Use to_files."),
        )
    return next(iter(files.values()))


def to_files(tokenizer: Tokenizer, *, format: str, proven_on: str | None = None) -> dict[str, bytes]:
    """Contents of a tokenizer's files by default name: one, or two for "gpt2" and "wordpiece". Raises as `save` does.

    >>> from bpe_core import load_pretrained
    >>> list(to_files(load_pretrained("gpt2"), format="gpt2"))
    ['vocab.json', 'merges.txt']
    """
    checks.choice(format, "format", FORMATS)
    checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer"))
    proven_on = None if proven_on is None else checks.given_text(proven_on, "proven_on")
    _refuse_kind(tokenizer)
    _refuse_flags(tokenizer, format)
    check_listed(tokenizer.model.tokens, error=FormatError)
    _refuse_long_token(tokenizer)
    if format in ("gpt2", "wordpiece"):
        files = gpt2_files.write(tokenizer) if format == "gpt2" else wordpiece_file.write(tokenizer)
    else:
        ranks = format == "tiktoken"
        data = tiktoken_file.write(tokenizer, proven_on=proven_on) if ranks else _WRITERS[format](tokenizer)
        files = {FILE_NAMES[format][0]: data}
    for name, data in files.items():
        check_size(data, name, remedy=_SMALLER)
    return files


def from_bytes(
    data: bytes,
    name: str = "",
    *,
    split: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
    lowercase: bool | None = None,
    on_progress: Progress | None = None,
) -> Tokenizer:
    """Read a tokenizer from a file's content, named `name`; the format is detected. Raises as `load` does.

    `on_progress`: as for `load`.

    >>> from_bytes(b"[UNK]\\nlow\\n##er\\n").decode([1, 2])
    'lower'
    """
    data = bytes(
        checks.instance(data, message("The file's content"), bytes | bytearray, message("bytes"), error=FormatError)
    )
    checks.instance(name, message("The name"), str, message("a str"))
    given = Given.checked(split, special_tokens, lowercase)
    with reporting(checks.callback(on_progress)) as share:
        return opened(data, name, share, given)


def from_files(
    files: Mapping[str, bytes],
    name: str = "",
    *,
    split: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
    lowercase: bool | None = None,
    on_progress: Progress | None = None,
) -> Tokenizer:
    """Read a tokenizer from the content of one file, or of vocab.json and merges.txt, by name. Raises as `load` does.

    `on_progress`: as for `load`.

    >>> from bpe_core import load_pretrained
    >>> from_files(to_files(load_pretrained("gpt2"), format="gpt2")).encode("Hello").ids.tolist()
    [15496]
    """
    checks.instance(name, message("The name"), str, message("a str"))
    given = Given.checked(split, special_tokens, lowercase)
    with reporting(checks.callback(on_progress)) as share:
        return opened_together(files_of_one(files), name, share, given)


def split_is_known(data: bytes, *, on_progress: Progress | None = None) -> bool:
    """Whether a file specifies its split, or is a known published file.

    Only tiktoken's ranks lack it: for these `load` defaults to GPT-2's split. `on_progress`: as for `load`.

    >>> split_is_known(b"IQ== 0\\n"), split_is_known(b"[UNK]\\nlow\\n")
    (False, True)
    """
    wanted = message("bytes")
    data = bytes(checks.instance(data, message("The file's content"), bytes | bytearray, wanted, error=FormatError))
    if not has_ranks(data):
        return True
    with reporting(checks.callback(on_progress)) as share:
        return published_ranks.split_is_known(unpacked(data, share=share))


def has_ranks(data: bytes) -> bool:
    """Whether a file begins like tiktoken's ranks; takes constant time.

    >>> has_ranks(b"IQ== 0\\n"), has_ranks(b"[UNK]\\nlow\\n")
    (True, False)
    """
    return kind_of(beginning(data)) == "tiktoken"


def writable(tokenizer: Tokenizer) -> tuple[str, ...]:
    """Formats that can hold a tokenizer without changing ids. Writes each one: seconds for the largest tokenizers.

    >>> from bpe_core import TrainConfig, load_pretrained, train
    >>> writable(load_pretrained("gpt2"))
    ('tokenizers', 'tiktoken', 'gpt2', 'bpe-lab')
    >>> writable(train("low", TrainConfig(unit="char", end_of_word="</w>", split="gpt2")).tokenizer())
    ('bpe-lab',)
    """
    checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer"))
    found = []
    for format in FORMATS:
        try:
            to_files(tokenizer, format=format)
        except FormatError:
            continue
        found.append(format)
    return tuple(found)


_WRITERS: dict[str, Callable[[Tokenizer], bytes]] = {
    "tokenizers": tokenizers_json.write,
    "sentencepiece": sentencepiece_file.write,
    "bpe-lab": bpe_lab.write,
}
_MOST_ENTRIES = 10_000
_SMALLER = message("Train with a split, or to fewer ids; or save the training, which has no limit for tokens.")


def _refuse_kind(tokenizer: Tokenizer) -> None:
    """Raise FormatError for a model whose rule no format can hold."""
    if tokenizer.model.kind == "boundlessbpe":
        refuse(
            message("{tokenizer} merges whole words (BoundlessBPE).", tokenizer=tokenizer.name),
            message("No file format holds a merge that applies only where both parts are whole words."),
            message("Save the training, from which it can be trained again, or train by the method 'superbpe'."),
        )
    if tokenizer.model.kind == "picky":
        refuse(
            message("{tokenizer} removes tokens while it encodes.", tokenizer=tokenizer.name),
            message("File formats hold a vocabulary and merges, but no removals in between."),
            message("Keep its events in Python, or train plain BPE."),
        )


def _refuse_flags(tokenizer: Tokenizer, format: str) -> None:
    """Raise FormatError for a special token with flags that the format cannot hold."""
    if format == "tokenizers" or (format == "bpe-lab" and tokenizers_json.is_of_file(tokenizer)):
        return
    for token in tokenizer.special_token_flags:
        flag = next((name for name, value in token._asdict().items() if value is (name != "special")), None)
        if flag is not None:
            refuse(
                _describe_flag(quoted(token.text), flag),
                message("In this file, special tokens are found as they are written, and all are special."),
                message('Save it as "tokenizers", which keeps their flags.'),
            )


def _describe_flag(token: str, flag: str) -> TranslatableMessage:
    if flag == "strip_left":
        return message("The special token {token} takes the white space before it (strip_left).", token=token)
    if flag == "strip_right":
        return message("The special token {token} takes the white space after it (strip_right).", token=token)
    if flag == "whole_word":
        return message("The special token {token} is found only as a whole word (whole_word).", token=token)
    if flag in ("normalized", "decodes_normalized"):
        return message("The special token {token} is looked for in the normalized text (normalized).", token=token)
    return message("The special token {token} is an added token that is not special.", token=token)


def _refuse_long_token(tokenizer: Tokenizer) -> None:
    """Raise FormatError for a token too long for the readers."""
    lengths = token_lengths(tokenizer.model.tokens)
    longest = int(lengths.argmax()) if lengths.size else 0
    if lengths.size and lengths[longest] > LONGEST_TOKEN:
        refuse(
            message("The token {token_id:,} has {bytes:,} bytes.", token_id=longest, bytes=int(lengths[longest])),
            message("The longest allowed in a file has {longest:,}.", longest=LONGEST_TOKEN),
            _SMALLER,
        )


def _names(folder: Path) -> list[str]:
    """Names of a folder's entries, at most _MOST_ENTRIES: no tokenizer's folder has that many."""
    return [entry.name for entry in islice(folder.iterdir(), _MOST_ENTRIES)]


def _read(path: Path) -> bytes:
    """A file's bytes, up to one more than the limit."""
    if path.exists() and not path.is_file():
        raise OSError(None, message("it is neither a file nor a folder"))
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)
