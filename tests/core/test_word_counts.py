"""Word counts of texts and of files, in parts or whole, merged in any order, saved and loaded: the same training."""

import json
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError, ConfigError, CorpusError, FormatError, TrainConfig, WordCounts, count_words, train
from bpe_core.bpe import corpus
from bpe_core.kernels import backend
from bpe_core.text import word_rows
from bpe_core.text.splits import PATTERNS
from tests.draws import Outcomes, examples

TEXTS = st.lists(
    st.text(st.sampled_from("aabbc 'st\n\t1é") | st.sampled_from("é\u0301こ🙂Ⅻﬁ\ud800\r<>"), max_size=30), max_size=6
)
SPLITS = st.sampled_from((*PATTERNS, r"\w+|\s+"))
CONFIGS = st.builds(
    lambda settings, unit: TrainConfig(**settings, **unit),
    st.fixed_dictionaries(
        {
            "split": SPLITS,
            "normalization": st.sampled_from(("none", "NFKD")),
            "lowercase": st.booleans(),
            "tie_break": st.sampled_from(("first-seen", "lowest-ids", "first-counted")),
        }
    ),
    st.sampled_from(
        (
            {"vocab_size": 290},
            {"vocab_size": 290, "base_order": "gpt2", "special_tokens": ("<s>",)},
            {"unit": "char", "vocab_size": 60},
            {"unit": "char", "vocab_size": 330, "byte_fallback": True, "end_of_word": "_"},
        )
    ),
)


@contextmanager
def counted_by(way: str) -> Iterator[None]:
    """Small counts are made and merged with the regex library and a dict ("plain"), or with the kernels."""
    backend.warm_up()
    with pytest.MonkeyPatch.context() as patch:
        if way == "plain":
            patch.setattr(backend, "_ready", False)
        yield


def in_parts(texts: list[str], config: TrainConfig) -> list[WordCounts]:
    return [count_words(text, config, part=part) for part, text in enumerate(texts)]


@pytest.mark.parametrize("way", ["plain", "compiled"])
@given(texts=TEXTS, config=CONFIGS, random=st.randoms(use_true_random=False))
def test_counts_of_parts_in_any_order_train_as_the_whole_texts_do(
    way: str, texts: list[str], config: TrainConfig, random: Any
) -> None:
    with counted_by(way):
        parts = in_parts(texts, config) or [count_words([], config)]
        random.shuffle(parts)
        from_texts, whole = train(texts, config), parts[0].merge(*parts[1:])
        assert whole.words == count_words(texts, config).words
        for training in (train(count_words(texts, config), config), train(whole, config)):
            last = len(training.merges)
            assert training.merges == from_texts.merges
            assert training.surrogates == from_texts.surrogates
            assert training.token_count(last) == from_texts.token_count(last)
            ids = training.tokenizer().encode("abc é").ids.tolist()
            assert ids == from_texts.tokenizer().encode("abc é").ids.tolist()


@pytest.mark.parametrize("way", ["plain", "compiled"])
@given(texts=TEXTS.filter(lambda texts: len(texts) > 2), config=CONFIGS)
def test_merging_does_not_depend_on_order_or_grouping(way: str, texts: list[str], config: TrainConfig) -> None:
    with counted_by(way):
        first, second, *rest = in_parts(texts, config)
        third = rest[0].merge(*rest[1:])
        assert first.merge(second) == second.merge(first)
        assert first.merge(second).merge(third) == first.merge(second.merge(third)) == third.merge(first, second)
        assert first.merge() == first


def test_counts_of_files_train_as_the_files_do(tmp_path: Path) -> None:
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path, text in zip(paths, ("low lower\nlow", "newest lowest"), strict=True):
        path.write_text(text, encoding="utf-8")
    config = TrainConfig(vocab_size=270)
    second, first = (count_words(paths[part], config, part=part) for part in (1, 0))
    assert train(second.merge(first), config).merges == train(paths, config).merges


