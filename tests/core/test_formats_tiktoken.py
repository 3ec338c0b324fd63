"""Rank files against tiktoken, and the proof that merging by rank equals merging by pairs."""

import base64
import json
from codecs import BOM_UTF8
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest
import tiktoken
from tiktoken.load import load_tiktoken_bpe

from bpe_core import FormatError, Tokenizer, TrainConfig, load, load_pretrained, save, train
from bpe_core.bpe import merge_tables, reference
from bpe_core.bundled.files import FOLDER
from bpe_core.bundled.openai import OPENAI
from bpe_core.formats import RankDifference, from_bytes, rank_order_differs, split_is_known, to_bytes, unproven_token
from bpe_core.text.byte_characters import CHARACTERS
from bpe_core.text.splits import PATTERNS
from tests.core.format_samples import CORPUS, EVERY, FEW, same_tokenizer, trained, wordpiece
from tests.core.json_files import file_of_bytes
from tests.draws import first

KEPT = ["bytes", "bytes in GPT-2's order, cl100k", "a pattern with \\w", "a pattern with gaps"]


def peer_of(path: Path, tokenizer: Tokenizer) -> tiktoken.Encoding:
    split = tokenizer.split.pattern
    return tiktoken.Encoding(
        "saved",
        pat_str=PATTERNS.get(split, split),
        mergeable_ranks=load_tiktoken_bpe(str(path)),
        special_tokens=tokenizer.special_tokens,
    )


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")


@pytest.mark.parametrize("name", KEPT)
def test_tiktoken_gives_the_ids_of_a_training(name: str, tmp_path: Path) -> None:
    tokenizer, path = trained(name), tmp_path / "vocabulary.tiktoken"
    save(tokenizer, path, format="tiktoken")
    peer = peer_of(path, tokenizer)
    for text in EVERY:
        assert peer.encode_ordinary(text) == tokenizer.encode(text).ids.tolist()
        assert peer.encode(text, allowed_special="all") == tokenizer.encode(text, special="parse").ids.tolist()
    again = load(path, split=tokenizer.split.pattern, special_tokens=tokenizer.special_tokens)
    assert same_tokenizer(again, tokenizer, FEW)


@pytest.mark.parametrize("name", first(1, OPENAI))
def test_openais_files_are_written_as_they_are_and_known_again(name: str) -> None:
    tokenizer = load_pretrained(name)
    data = to_bytes(tokenizer, format="tiktoken")
    assert data in {path.read_bytes() for path in FOLDER.glob("*.tiktoken")}
    again = from_bytes(data)
    assert (again.name, again.split.pattern, again.special_tokens) == (
        name,
        tokenizer.split.pattern,
        tokenizer.special_tokens,
    )


def test_a_file_without_its_split_takes_gpt2s_unless_told() -> None:
    data = to_bytes(trained("bytes in GPT-2's order, cl100k"), format="tiktoken")
    assert from_bytes(data).split.pattern == "gpt2"
    assert from_bytes(data).special_tokens == {}
    assert from_bytes(data, split="none").split.pattern == "none"
    with pytest.raises(FormatError, match="settings of the file"):
        from_bytes(data, split="gpt5")
    with pytest.raises(FormatError, match="belongs to another token"):
        from_bytes(data, special_tokens={"<s>": 5})


def doubtful() -> Tokenizer:
    """`bc` is learned after `ab`, and `abc` from a and bc: by rank, ab and c would form it as well."""
    return train("abc", TrainConfig(vocab_size=259), forced=[(97, 98), (98, 99), (97, 257)]).tokenizer()


def test_merges_that_ranks_could_apply_otherwise_are_found() -> None:
    tokenizer = doubtful()
    assert unproven_token(tokenizer) == 258
    assert rank_order_differs(tokenizer, "ab bc\n") is None
    assert rank_order_differs(tokenizer, "ab é abc abc") == RankDifference(" abc", 4, (32, 256, 99), (32, 258))


