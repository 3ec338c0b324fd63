"""Encoding of a word merge by merge, and the tree of a token."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import CorpusError, EncodeStep, TokenIdError, Tokenizer, TokenNode, TrainConfig, load_pretrained, train
from bpe_core.bpe import reference
from bpe_core.bpe.merge_tables import ByteRanks
from bpe_core.bundled.openai import OPENAI
from bpe_core.formats import from_bytes, to_bytes
from bpe_core.tokenizer.model import Merges
from tests.core import oracle

WORDS = [
    "",
    "a",
    " the",
    "lowest",
    " DeepSeek",
    "こんにちは",
    "aaaaaaa",
    "🙂👨‍👩‍👧",
    "\n\n    ",
    "naïve",
    "!!!?",
    "\ud800",
]


def spelled(node: TokenNode, tokenizer: Tokenizer) -> bytes:
    return b"".join(map(tokenizer.token_bytes, node.leaves()))


@given(oracle.texts, oracle.texts, oracle.configs())
def test_a_trace_goes_from_the_base_symbols_to_the_encoding_one_merge_a_step(text, word, config) -> None:
    config_of_one_word = TrainConfig(**{**vars(config), "split": "none"})
    training = train(text, config_of_one_word)
    tokenizer = training.tokenizer()
    steps = tokenizer.trace(word)
    if oracle.normalized(word, config):  # the empty text is no word and has no end-of-word mark
        assert list(steps[-1].ids) == tokenizer.encode(word).ids.tolist()
        assert list(steps[0].ids) == training.tokenizer(0).encode(word).ids.tolist()
    assert (steps[0].merged, steps[0].rank) == (None, None)
    for before, after in pairwise(steps):
        merge = training.merges[after.rank]
        assert after.merged == (merge.left, merge.right)
        assert after.ids == oracle.merged(before.ids, after.merged, merge.token_id)
    ranks = [step.rank for step in steps[1:]]
    assert ranks == sorted(set(ranks))


def test_a_trace_shows_each_merge_once_with_its_pair_and_rank() -> None:
    tokenizer = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).tokenizer()
    assert tokenizer.trace("aaabaaab") == [
        EncodeStep((97, 97, 97, 98, 97, 97, 97, 98), None, None),
        EncodeStep((256, 97, 98, 256, 97, 98), (97, 97), 0),
        EncodeStep((257, 98, 257, 98), (256, 97), 1),
        EncodeStep((258, 258), (257, 98), 2),
    ]


@pytest.mark.parametrize("name", OPENAI)
@pytest.mark.parametrize("word", WORDS)
def test_the_trace_of_a_pretrained_tokenizer_ends_in_its_encoding(name: str, word: str) -> None:
    tokenizer = load_pretrained(name)
    steps = tokenizer.trace(word)
    ids = [token_id for start in split_words(tokenizer, word) for token_id in tokenizer.trace(start)[-1].ids]
    assert ids == tokenizer.encode(word).ids.tolist()
    for before, after in pairwise(steps):
        left, right = after.merged
        joined = tokenizer.token_bytes(left) + tokenizer.token_bytes(right)
        assert after.rank == tokenizer.token_id(joined)
        assert after.ids == oracle.merged(before.ids, after.merged, after.rank)


def split_words(tokenizer, text: str) -> list[str]:
    encoding = tokenizer.encode(text)
    found: dict[int, bytes] = {}
    for token in encoding:
        found[token.word] = found.get(token.word, b"") + token.bytes
    return [word.decode() for word in found.values()]


def test_a_trace_normalizes_its_word() -> None:
    tokenizer = train("cafe", TrainConfig(split="none", lowercase=True, strip_accents=True)).tokenizer()
    assert tokenizer.trace("CAFÉ") == tokenizer.trace("cafe")


@pytest.mark.parametrize("text", [b"low", None, 5])
def test_what_is_no_text_is_neither_encoded_nor_traced(text: object) -> None:
    tokenizer = train("low lower").tokenizer()
    for act in (tokenizer.encode, tokenizer.trace):
        with pytest.raises(CorpusError, match=r"of type (bytes|NoneType|int)\. Only str is encoded\. Decode bytes"):
            act(text)  # type: ignore[operator]


# -- trees --------------------------------------------------------------------------------------------------------


@given(oracle.texts, oracle.configs())
def test_the_tree_of_every_token_is_its_merge_and_its_leaves_spell_it(text: str, config: TrainConfig) -> None:
    training = train(text, config)
    tokenizer = training.tokenizer()
    first_merge = training.vocab_size - len(training.merges)
    for token_id in [0, first_merge - 1]:
        assert tokenizer.tree(token_id) == TokenNode(token_id)
    for merge in training.merges:
        node = tokenizer.tree(merge.token_id)
        assert (node.id, node.rank, node.left.id, node.right.id) == (
            merge.token_id,
            merge.rank,
            merge.left,
            merge.right,
        )
        assert spelled(node, tokenizer) == tokenizer.token_bytes(merge.token_id)


@pytest.mark.parametrize("name", OPENAI)
@given(data=st.data())
def test_the_tree_of_a_pretrained_token_spells_it_from_merges_of_lower_rank(name: str, data: st.DataObject) -> None:
    tokenizer = load_pretrained(name)
    token_id = data.draw(st.integers(0, 50_255))
    node = tokenizer.tree(token_id)
    assert spelled(node, tokenizer) == tokenizer.token_bytes(token_id)
    pending = [node]
    while pending:
        node = pending.pop()
        if node.left is None or node.right is None:
            assert node.rank is None
            assert len(tokenizer.token_bytes(node.id)) == 1
        else:
            assert (
                node.rank
                == node.id
                > max(node.left.id if node.left.left else -1, node.right.id if node.right.left else -1)
            )
            assert tokenizer.merge_of(node.left.id, node.right.id) == (node.rank, node.id)
            pending += [node.left, node.right]


def test_a_special_token_is_a_tree_of_itself() -> None:
    assert load_pretrained("gpt2").tree(50256) == TokenNode(50256)


def test_a_chain_of_merges_as_long_as_the_vocabulary_has_a_tree() -> None:
    length = 5_000
    forced = [(97, 98), *((256 + rank, 98) for rank in range(length - 1))]
    tokenizer = train("ab", TrainConfig(vocab_size=256 + length, split="none"), forced=forced).tokenizer()
    node = tokenizer.tree(255 + length)
    depth = 0
    while node.left is not None:
        node, depth = node.left, depth + 1
    assert depth == length


@pytest.mark.parametrize("token_id", [-1, 257, 10**9, True, 1.0, "1", None])
def test_the_tree_of_no_token_is_refused(token_id: object) -> None:
    tokenizer = train("aa", TrainConfig(split="none")).tokenizer()
    with pytest.raises(TokenIdError, match=r"is not a token id of trained\. Its ids are whole numbers from 0 to 256\."):
        tokenizer.tree(token_id)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", range(20))
def test_the_parts_within_a_token_of_ranks_are_those_of_its_bytes_alone(case: int, rng: random.Random) -> None:
    texts = {"".join(rng.choices("abc", k=rng.randint(2, 7))).encode() for _ in range(40)}
    tokens = [*(bytes([value]) for value in range(256)), *rng.sample(sorted(texts), len(texts))]
    merges = ByteRanks({token: rank for rank, token in enumerate(tokens)}, tokens)
    for rank, token in enumerate(tokens[256:], 256):
        word = reference.encoded(list(token), lower_than(merges, rank))
        wanted = (word[0], word[1], rank) if len(word) == 2 else None
        assert merges.parts(rank) == wanted
        assert merges.parts_within(rank) == Merges.parts_within(merges, rank)


def lower_than(merges: ByteRanks, rank: int) -> reference.MergeOf:
    def merge_of(left: int, right: int) -> tuple[int, int] | None:
        known = merges.merge_of(left, right)
        return known if known is not None and known[0] < rank else None

    return merge_of


def test_a_long_word_and_a_long_token_are_followed_to_their_end() -> None:
    text = "".join(random.Random(0).choices("abcdefghij klmnop", k=6_000))
    tokenizer = train(text[:3_000], TrainConfig(split="none", vocab_size=5_000)).tokenizer()
    steps = tokenizer.trace(text)
    assert list(steps[-1].ids) == tokenizer.encode(text).ids.tolist()
    assert len({step.rank for step in steps}) == len(steps)
    ranks = from_bytes(to_bytes(tokenizer, format="tiktoken"), split="none")
    longest = tokenizer.vocab_size - 1
    assert ranks.tree(longest).id == longest
    assert spelled(ranks.tree(longest), ranks) == spelled(tokenizer.tree(longest), tokenizer)
