"""Train: the words of the text with their counts, and the vocabulary, at every step."""

import re
import tracemalloc
from collections import Counter
from random import Random

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.ways import Visit
from bpe_core import TrainConfig, train
from bpe_core.bpe.merge_rows import merges_table
from bpe_core.payloads.chips import LONGEST_WORD
from tests.app import pages
from tests.app.pages import has
from tests.app.test_train import column, go, payload, texts
from ui.session.samples import sample

WORDS, VOCABULARY = "words table", "vocabulary table"


def opened(shown: str, **query: str) -> AppTest:
    corpus = {} if "corpus" in query else {"sample": "toy_hug"}
    return pages.opened(query={"shown": shown, **corpus, **query})


def shown_words(app: AppTest) -> list[tuple[str, int, int]]:
    """Rows: tokens joined by a bar, the word's count, and its number of tokens."""
    words = ["|".join(chip[1] for chip in cell["word"]) for cell in column(app, WORDS, "Word")]
    return list(zip(words, column(app, WORDS, "Count"), column(app, WORDS, "Tokens"), strict=True))


def test_words_are_listed_by_frequency_in_the_tokens_of_the_step() -> None:
    app = opened("words", step="0")
    counts = Counter(sample("toy_hug").text.split())
    assert shown_words(app) == [("|".join(word), count, len(word)) for word, count in counts.most_common()]
    assert payload(app, WORDS)["title"] == "36 words"
    assert payload(app, WORDS)["rest"] == "5 distinct\nclick one to encode it"
    go(app, 3)
    assert shown_words(app)[:2] == [("p|un", 12, 2), ("hug", 10, 1)]


def test_a_click_on_a_word_opens_it_on_encode() -> None:
    app = opened("words", step="3")
    visit = Visit(app)
    visit.send(WORDS, "picked", [payload(app, WORDS)["rev"], 1, 3])
    assert visit.app.session_state["encode with"] == "trained"
    assert visit.app.session_state["encode text"] == "hug"
    assert visit.app.session_state["go to page"] == "encode"


def test_of_many_words_the_most_frequent_are_drawn_and_of_a_long_one_its_beginning() -> None:
    text = " ".join(f"{a}{b}" for a in "abcdefghijklmnop" for b in "abcdefghijklmnop") + f" {'xy' * 100} xy xy"
    app = opened("words", corpus=text, split="words", vocab_size="256")
    assert payload(app, WORDS)["rows"] == 200
    assert shown_words(app)[0] == ("x|y", 2, 2)
    assert "The 200 most frequent." in payload(app, WORDS)["caption"]
    app = opened("words", corpus=f"{'xy' * 100} xy", split="words", vocab_size="256")
    long, _short = column(app, WORDS, "Word")
    assert (len(long["word"]), long["more"]) == (LONGEST_WORD, 200 - LONGEST_WORD)


def test_the_vocabulary_grows_by_a_token_at_every_step_and_counts_what_is_left_in_the_text() -> None:
    app = opened("vocabulary", step="0")
    assert [chip[1] for chip in column(app, VOCABULARY, "Token")][1:] == sorted("hugpnbs")
    assert column(app, VOCABULARY, "Made by") == ["special token", *["base symbol"] * 7], "<unk> comes first"
    go(app, 1)
    special, *tokens = [chip[1] for chip in column(app, VOCABULARY, "Token")]
    assert special == [["<unk>", 0]]
    assert tokens[-1] == "ug"
    assert column(app, VOCABULARY, "Made by")[-1] == "merge 1"
    assert payload(app, VOCABULARY)["current"] == len(tokens)
    uses = dict(zip(tokens, column(app, VOCABULARY, "In the text")[1:], strict=True))
    training = train(sample("toy_hug").text, TrainConfig(split="words", unit="char", vocab_size=9))
    counted: Counter[str] = Counter()
    for word, count in training.at(1).words():
        for token_id in word:
            counted[training.at(1).token_bytes(token_id).decode()] += count
    assert {token: count for token, count in uses.items() if count} == dict(counted)
    assert uses["g"] == 0, "every g is in ug"


def test_base_symbols_that_the_text_does_not_have_are_left_out_and_it_is_said() -> None:
    app = opened("vocabulary", corpus="low low", split="words", vocab_size="258", step="2")
    assert column(app, VOCABULARY, "Id") == [*sorted(b"low"), 256, 257]
    assert payload(app, VOCABULARY)["title"] == "258 tokens"
    assert "left out" in payload(app, VOCABULARY)["caption"]
    assert not payload(opened("vocabulary"), VOCABULARY)["caption"]


def test_a_click_on_a_token_of_the_vocabulary_opens_it_at_the_step_that_was_seen() -> None:
    app = opened("vocabulary", step="2")
    table = payload(app, VOCABULARY)
    visit = Visit(app)
    visit.send(VOCABULARY, "picked", [table["rev"], table["rows"] - 1, table["seenAt"]])
    assert visit.app.session_state["opened token"] == table["columns"][0]["cells"][-1]
    assert has(visit.app, "tree of a token")


@pytest.mark.parametrize("picked", [[0], ["x", 10**6, 0], ["x", 0, 10**6], ["x", -1, 0], "x", None])
def test_a_forged_row_opens_nothing(picked: object) -> None:
    visit = Visit(opened("vocabulary", step="2"))
    visit.send(VOCABULARY, "picked", picked)
    assert not visit.app.exception
    assert visit.app.session_state["opened token"] is None


@pytest.mark.parametrize("shown", ["words", "vocabulary"])
@pytest.mark.parametrize(
    "corpus", ["a", " ", "\u0645\u0631\u062d\u0628\u0627 \u0645\u0631", "\U0001f469\u200d\U0001f467", "<b>x</b>"]
)
def test_any_text_has_both_tables(shown: str, corpus: str) -> None:
    app = opened(shown, corpus=corpus, split="gpt2", vocab_size="300")
    assert payload(app, f"{shown} table")["rows"] > 0
    assert not re.search("<b>", texts(app))


def test_a_table_of_many_long_tokens_that_begin_inside_characters_stays_small() -> None:
    letters = "".join(map(chr, Random(1).choices(range(0x4E00, 0x9000), k=6_000)))
    training = train(letters, TrainConfig(split="none", vocab_size=16_000))
    tokenizer, last = training.tokenizer(), len(training.merges)
    tables = [
        merges_table(training, tokenizer, ranks, letters.encode()) for ranks in (range(last), range(last - 100, last))
    ]
    assert max(len(tokenizer.token_bytes(merge.token_id)) for merge in training.merges) == 18_000
    assert len(tables[0].body.data) < 6 * 5_500_000
    assert len(tables[1].body.data) > 2_000 * 100, "fewer rows have longer tokens"


def test_a_table_of_many_merges_takes_little_more_memory_than_what_is_sent() -> None:
    text = " ".join("".join(Random(at).choices("abcdefghij", k=6)) for at in range(6_000))
    training = train(text, TrainConfig(split="words", vocab_size=4_256))
    tokenizer, ranks = training.tokenizer(), range(len(training.merges))
    merges_table(training, tokenizer, ranks[:10], text.encode()).encoded()  # fills the caches
    tracemalloc.start()
    sent = merges_table(training, tokenizer, ranks, text.encode()).encoded()
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sent.rows == 4_000
    assert held < 1.2 * len(sent.body.data), "cells are kept"
    assert peak < 5 * len(sent.body.data), "cells are made all at once"
