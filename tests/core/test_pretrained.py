"""GPT-2, cl100k_base and o200k_base: ids equal to tiktoken's, and missing or damaged files."""

import os
import shutil
import socket
import sysconfig
import unicodedata
from hashlib import sha1
from pathlib import Path
from unittest.mock import patch

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tiktoken.load import load_tiktoken_bpe
from tiktoken_ext import openai_public

from bpe_core import Tokenizer, VocabularyError, load_pretrained
from bpe_core.bundled import files, openai
from bpe_core.bundled.openai import OPENAI
from bpe_core.published import pretrained
from bpe_core.text.splits import Split
from tests.core.test_training import READY
from tests.draws import examples, swept

TIKTOKEN_NAMES = {"gpt2": "r50k_base", "cl100k_base": "cl100k_base", "o200k_base": "o200k_base"}
SPLITS = {"gpt2": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"}
SAMPLES = Path(__file__).parents[2] / "sample_texts"


def bundled_file(url: str, expected_hash: str | None = None) -> dict[bytes, int]:
    return load_tiktoken_bpe(str(files.FOLDER / url.rsplit("/", 1)[-1]), expected_hash)


@pytest.fixture(scope="module")
def peers() -> dict[str, tiktoken.Encoding]:
    """tiktoken's own encodings, from the bundled files: no cache, no network."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", "")
        patch.setattr(openai_public, "load_tiktoken_bpe", bundled_file)
        return {name: tiktoken.Encoding(**getattr(openai_public, theirs)()) for name, theirs in TIKTOKEN_NAMES.items()}


# Characters that splits and vocabularies treat differently, often adjacent.
FRAGMENTS = [
    *("'s", "'S", "'ll", "'LL", "'ſ", "’s", "'", "don't", "I'VE", "HTTPServer", "naïve", "ǅ", "ß", "Straße", "ﬁ", "İ"),
    *(
        "1",
        "12",
        "123",
        "1234",
        "٣",
        "½",
        "Ⅷ",
        "①",
        "१२३४",
        "e\u0301",
        "\u0301",
        "한국어",
        "こんにちは",
        "漢字",
        "สวัสดี",
    ),
    *("مرحبا", "नमस्ते", "👨\u200d👩\u200d👧", "🏳️\u200d🌈", "🇯🇵", "\U0001f1ef", "\u200b", "\ufeff", "\ufffd", "\x00"),
    *(".", "...", "!?", "//", "_", "__init__", "<|endoftext|>", "<|im_start|>", "</w>", "$x=1;", "#", "a" * 40),
]
SPACES = [" ", "  ", "    ", "\t", "\n", "\r\n", "\n\n", "\r", "\u00a0", "\u3000", "\u2028", "\x1c", "\x85"]
LONG = (
    "a" * 20_000,
    "あ" * 5_000,
    " " * 10_000 + "x",
    "ab" * 10_000,
    "\n" * 500 + "'" * 500,
    "\x00\x7f\ufffd\U0010ffff\ue000" * 20,
    "".join(map(chr, range(0x20, 0x3000))),
    "👩\u200d👩\u200d👧\u200d👦 e\u0301\u0302\u0303" * 10,
)
hostile = st.lists(st.sampled_from(FRAGMENTS + SPACES) | st.text(max_size=6), max_size=12).map("".join)


@pytest.mark.parametrize("name", OPENAI)
@pytest.mark.parametrize("way", READY)
@settings(max_examples=examples(200))
@given(text=hostile)
def test_the_ids_of_any_text_are_tiktokens(way: str, name: str, peers: dict[str, tiktoken.Encoding], text: str) -> None:
    expected = peers[name].encode(text, disallowed_special=())
    with patch("bpe_core.kernels.backend.is_ready", return_value=READY[way]):
        assert load_pretrained(name).encode(text).ids.tolist() == expected
    assert load_pretrained(name).decode(expected) == text


@pytest.mark.parametrize("name", OPENAI)
@given(
    text=st.lists(st.sampled_from(["<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|", " ", "hi"])).map("".join)
)
def test_parsed_special_tokens_are_tiktokens(name: str, peers: dict[str, tiktoken.Encoding], text: str) -> None:
    ids = load_pretrained(name).encode(text, special="parse").ids.tolist()
    assert ids == peers[name].encode(text, allowed_special="all")


@pytest.mark.parametrize("name", OPENAI)
def test_the_ids_of_every_kind_of_character_are_tiktokens(name: str, peers: dict[str, tiktoken.Encoding]) -> None:
    tokenizer, peer = load_pretrained(name), peers[name]
    narrow = [
        chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Zs", "Zl", "Zp", "Cc", "Nd")
    ]
    wide = swept(chr(code) for code in range(0, 0x32000, 3) if not 0xD800 <= code < 0xE000)
    for chars in (narrow, wide):
        text = "".join(f"a{char}b 1{char}2 {char}'s .{char}!\n" for char in chars)
        assert tokenizer.encode(text).ids.tolist() == peer.encode(text, disallowed_special=())


@pytest.mark.thorough
@pytest.mark.parametrize("name", OPENAI)
def test_every_code_point_is_split_as_tiktoken_splits_it(name: str, peers: dict[str, tiktoken.Encoding]) -> None:
    chars = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    parts = [chars[at : at + (1 << 15)] for at in range(0, len(chars), 1 << 15)]
    often, once = "a{0}b {0}1{0}{0}B", "a{0}1"  # the higher planes contain marks and private-use characters
    texts = [" ".join((often if char < "\U00040000" else once).format(char) for char in part) for part in parts]
    for text, expected in zip(texts, peers[name].encode_ordinary_batch(texts, num_threads=2), strict=True):
        assert load_pretrained(name).encode(text).ids.tolist() == expected


@pytest.mark.parametrize("name", OPENAI)
def test_the_ids_of_real_texts_are_tiktokens(name: str, peers: dict[str, tiktoken.Encoding]) -> None:
    tokenizer, peer = load_pretrained(name), peers[name]
    stdlib = Path(sysconfig.get_paths()["stdlib"])
    paths = [*SAMPLES.glob("*.txt"), stdlib / "argparse.py", stdlib / "pydoc_data" / "topics.py"]
    for text in [*(path.read_text(encoding="utf-8") for path in paths), *LONG]:
        assert tokenizer.encode(text).ids.tolist() == peer.encode(text, disallowed_special=())


@pytest.mark.parametrize("name", OPENAI)
def test_vocabulary_and_special_tokens_are_tiktokens(name: str, peers: dict[str, tiktoken.Encoding]) -> None:
    tokenizer, peer = load_pretrained(name), peers[name]
    assert tokenizer.vocab_size == peer.n_vocab
    assert set(tokenizer.special_tokens) == peer.special_tokens_set
    for token, token_id in tokenizer.special_tokens.items():
        assert peer.encode_single_token(token) == token_id
    for token_id in range(0, 50_000, 7):
        assert tokenizer.token_bytes(token_id) == peer.decode_single_token_bytes(token_id)


@pytest.mark.parametrize("name", OPENAI)
@given(text=hostile.map(lambda text: text[:24]))
def test_each_split_cuts_as_tiktokens_pattern(name: str, peers: dict[str, tiktoken.Encoding], text: str) -> None:
    # With every substring as a token, tiktoken's tokens are the words of its pattern.
    ranks = {bytes([value]): value for value in range(256)}
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            ranks.setdefault(text[start:end].encode(), len(ranks))
    peer = tiktoken.Encoding("cuts", pat_str=peers[name]._pat_str, mergeable_ranks=ranks, special_tokens={})
    expected = [peer.decode_single_token_bytes(token_id).decode() for token_id in peer.encode_ordinary(text)]
    assert Split(SPLITS[name], library=True).words(text) == expected


# -- loading ------------------------------------------------------------------------------------------------------


def test_a_tokenizer_is_loaded_once_and_shared() -> None:
    assert load_pretrained("gpt2") is load_pretrained("gpt2")


@pytest.mark.parametrize("name", ["", "GPT2", "r50k_base", "p50k_base", "../gpt2", None, 5, ["gpt2"]])
def test_another_name_is_refused(name: object) -> None:
    known = "gpt2, cl100k_base, o200k_base, bert-base-uncased, bert-base-cased, t5-small"
    message = rf"is not a pretrained tokenizer\. Known: {known}\. Choose one of these\."
    with pytest.raises(VocabularyError, match=message):
        load_pretrained(name)  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the bundled GPT-2 file that tests may damage, loaded without a cache."""
    copy = tmp_path / "vocabularies"
    copy.mkdir()
    shutil.copy(files.FOLDER / "r50k_base.tiktoken", copy)
    monkeypatch.setattr(files, "FOLDER", copy)
    monkeypatch.setattr(pretrained, "load_ranked", openai.load_ranked.__wrapped__)
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    return copy


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Path of the GPT-2 file in the user's own tiktoken cache folder."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    url = "https://openaipublic.blob.core.windows.net/encodings/r50k_base.tiktoken"
    return tmp_path / "cache" / sha1(url.encode()).hexdigest()


def works(tokenizer: Tokenizer) -> bool:
    return tokenizer.encode("Hello").ids.tolist() == [15496]


def test_a_missing_file_is_named_with_the_reason_and_the_remedy(folder: Path) -> None:
    assert works(load_pretrained("gpt2"))
    (folder / "r50k_base.tiktoken").unlink()
    message = (
        r"The vocabulary file for r50k_base\.tiktoken cannot be read: No such file or directory\. "
        r"It is expected at .*vocabularies/r50k_base\.tiktoken\. Get the file again from the project's repository\."
    )
    with pytest.raises(VocabularyError, match=message):
        load_pretrained("gpt2")
    with pytest.raises(VocabularyError, match="cl100k_base"):
        load_pretrained("cl100k_base")


def test_a_folder_in_the_place_of_the_file_is_no_file(folder: Path) -> None:
    (folder / "r50k_base.tiktoken").unlink()
    (folder / "r50k_base.tiktoken").mkdir()
    with pytest.raises(VocabularyError, match="cannot be read: Is a directory"):
        load_pretrained("gpt2")


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data + b"\n",
        lambda data: bytes([data[0] ^ 1]) + data[1:],
        lambda data: b"version https://git-lfs.github.com/spec/v1\n",
        lambda data: b"\xff\xfe\x00",
    ],
)
def test_a_damaged_file_is_named_with_its_hash_and_the_remedy(folder: Path, damage) -> None:
    path = folder / "r50k_base.tiktoken"
    path.write_bytes(damage(path.read_bytes()))
    message = (
        r"The vocabulary file .*r50k_base\.tiktoken is damaged: its SHA-256 is [0-9a-f]{12}… over [\d,]+ bytes\. "
        r"For r50k_base\.tiktoken it must be 306cd27f03c1….* Get the file again from the project's repository\."
    )
    with pytest.raises(VocabularyError, match=message):
        load_pretrained("gpt2")


