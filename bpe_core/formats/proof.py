"""The proof that a file gives the same ids elsewhere: the library that it belongs to reads it and encodes a text.

format           read by
"tokenizers"     tokenizers, as tokenizer.json
"tiktoken"       tiktoken, with the split's pattern and the special tokens, which are not in the file
"gpt2"           tokenizers, as vocabulary and merges, with its own byte level and the special tokens
"wordpiece"      tokenizers, as vocabulary, with BERT's split
"sentencepiece"  sentencepiece
"bpe-lab"        bpe_core itself, since nothing else reads this file
"""

from __future__ import annotations

import base64
import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

import numpy as np

from bpe_core.errors import ConfigError, FormatError, quoted
from bpe_core.formats import FORMATS, from_files, to_files
from bpe_core.formats.file_choice import MERGES, VOCAB
from bpe_core.formats.tiktoken_file import rank_order_differs
from bpe_core.text.byte_level import from_byte_level
from bpe_core.text.normalization import replace_surrogates
from bpe_core.text.splits import PATTERNS
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Special, Tokenizer

if TYPE_CHECKING:
    import tokenizers

MOST_SHOWN = 6
"""The most tokens of each side in a difference."""

T = TypeVar("T")


class ProofToken(NamedTuple):
    """A token of one side, and its bytes as that side has them.

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
    """Where two encodings first differ: the index of the token, its character in the text, and both sides from there.

    `parsed`: special tokens were found in the text; otherwise all of it was read as plain text.
    `reason`: a sentence, or "" where none is known. It may contain text of the tokenizer or the user.

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


