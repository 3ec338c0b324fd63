"""Glitch tokens: every listed id has its text in the rank files, and steps are found by rank."""

from __future__ import annotations

import base64
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe_core
from bpe_core import Tokenizer, TrainConfig, load_pretrained, train
from bpe_core.comparison.reach import unreached_tokens
from bpe_core.published.known_glitches import CL100K, GPT2, ORIGINS, STUDIES, GlitchToken, glitch_tokens
from bpe_core.tokenizer.merged_on import merged_at_once

STORY = (Path(__file__).parents[2] / "sample_texts" / "lantern_story.txt").read_text("utf-8")
FOLDER = Path(bpe_core.__file__).parent / "vocabularies"
BY_THE_STUDY_OF_GPT2 = {
    *(30897, 45544, 30212, 30905, 39752, 36173, 42089, 40241, 30898, 40240, 30208),
}
"""Tokens that Land and Bartolo's results list as under-trained in GPT-2 medium itself."""


def in_file(name: str) -> dict[int, bytes]:
    rows = (line.split() for line in (FOLDER / f"{name}.tiktoken").read_bytes().splitlines())
    return {int(rank): base64.b64decode(token) for token, rank in rows}


@pytest.mark.parametrize(("file", "known"), [("r50k_base", GPT2), ("cl100k_base", CL100K)])
def test_every_glitch_token_has_its_text_under_its_id_in_the_rank_file(
    file: str, known: tuple[GlitchToken, ...]
) -> None:
    tokens = in_file(file)
    for each in known:
        assert tokens[each.id] == each.text.encode(), each
        assert each.origin in ORIGINS
        assert each.study in STUDIES
    assert all(one.id < other.id for one, other in pairwise(known))


def test_glitch_tokens_are_those_of_a_vocabulary_whatever_its_name() -> None:
    gpt2 = load_pretrained("gpt2")
    renamed = Tokenizer("mine", model=gpt2.model, split=gpt2.split)
    assert list(glitch_tokens(renamed)) == [each.id for each in GPT2]
    assert list(glitch_tokens(load_pretrained("cl100k_base"))) == [each.id for each in CL100K]
    for name in ("o200k_base", "bert-base-uncased", "t5-small"):
        assert glitch_tokens(load_pretrained(name)) == {}
    assert glitch_tokens(train("low lower").tokenizer()) == {}


def test_glitch_tokens_can_be_reached_by_text_so_their_text_alone_is_one_token() -> None:
    for name, known in (("gpt2", GPT2), ("cl100k_base", CL100K)):
        tokenizer = load_pretrained(name)
        for each in known:
            assert tokenizer.encode(each.text).ids.tolist() == [each.id]
    assert not unreached_tokens(load_pretrained("gpt2")).keys() & {each.id for each in GPT2}


def test_the_steps_of_gpt2_are_those_that_its_own_model_never_learned() -> None:
    steps = merged_at_once(load_pretrained("gpt2"))
    assert len(steps) == 12
    assert BY_THE_STUDY_OF_GPT2 - steps.keys() == {30208}  # " externalTo", the step before " externalToEVA"


def test_among_the_first_merges_a_token_taken_at_once_may_be_left_often() -> None:
    cl100k = load_pretrained("cl100k_base")
    two, four = (cl100k.token_id(b" " * count) for count in (2, 4))
    assert merged_at_once(cl100k, first=0).keys() - merged_at_once(cl100k).keys() == {two}
    assert merged_at_once(cl100k, first=0)[two or 0] == four


def test_steps_of_a_training_are_hardly_used_at_its_end() -> None:
    training = train(STORY, TrainConfig(vocab_size=1_500))
    tokenizer = training.tokenizer()
    used = dict(zip(*np.unique(tokenizer.encode(STORY).ids, return_counts=True), strict=True))
    counts = {merge.token_id: merge.count for merge in training.merges}
    steps = merged_at_once(tokenizer)
    assert len(steps) > 20
    assert all(used.get(each, 0) <= 0.25 * counts[each] for each in steps)


@given(text=st.text("abc ", max_size=200), size=st.integers(256, 290))
def test_a_step_is_a_part_of_the_token_made_next(text: str, size: int) -> None:
    training = train(text, TrainConfig(vocab_size=size, split="none"))
    expected = {
        merge.token_id: following.token_id
        for merge, following in pairwise(training.merges)
        if merge.token_id in (following.left, following.right)
    }
    assert merged_at_once(training.tokenizer(), first=0) == expected


def test_a_model_without_merges_has_no_steps() -> None:
    assert merged_at_once(load_pretrained("bert-base-uncased")) == {}
