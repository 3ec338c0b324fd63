"""Proof that a file gives the same ids elsewhere: its own library reads it and encodes a text.

A tokenizer to be exported is proven with the files written for it, one read from files with the originals. The
libraries are in `libraries.py`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from bpe_core import checks
from bpe_core.arrays import sorted_place
from bpe_core.errors import FormatError, quoted
from bpe_core.formats import (
    FORMATS,
    bpe_lab,
    from_files,
    gpt2_files,
    sentencepiece_file,
    tekken_file,
    tiktoken_file,
    to_files,
)
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.file_choice import CONFIG, VOCAB, check_contents, files_of_one
from bpe_core.formats.libraries import ORIGINALS, PEERS, Peer, run
from bpe_core.formats.packed import unpacked
from bpe_core.formats.reading import THE_FILE, an_object
from bpe_core.formats.tiktoken_file import rank_order_differs
from bpe_core.language import message
from bpe_core.text.normalization import replace_surrogates
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Special, Tokenizer

MOST_SHOWN = 6
"""Maximum number of tokens of each side in a difference."""


class ProofToken(NamedTuple):
    """A token of one side, with that side's bytes.

    >>> from bpe_core import TrainConfig, train
    >>> pairs = [(97, 98), (98, 99), (97, 257)]  # ab, bc, and abc of a and bc; by rank, abc is ab and c as well
    >>> tokenizer = train("", TrainConfig(split="words", vocab_size=259), forced=pairs).tokenizer()
    >>> files = to_files(tokenizer, format="tiktoken", proven_on="ab")
    >>> prove(tokenizer, "abc", format="tiktoken", files=files).difference.theirs
    (ProofToken(id=258, bytes=b'abc'),)
    """

    id: int
    bytes: bytes


@dataclass(frozen=True)
class ProofDifference:
    """First difference of two encodings: token index, character in the text, and both sides from there.

    `parsed`: whether special tokens in the text were parsed, or encoded as plain text. `reason`: a sentence, or "" if
    unknown. It may contain text of the tokenizer or the user.

    >>> from bpe_core import TrainConfig, train
    >>> pairs = [(97, 98), (98, 99), (97, 257)]  # ab, bc, and abc of a and bc; by rank, abc is ab and c as well
    >>> tokenizer = train("", TrainConfig(split="words", vocab_size=259), forced=pairs).tokenizer()
    >>> files = to_files(tokenizer, format="tiktoken", proven_on="ab")
    >>> difference = prove(tokenizer, "ab abc", format="tiktoken", files=files).difference
    >>> difference.index, difference.character, difference.ours[0].bytes, difference.theirs[0].bytes
    (1, 3, b'ab', b'abc')
    """

    index: int
    character: int
    ours: tuple[ProofToken, ...]
    theirs: tuple[ProofToken, ...]
    parsed: bool
    reason: str


class DecodingDifference(NamedTuple):
    """First difference of the texts decoded from the same ids: a character, and both texts around it.

    >>> DecodingDifference(3, " low", "low").theirs
    'low'
    """

    character: int
    ours: str
    theirs: str


@dataclass(frozen=True)
class Proof:
    """Result of a proof: numbers of tokens and characters, the library, and the first difference if any.

    >>> from bpe_core import load_pretrained
    >>> proof = prove(load_pretrained("gpt2"), "low lower", format="bpe-lab")
    >>> proof.equal, proof.tokens, proof.characters, proof.library
    (True, 2, 9, 'bpe_core')
    """

    format: str
    tokens: int
    characters: int
    library: str
    version: str
    parsed: bool
    """Whether the text contains special tokens and was also encoded with these parsed."""
    difference: ProofDifference | None
    decoded: bool = False
    """Whether both sides also decoded the ids, which requires equal ids."""
    decoding: DecodingDifference | None = None

    @property
    def equal(self) -> bool:
        """Whether all ids are the same."""
        return self.difference is None


def prove(tokenizer: Tokenizer, text: str, *, format: str, files: Mapping[str, bytes] | None = None) -> Proof:
    """Encode a text with a tokenizer and with the library of its format, and compare the ids.

    `files`: the files for the library, by default those of `to_files`. Lone surrogates become U+FFFD for both sides. A
    text that contains special tokens is encoded twice, with these as plain text and as tokens, except for
    "sentencepiece", which does not parse them. Raises FormatError for a tokenizer that cannot be written, files that
    the library rejects, a text that it cannot encode, and a library that is not installed; ConfigError for an unknown
    format.

    >>> from bpe_core import TrainConfig, train
    >>> tokenizer = train("low lower lowest", TrainConfig(vocab_size=260)).tokenizer()
    >>> proof = prove(tokenizer, "slow slower", format="tiktoken")
    >>> proof.equal, proof.tokens, proof.library
    (True, 7, 'tiktoken')
    """
    checks.choice(format, "format", FORMATS)
    _check(tokenizer, text)
    written = to_files(tokenizer, format=format) if files is None else files
    check_contents(written)
    proof = _proof(tokenizer, text, format, PEERS[format](tokenizer, written))
    if format != "wordpiece" or CONFIG in written or proof.difference is None or proof.difference.reason:
        return proof
    if from_files(written).normalizer == tokenizer.normalizer:
        return proof
    alone = message(
        "A vocab.txt alone is read in lower case and without accents: {config} beside it says how this tokenizer "
        "normalizes texts.",
        config=CONFIG,
    )
    return replace(proof, difference=replace(proof.difference, reason=alone))


def prove_original(tokenizer: Tokenizer, text: str, files: Mapping[str, bytes]) -> Proof:
    """Encode a text with a tokenizer and with the library of its original files, and compare ids and decoding.

    `files`: the files that the tokenizer was read from, as given to `from_files`. Stages missing from them (the split
    of .tiktoken, BERT's split of vocab.txt) are taken from the tokenizer. The ids are compared as in `prove`, and so
    are the decoded texts, special tokens included. Raises FormatError as `prove` does.

    >>> from bpe_core.formats import from_files
    >>> files = {"vocab.txt": b"[UNK]\\nlow\\n##er\\n"}
    >>> proof = prove_original(from_files(files), "lower", files)
    >>> proof.equal, proof.library, proof.decoded, proof.decoding
    (True, 'tokenizers', True, None)
    """
    _check(tokenizer, text)
    format, read = original_format(files)
    return _proof(tokenizer, text, format, ORIGINALS[format](tokenizer, read), decodes=True)


def _check(tokenizer: object, text: object) -> None:
    checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer"))
    checks.given_text(text)


_PLAIN_ONLY = ("sentencepiece", "tekken")
"""Kinds whose libraries always encode special tokens in a text as plain text."""


def _proof(tokenizer: Tokenizer, text: str, format: str, peer: Peer, *, decodes: bool = False) -> Proof:
    safe = replace_surrogates(text)[0]
    plain = tokenizer.encode(safe)
    parsed = format not in _PLAIN_ONLY and any(token in safe for token in tokenizer.special_tokens)
    modes: list[tuple[Special, Encoding]] = [("text", plain)]
    if parsed:
        modes.append(("parse", tokenizer.encode(safe, special="parse")))
    difference = None
    for special, ours in modes:
        theirs = run(peer.library, message("encode the text"), partial(peer.encode, safe, special))
        difference = _difference(tokenizer, ours, theirs, peer, format, parsed=special == "parse")
        if difference is not None:
            break
    decoded = decodes and difference is None
    decoding = _decoding(tokenizer, ours.ids.tolist(), peer) if decoded else None
    return Proof(format, len(plain), len(safe), peer.library, peer.version, parsed, difference, decoded, decoding)


# -- the differences --------------------------------------------------------------------------------------------


def _difference(
    tokenizer: Tokenizer, ours: Encoding, theirs: list[int], peer: Peer, format: str, *, parsed: bool
) -> ProofDifference | None:
    """First difference of the ids, or None."""
    other = np.array(theirs, np.int64)
    both = min(len(ours), len(other))
    unequal = np.flatnonzero(ours.ids[:both] != other[:both])
    if not unequal.size and len(ours) == len(other):
        return None
    index = int(unequal[0]) if unequal.size else both
    at = int(ours.char_starts[index]) if index < len(ours) else len(ours.text)
    spans = ours.normalized.spans
    original = len(ours.normalized.original) if at == len(ours.text) else at if spans is None else int(spans[at, 0])
    here = slice(index, index + MOST_SHOWN)

    def of_theirs() -> tuple[ProofToken, ...]:
        return tuple(ProofToken(i, peer.token(i)) for i in theirs[here])

    mine = tuple(ProofToken(i, tokenizer.token_bytes(i)) for i in ours.ids[here].tolist())
    other_side = run(peer.library, message("name its tokens"), of_theirs)
    return ProofDifference(
        index, original, mine, other_side, parsed, _reason(tokenizer, ours, at, format, parsed=parsed)
    )


def _decoding(tokenizer: Tokenizer, ids: list[int], peer: Peer) -> DecodingDifference | None:
    """First difference of the decoded texts, or None."""
    ours = tokenizer.decode(ids)
    theirs = run(peer.library, message("decode the ids"), partial(peer.decode, ids))
    if ours == theirs:
        return None
    pairs = enumerate(zip(ours, theirs, strict=False))
    at = next((i for i, (one, other) in pairs if one != other), min(len(ours), len(theirs)))
    begin = max(0, at - _BEFORE)
    here = slice(begin, begin + _DECODED_SHOWN)
    return DecodingDifference(at, ours[here], theirs[here])


def _reason(tokenizer: Tokenizer, ours: Encoding, at: int, format: str, *, parsed: bool) -> str:
    """Reason for a difference at a character of the normalized text; "" if unknown."""
    word = _word_around(ours, at)
    if format == "tiktoken" and not parsed and rank_order_differs(tokenizer, word) is not None:
        return message(
            "In {word} tiktoken joins any two neighbours that spell a token, the lowest rank first; this "
            "tokenizer joins only the pairs that it learned, in their order.",
            word=quoted(word),
        )
    if format == "wordpiece" and len(word) > _LONGEST_WORD:
        return message(
            "A word of {characters:,} characters: readers of a vocab.txt read more than {longest} as unknown.",
            characters=len(word),
            longest=_LONGEST_WORD,
        )
    unassigned = next((char for char in word if unicodedata.category(char) == "Cn"), "")
    if unassigned:
        known = unicodedata.unidata_version
        return message(
            "U+{code:04X} is not in Unicode {version}: libraries with other versions may differ on it.",
            code=ord(unassigned),
            version=known,
        )
    return ""


_BEFORE = 10
_DECODED_SHOWN = 40
"""Number of characters of a decoded text shown around a difference."""

_LONGEST_WORD = 100
_NEAR = 200


def _word_around(ours: Encoding, at: int) -> str:
    """Word around a character of the normalized text."""
    index = sorted_place(ours.char_ends, at, "right")
    if index >= len(ours):
        return ours.text[at - _NEAR if at > _NEAR else 0 :]
    same = np.flatnonzero(ours.word_ids == ours.word_ids[index])
    return ours.text[int(ours.char_starts[same[0]]) : int(ours.char_ends[same[-1]])]


def original_format(files: Mapping[str, bytes]) -> tuple[str, dict[str, bytes]]:
    """Kind of the files, and those that `from_files` reads, decompressed.

    The kind is a format, or the read-only "clip" or "tekken". Raises FormatError for files of no known kind, as reading
    them does.

    >>> original_format({"tokenizer.json": b'{"model": {}}', "README.md": b""})
    ('tokenizers', {'tokenizer.json': b'{"model": {}}'})
    >>> original_format({"vocab.txt": b"[UNK]\\nlow\\n"})[0], original_format({"a.tiktoken": b"IQ== 0\\n"})[0]
    ('wordpiece', 'tiktoken')
    """
    read = {name: unpacked(bytes(data), name) for name, data in files_of_one(files).items()}
    return "gpt2" if VOCAB in read else _kind(next(iter(read.values()))), read


_READ = message("Tokenizer files of JSON are tokenizer.json, tekken.json and BPE Lab's.")


def _kind(data: bytes) -> str:
    if sentencepiece_file.is_like(data):
        return "sentencepiece"
    if data[:1_000].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        content = an_object(THE_FILE, parsed_json(data, limit=_READ))
        if content.get("format") == bpe_lab.FORMAT:
            return "bpe-lab"
        if "model" in content:
            return "tokenizers"
        if tekken_file.is_like(content):
            return "tekken"
        raise FormatError(
            message("The file is JSON, but not a tokenizer's."), limit=_READ, remedy=message("Choose such a file.")
        )
    if tiktoken_file.is_like(data):
        return "tiktoken"
    return "clip" if gpt2_files.ends_words(data) else "wordpiece"
