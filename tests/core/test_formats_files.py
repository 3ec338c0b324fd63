"""The other formats, each against its library; and saving and loading by path."""

import base64
import gzip
import os
import pickle
import zipfile
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
import sentencepiece
import tokenizers
from tokenizers import models, pre_tokenizers

from bpe_core import ConfigError, FormatError, SpecialToken, TrainConfig, formats, load, load_pretrained, save, train
from bpe_core.formats import FORMATS, from_bytes, from_files, reading, to_bytes, to_files, writable
from bpe_core.formats.training_file import save_training
from tests.core.format_samples import (
    CONFIGS,
    EVERY,
    FEW,
    TEXTS,
    changed,
    same_tokenizer,
    trained,
    unigram,
    wordpiece,
)
from tests.core.format_samples import (
    sentencepiece as sentencepiece_model,
)

EVERY_KIND = {
    **{name: lambda name=name: trained(name) for name in CONFIGS},
    "WordPiece": wordpiece,
    "Unigram": unigram,
    "SentencePiece": sentencepiece_model,
    "SentencePiece with bytes": lambda: sentencepiece_model(byte_fallback=True),
    "GPT-2": lambda: load_pretrained("gpt2"),
    "GPT-2 in lower case": lambda: load_pretrained("gpt2").with_stages(lowercase=True, split="cl100k"),
    "with a special token": lambda: trained("characters").with_special_tokens({"<later>": 5_000}),
}


@pytest.mark.parametrize("name", EVERY_KIND)
def test_bpe_labs_own_file_holds_every_tokenizer(name: str) -> None:
    tokenizer = EVERY_KIND[name]()
    again = from_bytes(to_bytes(tokenizer, format="bpe-lab"))
    assert same_tokenizer(again, tokenizer, FEW)
    for stage in ("name", "normalizer", "split", "template", "decoder", "config", "special_token_flags"):
        assert getattr(again, stage) == getattr(tokenizer, stage)
    assert type(again.model) is type(tokenizer.model)
    assert [again.token_bytes(i) for i in again.ids] == [tokenizer.token_bytes(i) for i in tokenizer.ids]
    assert [again.rank(i) for i in again.ids] == [tokenizer.rank(i) for i in tokenizer.ids]
    assert to_bytes(again, format="bpe-lab") == to_bytes(tokenizer, format="bpe-lab")


@pytest.mark.parametrize("name", CONFIGS)
def test_a_saved_training_loads_as_its_tokenizer(name: str) -> None:
    text = "the lantern, Der Strom, ein naïver Tag 日本語"
    training = train(text, CONFIGS[name])
    again = from_bytes(save_training(training, text))
    assert same_tokenizer(again, training.tokenizer(), FEW)


def test_the_tokenizers_library_reads_the_two_files_of_gpt2(tmp_path: Path) -> None:
    for tokenizer in (load_pretrained("gpt2"), trained("bytes")):
        folder = tmp_path / tokenizer.name
        save(tokenizer, folder, format="gpt2")
        model = models.BPE.from_file(str(folder / "vocab.json"), str(folder / "merges.txt"))
        peer = tokenizers.Tokenizer(model)
        peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        again = load(folder)
        assert again.special_tokens == tokenizer.special_tokens
        for text in EVERY:
            ids = tokenizer.encode(text).ids.tolist()
            assert peer.encode(text).ids == ids == again.encode(text).ids.tolist()


def test_gpt2s_merges_are_the_50000_that_openai_published() -> None:
    merges = to_files(load_pretrained("gpt2"), format="gpt2")["merges.txt"].decode().splitlines()
    assert len(merges) == 50_001
    assert merges[:6] == ["#version: 0.2", "Ġ t", "Ġ a", "h e", "i n", "r e"]
    assert merges[-1] == "Ġg azed"


