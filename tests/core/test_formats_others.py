"""Files of other programs: tekken.json, CLIP, folders with special tokens, compressed files, vocab.txt, known ranks."""

import base64
import codecs
import gzip
import json
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tiktoken
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiktoken_ext import openai_public
from tokenizers import decoders, models, pre_tokenizers

from bpe_core import FormatError, TrainConfig, VocabularyError, load, save, train
from bpe_core.bundled.files import FOLDER
from bpe_core.formats import from_bytes, from_files, split_is_known, to_bytes, to_files
from bpe_core.formats.bpe_json import read_merges
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.gpt2_files import clip_content, content_of
from bpe_core.formats.json_merges import MergeParts
from bpe_core.formats.published_ranks import NAMES, published
from tests.core.format_samples import CORPUS, EVERY, FEW, TEXTS, damaged, same_tokenizer, trained, wordpiece
from tests.core.json_files import peer_of_file
from tests.draws import Outcomes, examples

TEKKEN_SPLIT = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def tekken(*, kept: int = 400, special: int = 30, named: list[str] | None = None, **config: object) -> dict[str, Any]:
    """A tekken.json of a training's ranks, of which only the first `kept` are used."""
    ranks = to_bytes(trained("bytes"), format="tiktoken").split()
    return {
        "config": {
            "pattern": TEKKEN_SPLIT,
            "num_vocab_tokens": len(ranks) // 2,
            "default_vocab_size": kept + special,
            "default_num_special_tokens": special,
            "version": "v3",
            **config,
        },
        "vocab": [
            {"rank": int(rank), "token_bytes": token.decode(), "token_str": None}
            for token, rank in zip(ranks[::2], ranks[1::2], strict=True)
        ],
        **(
            {}
            if named is None
            else {"special_tokens": [{"rank": i, "token_str": name} for i, name in enumerate(named)]}
        ),
    }


def packed(content: object) -> bytes:
    return json.dumps(content).encode()


@pytest.mark.parametrize("kept", [256, 400])
def test_tekken_json_has_tiktokens_ids_after_the_special_tokens(kept: int) -> None:
    content = tekken(kept=kept)
    tokenizer = from_bytes(packed(content))
    ranks = {base64.b64decode(each["token_bytes"]): each["rank"] for each in content["vocab"] if each["rank"] < kept}
    peer = tiktoken.Encoding("tekken", pat_str=TEKKEN_SPLIT, mergeable_ranks=ranks, special_tokens={})
    for text in EVERY:
        assert tokenizer.encode(text).ids.tolist() == [i + 30 for i in peer.encode_ordinary(text)]
        assert tokenizer.decode(tokenizer.encode(text).ids) == text
    assert tokenizer.vocab_size == kept + 30
    assert tokenizer.encode("</s>[INST]<SPECIAL_29>", special="parse").ids.tolist() == [2, 3, 29]


def test_special_tokens_that_a_tekken_json_names_are_taken_and_filled_up() -> None:
    tokenizer = from_bytes(packed(tekken(special=4, named=["<unk>", "<s>", "[THINK]"], version="v13")))
    assert tokenizer.special_tokens == {"<unk>": 0, "<s>": 1, "[THINK]": 2, "<SPECIAL_3>": 3}