@dataclass(frozen=True)
class Proof:
    """The result of a proof: `tokens` of `characters`, the library that read the file, and the first difference if any.

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
    """Whether the text names special tokens, and so was also encoded with these as tokens."""
    difference: ProofDifference | None

    @property
    def equal(self) -> bool:
        """Whether all ids are the same."""
        return self.difference is None


def prove(tokenizer: Tokenizer, text: str, *, format: str, files: Mapping[str, bytes] | None = None) -> Proof:
    """Encode a text with a tokenizer and with the library that reads its file, and compare the ids.

    `files`: the files to be read; what `to_files` writes unless given. Lone surrogates become U+FFFD for both. A text
    that names special tokens is encoded twice, with these as plain text and as tokens; not for "sentencepiece", which
    has no such choice. Raises FormatError for a tokenizer that cannot be written, for files that the library refuses, a
    text that it cannot encode, and a library that is not installed; ConfigError for an unknown format.

    >>> from bpe_core import TrainConfig, train
    >>> tokenizer = train("low lower lowest", TrainConfig(vocab_size=260)).tokenizer()
    >>> proof = prove(tokenizer, "slow slower", format="tiktoken")
    >>> proof.equal, proof.tokens, proof.library
    (True, 7, 'tiktoken')
    """
    if format not in FORMATS:
        raise ConfigError(
            f"format is {quoted(format)}.", limit=f"It takes {', '.join(map(repr, FORMATS))}.", remedy="Choose one."
        )
    written = to_files(tokenizer, format=format) if files is None else files
    safe = replace_surrogates(text)[0]
    plain = tokenizer.encode(safe)
    parsed = format != "sentencepiece" and any(token in safe for token in tokenizer.special_tokens)
    peer = _PEERS[format](tokenizer, written)
    modes: list[tuple[Special, Encoding]] = [("text", plain)]
    if parsed:
        modes.append(("parse", tokenizer.encode(safe, special="parse")))
    difference = None
    for special, ours in modes:
        theirs = _run(peer.library, "encode the text", partial(peer.encode, safe, special))
        difference = _difference(tokenizer, ours, theirs, peer, format, parsed=special == "parse")
        if difference is not None:
            break
    return Proof(format, len(plain), len(safe), peer.library, peer.version, parsed, difference)


# -- the libraries ---------------------------------------------------------------------------------------------


class _Peer(NamedTuple):
    """A library that has read the file."""

    library: str
    version: str
    encode: Callable[[str, Special], list[int]]
    token: Callable[[int], bytes]


def _tokenizers_json(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> _Peer:
    try:
        import tokenizers
    except ImportError:
        _missing("tokenizers")
    data = _only(files)
    return _tokenizers(tokenizer, lambda: tokenizers.Tokenizer.from_buffer(data))


def _gpt2(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> _Peer:
    try:
        from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers
    except ImportError:
        _missing("tokenizers")

    def read() -> tokenizers.Tokenizer:
        lines = files[MERGES].decode().split("\n")
        pairs = [(left, right) for left, _, right in (line.partition(" ") for line in lines[1:] if line)]
        peer = Tokenizer(models.BPE(json.loads(files[VOCAB]), pairs))
        peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        peer.add_special_tokens([AddedToken(token, normalized=False) for token in tokenizer.special_tokens])
        return peer

    return _tokenizers(tokenizer, read)


def _wordpiece(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> _Peer:
    try:
        from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers
    except ImportError:
        _missing("tokenizers")

    def read() -> tokenizers.Tokenizer:
        vocab = {line: i for i, line in enumerate(_only(files).decode().removesuffix("\n").split("\n"))}
        peer = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]"))
        peer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        peer.add_special_tokens([AddedToken(token, normalized=False) for token in tokenizer.special_tokens])
        return peer

    return _tokenizers(tokenizer, read)


def _tokenizers(tokenizer: Tokenizer, read: Callable[[], tokenizers.Tokenizer]) -> _Peer:
    peer = _run("tokenizers", "read the file", read)
    names = {token_id: token for token, token_id in tokenizer.special_tokens.items()}

    def encode(text: str, special: Special) -> list[int]:
        peer.encode_special_tokens = special == "text"
        ids: list[int] = peer.encode(text, add_special_tokens=False).ids
        return ids

    def token(token_id: int) -> bytes:
        text = peer.id_to_token(token_id) or ""
        written = None if token_id in names or tokenizer.model.unit != "byte" else from_byte_level(text)
        return text.encode() if written is None else written

    return _Peer("tokenizers", version("tokenizers"), encode, token)


def _tiktoken(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> _Peer:
    try:
        import tiktoken
    except ImportError:
        _missing("tiktoken")
    split = tokenizer.split.pattern

    def read() -> tiktoken.Encoding:
        lines = (line.split() for line in _only(files).splitlines() if line)
        ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
        special = tokenizer.special_tokens
        return tiktoken.Encoding(
            "file", pat_str=PATTERNS.get(split, split), mergeable_ranks=ranks, special_tokens=special
        )

    peer = _run("tiktoken", "read the file", read)

    def encode(text: str, special: Special) -> list[int]:
        ids: list[int] = peer.encode(text, allowed_special="all") if special == "parse" else peer.encode_ordinary(text)
        return ids

    return _Peer("tiktoken", version("tiktoken"), encode, peer.decode_single_token_bytes)


def _sentencepiece(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> _Peer:
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError:
        _missing("sentencepiece")
    peer = _run("sentencepiece", "read the file", lambda: SentencePieceProcessor(model_proto=_only(files)))
    return _Peer(
        "sentencepiece",
        version("sentencepiece"),
        lambda text, _: peer.Encode(text),
        lambda i: peer.IdToPiece(i).encode(),
    )


def _bpe_lab(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> _Peer:
    again = from_files(files)
    return _Peer("bpe_core", "", lambda text, mode: again.encode(text, special=mode).ids.tolist(), again.token_bytes)


_PEERS: dict[str, Callable[[Tokenizer, Mapping[str, bytes]], _Peer]] = {
    "tokenizers": _tokenizers_json,
    "tiktoken": _tiktoken,
    "gpt2": _gpt2,
    "wordpiece": _wordpiece,
    "sentencepiece": _sentencepiece,
    "bpe-lab": _bpe_lab,
}


def _only(files: Mapping[str, bytes]) -> bytes:
    (data,) = files.values()
    return data


def _missing(library: str) -> NoReturn:
    raise FormatError(
        f"The library {library} is not installed.",
        limit="It must read the file for the proof.",
        remedy=f"Install it (pip install {library}) and start again; to save the file it is not needed.",
    ) from None


def _run(library: str, what: str, call: Callable[[], T]) -> T:
    """The call's result. Raises FormatError for whatever the library raises.

    Libraries in Rust may panic, which is not an Exception.
    """
    try:
        return call()
    except FormatError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise FormatError(
            f"The library {library} could not {what}: {quoted(str(error), 160)}.",
            limit="The proof needs that.",
            remedy="Try another text, a shorter one, or another format.",
        ) from None


# -- the difference --------------------------------------------------------------------------------------------


def _difference(
    tokenizer: Tokenizer, ours: Encoding, theirs: list[int], peer: _Peer, format: str, *, parsed: bool
) -> ProofDifference | None:
    """The first token that differs; None where all ids are the same."""
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
    other_side = _run(peer.library, "name its tokens", of_theirs)
    return ProofDifference(
        index, original, mine, other_side, parsed, _reason(tokenizer, ours, at, format, parsed=parsed)
    )


def _reason(tokenizer: Tokenizer, ours: Encoding, at: int, format: str, *, parsed: bool) -> str:
    """Why the encodings differ from a character of the normalized text on; "" where that is not known."""
    word = _word_around(ours, at)
    if format == "tiktoken" and not parsed and rank_order_differs(tokenizer, word) is not None:
        return (
            f"In {quoted(word)} tiktoken joins any two neighbours that spell a token, the lowest rank first; this "
            "tokenizer joins only the pairs that it learned, in their order."
        )
    if format == "wordpiece" and len(word) > _LONGEST_WORD:
        return f"A word of {len(word):,} characters: readers of a vocab.txt read more than {_LONGEST_WORD} as unknown."
    unassigned = next((char for char in word if unicodedata.category(char) == "Cn"), "")
    if unassigned:
        known = unicodedata.unidata_version
        return f"U+{ord(unassigned):04X} is not in Unicode {known}: libraries with other versions may differ on it."
    return ""


_LONGEST_WORD = 100
_NEAR = 200


def _word_around(ours: Encoding, at: int) -> str:
    """The word that contains a character of the normalized text."""
    index = int(np.searchsorted(ours.char_ends, at, side="right"))
    if index >= len(ours):
        return ours.text[at - _NEAR if at > _NEAR else 0 :]
    same = np.flatnonzero(ours.word_ids == ours.word_ids[index])
    return ours.text[int(ours.char_starts[same[0]]) : int(ours.char_ends[same[-1]])]