def test_counts_saved_apart_are_merged_after_loading(tmp_path: Path) -> None:
    config = TrainConfig(split="cl100k", normalization="NFC", lowercase=True, vocab_size=280)
    texts = ["Low lower é", "newest \ud800 LOW", ""]
    for part, counts in enumerate(in_parts(texts, config)):
        counts.save(tmp_path / f"{part}.parquet")
    loaded = [WordCounts.load(tmp_path / f"{part}.parquet") for part in (2, 0, 1)]
    assert loaded[1] == count_words(texts[0], config)
    assert loaded[0].merge(*loaded[1:]) == in_parts(texts, config)[0].merge(*in_parts(texts, config)[1:])
    assert train(loaded[0].merge(*loaded[1:]), config).merges == train(texts, config).merges


@given(texts=TEXTS, config=CONFIGS, part=st.integers(0, 2**23 - 1), least=st.integers(1, 3))
@settings(max_examples=examples(40))
def test_what_is_saved_is_loaded_as_it_was(
    texts: list[str], config: TrainConfig, part: int, least: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "counts.parquet"
    counts = count_words(texts, config, part=part).without_rare(least)
    counts.save(path)
    again = WordCounts.load(path)
    assert again == counts == pickle.loads(pickle.dumps(counts))
    assert (hash(again), again.words, again.dropped) == (hash(counts), counts.words, counts.dropped)


def test_a_saved_file_has_the_columns_and_settings_that_others_read(tmp_path: Path) -> None:
    count_words("low é low", TrainConfig(split="words"), part=3).save(tmp_path / "counts.parquet")
    table = pq.read_table(tmp_path / "counts.parquet")
    assert [str(kind) for kind in table.schema.types] == ["large_binary", "int64", "int64"]
    assert table.to_pydict() == {
        "word": [b"low", "é".encode()],
        "count": [2, 1],
        "place": [3 << 40, (3 << 40) + 1],
    }
    facts = json.loads(table.schema.metadata[b"bpe_lab.word_counts"])
    assert (facts["split"], facts["normalization"], facts["parts"]) == ("words", "none", [[3, 3]])


def test_a_training_on_counts_has_no_text_and_says_so() -> None:
    config = TrainConfig(vocab_size=258)
    training = train(count_words("low low", config), config)
    assert training.text == ""
    assert training.at(1).words(1) == train("low low", config).at(1).words(1)
    assert training.fork(0, (119, 32)).merges[0].count == 0
    for ask in (lambda: training.window(1), lambda: training.first_place(1)):
        with pytest.raises(CorpusError, match=r"had word counts, and no text.*tokenizer\(step\)\.encode"):
            ask()


@pytest.mark.parametrize(
    ("name", "value"), [("split", "cl100k"), ("normalization", "NFC"), ("lowercase", True), ("strip_accents", True)]
)
def test_counts_of_other_settings_are_refused_by_name(name: str, value: Any) -> None:
    counts, other = count_words("low", TrainConfig()), TrainConfig(**{name: value})
    with pytest.raises(ConfigError, match=rf"^{name} is .*Ask for {name}=.* or count the words again"):
        train(counts, other)
    with pytest.raises(ConfigError, match=f"^{name} is "):
        counts.merge(count_words("low", other, part=1))


def test_settings_that_do_not_change_words_are_free() -> None:
    counts = count_words("low lower", TrainConfig())
    free = TrainConfig(unit="char", vocab_size=20, tie_break="lowest-ids", end_of_word="_", min_count=2)
    assert train(counts, free).merges == train("low lower", free).merges


def test_a_part_that_is_counted_twice_is_refused() -> None:
    one, other = (count_words(text, TrainConfig(), part=4) for text in ("low", "new"))
    with pytest.raises(ConfigError, match="Part 4 is in both"):
        one.merge(other)
    assert other.from_part(5).merge(one).words == ("low", "new")
    assert other.from_part(0).merge(one).words == ("new", "low")
    with pytest.raises(ConfigError, match="part is 8388608"):
        count_words("low", TrainConfig(), part=1 << 23)


def test_rare_words_are_left_out_and_their_share_is_told() -> None:
    counts = count_words("low low lower", TrainConfig(split="words"))
    kept = counts.without_rare(2)
    assert (kept.words, kept.dropped, kept.size) == (("low",), 5, 11)
    assert kept.without_rare(3).dropped_share == 1.0
    assert counts.without_rare(1) == counts
    assert count_words([], TrainConfig()).dropped_share == 0.0


def test_more_words_than_merges_can_be_learned_from_are_refused_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(corpus, "MOST_SYMBOLS", 10)
    with pytest.raises(CorpusError, match="--min-word-count"):
        train(count_words("low lower lowest", TrainConfig()))


def test_more_text_than_can_be_summed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_rows, "MOST_TOTAL", 10)
    counts = count_words("low low", TrainConfig())
    with pytest.raises(CorpusError, match="more bytes together than can be counted"):
        counts.merge(count_words("lowest", TrainConfig(), part=1))


