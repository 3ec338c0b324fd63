"""BERT, BERT cased and T5: ids equal to the tokenizers library's, files verified when read, and NOTICE."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import VocabularyError, load_pretrained
from bpe_core.bundled import files
from bpe_core.published import pretrained
from bpe_core.published.pretrained import SHELF
from tests.draws import examples

PROJECT = Path(__file__).parents[2]
HOSTILE = (
    "",
    " \t\n\u3000\xa0",
    "\x00\x01a\ufffdb\u200bc\u200d\ufeff",
    "HÉLLÒ hôw ÀRE Ü? e\u0301 E\u0301 İ ß ẞ ſ ǅ",
    "南京市长江大桥 𠮷𰻝 がぎ ｶﾞ ﾊﾟ Ⅷ ㍿ ½",
    "안녕 \u1112\u1161\u11ab हिन्दी ไทย العربية \u202eabc",
    "🙂🏳️‍🌈👨‍👩‍👧‍👦🇯🇵 \U000e0067",
    "[CLS][SEP] [MASK][UNK] [pad] <pad></s> ##s # #s ▁a",
    "don't can't `x` a_b-c/d\\e «q» ¿¡ …— $€¥+<=>^|~",
    "a" * 100 + " " + "a" * 101 + " " + "Z" * 101 + "." + "é" * 101,
    "<script>alert(1)</script> {{x}} %s \u2028\u2029\x85",
)
SAMPLES = sorted((PROJECT / "sample_texts").glob("*.txt"))
texts = st.lists(
    st.sampled_from(
        ["low", "lower", "Café", "naïve", "日本", "🙂", "don't", "½", "[SEP]", "<pad>", "▁", "##s", " ", "  ", "\n"]
    )
    | st.text(st.characters(max_codepoint=0x2FFF, exclude_categories=["Cs", "Cn"]), max_size=6),
    max_size=10,
).map("".join)


def library(name: str) -> tokenizers.Tokenizer:
    peer = tokenizers.Tokenizer.from_buffer((files.FOLDER / f"{name}.json").read_bytes())
    peer.encode_special_tokens = True
    return peer


PEERS = {name: library(name) for name in SHELF}


@pytest.mark.parametrize("name", SHELF)
def test_the_ids_of_real_texts_are_the_librarys(name: str) -> None:
    tokenizer, peer = load_pretrained(name), PEERS[name]
    for path in SAMPLES:
        text = path.read_text(encoding="utf-8")
        assert tokenizer.encode(text).ids.tolist() == peer.encode(text, add_special_tokens=False).ids, path.name


@pytest.mark.parametrize("name", SHELF)
def test_the_ids_of_hostile_strings_are_the_librarys(name: str) -> None:
    for text in HOSTILE:
        found = load_pretrained(name).encode(text).ids.tolist()
        assert found == PEERS[name].encode(text, add_special_tokens=False).ids, text


@pytest.mark.parametrize("name", SHELF)
@settings(max_examples=examples(50))
@given(text=texts)
def test_the_ids_of_any_text_are_the_librarys(name: str, text: str) -> None:
    assert load_pretrained(name).encode(text).ids.tolist() == PEERS[name].encode(text, add_special_tokens=False).ids


def test_bert_is_wordpiece_and_lower_cases() -> None:
    bert = load_pretrained("bert-base-uncased")
    assert bert.tokenize("Embeddings") == ["em", "##bed", "##ding", "##s"]
    assert bert.vocab_size == 30_522
    assert bert.special_tokens["[MASK]"] == 103


def test_bert_cased_keeps_case_and_accents() -> None:
    bert = load_pretrained("bert-base-cased")
    assert bert.tokenize("Hugging hugging") == ["Hu", "##gging", "hugging"]
    assert bert.encode("Héllò hôw are ü?").normalized.text == "Héllò hôw are ü?"
    assert bert.vocab_size == 28_996
    assert bert.special_tokens["[MASK]"] == 103


def test_t5_is_unigram_with_a_mark_for_each_space() -> None:
    t5 = load_pretrained("t5-small")
    assert t5.tokenize("Unbelievable") == ["▁Un", "believable"]
    assert t5.vocab_size == 32_100
    assert t5.special_tokens["<extra_id_0>"] == 32_099


@pytest.mark.parametrize("name", SHELF)
def test_a_tokenizer_of_the_shelf_is_loaded_once_and_shared(name: str) -> None:
    assert load_pretrained(name) is load_pretrained(name)


def test_no_tokenizer_is_loaded_before_it_is_asked_for() -> None:
    code = """
import bpe_core
from bpe_core.bundled import openai
from bpe_core.published import pretrained
print(openai.load_ranked.cache_info().currsize, pretrained._from_shelf.cache_info().currsize)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "0"]


# -- the files ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shelf's files that tests may damage, loaded without a cache."""
    for name in ("SHA256SUMS", *(f"{each}.json" for each in SHELF)):
        shutil.copy(files.FOLDER / name, tmp_path)
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    monkeypatch.setattr(pretrained, "_from_shelf", pretrained._from_shelf.__wrapped__)
    return tmp_path


@pytest.mark.parametrize("name", SHELF)
def test_a_missing_file_of_the_shelf_is_named_with_the_reason_and_the_remedy(folder: Path, name: str) -> None:
    (folder / f"{name}.json").unlink()
    message = (
        rf"The vocabulary file for {name}\.json cannot be read: No such file or directory\. "
        rf"It is expected at .*{name}\.json\. Get the file again from the project's repository\."
    )
    with pytest.raises(VocabularyError, match=message):
        load_pretrained(name)


@pytest.mark.parametrize("name", SHELF)
@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-1], lambda data: data + b"\n"])
def test_a_damaged_file_of_the_shelf_is_named_with_its_hash_and_the_remedy(folder: Path, name: str, damage) -> None:
    path = folder / f"{name}.json"
    path.write_bytes(damage(path.read_bytes()))
    message = (
        rf"The vocabulary file .*{name}\.json is damaged: its SHA-256 is [0-9a-f]{{12}}… over [\d,]+ bytes\. "
        rf"For {name}\.json it must be [0-9a-f]{{12}}….* Get the file again from the project's repository\."
    )
    with pytest.raises(VocabularyError, match=message):
        load_pretrained(name)


@pytest.mark.parametrize("damage", [None, b"", b"one two three\n", b"\xff\n"])
def test_without_the_hashes_no_file_of_the_shelf_is_taken(folder: Path, damage: bytes | None) -> None:
    sums = folder / "SHA256SUMS"
    sums.unlink() if damage is None else sums.write_bytes(damage)
    with pytest.raises(VocabularyError, match=r"Get the file again from the project's repository\."):
        load_pretrained("bert-base-uncased")


def test_every_bundled_file_has_its_hash_and_is_in_notice() -> None:
    notice = (PROJECT / "NOTICE").read_text(encoding="utf-8")
    vocabularies = {path.name for path in files.FOLDER.iterdir()} - {"SHA256SUMS", "LICENSE-APACHE"}
    assert vocabularies == files.hashes().keys()
    for name in sorted(vocabularies):
        files.bundled(name)
        assert f"bpe_core/vocabularies/{name}" in notice
    for source in (
        "huggingface.co/google-bert/bert-base-uncased",
        "google-bert/bert-base-cased",
        "huggingface.co/google-t5/t5-small",
        "Apache",
    ):
        assert source in notice
    assert "Version 2.0, January 2004" in (files.FOLDER / "LICENSE-APACHE").read_text(encoding="utf-8")
