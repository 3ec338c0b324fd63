"""tokenizer.json against the tokenizers library: our files read by it, and its files read here."""

import json
from collections.abc import Callable

import pytest
import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, trainers

from bpe_core import FormatError, Tokenizer, TrainConfig, load_pretrained, train
from bpe_core.bundled.openai import OPENAI
from bpe_core.formats import from_bytes, to_bytes
from bpe_core.huggingface.oniguruma import to_oniguruma
from bpe_core.text.splits import compile_split, words
from tests.core.format_samples import (
    CONFIGS,
    CORPUS,
    EVERY,
    FEW,
    HARD,
    TEXTS,
    changed,
    same_tokenizer,
    trained,
    unigram,
    wordpiece,
)
from tests.core.json_files import peer_of
from tests.draws import first

LLAMA_3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)


def assert_same_ids(tokenizer: Tokenizer, peer: tokenizers.Tokenizer, texts: list[str]) -> None:
    for text in texts:
        parsed = peer.encode(text, add_special_tokens=False).ids
        assert parsed == tokenizer.encode(text, special="parse").ids.tolist(), text[:80]
        peer.encode_special_tokens = True
        plain = peer.encode(text, add_special_tokens=False).ids
        peer.encode_special_tokens = False
        assert plain == tokenizer.encode(text).ids.tolist(), text[:80]


@pytest.mark.parametrize("name", CONFIGS)
def test_the_library_gives_the_ids_of_a_training(name: str) -> None:
    tokenizer = trained(name)
    peer = peer_of(tokenizer)
    assert_same_ids(tokenizer, peer, EVERY)
    ids = tokenizer.encode(TEXTS[12]).ids.tolist()
    for some in (ids, ids[:1], []):
        assert peer.decode(some, skip_special_tokens=False) == tokenizer.decode(some)


@pytest.mark.parametrize("make", [wordpiece, unigram])
def test_the_library_gives_the_ids_of_wordpiece_and_unigram(make: Callable[[], Tokenizer]) -> None:
    assert_same_ids(make(), peer_of(make()), EVERY)


@pytest.mark.parametrize("name", first(1, OPENAI))  # CONFIGS includes trainings with the splits of the others
def test_the_library_gives_the_ids_of_openais_vocabularies(name: str) -> None:
    tokenizer = load_pretrained(name)
    data = to_bytes(tokenizer, format="tokenizers")
    assert_same_ids(tokenizer, tokenizers.Tokenizer.from_str(data.decode()), EVERY)
    if name == "gpt2":
        assert same_tokenizer(from_bytes(data), tokenizer, FEW)


@pytest.mark.parametrize("name", CONFIGS)
def test_what_is_written_reads_back(name: str) -> None:
    again = from_bytes(to_bytes(trained(name), format="tokenizers"))
    mark = trained(name).config.end_of_word
    if mark in ("", "</w>"):
        assert same_tokenizer(again, trained(name), FEW)
    for text in FEW:
        assert again.encode(text).ids.tolist() == trained(name).encode(text).ids.tolist()


@pytest.mark.parametrize("make", [wordpiece, unigram])
def test_wordpiece_and_unigram_read_back(make: Callable[[], Tokenizer]) -> None:
    assert same_tokenizer(from_bytes(to_bytes(make(), format="tokenizers")), make(), FEW)


def byte_level(
    pattern: str, normalizer: normalizers.Normalizer | None = None, *, ignore_merges: bool = False
) -> tokenizers.Tokenizer:
    """A byte-level tokenizer in the style of Llama 3 and Qwen."""
    peer = tokenizers.Tokenizer(models.BPE(ignore_merges=ignore_merges))
    peer.normalizer = normalizer
    levels = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    peer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"), levels])
    peer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=900, show_progress=False, initial_alphabet=alphabet, special_tokens=["<|begin|>"]
    )
    peer.train_from_iterator(CORPUS, trainer)
    return peer


def characters() -> tokenizers.Tokenizer:
    peer = tokenizers.Tokenizer(models.BPE(unk_token="[U]"))
    peer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.BpeTrainer(vocab_size=1_200, show_progress=False, special_tokens=["[U]"])
    peer.train_from_iterator(CORPUS[:8], trainer)
    return peer


def bert(*, lowercase: bool, strip_accents: bool | None = None) -> tokenizers.Tokenizer:
    peer = tokenizers.BertWordPieceTokenizer(lowercase=lowercase, strip_accents=strip_accents)
    peer.train_from_iterator(CORPUS, vocab_size=1_500, show_progress=False)
    return peer._tokenizer


