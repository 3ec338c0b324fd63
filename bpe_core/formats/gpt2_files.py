"""vocab.json and merges.txt, as GPT-2 has them: ids by token, and a line a merge; bytes written as characters.

What stands in vocab.json and is neither a byte nor made by a merge is a special token. The split is GPT-2's.
"""

from __future__ import annotations

from collections.abc import Mapping

from bpe_core.errors import FormatError, quoted
from bpe_core.formats.bpe import (
    bpe_tokenizer,
    byte_ids,
    byte_level,
    from_byte_level,
    merges_of,
    plain_byte_tokens,
    refuse_normalization,
    tokenizer_config,
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
from bpe_core.merges import Row
from bpe_core.tokenizer import Tokenizer
from bpe_core.vocabulary import BaseVocabulary

KIND = "vocab.json with merges.txt"
VOCAB, MERGES = "vocab.json", "merges.txt"
_VERSION = "#version:"


def write(tokenizer: Tokenizer) -> dict[str, bytes]:
    """The two files of a byte-pair encoding over bytes with GPT-2's split. FormatError for what they cannot hold."""
    ids = plain_byte_tokens(tokenizer, KIND)
    refuse_normalization(tokenizer, KIND)
    if tokenizer.config.split != "gpt2":
        refuse(
            f"The tokenizer splits texts by {quoted(tokenizer.config.split)}.",
            f"Readers of {KIND} split as GPT-2 does.",
            'Save it as "tokenizers" or "bpe-lab".',
        )
    rows = tokenizer.merges.rows
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
        refuse("A merge begins with #version.", "Readers take such a line for a comment.", 'Save it as "bpe-lab".')
    by_id = {vocab[token_id]: token_id for token_id in sorted(vocab)}
    return {
        VOCAB: json_text(by_id).encode(),
        MERGES: "".join(line + "\n" for line in [f"{_VERSION} 0.2", *lines]).encode(),
    }


def read(files: Mapping[str, bytes], name: str = "", *, split: str | None = None) -> Tokenizer:
    """The tokenizer of the two files. Raises FormatError with the line or key of what is wrong."""
    content = parsed_json(files[VOCAB], VOCAB, limit="It is an object of tokens and their ids.")
    ids = an_object(VOCAB, content)
    if len(ids) > MOST_TOKENS:
        refuse(f"{VOCAB} holds {len(ids):,} tokens.", f"The most allowed is {MOST_TOKENS:,}.")
    for token, token_id in ids.items():
        a_text(f"{VOCAB}, a token", token)
        an_id(f"{VOCAB}[{quoted(token)}]", token_id, HIGHEST_ID)
    rows = [(ids[left], ids[right], ids[left + right]) for left, right in _pairs(files[MERGES], ids)]
    special, tokens = split_special(ids, rows, VOCAB)
    return bpe_tokenizer(
        name,
        tokenizer_config(vocab_size=len(tokens), split="gpt2" if split is None else split),
        BaseVocabulary(tokens=(), special_tokens={}, byte_ids=byte_ids(tokens, VOCAB)),
        tokens,
        merges_of(rows, tokens),
        special,
    )


def split_special(ids: Mapping[str, int], rows: list[Row], place: str) -> tuple[dict[str, int], list[bytes | None]]:
    """The special tokens of a byte-level vocabulary, and the bytes of the others by id."""
    made = {token_id for _, _, token_id in rows}
    special: dict[str, int] = {}
    plain: list[tuple[str, bytes, int]] = []
    for token, token_id in ids.items():
        data = from_byte_level(token)
        if data is not None and (len(data) == 1 or token_id in made):
            plain.append((f"{place}[{quoted(token)}]", data, token_id))
        elif token_id in made or not token:
            refuse(f"{place} holds {quoted(token)}.", "Tokens are written in the characters that stand for bytes.")
        else:
            special[token] = token_id
    if len(special) > MOST_SPECIAL:
        refuse(f"{place} holds {len(special):,} tokens that no merge makes.", f"The most allowed is {MOST_SPECIAL:,}.")
    return special, tokens_by_id(plain)


def _pairs(data: bytes, ids: Mapping[str, int]) -> list[tuple[str, str]]:
    """The merges, as tokens that the vocabulary holds."""
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
            refuse(f"{place} is {quoted(text)}.", "A line is two tokens with a space between.")
        checked_pair(place, left, right, ids)
        if (left, right) in known:
            refuse(f"{place} is {quoted(text)}, which stands there already.", "Every pair merges once.")
        known.add((left, right))
        pairs.append((left, right))
    return pairs


def checked_pair(place: str, left: str, right: str, ids: Mapping[str, int]) -> None:
    """Raises FormatError where a merge, its left or its right token is missing in the vocabulary."""
    for token in (left, right, left + right):
        if token not in ids:
            raise FormatError(
                f"{place} merges {quoted(left)} and {quoted(right)}, but the vocabulary lacks {quoted(token)}.",
                limit="It holds both tokens of every merge and what they become.",
                remedy="Take both from the same place: the vocabulary and the merges belong together.",
            )
