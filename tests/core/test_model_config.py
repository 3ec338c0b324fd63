"""config.json: the rows of a model's embedding against the ids of its tokenizer."""

import pytest

from bpe_core import FormatError, load_pretrained
from bpe_core.formats.model_config import embedding_fit
from tests.core.misuse import Call, failures

GPT2 = load_pretrained("gpt2")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (b'{"vocab_size": 50257}', "one for each id"),
        (b'{"vocab_size": 50304}', "47 more than the largest id needs: a multiple of 128"),
        (b'{"text_config": {"vocab_size": 50432}}', "175 more than the largest id needs: a multiple of 256"),
        (b'{"vocab_size": 50300}', "43 more than the largest id needs: perhaps tokens were added"),
        (b'{"vocab_size": 50000}', "the model fails on ids from 50,000 on (257 tokens)"),
    ],
)
def test_more_rows_than_ids_are_padding_and_fewer_are_a_fault(config: bytes, said: str) -> None:
    fit = embedding_fit(GPT2, config)
    assert fit is not None
    assert said in fit.sentence()


def test_a_config_without_size_says_nothing_and_a_damaged_one_is_named() -> None:
    assert embedding_fit(GPT2, b"{}") is None
    for damaged in (b"[", b"[]", b'{"vocab_size": "many"}', b'{"vocab_size": -1}'):
        with pytest.raises(FormatError, match="config"):
            embedding_fit(GPT2, damaged)


def test_what_cannot_be_taken_is_refused() -> None:
    assert not list(failures(Call(embedding_fit, {"tokenizer": GPT2, "config": b"{}"})))
