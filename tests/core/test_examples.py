"""The worked examples of the definitions, as ids."""

import pytest

from bpe_core import TrainConfig, load_pretrained, train


def pieces(training) -> list[tuple[str, str]]:
    tokenizer = training.tokenizer()
    return [tuple(tokenizer.token_bytes(part).decode() for part in (m.left, m.right)) for m in training.merges]


def test_aaabdaaabac_becomes_five_ids_with_three_merges() -> None:
    training = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259, tie_break="first-seen"))
    assert [(m.left, m.right, m.token_id, m.count) for m in training.merges] == [
        (97, 97, 256, 4),
        (256, 97, 257, 2),
        (257, 98, 258, 2),
    ]
    assert training.tokenizer().encode("aaabdaaabac").ids.tolist() == [258, 100, 258, 97, 99]
    assert training.tokenizer().decode([258, 100, 258, 97, 99]) == "aaabdaaabac"


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("the", [1169]),
        ("Hello", [15496]),
        ("hello", [31373]),
        ("DeepSeek", [29744, 4653, 988]),
        ("こんにちは", [46036, 22174, 28618, 2515, 94, 31676]),
        ("    hello world!!!", [220, 220, 220, 23748, 995, 10185]),
    ],
)
def test_gpt2_gives_its_published_ids(text: str, ids: list[int]) -> None:
    gpt2 = load_pretrained("gpt2")
    assert gpt2.encode(text).ids.tolist() == ids
    assert gpt2.decode(ids) == text


def test_cl100k_gives_its_published_ids() -> None:
    cl100k = load_pretrained("cl100k_base")
    assert cl100k.encode("    hello world!!!").ids.tolist() == [262, 24748, 1917, 12340]


def test_hug_pug_pun_bun_hugs_merge_as_in_the_course() -> None:
    text = " ".join(["hug"] * 10 + ["pug"] * 5 + ["pun"] * 12 + ["bun"] * 4 + ["hugs"] * 5)
    training = train(text, TrainConfig(unit="char", split="words", vocab_size=12, tie_break="first-seen"))
    assert pieces(training)[:4] == [("u", "g"), ("u", "n"), ("h", "ug"), ("p", "un")]
    assert [merge.count for merge in training.merges[:4]] == [20, 16, 15, 12]


def test_hello_world_loop_loot_tool_merge_with_an_end_of_word_mark() -> None:
    config = TrainConfig(unit="char", split="words", end_of_word="</w>", tie_break="first-seen")
    training = train("hello world loop loot tool", config)
    assert pieces(training)[:7] == [
        ("l", "o"),
        ("lo", "o"),
        ("h", "e"),
        ("he", "l"),
        ("hel", "lo"),
        ("hello", "</w>"),
        ("w", "o"),
    ]


def test_gpt2_splits_contractions_numbers_and_signs() -> None:
    text = "Hello've world123 how's are you!!!?"
    encoding = load_pretrained("gpt2").encode(text)
    words = [text[token.char_start : token.char_end] for token in encoding]
    found = ["".join(w for w, n in zip(words, encoding.word_ids, strict=True) if n == i) for i in range(9)]
    assert found == ["Hello", "'ve", " world", "123", " how", "'s", " are", " you", "!!!?"]
    assert encoding.word_ids[-1] == 8


def test_overlapping_occurrences_are_counted_and_replaced_from_the_left() -> None:
    training = train("aaa", TrainConfig(split="none", vocab_size=257))
    assert training.merges[0].count == 2
    assert training.at(1).words() == [((256, 97), 1)]
