"""Tokens of a byte vocabulary not written as bytes: no text encodes to them, and files keep their spelling."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers
from tokenizers import Tokenizer as Library

from bpe_core.formats import from_bytes, to_bytes
from bpe_core.text.byte_characters import CHARACTERS, byte_level
from tests.core.json_files import added_token, file_of_bytes, peer_of, peer_of_file

RAW, SPELLED = "猫", byte_level("猫".encode())
MERGES = [[SPELLED[0], SPELLED[1]], [SPELLED[:2], SPELLED[2]]]
TEXTS = ("猫", "a 猫猫 b", "hi hi", "hi猫 <x>")


def file(
    tokens: Sequence[str], added: Sequence[str] = (), merges: Sequence[list[str]] = (), *, wholes: bool = False
) -> bytes:
    """A tokenizer.json with these tokens besides one for every byte."""
    vocab = {token: token_id for token_id, token in enumerate([*CHARACTERS, *tokens])}
    return file_of_bytes(vocab, merges, added, ignore_merges=wholes)


FILES = {
    "a token that is no bytes": file([RAW]),
    "the same bytes twice": file([RAW, SPELLED[:2], SPELLED], merges=MERGES),
    "the same bytes twice, one added": file([RAW, SPELLED[:2], SPELLED], [RAW], MERGES),
    "whole words": file([RAW], wholes=True),
    "whole words, the token added": file([RAW], [RAW], wholes=True),
    "whole words, one of them added": file(["hi"], ["hi"], wholes=True),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("special", ["parse", "text"])
def test_a_file_gives_the_ids_of_the_library(name: str, special: str) -> None:
    library, tokenizer = Library.from_str(FILES[name].decode()), from_bytes(FILES[name])
    library.encode_special_tokens = special == "text"
    for text in TEXTS:
        ids = library.encode(text).ids
        assert tokenizer.encode(text, special=special).ids.tolist() == ids
        assert tokenizer.decode(ids) == library.decode(ids, skip_special_tokens=False)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_saved_with_the_tokens_and_ids_that_it_had(name: str) -> None:
    library = Library.from_str(FILES[name].decode())
    again = peer_of(from_bytes(FILES[name]))
    assert again.get_vocab() == library.get_vocab()
    for text in TEXTS:
        for as_text in (False, True):
            library.encode_special_tokens = again.encode_special_tokens = as_text
            assert again.encode(text).ids == library.encode(text).ids


def test_an_added_token_of_spaces_is_saved_beside_the_token_of_the_same_bytes() -> None:
    content = json.loads(file(["ĠĠ"], merges=[["Ġ", "Ġ"]]))
    content["added_tokens"] = [added_token("  ", 257, normalized=True)]
    library, tokenizer = peer_of_file(content), from_bytes(json.dumps(content).encode())
    for format in ("tokenizers", "bpe-lab"):
        again = from_bytes(to_bytes(tokenizer, format=format))
        for text in ("a  b", "   a", "     "):
            assert again.encode(text).ids.tolist() == library.encode(text).ids


def test_wordpiece_with_an_added_token_that_takes_spaces_is_saved_with_its_decoder() -> None:
    peer = Library(models.WordPiece({"[UNK]": 0, "low": 1, "##er": 2, "<mask>": 3}, unk_token="[UNK]"))
    peer.normalizer, peer.pre_tokenizer = normalizers.NFKC(), pre_tokenizers.WhitespaceSplit()
    peer.decoder = decoders.WordPiece("##", False)
    peer.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    again = peer_of(from_bytes(peer.to_str().encode()))
    ids = peer.encode("lower low <mask>").ids
    assert again.encode("lower low <mask>").ids == ids
    assert again.decode(ids) == peer.decode(ids) == "lower low"
