"""SuperBPE and BoundlessBPE: merges, states and tokens, against the plain reference and the tokenizers library."""

from functools import partial
from itertools import groupby, pairwise
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError, ConfigError, FormatError, TrainConfig, count_words, load_pretrained, save, train
from bpe_core.bpe.across_reference import _joined, learn_boundless, learn_superbpe
from bpe_core.bpe.reference import merge
from bpe_core.bpe.training import Training
from bpe_core.comparison.token_boundary import why_boundary
from bpe_core.formats import from_bytes, to_bytes
from bpe_core.formats.training_file import save_training
from bpe_core.kernels.runs import RunTable
from bpe_core.text.counting import count_plainly
from bpe_core.text.run_counts import CutWords, count_runs, count_superwords
from bpe_core.text.split_patterns import ACROSS_WORDS, WORD_RUNS
from bpe_core.text.splits import Split, compile_split
from bpe_core.text.splits import words as found_words
from bpe_core.text.word_counts import WordSettings
from tests.core.json_files import peer_of
from tests.draws import examples

HANDS = "on the one hand, on the other hand of the other one. " * 3
PARTS = ["a", "b", "é", "日", " ", " ", "  ", "\n", "1", "23", "!", "--", "'s", "A", "/", "\t", "ab", "ba", "a ba"]
TEXTS = st.lists(st.lists(st.sampled_from(PARTS), max_size=40).map("".join), min_size=1, max_size=3)
SPLITS = st.sampled_from(("gpt2", "cl100k", "o200k"))
LETTER = regex.compile(r"\p{L}")


def words(texts: list[str], split: str) -> list[list[list[int]]]:
    return [[list(word.encode()) for word in Split(split).words(text)] for text in texts]


def pairs(training: Training) -> list[tuple[int, int]]:
    return [(merge.left, merge.right) for merge in training.merges]


def superbpe(size: int = 300, transition: int = 275, **settings: object) -> TrainConfig:
    return TrainConfig(vocab_size=size, method="superbpe", transition=transition, **settings)  # type: ignore[arg-type]


def boundless(size: int = 290, **settings: object) -> TrainConfig:
    return TrainConfig(vocab_size=size, method="boundlessbpe", **settings)  # type: ignore[arg-type]


BOTH = pytest.mark.parametrize("config", [superbpe(), boundless()], ids=["superbpe", "boundlessbpe"])


@settings(max_examples=examples(80))
@given(TEXTS, SPLITS, st.integers(0, 30), st.integers(0, 20))
def test_superbpe_makes_the_merges_of_the_reference(texts: list[str], split: str, inside: int, across: int) -> None:
    config = superbpe(256 + inside + across, 256 + inside, split=split)
    expected = learn_superbpe(
        words(texts, split), words(texts, ACROSS_WORDS), first_id=256, transition=256 + inside, most=config.vocab_size
    )
    assert pairs(train(texts, config)) == expected


@settings(max_examples=examples(80))
@given(TEXTS, SPLITS, st.integers(0, 40))
def test_boundlessbpe_makes_the_merges_of_the_reference(texts: list[str], split: str, size: int) -> None:
    training = train(texts, boundless(256 + size, split=split))
    expected = learn_boundless(
        words(texts, split),
        lambda symbols: LETTER.search(bytes(symbols).decode()) is not None,
        first_id=256,
        most=256 + size,
    )
    counts = [merge.count for merge in training.merges]
    assert list(zip(pairs(training), counts, training.crossing.tolist(), strict=True)) == expected


