"""A config.json uploaded with a tokenizer: its embedding rows against the ids, on Vocabulary and Compare."""

from __future__ import annotations

import pytest

from bpe_core import load_pretrained
from bpe_core.formats import to_bytes
from tests.app.pages import opened
from tests.app.test_compare import find
from tests.app.test_pipeline import texts
from ui.session.tokenizer_files import TokenizerFile

GPT2 = to_bytes(load_pretrained("gpt2"), format="tokenizers")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (b'{"vocab_size": 50304}', "47 more than the largest id needs: a multiple of 128"),
        (b'{"vocab_size": 50000}', "the model fails on ids from 50,000 on"),
        (b"{", "config.json"),
    ],
)
def test_rows_that_differ_from_the_ids_are_told(config: bytes, said: str) -> None:
    file = TokenizerFile("mine", (("tokenizer.json", GPT2), ("config.json", config)))
    page = opened("vocabulary", tokenizer_files=(file,))
    find(page, "vocabulary of", file.name)
    assert any(said in line for line in texts(page))
