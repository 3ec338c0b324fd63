"""Replay of a region's merges in explanations: against the plain reference, in words of bytes and of characters."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import TrainConfig, compare, train
from bpe_core.bpe import reference
from bpe_core.comparison.boundaries import SegmentedText
from bpe_core.comparison.evidence import Piece, Side, plain
from bpe_core.comparison.merge_order import LONGEST_REPLAY, replay
from bpe_core.tokenizer.tokenizer import Tokenizer

TEXT = "abab abba aab aaaa baab é日é日 ab日 éé aaab babab abcabc"
TOKENIZERS = {
    "bytes": train(TEXT, TrainConfig(vocab_size=290)).tokenizer(),
    "characters": train(TEXT, TrainConfig(unit="char", vocab_size=30)).tokenizer(),
    "ends of words": train(
        TEXT, TrainConfig(unit="char", end_of_word="</w>", split="words", vocab_size=30)
    ).tokenizer(),
}


def side_of(tokenizer: Tokenizer, text: str) -> Side:
    segmentation = SegmentedText("it", tokenizer, tokenizer.encode(text))
    return Side(segmentation, segmentation.region(0, len(text.encode())))


@pytest.mark.parametrize("name", TOKENIZERS)
@given(st.text("aabé日", min_size=1, max_size=30))
def test_a_replay_has_the_merges_of_the_reference_and_their_bytes(name: str, word: str) -> None:
    tokenizer = TOKENIZERS[name]
    assert tokenizer.model.merges is not None
    if name == "bytes":
        symbols = [tokenizer.token_id(bytes([byte])) for byte in word.encode()]
        current = [(symbol, 1) for symbol in symbols if symbol is not None]
    else:
        current = [(tokenizer.token_id(char.encode()) or 0, len(char.encode())) for char in word]
        if name == "ends of words":
            current.append((tokenizer.token_id(b"</w>") or 0, 0))
    expected = []
    for step in reference.encode([symbol for symbol, _ in current], tokenizer.model.merges.merge_of):
        at = next(i for i, (old, new) in enumerate(zip(current, step.word, strict=False)) if old[0] != new)
        starts = [0, *accumulate(size for _, size in current)]
        parts = [Piece(tokenizer.token_bytes(token_id), "it", token_id) for token_id in step.pair]
        expected.append((*parts, step.rank, *starts[at : at + 3]))
        current[at : at + 2] = [(step.word[at], current[at][1] + current[at + 1][1])]
    found = list(replay(side_of(tokenizer, word)))
    assert [(step.left, step.right, step.rank, step.start, step.middle, step.end) for step in found] == expected
    for step in found:
        text = b"".join(step.texts)
        assert text == word.encode()[step.start : step.end]


def test_a_long_region_is_not_replayed() -> None:
    for size, is_replayed in ((LONGEST_REPLAY, True), (LONGEST_REPLAY + 1, False)):
        side = side_of(TOKENIZERS["bytes"], ("ab" * size)[:size])
        assert bool(list(replay(side))) == is_replayed


def test_sentences_that_share_pieces_read_as_they_do_alone() -> None:
    models = {name: TOKENIZERS[name] for name in ("bytes", "characters")}
    text = TEXT + " abaab baba éaab" * 3
    comparison = compare(text, models)
    found = comparison.disagreements(*models)
    assert found
    for each in found:
        reason = comparison.reason(*models, each.start, each.end)
        assert each.explanation == reason.explanation
        assert (each.left_ids, each.right_ids) == (reason.left.ids, reason.right.ids)
    known: dict[Piece, str] = {}
    reason = comparison.reason(*models, found[0].start, found[0].end)
    for language in ("en", "ja"):
        assert plain(reason.sentence, language) == plain(reason.sentence, language, {})
    assert plain(reason.sentence, known=known) == plain(reason.sentence, known=known) == reason.explanation
    assert known