PEERS = {
    "GPT-2": lambda: byte_level(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"),
    "Llama 3": lambda: byte_level(LLAMA_3, ignore_merges=True),
    "Qwen": lambda: byte_level(LLAMA_3.replace("{1,3}", ""), normalizers.NFC()),
    "a pattern with gaps, lower case": lambda: byte_level(r"\p{L}+|\d", normalizers.Lowercase()),
    "characters": characters,
    "BERT cased": lambda: bert(lowercase=False),
    "BERT uncased": lambda: bert(lowercase=True),
    "BERT with accents": lambda: bert(lowercase=True, strip_accents=False),
}


@pytest.mark.parametrize("name", PEERS)
def test_files_of_the_library_give_its_ids(name: str) -> None:
    peer = PEERS[name]()
    texts = [*EVERY[::2], *HARD, "x" * 101]
    tokenizer = from_bytes(peer.to_str(pretty=True).encode(), name)
    for format in ("bpe-lab", "tokenizers"):
        again = from_bytes(to_bytes(tokenizer, format=format))
        for text in texts:
            ids = peer.encode(text, add_special_tokens=False).ids
            assert ids == tokenizer.encode(text, special="parse").ids.tolist(), text[:80]
            assert ids == again.encode(text, special="parse").ids.tolist(), text[:80]


def test_merges_are_read_as_texts_too() -> None:
    data = to_bytes(trained("bytes"), format="tokenizers")
    merges = [" ".join(pair) for pair in json.loads(data)["model"]["merges"]]
    assert same_tokenizer(from_bytes(changed(data, "model.merges", merges)), trained("bytes"), TEXTS[:5])


def test_two_ids_with_the_same_bytes_are_not_written() -> None:
    # (97, 98), 99 and 97, (98, 99) have the same bytes.
    forced = [(97, 98), (98, 99), (256, 99), (97, 257)]
    tokenizer = train("abc", TrainConfig(vocab_size=260), forced=forced).tokenizer()
    with pytest.raises(FormatError, match="258 and 259 both spell b'abc'"):
        to_bytes(tokenizer, format="tokenizers")
    assert same_tokenizer(from_bytes(to_bytes(tokenizer, format="bpe-lab")), tokenizer, ["abc abcabc"])


@pytest.mark.parametrize(
    "split",
    [
        r"\w+|[^\w\s]+",
        r"\W+",
        r"\d{1,3}|\D{2,}|.",
        r"(?<=\s)\S+?(?=[,.!?])|[^,.!?]++",
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|(?>\p{Lu}\p{Ll}*|\P{L})|[\s\S]",
        r"[a-f.\]^]+|[{}#|/<>=!:]|\p{Han}|[^a-f]",
        "日|\u3000|é|[\\p{^L}a-z]+",
    ],
)
def test_patterns_that_are_written_cut_the_same_there(split: str) -> None:
    written = tokenizers.Regex(to_oniguruma(split))
    peer = pre_tokenizers.Split(written, "removed", invert=True)
    for text in [*EVERY, "-a]^.{}&#~|/<>=!: ²½\u200d\u3000日é"]:
        assert [word for word, _ in peer.pre_tokenize_str(text)] == list(words(compile_split(split), text))


@pytest.mark.parametrize(
    "split",
    [
        r"\p{N}{1,3}+",  # a repetition there, possessive here
        r"a$|.+",  # matches at every line end there
        r"[a&&b]+",
        r"[[:alpha:]]+",
        r"(?i:straße)",
        r"(?<=a+)b",
        r"\h+",
        r"a*",  # matches nothing at all
        r"\bword\b",
        r"(?x: a b)",
        r"\p{Script=Han}+",
        r"[\W]+",
        r"(?P<n>a)(?P=n)",
        r"(?:(?=a))?b",
    ],
)
def test_patterns_that_mean_something_else_there_are_not_written(split: str) -> None:
    tokenizer = trained("bytes").with_stages(split=split)
    with pytest.raises(FormatError, match="tokenizers library"):
        to_bytes(tokenizer, format="tokenizers")


def test_an_end_of_word_that_cannot_be_marked_is_not_written() -> None:
    tokenizer = train("low lower", TrainConfig(unit="char", end_of_word="</w>")).tokenizer()
    with pytest.raises(FormatError, match="ends words with '</w>'"):
        to_bytes(tokenizer, format="tokenizers")


BYTES = to_bytes(trained("bytes in GPT-2's order, cl100k"), format="tokenizers")
SPLIT = "pre_tokenizer.pretokenizers.0"


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("extra", 1, "has 'extra'"),
        ("model", None, "model is None"),
        ("model.type", "Bigram", "model.type is 'Bigram'"),
        ("model.vocab", [], "model.vocab is []"),
        ("model.vocab.Ġ", True, "model.vocab['Ġ'] is True"),
        ("model.vocab.Ġ", 1.0, "model.vocab['Ġ'] is 1.0"),
        ("model.vocab.Ġ", -1, "model.vocab['Ġ'] is -1"),
        ("model.vocab.Ġ", 10**9, "model.vocab['Ġ'] is 1000000000"),
        ("model.vocab.Ġ", ..., "model.vocab lacks 'Ġ'"),
        ("model.merges.3", ["a"], "model.merges[3] is ['a']"),
        ("model.merges.3", "a b c", "model.merges[3] is 'a b c'"),
        ("model.merges.3", [1, 2], "model.merges[3] is [1, 2]"),
        ("model.merges.3", ["q", "q"], "lacks 'qq'"),
        ("model.merges", {}, "model.merges is {}"),
        ("model.dropout", 2, "model.dropout is 2"),
        ("model.end_of_word_suffix", 5, "model.end_of_word_suffix is 5"),
        ("model.ignore_merges", 1, "model.ignore_merges is 1"),
        ("model.unk_token", 5, "model.unk_token is 5"),
        ("normalizer", {"type": "Precompiled", "precompiled_charsmap": ""}, "normalizer.precompiled_charsmap is empty"),
        ("normalizer", {"type": "Append"}, "normalizer.type is 'Append'"),
        ("normalizer", {"type": "Prepend", "prepend": 5}, "normalizer.prepend is 5"),
        ("normalizer", 5, "normalizer is 5"),
        ("pre_tokenizer", {"type": "Metaspace"}, "pre_tokenizer.replacement is None"),
        (f"{SPLIT}.behavior", "Sideways", f"{SPLIT.replace('.0', '[0]')}.behavior is 'Sideways'"),
        (f"{SPLIT}.pattern", {"Regex": r"a\Kb"}, "pattern.Regex"),
        (f"{SPLIT}.pattern", {"Regex": "(" * 5_000}, "pattern.Regex"),
        (f"{SPLIT}.pattern", {"Regex": "a" * 5_000}, "at character 2,000"),
        ("pre_tokenizer.pretokenizers.1.add_prefix_space", 5, "add_prefix_space is 5"),
        ("added_tokens.0.lstrip", 5, "added_tokens[0].lstrip is 5"),
        ("added_tokens.0.id", "0", "added_tokens[0].id is '0'"),
        ("added_tokens.0.content", "\ud800", "lone surrogate"),
        ("added_tokens", "abc", "added_tokens is 'abc'"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(path: str, value: object, says: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_bytes(changed(BYTES, path, value))
    assert says in str(caught.value)
    assert caught.value.limit
    assert caught.value.remedy


def test_a_unigram_of_the_library_gives_its_ids() -> None:
    pieces = [("<unk>", 0.0), ("▁", -2.0), ("a", -1.0), ("b", -1.5), ("▁a", -1.2), ("ab", -2.0)]
    peer = tokenizers.Tokenizer(models.Unigram(pieces, unk_id=0))
    peer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer = from_bytes(peer.to_str().encode())
    for text in ("a ab", "  b é!a", "", "ababa\n"):
        assert tokenizer.encode(text).ids.tolist() == peer.encode(text).ids


def test_a_model_of_pieces_gets_the_characters_that_bytes_are_written_as() -> None:
    peer = tokenizers.Tokenizer(models.WordPiece({"[UNK]": 0, "Ã": 1, "##©": 2, "Ġ": 3, "##aÃ": 4}))
    peer.pre_tokenizer = pre_tokenizers.ByteLevel()
    tokenizer = from_bytes(peer.to_str().encode())
    encoding, expected = tokenizer.encode("é aé"), peer.encode("é aé")
    assert encoding.ids.tolist() == expected.ids == [0, 3, 4, 2]
    spans = encoding.normalized.spans
    assert spans is not None
    found = [(spans[token.char_start, 0], spans[token.char_end - 1, 1]) for token in encoding]
    assert found == expected.offsets


def test_all_that_cannot_be_read_is_said_at_once() -> None:
    data = changed(changed(BYTES, "normalizer", {"type": "Append"}), "model.dropout", 2)
    with pytest.raises(FormatError, match=r"2 parts .* \(1\) normalizer.type is 'Append'.* \(2\) model.dropout is 2"):
        from_bytes(data)


def test_a_special_token_of_one_character_is_not_written_among_characters() -> None:
    tokenizer = train("axb", TrainConfig(unit="char", special_tokens=("x",))).tokenizer()
    with pytest.raises(FormatError, match="The special token 'x' is a single character"):
        to_bytes(tokenizer, format="tokenizers")


def test_a_word_longer_than_bert_takes_is_unknown() -> None:
    tokenizer = from_bytes(bert(lowercase=True).to_str().encode())
    assert tokenizer.model.kind == "wordpiece"
    assert tokenizer.tokenize("e" * 101) == ["[UNK]"]
    assert tokenizer.tokenize("e" * 100) != ["[UNK]"]


@pytest.mark.parametrize("name", ["bytes", "characters", "characters or bytes"])
def test_a_file_is_indented_as_python_does_it(name: str) -> None:
    data = to_bytes(trained(name), format="tokenizers")
    assert data.decode() == json.dumps(json.loads(data), ensure_ascii=False, indent=1) + "\n"
