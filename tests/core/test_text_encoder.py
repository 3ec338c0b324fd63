"""The compiled encoding of whole texts equals encoding word by word, including offsets."""

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import (
    Tokenizer,
    TrainConfig,
    load_pretrained,
    train,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from bpe_core.huggingface.pretokenizers import ByteLevel, Digits, FixedLength, Metaspace, Punctuation, WhitespaceSplit
from bpe_core.huggingface.split_chain import SplitChain
from bpe_core.kernels import backend
from bpe_core.kernels.scan import WordTable
from bpe_core.tokenizer import text_encoder
from tests.draws import examples_each

CORPUS = "low lower lowest, the lantern's light: 低い灯り。 Ärger, e\N{COMBINING ACUTE ACCENT}té\r\n  12345 "
TOKENIZERS = {
    "bytes": train(CORPUS * 3, TrainConfig(vocab_size=300)).tokenizer(),
    "bytes, own regex": train(CORPUS * 3, TrainConfig(vocab_size=300, split=r"\w+|[^\w\s]")).tokenizer(),
    "bytes, no split": train(CORPUS * 3, TrainConfig(vocab_size=300, split="none", base_order="gpt2")).tokenizer(),
    "bytes, special tokens": train(
        CORPUS * 3, TrainConfig(vocab_size=300, special_tokens=("<s>", "<s></s>", "e"))
    ).tokenizer(),
    "characters": train(CORPUS * 3, TrainConfig(vocab_size=120, unit="char")).tokenizer(),
    "words with marks": train(
        CORPUS * 3, TrainConfig(vocab_size=120, unit="char", split="words", end_of_word="</w>")
    ).tokenizer(),
    "byte fallback": train(
        CORPUS * 3, TrainConfig(vocab_size=400, unit="char", byte_fallback=True, end_of_word="_")
    ).tokenizer(),
    "normalized": train(CORPUS * 3, TrainConfig(vocab_size=300, normalization="NFKD", lowercase=True)).tokenizer(),
    "forced twice": train("aaaa bbbb", TrainConfig(vocab_size=260), forced=[(97, 97), (98, 98), (97, 97)]).tokenizer(),
    "WordPiece": train_wordpiece(CORPUS, 90).tokenizer(),
    "Unigram": train_unigram(CORPUS, 90).tokenizer(),
    "SentencePiece": train_sentencepiece(CORPUS, 340, model_type="bpe", byte_fallback=True).tokenizer(),
    "gpt2": load_pretrained("gpt2"),
    "cl100k_base": load_pretrained("cl100k_base"),
    "o200k_base": load_pretrained("o200k_base"),
}
CHAINS = {
    "a chain": SplitChain((Digits(), ByteLevel(add_prefix_space=False))),
    "a chain inside characters": SplitChain((Punctuation("Contiguous"), ByteLevel(), FixedLength(2))),
    "a chain that changes the text": SplitChain((WhitespaceSplit(), Metaspace(prepend="first"))),
}
TOKENIZERS |= {
    name: Tokenizer(
        name,
        model=TOKENIZERS["bytes"].model,
        split=split,
        special_tokens={"<s>": 301},
        decoder=TOKENIZERS["bytes"].decoder,
    )
    for name, split in CHAINS.items()
}
pieces = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [CORPUS, "<s>", "<s></s>", "<unk>", "<|endoftext|>", "e", "a" * 400, " ", "\n\n", "\ud800", "</w>"]
    ),
)
texts = st.lists(pieces, max_size=6).map("".join)


def columns(tokenizer: Tokenizer, text: str, special: str) -> list[list[int]]:
    encoding = tokenizer.encode(text, special=special)  # type: ignore[arg-type]
    names = ("ids", "starts", "ends", "char_starts", "char_ends", "word_ids", "word_starts", "word_ends", "special")
    return [getattr(encoding, name).tolist() for name in names]


@pytest.mark.parametrize("name", TOKENIZERS)
@settings(max_examples=examples_each(100))
@given(text=texts, special=st.sampled_from(["text", "parse"]))
def test_both_ways_give_the_same_tokens(name: str, text: str, special: str) -> None:
    backend.warm_up()
    tokenizer = TOKENIZERS[name]
    fast = columns(tokenizer, text, special)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backend, "is_ready", lambda: False)
        assert columns(tokenizer, text, special) == fast


@pytest.mark.parametrize("name", TOKENIZERS)
@settings(max_examples=examples_each(100))
@given(parts=st.lists(pieces, max_size=8), few=st.sampled_from([1, 4]), longest=st.sampled_from([0, 5, 1 << 16]))
def test_segments_that_are_scanned_together_give_the_tokens_of_each_alone(
    name: str, parts: list[str], few: int, longest: int
) -> None:
    backend.warm_up()
    tokenizer = TOKENIZERS[name]
    separator = max(tokenizer.special_tokens, key=len, default="<end>")
    tokenizer = tokenizer if tokenizer.special_tokens else tokenizer.with_special_tokens({separator: 5_000})
    text = separator.join(parts)
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(text_encoder, "_FEW", few)
        changed.setattr(text_encoder, "_LONG", longest)
        together = columns(tokenizer, text, "parse")
        changed.setattr(text_encoder, "_FEW", 1_000)
        assert columns(tokenizer, text, "parse") == together
        changed.setattr(backend, "is_ready", lambda: False)
        assert columns(tokenizer, text, "parse") == together


@pytest.mark.parametrize("name", ["gpt2", "bytes, own regex", "words with marks", "a chain"])
def test_many_separators_cost_one_scan(name: str) -> None:
    backend.warm_up()
    tokenizer = TOKENIZERS[name].with_special_tokens({"<|sep|>": 200_000})
    counted = patch.object(WordTable, "_count_spans", autospec=True, side_effect=WordTable._count_spans)
    with counted as scans:
        found = tokenizer.encode("<|sep|>a" * 5_000, special="parse")
    assert len(found) >= 10_000
    assert scans.call_count < 10


def test_offsets_refer_to_the_text_that_the_split_changed() -> None:
    encoding = TOKENIZERS["a chain that changes the text"].encode("a <s> b", special="parse")
    assert encoding.text == "▁a <s> b"
    assert encoding.normalized.original == "a <s> b"
    words = zip(encoding.word_starts.tolist(), encoding.word_ends.tolist(), strict=True)
    assert [encoding.utf8[start:end].decode() for start, end in words] == ["▁a", "b"]
    assert encoding.normalized.spans is not None
    assert encoding.normalized.spans[:2].tolist() == [[0, 1], [0, 1]]
