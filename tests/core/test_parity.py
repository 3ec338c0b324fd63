"""Parity-aware training serves the language that is worst off: the compiled loop equals the definition."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import ConfigError, TrainConfig, train, train_parity
from bpe_core.bpe import compiled
from bpe_core.bpe.corpus import Corpus, Plan
from bpe_core.bpe.parity_reference import GLOBAL, learn_fairly, worst_off
from tests.core.json_files import peer_of
from tests.draws import examples

TEXTS = {
    "en": "the sun and the sea and the sand\nthe sea",
    "de": "die Sonne und die See und der Sand\ndie See",
    "el": "ο ήλιος και η θάλασσα και η άμμος\nη θάλασσα",
}
RULES = ("first-seen", "lowest-ids", "first-counted")

words = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=8), max_size=6)
languages = st.lists(words, min_size=2, max_size=4)


@pytest.fixture(scope="module")
def fair():
    return train_parity(TEXTS, TrainConfig(vocab_size=286), unit="lines")


# -- the oracle: the definition, on lists of words with repeats --------------------------------------------------


def by_definition(texts, units, first_id, most, min_count, window, forced):
    """Merges as (language, pair, count, tokens of every language after it), ties by the lowest ids."""
    texts = [[list(word) for word in text] for text in texts]
    served = []
    for step in range(most):
        counts = [counted(text) for text in texts]
        if step < len(forced):
            language, pair = None, forced[step]
            count = sum(each.get(pair, 0) for each in counts)
        else:
            last = served[-window:] if window else []
            able = [at for at, each in enumerate(counts) if each and max(each.values()) >= min_count]
            if not able:
                return
            within = [at for at in able if not window or last.count(at) / window <= 2 / len(texts)]
            language = min(within or able, key=lambda at: (units[at] / sum(map(len, texts[at])), at))
            count = max(counts[language].values())
            pair = min(pair for pair, times in counts[language].items() if times == count)
            served.append(language)
        texts = [[joined(word, pair, first_id + step) for word in text] for text in texts]
        yield language, pair, count, [sum(map(len, text)) for text in texts]


def counted(text):
    counts = {}
    for word in text:
        for at in range(len(word) - 1):
            pair = word[at], word[at + 1]
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def joined(word, pair, new):
    made = []
    for token in word:
        if made and (made[-1], token) == pair:
            made[-1] = new
        else:
            made.append(token)
    return made


@settings(max_examples=examples(60))
@given(languages, st.lists(st.integers(1, 20), min_size=4, max_size=4), st.integers(1, 3), st.integers(0, 6), st.data())
def test_every_merge_is_the_one_of_the_definition(texts, units, min_count, window, data):
    forced = data.draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=3))
    plan = Plan(4, 12, "lowest-ids", min_count, forced)
    corpora = [Corpus.of(text, [1] * len(text)) for text in texts]
    tokens = np.array([corpus.token_count for corpus in corpora])
    found = []
    for merge in learn_fairly(corpora, units[: len(texts)], plan, window=window):
        tokens = tokens - merge.replaced
        language = None if merge.language == GLOBAL else merge.language
        found.append((language, (merge.left, merge.right), merge.times, tokens.tolist()))
    assert found == list(by_definition(texts, units, 4, 12, min_count, window, forced))


@settings(max_examples=examples(60))
@given(languages, st.sampled_from(RULES), st.integers(1, 3), st.integers(0, 6), st.integers(0, 3), st.data())
def test_the_loop_over_all_languages_equals_recounting_all_pairs(texts, rule, min_count, window, first, data):
    corpora = [
        Corpus.of(text, data.draw(st.lists(st.integers(1, 9), min_size=len(text), max_size=len(text))))
        for text in texts
    ]
    units = [corpus.token_count for corpus in corpora]
    plan = Plan(4, 14, rule, min_count, [(0, 1), (4, 4), (2, 3)][:first])
    plain = list(learn_fairly(corpora, units, plan, window=window))
    loop = compiled.fair_merges(corpora, units, plan, lambda done, total: None, window=window)
    found = zip(loop.pairs.tolist(), loop.served.tolist(), loop.counts.tolist(), loop.replaced.tolist(), strict=True)
    assert [
        (left, right, served, sum(counts) if served == GLOBAL else counts[served], tuple(replaced))
        for (left, right), served, counts, replaced in found
    ] == plain


@settings(max_examples=examples(40))
@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=40), min_size=2, max_size=4),
    st.sampled_from(["bytes", "characters"]),
    st.sampled_from(["byte", "char"]),
)
def test_the_tokens_of_any_text_are_those_of_its_tokenizer(texts, unit, symbols):
    found = train_parity(texts, TrainConfig(vocab_size=500, unit=symbols, split="gpt2"), unit=unit)
    tokenizer = found.training.tokenizer()
    encoded = [len(tokenizer.encode(text, special="text")) for text in texts.values()]
    assert found.tokens[-1].tolist() == encoded
    assert found.tokens.sum(1).tolist() == [found.training.token_count(n) for n in range(len(found.served) + 1)]


@settings(max_examples=examples(60))
@given(
    st.lists(st.text(st.sampled_from("aabé \ud800日"), max_size=60), min_size=2, max_size=4),
    st.sampled_from(RULES),
    st.sampled_from(["byte", "char"]),
    st.integers(1, 3),
    st.integers(0, 4),
)
def test_its_training_is_the_usual_one_forced_to_the_same_merges(texts, rule, unit, min_count, first):
    config = TrainConfig(vocab_size=290 if unit == "byte" else 30, unit=unit, tie_break=rule, min_count=min_count)
    with patch("bpe_core.bpe.parity.use_compiled_later", return_value=True):
        found = train_parity(dict(zip("abcd", texts, strict=False)), config, global_merges=first).training
    usual = train(texts, found.config, forced=[(merge.left, merge.right) for merge in found.merges])
    assert found.merges == usual.merges
    assert (found.stop_reason, found.surrogates, found.text) == (usual.stop_reason, usual.surrogates, usual.text)
    for step in range(len(usual.merges) + 1):
        assert found.at(step).words() == usual.at(step).words()
        assert found.at(step).candidates(5) == usual.at(step).candidates(5)
        assert (found.token_count(step), found.first_place(step)) == (usual.token_count(step), usual.first_place(step))
    assert found.symbols().joined.tolist() == usual.symbols().joined.tolist()


# -- its purpose ---------------------------------------------------------------------------------------------------


def test_the_costly_language_gets_the_merges_and_the_cheap_one_pays(fair):
    usual = train_parity(TEXTS, TrainConfig(vocab_size=286), unit="lines", global_merges=30)
    assert fair.step(1).language == "el"
    assert np.ptp(fair.tokens[-1]) < np.ptp(usual.tokens[-1])
    assert fair.tokens[-1, 0] > usual.tokens[-1, 0]


def test_a_step_names_its_language_rate_pair_and_count(fair):
    first = fair.step(1)
    pair = bytes([first.left, first.right]).decode("utf-8", "replace")
    assert (first.number, first.rate, first.token_id) == (1, 2 / fair.tokens[0, 2], 256)
    assert first.times == TEXTS["el"].encode().count(bytes([first.left, first.right])), pair
    assert fair.rates(0).tolist() == (2 / fair.tokens[0]).tolist()


def test_with_only_global_merges_it_is_the_usual_training():
    config = TrainConfig(vocab_size=290)
    usual = train(list(TEXTS.values()), config)
    found = train_parity(TEXTS, config, global_merges=1_000)
    assert found.training.merges == usual.merges
    assert {found.step(number).language for number in range(1, 35)} == {None}
    assert found.counts.tolist() == [merge.count for merge in usual.merges]


def test_a_hybrid_begins_as_the_usual_training_and_is_fair_after_it():
    config = TrainConfig(vocab_size=290)
    found = train_parity(TEXTS, config, global_merges=10)
    assert found.training.merges[:10] == train(list(TEXTS.values()), config).merges[:10]
    assert found.served[:10].tolist() == [GLOBAL] * 10
    assert GLOBAL not in found.served[10:]


def test_a_window_passes_over_a_language_that_had_more_than_two_shares():
    assert worst_off([1, 1, 1, 1], [9, 3, 2, 1], [0, 0, 0], 4)[0] == 1  # 3 of 4 is more than two quarters
    assert worst_off([1, 1, 1, 1], [9, 3, 2, 1], [0, 0, 1], 4)[0] == 0  # 2 of 4 is not
    assert worst_off([1, 1, 1, 1], [9, 3, 2, 1], [0, 0, 0, 1, 2, 3], 4)[0] == 0  # the window has moved on


def test_equal_rates_go_to_the_first_language():
    found = train_parity({"b": "xy xy", "a": "xy xy"}, TrainConfig(vocab_size=258))
    assert found.step(1).language == "b"


def test_training_goes_on_with_the_others_once_a_language_has_no_pair_left():
    found = train_parity({"tiny": "ab", "en": "abcd abcd"}, TrainConfig(vocab_size=300), unit="lines")
    assert found.training.stop_reason == "no pairs left"
    assert found.tokens[-1].tolist() == [1, 2]


def test_a_pair_too_rare_in_every_language_is_not_merged_though_frequent_in_all():
    found = train_parity({"a": "xy", "b": "xy"}, TrainConfig(vocab_size=300, min_count=2))
    assert not found.training.merges


@pytest.mark.parametrize("split", ["gpt2", "cl100k"])
def test_its_file_gives_the_same_ids_in_the_tokenizers_library(split):
    found = train_parity(TEXTS, TrainConfig(vocab_size=300, split=split), unit="lines")
    mine = found.training.tokenizer()
    theirs = peer_of(mine)
    for text in (*TEXTS.values(), "άμμος, sandy 123"):
        assert theirs.encode(text, add_special_tokens=False).ids == mine.encode(text).ids.tolist()


def test_units_are_those_of_the_words():
    texts = {"en": "ab\nc", "el": "άβ\nγ\n"}
    config = TrainConfig(vocab_size=256)
    assert [train_parity(texts, config, unit=each).units.tolist() for each in ("bytes", "characters", "lines")] == [
        [4, 8],
        [4, 5],
        [2, 2],
    ]


def test_lines_that_are_not_parallel_are_refused():
    with pytest.raises(ConfigError, match=r"The text of 'en' has 2 lines, that of 'de' 1\. .*parallel") as raised:
        train_parity({"en": "a\nb", "de": "a"}, unit="lines")
    assert "bytes" in raised.value.remedy


def test_one_language_is_refused():
    with pytest.raises(ConfigError, match=r"texts of 1 languages"):
        train_parity({"en": "a"})


@pytest.mark.parametrize(("is_compiled", "done"), [(False, [0, 32]), (True, [0, 58])])
def test_progress_is_reported_and_can_cancel(is_compiled, done):
    reports = []

    def cancel(done, total):
        raise KeyboardInterrupt

    with patch("bpe_core.bpe.parity.use_compiled_later", return_value=is_compiled):
        made = train_parity(TEXTS, TrainConfig(vocab_size=400), on_progress=lambda *each: reports.append(each))
        assert len(made.training.merges) == 58
        assert reports == [(each, 144) for each in done]
        with pytest.raises(KeyboardInterrupt):
            train_parity(TEXTS, on_progress=cancel)
