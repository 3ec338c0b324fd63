"""Open tokenizer files: detect the kind by content and call its reader."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from bpe_core import checks
from bpe_core.errors import ConfigError, FormatError, quoted, refuse
from bpe_core.formats import (
    bpe_lab,
    gguf_file,
    gguf_metadata,
    gpt2_files,
    sentencepiece_file,
    tekken_file,
    tiktoken_file,
    tokenizers_json,
    wordpiece_file,
)
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.file_choice import COMPANIONS, CONFIG, MERGES, VOCAB
from bpe_core.formats.packed import beginning, unpacked
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.reading import THE_FILE, an_object, check_size, made
from bpe_core.formats.reading_memory import of_json, of_lines, of_pieces
from bpe_core.language import message
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.work import taking

_ONE_OF = message(
    "Tokenizer files are tokenizer.json, .tiktoken, vocab.json with merges.txt, vocab.txt, .model, .gguf and BPE Lab's."
)
_CHOOSE = message("Choose such a file.")

_MARK = b"\xef\xbb\xbf"
_LIST = re.compile(rb'\[(?:\Z|[\[\]{"]|[ \t]*+(?:-?\d[\d.eE+-]*+|true|false|null)[ \t]*+(?:,|\]\s*+\Z))')
"""Beginning of a JSON list, as opposed to a vocab.txt that begins with [PAD] or another name in brackets."""


class Given(NamedTuple):
    """Settings from the caller for a file that lacks them: split and special tokens of ranks, the case of a vocab.txt.

    >>> Given.checked("gpt2", None, None).refuse(but=("split",))
    """

    split: str | None = None
    special_tokens: Mapping[str, int] | None = None
    lowercase: bool | None = None

    @classmethod
    def checked(cls, split: object, special_tokens: object, lowercase: object) -> Given:
        """Check the types of the settings. Raises ConfigError for a wrong one."""
        if split is not None:
            checks.utf8_text(split, "split", wanted=message("a name or a regular expression"))
        if special_tokens is not None:
            checks.mapping(special_tokens, "special_tokens", message("ids by their names"))
        if lowercase is not None:
            checks.true_or_false(lowercase, "lowercase")
        return cls(split, special_tokens, lowercase)  # type: ignore[arg-type]

    def refuse(self, but: tuple[str, ...] = ()) -> None:
        """Raise ConfigError for any setting that is given, except those in `but`: the file has its own."""
        for setting, value in self._asdict().items():
            if value is not None and setting not in but:
                raise ConfigError(
                    message("{setting} is given for a file that has its own.", setting=setting),
                    limit=message("It is for a vocab.txt.")
                    if setting == "lowercase"
                    else message("It is for files that lack it, such as tiktoken's (.tiktoken)."),
                    remedy=message("Leave it out."),
                )


_NOTHING = Given()


def opened(
    data: bytes,
    name: str = "",
    share: Share = NO_PROGRESS,
    given: Given = _NOTHING,
    beside: Mapping[str, bytes] | None = None,
) -> Tokenizer:
    """Read one file's content, compressed or not. `beside`: the companions of a vocab.txt, by name.

    >>> opened(b"[UNK]\\nlow\\n##er\\n").decode([1, 2])
    'lower'
    """
    data = gguf_metadata.without_tensors(data)
    check_size(data)
    plain = unpacked(data, share=share.part(0.0, 0.05))
    if not plain[:100].strip() and not plain.strip():
        refuse(message("The file is empty."), _ONE_OF, _CHOOSE)
    kind = kind_of(plain)
    needed = {"sentencepiece": of_pieces, "json": of_json, "gguf": len}.get(kind, of_lines)
    rest = share if plain is data else share.part(0.05, 1.0)
    try:
        with taking(lambda: needed(plain)):
            return _read(kind, plain, name, rest, given, beside or {})
    except FormatError as error:
        if plain is data:
            raise
        raise FormatError(
            message("The file is packed with gzip. Unpacked: {problem}", problem=error.problem),
            limit=error.limit,
            remedy=error.remedy,
        ) from None


def opened_together(
    files: Mapping[str, bytes],
    name: str = "",
    share: Share = NO_PROGRESS,
    given: Given = _NOTHING,
) -> Tokenizer:
    """Read the files of one tokenizer, given by canonical name.

    >>> opened_together({"vocab.txt": b"[UNK]\\nlow\\n"}).tokenize("low")
    ['low']
    """
    read = {each: gguf_metadata.without_tensors(bytes(data)) for each, data in files.items()}
    for each, data in read.items():
        check_size(data, each)
    if not {VOCAB, MERGES} <= read.keys():
        beside = {each: read.pop(each) for each in COMPANIONS if each in read and len(read) > 1}
        [(each, data)] = read.items()
        if each.lower().endswith(".json") and kind_of(begin := beginning(data)) == "text":
            if begin.removeprefix(_MARK).lstrip().startswith(b"["):  # perhaps a damaged list: report its error
                _read_json(unpacked(data, each), each, share)
            refuse(message("{file} is not JSON.", file=quoted(each)), _ONE_OF, _CHOOSE)
        beside = {each: unpacked(content, each, share.part(0.0, 0.0)) for each, content in beside.items()}
        return opened(data, name or each, share, given, beside)
    given.refuse(but=("split",))
    plain = {each: unpacked(data, each, share.part(0.0, 0.0)) for each, data in read.items()}
    with taking(lambda: sum(of_json(each) + of_lines(each) for each in plain.values())):
        tokenizer = tokenizers_json.read(
            gpt2_files.content_of(plain, share.part(0.0, 0.4)), name or VOCAB, share.part(0.4, 1.0)
        )
    return (
        tokenizer
        if given.split is None
        else made(message("the settings of the file"), lambda: tokenizer.with_stages(split=given.split))
    )


def kind_of(data: bytes) -> str:
    """Kind of a file from its first bytes: "gguf", "sentencepiece", "json", "tiktoken", or any other "text".

    >>> kind_of(b"IQ== 0\\n"), kind_of(b"{")
    ('tiktoken', 'json')
    """
    if gguf_metadata.is_like(data):
        return "gguf"
    if sentencepiece_file.is_like(data):
        return "sentencepiece"
    begin = data[:1000].removeprefix(_MARK).lstrip()
    if begin[:1] in (b"{", b"") or _LIST.match(begin):
        return "json"
    return "tiktoken" if tiktoken_file.is_like(data) else "text"


def _read(
    kind: str,
    data: bytes,
    name: str,
    share: Share,
    given: Given,
    beside: Mapping[str, bytes],
) -> Tokenizer:
    if kind == "tiktoken":
        given.refuse(but=("split", "special_tokens"))
        return tiktoken_file.read(data, name, share, split=given.split, special_tokens=given.special_tokens)
    if kind == "gguf":
        given.refuse(but=("lowercase",))
        return gguf_file.read(data, name, share, lowercase=given.lowercase)
    is_vocab = kind == "text" and not gpt2_files.ends_words(data) and not gpt2_files.is_merges(data)
    given.refuse(but=("lowercase",) if is_vocab else ())
    if kind == "sentencepiece":
        return sentencepiece_file.read(data, name, share)
    if kind == "json":
        return _read_json(data, name, share)
    if gpt2_files.ends_words(data):
        return tokenizers_json.read(gpt2_files.clip_content(data), name, share)
    if gpt2_files.is_merges(data):
        refuse(
            message("The file is a merges.txt alone."),
            message("It needs vocab.json."),
            message("Open both, or their folder."),
        )
    tokenizer = tokenizers_json.read(wordpiece_file.content_of(data, beside, given.lowercase), name, share)
    config = beside.get(CONFIG)
    normalization = wordpiece_file.normalization_of(config, given.lowercase)
    assumed = config is None and given.lowercase is None
    tokenizer.kept["normalization"] = wordpiece_file.describe_normalization(normalization, assumed=assumed)
    if program := wordpiece_file.dictionary_of(config):
        tokenizer.kept["dictionary"] = wordpiece_file.describe_dictionary(program)
    return tokenizer


def _read_json(data: bytes, name: str, share: Share) -> Tokenizer:
    parsed = parsed_json(data, limit=_ONE_OF, remedy=_CHOOSE, share=share.part(0.0, 0.5))
    content = an_object(THE_FILE, parsed, remedy=_CHOOSE)
    rest = share.part(0.5, 1.0)
    if content and all(isinstance(value, int) for value in content.values()):
        refuse(
            message("The file is a vocab.json alone."),
            message("It needs merges.txt."),
            message("Open both, or their folder."),
        )
    if content.get("format") == bpe_lab.FORMAT:
        return bpe_lab.read(content, data, name, rest)
    if "model" in content:
        return tokenizers_json.read(content, name, rest)
    if tekken_file.is_like(content):
        return tekken_file.read(content, name, rest)
    refuse(message("The file is JSON, but not a tokenizer's."), _ONE_OF, _CHOOSE)
