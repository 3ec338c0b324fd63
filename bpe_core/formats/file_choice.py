"""Selection of the files that make up one tokenizer, by the file names common in programs and repositories."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bpe_core import checks
from bpe_core.errors import FormatError, refuse
from bpe_core.language import listed, message

VOCAB, MERGES = "vocab.json", "merges.txt"
"""Canonical names of a vocabulary and its merges."""

CONFIG = "tokenizer_config.json"
COMPANIONS = ("special_tokens_map.json", "added_tokens.json", CONFIG)
"""Companion files of a vocabulary and its merges, with the special tokens."""

MODEL_CONFIG = "config.json"
JINJA = ".jinja"
CHAT_TEMPLATE = "chat_template.jinja"
ADDITIONAL_TEMPLATES = "additional_chat_templates"
"""Folder of the chat templates other than the default one."""

_ENDS = {VOCAB: (VOCAB, "encoder.json"), MERGES: (MERGES, "vocab.bpe")}
_FIRST = ("tokenizer.json", "tekken.json", "vocab.txt", "tokenizer.model", "tokenizer.bpe-lab.json")
_LOOKED_FOR = (".bpe-lab.json", ".model", ".tiktoken", "vocab.txt", "vocab_16e6.txt", ".gguf")
_VERSION = b"#version"


def chosen(names: Collection[str]) -> dict[str, str]:
    """Names of the files to read in a folder, by canonical name; a single file keeps its own.

    Raises FormatError if no name is known or several files qualify.

    >>> chosen(["README.md", "roberta-vocab.json", "roberta-merges.txt"])
    {'vocab.json': 'roberta-vocab.json', 'merges.txt': 'roberta-merges.txt'}
    >>> chosen(["README.md", "spiece.model"])
    {'spiece.model': 'spiece.model'}
    """
    pair = pair_of(names)
    if pair and "tokenizer.json" not in names:
        return {VOCAB: pair[0], MERGES: pair[1], **{name: name for name in COMPANIONS if name in names}}
    found = names if len(names) == 1 else [name for name in _FIRST if name in names]
    if not found:
        found = [name for name in names if name.lower().removesuffix(".gz").endswith(_LOOKED_FOR)]
        if len(found) > 1:
            refuse(
                message(
                    "{files:,} of the files could be a tokenizer: {names}.",
                    files=len(found),
                    names=listed(sorted(found)[:3], last=""),
                ),
                message("A folder is read if it has only one."),
                message("Open the file itself."),
            )
    for name in found:
        return {name: name, **{each: each for each in COMPANIONS if is_vocab(name) and each in names}}
    refuse(
        message("None of the {files:,} files has a known name.", files=len(names))
        if names
        else message("There is no file."),
        message("In a folder these are tokenizer.json, vocab.json with merges.txt, vocab.txt and tokenizer.model."),
        message("Open the file itself."),
    )


def is_vocab(name: str) -> bool:
    """Whether a file's name is that of a vocab.txt, compressed or not.

    >>> is_vocab("bert-vocab.txt.gz"), is_vocab("vocab.json")
    (True, False)
    """
    return name.lower().removesuffix(".gz").endswith("vocab.txt")


def is_beside(name: str) -> bool:
    """Whether a file accompanies a tokenizer without being one: companions, chat templates.

    >>> is_beside("tokenizer_config.json"), is_beside("additional_chat_templates/rag.jinja"), is_beside("vocab.txt")
    (True, True, False)
    """
    return name in (*COMPANIONS, MODEL_CONFIG) or name.endswith(JINJA)


def pair_of(names: Collection[str]) -> tuple[str, str] | None:
    """Names of a vocabulary and its merges: vocab.json and merges.txt, or encoder.json and vocab.bpe, with any prefix.

    >>> pair_of(["encoder.json", "vocab.bpe"]), pair_of(["vocab.json", "vocab.txt"])
    (('encoder.json', 'vocab.bpe'), None)
    """
    vocabs, merges = (_by_prefix(names, _ENDS[kind]) for kind in (VOCAB, MERGES))
    same = [prefix for prefix in sorted(vocabs, key=len) if prefix in merges]
    if same:
        return vocabs[same[0]], merges[same[0]]
    if len(vocabs) == len(merges) == 1:
        return next(iter(vocabs.values())), next(iter(merges.values()))
    return None


def together(files: Sequence[tuple[str, bytes]]) -> list[tuple[str, dict[str, bytes]]]:
    """Group uploaded files by tokenizer, under their canonical names.

    Each group has the name of its first file. If no names match, a single .json and a text that begins like
    merges are a pair. Accompanying files belong to the tokenizer if there is only one.

    >>> pair = together([("my.json", b"{}"), ("a.model", b""), ("my.txt", b"#version: 0.2")])
    >>> [(name, list(files)) for name, files in pair]
    [('my.json', ['vocab.json', 'merges.txt']), ('a.model', ['a.model'])]
    """
    groups = _grouped(files)
    owners = [group for group in groups if not is_beside(group[0])]
    if len(owners) != 1:
        return groups
    [(name, own)] = owners
    return [(name, {**own, **{each: data for each, data in files if is_beside(each)}})]


def _grouped(files: Sequence[tuple[str, bytes]]) -> list[tuple[str, dict[str, bytes]]]:
    contents = dict(files)
    pair = pair_of(contents) or _pair_by_content(contents)
    if pair is None:
        vocab = next((name for name in contents if is_vocab(name)), None)
        beside = [name for name in COMPANIONS if name in contents]
        if vocab is None or not beside:
            return [(name, {name: data}) for name, data in files]
        bert = (vocab, {name: contents[name] for name in (vocab, *beside)})
        return [bert, *((name, {name: data}) for name, data in files if name not in bert[1])]
    known = {VOCAB: pair[0], MERGES: pair[1], **{name: name for name in COMPANIONS if name in contents}}
    first = (pair[0], {kind: contents[name] for kind, name in known.items()})
    return [first, *((name, {name: data}) for name, data in files if name not in known.values())]


def check_contents(files: object) -> None:
    """Raise FormatError unless `files` maps file names to contents in bytes.

    >>> check_contents({"vocab.txt": b"[UNK]"})
    """
    wanted = message("contents by file names")
    for each in checks.mapping(files, message("The files"), wanted, error=FormatError).values():
        checks.instance(each, message("A file's content"), bytes | bytearray, message("bytes"), error=FormatError)


def files_of_one(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that make one tokenizer, by canonical name. Raises as `chosen` does.

    >>> list(files_of_one({"README.md": b"", "tokenizer.json": b"{}"}))
    ['tokenizer.json']
    """
    check_contents(files)
    pairs = [group for _, group in _grouped(list(files.items())) if VOCAB in group and len(group) > 1]
    if pairs and "tokenizer.json" not in files:
        return pairs[0]
    own = [name for name in files if not is_beside(name)] or list(files)
    names = chosen(own)
    if any(map(is_vocab, names)):
        names |= {each: each for each in COMPANIONS if each in files}
    return {each: files[name] for each, name in names.items()}


def _by_prefix(names: Collection[str], ends: Sequence[str]) -> dict[str, str]:
    """Names with one of these endings, by prefix: "" or, for example, "roberta-"."""
    found: dict[str, str] = {}
    for name in sorted(names):
        plain = name.lower().removesuffix(".gz")
        for end in ends:
            prefix = plain.removesuffix(end)
            if prefix != plain and (not prefix or prefix[-1] in "-_."):
                found.setdefault(prefix, name)
    return found


def _pair_by_content(files: Mapping[str, bytes]) -> tuple[str, str] | None:
    merges = [name for name, data in files.items() if data.startswith(_VERSION)]
    vocabs = [
        name for name in files if name.endswith(".json") and not is_beside(name) and "tokenizer" not in name.lower()
    ]
    return (vocabs[0], merges[0]) if len(merges) == 1 and len(vocabs) == 1 else None
