"""Unigram: its training against a plain implementation of the definition, its segmentations against all others."""

import json
import random
import tracemalloc
from itertools import combinations, pairwise
from math import log
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, pre_tokenizers

from bpe_core import (
    ConfigError,
    CorpusError,
    Tokenizer,
    TrainConfig,
    UnigramModel,
    count_words,
    train_unigram,
)
from bpe_core.formats import tokenizers_json
from bpe_core.formats.serde_numbers import as_read
from bpe_core.kernels import backend
from bpe_core.text.small_corpus import MOST_BYTES
from bpe_core.unigram import training as unigram_training
from bpe_core.unigram.lattice import UNKNOWN_RULES, UnknownRule
from bpe_core.unigram.model import MOST_SEGMENTATIONS
from tests.core.json_files import peer_of_file
from tests.core.test_wordpiece import COURSE

SAMPLES = Path(__file__).parents[2] / "sample_texts"
HUG = {"h": 15, "u": 36, "g": 20, "hu": 15, "ug": 20, "p": 17, "pu": 17, "n": 16, "un": 16, "b": 4, "bu": 4, "s": 5}

texts = st.text("aaabbcé▁ \n😀", max_size=25)
corpora = st.lists(texts, min_size=1, max_size=3).filter(lambda found: bool("".join(found).split()))
models_of_counts = st.dictionaries(st.text("ab▁", min_size=1, max_size=4), st.integers(1, 9), min_size=1)


class Trained(NamedTuple):
    scores: dict[str, float]
    rounds: list[tuple[float, list[tuple[str, float]]]]
    loss: float


def oracle(corpus: list[str], vocab_size: int, seed_size: int = 300, shrink: float = 0.1) -> Trained:
    """Literal implementation of the definition: every loss is summed over all words, without any shortcut."""
    words: dict[str, int] = {}
    for text in corpus:
        for word in text.split():
            words["▁" + word] = words.get("▁" + word, 0) + 1
    letters: dict[str, int] = {}
    longer: dict[str, int] = {}
    for word, count in words.items():
        for i in range(len(word)):
            letters[word[i]] = letters.get(word[i], 0) + count
            for j in range(i + 2, len(word) + 1):
                longer[word[i:j]] = longer.get(word[i:j], 0) + count
    most_frequent = sorted(longer.items(), key=lambda item: -item[1])  # stable: in first-seen order
    counts = {**letters, **dict(most_frequent[: max(seed_size - len(letters), 0)])}
    rounds = []
    while len(counts) > vocab_size:
        scores = scored(counts)
        loss = total(words, scores)
        increases = {
            piece: total(words, {p: s for p, s in scores.items() if p != piece}) - loss
            for piece in scores
            if len(piece) > 1
        }
        removed = sorted(increases.items(), key=lambda item: item[1])[: max(int(len(counts) * shrink), 1)]
        rounds.append((loss, removed))
        for piece, _ in removed:
            del counts[piece]
    return Trained(scored(counts), rounds, total(words, scored(counts)))


def scored(counts: dict[str, int]) -> dict[str, float]:
    return {piece: -log(count / sum(counts.values())) for piece, count in counts.items()}


def total(words: dict[str, int], scores: dict[str, float]) -> float:
    loss = 0.0
    for word, count in words.items():
        loss += count * viterbi(word, scores)[1]
    return loss


def viterbi(word: str, scores: dict[str, float]) -> tuple[list[str], float]:
    best: list[tuple[list[str], float] | None] = [([], 0.0)] + [None] * len(word)
    for start in range(len(word)):
        so_far = best[start]
        for end in range(start + 1, len(word) + 1):
            if so_far is not None and word[start:end] in scores:
                score = so_far[1] + scores[word[start:end]]
                known = best[end]
                if known is None or score < known[1]:
                    best[end] = ([*so_far[0], word[start:end]], score)
    return best[-1] or ([], 0.0)


def every_way(word: str) -> list[tuple[str, ...]]:
    cuts = (cut for n in range(len(word)) for cut in combinations(range(1, len(word)), n))
    return [tuple(word[a:b] for a, b in pairwise((0, *cut, len(word)))) for cut in cuts]


