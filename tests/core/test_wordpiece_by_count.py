"""WordPiece by count: against the trainer of the `tokenizers` library and the definition."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, pre_tokenizers, trainers

from bpe_core import ConfigError, CorpusError, WordCounts, load, save, train_wordpiece
from bpe_core.kernels import backend
from bpe_core.text.splits import BERT_SPLIT
from bpe_core.text.word_counts import WordSettings
from bpe_core.wordpiece import training as wordpiece_training
from bpe_core.wordpiece.merging import base_symbols, merges_by_count
from bpe_core.wordpiece.training import SPECIAL_TOKENS, base_of
from tests.core.test_wordpiece import COURSE, corpora, merged
from tests.draws import examples, generator

SAMPLES = Path(__file__).parents[2] / "sample_texts"
SPECIAL = list(SPECIAL_TOKENS)

runs = st.lists(st.text("aab", min_size=1, max_size=30), min_size=1, max_size=8).map(lambda words: [" ".join(words)])
"""Words with overlapping occurrences of a pair."""

HOSTILE = "ae\u0301\u0300\u200d\u202e\ufeff\ufffd\u0130ßאب한\u1100\u1161日𝒳😀\U000e0041\U0010ffff"
"""Letters, and characters that combine, are invisible, change the direction, or are outside the first plane."""

hostile = st.lists(st.text(HOSTILE + " ", min_size=1, max_size=20).filter(str.strip), min_size=1, max_size=5)


@pytest.fixture(params=[False, True], ids=["plain", "compiled"], scope="module")
def engine(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test of both engines: plain Python, and the compiled loop."""
    with mock.patch.object(backend, "use_compiled", return_value=request.param):
        yield


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
    for step in merges_by_count(list(words), list(words.values()), base, most=max(0, vocab_size - len(vocab))):
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


Step = tuple[str, str, str, float]


def definition(words: Sequence[str], counts: Sequence[int], base: Sequence[str], room: int) -> list[Step]:
    """Literal implementation of the definition: everything is recounted before each merge."""
    state, symbols = [base_symbols(word) for word in words], dict.fromkeys(base)
    steps: list[Step] = []
    while len(symbols) < len(base) + room:
        pairs: Counter[tuple[str, str]] = Counter()
        for word, count in zip(state, counts, strict=True):
            for pair in pairwise(word):
                pairs[pair] += count
        if not pairs:
            break
        ids = {symbol: number for number, symbol in enumerate(symbols)}
        left, right = min(pairs, key=lambda pair: (-pairs[pair], ids[pair[0]], ids[pair[1]]))
        new = left + right.removeprefix("##")
        steps.append((left, right, new, float(pairs[left, right])))
        state = [merged(word, left, right, new) for word in state]
        symbols[new] = None
    return steps


def oracle(corpus: list[str], room: int) -> tuple[list[str], list[Step]]:
    """The vocabulary of this many tokens more than the characters, and the merges."""
    counts = counted(corpus)
    base = base_of(list(counts), "count")
    steps = definition(list(counts), list(counts.values()), base, room)
    return [*SPECIAL, *base, *(step[2] for step in steps)], steps


@pytest.mark.usefixtures("engine")
@given(corpora | runs | hostile, st.integers(0, 40))
def test_training_is_the_definition(corpus: list[str], room: int) -> None:
    vocab, merges = oracle(corpus, room)
    training = train_wordpiece(corpus, len(oracle(corpus, 0)[0]) + room, rule="count")
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


@given(
    st.lists(
        st.text("ab", min_size=1, max_size=30)
        | st.text("aaaab", min_size=1, max_size=60)
        | st.text(HOSTILE, min_size=1, max_size=12)
        | st.text(min_size=1, max_size=12).filter(lambda word: "##" not in word),
        max_size=12,
        unique=True,
    ),
    st.data(),
    st.integers(0, 80),
)
@settings(max_examples=examples(400))
def test_any_words_counts_and_order_of_the_characters_give_the_merges_of_the_definition(
    words: list[str], data: st.DataObject, most: int
) -> None:
    count = st.just(1) | st.integers(1, 4) | st.sampled_from((2**31, 2**53 + 1, 2**54))
    counts = data.draw(st.lists(count, min_size=len(words), max_size=len(words)))
    base = data.draw(st.permutations(base_of(words, "count")))
    found = list(merges_by_count(words, counts, base, most=most))
    assert [step[:4] for step in found] == definition(words, counts, base, most)
    assert len({step.new for step in found}) == len(found)


@pytest.mark.parametrize(
    "words", [["##ab", "##ac", "##ad", "xab"], ["##", "###", "a##", "##a"], ["[PAD]", "[PA", "[UNK]"]]
)
def test_words_that_no_text_has_become_tokens_as_others(words: list[str]) -> None:
    text = "".join(words).encode()
    offsets = np.cumsum([0, *(len(word.encode()) for word in words)])
    ones, places = np.ones(len(words), np.int64), np.arange(len(words))
    counts = WordCounts(text, offsets, ones, places, WordSettings(BERT_SPLIT))
    training = train_wordpiece(counts, 100, rule="count")
    assert [each for (each,), _ in training.at(len(training.merges)).words()] == words
    assert training.vocab == list(dict.fromkeys(training.vocab))
    assert training.stop_reason == "no pairs left"
    # Each special token that merges make leaves room for another.
    full = train_wordpiece(counts, training.vocab_size, rule="count")
    assert (full.vocab, full.stop_reason) == (training.vocab, "vocabulary full")


def test_progress_runs_to_the_end_and_may_cancel() -> None:
    draw = generator("wordpiece progress")
    text = " ".join("".join(draw.choices("abcdefgh", k=9)) for _ in range(200))
    seen: list[tuple[int, int]] = []
    training = train_wordpiece(text, 500, rule="count", on_progress=lambda *progress: seen.append(progress))
    total = 500 - len(SPECIAL) - 16
    assert [seen[0], seen[-1]] == [(0, total), (total, total)]
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert len(seen) == len(training.merges) // 64 + 2

    def cancel(done: int, total: int) -> None:
        if done > 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_wordpiece(text, 500, rule="count", on_progress=cancel)


@pytest.mark.usefixtures("engine")
def test_tokens_of_one_long_word_are_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece_training, "MOST_CHARACTERS", 5_000)
    word = "".join(chr(0x4E00 + 200 - at) for at in range(200))  # each merge makes its longest token longer
    with pytest.raises(CorpusError, match=r"^The first 98 new tokens have 5,0.* characters .* 5,000 "):
        train_wordpiece(word, 1_000, rule="count")


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
