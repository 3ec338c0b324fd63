"""WordPiece: its training against a plain implementation of the definition, its tokenizer against `tokenizers`."""

import inspect
import random
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, pre_tokenizers

from bpe_core import (
    BpeError,
    ConfigError,
    CorpusError,
    TrainConfig,
    VocabularyError,
    count_words,
    train_wordpiece,
    wordpiece_tokenizer,
)
from bpe_core.kernels import backend
from bpe_core.text.small_corpus import MOST_BYTES
from bpe_core.text.splits import BERT_SPLIT, compile_split, words
from bpe_core.wordpiece.training import SPECIAL_TOKENS

SAMPLES = Path(__file__).parents[2] / "sample_texts"

COURSE = [
    "This is the Hugging Face Course.",
    "This chapter is about tokenization.",
    "This section shows several tokenizer algorithms.",
    "Hopefully, you will be able to understand how they are trained and generate tokens.",
]
"""The corpus of the Hugging Face course."""

texts = st.text("aaabbcé東#. \n😀", max_size=40)
corpora = st.lists(texts, max_size=4).filter(lambda found: bool("".join(found).split()))


class Trained(NamedTuple):
    vocab: list[str]
    merges: list[tuple[str, str, str, float]]
    states: list[list[list[str]]]


def oracle(corpus: list[str], vocab_size: int) -> Trained:
    """Literal implementation of the definition: everything is recounted before each merge."""
    splitter = pre_tokenizers.BertPreTokenizer()
    counts: dict[str, int] = {}
    for text in corpus:
        for word, _ in splitter.pre_tokenize_str(text):
            counts[word] = counts.get(word, 0) + 1
    state = [[word[0], *(f"##{letter}" for letter in word[1:])] for word in counts]
    vocab = [*SPECIAL_TOKENS, *sorted({symbol for word in state for symbol in word})]
    merges, states = [], [state]
    while len(vocab) < vocab_size:
        singles: dict[str, int] = {}
        pairs: dict[tuple[str, str], int] = {}
        for word, count in zip(state, counts.values(), strict=True):
            for symbol in word:
                singles[symbol] = singles.get(symbol, 0) + count
            for pair in pairwise(word):
                pairs[pair] = pairs.get(pair, 0) + count
        if not pairs:
            break
        scores = {pair: count / (singles[pair[0]] * singles[pair[1]]) for pair, count in pairs.items()}
        left, right = max(scores, key=scores.__getitem__)
        new = left + right.removeprefix("##")
        state = [merged(word, left, right, new) for word in state]
        states.append(state)
        merges.append((left, right, new, scores[left, right]))
        vocab += [] if new in vocab else [new]
    return Trained(vocab, merges, states)


def merged(word: list[str], left: str, right: str, new: str) -> list[str]:
    result: list[str] = []
    i = 0
    while i < len(word):
        found = word[i : i + 2] == [left, right]
        result.append(new if found else word[i])
        i += 1 + found
    return result


def test_the_course_comes_out_as_it_is_printed() -> None:
    training = train_wordpiece(COURSE, 70)
    letters = "##a ##b ##c ##d ##e ##f ##g ##h ##i ##k ##l ##m ##n ##o ##p ##r ##s ##t ##u ##v ##w ##y ##z"
    starts = ", . C F H T a b c g h i s t u w y"
    learned = (
        "ab ##fu Fa Fac ##ct ##ful ##full ##fully Th ch ##hm cha chap chapt ##thm Hu Hug Hugg sh th is ##thms ##za "
        "##zat ##ut"
    )
    assert training.vocab == [*SPECIAL_TOKENS, *letters.split(), *starts.split(), *learned.split()]
    tokens = training.tokenizer().tokenize("This is the Hugging Face course!")
    assert " ".join(tokens) == "Th ##i ##s is th ##e Hugg ##i ##n ##g Fac ##e c ##o ##u ##r ##s ##e [UNK]"


def test_the_scores_of_the_course_come_out() -> None:
    training = train_wordpiece(COURSE, 70)
    assert training.merges[0] == ("a", "##b", "ab", 0.2)
    scores = {(pair.left, pair.right): pair.score for pair in training.at(0).candidates(10**6)}
    assert scores["T", "##h"] == 0.125
    assert scores["##h", "##i"] == 0.03409090909090909
    assert scores["i", "##s"] == 0.1
    assert scores["t", "##h"] == 0.03571428571428571


@given(corpora, st.integers(0, 30))
def test_training_is_the_definition(corpus: list[str], room: int) -> None:
    size = len(oracle(corpus, 0).vocab) + room
    expected = oracle(corpus, size)
    training = train_wordpiece(corpus, size)
    assert training.vocab == expected.vocab
    assert list(training.merges) == expected.merges
    assert training.stop_reason == ("vocabulary full" if len(expected.vocab) == size else "no pairs left")