def test_the_course_comes_out_but_for_its_one_a_word() -> None:
    """The course starts its search at a score of 1, so that each of the 31 words costs one more there."""
    training = train_unigram(COURSE, 100)
    assert training.rounds[0].loss + 31 == pytest.approx(413.10377642940875, abs=1e-9)
    seed = training.at(0)
    assert seed.segmentations("This", 1)[0] == (("This",), pytest.approx(6.288267030694535 - 1, abs=1e-12))
    assert seed.segmentations("Hopefully", 1)[0] == ((*"Hopefu", "ll", "y"), pytest.approx(40.5157494601402))
    increases = dict((*training.rounds[0].removed, *training.rounds[0].kept))
    assert increases["ll"] == pytest.approx(6.376412403623874, abs=1e-9)
    assert increases["his"] == 0.0
    tokens = training.tokenizer().tokenize("This is the Hugging Face course.")
    assert " ".join(tokens) == "▁This ▁is ▁the ▁Hugging ▁Face ▁ c ou r s e ."


def test_rounds_of_a_tenth_lead_from_300_pieces_to_98() -> None:
    training = train_unigram(COURSE, 100)
    sizes = [len(training.at(step).vocab) for step in range(len(training.rounds) + 1)]
    assert sizes == [300, 270, 243, 219, 198, 179, 162, 146, 132, 119, 108, 98]
    assert [len(one.removed) for one in training.rounds] == [a - b for a, b in pairwise(sizes)]


@given(corpora, st.integers(0, 20), st.integers(1, 40), st.sampled_from([0.01, 0.1, 0.5, 1.0]))
def test_training_is_the_definition(corpus: list[str], room: int, seed_size: int, shrink: float) -> None:
    size = len({"▁", *"".join("".join(corpus).split())}) + room
    expected = oracle(corpus, size, seed_size, shrink)
    training = train_unigram(corpus, size, seed_size=seed_size, shrink=shrink)
    assert list(training.vocab.items()) == list(expected.scores.items())
    assert [(one.loss, list(one.removed)) for one in training.rounds] == expected.rounds
    assert training.loss() == expected.loss


@given(
    st.lists(st.text("abcd", min_size=1, max_size=60), min_size=1, max_size=30),
    st.integers(10, 400),
    st.sampled_from([0.05, 0.3, 0.9]),
)
def test_compiled_and_plain_trainings_are_the_same_to_the_last_bit(
    words: list[str], seed_size: int, shrink: float
) -> None:
    trainings = []
    for compiled in (False, True):
        with (
            mock.patch.object(backend, "use_compiled", return_value=compiled),
            mock.patch.object(unigram_training, "_SLICE", 7),
        ):
            trainings.append(train_unigram(words, 8, seed_size=seed_size, shrink=shrink))
    assert trainings[0].rounds == trainings[1].rounds
    assert trainings[0].vocab == trainings[1].vocab


def test_one_long_word_takes_no_row_for_each_character_with_a_column_for_each_piece() -> None:
    rng = random.Random(7)
    syllables = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=4)) for _ in range(800)]
    text = "".join(rng.choices(syllables, k=4_000))
    backend.warm_up()
    tracemalloc.start()
    try:
        training = train_unigram(text, 1_000, seed_size=3_000)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(training.vocab) <= 1_000
    assert most < 40_000_000


@pytest.mark.parametrize(
    ("name", "seed_size"),
    [
        ("parallel_en", 300),
        ("parallel_ko", 300),
        ("japanese_station_clock", 210),
        pytest.param("parallel_ja", 300, marks=pytest.mark.thorough),
    ],
)
def test_samples_train_as_the_definition_says(name: str, seed_size: int) -> None:
    text = (SAMPLES / f"{name}.txt").read_text()
    size = len(set("▁" + "".join(text.split()))) + 60
    training, expected = train_unigram(text, size, seed_size=seed_size), oracle([text], size, seed_size)
    assert training.rounds
    assert training.vocab == expected.scores
    assert [(one.loss, list(one.removed)) for one in training.rounds] == expected.rounds


def test_kept_pieces_cost_no_less_than_removed_ones_and_are_all_the_others() -> None:
    training = train_unigram(COURSE, 150)
    for step, one in enumerate(training.rounds):
        judged = [*one.removed, *one.kept]
        assert {piece for piece, _ in judged} == {piece for piece in training.at(step).vocab if len(piece) > 1}
        assert [increase for _, increase in judged] == sorted(increase for _, increase in judged)
        assert all(increase >= -1e-9 for _, increase in judged)


