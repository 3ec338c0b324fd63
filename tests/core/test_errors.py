"""Errors: one base class, a message of value, limit and remedy, and long values abbreviated."""

import pickle
from collections.abc import Callable

import pytest

from bpe_core import (
    BpeError,
    ConfigError,
    CorpusError,
    FormatError,
    HubError,
    TokenIdError,
    TrainConfig,
    VocabularyError,
    compare,
    load_from_hub,
    load_pretrained,
    train,
)
from bpe_core.errors import quoted

WRONG: dict[str, tuple[type[BpeError], str, Callable[[], object]]] = {
    "a setting": (ConfigError, "17", lambda: TrainConfig(vocab_size=17)),
    "a split name": (ConfigError, "gpt5", lambda: TrainConfig(split="gpt5")),
    "a pattern": (ConfigError, "(ab", lambda: TrainConfig(split="(ab")),
    "a small vocabulary": (
        ConfigError,
        "vocab_size is 2,",
        lambda: train("abc", TrainConfig(unit="char", vocab_size=2)),
    ),
    "a pair": (ConfigError, "(1, 999)", lambda: train("ab", forced=[(1, 999)])),
    "a step": (ConfigError, "77", lambda: train("ab").at(77)),
    "a special mode": (ConfigError, "maybe", lambda: train("ab").tokenizer().encode("a", special="maybe")),  # type: ignore[arg-type]
    "a compared name": (ConfigError, "'x'", lambda: compare("a", {}).agreement("x", "x")),
    "a text": (CorpusError, "b'ab'", lambda: train(b"ab")),  # type: ignore[arg-type]
    "a text to encode": (CorpusError, "None", lambda: train("ab").tokenizer().encode(None)),  # type: ignore[arg-type]
    "a special token": (
        CorpusError,
        "<|endoftext|>",
        lambda: load_pretrained("gpt2").encode("a<|endoftext|>", special="raise"),
    ),
    "an id": (TokenIdError, "50257", lambda: load_pretrained("gpt2").decode([50257])),
    "a model's name": (HubError, "gpt 5", lambda: load_from_hub("gpt 5")),
    "a revision": (HubError, "'../x'", lambda: load_from_hub("gpt2", "../x")),
    "a pretrained name": (VocabularyError, "gpt5", lambda: load_pretrained("gpt5")),
    "an added special token": (VocabularyError, "97", lambda: train("ab").tokenizer().with_special_tokens({"<s>": 97})),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_message_gives_the_value_the_limit_and_the_remedy(wrong: str) -> None:
    kind, value, act = WRONG[wrong]
    with pytest.raises(BpeError) as caught:
        act()
    error = caught.value
    assert type(error) is kind
    assert value in error.problem
    assert error.limit.endswith((".", "…"))
    assert error.remedy.endswith(".")
    assert str(error) == f"{error.problem} {error.limit} {error.remedy}"
    assert error.__suppress_context__ or error.__context__ is None  # only this error is shown


def test_an_error_is_said_whole_in_a_language_and_its_message_stays_english() -> None:
    with pytest.raises(ConfigError) as caught:
        TrainConfig(vocab_size="many")  # type: ignore[arg-type]
    error = caught.value
    assert str(error) == "vocab_size is 'many'. It takes a whole number from 1 to 1,000,000. Correct it."
    assert error.in_language("en") == str(error)
    assert error.in_language("en-XA").count("⟦vocab_size is 'many'.⟧") == 1
    assert error.in_language("en-XA").count("⟦Correct it.⟧") == 1
    assert BpeError("{of a user}").in_language("en-XA") == "{of a user}"


@pytest.mark.parametrize("wrong", WRONG)
def test_an_error_comes_out_of_another_process_as_it_was_raised(wrong: str) -> None:
    kind, _, act = WRONG[wrong]
    with pytest.raises(BpeError) as caught:
        act()
    error, came = caught.value, pickle.loads(pickle.dumps(caught.value))
    assert type(came) is kind
    assert str(came) == str(error)
    for part in ("problem", "limit", "remedy"):
        assert type(getattr(came, part)) is type(getattr(error, part))
    assert came.in_language("en-XA") == error.in_language("en-XA")


@pytest.mark.parametrize("kind", [ConfigError, CorpusError, TokenIdError, VocabularyError, FormatError])
def test_every_error_is_a_bpe_error_and_an_exception(kind: type[BpeError]) -> None:
    assert issubclass(kind, BpeError)
    assert str(kind("A.", limit="B.", remedy="C.")) == "A. B. C."
    assert str(kind("A.")) == "A."


def test_values_are_shown_as_python_writes_them_and_cut() -> None:
    assert quoted("a\n\ud800") == r"'a\n\ud800'"
    assert quoted("a" * 100) == "'" + "a" * 58 + "…"
    assert len(quoted(list(range(10**4)))) == 60


def test_a_hostile_text_in_a_message_can_be_written_as_utf8() -> None:
    for act in (lambda: TrainConfig(split="(\ud800"), lambda: load_pretrained("\udfff"), lambda: train([5, "\ud800"])):
        with pytest.raises(BpeError) as caught:
            act()
        str(caught.value).encode()


def test_settings_that_are_no_config_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"The settings are 300 of type int\. Settings are a TrainConfig\. Write"):
        train("text", 300)  # type: ignore[arg-type]


def test_forced_pairs_that_are_no_sequence_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"The merges to force are None\. They are a sequence of pairs of ids\."):
        train("text", forced=None)  # type: ignore[arg-type]


def test_one_bare_id_is_not_decoded() -> None:
    with pytest.raises(TokenIdError, match=r"5 are not token ids\. .* Write \[5\] for one\."):
        train("text").tokenizer().decode(5)  # type: ignore[arg-type]


def test_an_encoding_is_not_decoded_for_its_ids() -> None:
    tokenizer = train("text").tokenizer()
    encoding = tokenizer.encode("text")
    for take in (tokenizer.decode, tokenizer.decode_bytes, tokenizer.possible_merges):
        with pytest.raises(TokenIdError, match=r"are not token ids\. .* Give its ids\."):
            take(encoding)  # type: ignore[arg-type]
    assert tokenizer.decode(encoding.ids) == "text"
