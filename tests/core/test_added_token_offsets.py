"""Offsets next to added tokens that begin or end inside a character's expansion, against the tokenizers library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bpe_core.formats.tokenizers_json import read
from bpe_core.tokenizer.origins import Origins
from bpe_core.tokenizer.tokenizer import Tokenizer
from tests.core.json_files import BERT_NORMALIZER, added_token, json_file, peer_of_file
from tests.draws import examples

Json = dict[str, Any]
PARTS = ["a", "㎏", "ﬃ", "x", " ", "é", "e\u0301", "İ", "日", "ｋ", "g", "ab", "㎞", "K", "<u>"]
CHARS = [*dict.fromkeys("akgfibcxmKIslue<>▁ 日\u0301\u0307" + "".join(PARTS))]
NAMES = ["g", "k", "f", "i", "b", "c", "ab", "gk", "bc", "\u0301", "▁", "<u>", "e", "日", "İ", " "]


def replaced(old: str, new: str) -> Json:
    return {"type": "Replace", "pattern": {"String": old}, "content": new}


def several(*steps: Json) -> Json:
    return {"type": "Sequence", "normalizers": list(steps)}


LLAMA = several({"type": "Prepend", "prepend": "▁"}, replaced(" ", "▁"))
NORMALIZERS = [
    *({"type": name} for name in ("NFKC", "NFKD", "NFD", "NFC", "Lowercase")),
    replaced("x", "abc"),
    replaced("a", ""),
    LLAMA,
    several({"type": "NFKD"}, {"type": "StripAccents"}),
    several({"type": "NFKC"}, {"type": "Lowercase"}),
    several(replaced("x", "abc"), replaced("b", "gk")),
    several({"type": "Lowercase"}, {"type": "Prepend", "prepend": "k"}),
    BERT_NORMALIZER,
]


def file(normalizer: Json | None, added: list[tuple[str, bool, bool]]) -> Json:
    vocab = {char: i for i, char in enumerate(CHARS)}
    tokens = [
        added_token(name, vocab.get(name, len(vocab) + at), normalized=normalized, special=special)
        for at, (name, normalized, special) in enumerate(added)
    ]
    model = {"type": "BPE", "vocab": vocab, "merges": []}
    return json_file(added_tokens=tokens, normalizer=normalizer, model=model)


def offsets(tokenizer: Tokenizer, text: str) -> tuple[list[int], list[tuple[int, int]]]:
    encoding = tokenizer.encode(text, special="parse")
    assert encoding.normalized.original == text
    pieces = Origins(encoding.normalized).pieces(encoding.starts.astype(np.int64), encoding.ends.astype(np.int64))
    return encoding.ids.tolist(), list(zip(pieces.starts.tolist(), pieces.ends.tolist(), strict=True))


def theirs(content: Json, text: str) -> tuple[list[int], list[tuple[int, int]]]:
    found = peer_of_file(content).encode(text, add_special_tokens=False)
    return found.ids, found.offsets


@pytest.mark.parametrize(
    ("normalizer", "name", "text", "expected"),
    [
        ({"type": "NFKC"}, "g", "㎏", [(0, 1), (0, 1)]),
        ({"type": "NFKC"}, "g", "a㎏", [(0, 1), (1, 2), (1, 2)]),
        ({"type": "NFKC"}, "f", "aﬃa", [(0, 1), (1, 2), (1, 2), (1, 2), (2, 3)]),
        (replaced("x", "abc"), "b", "kxk", [(0, 1), (1, 2), (1, 2), (1, 2), (2, 3)]),
        (LLAMA, "<u>", " <u>", [(0, 1), (0, 4)]),
    ],
)
def test_both_sides_of_a_character_that_a_token_divides_have_it(normalizer, name, text, expected):
    content = file(normalizer, [(name, True, False)])
    assert offsets(read(content), text)[1] == theirs(content, text)[1] == expected


@given(
    st.sampled_from(NORMALIZERS),
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.booleans(), st.booleans()), max_size=4, unique_by=lambda each: each[0]
    ),
    st.lists(st.sampled_from(PARTS), max_size=6).map("".join),
)
@settings(max_examples=examples(600))
def test_offsets_are_those_of_the_library(normalizer, added, text):
    content = file(normalizer, added)
    library = peer_of_file(content)
    found = [library.normalizer.normalize_str(name) for name, normalized, _ in added if normalized]
    assume("" not in found and len(set(found)) == len(found))  # of two that become equal, the library may match either
    assert offsets(read(content), text) == theirs(content, text)