@pytest.mark.floor(refused=40, accepted=6)
@given(
    st.lists(
        st.tuples(st.integers(0, 11), st.sampled_from(["<unk>", "<s>", "</s>", "<a>", "<b>", "[INST]", "<c>"])),
        max_size=7,
    )
)
@settings(max_examples=examples(100))
def test_special_tokens_of_a_tekken_json_have_their_ranks_in_any_order(
    outcomes: Outcomes, listed: list[tuple[int, str]]
) -> None:
    """As in Mistral's library, the id of a name is its rank, independent of its position. Missing ids are filled up."""
    content = tekken(kept=300, special=10, version="v13")
    content["special_tokens"] = [{"rank": rank, "token_str": name} for rank, name in listed]
    ranks = dict(listed)
    if max(ranks, default=0) >= 10 or len(ranks) < len(listed) or len(set(ranks.values())) < len(ranks):
        with pytest.raises(FormatError, match=r"rank is|twice|has the id"):
            from_bytes(packed(content))
        outcomes.refused += 1
        return
    tokenizer = from_bytes(packed(content))
    outcomes.accepted += 1
    assert {i: name for name, i in tokenizer.special_tokens.items()} == {
        i: ranks.get(i, f"<SPECIAL_{i}>") for i in range(10)
    }
    assert tokenizer.encode("".join(ranks.values()), special="parse").ids.tolist() == list(ranks)
    assert tokenizer.decode(list(ranks)) == "".join(ranks.values())
    assert tokenizer.encode("a").ids.tolist() == [ord("a") + 10]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"default_vocab_size": 10**6}, "config.default_vocab_size is 1,000,000"),
        ({"default_vocab_size": 3}, "config.default_vocab_size is 3"),
        ({"default_num_special_tokens": "4"}, "config.default_num_special_tokens is '4'"),
        ({"version": "v13"}, "no special_tokens"),
        ({"version": None}, "no special_tokens"),
        ({"pattern": "(("}, "not a valid regular expression"),
        ({"pattern": 5}, "config.pattern is 5"),
    ],
)
def test_a_wrong_configuration_of_a_tekken_json_is_named(change: dict[str, object], says: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_bytes(packed(tekken(**change)))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"rank": 4, "token_bytes": "YWI="}, "the rank 4 a second time"),
        ({"rank": -1, "token_bytes": "YWI="}, "vocab[300].rank is -1"),
        ({"rank": 300, "token_bytes": "%"}, "vocab[300].token_bytes is '%'"),
        ({"rank": 300}, "vocab[300].token_bytes is None"),
        ({"rank": 300, "token_bytes": ""}, "a token without bytes"),
        ({"rank": 399.0, "token_bytes": "YWI="}, "vocab[300].rank is 399.0"),
        ({"rank": 5_000, "token_bytes": "YWI="}, "no token of the rank 300"),
        ({"rank": 300, "token_bytes": "YQ=="}, "'a' twice"),
        ([], "vocab[300] is []"),
    ],
)
def test_a_wrong_entry_of_a_tekken_json_is_named(entry: object, says: str) -> None:
    content = tekken()
    content["vocab"][300] = entry
    with pytest.raises(FormatError) as caught:
        from_bytes(packed(content))
    assert says in str(caught.value)


# -- vocabulary and merges ----------------------------------------------------------------------------------


def library(files: dict[str, bytes], folder: Path, special: list[str]) -> tokenizers.Tokenizer:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    peer = tokenizers.Tokenizer(models.BPE.from_file(str(folder / "vocab.json"), str(folder / "merges.txt")))
    peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    peer.decoder = decoders.ByteLevel()
    peer.add_special_tokens(special)
    return peer


@pytest.mark.parametrize(
    "names",
    [
        ("vocab.json", "merges.txt"),
        ("encoder.json", "vocab.bpe"),
        ("roberta-vocab.json", "roberta-merges.txt"),
        ("a.vocab.json", "b.merges.txt"),
    ],
)
@pytest.mark.parametrize("first_line", [True, False])
def test_a_folder_with_a_vocabulary_and_merges_is_read_whatever_their_names(
    names: tuple[str, str], first_line: bool, tmp_path: Path
) -> None:
    files = to_files(trained("bytes"), format="gpt2")
    merges = files["merges.txt"] if first_line else files["merges.txt"].split(b"\n", 1)[1]
    (tmp_path / names[0]).write_bytes(files["vocab.json"])
    (tmp_path / names[1]).write_bytes(merges)
    (tmp_path / "README.md").write_text("a model")
    assert same_tokenizer(load(tmp_path), trained("bytes"), FEW)


COMPANIONS: dict[str, dict[str, object]] = {
    "special_tokens_map.json": {
        "eos_token": "</s>",
        "mask_token": {
            "content": "<mask>",
            "lstrip": False,
            "normalized": False,
            "rstrip": False,
            "single_word": False,
        },
        "additional_special_tokens": ["<more>"],
    },
    "added_tokens.json": {"<later>": 702, "<more>": 703},
    "tokenizer_config.json": {
        "model_max_length": 512,
        "pad_token": None,
        "added_tokens_decoder": {"702": {"content": "<later>", "special": True, "normalized": False}},
    },
}