def test_bert_reads_a_vocab_txt(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    save(wordpiece(), path, format="wordpiece")
    peer = tokenizers.BertWordPieceTokenizer(
        str(path), lowercase=False, clean_text=False, handle_chinese_chars=False, strip_accents=False
    )
    for text in TEXTS:
        ids = peer.encode(text, add_special_tokens=False).ids
        assert ids == wordpiece().encode(text, special="parse").ids.tolist()
        read = load(path).encode(text, special="parse").ids.tolist()
        assert read == ids
        assert load(path).decode(read) == peer.decode(ids, skip_special_tokens=False)  # with BERT's text clean-up


@pytest.mark.parametrize("byte_fallback", [False, True])
def test_a_model_is_read_as_sentencepiece_reads_it(byte_fallback: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.model"
    save(sentencepiece_model(byte_fallback=byte_fallback), path, format="sentencepiece")
    peer = sentencepiece.SentencePieceProcessor(model_file=str(path))
    tokenizer = load(path)
    for text in EVERY:
        assert tokenizer.encode(text).ids.tolist() == peer.Encode(text)


@pytest.mark.parametrize("name", EVERY_KIND)
def test_a_format_is_writable_or_says_why_not(name: str) -> None:
    tokenizer = EVERY_KIND[name]()
    fits = writable(tokenizer)
    assert "bpe-lab" in fits
    for format in set(FORMATS) - set(fits):
        with pytest.raises(FormatError) as caught:
            to_files(tokenizer, format=format)
        assert caught.value.limit
        assert caught.value.remedy
    for format in fits:
        assert from_files(to_files(tokenizer, format=format)).vocab_size == tokenizer.vocab_size


def test_the_content_tells_the_format_whatever_the_name(tmp_path: Path) -> None:
    for format in ("tokenizers", "tiktoken", "bpe-lab"):
        path = tmp_path / "file.xyz"
        save(trained("bytes"), path, format=format)
        assert same_tokenizer(load(path), trained("bytes"), TEXTS[:3])


def test_an_unknown_format_is_a_config_error() -> None:
    with pytest.raises(ConfigError, match="format is 'pickle'"):
        to_bytes(trained("bytes"), format="pickle")
    with pytest.raises(ConfigError, match="is 2 files"):
        to_bytes(trained("bytes"), format="gpt2")


@pytest.mark.parametrize("flag", ["strip_left", "strip_right", "whole_word", "normalized", "special"])
def test_flags_of_special_tokens_are_kept_or_the_file_is_not_written(flag: str) -> None:
    for kind, kept_in in (("bytes", ("tokenizers", "bpe-lab")), ("characters", ("tokenizers",))):
        marked = trained(kind).with_special_tokens([SpecialToken("<mask>", 5_000, **{flag: flag != "special"})])
        assert writable(marked) == kept_in
        for format in kept_in:
            again = from_files(to_files(marked, format=format))
            assert marked.special_token_flags[-1] in again.special_token_flags
    with pytest.raises(FormatError, match=f"'<mask>' .*{flag}"):
        to_files(marked, format="bpe-lab")


def zipped() -> bytes:
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("tokenizer.json", "{}")
    return data.getvalue()


class Evil:
    def __reduce__(self) -> object:
        return os._exit, (3,)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "The file is empty."),
        (b" \n\n", "The file is empty."),
        (gzip.compress(b"", mtime=0), "The file is empty."),
        (b"\xff\xfe", "byte 0 is 0xFF"),
        (zipped(), "a zip archive"),
        (
            gzip.compress(b"x" * 1_000_000, mtime=0),
            "packed with gzip. Unpacked: The file has 2 parts that cannot be read. (1) Line 1",
        ),
        (gzip.compress(gzip.compress(b"[UNK]\n", mtime=0), mtime=0), "packed with gzip"),
        (gzip.compress(b"[UNK]\n" * 1_000, mtime=0)[:-9], "ends before all of it is unpacked"),
        (b"\x1f\x8b\x08\x00" + b"\xff" * 40, "packed with gzip, and damaged"),
        (gzip.compress(bytes(reading.MOST_BYTES + 1), mtime=0), "The file, unpacked, has 100,000,001 bytes"),
        (pickle.dumps(Evil()), "not UTF-8"),
        (b"[" * 200_000, "too deep"),
        (b'{"a":' * 200_000, "too deep"),
        (b"[" + b"[]," * 10_000_000 + b"[]]", "lists and values"),
        (b'{"model": ' + b"9" * 5_000 + b"}", "a number too long"),
        (b'{"model": NaN}', "holds NaN"),
        (b'{"model": 1, "model": 2}', "'model' twice"),
        (b'{"a": 0, "b": 1}', "a vocab.json alone"),
        (b'{"a": 0, "model": 1}', "a vocab.json alone"),  # a token, too, may be named as a part of a tokenizer.json
        (b"#version: 0.2\na b\n", "a merges.txt alone"),
        (b'{"hello": "world"}', "not a tokenizer's"),
        (b"Dear diary,\n", "Line 1 is 'Dear diary,'"),
        (b"hello\nworld\n", "none is [UNK]"),
        (b"b\n\na\n\n", "Line 2 is ''. The same error is at 4."),
        (b"[UNK]\n" + b"\n" * 1_000_000, "1,000,001 lines"),
        (b'{"format": "bpe-lab", "version": 3}', "version 3"),
        (b'{"format": "bpe-lab", "version": 2, "model": ["bpe"]}', "model is ['bpe']"),
        (b'{"format": "bpe-lab", "version": 2, "model": "bpe"}', "lacks 'kind'"),
    ],
)
def test_what_is_no_tokenizer_is_refused_with_place_and_reason(data: bytes, says: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_bytes(data)
    assert says in str(caught.value)
    assert caught.value.limit
    assert caught.value.remedy


def test_half_of_a_pair_of_files_says_which_other_half_it_needs(tmp_path: Path) -> None:
    for name, data in to_files(load_pretrained("gpt2"), format="gpt2").items():
        (tmp_path / name).write_bytes(data)
    for name, other in (("vocab.json", "merges.txt"), ("merges.txt", "vocab.json")):
        with pytest.raises(FormatError, match=f"{name} alone. It needs {other}"):
            load(tmp_path / name)
    assert load(tmp_path).encode("Hello").ids.tolist() == [15496]


def test_a_file_too_large_is_refused_before_it_is_looked_at() -> None:
    with pytest.raises(FormatError, match="The most allowed is 100,000,000"):
        from_bytes(bytes(reading.MOST_BYTES + 1))


OWN = to_bytes(trained("characters with ends"), format="bpe-lab")
BYTES = to_bytes(trained("bytes"), format="bpe-lab")


@pytest.mark.parametrize(
    ("data", "path", "value", "says"),
    [
        (BYTES, "bytes", [1, 2], "bytes has 2 entries"),
        (BYTES, "bytes.3", 4, "bytes[4] has the id 4"),
        (BYTES, "bytes", None, "unknown is null"),
        (BYTES, "merges.0", [1, 2], "merges[0] is [1, 2]"),
        (BYTES, "merges.0", [1, 2, True], "merges[0] is True"),
        (BYTES, "merges.0", [690, 2, 256], "merges the token 690"),
        (BYTES, "merges.5", [97, 98, 3], "makes the token 3"),
        (
            BYTES,
            "merges",
            [[256 + i - 1 if i else 97, 256 + i - 1 if i else 97, 256 + i] for i in range(60)],
            "1,048,576",
        ),
        (BYTES, "tokens", [[900, "!"]], "not base64"),
        (BYTES, "tokens", [[900, ""]], "tokens[0][1] is empty"),
        (BYTES, "special_tokens", {"": 900}, "special token ''"),
        (BYTES, "special_tokens", {"<s>": 3}, "has the id 3"),
        (BYTES, "special_tokens", {"<s>": 10**8}, "whole number"),
        (BYTES, "whole_words", 0, "whole_words is 0"),
        (BYTES, "config.split", "((", "In config: split"),
        (BYTES, "config.vocab_size", 1e3, "In config: vocab_size"),
        (BYTES, "config.extra", 1, "has 'extra'"),
        (BYTES, "name", 5, "name is 5"),
        (OWN, "mark", None, "Both are given, or neither"),
        (OWN, "mark", 5, "mark is 5"),
        (OWN, "unknown", 10**6, "unknown is 1,000,000"),
        (OWN, "characters.ab", 9_999, "not a single character"),
        (OWN, "config.unit", "byte", "config"),
    ],
)
def test_a_wrong_value_in_our_own_file_is_named(data: bytes, path: str, value: object, says: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_bytes(changed(data, path, value))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("vocab.json", b'{"a": "b"}', "vocab.json['a'] is 'b'"),
        ("vocab.json", b"[]", "vocab.json is []"),
        ("vocab.json", b'{"a": 0}', "the vocabulary lacks"),
        ("merges.txt", b"h e l\n", "Line 1 of merges.txt is 'h e l'"),
        ("merges.txt", b"\xff", "merges.txt is not UTF-8"),
    ],
)
def test_a_wrong_line_of_gpt2s_files_is_named(name: str, data: bytes, says: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_files({**to_files(trained("bytes"), format="gpt2"), name: data})
    assert says in str(caught.value)


def test_paths_that_cannot_be_read_or_written_are_format_errors(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for path in ("missing", "loop", "pipe", "folder", "a\0b", "x" * 500):
        with pytest.raises(FormatError):
            load(tmp_path / path)
    for path in ("missing/file", "loop", "folder", "a\0b"):
        with pytest.raises(FormatError, match="cannot be written"):
            save(trained("bytes"), tmp_path / path, format="tiktoken")
    (tmp_path / "folder" / "notes.md").write_text("no tokenizer")
    with pytest.raises(FormatError):
        load(tmp_path / "folder")


def test_base64_of_a_model_in_our_own_file_is_checked_as_a_model_is() -> None:
    data = to_bytes(sentencepiece_model(), format="bpe-lab")
    with pytest.raises(FormatError, match="damaged at byte"):
        from_bytes(changed(data, "file", base64.b64encode(b"\n\x05abc").decode()))


def test_config_of_a_plain_training_stays_that_of_trainconfig() -> None:
    assert from_bytes(BYTES).config == TrainConfig(vocab_size=700)


@pytest.mark.parametrize("setting", [{"split": "words"}, {"special_tokens": {"<s>": 60_000}}], ids=["split", "special"])
@pytest.mark.parametrize("format", ["tokenizers", "bpe-lab", "gpt2"])
def test_a_setting_that_the_file_has_itself_is_not_ignored(format: str, setting: dict[str, object]) -> None:
    files = to_files(load_pretrained("gpt2"), format=format)
    if format == "gpt2" and "split" in setting:
        assert from_files(files, split="words").split.pattern == "words"  # contains none
        return
    with pytest.raises(ConfigError, match="is given for a file that has its own"):
        from_files(files, **setting)  # type: ignore[arg-type]


@pytest.mark.parametrize("format", ["tokenizers", "tiktoken", "gpt2", "bpe-lab"])
def test_a_token_that_no_file_is_read_with_is_not_written(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = train("a" * 10_000, TrainConfig(split="none", vocab_size=266)).tokenizer()
    monkeypatch.setattr(formats, "LONGEST_TOKEN", 1_000)
    with pytest.raises(
        FormatError, match=r"The token 265 has 1,024 bytes\. The longest allowed in a file has 1,000\. Train"
    ):
        to_files(tokenizer, format=format)


def test_a_file_larger_than_what_is_read_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "check_size", partial(reading.check_size, most=1_000))
    with pytest.raises(FormatError, match=r"tokenizer\.json has [0-9,]+ bytes\. The most allowed is 1,000\. Train"):
        to_bytes(load_pretrained("gpt2"), format="tokenizers")