def test_such_merges_are_written_only_with_a_text_that_proves_them_right() -> None:
    with pytest.raises(FormatError, match="258 \\(b'abc'\\) could be made of other parts"):
        to_bytes(doubtful(), format="tiktoken")
    with pytest.raises(FormatError, match="could be made of other parts"):
        to_bytes(doubtful(), format="tiktoken", proven_on="abc")
    data = to_bytes(doubtful(), format="tiktoken", proven_on="ab bc")
    assert from_bytes(data).encode("ab bc").ids.tolist() == doubtful().encode("ab bc").ids.tolist()


@pytest.mark.parametrize("tie_break", ["first-seen", "lowest-ids"])
def test_what_is_proven_for_a_vocabulary_holds_on_texts(tie_break: str) -> None:
    config = TrainConfig(vocab_size=1_500, split="none", tie_break=tie_break)  # type: ignore[arg-type]
    tokenizer = train(CORPUS, config).tokenizer()
    assert unproven_token(tokenizer) is None
    assert rank_order_differs(tokenizer, "\n".join(EVERY)) is None


def test_what_a_rank_file_cannot_hold_is_refused() -> None:
    for tokenizer in (trained("words without accents"), trained("characters"), wordpiece()):
        with pytest.raises(FormatError, match=r"\.tiktoken file"):
            to_bytes(tokenizer, format="tiktoken")


RANKS = to_bytes(trained("bytes"), format="tiktoken")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"IQ==", "Line 3 is b'IQ=='"),
        (b"IQ== x", "Line 3 is"),
        (b"I!== 2", "Line 3 is"),
        (b"IQ= 2", "Line 3"),
        (b"IQ== -2", "Line 3 is"),
        (b"IQ== 2.0", "Line 3 is"),
        (b"IQ== 33", "the id 33, which b'!' has already"),
        (b"IQ== 9999999", "the rank 9,999,999"),
        (b"IQ== 700", "has the token b'!' twice"),
        (b"", "no token for the byte 0x02"),
        (base64.b64encode(b"x" * 1_000_001) + b" 2", "1,000,001 bytes"),
    ],
)
def test_a_wrong_line_is_named(line: bytes, says: str) -> None:
    lines = RANKS.split(b"\n")
    lines[2] = line
    with pytest.raises(FormatError) as caught:
        from_bytes(b"\n".join(lines))
    assert says in str(caught.value)


def test_tokens_too_long_to_search_for_their_parts_are_refused() -> None:
    with pytest.raises(FormatError, match="200,000 bytes"):
        from_bytes(RANKS + base64.b64encode(b"ab" * 100_000) + b" 700\n")


@pytest.mark.parametrize("name", first(2, ["a training", *OPENAI]))
def test_a_byte_order_mark_and_spaces_before_a_line_are_no_part_of_a_token(name: str, tmp_path: Path) -> None:
    known = name in OPENAI
    files = {"gpt2": "r50k_base"}
    data = (FOLDER / f"{files.get(name, name)}.tiktoken").read_bytes() if known else RANKS
    marked = tmp_path / "marked.tiktoken"
    marked.write_bytes(BOM_UTF8 + (data if known else data.replace(b"\n", b"\n  ", 3)))
    tokenizer = load(marked) if known else load(marked, split="gpt2")
    assert split_is_known(BOM_UTF8 + data) == known
    assert {*tokenizer.special_tokens} == ({*load_pretrained(name).special_tokens} if known else set())
    special = {*tokenizer.special_tokens.values()}
    assert load_tiktoken_bpe(str(marked)) == {tokenizer.token_bytes(i): i for i in tokenizer.ids if i not in special}


def short_words(alphabet: str, longest: int) -> list[str]:
    return ["".join(letters) for size in range(1, longest + 1) for letters in product(alphabet, repeat=size)]


WORDS = "\n".join(short_words("abc", 6))


