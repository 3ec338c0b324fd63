"""Training that continues from a tokenizer: its ids are kept, and the tokenizers library gives the new ones."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, trainers

from bpe_core import (
    ConfigError,
    CorpusError,
    FormatError,
    Tokenizer,
    TrainConfig,
    Training,
    count_words,
    load,
    load_pretrained,
    train,
)
from bpe_core.bpe import reference
from bpe_core.bpe.model import BpeModel
from bpe_core.cli import main
from bpe_core.formats import from_files, to_files
from bpe_core.formats.training_file import save_training
from bpe_core.text.split_tables import as_the_library_sees
from tests.core.json_files import peer_of_file
from tests.draws import examples, first

TEXTS = [
    "low lower lowest lanterns",
    "吾輩は猫である。名前はまだ無い。",
    "a\u0301é e\u0301 12345 👩‍👩‍👧",
    "  def f(x):\n\treturn x\n\n",
]
OWN = "the lowest lantern light and the widest lantern " * 3


def own(**more: object) -> Tokenizer:
    return train(OWN, TrainConfig(vocab_size=280, special_tokens=("<s>",), **more)).tokenizer()  # type: ignore[arg-type]


BASES: dict[str, Callable[[], Tokenizer]] = {
    "gpt2": lambda: load_pretrained("gpt2"),
    "cl100k_base": lambda: load_pretrained("cl100k_base"),
    "o200k_base": lambda: load_pretrained("o200k_base"),
    "own": own,
    "own, lower case": lambda: own(lowercase=True, normalization="NFKC", split="words"),
    "own, grown": lambda: grown(own(), OWN, 5).tokenizer(),
    "from a file": lambda: from_files(to_files(own(base_order="gpt2"), format="tokenizers")),
    "own, of characters": lambda: own(unit="char", byte_fallback=True),
    "own, with the end of a word": lambda: own(unit="char", byte_fallback=True, end_of_word="</w>", split="words"),
    "from a file, split in steps": lambda: from_the_library(
        models.BPE(), pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(False)])
    ),
    "from a file, with added white space": lambda: from_the_library(
        models.BPE(), pre_tokenizers.ByteLevel(False), added=[AddedToken("  ", special=False)]
    ),
    "from a file, with the end of a word": lambda: from_the_library(
        models.BPE(end_of_word_suffix="</w>"),
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.ByteLevel(False)]),
    ),
    "from a file, spaces as marks": lambda: from_the_library(
        models.BPE(byte_fallback=True, fuse_unk=True),
        None,
        normalizer=normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
    ),
    "from a file, marks by the split": lambda: from_the_library(
        models.BPE(byte_fallback=True), pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    ),
}


def from_the_library(
    model: models.BPE,
    split: pre_tokenizers.PreTokenizer | None,
    *,
    normalizer: normalizers.Normalizer | None = None,
    added: Sequence[AddedToken] = (),
) -> Tokenizer:
    """A tokenizer that the library trains, word by word, whose file is then opened."""
    library = tokenizers.Tokenizer(model)
    end, alphabet = model.end_of_word_suffix or "", pre_tokenizers.ByteLevel.alphabet()
    symbols = (
        [f"<0x{value:02X}>" for value in range(256)] if model.byte_fallback else [c + end for c in alphabet if end]
    )
    if normalizer is not None:
        library.normalizer = normalizer
    if split is not None:
        library.pre_tokenizer = split
    library.decoder = decoders.ByteFallback() if model.byte_fallback else decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=len(symbols) + 300,
        special_tokens=["<s>", *symbols],
        initial_alphabet=[] if model.byte_fallback else alphabet,
        end_of_word_suffix=end,
        show_progress=False,
    )
    library.train_from_iterator(OWN.replace(" ", "\n ").splitlines(), trainer)
    whole = json.loads(library.to_str())
    whole["added_tokens"] = whole["added_tokens"][:1]  # the symbols are tokens of the model only
    library = peer_of_file(whole)
    library.add_tokens(list(added))
    return from_files({"tokenizer.json": library.to_str().encode()})


BASES = {name: cache(make) for name, make in BASES.items()}
SMALL = [name for name in BASES if name.startswith(("own", "from"))]
SAVED = set(SMALL) - {"own, with the end of a word"}  # no tokenizer.json holds this one with fallback bytes


def grown(base: Tokenizer, text: str, merges: int) -> Training:
    assert isinstance(base.model, BpeModel)
    return train(text, TrainConfig(vocab_size=max(base.ids) + 1 + merges, unit=base.model.unit), base=base)


@pytest.mark.parametrize("name", BASES)
def test_ids_of_the_base_are_kept_and_its_merges_come_first(name: str) -> None:
    base = BASES[name]()
    text = " ".join(TEXTS)
    training = grown(base, text, 20)
    assert merges_of(training) == plain_merges(base, text, 20)
    made = training.tokenizer()
    assert [made.token_bytes(i) for i in base.ids] == [base.token_bytes(i) for i in base.ids]
    assert made.special_tokens == base.special_tokens
    assert training.base is base
    first = max(base.ids) + 1
    assert [merge.token_id for merge in training.merges] == list(range(first, first + len(training.merges)))
    for text in ["unrelated xylophone", *TEXTS]:
        assert training.tokenizer(0).encode(text).ids.tolist() == base.encode(text).ids.tolist()
    assert made.decode(made.encode("low 名前").ids) == base.decode(base.encode("low 名前").ids)


@pytest.mark.parametrize("name", SMALL)
@given(text=st.text(max_size=60) | st.text("ab ", max_size=60))
@example(" ".join(TEXTS))
@example(":\U000323b0")  # a letter that the library's Unicode tables do not have yet
@settings(max_examples=examples(40))
def test_merges_are_those_of_the_plain_algorithm_on_the_tokens_of_the_base(name: str, text: str) -> None:
    base = BASES[name]()
    assert merges_of(grown(base, text, 8)) == plain_merges(base, text, 8)


@pytest.mark.parametrize("name", SMALL)
@given(text=st.text(max_size=60) | st.text("ab ", max_size=60))
@example(" ".join(TEXTS))
@example(":\U000323b0")  # a letter that the library's Unicode tables do not have yet
@example("A\U0003d000")
@settings(max_examples=examples(100))
def test_the_tokenizer_gives_the_tokens_of_every_step_as_the_library_reads_it(name: str, text: str) -> None:
    training = grown(BASES[name](), text, 8)
    for step in range(len(training.merges) + 1):
        assert len(training.tokenizer(step).encode(text)) == training.token_count(step)
    if name in SAVED and (name.startswith("from") or as_the_library_sees(text) == text):  # our splits have newer tables
        same_in_the_library(training.tokenizer(), text)


@pytest.mark.parametrize("name", first(1, ["gpt2", "cl100k_base", "o200k_base"]))
def test_published_tokenizers_go_on_as_the_library_reads_them(name: str) -> None:
    text = " ".join(TEXTS)
    training = grown(BASES[name](), text, 40)
    assert training.token_count(len(training.merges)) == len(training.tokenizer().encode(text))
    same_in_the_library(training.tokenizer(), text)


def same_in_the_library(made: Tokenizer, text: str) -> None:
    data = to_files(made, format="tokenizers")["tokenizer.json"]
    library = tokenizers.Tokenizer.from_str(data.decode())
    assert library.encode(text, add_special_tokens=False).ids == made.encode(text).ids.tolist()
    assert from_files({"tokenizer.json": data}).encode(text).ids.tolist() == made.encode(text).ids.tolist()


def merges_of(training: Training) -> list[tuple[int, int, int]]:
    return [(merge.left, merge.right, merge.count) for merge in training.merges]


def plain_merges(base: Tokenizer, text: str, most: int) -> list[tuple[int, int, int]]:
    """Merges of the plain algorithm on the tokens of each word: fallback bytes and added tokens are words of their own;
    a token that begins with ▁ begins a word, if no other rule finds the words.
    """
    encoding = base.encode(text)
    words: list[tuple[int, ...]] = []
    before = None
    for token_id, word in zip(encoding.ids.tolist(), encoding.word_ids.tolist(), strict=True):
        token = spelling(base, token_id)
        alone = word < 0 or token.startswith("<0x")
        marked = token.startswith("▁") and bool(words) and not spelling(base, words[-1][-1]).endswith("▁")
        if alone or marked or before != word:
            words.append((token_id,))
        else:
            words[-1] += (token_id,)
        before = None if alone else word
    counted = Counter(words)
    steps = reference.learn([*counted], [*counted.values()], first_id=max(base.ids) + 1, most=most)
    return [(step.left, step.right, step.count) for step in steps]


def spelling(base: Tokenizer, token_id: int) -> str:
    """A token of characters as its file spells it; "" where bytes are joined."""
    assert isinstance(base.model, BpeModel)
    return base.model.spelling(token_id) if base.model.unit == "char" else ""


def test_a_training_that_goes_on_is_forked_and_shown_as_any_other() -> None:
    training = grown(load_pretrained("gpt2"), "lanterns and lanterns of the harbours and widened lanternlights", 10)
    base = load_pretrained("gpt2")
    first = training.at(0)
    assert first.words(1)[0][0] == tuple(base.encode("lanterns").ids.tolist())
    assert training.window(0).ids.tolist() == base.encode(training.text).ids.tolist()
    assert training.window(4).ids.tolist() == training.tokenizer(4).encode(training.text).ids.tolist()
    pair = training.merges[3]
    forked = training.fork(0, (pair.left, pair.right)) if max(pair.left, pair.right) < 50257 else training
    assert forked.base is base
    assert training.compression(0) == len(training.text.encode()) / len(base.encode(training.text))
    assert len(training.table()) == len(training.merges)


@pytest.mark.parametrize(
    ("base", "config", "says"),
    [
        ("gpt2", TrainConfig(vocab_size=50_257), "gpt2 has ids up to 50,256 already. Ask for at least 50,258."),
        (
            "bert-base-uncased",
            TrainConfig(vocab_size=60_000),
            "bert-base-uncased has no list of merges to continue from.",
        ),
        ("t5-small", TrainConfig(vocab_size=60_000), "t5-small has no list of merges to continue from."),
    ],
)
def test_what_cannot_go_on_is_refused(base: str, config: TrainConfig, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        train("low", config, base=load_pretrained(base))


def test_anything_but_a_tokenizer_is_refused() -> None:
    with pytest.raises(ConfigError, match="It takes a Tokenizer"):
        train("low", TrainConfig(), base="gpt2")  # type: ignore[arg-type]


def test_characters_that_a_tokenizer_does_not_know_are_named() -> None:
    base = train("low lower", TrainConfig(unit="char", vocab_size=12)).tokenizer()
    assert merges_of(grown(base, "low wower wow", 2)) == plain_merges(base, "low wower wow", 2)
    with pytest.raises(CorpusError, match="trained has no token for 'あ'"):
        grown(base, "low あ", 1)


def test_counted_words_are_refused_where_the_tokenizer_finds_them_itself() -> None:
    base = BASES["from a file, split in steps"]()
    with pytest.raises(ConfigError, match="were given as word counts"):
        train(count_words("low"), TrainConfig(vocab_size=1_000), base=base)


def test_fallback_bytes_are_not_forced_together() -> None:
    base = BASES["from a file, spaces as marks"]()
    byte = base.encode("日").ids.tolist()[-1]
    with pytest.raises(ConfigError, match="cannot be merge 0"):
        grown(base, "日", 4).fork(0, (byte, byte))


def test_a_merge_that_spells_a_token_which_no_merge_makes_gives_that_token() -> None:
    vocab = {char: i for i, char in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))} | {"lan": 256}
    library = tokenizers.Tokenizer(models.BPE(vocab=vocab, merges=[], ignore_merges=True))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(False)
    base = from_files({"tokenizer.json": library.to_str().encode()})
    made = grown(base, "lantern lantern", 4).tokenizer()
    assert 256 in made.encode("xlan").ids.tolist()
    same_in_the_library(made, "lan lantern xlanternx")


def test_the_file_of_a_training_that_goes_on_is_refused() -> None:
    with pytest.raises(FormatError, match="Save its tokenizer instead"):
        save_training(grown(load_pretrained("gpt2"), "low", 1), "low")


def test_the_command_line_goes_on_from_a_name_or_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("lanterns lanterns harbours harbours")
    (tmp_path / "b.txt").write_text("zither zither")
    out = str(tmp_path / "tokenizer.json")
    size = ["--vocab-size", "50261", "--format", "tokenizers", "--out", out, "--quiet", "--json"]
    assert main(["train", str(tmp_path / "a.txt"), "--base", "gpt2", *size]) == 0
    assert json.loads(capsys.readouterr().out)["vocab_size"] == 50_261
    made = load(out)
    assert made.encode("Hello world").ids.tolist() == [15496, 995]
    assert max(made.encode(" lanterns").ids.tolist()) > 50_256
    assert main(["train", str(tmp_path / "b.txt"), "--base", out, *size, "--vocab-size", "50262"]) == 0
    assert json.loads(capsys.readouterr().out)["vocab_size"] == 50_262
    assert main(["train", str(tmp_path / "a.txt"), "--base", "gpt2", "--split", "words", *size]) == 2
    assert "--split and --base are both given" in capsys.readouterr().err
    assert main(["train", str(tmp_path / "a.txt"), "--base", "gpt2", "--model", "unigram", *size]) == 2
