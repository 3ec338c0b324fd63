"""Detection of the kind of original files by content, for the proof by their own library."""

from __future__ import annotations

from collections.abc import Mapping

from bpe_core.errors import FormatError
from bpe_core.formats import bpe_lab, gpt2_files, sentencepiece_file, tekken_file, tiktoken_file
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.file_choice import VOCAB, files_of_one
from bpe_core.formats.packed import unpacked
from bpe_core.formats.reading import THE_FILE, an_object
from bpe_core.language import message


def original_format(files: Mapping[str, bytes]) -> tuple[str, dict[str, bytes]]:
    """Kind of the files, and those that `from_files` reads, decompressed.

    The kind is a format, or the read-only "clip" or "tekken". Raises FormatError for files of no known kind, as reading
    them does.

    >>> original_format({"tokenizer.json": b'{"model": {}}', "README.md": b""})
    ('tokenizers', {'tokenizer.json': b'{"model": {}}'})
    >>> original_format({"vocab.txt": b"[UNK]\\nlow\\n"})[0], original_format({"a.tiktoken": b"IQ== 0\\n"})[0]
    ('wordpiece', 'tiktoken')
    """
    read = {name: unpacked(bytes(data), name) for name, data in files_of_one(files).items()}
    return "gpt2" if VOCAB in read else _kind(next(iter(read.values()))), read


_READ = message("Tokenizer files of JSON are tokenizer.json, tekken.json and BPE Lab's.")


def _kind(data: bytes) -> str:
    if sentencepiece_file.is_like(data):
        return "sentencepiece"
    if data[:1_000].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        content = an_object(THE_FILE, parsed_json(data, limit=_READ))
        if content.get("format") == bpe_lab.FORMAT:
            return "bpe-lab"
        if "model" in content:
            return "tokenizers"
        if tekken_file.is_like(content):
            return "tekken"
        raise FormatError(
            message("The file is JSON, but not a tokenizer's."), limit=_READ, remedy=message("Choose such a file.")
        )
    if tiktoken_file.is_like(data):
        return "tiktoken"
    return "clip" if gpt2_files.ends_words(data) else "wordpiece"
