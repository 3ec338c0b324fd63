"""TrainConfig: every setting is validated on construction, and the error gives value, limit and remedy."""

from dataclasses import FrozenInstanceError, replace

import pytest

from bpe_core import ConfigError, TrainConfig, train


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"vocab_size": 0}, r"vocab_size is 0\. It takes a whole number from 1 to 1,000,000\. Correct it\."),
        ({"vocab_size": -5}, r"vocab_size is -5\. It takes a whole number"),
        ({"vocab_size": 1_000_001}, r"vocab_size is 1000001\. It takes a whole number from 1 to 1,000,000\."),
        ({"vocab_size": 300.0}, r"vocab_size is 300\.0\. It takes a whole number"),
        ({"vocab_size": True}, r"vocab_size is True\. It takes a whole number"),
        ({"vocab_size": "300"}, r"vocab_size is '300'\. It takes a whole number"),
        (
            {"vocab_size": 255},
            r"vocab_size is 255\. A byte vocabulary needs at least 256: 256 bytes and 0 special tokens\. Ask",
        ),
        (
            {"vocab_size": 257, "special_tokens": ("<a>", "<b>")},
            r"vocab_size is 257\. A byte vocabulary needs at least 258: 256 bytes and 2 special tokens\. Ask",
        ),
        (
            {"vocab_size": 100, "unit": "char", "byte_fallback": True},
            r"vocab_size is 100\. A byte-fallback vocabulary needs at least 256",
        ),
        ({"min_count": 0}, r"min_count is 0\. It takes a whole number from 1 to 1,000,000,000,000\."),
        ({"min_count": 1.5}, r"min_count is 1\.5\."),
        ({"unit": "bytes"}, r"unit is 'bytes'\. It takes 'byte', 'char'\. Choose one\."),
        ({"unit": None}, r"unit is None\. It takes 'byte', 'char'\."),
        ({"unit": ["byte"]}, r"unit is \['byte'\]\."),
        ({"normalization": "nfc"}, r"normalization is 'nfc'\. It takes 'none', 'NFC', 'NFD', 'NFKC', 'NFKD'\."),
        (
            {"tie_break": "first seen"},
            r"tie_break is 'first seen'\. It takes 'first-seen', 'lowest-ids', 'first-counted'\.",
        ),
        ({"base_order": "gpt-2"}, r"base_order is 'gpt-2'\. It takes 'byte-value', 'gpt2'\."),
        ({"lowercase": 1}, r"lowercase is 1\. It takes True or False\."),
        ({"strip_accents": "no"}, r"strip_accents is 'no'\. It takes True or False\."),
        ({"byte_fallback": None}, r"byte_fallback is None\. It takes True or False\."),
        (
            {"byte_fallback": True},
            r"byte_fallback is on with unit 'byte'\. Byte fallback needs unit 'char'.* turn byte fallback off",
        ),
        (
            {"end_of_word": "</w>"},
            r"end_of_word is '</w>' with unit 'byte'\. An end-of-word mark needs unit 'char'\. Choose",
        ),
        (
            {"unit": "char", "end_of_word": "x" * 41},
            r"end_of_word has 41 characters\. The longest allowed is 40\. Use a short",
        ),
        (
            {"unit": "char", "end_of_word": "\ud800"},
            r"end_of_word is '\\ud800', which holds a lone surrogate\. .* Remove",
        ),
        ({"unit": "char", "end_of_word": None}, r"end_of_word is None\. It takes text, or empty for none\."),
        ({"split": 5}, r"split is 5\. It takes a name or a regular expression\."),
        ({"split": b"gpt2"}, r"split is b'gpt2'\. It takes a name"),
        ({"special_tokens": "<s>"}, r"special_tokens is '<s>'\. It takes a sequence of texts\. Write \('<s>',\)\."),
        (
            {"special_tokens": {"<s>"}},
            r"special_tokens is \{'<s>'\}\. It takes a sequence of texts\. Write them in order",
        ),
        ({"special_tokens": 5}, r"special_tokens is 5\. It takes a sequence of texts\."),
        ({"special_tokens": (5,)}, r"A special token is 5\. It takes text that is not empty\."),
        ({"special_tokens": b"ab"}, r"A special token is 97\. It takes text"),
        (
            {"special_tokens": ("",)},
            r"special_tokens holds '' as a token\. Special tokens are not empty and all different\. Remove",
        ),
        ({"special_tokens": ("a", "b", "a")}, r"special_tokens holds 'a' twice\. .* Name it once\."),
        ({"special_tokens": ("\udfff",)}, r"A special token is '\\udfff', which holds a lone surrogate\."),
        (
            {"special_tokens": tuple(map(str, range(1_001)))},
            r"There are 1,001 special tokens\. The most allowed is 1,000\. Name fewer\.",
        ),
    ],
)
def test_a_setting_out_of_range_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        TrainConfig(**settings)  # type: ignore[arg-type]


def test_the_least_and_the_most_are_allowed() -> None:
    assert TrainConfig(vocab_size=256).vocab_size == 256
    assert TrainConfig(vocab_size=1_000_000, min_count=10**12).min_count == 10**12
    assert TrainConfig(vocab_size=1, unit="char").vocab_size == 1
    assert len(TrainConfig(vocab_size=1_256, special_tokens=map(str, range(1_000))).special_tokens) == 1_000
    assert TrainConfig(unit="char", end_of_word="x" * 40).end_of_word == "x" * 40


def test_the_defaults_are_those_of_the_contract() -> None:
    assert TrainConfig() == TrainConfig(
        vocab_size=512,
        unit="byte",
        split="gpt2",
        end_of_word="",
        normalization="none",
        lowercase=False,
        strip_accents=False,
        tie_break="first-seen",
        base_order="byte-value",
        min_count=1,
        special_tokens=(),
        byte_fallback=False,
    )
    assert train("low low").config == TrainConfig()


def test_a_config_cannot_be_changed_and_can_be_a_key() -> None:
    config = TrainConfig(special_tokens=["<s>"])
    with pytest.raises(FrozenInstanceError):
        config.vocab_size = 300  # type: ignore[misc]
    assert config.special_tokens == ("<s>",)
    assert {config: 1}[TrainConfig(special_tokens=("<s>",))] == 1
    with pytest.raises(TypeError):
        TrainConfig(512)  # type: ignore[misc]


def test_a_changed_copy_is_checked_as_well() -> None:
    with pytest.raises(ConfigError, match="vocab_size is 3"):
        replace(TrainConfig(), vocab_size=3)


def test_a_message_has_its_three_parts_apart_and_cuts_a_long_value() -> None:
    with pytest.raises(ConfigError) as caught:
        TrainConfig(unit="x" * 1_000)  # type: ignore[arg-type]
    error = caught.value
    assert error.problem.startswith("unit is 'xxx")
    assert len(error.problem) < 80
    assert error.limit == "It takes 'byte', 'char'."
    assert error.remedy == "Choose one."
    assert str(error) == f"{error.problem} {error.limit} {error.remedy}"
