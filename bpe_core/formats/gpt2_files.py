"""vocab.json and merges.txt, as GPT-2 has them: ids by token, and one line per merge; bytes written as characters.

What is in vocab.json and is neither a byte nor made by a merge is a special token. The split is GPT-2's.
"""

from __future__ import annotations

from collections.abc import Mapping

from bpe_core.bpe.model import BpeModel
from bpe_core.bpe.vocabulary import BaseVocabulary
from bpe_core.errors import FormatError, quoted
from bpe_core.formats.bpe import (
    bpe_model,
    bpe_tokenizer,
    byte_ids,
    merges_of,
    plain_byte_tokens,
    refuse_normalization,
)
from bpe_core.formats.reading import (
    HIGHEST_ID,
    MOST_SPECIAL,
    MOST_TOKENS,
    a_text,
    an_id,
    an_object,
    check_lines,
    decoded,
    json_text,
    parsed_json,
    refuse,
    tokens_by_id,
)
from bpe_core.text.byte_level import byte_level, from_byte_level
from bpe_core.tokenizer.model import Row
from bpe_core.tokenizer.tokenizer import Tokenizer

KIND = "vocab.json with merges.txt"
VOCAB, MERGES = "vocab.json", "merges.txt"
_VERSION = "#version:"


def write(tokenizer: Tokenizer) -> dict[str, bytes]:
    """The two files of a byte-pair encoding over bytes with GPT-2's split, by name.

    Raises FormatError for a tokenizer that they cannot hold without changing ids.

    >>> from bpe_core import TrainConfig, train
    >>> write(train("low low", TrainConfig(vocab_size=258)).tokenizer())["merges.txt"]
    b'#version: 0.2\\nl o\\nlo w\\n'
    """
    ids = plain_byte_tokens(tokenizer, KIND)
    refuse_normalization(tokenizer, KIND)
    if tokenizer.split.pattern != "gpt2":
        refuse(
            f"The tokenizer splits texts by {quoted(tokenizer.split.pattern)}.",
            f"Readers of {KIND} split as GPT-2 does.",
            'Save it as "tokenizers" or "bpe-lab".',
        )
    rows = bpe_model(tokenizer).merges.rows
    names = {token_id: byte_level(token) for token, token_id in ids.items()}
    made = {token_id for _, _, token_id in rows}
    never = next((i for token, i in ids.items() if len(token) > 1 and i not in made), None)
    if never is not None:
        refuse(
            f"No merge makes the token {never:,} ({quoted(tokenizer.token_bytes(never))}).",
            f"In {KIND} every token but bytes and special tokens comes from a merge.",
            'Save it as "tokenizers" or "bpe-lab".',
        )
    vocab = names | {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    if len(set(vocab.values())) < len(vocab):
        twice = next(token for token, i in tokenizer.special_tokens.items() if token in names.values())
        refuse(f"The special token {quoted(twice)} is written as another token is.", f"{KIND} names each once.")
    lines = [f"{names[left]} {names[right]}" for left, right, _ in rows]
    if any(line.startswith("#version") for line in lines):
        refuse("A merge begins with #version.", "Readers take such a line as a comment.", 'Save it as "bpe-lab".')
    by_id = {vocab[token_id]: token_id for token_id in sorted(vocab)}
    return {
        VOCAB: json_text(by_id).encode(),
        MERGES: "".join(line + "\n" for line in [f"{_VERSION} 0.2", *lines]).encode(),
    }


def read(files: Mapping[str, bytes], name: str = "", *, split: str | None = None) -> Tokenizer:
    """The tokenizer of the two files, given by name. Raises FormatError with the line or key of what is wrong.

    `split`: GPT-2's unless given.

    >>> from bpe_core import TrainConfig, train
    >>> files = write(train("low low", TrainConfig(vocab_size=258)).tokenizer())
    >>> read(files).tokenize("low low")
    ['low', ' ', 'low']
    """
    content = parsed_json(files[VOCAB], VOCAB, limit="It is an object of tokens and their ids.")
    ids = an_object(VOCAB, content)
    if len(ids) > MOST_TOKENS:
        refuse(f"{VOCAB} holds {len(ids):,} tokens.", f"The most allowed is {MOST_TOKENS:,}.")
    for token, token_id in ids.items():
        a_text(f"{VOCAB}, a token", token)
        an_id(f"{VOCAB}[{quoted(token)}]", token_id, HIGHEST_ID)
    rows = [(ids[left], ids[right], ids[left + right]) for left, right in _pairs(files[MERGES], ids)]
    special, tokens = split_special(ids, rows, VOCAB)
    base = BaseVocabulary(tokens=(), special_tokens={}, byte_ids=byte_ids(tokens, VOCAB))
    return bpe_tokenizer(
        name,
        BpeModel(base, tokens, merges_of(rows, tokens)),
        special,
        split="gpt2" if split is None else split,
    )


def split_special(ids: Mapping[str, int], rows: list[Row], place: str) -> tuple[dict[str, int], list[bytes | None]]:
    """The special tokens of a byte-level vocabulary, and the bytes of its other tokens by id.

    A token is special that is neither a single byte nor made by one of the merges `rows`. `place` is for messages.

    >>> split_special({"a": 0, "b": 1, "ab": 2, "<s>": 3}, [(0, 1, 2)], "vocab.json")
    ({'<s>': 3}, [b'a', b'b', b'ab'])
    """
    made = {token_id for _, _, token_id in rows}
    special: dict[str, int] = {}
    plain: list[tuple[str, bytes, int]] = []
    for token, token_id in ids.items():
        data = from_byte_level(token)
        if data is not None and (len(data) == 1 or token_id in made):
            plain.append((f"{place}[{quoted(token)}]", data, token_id))
        elif token_id in made or not token:
            refuse(f"{place} holds {quoted(token)}.", "Tokens are written in GPT-2's 256 characters for bytes.")
        else:
            special[token] = token_id
    if len(special) > MOST_SPECIAL:
        refuse(f"{place} holds {len(special):,} tokens that no merge makes.", f"The most allowed is {MOST_SPECIAL:,}.")
    return special, tokens_by_id(plain)


def _pairs(data: bytes, ids: Mapping[str, int]) -> list[tuple[str, str]]:
    """The merges as pairs of tokens of the vocabulary."""
    check_lines(data, MERGES)
    lines = decoded(data, MERGES).split("\n")
    pairs: list[tuple[str, str]] = []
    known: set[tuple[str, str]] = set()
    for number, line in enumerate(lines, start=1):
        text = line.removesuffix("\r")
        if (number == 1 and text.startswith(_VERSION)) or (not text and number == len(lines)):
            continue
        place = f"Line {number:,} of {MERGES}"
        left, space, right = text.partition(" ")
        if not (left and right and space) or " " in right:
            refuse(f"{place} is {quoted(text)}.", "A line is two tokens with a space between them.")
        check_pair(place, left, right, ids)
        if (left, right) in known:
            refuse(f"{place} repeats {quoted(text)}.", "Every pair has one merge.")
        known.add((left, right))
        pairs.append((left, right))
    return pairs


def check_pair(place: str, left: str, right: str, ids: Mapping[str, int]) -> None:
    """Raise FormatError where the left token of a merge, the right one or the new one is not in the vocabulary.

    >>> check_pair("Line 2", "l", "o", {"l": 0, "o": 1})
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: Line 2 merges 'l' and 'o', but the vocabulary lacks 'lo'. It holds both tokens of ...
    """
    for token in (left, right, left + right):
        if token not in ids:
            raise FormatError(
                f"{place} merges {quoted(left)} and {quoted(right)}, but the vocabulary lacks {quoted(token)}.",
                limit="It holds both tokens of every merge and the token that they become.",
                remedy="Use a vocabulary and merges that were saved together.",
            )