@given(corpora, st.integers(0, 30), st.randoms(use_true_random=False))
def test_every_step_in_any_order_is_the_state_then(corpus: list[str], room: int, order) -> None:
    expected = oracle(corpus, len(oracle(corpus, 0).vocab) + room)
    training = train_wordpiece(corpus, len(oracle(corpus, 0).vocab) + room)
    for step in order.sample(range(len(expected.states)), len(expected.states)):
        snapshot = training.at(step)
        assert [list(word) for word, _ in snapshot.words()] == expected.states[step]
        assert snapshot.merge == (expected.merges[step - 1] if step else None)
        candidates = snapshot.candidates(10**6)
        if step < len(expected.merges):
            chosen = candidates[0]
            assert chosen.chosen
            assert (chosen.left, chosen.right, chosen.score) == (*expected.merges[step][:2], expected.merges[step][3])
        assert [pair.chosen for pair in candidates].count(True) == (step < len(expected.merges))
        for pair in candidates:
            assert pair.score == pair.count / (pair.left_count * pair.right_count)
        best = [pair for pair in candidates if pair.score == candidates[0].score]
        assert [pair for pair in candidates if pair.tied] == (best if len(best) > 1 else [])
        assert snapshot.candidates(2) == candidates[:2]
        assert training.tokenizer(step).pieces == snapshot.vocab


@given(st.lists(st.text("abcde", min_size=1, max_size=30), min_size=1, max_size=12), st.lists(st.integers(1, 4)))
def test_compiled_and_plain_trainings_are_the_same(distinct: list[str], counts: list[int]) -> None:
    text = " ".join(
        word for word, count in zip(distinct, [*counts, *[1] * len(distinct)], strict=False) for _ in range(count)
    )
    trainings = []
    for compiled in (False, True):
        with mock.patch.object(backend, "use_compiled", return_value=compiled):
            trainings.append(train_wordpiece(text, 1_000))
    assert trainings[0].merges == trainings[1].merges
    assert list(trainings[0].merges) == oracle([text], 1_000).merges
    assert (
        trainings[0].at(len(trainings[0].merges) // 2).words() == trainings[1].at(len(trainings[1].merges) // 2).words()
    )


def test_100_kilobytes_of_different_words_train() -> None:
    rng = random.Random(7)
    text = " ".join("".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randrange(3, 12))) for _ in range(20_000))
    training = train_wordpiece(text[:102_400], 100_000)
    assert training.stop_reason == "no pairs left"
    assert {len(word) for word, _ in training.at(len(training.merges)).words()} == {1}


def test_tokens_of_one_long_word_are_refused_with_the_limit_before_they_take_all_memory() -> None:
    with pytest.raises(CorpusError, match=r"^The first 9,999 new tokens have 50,004,999 characters .* 50,000,000 "):
        train_wordpiece("a" * 102_400, 100_000)
    assert len(train_wordpiece("a" * 102_400, 9_000).merges) == 8_993


def test_a_lone_leader_is_not_tied() -> None:
    assert [pair.tied for pair in train_wordpiece("ab", 10).at(0).candidates()] == [False]
    assert [pair.tied for pair in train_wordpiece("ab cd", 12).at(0).candidates()] == [True, True]


def test_a_run_of_one_letter_merges_from_the_left() -> None:
    training = train_wordpiece("xaaa x x x", 20)
    assert training.merges[0] == ("##a", "##a", "##aa", 2 / 9)
    assert training.at(1).words(1) == [(("x", "##aa", "##a"), 1)]


@pytest.mark.parametrize("name", ["lantern_story", "japanese_station_clock", "korean_bookshop", "python_code"])
def test_samples_train_as_the_definition_says(name: str) -> None:
    text = (SAMPLES / f"{name}.txt").read_text()
    size = len(oracle([text], 0).vocab) + 150
    training, expected = train_wordpiece(text, size), oracle([text], size)
    assert training.vocab == expected.vocab
    assert list(training.merges) == expected.merges
    assert [list(word) for word, _ in training.at(150).words()] == expected.states[150]


@given(corpora, texts)
def test_tokens_are_those_of_the_tokenizers_library(corpus: list[str], text: str) -> None:
    tokenizer = train_wordpiece(corpus, 60).tokenizer()
    vocab = {piece: i for i, piece in enumerate(tokenizer.pieces)}
    library = LibraryTokenizer(models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=1000))  # type: ignore[call-arg]
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()  # type: ignore[assignment]
    expected = library.encode(text)
    encoding = tokenizer.encode(text)
    assert encoding.ids.tolist() == expected.ids
    assert list(zip(encoding.char_starts.tolist(), encoding.char_ends.tolist(), strict=True)) == expected.offsets
    assert encoding.word_ids.tolist() == expected.word_ids
    assert tokenizer.tokenize(text) == expected.tokens


@given(st.text("aé東 \t\n\u3000.,!$+~_-—。「¿«#'", max_size=30))
def test_words_are_those_of_bert(text: str) -> None:
    expected = [word for word, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(text)]
    assert list(words(compile_split(BERT_SPLIT), text)) == expected


