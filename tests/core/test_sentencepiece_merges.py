"""BPE models of SentencePiece as lists of merges: the ids of their library, as bases of trainings and in a file."""

import json
from functools import cache
from pathlib import Path

import pytest
import sentencepiece
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import ConfigError, Tokenizer, TrainConfig, load_pretrained, save, train, train_sentencepiece
from bpe_core.cli import main
from bpe_core.formats import by_merges, to_bytes
from bpe_core.sentencepiece.loading import settings_of
from bpe_core.sentencepiece.model import sentencepiece_tokenizer
from bpe_core.sentencepiece.protobuf import field, number_field
from tests.core.json_files import peer_of
from tests.draws import examples

TEXT = "the lowest lantern, the widest lantern; aa aaa aaaa 吾輩は猫である。猫 " * 3
SIGNS = "aelnt ▁é猫は,\n0<s>"


@cache
def pieces(kind: str) -> Tokenizer:
    """ "of spaces": strips and joins them; "plain": as Llama 2, with runs of spaces of one score; "own": as Yi."""
    if kind == "of spaces":
        made = train_sentencepiece(TEXT, 300, model_type="bpe", normalization="identity", byte_fallback=True)
        return made.tokenizer()
    plain = train_sentencepiece(TEXT, 300, model_type="bpe", normalization="identity", byte_fallback=True).model
    low = b"\x15" + b"\x28\x6b\x6e\xce"  # -1e9
    more = [field(1, field(1, ("▁" * n).encode()) + low) for n in (2, 3, 4)]
    if kind == "own":
        more = [field(1, field(1, own.encode()) + b"\x15" + bytes(4) + number_field(3, 4)) for own in ("▁▁", "la", "0")]
    rule = field(1, b"identity") + number_field(3, int(kind == "plain")) + number_field(4, 0) + number_field(5, 1)
    return sentencepiece_tokenizer(plain + b"".join(more) + field(3, rule))


@pytest.mark.parametrize("kind", ["of spaces", "plain", "own"])
@given(text=st.text(SIGNS, max_size=40) | st.text(" a▁", max_size=20) | st.text(max_size=10))
@settings(max_examples=examples(60))
def test_its_ids_are_those_of_the_library_of_the_model_and_of_the_file(kind: str, text: str) -> None:
    model, ours = pieces(kind), by_merges(pieces(kind))
    library = sentencepiece.SentencePieceProcessor(model_proto=to_bytes(model, format="sentencepiece"))
    expected = library.Encode(text.replace("\0", ""))
    assert ours.encode(text.replace("\0", "")).ids.tolist() == expected
    assert in_the_library(kind).encode(text.replace("\0", ""), add_special_tokens=False).ids == expected


@cache
def in_the_library(kind: str) -> tokenizers.Tokenizer:
    library = peer_of(by_merges(pieces(kind)))
    library.encode_special_tokens = True
    return library


@pytest.mark.parametrize("kind", ["of spaces", "plain", "own"])
def test_a_training_goes_on_from_it_and_its_ids_are_kept(kind: str, tmp_path: Path) -> None:
    model = pieces(kind)
    grown = train("lanterns and cats, cats", TrainConfig(vocab_size=model.vocab_size + 5), base=by_merges(model))
    made = grown.tokenizer()
    save(made, tmp_path / "tokenizer.json", format="tokenizers")
    library = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert [library.id_to_token(i) for i in model.ids] == list(model.model.pieces)  # type: ignore[attr-defined]
    assert made.encode("cats").ids.tolist() == library.encode("cats", add_special_tokens=False).ids
    assert len(made.encode("cats, cats").ids) < len(model.encode("cats, cats").ids)


def test_the_command_line_takes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(pieces("plain"), tmp_path / "low.model", format="sentencepiece")
    (tmp_path / "text.txt").write_text("cats, cats and cats", "utf-8")
    base, text, out = (str(tmp_path / name) for name in ("low.model", "text.txt", "out.json"))
    size = str(pieces("plain").vocab_size + 3)
    assert main(["train", text, "--base", base, "--vocab-size", size, "--format", "tokenizers", "--out", out]) == 0
    assert len(json.loads(Path(out).read_text("utf-8"))["model"]["vocab"]) == int(size)
    for command in (["add", "nests", text, "--merges"], ["shrink", text, "--used-in", text]):
        assert main([*command, "--tokenizer", base, "--format", "tokenizers", "--out", out]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (lambda: train_sentencepiece(TEXT, 40).model, "is a SentencePiece model of the type unigram."),
        (lambda: pieces("own").model.data + field(3, number_field(3, 1)), "changes the spaces around them."),  # type: ignore[attr-defined]
        (lambda: pieces("plain").model.data + field(1, field(1, b"le") + b"\x15" + bytes(4)), "equal scores"),  # type: ignore[attr-defined]
    ],
)
def test_what_no_list_of_merges_equals_is_refused(data: object, problem: str) -> None:
    model = sentencepiece_tokenizer(data(), name="low")  # type: ignore[operator]
    with pytest.raises(ConfigError, match=problem):
        by_merges(model)


def test_other_tokenizers_are_unchanged_and_the_refusal_of_a_base_names_the_way() -> None:
    assert by_merges(load_pretrained("gpt2")) is load_pretrained("gpt2")
    assert not settings_of(pieces("plain").model.data).removes_spaces  # type: ignore[attr-defined]
    with pytest.raises(ConfigError, match=r"bpe_core\.formats\.by_merges"):
        train("cats", TrainConfig(vocab_size=400), base=pieces("plain"))
