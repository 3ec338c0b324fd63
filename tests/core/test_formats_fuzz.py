"""Files cut short and with flipped bits: a tokenizer, or a FormatError, and nothing else."""

import pytest

from bpe_core import BpeError, FormatError, TrainConfig, train, train_unigram, train_wordpiece
from bpe_core.formats import from_files, to_files
from tests.core.format_samples import damaged, sentencepiece

TEXT = "low lower lowest newer wider, the theme there " * 3
PROBE = "low <s> LOWER the ｐ\x00é\n日本 x" + "".join(map(chr, range(1, 300)))

SMALL = {
    "tokenizer.json of bytes": (
        "tokenizers",
        lambda: train(TEXT, TrainConfig(vocab_size=290, lowercase=True)).tokenizer(),
    ),
    "tokenizer.json of characters": (
        "tokenizers",
        lambda: train(TEXT, TrainConfig(vocab_size=60, unit="char", split="words", end_of_word="</w>")).tokenizer(),
    ),
    "tokenizer.json of WordPiece": ("tokenizers", lambda: train_wordpiece(TEXT, 60).tokenizer()),
    "tokenizer.json of Unigram": ("tokenizers", lambda: train_unigram(TEXT, 40).tokenizer()),
    "tiktoken": ("tiktoken", lambda: train(TEXT, TrainConfig(vocab_size=290)).tokenizer()),
    "vocab.json and merges.txt": ("gpt2", lambda: train(TEXT, TrainConfig(vocab_size=290)).tokenizer()),
    "vocab.txt": ("wordpiece", lambda: train_wordpiece(TEXT, 60).tokenizer()),
    "bpe-lab": ("bpe-lab", lambda: train(TEXT, TrainConfig(vocab_size=290)).tokenizer()),
    "bpe-lab of characters": (
        "bpe-lab",
        lambda: train(TEXT, TrainConfig(vocab_size=90, unit="char", end_of_word="</w>")).tokenizer(),
    ),
    "bpe-lab of Unigram": ("bpe-lab", lambda: train_unigram(TEXT, 40).tokenizer()),
    "sentencepiece": ("sentencepiece", sentencepiece),
    "sentencepiece with bytes": ("sentencepiece", lambda: sentencepiece(byte_fallback=True)),
}


@pytest.mark.parametrize("name", SMALL)
def test_a_damaged_file_is_a_tokenizer_or_a_format_error(name: str) -> None:
    format, make = SMALL[name]
    files = to_files(make(), format=format)
    refused = 0
    for file, data in files.items():
        for bad in damaged(data, 1):
            try:
                tokenizer = from_files({**files, file: bad})
            except FormatError as error:
                refused += bool(error.limit and error.remedy)
                continue
            try:
                tokenizer.decode(tokenizer.encode(PROBE, special="parse").ids)
            except BpeError:  # a split that takes too long, for one
                continue
    assert refused > 20


def test_the_front_of_a_model_is_where_damage_does_most() -> None:
    model = to_files(sentencepiece(), format="sentencepiece")["tokenizer.model"]
    for at in [*range(0, 400, 3), *range(len(model) - 300, len(model))]:
        bad = bytearray(model)
        bad[at] ^= 1 << at % 8
        try:
            tokenizer = from_files({"a.model": bytes(bad)})
        except FormatError:
            continue
        tokenizer.decode(tokenizer.encode(PROBE).ids)


def test_a_model_whose_table_of_characters_is_damaged_never_reaches_the_library() -> None:
    model = to_files(sentencepiece(), format="sentencepiece")["tokenizer.model"]
    # The table comes last: a double array that the library follows blindly, then texts that it takes for UTF-8.
    for at in range(len(model) - 200, len(model)):
        bad = bytearray(model)
        bad[at] ^= 0x80
        with pytest.raises(FormatError, match="table of characters"):
            from_files({"a.model": bytes(bad)})
    head = model.rindex(b"nmt_nfkc") + len(b"nmt_nfkc") + 4  # key and length of the table
    bad = bytearray(model)
    bad[head + 4 + 3] ^= 0x40  # the root's offset
    with pytest.raises(FormatError, match="leads outside of itself"):
        from_files({"a.model": bytes(bad)})
