"""Texts in which a token could occur: its text between others, and the characters that complete its bytes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from bpe_core.comparison.space_marks import puts_mark_in_front
from bpe_core.text.partial_character import partial_characters
from bpe_core.text.utf8 import CONTINUATION, sequence_length
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.marking import marks_as_spaces

_BEFORE = ("", "a", "x", "q", "z", "1", "字", "§", "A", ".", "(", "_", "'", "/")
_AFTER = ("", "s", "a", "A", "1", ".", "字", " ", "d", "re", "ll", "ve", "RE")

AROUND = (
    ("", "\n"),
    ("", " "),
    ("", ""),
    ("a", "a"),
    *((before, "\n") for before in _BEFORE[1:]),
    *(("", after + "\n") for after in _AFTER[1:]),
    *((before, after + "\n") for before in ("a", "q") for after in ("s", "A", ".")),
)
"""Prefixes and suffixes of tokens; for each pair, one text contains all tokens of the vocabulary."""

MOST_COMPLETIONS = 4_096
"""Limit on the completions of one token's bytes to characters."""

_SAMPLED = 64
"""First bytes of characters of one length to try before a token."""

_CONTINUATIONS = tuple(bytes([byte]) for byte in CONTINUATION)


def plain_texts(tokenizer: Tokenizer) -> dict[int, bytes]:
    """Text of every token of the model by id: with a space for an initial ▁, without the model's marks.

    >>> from bpe_core import load_pretrained
    >>> plain_texts(load_pretrained("t5-small"))[8774], plain_texts(load_pretrained("bert-base-uncased"))[2015]
    (b' Hello', b's')
    """
    model = tokenizer.model
    marks = puts_mark_in_front(tokenizer) is not None
    found = {}
    for token_id, data in enumerate(model.tokens):
        if data is not None:
            text = marks_as_spaces(data, with_space=True) if marks else data
            found[token_id] = model.text_of(text, ends=model.ends_word(token_id), with_space=True)
    return found


def completions(data: bytes) -> Iterator[str]:
    """Texts that contain these bytes, at most `MOST_COMPLETIONS`; none if UTF-8 text cannot contain them.

    >>> list(completions(b"low")), next(completions(b"\\xe3\\x81")), list(completions(b"\\xff"))
    (['low'], '\\u3040', [])
    """
    parts = partial_characters(data)
    before = len(data) - len(data.lstrip(CONTINUATION))
    if before > 3 or any(part.place == "never" for part in parts):
        return
    missing = next((part.of - len(part.data) for part in parts if part.place == "start"), 0)
    heads = _heads(before)
    tried = set()
    for at in range(MOST_COMPLETIONS):
        head = heads[at % len(heads)]
        if parts and parts[0].place == "inside":  # the preceding first byte determines how many follow
            missing = sequence_length(head[0]) - len(head) - before
        tails = _tails(missing)
        tail = tails[(37 * (at // len(heads) + at)) % len(tails)]
        if (head, tail) in tried:
            continue
        tried.add((head, tail))
        try:
            yield (head + data + tail).decode()
        except UnicodeDecodeError:  # such as ED A0, which would begin a surrogate
            continue


@cache
def _heads(before: int) -> tuple[bytes, ...]:
    """Bytes that begin a character with at least `before` further bytes."""
    if not before:
        return (b"",)
    found: list[bytes] = []
    for size in range(before + 1, 5):
        firsts = [bytes([byte]) for byte in range(256) if sequence_length(byte) == size]
        whole = [b"".join(each) for each in product(firsts, *[_CONTINUATIONS] * (size - 1 - before))]
        found += whole[:: max(1, len(whole) // _SAMPLED)]
    return tuple(found)


@cache
def _tails(missing: int) -> tuple[bytes, ...]:
    """Bytes that complete a character."""
    found = [b"".join(each) for each in product(_CONTINUATIONS, repeat=missing)]
    return tuple(found[:: max(1, len(found) // MOST_COMPLETIONS)])
