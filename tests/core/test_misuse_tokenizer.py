"""Tokenizers, models and stages reject invalid input with errors of the core, for every argument of every method."""

import inspect
import math
from collections.abc import Callable

import numpy as np
import pytest

from bpe_core import (
    BpeError,
    ConfigError,
    Message,
    Padding,
    TokenIdError,
    Tokenizer,
    TrainConfig,
    Truncation,
    UnigramModel,
    VocabularyError,
    WordPieceModel,
    batch,
    chat_pipeline,
    load_pretrained,
    pipeline,
    sentencepiece_tokenizer,
    train,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
    unigram_tokenizer,
    wordpiece_tokenizer,
)
from bpe_core.comparison.metrics import gini, renyi_efficiency
from bpe_core.formats import split_is_known
from bpe_core.text.splits import Split
from bpe_core.tokenizer.templates import Template
from bpe_core.wordlevel.model import WordLevelModel
from tests.core.misuse import WRONG, Call, failures

BPE = train("low lower lowest", TrainConfig(vocab_size=260, special_tokens=("<s>",))).tokenizer()
SENTENCEPIECE = train_sentencepiece("hug hug hugs pug", 16)
TOKENIZERS = {
    "BPE": BPE,
    "characters": train("low lower é", TrainConfig(unit="char", end_of_word="</w>", split="words")).tokenizer(),
    "gpt2": load_pretrained("gpt2"),
    "WordPiece": train_wordpiece("hug hug hugs", 20).tokenizer(),
    "Unigram": train_unigram("hug hug hugs", 10).tokenizer(),
    "SentencePiece": SENTENCEPIECE.tokenizer(),
}

METHODS = {
    "encode": {"text": "low", "special": "parse"},
    "encode_batch": {"texts": ["low"], "special": "text"},
    "decode": {"ids": [3], "skip_special": False, "errors": "replace"},
    "decode_bytes": {"ids": [3]},
    "token_bytes": {"token_id": 3},
    "token_id": {"token": b"l"},
    "rank": {"token_id": 3},
    "merge_of": {"left": 3, "right": 4},
    "with_special_tokens": {"special_tokens": {"<new>": 100_000}},
    "with_stages": {"normalization": None, "lowercase": None, "strip_accents": None, "split": None, "template": None},
    "encode_parts": {"parts": [("low", None)]},
    "trace": {"word": "low"},
    "possible_merges": {"ids": [3, 4]},
    "tree": {"token_id": 3},
    "tokenize": {"text": "low"},
    "token": {"token_id": 3},
    "spelling": {"token_id": 3},
    "decode_parts": {"ids": [3], "skip_special": False},
    "figure": {"name": "forest", "theme": "light", "text": "low", "tokenizers": None, "token_id": 3},
    "tokens_over_merges": {"text": "low", "special": "text"},
}

CALLS = {
    "pipeline": Call(pipeline, {"text": "low", "tokenizer": BPE, "pair": "er", "template": "bert"}),
    "pipeline of one": Call(pipeline, {"text": "low", "tokenizer": BPE, "template": Template("$A:0", "$A:0 $B:0")}),
    "batch": Call(
        batch,
        {"texts": ["low"], "tokenizer": BPE, "template": "bert", "truncation": Truncation(5), "padding": Padding(8)},
    ),
    "chat_pipeline": Call(chat_pipeline, {"messages": [Message("user", "Hi")], "tokenizer": BPE, "markup": "special"}),
    "wordpiece_tokenizer": Call(
        wordpiece_tokenizer,
        {
            "vocab": ["[UNK]", "h"],
            "special_tokens": ["[UNK]"],
            "name": "mine",
            "normalizer": TrainConfig(lowercase=True).normalizer,
            "split": Split("words"),
            "longest_word": 5,
        },
    ),
    "unigram_tokenizer": Call(unigram_tokenizer, {"model": UnigramModel({"h": 1.0}), "name": "mine"}),
    "sentencepiece_tokenizer": Call(sentencepiece_tokenizer, {"data": SENTENCEPIECE.model, "name": "mine"}),
}


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        # A figure shows all tokens: the short run uses another, small BPE vocabulary.
        pytest.param(kind, method, marks=[pytest.mark.thorough] * (kind == "gpt2" and method == "figure"))
        for kind in TOKENIZERS
        for method in METHODS
    ],
)
def test_a_method_answers_what_it_cannot_take_with_an_error_of_the_core(kind: str, method: str) -> None:
    function = getattr(TOKENIZERS[kind], method, None)
    if function is not None and not (kind == "SentencePiece" and method == "with_stages"):
        assert not list(failures(Call(function, METHODS[method])))


@pytest.mark.parametrize("what", CALLS)
def test_what_cannot_be_taken_is_answered_with_an_error_of_the_core(what: str) -> None:
    assert not list(failures(CALLS[what]))


def test_every_argument_of_every_public_method_is_tried() -> None:
    for tokenizer in TOKENIZERS.values():
        for name, method in inspect.getmembers(tokenizer, inspect.ismethod):
            if not name.startswith("_") and inspect.signature(method).parameters:
                assert set(METHODS[name]) == set(inspect.signature(method).parameters), name