def test_a_word_that_gets_stuck_is_one_unknown_token_over_the_whole_word() -> None:
    tokenizer = train_wordpiece("hug hugs", 12).tokenizer()
    encoding = tokenizer.encode("hug huge")
    assert [(tokenizer.token(t.id), t.char_start, t.char_end, t.special) for t in encoding][-1] == ("[UNK]", 4, 8, True)


def test_a_piece_that_is_only_known_inside_a_word_does_not_begin_one() -> None:
    tokenizer = wordpiece_tokenizer(["[UNK]", "a", "##b"], special_tokens=["[UNK]"])
    assert tokenizer.tokenize("ab ba b") == ["a", "##b", "[UNK]", "[UNK]"]


def test_decoding_glues_the_insides_and_puts_a_space_between_words() -> None:
    tokenizer = train_wordpiece(COURSE, 70).tokenizer()
    ids = tokenizer.encode("[CLS] This  is", special="parse").ids.tolist()
    assert tokenizer.decode(ids) == "[CLS] This is"
    assert tokenizer.decode(ids, skip_special=True) == "This is"


def test_unk_is_added_where_it_is_missing() -> None:
    assert train_wordpiece("ab", 9, special_tokens=("<s>",)).vocab[:2] == ["<s>", "[UNK]"]
    assert train_wordpiece("ab", 9, special_tokens=()).vocab[0] == "[UNK]"
    assert train_wordpiece("ab", 9, special_tokens=("[UNK]", "[X]")).vocab[:2] == ["[UNK]", "[X]"]


@pytest.mark.parametrize("token", ["PAD", "##a", "东", "!"])
def test_a_special_token_that_a_word_could_hold_is_refused(token: str) -> None:
    with pytest.raises(ConfigError, match="could be a word") as caught:
        train_wordpiece("ab", 20, special_tokens=("[UNK]", token))
    assert caught.value.remedy


@pytest.mark.parametrize("tokens", [("",), ("[A]", "[A]"), (1,), "[UNK]", None, ("\ud800",)])
def test_special_tokens_that_are_none_are_refused(tokens) -> None:
    with pytest.raises(ConfigError):
        train_wordpiece("ab", 20, special_tokens=tokens)


def test_a_vocabulary_that_the_letters_outgrow_is_refused_with_the_least_that_works() -> None:
    with pytest.raises(ConfigError, match=r"vocab_size is 7.*at least 8"):
        train_wordpiece("abc", 7)
    assert train_wordpiece("abc", 8).vocab[5:] == ["##b", "##c", "a"]
    assert train_wordpiece("abc", 8).merges == ()


def test_larger_texts_are_refused_with_the_limit() -> None:
    with pytest.raises(CorpusError, match=r"5,000,000 bytes") as caught:
        train_wordpiece(["あ" * (MOST_BYTES // 3), "ab"], 20)
    assert caught.value.remedy
    train_wordpiece("ab " * (MOST_BYTES // 3), 20)


@given(st.lists(st.text("ab é日.\n", max_size=30), min_size=1).filter(lambda texts: "".join(texts).split()))
def test_a_training_on_word_counts_is_that_on_the_texts(texts: list[str]) -> None:
    counts = count_words(texts, TrainConfig(split=BERT_SPLIT))
    for rule in ("score", "count"):
        by_texts, by_counts = train_wordpiece(texts, 30, rule=rule), train_wordpiece(counts, 30, rule=rule)
        assert (by_counts.merges, by_counts.vocab) == (by_texts.merges, by_texts.vocab)
    with pytest.raises(ConfigError, match="the words were counted with split"):
        train_wordpiece(count_words(texts), 30)


def test_a_text_without_end_is_refused_and_not_read_on() -> None:
    def forever():
        while True:
            yield "text " * 1000

    with pytest.raises(CorpusError, match="5,000,000"):
        train_wordpiece(forever(), 20)


def test_progress_runs_to_the_end_and_may_cancel() -> None:
    seen: list[tuple[int, int]] = []
    train_wordpiece(COURSE, 90, on_progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 45)
    assert seen[-1] == (45, 45)

    def cancel(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_wordpiece(COURSE, 90, on_progress=cancel)


@pytest.mark.parametrize("vocab", [["a"], ["[UNK]", "a", "a"], []])
def test_a_vocabulary_that_cannot_be_is_refused(vocab: list[str]) -> None:
    with pytest.raises(VocabularyError):
        wordpiece_tokenizer(vocab, special_tokens=[])
    assert issubclass(VocabularyError, BpeError)


def test_the_call_is_the_contract() -> None:
    parameters = inspect.signature(train_wordpiece).parameters
    assert parameters["special_tokens"].default == ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    left, right, new, score = train_wordpiece(COURSE, 70).merges[0]
    assert (left, right, new, score) == ("a", "##b", "ab", 0.2)
