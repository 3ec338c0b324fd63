"""A token added by hand, and smaller tokenizers: equal to the tokenizers library, with the words that change."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import ConfigError, Tokenizer, TrainConfig, VocabularyError, load, load_pretrained, train
from bpe_core.bpe.merge_path import with_merge_path
from bpe_core.bpe.shrinking import Shrunk, with_first_merges_only, with_used_tokens
from bpe_core.cli import main
from bpe_core.comparison.changes import changed_words
from bpe_core.formats import from_bytes, to_bytes
from bpe_core.tokenizer.added_token import with_added_token
from bpe_core.tokenizer.first_merges import with_first_merges
from tests.core.json_files import peer_of
from tests.core.test_growth_of_tokenizers import BASES as GROWN
from tests.draws import examples, first

STORY = "The lantern, two lanterns and a lanternlight: the lant of lanterns.\n\tLantern  lantern's (lantern)"
BASES: dict[str, Callable[[], Tokenizer]] = {
    "gpt2": lambda: load_pretrained("gpt2"),
    "cl100k_base": lambda: load_pretrained("cl100k_base"),
    "own": lambda: train(STORY * 3, TrainConfig(vocab_size=300, special_tokens=("<s>",))).tokenizer(),
    "own, normalized": lambda: train(
        STORY, TrainConfig(vocab_size=290, lowercase=True, normalization="NFKC", split="words")
    ).tokenizer(),
}
TEXTS = st.lists(
    st.sampled_from(["lant", "ern", "lantern", " ", "  ", "\n", "s", "Lantern", "the", ".", "é", "ﬁ", "<s>", "_", "1"]),
    max_size=12,
).map("".join)
PARTS = {"whole_word": "single_word", "strip_left": "lstrip", "strip_right": "rstrip"}


def ids(made: tokenizers.Tokenizer, text: str) -> list[int]:
    found: list[int] = made.encode(text, add_special_tokens=False).ids
    return found


LIBRARY = {name: to_bytes(make(), format="tokenizers").decode() for name, make in BASES.items() if "own" in name}


@pytest.mark.parametrize("name", LIBRARY)
@given(
    token=st.sampled_from(["lant", "lantern", " lantern", "the", "ﬁ", "Lant", "ern ", "two lanterns"]),
    flags=st.fixed_dictionaries({}, optional=dict.fromkeys([*PARTS, "normalized", "special"], st.booleans())),
    text=TEXTS,
)
@settings(max_examples=examples(200))
def test_an_added_token_has_the_id_and_the_places_of_the_library(
    name: str, token: str, flags: dict[str, bool], text: str
) -> None:
    base = from_bytes(LIBRARY[name].encode())
    made = with_added_token(base, token, **flags)
    theirs = tokenizers.Tokenizer.from_str(LIBRARY[name])
    given_flags: dict[str, Any] = {PARTS.get(flag, flag): on for flag, on in flags.items()}
    added = tokenizers.AddedToken(token, **given_flags)
    (theirs.add_special_tokens if flags.get("special") else theirs.add_tokens)([added])
    assert made.encode(text, special="parse").ids.tolist() == ids(theirs, text)
    assert ids(peer_of(made), text) == ids(theirs, text)


@pytest.mark.parametrize("name", first(1, ["gpt2", "cl100k_base"]))
def test_a_word_added_to_a_published_tokenizer_is_found_by_the_library_in_its_file(name: str) -> None:
    base = BASES[name]()
    made = with_added_token(base, "lantern")
    assert made.encode("lantern").ids.tolist() == [base.vocab_size]
    assert ids(peer_of(made), STORY) == made.encode(STORY).ids.tolist()
    assert from_bytes(to_bytes(made, format="tokenizers")).encode(STORY).ids.tolist() == made.encode(STORY).ids.tolist()


def test_the_words_that_an_added_token_cuts_are_listed_with_the_reason() -> None:
    gpt2 = load_pretrained("gpt2")
    made = with_added_token(gpt2, "lantern")
    found = changed_words(gpt2, made, "A lantern, two lanterns. lantern lantern")
    assert [(word.text, word.count) for word in found.words] == [(" lantern", 3), (" lanterns", 1)]
    first = found.words[0]
    assert [gpt2.token(i) for i in first.before] == [" lantern"]
    assert [made.token(i) for i in first.after] == [" ", "lantern"]
    assert "becomes a separate token" in first.why
    assert "the text on either side is encoded separately" in found.words[1].why
    assert found.tokens_after - found.tokens_before == 4
    takes_space = changed_words(gpt2, with_added_token(gpt2, "lantern", strip_left=True), "my lantern")
    assert "includes the white space" in takes_space.words[0].why
    assert not changed_words(gpt2, made, "nothing of it").words


def test_a_word_without_space_is_the_added_token_where_spaces_have_no_token() -> None:
    bert = load_pretrained("bert-base-uncased")
    found = changed_words(bert, with_added_token(bert, "Swiftie"), "a Swiftie")
    assert [(word.text, word.why) for word in found.words] == [(" Swiftie", "It is the added token.")]


@given(text=TEXTS)
@settings(max_examples=examples(100))
def test_words_are_listed_exactly_if_ids_differ(text: str) -> None:
    base = BASES["own"]()
    for made in (with_added_token(base, "lant"), with_merge_path(base, "lanternlight")):
        found = changed_words(base, made, text)
        assert bool(found.words) == (base.encode(text).ids.tolist() != made.encode(text).ids.tolist())
        for word in found.words:
            assert word.before != word.after
            assert b"".join(map(base.token_bytes, word.before)).decode() == word.text


def test_merges_of_a_token_cut_no_word() -> None:
    gpt2 = load_pretrained("gpt2")
    made = with_merge_path(gpt2, " lanternlight")
    assert made.tokenize("my lanternlight and lanterns") == ["my", " lanternlight", " and", " lantern", "s"]
    assert made.encode(" lanternlight").ids.tolist() == [50_257]
    assert ids(peer_of(made), STORY) == made.encode(STORY).ids.tolist()
    repeated = with_merge_path(gpt2, "qzqzqz")
    assert repeated.tokenize("qzqzqz") == ["qzqzqz"]
    assert ids(peer_of(repeated), "qzqz qzqzqz") == repeated.encode("qzqz qzqzqz").ids.tolist()


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: with_merge_path(load_pretrained("gpt2"), "two words"), ConfigError, "2 words of the split"),
        (lambda: with_merge_path(load_pretrained("gpt2"), " lantern"), ConfigError, "is the token"),
        (lambda: with_merge_path(load_pretrained("gpt2"), ""), ConfigError, "0 words"),
        (lambda: with_merge_path(load_pretrained("t5-small"), "a"), ConfigError, "has no list of merges"),
        (lambda: with_added_token(load_pretrained("gpt2"), "é"), VocabularyError, "the spelling of the token"),
        (lambda: with_added_token(load_pretrained("gpt2"), ""), VocabularyError, "not empty"),
        (lambda: with_used_tokens(load_pretrained("bert-base-uncased"), "a"), ConfigError, "has no list of merges"),
        (lambda: with_first_merges_only(load_pretrained("gpt2"), -1), ConfigError, "count is -1"),
    ],
)
def test_what_cannot_be_is_refused(make: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        make()


# -- smaller ---------------------------------------------------------------------------------------------------------


def same_but_renumbered(before: Tokenizer, small: Shrunk, text: str) -> None:
    assert small.kept[small.tokenizer.encode(text).ids].tolist() == before.encode(text).ids.tolist()


@pytest.mark.parametrize("name", BASES)
def test_a_text_keeps_its_tokens_if_what_it_uses_is_kept(name: str) -> None:
    base = BASES[name]()
    small = with_used_tokens(base, STORY)
    same_but_renumbered(base, small, STORY)
    assert sorted([*small.kept.tolist(), *small.lost.tolist()]) == base.ids
    assert not changed_words(base, small.tokenizer, STORY, kept=small.kept).words
    other = "unrelated xylophones, ünïcode 日本語\n" + STORY
    assert small.tokenizer.decode(small.tokenizer.encode(other).ids) == base.decode(base.encode(other).ids)
    for text in (STORY, other):
        assert ids(peer_of(small.tokenizer), text) == small.tokenizer.encode(text).ids.tolist()


@pytest.mark.parametrize("count", [0, 10, 40, 10_000])
@pytest.mark.parametrize("name", BASES)
def test_the_first_merges_cut_as_they_do_without_the_others(name: str, count: int) -> None:
    base = BASES[name]()
    small = with_first_merges_only(base, count)
    same_but_renumbered(with_first_merges(base, count), small, STORY)
    assert ids(peer_of(small.tokenizer), STORY) == small.tokenizer.encode(STORY).ids.tolist()
    assert small.table()["new_id"].notna().sum() == small.tokenizer.vocab_size


@pytest.mark.parametrize("name", [name for name in GROWN if name.startswith("from a file, ")])
@given(text=st.text(max_size=40) | st.text("low ern\n", max_size=40), count=st.integers(0, 60))
@settings(max_examples=examples(40))
def test_every_kind_of_bpe_is_made_smaller_and_given_tokens_as_the_library_reads_them(
    name: str, text: str, count: int
) -> None:
    base = GROWN[name]()
    used = with_used_tokens(base, text)
    same_but_renumbered(base, used, text)
    first = with_first_merges_only(base, count)
    same_but_renumbered(with_first_merges(base, count), first, text)
    made = with_merge_path(base, "lowstern")
    assert len(made.encode("lowstern")) == 1
    for changed in (used.tokenizer, first.tokenizer, made):
        assert ids(peer_of(changed), text + " lowstern") == changed.encode(text + " lowstern").ids.tolist()


def test_words_that_a_smaller_tokenizer_cuts_otherwise_are_listed() -> None:
    gpt2 = load_pretrained("gpt2")
    small = with_used_tokens(gpt2, "my lantern")
    found = changed_words(gpt2, small.tokenizer, "my lantern your lantern", kept=small.kept)
    assert [word.text for word in found.words] == [" your"]
    assert "was removed" in found.words[0].why


def test_words_that_differ_inside_a_character_are_shown_with_all_of_it() -> None:
    gpt2 = load_pretrained("gpt2")
    small = with_first_merges_only(gpt2, 1_000)
    found = changed_words(gpt2, small.tokenizer, "吾輩は猫である名前はまだ無い" * 10, kept=small.kept)
    assert found.words
    assert not any("\ufffd" in word.text for word in found.words)


def test_the_template_of_a_file_is_numbered_anew() -> None:
    file = json.loads(to_bytes(load_pretrained("gpt2"), format="tokenizers"))
    file["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
        "special_tokens": {"<|endoftext|>": {"id": "<|endoftext|>", "ids": [50_256], "tokens": ["<|endoftext|>"]}},
    }
    small = with_used_tokens(from_bytes(json.dumps(file).encode()), "low").tokenizer
    assert peer_of(small).encode("low").ids == [
        *small.encode("low").ids.tolist(),
        small.special_tokens["<|endoftext|>"],
    ]


# -- on the command line ---------------------------------------------------------------------------------------------


def test_the_command_line_adds_and_shrinks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, text = str(tmp_path / "tokenizer.json"), tmp_path / "text.txt"
    text.write_text(STORY)
    given_file = ["--tokenizer", "gpt2", "--out", out, "--format", "tokenizers"]
    assert main(["add", "lantern", *given_file, "--text", "my lanterns", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["tokens_before"], found["tokens_after"], found["words"][0]["text"]) == (3, 4, " lanterns")
    assert load(out).tokenize("lanterns") == ["lantern", "s"]
    assert main(["add", "lantern", *given_file, "--merges", "--special"]) == 2
    assert "--merges makes no added token" in capsys.readouterr().err
    assert main(["add", "lantern", "--tokenizer", "gpt2"]) == 2
    assert "Name a text" in capsys.readouterr().err
    ids_file = tmp_path / "ids.json"
    assert main(["shrink", *given_file, "--used-in", str(text), "--map", str(ids_file), str(text)]) == 0
    assert "0 words are segmented differently" in capsys.readouterr().out
    kept = json.loads(ids_file.read_text())["kept"]
    assert [kept[i] for i in load(out).encode(STORY).ids] == load_pretrained("gpt2").encode(STORY).ids.tolist()
