"""Piece and word models of tokenizer files: compiled, plain, and against the tokenizers library."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_core import CorpusError, UnigramModel, WordPieceModel
from bpe_core.kernels.pieces import PieceTree, longest_matches
from bpe_core.kernels.scan import WordTable
from bpe_core.tokenizer.model import Model
from bpe_core.tokenizer.piece_trie import PieceTrie
from bpe_core.wordlevel.model import WordLevelModel
from tests.draws import Outcomes

LETTERS = "abéß東😀▁#"
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
pieces = st.text(LETTERS, min_size=1, max_size=4)
words = st.text(LETTERS + "xß<", min_size=1, max_size=12) | st.text(min_size=1, max_size=6)
scores = st.sampled_from([0.0, -1.0, -2.0, -0.1, -0.30000000000000004, -7.25]) | st.floats(-20, 1)

Found = list[tuple[int, int]] | None
"""The tokens of a word: id and end in characters. None if the word cannot be encoded."""


def by_library(model: Any, word: str) -> Found:
    try:
        found = LibraryTokenizer(model).encode(word)
    except Exception:
        return None
    return [(token_id, end) for token_id, (_, end) in zip(found.ids, found.offsets, strict=True)]


def ends(word: str, ids: list[int], lengths: list[int], is_byte: Callable[[int], bool] = lambda _: False) -> Found:
    """Our tokens in the library's form: a byte token ends where its whole run of unknown text ends."""
    edges, at = [], 0
    for length in lengths:
        at += length
        edges.append(at)
    for i in reversed(range(len(ids) - 1)):
        if is_byte(ids[i]) and lengths[i] == 1 and is_byte(ids[i + 1]) and lengths[i + 1] == 1:
            edges[i] = edges[i + 1]
    data = word.encode()
    return [(token_id, len(data[:edge].decode())) for token_id, edge in zip(ids, edges, strict=True)]


def check(
    outcomes: Outcomes,
    model: Model,
    library: Any,
    given_words: list[str],
    is_byte: Callable[[int], bool] = lambda _: False,
) -> None:
    """Assert that the plain and the compiled tokens of each word equal the library's."""
    for word in given_words:
        expected = by_library(library, word)
        outcomes.count(expected is not None)
        if expected is None:
            with pytest.raises(CorpusError, match="cannot be encoded"):
                model.encode_word(word)
            with pytest.raises(CorpusError, match="cannot be encoded"):
                model.encode_words(WordTable.of([word.encode()]))
            continue
        plain = model.encode_word(word)
        assert ends(word, list(plain.ids), list(plain.lengths), is_byte) == expected
        assert sum(plain.lengths) == len(word.encode())
    known = [word for word in dict.fromkeys(given_words) if by_library(library, word) is not None]
    found = model.encode_words(WordTable.of([word.encode() for word in known]))
    plain_tokens = [model.encode_word(word) for word in known]
    assert found.words.symbols.tolist() == [token_id for tokens in plain_tokens for token_id in tokens.ids]
    assert found.lengths.tolist() == [length for tokens in plain_tokens for length in tokens.lengths]
    assert [b - a for a, b in zip(found.words.offsets.tolist(), found.words.offsets.tolist()[1:], strict=False)] == [
        len(tokens.ids) for tokens in plain_tokens
    ]


@pytest.mark.floor(refused=60, accepted=120)
@given(
    st.dictionaries(pieces, st.integers(0, 60), max_size=14),
    st.sampled_from(["##", "", "▁", "b"]),
    st.sampled_from(["[UNK]", "a", "ab"]),
    st.booleans(),
    st.integers(1, 9),
    st.lists(words, min_size=1, max_size=5),
)
def test_longest_matches_are_those_of_the_library(
    outcomes: Outcomes,
    found: dict[str, int],
    prefix: str,
    unknown: str,
    has_unknown: bool,
    longest: int,
    given_words: list[str],
) -> None:
    vocab = {piece: token_id for token_id, piece in {token_id: piece for piece, token_id in found.items()}.items()}
    if has_unknown:
        vocab.setdefault(unknown, 70)
    by_id: list[str | None] = [None] * 71
    for piece, token_id in vocab.items():
        by_id[token_id] = piece
    library = models.WordPiece(
        vocab, unk_token=unknown, continuing_subword_prefix=prefix, max_input_chars_per_word=longest
    )
    model = WordPieceModel(by_id, unknown=unknown, prefix=prefix, longest_word=longest, matches_special=True)
    check(outcomes, model, library, [*given_words, *list(vocab)[:3]])


@pytest.mark.floor(refused=30, accepted=120)
@given(st.dictionaries(pieces, st.integers(0, 60), max_size=14), st.booleans(), st.lists(words, min_size=1, max_size=5))
def test_whole_words_are_those_of_the_library(
    outcomes: Outcomes, found: dict[str, int], has_unknown: bool, given_words: list[str]
) -> None:
    vocab = {piece: token_id for token_id, piece in {token_id: piece for piece, token_id in found.items()}.items()}
    if has_unknown:
        vocab["<unk>"] = 70
    by_id: list[str | None] = [None] * 71
    for piece, token_id in vocab.items():
        by_id[token_id] = piece
    check(outcomes, WordLevelModel(by_id), models.WordLevel(vocab, unk_token="<unk>"), [*given_words, *list(vocab)[:3]])


