"""Invalid input raises the core's own errors, for every argument of every public callable."""

import inspect
from pathlib import Path

import numpy as np
import pytest

import bpe_core
from bpe_core import (
    ConfigError,
    TrainConfig,
    UnigramModel,
    WordCounts,
    compare,
    compare_texts,
    count_words,
    encode_files,
    load,
    load_pretrained,
    open_table,
    parallel_texts,
    pipeline,
    save,
    train,
    train_parity,
    train_picky,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from bpe_core.bpe.merge_path import with_merge_path
from bpe_core.bpe.shrinking import with_first_merges_only, with_used_tokens
from bpe_core.comparison.changes import changed_words
from bpe_core.comparison.metrics import gini, renyi_efficiency
from bpe_core.comparison.word_boundaries import word_agreement
from bpe_core.formats import from_bytes, from_files, to_bytes, to_files, writable
from bpe_core.formats.proof import prove, prove_original
from bpe_core.formats.tables import to_csv, to_latex, to_parquet
from bpe_core.published.known_glitches import glitch_tokens
from bpe_core.segmentations.fewest import compare_fewest, encode_fewest
from bpe_core.segmentations.sampling import (
    encode_sampled,
    likely_segmentations,
    sampled_segmentations,
    segmentation_entropy,
)
from bpe_core.text.code_chart import place_of
from bpe_core.text.normalization import replace_surrogates
from bpe_core.text.segmenters import dictionary_words
from bpe_core.tokenizer.added_token import with_added_token
from bpe_core.tokenizer.facts import times_used, token_facts
from bpe_core.tokenizer.merged_on import merged_at_once
from bpe_core.tokenizer.prompt_end import heal, prefixes
from bpe_core.tokenizer.templates import TEMPLATES, Message, chat, slots
from tests.core.misuse import Call, failures

TRAINING = train("low lower lowest", TrainConfig(vocab_size=260))
TOKENIZER = TRAINING.tokenizer()
PARITY = train_parity({"en": "low lower", "de": "tief tiefer"}, TrainConfig(vocab_size=260))
SNAPSHOT = TRAINING.at(1)
COMPARISON = compare("slower é", {"a": TOKENIZER, "b": load_pretrained("gpt2")})
PAIR = {"left": "a", "right": "b"}
DIFFERENCE = COMPARISON.disagreements("a", "b")[0]
STARTS, ENDS = COMPARISON.disagreement_ranges("a", "b")
WORDPIECE = train_wordpiece("hug hug hugs", 11)
PICKY = train_picky("hug hug hugs", TrainConfig(unit="char", vocab_size=12))
UNIGRAM = train_unigram("hug hug hugs pug", 10, seed_size=14)
MODEL = UNIGRAM.at(0).model
FACTS = token_facts(TOKENIZER)
RANKS = to_bytes(load_pretrained("gpt2"), format="tiktoken")

COUNTS = count_words("low lower low")
TEXT_COUNTS = compare_texts(["low", "lower"], {"a": TOKENIZER})
PARALLEL = [{"en": "low", "de": "niedrig"}]
TABLE = open_table(b"id,text\n1,low\n", kind="csv")

CALLS = {
    "dictionary_words": Call(dictionary_words, {"text": "low lower", "segmenter": str.split}),
    "place_of": Call(place_of, {"char": "時"}),
    "word_agreement": Call(word_agreement, {"boundaries": np.array([1]), "words": dictionary_words("low", str.split)}),
    "TrainConfig": Call(
        TrainConfig,
        {name: field.default for name, field in TrainConfig.__dataclass_fields__.items()},
    ),
    "TrainConfig of characters": Call(
        TrainConfig, {"unit": "char", "end_of_word": "</w>", "byte_fallback": True, "special_tokens": ("<s>",)}
    ),
    "train": Call(
        train,
        {
            "texts": "low lower",
            "config": TrainConfig(vocab_size=300),
            "base": TOKENIZER,
            "forced": [(97, 98)],
            "on_progress": lambda *_: None,
        },
    ),
    "train_parity": Call(
        train_parity,
        {
            "texts": {"en": "low lower", "de": "tief tiefer"},
            "config": TrainConfig(vocab_size=260),
            "unit": "bytes",
            "global_merges": 1,
            "window": 5,
            "on_progress": lambda *_: None,
        },
    ),
    "ParityTraining.step": Call(PARITY.step, {"number": 1}),
    "ParityTraining.rates": Call(PARITY.rates, {"step": 1}),
    "Encoding.view": Call(TOKENIZER.encode("low").view, {"language": "en", "height": 400}),
    "encode_files": Call(
        encode_files,
        {
            "paths": ["text.txt"],
            "tokenizer": TOKENIZER,
            "out": "ids.npy",
            "separator": 97,
            "special": "text",
            "encoding": "utf-8",
            "on_progress": lambda *_: None,
        },
    ),
    "count_words": Call(count_words, {"texts": "low lower", "config": TrainConfig(), "part": 1}),
    "WordCounts.merge": Call(lambda others: COUNTS.merge(others), {"others": count_words("a", part=1)}),
    "WordCounts.from_part": Call(COUNTS.from_part, {"first": 3}),
    "WordCounts.without_rare": Call(COUNTS.without_rare, {"least": 2}),
    "WordCounts.save": Call(COUNTS.save, {"path": "counts.parquet"}),
    "WordCounts.load": Call(WordCounts.load, {"path": "saved.parquet"}),
    "Training.tree": Call(TRAINING.tree, {"token_id": 256}),
    "with_added_token": Call(
        with_added_token,
        {
            "tokenizer": TOKENIZER,
            "text": "low",
            "whole_word": True,
            "strip_left": True,
            "strip_right": True,
            "normalized": True,
            "special": False,
        },
    ),
    "with_merge_path": Call(with_merge_path, {"tokenizer": TOKENIZER, "text": "slow"}),
    "with_first_merges_only": Call(with_first_merges_only, {"tokenizer": TOKENIZER, "count": 2}),
    "with_used_tokens": Call(with_used_tokens, {"tokenizer": TOKENIZER, "text": "low"}),
    "changed_words": Call(
        changed_words,
        {"before": TOKENIZER, "after": TOKENIZER, "text": "low", "special": "text", "kept": np.arange(260)},
    ),
    "encode_sampled": Call(
        encode_sampled,
        {"tokenizer": TOKENIZER, "text": "low", "dropout": 0.1, "theta": 1.0, "seed": 1, "special": "text"},
    ),
    "sampled_segmentations": Call(
        sampled_segmentations,
        {
            "tokenizer": TOKENIZER,
            "word": "low",
            "draws": 3,
            "dropout": 0.1,
            "theta": 1.0,
            "seed": 1,
            "normalized": False,
        },
    ),
    "likely_segmentations": Call(
        likely_segmentations,
        {"tokenizer": TOKENIZER, "word": "low", "n": 2, "dropout": 0.1, "theta": 1.0, "normalized": False},
    ),
    "segmentation_entropy": Call(
        segmentation_entropy, {"tokenizer": TOKENIZER, "word": "low", "dropout": 0.1, "theta": 1.0, "normalized": False}
    ),
    "encode_fewest": Call(encode_fewest, {"tokenizer": TOKENIZER, "text": "low", "special": "text"}),
    "compare_fewest": Call(compare_fewest, {"tokenizer": TOKENIZER, "text": "low", "special": "text"}),
    "Training.at": Call(TRAINING.at, {"step": 1}),
    "Training.token_count": Call(TRAINING.token_count, {"step": 1}),
    "Training.sweep": Call(TRAINING.sweep, {"steps": [1]}),
    "Training.first_place": Call(TRAINING.first_place, {"step": 1}),
    "Training.window": Call(TRAINING.window, {"step": 1, "start": 0, "size": 5}),
    "Training.symbols": Call(TRAINING.symbols, {"start": 0, "size": 5}),
    "Training.compression": Call(TRAINING.compression, {"step": 1}),
    "Training.fork": Call(TRAINING.fork, {"step": 1, "pair": (101, 114), "on_progress": lambda *_: None}),
    "Training.tokenizer": Call(TRAINING.tokenizer, {"step": 1}),
    "Training.to_html": Call(
        TRAINING.to_html, {"path": "training.html", "title": "Low", "language": "ja", "merges": 2, "step": 1}
    ),
    "Training.player": Call(TRAINING.player, {"step": 1, "language": "ja", "height": 400}),
    "Training.figure": Call(TRAINING.figure, {"name": "cost", "theme": "dark", "tokenizers": {"a": TOKENIZER}}),
    "Snapshot.candidates": Call(SNAPSHOT.candidates, {"n": 3}),
    "Snapshot.words": Call(SNAPSHOT.words, {"n": 3}),
    "Snapshot.frequent_words": Call(SNAPSHOT.frequent_words, {"n": 3}),
    "load_pretrained": Call(load_pretrained, {"name": "gpt2"}),
    "compare": Call(compare, {"text": "low", "tokenizers": {"a": TOKENIZER}, "special": "text"}),
    "compare of nothing": Call(compare, {"text": "low", "tokenizers": {}, "special": "text"}),
    "compare_texts": Call(
        compare_texts,
        {
            "texts": ["low"],
            "tokenizers": {"a": TOKENIZER},
            "column": None,
            "special": "text",
            "most": 1,
            "most_characters": 1,
            "on_progress": None,
        },
    ),
    "TextCounts.tokenizer_table": Call(TEXT_COUNTS.tokenizer_table, {"limits": (1, 2)}),
    "TextCounts.figure": Call(TEXT_COUNTS.figure, {"name": "a", "limit": 1, "theme": "print"}),
    "parallel_texts": Call(
        parallel_texts,
        {
            "rows": PARALLEL,
            "tokenizers": {"a": TOKENIZER},
            "languages": ["en", "de"],
            "reference": "de",
            "special": "text",
            "most": 1,
            "most_characters": 1,
            "on_progress": None,
        },
    ),
    "ParallelCounts.gini": Call(parallel_texts(PARALLEL, {"a": TOKENIZER}).gini, {"tokenizer": "a"}),
    "to_csv": Call(to_csv, {"frame": COMPARISON.table()}),
    "to_latex": Call(to_latex, {"frame": COMPARISON.table()}),
    "to_parquet": Call(to_parquet, {"frame": COMPARISON.table()}),
    "prove": Call(prove, {"tokenizer": TOKENIZER, "text": "low", "format": "bpe-lab", "files": None}),
    "prove_original": Call(
        prove_original, {"tokenizer": TOKENIZER, "text": "low", "files": to_files(TOKENIZER, format="tokenizers")}
    ),
    "Passage.word": Call(pipeline("low", TOKENIZER).passages[0].word, {"number": 0}),
    "renyi_efficiency": Call(renyi_efficiency, {"counts": [1, 2], "vocabulary": 4, "alpha": 2.5}),
    "gini": Call(gini, {"values": [1, 2]}),
    "open_table": Call(open_table, {"source": b"low", "name": "a.txt", "kind": "lines", "encoding": "utf-8"}),
    "TableFile.column": Call(TABLE.column, {"given": "text"}),
    "TableFile.rows": Call(TABLE.rows, {"columns": ["text"]}),
    "Comparison.tokenizer": Call(COMPARISON.tokenizer, {"name": "a"}),
    "Comparison.encoding": Call(COMPARISON.encoding, {"name": "a"}),
    "Comparison.offsets": Call(COMPARISON.offsets, {"name": "a"}),
    "Comparison.boundaries": Call(COMPARISON.boundaries, {"name": "a"}),
    "Comparison.regions": Call(COMPARISON.regions, {"name": "a", "starts": STARTS, "ends": ENDS}),
    "Comparison.agreement": Call(COMPARISON.agreement, PAIR),
    "Comparison.disagreement_ranges": Call(COMPARISON.disagreement_ranges, PAIR),
    "Comparison.disagreements": Call(COMPARISON.disagreements, {**PAIR, "most": 1}),
    "Comparison.disagreement_table": Call(COMPARISON.disagreement_table, {**PAIR, "most": 1}),
    "Comparison.to_html": Call(COMPARISON.to_html, {"path": "comparison.html", "title": "Low", "language": "zh"}),
    "Comparison.view": Call(COMPARISON.view, {"language": "zh", "height": 400}),
    "Comparison.figure": Call(COMPARISON.figure, {"name": "lines", "theme": "print", "left": "a", "right": "a"}),
    "Comparison.spellings_table": Call(COMPARISON.spellings_table, {"word": "low"}),
    "Comparison.reason": Call(COMPARISON.reason, {**PAIR, "start": DIFFERENCE.start, "end": DIFFERENCE.end}),
    "train_picky": Call(
        train_picky,
        {
            "texts": "hug hugs",
            "config": TrainConfig(unit="char", vocab_size=20),
            "threshold": 0.9,
            "into": "base",
            "on_progress": lambda *_: None,
        },
    ),
    "PickyTraining.at": Call(PICKY.at, {"step": 1}),
    "PickyTraining.size_at": Call(PICKY.size_at, {"step": 1}),
    "PickyTraining.removed_at": Call(PICKY.removed_at, {"step": 1}),
    "PickyTraining.uses": Call(PICKY.uses, {"step": 1}),
    "PickyTraining.cost": Call(PICKY.cost, {"step": 1}),
    "PickyTraining.token_bytes": Call(PICKY.token_bytes, {"token_id": 1}),
    "PickyTraining.tokenizer": Call(PICKY.tokenizer, {"step": 1}),
    "PickySnapshot.words": Call(PICKY.at(1).words, {"n": 1}),
    "PickySnapshot.candidates": Call(PICKY.at(1).candidates, {"n": 1}),
    "train_wordpiece": Call(
        train_wordpiece,
        {
            "texts": "hug hugs",
            "vocab_size": 20,
            "rule": "count",
            "special_tokens": ["[UNK]"],
            "on_progress": lambda *_: None,
        },
    ),
    "WordPieceTraining.at": Call(WORDPIECE.at, {"step": 1}),
    "WordPieceTraining.tokenizer": Call(WORDPIECE.tokenizer, {"step": 1}),
    "WordPieceSnapshot.words": Call(WORDPIECE.at(1).words, {"n": 1}),
    "WordPieceSnapshot.candidates": Call(WORDPIECE.at(1).candidates, {"n": 1}),
    "train_unigram": Call(
        train_unigram,
        {
            "texts": "hug hugs",
            "vocab_size": 10,
            "seed_size": 20,
            "shrink": 0.1,
            "special_tokens": ["<s>"],
            "on_progress": lambda *_: None,
        },
    ),
    "UnigramTraining.at": Call(UNIGRAM.at, {"step": 1}),
    "UnigramTraining.tokenizer": Call(UNIGRAM.tokenizer, {"step": 1, "unknown": "word"}),
    "UnigramTraining.segmentations": Call(UNIGRAM.segmentations, {"word": "▁hug", "n": 1}),
    "UnigramSnapshot.words": Call(UNIGRAM.at(1).words, {"n": 1}),
    "UnigramSnapshot.segmentations": Call(UNIGRAM.at(1).segmentations, {"word": "▁hug", "n": 1}),
    "UnigramSnapshot.lattice": Call(UNIGRAM.at(1).lattice, {"word": "▁hug"}),
    "UnigramModel": Call(UnigramModel, {"scores": {"h": 1.0}, "unknown": "word", "special_tokens": ["<s>"]}),
    "UnigramModel.of_counts": Call(UnigramModel.of_counts, {"counts": {"h": 1}, "unknown": "word"}),
    "UnigramModel.best": Call(MODEL.best, {"word": "▁hug"}),
    "UnigramModel.count": Call(MODEL.count, {"word": "▁hug"}),
    "UnigramModel.segmentations": Call(MODEL.segmentations, {"word": "▁hug", "n": 1}),
    "UnigramModel.lattice": Call(MODEL.lattice, {"word": "▁hug"}),
    "train_sentencepiece": Call(
        train_sentencepiece,
        {
            "texts": "hug hug hugs pug",
            "vocab_size": 16,
            "model_type": "bpe",
            "byte_fallback": False,
            "normalization": "nfkc",
        },
    ),
    "slots": Call(slots, {"template": TEMPLATES["bert"], "pair": True}),
    "chat": Call(chat, {"messages": [Message("user", "Hi")]}),
    "prefixes": Call(
        prefixes,
        {"tokenizer": TOKENIZER, "text": "low", "last": 2, "special": "text", "encoding": TOKENIZER.encode("low")},
    ),
    "heal": Call(
        heal, {"tokenizer": TOKENIZER, "prompt": "low", "special": "text", "encoding": TOKENIZER.encode("low")}
    ),
    "glitch_tokens": Call(glitch_tokens, {"tokenizer": TOKENIZER}),
    "merged_at_once": Call(merged_at_once, {"tokenizer": TOKENIZER, "first": 1}),
    "token_facts": Call(token_facts, {"tokenizer": TOKENIZER}),
    "TokenFacts.holding": Call(FACTS.holding, {"part": b"lo"}),
    "TokenFacts.with_ids": Call(FACTS.with_ids, {"ids": [97]}),
    "times_used": Call(times_used, {"facts": FACTS, "where": SNAPSHOT}),
    "save": Call(save, {"tokenizer": TOKENIZER, "path": "file.json", "format": "bpe-lab", "proven_on": "low"}),
    "save of ranks": Call(save, {"tokenizer": TOKENIZER, "path": "ranks", "format": "tiktoken", "proven_on": "low"}),
    "load": Call(
        load,
        {
            "path": "file.tiktoken",
            "split": "gpt2",
            "special_tokens": {"<s>": 100_000},
            "lowercase": None,
            "on_progress": lambda *_: None,
        },
    ),
    "to_bytes": Call(to_bytes, {"tokenizer": TOKENIZER, "format": "bpe-lab", "proven_on": "low"}),
    "to_files": Call(to_files, {"tokenizer": TOKENIZER, "format": "gpt2", "proven_on": None}),
    "from_bytes": Call(
        from_bytes,
        {
            "data": b"[UNK]\nlow\n##er\n",
            "name": "mine",
            "split": None,
            "special_tokens": None,
            "lowercase": True,
            "on_progress": lambda *_: None,
        },
    ),
    "from_files": Call(
        from_files,
        {
            "files": {"vocab.txt": b"[UNK]\nlow\n"},
            "name": "mine",
            "split": None,
            "special_tokens": None,
            "lowercase": True,
            "on_progress": lambda *_: None,
        },
    ),
    "writable": Call(writable, {"tokenizer": TOKENIZER}),
}

ELSEWHERE = {  # test_misuse_tokenizer.py
    "batch",
    "chat_pipeline",
    "load_chat_templates",  # test_chats.py
    "load_from_hub",  # test_hub.py
    "pipeline",
    "render_chat",  # test_chats.py
    "sentencepiece_tokenizer",
    "unigram_tokenizer",
    "wordpiece_tokenizer",
}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file.tiktoken").write_bytes(RANKS)
    Path("text.txt").write_text("low lower")
    COUNTS.save("saved.parquet")


@pytest.mark.parametrize("what", CALLS)
def test_what_cannot_be_taken_is_answered_with_an_error_of_the_core(what: str) -> None:
    assert not list(failures(CALLS[what]))


@pytest.mark.parametrize("what", CALLS)
def test_every_argument_is_tried(what: str) -> None:
    function, arguments = CALLS[what]
    assert set(arguments) <= set(inspect.signature(function).parameters)
    if " " not in what:
        assert set(arguments) == set(inspect.signature(function).parameters)


def test_every_public_function_is_tried() -> None:
    functions = {name for name in bpe_core.__all__ if inspect.isfunction(getattr(bpe_core, name))}
    assert functions - ELSEWHERE <= set(CALLS)


@pytest.mark.parametrize(
    "shared",
    [TRAINING, SNAPSHOT, COMPARISON, PICKY, PICKY.at(1), WORDPIECE, WORDPIECE.at(1), UNIGRAM, UNIGRAM.at(1)],
    ids=lambda value: type(value).__name__,
)
def test_every_public_method_is_tried(shared: object) -> None:
    methods = {
        f"{type(shared).__name__}.{name}"
        for name, value in vars(type(shared)).items()
        if inspect.isfunction(value) and not name.startswith("_") and len(inspect.signature(value).parameters) > 1
    }
    assert methods <= set(CALLS)


# -- what is accepted and what is not --------------------------------------------------------------------------


def test_numbers_of_numpy_are_taken_wherever_numbers_are() -> None:
    one, two = np.int64(1), np.uint8(2)
    config = TrainConfig(vocab_size=np.int32(260), min_count=np.int8(1))
    assert config == TrainConfig(vocab_size=260)
    assert type(config.vocab_size) is type(config.min_count) is int
    assert train("abab", config, forced=[(np.int64(97), np.int16(98))]).merges[0].count == 2
    assert TRAINING.fork(one, (np.int32(101), 114)).merges == TRAINING.fork(1, (101, 114)).merges
    assert TRAINING.token_count(one) == TRAINING.token_count(1)
    assert SNAPSHOT.words(two) == SNAPSHOT.words(2)
    assert SNAPSHOT.candidates(two) == SNAPSHOT.candidates(2)
    assert WORDPIECE.at(one).candidates(two) == WORDPIECE.at(1).candidates(2)
    assert UNIGRAM.segmentations("▁hug", two) == UNIGRAM.segmentations("▁hug", 2)
    assert train_wordpiece("hug hugs", np.int64(12)).vocab == train_wordpiece("hug hugs", 12).vocab
    unigram = train_unigram("hug hugs", np.int64(8), seed_size=np.int32(20), shrink=np.float32(0.5))
    assert unigram.vocab == train_unigram("hug hugs", 8, seed_size=20, shrink=0.5).vocab
    sentencepiece = train_sentencepiece("hug hug hugs pug", np.int64(16))
    assert sentencepiece.vocab == train_sentencepiece("hug hug hugs pug", 16).vocab
    assert COMPARISON.disagreements("a", "b", most=one) == COMPARISON.disagreements("a", "b", most=1)
    assert COMPARISON.reason("a", "b", np.int64(DIFFERENCE.start), np.int64(DIFFERENCE.end))


@pytest.mark.parametrize("words", [SNAPSHOT.words, SNAPSHOT.frequent_words, WORDPIECE.at(1).words, UNIGRAM.at(1).words])
@pytest.mark.parametrize("n", [-1, True, 1.0, "x", 10**20])
def test_words_are_counted_by_whole_numbers_of_0_or_more(words, n: object) -> None:
    if n == 10**20:
        assert words(n) == words()
    else:
        with pytest.raises(ConfigError, match=r"n is .*It takes a whole number of 0 or more, or None for all"):
            words(n)


def test_a_surrogate_pair_is_the_character_that_it_means() -> None:
    assert replace_surrogates("\ud83d\ude00a\ud83d") == ("😀a\ufffd", 1)
    assert replace_surrogates("\ude00\ud83d\ude00") == ("\ufffd😀", 1)
    pair = "\ud83d\ude00"
    assert train(pair * 2).merges == train("😀" * 2).merges
    assert train(pair * 2).surrogates == 0
    assert compare(pair, {}).text == "😀"
    assert TOKENIZER.encode(pair).text == "😀"
    assert TrainConfig(special_tokens=(pair,)) == TrainConfig(special_tokens=("😀",))
    assert TrainConfig(unit="char", end_of_word=pair).end_of_word == "😀"
    assert TrainConfig(split=f"{pair}|a").split == "😀|a"
    assert train_wordpiece(pair * 2, 20).vocab == train_wordpiece("😀" * 2, 20).vocab
    assert train_unigram(pair * 2, 20).vocab == train_unigram("😀" * 2, 20).vocab
    assert UnigramModel({"😀": 1.0}).best(pair) == UnigramModel({"😀": 1.0}).best("😀")
    assert train_sentencepiece(pair * 3, 8).vocab == train_sentencepiece("😀" * 3, 8).vocab


def test_a_special_token_written_twice_in_two_ways_is_refused() -> None:
    with pytest.raises(ConfigError, match="twice"):
        TrainConfig(special_tokens=("😀", "\ud83d\ude00"))


def test_a_split_with_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(ConfigError, match="holds a lone surrogate"):
        TrainConfig(split="[\ud800a]+")