def test_a_type_id_that_no_model_takes_is_refused() -> None:
    for type_id in ("1" + "0" * 20, "9" * 5_000):
        with pytest.raises(Exception, match="type id") as caught:
            pipeline("low", BPE, template=Template(f"$A:{type_id}", "$A:0 $B:0"))
        assert type(caught.value).__name__ == "ConfigError"


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_negative_ids_have_no_merge_and_no_tree(kind: str) -> None:
    tokenizer = TOKENIZERS[kind]
    for ask in (lambda: tokenizer.merge_of(-1, 3), lambda: tokenizer.merge_of(3, -1), lambda: tokenizer.tree(-1)):
        with pytest.raises(TokenIdError, match="-1 is not a token id"):
            ask()
    with pytest.raises(TokenIdError):
        tokenizer.possible_merges([3, -1])


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_numbers_of_numpy_are_taken_wherever_ids_are(kind: str) -> None:
    tokenizer = TOKENIZERS[kind]
    three, four = np.int64(3), np.uint16(4)
    assert tokenizer.token_bytes(three) == tokenizer.token_bytes(3)
    assert tokenizer.decode(np.array([3, 4])) == tokenizer.decode([3, 4])
    assert tokenizer.rank(three) == tokenizer.rank(3)
    assert tokenizer.tree(three) == tokenizer.tree(3)
    assert tokenizer.merge_of(three, four) == tokenizer.merge_of(3, 4)
    assert tokenizer.possible_merges(np.array([3, 4])) == tokenizer.possible_merges([3, 4])
    more = tokenizer.with_special_tokens({"<new>": np.int64(100_000)})
    assert more.special_tokens["<new>"] == 100_000
    assert type(more.special_tokens["<new>"]) is int


def test_a_surrogate_pair_is_the_character_that_it_means() -> None:
    pair = "\ud83d\ude00"
    for tokenizer in TOKENIZERS.values():
        encoding = tokenizer.encode(f"low {pair} \ud83d")
        assert encoding.ids.tolist() == tokenizer.encode("low 😀 \ufffd").ids.tolist()
        assert encoding.normalized.surrogates == 1
        assert tokenizer.trace(pair) == tokenizer.trace("😀")
        assert tokenizer.with_special_tokens({pair: 100_000}).special_tokens["😀"] == 100_000
        with pytest.raises(VocabularyError, match="lone surrogate"):
            tokenizer.with_special_tokens({"\ud83d": 100_000})
    assert pipeline(pair, BPE, pair=pair).ids.tolist() == pipeline("😀", BPE, pair="😀").ids.tolist()
    chats = [chat_pipeline([Message("user", text)], BPE).ids.tolist() for text in (pair, "😀")]
    assert chats[0] == chats[1]


def test_what_is_wrong_is_wrong_in_every_way_that_is_listed() -> None:
    assert len(WRONG) > 12


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Tokenizer("mine", model=BPE.model, kept=5), "kept is 5"),  # type: ignore[arg-type]
        (lambda: Tokenizer("mine", model=BPE.model, template=5), "template is 5"),  # type: ignore[arg-type]
        (lambda: Tokenizer("mine", model=type(BPE.model)), "model is <class"),  # type: ignore[arg-type]
        (lambda: WordPieceModel([1]), "A piece is 1"),  # type: ignore[list-item]
        (lambda: WordLevelModel([b"low"]), "A piece is b'low'"),  # type: ignore[list-item]
        (lambda: split_is_known(None), "The file's content is None"),  # type: ignore[arg-type]
        (lambda: gini([[1.0], [2.0]]), "values is"),  # type: ignore[list-item]
        (lambda: gini(np.array(3.0)), "values is"),  # type: ignore[arg-type]
        (lambda: gini("x"), "values is 'x'"),  # type: ignore[arg-type]
        (lambda: gini([-1.0]), "values is"),
        (lambda: renyi_efficiency(np.array(3), 4), "counts is"),
        (lambda: renyi_efficiency([1], 4, "x"), "α is 'x'"),  # type: ignore[arg-type]
        (lambda: renyi_efficiency([1], None), "vocabulary is None"),  # type: ignore[arg-type]
        (lambda: BPE.encode("low")["0"], "The index of a token is '0'"),  # type: ignore[call-overload]
        (lambda: BPE.encode("low")[np.array([0, 1])], "The index of a token is array"),
    ],
)
def test_what_cannot_be_is_named(make: Callable[[], object], problem: str) -> None:
    with pytest.raises(BpeError) as caught:
        make()
    assert problem in str(caught.value)


def test_a_remedy_says_what_to_write_instead() -> None:
    with pytest.raises(TokenIdError, match=r'Write b"Hello"'):
        BPE.token_id("low")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"call \.tokenizer\(\) on it"):
        pipeline("low", train("low"))  # type: ignore[arg-type]


def test_a_part_of_an_encoding_is_a_list_of_tokens() -> None:
    encoding = BPE.encode("low lower")
    assert encoding[1:3] == [encoding[1], encoding[2]]
    assert encoding[::-1] == list(encoding)[::-1]
    assert encoding[np.int64(0)] == encoding[0]


def test_the_rényi_entropy_of_infinite_order_is_that_of_the_most_frequent_token() -> None:
    assert renyi_efficiency([5, 5], 4, math.inf) == pytest.approx(0.5)
    assert renyi_efficiency([6, 2, 1], 4, math.inf) == pytest.approx(renyi_efficiency([6, 2, 1], 4, 500.0), abs=1e-2)
