"""compare: counts, shared boundaries, and where and why two tokenizers segment a text differently."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Agreement, ConfigError, CorpusError, Row, Tokenizer, TrainConfig, compare, load_pretrained, train
from bpe_core.comparison.evidence import Piece, plain
from tests.core import oracle

A, B, C, D = b"abcd"


def made(*pairs: tuple[int, int], **settings) -> Tokenizer:
    """A byte tokenizer of exactly these merges; no split unless `split` names one."""
    config = TrainConfig(**{"vocab_size": 256 + len(pairs), "split": "none", **settings})
    return train("", config, forced=pairs).tokenizer()


def cause(text: str, left: Tokenizer, right: Tokenizer, **options) -> tuple[str, int, int]:
    """Cause and range of the only disagreement; asserts the same with the sides swapped."""
    comparison = compare(text, {"left": left, "right": right}, **options)
    [found] = comparison.disagreements("left", "right")
    [other] = comparison.disagreements("right", "left")
    assert (found.cause, found.start, found.end) == (other.cause, other.start, other.end)
    assert (found.left_ids, found.right_ids) == (other.right_ids, other.left_ids)
    assert "left" in found.explanation
    assert "right" in found.explanation
    return found.cause, found.start, found.end


# -- counts -------------------------------------------------------------------------------------------------------


def test_rows_count_tokens_bytes_characters_and_words() -> None:
    tokenizers = {"bytes": made(), "pairs": made((A, B), (256, 256))}
    assert compare("abab é\n", tokenizers).rows == [
        Row("bytes", tokens=8, bytes_per_token=1.0, chars_per_token=7 / 8, tokens_per_word=4.0),
        Row("pairs", tokens=5, bytes_per_token=8 / 5, chars_per_token=7 / 5, tokens_per_word=2.5),
    ]


def test_rows_of_texts_without_tokens_or_words_divide_by_nothing() -> None:
    assert compare("", {"bytes": made()}).rows == [Row("bytes", 0, 0.0, 0.0, 0.0)]
    assert compare("  ", {"bytes": made()}).rows == [Row("bytes", 2, 1.0, 1.0, 0.0)]
    assert compare("  ", {"words": made(split="words")}).rows == [Row("words", 0, 0.0, 0.0, 0.0)]
    assert compare("text", {}).rows == []


def test_rows_count_the_text_itself_whatever_is_normalized() -> None:
    [row] = compare("ﬁÉ", {"a": made(normalization="NFKC", lowercase=True)}).rows
    assert row == Row("a", 4, bytes_per_token=5 / 4, chars_per_token=2 / 4, tokens_per_word=4.0)


# -- agreement ----------------------------------------------------------------------------------------------------


def test_agreement_counts_inner_boundaries_with_the_left_one_as_reference() -> None:
    comparison = compare(
        "abcd", {"all": made(), "middle": made((A, B), (C, D)), "none": made((A, B), (C, D), (256, 257))}
    )
    assert comparison.boundaries("all").tolist() == [1, 2, 3]
    assert comparison.boundaries("middle").tolist() == [2]
    assert comparison.boundaries("none").tolist() == []
    assert comparison.agreement("all", "middle") == Agreement(1.0, 1 / 3, 0.5, 1, 2, 0)
    assert comparison.agreement("middle", "all") == Agreement(1 / 3, 1.0, 0.5, 1, 0, 2)
    assert comparison.agreement("all", "none") == Agreement(0.0, 0.0, 0.0, 0, 3, 0)
    assert comparison.agreement("none", "none") == Agreement(1.0, 1.0, 1.0, 0, 0, 0)
    assert comparison.agreement("all", "all") == Agreement(1.0, 1.0, 1.0, 3, 0, 0)


def test_agreement_of_boundaries_that_cross() -> None:
    comparison = compare("abcd", {"left": made((C, D)), "right": made((A, B))})
    assert comparison.agreement("left", "right") == Agreement(0.5, 0.5, 0.5, 1, 1, 1)


def test_boundaries_are_bytes_of_the_text_itself() -> None:
    comparison = compare("ÉAb", {"lower": made(lowercase=True), "plain": made(), "apart": made(normalization="NFD")})
    assert comparison.boundaries("plain").tolist() == [1, 2, 3]
    assert comparison.boundaries("lower").tolist() == [1, 2, 3]
    assert comparison.boundaries("apart").tolist() == [2, 3]


# -- causes -------------------------------------------------------------------------------------------------------


def test_one_split_cuts_where_a_token_of_the_other_crosses() -> None:
    assert cause("ab", made((A, B), split="[ab]"), made((A, B))) == ("split", 0, 2)
    assert cause("cab", made((A, B), (C, 256), split="gpt2"), made((C, A), split=r"c|\w+")) == ("split", 0, 3)


def test_text_that_a_split_drops_is_a_matter_of_the_split() -> None:
    space = (ord(" "), A)
    assert cause(" a", made(split="words"), made(space)) == ("split", 0, 2)


def test_a_token_that_one_vocabulary_lacks() -> None:
    assert cause("abd", made((A, B)), made()) == ("missing token", 0, 2)
    assert cause("    x", load_pretrained("gpt2"), load_pretrained("cl100k_base")) == ("missing token", 0, 3)


def test_an_earlier_merge_takes_a_part_of_a_token_that_both_have() -> None:
    left, right = made((A, B), (B, C)), made((B, C), (A, B))
    assert left.encode("abc").ids.tolist() == [256, C]
    assert right.encode("abc").ids.tolist() == [A, 256]
    assert cause("dabc", left, right) == ("earlier merge", 1, 4)


def test_a_special_token_of_one_is_plain_text_to_the_other() -> None:
    marked = made().with_special_tokens({"<s>": 900})
    assert cause("a<s>b", marked, made(), special="parse") == ("special token", 1, 4)
    assert compare("a<s>b", {"left": marked, "right": made()}).disagreements("left", "right") == []


def test_one_reads_other_characters_after_normalization() -> None:
    assert cause("xAB", made((A, B), lowercase=True), made((A, B))) == ("normalization", 1, 3)
    assert cause("xé", made(normalization="NFD"), made()) == ("normalization", 1, 3)


def test_a_character_that_one_has_never_seen() -> None:
    characters = train("ab", TrainConfig(unit="char", split="none")).tokenizer()
    assert cause("b時b", characters, made()) == ("missing token", 1, 4)


def test_a_letter_newer_than_the_tables_of_tiktoken_is_no_letter_in_the_reason() -> None:
    pairs = made((A, "\u088f".encode()[0]))
    [found] = compare("a\u088f", {"gpt2": load_pretrained("gpt2"), "pairs": pairs}).disagreements("gpt2", "pairs")
    assert found.cause == "split"
    assert "Letters, digits and punctuation make separate words." in found.explanation


def test_the_first_cause_that_holds_is_given() -> None:
    # differs in split and lower case: normalization takes precedence over the split
    assert cause("xAB", made(split="[a-z]", lowercase=True), made((ord("A"), ord("B"))))[0] == "normalization"
    # the token is missing as well, but the split alone explains it
    assert cause("ab", made(split="[ab]"), made((A, B)))[0] == "split"


def test_a_reason_is_said_in_a_language_with_the_pieces_of_the_english_sentence() -> None:
    tokenizers = {name: load_pretrained(name) for name in ("gpt2", "cl100k_base", "bert-base-uncased", "t5-small")}
    comparison = compare("    x = 12345 CAN'T Hellö unbelievable 日本", tokenizers)
    causes = set()
    for left, right in permutations(tokenizers, 2):
        for found in comparison.disagreements(left, right):
            sentence = comparison.reason(left, right, found.start, found.end).sentence
            english, pseudo = list(sentence), sentence.in_language("en-XA")
            assert plain(sentence) == found.explanation
            assert [part for part in pseudo if isinstance(part, Piece)] == [p for p in english if isinstance(p, Piece)]
            assert plain(sentence, "en-XA").replace("⟦", "").replace("⟧", "") == found.explanation
            assert pseudo[0].startswith("⟦")
            causes.add(found.cause)
    assert causes >= {"missing token", "split", "normalization"}


def test_an_explanation_names_the_tokens_of_both() -> None:
    comparison = compare("abd", {"mine": made((A, B)), "yours": made()})
    [found] = comparison.disagreements("mine", "yours")
    assert (found.left_ids, found.right_ids) == ((256,), (A, B))
    for part in ("mine", "“ab”", "256", "yours", "97", "98"):
        assert part in found.explanation


def test_the_order_of_merges_is_told_in_ranks() -> None:
    left, right = made((A, B), (B, C)), made((B, C), (A, B))
    [found] = compare("abc", {"left": left, "right": right}).disagreements("left", "right")
    assert "In left, “a” (97) + “b” (98) comes first (rank 0; “b” + “c”: rank 1)" in found.explanation
    assert "In right, “b” (98) + “c” (99) comes first (rank 0; “a” + “b”: rank 1)" in found.explanation


def test_a_very_long_region_has_a_cause_as_well() -> None:
    # ab ab ab … against a ba ba … b: no boundary is shared
    left, right = made((A, B), (B, A)), made((B, A), (A, B))
    text = "ab" * 400
    [found] = compare(text, {"left": left, "right": right}).disagreements("left", "right")
    assert (found.cause, found.start, found.end) == ("earlier merge", 0, 800)
    assert len(found.explanation) < 1_000


def test_the_reason_of_a_disagreement_is_its_cause_and_explanation() -> None:
    comparison = compare("abd 1", {"mine": made((A, B)), "yours": made()})
    [found] = comparison.disagreements("mine", "yours")
    reason = comparison.reason("mine", "yours", found.start, found.end)
    assert (reason.cause, reason.explanation) == (found.cause, found.explanation)
    assert (reason.left.ids, reason.right.ids) == (found.left_ids, found.right_ids)
    with pytest.raises(
        ConfigError, match=r"Bytes 1 to 2 are not a disagreement of 'mine' and 'yours'\. .* Take the start"
    ):
        comparison.reason("mine", "yours", 1, 2)


# -- disagreements ------------------------------------------------------------------------------------------------

some_tokenizers = st.builds(
    lambda corpus, config: train(corpus, config).tokenizer(), oracle.texts, oracle.configs()
) | st.sampled_from(["gpt2", "cl100k_base", "o200k_base"]).map(load_pretrained)


@given(oracle.texts, some_tokenizers, some_tokenizers)
def test_disagreements_cover_exactly_the_boundaries_that_are_not_shared(text: str, left, right) -> None:
    comparison = compare(text, {"left": left, "right": right})
    mine, other = (set(comparison.boundaries(name).tolist()) for name in ("left", "right"))
    size = len(oracle.normalized(text, TrainConfig()).encode())
    shared = (mine & other) | {0, size}
    covered: list[int] = []
    position = 0
    for found in comparison.disagreements("left", "right"):
        assert position <= found.start < found.end
        assert {found.start, found.end} <= shared
        inside = [at for at in mine ^ other if found.start < at < found.end]
        assert inside
        assert not [at for at in mine & other if found.start < at < found.end]
        covered += inside
        position = found.end
    assert sorted(covered) == sorted(mine ^ other)
    agreement = comparison.agreement("left", "right")
    assert (agreement.shared, agreement.only_left, agreement.only_right) == (
        len(mine & other),
        len(mine - other),
        len(other - mine),
    )


@given(
    oracle.texts.map(lambda text: text.replace("\ud800", "")), st.sampled_from(["gpt2", "cl100k_base"]), oracle.texts
)
def test_the_ids_of_a_disagreement_are_those_of_its_region(text: str, name: str, corpus: str) -> None:
    tokenizers = {"left": load_pretrained(name), "right": train(corpus).tokenizer()}
    for found in compare(text, tokenizers).disagreements("left", "right"):
        region = text.encode()[found.start : found.end]
        assert tokenizers["left"].decode_bytes(found.left_ids) == region
        assert tokenizers["right"].decode_bytes(found.right_ids) == region


def test_nothing_differs_where_one_normalizes_and_both_cut_alike() -> None:
    comparison = compare("Ab", {"lower": made(lowercase=True), "plain": made()})
    assert comparison.disagreements("lower", "plain") == []


def test_a_text_that_one_normalizes_to_nothing_is_one_region() -> None:
    assert cause("\u0301\u0301", made(strip_accents=True), made()) == ("normalization", 0, 4)
    assert cause("\u00a0\u00a0", made(normalization="NFKC", split="words"), made()) == ("normalization", 0, 4)


def test_a_tokenizer_agrees_with_itself() -> None:
    gpt2 = load_pretrained("gpt2")
    comparison = compare("Hello こんにちは 12345", {"a": gpt2, "b": gpt2})
    assert comparison.disagreements("a", "b") == []
    assert comparison.agreement("a", "b")[:3] == (1.0, 1.0, 1.0)


# -- invalid input ------------------------------------------------------------------------------------------------


def test_a_name_that_is_not_compared_is_refused() -> None:
    comparison = compare("ab", {"mine": made(), "yours": made()})
    message = r"'gpt2' is not among the compared tokenizers\. Known: 'mine', 'yours'\. Choose one of these\."
    for ask in (comparison.agreement, comparison.disagreements):
        with pytest.raises(ConfigError, match=message):
            ask("mine", "gpt2")
    with pytest.raises(ConfigError, match=message):
        comparison.encoding("gpt2")


def test_what_is_no_text_or_holds_a_special_token_is_refused() -> None:
    with pytest.raises(CorpusError, match="Only str is encoded"):
        compare(b"ab", {"bytes": made()})  # type: ignore[arg-type]
    with pytest.raises(CorpusError, match="special token '<s>' at character 1"):
        compare("a<s>", {"marked": made().with_special_tokens({"<s>": 900})}, special="raise")
