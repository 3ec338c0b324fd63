"""Texts in encodings other than UTF-8: the detected encoding, and the decoded text."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import CorpusError, TrainConfig, encode_files, load, load_pretrained, train
from bpe_core.cli import main
from bpe_core.errors import ConfigError
from bpe_core.text.charsets import beginning, check_encoding, decoded_as, detected
from tests.draws import Outcomes

SAMPLES = Path(__file__).parents[2] / "sample_texts"
JAPANESE, CHINESE, KOREAN, RUSSIAN, GERMAN = (
    "\n".join((SAMPLES / name).read_text("utf-8") for name in names)
    for names in (
        ["japanese_station_clock.txt", "parallel_ja.txt"],
        ["chinese_umbrella.txt", "parallel_zh.txt"],
        ["korean_bookshop.txt", "parallel_ko.txt"],
        ["parallel_ru.txt"],
        ["parallel_de.txt"],
    )
)
TRADITIONAL = (
    "我們在圖書館門口等車，外面下著雨，他說今天的風很大，還好帶了傘。後來雨停了，我們就走路回家，路上買了兩個麵包。"
)
OTHERS = {
    "shift_jis": (JAPANESE, "Shift_JIS"),
    "cp932": (JAPANESE + "①㈱", "Shift_JIS"),
    "euc_jp": (JAPANESE, "EUC-JP"),
    "gbk": (CHINESE, "GB18030"),
    "gb18030": (CHINESE + "𠀀😀", "GB18030"),
    "big5": (TRADITIONAL, "Big5"),
    "euc_kr": (KOREAN, "EUC-KR"),
    "utf_16": (JAPANESE, "UTF-16"),
    "utf_16_le": (JAPANESE, "UTF-16LE"),
    "utf_16_be": (CHINESE, "UTF-16BE"),
    "utf_32": (KOREAN, "UTF-32"),
    "utf_32_le": (GERMAN, "UTF-32LE"),
    "utf_32_be": (JAPANESE, "UTF-32BE"),
    "cp1252": (GERMAN, "Windows-1252"),
    "cp1251": (RUSSIAN, "Windows-1251"),
    "koi8_r": (RUSSIAN, "KOI8-R"),
}
SINGLE = ("cp1252", "cp1251", "koi8_r")


@pytest.mark.parametrize("codec", OTHERS)
def test_the_encoding_of_a_file_is_told_and_its_text_read(codec: str) -> None:
    text, name = OTHERS[codec]
    data = text.encode(codec, "ignore")
    assert detected(data) == name
    assert decoded_as(data, name, "file") == data.decode(codec).removeprefix("\ufeff")
    assert data.decode(codec).removeprefix("\ufeff").startswith(beginning(data, name, 20))


@pytest.mark.parametrize("codec", [codec for codec in OTHERS if codec not in SINGLE])
def test_any_passage_of_a_text_is_told(codec: str, rng: Random) -> None:
    text, _ = OTHERS[codec]
    correct = []
    for _ in range(30):
        begin = rng.randrange(len(text) - 40)
        data = text[begin : begin + rng.randint(30, 400)].encode(codec, "ignore")
        name = detected(data)
        correct.append(name is not None and decoded_as(data, name, "file") == data.decode(codec).removeprefix("\ufeff"))
    assert sum(correct) >= 29


@pytest.mark.parametrize("codec", [codec for codec in OTHERS if codec not in SINGLE])
def test_a_text_cut_inside_of_a_character_is_told(codec: str, rng: Random) -> None:
    text, name = OTHERS[codec]
    data = text.encode(codec, "ignore")
    cut = [data[: rng.randint(min(150, len(data) // 2), len(data))] for _ in range(20)]
    assert sum(detected(each) == name for each in cut) >= 19


def test_a_long_korean_text_of_common_syllables_is_not_told_as_chinese() -> None:
    assert detected((KOREAN * 20).replace(",", "·").encode("euc_kr", "ignore")) == "EUC-KR"


@pytest.mark.parametrize("text", ["très étonnés", "¿Dónde está el niño?", "Über die Straße", "Åsa går på gården"])
def test_a_short_text_of_single_bytes_is_not_told_as_utf_16(text: str) -> None:
    found = {detected(text[at : at + size].encode("cp1252")) for size in range(1, 9) for at in range(len(text))}
    assert found <= {None, "Big5"}


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        ("こんにちは、世界", "shift_jis", "Shift_JIS"),
        ("吾輩は猫である", "euc_jp", "EUC-JP"),
        ("你好，世界", "gbk", "GB18030"),
        ("你好，世界！今天很好", "big5", "Big5"),
        ("안녕하세요", "euc_kr", "EUC-KR"),
        ("hello\nworld", "utf_16_le", "UTF-16LE"),
        ("hello", "utf_16_be", "UTF-16BE"),
        ("hello", "utf_16", "UTF-16"),
    ],
)
def test_a_short_text_is_told(text: str, codec: str, name: str) -> None:
    assert detected(text.encode(codec)) == name


@given(st.text())
def test_what_is_utf_8_is_nothing_else(text: str) -> None:
    data = text.replace("\0", "").encode("utf-8", "replace")
    assert detected(data) is None or data.startswith((b"\xff\xfe", b"\xfe\xff"))


@pytest.mark.floor(refused=80, accepted=70)
@given(st.binary(max_size=300))
def test_any_bytes_are_told_or_not_and_read_or_refused(outcomes: Outcomes, data: bytes) -> None:
    name = detected(data)
    for encoding in {name or "utf-8", "shift_jis", "utf-16", "Big5"}:
        assert isinstance(beginning(data, encoding), str)
        with outcomes.of(CorpusError):
            assert isinstance(decoded_as(data, encoding, "file"), str)


def test_what_is_no_text_is_told_to_be_none(rng: Random) -> None:
    for size in (40, 400, 4_000):
        assert detected(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + rng.randbytes(size)) is None


@pytest.mark.parametrize("name", ["nothing", "base64", "", "utf-8\0", "rot13"])
def test_an_encoding_that_python_does_not_have_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="Shift_JIS"):
        check_encoding(name)


@pytest.mark.parametrize("codec", ["shift_jis", "gb18030", "utf_16"])
def test_the_command_line_tells_the_encoding_and_reads_it(
    codec: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text, name = OTHERS[codec]
    text = text.encode(codec, "ignore").decode(codec)
    path, out, ids = tmp_path / "text.txt", tmp_path / "out.json", tmp_path / "ids.npy"
    path.write_bytes(text.encode(codec))
    plain = ["encode", "--tokenizer", "gpt2", str(path)]
    trains = ["train", str(path), "--vocab-size", "300", "--out", str(out)]
    for arguments in (plain, trains, ["compare", str(path)], [*plain, "--out", str(ids)]):
        assert main(arguments) == 1
        assert f"It is probably {name}: save it as UTF-8, or give --encoding {name.lower()}" in capfd.readouterr().err
    named = ["--encoding", name.lower()]
    expected = load_pretrained("gpt2").encode(text).ids.tolist()
    assert main([*plain, *named]) == 0
    assert list(map(int, capfd.readouterr().out.split())) == expected
    assert main([*plain, *named, "--out", str(ids)]) == main([*trains, *named]) == 0
    assert np.load(ids).tolist() == expected
    assert (
        load(out).encode(text).ids.tolist()
        == train(text, TrainConfig(vocab_size=300)).tokenizer().encode(text).ids.tolist()
    )
    assert main(["compare", str(path), *named, "--tokenizer", "gpt2", "--json"]) == 0
    rows = json.loads(capfd.readouterr().out.splitlines()[-1])["rows"]
    assert rows[0]["tokens"] == len(expected)


@pytest.mark.parametrize("model", ["bpe", "wordpiece", "unigram"])
def test_every_model_trains_on_a_named_encoding(model: str, tmp_path: Path) -> None:
    text, tokenizers = "low lower lowest 低い " * 20, []
    for codec in ("utf-8", "shift_jis"):
        path, out = tmp_path / f"{codec}.txt", tmp_path / f"{codec}.json"
        path.write_bytes(text.encode(codec))
        size = "270" if model == "bpe" else "30"
        assert (
            main(["train", str(path), "--model", model, "--vocab-size", size, "--encoding", codec, "--out", str(out)])
            == 0
        )
        tokenizers.append(load(out))
    assert tokenizers[0].encode(text).ids.tolist() == tokenizers[1].encode(text).ids.tolist()


def test_an_encoding_that_is_none_or_is_for_a_corpus_is_a_wrong_argument(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["encode", "--tokenizer", "gpt2", "--text", "a", "--encoding", "nothing"]) == 2
    assert "such as UTF-8" in capfd.readouterr().err
    corpus = ["train", "a.txt", "--vocab-size", "300", "--out", str(tmp_path / "x"), "--workers", "1"]
    assert main([*corpus, "--encoding", "big5"]) == 2
    assert "--encoding does not apply" in capfd.readouterr().err


def test_files_are_encoded_in_an_encoding(tmp_path: Path) -> None:
    path, gpt2 = tmp_path / "a.txt", load_pretrained("gpt2")
    path.write_bytes(JAPANESE.encode("euc_jp", "ignore"))
    text = path.read_bytes().decode("euc_jp")
    seen: list[tuple[int, int]] = []
    done = encode_files(path, gpt2, tmp_path / "a.npy", encoding="euc_jp", on_progress=lambda *each: seen.append(each))
    assert np.load(done.path).tolist() == gpt2.encode(text).ids.tolist()
    assert seen == [(done.size, done.size)]
    with pytest.raises(CorpusError, match="is not ascii at byte"):
        encode_files(path, gpt2, tmp_path / "b.npy", encoding="ascii")
    with pytest.raises(ConfigError):
        encode_files(path, gpt2, tmp_path / "b.npy", encoding="nothing")