def test_files_beside_the_vocabulary_name_the_special_tokens(tmp_path: Path) -> None:
    files = to_files(trained("bytes").with_special_tokens({"</s>": 700, "<mask>": 701}), format="gpt2")
    peer = library(files, tmp_path, ["</s>", "<mask>", "<later>", "<more>"])
    for name, content in COMPANIONS.items():
        (tmp_path / name).write_bytes(packed(content))
    tokenizer = load(tmp_path)
    assert tokenizer.special_tokens == {"</s>": 700, "<mask>": 701, "<later>": 702, "<more>": 703}
    for text in [*EVERY, "a</s> <mask>b<later>", "<more><more> x"]:
        assert tokenizer.encode(text, special="parse").ids.tolist() == peer.encode(text).ids


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("added_tokens.json", {"<new>": 701}),
        ("tokenizer_config.json", {"additional_special_tokens": ["<new>"], "bos_token": None}),
        ("tokenizer_config.json", {"added_tokens_decoder": {"701": {"content": "<new>"}}}),
    ],
)
def test_files_that_name_no_role_add_to_the_special_tokens_of_the_vocabulary(
    name: str, content: dict[str, object], tmp_path: Path
) -> None:
    files = to_files(trained("bytes").with_special_tokens({"<|endoftext|>": 700}), format="gpt2")
    tokenizer = from_files({**files, name: packed(content)})
    assert [(token.text, token.id) for token in tokenizer.special_token_flags] == [
        ("<|endoftext|>", 700),
        ("<new>", 701),
    ]
    peer = library(files, tmp_path, ["<|endoftext|>", "<new>"])
    for text in ["a<new> b<|endoftext|>", *FEW]:
        assert tokenizer.encode(text, special="parse").ids.tolist() == peer.encode(text).ids


