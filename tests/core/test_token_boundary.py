"""The reason for a boundary between two tokens: the sentence's claims are true."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ConfigError, TrainConfig, load_pretrained, train
from bpe_core.comparison.evidence import Piece, plain
from bpe_core.comparison.token_boundary import why_boundary
from bpe_core.text.alternatives import part_that_matches, pattern_parts
from bpe_core.text.splits import PATTERNS, Split
from bpe_core.wordpiece.model import wordpiece_tokenizer

NAMES = ("gpt2", "cl100k_base", "o200k_base", "bert-base-uncased", "t5-small")
TRAINED = train("the tokenizer of tokens, low lower lowest " * 5, TrainConfig(vocab_size=290)).tokenizer()
TOKENIZERS = {name: load_pretrained(name) for name in NAMES} | {"trained": TRAINED}

texts = st.text("the tokenizr's 12\n\tÉé日本🙂_-!<|endoftext|>", max_size=50) | st.text(max_size=25)


@pytest.mark.parametrize("name", TOKENIZERS)
@given(text=texts, parse=st.booleans())
def test_every_boundary_of_every_tokenizer_has_a_reason_that_is_so(name: str, text: str, parse: bool) -> None:
    tokenizer = TOKENIZERS[name]
    encoding = tokenizer.encode(text, special="parse" if parse else "text")
    for number in range(1, len(encoding)):
        reason = why_boundary(tokenizer, encoding, number)
        words = encoding.word_ids[number - 1 : number + 1]
        unknown = bool(encoding.special[number - 1 : number + 1].any())
        inside = "unknown" if unknown else "model"
        found = "special token" if (words < 0).any() else "split" if words[0] != words[1] else inside
        assert reason.kind == found
        if found in ("special token", "unknown"):
            continue
        left, right = (int(encoding.ids[at]) for at in (number - 1, number))
        explanation = reason.explanation
        if explanation.startswith("No merge joins"):
            assert tokenizer.merge_of(left, right) is None
            joined = tokenizer.token_bytes(left) + tokenizer.token_bytes(right)
            assert ("not a token of this vocabulary" in explanation) == (tokenizer.token_id(joined) is None)
        if explanation.startswith("No piece joins"):
            lacking = next(part for part in reason.sentence if isinstance(part, Piece) and part.id is None)
            assert tokenizer.token_id(lacking.data) is None
        ranks = [int(each.replace(",", "")) for each in re.findall(r"rank ([\d,]+)", explanation)]
        assert ranks == sorted(ranks, reverse=True), "the pair merged earlier has the lower rank"


@pytest.mark.parametrize("name", TOKENIZERS)
def test_the_reason_of_a_boundary_is_said_in_a_language(name: str) -> None:
    tokenizer = TOKENIZERS[name]
    encoding = tokenizer.encode("abc low 12 é日", special="text")
    for number in range(1, len(encoding)):
        reason = why_boundary(tokenizer, encoding, number)
        pseudo = plain(reason.sentence, "en-XA")
        assert pseudo.startswith("⟦")
        assert pseudo.replace("⟦", "").replace("⟧", "") == reason.explanation


@given(text=texts, split=st.sampled_from(["gpt2", "cl100k", "o200k", "words", r"\d+|[a-z]|(?:é|日)+|."]))
def test_the_named_part_of_the_pattern_alone_matches_the_word(text: str, split: str) -> None:
    assert "|".join(pattern_parts(split)) == PATTERNS.get(split, split)
    for start, end in Split(split).spans(text):
        part = part_that_matches(split, text, start, end)
        assert part in pattern_parts(split)


def test_a_joined_token_whose_parts_never_meet_is_told_with_both_ranks() -> None:
    tokenizer = train("bc bc bc bc ab ab abc", TrainConfig(vocab_size=259)).tokenizer()
    encoding = tokenizer.encode("abc")
    assert [tokenizer.token_bytes(int(i)) for i in encoding.ids] == [b"a", b"bc"]
    assert why_boundary(tokenizer, encoding, 1).explanation.startswith("No merge joins “a” (97) + “bc” (256)")


@pytest.mark.parametrize("text", ["", "a", "Hello", "<|endoftext|>"])
@pytest.mark.parametrize("number", [-1, 0, 1, 2, None])
@pytest.mark.parametrize("name", TOKENIZERS)
def test_an_encoding_without_a_boundary_has_no_reason_for_one(name: str, number: object, text: str) -> None:
    tokenizer = TOKENIZERS[name]
    encoding = tokenizer.encode(text, special="parse")
    if len(encoding) < 2:
        with pytest.raises(ConfigError, match="and no boundary"):
            why_boundary(tokenizer, encoding, number)  # type: ignore[arg-type]


def test_the_split_is_the_reason_beside_an_unknown_word_too() -> None:
    tokenizer = wordpiece_tokenizer(["[UNK]", "a", "##b"], special_tokens=["[UNK]"])
    for text in ("zz a", "a zz", "zz zz", "zz,a"):
        encoding = tokenizer.encode(text)
        kinds = {why_boundary(tokenizer, encoding, number).kind for number in range(1, len(encoding))}
        assert kinds == {"split"}
    unknown = load_pretrained("t5-small")
    assert why_boundary(unknown, unknown.encode("日"), 1).kind == "unknown"  # ▁ and <unk> are one word


@pytest.mark.parametrize("number", [0, -1, 2, True, "1"])
def test_a_number_without_a_boundary_before_it_is_refused(number: object) -> None:
    tokenizer = TOKENIZERS["gpt2"]
    with pytest.raises(ConfigError):
        why_boundary(tokenizer, tokenizer.encode("Hello world"), number)  # type: ignore[arg-type]