def test_a_repaired_file_is_read_again(folder: Path) -> None:
    path = folder / "r50k_base.tiktoken"
    data = path.read_bytes()
    path.write_bytes(b"")
    with pytest.raises(VocabularyError):
        load_pretrained("gpt2")
    path.write_bytes(data)
    assert works(load_pretrained("gpt2"))


def test_the_file_in_tiktokens_own_cache_folder_is_taken(folder: Path, cached: Path) -> None:
    shutil.move(folder / "r50k_base.tiktoken", cached)
    assert works(load_pretrained("gpt2"))


def test_the_bundled_file_is_taken_where_the_cache_folder_lacks_it(folder: Path, cached: Path) -> None:
    assert not cached.exists()
    assert works(load_pretrained("gpt2"))
    assert not cached.exists()


def test_a_damaged_file_in_the_cache_folder_is_named_with_its_own_remedy(folder: Path, cached: Path) -> None:
    cached.write_bytes(b"damaged")
    with pytest.raises(VocabularyError, match=rf"{cached.name} is damaged.*It is in TIKTOKEN_CACHE_DIR: delete it"):
        load_pretrained("gpt2")


def test_an_empty_cache_setting_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert works(load_pretrained("gpt2"))


def test_loading_needs_no_network_and_leaves_tiktoken_and_the_environment_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("no network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    before, environment = openai_public.load_tiktoken_bpe, dict(os.environ)
    assert works(load_pretrained("gpt2"))
    assert openai_public.load_tiktoken_bpe is before
    assert dict(os.environ) == environment
