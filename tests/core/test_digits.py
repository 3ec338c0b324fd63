"""Splits that group digits by one, and by three from either side."""

import pytest
import regex
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import ConfigError, TrainConfig, train
from bpe_core.formats import from_bytes, to_bytes
from bpe_core.text.digits import DIGITS, SPLITS_WITH_DIGITS, digits_of, with_digits
from bpe_core.text.splits import Split
from tests.draws import examples

NUMBERS = "1 12 123 1234 12345 123456 1234567 12345678, 3.14159; 1,000,000 a12b3456 ½²٣٤٥٦ x1234567890123"
mixed = st.text(st.sampled_from("0123456789²٣५ a.,'\n") | st.characters(codec="utf-8"), max_size=40)
composed = pytest.mark.parametrize("split", SPLITS_WITH_DIGITS)


def grouped(number, digits):
    """The oracle: groups of a run of digits."""
    if digits == "one":
        return list(number)
    if digits == "left":
        return [number[at : at + 3] for at in range(0, len(number), 3)]
    first = len(number) % 3
    return [each for each in (number[:first], *(number[at : at + 3] for at in range(first, len(number), 3))) if each]


@composed
@pytest.mark.parametrize("digits", ["one", "left", "right"])
@settings(max_examples=examples(60))
@given(text=mixed)
def test_every_run_of_digits_is_grouped_and_nothing_is_lost(split, digits, text):
    words = Split(with_digits(split, digits)).words(text)
    assert "".join(words) == text
    runs = regex.findall(r"\p{N}+", text)
    assert [word for word in words if regex.match(r"\p{N}", word)] == [
        group for run in runs for group in grouped(run, digits)
    ]


@composed
@settings(max_examples=examples(60))
@given(text=st.text(st.characters(exclude_categories=["Nd", "Nl", "No"], codec="utf-8"), max_size=40))
def test_a_text_without_digits_has_the_words_of_the_named_split(split, text):
    for digits in DIGITS:
        assert Split(with_digits(split, digits)).words(text) == Split(split).words(text)


@composed
@pytest.mark.parametrize("digits", DIGITS)
def test_the_tokenizers_library_gives_the_same_ids_with_the_file(split, digits):
    mine = train(NUMBERS * 3, TrainConfig(vocab_size=330, split=with_digits(split, digits))).tokenizer()
    file = to_bytes(mine, format="tokenizers")
    theirs = tokenizers.Tokenizer.from_str(file.decode())
    for text in (NUMBERS, "9876543210 + 1 =", " 1234  56789\n1234"):
        assert theirs.encode(text, add_special_tokens=False).ids == mine.encode(text).ids.tolist()
        assert from_bytes(file, "x.json").encode(text).ids.tolist() == mine.encode(text).ids.tolist()


@composed
def test_the_grouping_of_a_split_is_read_back(split):
    for digits in DIGITS:
        made = with_digits(split, digits)
        assert with_digits(*digits_of(made)) == made
    assert digits_of(split) == (split, "split")


@pytest.mark.parametrize("given", [("words", "one"), ("gpt2", "two"), (None, "one")])
def test_other_splits_and_groupings_are_refused(given):
    with pytest.raises(ConfigError):
        with_digits(*given)