@pytest.mark.parametrize("case", first(10, range(30)))
def test_the_proof_holds_for_merges_in_any_order(case: int, rng: Random) -> None:
    ids, spelled, forced = [97, 98, 99], {b"a", b"b", b"c"}, []
    tokens = {97: b"a", 98: b"b", 99: b"c"}
    while len(forced) < 8:
        left, right = rng.choice(ids), rng.choice(ids)
        if (whole := tokens[left] + tokens[right]) not in spelled:
            spelled.add(whole)
            ids.append(256 + len(forced))
            tokens[ids[-1]] = whole
            forced.append((left, right))
    tokenizer = train("", TrainConfig(vocab_size=264, split="words"), forced=forced).tokenizer()
    doubt, difference = unproven_token(tokenizer), rank_order_differs(tokenizer, WORDS)
    assert doubt is not None or difference is None
    if difference is not None:
        assert tokenizer.encode(difference.word).ids.tolist() == list(difference.by_pairs) != list(difference.by_ranks)


@pytest.mark.parametrize("case", first(10, range(30)))
def test_one_pair_for_each_token_merges_as_its_ranks_do(case: int, rng: Random) -> None:
    """Random ranks, including tokens that no merges reach: written as pairs they give the same ids."""
    texts = rng.sample([word.encode() for word in short_words("abc", 4) if len(word) > 1], 20)
    lines = [bytes([value]) for value in range(256)] + texts
    rng.shuffle(lines)
    data = b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(lines))
    by_ranks = from_bytes(data, split="words")
    by_pairs = from_bytes(to_bytes(by_ranks, format="tokenizers"))
    assert by_pairs.encode(WORDS).ids.tolist() == by_ranks.encode(WORDS).ids.tolist()


def by_definition(tokenizer: Tokenizer) -> int | None:
    """Plain reference of `unproven_token`: encode the bytes of every token by ranks."""
    merges, ids = tokenizer.model.merges, {tokenizer.token_bytes(i): i for i in tokenizer.ids}
    made = [row[2] for row in merges.rows]  # type: ignore[union-attr]
    for before, after in pairwise(made):
        if after < before:
            return after
    pairs = {(left, right): token_id for left, right, token_id in merges.rows}  # type: ignore[union-attr]
    tokens = {i: token for token, i in ids.items()}
    for token, whole in sorted(ids.items(), key=lambda item: item[1]):

        def merge_of(left: int, right: int, whole: int = whole) -> tuple[int, int] | None:
            rank = ids.get(tokens[left] + tokens[right])
            return None if rank is None or rank == whole else (rank, rank)

        word = [ids[token[at : at + 1]] for at in range(len(token))]
        for applied in reference.encode(word, merge_of):
            word = list(applied.word)
        reached = len(word) == 2
        wanted = len(word) == 1 or (reached and pairs.get((word[0], word[1])) == whole)
        if not wanted and (reached or not merges.takes_wholes):  # type: ignore[union-attr]
            return whole
    return None


def of_pairs(rng: Random, alphabet: str, count: int, *, wholes: bool) -> Tokenizer:
    """A tokenizer.json of random merges: several pairs per token, ids in any order, tokens that no merge creates."""
    vocab = {CHARACTERS[value]: value for value in range(256)}
    tokens, merges = list(alphabet), []
    for _ in range(count):
        left, right = rng.choice(tokens), rng.choice(tokens)
        if len(left + right) < 9 and [left, right] not in merges:
            tokens.append(left + right)
            vocab.setdefault(left + right, len(vocab))
            merges.append([left, right])
    if rng.random() < 0.3:
        merges.insert(0, merges.pop(rng.randrange(len(merges))))
    if rng.random() < 0.3:
        vocab.setdefault("".join(rng.choices(alphabet, k=4)), len(vocab))
    levels = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "vocab": vocab, "merges": merges, "ignore_merges": wholes}
    content = {"version": "1.0", "pre_tokenizer": levels, "decoder": levels, "model": model}
    return from_bytes(json.dumps(content).encode())


def in_any_order(rng: Random, alphabet: str, count: int, *, wholes: bool, special: bool = False) -> Tokenizer:
    """A tokenizer.json whose ids rise with its merges, many of which need a token created by a later merge."""
    tokens, made = list(alphabet), {}
    for _ in range(count):
        left, right = rng.choice(tokens), rng.choice(tokens)
        if len(left + right) < 9 and left + right not in tokens:
            tokens.append(left + right)
            made[left + right] = [left, right]
    merges = rng.sample([*made.values()], len(made))
    vocab = {CHARACTERS[value]: value for value in range(256)}
    for left, right in merges:
        vocab[left + right] = len(vocab)
    added = [rng.choice([*made, "<s>"])] if special else []
    return from_bytes(file_of_bytes(vocab, merges, added, ignore_merges=wholes))


