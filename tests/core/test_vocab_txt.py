"""vocab.txt: BERT's normalization follows the configuration file next to it, otherwise the BERT libraries' default."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random

import pytest
import tokenizers
from tokenizers import AddedToken, BertWordPieceTokenizer, models, normalizers, pre_tokenizers

from bpe_core import ConfigError, FormatError, load, save, train_wordpiece
from bpe_core.formats import from_bytes, from_files, to_bytes, to_files
from bpe_core.formats.post_processors_json import describe_settings
from bpe_core.formats.proof import prove, prove_original
from tests.draws import examples

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PIECES += [
    "Hello",
    "hello",
    "world",
    "##s",
    "é",
    "e",
    "##e",
    "café",
    "cafe",
    "日",
    "本",
    "##本",
    "日本",
    "İ",
    "i",
    "a",
    "##A",
]
VOCAB = "".join(f"{piece}\n" for piece in PIECES).encode()
WORDS = [
    "Hello",
    "hello",
    "worlds",
    "É",
    "é",
    "e\u0301",
    "Café",
    "日本",
    "日",
    "a日A",
    "İ",
    "x",
    " ",
    "\t",
    "\u00a0",
    "\x01",
    ".",
]


def drawn(rng: Random) -> str:
    return "".join(rng.choice(WORDS) + rng.choice(["", " "]) for _ in range(rng.randrange(8)))


def peer(**normalization: bool | None) -> tokenizers.Tokenizer:
    made = tokenizers.Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(**normalization)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made


@pytest.mark.parametrize("lowers", [True, False, None])
@pytest.mark.parametrize("strips", [True, False, None])
@pytest.mark.parametrize("divides", [True, False, None])
def test_a_configuration_beside_the_file_says_the_normalization(
    lowers: bool | None, strips: bool | None, divides: bool | None, rng: Random
) -> None:
    settings = {"do_lower_case": lowers, "strip_accents": strips, "tokenize_chinese_chars": divides}
    config = {key: value for key, value in settings.items() if value is not None}
    ours = from_files({"vocab.txt": VOCAB, "tokenizer_config.json": json.dumps(config).encode()})
    theirs = peer(
        lowercase=True if lowers is None else lowers,
        strip_accents=strips,
        handle_chinese_chars=True if divides is None else divides,
    )
    for _ in range(examples(40)):
        text = drawn(rng)
        assert ours.encode(text).ids.tolist() == theirs.encode(text, add_special_tokens=False).ids


def test_without_a_configuration_the_default_of_the_library_holds(rng: Random, tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_bytes(VOCAB)
    ours, theirs = load(tmp_path / "vocab.txt"), BertWordPieceTokenizer(str(tmp_path / "vocab.txt"))
    assert ours.tokenize("Hello World 日本") == ["hello", "world", "日", "本"]
    for _ in range(examples(200)):
        text = drawn(rng)
        assert ours.encode(text).ids.tolist() == theirs.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize("lowercase", [True, False])
def test_lower_case_is_changed_when_the_file_is_read(lowercase: bool, rng: Random) -> None:
    ours, theirs = from_bytes(VOCAB, lowercase=lowercase), peer(lowercase=lowercase)
    for _ in range(examples(80)):
        text = drawn(rng)
        assert ours.encode(text).ids.tolist() == theirs.encode(text, add_special_tokens=False).ids


def test_what_was_taken_is_said() -> None:
    config = {"tokenizer_config.json": b'{"do_lower_case": false}'}
    assert "a vocab.txt does not say" in describe_settings(from_bytes(VOCAB).kept)[0]
    assert describe_settings(from_files({"vocab.txt": VOCAB, **config}).kept) == [
        "Upper and lower case stay as they are."
    ]
    assert describe_settings(from_bytes(VOCAB, lowercase=True).kept) == ["Texts become lower case and lose accents."]


@pytest.mark.parametrize("trained_on", ["Hello World Café hello", "hello world"])
def test_what_is_saved_gives_the_same_ids_where_it_is_read(trained_on: str, tmp_path: Path) -> None:
    tokenizer = train_wordpiece(trained_on, 60).tokenizer()
    save(tokenizer, tmp_path / "vocab.txt", format="wordpiece")
    files = to_files(tokenizer, format="wordpiece")
    assert list(files) == ["vocab.txt", "tokenizer_config.json"]
    for again in (load(tmp_path), load(tmp_path / "vocab.txt"), from_files(files)):
        for text in ("Hello World", "hello CAFÉ", "World\x01 日本"):
            assert again.encode(text).ids.tolist() == tokenizer.encode(text).ids.tolist()


def test_every_normalization_of_bert_is_written_and_read_again() -> None:
    for lowers, strips, divides in product([True, False], [True, False, None], [True, False]):
        config = {"do_lower_case": lowers, "strip_accents": strips, "tokenize_chinese_chars": divides}
        files = {"vocab.txt": VOCAB, "tokenizer_config.json": json.dumps(config).encode()}
        tokenizer = from_files(files)
        assert from_files(to_files(tokenizer, format="wordpiece")).normalizer == tokenizer.normalizer
        assert to_bytes(tokenizer, format="wordpiece") == VOCAB


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        (b'{"do_lower_case": 1}', "tokenizer_config.json.do_lower_case is 1"),
        (b"[]", "tokenizer_config.json is"),
        (b"{", "not JSON"),
    ],
)
def test_a_damaged_configuration_is_refused(config: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        from_files({"vocab.txt": VOCAB, "tokenizer_config.json": config})


def test_other_files_take_no_lower_case() -> None:
    for data in (b"IQ== 0\n", to_bytes(from_bytes(VOCAB), format="tokenizers")):
        with pytest.raises(ConfigError, match="lowercase is given for a file that has its own"):
            from_bytes(data, lowercase=True)


def test_a_vocabulary_alone_is_read_back_with_its_case_where_that_is_said() -> None:
    cased = from_files({"vocab.txt": VOCAB, "tokenizer_config.json": b'{"do_lower_case": false}'})
    data = to_bytes(cased, format="wordpiece")
    assert from_bytes(data).tokenize("Hello") == ["hello"]
    assert "lower case" in from_bytes(data).kept["normalization"]
    assert from_bytes(data, lowercase=False).tokenize("Hello café") == cased.tokenize("Hello café") == ["Hello", "café"]


@pytest.mark.parametrize("lowers", [True, False])
def test_the_proof_says_why_a_vocabulary_alone_gives_other_ids(lowers: bool) -> None:
    config = json.dumps({"do_lower_case": lowers}).encode()
    tokenizer = from_files({"vocab.txt": VOCAB, "tokenizer_config.json": config})
    assert prove(tokenizer, "Hello", format="wordpiece").equal
    proof = prove(tokenizer, "Hello", format="wordpiece", files={"vocab.txt": VOCAB})
    assert proof.equal is lowers
    if proof.difference is not None:
        assert "alone is read in lower case" in proof.difference.reason


def test_words_by_a_dictionary_are_taken_as_they_are_separated_and_the_reader_warns() -> None:
    config = b'{"tokenizer_class": "BertJapaneseTokenizer", "word_tokenizer_type": "mecab"}'
    vocab = "[UNK] [CLS] [SEP] 時計 は 遅れ ##た HELLO ガラス 3 . ##. ##1".replace(" ", "\n").encode()
    tokenizer = from_files({"vocab.txt": vocab, "tokenizer_config.json": config})
    assert tokenizer.tokenize("時計 は 遅れた HELLO ｶﾞﾗｽ 3.1 hello") == [
        *("時計", "は", "遅れ", "##た", "HELLO", "ガラス", "3", "##.", "##1", "[UNK]"),
    ]
    assert tokenizer.tokenize("時計は遅れた") == ["[UNK]"]
    warning, normalization = describe_settings(tokenizer.kept)
    assert "the dictionary of MeCab" in warning
    assert normalization == "Upper and lower case stay as they are."
    files = {"vocab.txt": vocab, "tokenizer_config.json": config}
    assert prove_original(tokenizer, "時計 は ｶﾞﾗｽ 3.1 時計は", files).equal


NAMED = {
    "tokenizer_config.json": {"unk_token": "a", "mask_token": {"content": "<m>", "lstrip": True}, "pad_token": None},
    "special_tokens_map.json": {"cls_token": "[CLS]", "additional_special_tokens": ["world", "<x>"]},
    "added_tokens.json": {"Neu": 40, "<m>": 41},
}


def names_beside(rng: Random) -> dict[str, dict[str, object]]:
    """Companions in which each role of a token, and each list of them, is named or not."""
    tokens = ["[UNK]", "a", "<m>", "[Q]", "world", "日本", "É", "<x>"]

    def role() -> object:
        flags = {flag: rng.random() < 0.3 for flag in ("lstrip", "rstrip", "single_word", "normalized")}
        return rng.choice([rng.choice(tokens), {"content": rng.choice(tokens), **flags}, None])

    roles = ["sep_token", "pad_token", "cls_token", "mask_token", "bos_token"]
    named = {each: role() for each in rng.sample(roles, rng.randrange(4))}
    listed = {"additional_special_tokens": rng.sample(tokens, 2)} if rng.random() < 0.5 else {}
    known = {"unk_token": rng.choice(["[UNK]", "a"])} if rng.random() < 0.5 else {}
    added = {name: 40 + at for at, name in enumerate(rng.sample(["Neu", "<x>", "[Q]"], rng.randrange(3)))}
    return {"tokenizer_config.json": {**named, **known, **listed}, "added_tokens.json": added}


def with_names(beside: dict[str, dict[str, object]], tokens: dict[str, int]) -> tokenizers.Tokenizer:
    """The library's tokenizer with the tokens that the companions name, at the ids that they have here."""
    roles: dict[str, object] = {f"{each[1:-1].lower()}_token": each for each in PIECES[:5]}
    special: list[object] = []
    for content in (beside.get("special_tokens_map.json", {}), beside.get("tokenizer_config.json", {})):
        special += [value for key, value in content.items() if key.endswith("_token") and value is not None]
        special += content.get("additional_special_tokens", [])  # type: ignore[misc]
        roles |= {key: value for key, value in content.items() if key.endswith("_token")}
    defaults = [name for name in roles.values() if name in PIECES[:5]]
    named: dict[str, AddedToken] = {}
    for token in beside.get("added_tokens.json", {}):
        named[token] = AddedToken(token, normalized=True, special=False)
    for each in [*defaults, *special]:
        flags = dict(each) if isinstance(each, dict) else {"content": each}
        named[flags["content"]] = AddedToken(**{"normalized": False, **flags}, special=True)
    made = peer(lowercase=True)
    unknown = roles["unk_token"]
    made.model = models.WordPiece({piece: i for i, piece in enumerate(PIECES)}, unk_token=str(unknown))
    for token in sorted(named, key=tokens.__getitem__):
        (made.add_special_tokens if named[token].special else made.add_tokens)([named[token]])
    return made


