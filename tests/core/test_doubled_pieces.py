"""Unigram files with several ids of the same name: the tokens that decoding omits, against the tokenizers library."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core.formats.tokenizers_json import read
from tests.core.json_files import added_token, json_file, peer_of_file
from tests.draws import examples

Json = dict[str, Any]
NAMES = ["<unk>", "<s>", "</s>", "a", "▁a", "B", "b"]
NORMALIZERS: list[Json | None] = [None, {"type": "Lowercase"}]
DECODERS: list[Json | None] = [
    None,
    {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
    {"type": "Fuse"},
]


def file(pieces: list[str], added: list[Json], normalizer: Json | None = None, decoder: Json | None = None) -> Json:
    model = {"type": "Unigram", "unk_id": 0, "vocab": [[piece, -float(i)] for i, piece in enumerate(pieces)]}
    return json_file(added_tokens=added, normalizer=normalizer, decoder=decoder, model=model)


def token(content: str, token_id: int, *, special: bool = True, normalized: bool = False) -> Json:
    return added_token(content, token_id, special=special, normalized=normalized)


def test_a_piece_that_is_spelled_as_a_special_token_is_left_out_under_every_id():
    content = file(["x", "<unk>", "a", "<unk>"], [token("<unk>", 3)])
    tokenizer = read(content)
    assert tokenizer.decode([2, 1, 2], skip_special=True) == "a a"
    assert tokenizer.decode_parts([2, 1, 3, 2], skip_special=True) == [b"a", b" a"]
    assert tokenizer.decode([2, 1, 2]) == peer_of_file(content).decode([2, 1, 2], False) == "a <unk> a"


@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=10),
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.booleans(), st.booleans()), max_size=4, unique_by=lambda each: each[0]
    ),
    st.sampled_from(NORMALIZERS),
    st.sampled_from(DECODERS),
    st.data(),
)
@settings(max_examples=examples(400))
def test_what_is_left_out_is_what_the_library_leaves_out(pieces, added, normalizer, decoder, data):
    ids = {piece: i for i, piece in enumerate(pieces)}
    new = [name for name, _, _ in added if name not in ids]
    ids |= {name: len(pieces) + at for at, name in enumerate(new)}
    tokens = [token(name, ids[name], special=special, normalized=each) for name, special, each in added]
    content = file(pieces, sorted(tokens, key=lambda each: each["id"]), normalizer, decoder)
    library, tokenizer = peer_of_file(content), read(content)
    given_ids = data.draw(st.lists(st.sampled_from(range(len(pieces) + len(new))), max_size=12))
    for skips in (False, True):
        assert tokenizer.decode(given_ids, skip_special=skips) == library.decode(given_ids, skips)