@settings(max_examples=examples(80))
@given(TEXTS, SPLITS, st.booleans(), st.sampled_from(("byte", "char")), st.data())
def test_the_compiled_kernels_make_the_merges_and_words_of_plain_python(
    texts: list[str], split: str, in_two_stages: bool, unit: str, data: st.DataObject
) -> None:
    size = 290 if unit == "byte" else 60
    inside = data.draw(st.integers(size - 30, size))
    config = (superbpe if in_two_stages else partial(boundless, size))(
        **({"size": size, "transition": inside} if in_two_stages else {}), split=split, unit=unit
    )
    ways = []
    for ready in (True, False):
        with (
            patch("bpe_core.kernels.backend.use_compiled", return_value=ready),
            patch("bpe_core.kernels.backend.use_compiled_later", return_value=ready),
        ):
            ways.append(train(texts, config))
    fast, plain = ways
    assert (fast.merges, fast.stop_reason, fast.text) == (plain.merges, plain.stop_reason, plain.text)
    assert fast.crossing.tolist() == plain.crossing.tolist()
    for step in {0, len(fast.merges) // 2, len(fast.merges), fast.rule_change.step if fast.rule_change else 0}:
        assert fast.at(step).words() == plain.at(step).words()
        assert fast.at(step).candidates(5) == plain.at(step).candidates(5)
        assert fast.window(step).ids.tolist() == plain.window(step).ids.tolist()


@settings(max_examples=examples(60))
@given(TEXTS, SPLITS, st.booleans())
def test_every_step_shows_the_tokens_of_its_tokenizer(texts: list[str], split: str, in_two_stages: bool) -> None:
    training = train(texts, superbpe(280, 268, split=split) if in_two_stages else boundless(280, split=split))
    for step in range(len(training.merges) + 1):
        tokenizer = training.tokenizer(step)
        assert training.window(step).ids.tolist() == tokenizer.encode(texts[0]).ids.tolist()
        assert training.token_count(step) == sum(len(tokenizer.encode(text).ids) for text in texts)
        snapshot = training.at(step)
        assert sum(len(word) * count for word, count in snapshot.words()) == training.token_count(step)
        if step < len(training.merges):
            [chosen], following = snapshot.candidates(1), training.merges[step]
            assert (chosen.left, chosen.right, chosen.count) == (following.left, following.right, following.count)
            assert chosen.chosen


@settings(max_examples=examples(40))
@given(TEXTS, st.text(max_size=40), SPLITS)
def test_the_library_encodes_by_superbpe_as_the_training_does(texts: list[str], other: str, split: str) -> None:
    tokenizer = train(texts, superbpe(280, 268, split=split)).tokenizer()
    library = peer_of(tokenizer)
    for text in (*texts, other.encode("utf-8", "replace").decode()):
        assert library.encode(text).ids == tokenizer.encode(text).ids.tolist()


def naive_boundless(text: str, training: Training) -> list[int]:
    """Merges in order over the words of the split, those of words only where two whole words are side by side."""
    found = Split(training.config.split).words(text)
    now, letters = [list(word.encode()) for word in found], [LETTER.search(word) is not None for word in found]
    for made, joins in zip(training.merges, training.crossing.tolist(), strict=True):
        pair = made.left, made.right
        if joins:
            now, letters = _joined(now, letters, pair, made.token_id)
        else:
            now = [merge(word, pair, made.token_id) for word in now]
    return [token for word in now for token in word]


@settings(max_examples=examples(40))
@given(TEXTS, st.lists(st.sampled_from(PARTS), max_size=40).map("".join), SPLITS)
def test_boundlessbpe_encodes_other_texts_by_its_merges_in_order(texts: list[str], other: str, split: str) -> None:
    training = train(texts, boundless(290, split=split))
    tokenizer = training.tokenizer()
    found = tokenizer.encode(other).ids.tolist()
    assert found == naive_boundless(other, training)
    assert tokenizer.decode(found) == other
    for run in tokenizer.split.words(other):
        assert tokenizer.trace(run)[-1].ids == tuple(tokenizer.model.encode_word(run).ids)


@settings(max_examples=examples(100))
@given(st.text(max_size=60), SPLITS)
def test_runs_consist_of_the_words_of_the_split(text: str, split: str) -> None:
    runs = Split(WORD_RUNS[split]).words(text)
    assert [word for run in runs for word in Split(split).words(run)] == Split(split).words(text)
    for run in runs:
        found = Split(split).words(run)
        assert len(found) == 1 or all(LETTER.search(word) for word in found)
    lettered = [LETTER.search(run) is not None for run in runs]
    assert not any(left and right for left, right in pairwise(lettered))


@settings(max_examples=examples(200))
@given(st.lists(st.text(max_size=30) | st.text("ab B's1 \n.\u0301ǅ日", max_size=30), max_size=4), SPLITS, st.booleans())
def test_runs_are_counted_from_scanned_words_as_by_their_pattern(texts: list[str], split: str, lowercase: bool) -> None:
    with patch("bpe_core.kernels.backend.use_compiled_later", return_value=True):
        found = count_runs(texts, WordSettings(split, lowercase=lowercase))
    with patch("bpe_core.kernels.backend.use_compiled_later", return_value=False):
        plain = count_runs(texts, WordSettings(split, lowercase=lowercase))
    runs, first_text = count_plainly(texts, WordSettings(WORD_RUNS[split], lowercase=lowercase))
    expected = count_plainly(texts, WordSettings(split, lowercase=lowercase))
    for words, of_runs, letters in (found, plain):
        assert words == expected
        assert (words.first_text, words.counts.surrogates) == (first_text, runs.surrogates)
        each = [words.counts.words[number] for number in of_runs.words.tolist()]
        texts_of_runs = tuple("".join(each[start:end]) for start, end in pairwise(of_runs.offsets.tolist()))
        assert (texts_of_runs, of_runs.counts.tolist()) == (runs.words, runs.counts.tolist())
        assert letters.tolist() == [LETTER.search(word) is not None for word in words.counts.words]


@settings(max_examples=examples(100))
@given(st.lists(st.lists(st.integers(0, 5), max_size=12), max_size=6), st.integers(0, 5))
def test_a_table_of_runs_grows(texts: list[list[int]], longest: int) -> None:
    table, expected = RunTable(runs=1, words=1), dict[tuple[int, ...], int]()
    for each in (texts, texts[::-1]):
        for is_in_runs, found in ((is_in, [*run]) for text in each for is_in, run in groupby(text, longest.__gt__)):
            for run in [tuple(found)] if is_in_runs else [(word,) for word in found]:
                expected[run] = expected.get(run, 0) + 1
        firsts = np.cumsum([0, *map(len, each)])[:-1]
        table.add(np.array([word for text in each for word in text], np.int32), firsts, np.arange(6) < longest)
    edges = pairwise(table.offsets.tolist())
    counts = {tuple(table.words[start:end].tolist()): int(table.counts[run]) for run, (start, end) in enumerate(edges)}
    assert [*counts.items()] == [*expected.items()]


@settings(max_examples=examples(200))
@given(st.lists(st.text(max_size=30) | st.lists(st.sampled_from(PARTS)).map("".join), max_size=4), SPLITS)
def test_words_across_spaces_are_scanned_as_their_pattern_finds_them(texts: list[str], split: str) -> None:
    with patch("bpe_core.kernels.backend.use_compiled_later", return_value=True):
        words, across, pieces = count_superwords(texts, WordSettings(split))
    assert words == count_plainly(texts, WordSettings(split))
    assert across == count_plainly(texts, WordSettings(ACROSS_WORDS))
    assert pieces is not None
    assert pieces.text.startswith(words.counts.text)
    for cut in (pieces, CutWords.of(across.counts.text, across.counts.offsets)):
        each = [cut.text[start:end] for start, end in pairwise(cut.edges.tolist())]
        for word, (start, end) in zip(across.counts.words, pairwise(cut.offsets.tolist()), strict=True):
            assert b"".join(each[number] for number in cut.numbers[start:end]).decode() == word


@settings(max_examples=examples(200))
@given(st.text(max_size=60) | st.text(st.characters(max_codepoint=127), max_size=60))
def test_words_across_spaces_cover_the_text_and_are_counted_alike(text: str) -> None:
    found = Split(ACROSS_WORDS).words(text)
    assert "".join(found) == text
    pattern = compile_split(ACROSS_WORDS)
    assert list(found_words(pattern, text)) == found == pattern.findall(text)


def test_after_the_change_numbers_and_punctuation_stay_apart() -> None:
    assert Split(ACROSS_WORDS).words("in 12345 of   two (or more...)\n!!\n//x!") == [
        "in ", "123", "45", " of", "  ", " two (or more", "...)\n", "!!\n//", "x!",
    ]  # fmt: skip


def test_the_split_changes_at_the_transition_and_all_merges_then_cross_words() -> None:
    training = train("ab b ab b ab b ab b", superbpe(262, 259))
    tokens = [training.tokenizer().token_bytes(merge.token_id) for merge in training.merges]
    assert tokens == [b"ab", b" b", b" ab", b" b ab", b" b ab b ab", b"ab b ab b ab"]
    change = training.rule_change
    assert change is not None
    assert (change.step, change.before, change.after) == (3, 8, 8)
    assert training.crossing.tolist() == [False] * 3 + [True] * 3
    assert [training.inner_spaces(step) for step in range(7)] == [0, 0, 0, 0, 1, 2, 3]


def test_a_merge_of_the_first_stage_crosses_words_once_the_split_has_changed() -> None:
    training = train("a1b a1b 1b1 1b1 1b1 x-y x-y -y", superbpe(262, 261, split=r"[a-z]\d[a-z]|\d[a-z]\d|[^a-z]+|."))
    change = training.rule_change
    assert change is not None
    assert change.after != change.before
    symbols = training.symbols()
    assert symbols.earlier is not None
    for step in range(len(training.merges) + 1):
        tokens = training.tokenizer(step).encode(training.text).ids.tolist()
        assert symbols.at(step).ids.tolist() == tokens


def test_before_the_change_everything_is_as_without_it() -> None:
    training = train(HANDS, superbpe(300, 275))
    plain = train(HANDS, TrainConfig(vocab_size=275))
    for step in range(len(plain.merges)):
        assert training.at(step).words() == plain.at(step).words()
        assert training.at(step).candidates(5) == plain.at(step).candidates(5)
        assert training.window(step).ids.tolist() == plain.window(step).ids.tolist()
    assert training.merges[: len(plain.merges)] == plain.merges


@BOTH
def test_a_fork_keeps_the_merges_before_it(config: TrainConfig) -> None:
    training = train(HANDS, config)
    for step in (2, 8, 20):
        other = training.at(step).candidates(3)[1]
        forked = training.fork(step, (other.left, other.right))
        assert forked.merges[:step] == training.merges[:step]
        assert (forked.merges[step].left, forked.merges[step].right) == (other.left, other.right)
        assert forked.merges[step].count == other.count
        assert forked.crossing[step] == other.crosses or config.method == "superbpe"
        tokenizer = forked.tokenizer()
        assert forked.window(len(forked.merges)).ids.tolist() == tokenizer.encode(HANDS).ids.tolist()


@BOTH
@pytest.mark.parametrize("tie_break", ["first-seen", "lowest-ids", "first-counted"])
def test_the_first_candidate_is_merged_under_every_tie_rule(config: TrainConfig, tie_break: str) -> None:
    settings = {name: getattr(config, name) for name in ("vocab_size", "method", "transition")}
    training = train(HANDS, TrainConfig(**settings, tie_break=tie_break))
    for step, following in enumerate(training.merges):
        [first] = training.at(step).candidates(1)
        assert (first.left, first.right, first.chosen) == (following.left, following.right, True)


@BOTH
def test_changes_are_the_difference_of_all_counts(config: TrainConfig) -> None:
    training = train(HANDS, config)
    for step in range(1, len(training.merges) + 1):
        snapshot = training.at(step)
        assert snapshot.before is not None
        change = training.rule_change
        if change is not None and step == change.step:
            continue  # the counts after it are those of other words
        before, after = (
            {(each.left, each.right, each.crosses): each.count for each in state.candidates(10_000)}
            for state in (snapshot.before(), snapshot)
        )
        expected = {
            pair: (before.get(pair, 0), after.get(pair, 0))
            for pair in {*before, *after}
            if before.get(pair, 0) != after.get(pair, 0)
        }
        changes = snapshot.changes()
        merged = training.merges[step - 1]
        assert (changes[0].left, changes[0].right) == (merged.left, merged.right)
        assert {(c.left, c.right, c.crosses): (c.before, c.after) for c in changes if c.before != c.after} == expected


def test_two_words_merge_only_as_single_tokens_with_letters() -> None:
    training = train("go on - go on - 11 11 11 11 11 11", boundless(266))
    tokens = [training.tokenizer().token_bytes(merge.token_id) for merge in training.merges]
    assert b"go on" in tokens
    assert not any((b"-" in token and len(token) > 2) or b"1 1" in token for token in tokens)


def test_a_boundary_says_that_only_whole_words_merge() -> None:
    tokenizer = train(HANDS, boundless()).tokenizer()
    encoding = tokenizer.encode(" the onez")
    assert [tokenizer.token_bytes(token) for token in encoding.ids.tolist()] == [b" the", b" one", b"z"]
    assert "only as two whole words" in why_boundary(tokenizer, encoding, 1).explanation


def test_texts_are_never_joined() -> None:
    for config in (superbpe(262, 258), boundless(262)):
        training = train(["go", "on"] * 5, config)
        assert b"goon" not in training.tokenizer().model.tokens


@BOTH
def test_characters_special_tokens_and_a_minimum_count_work(config: TrainConfig) -> None:
    transition = 40 if config.method == "superbpe" else 0
    settings = TrainConfig(
        vocab_size=60, unit="char", method=config.method, transition=transition, special_tokens=("<s>",), min_count=3
    )
    training = train(HANDS, settings)
    assert training.stop_reason == "below min_count"
    assert min(merge.count for merge in training.merges) >= 3
    tokenizer = training.tokenizer()
    assert tokenizer.decode(tokenizer.encode(HANDS).ids) == HANDS
    assert tokenizer.encode("<s>" + HANDS, special="parse").ids[0] == 0


@BOTH
@pytest.mark.parametrize("text", ["", " ", "a", "\n\n", "aaaa", "a" * 50, "   ", "👩‍🚀 👩‍🚀 👩‍🚀", "\ud800 x"])
def test_texts_of_few_pairs_train(config: TrainConfig, text: str) -> None:
    training = train(text, config)
    last = len(training.merges)
    assert training.window(last).ids.tolist() == training.tokenizer().encode(training.text).ids.tolist()
    assert training.at(last).candidates() == []
    assert training.sweep()[-1].tokens == training.token_count(last)


@BOTH
def test_costs_and_tables_cover_all_steps(config: TrainConfig) -> None:
    training = train(HANDS, config)
    assert [cost.tokens for cost in training.sweep()] == [training.token_count(cost.step) for cost in training.sweep()]
    for cost in training.sweep():
        ids = training.tokenizer(cost.step).encode(HANDS).ids.tolist()
        assert cost.single_use == sum(ids.count(token) == 1 for token in set(ids))
    table = training.table()
    assert table["tokens"].tolist() == [training.token_count(step) for step in range(1, len(training.merges) + 1)]
    assert training.tree(training.vocab_size - 1).rank == len(training.merges) - 1


@BOTH
def test_the_place_of_a_merge_is_where_its_token_first_stands(config: TrainConfig) -> None:
    training = train(HANDS, config)
    crossing = [rank for rank, crosses in enumerate(training.crossing.tolist()) if crosses]
    for rank in crossing:
        place = training.first_place(rank + 1)
        token = training.tokenizer().token_bytes(training.merges[rank].token_id).decode()
        assert place is not None
        assert training.text[place : place + len(token)] == token


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ({"method": "superbpe"}, "transition is 0. It is a number of ids from 256"),
        ({"method": "superbpe", "transition": 600}, "to 512, the vocabulary size"),
        ({"transition": 300}, "Only 'superbpe' changes its split"),
        ({"method": "boundlessbpe", "split": "none"}, "needs adjacent words"),
        ({"method": "superbpe", "transition": 300, "split": "words"}, "cover the text"),
        ({"method": "boundlessbpe", "split": r"\w+|\W"}, "supports only the splits gpt2, cl100k, o200k"),
        ({"method": "boundlessbpe", "unit": "char", "end_of_word": "</w>"}, "no single end to mark"),
        ({"method": "bound"}, "It takes 'bpe', 'superbpe', 'boundlessbpe'"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings: dict[str, object], wanted: str) -> None:
    with pytest.raises(ConfigError) as raised:
        TrainConfig(**settings)  # type: ignore[arg-type]
    assert wanted in str(raised.value)


def test_what_only_the_training_can_tell_is_refused() -> None:
    cases = [
        (lambda: train(count_words("low low"), boundless()), "which words are adjacent"),
        (lambda: train("low", superbpe(60_000, 50_300), base=load_pretrained("gpt2")), "continues from a tokenizer"),
        (lambda: train("low", boundless(), forced=[(1, 2)]), "does not determine whether its tokens are whole words"),
        (lambda: train("low low", superbpe(split=r"\w+")), "drops parts of this text"),
        (lambda: train("low low", superbpe(50, 2, unit="char")), "needs 5 ids"),
    ]
    for call, wanted in cases:
        with pytest.raises(BpeError) as raised:
            call()
        assert wanted in str(raised.value)


def test_no_file_holds_merges_of_whole_words(tmp_path: Path) -> None:
    tokenizer = train(HANDS, boundless()).tokenizer()
    with pytest.raises(FormatError, match="both parts are whole words"):
        save(tokenizer, tmp_path / "tokenizer.json", format="tokenizers")


@BOTH
def test_the_first_merges_alone_give_the_tokens_of_their_step(config: TrainConfig) -> None:
    training = train(HANDS, config)
    tokenizer, other = training.tokenizer(), "on the other hand, the one of the hands on the land"
    counts = tokenizer.tokens_over_merges(other).tolist()
    if config.method == "superbpe":  # with the last split at all steps
        steps = [len(tokenizer.model.with_first_merges(step).encode_word(other[:18]).ids) for step in (0, 44)]
        assert steps == [18, len(tokenizer.model.encode_word(other[:18]).ids)]
    else:
        assert counts == [len(training.tokenizer(step).encode(other).ids) for step in range(len(counts))]
    assert counts[-1] == len(tokenizer.encode(other).ids)


@BOTH
def test_a_saved_training_opens_as_the_tokenizer_that_was_trained(config: TrainConfig) -> None:
    training = train(HANDS, config)
    second = training.at(2).candidates()[1]
    for made in (training, training.fork(2, (second.left, second.right))):
        forks = () if made is training else ((2, made.merges[2].left, made.merges[2].right),)
        opened, wanted = from_bytes(save_training(made, HANDS, forks=forks)), made.tokenizer()
        for text in (HANDS, "on the one hand, 12,345 hands\n\n  on the other hand"):
            assert opened.encode(text).ids.tolist() == wanted.encode(text).ids.tolist()


@pytest.mark.parametrize("name", ["japanese_station_clock", "emoji_and_scripts", "lantern_story"])
def test_a_merge_crosses_words_if_its_token_has_an_edge_of_the_first_split_inside(name: str) -> None:
    text = Path(f"sample_texts/{name}.txt").read_text(encoding="utf-8")
    training = train(text, TrainConfig(vocab_size=440, method="superbpe", transition=400))
    edges = np.cumsum([len(word.encode()) for word in Split("gpt2").words(text)])
    whole = training.tokenizer()
    length = np.array([len(whole.token_bytes(token)) for token in range(training.vocab_size)])
    for rank in range(144, 184):
        made, ids = training.merges[rank].token_id, training.tokenizer(rank + 1).encode(text).ids.tolist()
        ends = np.cumsum(length[ids])
        inside = np.searchsorted(edges, ends, "left") - np.searchsorted(edges, np.append(0, ends[:-1]), "right")
        assert bool(inside[np.array(ids) == made].any()) == training.crossing[rank], training.merges[rank]


def test_files_of_superbpe_open_again() -> None:
    tokenizer = train(HANDS, superbpe()).tokenizer()
    for format in ("tokenizers", "bpe-lab"):
        again = from_bytes(to_bytes(tokenizer, format=format))
        assert again.encode(HANDS).ids.tolist() == tokenizer.encode(HANDS).ids.tolist()