def test_a_merge_of_a_token_that_a_later_merge_makes_is_proven_or_refused() -> None:
    vocab = {CHARACTERS[value]: value for value in range(256)} | {"abc": 256, "abcd": 257, "bc": 258}
    tokenizer = from_bytes(file_of_bytes(vocab, ["a bc", "abc d", "b c"]))
    assert unproven_token(tokenizer) is None
    assert from_bytes(to_bytes(tokenizer, format="tiktoken"), split="gpt2").encode("abcd bc").ids.tolist() == [
        257,
        32,
        258,
    ]


@pytest.mark.parametrize("case", first(10, range(30)))
def test_a_rank_file_that_is_written_gives_the_same_ids_in_tiktoken(case: int, rng: Random, tmp_path: Path) -> None:
    for wholes, special in product((False, True), repeat=2):
        tokenizer = in_any_order(rng, rng.choice(["ab", "abc"]), 10, wholes=wholes, special=special)
        if unproven_token(tokenizer) is not None:
            with pytest.raises(FormatError, match="could be made of other parts"):
                to_bytes(tokenizer, format="tiktoken")
            continue
        save(tokenizer, tmp_path / "ranks.tiktoken", format="tiktoken")
        theirs = peer_of(tmp_path / "ranks.tiktoken", tokenizer)
        assert theirs.encode_ordinary(WORDS) == tokenizer.encode(WORDS).ids.tolist()


def test_both_kinds_of_merges_in_any_order_are_drawn(rng: Random) -> None:
    found = [unproven_token(in_any_order(rng, "ab", 6, wholes=wholes)) is None for wholes in (False, True) * 30]
    assert 5 < sum(found) < 55


@pytest.mark.parametrize("case", first(12, range(40)))
def test_the_proof_says_what_encoding_every_token_by_ranks_says(case: int, rng: Random) -> None:
    text = "".join(rng.choices("aab c", k=60))
    tokenizers = [
        train(text, TrainConfig(vocab_size=320, split=split, tie_break=tie_break)).tokenizer()  # type: ignore[arg-type]
        for split in ("none", "gpt2")
        for tie_break in ("first-seen", "lowest-ids")
    ]
    tokenizers += [of_pairs(rng, rng.choice(["a", "ab", "abc"]), 12, wholes=wholes) for wholes in (False, True) * 6]
    tokenizers += [in_any_order(rng, rng.choice(["ab", "abc"]), 12, wholes=wholes) for wholes in (False, True) * 3]
    for tokenizer in tokenizers:
        assert unproven_token(tokenizer) == by_definition(tokenizer)


def test_the_cases_of_the_proof_are_of_both_kinds(rng: Random) -> None:
    found = [unproven_token(of_pairs(rng, "ab", 8, wholes=wholes)) is None for wholes in (False, True) * 60]
    assert 10 < sum(found) < 110


@pytest.mark.parametrize("case", range(10))
def test_the_pairs_of_ranks_are_the_same_compiled_and_one_by_one(
    case: int, rng: Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs, longer = short_words("abc", 2)[3:], short_words("abc", 6)[12:]  # ranks reach every pair of bytes
    lines = [*(bytes([value]) for value in range(256)), *(token.encode() for token in pairs + rng.sample(longer, 300))]
    rng.shuffle(lines)
    ranks = {token: rank for rank, token in enumerate(lines)}
    found = []
    for compiled in (False, True):
        monkeypatch.setattr(merge_tables, "use_compiled", lambda work, small, compiled=compiled: compiled)
        found.append(merge_tables.ByteRanks(ranks, lines).rows)
    assert found[0] == found[1]
    assert 0 < len(found[0]) < len(lines) - 256  # some reachable by ranks, some not