def test_robertas_fillers_and_other_unmade_tokens_are_plain_text(tmp_path: Path) -> None:
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    added = {token: 700 + i for i, token in enumerate([*special, "<|endoftext|>", "madeupword0000"])}
    files = to_files(trained("bytes").with_special_tokens(added), format="gpt2")
    tokenizer, peer = from_files(files), library(files, tmp_path, special)
    for text in ["<s>a<mask> madeupword0000 <|endoftext|></s>", *FEW]:
        assert tokenizer.encode(text, special="parse").ids.tolist() == peer.encode(text).ids


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("special_tokens_map.json", b"[]", "special_tokens_map.json is []"),
        ("special_tokens_map.json", b'{"eos_token": {}}', "special_tokens_map.json.eos_token lacks 'content'"),
        ("special_tokens_map.json", b'{"eos_token": ""}', "special_tokens_map.json.eos_token is empty"),
        ("special_tokens_map.json", b'{"additional_special_tokens": [5]}', "is 5"),
        ("added_tokens.json", b'{"<s>": "5"}', "added_tokens.json['<s>'] is '5'"),
        ("tokenizer_config.json", b'{"added_tokens_decoder": {"x": {"content": "<s>"}}}', "['x'] is 'x'"),
        ("tokenizer_config.json", b'{"added_tokens_decoder": [1]}', "added_tokens_decoder is [1]"),
        ("tokenizer_config.json", b'{"add_prefix_space": 3}', "add_prefix_space is 3"),
        ("tokenizer_config.json", b"\xff", "tokenizer_config.json is not UTF-8"),
    ],
)
def test_what_is_wrong_beside_a_vocabulary_is_named(name: str, data: bytes, says: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_files({**to_files(trained("bytes"), format="gpt2"), name: data})
    assert says in str(caught.value)


CLIP_MERGES = b"#version: 0.2\nl o\nlo w</w>\nt h\nth e</w>\n"


def test_clips_merges_make_its_vocabulary_as_clip_does() -> None:
    content = clip_content(b'"bpe_simple_vocab_16e6.txt' + CLIP_MERGES)
    vocab = content["model"]["vocab"]
    assert list(vocab.values()) == list(range(256 + 256 + 4 + 2))
    assert [vocab[token] for token in ("!", "!</w>", "lo", "the</w>", "<|startoftext|>", "<|endoftext|>")] == [
        *(0, 256, 512, 515, 516, 517)
    ]
    library = peer_of_file(content)
    assert library.encode("Low  THE <|endoftext|>").ids == [513, 515, 517]
    two = {"vocab.json": packed(vocab), "merges.txt": CLIP_MERGES}
    assert content_of(two) == content


def test_clips_files_decode_the_end_of_a_word_to_a_space_as_clip_does() -> None:
    tokenizer = from_bytes(CLIP_MERGES)
    assert tokenizer.decode([513, 515, 514, 256]) == "low the th! "
    library = peer_of_file(clip_content(CLIP_MERGES))
    assert library.decode([513, 515, 514, 256]) == "low the th! "


def test_only_as_many_merges_as_clip_uses_are_read() -> None:
    made = [f"{left} {right}" for left in map(chr, range(0x100, 0x143)) for right in map(chr, range(0x100, 0x143))]
    lines = ["#version: 0.2", *made, *(f"{line.replace(' ', '')} {right}" for line in made for right in "abcdefghijk")]
    content = clip_content("\n".join(lines).encode() + b"\nnot a merge</w>")
    assert len(content["model"]["merges"]) == 48_894


def test_other_words_with_an_end_are_refused_with_what_is_missing() -> None:
    with pytest.raises(FormatError, match=r"ends words with </w>.*tokenizer\.json"):
        from_files({"vocab.json": b'{"l": 0, "o</w>": 1, "lo</w>": 2}', "merges.txt": b"#version: 0.2\nl o</w>\n"})


def test_damaged_companions_and_tekken_files_are_tokenizers_or_format_errors(rng: Random) -> None:
    files = {
        **to_files(trained("bytes"), format="gpt2"),
        **{name: packed(content) for name, content in COMPANIONS.items()},
    }
    sources = [({**files}, name) for name in COMPANIONS] + [({"tekken.json": packed(tekken())}, "tekken.json")]
    outcomes = Outcomes()
    for source, name in sources:
        for bad in damaged(source[name], rng, cuts=8, flips=30):
            with outcomes.of(FormatError):
                from_files({**source, name: bad}).encode("a <later> é", special="parse")
    assert outcomes.refused > 80
    assert outcomes.accepted > 5


# -- large JSON ---------------------------------------------------------------------------------------------


@pytest.mark.floor(refused=60, accepted=15)
@settings(max_examples=examples(200))
@given(
    st.dictionaries(st.sampled_from(["a", "b", "猫 "]) | st.text(max_size=4), st.integers(0, 9), max_size=9),
    st.lists(
        st.one_of(
            st.text(max_size=5),
            st.tuples(st.text(max_size=3), st.text(max_size=3)).map(list),
            st.lists(st.sampled_from(["a", "b", "猫 "]), min_size=2, max_size=2),
            st.just("a b"),
        ),
        max_size=6,
    ),
    st.sampled_from([None, 1]),
    st.booleans(),
)
def test_merges_parsed_part_by_part_are_those_of_the_file(
    outcomes: Outcomes, vocab: dict[str, int], merges: list[object], indent: int | None, ascii_only: bool
) -> None:
    content = {"a": ["merges"], "model": {"vocab": vocab, "merges": merges, "x": '"merges": ["a b", "'}}
    data = json.dumps(content, indent=indent, ensure_ascii=ascii_only).encode()
    parsed: Any = parsed_json(data, limit="")
    read = parsed["model"]["merges"]
    if isinstance(read, MergeParts):
        assert [*chain.from_iterable(read.each())] == merges
        parsed["model"]["merges"] = merges
    assert parsed == content

    def rows(merges: object) -> object:
        try:
            return read_merges(merges, vocab).tolist()
        except FormatError as error:
            return str(error)

    expected = rows(merges)
    outcomes.count(not isinstance(expected, str))
    assert rows(read) == expected


@pytest.mark.parametrize(
    "data",
    [
        b'{"model": {"merges": ["a b", ]}}',
        b'{"model": {"merges": ["a b",, "c d"]}}',
        b'{"model": {"merges": ["a b", "c',
        b'{"model": {"merges": ["a\x01b", "c d"]}}',
        b'{"model": {"merges": [["\\q", "b"], "c d"]}}',
        b'{"model": {"merges": ["a b", "c d"], "merges": []}}',
        b'{"model": {"merges": ["\xff b", "c d"]}}',
    ],
)
@pytest.mark.parametrize("vocab", [b"", b'"vocab": {"a b": 0},\n '], ids=["alone", "beside a vocabulary"])
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8], ids=["", "marked"])
def test_merges_that_are_not_json_are_refused_with_their_place(data: bytes, vocab: bytes, mark: bytes) -> None:
    data = data.replace(b'"merges"', vocab + b'"merges"', 1)
    with pytest.raises(FormatError, match=r"The file is not|twice") as refused:
        from_bytes(mark + data)
    assert reason_of_python(data) in str(refused.value)