@given(models_of_counts, st.text("ab▁", min_size=1, max_size=7))
def test_segmentations_are_all_ways_the_best_first(counts: dict[str, int], word: str) -> None:
    model = UnigramModel.of_counts(counts, unknown="word")
    possible = {way: sum(model.scores[piece] for piece in way) for way in every_way(word) if set(way) <= set(counts)}
    found = model.segmentations(word)
    assert {segmentation.pieces for segmentation in found} == set(possible)
    assert len(found) == len(possible) == model.count(word)
    for pieces, score in found:
        assert score == pytest.approx(possible[pieces])
    assert [segmentation.score for segmentation in found] == sorted(segmentation.score for segmentation in found)
    for n in range(4):
        assert model.segmentations(word, n) == found[:n]
    best = model.best(word)
    assert best == (found[0] if found else None)
    if best is not None:
        assert (list(best.pieces), best.score) == viterbi(word, model.scores)


@given(models_of_counts, st.text("ab▁", min_size=1, max_size=7))
def test_the_lattice_holds_every_piece_that_a_way_reaches_and_the_best_way(counts: dict[str, int], word: str) -> None:
    model = UnigramModel.of_counts(counts, unknown="word")
    edges = model.lattice(word)
    for edge in edges:
        assert word[edge.start : edge.end] == edge.piece
        assert edge.score == model.scores[edge.piece]
        before = viterbi(word[: edge.start], model.scores)[1] if edge.start else 0.0
        assert edge.total == before + edge.score
        assert edge.total >= viterbi(word[: edge.end], model.scores)[1]
    assert len({edge.end for edge in edges}) == sum(edge.best for edge in edges)
    reached = [end for end in range(len(word)) if end == 0 or model.best(word[:end]) is not None]
    fitting = [(a, b) for a in reached for b in range(a + 1, len(word) + 1) if word[a:b] in counts]
    assert [(edge.start, edge.end) for edge in edges] == fitting
    best = model.best(word)
    assert tuple(edge.piece for edge in edges if edge.chosen) == (best.pieces if best else ())


def test_the_first_of_equally_good_segmentations_is_kept() -> None:
    """Probabilities of 1/4, 1/4, 1/4 and 1/4: p + ug and pu + g are equally good."""
    model = UnigramModel.of_counts({"p": 1, "ug": 1, "pu": 1, "g": 1}, unknown="word")
    assert [found.pieces for found in model.segmentations("pug")] == [("p", "ug"), ("pu", "g")]
    assert viterbi("pug", model.scores)[0] == ["p", "ug"]


def test_a_long_word_has_too_many_segmentations_to_list_but_its_best_are_given() -> None:
    model = UnigramModel.of_counts({"a": 1, "aa": 1})
    with pytest.raises(ConfigError, match=r"segmentations.*10,000"):
        model.segmentations("a" * 200)
    assert len(model.segmentations("a" * 200, 5)) == 5
    assert model.count("a" * 18) <= MOST_SEGMENTATIONS
    assert len(model.segmentations("a" * 18)) == model.count("a" * 18)
    assert len(model.segmentations("aaa", 10**9)) == 3


@pytest.mark.parametrize("n", [-1, True, 2.0, "3"])
def test_a_number_of_segmentations_that_is_none_is_refused(n) -> None:
    with pytest.raises(ConfigError):
        UnigramModel(HUG).segmentations("hug", n)


@given(corpora, texts)
def test_tokens_are_the_best_segmentations_of_the_marked_words(corpus: list[str], text: str) -> None:
    tokenizer = train_unigram(corpus, 40).tokenizer(unknown="word")
    expected: list[str] = []
    for word in text.split():
        expected += viterbi("▁" + word, tokenizer.model.scores)[0] or ["<unk>"]
    assert tokenizer.tokenize(text) == expected


def test_known_words_are_cut_as_by_the_tokenizers_library() -> None:
    training = train_unigram(COURSE, 100)
    pieces = [("<unk>", -100.0), *((piece, -score) for piece, score in training.vocab.items())]
    library = LibraryTokenizer(models.Unigram(pieces, 0))  # type: ignore[arg-type]
    library.pre_tokenizer = pre_tokenizers.Metaspace()  # type: ignore[assignment]
    encoding, expected = training.tokenizer().encode(" ".join(COURSE)), library.encode(" ".join(COURSE))
    assert encoding.ids.tolist() == expected.ids
    assert list(zip(encoding.char_starts.tolist(), encoding.char_ends.tolist(), strict=True)) == expected.offsets