@pytest.mark.parametrize("case", ["given", *range(examples(40))])
def test_files_beside_a_vocabulary_name_its_special_and_added_tokens(case: str | int, rng: Random) -> None:
    beside = NAMED if case == "given" else names_beside(rng)
    files = {"vocab.txt": VOCAB, **{name: json.dumps(content).encode() for name, content in beside.items()}}
    ours = from_files(files)
    ids = {token.text: token.id for token in ours.special_token_flags}
    theirs = with_names(beside, ids)
    places = {ours.token_id(token.encode()): theirs.token_to_id(token) for token in ids}
    for _ in range(examples(40)):
        text = "".join(rng.choice([*WORDS, *ids, "neu", "[q]", " "]) for _ in range(rng.randrange(8)))
        for special in ("parse", "text"):
            theirs.encode_special_tokens = special == "text"
            expected = theirs.encode(text, add_special_tokens=False).ids
            assert [places.get(i, i) for i in ours.encode(text, special=special).ids.tolist()] == expected, text
    assert prove_original(ours, "Hello <m> [MASK] neu Neu world <x>a[SEP]", files).equal


def test_files_beside_a_vocabulary_on_a_disk_are_read(tmp_path: Path) -> None:
    for name, data in {"vocab.txt": VOCAB, **{name: json.dumps(each).encode() for name, each in NAMED.items()}}.items():
        (tmp_path / name).write_bytes(data)
    for tokenizer in (load(tmp_path), load(tmp_path / "vocab.txt")):
        found = tokenizer.encode("x  <m>Neu world[PAD]", special="parse")
        assert found.tokens == ["a", "<m>", "Neu", "world", "a", "a", "a"]
        assert tokenizer.decode(found.ids, skip_special=True) == "neu"


def test_a_name_that_is_no_special_token_stays_text_in_what_is_written() -> None:
    config = b'{"pad_token": null, "mask_token": null, "unk_token": null}'
    tokenizer = from_files({"vocab.txt": VOCAB, "tokenizer_config.json": config})
    assert list(tokenizer.special_tokens) == ["[CLS]", "[SEP]"]
    again = from_files(to_files(tokenizer, format="wordpiece"))
    assert again.special_tokens == tokenizer.special_tokens
    for text in ("[PAD] hello[MASK]", "[CLS]x[UNK]"):
        assert again.encode(text, special="parse") == tokenizer.encode(text, special="parse")


@pytest.mark.parametrize(
    ("vocab", "lines"), [(b"low\n", "1 line, and it is not"), (b"low\nhi\n", "2 lines, and none is")]
)
def test_a_vocabulary_without_its_token_for_unknown_words_is_refused(vocab: bytes, lines: str) -> None:
    with pytest.raises(FormatError, match=rf"The file has {lines} <unk>\."):
        from_files({"vocab.txt": vocab, "tokenizer_config.json": b'{"unk_token": "<unk>"}'})
