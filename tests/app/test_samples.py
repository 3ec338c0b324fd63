"""The sample texts: complete, exact, and described by their index."""

from __future__ import annotations

import pickle
import re
import unicodedata
from dataclasses import fields
from pathlib import Path

import pytest

from bpe_core import load_pretrained, train
from bpe_core.bpe.config import TrainConfig
from ui.session.samples import SAMPLE_FOLDER, Sample, SampleNotFoundError, all_samples, sample, source_of

TOYS = {
    "toy_aaabdaaabac": "aaabdaaabac",
    "toy_overlap": "aaab",
    "toy_hug": " ".join(["hug"] * 10 + ["pug"] * 5 + ["pun"] * 12 + ["bun"] * 4 + ["hugs"] * 5),
    "toy_loop": "hello world loop loot tool",
    "toy_split": "Hello've world123 how's are you!!!?",
    "toy_leading_spaces": "    hello world!!!",
    "toy_words_on_lines": "the\nHello\nhello\nDeepSeek\nこんにちは",
    "toy_words_in_a_row": "the Hello hello DeepSeek こんにちは",
    "course_corpus": "This is the Hugging Face Course.\nThis chapter is about tokenization.\n"
    "This section shows several tokenizer algorithms.\n"
    "Hopefully, you will be able to understand how they are trained and generate tokens.",
    "toy_abababcb": "abababcb",
    "toy_low_lower": " ".join(["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3),
    "toy_pans": " ".join(["an"] * 4 + ["pa"] * 3 + ["ns"] * 2 + ["pans"]),
}

PROSE_AMONG_TOYS = ("toy_sentencepiece", "toy_japanese_words")

LIBRARY = "python_library"
"""The only sample whose file lists modules: its text is their source."""

every_sample = pytest.mark.parametrize("each", all_samples(), ids=lambda each: each.name)


def files() -> list[Path]:
    return sorted(SAMPLE_FOLDER.glob("*.txt"))


def test_every_text_is_in_the_index_and_every_entry_has_a_text() -> None:
    assert sorted(each.name for each in all_samples()) == [path.stem for path in files()]


def test_there_are_enough_samples_to_choose_from() -> None:
    assert len([each for each in all_samples() if each.group == "text"]) >= 12


def test_required_languages_are_present() -> None:
    languages = {each.language for each in all_samples() if each.group == "text"}
    assert languages >= {"English", "Japanese", "Chinese", "Korean", "Arabic", "Greek", "Mixed", "Code"}


def test_parallel_paragraphs_are_one_text_per_language() -> None:
    languages = [each.language for each in all_samples() if each.group == "parallel"]
    assert len(languages) == len(set(languages)) >= 8
    assert languages[0] == "English"


def test_what_is_said_of_the_cost_of_spanish_is_true() -> None:
    def per_word(encoder: str, name: str) -> float:
        text = sample(name).text
        return len(load_pretrained(encoder).encode(text).ids) / len(text.split())

    assert round(per_word("gpt2", "parallel_es"), 2) == 2.03 > 1.5 * per_word("gpt2", "parallel_en")
    assert per_word("o200k_base", "parallel_es") < 1.2 * per_word("o200k_base", "parallel_en")


def test_samples_are_read_once_and_in_the_order_of_their_groups() -> None:
    assert all_samples() is all_samples()
    groups = [each.group for each in all_samples()]
    assert groups == sorted(groups, key=["text", "parallel", "toy"].index)


def test_toy_strings_are_exact() -> None:
    toys = {each.name: each.text for each in all_samples() if each.group == "toy" and each.name not in PROSE_AMONG_TOYS}
    assert toys == TOYS


@every_sample
def test_text_is_exactly_the_bytes_of_its_file(each: Sample) -> None:
    content = (SAMPLE_FOLDER / f"{each.name}.txt").read_bytes()
    assert each.modules == (each.name == LIBRARY)
    if each.modules:
        assert each.text == "".join(map(source_of, content.decode().split()))
    else:
        assert each.text.encode("utf-8") == content


def test_the_library_is_some_hundred_kb_of_code_of_which_no_module_is_missing() -> None:
    library = sample(LIBRARY)
    assert 300_000 < len(library.text) < 1_000_000
    for module in library.path.read_text("utf-8").split():
        compile(source_of(module), module, "exec")
        assert len(source_of(module)) > 5_000


def test_a_module_without_source_is_no_text_and_no_failure() -> None:
    assert source_of("_struct") == ""
    assert source_of("there_is_no_such_module") == ""


def test_the_library_in_4096_ids_takes_fewer_tokens_for_code_than_gpt2_as_it_says() -> None:
    library = sample(LIBRARY)
    trained = train(library.text, TrainConfig(**library.settings)).tokenizer()
    gpt2 = load_pretrained("gpt2")
    assert (trained.vocab_size, gpt2.vocab_size) == (4096, 50257)
    for code in (library.text, source_of("tarfile"), sample("python_code").text):
        assert len(trained.encode(code)) < len(gpt2.encode(code))


def test_what_samples_of_textbooks_say_of_their_merges_is_true() -> None:
    def merges(name: str) -> list[tuple[str, int]]:
        training = train(sample(name).text, TrainConfig(**sample(name).settings))
        tokenizer = training.tokenizer()
        return [(tokenizer.token_bytes(merge.token_id).decode(), merge.count) for merge in training.merges]

    assert len(merges("course_corpus")) == 19
    assert (sample("course_corpus").settings["vocab_size"], sample("course_corpus").text.count("\n") > 0) == (52, True)
    assert merges("toy_abababcb")[:2] == [("ab", 3), ("abab", 2)]
    assert len(merges("toy_low_lower")) == 10
    assert [token for token, _ in merges("toy_pans")] == ["an", "pa", "ns"]
    tokens = train(sample("toy_pans").text, TrainConfig(**sample("toy_pans").settings)).tokenizer().encode("pans")
    assert [token.bytes for token in tokens] == [b"p", b"an", b"s"]
    assert sample("toy_sentencepiece").text.count(".") == 6
    korean = train(sample("toy_sentencepiece").text, TrainConfig(**sample("toy_sentencepiece").settings)).tokenizer()
    assert [token.bytes for token in korean.encode("안")] == [b"\xec", b"\x95", b"\x88"]


@every_sample
def test_file_is_neither_empty_nor_over_20_kb_and_has_no_byte_order_mark(each: Sample) -> None:
    assert 0 < each.path.stat().st_size <= 20_000
    assert not each.text.startswith("\ufeff")


@every_sample
def test_text_ends_its_lines_with_a_line_feed_alone(each: Sample) -> None:
    if each.name != "white_space":
        assert "\r" not in each.text


@every_sample
def test_text_keeps_its_composed_letters(each: Sample) -> None:
    if each.name not in ("accents_two_forms", "emoji_and_scripts"):
        assert unicodedata.is_normalized("NFC", each.text)


@every_sample
def test_title_and_what_it_shows_are_one_line(each: Sample) -> None:
    assert each.title.splitlines() == [each.title.strip()]
    assert each.shows.splitlines() == [each.shows.strip()]
    assert len(each.title) <= 40
    assert len(each.shows) <= 160


@every_sample
def test_name_and_language_code_are_well_formed(each: Sample) -> None:
    assert re.fullmatch(r"[a-z][a-z_]*", each.name)
    assert each.lang is None or re.fullmatch(r"[a-z]{2}(-[A-Z][a-z]{3})?", each.lang)
    assert (each.lang is None) == (each.language in ("Code", "Mixed", "Toy"))


@every_sample
def test_settings_are_fields_of_the_train_config_and_make_one(each: Sample) -> None:
    assert set(each.settings) <= {field.name for field in fields(TrainConfig)}
    TrainConfig(**each.settings)


def test_character_toys_leave_room_for_the_merges_they_describe() -> None:
    hug, loop = sample("toy_hug"), sample("toy_loop")
    unknown, end_of_word = 1, 1
    assert hug.settings["vocab_size"] == unknown + len(set("hugpnbs")) + 4
    assert loop.settings["vocab_size"] == unknown + end_of_word + len(set("helowrdpt")) + 12


def test_the_japanese_toy_learns_words_step_by_step_without_a_tie() -> None:
    each = sample("toy_japanese_words")
    trained = train(each.text, TrainConfig(**each.settings))
    tokenizer = trained.tokenizer()
    learned = [(tokenizer.token_bytes(merge.token_id).decode(), merge.count) for merge in trained.merges]
    assert learned == [("最近", 6), ("TV", 5), ("でも", 4), ("人気", 3), ("者の", 2)]
    assert not any(trained.at(step).candidates(1)[0].tied for step in range(4))
    assert each.title.split() == [token for token, _ in learned]


def test_white_space_sample_holds_every_kind_of_it() -> None:
    text = sample("white_space").text
    for kind in ("\t", "   ", "\n\n\n", " \n", "\r\n", "\u00a0", "\u3000"):
        assert kind in text, repr(kind)


def test_accents_stand_in_both_forms() -> None:
    text = sample("accents_two_forms").text
    assert "caf\u00e9" in text
    assert "cafe\u0301" in text


def test_emoji_sample_holds_joined_flagged_toned_and_keycap_sequences() -> None:
    text = sample("emoji_and_scripts").text
    family = "\u200d".join("\U0001f469\U0001f469\U0001f467\U0001f466")
    for sequence in (family, "\U0001f1ef\U0001f1f5", "\U0001f44b\U0001f3fd", "1\ufe0f\u20e3"):
        assert sequence in text, ascii(sequence)


def test_python_sample_is_a_valid_program() -> None:
    compile(sample("python_code").text, "python_code", "exec")


def test_unknown_name_is_a_key_error_that_lists_the_choices() -> None:
    with pytest.raises(KeyError, match=r"named '\.\./secret'.*Choose one of: .*toy_hug") as caught:
        sample("../secret")
    assert isinstance(caught.value, SampleNotFoundError)


def test_sample_can_be_an_option_of_a_widget() -> None:
    hug = sample("toy_hug")
    assert pickle.loads(pickle.dumps(hug)) == hug
    assert hug in set(all_samples())