def library_of(tokenizer: Tokenizer) -> LibraryTokenizer:
    """The tokenizers library with a tokenizer's file."""
    return LibraryTokenizer.from_str(tokenizers_json.write(tokenizer).decode())


@pytest.mark.parametrize("unknown", UNKNOWN_RULES)
@given(
    corpus=st.lists(st.text("ab", min_size=1, max_size=6), min_size=1, max_size=8), text=st.text("abc ", max_size=30)
)
@example(corpus=["ab", "aa"], text="aaaaa")
def test_ties_of_the_score_are_cut_as_by_the_library_from_the_file(
    unknown: UnknownRule, corpus: list[str], text: str
) -> None:
    tokenizer = train_unigram(corpus, 7, seed_size=10).tokenizer(unknown=unknown)
    theirs = library_of(tokenizer)
    assert tokenizer.encode(text).ids.tolist() == theirs.encode(text).ids
    again = tokenizers_json.read(json.loads(tokenizers_json.write(tokenizer)))
    assert again.encode(text).ids.tolist() == theirs.encode(text).ids


@given(st.lists(st.floats(-1e9, 1e9), min_size=1))
@example([-1.2039728043259361, 7835342424560511.0, -0.0, 5e-324])
def test_numbers_are_read_as_the_library_reads_them(numbers: list[float]) -> None:
    file = json.loads(LibraryTokenizer(models.Unigram([("<unk>", 0.0)], 0)).to_str())  # type: ignore[arg-type]
    file["model"]["vocab"] += [[str(at), number] for at, number in enumerate(numbers)]
    theirs = json.loads(peer_of_file(file).to_str())["model"]["vocab"][1:]
    assert [as_read(number) for number in numbers] == [number for _, number in theirs]


@given(corpora, texts)
def test_tokens_cover_the_words_and_the_one_space_in_front(corpus: list[str], text: str) -> None:
    encoding = train_unigram(corpus, 40).tokenizer().encode(text)
    covered = [text[token.char_start : token.char_end] for token in encoding]
    assert [part.strip() for part in "".join(covered).split()] == "".join(covered).split()
    assert "".join("".join(covered).split()) == "".join(text.split())
    for token, part in zip(encoding, covered, strict=True):
        written = token.bytes.decode()
        assert token.special or written.replace("▁", " ") in (part.replace("▁", " "), " " + part.replace("▁", " "))
    assert all(encoding[i].end <= encoding[i + 1].start for i in range(len(encoding) - 1))


def test_by_the_course_s_rule_an_unknown_word_is_one_token_over_the_whole_word() -> None:
    tokenizer = train_unigram("hug hugs", 20).tokenizer(unknown="word")
    encoding = tokenizer.encode("hug  mug\nhug")
    assert [(tokenizer.token(t.id), t.char_start, t.char_end, t.special) for t in encoding] == [
        ("▁hug", 0, 3, False),
        ("<unk>", 4, 8, True),
        ("▁hug", 9, 12, False),
    ]
    assert tokenizer.unknown_id == 0


def test_an_unknown_character_keeps_the_pieces_around_it_and_joins_its_neighbours() -> None:
    tokenizer = train_unigram("hug hugs", 20).tokenizer()
    encoding = tokenizer.encode("hug  mug\nxyhugz")
    assert [(tokenizer.token(t.id), t.char_start, t.char_end, t.special) for t in encoding] == [
        ("▁hug", 0, 3, False),
        ("▁", 4, 5, False),
        ("<unk>", 5, 6, True),
        ("ug", 6, 8, False),
        ("▁", 9, 9, False),
        ("<unk>", 9, 11, True),
        ("hug", 11, 14, False),
        ("<unk>", 14, 15, True),
    ]


def test_decoding_turns_the_marks_into_spaces() -> None:
    training = train_unigram("hug hugs", 20)
    tokenizer = training.tokenizer()
    ids = tokenizer.encode("hug hugs  hug mug").ids.tolist()
    assert tokenizer.decode(ids) == "hug hugs hug <unk>ug"
    assert tokenizer.decode(ids, skip_special=True) == "hug hugs hug ug"
    whole = training.tokenizer(unknown="word")
    ids = whole.encode("hug hugs  hug mug").ids.tolist()
    assert whole.decode(ids) == "hug hugs hug <unk>"
    assert whole.decode(ids, skip_special=True) == "hug hugs hug"


