"""The heap gives the same tokens as the plain algorithm, and stays fast on an extremely long word."""

from hypothesis import given
from hypothesis import strategies as st

from bpe_core import load_pretrained, train
from bpe_core.bpe import reference
from bpe_core.bpe.word_encoding import encode_steps, encode_word

MERGES = st.dictionaries(
    st.tuples(st.integers(0, 8), st.integers(0, 8)), st.tuples(st.integers(0, 20), st.integers(3, 8)), max_size=20
)


@given(st.lists(st.integers(0, 3), max_size=40), MERGES)
def test_any_merge_table_gives_what_the_reference_gives(
    word: list[int], merges: dict[tuple[int, int], tuple[int, int]]
) -> None:
    def merge_of(left: int, right: int) -> tuple[int, int] | None:
        return merges.get((left, right))

    assert encode_word(word, merge_of) == list(reference.encoded(word, merge_of))


@given(st.lists(st.integers(0, 3), max_size=40), MERGES)
def test_steps_are_those_of_the_reference_with_consecutive_uses_of_a_pair_as_one(
    word: list[int], merges: dict[tuple[int, int], tuple[int, int]]
) -> None:
    def merge_of(left: int, right: int) -> tuple[int, int] | None:
        return merges.get((left, right))

    expected: list[reference.Applied] = []
    for applied in reference.encode(word, merge_of):
        if expected and expected[-1].pair == applied.pair:
            expected.pop()
        expected.append(applied)
    before = word.copy()
    assert list(encode_steps(word, merge_of)) == expected
    assert word == before


def test_a_word_of_ten_thousand_characters_is_traced() -> None:
    word = "it was the best of times " * 400
    gpt2 = load_pretrained("gpt2")
    steps = gpt2.trace(word)
    assert steps[0].ids == tuple(gpt2.model.explain(word)[0].ids)
    assert gpt2.decode(steps[-1].ids) == word
    assert len({step.merged for step in steps}) == len(steps)


@given(st.text("abこ日 🙂e", max_size=60))
def test_gpt2_encodes_a_word_as_the_reference_does(word: str) -> None:
    gpt2 = load_pretrained("gpt2")
    symbols = list(gpt2.trace(word)[0].ids)
    assert encode_word(symbols, gpt2.merge_of) == list(reference.encoded(symbols, gpt2.merge_of))


def test_a_hundred_thousand_characters_without_a_space_are_encoded() -> None:
    text = "日本" * 50_000  # the plain algorithm would take hours
    for tokenizer in (
        load_pretrained("gpt2"),
        train(
            "日本語",
        ).tokenizer(),
    ):
        assert tokenizer.decode(tokenizer.encode(text).ids) == text
