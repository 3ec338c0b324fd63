"""Special tokens with flags are found where the tokenizers library finds its added tokens, and cover the same text."""

import unicodedata

import pytest
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import models, pre_tokenizers

from bpe_core import SpecialToken, Tokenizer, TrainConfig, train
from bpe_core.tokenizer.special_tokens import SpecialTokens
from tests.draws import examples, swept

ALPHABET = "a9_ \t\n\u3000\u0301.²ⅳ\u203f\u200d\x1c\x85\ufeffé日"
NAMES = ("<s>", "<s>>", "a_", "日a")
CHARACTERS = train(ALPHABET * 2 + "<>s", TrainConfig(unit="char", split="none", vocab_size=22)).tokenizer()

pieces = st.one_of(st.sampled_from(NAMES), st.text(ALPHABET + "<>s", min_size=1, max_size=3))
texts = st.lists(pieces, max_size=12).map("".join)
flags = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=len(NAMES), max_size=len(NAMES))
Flags = list[tuple[bool, bool, bool]]


def ours(chosen: Flags) -> Tokenizer:
    return CHARACTERS.with_special_tokens(
        [SpecialToken(name, 100 + i, *each) for i, (name, each) in enumerate(zip(NAMES, chosen, strict=True))]
    )


def theirs(chosen: Flags) -> tokenizers.Tokenizer:
    """The library's tokenizer of the same characters, with added tokens at the next ids."""
    vocabulary = {token.decode(): i for i, token in enumerate(CHARACTERS.model.tokens) if token is not None}
    vocabulary |= {f"unused {i}": i for i in range(100) if i not in vocabulary.values()}
    made = tokenizers.Tokenizer(models.WordLevel(vocabulary, unk_token="unused 0"))
    made.pre_tokenizer = pre_tokenizers.Split(tokenizers.Regex(r"[\s\S]"), "isolated")
    made.add_special_tokens(
        [
            tokenizers.AddedToken(name, lstrip=left, rstrip=right, single_word=whole, normalized=False)
            for name, (left, right, whole) in zip(NAMES, chosen, strict=True)
        ]
    )
    return made


def one_flag(which: int) -> Flags:
    return [tuple(i == which for i in range(3))] * len(NAMES)  # type: ignore[list-item]


@settings(max_examples=examples(400))
@given(texts, flags)
@example("a \t\u3000<s>\n a", one_flag(0))
@example("a \t<s>\n\u3000 a", one_flag(1))
@example("<s> \x1c<s>", one_flag(0))
@example("<s>\x1c <s>\x85", one_flag(1))
@example("<s>².<s>ⅳ.<s>\u0301.<s>\u203f.<s>\u200d.<s>_", one_flag(2))
@example("<s>  <s>", [(True, True, False)] * len(NAMES))
def test_special_tokens_with_flags_are_found_where_the_library_finds_them(text: str, chosen: Flags) -> None:
    expected = theirs(chosen).encode(text, add_special_tokens=False)
    encoding = ours(chosen).encode(text, special="parse")
    assert encoding.ids.tolist() == expected.ids
    regions = list(zip(encoding.char_starts.tolist(), encoding.char_ends.tolist(), strict=True))
    assert regions == expected.offsets


# Unassigned characters are left out: the regex library knows a newer Unicode than the tokenizers library.
ASSIGNED = swept(char for char in map(chr, range(0x110000)) if unicodedata.category(char) not in ("Cn", "Cs", "Co"))


@pytest.mark.no_cover  # every character: too slow to trace, and other tests cover the same code
@pytest.mark.parametrize("flag", range(3))
def test_every_character_beside_a_special_token_counts_as_in_the_library(flag: int) -> None:
    special_tokens, peer = SpecialTokens(ours(one_flag(flag)).special_token_flags), theirs(one_flag(flag))
    for first in range(0, len(ASSIGNED), 10_000):
        text = ".".join(f"{char}<s>{char}" for char in ASSIGNED[first : first + 10_000])
        places, at = [], 0
        for part, special_id in special_tokens.segments(text, parse=True):
            places += [(at, at + len(part.text))] if special_id == 100 else []
            at += len(part.text)
        expected = peer.encode(text, add_special_tokens=False)
        assert places == [at for at, i in zip(expected.offsets, expected.ids, strict=True) if i == 100]