def table(**changes: Any) -> pa.Table:
    columns = {
        "word": pa.array([b"low", b"new"], pa.large_binary()),
        "count": pa.array([2, 1], pa.int64()),
        "place": pa.array([0, 1], pa.int64()),
        **{name: made for name, made in changes.items() if isinstance(made, pa.Array)},
    }
    facts = {
        **{"version": 1, "split": "gpt2", "normalization": "none", "lowercase": False, "strip_accents": False},
        **{"surrogates": 0, "dropped": 0, "parts": [[0, 0]]},
        **{name: value for name, value in changes.items() if not isinstance(value, pa.Array)},
    }
    given = {name: value for name, value in facts.items() if value is not ...}
    return pa.table(columns).replace_schema_metadata({"bpe_lab.word_counts": json.dumps(given)})


def written(path: Path, made: pa.Table) -> Path:
    pq.write_table(made, path, use_dictionary=False)
    return path


def binary(*words: bytes) -> pa.Array:
    return pa.array(words, pa.large_binary())


def numbers(*values: int | None) -> pa.Array:
    return pa.array(values, pa.int64())


def test_a_file_with_its_rows_in_another_order_is_read_in_the_order_of_places(tmp_path: Path) -> None:
    counts = WordCounts.load(written(tmp_path / "counts.parquet", table(place=numbers(7, 3))))
    assert (counts.words, counts.counts.tolist()) == (("new", "low"), [1, 2])


WRONG: dict[str, tuple[pa.Table, str]] = {
    "a count of zero": (table(count=numbers(2, 0)), "has the count 0"),
    "a negative count": (table(count=numbers(2, -5)), "has the count -5"),
    "a count that is missing": (table(count=numbers(2, None)), "rows without a value"),
    "counts as text": (table(count=pa.array(["2", "1"])), "'count' holds string"),
    "counts of another width": (table(count=pa.array([2, 1], pa.int32())), "'count' holds int32"),
    "a sum beyond 64 bits": (table(count=numbers(2**62, 2**62)), "more bytes together"),
    "a word twice": (table(word=binary(b"low", b"low")), "1 words are in it twice"),
    "an empty word": (table(word=binary(b"low", b"")), "a word is empty"),
    "bytes that are not UTF-8": (table(word=binary(b"low", b"\xff")), "not UTF-8 at byte 3"),
    "a character in two words": (table(word=binary(b"\xc3", b"\xa9")), "begins inside of a character"),
    "words as text": (table(word=pa.array(["low", "new"])), "'word' holds string"),
    "a negative place": (table(place=numbers(0, -1)), "has the place -1"),
    "a place twice": (table(place=numbers(4, 4)), "two words have the place 4"),
    "a place of no part": (table(place=numbers(0, 1 << 40)), "outside of its 1 parts"),
    "no column of places": (table().drop_columns(["place"]), "no column 'place'"),
    "no facts": (table().replace_schema_metadata(None), "not one of word counts"),
    "facts that are no JSON": (table().replace_schema_metadata({"bpe_lab.word_counts": "{"}), "its metadata is"),
    "facts too deep": (table().replace_schema_metadata({"bpe_lab.word_counts": "[" * 99_999}), "its metadata is"),
    "another version": (table(version=2), "another version"),
    "no version": (table(version=...), "its metadata is"),
    "no split": (table(split=...), "split is None"),
    "an unknown form": (table(normalization="NFX"), "normalization is 'NFX'"),
    "a form that is a list": (table(normalization=[]), r"normalization is \[\]"),
    "a flag that is a number": (table(lowercase=1), "lowercase is 1"),
    "surrogates below zero": (table(surrogates=-1), "surrogates is -1"),
    "parts that are none": (table(parts=5), "parts is 5"),
    "a range backwards": (table(parts=[[3, 1]]), "The last of a range of parts is 1"),
    "a range of three": (table(parts=[[1, 2, 3]]), "The first of a range of parts"),
    "ranges that overlap": (table(parts=[[0, 4], [2, 9]]), "Part 2 is in both"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_file_that_no_counting_made_is_refused_with_the_reason(what: str, tmp_path: Path) -> None:
    made, reason = WRONG[what]
    with pytest.raises(FormatError, match=reason) as refused:
        WordCounts.load(written(tmp_path / "counts.parquet", made))
    assert "Count the words again" in str(refused.value)


def test_a_file_that_could_be_far_longer_unpacked_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "counts.parquet"
    word, count = b"low" * 1_000, 100_000
    repeated = pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int32()), binary(word)).cast(pa.large_binary())
    rows = table(word=repeated, count=numbers(*[1] * count), place=numbers(*range(count)))
    pq.write_table(rows, path, use_dictionary=["word"])
    assert path.stat().st_size < len(word) * count / 100
    with pytest.raises(FormatError, match="99,999 words are in it twice"):
        WordCounts.load(path)
    pq.write_table(rows.set_column(2, "place", numbers(*[0] * count)), path, compression="zstd")
    with pytest.raises(FormatError, match="claims 100,000 rows"):
        WordCounts.load(path)
    monkeypatch.setattr("bpe_core.text.word_counts_file.MOST_BYTES", 10)
    with pytest.raises(FormatError, match="The most allowed is 10"):
        WordCounts.load(written(path, table()))


