"""WordPiece by count: against the trainer of the `tokenizers` library, and against the definition."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, pre_tokenizers, trainers

from bpe_core import ConfigError, load, save, train_wordpiece
from bpe_core.wordpiece.merging import base_symbols, merge_by_count
from bpe_core.wordpiece.training import SPECIAL_TOKENS, base_of
from tests.core.test_wordpiece import COURSE, corpora, merged

SAMPLES = Path(__file__).parents[2] / "sample_texts"
SPECIAL = list(SPECIAL_TOKENS)

runs = st.lists(st.text("aab", min_size=1, max_size=30), min_size=1, max_size=8).map(lambda words: [" ".join(words)])
"""Words with overlapping occurrences of a pair."""


def by_library(corpus: list[str], vocab_size: int) -> list[str]:
    """The vocabulary trained by the library, ordered by id."""
    tokenizer = LibraryTokenizer(models.WordPiece(unk_token="[UNK]"))  # type: ignore[call-arg]
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()  # type: ignore[assignment]
    trainer = trainers.WordPieceTrainer(
        vocab_size=vocab_size,
        special_tokens=SPECIAL,  # type: ignore[arg-type]
        show_progress=False,
        limit_alphabet=100_000,  # by default the library keeps the 1,000 most frequent characters
    )
    tokenizer.train_from_iterator(corpus, trainer)
    vocab = tokenizer.get_vocab()
    return sorted(vocab, key=vocab.__getitem__)


def counted(corpus: list[str]) -> Counter[str]:
    splitter = pre_tokenizers.BertPreTokenizer()
    return Counter(word for text in corpus for word, _ in splitter.pre_tokenize_str(text))


def with_their_order(corpus: list[str], vocab_size: int, theirs: list[str]) -> list[str]:
    """The vocabulary of our merges, with the ids of ## characters as assigned by this run of the library."""
    words = counted(corpus)
    ours = base_of(list(words), "count")
    base = theirs[len(SPECIAL) : len(SPECIAL) + len(ours)]
    plain = [symbol for symbol in ours if len(symbol) == 1]
    assert base[: len(plain)] == plain
    assert sorted(base) == sorted(ours)
    vocab = dict.fromkeys([*SPECIAL, *base])
    for step in merge_by_count(list(words), list(words.values()), base):
        if len(vocab) >= vocab_size:
            break
        vocab[step.new] = None
    return list(vocab)


@given(corpora | runs, st.integers(0, 200))
def test_merges_are_those_of_the_library_given_its_order_of_the_characters(corpus: list[str], size: int) -> None:
    theirs = by_library(corpus, size)
    assert with_their_order(corpus, size, theirs) == theirs


@pytest.mark.parametrize("name", ["parallel_en", "parallel_ja", "parallel_ko", "python_code", "lantern_story"])
def test_samples_train_as_by_the_library(name: str) -> None:
    text = (SAMPLES / f"{name}.txt").read_text()
    theirs = by_library([text], 5_000)
    assert with_their_order([text], 5_000, theirs) == theirs


def test_without_ties_the_vocabulary_is_the_librarys_but_for_the_order_of_the_characters() -> None:
    counts = {"hug": 50, "pun": 31, "bug": 12, "hugs": 9, "hub": 5, "nun": 3, "tub": 2}
    text = " ".join(f"{word} " * count for word, count in counts.items())
    size = train_wordpiece(text, 100, rule="count").vocab_size
    training, theirs = train_wordpiece(text, size, rule="count"), by_library([text], size)
    learned = len(training.merges)
    assert learned == 10
    assert not any(training.at(step).candidates(1)[0].tied for step in range(learned))
    assert training.vocab[-learned:] == theirs[-learned:]
    assert set(training.vocab) == set(theirs)


def oracle(corpus: list[str], vocab_size: int) -> tuple[list[str], list[tuple[str, str, str, float]]]:
    """Literal implementation of the definition: everything is recounted before each merge."""
    counts = counted(corpus)
    state = [base_symbols(word) for word in counts]
    vocab = [*SPECIAL, *sorted({char for word in counts for char in word})]
    vocab += sorted({symbol for word in state for symbol in word[1:]})
    merges = []
    while len(vocab) < vocab_size:
        pairs: Counter[tuple[str, str]] = Counter()
        for word, count in zip(state, counts.values(), strict=True):
            for pair in pairwise(word):
                pairs[pair] += count
        if not pairs:
            break
        left, right = min(pairs, key=lambda pair: (-pairs[pair], vocab.index(pair[0]), vocab.index(pair[1])))
        new = left + right.removeprefix("##")
        merges.append((left, right, new, float(pairs[left, right])))
        state = [merged(word, left, right, new) for word in state]
        vocab += [] if new in vocab else [new]
    return vocab, merges


@given(corpora | runs, st.integers(0, 40))
def test_training_is_the_definition(corpus: list[str], room: int) -> None:
    size = len(oracle(corpus, 0)[0]) + room
    vocab, merges = oracle(corpus, size)
    training = train_wordpiece(corpus, size, rule="count")
    assert training.vocab == vocab
    assert list(training.merges) == merges
    assert training.rule == "count"


@given(corpora | runs, st.integers(0, 40))
def test_every_step_shows_the_pairs_it_chose_from(corpus: list[str], room: int) -> None:
    size = len(oracle(corpus, 0)[0]) + room
    training = train_wordpiece(corpus, size, rule="count")
    for step, merge in enumerate(training.merges):
        pairs = training.at(step).candidates(10**6)
        assert (pairs[0].left, pairs[0].right, pairs[0].count) == (merge.left, merge.right, merge.score)
        assert [pair.chosen for pair in pairs] == [True, *[False] * (len(pairs) - 1)]
        assert [pair.count for pair in pairs] == sorted((pair.count for pair in pairs), reverse=True)
        best = [pair for pair in pairs if pair.count == pairs[0].count]
        assert [pair for pair in pairs if pair.tied] == (best if len(best) > 1 else [])
        assert all(pair.score == pair.count / (pair.left_count * pair.right_count) for pair in pairs)


def test_the_two_rules_part_on_the_first_merge_of_hugs() -> None:
    text = "hug " * 10 + "pug " * 5 + "pun " * 12 + "bun " * 4 + "hugs " * 5
    assert train_wordpiece(text, 13).merges[0][:3] == ("##g", "##s", "##gs")
    assert train_wordpiece(text, 18, rule="count").merges[0] == ("##u", "##g", "##ug", 20.0)


def test_words_are_segmented_by_the_longest_match_and_saved_as_others(tmp_path: Path) -> None:
    tokenizer = train_wordpiece(COURSE, 100, rule="count").tokenizer()
    assert tokenizer.model.rule == "longest match"
    for format in ("bpe-lab", "tokenizers"):
        path = tmp_path / f"{format}.json"
        save(tokenizer, path, format=format)
        assert load(path).encode(" ".join(COURSE)).ids.tolist() == tokenizer.encode(" ".join(COURSE)).ids.tolist()


@pytest.mark.parametrize("rule", ["scores", "", None, 1, ["count"]])
def test_another_rule_is_refused(rule) -> None:
    with pytest.raises(ConfigError, match="rule"):
        train_wordpiece("ab", 20, rule=rule)


def test_a_size_that_the_characters_outgrow_names_the_least_which_counts_those_without_marks() -> None:
    with pytest.raises(ConfigError, match="at least 10"):
        train_wordpiece("abc", 9, rule="count")
    assert train_wordpiece("abc", 10, rule="count").vocab[5:] == ["a", "b", "c", "##b", "##c"]