@pytest.mark.floor(refused=20, accepted=40)
@given(
    st.lists(st.tuples(pieces | st.sampled_from(["<unk>", "<0x61>", "<"]), scores), min_size=1, max_size=16),
    st.none() | st.integers(0, 15),
    st.sampled_from(["no bytes", "all bytes", "some bytes"]),
    st.booleans(),
    st.lists(words, min_size=1, max_size=5),
)
@example([("<unk>", 0.0), ("東東", -3.0), ("a", -1.0)], 0, "no bytes", False, ["東東東", "東", "a東a", "<unk>x"])
@example([("a", -1.0), ("ab", -9.0)], None, "no bytes", False, ["ab", "aab", "b"])
@example([("a", -1.0), ("a", -2.0), ("aa", -3.0), ("aa", -4.0)], 0, "all bytes", True, ["aaa", "é", "<0x61>"])
def test_best_paths_are_those_of_the_library(
    outcomes: Outcomes,
    vocab: list[tuple[str, float]],
    unknown: int | None,
    with_bytes: str,
    fallback: bool,
    given_words: list[str],
) -> None:
    added = {"no bytes": [], "all bytes": BYTES, "some bytes": BYTES[:200]}[with_bytes]
    vocab = [*vocab, *((piece, -4.0) for piece in added)]
    if unknown is not None:
        unknown %= len(vocab)
    library = models.Unigram(vocab, unk_id=unknown, byte_fallback=fallback)
    model = UnigramModel.of_vocabulary(vocab, unknown_id=unknown, byte_fallback=fallback)
    byte_ids = {token_id for token_id, (piece, _) in enumerate(vocab) if piece in BYTES}
    check(outcomes, model, library, given_words, lambda token_id: fallback and token_id in byte_ids)


@given(
    st.dictionaries(pieces, st.sampled_from([1.0, 2.0, 0.1, 0.30000000000000004]) | st.floats(0, 20), max_size=14),
    st.lists(words, min_size=1, max_size=6, unique=True),
)
def test_compiled_and_plain_tokens_of_an_own_unigram_are_the_same(
    found: dict[str, float], given_words: list[str]
) -> None:
    model = UnigramModel(found)
    marked = [*given_words, *(f" {word}" for word in given_words)]
    marked = list(dict.fromkeys(marked))
    plain = [model.encode_word(word) for word in marked]
    compiled = model.encode_words(WordTable.of([word.encode() for word in marked]))
    assert compiled.words.symbols.tolist() == [token_id for tokens in plain for token_id in tokens.ids]
    assert compiled.lengths.tolist() == [length for tokens in plain for length in tokens.lengths]


@given(
    st.dictionaries(pieces, st.none(), min_size=1, max_size=14),
    st.lists(words, min_size=1, max_size=6, unique=True),
    st.integers(0, 5),
)
def test_compiled_and_plain_tokens_of_an_own_wordpiece_are_the_same(
    found: dict[str, None], given_words: list[str], longest: int
) -> None:
    model = WordPieceModel(
        ["[UNK]", *found, *(f"##{piece}" for piece in found if f"##{piece}" not in found)],
        special_ids=[0, 1],
        longest_word=longest,
    )
    plain = [model.encode_word(word) for word in given_words]
    compiled = model.encode_words(WordTable.of([word.encode() for word in given_words]))
    assert compiled.words.symbols.tolist() == [token_id for tokens in plain for token_id in tokens.ids]
    assert compiled.lengths.tolist() == [length for tokens in plain for length in tokens.lengths]


@given(st.lists(st.text("aé東", max_size=5), max_size=20), st.text("aé東", max_size=12))
def test_all_pieces_that_begin_at_a_place_are_found(found: list[str], text: str) -> None:
    numbers = {piece: number for number, piece in enumerate(found)}
    trie = PieceTrie((piece, number) for number, piece in enumerate(found))
    for start in range(len(text)):
        expected = [
            (end, numbers[text[start:end]]) for end in range(start + 1, len(text) + 1) if text[start:end] in numbers
        ]
        assert list(trie.matches(text, start)) == expected


@given(st.lists(st.binary(max_size=6), max_size=40), st.binary(min_size=1, max_size=20))
def test_the_tree_of_the_kernels_grows_with_its_pieces(found: list[bytes], text: bytes) -> None:
    every = [*found, *(bytes([byte]) for byte in range(256))]
    numbers = {piece: number for number, piece in enumerate(every)}
    tree = PieceTree(every, range(len(every)))
    expected, at = [], 0
    while at < len(text):
        end = next(end for end in range(len(text), at, -1) if text[at:end] in numbers)
        expected.append(numbers[text[at:end]])
        at = end
    assert longest_matches(text, [0, len(text)], tree, tree).ids.tolist() == expected


def test_a_word_of_a_megabyte_is_encoded() -> None:
    word = "hug" * 400_000
    model = UnigramModel.of_vocabulary([("<unk>", 0.0), ("h", -2.0), ("u", -2.0), ("hu", -3.0)], unknown_id=0)
    assert model.encode_words(WordTable.of([word.encode()])).words.symbols.tolist() == [3, 0] * 400_000
    assert (
        len(WordPieceModel(["[UNK]", "h", "##u", "##g", "##h"]).encode_words(WordTable.of([word.encode()]))[1])
        == 1_200_000
    )


def test_an_unknown_character_is_an_edge_of_the_lattice_of_a_file() -> None:
    model = UnigramModel.of_vocabulary([("<unk>", 0.0), ("h", -2.0)], unknown_id=0)
    assert [(edge.piece, edge.score, edge.chosen) for edge in model.explain("hx")] == [
        ("h", 2.0, True),
        ("x", 12.0, True),
    ]
    assert [found.pieces for found in model.segmentations("hx")] == [("h", "x")]
