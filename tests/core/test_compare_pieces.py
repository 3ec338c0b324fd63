"""compare: why tokenizers based on pieces segment differently, from each other and from those that merge."""

import re
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import (
    Comparison,
    Disagreement,
    Tokenizer,
    TrainConfig,
    UnigramModel,
    compare,
    load_pretrained,
    train,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
    unigram_tokenizer,
    wordpiece_tokenizer,
)
from tests.draws import examples

CORPORA = (
    "hug hugs pug pugs bug bun hugging",
    "low lower lowest, newer new. 1 12 123",
    "äpfel apfel ap fel 木の葉 葉の木",
)
WITHOUT_MERGES = ("WordPiece", "Unigram", "SentencePiece unigram")
KINDS = (*WITHOUT_MERGES, "SentencePiece bpe", "BPE")


@lru_cache(maxsize=64)
def trained(kind: str, corpus: str, size: int) -> Tokenizer:
    """A small tokenizer of a kind."""
    if kind == "WordPiece":
        return train_wordpiece(corpus, size).tokenizer()
    if kind == "Unigram":
        return train_unigram(corpus, size).tokenizer()
    if kind == "BPE":
        return train(corpus, TrainConfig(unit="char", vocab_size=size)).tokenizer()
    model_type = "bpe" if kind.endswith("bpe") else "unigram"
    return train_sentencepiece(corpus, size, model_type=model_type).tokenizer()


tokenizers = st.builds(trained, st.sampled_from(KINDS), st.sampled_from(CORPORA), st.sampled_from([40, 60]))
texts = st.lists(
    st.sampled_from([*" ".join(CORPORA).split(), " ", "  ", "\n", "#", "▁", "x", "é", "ﬁ", "pugx", "hugé", "ws", "gs"]),
    max_size=6,
).map("".join) | st.text(alphabet="hugspblowéﬁ木#▁ \n", max_size=12)


def only(text: str, left: Tokenizer, right: Tokenizer) -> Disagreement:
    """The one disagreement of two tokenizers, named left and right."""
    [found] = compare(text, {"left": left, "right": right}).disagreements("left", "right")
    return found


def sides(comparison: Comparison, found: Disagreement) -> list[int]:
    """The boundaries inside a disagreement that only one of the two tokenizers has."""
    mine, other = (set(comparison.boundaries(name).tolist()) for name in ("left", "right"))
    return [at for at in mine ^ other if found.start < at < found.end]


@settings(max_examples=examples(150))
@given(texts, tokenizers, tokenizers)
def test_disagreements_hold_every_boundary_that_is_not_shared(text: str, left: Tokenizer, right: Tokenizer) -> None:
    comparison = compare(text, {"left": left, "right": right})
    mine, other = (set(comparison.boundaries(name).tolist()) for name in ("left", "right"))
    found = comparison.disagreements("left", "right")
    assert sorted(at for each in found for at in sides(comparison, each)) == sorted(mine ^ other)
    for each in found:
        assert sides(comparison, each)
        assert comparison.reason("left", "right", each.start, each.end).explanation == each.explanation


@settings(max_examples=examples(150))
@given(texts, tokenizers, tokenizers)
def test_only_tokenizers_that_merge_are_said_to(text: str, left: Tokenizer, right: Tokenizer) -> None:
    for found in compare(text, {"left": left, "right": right}).disagreements("left", "right"):
        if all(side.model.rule in ("longest match", "best score") for side in (left, right)):
            assert found.cause != "earlier merge"
            assert not re.search(r"merge|rank", found.explanation)
        assert "left" in found.explanation
        assert "right" in found.explanation


@settings(max_examples=examples(150))
@given(texts, tokenizers)
def test_tokens_lie_in_the_text_in_order_and_marks_cover_no_letter(text: str, tokenizer: Tokenizer) -> None:
    comparison = compare(text, {"left": tokenizer})
    data = comparison.text.encode()
    starts, ends = comparison.offsets("left")
    assert (starts[1:] >= ends[:-1]).all()
    assert (starts <= ends).all()
    assert not len(ends) or ends[-1] <= len(data)
    if tokenizer.model.merges is not None or comparison.encoding("left").normalized.spans is not None:
        return
    for token, start, end in zip(comparison.encoding("left"), starts.tolist(), ends.tolist(), strict=True):
        if not token.special:
            plain = token.bytes.decode().removeprefix("##").replace("▁", " ").strip(" ")
            assert data[start:end].decode().replace("▁", " ").strip(" ") == plain


@settings(max_examples=examples(150))
@given(texts, st.sampled_from(CORPORA), st.sampled_from([40, 60]), tokenizers)
def test_the_best_score_is_never_the_lower_one(text: str, corpus: str, size: int, right: Tokenizer) -> None:
    for kind in ("Unigram", "SentencePiece unigram"):
        left = trained(kind, corpus, size)
        for found in compare(text, {"left": left, "right": right}).disagreements("left", "right"):
            scores = re.search(
                r"left takes the segmentation with the best [^:]*: (-\d+\.\d+) against (-\d+\.\d+) for",
                found.explanation,
            )
            if scores:
                assert float(scores[1]) >= float(scores[2])


# -- causes with their evidence --------------------------------------------------------------------------------

GPT2 = load_pretrained("gpt2")


def wordpiece(*pieces: str) -> Tokenizer:
    return wordpiece_tokenizer(["[UNK]", *pieces], special_tokens=["[UNK]"])


