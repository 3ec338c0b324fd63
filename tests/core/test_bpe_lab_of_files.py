"""Tokenizers from other programs' files, saved in BPE Lab's own format, open again with the same ids."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from tokenizers import Tokenizer as Library

from bpe_core import train_sentencepiece
from bpe_core.errors import FormatError
from bpe_core.formats import from_bytes, to_bytes
from bpe_core.text.byte_characters import CHARACTERS
from tests.core.json_files import file_of_bytes

TEXTS = ("abc ab a", "xabcab", "<s>abc</s>")


def file(merges: Sequence[list[str]], added: Sequence[str] = (), *, wholes: bool = False) -> bytes:
    """A tokenizer.json over bytes; the merged tokens have the ids after the bytes, in any order."""
    vocab = {token: i for i, token in enumerate([*CHARACTERS, "ab", "abc", "<s>"])}
    return file_of_bytes(vocab, merges, added, ignore_merges=wholes)


UP, DOWN = [["a", "b"], ["ab", "c"]], [["ab", "c"], ["a", "b"]]
FILES = {
    "merges in order": file(UP),
    "a merge before the one that makes its part": file(DOWN, ["<s>"]),
    "the same with whole words": file(DOWN, wholes=True),
    "an added token that is a byte": file(UP, ["a"]),
    "an added token that a merge makes": file(UP, ["abc"]),
    "an added token that a merge takes": file(DOWN, ["ab"]),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_the_library_opens_again(name: str) -> None:
    library = Library.from_str(FILES[name].decode())
    again = from_bytes(to_bytes(from_bytes(FILES[name]), format="bpe-lab"))
    for special in ("parse", "text"):
        library.encode_special_tokens = special == "text"
        for text in TEXTS:
            assert again.encode(text, special=special).ids.tolist() == library.encode(text).ids


def test_a_token_that_is_listed_and_made_otherwise_is_refused() -> None:
    saved = json.loads(to_bytes(from_bytes(FILES["a merge before the one that makes its part"]), format="bpe-lab"))
    assert [token_id for token_id, _ in saved["tokens"]] == [256]
    saved["tokens"] = [[256, "eHk="]]
    with pytest.raises(FormatError, match="makes the token 256, which is another one"):
        from_bytes(json.dumps(saved).encode())


def test_a_sentencepiece_model_with_many_control_tokens_opens_again() -> None:
    trained = train_sentencepiece("hug hug hugs pug", 16).model
    entries = []
    for i in range(25_000):
        piece = f"<c{i}>".encode()
        entry = b"\n" + bytes([len(piece)]) + piece + b"\x15\0\0\0\0\x18\x03"
        entries.append(b"\n" + bytes([len(entry)]) + entry)
    tokenizer = from_bytes(trained + b"".join(entries))
    again = from_bytes(to_bytes(tokenizer, format="bpe-lab"))
    assert again.special_tokens == tokenizer.special_tokens
    assert again.encode("hugs pug").ids.tolist() == tokenizer.encode("hugs pug").ids.tolist()
