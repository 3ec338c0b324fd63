"""Many texts: each is counted as `encode` counts it, tables and percentiles are NumPy's, and memory stays bounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import numpy as np
import pandas as pd
import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import (
    PRETRAINED,
    ConfigError,
    CorpusError,
    FormatError,
    TextCounts,
    Tokenizer,
    compare_texts,
    load_pretrained,
    open_table,
    parallel_texts,
    train,
)
from bpe_core.comparison.metrics import gini
from bpe_core.display.text_counts_figures import text_bars, text_counts_figure
from bpe_core.formats.tables import to_csv, to_latex, to_parquet
from bpe_core.text.splits import PATTERNS
from bpe_core.tokenizer.texts_ids import ids_of_texts
from bpe_core.tokenizer.tokenizer import Special
from tests.core import oracle
from tests.core.any_stages import any_stages
from tests.core.json_files import Json, json_tokenizer, peer_of
from tests.draws import Outcomes, examples

SAMPLES = Path(__file__).parents[2] / "sample_texts"
TEXTS = [
    "",
    " ",
    "low lower lowest",
    "日本語の文字",
    "a\x00b\ud800\r\n\n",
    "<|endoftext|>[MASK]</s>",
    "é é",
    "word " * 20_000,
]
GPT2 = load_pretrained("gpt2")


def lines() -> list[str]:
    return [line for path in sorted(SAMPLES.glob("*.txt")) for line in path.read_text(encoding="utf-8").split("\n")]


@pytest.fixture(scope="module")
def counts() -> TextCounts:
    return compare_texts(lines(), {name: load_pretrained(name) for name in ("gpt2", "cl100k_base", "t5-small")})


# -- counts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("special", ["text", "parse"])
@pytest.mark.parametrize("name", PRETRAINED)
def test_each_text_has_the_ids_of_its_own(name: str, special: str) -> None:
    tokenizer = load_pretrained(name)
    texts = [*TEXTS, *lines()[:300]]
    ids, ends = ids_of_texts(tokenizer, texts, special)  # type: ignore[arg-type]
    found = [each.tolist() for each in np.split(ids, ends)[:-1]]
    assert found == [tokenizer.encode(text, special=special).ids.tolist() for text in texts]  # type: ignore[arg-type]


@given(st.lists(oracle.texts, max_size=20), oracle.configs())
@settings(max_examples=examples(60))
def test_ids_of_any_texts_are_those_of_each(texts: list[str], config: object) -> None:
    tokenizer = oracle_tokenizer(texts, config)
    ids, ends = ids_of_texts(tokenizer, texts)
    assert [len(part) for part in np.split(ids, ends)[:-1]] == [len(tokenizer.encode(text)) for text in texts]


PARTS = [
    "",
    " ",
    "low",
    "LOWer",
    "<s>",
    "ab",
    "É",
    "e\u0301",
    "\u0301",
    "日本",
    "\u200b",
    "\x00",
    "\ufeff",
    "\r",
    "\n",
    "9",
    "▁",
    "😀",
]
HOSTILE = st.lists(st.sampled_from([*PARTS, "\ud800", "\ud83d", "\ude00"]), max_size=6).map("".join)


@pytest.mark.floor(refused=50, accepted=200)
@settings(max_examples=examples(600))
@given(
    any_stages,
    st.lists(HOSTILE, max_size=8),
    st.sampled_from(["text", "parse"]),
)
def test_ids_of_hostile_texts_under_files_of_any_stages_are_those_of_each(
    outcomes: Outcomes, parts: Json, texts: list[str], special: Special
) -> None:
    try:
        tokenizer = json_tokenizer(**parts)
    except FormatError:
        outcomes.refused += 1
        return
    try:
        alone = [tokenizer.encode(text, special=special).ids.tolist() for text in texts]
    except CorpusError as error:
        with pytest.raises(CorpusError, match=re.escape(str(error))):
            ids_of_texts(tokenizer, texts, special)
        outcomes.refused += 1
        return
    outcomes.accepted += 1
    ids, ends = ids_of_texts(tokenizer, texts, special)
    assert [each.tolist() for each in np.split(ids, ends)[:-1]] == alone


@pytest.mark.parametrize("name", ["t5-small", "bert-base-uncased"])
def test_words_of_many_texts_are_encoded_in_one_call(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = load_pretrained(name)
    calls: list[int] = []
    kind = type(tokenizer.model)
    whole = kind.encode_words
    monkeypatch.setattr(kind, "encode_words", lambda model, words: calls.append(len(words)) or whole(model, words))
    monkeypatch.setattr(kind, "encode_word", lambda *_: pytest.fail("a word was encoded alone"))
    texts = [f"the text {number} is one of many" for number in range(2_000)]
    assert len(ids_of_texts(tokenizer, texts)[1]) == 2_000
    assert len(calls) == 1


def oracle_tokenizer(texts: list[str], config: object) -> Tokenizer:
    return train(["".join(texts), "low lower"], config).tokenizer()  # type: ignore[arg-type]


def test_counts_are_those_of_tiktoken_and_of_the_tokenizers_library(counts: TextCounts) -> None:
    texts = lines()
    for name in ("gpt2", "t5-small"):
        library = peer_of(load_pretrained(name))
        encoded = library.encode_batch(texts, add_special_tokens=False)
        found = zip(texts, counts.tokens[name].tolist(), [len(each.ids) for each in encoded], strict=True)
        differ = [text for text, own, theirs in found if own != theirs]
        assert all("<|endoftext|>" in text or "</s>" in text for text in differ), "special tokens, found by the library"
    cl100k = load_pretrained("cl100k_base")
    ranks = {cl100k.token_bytes(token_id): token_id for token_id in range(100_256)}
    peer = tiktoken.Encoding("cl100k", pat_str=PATTERNS["cl100k"], mergeable_ranks=ranks, special_tokens={})
    assert counts.tokens["cl100k_base"].tolist() == [len(peer.encode_ordinary(text)) for text in texts]


def test_sizes_are_those_of_the_texts(counts: TextCounts) -> None:
    texts = lines()
    assert counts.characters.tolist() == list(map(len, texts))
    assert counts.bytes.tolist() == [len(text.encode()) for text in texts]
    assert counts.rows.tolist() == list(range(len(texts)))
    words = compare_texts(["low lower", "日本語です", ""], {}).words
    assert words.tolist() == [2, 0, 0]


def test_the_longest_token_is_one_of_the_text(counts: TextCounts) -> None:
    for name in counts.names:
        tokenizer = load_pretrained(name)
        for at in range(0, len(counts), 37):
            tokens = [tokenizer.token_bytes(token_id) for token_id in tokenizer.encode(lines()[at]).ids.tolist()]
            longest = int(counts.longest[name][at])
            assert (longest == -1) == (not tokens)
            assert not tokens or len(counts.longest_texts[name][longest]) == max(map(len, tokens))


def test_unknown_tokens_are_counted_where_a_tokenizer_has_one() -> None:
    tokenizers = {name: load_pretrained(name) for name in ("gpt2", "t5-small", "bert-base-uncased")}
    found = compare_texts(["low", "日 日", "☃ ☃"], tokenizers).unknown
    expected = {
        name: int((t.encode("日 日").ids == t.unknown_id).sum()) for name, t in tokenizers.items() if t.unknown_id
    }
    assert found["gpt2"] is None
    assert all((found[name] or 0) >= count for name, count in expected.items())


# -- tables -------------------------------------------------------------------------------------------------------


def test_the_table_of_tokenizers_has_the_percentiles_of_numpy(counts: TextCounts) -> None:
    table = counts.tokenizer_table(limits=[10, 20])
    for name in counts.names:
        tokens = counts.tokens[name]
        row = table.loc[name]
        assert [row[f"p{q}"] for q in (5, 25, 50, 75, 90, 95, 99)] == np.percentile(
            tokens, [5, 25, 50, 75, 90, 95, 99]
        ).tolist()
        assert (row["mean"], row["tokens"], row["max"]) == (tokens.mean(), tokens.sum(), tokens.max())
        assert tokens[int(table["longest_row"].tolist()[counts.names.index(name)])] == row["max"]
        assert row["over_10"] == (tokens > 10).mean() > row["over_20"] > 0


def test_the_table_of_texts_has_a_row_each_and_survives_files(counts: TextCounts, tmp_path: Path) -> None:
    table = counts.table()
    assert len(table) == len(counts)
    assert table["gpt2 tokens"].tolist() == counts.tokens["gpt2"].tolist()
    (tmp_path / "a.parquet").write_bytes(to_parquet(table))
    assert pd.read_parquet(tmp_path / "a.parquet").equals(table)
    (tmp_path / "a.csv").write_bytes(to_csv(table))
    read = pd.read_csv(tmp_path / "a.csv", encoding="utf-8-sig", keep_default_na=False)
    assert read["gpt2 tokens"].tolist() == counts.tokens["gpt2"].tolist()
    assert set(read.loc[counts.words == 0, "gpt2 tokens per word"]) == {""}


def test_no_texts_and_no_tokenizers_make_empty_tables() -> None:
    empty = compare_texts([], {"GPT-2": GPT2})
    assert (len(empty), len(empty.table())) == (0, 0)
    assert empty.tokenizer_table([5]).loc["GPT-2", "over_5"] == 0.0
    assert "no texts" in empty.figure("GPT-2").layout.annotations[0].text
    assert len(compare_texts(["low"], {}).tokenizer_table()) == 0


def test_latex_escapes_every_sign_and_leaves_missing_cells_empty() -> None:
    frame = pd.DataFrame({"a_b": ['\\&%$#_{}~^<>"\n', None], "n": [1, 2], "share": [0.5, np.nan]})
    text = to_latex(frame).decode()
    assert r"a\_b & n & share \\" in text
    assert r"\textbackslash{}\&\%\$\#\_\{\}\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}" in text
    assert r" & 2 &  \\" in text
    assert text.count("\n") == 8


def test_a_name_that_a_spreadsheet_would_run_is_escaped() -> None:
    table = to_csv(compare_texts(["low"], {"=1+1": GPT2}).tokenizer_table()).decode("utf-8-sig")
    assert "\r\n'=1+1," in table


# -- figure -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tokens", [[5], [0, 0], [1, 2, 3, 1_000], [*range(10_000)], [7] * 1_000 + [100_000]])
def test_every_text_is_in_one_bar(tokens: list[int]) -> None:
    first, step, bars = text_bars(np.array(tokens, np.int32))
    assert bars.sum() == len(tokens)
    assert len(bars) <= 62
    assert bars[:-1].tolist() == [
        sum(first + step * at <= each < first + step * (at + 1) for each in tokens) for at in range(len(bars) - 1)
    ]


def test_percentiles_of_equal_value_have_one_label_and_few_texts_a_tick_each() -> None:
    figure = text_counts_figure(np.array([7, 7, 7], np.int32), 8_192, "light")
    assert [each.text for each in figure.layout.annotations] == ["5, 50, 95, 99%: 7"]
    assert figure.layout.xaxis.dtick == figure.layout.yaxis.dtick == 1


def test_a_limit_beyond_all_texts_is_not_drawn_at_the_end_of_the_axis() -> None:
    tokens = np.arange(1, 1_250, dtype=np.int32)
    lines = {limit: len(text_counts_figure(tokens, limit, "light").layout.shapes) for limit in (600, 8_192)}
    assert lines == {600: 5, 8_192: 4}


def test_the_label_of_a_limit_is_away_from_those_of_percentiles_below_it() -> None:
    tokens = np.array([*range(20)] * 5 + [400], np.int32)
    sides = {limit: text_counts_figure(tokens, limit, "light").layout.annotations[-1].xanchor for limit in (15, 399)}
    assert sides == {15: "left", 399: "right"}


def test_the_figure_marks_percentiles_and_the_limit(counts: TextCounts) -> None:
    figure = counts.figure("gpt2", limit=20)
    labels = [each.text for each in figure.layout.annotations]
    assert [label.split(":")[0] for label in labels[:4]] == ["5%", "50%", "95%", "99%"]
    assert labels[4] == "20 tokens"
    assert sum(figure.data[0].y) == len(counts)


# -- limits -------------------------------------------------------------------------------------------------------


def test_texts_are_not_kept() -> None:
    class Text(str):
        __slots__ = ("__weakref__",)

    made: list[ref[Text]] = []

    def many() -> Iterator[str]:
        for number in range(60_000):
            text = Text(f"text {number}")
            made.append(ref(text))
            yield text

    alive: list[int] = []
    found = compare_texts(
        many(), {"GPT-2": GPT2}, on_progress=lambda *_: alive.append(sum(each() is not None for each in made))
    )
    assert len(found) == 60_000
    assert max(alive) < 20_000


def test_progress_ends_with_the_file_and_can_cancel(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("low lower\n" * 40_000)
    seen: list[tuple[int, int]] = []
    compare_texts(path, {"GPT-2": GPT2}, on_progress=lambda *now: seen.append(now))
    assert len(seen) > 1
    assert seen[-1] == (path.stat().st_size, path.stat().st_size)
    assert sorted(seen) == seen

    def cancel(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare_texts(path, {"GPT-2": GPT2}, on_progress=cancel)


def test_missing_texts_of_pandas_are_left_out() -> None:
    column = pd.Series(["low", None, np.nan, "lower"], dtype=object)
    found = compare_texts(column, {"GPT-2": GPT2})
    assert (found.rows.tolist(), found.missing) == ([0, 3], 2)
    with pytest.raises(CorpusError, match="hold 5 of type int"):
        compare_texts(["low", 5], {"GPT-2": GPT2})  # type: ignore[list-item]
    with pytest.raises(ConfigError, match="Only a file has columns"):
        compare_texts(["low"], {"GPT-2": GPT2}, column="text")


def test_rows_beyond_a_limit_are_ignored_and_that_is_said() -> None:
    given = ["low", None, "日本語の", "lower", "low"]
    for most, most_characters, rows in [
        (5, 15, [0, 2, 3, 4]),
        (4, None, [0, 2, 3]),
        (None, 14, [0, 2, 3]),
        (None, 6, [0]),
        (2, 2, []),
    ]:
        found = compare_texts(given, {"GPT-2": GPT2}, most=most, most_characters=most_characters)
        assert (found.rows.tolist(), found.is_whole) == (rows, len(rows) == 4)
    row = {"en": "low", "ja": "低い"}
    counted = parallel_texts([row] * 3, {"GPT-2": GPT2}, most_characters=12)
    assert (counted.texts, counted.is_whole) == (2, False)
    assert parallel_texts([row] * 3, {"GPT-2": GPT2}, most=3, most_characters=15).is_whole


def test_a_small_parquet_file_that_holds_a_gigabyte_is_read_only_to_the_limit() -> None:
    text = "low lower " * 1_000
    data = to_parquet(pd.DataFrame({"text": pd.Categorical.from_codes(np.zeros(100_000, np.int8), [text])}))
    assert len(data) < 1_000_000
    seen: list[int] = []
    with open_table(data, kind="parquet") as table:
        found = compare_texts(table, {}, most_characters=500_000, on_progress=lambda *_: seen.append(table.position))
    assert (len(found), found.is_whole) == (50, False)


# -- parallel texts -----------------------------------------------------------------------------------------------


def test_parallel_texts_are_summed_by_language_and_rows_with_a_gap_are_left_out() -> None:
    data = "en,de,ja\nlow,niedrig,低い\nlower,niedriger,\nnew house,neues Haus,新屋\n"
    with open_table(data.encode(), kind="csv") as table:
        found = parallel_texts(table, {"GPT-2": GPT2}, reference="de")
    assert (found.texts, found.missing, found.reference) == (2, 1, "de")
    expected = {
        "en": ["low", "new house"],
        "de": ["niedrig", "neues Haus"],
        "ja": ["低い", "新屋"],
    }
    tokens = {language: sum(len(GPT2.encode(text)) for text in texts) for language, texts in expected.items()}
    assert {each.language: each.tokens for each in found.counts} == tokens
    assert {each.language: each.relative for each in found.counts} == {k: v / tokens["de"] for k, v in tokens.items()}
    fertility = {each.language: each.fertility for each in found.counts}
    assert fertility == {"en": tokens["en"] / 3, "de": tokens["de"] / 3, "ja": None}
    assert found.gini("GPT-2") == gini(list(tokens.values()))
    assert found.tokenizer_table().loc["GPT-2", "gini"] == found.gini("GPT-2")


def test_languages_are_named_checked_and_default_to_all() -> None:
    row = {"en": "low", "de": "niedrig", "fr": "bas"}
    assert [each.language for each in parallel_texts(iter([row]), {"a": GPT2}).counts] == ["en", "de", "fr"]
    assert [each.language for each in parallel_texts([row], {"a": GPT2}, languages=["fr", "en"]).counts] == ["fr", "en"]
    with pytest.raises(ConfigError, match="2 to 100"):
        parallel_texts([row], {"a": GPT2}, languages=["en"])
    with pytest.raises(ConfigError, match="reference"):
        parallel_texts([row], {"a": GPT2}, reference="it")
    with pytest.raises(ConfigError, match="no column"), open_table(b"en,de\na,b\n", kind="csv") as table:
        parallel_texts(table, {"a": GPT2}, languages=["en", "it"])