def reason_of_python(data: bytes) -> str:
    """Why Python does not parse JSON, with the place; "" if it does, or the bytes are not UTF-8."""
    try:
        json.loads(data.decode())
    except json.JSONDecodeError as error:
        return f"{error.msg} at line {error.lineno}, column {error.colno}."
    except UnicodeDecodeError:
        pass
    return ""


@pytest.mark.floor(refused=80, accepted=4)
@settings(max_examples=examples(200))
@given(st.data(), st.sampled_from([None, 1]), st.sampled_from([b"", b",", b"]", b'"', b"\n", b"\\", b"\0"]))
def test_a_file_that_is_cut_or_damaged_anywhere_is_refused_with_its_place(
    outcomes: Outcomes, data: st.DataObject, indent: int | None, other: bytes
) -> None:
    vocab = {"猫": 0, "b": 1, "猫b": 2, "b猫": 3}
    merges = [["猫", "b"], "b 猫", "猫 b"]
    content = {"added_tokens": [], "model": {"type": "BPE", "vocab": vocab, "merges": merges}, "version": "1.0"}
    whole = json.dumps(content, indent=indent, ensure_ascii=False).encode()
    at = data.draw(st.integers(1, len(whole) - 1))
    damaged = whole[:at] + (other + whole[at + 1 :] if other else b"")
    reason = reason_of_python(damaged)
    said = ""
    try:
        from_bytes(damaged)
    except FormatError as error:
        said = str(error)
    outcomes.count(not said)
    assert reason in said


def test_merges_somewhere_else_are_left_where_they_are() -> None:
    for data in (
        b'{"merges": ["a b", "c d"]}',
        b'[{"merges": [["a", "b"], "c"]}]',
        b'{"model": {"x": {"merges": ["a", "b"]}}}',
    ):
        assert parsed_json(data, limit="") == json.loads(data)


# -- packed files, vocab.txt, ranks -------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["tokenizers", "tiktoken", "bpe-lab"])
def test_a_file_packed_with_gzip_is_read(format: str, tmp_path: Path) -> None:
    data = to_bytes(trained("bytes"), format=format)
    half = len(data) // 2
    (tmp_path / "a.gz").write_bytes(gzip.compress(data[:half]) + gzip.compress(data[half:]))
    assert same_tokenizer(load(tmp_path / "a.gz"), trained("bytes"), TEXTS[:3])


@pytest.mark.parametrize(
    ("begin", "what"),
    [(b"PK\x03\x04", "zip"), (b"\xfd7zXZ", "xz"), (b"BZh91", "bzip2"), (b"\x28\xb5\x2f\xfd", "zstd")],
)
def test_other_archives_are_refused(begin: bytes, what: str) -> None:
    with pytest.raises(FormatError, match=what):
        from_bytes(begin + bytes(100))


WHITE_SPACE = "".join(char for char in map(chr, range(0x3001)) if char.isspace() and not "\x1c" <= char <= "\x1f")