def test_a_mark_in_the_text_is_a_letter_like_others() -> None:
    tokenizer = train_unigram("a▁a", 20).tokenizer()
    assert tokenizer.encode("a▁a").char_ends.tolist()[-1] == 3


def test_a_seed_smaller_than_the_vocabulary_is_left_as_it_is() -> None:
    training = train_unigram("hug hugs", 1000, seed_size=6)
    assert len(training.vocab) == 6
    assert training.rounds == ()
    assert len(train_unigram("hug hugs", 1000).vocab) == len(oracle(["hug hugs"], 1000).scores)
    assert list(train_unigram("hug hugs", 1000, seed_size=1).vocab) == ["▁", "h", "u", "g", "s"]


def test_a_vocabulary_that_the_characters_outgrow_is_refused_with_the_least_that_works() -> None:
    with pytest.raises(ConfigError, match=r"vocab_size is 3.*at least 4"):
        train_unigram("abc", 3)
    assert list(train_unigram("abc", 4).vocab) == ["▁", "a", "b", "c"]


@pytest.mark.parametrize("seed_size", [0, -1, True, 2.5, "70", None, 10**9])
def test_a_seed_size_that_is_none_is_refused(seed_size) -> None:
    with pytest.raises(ConfigError, match="seed_size"):
        train_unigram("ab", 10, seed_size=seed_size)


@pytest.mark.parametrize("shrink", [0, -0.1, 1.1, True, "0.1", None, float("nan")])
def test_a_share_that_is_none_is_refused(shrink) -> None:
    with pytest.raises(ConfigError, match="shrink"):
        train_unigram("ab", 10, shrink=shrink)


def test_larger_and_repetitive_texts_are_refused_with_the_limit() -> None:
    with pytest.raises(CorpusError, match="5,000,000 bytes"):
        train_unigram("ab " * MOST_BYTES, 20)
    with pytest.raises(CorpusError, match=r"1 distinct words have 1,500,001 bytes.*1,500,000 bytes of distinct words"):
        train_unigram("a" * 1_500_001, 20)
    with pytest.raises(CorpusError, match="5,000,000 places"):
        train_unigram("a" * 1_000_000, 20)


@given(st.lists(st.text("ab é日\n", max_size=30), min_size=1).filter(lambda texts: "".join(texts).split()))
def test_a_training_on_word_counts_is_that_on_the_texts(texts: list[str]) -> None:
    by_texts = train_unigram(texts, 12, seed_size=30)
    by_counts = train_unigram(count_words(texts, TrainConfig(split="words")), 12, seed_size=30)
    assert (by_counts.rounds, by_counts.vocab, by_counts.loss()) == (by_texts.rounds, by_texts.vocab, by_texts.loss())
    assert by_texts.loss() == by_texts.at(len(by_texts.rounds)).loss
    with pytest.raises(ConfigError, match="split is 'words'"):
        train_unigram(count_words(texts), 12)


def test_the_final_loss_is_that_of_the_last_model_in_compiled_code_too() -> None:
    letters = random.Random(1).choices("abc ", k=9_000)
    with mock.patch("bpe_core.kernels.backend.is_ready", return_value=True):
        training = train_unigram("".join(letters), 40)
    assert training.loss() == training.at(len(training.rounds)).loss


def test_100_kilobytes_of_one_long_word_train() -> None:
    letters = random.Random(7).choices("いろはにほへとちりぬるをわかよたれそつねならむ", k=34_000)
    training = train_unigram("".join(letters), 250)
    assert len(training.vocab) <= 250
    assert training.rounds[0].removed


def test_progress_runs_to_the_end_and_may_cancel() -> None:
    seen: list[tuple[int, int]] = []
    train_unigram(COURSE, 100, on_progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 200)
    assert seen[-1] == (200, 200)
    assert seen == sorted(seen)

    def cancel(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_unigram(COURSE, 100, on_progress=cancel)


def test_what_was_given_out_does_not_change_the_training() -> None:
    training = train_unigram(COURSE, 100)
    training.vocab.clear()
    training.at(0).vocab.clear()
    assert len(training.vocab) == 98
    assert len(training.at(0).vocab) == 300


def test_the_words_of_a_step_are_cut_by_its_model() -> None:
    training = train_unigram(COURSE, 100)
    for best, count in training.at(5).words(3):
        assert viterbi("".join(best.pieces), training.at(5).vocab)[0] == list(best.pieces)
        assert count >= 1
    assert [count for _, count in training.at(0).words(3)] == [3, 2, 1]
