"""Vocabularies in which several tokens share an id, against the tokenizers library."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core.formats import from_bytes, from_files, to_bytes
from bpe_core.formats.tokenizers_json import read, write
from bpe_core.text.byte_characters import CHARACTERS
from tests.core.json_files import WORDPIECE, json_file, peer_of_file
from tests.draws import Outcomes, examples

Json = dict[str, Any]
PIECES = ["a", "b", "c", "ab", "ca", "##a", "##b", "##ab", "##c", "abc", "<unk>"]
MERGES = [["a", "b"], ["c", "a"], ["ab", "c"], ["b", "c"]]
TEXTS = st.lists(st.sampled_from(["a", "b", "c", "ab", "x", " ", "abc", "ca"]), max_size=10).map("".join)
FULL = [*PIECES[:5], "abc", "bc", "<unk>"]


def content(model: Json, **more: Json) -> Json:
    return json_file(**{"model": model, "pre_tokenizer": {"type": "Whitespace"}} | more)


def models(vocab: dict[str, int], wholes: bool) -> list[Json]:
    merges = [pair for pair in MERGES if {*pair, "".join(pair)} <= vocab.keys()]
    return [
        {"type": "BPE", "vocab": vocab, "merges": merges, "unk_token": "<unk>", "ignore_merges": wholes},
        {"type": "WordLevel", "vocab": vocab, "unk_token": "<unk>"},
        {**WORDPIECE, "vocab": vocab, "unk_token": "<unk>", "max_input_chars_per_word": 5},
    ]


@pytest.mark.floor(accepted=450)
@given(st.dictionaries(st.sampled_from(PIECES + FULL), st.sampled_from(range(6))), st.booleans(), TEXTS)
@settings(max_examples=examples(300))
def test_texts_get_the_ids_of_the_library(outcomes: Outcomes, vocab: dict[str, int], wholes: bool, text: str) -> None:
    vocab = {"<unk>": 0} | vocab
    spelled = {i: {token for token in vocab if vocab[token] == i} for i in vocab.values()}
    for model in models(vocab, wholes):
        made = [vocab["".join(pair)] for pair in model.get("merges", [])]
        if len(set(made)) < len(made):
            continue  # docs/formats.md: the library may apply one of these merges at the rank of the other
        outcomes.accepted += 1
        file = content(model)
        theirs = peer_of_file(file).encode(text)
        for tokenizer in (read(file), read(json.loads(write(read(file))))):
            encoding = tokenizer.encode(text)
            assert encoding.ids.tolist() == theirs.ids
            assert list(zip(encoding.char_starts.tolist(), encoding.char_ends.tolist(), strict=True)) == theirs.offsets
            assert all(tokenizer.token(i) in names for i, names in spelled.items())
            assert all(tokenizer.token_id(token.encode()) == i for token, i in vocab.items())
            assert tokenizer.ids == sorted(spelled)


@pytest.mark.parametrize("wholes", [False, True])
def test_a_vocab_json_with_an_id_of_two_words_is_opened(wholes: bool) -> None:
    vocab = {char: i for i, char in enumerate(CHARACTERS)} | {"lo": 256, "ow": 256, "low": 257, "hi": 257}
    merges = ["l o", "o w", "lo w"]
    levels = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "vocab": vocab, "merges": merges, "ignore_merges": wholes}
    file = content(model, pre_tokenizer=levels, decoder=levels)
    library = peer_of_file(file)
    merges_txt = "".join(line + "\n" for line in merges).encode()
    opened = [read(file)]
    if not wholes:
        opened.append(from_files({"vocab.json": json.dumps(vocab).encode(), "merges.txt": merges_txt}))
    for tokenizer in opened:
        for text in ("low", "owl", "ow", "hi low", "lol"):
            assert tokenizer.encode(text).ids.tolist() == library.encode(text).ids
        assert tokenizer.decode([256, 257]) == "lolow"
        again = from_bytes(to_bytes(tokenizer, format="bpe-lab"))
        assert again.encode("hi owl").ids.tolist() == library.encode("hi owl").ids