def unigram(**scores: float) -> Tokenizer:
    return unigram_tokenizer(UnigramModel({piece.replace("_", "▁"): score for piece, score in scores.items()}))


def test_the_longest_match_is_no_merge() -> None:
    left = wordpiece("hug", "hu", "h", "##s", "##gs", "##g")
    right = unigram(_=1.0, _hug=9.0, _hu=1.0, gs=1.0, s=9.0, g=5.0)
    found = only("hugs", left, right)
    assert found.cause == "choice"
    assert found.explanation == (
        "Both have all of these tokens; they choose by different rules. left works from left to right and always takes "
        "the longest token that fits: “hug” (1), then “##s” (4). It does not look ahead at what is left. right takes "
        "the segmentation with the best total score, “▁hu” (3) + “gs” (4): -2.00 against -18.00 for “▁hug” + “s” (log "
        "probabilities; 0 would be the best)."
    )


def test_two_models_with_the_same_pieces_differ_in_their_scores() -> None:
    left, right = unigram(_ab=1.0, c=1.0, _a=2.0, bc=2.0), unigram(_ab=2.0, c=2.0, _a=1.0, bc=1.0)
    found = only("abc", left, right)
    assert found.cause == "choice"
    assert (
        "their scores decide. left takes the segmentation with the best total score, “▁ab” (1) + “c” (2): -2.00 "
        "against -4.00" in found.explanation
    )


def test_a_word_that_gets_stuck_is_unknown_as_a_whole() -> None:
    found = only("hugs", wordpiece("hug"), wordpiece("hug", "##s"))
    assert (found.cause, found.start, found.end) == ("missing token", 0, 4)
    assert found.explanation == (
        "left gets stuck after “hug”: no token begins with “##s”, so the whole word becomes “[UNK]” (0). right has it"
        ": “hug” (1) + “##s” (2)."
    )
    found = only("xhug", wordpiece("hug"), GPT2)
    assert found.explanation.startswith(
        "left has no token that begins with “x”, so the whole word becomes “[UNK]” (0)."
    )


def test_what_both_do_not_know_is_no_cause_by_itself() -> None:
    left, right = wordpiece("hug"), train("hu g", TrainConfig(unit="char", split="words", vocab_size=4)).tokenizer()
    found = only("hugé", left, right)
    assert found.cause == "missing token"
    assert "left gets stuck after “hug”" in found.explanation
    assert "right takes" in found.explanation


def test_marks_are_no_text_when_a_token_is_looked_for() -> None:
    # both hold "low" and "er", each with marks of its own
    left, right = wordpiece("low", "##er", "l", "##ower"), unigram(_low=1.0, er=1.0)
    found = only("lower", wordpiece("lower", "low", "##er"), right)
    assert found.cause == "missing token"
    assert "right's vocabulary of 3 ids lacks “▁lower”, so right takes “▁low” (1) + “er” (2)" in found.explanation
    assert compare("lower", {"left": left, "right": right}).disagreements("left", "right") == []


def test_white_space_is_dropped_by_the_one_and_marked_by_the_other() -> None:
    found = only("a low", wordpiece("a", "low"), unigram(_a=1.0, _low=1.0))
    assert (found.cause, found.start, found.end) == ("split", 1, 5)
    assert found.explanation == (
        "left's split drops the white space “·”: it belongs to none of its words. right keeps it, in “▁low” (2)."
    )


def test_punctuation_stays_single_in_the_split_of_wordpiece() -> None:
    found = only("a->", wordpiece("a", "-", ">"), train("->", TrainConfig(vocab_size=257)).tokenizer())
    assert found.cause == "split"
    assert "Every punctuation mark is a word of its own." in found.explanation
    assert found.explanation.endswith("No token of left crosses a boundary of its split.")


def test_merges_by_score_are_told_as_merges() -> None:
    left = train_sentencepiece("xbcx xbcx xbcx ybcy zbcz abx aby abz abx", 14, model_type="bpe").tokenizer()
    right = train_sentencepiece("xabx xabx yaby zabz xaby bcx bcy bcz bcx", 14, model_type="bpe").tokenizer()
    found = only("zabcz", left, right)
    assert (found.cause, found.start, found.end) == ("earlier merge", 1, 4)
    assert found.explanation == (
        "Both have all of these tokens; the order of the merges decides. left merges neighbours into the piece with "
        "the best score first; here that is “bc” (score 0). right merges neighbours into the piece with the best "
        "score first; here that is “ab” (score 0)."
    )


def test_merges_and_scores_choose_by_different_rules() -> None:
    left = train("ab ab ab bc bc", TrainConfig(unit="char", split="words", vocab_size=6)).tokenizer()
    found = only("abc", left, unigram(_=1.0, _ab=9.0, c=9.0, _a=1.0, bc=1.0))
    assert found.cause == "choice"
    assert "left merges by rank: “a” (1) + “b” (2) (rank 0)." in found.explanation
    assert "right takes the segmentation with the best total score" in found.explanation


@pytest.mark.parametrize("kind", ["SentencePiece unigram", "SentencePiece bpe"])
def test_sentencepiece_normalizes_by_its_own_rule(kind: str) -> None:
    left = trained(kind, CORPORA[0], 40)
    found = compare("ｈug", {"left": left, "right": GPT2}).disagreements("left", "right")
    assert found[0].cause == "normalization"
    assert "(the model's own rule)" in found[0].explanation