@settings(max_examples=examples(50))
@given(st.lists(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), min_size=1), unique=True))
@example(["\0", "a\0", "##\0"])
def test_a_vocab_txt_has_a_line_for_each_line_feed(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    path = tmp_path_factory.mktemp("vocab") / "vocab.txt"
    path.write_bytes("".join(f"{line}\n" for line in ["[UNK]", "a", "##b", *lines]).encode())
    library = models.WordPiece.from_file(str(path), unk_token="[UNK]")
    tokenizer, peer = load(path), tokenizers.Tokenizer(library)
    vocab = {token.decode(): i for i, token in enumerate(tokenizer.model.tokens) if token is not None}
    assert vocab == peer.get_vocab()
    for text in ("ab", "a", *lines):
        assert tokenizer.model.encode_word(text).ids == peer.encode(text).ids


def test_a_word_of_more_than_100_characters_is_unknown_in_a_vocab_txt() -> None:
    tokenizer = from_bytes(b"[UNK]\na\n##a\n")
    assert tokenizer.encode("a" * 100).ids.tolist() == [1, *[2] * 99]
    assert tokenizer.encode("a" * 101).ids.tolist() == [0]


def test_a_file_that_says_its_split_needs_none_and_others_are_asked_about(tmp_path: Path) -> None:
    ranks = to_bytes(trained("bytes"), format="tiktoken")
    assert not split_is_known(ranks)
    assert not split_is_known(gzip.compress(ranks))
    assert split_is_known((FOLDER / "o200k_base.tiktoken").read_bytes())
    for data in (to_bytes(trained("bytes"), format="tokenizers"), to_bytes(wordpiece(), format="wordpiece"), b""):
        assert split_is_known(data)


@pytest.mark.parametrize("name", NAMES)
def test_the_special_tokens_of_published_ranks_have_ids_of_their_own(name: str) -> None:
    known = published(name)
    ids = list(known.special_tokens.values())
    assert len(set(ids)) == len(ids)
    assert train("low", TrainConfig(split=known.split, vocab_size=257)).tokenizer().split.pattern == known.split
    if not name.startswith("p50k") and name != "o200k_harmony":
        assert sorted(ids) == list(range(min(ids), min(ids) + len(ids)))


def test_harmony_has_the_special_tokens_that_tiktoken_gives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: {})
    for name in ("o200k_harmony", "p50k_edit", "p50k_base"):
        theirs = getattr(openai_public, name)()["special_tokens"]
        assert published(name).special_tokens == {
            token: theirs[token] for token in theirs if token != "<|reserved_200018|>"
        }
    with pytest.raises(VocabularyError, match="'gpt9' is not the name"):
        published("gpt9")


def test_an_empty_token_as_whispers_ranks_have_it_takes_its_rank() -> None:
    ranks = to_bytes(trained("bytes"), format="tiktoken")
    tokenizer = from_bytes(ranks + b"= 700\n")
    assert tokenizer.vocab_size == 701
    assert tokenizer.decode([700]) == ""
    assert tokenizer.encode(TEXTS[0]).ids.tolist() == from_bytes(ranks).encode(TEXTS[0]).ids.tolist()


@pytest.mark.parametrize("format", ["tiktoken", "gpt2", "bpe-lab", "tokenizers"])
def test_an_empty_token_is_saved_and_read_again(format: str) -> None:
    ranks = to_bytes(train(CORPUS, TrainConfig(vocab_size=400)).tokenizer(), format="tiktoken")
    tokenizer = from_bytes(ranks + b"= 400\n", special_tokens={"<s>": 401})
    again = from_files(to_files(tokenizer, format=format))
    assert again.encode(TEXTS[0]).ids.tolist() == tokenizer.encode(TEXTS[0]).ids.tolist()
    assert again.decode([400, 97]) == tokenizer.decode([400, 97])
    assert again.ids[:401] == tokenizer.ids[:401]


def test_bytes_without_a_token_are_not_saved_as_ranks_which_would_be_refused() -> None:
    ids = {char: at for at, char in enumerate("abc")}
    peer = tokenizers.Tokenizer(models.BPE(ids, []))
    peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    peer.decoder = decoders.ByteLevel()
    with pytest.raises(FormatError, match=r"no token for the byte 0x00\. A \.tiktoken file has all 256"):
        to_bytes(from_bytes(peer.to_str().encode()), format="tiktoken")


def test_saved_files_are_read_as_before(tmp_path: Path) -> None:
    tokenizer = train(CORPUS, TrainConfig(vocab_size=500, special_tokens=("<s>", "q#q", "madeup"))).tokenizer()
    save(tokenizer, tmp_path / "folder", format="gpt2")
    assert same_tokenizer(load(tmp_path / "folder"), tokenizer, FEW)
