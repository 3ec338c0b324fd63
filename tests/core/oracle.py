"""Byte-pair encoding written from the definitions, for tests only: everything is recounted before each merge.

It shares no code with bpe_core except the split patterns, which test_pretrained.py compares with tiktoken's.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import regex
from hypothesis import strategies as st

from bpe_core import TrainConfig
from bpe_core.text.splits import PATTERNS

Pair = tuple[int, int]
Words = list[tuple[int, ...]]


class Trained(NamedTuple):
    """`merges`: (left, right, new id, count) in order; `states`: the distinct words before the first merge and after
    each; `counts`: how often each word occurs; `tokens`: the bytes of every id."""

    merges: list[tuple[int, int, int, int]]
    states: list[Words]
    counts: list[int]
    stop_reason: str
    tokens: list[bytes]


def train(texts: str | Iterable[str], config: TrainConfig, forced: Sequence[Pair] = ()) -> Trained:
    counted = counted_words(texts, config)
    tokens, symbols = base(list(counted), config)
    counts = list(counted.values())
    states = [[symbols(word) for word in counted]]
    merges: list[tuple[int, int, int, int]] = []
    while True:
        pairs = pair_counts(states[-1], counts)
        if config.tie_break == "first-counted":
            pairs = {pair: pairs[pair] for pair in ever_counted(states, counts) if pair in pairs}
        if len(tokens) >= config.vocab_size:
            reason = "vocabulary full"
            break
        if len(merges) < len(forced):
            pair = forced[len(merges)]
        elif not pairs:
            reason = "no pairs left"
            break
        else:
            pair = choose(pairs, config.tie_break)
            if pairs[pair] < config.min_count:
                reason = "below min_count"
                break
        merges.append((*pair, len(tokens), pairs.get(pair, 0)))
        states.append([merged(word, pair, len(tokens)) for word in states[-1]])
        tokens.append(tokens[pair[0]] + tokens[pair[1]])
    if not pair_counts(states[0], counts):
        reason = "no pairs left"
    return Trained(merges, states, counts, reason, tokens)


def counted_words(texts: str | Iterable[str], config: TrainConfig) -> dict[str, int]:
    counted: dict[str, int] = {}
    for text in [texts] if isinstance(texts, str) else texts:
        for word in words(normalized(text, config), config):
            counted[word] = counted.get(word, 0) + 1
    return counted


def normalized(text: str, config: TrainConfig) -> str:
    text = "".join("\N{REPLACEMENT CHARACTER}" if "\ud800" <= char <= "\udfff" else char for char in text)
    if config.normalization != "none":
        text = unicodedata.normalize(config.normalization, text)
    if config.lowercase:
        text = text.lower()
    if config.strip_accents:
        text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
        if config.normalization not in ("NFD", "NFKD"):
            text = unicodedata.normalize("NFC", text)
    return text


def words(text: str, config: TrainConfig) -> list[str]:
    found = (match.group() for match in regex.finditer(PATTERNS.get(config.split, config.split), text))
    return [word for word in found if word]


def base(distinct: list[str], config: TrainConfig):
    """The bytes of every id before the first merge, and a function from a word to its ids."""
    special = list(config.special_tokens)
    byte_values = list(range(256))
    if config.base_order == "gpt2":  # as in OpenAI's bytes_to_unicode
        printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
        byte_values = printable + [value for value in range(256) if value not in printable]
    chars: list[str] = []
    if config.unit == "char":
        chars = sorted({char for word in distinct for char in word})
        if not config.byte_fallback:
            byte_values = []
            special += [] if "<unk>" in special else ["<unk>"]
    tokens = [token.encode() for token in special]
    byte_ids = {value: len(tokens) + index for index, value in enumerate(byte_values)}
    tokens += [bytes([value]) for value in byte_values]
    char_ids = {char: len(tokens) + index for index, char in enumerate(chars)}
    tokens += [char.encode() for char in chars]
    mark = []
    if config.end_of_word:
        mark = [len(tokens)]
        tokens.append(config.end_of_word.encode())

    def symbols(word: str) -> tuple[int, ...]:
        ids: list[int] = []
        for char in word:
            if char in char_ids:
                ids.append(char_ids[char])
            elif byte_ids:
                ids += [byte_ids[value] for value in char.encode()]
            else:
                ids.append(special.index("<unk>"))
        return (*ids, *mark)

    return tokens, symbols


def pair_counts(state: Words, counts: Sequence[int]) -> dict[Pair, int]:
    pairs: dict[Pair, int] = {}
    for word, count in zip(state, counts, strict=True):
        for i in range(len(word) - 1):
            pair = (word[i], word[i + 1])
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs


def ever_counted(states: Sequence[Words], counts: Sequence[int]) -> list[Pair]:
    """The pairs of all these states, in the order in which they first occurred."""
    return list(dict.fromkeys(pair for state in states for pair in pair_counts(state, counts)))


def choose(pairs: dict[Pair, int], tie_break: str) -> Pair:
    if tie_break != "lowest-ids":
        return max(pairs, key=pairs.get)
    top = max(pairs.values())
    return min(pair for pair, count in pairs.items() if count == top)


def merged(word: tuple[int, ...], pair: Pair, new_id: int) -> tuple[int, ...]:
    result: list[int] = []
    i = 0
    while i < len(word):
        if i + 1 < len(word) and (word[i], word[i + 1]) == pair:
            result.append(new_id)
            i += 2
        else:
            result.append(word[i])
            i += 1
    return tuple(result)


def encoded(symbols: Sequence[int], trained: Trained, step: int) -> list[int]:
    """Encode one word: merge all occurrences of the adjacent pair of lowest rank, until no merge applies."""
    ranks: dict[Pair, tuple[int, int]] = {}
    for rank, (left, right, new_id, _) in enumerate(trained.merges[:step]):
        ranks.setdefault((left, right), (rank, new_id))
    current = tuple(symbols)
    while found := [(*ranks[pair], pair) for pair in pair_counts([current], [1]) if pair in ranks]:
        _, new_id, pair = min(found)
        current = merged(current, pair, new_id)
    return list(current)


LETTERS = "aaabbc A\n'1éÉe\u0301ﬁ한\u1112\u1161\u11abΣİ🙂\ud800"
"""Few distinct letters, so that pairs repeat and tie; and one of each difficult kind."""

texts = st.text(LETTERS, max_size=40)
corpora = st.one_of(texts, st.lists(texts, max_size=4))


@st.composite
def configs(draw: st.DrawFn) -> TrainConfig:
    """Any settings, with a vocabulary for up to 30 merges on the characters of LETTERS."""
    unit = draw(st.sampled_from(["byte", "char"]))
    byte_fallback = unit == "char" and draw(st.booleans())
    special_tokens = draw(st.sampled_from([(), ("<s>",), ("<|end|>", "aa"), ("<unk>", "<s>")]))
    least = 256 + len(special_tokens) if unit == "byte" else 36 + 256 * byte_fallback
    return TrainConfig(
        vocab_size=least + draw(st.integers(0, 30)),
        unit=unit,
        split=draw(st.sampled_from(["none", "words", "gpt2", "cl100k", "o200k", "[ab]+|[^ab]"])),
        end_of_word="" if unit == "byte" else draw(st.sampled_from(["", "</w>", "a"])),
        normalization=draw(st.sampled_from(["none", "NFC", "NFD", "NFKC", "NFKD"])),
        lowercase=draw(st.booleans()),
        strip_accents=draw(st.booleans()),
        tie_break=draw(st.sampled_from(["first-seen", "lowest-ids", "first-counted"])),
        base_order=draw(st.sampled_from(["byte-value", "gpt2"])),
        min_count=draw(st.integers(1, 3)),
        special_tokens=special_tokens,
        byte_fallback=byte_fallback,
    )