def test_a_file_for_which_memory_is_short_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "counts.parquet"
    count_words("low lower", TrainConfig()).save(path)
    monkeypatch.setattr(pq.ParquetFile, "read", Mock(side_effect=pa.ArrowMemoryError("malloc of size 64 failed")))
    with pytest.raises(MemoryError, match="malloc of size 64 failed"):
        WordCounts.load(path)


@pytest.mark.floor(refused=120, accepted=10)
@given(data=st.data())
@settings(max_examples=examples(300))
def test_a_damaged_file_is_refused_or_read_and_nothing_worse(
    outcomes: Outcomes, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.parquet"
    count_words("low lower lowest é", TrainConfig()).save(path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)) | st.just(len(content)))])
    try:
        counts = WordCounts.load(path)
    except FormatError:
        outcomes.refused += 1
        return
    outcomes.accepted += 1
    assert np.diff(counts.offsets).min(initial=1) > 0
    assert len(set(counts.words)) == len(counts)


def test_no_byte_that_is_another_one_ends_the_process(tmp_path: Path) -> None:
    path = tmp_path / "counts.parquet"
    count_words("low lower lowest", TrainConfig()).save(path)
    content = path.read_bytes()
    outcomes = Outcomes()
    for at in range(len(content)):
        path.write_bytes(content[:at] + bytes([content[at] ^ 0x11]) + content[at + 1 :])
        with outcomes.of(FormatError):
            WordCounts.load(path)
    assert outcomes.refused > 700
    assert outcomes.accepted > 300


NOWHERE: dict[str, Callable[[Path], object]] = {
    "a file in a folder that is missing": lambda folder: count_words("a", TrainConfig()).save(folder / "no" / "c"),
    "a folder": lambda folder: count_words("a", TrainConfig()).save(folder),
    "a folder to read": WordCounts.load,
    "a file that is missing": lambda folder: WordCounts.load(folder / "none.parquet"),
    "a path that is none": lambda folder: WordCounts.load(5),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", NOWHERE)
def test_a_path_that_cannot_be_used_is_named(what: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"cannot be (read|written)"):
        NOWHERE[what](tmp_path)


@pytest.mark.parametrize("misused", ["low", None, 5, ["low"]])
def test_only_counts_are_merged(misused: Any) -> None:
    counts = count_words("low", TrainConfig())
    with pytest.raises(BpeError):
        counts.merge(misused)
    assert counts != misused
